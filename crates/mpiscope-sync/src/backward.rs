//! Backward amortization: a ramp before each jump.
//!
//! The forward sweep moves a receive by a jump, and what came before it stays:
//! the interval before the receive grows by all of it at once. A ramp spreads
//! the jump over what precedes it (Rabenseifner 1997; Linford 2007,
//! figure 3.1). From right to left the displacement falls with a given slope,
//! until it meets the forward curve:
//!
//! ```text
//!   displacement            ______ jump
//!                      ____/|
//!     limit of a send x     |        lower slope: where nothing is in the way
//!              ______/      |___     steeper: towards a send that cannot move
//!   ______----'  forward curve       farther, lest its receive come too early
//! ```
//!
//! A send's limit is what its receivers leave it. The ramp is the greatest
//! convex curve below all limits that ends in the jump and is nowhere flatter
//! than the slope: the largest individual slope first, then on from that send,
//! as the papers have it. Receives inside a ramp may only gain from it. Several
//! ramps compose by the larger, so no interval is stretched twice.
//!
//! Only forward values enter the limits, all arithmetic is exact and in
//! integers, rounded down last; so locations are smoothed in any order.

use rayon::prelude::*;

use crate::latest::Latest;
use crate::limits::{Limits, NO_LIMIT};
use crate::records::{Record, Records};

/// How many records ahead their limits are asked for.
const AHEAD: usize = 8;

/// The slope of a ramp where no limit is in the way, in multiples of 2⁻³².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope(u64);

/// A displacement in multiples of 2⁻³² ticks.
pub(crate) type Fine = i128;

/// Returns a whole displacement in fine units.
pub(crate) fn fine(offset: i64) -> Fine {
    Fine::from(offset) << 32
}

/// Rounds a displacement down to whole ticks.
pub(crate) fn whole(offset: Fine) -> i64 {
    (offset >> 32).clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

impl Slope {
    /// Returns the slope of a ramp that is `interval` times as long as its
    /// jump; none if that is nothing.
    pub fn new(interval: f64) -> Option<Slope> {
        (interval > 0.0).then(|| Slope(((4_294_967_296.0 / interval) as u64).clamp(1, 1 << 52)))
    }

    /// Returns how much a ramp rises over `distance` ≥ 0.
    pub fn rise(self, distance: i64) -> Fine {
        Fine::from(distance) * Fine::from(self.0)
    }
}

/// A displacement at a time.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// The record it belongs to.
    index: usize,
    time: i64,
    offset: i64,
}

impl Point {
    fn of(index: usize, record: &Record) -> Point {
        Point {
            index,
            time: record.time,
            offset: record.offset(),
        }
    }

    /// Returns a ramp's displacement at an earlier time.
    fn ramp(&self, slope: Slope, time: i64) -> Fine {
        fine(self.offset) - slope.rise(self.time.saturating_sub(time))
    }

    /// Returns the way to a later point: displacement and time.
    fn to(&self, later: &Point) -> (i128, i128) {
        let offset = i128::from(later.offset) - i128::from(self.offset);
        (offset, i128::from(later.time) - i128::from(self.time))
    }

    /// Returns the displacement between two points, the earlier one's if
    /// there is no time between them.
    fn between(&self, later: &Point, time: i64) -> i64 {
        let (rise, length) = self.to(later);
        let distance = i128::from(time) - i128::from(self.time);
        match length {
            0 => self.offset,
            _ => self.offset + (rise * distance).div_euclid(length) as i64,
        }
    }
}

/// Whether the way `a` is at least as steep as the way `b`.
fn steeper(a: (i128, i128), b: (i128, i128)) -> bool {
    a.0 * b.1 >= b.0 * a.1
}

/// Raises the events before all jumps; returns how many ramps that made.
pub(crate) fn smooth(slope: Slope, delta: i64, limits: &Limits, records: &mut Records) -> u64 {
    let smoother = || Smoother::new(slope, delta, limits);
    (records.all.par_iter_mut())
        .map_init(smoother, |smoother, records| smoother.smooth(records))
        .sum()
}

/// Smooths locations, one after the other.
pub(crate) struct Smoother<'l, 'a> {
    slope: Slope,
    /// The least time between two events, where the caller insists on one.
    delta: i64,
    limits: &'l Limits<'a>,
    latest: [Latest; 2],
    /// Limits that a ramp may run into, in the order of events, each with the
    /// one before it on their lower convex hull.
    hull: Vec<(Point, Option<usize>)>,
    /// Ramps made on this location so far.
    ramps: u64,
}

impl<'l, 'a> Smoother<'l, 'a> {
    pub fn new(slope: Slope, delta: i64, limits: &'l Limits<'a>) -> Self {
        Smoother {
            slope,
            delta,
            limits,
            latest: Default::default(),
            hull: Vec::new(),
            ramps: 0,
        }
    }

    /// Raises the events before each jump of a location; returns how many
    /// ramps that made.
    pub fn smooth(&mut self, records: &mut [Record]) -> u64 {
        self.ramps = 0;
        let mut end = records.len();
        while let Some(mut jump) = records[..end].iter().rposition(|record| record.jump) {
            while jump > 0 && records[jump - 1].event == records[jump].event {
                jump -= 1;
            }
            end = self.survey(jump, records);
            self.raise(end, jump, records);
        }
        if self.delta > 0 {
            keep_apart(records, self.delta);
        }
        self.ramps
    }

    /// Goes left from a jump while its ramp is above the forward curve, and
    /// gathers the limits on the way; returns the first record below it.
    fn survey(&mut self, jump: usize, records: &[Record]) -> usize {
        self.hull.clear();
        let mut top = Point::of(jump, &records[jump]);
        let mut begin = jump;
        for (index, record) in records[..jump].iter().enumerate().rev() {
            if let Some(soon) = index.checked_sub(AHEAD) {
                self.limits.look_ahead(&records[soon]);
            }
            let ramp = top.ramp(self.slope, record.time);
            if ramp <= fine(record.offset()) {
                break;
            }
            begin = index;
            let limit = self.limit(index, record);
            if let Some(limit) = limit.filter(|limit| fine(limit.offset) < ramp) {
                top = limit;
                self.hull.push((limit, None));
                if limit.offset <= record.offset() {
                    break;
                }
            }
        }
        self.hull.reverse();
        for number in 1..self.hull.len() {
            let point = self.hull[number].0;
            self.hull[number].1 = Some(self.tangent(number - 1, &point));
        }
        begin
    }

    fn limit(&mut self, index: usize, record: &Record) -> Option<Point> {
        let limit = self.limits.of(record, &mut self.latest);
        (limit != NO_LIMIT).then(|| Point {
            index,
            time: record.time,
            offset: limit.saturating_sub(record.time),
        })
    }

    /// Returns the limit, the `last` or one before, towards which the lower
    /// convex hull of them goes on from a later point.
    fn tangent(&self, last: usize, later: &Point) -> usize {
        let mut at = last;
        while let (point, Some(before)) = &self.hull[at] {
            if !steeper(self.hull[*before].0.to(point), point.to(later)) {
                break;
            }
            at = *before;
        }
        at
    }

    /// Returns the limit that a ramp goes on to from a later point, if it is
    /// in the way: `steep` from it to there.
    fn steep(&self, at: Option<usize>, later: &Point) -> Option<usize> {
        at.filter(|&at| {
            let (rise, length) = self.hull[at].0.to(later);
            (rise << 32) > length * i128::from(self.slope.0)
        })
    }

    /// Raises the records from `begin` up to a jump to their ramps.
    fn raise(&mut self, begin: usize, jump: usize, records: &mut [Record]) {
        // The end of the ramp's current piece, its begin if that is a limit,
        // and the limits left of here.
        let mut end = Point::of(jump, &records[jump]);
        let mut left = self.hull.len();
        let mut goal = self.next(left, &end);
        self.ramps += 1;
        for index in (begin..jump).rev() {
            let record = &mut records[index];
            if left > 0 && self.hull[left - 1].0.index == index {
                left -= 1;
            }
            let offset = match goal {
                Some(goal) => self.hull[goal].0.between(&end, record.time),
                None => whole(end.ramp(self.slope, record.time)),
            };
            if record.jump && offset < record.offset() {
                end = Point::of(index, record);
                goal = self.next(left, &end);
                self.ramps += 1;
                continue;
            }
            if offset > record.offset() {
                record.corrected = record.time.saturating_add(offset);
            }
            if goal == Some(left) && self.hull[left].0.index == index {
                let (point, before) = self.hull[left];
                end = point;
                goal = self.steep(before, &end);
            }
        }
    }

    /// Returns the limit that a ramp from a jump runs into first, of the first
    /// `left` ones.
    fn next(&self, left: usize, jump: &Point) -> Option<usize> {
        let last = left.checked_sub(1)?;
        self.steep(Some(self.tangent(last, jump)), jump)
    }
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
