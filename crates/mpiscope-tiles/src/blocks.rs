//! Events that are not in memory: read a block at a time from where they lie, when somebody looks
//! at them, and kept for a while.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use mpiscope_model::{Events, Timestamp};
use rustc_hash::FxHashMap;

/// Events of a block.
pub const BLOCK: u32 = 256;

/// Blocks that are kept, at most: some 8 KB each.
const MOST: usize = 1 << 14;
/// Parts of the cache that threads use side by side.
const SHARDS: usize = 16;

/// Where events lie.
pub trait Source: Send + Sync {
    /// Reads block `block` of a location: events `block · BLOCK` on, as many as there are up to
    /// the next block. Their times are those of the source's own clock.
    fn events(&self, location: u32, block: u32) -> Events;

    /// Reads of a block when its events were and what they begin and end: regions, collective
    /// operations (whichever) and recording; all others may be events of no kind.
    fn outline(&self, location: u32, block: u32) -> Events {
        self.events(location, block)
    }

    /// Reads the times of a block by a clock, as that clock told them; nothing if they are the
    /// events' own.
    fn times(&self, clock: &str, location: u32, block: u32) -> Option<Vec<Timestamp>>;
}

/// A block's events, or its times by some clock.
#[derive(Clone)]
enum Part {
    Events(Arc<Events>),
    Times(Arc<Vec<Timestamp>>),
}

/// Clock (nothing of events), location and block.
type Key = (u32, u32, u32);

/// Blocks that were read lately: those of now, and those before.
#[derive(Default)]
struct Shard {
    now: FxHashMap<Key, Part>,
    before: FxHashMap<Key, Part>,
}

/// A source whose blocks are kept for a while.
pub(crate) struct Blocks {
    source: Box<dyn Source>,
    shards: [Mutex<Shard>; SHARDS],
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blocks")
    }
}

impl Blocks {
    pub fn new(source: Box<dyn Source>) -> Blocks {
        Blocks {
            source,
            shards: Default::default(),
        }
    }

    /// Returns the events of a block.
    pub fn events(&self, location: u32, block: u32) -> Arc<Events> {
        let key = (u32::MAX, location, block);
        let read = || Part::Events(Arc::new(self.source.events(location, block)));
        match self.part(key, read) {
            Part::Events(events) => events,
            Part::Times(_) => Arc::default(),
        }
    }

    /// Returns what the events of a block begin and end, as [`Source::outline`] reads it; it is not
    /// kept.
    pub fn outline(&self, location: u32, block: u32) -> Arc<Events> {
        match self.find((u32::MAX, location, block)) {
            Some(Part::Events(events)) => events,
            _ => Arc::new(self.source.outline(location, block)),
        }
    }

    /// Returns the times of a block by a clock as [`times`](Self::times) does; they are not kept.
    pub fn passing_times(
        &self,
        (number, clock): (u32, &str),
        location: u32,
        block: u32,
    ) -> Option<Arc<Vec<Timestamp>>> {
        match self.find((number, location, block)) {
            Some(Part::Times(times)) => Some(times),
            _ => Some(Arc::new(self.source.times(clock, location, block)?)),
        }
    }

    /// Returns the times of a block by a clock, by number and name; nothing if they are the events'.
    pub fn times(
        &self,
        (number, clock): (u32, &str),
        location: u32,
        block: u32,
    ) -> Option<Arc<Vec<Timestamp>>> {
        let key = (number, location, block);
        if let Some(Part::Times(times)) = self.find(key) {
            return Some(times);
        }
        let times = Arc::new(self.source.times(clock, location, block)?);
        self.keep(key, Part::Times(times.clone()));
        Some(times)
    }

    fn part(&self, key: Key, read: impl FnOnce() -> Part) -> Part {
        self.find(key).unwrap_or_else(|| {
            let part = read();
            self.keep(key, part.clone());
            part
        })
    }

    fn shard(&self, key: Key) -> std::sync::MutexGuard<'_, Shard> {
        let shard = (key.1 ^ key.2) as usize % SHARDS;
        let shard = self.shards[shard].lock();
        shard.unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, key: Key) -> Option<Part> {
        let mut shard = self.shard(key);
        if let Some(part) = shard.now.get(&key) {
            return Some(part.clone());
        }
        let part = shard.before.remove(&key)?;
        shard.keep(key, part.clone());
        Some(part)
    }

    fn keep(&self, key: Key, part: Part) {
        self.shard(key).keep(key, part);
    }
}

impl Shard {
    /// Keeps a part; half of what is kept goes when there is no room for more.
    fn keep(&mut self, key: Key, part: Part) {
        if self.now.len() >= MOST / SHARDS / 2 {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.insert(key, part);
    }
}
