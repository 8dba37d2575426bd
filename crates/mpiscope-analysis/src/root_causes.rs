//! Root causes of waiting: whose excess time made others wait, also when the waiting came about
//! several waits later (Böhme, Geimer, Arnold, Voigtlaender, Wolf: Identifying the root causes of
//! wait states in large-scale parallel applications, ACM TOPC 3(2), 2016; ICPP 2010).
//!
//! Two locations are *synchronized* at the moment until which one waited for the other, or both
//! waited for a third. A wait state has a *synchronization interval*: from the last moment at which
//! the two were synchronized before, or all were in MPI_Init (`start_up`), or the begin of the run, to
//! its end. Within it each activity of
//! the location that was waited for is compared with the same activity of the one that waited; what
//! it exceeds that by is a *delay*. Those delays and the waits within the interval of the location
//! that was waited for are what made it late, and the wait state's time is charged to all of them in
//! proportion: to delays as costs, to waits as time that they propagated, which is charged in the
//! same way to what caused those. Costs of a wait state's own time are *short-term*, costs of time
//! that it propagated are *long-term*.
//!
//! As both locations begin and end the interval together, delays and waits are together at least as
//! long as the wait state: by right clocks each is explained.
//!
//! Shares are whole nanoseconds: the running sum of shares is rounded down, so that each sum is
//! exact.

mod activities;
mod charges;
mod intervals;
mod propagation;
mod reached;
mod start_up;
mod synchronized;

use mpiscope_model::{Duration, Matching, Timestamp, Trace};
use rustc_hash::FxHashMap;

pub(crate) use activities::{Activities, Recorder};
use charges::{Charge, Charges};
use intervals::Intervals;
pub(crate) use reached::{Group, Reached};
use synchronized::Synchronized;

use crate::paths::CallPaths;
use crate::timeline::Timeline;
use crate::wait_states::WaitState;

/// An activity of one rank that made others wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// World rank.
    pub rank: u32,
    /// What it did, by its number in [`Profile::activities`](crate::profile::Profile::activities).
    pub activity: u32,
    /// Waiting that it caused directly.
    pub short_term: Duration,
    /// Waiting that it caused through waits of others.
    pub long_term: Duration,
    /// The wait state of which most was charged to it.
    pub longest: WaitState,
}

impl Delay {
    /// Returns all waiting that it caused.
    pub fn costs(&self) -> Duration {
        self.short_term + self.long_term
    }
}

/// What of a delay was reached by one call path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfPath {
    /// Of which delay, by its number in [`RootCauses::delays`].
    pub delay: u32,
    /// By its number in [`RootCauses::call_paths`].
    pub path: u32,
    /// Waiting that it caused directly.
    pub short_term: Duration,
    /// Waiting that it caused through waits of others.
    pub long_term: Duration,
}

/// Waiting whose cause the trace does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// What exceeded was not recorded: recording was off, or had not begun yet.
    pub unrecorded: Duration,
    /// The clocks contradict each other there.
    pub contradicting: Duration,
    /// Nothing exceeded anything.
    pub without_excess: Duration,
}

impl Rest {
    /// Returns all of it.
    pub fn all(&self) -> Duration {
        self.unrecorded + self.contradicting + self.without_excess
    }
}

/// What caused the waiting in a run. Costs of delays and the rest are together as long as it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootCauses {
    /// All waiting, among ranks and among threads.
    pub waiting: Duration,
    /// What of it was caused through waits of those that were waited for.
    pub indirect: Duration,
    /// How long those wait states are that caused others.
    pub propagating: Duration,
    /// Delays, those of the highest costs first.
    pub delays: Vec<Delay>,
    /// What of each delay was reached by which path, in the order of delays, the highest costs first.
    pub by_path: Vec<OfPath>,
    /// The paths.
    pub call_paths: CallPaths,
    /// What cannot be charged to any.
    pub rest: Rest,
}

impl RootCauses {
    /// Returns what of the waiting was caused by the location waited for itself.
    pub fn direct(&self) -> Duration {
        self.waiting - self.indirect
    }

    /// Returns what of a delay, by its number, was reached by which path.
    pub fn paths_of(&self, delay: usize) -> &[OfPath] {
        let first = self
            .by_path
            .partition_point(|it| (it.delay as usize) < delay);
        let rest = &self.by_path[first..];
        let end = rest.partition_point(|it| it.delay as usize == delay);
        &rest[..end]
    }

    /// Returns how long those wait states are that caused no others.
    pub fn terminal(&self) -> Duration {
        self.waiting - self.propagating
    }
}

/// What root causes follow from.
pub(crate) struct Known<'a> {
    pub trace: &'a Trace,
    pub matching: &'a Matching,
    pub lines: &'a [Timeline<'a>],
    /// By location.
    pub waits: &'a [Vec<WaitState>],
    /// What each location did.
    pub activities: &'a [Activities],
    /// What their numbers are.
    pub reached: Reached,
    /// When the run began.
    pub begin: Timestamp,
}

/// Finds the root causes of all waiting.
pub(crate) fn find(known: &Known) -> RootCauses {
    let all = || known.waits.iter().flatten();
    let synchronized = Synchronized::of(known);
    let mut charges = Charges::default();
    let intervals = Intervals::find(known, &synchronized, &mut charges);
    drop(synchronized);
    let propagated = propagation::propagate(known.waits, &intervals);
    intervals.charge_propagated(known, &propagated.amounts, &mut charges);
    let amounts = all().zip(&propagated.amounts);
    let propagating = amounts.filter(|(_, amount)| **amount > 0);
    let mut rest = charges.rest;
    rest.contradicting += Duration(propagated.lost);
    RootCauses {
        waiting: sum(all()),
        indirect: Duration(propagated.indirect),
        propagating: sum(propagating.map(|(state, _)| state)),
        rest,
        ..costs(known, charges)
    }
}

fn sum<'a>(states: impl Iterator<Item = &'a WaitState>) -> Duration {
    states.fold(Duration::ZERO, |sum, state| sum + state.duration())
}

/// Returns the delays, and what of them was reached by which path.
fn costs(known: &Known, charges: Charges) -> RootCauses {
    let mut of_delays: FxHashMap<(u32, u32), (Charge, Vec<OfPath>)> = FxHashMap::default();
    for ((rank, number), charge) in charges.all {
        let (activity, path) = known.reached.all[number as usize];
        let (sum, paths) = of_delays.entry((rank, activity)).or_default();
        sum.merge(&charge);
        paths.push(OfPath {
            delay: 0,
            path,
            short_term: Duration(charge.short_term),
            long_term: Duration(charge.long_term),
        });
    }
    let delay = |((rank, activity), (charge, paths)): ((u32, u32), (Charge, Vec<OfPath>))| {
        let delay = Delay {
            rank,
            activity,
            short_term: Duration(charge.short_term),
            long_term: Duration(charge.long_term),
            longest: known.waits[charge.of.0 as usize][charge.of.1 as usize],
        };
        (delay, paths)
    };
    let mut delays: Vec<(Delay, Vec<OfPath>)> = of_delays.into_iter().map(delay).collect();
    delays.sort_unstable_by_key(|(it, _)| (-it.costs().0, it.rank, it.activity));
    let mut found = RootCauses {
        call_paths: known.reached.paths.clone(),
        ..RootCauses::default()
    };
    for (number, (delay, mut paths)) in (0..).zip(delays) {
        paths.sort_unstable_by_key(|it| (-(it.short_term + it.long_term).0, it.path));
        let paths = paths.into_iter();
        let paths = paths.map(|it| OfPath {
            delay: number,
            ..it
        });
        found.by_path.extend(paths);
        found.delays.push(delay);
    }
    found
}

#[cfg(test)]
mod tests;
