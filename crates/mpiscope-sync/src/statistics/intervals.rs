//! How far events were moved, and how the intervals between them changed.

use mpiscope_model::{Duration, Timestamp};

/// How far events were moved from one column of times to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Displacement {
    /// All events.
    pub events: u64,
    /// Those moved.
    pub moved: u64,
    /// All displacements together, in ns, without signs.
    pub sum: u128,
    /// The farthest that an event was moved.
    pub worst: Duration,
}

impl Displacement {
    /// Returns the mean over all events, in ns.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.events.max(1) as f64
    }

    /// Adds an event that was moved so far.
    #[inline]
    pub(super) fn add(&mut self, by: Duration) {
        self.events += 1;
        self.moved += u64::from(by > Duration::ZERO);
        self.sum += by.0 as u128;
        self.worst = self.worst.max(by);
    }

    /// Adds the events of another location.
    pub fn merge(&mut self, other: &Displacement) {
        self.events += other.events;
        self.moved += other.moved;
        self.sum += other.sum;
        self.worst = self.worst.max(other.worst);
    }
}

/// Returns how far the events of one location were moved.
pub fn displacement(before: &[Timestamp], after: &[Timestamp]) -> Displacement {
    let mut found = Displacement::default();
    let events = before.len().min(after.len());
    let blocks = before[..events].chunks(BLOCK);
    for (before, after) in blocks.zip(after[..events].chunks(BLOCK)) {
        found.events += before.len() as u64;
        if before == after {
            continue;
        }
        let mut sums = (0u64, 0i64, 0u64, 0u64);
        for (before, after) in before.iter().zip(after) {
            let by = (*after - *before).abs().0;
            sums.0 += u64::from(by > 0);
            sums.1 = sums.1.max(by);
            // Together no more than 2^74.
            sums.2 += by as u64 & 0xffff_ffff;
            sums.3 += by as u64 >> 32;
        }
        found.moved += sums.0;
        found.worst = found.worst.max(Duration(sums.1));
        found.sum += u128::from(sums.2) + (u128::from(sums.3) << 32);
    }
    found
}

/// As many events are summed up in words of 64 bits, without a branch.
const BLOCK: usize = 1024;

/// Changes of intervals in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Changes {
    /// Intervals changed this way.
    pub count: u64,
    /// All changes together, in ns.
    pub sum: u128,
    /// The largest change.
    pub worst: Duration,
    /// The largest change as a share of the interval's length, of intervals
    /// of at least [`Distortion::RELATIVE_FROM`].
    pub worst_share: f64,
}

impl Changes {
    fn add(&mut self, by: i64, length: i64) {
        self.count += 1;
        self.sum += by as u128;
        self.worst.0 = self.worst.0.max(by);
        if length >= Distortion::RELATIVE_FROM.0 {
            self.worst_share = self.worst_share.max(by as f64 / length as f64);
        }
    }

    fn merge(&mut self, other: &Changes) {
        self.count += other.count;
        self.sum += other.sum;
        self.worst = self.worst.max(other.worst);
        self.worst_share = self.worst_share.max(other.worst_share);
    }
}

/// How the intervals between neighbouring events of a location changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distortion {
    /// All intervals.
    pub intervals: u64,
    /// Their length together, in ns, before the change.
    pub length: u128,
    /// Those that became longer.
    pub grown: Changes,
    /// Those that became shorter.
    pub shrunk: Changes,
}

impl Distortion {
    /// Shares of shorter intervals say nothing: one tick may be all of them.
    pub const RELATIVE_FROM: Duration = Duration(1_000);

    /// Returns the mean change in ns over all intervals, without signs.
    pub fn mean(&self) -> f64 {
        (self.grown.sum + self.shrunk.sum) as f64 / self.intervals.max(1) as f64
    }

    /// Returns all changes together as a share of all time.
    pub fn mean_share(&self) -> f64 {
        (self.grown.sum + self.shrunk.sum) as f64 / self.length.max(1) as f64
    }

    /// Adds an interval.
    #[inline]
    pub(super) fn add(&mut self, before: Duration, after: Duration) {
        let length = before.0.max(0);
        let change = after.0.saturating_sub(length);
        self.intervals += 1;
        self.length += length as u128;
        match change {
            0 => {}
            1.. => self.grown.add(change, length),
            _ => self.shrunk.add(change.saturating_neg(), length),
        }
    }

    /// Adds the intervals of another location.
    pub fn merge(&mut self, other: &Distortion) {
        self.intervals += other.intervals;
        self.length += other.length;
        self.grown.merge(&other.grown);
        self.shrunk.merge(&other.shrunk);
    }
}

/// Returns how the intervals of one location changed. An interval that was
/// negative before, as a clock ran backwards, counts as none.
pub fn distortion(before: &[Timestamp], after: &[Timestamp]) -> Distortion {
    let mut found = Distortion::default();
    for (before, after) in before.windows(2).zip(after.windows(2)) {
        found.add(before[1] - before[0], after[1] - after[0]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times<const N: usize>(times: [i64; N]) -> [Timestamp; N] {
        times.map(Timestamp)
    }

    #[test]
    fn moved_events_are_counted_with_how_far() {
        let found = displacement(&times([0, 10, 20, 30]), &times([0, 15, 21, 30]));
        assert_eq!((found.events, found.moved), (4, 2));
        assert_eq!((found.worst, found.mean()), (Duration(5), 1.5));
    }

    #[test]
    fn intervals_grow_and_shrink() {
        let before = times([0, 2_000, 4_000, 4_000, 4_100]);
        let after = times([0, 2_500, 4_000, 4_007, 4_107]);
        let found = distortion(&before, &after);
        assert_eq!((found.intervals, found.length), (4, 4_100));
        assert_eq!((found.grown.count, found.grown.worst), (2, Duration(500)));
        assert_eq!(found.grown.worst_share, 0.25);
        assert_eq!((found.shrunk.count, found.shrunk.worst), (1, Duration(500)));
        assert_eq!(found.mean(), 1007.0 / 4.0);
        assert_eq!(found.mean_share(), 1007.0 / 4100.0);
    }

    #[test]
    fn a_clock_that_ran_backwards_had_no_interval_there() {
        let found = distortion(&times([9, 5, 6]), &times([9, 9, 9]));
        assert_eq!((found.grown.count, found.shrunk.worst), (0, Duration(1)));
    }
}
