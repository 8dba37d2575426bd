//! What the threads of a process may hold in memory, all but the first together.
//!
//! Threads come and go, and each that calls MPI needs somewhere to write. What
//! all of them hold is bounded, and the rule is: a thread gets more only as
//! long as it then holds no more than is left. So one busy thread takes half,
//! two a third each, and there is always something for those that come later.
//! What does not fit into its share goes to disk. The first thread, which
//! initialised MPI, has memory of its own that does not count.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What may be held, and what is.
#[derive(Debug)]
pub struct Room {
    most: AtomicUsize,
    held: AtomicUsize,
}

/// Bytes that the threads beyond the first may hold, unless somebody says otherwise.
pub const MOST: usize = 64 << 20;

impl Room {
    /// Makes room for so many bytes.
    pub const fn new(most: usize) -> Self {
        Self {
            most: AtomicUsize::new(most),
            held: AtomicUsize::new(0),
        }
    }

    /// Changes how much room there is; what is held stays.
    pub fn set_most(&self, most: usize) {
        self.most.store(most, Ordering::Relaxed);
    }

    /// Returns how much room there is.
    pub fn most(&self) -> usize {
        self.most.load(Ordering::Relaxed)
    }

    /// Returns how much is held.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Takes `more` bytes for a thread that holds `own` already; false if that
    /// is more than its share. The first bytes of a thread need only be there.
    pub fn take(&self, own: usize, more: usize) -> bool {
        let most = self.most();
        let granted = |held: usize| {
            let after = held.checked_add(more)?;
            let left = most.checked_sub(after)?;
            (own == 0 || own + more <= left).then_some(after)
        };
        self.held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, granted)
            .is_ok()
    }

    /// Gives back what was taken.
    pub fn give_back(&self, bytes: usize) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_thread_alone_takes_half_and_two_a_third_each() {
        let grown = |threads: usize| {
            let room = Room::new(6000);
            let mut own = vec![0; threads];
            for _ in 0..6000 {
                for own in &mut own {
                    *own += usize::from(room.take(*own, 1));
                }
            }
            own
        };
        assert_eq!(grown(1), [3000]);
        assert_eq!(grown(2), [2000, 2000]);
    }

    #[test]
    fn what_is_given_back_is_there_again() {
        let room = Room::new(100);
        assert!(room.take(0, 100));
        assert!(!room.take(0, 1));
        room.give_back(60);
        assert!(room.take(0, 60));
        assert_eq!(room.held(), 100);
    }

    proptest! {
        #[test]
        fn no_more_is_held_than_there_is(wishes in prop::collection::vec((0usize..5, 1usize..400), 0..100)) {
            let room = Room::new(1000);
            let mut own = [0; 5];
            for (thread, more) in wishes {
                if room.take(own[thread], more) {
                    own[thread] += more;
                }
            }
            prop_assert_eq!(own.iter().sum::<usize>(), room.held());
            prop_assert!(room.held() <= 1000);
        }
    }
}
