//! Points in time and the distances between them, in whole nanoseconds.
//!
//! A distance added to a point is a point, the difference of two points is a
//! distance, and two points cannot be added. Arithmetic saturates: a damaged
//! archive may hold any 64 bits, and no time stamp is worth a panic.
//!
//! ```
//! use mpiscope_model::{Duration, Timestamp};
//!
//! let sent = Timestamp(1_000);
//! let received = sent + Duration(1_234);
//! assert_eq!((received - sent).to_string(), "1.234 µs");
//! ```

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A point in time: ticks of one nanosecond since an origin that the trace sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

/// A distance in time, in ticks of one nanosecond; may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(pub i64);

impl Timestamp {
    /// The earliest time that can be written.
    pub const MIN: Timestamp = Timestamp(i64::MIN);
    /// The latest time that can be written.
    pub const MAX: Timestamp = Timestamp(i64::MAX);
}

impl Duration {
    /// No time at all.
    pub const ZERO: Duration = Duration(0);
    /// The smallest distance that can be told from none.
    pub const TICK: Duration = Duration(1);

    /// Returns the distance in seconds, rounded to what a double holds.
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 * 1e-9
    }

    /// Returns the distance without its sign.
    pub fn abs(self) -> Duration {
        Duration(self.0.saturating_abs())
    }
}

impl Add<Duration> for Timestamp {
    type Output = Timestamp;
    fn add(self, distance: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(distance.0))
    }
}

impl AddAssign<Duration> for Timestamp {
    fn add_assign(&mut self, distance: Duration) {
        *self = *self + distance;
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Timestamp;
    fn sub(self, distance: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(distance.0))
    }
}

impl SubAssign<Duration> for Timestamp {
    fn sub_assign(&mut self, distance: Duration) {
        *self = *self - distance;
    }
}

impl Sub for Timestamp {
    type Output = Duration;
    fn sub(self, earlier: Timestamp) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Duration {
    type Output = Duration;
    fn add(self, other: Duration) -> Duration {
        Duration(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Duration) {
        *self = *self + other;
    }
}

impl Sub for Duration {
    type Output = Duration;
    fn sub(self, other: Duration) -> Duration {
        Duration(self.0.saturating_sub(other.0))
    }
}

impl Neg for Duration {
    type Output = Duration;
    fn neg(self) -> Duration {
        Duration(self.0.saturating_neg())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&in_units(self.0))
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&in_units(self.0))
    }
}

/// Writes `ticks` in the largest unit of which it has at least one, exactly.
fn in_units(ticks: i64) -> String {
    const UNITS: [(u64, usize, &str); 3] = [
        (1_000_000_000, 9, "s"),
        (1_000_000, 6, "ms"),
        (1_000, 3, "µs"),
    ];
    let sign = if ticks < 0 { "-" } else { "" };
    let size = ticks.unsigned_abs();
    for (unit, digits, name) in UNITS {
        if size >= unit {
            let fraction = format!("{:0digits$}", size % unit);
            let fraction = fraction.trim_end_matches('0');
            let point = if fraction.is_empty() { "" } else { "." };
            return format!("{sign}{}{point}{fraction} {name}", size / unit);
        }
    }
    format!("{sign}{size} ns")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_in_the_unit_that_suits_them() {
        let shown = |ticks| Duration(ticks).to_string();
        assert_eq!(shown(0), "0 ns");
        assert_eq!(shown(999), "999 ns");
        assert_eq!(shown(1_234), "1.234 µs");
        assert_eq!(shown(-20_000), "-20 µs");
        assert_eq!(shown(1_050_000), "1.05 ms");
        assert_eq!(shown(61_000_000_001), "61.000000001 s");
        assert_eq!(shown(i64::MIN), "-9223372036.854775808 s");
    }

    #[test]
    fn extremes_saturate() {
        assert_eq!(Timestamp::MAX + Duration(1), Timestamp::MAX);
        assert_eq!(Timestamp::MIN - Timestamp::MAX, Duration(i64::MIN));
        assert_eq!(-Duration(i64::MIN), Duration(i64::MAX));
    }
}
