//! By how much corrected times of two locations can be wrong against each other, in 99 of 100
//! cases, and what that leaves open of times between them.
//!
//! Within a window of time the error of a clock is taken to be one and the same, so that what one
//! waited too little for another is what the other would have waited too much; from window to window
//! it is not known whether it changes its sign, and errors are added as if it did not.
//!
//! ```
//! use mpiscope_analysis::clock_errors::{ClockErrors, HalfWidths};
//! use mpiscope_model::{Duration, LocationIndex, Timestamp};
//!
//! let errors = ClockErrors {
//!     clock_of: vec![Some(0), Some(0), Some(1)],
//!     begin: Timestamp(0),
//!     window: Duration(1000),
//!     windows: vec![HalfWidths { of_clock: vec![Some(Duration(0)), Some(Duration(30))], pairs: vec![] }],
//! };
//! let between = |a, b| errors.half_width(LocationIndex(a), LocationIndex(b), Timestamp(500));
//! assert_eq!(between(0, 1), Some(Duration(0)));
//! assert_eq!(between(1, 2), Some(Duration(30)));
//! ```

use std::collections::BTreeMap;

use mpiscope_model::plain::{put_list, take_list};
use mpiscope_model::{plain, Duration, EventRef, LocationIndex, Timestamp, Trace};

use crate::wait_states::{Kind, WaitState};

/// By how much clocks can be wrong, window of time by window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockErrors {
    /// The clock of each location; nothing if it is not known.
    pub clock_of: Vec<Option<u32>>,
    /// When the first window begins.
    pub begin: Timestamp,
    /// How long a window is.
    pub window: Duration,
    /// The windows; times beyond them belong to the nearest.
    pub windows: Vec<HalfWidths>,
}

/// Half-widths of the intervals that hold clocks' errors in 99 of 100 cases, in one window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HalfWidths {
    /// Of each clock, against the one whose time is the time of all; of two clocks it is the sum.
    /// Nothing where nothing tells.
    pub of_clock: Vec<Option<Duration>>,
    /// Of pairs of clocks that know better: the lower number, the higher one; ascending.
    pub pairs: Vec<(u32, u32, Duration)>,
}

/// What clocks leave open of one wait state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// By how much its length can be wrong.
    pub half_width: Duration,
    /// It is below clock resolution: there may be none.
    pub is_below: bool,
}

/// One wait state's clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Between {
    window: u32,
    waiting: u32,
    cause: u32,
}

impl HalfWidths {
    fn of(&self, clock: u32) -> Option<Duration> {
        self.of_clock.get(clock as usize).copied().flatten()
    }

    fn between(&self, low: u32, high: u32) -> Option<Duration> {
        let pair = (self.pairs).binary_search_by_key(&(low, high), |it| (it.0, it.1));
        match pair {
            Ok(place) => Some(self.pairs[place].2),
            Err(_) => Some(self.of(low)? + self.of(high)?),
        }
    }
}

/// The half-widths of a window in nanoseconds: by clock, and of pairs that know better.
type ToldOfWindow<'a> = (&'a [Option<i64>], &'a [(u32, u32, i64)]);

impl ClockErrors {
    /// What is known of times that nobody corrected: that those of one clock agree.
    pub fn measured(trace: &Trace) -> ClockErrors {
        ClockErrors {
            clock_of: trace.clock_of_locations().into_iter().map(Some).collect(),
            ..ClockErrors::default()
        }
    }

    /// What a correction has told: the clocks of a trace's locations by their numbers, when the first
    /// window begins and how long each is, and the half-widths of each in nanoseconds, of clocks and
    /// of pairs that know better.
    pub fn told<'a>(
        trace: &Trace,
        clocks: impl IntoIterator<Item = (u64, u32)>,
        [begin, window]: [i64; 2],
        windows: impl IntoIterator<Item = ToldOfWindow<'a>>,
    ) -> ClockErrors {
        let clocks: BTreeMap<u64, u32> = clocks.into_iter().collect();
        let locations = trace.locations.iter();
        let of_window = |(of_clock, pairs): ToldOfWindow<'a>| {
            let pairs = pairs.iter();
            HalfWidths {
                of_clock: of_clock.iter().map(|it| it.map(Duration)).collect(),
                pairs: pairs.map(|it| (it.0, it.1, Duration(it.2))).collect(),
            }
        };
        ClockErrors {
            clock_of: locations.map(|it| clocks.get(&it.id).copied()).collect(),
            begin: Timestamp(begin),
            window: Duration(window),
            windows: windows.into_iter().map(of_window).collect(),
        }
    }

    /// Returns by how much times of two locations can be wrong against each other at some time;
    /// nothing if nothing tells. Those that read one clock cannot be wrong.
    pub fn half_width(
        &self,
        a: LocationIndex,
        b: LocationIndex,
        at: Timestamp,
    ) -> Option<Duration> {
        self.width(self.between(a, b, at)?)
    }

    /// Returns by how much times of a location can be wrong at some time, against those of the clock
    /// whose time is the time of all; nothing if nothing tells.
    pub fn of_location(&self, location: LocationIndex, at: Timestamp) -> Option<Duration> {
        let clock = self.clock_of.get(location.index()).copied().flatten()?;
        self.windows.get(self.window_of(at) as usize)?.of(clock)
    }

    /// Returns what is open of a wait state; nothing if nothing tells.
    pub fn of_wait(&self, trace: &Trace, state: &WaitState) -> Option<Open> {
        self.of_wait_in(state, || call_end(trace, state.call))
    }

    /// Returns what is open of a wait state in a call that ends then.
    ///
    /// There may be none if it is no longer than what its clocks can be wrong by; nor, within that,
    /// if a send ended when its receiver came.
    pub(crate) fn of_wait_in(
        &self,
        state: &WaitState,
        call_end: impl FnOnce() -> Option<Timestamp>,
    ) -> Option<Open> {
        let (waiting, cause) = (state.call.location, state.cause.location);
        let half_width = self.half_width(waiting, cause, state.end)?;
        let ended_then = || call_end().is_some_and(|end| end - state.end <= half_width);
        let may_not_wait = half_width > Duration::ZERO && state.kind == Kind::LateReceiver;
        Some(Open {
            half_width,
            is_below: half_width >= state.duration() || may_not_wait && ended_then(),
        })
    }

    fn between(
        &self,
        waiting: LocationIndex,
        cause: LocationIndex,
        at: Timestamp,
    ) -> Option<Between> {
        let clock = |of: LocationIndex| self.clock_of.get(of.index()).copied().flatten();
        Some(Between {
            window: self.window_of(at),
            waiting: clock(waiting)?,
            cause: clock(cause)?,
        })
    }

    fn window_of(&self, at: Timestamp) -> u32 {
        let since = at.0.saturating_sub(self.begin.0).max(0);
        let last = self.windows.len().saturating_sub(1);
        let window = since / self.window.0.max(1);
        usize::try_from(window).map_or(last, |it| it.min(last)) as u32
    }

    fn width(&self, of: Between) -> Option<Duration> {
        if of.waiting == of.cause {
            return Some(Duration::ZERO);
        }
        let (low, high) = (of.waiting.min(of.cause), of.waiting.max(of.cause));
        self.windows.get(of.window as usize)?.between(low, high)
    }
}

/// Returns when a call ended, by the event that entered it.
fn call_end(trace: &Trace, enter: EventRef) -> Option<Timestamp> {
    let events = &trace.locations.get(enter.location.index())?.events;
    let end = events.call_end(enter.index as usize)?;
    Some(events.times()[end])
}

/// What the clocks leave open of wait states that are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// Half of the interval that holds the sum of all others than those below, if each clock is
    /// within its own.
    pub half_width: Duration,
    /// Wait states that are no longer than what clocks can be wrong by: there may be none.
    pub below_times: u64,
    /// How long these are, together.
    pub below: Duration,
    /// Wait states of which it is not known by how much clocks can be wrong.
    pub unknown_times: u64,
    /// How long these are, together.
    pub unknown: Duration,
}

impl Resolution {
    /// Adds a wait state that is so long, and of which so much is open.
    pub(crate) fn add(&mut self, time: Duration, open: Option<Open>) {
        match open {
            None => {
                self.unknown_times += 1;
                self.unknown += time;
            }
            Some(open) if open.is_below => {
                self.below_times += 1;
                self.below += time;
            }
            Some(open) => self.half_width += open.half_width,
        }
    }

    /// Adds others, as if all errors had the same sign.
    pub(crate) fn merge(&mut self, other: &Resolution) {
        self.half_width += other.half_width;
        self.below_times += other.below_times;
        self.below += other.below;
        self.unknown_times += other.unknown_times;
        self.unknown += other.unknown;
    }

    /// Returns whether clocks leave nothing open.
    pub fn is_exact(&self) -> bool {
        *self == Resolution::default()
    }
}

/// How often clocks waited for each other, by window and pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nets(Vec<Net>);

/// In one window: wait states in which the clock of lower number waited for the other one, less those
/// in which that one waited.
#[derive(Clone, Copy, Debug)]
struct Net {
    window: u32,
    low: u32,
    high: u32,
    net: i64,
}

plain! { Net { window, low, high, net } }

impl Net {
    fn key(&self) -> (u32, u32, u32) {
        (self.window, self.low, self.high)
    }
}

impl Nets {
    /// Pairs that one wait state's is looked for among before it gets a row of its own.
    const LOOKED_AT: usize = 8;

    /// Adds a wait state that is longer than what its clocks can be wrong by.
    pub fn add(&mut self, errors: &ClockErrors, state: &WaitState) {
        let (waiting, cause) = (state.call.location, state.cause.location);
        let Some(of) = errors.between(waiting, cause, state.end) else {
            return;
        };
        if of.waiting == of.cause {
            return;
        }
        let new = Net {
            window: of.window,
            low: of.waiting.min(of.cause),
            high: of.waiting.max(of.cause),
            net: if of.waiting < of.cause { 1 } else { -1 },
        };
        let mut known = self.0.iter_mut().rev().take(Nets::LOOKED_AT);
        match known.find(|it| it.key() == new.key()) {
            Some(known) => known.net = known.net.saturating_add(new.net),
            None => self.0.push(new),
        }
    }

    pub fn merge(&mut self, other: &Nets) {
        self.0.extend_from_slice(&other.0);
    }

    /// Writes them for another process, settled.
    pub fn put(&self, bytes: &mut Vec<u8>) {
        let mut settled = self.clone();
        settled.settle();
        put_list(&settled.0, bytes);
    }

    /// Reads them.
    pub fn take(bytes: &mut &[u8]) -> Option<Nets> {
        Some(Nets(take_list(bytes)?))
    }

    /// Returns by how much the sum of all can be wrong: window by window the least of what errors of
    /// pairs, and what those of single clocks, come to.
    pub fn half_width(&mut self, errors: &ClockErrors) -> Duration {
        self.settle();
        let windows = self.0.chunk_by(|a, b| a.window == b.window);
        let of_window = |nets: &[Net]| {
            let widths = errors.windows.get(nets[0].window as usize)?;
            let pairs = of_pairs(nets, widths);
            match (pairs, of_clocks(nets, widths)) {
                (Some(pairs), Some(clocks)) => Some(pairs.min(clocks)),
                (pairs, clocks) => pairs.or(clocks),
            }
        };
        let all = windows.filter_map(of_window).fold(0, i64::saturating_add);
        Duration(all)
    }

    /// Makes one row of those of a pair in a window.
    fn settle(&mut self) {
        self.0.sort_unstable_by_key(Net::key);
        self.0.dedup_by(|next, kept| {
            let same = next.key() == kept.key();
            if same {
                kept.net = kept.net.saturating_add(next.net);
            }
            same
        });
    }
}

fn weighed(net: i64, width: Duration) -> i64 {
    net.saturating_abs().saturating_mul(width.0)
}

fn of_pairs(nets: &[Net], widths: &HalfWidths) -> Option<i64> {
    nets.iter().try_fold(0i64, |sum, it| {
        let width = widths.between(it.low, it.high)?;
        Some(sum.saturating_add(weighed(it.net, width)))
    })
}

fn of_clocks(nets: &[Net], widths: &HalfWidths) -> Option<i64> {
    let mut clocks: BTreeMap<u32, i64> = BTreeMap::new();
    for it in nets {
        *clocks.entry(it.low).or_default() += it.net;
        *clocks.entry(it.high).or_default() -= it.net;
    }
    clocks
        .into_iter()
        .try_fold(0i64, |sum, (clock, net)| match net {
            0 => Some(sum),
            net => Some(sum.saturating_add(weighed(net, widths.of(clock)?))),
        })
}

#[cfg(test)]
mod tests;
