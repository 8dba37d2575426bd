//! Who takes part in a collective operation, and who waits there for whom.

use std::collections::BTreeMap;

use mpiscope_model::events::{ROOT_SELF, ROOT_THIS_GROUP};
use mpiscope_model::{Collective, CollectiveOp, CommId, Event, EventKind, Note, RequestId, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::seen::{
    communicator, event, notes, place, sequence, At, Counting, Numbers, Pauses, Process,
};

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
    row: usize,
    stretch: usize,
}

/// What a place in the order of calls holds.
enum CallState {
    /// A nonblocking operation that may complete yet.
    Initiated(At, Option<u64>),
    Done(Called),
}

/// Where operations are counted: a communicator, or what was initialized there.
type Row = (CommId, Option<u64>);

/// A call's number in its row, the process, and which of its calls it is.
type Numbered = (u64, (u32, u32));

/// The calls of one process.
struct Calls {
    /// The rows that it calls on, and its place in the communicator of each.
    rows: Vec<Row>,
    places: Vec<Option<(usize, bool)>>,
    /// With their row and number there.
    calls: Vec<(usize, u64, Called)>,
}

/// Gathers the collective operations of communicators.
pub(super) fn parties(trace: &Trace, processes: &[Process]) -> Vec<Party> {
    let calls: Vec<Calls> = (processes.par_iter())
        .map(|process| Calls::new(trace, process))
        .collect();
    // Ordered, so that means are summed up in one order.
    let mut rows: BTreeMap<Row, Vec<Numbered>> = BTreeMap::new();
    for (process, of) in (0..).zip(&calls) {
        let mut shares: Vec<Vec<Numbered>> = vec![Vec::new(); of.rows.len()];
        for (call, (row, number, _)) in (0..).zip(&of.calls) {
            if of.places[*row].is_some() {
                shares[*row].push((*number, (process, call)));
            }
        }
        for (row, share) in of.rows.iter().zip(shares) {
            rows.entry(*row).or_default().extend(share);
        }
    }
    let member = |&(_, (process, call)): &Numbered| {
        let of = &calls[process as usize];
        let (row, _, called) = &of.calls[call as usize];
        let (rank, remote) = of.places[*row]?;
        Some(Member {
            enter: called.enter,
            exit: called.exit,
            rank: rank as u32,
            remote,
            collective: called.collective,
            dense: is_dense(trace, called.exit),
        })
    };
    let across = |comm| communicator(trace, comm).is_some_and(|comm| comm.remote.is_some());
    let mut parties = Vec::new();
    for ((comm, _), calls) in rows {
        let (calls, across) = (by_number(calls), across(comm));
        let operations = calls.par_chunk_by(|a, b| a.0 == b.0);
        let party = |members: &[Numbered]| Party {
            members: members.iter().filter_map(member).collect(),
            across,
        };
        parties.par_extend(operations.map(party));
    }
    parties
}

/// Sorts by number, equal ones as they come: by counting, if there are no more
/// numbers than a few for each.
fn by_number<T: Copy + Default>(calls: Vec<(u64, T)>) -> Vec<(u64, T)> {
    let most = calls.iter().map(|call| call.0).max().unwrap_or(0);
    if most >= 2 * calls.len() as u64 {
        let mut calls = calls;
        calls.sort_by_key(|call| call.0);
        return calls;
    }
    let mut next = vec![0usize; most as usize + 2];
    for call in &calls {
        next[call.0 as usize + 1] += 1;
    }
    for number in 1..next.len() {
        next[number] += next[number - 1];
    }
    let mut sorted = vec![(0, T::default()); calls.len()];
    for call in calls {
        let place = &mut next[call.0 as usize];
        sorted[*place] = call;
        *place += 1;
    }
    sorted
}

fn is_dense(trace: &Trace, (location, index): At) -> bool {
    let mut notes = trace.locations[location].events.notes_of(index);
    notes.any(|note| note == Note::Dense)
}

impl Calls {
    /// The calls of a process whose numbers on their communicator are known.
    fn new(trace: &Trace, process: &Process) -> Calls {
        let mut walk = Walk::default();
        process.each(trace, |at, kind| match kind {
            EventKind::MeasurementOnOff => walk.pauses.see(trace, at),
            EventKind::MpiCollectiveBegin
            | EventKind::MpiCollectiveEnd
            | EventKind::NonBlockingCollectiveRequest
            | EventKind::NonBlockingCollectiveComplete => walk.see(trace, at),
            _ => {}
        });
        let rank = process.rank;
        let place = |row: &Row| place(communicator(trace, row.0)?, rank);
        Calls {
            places: walk.rows.keys.iter().map(place).collect(),
            calls: walk.calls(),
            rows: walk.rows.keys,
        }
    }
}

/// A walk through the collective calls of a process.
#[derive(Default)]
struct Walk {
    rows: Numbers<Row>,
    counting: Counting,
    pauses: Pauses,
    places: Vec<CallState>,
    begun: FxHashMap<usize, Vec<At>>,
    initiated: FxHashMap<RequestId, usize>,
}

impl Walk {
    fn see(&mut self, trace: &Trace, at: At) {
        let (collective, enter, place) = match event(trace, at) {
            Event::MpiCollectiveBegin => {
                self.begun.entry(at.0).or_default().push(at);
                return;
            }
            Event::NonBlockingCollectiveRequest(request) => {
                self.initiated.insert(request, self.places.len());
                let persistent = persistent(trace, at);
                self.places.push(CallState::Initiated(at, persistent));
                return;
            }
            // Its caller began no other in between: it takes its place now.
            Event::MpiCollectiveEnd(ended) => {
                let begun = self.begun.entry(at.0).or_default().pop();
                (*ended, begun, None)
            }
            Event::NonBlockingCollectiveComplete(request, done) => {
                (*done, None, self.initiated.remove(&request))
            }
            _ => return,
        };
        let (enter, persistent) = match place.map(|place| &self.places[place]) {
            Some(CallState::Initiated(enter, persistent)) => (Some(*enter), *persistent),
            _ => (enter, None),
        };
        let row = self.rows.of((collective.comm, persistent));
        let told = sequence(trace, at);
        let done = CallState::Done(Called {
            enter,
            exit: at,
            collective,
            row,
            stretch: self.counting.count(row, self.pauses.count, told),
        });
        match place {
            Some(place) => self.places[place] = done,
            None => self.places.push(done),
        }
    }

    fn calls(&mut self) -> Vec<(usize, u64, Called)> {
        let mut calls = Vec::with_capacity(self.places.len());
        for place in self.places.drain(..) {
            match place {
                CallState::Done(called) => {
                    let number = self.counting.number(called.stretch);
                    calls.extend(number.map(|number| (called.row, number, called)));
                }
                // On which communicator it was nobody knows, nor what is the
                // number of any operation after it.
                CallState::Initiated(..) => self.counting.forget(),
            }
        }
        calls
    }
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
    // An exit without its enter was cut off from its operation.
    let whole = |member: &&Member| member.enter.is_some() && member.collective.received > 0;
    let mut receivers: Vec<&Member> = party.members.iter().filter(whole).collect();
    receivers.sort_by_key(|member| member.rank);
    let mut edges = Vec::new();
    for sender in party.members.iter().filter(|member| gives(member)) {
        let neighbors = destinations.get(sender.rank as usize);
        let Some((neighbors, enter)) = neighbors.zip(sender.enter) else {
            continue;
        };
        for neighbor in neighbors {
            let first = receivers.partition_point(|it| it.rank < *neighbor);
            let of_rank = receivers[first..].iter();
            let of_rank = of_rank.take_while(|it| it.rank == *neighbor);
            edges.extend(of_rank.map(|receiver| (enter, receiver.exit)));
        }
    }
    // Somebody may be a neighbour twice.
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether an operation goes along the edges of a topology.
pub(super) fn is_among_neighbors(party: &Party) -> bool {
    use CollectiveOp::*;
    party.members.first().is_some_and(|member| {
        matches!(
            member.collective.op,
            NeighborAllgather
                | NeighborAllgatherv
                | NeighborAlltoall
                | NeighborAlltoallv
                | NeighborAlltoallw
        )
    })
}
