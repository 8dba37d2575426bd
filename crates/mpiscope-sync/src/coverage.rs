//! Whether half-widths are honest: how often what a correction is wrong by
//! lies within them.

use mpiscope_model::{Duration, LocationIndex, Timestamp, Trace};

use crate::truth::Spread;
use crate::uncertainty::{Uncertainty, UNKNOWN};

/// How errors compare with their half-widths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    /// The errors of differences of two clocks.
    pub errors: Spread,
    /// How the bounds hold.
    pub bound: Held,
    /// How the 99 % intervals do.
    pub interval: Held,
}

/// How half-widths of one kind hold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Held {
    /// Of how many differences something is said.
    pub known: u64,
    /// How many errors of these are at most their half-width.
    pub within: u64,
    /// Mean of the half-widths, in ns.
    pub mean: f64,
    /// The largest half-width.
    pub widest: i64,
    /// By how much the worst error exceeds its half-width, in ns; 0 if none does.
    pub worst: i64,
}

impl Held {
    fn add(&mut self, wrong: i64, width: Duration) {
        if width == UNKNOWN {
            return;
        }
        self.known += 1;
        self.within += u64::from(wrong <= width.0);
        self.mean += (width.0 as f64 - self.mean) / self.known as f64;
        self.widest = self.widest.max(width.0);
        self.worst = self.worst.max(wrong - width.0);
    }
}

/// Samples per clock.
const SAMPLES: usize = 100;

/// No more clocks than this are compared with each other.
const CLOCKS: usize = 64;

/// Compares the half-widths of `times`, one column per location, with their
/// true errors: of all pairs of clocks, at about a hundred events of each.
///
/// # Panics
/// If a location has fewer times than events.
pub fn coverage(
    trace: &Trace,
    uncertainty: &Uncertainty,
    times: &[Vec<Timestamp>],
    truth: &[Vec<Timestamp>],
) -> Coverage {
    let mut coverage = Coverage::default();
    let mut errors = Vec::new();
    let readers = readers(trace);
    let error = |location: usize, event: usize| times[location][event] - truth[location][event];
    let number = |location: usize| LocationIndex(location as u32);
    for &a in &readers {
        let events = times[a].len();
        for event in (0..events).step_by((events / SAMPLES).max(1)) {
            let time = times[a][event];
            for &b in readers.iter().filter(|b| **b != a) {
                let other = times[b].partition_point(|t| *t < time);
                // A clock's error is known only where it was read: between two
                // events of it.
                if other == 0 || other == times[b].len() {
                    continue;
                }
                let (before, after) = (error(b, other - 1), error(b, other));
                let span = (times[b][other] - times[b][other - 1]).0.max(1) as f64;
                let share = (time - times[b][other - 1]).0 as f64 / span;
                let of_other = before.0 as f64 + (after - before).0 as f64 * share;
                let wrong = (error(a, event) - Duration(of_other as i64)).abs().0;
                let (a, b) = (number(a), number(b));
                coverage.bound.add(wrong, uncertainty.bound(a, b, time));
                coverage
                    .interval
                    .add(wrong, uncertainty.interval(a, b, time));
                errors.push(wrong);
            }
        }
    }
    coverage.errors = Spread::of(&mut errors);
    coverage
}

/// Returns a location of each clock, evenly chosen if there are many.
fn readers(trace: &Trace) -> Vec<usize> {
    let mut seen = std::collections::BTreeSet::new();
    let clock_of = trace.clock_of_locations();
    let first = |location: &usize| seen.insert(clock_of[*location]);
    let all: Vec<usize> = (0..clock_of.len()).filter(first).collect();
    let every = all.len().div_ceil(CLOCKS).max(1);
    all.into_iter().step_by(every).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertainty::Widths;

    fn of(error: i64) -> Coverage {
        let trace = Trace::parse("clock 1: 0 +0 ±1\n0: 0 100 200\n1: 0 100 200").unwrap();
        let truth = trace.times();
        let mut times = truth.clone();
        times[1][1] += Duration(error);
        let uncertainty = Uncertainty {
            clock_of: trace.clock_of_locations(),
            window: Duration(200),
            bounds: vec![Widths {
                of_clock: vec![Duration(0), Duration(5)],
                pairs: Vec::new(),
            }],
            ..Uncertainty::default()
        };
        coverage(&trace, &uncertainty, &times, &truth)
    }

    #[test]
    fn an_error_as_large_as_its_half_width_lies_within() {
        let coverage = of(5);
        assert_eq!(coverage.bound.within, coverage.errors.count);
        assert_eq!((coverage.bound.mean, coverage.bound.widest), (5.0, 5));
    }

    #[test]
    fn a_larger_one_does_not() {
        let coverage = of(6);
        let bound = coverage.bound;
        assert!(bound.within < bound.known, "{coverage:?}");
        assert_eq!(bound.worst, 1);
    }

    #[test]
    fn of_what_is_unknown_nothing_is_claimed() {
        assert_eq!(of(5).interval, Held::default());
    }
}
