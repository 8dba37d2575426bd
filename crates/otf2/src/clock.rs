//! Corrects the times of a location by the clock offsets in its definitions,
//! as libotf2's readers do: linearly between two offsets, and beyond them along
//! the first or last line.
//!
//! [`fit`] goes the other way: from corrected times to the offsets that give them,
//! to the last bit.

mod fit;

use crate::LocalDefinition;

pub use fit::{fit, Inexact};

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
        Self::between(&offsets)
    }

    /// Makes the correction from offsets and the times at which they hold.
    pub fn between(offsets: &[(u64, i64)]) -> Self {
        let intervals = offsets
            .windows(2)
            .filter(|pair| pair[0].0 < pair[1].0)
            .map(|pair| Interval::new(pair[0], pair[1]))
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
        time.wrapping_add(interval.offset_at(time) as u64)
    }

    /// Corrects the times of one location, first to last.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            intervals: &self.intervals,
        }
    }
}

impl Interval {
    fn new(begin: (u64, i64), end: (u64, i64)) -> Self {
        Self {
            begin: begin.0,
            end: end.0,
            offset: begin.1,
            slope: end.1.wrapping_sub(begin.1) as f64 / (end.0 - begin.0) as f64,
        }
    }

    /// Computes as `otf2_evt_reader_apply_clock_correction` does: times are subtracted before
    /// they become floating point, so that it does not matter when the clock began.
    #[inline]
    fn offset_at(&self, time: u64) -> i64 {
        let elapsed = match time >= self.begin {
            true => (time - self.begin) as f64,
            false => -((self.begin - time) as f64),
        };
        let drift = (self.slope * elapsed).round_ties_even() as i64;
        self.offset.wrapping_add(drift)
    }
}

/// Corrects one time after the other. As libotf2's, it never goes back to an earlier interval.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    /// The current interval and those behind it.
    intervals: &'a [Interval],
}

impl Cursor<'_> {
    /// Returns the corrected time of `time`.
    #[inline]
    pub fn apply(&mut self, time: u64) -> u64 {
        while let [current, _, ..] = self.intervals {
            if time <= current.end {
                break;
            }
            self.intervals = &self.intervals[1..];
        }
        match self.intervals.first() {
            Some(interval) => time.wrapping_add(interval.offset_at(time) as u64),
            None => time,
        }
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
        let mut cursor = correction.cursor();
        let found: Vec<u64> = times.iter().map(|&time| cursor.apply(time)).collect();
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
    fn differences_count_not_when_the_clock_began() {
        let begin = 1_764_000_000_000_000_001;
        check(
            &[
                (begin, -begin.cast_signed()),
                (begin + 1000, 10 - begin.cast_signed()),
            ],
            &[begin, begin + 49, begin + 150, begin + 1000],
            &[0, 49, 152, 1010],
        );
    }

    #[test]
    fn no_difference_of_times_is_negative_by_its_size() {
        check(
            &[(0, 0), (1 << 63, 1 << 40)],
            &[3 << 62],
            &[(3 << 62) + (3 << 39)],
        );
    }

    #[test]
    fn a_cursor_goes_forward_only() {
        let correction = ClockCorrection::between(&[(0, 0), (100, 100), (200, 100)]);
        let mut cursor = correction.cursor();
        assert_eq!(
            [50, 150, 50].map(|time| cursor.apply(time)),
            [100, 250, 150]
        );
        assert_eq!(
            [50, 150, 50].map(|time| correction.apply(time)),
            [100, 250, 100]
        );
    }

    #[test]
    fn one_offset_corrects_nothing() {
        check(&[(100, 7)], &[100], &[100]);
    }
}
