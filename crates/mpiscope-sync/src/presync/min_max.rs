//! The line through two middles (Hofmann and Hilgers 1998): in either half of
//! the trace, the least upper and the greatest lower bound have a middle, and
//! a line runs through both. No hull is needed; bounds in between are not
//! looked at.

use super::pairwise::{ErrorLine, Point};

/// Draws the line between upper and lower bounds, both by time.
pub(super) fn line(upper: &[Point], lower: &[Point], length: f64) -> Option<ErrorLine> {
    let half = length / 2.0;
    let first = middle(upper, lower, |time| time < half);
    let second = middle(upper, lower, |time| time >= half);
    let (one, other) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (first, second) => (first.or(second)?, first.or(second)?),
    };
    let apart = other.time - one.time;
    let slope = if apart > 0.0 {
        (other.value - one.value) / apart
    } else {
        0.0
    };
    Some(ErrorLine {
        offset: one.value - slope * one.time,
        slope,
        half_width: one.half_width.max(other.half_width),
    })
}

#[derive(Clone, Copy)]
struct Middle {
    time: f64,
    value: f64,
    half_width: f64,
}

fn middle(upper: &[Point], lower: &[Point], within: impl Fn(f64) -> bool) -> Option<Middle> {
    let by_bound = |a: &&Point, b: &&Point| a.1.total_cmp(&b.1);
    let upper = upper
        .iter()
        .filter(|point| within(point.0))
        .min_by(by_bound)?;
    let lower = lower
        .iter()
        .filter(|point| within(point.0))
        .max_by(by_bound)?;
    Some(Middle {
        time: (upper.0 + lower.0) / 2.0,
        value: (upper.1 + lower.1) / 2.0,
        half_width: (upper.1 - lower.1) / 2.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_runs_through_the_middles_of_both_halves() {
        let upper = [(0.0, 30.0), (1.0, 12.0), (3.0, 16.0), (4.0, 40.0)];
        let lower = [(1.0, 2.0), (3.0, 6.0)];
        let line = line(&upper, &lower, 4.0).unwrap();
        assert_eq!((line.offset, line.slope, line.half_width), (5.0, 2.0, 5.0));
    }

    #[test]
    fn one_half_alone_gives_a_constant() {
        let line = line(&[(0.0, 3.0)], &[(1.0, 1.0)], 4.0).unwrap();
        assert_eq!((line.offset, line.slope, line.half_width), (2.0, 0.0, 1.0));
    }
}
