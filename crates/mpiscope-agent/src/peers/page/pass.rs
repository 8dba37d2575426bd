//! A wait: turns of progress, until nothing can be expected of any rank.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Page, Slot, OPAQUE, TURNS};

/// A wait of one rank.
pub struct Pass<'a> {
    page: &'a Page,
    rank: usize,
    /// The latest activity, and when it was first seen.
    still: u64,
    since: Instant,
}

impl<'a> Pass<'a> {
    /// Begins it.
    pub(super) fn new(page: &'a Page, rank: usize) -> Self {
        Self {
            page,
            rank,
            still: 0,
            since: Instant::now(),
        }
    }

    /// Counts a turn of progress in an even round; begins the next one if it is quiet.
    pub fn turn(&mut self, round: u64, patience: Option<Duration>) {
        let page = self.page;
        let activity = page.head.activity.load(Ordering::Acquire);
        let Some(slot) = page.slots.get(self.rank) else {
            return;
        };
        if slot.seen.load(Ordering::Relaxed) != activity {
            slot.turns.store(0, Ordering::Relaxed);
            slot.seen.store(activity, Ordering::Release);
        }
        let turns = slot.turns.load(Ordering::Relaxed).saturating_add(1);
        slot.turns.store(turns, Ordering::Release);
        if self.still != activity {
            (self.still, self.since) = (activity, Instant::now());
        }
        if turns < TURNS {
            return;
        }
        let long = turns.is_multiple_of(1024) && self.since.elapsed() >= OPAQUE;
        let quiet = |slot: &Slot| slot.is_quiet(activity, long);
        if page.slots.iter().all(quiet) {
            if page.head.activity.load(Ordering::Acquire) == activity {
                let _ = page.advance(round);
            }
        } else if long && patience.is_some_and(|patience| self.since.elapsed() >= patience) {
            page.set_free();
        }
    }
}
