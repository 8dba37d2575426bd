//! The receives whose source is open until they complete.
//!
//! Only wildcard receives and persistent ones are here, so that a wait for
//! anything else asks one counter. Where the program's threads may not call
//! MPI at once, no lock is taken.

use std::cell::UnsafeCell;
use std::collections::hash_map::Entry as Slot;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::call::Wild;

/// A wildcard receive posted and not completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Number of the thread that posted it.
    pub thread: u32,
    /// The how manyth wildcard receive of that thread it is.
    pub ordinal: u64,
    /// As posted.
    pub wild: Wild,
}

/// What a handle stands for.
#[derive(Clone, Copy, Debug)]
enum Request {
    /// A receive that ends with its completion.
    Once(Entry),
    /// A persistent wildcard receive, and what its last start was if it is active.
    Persistent(Wild, Option<Entry>),
    /// A persistent receive from somebody.
    PersistentNamed,
}

/// A receive that the program tried to cancel.
#[derive(Clone, Copy, Debug)]
pub struct Cancel {
    handle: usize,
    /// Thread that posted it.
    pub thread: u32,
    /// The how manyth nonblocking receive of that thread.
    pub ordinal: u64,
}

#[derive(Default)]
struct Tables {
    by_handle: HashMap<usize, Request, BuildHasherDefault<HandleHasher>>,
    /// Younger ones that share a handle with one above.
    more: Vec<(usize, Request)>,
    cancels: Vec<Cancel>,
}

/// All of them.
pub struct Requests {
    /// Whether threads call MPI at once.
    multiple: bool,
    lock: Mutex<()>,
    tables: UnsafeCell<Tables>,
    /// Entries and cancels together; 0 lets waits pass at once.
    busy: AtomicUsize,
}

// SAFETY: the tables are touched under the lock, or, where MPI calls of different threads may not
// overlap, by the one thread that is in a call (MPI 4.1, §11.6).
unsafe impl Sync for Requests {}
// SAFETY: as above.
unsafe impl Send for Requests {}

impl Requests {
    /// Makes an empty table; `multiple` if threads call MPI at once.
    pub fn new(multiple: bool) -> Self {
        Self {
            multiple,
            lock: Mutex::default(),
            tables: UnsafeCell::default(),
            busy: AtomicUsize::new(0),
        }
    }

    /// Returns whether any request is to be looked at when it completes.
    #[inline]
    pub fn busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed) != 0
    }

    #[inline]
    fn with<T>(&self, work: impl FnOnce(&mut Tables) -> T) -> T {
        let _held = self
            .multiple
            .then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        // SAFETY: see the argument at `Sync`; `work` never comes back here.
        let tables = unsafe { &mut *self.tables.get() };
        let result = work(tables);
        let busy = tables.by_handle.len() + tables.more.len() + tables.cancels.len();
        self.busy.store(busy, Ordering::Relaxed);
        result
    }

    /// Notes a receive posted.
    #[inline]
    pub fn insert(&self, handle: usize, entry: Entry) {
        self.with(|tables| tables.insert(handle, Request::Once(entry)));
    }

    /// Notes a persistent receive, not started.
    pub fn insert_persistent(&self, handle: usize, wild: Wild) {
        let request = match wild.any() {
            true => Request::Persistent(wild, None),
            false => Request::PersistentNamed,
        };
        self.with(|tables| tables.insert(handle, request));
    }

    /// Returns the wildcards of a persistent receive; nothing if the handle is no receive.
    pub fn persistent(&self, handle: usize) -> Option<Wild> {
        if !self.busy() {
            return None;
        }
        self.with(|tables| match tables.by_handle.get(&handle)? {
            Request::Persistent(wild, _) => Some(*wild),
            Request::PersistentNamed => Some(Wild::default()),
            _ => None,
        })
    }

    /// Notes that a persistent wildcard receive was started.
    pub fn start(&self, handle: usize, entry: Entry) {
        self.with(|tables| {
            if let Some(Request::Persistent(_, active)) = tables.by_handle.get_mut(&handle) {
                *active = Some(entry);
            }
        });
    }

    /// Takes the oldest receive of a handle, as it has completed.
    #[inline]
    pub fn take(&self, handle: usize) -> Option<Entry> {
        self.with(|tables| tables.take(handle))
    }

    /// Forgets a request that the program frees.
    pub fn free(&self, handle: usize) {
        self.with(|tables| tables.remove(handle));
    }

    /// Notes that the program tries to cancel a receive.
    pub fn cancel(&self, handle: usize, thread: u32, ordinal: u64) {
        let cancel = Cancel {
            handle,
            thread,
            ordinal,
        };
        self.with(|tables| tables.cancels.push(cancel));
    }

    /// Takes such a note.
    pub fn take_cancel(&self, handle: usize) -> Option<Cancel> {
        self.with(|tables| {
            let at = tables.cancels.iter().position(|c| c.handle == handle)?;
            Some(tables.cancels.remove(at))
        })
    }
}

impl Tables {
    #[inline]
    fn insert(&mut self, handle: usize, request: Request) {
        match self.by_handle.entry(handle) {
            Slot::Vacant(slot) => drop(slot.insert(request)),
            Slot::Occupied(_) => self.more.push((handle, request)),
        }
    }

    #[inline]
    fn take(&mut self, handle: usize) -> Option<Entry> {
        match self.by_handle.get_mut(&handle)? {
            Request::Once(entry) => {
                let entry = *entry;
                self.remove(handle);
                Some(entry)
            }
            Request::Persistent(_, active) => active.take(),
            Request::PersistentNamed => None,
        }
    }

    #[inline]
    fn remove(&mut self, handle: usize) -> Option<Request> {
        let removed = self.by_handle.remove(&handle);
        if !self.more.is_empty() {
            if let Some(at) = self.more.iter().position(|(more, _)| *more == handle) {
                let (_, next) = self.more.remove(at);
                self.by_handle.insert(handle, next);
            }
        }
        removed
    }
}

/// A thread's latest nonblocking receives by handle, so that MPI_Cancel knows
/// which one it is about. It forgets: the price of nothing to look up elsewhere.
pub struct Recent {
    slots: Box<[(usize, Posted)]>,
}

/// How a nonblocking receive was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Posted {
    /// The how manyth nonblocking receive of its thread, plus one; 0 for none.
    count: u64,
    /// In replay: what is to come of MPI_Cancel.
    pub fate: Fate,
}

/// See [`Posted::fate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fate {
    /// Not known: as MPI likes.
    #[default]
    Open,
    /// It was cancelled.
    Cancelled,
    /// It took a message.
    Received,
}

const SLOTS: usize = 1024;

impl Default for Recent {
    fn default() -> Self {
        Self {
            slots: vec![(0, Posted::default()); SLOTS].into_boxed_slice(),
        }
    }
}

impl Recent {
    /// Notes a receive.
    #[inline]
    pub fn put(&mut self, handle: usize, ordinal: u64, fate: Fate) {
        let posted = Posted {
            count: ordinal + 1,
            fate,
        };
        if let Some(slot) = self.slots.get_mut(mixed(handle) as usize % SLOTS) {
            *slot = (handle, posted);
        }
    }

    /// Returns the ordinal of a receive and what is to become of it.
    pub fn get(&self, handle: usize) -> Option<(u64, Fate)> {
        let (there, posted) = self.slots.get(mixed(handle) as usize % SLOTS)?;
        let known = *there == handle && posted.count > 0;
        known.then(|| (posted.count - 1, posted.fate))
    }
}

#[inline]
fn mixed(handle: usize) -> u64 {
    let product = (handle as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}

/// One multiplication: handles are small integers or addresses.
#[derive(Default)]
struct HandleHasher(u64);

impl Hasher for HandleHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) ^ u64::from(*byte);
        }
    }

    fn write_usize(&mut self, handle: usize) {
        self.0 = mixed(handle);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
