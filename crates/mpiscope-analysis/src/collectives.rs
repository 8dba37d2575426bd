//! Who waits for whom in a collective operation.
//!
//! What follows from an operation is what its data need (MPI 4.1 §6): nobody
//! leaves a broadcast before its root has entered, nor the root a reduction
//! before all others have; of zero bytes nothing follows, except in a barrier.

use mpiscope_model::events::{ROOT_SELF, ROOT_THIS_GROUP};
use mpiscope_model::{
    CollectiveInstance, CollectiveMember, CollectiveOp, Event, EventRef, Matching, Note, Trace,
};

/// The form of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The root's data go to all.
    FromRoot,
    /// All data go to the root.
    ToRoot,
    /// All data go to all.
    Everybody,
    /// Data may go to all; a member notes it if they do.
    Pairs,
    /// Data go to those of higher rank.
    Prefix,
    /// Everybody waits for everybody, data or not.
    Synchronization,
}

const FORMS: &[(CollectiveOp, Form)] = &[
    (CollectiveOp::Bcast, Form::FromRoot),
    (CollectiveOp::Scatter, Form::FromRoot),
    (CollectiveOp::Scatterv, Form::FromRoot),
    (CollectiveOp::Reduce, Form::ToRoot),
    (CollectiveOp::Gather, Form::ToRoot),
    (CollectiveOp::Gatherv, Form::ToRoot),
    (CollectiveOp::Allreduce, Form::Everybody),
    (CollectiveOp::Allgather, Form::Everybody),
    (CollectiveOp::Allgatherv, Form::Everybody),
    (CollectiveOp::Alltoall, Form::Everybody),
    (CollectiveOp::ReduceScatter, Form::Everybody),
    (CollectiveOp::ReduceScatterBlock, Form::Everybody),
    (CollectiveOp::Alltoallv, Form::Pairs),
    (CollectiveOp::Alltoallw, Form::Pairs),
    (CollectiveOp::Scan, Form::Prefix),
    (CollectiveOp::Exscan, Form::Prefix),
    (CollectiveOp::Barrier, Form::Synchronization),
    (CollectiveOp::CreateHandle, Form::Synchronization),
    (CollectiveOp::CreateHandleAndAllocate, Form::Synchronization),
    (CollectiveOp::Fence, Form::Synchronization),
    (CollectiveOp::ThreadBarrier, Form::Synchronization),
    (CollectiveOp::Init, Form::Synchronization),
    (CollectiveOp::Finalize, Form::Synchronization),
];

/// What one member has to do with the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// Others wait for its entry.
    pub sends: bool,
    /// Its exit waits for others.
    pub receives: bool,
    /// The group it sends to, and the one it hears: 0 unless there are two.
    pub to: usize,
    /// See `to`.
    pub from: usize,
}

/// What an operation means for its members, in their order.
#[derive(Debug)]
pub(crate) struct Parts {
    /// Of each member.
    pub parts: Vec<Part>,
    /// Members wait for those of lower rank only.
    pub lower: bool,
    /// The operation's form.
    pub form: Form,
}

/// Returns what an operation means, or nothing if nothing follows from it.
pub(crate) fn parts(
    trace: &Trace,
    matching: &Matching,
    instance: &CollectiveInstance,
) -> Option<Parts> {
    let (_, form) = FORMS.iter().find(|(op, _)| *op == instance.op)?;
    if !instance.consistent || !matching.assumptions.hold(instance.op) {
        return None;
    }
    let members = matching.members_of(instance);
    let communicator = trace.definitions.communicators.get(instance.comm.index());
    let across = communicator.is_some_and(|communicator| communicator.remote.is_some());
    let rooted = matches!(form, Form::FromRoot | Form::ToRoot);
    let root = match (rooted, across) {
        (false, _) => None,
        (true, false) => Some((instance.root?, false)),
        (true, true) => Some(root_across(trace, members)?),
    };
    let part = |member: &CollectiveMember| {
        let is_root = root == Some((member.rank, member.remote));
        // Of the root's group the others stay outside (MPI 4.1 §6.2.3).
        let outside = across && root.is_some_and(|(_, remote)| remote == member.remote);
        let (sends, receives) = match form {
            Form::FromRoot => (is_root, !outside),
            Form::ToRoot => (!outside, is_root),
            _ => (true, true),
        };
        let gives = match form {
            Form::Synchronization => true,
            Form::Pairs => matching.is_dense(trace, member.exit),
            _ => member.sent > 0,
        };
        Part {
            sends: sends && gives,
            receives: receives && (*form == Form::Synchronization || member.received > 0),
            to: usize::from(across && !member.remote),
            from: usize::from(across && member.remote),
        }
    };
    Some(Parts {
        parts: members.iter().map(part).collect(),
        lower: *form == Form::Prefix,
        form: *form,
    })
}

/// Returns whether in an operation a member need not have data for every other.
pub(crate) fn is_pairwise(op: CollectiveOp) -> bool {
    use CollectiveOp::{Alltoallv, Alltoallw};
    matches!(op, Alltoallv | Alltoallw) || op.is_among_neighbors()
}

/// Returns whether a member of an operation notes that it sent something to everybody.
pub(crate) fn is_dense(trace: &Trace, exit: EventRef) -> bool {
    let events = &trace.locations[exit.location.index()].events;
    let mut notes = events.notes_of(exit.index as usize);
    notes.any(|note| note == Note::Dense)
}

/// Returns the root's rank in its group, and whether that is the second, if
/// the members of both groups agree about it. Each says it in its own way.
fn root_across(trace: &Trace, members: &[CollectiveMember]) -> Option<(u32, bool)> {
    let mut found = None;
    let mut group = None;
    for member in members {
        let (rank, remote) = match root_of(trace, member.exit)? {
            ROOT_SELF => (Some(member.rank), member.remote),
            ROOT_THIS_GROUP => (None, member.remote),
            rank => (Some(rank), !member.remote),
        };
        let agrees = rank.is_none_or(|rank| *found.get_or_insert(rank) == rank);
        if !agrees || *group.get_or_insert(remote) != remote {
            return None;
        }
    }
    Some((found?, group?))
}

fn root_of(trace: &Trace, exit: EventRef) -> Option<u32> {
    let events = &trace.locations[exit.location.index()].events;
    match events.event(exit.index as usize) {
        Event::MpiCollectiveEnd(collective)
        | Event::NonBlockingCollectiveComplete(_, collective) => collective.root,
        _ => None,
    }
}
