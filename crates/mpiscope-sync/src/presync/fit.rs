//! Clock errors from all messages: the most probable course of every clock.
//!
//! Each clock's error is piecewise linear over windows of time. A window's
//! fastest messages bound the difference of two clocks from both sides; what
//! is most probable lies near the middle and never outside. Clocks wander
//! smoothly, and offset measurements say where they began and ended. This is
//! a maximum a posteriori estimate by robust least squares ([`system`]). As
//! the fastest message may be another one once the clocks are corrected, it
//! is repeated on the corrected times.

mod band;
mod common;
mod exits;
mod system;

use mpiscope_model::{Duration, Timestamp};

use super::edges::{telling, Bound, Edge, Skeleton, Windows, FEWEST, TIGHT};
use super::map::{ClockMap, Knot};
use super::measured::deviation;
use super::minima::Minimum;
use super::traffic::Traffic;
use common::join;
use system::{Layout, System, Term, PINNED};

/// What the fit starts from.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    /// The fastest messages.
    pub traffic: &'a Traffic,
    /// Windows that are short and still hold all clocks.
    pub windows: Windows,
    /// Maps that are right but for what is to be found.
    pub base: &'a [ClockMap],
    /// Minimum latency between clocks by these maps.
    pub latency: Duration,
    /// Offset measurements of each clock.
    pub measured: &'a [Vec<Knot>],
    /// Clocks whose base stays: the one whose time is the time of all, and
    /// those that a fit does no good.
    pub kept: &'a [bool],
    /// Whether members of an operation may be taken to leave it together.
    pub together: bool,
    /// Factor of the weight of middles. Where one direction is slower in most
    /// windows, bounds alone tell more.
    pub trust: f64,
}

/// How often fastest messages are chosen anew.
const ROUNDS: usize = 3;
/// Two-way edges per clock and window that are used: the tightest.
const EDGES_PER_CLOCK: u8 = 8;
/// Variance of a middle beyond what its half-width tells, in ns².
pub(super) const MIDDLE_VARIANCE: f64 = 150.0 * 150.0;
/// Weight of a bound that is exceeded: 50 ns.
const BOUND_WEIGHT: f64 = 1.0 / (50.0 * 50.0);

/// What is fitted to, and how smoothly.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Those of the traffic to fit to, thinned for the windows.
    pub minima: &'a [Minimum],
    pub windows: Windows,
    /// By how much clocks wander, in ns² per s³.
    pub wander: f64,
}

/// Maps, and the minimum latency between clocks by them.
pub(super) struct Fitted {
    pub maps: Vec<ClockMap>,
    pub latency: Duration,
}

/// Returns corrected maps, or `None` if messages do not tell enough. `from` are maps that may be
/// nearer to what is looked for than the base: the nearer, the sooner it is found. `latency`
/// finds the minimum latency between clocks, given maps; by maps to begin from it is known.
pub(super) fn fit(
    start: &Start,
    wanted: &Wanted,
    from: Option<&Fitted>,
    latency: &dyn Fn(&[ClockMap]) -> Duration,
) -> Option<Fitted> {
    let windows = wanted.windows;
    if windows.count < FEWEST {
        return None;
    }
    let layout = Layout {
        clocks: start.base.len(),
        knots: windows.count + 1,
    };
    let mut fitter = Fitter {
        start,
        layout,
        windows,
        wander: wanted.wander,
        latency: start.latency,
        exit_weight: exits::weight(start),
        errors: layout.zeros(),
    };
    let mut maps = start.base.to_vec();
    let mut least = None;
    if let Some(from) = from {
        maps.clone_from(&from.maps);
        fitter.set_out_from(&maps);
        least = Some(from.latency);
    }
    let skeleton = Skeleton::new(wanted.minima, &windows);
    let mut edges = Vec::new();
    for _ in 0..ROUNDS {
        skeleton.evaluate(&maps, least.unwrap_or(start.latency), &mut edges);
        let moved = fitter.round(&edges, &maps)?;
        maps = fitter.maps()?;
        // What later rounds move is too little to change how fast messages can be.
        least = least.or_else(|| Some(latency(&maps)));
        if moved < 10.0 {
            break;
        }
    }
    let latency = least?;
    Some(Fitted { maps, latency })
}

impl Fitted {
    /// Returns whether the messages fitted to are met no worse than by the base.
    pub fn is_no_worse(&self, start: &Start, wanted: &Wanted) -> bool {
        let skeleton = Skeleton::new(wanted.minima, &wanted.windows);
        let mut edges = Vec::new();
        let mut residual = |maps: &[ClockMap], latency| {
            skeleton.evaluate(maps, latency, &mut edges);
            residual(&edges)
        };
        residual(&self.maps, self.latency) <= residual(start.base, start.latency)
    }
}

/// Returns how badly edges are met, in ns: by how much bounds are exceeded, and
/// how far tight middles are missed.
fn residual(edges: &[Edge]) -> f64 {
    let exceeded = |bound: &Bound| (-bound.slack).max(0.0);
    let of_edge = |edge: &Edge| {
        let bounds = [edge.forth, edge.back];
        let exceeded: f64 = bounds.iter().flatten().map(exceeded).sum();
        let tight = edge.half_width().is_some_and(|half| half < TIGHT);
        match (tight, edge.middle()) {
            (true, Some(middle)) => exceeded + middle.abs(),
            _ => exceeded,
        }
    };
    edges.iter().map(of_edge).sum()
}

struct Fitter<'a> {
    start: &'a Start<'a>,
    layout: Layout,
    windows: Windows,
    wander: f64,
    latency: Duration,
    /// Of what operations tell whose members leave together; `None` if they do not.
    exit_weight: Option<f64>,
    /// As in vectors of the system, in ns, beyond the base.
    errors: Vec<f64>,
}

impl Fitter<'_> {
    fn clock(&self, clock: u32) -> u32 {
        match self.start.kept.get(clock as usize) {
            Some(false) => clock,
            _ => PINNED,
        }
    }

    /// The knot before a time and the share of the way to the next.
    fn place(&self, since_begin: f64) -> (u32, f64) {
        let place = (since_begin / self.windows.length).clamp(0.0, self.windows.count as f64);
        let knot = (place as u32).min(self.windows.count as u32 - 1);
        (knot, place - f64::from(knot))
    }

    /// Takes the errors that other maps have found, where this fit's knots are.
    fn set_out_from(&mut self, maps: &[ClockMap]) {
        let stride = self.layout.stride();
        for (clock, (map, base)) in maps.iter().zip(self.start.base).enumerate() {
            if self.clock(clock as u32) == PINNED {
                continue;
            }
            for knot in 0..self.layout.knots {
                let master = self.windows.knot(knot);
                let error = master - map.map(base.inverse(master));
                self.errors[knot * stride + clock] = error.0 as f64;
            }
        }
    }

    /// Fits once; returns how far the errors moved. `None` if there is
    /// nothing to fit to.
    fn round(&mut self, edges: &[Edge], maps: &[ClockMap]) -> Option<f64> {
        let length = self.windows.length * 1e-9;
        let mut system = System {
            layout: self.layout,
            smoothness: 1.0 / (self.wander / 1.5 * length.powi(3)),
            ..System::default()
        };
        let held = self.add_middles(edges, &mut system);
        self.add_exits(maps, &held, &mut system);
        self.add_bounds(edges, &mut system);
        if system.terms.is_empty() && system.together.is_empty() {
            return None;
        }
        self.add_anchors(&mut system);
        let before = self.errors.clone();
        system.solve(&mut self.errors);
        let moved = self.errors.iter().zip(&before).map(|(a, b)| (a - b).abs());
        Some(moved.fold(0.0, f64::max))
    }

    fn term(&self, plus: u32, minus: u32, since_begin: f64) -> Term {
        Term {
            plus: self.clock(plus),
            minus: self.clock(minus),
            at: self.place(since_begin),
            target: 0.0,
            weight: 0.0,
            bound: false,
        }
    }

    /// What the errors found so far say of a term.
    fn known(&self, term: &Term) -> f64 {
        self.layout.error(&self.errors, term.plus, term.at)
            - self.layout.error(&self.errors, term.minus, term.at)
    }

    /// Adds the tightest edges of each clock and window, and those that
    /// connect; returns which clocks are held in which window.
    fn add_middles(&self, edges: &[Edge], system: &mut System) -> Vec<u8> {
        let limit = telling(self.latency);
        let mut tight = Vec::new();
        for of_pair in edges.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
            let bias = bias(of_pair, self.latency.0 as f64);
            let telling = of_pair.iter().filter_map(|edge| {
                let half_width = edge.half_width().filter(|half| *half < limit)?;
                Some((half_width, bias, edge))
            });
            tight.extend(telling);
        }
        tight.sort_unstable_by(|(a, _, x), (b, _, y)| {
            let place = |edge: &Edge| (edge.window, edge.low, edge.high);
            a.total_cmp(b).then(place(x).cmp(&place(y)))
        });
        let clocks = self.start.base.len();
        let mut held = vec![0u8; clocks * self.windows.count];
        let mut groups: Vec<u32> = (0..held.len() as u32).collect();
        for (half_width, bias, edge) in tight {
            let place = |clock: u32| edge.window as usize * clocks + clock as usize;
            let (low, high) = (place(edge.low), place(edge.high));
            let connects = join(&mut groups, low as u32, high as u32);
            let wanted = held[low].min(held[high]) < EDGES_PER_CLOCK;
            if !(connects || wanted) {
                continue;
            }
            held[low] = held[low].saturating_add(1);
            held[high] = held[high].saturating_add(1);
            system.terms.extend(self.middle(edge, half_width, bias));
        }
        held
    }

    /// `bias` is the variance of what makes one direction slower than the other
    /// in all windows.
    fn middle(&self, edge: &Edge, half_width: f64, bias: f64) -> Option<Term> {
        let time = (edge.forth?.time + edge.back?.time) / 2.0;
        let term = self.term(edge.high, edge.low, time);
        Some(Term {
            target: self.known(&term) + edge.middle()?,
            weight: self.start.trust / (half_width * half_width / 4.0 + bias + MIDDLE_VARIANCE),
            ..term
        })
    }

    fn add_bounds(&self, edges: &[Edge], system: &mut System) {
        for edge in edges {
            let directions = [
                (edge.forth, edge.high, edge.low),
                (edge.back, edge.low, edge.high),
            ];
            for (bound, plus, minus) in directions {
                let Some(bound) = bound else { continue };
                let term = self.term(plus, minus, bound.time);
                system.terms.push(Term {
                    target: self.known(&term) + bound.slack,
                    weight: BOUND_WEIGHT,
                    bound: true,
                    ..term
                });
            }
        }
    }

    /// Holds each clock to its offset measurements: where they were made, or
    /// at the ends of the trace if that was outside.
    fn add_anchors(&self, system: &mut System) {
        let grid = &self.start.traffic.grid;
        for (clock, knots) in self.start.measured.iter().enumerate() {
            let base = &self.start.base[clock];
            if self.clock(clock as u32) == PINNED {
                continue;
            }
            let mut anchor = |local: Timestamp, offset: Duration, deviation: f64| {
                let mapped = base.map(local);
                let term = self.term(clock as u32, PINNED, self.windows.since_begin(mapped));
                system.terms.push(Term {
                    target: (mapped - (local + offset)).0 as f64,
                    weight: 1.0 / (deviation * deviation / 4.0 + MIDDLE_VARIANCE),
                    ..term
                });
            };
            let inside = |knot: &&Knot| {
                let mapped = base.map(knot.time);
                grid.begin <= mapped && mapped <= grid.end
            };
            for knot in knots.iter().filter(inside) {
                anchor(knot.time, knot.offset, knot.half_width.0 as f64);
            }
            for end in [grid.begin, grid.end] {
                let local = base.inverse(end);
                let offset = match knots[..] {
                    [only] => only.offset,
                    _ => base.map(local) - local,
                };
                if let Some(deviation) = deviation(knots, local, self.wander) {
                    anchor(local, offset, 2.0 * deviation);
                }
            }
        }
    }

    /// Composes the base with the errors: knots of both.
    fn maps(&self) -> Option<Vec<ClockMap>> {
        let windows = &self.windows;
        let of_clock = |clock: usize| {
            let errors: Vec<f64> = self.layout.of_clock(&self.errors, clock).collect();
            let base = &self.start.base[clock];
            let knot_time = |k: usize| base.inverse(windows.knot(k));
            let mut times: Vec<Timestamp> = (0..errors.len()).map(knot_time).collect();
            let (first, last) = (times.first().copied(), times.last().copied());
            let inside = |time: &Timestamp| first < Some(*time) && Some(*time) < last;
            let knots = base.knots().iter().map(|knot| knot.time);
            times.extend(knots.filter(inside));
            times.sort_unstable();
            times.dedup();
            let knot = |&time: &Timestamp| {
                let mapped = base.map(time);
                let since = windows.since_begin(mapped) / windows.length;
                let (left, _) = self.place(since * windows.length);
                let share = since - f64::from(left);
                let left = left as usize;
                let error = errors[left] * (1.0 - share) + errors[left + 1] * share;
                Knot {
                    time,
                    offset: mapped - time - Duration(error.round_ties_even() as i64),
                    after_step: base.steps_at(time),
                    ..Knot::default()
                }
            };
            let knots = times.iter().map(knot).collect();
            ClockMap::unchecked(knots)
        };
        (0..self.start.base.len()).map(of_clock).collect()
    }
}

/// What one direction is always slower by can be no more than the tightest
/// half-width of a pair, and no number of windows tells it: returns the
/// variance that keeps the windows of a pair together from telling more of it
/// than one. Up to the `latency` itself it is jitter, which windows do not
/// share; a message that takes twice as long has waited for something.
fn bias(of_pair: &[Edge], latency: f64) -> f64 {
    let half_widths = of_pair.iter().filter_map(Edge::half_width);
    let (mut windows, mut tightest) = (0.0, f64::INFINITY);
    for half_width in half_widths.filter(|half_width| *half_width < TIGHT) {
        windows += 1.0;
        tightest = half_width.min(tightest);
    }
    let least = (tightest - latency).max(0.0);
    match windows > 1.0 {
        true => (windows - 1.0) * least * least / 4.0,
        false => 0.0,
    }
}
