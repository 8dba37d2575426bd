//! Members of a communicator that disagree about a collective operation.
//!
//! The n-th operation of each member belong together (MPI 4.1 §6.1); one that
//! a member is still in counts as its next.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{
    CollectiveInstance, CollectiveMember, CollectiveOp, CommId, Event, EventKind, EventRef,
    LocationIndex, Matching, Trace,
};

use super::calls::{Calls, End};
use super::{region_name, Error, ErrorKind};
use crate::collectives::is_dense;
use crate::races::Processes;

/// An operation that a location is still in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub comm: CommId,
    /// How many operations it had completed on the communicator.
    pub number: usize,
    op: Option<CollectiveOp>,
    root: Option<u32>,
    bytes: Option<u64>,
    signature: Option<u64>,
}

/// What one member says of an operation.
struct Opinion {
    event: EventRef,
    op: CollectiveOp,
    root: Option<u32>,
    bytes: Option<u64>,
    signature: Option<u64>,
    /// It exchanged data with everybody.
    with_all: bool,
}

/// All operations of a communicator, in order, and who is in none yet.
pub(super) struct Opens {
    /// By location.
    pub of: BTreeMap<u32, Open>,
    /// By communicator and number: processes that came.
    came: BTreeMap<(CommId, usize), BTreeSet<u32>>,
}

impl Opens {
    /// Returns the processes that a location in an operation waits for.
    pub fn missing(&self, trace: &Trace, processes: &Processes, open: &Open) -> Vec<u32> {
        let Some(comm) = trace.definitions.communicators.get(open.comm.index()) else {
            return Vec::new();
        };
        let none = BTreeSet::new();
        let came = self.came.get(&(open.comm, open.number)).unwrap_or(&none);
        let ranks = comm.members.iter().chain(comm.remote.iter().flatten());
        let members = ranks.filter_map(|rank| processes.of_rank(*rank));
        members.filter(|member| !came.contains(member)).collect()
    }
}

/// Finds operations whose members disagree, the first of each communicator;
/// returns the operations that somebody is still in.
pub(super) fn disagreements(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    calls: &Calls,
    found: &mut Vec<Error>,
) -> Opens {
    let mut numbers: BTreeMap<CommId, usize> = BTreeMap::new();
    let mut done: BTreeMap<(u32, CommId), usize> = BTreeMap::new();
    let mut opens = Opens {
        of: BTreeMap::new(),
        came: BTreeMap::new(),
    };
    let mut opinions: BTreeMap<(CommId, usize), Vec<Opinion>> = BTreeMap::new();
    let within: Vec<EventRef> = (calls.ends.iter())
        .filter_map(|end| match end {
            End::Within(enter) => Some(*enter),
            _ => None,
        })
        .collect();
    let is_open = !within.is_empty();
    for instance in matching.collectives.iter().filter(|it| is_asked(trace, it)) {
        let number = numbers.entry(instance.comm).or_default();
        let key = (instance.comm, *number);
        *number += 1;
        let members = matching.members_of(instance);
        if is_open {
            for member in members {
                let process = processes.of[member.exit.location.index()];
                *done.entry((process, instance.comm)).or_default() += 1;
                opens.came.entry(key).or_default().insert(process);
            }
        }
        if is_open || !instance.consistent || differ(trace, members) {
            let opinion = |member| opinion(trace, instance, member);
            opinions.insert(key, members.iter().filter_map(opinion).collect());
        }
    }
    for enter in within {
        let Some(mut open) = open(trace, enter) else {
            continue;
        };
        let process = processes.of[enter.location.index()];
        open.number = done.get(&(process, open.comm)).copied().unwrap_or(0);
        let key = (open.comm, open.number);
        opens.came.entry(key).or_default().insert(process);
        opens.of.insert(enter.location.0, open);
        if let Some(op) = open.op {
            opinions.entry(key).or_default().push(Opinion {
                event: enter,
                op,
                root: open.root,
                bytes: open.bytes,
                signature: open.signature,
                with_all: !is_pairwise(op),
            });
        }
    }
    let mut wrong = BTreeSet::new();
    for ((comm, _), opinions) in &mut opinions {
        if !wrong.contains(comm) && judge(trace, *comm, opinions, found) {
            wrong.insert(*comm);
        }
    }
    opens
}

/// Operations of MPI_COMM_SELF have one member, those of threads no communicator,
/// and neighbours need not agree.
fn is_asked(trace: &Trace, instance: &CollectiveInstance) -> bool {
    let comm = trace.definitions.communicators.get(instance.comm.index());
    comm.is_some_and(|comm| !comm.is_self)
        && !matches!(
            instance.op,
            CollectiveOp::Init
                | CollectiveOp::Finalize
                | CollectiveOp::CreateHandle
                | CollectiveOp::CreateHandleAndAllocate
                | CollectiveOp::Fence
        )
}

/// Returns whether it is worth while to look more closely.
fn differ(trace: &Trace, members: &[CollectiveMember]) -> bool {
    let signature = |member: &CollectiveMember| {
        let events = &trace.locations[member.exit.location.index()].events;
        match events.signatures().len() {
            0 => None,
            _ => events.signature(member.exit.index as usize),
        }
    };
    let values = |member: &CollectiveMember| (member.sent, member.received, signature(member));
    members
        .windows(2)
        .any(|pair| values(&pair[0]) != values(&pair[1]))
}

fn opinion(
    trace: &Trace,
    instance: &CollectiveInstance,
    member: &CollectiveMember,
) -> Option<Opinion> {
    let events = &trace.locations[member.exit.location.index()].events;
    let index = member.exit.index as usize;
    let (Event::MpiCollectiveEnd(own) | Event::NonBlockingCollectiveComplete(_, own)) =
        events.event(index)
    else {
        return None;
    };
    let communicator = trace.definitions.communicators.get(instance.comm.index())?;
    let within = communicator.remote.is_none();
    Some(Opinion {
        event: member.enter,
        op: own.op,
        root: own.root.filter(|_| within),
        bytes: amount(own.op, own.sent, own.received).filter(|&bytes| within && bytes > 0),
        signature: events.signature(index),
        with_all: match own.op.is_among_neighbors() {
            true => false, // dense there means: for all neighbours
            false => !is_pairwise(own.op) || is_dense(trace, member.exit),
        },
    })
}

/// In these a member need not have data for every other.
fn is_pairwise(op: CollectiveOp) -> bool {
    use CollectiveOp::{Alltoallv, Alltoallw};
    matches!(op, Alltoallv | Alltoallw) || op.is_among_neighbors()
}

/// Returns what all members have to name alike. What the root may leave in
/// place is 0 there, and not compared.
fn amount(op: CollectiveOp, sent: u64, received: u64) -> Option<u64> {
    use CollectiveOp::*;
    match op {
        Bcast | Scatter => Some(received),
        Gather | Allgather | Alltoall | Reduce | Allreduce => Some(sent),
        // Each sends to those after it, and hears those before.
        Scan | Exscan => Some(sent.saturating_add(received)),
        _ => None,
    }
}

/// Returns the operation that a call which never returned is.
fn open(trace: &Trace, enter: EventRef) -> Option<Open> {
    let events = &trace.locations[enter.location.index()].events;
    let from = enter.index as usize;
    let begin = (from..events.len()).rev();
    let begin = begin
        .take(8)
        .find(|&index| events.kinds()[index] == EventKind::MpiCollectiveBegin)?;
    let posted = events.posted(begin)?;
    let name = region_name(trace, enter).to_lowercase();
    let name = name.strip_prefix("mpi_").unwrap_or(&name);
    let op = CollectiveOp::NAMED.iter().find(|op| op.name() == name);
    let op = op.copied();
    let rooted = op.is_some_and(|op| {
        use CollectiveOp::*;
        matches!(op, Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv)
    });
    Some(Open {
        comm: posted.comm,
        number: 0,
        op,
        root: posted.source.filter(|_| rooted),
        bytes: posted.capacity.filter(|&bytes| bytes > 0),
        signature: posted.signature,
    })
}

/// Compares what members say with the one that most of them say, of which the
/// lowest rank's counts if there are as many of another.
fn judge(trace: &Trace, comm: CommId, opinions: &mut [Opinion], found: &mut Vec<Error>) -> bool {
    let rank = |opinion: &Opinion| {
        let LocationIndex(location) = opinion.event.location;
        let members = trace.definitions.communicators.get(comm.index());
        let rank = trace.locations[location as usize].rank;
        members
            .and_then(|comm| comm.rank_of(rank))
            .unwrap_or(u32::MAX)
    };
    opinions.sort_by_key(rank);
    // Where nobody had data for all, those who met may agree in each case.
    let some_with_all = opinions.iter().any(|opinion| opinion.with_all);
    type Aspect = fn(&Opinion) -> Option<u64>;
    let aspects: [(ErrorKind, Aspect); 4] = [
        (ErrorKind::CollectiveOrder, |it| Some(number(it.op))),
        (ErrorKind::CollectiveRoot, |it| it.root.map(u64::from)),
        (ErrorKind::CollectiveCount, |it| it.bytes),
        (ErrorKind::CollectiveType, |it| it.signature),
    ];
    for (kind, aspect) in aspects {
        if kind == ErrorKind::CollectiveType && !some_with_all {
            continue;
        }
        let said: Vec<(&Opinion, u64)> = (opinions.iter())
            .filter_map(|opinion| Some((opinion, aspect(opinion)?)))
            .collect();
        let count = |value: u64| said.iter().filter(|(_, other)| *other == value).count();
        let Some(most) = said.iter().rev().max_by_key(|(_, value)| count(*value)) else {
            continue;
        };
        let others = said.iter().filter(|(_, value)| *value != most.1);
        let others: Vec<Error> = others
            .map(|(opinion, _)| Error {
                event: opinion.event,
                kind,
                others: vec![most.0.event],
            })
            .collect();
        if !others.is_empty() {
            found.extend(others);
            return true;
        }
    }
    false
}

/// Returns a number of its own for each operation.
fn number(op: CollectiveOp) -> u64 {
    let place = CollectiveOp::NAMED.iter().position(|&named| named == op);
    place.map_or(1000 + u64::from(op.number()), |place| place as u64)
}
