//! The ramps of one location, jump by jump from right to left.

use std::ops::Range;

use mpiscope_model::Timestamp;

use crate::forward::Pace;
use crate::latest::Latest;
use crate::limits::Limits;
use crate::ramp::{steeper, Piece, Point, Slope};
use crate::receipts::NO_LIMIT;
use crate::records::Record;

/// How many records ahead their limits are asked for.
const AHEAD: usize = 8;

/// The ramps of one location.
#[derive(Debug, Default)]
pub(crate) struct Ramps {
    /// Their parts, from left to right.
    pub pieces: Vec<Piece>,
    /// How many jumps they lead up to.
    pub count: u64,
}

/// Smooths locations, one after the other.
pub(super) struct Smoother<'l, 'a> {
    slope: Slope,
    pace: Pace,
    limits: &'l Limits<'a>,
    latest: [Latest; 2],
    /// Where the interval of a jump begins and the limits in it, from left to
    /// right, each with the one before it on their lower convex hull.
    interval: Vec<(Point, usize)>,
    /// The corners of one ramp.
    corners: Vec<Point>,
    /// The ramps made on this location so far, from right to left.
    ramps: Ramps,
}

impl<'l, 'a> Smoother<'l, 'a> {
    pub fn new(slope: Slope, pace: Pace, limits: &'l Limits<'a>) -> Self {
        Smoother {
            slope,
            pace,
            limits,
            latest: Default::default(),
            interval: Vec::new(),
            corners: Vec::new(),
            ramps: Ramps::default(),
        }
    }

    /// Raises the events before each jump of a location.
    pub fn smooth(&mut self, times: &[Timestamp], records: &mut [Record]) -> Ramps {
        let Some(first) = times.first() else {
            return Ramps::default();
        };
        let mut end = records.len();
        while let Some(jump) = records[..end].iter().rposition(|record| record.jump) {
            let jump = first_role(jump, records);
            if records[jump].event == 0 {
                break;
            }
            end = self.survey(jump, first.0, records);
            self.raise(jump, records);
        }
        if self.pace.delta > 0 {
            keep_apart(records, self.pace.delta);
        }
        self.ramps.pieces.reverse();
        std::mem::take(&mut self.ramps)
    }

    /// Goes left from a jump while its ideal line is above the forward curve,
    /// and gathers the limits on the way; returns the first record after that.
    fn survey(&mut self, jump: usize, first: i64, records: &[Record]) -> usize {
        let end = Point::of(jump, &records[jump]);
        let mut met = Point {
            time: first,
            offset: 0,
            records: 0,
        };
        self.interval.clear();
        for (number, record) in records[..jump].iter().enumerate().rev() {
            if let Some(soon) = number.checked_sub(AHEAD) {
                self.limits.look_ahead(&records[soon]);
            }
            let within = end.above(self.slope, record) && record.event > 0;
            let limit = within.then(|| self.limit(number, record));
            match limit {
                Some(None) => {}
                Some(Some(limit)) if limit.offset > record.offset() => {
                    self.interval.push((limit, 0));
                }
                _ => {
                    met = Point::of(number, record);
                    break;
                }
            }
        }
        met = met.meets(&end, self.slope, self.pace.kappa);
        self.interval.push((met, 0));
        self.interval.reverse();
        for number in 1..self.interval.len() {
            let point = self.interval[number].0;
            self.interval[number].1 = self.tangent(number - 1, &point);
        }
        met.records
    }

    fn limit(&mut self, number: usize, record: &Record) -> Option<Point> {
        let limit = self.limits.of(record, &mut self.latest);
        (limit != NO_LIMIT).then(|| Point::at(number, record, limit.saturating_sub(record.time)))
    }

    /// Returns the limit, the `last` or one before, towards which the lower
    /// convex hull of them goes on from a later point.
    fn tangent(&self, last: usize, later: &Point) -> usize {
        let mut at = last;
        while at > 0 {
            let (point, before) = &self.interval[at];
            if !steeper(self.interval[*before].0.to(point), point.to(later)) {
                break;
            }
            at = *before;
        }
        at
    }

    /// Raises the records of the interval before a jump.
    fn raise(&mut self, jump: usize, records: &mut [Record]) {
        let mut end = Point::of(jump, &records[jump]);
        let mut left = self.interval.len();
        while let Some(higher) = self.higher(&end, left, records) {
            let inner = self.interval[..left].partition_point(|it| it.0.records <= higher.records);
            self.ramp(higher, inner..left, end, records);
            (end, left) = (higher, inner);
        }
        self.ramp(self.interval[0].0, 1..left, end, records);
    }

    /// Returns the last jump that is higher than the ramp would be there that
    /// leads from the interval's begin to `end`, after its `left` first limits.
    fn higher(&self, end: &Point, left: usize, records: &[Record]) -> Option<Point> {
        let mut right = *end;
        let mut at = self.tangent(left - 1, end);
        for number in (self.interval[0].0.records..end.records - 1).rev() {
            let record = &records[number];
            while at > 0 && number < self.interval[at].0.records {
                (right, at) = self.interval[at];
            }
            let begin = &self.interval[at].0;
            if record.jump && begin.line(&right, record.time) < record.offset() {
                let number = first_role(number, records);
                return Some(Point::of(number, &records[number]));
            }
        }
        None
    }

    /// Makes a ramp from one point to another below the limits between them.
    fn ramp(&mut self, begin: Point, limits: Range<usize>, end: Point, records: &mut [Record]) {
        self.corners.clear();
        self.corners.push(begin);
        for point in self.interval[limits].iter().map(|it| it.0).chain([end]) {
            while let [.., before, last] = self.corners[..] {
                if !steeper(before.to(&last), last.to(&point)) {
                    break;
                }
                self.corners.pop();
            }
            self.corners.push(point);
        }
        self.ramps.count += 1;
        for corners in self.corners.windows(2).rev() {
            let [begin, end] = [corners[0], corners[1]];
            for record in &mut records[begin.records..end.records] {
                let offset = begin.line(&end, record.time);
                if offset > record.offset() {
                    record.corrected = record.time.saturating_add(offset);
                }
            }
            self.ramps.pieces.push(Piece { begin, end });
        }
    }
}

/// Returns the first record of the event that a record belongs to.
fn first_role(number: usize, records: &[Record]) -> usize {
    let same = |record: &&Record| record.event == records[number].event;
    number - records[..number].iter().rev().take_while(same).count()
}

/// Takes back what brought two events closer than `delta`.
fn keep_apart(records: &mut [Record], delta: i64) {
    let mut later: Option<Record> = None;
    for record in records.iter_mut().rev() {
        let latest = later.map_or(i64::MAX, |later| match later.event == record.event {
            true => later.corrected,
            false => later.corrected.saturating_sub(delta),
        });
        record.corrected = record.corrected.min(latest);
        later = Some(*record);
    }
}
