//! What is drawn: the course of each clock against its straight line.

use mpiscope_archive::model::{Duration, OffsetMeasurement, Timestamp, Trace};
use mpiscope_sync::{ClockMap, Correction, UNKNOWN};

use crate::report::places::Places;
use crate::report::show;

/// Curves that are drawn; more cannot be told apart.
const MOST: usize = 24;
/// Points at which a band is drawn.
const BAND_POINTS: i64 = 120;

/// A time since the begin and how far ahead the clock is then, in ns.
pub type Point = (f64, f64);

/// A lowest and a highest value.
pub type Range = (f64, f64);

/// All that is drawn.
#[derive(Debug, Default)]
pub struct Curves {
    /// Above the picture.
    pub title: String,
    /// First and last event, in ns since the begin of the picture.
    pub traced: [f64; 2],
    /// Those that leave their lines farthest, in the order of clocks.
    pub shown: Vec<Curve>,
    /// How many clocks there are beside the master's.
    pub all: usize,
}

/// The course of one clock.
#[derive(Debug, Default)]
pub struct Curve {
    /// Whose clock it is.
    pub name: String,
    /// What was taken off.
    pub line: ClockLine,
    /// How far ahead the clock is while events are recorded: a course that
    /// was fitted to them says nothing about other times.
    pub path: Vec<Point>,
    /// What it may be instead: time, lowest, highest; in pieces.
    pub bands: Vec<Vec<(f64, f64, f64)>>,
    /// Comparisons with the master's clock, with their half-widths.
    pub measured: Vec<(f64, f64, f64)>,
    /// What the course was fitted to.
    pub knots: Vec<Point>,
}

/// How far ahead a clock is, but for what the picture shows.
#[derive(Debug, Default, Clone, Copy)]
pub struct ClockLine {
    begin: i64,
    /// At the begin, in ns.
    ahead: f64,
    slope: f64,
}

impl ClockLine {
    /// Takes the line through the first and last of some points.
    fn through(points: &[(Timestamp, f64)]) -> ClockLine {
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return ClockLine::default();
        };
        let elapsed = (last.0 - first.0).0 as f64;
        let slope = if elapsed > 0.0 {
            (last.1 - first.1) / elapsed
        } else {
            0.0
        };
        ClockLine {
            begin: first.0 .0,
            ahead: first.1,
            slope,
        }
    }

    fn at(&self, time: Timestamp) -> f64 {
        self.ahead + self.slope * time.0.saturating_sub(self.begin) as f64
    }

    /// Returns the line as a legend gives it.
    pub fn text(&self) -> String {
        let drift = match self.slope {
            0.0 => String::new(),
            slope => format!(", {:+.3} ppm", slope * 1e6),
        };
        format!("{}{drift}", show::duration(self.ahead))
    }
}

impl Curves {
    /// Gathers the curves of a corrected trace.
    pub fn new(title: String, trace: &Trace, correction: &Correction) -> Curves {
        let places = Places::clocks(trace);
        let ends = |column: &Vec<Timestamp>| Some([*column.first()?, *column.last()?]);
        let ends = correction.interpolated.iter().filter_map(ends);
        let traced = ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        let mut source = Source {
            trace,
            correction,
            traced: traced.unwrap_or_default(),
            begin: traced.unwrap_or_default()[0],
            master: master(correction),
        };
        let clocks = 0..correction.maps.len() as u32;
        let measured = trace.clocks.iter().flat_map(|it| it.measurements.first());
        let first = measured.map(|it| it.time + it.offset).min();
        source.begin = first.map_or(source.begin, |first| first.min(source.begin));
        let mut all: Vec<(u32, Curve)> = clocks
            .filter_map(|clock| Some((clock, source.curve(clock, places.name(clock))?)))
            .collect();
        let count = all.len();
        let wander = |curve: &Curve| curve.path.iter().map(|it| it.1.abs()).fold(0.0, f64::max);
        all.sort_by(|a, b| wander(&b.1).total_cmp(&wander(&a.1)));
        all.truncate(MOST);
        all.sort_by_key(|(clock, _)| *clock);
        Curves {
            title,
            traced: source.traced.map(|time| source.since_begin(time)),
            shown: all.into_iter().map(|(_, curve)| curve).collect(),
            all: count,
        }
    }

    /// Returns first and last time of all that is known.
    pub fn times(&self) -> Range {
        let measured = self.shown.iter().flat_map(|curve| &curve.measured);
        let [first, last] = self.traced;
        measured.fold((first, last), |(first, last), it| {
            (first.min(it.0), last.max(it.0))
        })
    }

    /// Returns lowest and highest offset in a range of time, with a margin.
    pub fn offsets(&self, (first, last): Range) -> Range {
        let mut lines = (0.0, 0.0);
        let mut bands = (0.0, 0.0);
        let inside = |time: f64| (first..=last).contains(&time);
        for curve in &self.shown {
            let drawn = curve.path.iter().chain(&curve.knots);
            for &(_, ahead) in drawn.filter(|it| inside(it.0)) {
                extend(&mut lines, ahead, 0.0);
            }
            for &(_, ahead, half_width) in curve.measured.iter().filter(|it| inside(it.0)) {
                extend(&mut lines, ahead, half_width);
            }
            for &(_, low, high) in curve.bands.iter().flatten().filter(|it| inside(it.0)) {
                extend(&mut bands, low, 0.0);
                extend(&mut bands, high, 0.0);
            }
        }
        // A band far wider than all else may leave the picture.
        let room = 20.0 * (lines.1 - lines.0).max(1_000.0);
        let low = lines.0.min(bands.0.max(lines.0 - room));
        let high = lines.1.max(bands.1.min(lines.1 + room));
        let margin = 0.08 * (high - low).max(10.0);
        (low - margin, high + margin)
    }
}

fn extend(range: &mut Range, middle: f64, half_width: f64) {
    range.0 = range.0.min(middle - half_width);
    range.1 = range.1.max(middle + half_width);
}

/// The clock that others are mapped to: the first whose times stay.
fn master(correction: &Correction) -> Option<u32> {
    let stays = |map: &ClockMap| map.knots().iter().all(|knot| knot.offset == Duration::ZERO);
    let master = correction.maps.iter().position(stays);
    master.map(|clock| clock as u32)
}

struct Source<'a> {
    trace: &'a Trace,
    correction: &'a Correction,
    traced: [Timestamp; 2],
    begin: Timestamp,
    master: Option<u32>,
}

impl Source<'_> {
    fn since_begin(&self, time: Timestamp) -> f64 {
        (time - self.begin).0 as f64
    }

    fn measurements(&self, clock: u32) -> &[OffsetMeasurement] {
        let domain = self.trace.clocks.get(clock as usize);
        domain.map_or(&[], |domain| &domain.measurements)
    }

    fn curve(&self, clock: u32, name: String) -> Option<Curve> {
        let map = &self.correction.maps[clock as usize];
        if map.is_identity() || self.master == Some(clock) {
            return None;
        }
        let ahead = |master: Timestamp| (map.inverse(master) - master).0 as f64;
        let times = self.times(map);
        let mut ends: Vec<(Timestamp, f64)> = (self.measurements(clock).iter())
            .map(|it| (it.time + it.offset, -it.offset.0 as f64))
            .collect();
        if ends.len() < 2 {
            ends = self.traced.map(|time| (time, ahead(time))).into();
        }
        let line = ClockLine::through(&ends);
        let point = |time: Timestamp, ahead: f64| (self.since_begin(time), ahead - line.at(time));
        let measured = self.measurements(clock).iter().map(|it| {
            let (time, ahead) = point(it.time + it.offset, -it.offset.0 as f64);
            (time, ahead, it.half_width.0 as f64)
        });
        let knots = map.knots().iter().filter(|_| map.knots().len() > 2);
        let knots = knots.map(|it| (it.time + it.offset, -it.offset.0 as f64));
        let knots = knots.filter(|it| (self.traced[0]..=self.traced[1]).contains(&it.0));
        Some(Curve {
            name,
            line,
            path: times.iter().map(|&time| point(time, ahead(time))).collect(),
            bands: self.bands(clock, &|time| point(time, ahead(time))),
            measured: measured.collect(),
            knots: knots.map(|(time, ahead)| point(time, ahead)).collect(),
        })
    }

    /// Where a curve may bend, and just before it jumps, in master time.
    fn times(&self, map: &ClockMap) -> Vec<Timestamp> {
        let [first, last] = self.traced;
        let mut times = vec![first, last];
        for knot in map.knots() {
            let at = knot.time + knot.offset;
            times.push(at);
            if knot.after_step {
                times.push(map.map(Timestamp(knot.time.0.saturating_sub(1))));
            }
        }
        times.retain(|time| (first..=last).contains(time));
        times.sort_unstable();
        times.dedup();
        times
    }

    /// The band over the traced time, in pieces where something is known.
    fn bands(&self, clock: u32, point: &dyn Fn(Timestamp) -> Point) -> Vec<Vec<(f64, f64, f64)>> {
        let [first, last] = self.traced;
        let Some(master) = self.master.filter(|_| first < last) else {
            return Vec::new();
        };
        let step = ((last - first).0 / BAND_POINTS).max(1) as usize;
        let mut bands = vec![Vec::new()];
        for time in (first.0..=last.0).step_by(step).map(Timestamp) {
            let uncertainty = &self.correction.uncertainty;
            let width = uncertainty.interval_between(master, clock, time);
            let (at, ahead) = point(time);
            match (width, bands.last_mut()) {
                (UNKNOWN, Some(band)) if !band.is_empty() => bands.push(Vec::new()),
                (UNKNOWN, _) => {}
                (width, Some(band)) => {
                    let width = width.0 as f64;
                    band.push((at, ahead - width, ahead + width));
                }
                _ => {}
            }
        }
        bands.retain(|band| band.len() > 1);
        bands
    }
}
