//! How far a long computation has come, for whoever waits: counters that it moves now and then,
//! and never looks at.
//!
//! ```
//! use mpiscope_archive::progress::Progress;
//!
//! let progress = Progress::default();
//! progress.expect(10);
//! progress.advance(4);
//! assert_eq!((progress.done(), progress.total()), (4, 10));
//! ```

use std::sync::atomic::{AtomicU64, Ordering};

/// Work done, and work to do; nothing to do means that nobody knows how much there is.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
}

/// Between two looks at the counters so much is done that they take no time.
pub const STEP: u64 = 1 << 16;

impl Progress {
    /// Adds to what is to be done.
    pub fn expect(&self, more: u64) {
        self.total.fetch_add(more, Ordering::Relaxed);
    }

    /// Adds to what is done.
    pub fn advance(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }

    /// Counts one more of a loop's turns; they become known in steps.
    #[inline]
    pub fn turn(&self, turns: &mut u64) {
        *turns += 1;
        if *turns == STEP {
            self.advance(std::mem::take(turns));
        }
    }

    /// Returns what is done: no more than was expected, though some is done twice.
    pub fn done(&self) -> u64 {
        let done = self.done.load(Ordering::Relaxed);
        match self.total() {
            0 => done,
            total => done.min(total),
        }
    }

    /// Returns what there is to do.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_become_known_in_steps() {
        let progress = Progress::default();
        let mut turns = 0;
        for _ in 0..STEP + 5 {
            progress.turn(&mut turns);
        }
        assert_eq!((progress.done(), turns), (STEP, 5));
        progress.advance(turns);
        assert_eq!(progress.done(), STEP + 5);
    }

    #[test]
    fn no_more_is_done_than_there_is() {
        let progress = Progress::default();
        progress.expect(3);
        progress.advance(4);
        assert_eq!(progress.done(), 3);
    }
}
