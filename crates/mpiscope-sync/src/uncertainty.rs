//! By how much corrected times of two locations can be wrong against each
//! other.
//!
//! Within each window of time the messages between two clocks leave an
//! interval in which the clocks' difference must lie; its farther end is what
//! the correction can be wrong by. Where two clocks exchange nothing, errors
//! add up on the way through the master's clock.

use mpiscope_model::{Duration, LocationIndex, Timestamp};

/// Half-widths of all clocks' errors, window by window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncertainty {
    /// The clock of each location.
    pub clock_of: Vec<u32>,
    /// When the first window begins, in corrected time.
    pub begin: Timestamp,
    /// How long a window is.
    pub window: Duration,
    /// For each window and, in it, each clock: how far the clock can be off
    /// the master's. [`UNKNOWN`] if nothing tells.
    pub to_master: Vec<Vec<Duration>>,
    /// For each window the pairs that know better than the way through the
    /// master's clock, by number.
    pub pairs: Vec<Vec<PairWidth>>,
}

/// How far two clocks can be off each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairWidth {
    /// The clock of lower number.
    pub low: u32,
    /// The other.
    pub high: u32,
    /// Half of the interval their difference lies in.
    pub half_width: Duration,
}

/// Nothing tells.
pub const UNKNOWN: Duration = Duration(i64::MAX);

/// How fast two clocks may part where nothing holds them: crystals wander by
/// 0.1 ppm within minutes, and time daemons slew each by 0.3 ppm and, after a
/// disturbance, by several ppm.
pub(crate) const PARTING: f64 = 5e-6;

impl Uncertainty {
    /// Returns what the times of events at `a` and `b` can be wrong by against
    /// each other, at about `time`; [`UNKNOWN`] if nothing tells. Locations
    /// that read one clock cannot be wrong.
    pub fn half_width(&self, a: LocationIndex, b: LocationIndex, time: Timestamp) -> Duration {
        let clock = |location: LocationIndex| self.clock_of.get(location.index()).copied();
        let (Some(a), Some(b)) = (clock(a), clock(b)) else {
            return UNKNOWN;
        };
        self.between_clocks(a, b, time)
    }

    /// The same of two clocks.
    pub fn between_clocks(&self, a: u32, b: u32, time: Timestamp) -> Duration {
        if a == b {
            return Duration::ZERO;
        }
        let Some((window, outside)) = self.place(time) else {
            return UNKNOWN;
        };
        let radius = |clock: u32| {
            let radius = self.to_master[window].get(clock as usize);
            radius.copied().unwrap_or(UNKNOWN)
        };
        let key = (a.min(b), a.max(b));
        let pairs = &self.pairs[window];
        let direct = pairs.binary_search_by_key(&key, |pair| (pair.low, pair.high));
        let half_width = match direct {
            Ok(place) => pairs[place].half_width,
            Err(_) => radius(a) + radius(b),
        };
        match half_width {
            UNKNOWN => UNKNOWN,
            known => known + Duration((outside.0 as f64 * PARTING) as i64),
        }
    }

    /// The window of a time, or the nearest and how far from it.
    fn place(&self, time: Timestamp) -> Option<(usize, Duration)> {
        let last = self.to_master.len().checked_sub(1)?;
        let since = time - self.begin;
        let window = since.0.div_euclid(self.window.0.max(1));
        if window < 0 {
            return Some((0, since.abs()));
        }
        let end = Duration(self.window.0.saturating_mul(last as i64 + 1));
        let outside = (since - end).max(Duration::ZERO);
        Some(((window as usize).min(last), outside))
    }
}
