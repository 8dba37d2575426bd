//! Finds what corrected clocks can be wrong by.
//!
//! *Bounds* follow from messages alone: no message takes less than no time, so
//! each bounds the difference of two clocks when it is received, and as far
//! around it as clocks may part meanwhile ([`rates`](super::rates)). That is
//! looked at by maps that are straight where the messages do not say otherwise,
//! as the clocks are; what the maps in use differ from these is known exactly.
//! How large errors are at least messages tell, too: by how far a map lies
//! outside of what they allow. A bound much wider than that is not worth its
//! name, and none is given.
//!
//! *Intervals* are what two fits to different messages differ by where clocks run
//! smoothly ([`halves`](super::halves)), else all that messages of the minimum
//! latency allow.

use std::f64::consts::SQRT_2;
use std::ops::Range;

use mpiscope_model::{Duration, Timestamp};

use super::asked::Everywhere;
use super::edges::Windows;
use super::feasible::{courses, Course};
use super::halves::deviations;
use super::map::ClockMap;
use super::minima::{self, Grid};
use super::rates::{pairs, Pair};
use super::traffic::{lower, Traffic};
use crate::uncertainty::{PairWidth, Uncertainty, Widths, PARTING, UNKNOWN};

/// What half-widths follow from.
pub(super) struct Known<'a> {
    pub everywhere: &'a Everywhere<'a>,
    pub traffic: &'a Traffic,
    pub maps: &'a [ClockMap],
    /// Maps by which clocks run as evenly as they do: those that a fit began with.
    pub even: &'a [ClockMap],
    /// The same fit to every other cell of time; none if there is no fit.
    pub half: &'a [ClockMap],
    /// That fit without leaning on operations being left together, if it does.
    pub without: &'a [ClockMap],
    /// Windows of the fit.
    pub fitted: Windows,
    pub master: Option<usize>,
    pub latency: Duration,
}

/// A bound may be as many times as large as what a hundredth of errors exceed for
/// certain; two of them may add up.
const WORTH: f64 = 5.0;
/// The errors that are looked at for that.
const EXCEEDED: f64 = 0.99;
/// Share of the minimum latency that messages are taken to need in 99 of 100 cases.
const NEEDED: f64 = 0.8;
/// Standard deviations by two fits that hold 99 of 100 errors, more than of a normal
/// distribution, as they differ from time to time.
const DEVIATIONS: f64 = 3.0;
/// Share of what the fastest messages between two clocks leave open at any time
/// that no fit sees: how much slower one direction always is. Of several peers of a
/// clock each has its own.
const UNSEEN: f64 = 0.76;
/// The rate that messages may leave possible for a clock that runs smoothly.
const SMOOTH: f64 = 2.0 * PARTING;
/// Two fits tell how good they are only if there are so many pieces of clocks.
const PIECES: usize = 120;
/// How much faster than the fit found them to part clocks may part.
const FOUND: f64 = 1.5;
/// Figures kept for all windows and clocks or pairs, if windows are not too few.
const FIGURES: usize = 1 << 16;
const WINDOWS: (usize, usize) = (8, 512);
/// Places at which each window is looked at: its ends, and those between.
const STEPS: usize = 4;

/// Finds the half-widths of all clocks in all windows.
pub(super) fn uncertainty(known: &Known, clock_of: Vec<u32>) -> Uncertainty {
    let grid = &known.traffic.grid;
    let (mut pairs, rate) = pairs(&known.traffic.minima, known.even, grid);
    let windows = windows(grid, known.maps.len() + pairs.len());
    let step = windows.length / STEPS as f64;
    let times: Vec<f64> = (0..=windows.count * STEPS)
        .map(|number| number as f64 * step)
        .collect();
    let reference = known.master.unwrap_or(0) as u32;
    let ahead = known.ahead(&times);
    allow_what_was_found(&mut pairs, &ahead, step);
    let mut courses = match known.maps.len() {
        0 => Vec::new(),
        clocks => courses(&pairs, clocks, reference, &times),
    };
    by_maps_in_use(&mut courses, &ahead);
    courses.sort_by_key(|course| (course.low, course.high));
    let least = least_errors(&courses, &known.events(&windows));
    let margin = rate * step / 2.0;
    let worth = WORTH * least;
    let bounds = (0..windows.count)
        .map(|window| known.bounds(&courses, window, reference, margin, worth))
        .collect();
    // Clocks are smooth only if messages show it, not where these are too late to tell.
    let shown = pairs.iter().filter(|pair| pair.rate <= SMOOTH).count() * 2 >= pairs.len();
    let smooth = least == 0.0 && rate <= PARTING && shown && known.is_fitted_finely();
    Uncertainty {
        clock_of,
        begin: windows.begin,
        master: reference,
        window: Duration(windows.length.ceil() as i64),
        bounds,
        intervals: known.intervals(&courses, &windows, reference, smooth),
    }
}

/// As many windows as make not too many figures, `each` of them so many.
fn windows(grid: &Grid, each: usize) -> Windows {
    let most = (FIGURES / each.max(1)).clamp(WINDOWS.0, WINDOWS.1);
    Windows::new(grid, grid.cells.div_ceil(most))
}

/// Returns what a hundredth of errors exceed for certain, in ns: how far from what
/// messages allow the clocks are by the maps in use. A hundredth of the time in which
/// both clocks are read, or of their events, whichever is less.
fn least_errors(courses: &[Course], events: &[Vec<u64>]) -> f64 {
    let (mut by_time, mut by_events) = (Vec::new(), Vec::new());
    for course in courses {
        let both = [course.low, course.high].map(|clock| &events[clock as usize]);
        let [low, high] = both.map(|events| reads(events));
        let read = low.start.max(high.start)..low.end.min(high.end);
        let counts = both[0].iter().zip(both[1]).map(|(low, high)| low + high);
        for (window, count) in counts
            .enumerate()
            .filter(|(window, _)| read.contains(window))
        {
            let (least, most) = course.limits[window * STEPS + STEPS / 2];
            let error = least.max(-most).max(0.0);
            by_time.push((error, 1));
            by_events.push((error, count));
        }
    }
    exceeded(by_time).min(exceeded(by_events))
}

/// The windows from the first event of a clock to its last.
fn reads(events: &[u64]) -> Range<usize> {
    let first = events.iter().position(|count| *count > 0);
    let last = events.iter().rposition(|count| *count > 0);
    first.unwrap_or(0)..last.map_or(0, |last| last + 1)
}

/// What a hundredth of weighted values exceed.
fn exceeded(mut values: Vec<(f64, u64)>) -> f64 {
    values.sort_by(|a, b| b.0.total_cmp(&a.0));
    let all: u64 = values.iter().map(|(_, weight)| weight).sum();
    let mut above = 0;
    for (value, weight) in values {
        above += weight;
        if above as f64 > (1.0 - EXCEEDED) * all as f64 {
            return value;
        }
    }
    0.0
}

/// Rounds up; infinity becomes [`UNKNOWN`].
fn ticks(half_width: f64) -> Duration {
    Duration(half_width.ceil() as i64)
}

/// The limits of a course over a window.
fn within(course: &Course, window: usize) -> &[(f64, f64)] {
    &course.limits[window * STEPS..=(window + 1) * STEPS]
}

/// Two clocks part at least as fast as the fit found them to, whatever messages that come
/// late leave possible over long times.
fn allow_what_was_found(pairs: &mut [Pair], ahead: &[Vec<f64>], step: f64) {
    for pair in pairs {
        let (low, high) = (&ahead[pair.low as usize], &ahead[pair.high as usize]);
        let apart = low.iter().zip(high).map(|(low, high)| high - low);
        let apart: Vec<f64> = apart.collect();
        let steepest = apart.windows(2).map(|two| (two[1] - two[0]).abs());
        let found = steepest.fold(0.0, f64::max) / step.max(1.0);
        pair.rate = pair.rate.max(FOUND * found);
    }
}

/// From the difference of two clocks by even maps to that by the maps in use.
fn by_maps_in_use(courses: &mut [Course], ahead: &[Vec<f64>]) {
    for course in courses {
        let (low, high) = (&ahead[course.low as usize], &ahead[course.high as usize]);
        for ((limits, low), high) in course.limits.iter_mut().zip(low).zip(high) {
            let moved = high - low;
            *limits = (limits.0 - moved, limits.1 - moved);
        }
    }
}

impl Known<'_> {
    /// How far each even map is ahead of the map in use, at these times.
    fn ahead(&self, times: &[f64]) -> Vec<Vec<f64>> {
        let begin = self.traffic.grid.begin;
        let ahead = |clock: usize| -> Vec<f64> {
            let (even, map) = (&self.even[clock], &self.maps[clock]);
            if even == map {
                return vec![0.0; times.len()];
            }
            let at = |since: &f64| {
                let local = map.inverse(begin + Duration(*since as i64));
                (even.map(local) - map.map(local)).0 as f64
            };
            times.iter().map(at).collect()
        };
        (0..self.maps.len()).map(ahead).collect()
    }

    /// Returns how many events read each clock in each window.
    fn events(&self, windows: &Windows) -> Vec<Vec<u64>> {
        let ends: Vec<Timestamp> = (0..=windows.count)
            .map(|window| windows.begin + Duration((window as f64 * windows.length) as i64))
            .collect();
        let shown = |map: &ClockMap| ends.iter().map(|end| map.inverse(*end)).collect();
        let shown: Vec<Vec<Timestamp>> = self.maps.iter().map(shown).collect();
        self.everywhere.counted(&shown)
    }

    /// The bounds of one window; those above what they are `worth` are unknown.
    fn bounds(
        &self,
        courses: &[Course],
        window: usize,
        reference: u32,
        margin: f64,
        worth: f64,
    ) -> Widths {
        let widest = |course: &Course| {
            let farther = |(least, most): &(f64, f64)| least.abs().max(most.abs());
            let limits = within(course, window).iter().map(farther);
            Some(limits.fold(0.0, f64::max) + margin).filter(|most| *most <= worth)
        };
        self.collect(courses, reference, |width, sum| width < sum, widest)
    }

    /// Puts together what is known of courses: of clocks by those with the
    /// reference, and of pairs that are `wanted`, given the sum of their clocks'.
    fn collect(
        &self,
        courses: &[Course],
        reference: u32,
        wanted: impl Fn(f64, f64) -> bool,
        width: impl Fn(&Course) -> Option<f64>,
    ) -> Widths {
        let mut of_clock = vec![f64::INFINITY; self.maps.len()];
        if let Some(master) = of_clock.get_mut(reference as usize) {
            *master = 0.0;
        }
        let with_reference = |course: &Course| match (course.low, course.high) {
            (low, high) if low == reference => Some(high as usize),
            (low, high) if high == reference => Some(low as usize),
            _ => None,
        };
        for course in courses {
            if let (Some(clock), Some(width)) = (with_reference(course), width(course)) {
                of_clock[clock] = width;
            }
        }
        let mut pairs = Vec::new();
        for course in courses
            .iter()
            .filter(|course| with_reference(course).is_none())
        {
            let Course { low, high, .. } = *course;
            let sum = of_clock[low as usize] + of_clock[high as usize];
            if let Some(width) = width(course).filter(|width| wanted(*width, sum)) {
                pairs.push(PairWidth {
                    low,
                    high,
                    half_width: ticks(width),
                });
            }
        }
        Widths {
            of_clock: of_clock.into_iter().map(ticks).collect(),
            pairs,
        }
    }

    fn is_fitted_finely(&self) -> bool {
        self.half.len() == self.maps.len()
            && self.fitted.count * self.maps.len().saturating_sub(1) >= PIECES
    }

    fn intervals(
        &self,
        courses: &[Course],
        windows: &Windows,
        reference: u32,
        smooth: bool,
    ) -> Vec<Widths> {
        let middle = |window: usize| {
            windows.begin + Duration(((window as f64 + 0.5) * windows.length) as i64)
        };
        let middles: Vec<Timestamp> = (0..windows.count).map(middle).collect();
        let deviations = match smooth {
            true => {
                let near = (2.0 * self.fitted.length / windows.length).ceil() as usize;
                deviations(self.maps, self.half, self.without, &middles, near)
            }
            false => Vec::new(),
        };
        let unseen = self.unseen();
        let needed = NEEDED * self.latency.0 as f64;
        let of_window = |window: usize| {
            let allowed = |course: &Course| {
                let limits = within(course, window).iter();
                let most = limits.map(|(least, most)| least.abs().max(most.abs()));
                let most = most.fold(0.0, f64::max);
                most.is_finite().then_some((most - needed).max(1.0))
            };
            let mut widths = self.collect(courses, reference, |_, _| true, allowed);
            for (clock, width) in widths.of_clock.iter_mut().enumerate() {
                let found = deviations.get(window).filter(|_| self.is_fitted(clock));
                // What no message connects with the master's clock no fit knows.
                if let Some(found) = found.filter(|_| *width != UNKNOWN) {
                    let of_two = SQRT_2 * DEVIATIONS * found[clock];
                    *width = ticks(of_two.hypot(unseen) / 2.0);
                }
            }
            if smooth {
                let fitted = |clock: u32| self.is_fitted(clock as usize);
                widths
                    .pairs
                    .retain(|pair| !(fitted(pair.low) && fitted(pair.high)));
            }
            widths
        };
        (0..windows.count).map(of_window).collect()
    }

    /// Whether a clock's map is of the fit, or what the fit refers to.
    fn is_fitted(&self, clock: usize) -> bool {
        self.master == Some(clock) || self.half[clock] != self.maps[clock]
    }

    /// What no fit sees: a share of half of what the fastest messages of both
    /// directions leave open, at any time, in the middle over all pairs.
    fn unseen(&self) -> f64 {
        let minima = &self.traffic.minima;
        let mut found: Vec<i64> = minima
            .chunk_by(|a, b| a.pair() == b.pair())
            .filter_map(|of_pair| {
                let (low, _) = of_pair[0].pair();
                let [mut forth, mut back] = [None, None];
                for (minimum, duration, _) in minima::by(of_pair, self.maps) {
                    let least = if minimum.from == low {
                        &mut forth
                    } else {
                        &mut back
                    };
                    lower(least, duration.0);
                }
                let sum = i64::saturating_add(forth?, back?);
                Some((sum / 2).saturating_sub(self.latency.0).max(0))
            })
            .collect();
        if found.is_empty() {
            return 0.0;
        }
        let peers = (2 * found.len()) as f64 / self.maps.len() as f64;
        let middle = (found.len() - 1) / 2;
        UNSEEN * *found.select_nth_unstable(middle).1 as f64 / peers.max(1.0).sqrt()
    }
}
