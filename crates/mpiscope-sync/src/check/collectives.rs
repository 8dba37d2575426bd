//! Who takes part in a collective operation, and who waits there for whom.

use std::collections::BTreeMap;

use mpiscope_model::events::{ROOT_SELF, ROOT_THIS_GROUP};
use mpiscope_model::{Collective, CollectiveOp, CommId, Event, Note, Rank, RequestId, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::seen::{communicator, event, notes, place, sequence, At, Counting, Pauses};

/// One member of a collective operation.
#[derive(Clone)]
pub(super) struct Member {
    pub enter: Option<At>,
    pub exit: At,
    pub rank: u32,
    pub remote: bool,
    pub collective: Collective,
    /// It sent something to every other member.
    pub dense: bool,
}

impl Member {
    /// A member of something that only synchronizes.
    pub fn synchronizing(op: CollectiveOp, enter: At, exit: At, rank: u32) -> Member {
        Member {
            enter: Some(enter),
            exit,
            rank,
            remote: false,
            collective: Collective {
                op,
                comm: CommId::NONE,
                root: None,
                sent: 0,
                received: 0,
            },
            dense: false,
        }
    }

    fn in_roots_group(&self) -> bool {
        matches!(self.collective.root, Some(ROOT_SELF | ROOT_THIS_GROUP))
    }
}

/// Members of one operation; whether they are two groups that face each other.
pub(super) struct Party {
    pub members: Vec<Member>,
    pub across: bool,
}

/// A call of a process, in the order of its calls.
struct Called {
    enter: Option<At>,
    exit: At,
    collective: Collective,
    stretch: usize,
    persistent: Option<u64>,
}

/// What a place in the order of calls holds.
enum CallState {
    /// A nonblocking operation that may complete yet.
    Initiated(At, Option<u64>),
    Done(Called),
}

/// Gathers the collective operations of communicators.
pub(super) fn parties(trace: &Trace, processes: &BTreeMap<Rank, Vec<At>>) -> Vec<Party> {
    // Ordered, so that means are summed up in one order.
    let mut parties: BTreeMap<(CommId, Option<u64>, u64), Vec<Member>> = BTreeMap::new();
    let calls: Vec<_> = (processes.par_iter())
        .map(|(&me, events)| (me, calls(trace, events)))
        .collect();
    for (me, calls) in calls {
        let mut places: FxHashMap<CommId, Option<(usize, bool)>> = FxHashMap::default();
        for (called, number) in calls {
            let comm = called.collective.comm;
            let place = places
                .entry(comm)
                .or_insert_with(|| place(communicator(trace, comm)?, me));
            let Some((rank, remote)) = *place else {
                continue;
            };
            let key = (comm, called.persistent, number);
            parties.entry(key).or_default().push(Member {
                enter: called.enter,
                exit: called.exit,
                rank: rank as u32,
                remote,
                collective: called.collective,
                dense: notes(trace, called.exit).contains(&Note::Dense),
            });
        }
    }
    let across = |comm| communicator(trace, comm).is_some_and(|comm| comm.remote.is_some());
    (parties.into_iter())
        .map(|((comm, _, _), members)| Party {
            members,
            across: across(comm),
        })
        .collect()
}

/// The calls of a process whose numbers on their communicator are known.
fn calls(trace: &Trace, events: &[At]) -> Vec<(Called, u64)> {
    let mut counting = Counting::new();
    let mut pauses = Pauses::default();
    let mut places: Vec<CallState> = Vec::new();
    let mut begun: FxHashMap<usize, Vec<At>> = FxHashMap::default();
    let mut initiated: FxHashMap<RequestId, usize> = FxHashMap::default();
    for &at in events {
        let event = event(trace, at);
        pauses.see(&event);
        let (collective, enter, place) = match event {
            Event::MpiCollectiveBegin => {
                begun.entry(at.0).or_default().push(at);
                continue;
            }
            Event::NonBlockingCollectiveRequest(request) => {
                initiated.insert(request, places.len());
                places.push(CallState::Initiated(at, persistent(trace, at)));
                continue;
            }
            // Its caller began no other in between: it takes its place now.
            Event::MpiCollectiveEnd(ended) => (*ended, begun.entry(at.0).or_default().pop(), None),
            Event::NonBlockingCollectiveComplete(request, done) => {
                (*done, None, initiated.remove(&request))
            }
            _ => continue,
        };
        let (enter, persistent) = match place.map(|place| &places[place]) {
            Some(CallState::Initiated(enter, persistent)) => (Some(*enter), *persistent),
            _ => (enter, None),
        };
        let key = (collective.comm, persistent);
        let done = CallState::Done(Called {
            enter,
            exit: at,
            collective,
            stretch: counting.count(key, pauses.count, sequence(trace, at)),
            persistent,
        });
        match place {
            Some(place) => places[place] = done,
            None => places.push(done),
        }
    }
    let mut calls = Vec::new();
    for place in places {
        match place {
            CallState::Done(called) => {
                let number = counting.number(called.stretch);
                calls.extend(number.map(|number| (called, number)));
            }
            // On which communicator it was nobody knows, nor what is the
            // number of any operation after it.
            CallState::Initiated(..) => counting.forget(),
        }
    }
    calls
}

/// Which of the operations initialized on its communicator is started, if one is.
fn persistent(trace: &Trace, at: At) -> Option<u64> {
    notes(trace, at).into_iter().find_map(|note| match note {
        Note::Persistent(number) => Some(number),
        _ => None,
    })
}

fn rooted(op: CollectiveOp) -> bool {
    use CollectiveOp::*;
    matches!(op, Bcast | Scatter | Scatterv | Reduce | Gather | Gatherv)
}

/// Whether all members name the same operation and root.
pub(super) fn agree(party: &Party) -> bool {
    let Some(first) = party.members.first() else {
        return false;
    };
    let op = first.collective.op;
    let mut members = party.members.iter();
    if !members.clone().all(|member| member.collective.op == op) {
        return false;
    }
    if !party.across {
        return members.all(|member| member.collective.root == first.collective.root);
    }
    !rooted(op) || agree_across(&party.members)
}

/// Whether the root's group is the same for all members, and the other group
/// names the one that says it is the root.
fn agree_across(members: &[Member]) -> bool {
    let side = |member: &Member| member.remote == member.in_roots_group();
    let mut roots: Vec<Option<u32>> = Vec::new();
    for member in members {
        match member.collective.root {
            Some(ROOT_SELF) => roots.push(Some(member.rank)),
            Some(ROOT_THIS_GROUP) => {}
            other => roots.push(other),
        }
    }
    roots.dedup();
    matches!(roots[..], [Some(_)])
        && members
            .iter()
            .all(|member| side(member) == side(&members[0]))
}

/// What a member is in an operation that has a root.
#[derive(PartialEq)]
enum Part {
    Root,
    Other,
    Outside,
}

fn part(member: &Member, across: bool) -> Part {
    match member.collective.root {
        Some(ROOT_SELF) if across => Part::Root,
        Some(ROOT_THIS_GROUP) | None => Part::Outside,
        Some(root) if !across && root == member.rank => Part::Root,
        _ => Part::Other,
    }
}

/// Whether all wait for all, whatever the data.
fn synchronizes(op: CollectiveOp) -> bool {
    use CollectiveOp::*;
    matches!(
        op,
        Barrier | Fence | ThreadBarrier | Init | Finalize | CreateHandle | CreateHandleAndAllocate
    )
}

/// Whether others may wait for this member's data.
pub(super) fn contributes(member: &Member, across: bool) -> bool {
    use CollectiveOp::*;
    let sent = member.collective.sent > 0;
    match member.collective.op {
        op if synchronizes(op) => true,
        Bcast | Scatter | Scatterv => part(member, across) == Part::Root && sent,
        Reduce | Gather | Gatherv => match across {
            true => part(member, across) == Part::Other && sent,
            false => part(member, across) != Part::Outside && sent,
        },
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock
        | Scan | Exscan => sent,
        Alltoallv | Alltoallw => member.dense,
        _ => false,
    }
}

/// Whether this member may wait for others' data.
pub(super) fn depends(member: &Member, across: bool) -> bool {
    use CollectiveOp::*;
    let received = member.collective.received > 0;
    match member.collective.op {
        op if synchronizes(op) => true,
        Reduce | Gather | Gatherv => part(member, across) == Part::Root && received,
        Bcast | Scatter | Scatterv => match across {
            true => part(member, across) == Part::Other && received,
            false => part(member, across) != Part::Outside && received,
        },
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock
        | Scan | Exscan | Alltoallv | Alltoallw => received,
        _ => false,
    }
}

/// Whether a receiver waits for a particular sender.
pub(super) fn waits(op: CollectiveOp, across: bool, receiver: &Member, sender: &Member) -> bool {
    match op {
        CollectiveOp::Scan | CollectiveOp::Exscan => sender.rank < receiver.rank,
        _ if across => sender.remote != receiver.remote,
        _ => sender.rank != receiver.rank,
    }
}

/// The edges of a neighbourhood operation.
pub(super) fn edges(trace: &Trace, party: &Party) -> Vec<(At, At)> {
    use CollectiveOp::*;
    let first = party.members[0].collective;
    let gives = |member: &Member| match first.op {
        NeighborAllgather | NeighborAllgatherv | NeighborAlltoall => member.collective.sent > 0,
        NeighborAlltoallv | NeighborAlltoallw => member.dense,
        _ => false,
    };
    let comm = communicator(trace, first.comm);
    let Some(destinations) = comm.and_then(|comm| comm.destinations.as_ref()) else {
        return Vec::new();
    };
    let mut edges = Vec::new();
    for sender in party.members.iter().filter(|member| gives(member)) {
        for receiver in &party.members {
            let neighbors = destinations.get(sender.rank as usize);
            let linked = neighbors.is_some_and(|to| to.contains(&receiver.rank));
            // An exit without its enter was cut off from its operation.
            let whole = receiver.enter.is_some() && receiver.collective.received > 0;
            if let (true, true, Some(enter)) = (linked, whole, sender.enter) {
                edges.push((enter, receiver.exit));
            }
        }
    }
    edges
}
