//! On whom each call depends: senders, receivers, members of collective operations.

use mpiscope_model::{
    BoundKind, CollectiveInstance, CollectiveOp, EventKind, EventRef, LocationIndex, Matching,
    Timestamp, Trace,
};

use super::requests::Requests;
use super::{Cause, Kind, Latest};
use crate::collectives::{parts, Form};

/// Tells all dependencies; of those that came at the same time the first told counts.
pub(super) fn collect(trace: &Trace, matching: &Matching, latest: &mut Latest) {
    for message in &matching.messages {
        latest.depends(message.receive, message.send, Kind::LateSender);
    }
    receivers(trace, matching, latest);
    for bound in &matching.bounds {
        let kind = match bound.kind {
            BoundKind::Probe => Kind::LateSender,
            BoundKind::Neighbor => Kind::NxN,
            BoundKind::OneSided => Kind::OneSided,
            // Told as late receivers; the others are not MPI's.
            _ => continue,
        };
        latest.depends(bound.receive, bound.send, kind);
    }
    for instance in &matching.collectives {
        members(trace, matching, instance, latest);
    }
}

/// Sends that may depend on the post of their receive: blocking ones where
/// they are made, nonblocking ones where they complete.
fn receivers(trace: &Trace, matching: &Matching, latest: &mut Latest) {
    let locations = (0..trace.locations.len() as u32).map(LocationIndex);
    let requests: Vec<Requests> = locations.map(|at| Requests::new(trace, at)).collect();
    for message in &matching.messages {
        let of = |event: EventRef| (kind(trace, event), &requests[event.location.index()]);
        let exit = match of(message.send) {
            (EventKind::MpiSend, _) => Some(message.send),
            (_, requests) => requests.completion(message.send),
        };
        let post = match of(message.receive) {
            (EventKind::MpiRecv, _) => Some(message.receive),
            (_, requests) => requests.post(message.receive),
        };
        if let (Some(exit), Some(post)) = (exit, post) {
            latest.depends(exit, post, Kind::LateReceiver);
        }
    }
}

fn kind(trace: &Trace, event: EventRef) -> EventKind {
    trace.locations[event.location.index()].events.kinds()[event.index as usize]
}

/// Members of a collective operation, each of whom hears some of the others.
fn members(trace: &Trace, matching: &Matching, instance: &CollectiveInstance, latest: &mut Latest) {
    let Some(all) = parts(trace, matching, instance) else {
        return;
    };
    let Some(kind) = kind_of(instance.op, all.form) else {
        return;
    };
    let members = matching.members_of(instance);
    let mut order: Vec<usize> = (0..members.len()).collect();
    if all.lower {
        order.sort_by_key(|&number| members[number].rank);
    }
    // The last to come of each group that is heard; of a scan, so far.
    let mut last: [Option<(Timestamp, EventRef)>; 2] = [None; 2];
    let hear = |number: usize, latest: &mut Latest, last: &[Option<(Timestamp, EventRef)>]| {
        let part = all.parts[number];
        if let (true, Some((came, event))) = (part.receives, last[part.from]) {
            let exit = members[number].exit;
            if event.location != exit.location {
                latest.depends_on(exit, Cause { event, came, kind });
            }
        }
    };
    for &number in &order {
        if all.lower {
            hear(number, latest, &last);
        }
        let part = all.parts[number];
        let enter = members[number].enter;
        if part.sends {
            let came = latest.came(enter);
            let before = &mut last[part.to];
            if before.is_none_or(|(other, _)| other < came) {
                *before = Some((came, enter));
            }
        }
    }
    if !all.lower {
        order.iter().for_each(|&number| hear(number, latest, &last));
    }
}

/// Returns what waiting in an operation is called, if it is MPI's.
fn kind_of(op: CollectiveOp, form: Form) -> Option<Kind> {
    match (op, form) {
        (CollectiveOp::ThreadBarrier, _) => None,
        (CollectiveOp::Barrier, _) => Some(Kind::Barrier),
        (_, Form::FromRoot) => Some(Kind::LateBroadcast),
        (_, Form::ToRoot) => Some(Kind::EarlyReduce),
        (_, Form::Everybody | Form::Pairs) => Some(Kind::NxN),
        (_, Form::Prefix) => Some(Kind::EarlyScan),
        (CollectiveOp::Init, _) => Some(Kind::Initialization),
        (CollectiveOp::Finalize, _) => Some(Kind::Finalization),
        (_, Form::Synchronization) => Some(Kind::Collective),
    }
}
