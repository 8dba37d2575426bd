//! The receives whose source is open until they complete.
//!
//! Only wildcard receives and persistent ones are here, so that a wait for
//! anything else asks one counter. Where the program's threads may not call
//! MPI at once, no lock is taken.

use std::cell::UnsafeCell;
use std::collections::hash_map::Entry as Slot;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::envelope::Wild;

/// A wildcard receive posted and not completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
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

/// What is known of a request that is about to complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Nothing.
    Nothing,
    /// It is a receive.
    Receive(Entry),
    /// It is to be looked up at length.
    Odd,
}

/// Receives by handle: a place each, and more places where two would share one.
struct Tables {
    /// Each with its handle, or [`NOBODY`].
    slots: Box<[(usize, Entry)]>,
    /// Those that found their place taken, younger ones of a handle last, and persistent ones.
    more: FxHashMap<usize, VecDeque<Request>>,
    cancels: Vec<Cancel>,
    /// Requests and cancels together.
    count: usize,
}

/// No handle is that.
const NOBODY: usize = usize::MAX;
/// Places: more than most programs have receives outstanding.
const PLACES: usize = 256;

impl Default for Tables {
    fn default() -> Self {
        Self {
            slots: vec![(NOBODY, Entry::default()); PLACES].into_boxed_slice(),
            more: FxHashMap::default(),
            cancels: Vec::new(),
            count: 0,
        }
    }
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
// SAFETY: the tables refer to nothing of a thread.
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

    #[inline(always)]
    fn with<T>(&self, work: impl FnOnce(&mut Tables) -> T) -> T {
        let _held = self
            .multiple
            .then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        // SAFETY: see the argument at `Sync`; `work` never comes back here.
        let tables = unsafe { &mut *self.tables.get() };
        let result = work(tables);
        self.busy.store(tables.count, Ordering::Relaxed);
        result
    }

    /// Notes a receive posted.
    #[inline(always)]
    pub fn insert(&self, handle: usize, entry: Entry) {
        self.with(|tables| tables.insert(handle, entry));
    }

    /// Notes a persistent receive, not started.
    pub fn insert_persistent(&self, handle: usize, wild: Wild) {
        let request = match wild.any() {
            true => Request::Persistent(wild, None),
            false => Request::PersistentNamed,
        };
        self.with(|tables| tables.insert_more(handle, request));
    }

    /// Returns the wildcards of a persistent receive; nothing if the handle is no receive.
    pub fn persistent(&self, handle: usize) -> Option<Wild> {
        if !self.busy() {
            return None;
        }
        self.with(|tables| match tables.more.get(&handle)?.front()? {
            Request::Persistent(wild, _) => Some(*wild),
            Request::PersistentNamed => Some(Wild::default()),
            _ => None,
        })
    }

    /// Notes that a persistent wildcard receive was started.
    pub fn start(&self, handle: usize, entry: Entry) {
        self.with(|tables| {
            let oldest = tables.more.get_mut(&handle).and_then(VecDeque::front_mut);
            if let Some(Request::Persistent(_, active)) = oldest {
                *active = Some(entry);
            }
        });
    }

    /// Returns what is known of a request, and leaves it here.
    #[inline(always)]
    pub fn holds(&self, handle: usize) -> Held {
        self.with(|tables| {
            let is_odd = !tables.cancels.is_empty() || !tables.more.is_empty();
            match tables.slots.get(place(handle)) {
                _ if is_odd => Held::Odd,
                Some((there, entry)) if *there == handle => Held::Receive(*entry),
                _ => Held::Nothing,
            }
        })
    }

    /// Takes a receive that is held.
    #[inline(always)]
    pub fn take_held(&self, handle: usize) -> Option<Entry> {
        self.with(|tables| tables.take_slot(handle))
    }

    /// Returns the oldest receive of a handle, and leaves it here.
    pub fn open(&self, handle: usize) -> Option<Entry> {
        if !self.busy() {
            return None;
        }
        self.with(|tables| match tables.slots.get(place(handle)) {
            Some((there, entry)) if *there == handle => Some(*entry),
            _ => match tables.more.get(&handle)?.front()? {
                Request::Once(entry) => Some(*entry),
                Request::Persistent(_, active) => *active,
                Request::PersistentNamed => None,
            },
        })
    }

    /// Takes what is known of a request that has completed: that the program
    /// tried to cancel it, and the oldest receive of its handle.
    #[inline]
    pub fn take(&self, handle: usize) -> (Option<Cancel>, Option<Entry>) {
        self.with(|tables| (tables.take_cancel(handle), tables.take(handle)))
    }

    /// A receive has completed whose handle is not known any more.
    #[cold]
    pub fn complete(&self, receive: &Entry) {
        self.with(|tables| tables.complete(receive));
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
        self.with(|tables| {
            // Who cancels twice cancels once.
            if !tables.cancels.iter().any(|it| it.handle == handle) {
                tables.cancels.push(cancel);
                tables.count += 1;
            }
        });
    }
}

impl Tables {
    #[inline(always)]
    fn insert(&mut self, handle: usize, entry: Entry) {
        match self.slots.get_mut(place(handle)) {
            Some(slot) if slot.0 == NOBODY && self.more.is_empty() => {
                *slot = (handle, entry);
                self.count += 1;
            }
            _ => self.insert_more(handle, Request::Once(entry)),
        }
    }

    #[cold]
    fn insert_more(&mut self, handle: usize, request: Request) {
        self.more.entry(handle).or_default().push_back(request);
        self.count += 1;
    }

    /// Takes the receive in the place of a handle, if it is of that.
    #[inline(always)]
    fn take_slot(&mut self, handle: usize) -> Option<Entry> {
        let slot = self.slots.get_mut(place(handle))?;
        if slot.0 != handle {
            return None;
        }
        slot.0 = NOBODY;
        self.count -= 1;
        Some(slot.1)
    }

    /// Takes the oldest receive of a handle: those in places were posted first.
    #[inline]
    fn take(&mut self, handle: usize) -> Option<Entry> {
        if let Some(entry) = self.take_slot(handle) {
            return Some(entry);
        }
        if self.more.is_empty() {
            return None;
        }
        match self.more.get_mut(&handle)?.front_mut()? {
            Request::Once(entry) => {
                let entry = *entry;
                self.remove(handle);
                Some(entry)
            }
            Request::Persistent(_, active) => active.take(),
            Request::PersistentNamed => None,
        }
    }

    fn complete(&mut self, receive: &Entry) {
        let is_it =
            |entry: &Entry| (entry.thread, entry.ordinal) == (receive.thread, receive.ordinal);
        let has = |request: &Request| match request {
            Request::Once(entry) | Request::Persistent(_, Some(entry)) => is_it(entry),
            _ => false,
        };
        let mut slots = self.slots.iter();
        let slot = slots.find(|(handle, entry)| *handle != NOBODY && is_it(entry));
        let handle = slot.map(|(handle, _)| *handle).or_else(|| {
            let mut more = self.more.iter();
            let found = more.find(|(_, requests)| requests.front().is_some_and(has));
            found.map(|(handle, _)| *handle)
        });
        if let Some(handle) = handle {
            self.take(handle);
            self.take_cancel(handle);
        }
    }

    #[inline]
    fn take_cancel(&mut self, handle: usize) -> Option<Cancel> {
        let at = self.cancels.iter().position(|c| c.handle == handle)?;
        self.count -= 1;
        Some(self.cancels.remove(at))
    }

    /// Removes the oldest request of a handle.
    fn remove(&mut self, handle: usize) {
        if self.take_slot(handle).is_some() {
            return;
        }
        if let Slot::Occupied(mut more) = self.more.entry(handle) {
            self.count -= usize::from(more.get_mut().pop_front().is_some());
            if more.get().is_empty() {
                more.remove();
            }
        }
    }
}

/// A thread's latest nonblocking receives by handle, so that MPI_Cancel knows
/// which one it is about. It forgets: the price of nothing to look up elsewhere.
pub struct Recent {
    slots: Box<[(usize, PostedReceive)]>,
}

/// How a nonblocking receive was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PostedReceive {
    /// The how manyth nonblocking receive of its thread, plus one; 0 for none.
    count: u64,
    /// In replay: what is to come of MPI_Cancel.
    pub fate: Fate,
}

/// See [`PostedReceive::fate`].
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

impl Default for Recent {
    fn default() -> Self {
        Self {
            slots: vec![(0, PostedReceive::default()); PLACES].into_boxed_slice(),
        }
    }
}

impl Recent {
    /// Notes a receive.
    #[inline(always)]
    pub fn put(&mut self, handle: usize, ordinal: u64, fate: Fate) {
        let posted = PostedReceive {
            count: ordinal + 1,
            fate,
        };
        if let Some(slot) = self.slots.get_mut(place(handle)) {
            *slot = (handle, posted);
        }
    }

    /// Returns the ordinal of a receive and what is to become of it.
    pub fn get(&self, handle: usize) -> Option<(u64, Fate)> {
        let (there, posted) = self.slots.get(place(handle))?;
        let known = *there == handle && posted.count > 0;
        known.then(|| (posted.count - 1, posted.fate))
    }
}

/// Where a request is looked for first.
#[inline(always)]
fn place(handle: usize) -> usize {
    mixed(handle) as usize % PLACES
}

#[inline]
fn mixed(handle: usize) -> u64 {
    let product = (handle as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Handles that share a place, and requests that share a handle, come out as they went in.
    #[test]
    fn the_oldest_receive_of_a_handle_completes_first() {
        let requests = Requests::new(true);
        let entry = |ordinal| Entry {
            thread: 0,
            ordinal,
            wild: Wild::default(),
        };
        let handles: Vec<usize> = (0..1000).map(|k| k % 300 * 8).collect();
        for (k, &handle) in (0..).zip(&handles) {
            requests.insert(handle, entry(k));
        }
        assert!(requests.busy());
        for (k, &handle) in (0..).zip(&handles) {
            assert_eq!(requests.take(handle).1, Some(entry(k)));
        }
        assert!(!requests.busy());
        assert_eq!(requests.take(8).1, None);
    }

    #[test]
    fn a_persistent_receive_stays_until_it_is_freed() {
        let requests = Requests::new(false);
        let wild = Wild {
            source: true,
            tag: false,
        };
        requests.insert_persistent(5, wild);
        for ordinal in 0..3 {
            assert_eq!(requests.take(5).1, None);
            let entry = Entry {
                thread: 0,
                ordinal,
                wild,
            };
            requests.start(5, entry);
            assert_eq!(requests.take(5).1, Some(entry));
        }
        requests.free(5);
        assert!(requests.persistent(5).is_none() && !requests.busy());
    }
}
