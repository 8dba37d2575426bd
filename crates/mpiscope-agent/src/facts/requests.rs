//! The requests outstanding, by handle.
//!
//! A handle is not unique: both MPIs give one "already complete" handle to
//! many small sends at once, so a handle has a queue, first in, first out.
//! The table is sharded; no lock is held over a call into MPI.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpiscope_run::record::{Begun, Collective, Message, Wildcard};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A request outstanding.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its id in the records.
    pub id: u32,
    /// What will have happened when it completes.
    pub kind: Kind,
    /// Process-local communicator id.
    pub comm: u32,
    /// The wildcards it was posted with.
    pub wildcard: Wildcard,
    /// Whether `MPI_Cancel` was called on it.
    pub cancelled: bool,
}

/// What a request stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A nonblocking send.
    Send,
    /// A nonblocking receive, with source and tag as posted.
    Recv(Message),
    /// Something that is no point-to-point message, or one from or to MPI_PROC_NULL.
    Opaque,
    /// A persistent send, started or not, with the message it sends.
    PersistentSend(Message, Active),
    /// A persistent receive, started or not, with source and tag as posted.
    PersistentRecv(Message, Active),
    /// A nonblocking collective, with what it is.
    Collective(Collective),
    /// A persistent collective, started or not.
    PersistentCollective(&'static Persistent, Active),
    /// Both at once (MPI_Isendrecv); the entry's own id is the receive's.
    SendRecv {
        /// Id of the send, 0 for none.
        send: u32,
        /// The message as posted, if the source is not MPI_PROC_NULL.
        posted: Option<Message>,
    },
}

impl Kind {
    /// Returns whether a persistent request is started; nothing of others.
    pub fn active(&mut self) -> Option<&mut Active> {
        match self {
            Kind::PersistentSend(_, active)
            | Kind::PersistentRecv(_, active)
            | Kind::PersistentCollective(_, active) => Some(active),
            _ => None,
        }
    }

    /// Returns the persistent kind as it was while started.
    fn started(self) -> Self {
        match self {
            Kind::PersistentSend(message, _) => Kind::PersistentSend(message, Active(true)),
            Kind::PersistentRecv(message, _) => Kind::PersistentRecv(message, Active(true)),
            Kind::PersistentCollective(it, _) => Kind::PersistentCollective(it, Active(true)),
            kind => kind,
        }
    }
}

/// A persistent collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Persistent {
    /// Which of its communicator it is.
    pub number: u32,
    /// What is told when it completes.
    pub ended: Collective,
}

impl Persistent {
    /// Returns what is told when it is started.
    pub fn begun(&self) -> Begun {
        Begun {
            comm: self.ended.comm,
            root: self.ended.root,
            signature: self.ended.signature,
        }
    }
}

/// Whether a persistent request is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Active(pub bool);

/// How many locks share the work.
const SHARDS: usize = 16;

/// All requests outstanding.
#[derive(Default)]
pub struct Requests {
    shards: [Mutex<Shard>; SHARDS],
    /// Whether any was ever entered.
    used: AtomicBool,
}

type Shard = FxHashMap<usize, Queue>;

/// The entries of one handle: nearly always one.
struct Queue {
    first: Entry,
    rest: VecDeque<Entry>,
}

impl Requests {
    /// Appends to the handle's queue.
    pub fn insert(&self, handle: usize, entry: Entry) {
        self.used.store(true, Ordering::Relaxed);
        let mut shard = self.shard(handle);
        match shard.entry(handle) {
            std::collections::hash_map::Entry::Occupied(mut queue) => {
                queue.get_mut().rest.push_back(entry)
            }
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(Queue {
                    first: entry,
                    rest: VecDeque::new(),
                });
            }
        }
    }

    /// Returns whether any request was ever entered.
    #[inline(always)]
    pub fn used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Returns the id of the handle's newest entry. Where another thread has
    /// not yet taken the entry that had the handle before, the newest is ours.
    pub fn peek(&self, handle: usize) -> Option<u32> {
        let shard = self.shard(handle);
        let queue = shard.get(&handle)?;
        Some(queue.rest.back().unwrap_or(&queue.first).id)
    }

    /// Takes the newest entry of the handle. A persistent one stays, inactive,
    /// and its started copy is returned.
    pub fn take(&self, handle: usize) -> Option<Entry> {
        let id = self.peek(handle)?;
        self.take_id(handle, id)
    }

    /// Takes the handle's entry of this id; if several requests shared the
    /// handle and that one is taken already, another of them.
    pub fn take_id(&self, handle: usize, id: u32) -> Option<Entry> {
        let mut shard = self.shard(handle);
        let queue = shard.get_mut(&handle)?;
        if let Some(active) = queue.first.kind.active() {
            let started = std::mem::replace(active, Active(false)).0;
            return started.then_some(Entry {
                kind: queue.first.kind.started(),
                ..queue.first
            });
        }
        if queue.first.id != id {
            let position = queue.rest.iter().position(|entry| entry.id == id);
            if let Some(entry) = position.and_then(|k| queue.rest.remove(k)) {
                return Some(entry);
            }
        }
        let entry = queue.first;
        match queue.rest.pop_front() {
            Some(next) => queue.first = next,
            None => drop(shard.remove(&handle)),
        }
        Some(entry)
    }

    /// Takes `take` back: the request did not complete after all.
    pub fn put_back(&self, handle: usize, entry: Entry) {
        let mut kind = entry.kind;
        if kind.active().is_some() {
            self.change(handle, |there| *there = entry);
            return;
        }
        let mut shard = self.shard(handle);
        match shard.get_mut(&handle) {
            Some(queue) => {
                let second = std::mem::replace(&mut queue.first, entry);
                queue.rest.push_front(second);
            }
            None => drop(shard.insert(
                handle,
                Queue {
                    first: entry,
                    rest: VecDeque::new(),
                },
            )),
        }
    }

    /// Forgets the handle, whose request the program frees; returns what it stood for.
    pub fn free(&self, handle: usize) -> Option<Entry> {
        let mut shard = self.shard(handle);
        let queue = shard.get_mut(&handle)?;
        let freed = queue.first;
        match queue.rest.pop_front() {
            Some(next) => queue.first = next,
            None => drop(shard.remove(&handle)),
        }
        Some(freed)
    }

    /// Changes the oldest entry of the handle in place, and returns it as it is then.
    pub fn change(&self, handle: usize, change: impl FnOnce(&mut Entry)) -> Option<Entry> {
        let mut shard = self.shard(handle);
        let entry = &mut shard.get_mut(&handle)?.first;
        change(entry);
        Some(*entry)
    }

    fn shard(&self, handle: usize) -> MutexGuard<'_, Shard> {
        let index = (FxBuildHasher.hash_one(handle) >> 32) as usize % SHARDS;
        self.shards[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: Message = Message {
        peer: 0,
        comm: 0,
        tag: 0,
        bytes: 0,
        wildcard: Wildcard {
            source: false,
            tag: false,
        },
        signature: 0,
    };
    const RECV: Kind = Kind::Recv(MESSAGE);

    fn persistent(active: bool) -> Kind {
        Kind::PersistentRecv(MESSAGE, Active(active))
    }

    fn entry(id: u32, kind: Kind) -> Entry {
        Entry {
            id,
            kind,
            comm: 0,
            wildcard: Wildcard::default(),
            cancelled: false,
        }
    }

    #[test]
    fn sends_that_share_a_handle_complete_one_by_one() {
        let requests = Requests::default();
        for id in 1..=3 {
            requests.insert(7, entry(id, Kind::Send));
        }
        let taken = requests.take_id(7, 2).unwrap();
        assert_eq!(taken.id, 2);
        requests.put_back(7, taken);
        let mut ids: Vec<u32> = std::iter::from_fn(|| requests.take(7))
            .map(|e| e.id)
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3]);
    }

    #[test]
    fn a_handle_given_anew_is_its_new_owners() {
        let requests = Requests::default();
        requests.insert(7, entry(1, RECV)); // complete, but its thread has not taken it yet
        requests.insert(7, entry(2, RECV)); // another thread's, who got the handle again
        assert_eq!(requests.take(7).map(|e| e.id), Some(2));
        assert_eq!(requests.take_id(7, 1).map(|e| e.id), Some(1));
        assert!(requests.take(7).is_none());
    }

    #[test]
    fn a_persistent_request_stays_until_it_is_freed() {
        let requests = Requests::default();
        requests.insert(7, entry(1, persistent(false)));
        assert!(requests.take(7).is_none(), "not started");
        for id in 2..4 {
            requests.change(7, |e| *e = entry(id, persistent(true)));
            assert_eq!(requests.take(7).map(|e| e.id), Some(id));
            assert!(requests.take(7).is_none(), "complete");
        }
        requests.free(7);
        assert!(requests.change(7, |_| {}).is_none());
    }
}
