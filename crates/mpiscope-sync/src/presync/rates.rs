//! How fast clocks wander, as their messages show it.
//!
//! Two messages of opposite directions leave an interval for the difference of
//! two clocks; two such intervals, some time apart, leave one for the rate of
//! this difference. Short times see quick wander but also all that delays
//! messages, long times the opposite, so times of all scales are looked at. A
//! rate beyond what late messages explain is there for certain; between the
//! messages clocks may run faster still, hence a factor. Where nothing is
//! certain, a pair of clocks may run as fast as the scale that knows best allows.

use rayon::prelude::*;

use super::map::ClockMap;
use super::minima::{self, Grid, Minimum};
use crate::uncertainty::PARTING;

/// A message as a bound: error(receiver) − error(sender) is at most this, for
/// no message takes less than no time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    pub cell: u32,
    /// When it was received, in ns since the grid's begin.
    pub time: f64,
    /// In ns.
    pub most: f64,
}

/// The fastest messages between two clocks, by cell.
pub(super) struct Pair {
    pub low: u32,
    pub high: u32,
    /// From low to high.
    pub forth: Vec<Bound>,
    pub back: Vec<Bound>,
    /// How fast their difference may change, in ns per ns; infinite if nothing tells.
    pub rate: f64,
}

/// How often the certain rate clocks are taken to reach between messages: the
/// steepest part of a bend is seldom where two tight messages are, and of a sine
/// seen over half of its period the mean rate is 0.64 of the most.
const STEEPER: f64 = 2.0;
/// How often what the best scale allows: clocks of one run wander alike, so that of
/// the middle pair holds for all, and what is quicker than this scale it does not see.
const FASTER: f64 = 1.5;
/// A rate is believed as it is measured where noise is at most this share of it.
const CLEAR: f64 = 0.5;
/// Messages closer together than this share of a scale are of a shorter one.
const CLOSE: f64 = 0.3;

/// Gathers the messages of each pair by `maps`, and finds its rate. Returns the
/// rate that is allowed for in every pair, too.
pub(super) fn pairs(minima: &[Minimum], maps: &[ClockMap], grid: &Grid) -> (Vec<Pair>, f64) {
    let mut pairs: Vec<Pair> = minima
        .par_chunk_by(|a, b| a.pair() == b.pair())
        .map(|of_pair| gather(of_pair, maps, grid))
        .collect();
    let cell = ((grid.end - grid.begin).0 as f64 / grid.cells as f64).max(1.0);
    let found: Vec<Rates> = pairs
        .par_iter()
        .map(|pair| Rates::of(pair, grid.cells, cell))
        .collect();
    let certain = found.iter().map(|rates| rates.certain).fold(0.0, f64::max);
    let least = PARTING.max(STEEPER * certain);
    let usual = usual(&found);
    for (pair, rates) in pairs.iter_mut().zip(found) {
        pair.rate = (FASTER * rates.possible.max(usual)).max(least);
    }
    (pairs, least)
}

/// The rate that the middle pair may have, of those of which something is known.
fn usual(found: &[Rates]) -> f64 {
    let possible = found.iter().map(|rates| rates.possible);
    let mut known: Vec<f64> = possible.filter(|rate| rate.is_finite()).collect();
    if known.is_empty() {
        return f64::INFINITY;
    }
    let middle = (known.len() - 1) / 2;
    *known.select_nth_unstable_by(middle, f64::total_cmp).1
}

fn gather(of_pair: &[Minimum], maps: &[ClockMap], grid: &Grid) -> Pair {
    let (low, high) = of_pair[0].pair();
    let mut pair = Pair {
        low,
        high,
        forth: Vec::new(),
        back: Vec::new(),
        rate: f64::INFINITY,
    };
    for (minimum, duration, received) in minima::by(of_pair, maps) {
        let bound = Bound {
            cell: minimum.cell,
            time: (received - grid.begin).0 as f64,
            most: duration.0 as f64,
        };
        match minimum.from == low {
            true => pair.forth.push(bound),
            false => pair.back.push(bound),
        }
    }
    let by_time = |a: &Bound, b: &Bound| a.time.total_cmp(&b.time);
    pair.forth.sort_by(by_time);
    pair.back.sort_by(by_time);
    pair
}

/// What the messages of one pair say of its rate.
struct Rates {
    /// It is as fast as this at some time.
    certain: f64,
    /// It need not be faster than this.
    possible: f64,
}

impl Rates {
    fn of(pair: &Pair, cells: usize, cell: f64) -> Rates {
        let mut rates = Rates {
            certain: 0.0,
            possible: f64::INFINITY,
        };
        let (mut forth, mut back) = (tightest(&pair.forth, 1), tightest(&pair.back, 1));
        let mut scale = 1;
        while cells / scale >= 2 {
            rates.look(&two_way(&forth, &back), CLOSE * cell * scale as f64);
            (forth, back) = (tightest(&forth, 2), tightest(&back, 2));
            scale *= 2;
        }
        rates
    }

    /// Looks at neighbouring intervals of one scale.
    fn look(&mut self, intervals: &[Interval], least: f64) {
        let mut possible: Option<f64> = None;
        for two in intervals.windows(2) {
            let apart = two[1].time - two[0].time;
            if apart < least {
                continue;
            }
            let rate = (two[1].middle - two[0].middle).abs() / apart;
            let noise = (two[1].half_width + two[0].half_width) / apart;
            self.certain = self.certain.max(rate - noise);
            if noise <= CLEAR * rate {
                self.certain = self.certain.max(rate + noise);
            }
            possible = Some(possible.unwrap_or(0.0).max(rate + noise));
        }
        self.possible = self.possible.min(possible.unwrap_or(f64::INFINITY));
    }
}

/// Where the difference of two clocks lies at a time.
struct Interval {
    time: f64,
    middle: f64,
    half_width: f64,
}

/// Of every cell the interval that the tightest messages leave.
fn two_way(forth: &[Bound], back: &[Bound]) -> Vec<Interval> {
    let mut back = back.iter().peekable();
    let mut found = Vec::new();
    for one in forth {
        while back.next_if(|other| other.cell < one.cell).is_some() {}
        if let Some(other) = back.next_if(|other| other.cell == one.cell) {
            found.push(Interval {
                time: (one.time + other.time) / 2.0,
                middle: (one.most - other.most) / 2.0,
                half_width: (one.most + other.most) / 2.0,
            });
        }
    }
    found
}

/// The tightest bound of every so many cells, ascending, numbered anew.
fn tightest(bounds: &[Bound], cells: u32) -> Vec<Bound> {
    let mut found: Vec<Bound> = Vec::with_capacity(bounds.len());
    for bound in bounds {
        let cell = bound.cell / cells;
        let bound = Bound { cell, ..*bound };
        match found.last_mut() {
            Some(last) if last.cell == cell => {
                if bound.most.total_cmp(&last.most).is_lt() {
                    *last = bound;
                }
            }
            _ => found.push(bound),
        }
    }
    // By other maps than those that made the cells, some may come in another order.
    if !found.is_sorted_by_key(|bound| bound.cell) {
        found.sort_by(|a, b| a.cell.cmp(&b.cell).then(a.most.total_cmp(&b.most)));
        found.dedup_by_key(|bound| bound.cell);
    }
    found
}
