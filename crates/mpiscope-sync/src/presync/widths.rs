//! Finds what corrected clocks can be wrong by: from messages by the final
//! maps, whatever found these, and from offset measurements.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mpiscope_model::{Duration, Timestamp};

use super::edges::{edges, Edge, Windows};
use super::map::{ClockMap, Knot};
use super::measured::{deviation, UNKNOWN_DRIFT, WANDER};
use super::traffic::Traffic;
use crate::uncertainty::{PairWidth, Uncertainty, PARTING};

/// What half-widths follow from.
pub(super) struct Known<'a> {
    pub traffic: &'a Traffic,
    pub maps: &'a [ClockMap],
    /// Maps by measurements alone.
    pub by_measurement: &'a [ClockMap],
    pub measured: &'a [Vec<Knot>],
    pub master: Option<usize>,
    pub latency: Duration,
    /// The rates of all clocks were found from messages.
    pub aligned: bool,
    /// How much clocks wander, in ns² per s³, if the maps follow it.
    pub wander: Option<f64>,
}

/// Finds the half-widths of all clocks in all windows.
pub(super) fn uncertainty(known: &Known, windows: &Windows, clock_of: Vec<u32>) -> Uncertainty {
    let edges = edges(&known.traffic.minima, known.maps, windows, known.latency);
    let seconds = windows.length * 1e-9;
    let within_window = match known.wander {
        Some(wander) => 3.0 * (wander * seconds.powi(3) / 24.0).sqrt(),
        None => windows.length * PARTING,
    };
    let direct = direct(&edges, windows, within_window);
    let mut radii: Vec<Vec<f64>> = (0..windows.count)
        .map(|window| known.by_measurements(window, windows))
        .collect();
    let worse = worse(&radii, &edges);
    for (radii, direct) in radii.iter_mut().zip(&direct) {
        radii.iter_mut().for_each(|radius| *radius *= worse);
        known.reach(radii, direct);
    }
    let parting: Vec<f64> = (0..known.maps.len())
        .map(|clock| windows.length * known.parting(clock, seconds))
        .collect();
    relax(&mut radii, &parting);
    raise(&mut radii, &edges, known.master);
    let better = |window: usize| {
        let radii = &radii[window];
        let pairs = direct[window].iter().filter(|(low, high, half_width)| {
            *half_width < radii[*low as usize] + radii[*high as usize]
        });
        let width = |&(low, high, half_width): &(u32, u32, f64)| PairWidth {
            low,
            high,
            half_width: ticks(half_width),
        };
        pairs.map(width).collect()
    };
    Uncertainty {
        clock_of,
        begin: windows.begin,
        window: Duration(windows.length.ceil() as i64),
        pairs: (0..windows.count).map(better).collect(),
        to_master: radii
            .iter()
            .map(|radii| radii.iter().copied().map(ticks).collect())
            .collect(),
    }
}

/// Rounds up; infinity becomes [`UNKNOWN`](crate::uncertainty::UNKNOWN).
fn ticks(half_width: f64) -> Duration {
    Duration(half_width.ceil() as i64)
}

/// Two clocks and by how much they can be off each other, in one window.
type Direct = Vec<(u32, u32, f64)>;

/// Returns for each window the pairs that exchange messages both ways, in the
/// order of clocks. A bound holds when its message was received; until the
/// window's end clocks go on drifting apart as they did from the window before or
/// to the next, and by `wander`.
fn direct(edges: &[Edge], windows: &Windows, wander: f64) -> Vec<Direct> {
    let mut direct = vec![Direct::new(); windows.count];
    for of_pair in edges.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        for (k, edge) in of_pair.iter().enumerate() {
            // A negative slack is an error of the maps for certain.
            let (Some(forth), Some(back), Some(middle)) = (edge.forth, edge.back, edge.middle())
            else {
                continue;
            };
            let near = [k.checked_sub(1), Some(k + 1)].into_iter().flatten();
            let drift = near
                .filter_map(|k| of_pair.get(k)?.middle())
                .map(|other| (other - middle).abs())
                .fold(0.0, f64::max);
            let half_width = forth.slack.abs().max(back.slack.abs()) + drift + wander;
            direct[edge.window as usize].push((edge.low, edge.high, half_width));
        }
    }
    direct
}

/// By how much two clocks may be off each other of which a bound is exceeded: up
/// to the other bound. Nothing if none is.
fn off(edge: &Edge) -> f64 {
    let slacks = || [edge.forth, edge.back].into_iter().flatten();
    match slacks().any(|bound| bound.slack < 0.0) {
        true => slacks().map(|bound| bound.slack.abs()).fold(0.0, f64::max),
        false => 0.0,
    }
}

/// Returns how many times as far off as measurements let expect some clocks
/// are, by bounds that are exceeded; at least once. What is true of
/// them may be true of clocks that no message tells of.
fn worse(radii: &[Vec<f64>], edges: &[Edge]) -> f64 {
    let of_edge = |edge: &Edge| {
        let radii = &radii[edge.window as usize];
        let expected = radii[edge.low as usize] + radii[edge.high as usize];
        off(edge) / expected.max(1.0)
    };
    edges.iter().map(of_edge).fold(1.0, f64::max)
}

/// What is known of clocks in one window is known of the next, but for how
/// far they may part in between.
fn relax(radii: &mut [Vec<f64>], parting: &[f64]) {
    let windows = radii.len();
    let steps = (1..windows)
        .map(|k| (k - 1, k))
        .chain((1..windows).rev().map(|k| (k, k - 1)));
    for (from, to) in steps.collect::<Vec<_>>() {
        for (clock, parting) in parting.iter().enumerate() {
            radii[to][clock] = radii[to][clock].min(radii[from][clock] + parting);
        }
    }
}

/// A bound that is exceeded is an error of one of its clocks for certain, in
/// its window and most likely about as large in the next.
fn raise(radii: &mut [Vec<f64>], edges: &[Edge], master: Option<usize>) {
    for edge in edges {
        let off = off(edge);
        let window = edge.window as usize;
        let near = window.saturating_sub(1)..=(window + 1).min(radii.len() - 1);
        for near in &mut radii[near] {
            for clock in [edge.low as usize, edge.high as usize] {
                if master != Some(clock) {
                    near[clock] = near[clock].max(off);
                }
            }
        }
    }
}

/// How far a clock may be off the line between measurements, in ns, because
/// something slewed it meanwhile.
const SLEWED: f64 = 30_000.0;

impl Known<'_> {
    /// How fast clocks part that wander for so many seconds.
    fn rate(&self, seconds: f64) -> f64 {
        let wander = self.wander.unwrap_or(0.0);
        PARTING.max(2e-9 * (wander * seconds).sqrt())
    }

    /// How fast a clock may part from the master's, in parts of one.
    fn parting(&self, clock: usize, seconds: f64) -> f64 {
        let measured = self.measured.get(clock).map_or(0, Vec::len);
        match self.aligned || measured > 1 || self.master == Some(clock) {
            true => self.rate(seconds),
            false => UNKNOWN_DRIFT,
        }
    }

    /// Finds how far each clock can be off the master's, by the best way, from
    /// what measurements say of it.
    fn reach(&self, radii: &mut [f64], direct: &Direct) {
        let mut peers: Vec<Vec<(u32, f64)>> = vec![Vec::new(); radii.len()];
        for &(low, high, half_width) in direct {
            peers[low as usize].push((high, half_width));
            peers[high as usize].push((low, half_width));
        }
        // Half-widths are not negative, so their bits order as they do.
        let entry = |clock: usize, radius: f64| Reverse((radius.to_bits(), clock));
        let mut heap: BinaryHeap<_> = (radii.iter().enumerate())
            .filter(|(_, radius)| radius.is_finite())
            .map(|(clock, radius)| entry(clock, *radius))
            .collect();
        while let Some(Reverse((bits, clock))) = heap.pop() {
            let radius = f64::from_bits(bits);
            if radius > radii[clock] {
                continue;
            }
            for &(peer, half_width) in &peers[clock] {
                let reached = radius + half_width;
                if reached < radii[peer as usize] {
                    radii[peer as usize] = reached;
                    heap.push(entry(peer as usize, reached));
                }
            }
        }
    }

    /// What measurements leave open, three standard deviations of one clock for
    /// about two of the difference of two that both wander; and what the maps
    /// differ from them by.
    fn by_measurements(&self, window: usize, windows: &Windows) -> Vec<f64> {
        let middle = (window as f64 + 0.5) * windows.length;
        let time = windows.begin + Duration(middle as i64);
        let wander = self.wander.unwrap_or(WANDER);
        let radius = |(clock, map): (usize, &ClockMap)| {
            let knots = self.measured.get(clock).map_or(&[][..], |knots| knots);
            let local: Timestamp = map.inverse(time);
            let moved = (self.by_measurement[clock].map(local) - time).abs().0 as f64;
            let nearest = knots.iter().map(|knot| (knot.time - local).abs().0).min();
            let slewed = nearest.map_or(0.0, |ns| (ns as f64 * PARTING).min(SLEWED));
            match deviation(knots, local, wander) {
                _ if self.master == Some(clock) => 0.0,
                Some(one) => 3.0 * one + moved + slewed,
                None => f64::INFINITY,
            }
        };
        self.maps.iter().enumerate().map(radius).collect()
    }
}
