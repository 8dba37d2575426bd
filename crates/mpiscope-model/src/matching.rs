//! Who received what was sent, and who met in a collective operation.
//!
//! MPI messages between two processes on one communicator and tag do not
//! overtake each other (MPI 4.1 §3.5): the k-th send posted meets the k-th
//! receive posted. *Posted* is what counts: a nonblocking receive takes its
//! place where it was posted, whenever it completes. Wildcards need no care,
//! as a receive event names its actual source and tag. A receive that was
//! posted and never completed does not tell what it would have taken, and
//! takes nothing: those after it may meet an earlier send than in truth, never
//! a later one, so no wait is invented.
//!
//! Collective operations on one communicator start in the same order on all
//! its members (MPI 4.1 §6.1): the k-th of each member belong together.

mod collectives;
mod point_to_point;
mod waits;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::definitions::{CollectiveOp, CommId, LocationIndex, Rank};
use crate::events::EventKind;
use crate::time::Timestamp;
use crate::trace::{EventRef, Trace};

/// A matched send and receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// The MpiSend or MpiIsend event.
    pub send: EventRef,
    /// The MpiRecv or MpiIrecv event: the receive's completion.
    pub receive: EventRef,
}

/// A wait of one event for another that no message of its own tells of: what
/// `receive` says cannot have happened before `send`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bound {
    /// What comes first.
    pub send: EventRef,
    /// What waits for it, at another location.
    pub receive: EventRef,
    /// Why it waits.
    pub kind: BoundKind,
}

/// Why one event waits for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundKind {
    /// A probe found a message: its send came before.
    Probe,
    /// A synchronous send ends only after its receive was posted (MPI 4.1 §3.4).
    Synchronous,
    /// One-sided communication: post and start, complete and wait, locks of a window.
    OneSided,
    /// A thread or team begins after it was created, and is joined after its end.
    Thread,
    /// A lock is acquired after it was released.
    Lock,
    /// A task runs after it was created, and is waited for.
    Task,
    /// Data of a neighbourhood operation came along an edge of the topology.
    Neighbor,
    /// Somebody noted it: see [`Note::Signal`](crate::events::Note::Signal).
    Signal,
}

/// One collective operation with those who took part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveInstance {
    /// Which operation.
    pub op: CollectiveOp,
    /// The communicator; [`CommId::NONE`] of threads, and of all processes.
    pub comm: CommId,
    /// Rank of the root in the communicator, of operations that have one.
    pub root: Option<u32>,
    /// Its rows in [`Matching::members`].
    pub members: Range<usize>,
    /// Every process of the communicator is among the members.
    pub complete: bool,
    /// All members name the same operation and root. If they do not, the
    /// trace is damaged here, and nothing follows from this instance.
    pub consistent: bool,
}

/// One member of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectiveMember {
    /// Its MpiCollectiveBegin, the initiation of a nonblocking operation, or
    /// the entry into the call.
    pub enter: EventRef,
    /// Its MpiCollectiveEnd, the completion of a nonblocking operation, or
    /// the exit from the call.
    pub exit: EventRef,
    /// Its rank in its group of the communicator; of threads, in the team.
    pub rank: u32,
    /// It belongs to the second group of an intercommunicator.
    pub remote: bool,
    /// Bytes it sent.
    pub sent: u64,
    /// Bytes it received.
    pub received: u64,
}

/// All messages and collective operations of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Matched messages, by receiving process and there in posting order.
    pub messages: Vec<Message>,
    /// Send events that no receive event belongs to.
    pub unmatched_sends: Vec<EventRef>,
    /// Receive completions that no send event belongs to.
    pub unmatched_receives: Vec<EventRef>,
    /// How many messages were sent or received by several threads of a process
    /// on one channel, so that their order is known by the local clock alone.
    pub ambiguous: usize,
    /// Collective operations.
    pub collectives: Vec<CollectiveInstance>,
    /// Members of all collective operations, each instance's together, in the
    /// order of world ranks.
    pub members: Vec<CollectiveMember>,
    /// Ends of collective operations that belong to no instance: without a
    /// begin, or on a communicator that the process is no member of.
    pub unmatched_collectives: Vec<EventRef>,
    /// Waits between two events that are neither messages nor collective.
    pub bounds: Vec<Bound>,
    /// What is taken for granted of those who use this.
    pub assumptions: Assumptions,
}

/// Which calls are taken to be barriers though no standard says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumptions {
    /// MPI_Init: real libraries meet there, and Scalasca assumes it.
    pub init: bool,
    /// MPI_Finalize: collective over all connected processes (MPI 4.1 §11.2.2).
    pub finalize: bool,
    /// Calls that create a communicator or a window: their members agree on it.
    pub creation: bool,
}

impl Default for Assumptions {
    fn default() -> Assumptions {
        Assumptions {
            init: false,
            finalize: true,
            creation: true,
        }
    }
}

impl Assumptions {
    /// Returns whether an operation binds its members, as far as this decides.
    pub fn hold(&self, op: CollectiveOp) -> bool {
        match op {
            CollectiveOp::Init => self.init,
            CollectiveOp::Finalize => self.finalize,
            CollectiveOp::CreateHandle | CollectiveOp::CreateHandleAndAllocate => self.creation,
            _ => true,
        }
    }
}

impl Matching {
    /// Returns the members of one collective operation.
    pub fn members_of(&self, instance: &CollectiveInstance) -> &[CollectiveMember] {
        &self.members[instance.members.clone()]
    }
}

/// Pairs sends with receives and the members of collective operations.
pub(crate) fn matching(trace: &Trace) -> Matching {
    let mut matching = Matching::default();
    let processes = processes(trace);
    point_to_point::collect(trace, &processes, &mut matching);
    collectives::collect(trace, &processes, &mut matching);
    waits::collect(trace, &processes, &mut matching);
    matching
}

/// The locations of each process, by rank.
fn processes(trace: &Trace) -> Vec<(Rank, Vec<LocationIndex>)> {
    let mut by_rank: BTreeMap<Rank, Vec<LocationIndex>> = BTreeMap::new();
    for (index, location) in trace.locations.iter().enumerate() {
        let locations = by_rank.entry(location.rank).or_default();
        locations.push(LocationIndex(index as u32));
    }
    by_rank.into_iter().collect()
}

/// Visits those events of a process that `wanted` names, in the order in
/// which the process saw them. Threads of a process are merged by their
/// clock; a clock that runs backwards does not disturb a thread's own order.
fn visit(
    trace: &Trace,
    locations: &[LocationIndex],
    wanted: fn(EventKind) -> bool,
    mut visitor: impl FnMut(LocationIndex, usize, EventKind),
) {
    let kinds_of = |location: LocationIndex| trace.locations[location.index()].events.kinds();
    if let [location] = *locations {
        for (index, &kind) in kinds_of(location).iter().enumerate() {
            if wanted(kind) {
                visitor(location, index, kind);
            }
        }
        return;
    }
    let mut merged: Vec<(Timestamp, LocationIndex, usize)> = Vec::new();
    for &location in locations {
        let times = trace.locations[location.index()].events.times();
        let mut latest = Timestamp::MIN;
        for (index, &kind) in kinds_of(location).iter().enumerate() {
            latest = latest.max(times[index]);
            if wanted(kind) {
                merged.push((latest, location, index));
            }
        }
    }
    merged.sort_unstable();
    for (_, location, index) in merged {
        visitor(location, index, kinds_of(location)[index]);
    }
}
