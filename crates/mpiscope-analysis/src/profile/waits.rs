//! Wait states added up.

use std::collections::BTreeMap;

use mpiscope_model::{Duration, Trace};

use crate::wait_states::WaitState;

/// How many wait states, and how long they lasted together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub times: u64,
    /// How long, together.
    pub time: Duration,
}

impl Count {
    pub(super) fn add(&mut self, time: Duration) {
        self.times += 1;
        self.time += time;
    }

    pub(super) fn merge(&mut self, other: &Count) {
        self.times += other.times;
        self.time += other.time;
    }
}

/// Wait states that have something in common.
#[derive(Clone, Debug)]
pub struct Waits {
    /// All of them.
    pub all: Count,
    /// By the rank that waited.
    pub waiting: BTreeMap<u32, Count>,
    /// By the rank that was waited for.
    pub causing: BTreeMap<u32, Count>,
    /// The longest one; of equal ones the first.
    pub longest: WaitState,
}

impl Waits {
    pub(super) fn new(first: &WaitState) -> Waits {
        Waits {
            all: Count::default(),
            waiting: BTreeMap::new(),
            causing: BTreeMap::new(),
            longest: *first,
        }
    }

    pub(super) fn add(&mut self, trace: &Trace, state: &WaitState) {
        let time = state.duration();
        let (waiting, causing) = ranks(trace, state);
        self.all.add(time);
        self.waiting.entry(waiting).or_default().add(time);
        self.causing.entry(causing).or_default().add(time);
        if time > self.longest.duration() {
            self.longest = *state;
        }
    }

    /// Adds those of locations that come later.
    pub(super) fn merge(&mut self, other: Waits) {
        self.all.merge(&other.all);
        for (ranks, others) in [
            (&mut self.waiting, other.waiting),
            (&mut self.causing, other.causing),
        ] {
            for (rank, count) in others {
                ranks.entry(rank).or_default().merge(&count);
            }
        }
        if other.longest.duration() > self.longest.duration() {
            self.longest = other.longest;
        }
    }
}

/// Returns who waited, and for whom.
pub(super) fn ranks(trace: &Trace, state: &WaitState) -> (u32, u32) {
    let [waiting, causing] =
        [state.call, state.cause].map(|event| trace.locations[event.location.index()].rank.0);
    (waiting, causing)
}
