//! The requests outstanding, by handle.
//!
//! A handle is not unique: both MPIs give one "already complete" handle to
//! many small sends at once, so a handle has a queue, first in, first out.
//! The table is sharded; no lock is held over a call into MPI. Where threads do
//! not call MPI at once, the common requests lie before it, without a lock.

use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpiscope_run::record::{Begun, Collective, FileOperation, Message, Wildcard};
use rustc_hash::{FxBuildHasher, FxHashMap};

mod direct;

pub use direct::{Completed, Direct};

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

/// A request that completes without anything to record.
pub const OPAQUE: Entry = Entry {
    id: 0,
    kind: Kind::Opaque,
    comm: 0,
    wildcard: Wildcard {
        source: false,
        tag: false,
    },
    cancelled: false,
};

/// What a request stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A nonblocking send.
    Send,
    /// A nonblocking receive, with source and tag as posted.
    Recv(Message),
    /// Something that is no point-to-point message, or one from or to MPI_PROC_NULL.
    Opaque,
    /// An operation on another process's part of a window.
    RemoteAccess,
    /// Data that are moved between memory and a file.
    FileAccess {
        /// Process-local id of the file.
        file: u32,
        /// What is done.
        operation: FileOperation,
        /// Bytes asked for.
        bytes: u64,
    },
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
    /// Unless threads call MPI at once.
    direct: Option<Direct>,
    shards: [Mutex<Shard>; SHARDS],
    /// Handles in the shards.
    behind: AtomicUsize,
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
    /// Makes the table of a process, whose threads call MPI at once or do not.
    pub fn new(at_once: bool) -> Self {
        Self {
            direct: (!at_once).then(Direct::default),
            ..Self::default()
        }
    }

    /// Returns the table without a lock, if the process may use it.
    #[inline(always)]
    pub fn direct(&self) -> Option<&Direct> {
        self.direct.as_ref()
    }

    /// Notes that a request was entered.
    #[inline(always)]
    pub fn note_used(&self) {
        self.used.store(true, Ordering::Relaxed);
    }

    /// Appends to the handle's queue.
    pub fn insert(&self, handle: usize, entry: Entry) {
        self.note_used();
        if self
            .direct()
            .is_none_or(|direct| !direct.add(handle, &entry))
        {
            self.settle(handle);
            self.push(handle, entry);
        }
    }

    fn push(&self, handle: usize, entry: Entry) {
        let mut shard = self.shard(handle);
        match shard.get_mut(&handle) {
            Some(queue) => queue.rest.push_back(entry),
            None => self.first(&mut shard, handle, entry),
        }
    }

    /// Enters the only entry of a handle.
    fn first(&self, shard: &mut Shard, handle: usize, first: Entry) {
        self.behind.fetch_add(1, Ordering::Relaxed);
        let rest = VecDeque::new();
        shard.insert(handle, Queue { first, rest });
    }

    /// Moves what lies before the shards into them.
    fn settle(&self, handle: usize) {
        for entry in self.direct().into_iter().flat_map(|d| d.take_all(handle)) {
            self.push(handle, entry);
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
        let newest = self.direct().and_then(|direct| direct.newest(handle));
        newest.or_else(|| {
            let shard = self.behind(handle)?;
            let queue = shard.get(&handle)?;
            Some(queue.rest.back().unwrap_or(&queue.first).id)
        })
    }

    /// Returns what the handle's newest request stands for; nothing of those that need no lock,
    /// which are sends, receives and what stands for nothing.
    pub fn kind(&self, handle: usize) -> Option<Kind> {
        if self.direct().is_some_and(|direct| direct.holds(handle)) {
            return None;
        }
        let shard = self.behind(handle)?;
        let queue = shard.get(&handle)?;
        Some(queue.rest.back().unwrap_or(&queue.first).kind)
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
        let direct = self.direct().and_then(|direct| direct.take(handle, id));
        direct.or_else(|| {
            self.settle(handle);
            let mut shard = self.behind(handle)?;
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
            self.pop(&mut shard, handle)
        })
    }

    /// Takes the oldest entry of a handle.
    fn pop(&self, shard: &mut Shard, handle: usize) -> Option<Entry> {
        let queue = shard.get_mut(&handle)?;
        let oldest = queue.first;
        match queue.rest.pop_front() {
            Some(next) => queue.first = next,
            None => {
                self.behind.fetch_sub(1, Ordering::Relaxed);
                shard.remove(&handle);
            }
        }
        Some(oldest)
    }

    /// Takes `take` back: the request did not complete after all.
    pub fn put_back(&self, handle: usize, entry: Entry) {
        let mut kind = entry.kind;
        if kind.active().is_some() {
            self.change(handle, |there| *there = entry);
            return;
        }
        self.settle(handle);
        let mut shard = self.shard(handle);
        match shard.get_mut(&handle) {
            Some(queue) => {
                let second = std::mem::replace(&mut queue.first, entry);
                queue.rest.push_front(second);
            }
            None => self.first(&mut shard, handle, entry),
        }
    }

    /// Forgets the handle, whose request the program frees; returns what it stood for.
    pub fn free(&self, handle: usize) -> Option<Entry> {
        self.settle(handle);
        self.pop(&mut self.shard(handle), handle)
    }

    /// Changes the oldest entry of the handle in place, and returns it as it is then.
    pub fn change(&self, handle: usize, change: impl FnOnce(&mut Entry)) -> Option<Entry> {
        self.settle(handle);
        let mut shard = self.shard(handle);
        let entry = &mut shard.get_mut(&handle)?.first;
        change(entry);
        Some(*entry)
    }

    /// Returns the shard of a handle, if there is anything in any.
    fn behind(&self, handle: usize) -> Option<MutexGuard<'_, Shard>> {
        (self.behind.load(Ordering::Relaxed) > 0).then(|| self.shard(handle))
    }

    fn shard(&self, handle: usize) -> MutexGuard<'_, Shard> {
        let index = (FxBuildHasher.hash_one(handle) >> 32) as usize % SHARDS;
        self.shards[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
