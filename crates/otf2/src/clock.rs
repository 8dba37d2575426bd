//! Corrects the times of a location by the clock offsets in its definitions,
//! as libotf2's readers do: linearly between two offsets, and beyond them along
//! the first or last line.

use crate::LocalDefinition;

/// A piecewise linear correction; a single offset corrects nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClockCorrection {
    intervals: Vec<Interval>,
}

#[derive(Debug, Clone, PartialEq)]
struct Interval {
    begin: u64,
    end: u64,
    offset: i64,
    slope: f64,
}

impl ClockCorrection {
    /// Makes the correction from a location's definitions.
    pub fn new(definitions: &[LocalDefinition]) -> Self {
        let offsets: Vec<(u64, i64)> = definitions
            .iter()
            .filter_map(|definition| match definition {
                LocalDefinition::ClockOffset { time, offset, .. } => Some((*time, *offset)),
                _ => None,
            })
            .collect();
        let intervals = offsets
            .windows(2)
            .filter(|pair| pair[0].0 < pair[1].0)
            .map(|pair| Interval {
                begin: pair[0].0,
                end: pair[1].0,
                offset: pair[0].1,
                slope: pair[1].1.wrapping_sub(pair[0].1) as f64 / (pair[1].0 - pair[0].0) as f64,
            })
            .collect();
        Self { intervals }
    }

    /// Whether no time changes.
    pub fn is_identity(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns the corrected time of `time`.
    pub fn apply(&self, time: u64) -> u64 {
        let after = self.intervals.partition_point(|it| it.end < time);
        let Some(interval) = self.intervals.get(after).or(self.intervals.last()) else {
            return time;
        };
        let elapsed = time.wrapping_sub(interval.begin) as i64;
        let drift = (interval.slope * elapsed as f64).round_ties_even() as i64;
        time.wrapping_add(interval.offset as u64)
            .wrapping_add(drift as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(offsets: &[(u64, i64)], times: &[u64], corrected: &[u64]) {
        let definitions: Vec<_> = offsets
            .iter()
            .map(|&(time, offset)| LocalDefinition::ClockOffset {
                time,
                offset,
                standard_deviation: 0.0,
            })
            .collect();
        let correction = ClockCorrection::new(&definitions);
        let found: Vec<u64> = times.iter().map(|&time| correction.apply(time)).collect();
        assert_eq!(found, corrected);
    }

    #[test]
    fn time_is_interpolated_and_extrapolated() {
        check(
            &[(100, 0), (200, 10), (300, -10)],
            &[50, 100, 150, 200, 250, 350],
            &[45, 100, 155, 210, 250, 330],
        );
    }

    #[test]
    fn halves_go_to_the_even_side() {
        check(&[(0, 0), (4, 2)], &[1, 3], &[1, 5]);
    }

    #[test]
    fn one_offset_corrects_nothing() {
        check(&[(100, 7)], &[100], &[100]);
    }
}
