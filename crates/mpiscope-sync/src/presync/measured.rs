//! Clock maps from offset measurements alone.
//!
//! One measurement adds a constant. Two are interpolated, and so are more,
//! unless one line passes through all of them within their half-widths: then
//! what differs is noise of the measurements, and the line of least squares,
//! weighted by 1/half-width², is used.

use mpiscope_model::{ClockDomain, Duration, Timestamp, Trace};

use super::map::{round_half_even, ClockMap, Knot};
use crate::config::{Config, PresyncMode};
use crate::report::Warning;
use crate::Error;

/// Returns the map of each clock of a trace, also of those it does not name.
pub(super) fn maps(
    trace: &Trace,
    config: &Config,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<ClockMap>, Error> {
    let clocks = trace.clock_of_locations().into_iter().max();
    let clocks = clocks.map_or(0, |last| last as usize + 1);
    let mut maps = vec![ClockMap::default(); clocks.max(trace.clocks.len())];
    if config.presync == PresyncMode::None {
        return Ok(maps);
    }
    for (clock, domain) in trace.clocks.iter().enumerate() {
        let mut knots = knots(domain, config.max_slope);
        let used = |time| {
            knots
                .binary_search_by_key(&time, |knot: &Knot| knot.time)
                .is_ok()
        };
        let vague = domain.measurements.iter().filter(|m| !used(m.time));
        warnings.extend(vague.map(|m| Warning::MeasurementTooVague {
            clock,
            time: m.time,
            half_width: m.half_width,
        }));
        match config.presync {
            PresyncMode::Align => knots.truncate(1),
            PresyncMode::Hull | PresyncMode::MinMax => ends(&mut knots),
            _ => {}
        }
        if let Some(line) = line(&knots) {
            knots = line;
        }
        maps[clock] = ClockMap::through(clock, knots, config.max_slope, warnings)?;
    }
    Ok(maps)
}

/// Leaves the first and the last: messages draw a straight line upon these.
fn ends(knots: &mut Vec<Knot>) {
    if let [first, .., last] = knots[..] {
        *knots = vec![first, last];
    }
}

/// Measurements ascending in local time; of several at one time the most
/// certain, and of two that only a drift of more than `max_slope` would
/// reconcile, though within their half-widths they agree, the more certain.
pub(super) fn knots(domain: &ClockDomain, max_slope: f64) -> Vec<Knot> {
    let mut sorted = domain.measurements.clone();
    sorted.sort_by_key(|m| (m.time, m.half_width, m.offset));
    sorted.dedup_by_key(|m| m.time);
    let knot = |m: &mpiscope_model::OffsetMeasurement| Knot {
        time: m.time,
        offset: m.offset,
        half_width: m.half_width,
        after_step: false,
    };
    let mut knots: Vec<Knot> = sorted.iter().map(knot).collect();
    while let Some(vaguer) = vaguer(&knots, max_slope) {
        knots.remove(vaguer);
    }
    knots
}

/// Finds a measurement whose own half-width may be all that makes it differ
/// from its neighbour's by more than clocks drift.
fn vaguer(knots: &[Knot], max_slope: f64) -> Option<usize> {
    let place = knots.windows(2).position(|pair| {
        let apart = (pair[1].time - pair[0].time).0 as f64 * max_slope;
        let differ = (pair[1].offset.0 as f64 - pair[0].offset.0 as f64).abs();
        let half_widths = pair[0].half_width.0 as f64 + pair[1].half_width.0 as f64;
        apart < differ && differ <= apart + half_widths
    })?;
    let later = knots[place].half_width < knots[place + 1].half_width;
    Some(place + usize::from(later))
}

/// Returns the ends of the line that passes all of three or more knots within
/// their half-widths, if there is one.
fn line(knots: &[Knot]) -> Option<Vec<Knot>> {
    let [first, .., last] = knots else {
        return None;
    };
    if knots.len() < 3 {
        return None;
    }
    let position = |knot: &Knot| {
        let time = knot.time.0.checked_sub(first.time.0)? as f64;
        Some((time, knot.offset.0.checked_sub(first.offset.0)? as f64))
    };
    let points: Vec<(f64, f64)> = knots.iter().map(position).collect::<Option<_>>()?;
    let weights = knots
        .iter()
        .map(|knot| (knot.half_width.0.max(1) as f64).powi(-2));
    let (mut w, mut wt, mut wo) = (0.0, 0.0, 0.0);
    for ((time, offset), weight) in points.iter().zip(weights.clone()) {
        w += weight;
        wt += weight * time;
        wo += weight * offset;
    }
    let (mean_time, mean_offset) = (wt / w, wo / w);
    let (mut tt, mut to) = (0.0, 0.0);
    for ((time, offset), weight) in points.iter().zip(weights) {
        tt += weight * (time - mean_time).powi(2);
        to += weight * (time - mean_time) * (offset - mean_offset);
    }
    let at = |time: f64| mean_offset + to / tt * (time - mean_time);
    let passes = |(knot, (time, offset)): (&Knot, &(f64, f64))| {
        (at(*time) - offset).abs() <= knot.half_width.0 as f64
    };
    if !knots.iter().zip(&points).all(passes) {
        return None;
    }
    let half_width = knots.iter().map(|knot| knot.half_width).min()?;
    let end = |knot: &Knot, time: f64| Knot {
        offset: first.offset + Duration(round_half_even(at(time))),
        half_width,
        ..*knot
    };
    let span = points.last()?.0;
    Some(vec![end(first, 0.0), end(last, span)])
}

/// Random walk of a crystal clock's frequency, in ns² per s³: the second
/// difference of its offset over steps of w seconds is about 10 ns · w^1.5,
/// as oven-less crystals at constant load show.
pub(super) const WANDER: f64 = 1.5 * 10.0 * 10.0;

/// Drift that a clock may have which was measured only once.
pub(super) const UNKNOWN_DRIFT: f64 = 50e-6;

/// Returns whether measurements tell a clock's rate better than not at all:
/// on a busy machine their half-widths reach milliseconds.
pub(super) fn tell_rate(knots: &[Knot]) -> bool {
    let (Some(first), Some(last)) = (knots.first(), knots.last()) else {
        return false;
    };
    let apart = (last.time - first.time).0 as f64;
    let wrong = (first.half_width.0 as f64) + (last.half_width.0 as f64);
    knots.len() > 1 && wrong <= UNKNOWN_DRIFT * apart
}

/// Returns by how much, in ns, a clock's offset at a local time may differ
/// from what its measurements say: one standard deviation of its `wander`
/// (in ns² per s³) between them, and their half-widths. `None` if it was never measured.
pub(super) fn deviation(knots: &[Knot], time: Timestamp, wander: f64) -> Option<f64> {
    let after = knots.partition_point(|knot| knot.time <= time);
    let seconds = |from: Timestamp, to: Timestamp| (to - from).as_seconds();
    let half = |knot: &Knot| knot.half_width.0 as f64;
    Some(match (knots, after) {
        ([], _) => return None,
        ([only], _) => half(only) + UNKNOWN_DRIFT * 1e9 * seconds(only.time, time).abs(),
        ([near, far, ..], 0) => beyond(near, far, seconds(time, near.time), wander),
        ([.., far, near], _) if after == knots.len() => {
            beyond(near, far, seconds(near.time, time), wander)
        }
        _ => {
            let (left, right) = (&knots[after - 1], &knots[after]);
            let (a, b) = (seconds(left.time, time), seconds(time, right.time));
            let share = a / (a + b);
            let wander = wander * a * a * b * b / (3.0 * (a + b));
            half(left) * (1.0 - share) + half(right) * share + wander.sqrt()
        }
    })
}

/// The same at a distance beyond the last of two measurements.
fn beyond(near: &Knot, far: &Knot, distance: f64, wander: f64) -> f64 {
    let apart = (near.time - far.time).abs().as_seconds();
    let (near, far) = (near.half_width.0 as f64, far.half_width.0 as f64);
    let wander = wander * distance * distance * (apart + distance) / 3.0;
    near + (near + far) * distance / apart + wander.sqrt()
}
