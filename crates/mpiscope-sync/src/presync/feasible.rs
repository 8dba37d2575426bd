//! Where the differences of clocks can lie, at chosen times.
//!
//! A message is a bound when it is received; before and after, the bound widens
//! at the rate at which clocks part ([`rates`](super::rates)). Bounds add up
//! along messages from clock to clock: the shortest way counts.

use rayon::prelude::*;

use super::rates::{Bound, Pair};

/// Between few clocks all ways are looked at, between more those through the
/// reference.
const FEW: usize = 16;

/// The difference of two clocks, error(high) − error(low), over the times.
pub(super) struct Course {
    pub low: u32,
    pub high: u32,
    /// Least and most at each time; infinite where nothing tells.
    pub limits: Vec<(f64, f64)>,
}

/// Finds where the differences of clocks lie at `times`, which ascend: of all
/// pairs if there are few, else of those that exchange messages and of each
/// clock with the `reference`.
pub(super) fn courses(pairs: &[Pair], clocks: usize, reference: u32, times: &[f64]) -> Vec<Course> {
    let direct: Vec<Course> = pairs.par_iter().map(|pair| direct(pair, times)).collect();
    match clocks <= FEW {
        true => all_ways(&direct, clocks, times.len()),
        false => ways_through(direct, clocks, reference, times.len()),
    }
}

fn direct(pair: &Pair, times: &[f64]) -> Course {
    let forth = envelope(&pair.forth, pair.rate, times);
    let back = envelope(&pair.back, pair.rate, times);
    Course {
        low: pair.low,
        high: pair.high,
        limits: back.iter().map(|most| -most).zip(forth).collect(),
    }
}

/// The least of all bounds at each time, each widened by how far it is.
fn envelope(bounds: &[Bound], rate: f64, times: &[f64]) -> Vec<f64> {
    let mut found = vec![f64::INFINITY; times.len()];
    if !rate.is_finite() {
        return found;
    }
    let mut before = bounds.iter().peekable();
    let mut least = f64::INFINITY;
    for (time, found) in times.iter().zip(&mut found) {
        while let Some(bound) = before.next_if(|bound| bound.time <= *time) {
            least = least.min(bound.most - rate * bound.time);
        }
        *found = least + rate * time;
    }
    let mut after = bounds.iter().rev().peekable();
    let mut least = f64::INFINITY;
    for (time, found) in times.iter().zip(&mut found).rev() {
        while let Some(bound) = after.next_if(|bound| bound.time > *time) {
            least = least.min(bound.most + rate * bound.time);
        }
        *found = found.min(least - rate * time);
    }
    found
}

/// Shortest ways between all clocks (Floyd, Warshall).
fn all_ways(direct: &[Course], clocks: usize, times: usize) -> Vec<Course> {
    let both = |low: u32| (low + 1..clocks as u32).map(move |high| (low, high));
    let mut found: Vec<Course> = (0..clocks as u32)
        .flat_map(both)
        .map(|(low, high)| Course {
            low,
            high,
            limits: Vec::with_capacity(times),
        })
        .collect();
    let mut most = vec![0.0; clocks * clocks];
    for time in 0..times {
        most.fill(f64::INFINITY);
        (0..clocks).for_each(|clock| most[clock * clocks + clock] = 0.0);
        for course in direct {
            let (low, high) = (course.low as usize, course.high as usize);
            most[low * clocks + high] = course.limits[time].1;
            most[high * clocks + low] = -course.limits[time].0;
        }
        for over in 0..clocks {
            for from in 0..clocks {
                for to in 0..clocks {
                    let way = most[from * clocks + over] + most[over * clocks + to];
                    let least = &mut most[from * clocks + to];
                    *least = least.min(way);
                }
            }
        }
        for course in &mut found {
            let (low, high) = (course.low as usize, course.high as usize);
            let limits = (-most[high * clocks + low], most[low * clocks + high]);
            course.limits.push(limits);
        }
    }
    found
}

/// Shortest ways from and to the reference (Bellman, Ford); pairs that exchange
/// messages keep what these say.
fn ways_through(
    mut direct: Vec<Course>,
    clocks: usize,
    reference: u32,
    times: usize,
) -> Vec<Course> {
    let at = |time| limits_at(time, &direct, clocks, reference);
    let at: Vec<Vec<(f64, f64)>> = (0..times).into_par_iter().map(at).collect();
    let of_clock = |clock: usize| at.iter().map(|at| at[clock]).collect();
    let limits: Vec<Vec<(f64, f64)>> = (0..clocks).map(of_clock).collect();
    direct.retain(|course| course.low != reference && course.high != reference);
    let others = (0..clocks as u32).zip(limits);
    let others = others.filter(|(clock, _)| *clock != reference);
    direct.extend(others.map(|(clock, limits)| {
        let turned = |(least, most): (f64, f64)| (-most, -least);
        match clock > reference {
            true => Course {
                low: reference,
                high: clock,
                limits,
            },
            false => Course {
                low: clock,
                high: reference,
                limits: limits.into_iter().map(turned).collect(),
            },
        }
    }));
    direct
}

/// Returns error(clock) − error(reference) of all clocks at one time, least and most.
fn limits_at(time: usize, direct: &[Course], clocks: usize, reference: u32) -> Vec<(f64, f64)> {
    let mut of_clock = vec![(f64::NEG_INFINITY, f64::INFINITY); clocks];
    of_clock[reference as usize] = (0.0, 0.0);
    for _ in 0..clocks {
        let mut changed = false;
        for course in direct {
            let (low, high) = (course.low as usize, course.high as usize);
            let (least, most) = course.limits[time];
            changed |= narrow(&mut of_clock, low, high, (least, most));
            changed |= narrow(&mut of_clock, high, low, (-most, -least));
        }
        if !changed {
            break;
        }
    }
    of_clock
}

/// Narrows where `to` lies by where `from` does; returns whether it did by more
/// than rounding.
fn narrow(of_clock: &mut [(f64, f64)], from: usize, to: usize, apart: (f64, f64)) -> bool {
    let (least, most) = of_clock[from];
    let (low, high) = (least + apart.0, most + apart.1);
    let found = &mut of_clock[to];
    let better = low > found.0 + 0.5 || high < found.1 - 0.5;
    *found = (found.0.max(low), found.1.min(high));
    better
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(time: f64, most: f64) -> Bound {
        Bound {
            cell: 0,
            time,
            most,
        }
    }

    fn pair(low: u32, high: u32, forth: f64, back: f64) -> Pair {
        Pair {
            low,
            high,
            forth: vec![bound(0.0, forth)],
            back: vec![bound(10.0, back)],
            rate: 1.0,
        }
    }

    #[test]
    fn a_bound_widens_before_and_after_its_message() {
        let bounds = [bound(10.0, 5.0), bound(20.0, 50.0), bound(40.0, 7.0)];
        let found = envelope(&bounds, 1.0, &[0.0, 10.0, 20.0, 30.0, 45.0]);
        assert_eq!(found, [15.0, 5.0, 15.0, 17.0, 12.0]);
    }

    #[test]
    fn bounds_add_up_from_clock_to_clock_whichever_way_is_taken() {
        let pairs = [pair(0, 1, 3.0, 4.0), pair(1, 2, 5.0, 6.0)];
        let expected = (-30.0, 8.0);
        for clocks in [3, FEW + 1] {
            let found = courses(&pairs, clocks, 0, &[0.0]);
            let far = found
                .iter()
                .find(|course| (course.low, course.high) == (0, 2));
            assert_eq!(far.unwrap().limits, [expected], "{clocks} clocks");
        }
    }

    #[test]
    fn a_pair_whose_rate_nothing_tells_is_not_bounded() {
        let mut pair = pair(0, 1, 3.0, 4.0);
        pair.rate = f64::INFINITY;
        let found = courses(&[pair], 2, 0, &[0.0]);
        assert_eq!(found[0].limits, [(f64::NEG_INFINITY, f64::INFINITY)]);
    }
}
