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

use mpiscope_model::Duration;

use super::edges::{edges, Bound, Edge, Windows, TIGHT};
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
}

/// Standard deviations of bends, in those of a crystal.
const ROUGH: [f64; 5] = [1.0, 10.0, 100.0, 1000.0, 30_000.0];
/// What is rougher, or fitted, must agree better with messages that it does
/// not know by so much.
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
        latency: latency(start.base),
        measured: start.measured,
    };
    let mut best: Option<(f64, f64, Windows, Vec<ClockMap>)> = None;
    for rough in ROUGH {
        // Rough clocks cannot wait until all of them are held.
        let windows = match rough == 1.0 {
            true => start.windows,
            false => Windows::at_least(grid, window(rough)),
        };
        let wander = WANDER * rough * rough;
        let Some(maps) = fit(start, &known, &windows, wander, latency) else {
            continue;
        };
        let cost: f64 = judge.costs(&maps).iter().sum();
        match &best {
            Some(best) if cost > best.0 => break,
            Some(best) if cost > BETTER * best.0 => {}
            _ => best = Some((cost, wander, windows, maps)),
        }
    }
    let (_, wander, windows, mut trial) = best?;
    let fitted = judge.clocks_that_gain(start, &mut trial);
    if !fitted.contains(&true) {
        return Some(Chosen {
            maps: start.base.to_vec(),
            windows: start.windows,
            wander: WANDER,
        });
    }
    let mut maps = fit(start, &traffic.minima, &windows, wander, latency)?;
    for (clock, map) in maps.iter_mut().enumerate() {
        if !fitted[clock] {
            map.clone_from(&start.base[clock]);
        }
    }
    Some(Chosen {
        maps,
        windows,
        wander,
    })
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
        for edge in edges(self.minima, maps, &self.windows, self.latency) {
            let cost = of_edge(&edge);
            costs[edge.low as usize] += cost;
            costs[edge.high as usize] += cost;
        }
        costs
    }

    /// Returns whether `maps` agree with all that is known clearly better than
    /// `others` do.
    pub fn prefers(&self, maps: &[ClockMap], others: &[ClockMap]) -> bool {
        let total = |maps: &[ClockMap]| -> f64 { self.costs(maps).iter().sum() };
        total(maps) < BETTER * total(others)
    }

    /// By how much a map misses what was measured.
    fn misses(&self, clock: usize, maps: &[ClockMap]) -> f64 {
        let knots = self.measured.get(clock).map_or(&[][..], |knots| knots);
        let miss = |knot: &Knot| {
            let miss = (maps[clock].map(knot.time) - (knot.time + knot.offset)).0 as f64;
            let half = knot.half_width.0 as f64;
            loss(miss, half * half / 4.0 + MIDDLE_VARIANCE)
        };
        knots.iter().map(miss).sum()
    }

    /// Gives clocks back their map of the start where the fit is not clearly
    /// better; returns which have the fitted one.
    fn clocks_that_gain(&self, start: &Start, maps: &mut [ClockMap]) -> Vec<bool> {
        let base = start.base;
        let is_master = |clock: usize| start.master == Some(clock);
        let mut fitted: Vec<bool> = (0..maps.len()).map(|clock| !is_master(clock)).collect();
        if !self.prefers(maps, base) {
            fitted.fill(false);
            return fitted;
        }
        let by_fit = self.costs(maps);
        let by_start = self.costs(base);
        for clock in 0..maps.len() {
            if !fitted[clock] || by_start[clock] * BETTER > by_fit[clock] {
                continue;
            }
            // What its peers gained may hang on this clock's map.
            let of_fit = std::mem::replace(&mut maps[clock], base[clock].clone());
            match self.costs(maps)[clock] * BETTER <= by_fit[clock] {
                true => fitted[clock] = false,
                false => maps[clock] = of_fit,
            }
        }
        fitted
    }
}

/// What a miss costs, given its variance: Huber's loss.
fn loss(miss: f64, variance: f64) -> f64 {
    let deviations = miss.abs() / variance.sqrt();
    match deviations < 2.0 {
        true => deviations * deviations / 2.0,
        false => 2.0 * deviations - 2.0,
    }
}

fn of_edge(edge: &Edge) -> f64 {
    let exceeded = |bound: &Bound| loss((-bound.slack).max(0.0), MIDDLE_VARIANCE);
    let bounds = [edge.forth, edge.back];
    let exceeded: f64 = bounds.iter().flatten().map(exceeded).sum();
    match (edge.middle(), edge.half_width()) {
        (Some(middle), Some(half)) if half < TIGHT => {
            exceeded + loss(middle, half * half / 4.0 + MIDDLE_VARIANCE)
        }
        _ => exceeded,
    }
}
