//! Whether half-widths are honest: how often what a correction is wrong by
//! lies within them.

use mpiscope_model::{LocationIndex, Timestamp, Trace};

use crate::uncertainty::{Uncertainty, UNKNOWN};

/// How errors compare with their half-widths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    /// How many differences of two clocks were looked at.
    pub count: u64,
    /// Of how many of them nothing was said.
    pub unknown: u64,
    /// How many errors were at most their half-width.
    pub within: u64,
    /// Mean of the half-widths that are known, in ns.
    pub mean: f64,
    /// By how much the worst error exceeds its half-width, in ns.
    pub worst: i64,
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
    let mut sum = 0.0;
    let readers = readers(trace);
    let error = |location: usize, event: usize| times[location][event] - truth[location][event];
    let number = |location: usize| LocationIndex(location as u32);
    for &a in &readers {
        let events = times[a].len();
        for event in (0..events).step_by((events / SAMPLES).max(1)) {
            let time = times[a][event];
            for &b in readers.iter().filter(|b| **b != a) {
                let other = times[b].partition_point(|t| *t < time);
                // A clock's error is known only where it was read.
                if other == 0 || other == times[b].len() {
                    continue;
                }
                let width = uncertainty.half_width(number(a), number(b), time);
                let wrong = (error(a, event) - error(b, other)).abs();
                coverage.count += 1;
                coverage.within += u64::from(wrong <= width);
                coverage.worst = coverage.worst.max((wrong - width).0);
                match width {
                    UNKNOWN => coverage.unknown += 1,
                    width => sum += width.0 as f64,
                }
            }
        }
    }
    let known = coverage.count - coverage.unknown;
    coverage.mean = sum / known.max(1) as f64;
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
    use mpiscope_model::Duration;

    fn of(error: i64) -> Coverage {
        let trace = Trace::parse("clock 1: 0 +0 ±1\n0: 0 100 200\n1: 0 100 200").unwrap();
        let truth = trace.times();
        let mut times = truth.clone();
        times[1][1] += Duration(error);
        let uncertainty = Uncertainty {
            clock_of: trace.clock_of_locations(),
            window: Duration(200),
            to_master: vec![vec![Duration(0), Duration(5)]],
            pairs: vec![Vec::new()],
            ..Uncertainty::default()
        };
        coverage(&trace, &uncertainty, &times, &truth)
    }

    #[test]
    fn an_error_as_large_as_its_half_width_lies_within() {
        let coverage = of(5);
        assert_eq!(coverage.within, coverage.count);
        assert_eq!(coverage.mean, 5.0);
    }

    #[test]
    fn a_larger_one_does_not() {
        let coverage = of(6);
        assert!(coverage.within < coverage.count, "{coverage:?}");
        assert_eq!(coverage.worst, 1);
    }
}
