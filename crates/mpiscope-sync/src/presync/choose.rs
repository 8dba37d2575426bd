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

use std::borrow::Cow;
use std::ops::Range;

use mpiscope_model::Duration;
use rayon::prelude::*;

use super::edges::{self, telling, thinned, Bound, Edge, Windows};
use super::fit::{fit, Fitted, Start, Wanted, MIDDLE_VARIANCE};
use super::map::{ClockMap, Knot};
use super::measured::WANDER;
use super::minima::Minimum;

/// What was chosen.
pub(super) struct Chosen {
    pub maps: Vec<ClockMap>,
    pub windows: Windows,
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

/// A fit to half of the messages, and what the others say against it.
struct Trial {
    fitted: Fitted,
    windows: Windows,
    wander: f64,
    /// Of each clock.
    costs: Vec<f64>,
}

impl Trial {
    fn cost(&self) -> f64 {
        self.costs.iter().sum()
    }
}

/// Fits as smoothly as the messages allow, the clocks that gain by it; `None`
/// if messages do not tell enough for any fit.
pub(super) fn choose(start: &Start, latency: &dyn Fn(&[ClockMap]) -> Duration) -> Option<Chosen> {
    let traffic = start.traffic;
    let (known, other): (Vec<Minimum>, Vec<Minimum>) = traffic
        .minima
        .iter()
        .partition(|minimum| minimum.cell % 2 == 0);
    let judge = Judge {
        minima: &other,
        windows: Windows::new(&traffic.grid, 1),
        latency: start.latency,
        measured: start.measured,
    };
    let trials = Trials {
        thinned: thinned(&known, start.base, &start.windows),
        windows: start.windows,
        known: &known,
        judge,
        latency,
    };
    let (mut start, mut trial) = trials.trusted(start)?;
    // Only where messages say so do exits tell anything of clocks.
    let mut without = Vec::new();
    let apart = Start {
        together: false,
        ..start
    };
    if let Some(other) = trials.again(&apart, &trial) {
        if is_preferred(trial.cost(), other.cost()) {
            without = other.fitted.maps;
        } else {
            (start, trial) = (apart, other);
        }
    }
    let mut kept = start.kept.to_vec();
    let by_start = trials.judge.costs(start.base);
    while (trials.judge).keep((start.base, &by_start), &mut trial, &mut kept) {
        if !kept.contains(&false) {
            return Some(Chosen {
                maps: start.base.to_vec(),
                windows: start.windows,
                half: Vec::new(),
                without: Vec::new(),
            });
        }
        // Neighbours may have leant on clocks that are no longer fitted.
        let start = Start {
            kept: &kept,
            ..start
        };
        trial = trials.again(&start, &trial)?;
    }
    start.kept = &kept;
    let Trial {
        windows, wander, ..
    } = trial;
    let wanted = Wanted {
        minima: &thinned(&traffic.minima, start.base, &windows),
        windows,
        wander,
    };
    let fitted = fit(&start, &wanted, Some(&trial.fitted), latency)?;
    if !fitted.is_no_worse(&start, &wanted) {
        return None;
    }
    // Of what no fit can do without, nothing tells whether it is right.
    let half = match start.together && without.is_empty() {
        true => Vec::new(),
        false => trial.fitted.maps,
    };
    Some(Chosen {
        maps: fitted.maps,
        windows,
        half,
        without,
    })
}

/// Factor of the weight of middles that are not believed.
const DOUBTED: f64 = 1e-3;

/// Bounds alone must agree better by so much.
const DECISIVE: f64 = 0.75;

/// What trials are fitted to, and held against.
struct Trials<'a> {
    known: &'a [Minimum],
    /// Of them what counts in windows that most trials use.
    thinned: Cow<'a, [Minimum]>,
    windows: Windows,
    judge: Judge<'a>,
    latency: &'a dyn Fn(&[ClockMap]) -> Duration,
}

impl Trials<'_> {
    /// Fits with middles, or by bounds alone where that agrees clearly better even
    /// with the middles of others: they are right only if what delays messages delays
    /// both directions alike.
    fn trusted<'s>(&self, start: &Start<'s>) -> Option<(Start<'s>, Trial)> {
        let trial = self.smoothest(start, None)?;
        let doubting = Start {
            trust: DOUBTED,
            ..*start
        };
        let agrees = |other: &Trial| other.cost() < DECISIVE * trial.cost();
        if let Some(bounded) = self.again(&doubting, &trial).filter(agrees) {
            let bounded = self.smoothest(&doubting, Some(&bounded.fitted));
            if let Some(bounded) = bounded.filter(agrees) {
                return Some((doubting, bounded));
            }
        }
        Some((*start, trial))
    }

    /// Fits as smoothly as the messages allow.
    fn smoothest(&self, start: &Start, from: Option<&Fitted>) -> Option<Trial> {
        let mut best: Option<Trial> = None;
        let mut worse = 0;
        for rough in ROUGH {
            // Rough clocks cannot wait until all of them are held.
            let windows = match rough == 1.0 {
                true => start.windows,
                false => Windows::at_least(&start.traffic.grid, window(rough)),
            };
            let wander = WANDER * rough * rough;
            let from = best.as_ref().map(|best| &best.fitted).or(from);
            let Some(trial) = self.fit(start, windows, wander, from) else {
                continue;
            };
            let cost = trial.cost();
            let least = best.as_ref().map(Trial::cost);
            worse = match least {
                Some(least) if cost > least => worse + 1,
                _ => 0,
            };
            match least {
                Some(least) if cost > HOPELESS * least => break,
                Some(least) if worse >= IN_TURN && ROUGHER * cost > least => break,
                Some(least) if cost > ROUGHER * least => {}
                _ => best = Some(trial),
            }
        }
        best
    }

    /// Fits once more, from another start, as smoothly as before.
    fn again(&self, start: &Start, before: &Trial) -> Option<Trial> {
        let (windows, wander) = (before.windows, before.wander);
        self.fit(start, windows, wander, Some(&before.fitted))
    }

    fn fit(
        &self,
        start: &Start,
        windows: Windows,
        wander: f64,
        from: Option<&Fitted>,
    ) -> Option<Trial> {
        let minima = match windows.cells_per_window == self.windows.cells_per_window {
            true => Cow::Borrowed(&self.thinned[..]),
            false => thinned(self.known, start.base, &windows),
        };
        let wanted = Wanted {
            minima: &minima,
            windows,
            wander,
        };
        let fitted = fit(start, &wanted, from, self.latency)?;
        if from.is_none() && !fitted.is_no_worse(start, &wanted) {
            return None;
        }
        Some(Trial {
            costs: self.judge.costs(&fitted.maps),
            fitted,
            windows,
            wander,
        })
    }
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
        trial: &mut Trial,
        kept: &mut [bool],
    ) -> bool {
        let before = kept.iter().filter(|kept| **kept).count();
        let (maps, by_fit) = (&mut trial.fitted.maps, &trial.costs);
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
    let mut least = f64::INFINITY;
    let tight = of_pair.iter().filter_map(|edge| {
        let half = edge.half_width().filter(|half| *half < limit)?;
        least = least.min(half);
        Some((edge.middle()?, half * half / 4.0 + MIDDLE_VARIANCE))
    });
    // Of each its middle, and the variance that it has.
    let tight: Vec<(f64, f64)> = tight.collect();
    if tight.is_empty() {
        return 0.0;
    }
    let deviations: Vec<f64> = tight.iter().map(|(_, variance)| variance.sqrt()).collect();
    let prior = least.max(LEAST_BIAS).powi(-2);
    let mut bias = 0.0;
    for _ in 0..5 {
        let (mut sum, mut all) = (0.0, prior);
        for ((middle, variance), deviation) in tight.iter().zip(&deviations) {
            let weight = (2.0 * deviation / (middle - bias).abs().max(1.0)).min(1.0);
            let weight = weight / variance;
            sum += weight * middle;
            all += weight;
        }
        bias = sum / all;
    }
    let of_middle = |(middle, variance): &(f64, f64)| loss(middle - bias, *variance);
    tight.iter().map(of_middle).sum::<f64>() + bias * bias * prior / 2.0
}
