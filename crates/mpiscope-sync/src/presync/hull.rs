//! The line between two convex hulls (Duda, Harrus, Haddad, Bernard 1987).
//!
//! Only the lower hull of the upper bounds and the upper hull of the lower
//! bounds matter. Of all lines between them, the middle of the widest strip is
//! taken; it exists also where the hulls overlap, as they do when the clocks'
//! rates change.

use super::pairwise::{ErrorLine, Point};

/// No clock is off by more, in ns per second: 0.1 %.
const STEEPEST: f64 = 1e6;

/// Draws the line between upper and lower bounds, both by time.
pub(crate) fn line(upper: &[Point], lower: &[Point], length: f64) -> Option<ErrorLine> {
    let upper = lower_hull(upper, 1.0);
    let lower = lower_hull(lower, -1.0);
    // Bounds that are apart in time leave any slope open.
    let covers = |points: &[Point]| {
        let (first, last) = (points.first(), points.last());
        first
            .zip(last)
            .is_some_and(|(first, last)| last.0 - first.0 >= length / 2.0)
    };
    let slope = match covers(&upper) && covers(&lower) && length > 0.0 {
        true => widest(&upper, &lower),
        false => 0.0,
    };
    let (below, above) = strip(&upper, &lower, slope)?;
    Some(ErrorLine {
        offset: (below + above) / 2.0,
        slope,
        half_width: (above - below) / 2.0,
    })
}

/// Returns the slope of the widest strip: the width is concave in it.
fn widest(upper: &[Point], lower: &[Point]) -> f64 {
    let width = |slope: f64| strip(upper, lower, slope).map_or(0.0, |(below, above)| above - below);
    let (mut left, mut right) = (-STEEPEST, STEEPEST);
    for _ in 0..120 {
        let third = (right - left) / 3.0;
        match width(left + third) < width(right - third) {
            true => left += third,
            false => right -= third,
        }
    }
    (left + right) / 2.0
}

/// Returns where lines of a slope begin that touch the bounds from between.
fn strip(upper: &[Point], lower: &[Point], slope: f64) -> Option<(f64, f64)> {
    let begin = |&(time, bound): &Point| bound - slope * time;
    let above = upper.iter().map(begin).min_by(f64::total_cmp)?;
    let below = lower.iter().map(begin).max_by(f64::total_cmp)?;
    Some((below, above))
}

/// Returns the lower hull of points by time (Andrew 1979); with sign −1 the upper.
fn lower_hull(points: &[Point], sign: f64) -> Vec<Point> {
    let mut hull: Vec<Point> = Vec::new();
    for &point in points {
        while let [.., a, b] = hull[..] {
            let turn = (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0);
            if sign * turn > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_runs_between_the_hulls() {
        let upper = [(0.0, 10.0), (1.0, 50.0), (2.0, 14.0), (4.0, 18.0)];
        let lower = [(0.0, 0.0), (2.0, -90.0), (3.0, 6.0), (4.0, 8.0)];
        let line = line(&upper, &lower, 4.0).unwrap();
        assert!((line.slope - 2.0).abs() < 1e-6, "{line:?}");
        assert!((line.offset - 5.0).abs() < 1e-5, "{line:?}");
        assert!((line.half_width - 5.0).abs() < 1e-5, "{line:?}");
    }

    #[test]
    fn bounds_of_one_moment_tell_no_slope() {
        let line = line(&[(1.0, 10.0)], &[(3.0, 0.0)], 4.0).unwrap();
        assert_eq!((line.slope, line.offset, line.half_width), (0.0, 5.0, 5.0));
    }

    #[test]
    fn one_direction_draws_no_line() {
        assert_eq!(line(&[(0.0, 1.0), (4.0, 1.0)], &[], 4.0), None);
    }

    #[test]
    fn overlapping_hulls_still_have_a_middle() {
        let line = line(&[(0.0, 1.0), (4.0, 1.0)], &[(0.0, 3.0), (4.0, 3.0)], 4.0).unwrap();
        assert!(
            (line.offset - 2.0).abs() < 1e-5 && line.half_width < 0.0,
            "{line:?}"
        );
    }
}
