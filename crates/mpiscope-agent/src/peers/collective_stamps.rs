//! When the members of a communicator entered its collective operations.
//!
//! Each member has a few places in shared memory that it writes in turn, one
//! an operation; who leaves an operation reads those of the members it
//! depended on. A member that is far ahead has written over what others want
//! to know: the numbers tell.

use std::io;
use std::path::Path;
use std::sync::atomic::{fence, AtomicU64, Ordering};

use mpiscope_run::statistics::STAMPS;

use super::clock_ring::Stamp;
use crate::base::shared::shared_slice;

/// Operations of a member that can be looked up.
const DEPTH: usize = 32;

/// Number (plus one), time, intrusion of an entry.
#[repr(C, align(64))]
struct StampSlot {
    number: AtomicU64,
    time: AtomicU64,
    intrusion: AtomicU64,
}

/// The collective operations of one communicator.
pub struct CollectiveStamps {
    /// Our rank.
    pub rank: usize,
    /// How many members there are.
    pub size: usize,
    places: &'static [StampSlot],
    /// Operations entered.
    entered: u64,
}

impl CollectiveStamps {
    /// Opens what the members share; whoever comes first makes it.
    ///
    /// # Errors
    /// Whatever opening or mapping the file gave.
    pub fn open(folder: &Path, identity: u64, rank: usize, size: usize) -> io::Result<Self> {
        let path = folder.join(format!("{identity:016x}.{}", STAMPS[1]));
        // SAFETY: places are made of atomics, and every bit pattern is one.
        let places = unsafe { shared_slice::<StampSlot>(&path, size * DEPTH)? };
        Ok(Self {
            rank,
            size,
            places,
            entered: 0,
        })
    }

    /// Notes our entry; returns the operation's number.
    pub fn enter(&mut self, now: Stamp) -> u64 {
        let number = self.entered;
        self.entered += 1;
        let Some(place) = self.place(self.rank, number) else {
            return number;
        };
        place.number.store(0, Ordering::Relaxed);
        fence(Ordering::Release);
        place.time.store(now.time, Ordering::Relaxed);
        place.intrusion.store(now.intrusion, Ordering::Relaxed);
        place.number.store(number + 1, Ordering::Release);
        number
    }

    /// So many operations came by of which nothing is noted.
    pub fn skip(&mut self, many: u64) {
        self.entered += many;
    }

    /// Returns when a member entered an operation, if it is known.
    pub fn entered(&self, member: usize, number: u64) -> Option<Stamp> {
        let place = self.place(member, number)?;
        let there = place.number.load(Ordering::Acquire);
        let stamp = Stamp {
            channel: 0,
            number,
            time: place.time.load(Ordering::Relaxed),
            intrusion: place.intrusion.load(Ordering::Relaxed),
        };
        fence(Ordering::Acquire);
        let same = place.number.load(Ordering::Relaxed) == there;
        (same && there == number + 1).then_some(stamp)
    }

    fn place(&self, member: usize, number: u64) -> Option<&StampSlot> {
        let at = member * DEPTH + number as usize % DEPTH;
        self.places.get(at)
    }
}
