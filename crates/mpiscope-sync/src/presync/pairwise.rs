//! One line for each pair of clocks, combined over a tree of pairs.
//!
//! Between two clocks that exchange messages in both directions, the
//! difference of their errors runs below the durations of one direction and
//! above the negative durations of the other. [`hull`](super::hull) and
//! [`min_max`](super::min_max) draw a line between. Where a clock stands to
//! the master's follows along a spanning tree of the pairs that know best
//! (Jézéquel 1989). So each clock's error is one line: right for clocks whose
//! rate is constant.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mpiscope_model::{Duration, Timestamp};

use super::map::{ClockMap, Knot};
use super::minima::{self, Grid, Minimum};
use super::traffic::Traffic;
use super::{hull, min_max};

/// A bound at a time: seconds since the begin, and ns.
pub(crate) type Point = (f64, f64);

/// error(high) − error(low) as a line, and how far off it may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ErrorLine {
    /// At the begin, in ns.
    pub offset: f64,
    /// In ns per second.
    pub slope: f64,
    /// Half of the gap the line runs in, in ns. Negative if there is none.
    pub half_width: f64,
}

/// How a line is drawn between upper bounds and lower bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Hull,
    MinMax,
}

/// As the fastest message of a cell depends on the drift, lines are drawn
/// again on what the last ones left.
const ROUNDS: usize = 3;

/// Aligns clocks with those in `known` by their messages, which `gather` finds
/// by some maps; `known` holds for each clock whether its map is right.
pub(super) fn align(
    gather: impl Fn(&[ClockMap]) -> Traffic,
    mut maps: Vec<ClockMap>,
    known: &[bool],
    rule: Rule,
) -> Vec<ClockMap> {
    for _ in 0..ROUNDS {
        let traffic = gather(&maps);
        let pairs = lines(&traffic.minima, &maps, &traffic.grid, rule);
        let errors = spread(&pairs, known);
        let mut most = 0f64;
        for (map, error) in maps.iter_mut().zip(&errors) {
            let end = (traffic.grid.end - traffic.grid.begin).as_seconds();
            most = most
                .max(error.offset.abs())
                .max((error.offset + error.slope * end).abs());
            *map = without(map, error, &traffic.grid);
        }
        if most < 100.0 {
            break;
        }
    }
    maps
}

/// A pair of clocks, the lower number first, with its line.
type Pair = ((u32, u32), ErrorLine);

fn lines(minima: &[Minimum], maps: &[ClockMap], grid: &Grid, rule: Rule) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for of_pair in minima.chunk_by(|a, b| a.pair() == b.pair()) {
        let (low, high) = of_pair[0].pair();
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for (minimum, duration, received) in minima::by(of_pair, maps) {
            let time = (received - grid.begin).as_seconds();
            match minimum.from == low {
                true => upper.push((time, duration.0 as f64)),
                false => lower.push((time, -duration.0 as f64)),
            }
        }
        upper.sort_by(order);
        lower.sort_by(order);
        let length = (grid.end - grid.begin).as_seconds();
        let line = match rule {
            Rule::Hull => hull::line(&upper, &lower, length),
            Rule::MinMax => min_max::line(&upper, &lower, length),
        };
        pairs.extend(line.map(|line| ((low, high), line)));
    }
    pairs
}

fn order(a: &Point, b: &Point) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
}

/// Adds up lines from the known clocks outward, each clock by the path of
/// least half-width. Where no known clock leads, the first of a group is taken
/// for right.
fn spread(pairs: &[Pair], known: &[bool]) -> Vec<ErrorLine> {
    let mut peers: Vec<Vec<(u32, f64, ErrorLine)>> = vec![Vec::new(); known.len()];
    for &((low, high), line) in pairs {
        peers[low as usize].push((high, 1.0, line));
        peers[high as usize].push((low, -1.0, line));
    }
    let mut found: Vec<Option<ErrorLine>> = vec![None; known.len()];
    let mut heap = BinaryHeap::new();
    let zero = ErrorLine {
        offset: 0.0,
        slope: 0.0,
        half_width: 0.0,
    };
    let roots = (0..known.len()).filter(|clock| known[*clock]);
    heap.extend(roots.map(|root| Reach::new(root as u32, zero)));
    let mut next_root = 0..known.len() as u32;
    loop {
        while let Some(Reverse((_, Reach(clock, line)))) = heap.pop() {
            if found[clock as usize].is_some() {
                continue;
            }
            found[clock as usize] = Some(line);
            for &(peer, sign, step) in &peers[clock as usize] {
                if found[peer as usize].is_none() {
                    // A line without a gap is wrong by more than its overlap.
                    let cost = step.half_width.max(-10.0 * step.half_width) + 1.0;
                    heap.push(Reach::new(
                        peer,
                        ErrorLine {
                            offset: line.offset + sign * step.offset,
                            slope: line.slope + sign * step.slope,
                            half_width: line.half_width + cost,
                        },
                    ));
                }
            }
        }
        match next_root.find(|clock| found[*clock as usize].is_none()) {
            Some(root) => heap.push(Reach::new(root, zero)),
            None => break,
        }
    }
    found.into_iter().map(|line| line.unwrap_or(zero)).collect()
}

/// A clock with the line by which it was reached; not compared itself.
#[derive(Clone, Copy)]
struct Reach(u32, ErrorLine);

impl Reach {
    /// By the half-width in thousandths of a ns, then the clock's number.
    #[allow(clippy::new_ret_no_self, reason = "the heap's entry, nearest first")]
    fn new(clock: u32, line: ErrorLine) -> Reverse<((i64, u32), Reach)> {
        Reverse((
            ((line.half_width * 1000.0) as i64, clock),
            Reach(clock, line),
        ))
    }
}

impl PartialEq for Reach {
    fn eq(&self, _: &Reach) -> bool {
        true
    }
}

impl Eq for Reach {}

impl PartialOrd for Reach {
    fn partial_cmp(&self, other: &Reach) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reach {
    fn cmp(&self, _: &Reach) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

/// Takes a line of error off a map.
fn without(map: &ClockMap, error: &ErrorLine, grid: &Grid) -> ClockMap {
    if *error
        == (ErrorLine {
            half_width: error.half_width,
            offset: 0.0,
            slope: 0.0,
        })
    {
        return map.clone();
    }
    let mut times: Vec<Timestamp> = [grid.begin, grid.end]
        .map(|time| map.inverse(time))
        .to_vec();
    times.extend(map.knots().iter().map(|knot| knot.time));
    times.sort_unstable();
    times.dedup();
    let knot = |&time: &Timestamp| {
        let mapped = map.map(time);
        let wrong = error.offset + error.slope * (mapped - grid.begin).as_seconds();
        Knot {
            time,
            offset: mapped - time - Duration(wrong.round_ties_even() as i64),
            ..Knot::default()
        }
    };
    ClockMap::unchecked(times.iter().map(knot).collect()).unwrap_or_else(|| map.clone())
}
