//! On whom each call depends: senders, receivers, members of collective operations.

use mpiscope_model::{
    Bound, BoundKind, CollectiveInstance, CollectiveOp, EventRef, Matching, Message, Timestamp,
};
use rayon::prelude::*;

use super::completion::Completion;
use super::requests::OtherSides;
use super::{elsewhere, windows, Calls, Cause, Held, Kind};
use crate::collectives::{parts, Form};
use crate::sharers::Sharers;

/// Operations that a thread looks at before it takes others.
const CHUNK: usize = 1 << 7;

/// Tells all calls that were held up (of those that came at the same time the first told counts), and
/// how operations completed.
///
/// Of processes that share the trace each tells those of its own calls, and how operations completed
/// whose home it is.
pub(super) fn all(
    matching: &Matching,
    calls: &Calls,
    other_sides: &OtherSides,
    sharers: Option<Sharers>,
) -> (Vec<Held>, Completion) {
    let mut all = messages(matching, calls, other_sides);
    let bounds = matching.bounds.iter().filter(|it| calls.has(it.receive));
    all.extend(bounds.filter_map(|bound| of_bound(bound, calls)));
    all.extend(windows::all(matching, calls));
    let (held, completion) = operations(matching, calls, sharers);
    match sharers {
        Some(sharers) => all.extend(elsewhere::tell_held(sharers, held)),
        None => all.extend(held.into_iter().map(|(_, held)| held)),
    }
    (all, completion)
}

/// Tells who was held up in collective operations, by the place of these among all, and how they
/// completed; of those alone whose home this process is.
fn operations(
    matching: &Matching,
    calls: &Calls,
    sharers: Option<Sharers>,
) -> (Vec<(u64, Held)>, Completion) {
    let order = |number: usize| match (sharers, matching.homes.get(number)) {
        (Some(sharers), Some(home)) => sharers.is_home(home).then_some(home.order),
        _ => Some(number as u64),
    };
    let chunks = matching.collectives.par_chunks(CHUNK).enumerate();
    let of_chunk = |(chunk, instances): (usize, &[CollectiveInstance])| {
        let (mut all, mut completion) = (Vec::new(), Completion::default());
        let mut held = Vec::new();
        for (number, instance) in (chunk * CHUNK..).zip(instances) {
            let Some(order) = order(number) else { continue };
            if let Some(kind) = members(matching, instance, calls, &mut held) {
                completion.add(kind, matching.members_of(instance), calls.lines);
            }
            all.extend(held.drain(..).map(|held| (order, held)));
        }
        (all, completion)
    };
    let told: Vec<(Vec<(u64, Held)>, Completion)> = chunks.map(of_chunk).collect();
    let mut all = Vec::with_capacity(told.iter().map(|(held, _)| held.len()).sum());
    let mut completion = Completion::default();
    for (held, of_some) in told {
        all.extend(held);
        completion.merge(&of_some);
    }
    (all, completion)
}

/// Tells receives that were held up by their sends, then sends that were by
/// their receives.
fn messages(matching: &Matching, calls: &Calls, other_sides: &OtherSides) -> Vec<Held> {
    let told: Vec<[Vec<Held>; 2]> = matching.look_at_messages(|messages| {
        let received = messages.iter().filter(|it| calls.has(it.receive));
        let late_sender = |it: &Message| calls.depends(it.receive, it.send, Kind::LateSender);
        let sent = messages.iter().filter(|it| calls.has(it.send));
        let late_receiver = |it: &Message| late_receiver(it, other_sides, calls);
        [
            received.filter_map(late_sender).collect(),
            sent.filter_map(late_receiver).collect(),
        ]
    });
    let (senders, receivers): (Vec<_>, Vec<_>) = (told.into_iter())
        .map(|[senders, receivers]| (senders, receivers))
        .unzip();
    senders.into_iter().chain(receivers).flatten().collect()
}

/// A send may depend on the post of its receive: a blocking one where it is
/// made, a nonblocking one where it completes.
fn late_receiver(message: &Message, other_sides: &OtherSides, calls: &Calls) -> Option<Held> {
    let exit = other_sides.of(message.send)?;
    let post = other_sides.of(message.receive)?;
    calls.depends(exit, post, Kind::LateReceiver)
}

fn of_bound(bound: &Bound, calls: &Calls) -> Option<Held> {
    let kind = match bound.kind {
        BoundKind::Probe => Kind::LateSender,
        BoundKind::Neighbor => Kind::NxN,
        BoundKind::OneSided => {
            windows::kind_of(calls.name(bound.receive)).unwrap_or(Kind::OneSided)
        }
        // Told as late receivers; the others are not MPI's.
        _ => return None,
    };
    calls.depends(bound.receive, bound.send, kind)
}

/// Tells members of a collective operation, each of whom hears some of the others; returns what waiting
/// in it is called.
fn members(
    matching: &Matching,
    instance: &CollectiveInstance,
    calls: &Calls,
    held: &mut Vec<Held>,
) -> Option<Kind> {
    let all = parts(calls.trace, matching, instance)?;
    let members = matching.members_of(instance);
    // All call the same function; who has a member here knows which.
    let name = || {
        let mut here = members.iter().filter(|it| calls.has(it.exit));
        here.next().map_or("", |it| calls.name(it.exit))
    };
    let kind = kind_of(instance.op, all.form, name)?;
    let mut order: Vec<usize> = (0..members.len()).collect();
    if all.lower {
        order.sort_by_key(|&number| members[number].rank);
    }
    // The last to come of each group that is heard; of a scan, so far.
    let mut last: [Option<(Timestamp, EventRef)>; 2] = [None; 2];
    let hear = |number: usize, held: &mut Vec<Held>, last: &[Option<(Timestamp, EventRef)>]| {
        let part = all.parts[number];
        if let (true, Some((came, event))) = (part.receives, last[part.from]) {
            let exit = members[number].exit;
            if event.location != exit.location {
                held.extend(calls.depends_on(exit, Cause { event, came, kind }));
            }
        }
    };
    for &number in &order {
        if all.lower {
            hear(number, held, &last);
        }
        let part = all.parts[number];
        let enter = members[number].enter;
        if part.sends {
            let came = calls.came(enter);
            let before = &mut last[part.to];
            if before.is_none_or(|(other, _)| other < came) {
                *before = Some((came, enter));
            }
        }
    }
    if !all.lower {
        order.iter().for_each(|&number| hear(number, held, &last));
    }
    Some(kind)
}

/// Returns what waiting in an operation is called, if it is MPI's; `name` is its function's.
fn kind_of<'a>(op: CollectiveOp, form: Form, name: impl Fn() -> &'a str) -> Option<Kind> {
    match (op, form) {
        (CollectiveOp::ThreadBarrier, _) => None,
        (CollectiveOp::Barrier, _) => Some(Kind::Barrier),
        (_, Form::FromRoot) => Some(Kind::LateBroadcast),
        (_, Form::ToRoot) => Some(Kind::EarlyReduce),
        (_, Form::Everybody | Form::Pairs) => Some(Kind::NxN),
        (_, Form::Prefix) => Some(Kind::EarlyScan),
        (CollectiveOp::Init, _) => Some(Kind::Initialization),
        (CollectiveOp::Finalize, _) => Some(Kind::Finalization),
        // Writers take fences for whatever all do to a window.
        (_, Form::Synchronization) => Some(windows::kind_of(name()).unwrap_or(match op {
            CollectiveOp::Fence => Kind::Fence,
            _ => Kind::Collective,
        })),
    }
}
