//! Clocks that were set while the program ran.
//!
//! A step shows as a jump of one clock against most of its peers, from the
//! window before to the window after. When it happened, the messages of that
//! time tell: what was received before the step, or sent after it, would be
//! too early otherwise. A clock that was set forward never showed the times that
//! it skipped: no location has an event there, which tells the step to the event.
//! From there on the clock's map is shifted; the rest of the fit need not know.

use std::ops::RangeInclusive;

use mpiscope_model::{Duration, Timestamp};

use super::asked::{Crossing, Everywhere};
use super::edges::{edges, Edge, Windows, TIGHT};
use super::map::{ClockMap, Knot};
use super::minima::Minimum;

/// A step of one clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub clock: u32,
    /// The window in which it happened.
    pub window: u32,
    /// How much later the clock shows from then on.
    pub by: Duration,
}

/// Jumps below this, in ns, are left to the fit: no clock drifts that far from
/// its map within two windows, unless they are long.
const LEAST: f64 = 20_000.0;

/// The same as a share of the time between: slews and drift are no steps.
const LEAST_RATE: f64 = 2e-6;

/// One clock's jump against one peer around a window.
struct Jump {
    clock: u32,
    window: u32,
    by: f64,
    large: bool,
}

/// Finds the largest step that most peers of a clock agree on and that was not
/// found before; none of the master's clock, which says what time it is.
fn largest(edges: &[Edge], search: &Search, found: &[(Step, Timestamp)]) -> Option<Step> {
    let (windows, master) = (&search.windows, search.master);
    let mut jumps = Vec::new();
    for of_pair in edges.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        pair_jumps(of_pair, windows, &mut jumps);
    }
    // The window of a step found earlier is in disorder, and its neighbours
    // are compared with it.
    let near = |jump: &Jump| {
        let of_clock = found.iter().filter(|(step, _)| step.clock == jump.clock);
        of_clock
            .into_iter()
            .any(|(step, _)| step.window.abs_diff(jump.window) <= 2)
    };
    jumps.retain(|jump| master != Some(jump.clock as usize) && !near(jump));
    jumps.sort_by(|a, b| {
        let place = |jump: &Jump| (jump.clock, jump.window);
        place(a).cmp(&place(b)).then(a.by.total_cmp(&b.by))
    });
    let agreed = |jumps: &[Jump]| {
        let large = jumps.iter().filter(|jump| jump.large).count();
        let median = &jumps[jumps.len() / 2];
        (large * 2 > jumps.len() && median.large).then_some(Step {
            clock: median.clock,
            window: median.window,
            by: Duration(median.by as i64),
        })
    };
    jumps
        .chunk_by(|a, b| (a.clock, a.window) == (b.clock, b.window))
        .filter_map(agreed)
        .max_by_key(|step| step.by.abs())
}

/// Compares the windows around each window, less the drift beyond them.
fn pair_jumps(of_pair: &[Edge], windows: &Windows, jumps: &mut Vec<Jump>) {
    let known: Vec<(u32, f64, f64)> = (of_pair.iter())
        .filter_map(|edge| Some((edge.window, edge.middle()?, edge.half_width()?)))
        .filter(|(_, _, half_width)| *half_width < TIGHT)
        .collect();
    let at = |window: Option<u32>| {
        let place = known.binary_search_by_key(&window?, |known| known.0).ok()?;
        Some(known[place])
    };
    let pair = &of_pair[0];
    for window in 1..windows.count as u32 {
        let (before, after) = (at(window.checked_sub(1)), at(window.checked_add(1)));
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let slopes = [
            at(window.checked_sub(2)).map(|earlier| before.1 - earlier.1),
            at(window.checked_add(2)).map(|later| later.1 - after.1),
        ];
        // The smaller slope: the other may have a step of its own.
        let flatter = |a: &f64, b: &f64| a.abs().total_cmp(&b.abs());
        let slope = slopes.into_iter().flatten().min_by(flatter);
        let by = after.1 - before.1 - 2.0 * slope.unwrap_or(0.0);
        let noise = 2.0 * (before.2 + after.2) + LEAST_RATE * windows.length;

        for (clock, by) in [(pair.high, by), (pair.low, -by)] {
            jumps.push(Jump {
                clock,
                window,
                by,
                large: by.abs() > LEAST + noise,
            });
        }
    }
}

/// Where steps are looked for.
pub(super) struct Search<'a> {
    pub everywhere: &'a Everywhere<'a>,
    pub minima: &'a [Minimum],
    pub windows: Windows,
    pub master: Option<usize>,
    /// Least time between clocks.
    pub latency: Duration,
}

/// More steps than this are no steps.
const MOST: usize = 16;

impl Search<'_> {
    /// Shifts the maps of clocks that were set; returns which, and when.
    pub fn repair(&self, maps: &mut [ClockMap]) -> Vec<(Step, Timestamp)> {
        let mut found = Vec::new();
        while found.len() < MOST {
            let edges = edges(self.minima, maps, &self.windows, self.latency);
            let step = largest(&edges, self, &found);
            let Some(step) = step else {
                break;
            };
            let clock = step.clock as usize;
            let Some(time) = self.locate(&step, &edges, maps) else {
                break;
            };
            let Some(map) = shifted(&maps[clock], &step, time, &self.windows) else {
                break;
            };
            maps[clock] = map;
            found.push((step, time));
        }
        found
    }

    /// Finds from when on a clock shows the time after the step: after all
    /// events that must precede it, by the first that must follow it.
    fn locate(&self, step: &Step, edges: &[Edge], maps: &[ClockMap]) -> Option<Timestamp> {
        let length = self.windows.length;
        let begin = self.windows.begin + ticks((f64::from(step.window) - 1.0) * length);
        let map = &maps[step.clock as usize];
        let (first, last) = (
            map.inverse(begin),
            map.inverse(begin + ticks(3.0 * length)) + step.by.abs(),
        );
        let (after, until) = self.everywhere.set_between(&Crossing {
            clock: step.clock,
            by: step.by,
            first,
            last,
            latency: self.latency,
            tolerance: TOLERANCE,
            errors: errors_before(step, edges, maps.len()),
            maps: maps.to_vec(),
        });
        let told = match (until < last, after > first) {
            (true, _) => Some(until),
            (_, true) => Some(after + Duration::TICK),
            _ => None,
        };
        let range = after..=until;
        told.map(|told| self.end_of_gap(step, range).unwrap_or(told))
    }

    /// Finds in a range the end of the last stretch of time that a clock may have skipped, in which
    /// none of its locations has an event; none if it was set back, as it then skips nothing.
    fn end_of_gap(&self, step: &Step, range: RangeInclusive<Timestamp>) -> Option<Timestamp> {
        let least = step.by - Duration(TOLERANCE);
        if least <= Duration::ZERO {
            return None;
        }
        let shown = self.everywhere.shown(step.clock, range);
        let ends = shown.windows(2).rev();
        ends.filter(|pair| pair[1] - pair[0] >= least)
            .map(|pair| pair[1])
            .next()
    }
}

/// Drift within a window, in ns, is no reason to call a message too early.
const TOLERANCE: i64 = LEAST as i64 / 4;

fn ticks(ns: f64) -> Duration {
    Duration(ns as i64)
}

/// Returns the error of the clock less that of each peer before its step.
fn errors_before(step: &Step, edges: &[Edge], clocks: usize) -> Vec<Option<f64>> {
    let mut errors = vec![None; clocks];
    let tight = |edge: &&Edge| {
        edge.window + 1 == step.window && edge.half_width().is_some_and(|half| half < TIGHT)
    };
    for edge in edges.iter().filter(tight) {
        let middle = edge.middle();
        if edge.high == step.clock {
            errors[edge.low as usize] = middle;
        } else if edge.low == step.clock {
            errors[edge.high as usize] = middle.map(|middle| -middle);
        }
    }
    errors
}

/// Takes a step off a map from a local time on.
fn shifted(map: &ClockMap, step: &Step, time: Timestamp, windows: &Windows) -> Option<ClockMap> {
    let end = windows.begin + ticks(windows.length * windows.count as f64);
    let mut times: Vec<Timestamp> = map.knots().iter().map(|knot| knot.time).collect();
    times.extend([windows.begin, end].map(|time| map.inverse(time)));
    times.extend([time - Duration::TICK, time]);
    times.sort_unstable();
    times.dedup();
    let knot = |&at: &Timestamp| {
        let shift = if at < time { Duration::ZERO } else { step.by };
        Knot {
            time: at,
            offset: map.map(at) - at - shift,
            after_step: at == time || map.steps_at(at),
            ..Knot::default()
        }
    };
    ClockMap::unchecked(times.iter().map(knot).collect())
}
