//! What is known of two clocks within one window of time.
//!
//! Of each direction the fastest message counts: what it took beyond the
//! minimum latency, its slack, is by how much the receiver's clock may be
//! behind what its map says, against the sender's. Two directions make an
//! interval, in which the difference of the two clocks must lie.

use std::borrow::Cow;

use mpiscope_model::{Duration, Timestamp};
use rayon::prelude::*;

use super::map::ClockMap;
use super::minima::{by, Grid, Minimum, CELLS_PER_WINDOW};

/// The tightest bound of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    /// Duration of the fastest message less the minimum latency, in ns.
    pub slack: f64,
    /// When it was received, in ns since the grid's begin.
    pub time: f64,
}

/// Two clocks in one window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    /// The clock of lower number.
    pub low: u32,
    /// The other.
    pub high: u32,
    pub window: u32,
    /// From low to high: error(high) − error(low) is at most its slack.
    pub forth: Option<Bound>,
    /// From high to low.
    pub back: Option<Bound>,
}

impl Edge {
    /// Of no clocks.
    const NONE: Edge = Edge {
        low: 0,
        high: 0,
        window: 0,
        forth: None,
        back: None,
    };

    /// Returns half of the interval in which the clocks' difference lies.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.forth?.slack + self.back?.slack) / 2.0)
    }

    /// Returns the middle of that interval: error(high) − error(low).
    pub fn middle(&self) -> Option<f64> {
        Some((self.forth?.slack - self.back?.slack) / 2.0)
    }

    fn add(&mut self, other: &Edge) {
        let tighter = |mine: Option<Bound>, other: Option<Bound>| match (mine, other) {
            (Some(a), Some(b)) if b.slack < a.slack => Some(b),
            (None, b) => b,
            (a, _) => a,
        };
        self.forth = tighter(self.forth, other.forth);
        self.back = tighter(self.back, other.back);
    }
}

/// Windows of equal length, each of some cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    pub begin: Timestamp,
    pub cells_per_window: u32,
    pub count: usize,
    /// Length of a window in ns.
    pub length: f64,
}

impl Windows {
    pub fn new(grid: &Grid, cells_per_window: usize) -> Windows {
        let cells_per_window = cells_per_window.min(grid.cells);
        let span = ((grid.end - grid.begin).0 as f64).max(1.0);
        Windows {
            begin: grid.begin,
            cells_per_window: cells_per_window as u32,
            count: grid.cells.div_ceil(cells_per_window),
            length: span * cells_per_window as f64 / grid.cells as f64,
        }
    }

    /// The shortest windows of about `least` ns or more, unless that makes too
    /// few.
    pub fn at_least(grid: &Grid, least: f64) -> Windows {
        let mut windows = Windows::new(grid, CELLS_PER_WINDOW);
        while windows.count >= 4 * FEWEST && windows.length * 1.5 < least {
            windows = Windows::new(grid, windows.cells_per_window as usize * 2);
        }
        windows
    }

    /// Returns in how many windows there are messages of one pair, which lie in their order.
    fn crossed_by(&self, of_pair: &[Minimum]) -> usize {
        let mut count = 0;
        let mut end = 0;
        for minimum in of_pair {
            if count == 0 || minimum.cell >= end {
                let window = minimum.cell / self.cells_per_window;
                end = (window + 1).saturating_mul(self.cells_per_window);
                count += 1;
            }
        }
        count
    }

    /// Returns when a window begins; the last ends at one more.
    pub fn knot(&self, number: usize) -> Timestamp {
        self.begin + Duration((number as f64 * self.length) as i64)
    }

    /// Returns a time in ns since the begin.
    pub fn since_begin(&self, time: Timestamp) -> f64 {
        (time - self.begin).0 as f64
    }
}

/// In so many parts of a window the fastest messages are tried by each map: within one, clocks
/// do not drift far enough for another to become the fastest.
const PARTS: u32 = 16;

/// Returns of each direction between two clocks the fastest message by `maps` in each part of a
/// window. Long windows hold hundreds of cells, most of which would never tell anything.
pub(super) fn thinned<'a>(
    minima: &'a [Minimum],
    maps: &[ClockMap],
    windows: &Windows,
) -> Cow<'a, [Minimum]> {
    let cells = windows.cells_per_window / PARTS;
    if cells < 2 {
        return Cow::Borrowed(minima);
    }
    let pairs = minima.par_chunk_by(|a, b| a.pair() == b.pair());
    let of_some = pairs.fold(Vec::new, |mut kept, of_pair| {
        keep_fastest(&mut kept, of_pair, maps, cells);
        kept
    });
    Cow::Owned(of_some.reduce(Vec::new, joined))
}

/// Adds to `kept` the fastest of one pair of clocks in each `cells` cells.
fn keep_fastest(kept: &mut Vec<Minimum>, of_pair: &[Minimum], maps: &[ClockMap], cells: u32) {
    let mut part = u32::MAX;
    // The fastest of either direction, and what it takes.
    let mut fastest: [Option<(Duration, Minimum)>; 2] = [None, None];
    let mut end = |fastest: &mut [Option<(Duration, Minimum)>; 2]| {
        let found = fastest.iter_mut().filter_map(Option::take);
        kept.extend(found.map(|(_, minimum)| minimum));
    };
    for (minimum, duration, _) in by(of_pair, maps) {
        if minimum.cell / cells != part {
            end(&mut fastest);
            part = minimum.cell / cells;
        }
        let slot = &mut fastest[usize::from(minimum.from > minimum.to)];
        if slot.is_none_or(|(least, _)| duration < least) {
            *slot = Some((duration, *minimum));
        }
    }
    end(&mut fastest);
}

fn joined<T>(mut some: Vec<T>, mut others: Vec<T>) -> Vec<T> {
    some.append(&mut others);
    some
}

/// Evaluates the fastest messages by `maps`.
pub(super) fn edges(
    minima: &[Minimum],
    maps: &[ClockMap],
    windows: &Windows,
    latency: Duration,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    Skeleton::new(minima, windows).evaluate(maps, latency, &mut edges);
    edges
}

/// Which messages belong to which edge: that is the same for all maps, so that edges are
/// evaluated where they lie.
pub(super) struct Skeleton<'a> {
    windows: Windows,
    /// The messages of each pair of clocks, and how many edges they make.
    pairs: Vec<(&'a [Minimum], usize)>,
}

impl<'a> Skeleton<'a> {
    pub fn new(minima: &'a [Minimum], windows: &Windows) -> Skeleton<'a> {
        let pairs = minima.par_chunk_by(|a, b| a.pair() == b.pair());
        let pairs = pairs.map(|of_pair| (of_pair, windows.crossed_by(of_pair)));
        Skeleton {
            windows: *windows,
            pairs: pairs.collect(),
        }
    }

    /// Evaluates all edges by `maps`; what `edges` held before does not matter.
    pub fn evaluate(&self, maps: &[ClockMap], latency: Duration, edges: &mut Vec<Edge>) {
        let count = self.pairs.iter().map(|(_, edges)| edges).sum();
        edges.resize(count, Edge::NONE);
        let mut rest = &mut edges[..];
        let mut pieces = Vec::with_capacity(self.pairs.len());
        for (of_pair, count) in &self.pairs {
            let (mine, others) = rest.split_at_mut(*count);
            pieces.push((*of_pair, mine));
            rest = others;
        }
        (pieces.into_par_iter())
            .for_each(|(of_pair, edges)| evaluate(of_pair, maps, &self.windows, latency, edges));
    }
}

/// Evaluates the messages of one pair of clocks, window by window.
fn evaluate(
    of_pair: &[Minimum],
    maps: &[ClockMap],
    windows: &Windows,
    latency: Duration,
    edges: &mut [Edge],
) {
    let Some((low, high)) = of_pair.first().map(Minimum::pair) else {
        return;
    };
    let mut edges = edges.iter_mut();
    let mut before = Edge::NONE;
    let mut edge = &mut before;
    // The cells of the window that the edge is of.
    let mut cells = 0..0;
    for (minimum, duration, received) in by(of_pair, maps) {
        if !cells.contains(&minimum.cell) {
            let window = minimum.cell / windows.cells_per_window;
            let begin = window * windows.cells_per_window;
            cells = begin..begin + windows.cells_per_window;
            let Some(next) = edges.next() else { return };
            edge = next;
            *edge = Edge {
                low,
                high,
                window,
                ..Edge::NONE
            };
        }
        let bound = Bound {
            slack: (duration - latency).0 as f64,
            time: windows.since_begin(received),
        };
        let direction = match minimum.from == low {
            true => &mut edge.forth,
            false => &mut edge.back,
        };
        if direction.is_none_or(|known| bound.slack < known.slack) {
            *direction = Some(bound);
        }
    }
}

/// Evaluates those of one pair of clocks; `edges` is given for its room.
pub(super) fn of_pair<'e>(
    of_pair: &[Minimum],
    maps: &[ClockMap],
    windows: &Windows,
    latency: Duration,
    edges: &'e mut Vec<Edge>,
) -> &'e [Edge] {
    edges.resize(windows.crossed_by(of_pair), Edge::NONE);
    evaluate(of_pair, maps, windows, latency, edges);
    edges
}

/// Adds an edge to the last, if this is of the same clocks and window.
fn merge(edges: &mut Vec<Edge>, edge: &Edge) {
    match edges.last_mut() {
        Some(last) if (last.low, last.high, last.window) == (edge.low, edge.high, edge.window) => {
            last.add(edge);
        }
        _ => edges.push(*edge),
    }
}

/// Half-widths above this, in ns, are waits rather than messages.
pub(super) const TIGHT: f64 = 4000.0;

/// In so many minimum latencies the same: where processes share cores, a
/// message of one direction may wait in all windows, and middles lie far off.
const TIGHT_IN_LATENCIES: f64 = 6.0;

/// Returns the half-width above which a middle tells nothing.
pub(super) fn telling(latency: Duration) -> f64 {
    TIGHT.min(TIGHT_IN_LATENCIES * latency.0 as f64)
}

/// Clocks by which each clock should be held in a window.
const WANTED: u32 = 3;

/// Clocks that shall be, of all clocks and windows.
const SHARE: f64 = 0.9;

/// Fewer windows are none.
pub(super) const FEWEST: usize = 4;

/// Chooses the shortest windows in which nearly all clocks are held tightly by
/// three others, or by as many as they regularly exchange messages with; none
/// shorter than `least`, in ns, unless there would be too few.
pub(super) fn choose_windows(
    minima: &[Minimum],
    maps: &[ClockMap],
    grid: &Grid,
    least: f64,
) -> Windows {
    let mut windows = Windows::at_least(grid, least);
    let mut edges = edges(minima, maps, &windows, Duration::ZERO);
    while windows.count >= 2 * FEWEST && !dense(&edges, maps.len(), windows.count) {
        let wider = Windows::new(grid, windows.cells_per_window as usize * 2);
        let mut merged = Vec::with_capacity(edges.len());
        for edge in &edges {
            let window = edge.window / 2;
            merge(&mut merged, &Edge { window, ..*edge });
        }
        (windows, edges) = (wider, merged);
    }
    windows
}

fn dense(edges: &[Edge], clocks: usize, windows: usize) -> bool {
    let mut peers = vec![0u32; clocks];
    let mut held = vec![0u32; clocks * windows];
    for of_pair in edges.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        let tight = |edge: &&Edge| edge.half_width().is_some_and(|half| half < TIGHT);
        let regular = of_pair.iter().filter(tight).count() * 2 >= windows;
        for edge in of_pair.iter().filter(tight) {
            held[edge.low as usize * windows + edge.window as usize] += 1;
            held[edge.high as usize * windows + edge.window as usize] += 1;
        }
        peers[of_pair[0].low as usize] += u32::from(regular);
        peers[of_pair[0].high as usize] += u32::from(regular);
    }
    let mut enough = 0;
    let mut all = 0;
    for (held, peers) in held.chunks(windows).zip(&peers) {
        // Clocks that never exchange anything need not be waited for.
        if held.iter().any(|held| *held > 0) {
            let wanted = (*peers).clamp(1, WANTED);
            all += windows;
            enough += held.iter().filter(|held| **held >= wanted).count();
        }
    }
    all > 0 && enough as f64 >= SHARE * all as f64
}
