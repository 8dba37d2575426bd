//! What ramps are made of: displacements at times, straight lines between.
//!
//! All of it is exact and in integers; a displacement on a line is rounded
//! down last.

use crate::forward::Kappa;
use crate::records::Record;

/// A displacement in multiples of 2⁻³² ticks.
pub(crate) type Fine = i128;

/// Returns a whole displacement in fine units.
fn fine(offset: i64) -> Fine {
    Fine::from(offset) << 32
}

/// The slope of a ramp that no limit is in the way of, in multiples of 2⁻³².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope(u64);

impl Slope {
    /// Returns the slope of a ramp that is `interval` times as long as its
    /// jump; none if that is nothing.
    pub fn new(interval: f64) -> Option<Slope> {
        (interval > 0.0).then(|| Slope(((4_294_967_296.0 / interval) as u64).clamp(1, 1 << 52)))
    }

    /// Returns how much a ramp rises over `distance` ≥ 0.
    fn rise(self, distance: i64) -> Fine {
        Fine::from(distance) * Fine::from(self.0)
    }
}

/// A displacement at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub time: i64,
    pub offset: i64,
    /// How many records come before the next point, its own and all earlier ones.
    pub records: usize,
}

impl Point {
    /// Returns where a record is.
    pub fn of(number: usize, record: &Record) -> Point {
        Point::at(number, record, record.offset())
    }

    /// Returns where a record would be with another displacement.
    pub fn at(number: usize, record: &Record, offset: i64) -> Point {
        Point {
            time: record.time,
            offset,
            records: number + 1,
        }
    }

    /// Returns the displacement at an earlier time on the line that falls to
    /// the left with a slope.
    pub fn falling(&self, slope: Slope, time: i64) -> Fine {
        fine(self.offset) - slope.rise(self.time.saturating_sub(time))
    }

    /// Whether that line is above a record.
    pub fn above(&self, slope: Slope, record: &Record) -> bool {
        self.falling(slope, record.time) > fine(record.offset())
    }

    /// Returns the last point before `end` where its line is not yet above
    /// what is left of this displacement.
    pub fn meets(&self, end: &Point, slope: Slope, kappa: Kappa) -> Point {
        let line = end.falling(slope, self.time);
        let decaying = (fine(self.offset) - line) / (Fine::from(slope.0) + kappa.share());
        let gone = -line / Fine::from(slope.0);
        let most = end.time.saturating_sub(self.time);
        let distance = decaying.max(gone).clamp(0, Fine::from(most)) as i64;
        Point {
            time: self.time + distance,
            offset: (self.offset - kappa.decay(distance)).max(0),
            records: self.records,
        }
    }

    /// Returns the way to a later point: displacement and time.
    pub fn to(&self, later: &Point) -> (i128, i128) {
        let offset = i128::from(later.offset) - i128::from(self.offset);
        (offset, i128::from(later.time) - i128::from(self.time))
    }

    /// Returns the displacement on the line to a later point; this one's if
    /// there is no time between them.
    pub fn line(&self, later: &Point, time: i64) -> i64 {
        let (rise, length) = self.to(later);
        let distance = i128::from(time) - i128::from(self.time);
        match length {
            0 => self.offset,
            _ => self.offset + (rise * distance).div_euclid(length) as i64,
        }
    }
}

/// Whether the way `a` is at least as steep as the way `b`.
pub(crate) fn steeper(a: (i128, i128), b: (i128, i128)) -> bool {
    a.0 * b.1 >= b.0 * a.1
}

/// A straight part of a ramp: of the events after its begin, up to the record
/// at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub begin: Point,
    pub end: Point,
}

impl Piece {
    /// Returns the displacement of an event, if this is not before its begin.
    pub fn at(&self, time: i64) -> i64 {
        match time >= self.begin.time {
            true => self.begin.line(&self.end, time),
            false => 0,
        }
    }
}
