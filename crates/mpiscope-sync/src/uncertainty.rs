//! By how much corrected times of two locations can be wrong against each
//! other.
//!
//! Two answers, window of time by window. A *bound* is what the messages allow
//! at most; it is given only where it is of the size of the errors, else it is
//! unknown. An *interval* holds the error in 99 of 100 cases.

use mpiscope_model::plain::{put_list, take_list, Plain};
use mpiscope_model::{plain, Duration, LocationIndex, Timestamp};

/// Half-widths of all clocks' errors, window by window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncertainty {
    /// The clock of each location.
    pub clock_of: Vec<u32>,
    /// When the first window begins, in corrected time.
    pub begin: Timestamp,
    /// How long a window is.
    pub window: Duration,
    /// The clock whose time is the time of all.
    pub master: u32,
    /// What clocks are wrong by at most, against the master's; two clocks by
    /// the sum. [`UNKNOWN`] where nothing tells, or nothing near enough.
    pub bounds: Vec<Widths>,
    /// What they are wrong by in 99 of 100 cases; two clocks, whichever, by the
    /// sum. [`UNKNOWN`] if nothing tells.
    pub intervals: Vec<Widths>,
}

/// Half-widths in one window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// Of each clock.
    pub of_clock: Vec<Duration>,
    /// Of pairs of clocks of which more is known, by number.
    pub pairs: Vec<PairWidth>,
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

impl Widths {
    /// Returns the half-width of two clocks.
    pub fn between(&self, a: u32, b: u32) -> Duration {
        let of = |clock: u32| {
            self.of_clock
                .get(clock as usize)
                .copied()
                .unwrap_or(UNKNOWN)
        };
        let key = (a.min(b), a.max(b));
        let direct = (self.pairs).binary_search_by_key(&key, |pair| (pair.low, pair.high));
        match (direct, of(a), of(b)) {
            (Ok(place), ..) => self.pairs[place].half_width,
            (Err(_), UNKNOWN, _) | (Err(_), _, UNKNOWN) => UNKNOWN,
            (Err(_), a, b) => a + b,
        }
    }
}

plain! { PairWidth { low, high, half_width } }

impl Uncertainty {
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        put_list(&self.clock_of, bytes);
        (self.begin, self.window, self.master).put(bytes);
        for widths in [&self.bounds, &self.intervals] {
            (widths.len() as u64).put(bytes);
            for widths in widths {
                put_list(&widths.of_clock, bytes);
                put_list(&widths.pairs, bytes);
            }
        }
    }

    pub(crate) fn take(bytes: &mut &[u8]) -> Option<Uncertainty> {
        fn all_widths(bytes: &mut &[u8]) -> Option<Vec<Widths>> {
            let windows = u64::take(bytes)?;
            let mut one = || {
                Some(Widths {
                    of_clock: take_list(bytes)?,
                    pairs: take_list(bytes)?,
                })
            };
            (0..windows).map(|_| one()).collect()
        }
        let clock_of = take_list(bytes)?;
        let (begin, window, master) = Plain::take(bytes)?;
        Some(Uncertainty {
            clock_of,
            begin,
            window,
            master,
            bounds: all_widths(bytes)?,
            intervals: all_widths(bytes)?,
        })
    }

    /// Returns what the times of events at `a` and `b` are wrong by against
    /// each other at most, at about `time`; [`UNKNOWN`] if nothing tells.
    /// Locations that read one clock cannot be wrong.
    pub fn bound(&self, a: LocationIndex, b: LocationIndex, time: Timestamp) -> Duration {
        let clocks = self.clocks(a, b);
        clocks.map_or(UNKNOWN, |(a, b)| self.bound_between(a, b, time))
    }

    /// Returns what they are wrong by in 99 of 100 cases.
    pub fn interval(&self, a: LocationIndex, b: LocationIndex, time: Timestamp) -> Duration {
        let clocks = self.clocks(a, b);
        clocks.map_or(UNKNOWN, |(a, b)| self.interval_between(a, b, time))
    }

    /// Returns the bound of two clocks.
    pub fn bound_between(&self, a: u32, b: u32, time: Timestamp) -> Duration {
        self.between(&self.bounds, a, b, time)
    }

    /// Returns the interval of two clocks.
    pub fn interval_between(&self, a: u32, b: u32, time: Timestamp) -> Duration {
        self.between(&self.intervals, a, b, time)
    }

    fn clocks(&self, a: LocationIndex, b: LocationIndex) -> Option<(u32, u32)> {
        let clock = |location: LocationIndex| self.clock_of.get(location.index()).copied();
        Some((clock(a)?, clock(b)?))
    }

    fn between(&self, widths: &[Widths], a: u32, b: u32, time: Timestamp) -> Duration {
        if a == b {
            return Duration::ZERO;
        }
        let Some((window, outside)) = self.place(widths.len(), time) else {
            return UNKNOWN;
        };
        let half_width = widths[window].between(a, b);
        match half_width {
            UNKNOWN => UNKNOWN,
            known => known + Duration((outside.0 as f64 * PARTING) as i64),
        }
    }

    /// The window of a time, or the nearest and how far from it.
    fn place(&self, windows: usize, time: Timestamp) -> Option<(usize, Duration)> {
        let last = windows.checked_sub(1)?;
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
