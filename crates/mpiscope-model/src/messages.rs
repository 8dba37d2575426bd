//! Messages, collective operations and other waits of a trace: what [`matching`](crate::matching)
//! finds.

use std::ops::Range;

use rayon::prelude::*;

use crate::definitions::{CollectiveOp, CommId};
use crate::events::Note;
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

impl BoundKind {
    /// All of them.
    pub const ALL: [BoundKind; 8] = [
        BoundKind::Probe,
        BoundKind::Synchronous,
        BoundKind::OneSided,
        BoundKind::Thread,
        BoundKind::Lock,
        BoundKind::Task,
        BoundKind::Neighbor,
        BoundKind::Signal,
    ];
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

/// Which of several processes that share the events knows all members of a collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// The number of that process; each other one knows its own members alone.
    pub process: u32,
    /// The operation's place among all operations: its number does not tell it, as who has nothing
    /// to do with an operation does not have it. No two operations have the same.
    pub order: u64,
}

/// How much there is of what each of several processes that share the events knows its own of alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Matched messages.
    pub messages: u64,
    /// Waits between two events that are neither messages nor collective.
    pub bounds: u64,
    /// Send events that no receive event belongs to.
    pub unmatched_sends: u64,
    /// Receive completions that no send event belongs to.
    pub unmatched_receives: u64,
    /// Members of collective operations.
    pub members: u64,
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
    /// on one channel, so that their order is known by the local clock alone;
    /// and how many are left unmatched as recording was off before them and
    /// nothing tells how many messages it missed.
    pub ambiguous: usize,
    /// Collective operations; where processes share the events those that have members here, or
    /// whose home this one is.
    pub collectives: Vec<CollectiveInstance>,
    /// Their members, each instance's together, in the order of world ranks: all of them, or of
    /// operations at home elsewhere those of this process.
    pub members: Vec<CollectiveMember>,
    /// Ends of collective operations that belong to no instance: without a
    /// begin, or on a communicator that the process is no member of. Each process has its own.
    pub unmatched_collectives: Vec<EventRef>,
    /// Waits between two events that are neither messages nor collective.
    pub bounds: Vec<Bound>,
    /// Where processes share the events, of operations whose home this one is the ends elsewhere
    /// that [`Note::Dense`](crate::Note::Dense) says of that the member sent something to everybody;
    /// ascending.
    pub dense: Vec<EventRef>,
    /// Of all processes together, if they share the events and what concerns events of others
    /// alone is left out here. What is left is in the order of the whole. So of the messages from
    /// one process to another both know the same in one order, and so do a home and another process
    /// of this one's members.
    pub of_all: Option<Counts>,
    /// The home of each operation, if so; else there is none, and all members of all are here.
    pub homes: Vec<Home>,
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
    /// Returns how much there is in the whole trace of what processes may have their own of alone.
    pub fn counts(&self) -> Counts {
        self.of_all.unwrap_or(Counts {
            messages: self.messages.len() as u64,
            bounds: self.bounds.len() as u64,
            unmatched_sends: self.unmatched_sends.len() as u64,
            unmatched_receives: self.unmatched_receives.len() as u64,
            members: self.members.len() as u64,
        })
    }

    /// Returns whether the member whose call ends with this event sent something to everybody.
    pub fn is_dense(&self, trace: &Trace, exit: EventRef) -> bool {
        let events = &trace.locations[exit.location.index()].events;
        let mut notes = events.notes_of(exit.index as usize);
        notes.any(|note| note == Note::Dense) || self.dense.binary_search(&exit).is_ok()
    }

    /// Has threads look at all messages, some at a time, and returns what they tell, in the order
    /// of the messages. Those of all processes that are about as far into their events are looked
    /// at together: what these sent to each other is near then, on both sides, however long the
    /// trace.
    pub fn look_at_messages<T: Send>(&self, look: impl Fn(&[Message]) -> T + Sync) -> Vec<T> {
        /// As many of a process as make a few pages of each of its columns.
        const SOME: usize = 1 << 11;
        /// Of all processes together, at most: their columns are to fit into memory.
        const TOGETHER: usize = 1 << 21;
        let last = self
            .messages
            .last()
            .map_or(0, |it| it.receive.location.index());
        let some = (TOGETHER / (last + 1)).clamp(SOME / 16, SOME);
        let mut all: Vec<(usize, &[Message])> = self.messages.chunks(some).enumerate().collect();
        all.sort_by_key(|(_, messages)| messages[0].receive.index);
        let told = all.into_par_iter().map(|(at, some)| (at, look(some)));
        let mut told: Vec<(usize, T)> = told.collect();
        told.sort_unstable_by_key(|it| it.0);
        told.into_iter().map(|(_, told)| told).collect()
    }

    /// Returns the members of one collective operation.
    pub fn members_of(&self, instance: &CollectiveInstance) -> &[CollectiveMember] {
        &self.members[instance.members.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::LocationIndex;

    #[test]
    fn all_messages_are_looked_at_once_and_told_of_in_their_order() {
        let event = |location, index| EventRef {
            location: LocationIndex(location),
            index,
        };
        let message = |number: u32| Message {
            send: event(number % 3, number),
            receive: event(number / 4000, number % 4000),
        };
        for count in [0, 1, 2048, 2049, 10_000] {
            let matching = Matching {
                messages: (0..count).map(message).collect(),
                ..Matching::default()
            };
            let told = matching.look_at_messages(<[Message]>::to_vec);
            assert!(told.iter().all(|some| some.len() <= 2048));
            assert_eq!(told.concat(), matching.messages, "{count} messages");
        }
    }
}
