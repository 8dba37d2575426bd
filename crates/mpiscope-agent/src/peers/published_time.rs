//! A process's virtual time, where the other processes of the host see it.
//!
//! While it runs, that is the clock less what observation has taken. Within a
//! call, and while a probe takes its time, it stands: what of that time was
//! observation, or waiting for somebody who was observed, is known afterwards.

use std::sync::atomic::{AtomicU64, Ordering};

/// In shared memory; all zero is a process that runs and was never observed.
#[derive(Default)]
#[repr(C)]
pub struct PublishedTime {
    /// The virtual time at which it stands; 0 while it runs.
    standing: AtomicU64,
    /// What observation has taken of a process that runs.
    intrusion: AtomicU64,
}

impl PublishedTime {
    /// It stands at a virtual time.
    #[inline]
    pub fn stand(&self, at: u64) {
        self.standing.store(at.max(1), Ordering::Release);
    }

    /// It runs, and observation has taken so much.
    #[inline]
    pub fn run(&self, intrusion: u64) {
        self.intrude(intrusion);
        self.standing.store(0, Ordering::Release);
    }

    /// Observation has taken so much.
    #[inline]
    pub fn intrude(&self, intrusion: u64) {
        self.intrusion.store(intrusion, Ordering::Relaxed);
    }

    /// It stands at a virtual time, if that is later than what was known.
    pub fn stand_later(&self, at: u64) {
        self.standing.fetch_max(at.max(1), Ordering::AcqRel);
    }

    /// Returns the virtual time at which it stands, 0 while it runs, and what observation has taken.
    pub fn words(&self) -> (u64, u64) {
        let standing = self.standing.load(Ordering::Acquire);
        (standing, self.intrusion.load(Ordering::Acquire))
    }

    /// Returns its virtual time at this reading of the clock, or a little earlier.
    pub fn at(&self, clock: u64) -> u64 {
        match self.standing.load(Ordering::Acquire) {
            0 => clock.saturating_sub(self.intrusion.load(Ordering::Relaxed)),
            at => at,
        }
    }
}
