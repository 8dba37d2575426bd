//! How smooth clocks are, and whether the fit is better than what it began
//! with.
//!
//! Crystals wander by tens of nanoseconds within seconds; a clock that a
//! daemon slews, or a loaded host's, by a thousand times as much. The messages
//! themselves tell: the fit to those of every other cell of time should agree
//! with the others. From smooth to rough, in windows that are the shorter the
//! rougher clocks are, it is made so as long as that helps. The start is held
//! against the same messages, and each clock keeps it unless the fit is
//! clearly better.

use std::ops::Range;

use mpiscope_model::Duration;
use rayon::prelude::*;

use super::edges::{self, telling, Bound, Edge, Windows};
use super::fit::{fit, Start, MIDDLE_VARIANCE};
use super::map::{ClockMap, Knot};
use super::measured::WANDER;
use super::minima::Minimum;

/// What was chosen.
pub(super) struct Chosen {
    pub maps: Vec<ClockMap>,
    pub windows: Windows,
    /// Wander in ns² per s³, as the messages have it.
    pub wander: f64,
    /// The same fit to every other cell of time alone: how far it is from the
    /// other tells how well the messages determine it.
    pub half: Vec<ClockMap>,
    /// Where the fit leans on operations being left together, that to every other
    /// cell without: whether they are, no half of them tells.
    pub without: Vec<ClockMap>,
}

/// Standard deviations of bends, in those of a crystal.
const ROUGH: [f64; 5] = [1.0, 10.0, 100.0, 1000.0, 30_000.0];
/// What is rougher must agree better with messages that it does not know by so
/// much.
const ROUGHER: f64 = 0.95;
/// What is still rougher than what agrees so much worse is not tried.
const HOPELESS: f64 = 1.5;
/// Nor what is rougher than so many in turn that agree worse, the last of them clearly.
const IN_TURN: usize = 2;
/// What is fitted must agree better than its start by so much.
const BETTER: f64 = 0.95;
/// Windows are as short as keeps the middle of a bend within so many ns.
const BEND: f64 = 50.0;

/// Fits as smoothly as the messages allow, the clocks that gain by it; `None`
/// if messages do not tell enough for any fit.
pub(super) fn choose(start: &Start, latency: &dyn Fn(&[ClockMap]) -> Duration) -> Option<Chosen> {
    let traffic = start.traffic;
    let (known, other): (Vec<Minimum>, Vec<Minimum>) = traffic
        .minima
        .iter()
        .partition(|minimum| minimum.cell % 2 == 0);
    let grid = &traffic.grid;
    let judge = Judge {
        minima: &other,
        windows: Windows::new(grid, 1),
        latency: start.latency,
        measured: start.measured,
    };
    let (mut start, mut trial) = trusted(start, &known, &judge, latency)?;
    // Only where messages say so do exits tell anything of clocks.
    let without = Start {
        together: false,
        ..start
    };
    if let Some(maps) = fit(&without, &known, &trial.windows, trial.wander, latency) {
        if !judge.prefers(&trial.maps, &maps) {
            (start, trial.maps) = (without, maps);
        } else {
            trial.without = maps;
        }
    }
    let mut kept = start.kept.to_vec();
    let by_start = judge.costs(start.base);
    while judge.keep((start.base, &by_start), &mut trial.maps, &mut kept) {
        if !kept.contains(&false) {
            return Some(Chosen {
                maps: start.base.to_vec(),
                windows: start.windows,
                wander: WANDER,
                half: Vec::new(),
                without: Vec::new(),
            });
        }
        // Neighbours may have leant on clocks that are no longer fitted.
        let start = Start {
            kept: &kept,
            ..start
        };
        trial.maps = fit(&start, &known, &trial.windows, trial.wander, latency)?;
    }
    start.kept = &kept;
    let (windows, wander) = (trial.windows, trial.wander);
    let maps = fit(&start, &traffic.minima, &windows, wander, latency)?;
    // Of what no fit can do without, nothing tells whether it is right.
    let half = match start.together && trial.without.is_empty() {
        true => Vec::new(),
        false => std::mem::replace(&mut trial.maps, maps.clone()),
    };
    Some(Chosen {
        maps,
        half,
        ..trial
    })
}

/// Factor of the weight of middles that are not believed.
const DOUBTED: f64 = 1e-3;

/// Bounds alone must agree better by so much.
const DECISIVE: f64 = 0.75;

/// Fits with middles, or by bounds alone where that agrees clearly better even
/// with the middles of others: they are right only if what delays messages delays
/// both directions alike.
fn trusted<'a>(
    start: &Start<'a>,
    known: &[Minimum],
    judge: &Judge,
    latency: &dyn Fn(&[ClockMap]) -> Duration,
) -> Option<(Start<'a>, Chosen)> {
    let (trial, cost) = smoothest(start, known, judge, latency)?;
    let doubting = Start {
        trust: DOUBTED,
        ..*start
    };
    let bounded = fit(&doubting, known, &trial.windows, trial.wander, latency);
    if bounded.is_some_and(|maps| judge.total(&maps) < DECISIVE * cost) {
        if let Some((bounded, less)) = smoothest(&doubting, known, judge, latency) {
            if less < DECISIVE * cost {
                return Some((doubting, bounded));
            }
        }
    }
    Some((*start, trial))
}

/// Fits as smoothly as the messages allow to those that are `known`; returns
/// what others say against it, too.
fn smoothest(
    start: &Start,
    known: &[Minimum],
    judge: &Judge,
    latency: &dyn Fn(&[ClockMap]) -> Duration,
) -> Option<(Chosen, f64)> {
    let mut best: Option<(Chosen, f64)> = None;
    let mut worse = 0;
    for rough in ROUGH {
        // Rough clocks cannot wait until all of them are held.
        let windows = match rough == 1.0 {
            true => start.windows,
            false => Windows::at_least(&start.traffic.grid, window(rough)),
        };
        let wander = WANDER * rough * rough;
        let Some(maps) = fit(start, known, &windows, wander, latency) else {
            continue;
        };
        let cost = judge.total(&maps);
        worse = match &best {
            Some((_, least)) if cost > *least => worse + 1,
            _ => 0,
        };
        let fitted = Chosen {
            maps,
            windows,
            wander,
            half: Vec::new(),
            without: Vec::new(),
        };
        match &best {
            Some((_, least)) if cost > HOPELESS * least => break,
            Some((_, least)) if worse >= IN_TURN && ROUGHER * cost > *least => break,
            Some((_, least)) if cost > ROUGHER * least => {}
            _ => best = Some((fitted, cost)),
        }
    }
    best
}

/// The least length of windows, in ns, for clocks so rough: interpolation
/// misses the middle of a bend by an eighth of it.
fn window(rough: f64) -> f64 {
    let bend = (WANDER / 1.5).sqrt() * rough;
    1e9 * (8.0 * BEND / bend).powf(2.0 / 3.0)
}

/// Holds maps against messages they were not fitted to.
pub(super) struct Judge<'a> {
    pub minima: &'a [Minimum],
    pub windows: Windows,
    pub latency: Duration,
    pub measured: &'a [Vec<Knot>],
}

impl Judge<'_> {
    /// Returns how badly each clock agrees with its messages and measurements,
    /// in robust squares of standard deviations.
    fn costs(&self, maps: &[ClockMap]) -> Vec<f64> {
        let mut costs: Vec<f64> = (0..maps.len())
            .map(|clock| self.misses(clock, maps))
            .collect();
        let pairs = self.minima.par_chunk_by(|a, b| a.pair() == b.pair());
        let of_pairs: Vec<((u32, u32), f64)> = pairs
            .map_init(Vec::new, |edges, minima| {
                (minima[0].pair(), self.cost_of_pair(minima, maps, edges))
            })
            .collect();
        for ((low, high), cost) in of_pairs {
            costs[low as usize] += cost;
            costs[high as usize] += cost;
        }
        costs
    }

    /// Returns how badly two clocks agree with their messages.
    fn cost_of_pair(&self, minima: &[Minimum], maps: &[ClockMap], room: &mut Vec<Edge>) -> f64 {
        let edges = edges::of_pair(minima, maps, &self.windows, self.latency, room);
        let exceeded: f64 = edges.iter().map(exceeded).sum();
        exceeded + off_middle(edges, telling(self.latency))
    }

    /// Returns what [`Judge::costs`] does of one clock, whose pairs' messages lie at `places`.
    fn cost_of(&self, clock: usize, maps: &[ClockMap], places: &[Range<usize>]) -> f64 {
        let mut room = Vec::new();
        let of_pair =
            |place: &Range<usize>| self.cost_of_pair(&self.minima[place.clone()], maps, &mut room);
        let misses = self.misses(clock, maps);
        places.iter().map(of_pair).fold(misses, |sum, of| sum + of)
    }

    /// Returns for each clock where the messages of its pairs lie.
    fn places(&self, clocks: usize) -> Vec<Vec<Range<usize>>> {
        let mut places = vec![Vec::new(); clocks];
        let mut begin = 0;
        for of_pair in self.minima.chunk_by(|a, b| a.pair() == b.pair()) {
            let (low, high) = of_pair[0].pair();
            let place = begin..begin + of_pair.len();
            begin = place.end;
            places[low as usize].push(place.clone());
            places[high as usize].push(place);
        }
        places
    }

    /// Returns whether `maps` agree with all that is known clearly better than
    /// `others` do.
    pub fn prefers(&self, maps: &[ClockMap], others: &[ClockMap]) -> bool {
        is_preferred(self.total(maps), self.total(others))
    }

    fn total(&self, maps: &[ClockMap]) -> f64 {
        self.costs(maps).iter().sum()
    }

    /// By how much a map misses what was measured.
    fn misses(&self, clock: usize, maps: &[ClockMap]) -> f64 {
        let knots = self.measured.get(clock).map_or(&[][..], |knots| knots);
        let miss = |knot: &Knot| {
            let miss = (maps[clock].map(knot.time) - (knot.time + knot.offset)).0 as f64;
            let half = knot.half_width.0 as f64;
            loss(miss, half * half / 4.0 + MIDDLE_VARIANCE)
        };
        // Maps are not made for times long before or after the messages.
        let span = self.windows.length * self.windows.count as f64;
        let near = |knot: &&Knot| {
            let since = self.windows.since_begin(maps[clock].map(knot.time));
            (-FAR * span..=(1.0 + FAR) * span).contains(&since)
        };
        knots.iter().filter(near).map(miss).sum()
    }

    /// Gives clocks back their map of the start, whose costs are `by_start`, where the fit
    /// is not clearly better, and notes them; returns whether there were any.
    fn keep(
        &self,
        (base, by_start): (&[ClockMap], &[f64]),
        maps: &mut [ClockMap],
        kept: &mut [bool],
    ) -> bool {
        let before = kept.iter().filter(|kept| **kept).count();
        let by_fit = self.costs(maps);
        if !is_preferred(by_fit.iter().sum(), by_start.iter().sum()) {
            kept.fill(true);
            return before < kept.len();
        }
        let places = self.places(maps.len());
        for clock in 0..maps.len() {
            if kept[clock] || clearly_less(by_fit[clock], by_start[clock]) {
                continue;
            }
            // What its peers gained may hang on this clock's map.
            let of_fit = std::mem::replace(&mut maps[clock], base[clock].clone());
            match clearly_less(by_fit[clock], self.cost_of(clock, maps, &places[clock])) {
                true => maps[clock] = of_fit,
                false => kept[clock] = true,
            }
        }
        before < kept.iter().filter(|kept| **kept).count()
    }
}

/// Measurements farther from the messages than this share of their time say
/// nothing of a map.
const FAR: f64 = 0.1;

/// And by this much: a likelihood fifty times as high.
const EVIDENCE: f64 = 4.0;
/// Where processes share cores, a fit may gain a little by what delays its
/// messages: of all clocks together this share must be gained, unless the gain
/// is beyond all doubt.
const LITTLE: f64 = 0.3;
const NO_DOUBT: f64 = 40.0;

/// Returns whether one cost of all clocks is clearly less than another.
fn is_preferred(cost: f64, other: f64) -> bool {
    let doubt = (LITTLE * other).clamp(2.0 * EVIDENCE, NO_DOUBT);
    cost < BETTER * other && cost < other - doubt
}

fn clearly_less(cost: f64, other: f64) -> bool {
    cost < BETTER * other && cost < other - EVIDENCE
}

/// What a miss costs, given its variance: Huber's loss.
fn loss(miss: f64, variance: f64) -> f64 {
    let deviations = miss.abs() / variance.sqrt();
    match deviations < 2.0 {
        true => deviations * deviations / 2.0,
        false => 2.0 * deviations - 2.0,
    }
}

/// What bounds cost that are exceeded.
fn exceeded(edge: &Edge) -> f64 {
    let of_bound = |bound: &Bound| loss((-bound.slack).max(0.0), MIDDLE_VARIANCE);
    [edge.forth, edge.back].iter().flatten().map(of_bound).sum()
}

/// The least of what one direction may always be slower by, in ns: cores and
/// their counters differ.
const LEAST_BIAS: f64 = 100.0;

/// What it costs that the differences of two clocks do not lie in the middle of
/// their intervals. One direction may be slower in all windows, by as much as
/// the tightest interval allows: that costs as if it were seen once.
fn off_middle(of_pair: &[Edge], limit: f64) -> f64 {
    let tight: Vec<(f64, f64)> = (of_pair.iter())
        .filter_map(|edge| Some((edge.middle()?, edge.half_width()?)))
        .filter(|(_, half)| *half < limit)
        .collect();
    let Some(least) = tight.iter().map(|(_, half)| *half).min_by(f64::total_cmp) else {
        return 0.0;
    };
    let prior = least.max(LEAST_BIAS).powi(-2);
    let variance = |half: f64| half * half / 4.0 + MIDDLE_VARIANCE;
    let mut bias = 0.0;
    for _ in 0..5 {
        let (mut sum, mut all) = (0.0, prior);
        for (middle, half) in &tight {
            let deviation = variance(*half).sqrt();
            let weight = (2.0 * deviation / (middle - bias).abs().max(1.0)).min(1.0);
            let weight = weight / (deviation * deviation);
            sum += weight * middle;
            all += weight;
        }
        bias = sum / all;
    }
    let of_middle = |(middle, half): &(f64, f64)| loss(middle - bias, variance(*half));
    tight.iter().map(of_middle).sum::<f64>() + bias * bias * prior / 2.0
}
