//! Wait states added up.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use mpiscope_model::{Duration, Trace};

use super::Statement;
use crate::clock_errors::{ClockErrors, Nets, Open, Resolution};
use crate::wait_states::{Kind, WaitState};

/// How many wait states, and how long they lasted together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How many.
    pub times: u64,
    /// How long, together.
    pub time: Duration,
    /// What clocks leave open of it.
    pub resolution: Resolution,
}

impl Count {
    /// Adds one, of which the clocks leave so much open, if that is known.
    pub(super) fn add(&mut self, time: Duration, open: Option<Open>) {
        self.times += 1;
        self.time += time;
        self.resolution.add(time, open);
    }

    pub(super) fn merge(&mut self, other: &Count) {
        self.times += other.times;
        self.time += other.time;
        self.resolution.merge(&other.resolution);
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
    /// Whose clocks waited for whose.
    pub(super) nets: Nets,
}

impl Waits {
    pub(super) fn new(first: &WaitState) -> Waits {
        Waits {
            all: Count::default(),
            waiting: BTreeMap::new(),
            causing: BTreeMap::new(),
            longest: *first,
            nets: Nets::default(),
        }
    }

    /// Adds one, of which the clocks leave so much open, if that is known.
    pub(super) fn add(
        &mut self,
        trace: &Trace,
        errors: &ClockErrors,
        state: &WaitState,
        open: Option<Open>,
    ) {
        let time = state.duration();
        let (waiting, causing) = ranks(trace, state);
        self.all.add(time, open);
        let (of_waiting, of_causing) = (&mut self.waiting, &mut self.causing);
        of_waiting.entry(waiting).or_default().add(time, open);
        of_causing.entry(causing).or_default().add(time, open);
        if open.is_some_and(|it| !it.is_below) {
            self.nets.add(errors, state);
        }
        if time > self.longest.duration() {
            self.longest = *state;
        }
    }

    /// Adds those of other locations.
    pub(super) fn merge(&mut self, other: Waits) {
        self.all.merge(&other.all);
        self.nets.merge(&other.nets);
        for (ranks, others) in [
            (&mut self.waiting, other.waiting),
            (&mut self.causing, other.causing),
        ] {
            for (rank, count) in others {
                ranks.entry(rank).or_default().merge(&count);
            }
        }
        let key = |state: &WaitState| (state.duration(), Reverse(state.call));
        if key(&other.longest) > key(&self.longest) {
            self.longest = other.longest;
        }
    }
}

/// Wait states, and what clocks leave open of them.
pub(super) struct Resolved {
    /// Those of all ranks.
    pub of_ranks: Count,
    /// What is open of those that are not in MPI_Init.
    pub since_init: Resolution,
    pub kinds: BTreeMap<Kind, Count>,
}

/// Wait states that are added up with what is common to their errors.
#[derive(Default)]
struct Sum {
    count: Count,
    nets: Nets,
}

impl Sum {
    fn merge(&mut self, count: &Count, nets: &Nets) {
        self.count.merge(count);
        self.nets.merge(nets);
    }

    fn resolve(&mut self, errors: &ClockErrors) -> Count {
        self.count.resolution.half_width = self.nets.half_width(errors);
        self.count
    }
}

/// Says what clocks leave open of all wait states of ranks, and of each kind's, and of each sum in
/// `all`: what is common to many of them counts as often as it does not cancel out.
pub(super) fn resolve(
    all: &mut BTreeMap<(Statement, Kind), Waits>,
    errors: &ClockErrors,
) -> Resolved {
    let mut kinds: BTreeMap<Kind, Sum> = BTreeMap::new();
    for ((_, kind), waits) in all {
        waits.all.resolution.half_width = waits.nets.half_width(errors);
        let sum = kinds.entry(*kind).or_default();
        sum.merge(&waits.all, &waits.nets);
        waits.nets = Nets::default();
    }
    let (mut of_ranks, mut since_init) = (Sum::default(), Sum::default());
    let of_kind = |(kind, mut sum): (Kind, Sum)| {
        let count = sum.resolve(errors);
        if !kind.is_among_threads() {
            of_ranks.merge(&count, &sum.nets);
            if kind != Kind::Initialization {
                since_init.merge(&count, &sum.nets);
            }
        }
        (kind, count)
    };
    let kinds = kinds.into_iter().map(of_kind).collect();
    Resolved {
        of_ranks: of_ranks.resolve(errors),
        since_init: since_init.resolve(errors).resolution,
        kinds,
    }
}

/// Returns who waited, and for whom.
pub(super) fn ranks(trace: &Trace, state: &WaitState) -> (u32, u32) {
    let [waiting, causing] =
        [state.call, state.cause].map(|event| trace.locations[event.location.index()].rank.0);
    (waiting, causing)
}
