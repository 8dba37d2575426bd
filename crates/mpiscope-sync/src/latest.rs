//! The latest of many senders, seen from one receiver, in constant time.
//!
//! A receiver waits for all senders but itself, and those on its own clock are
//! nearer than the rest. So it is enough to keep, per clock, the latest sender
//! and the latest at another location, and over all clocks the two latest:
//! O(members) for a collective operation in place of O(members²).

use mpiscope_model::hash::FastMap;

use crate::latency::LatencyTable;

/// No time: before all others, kept apart from "not known yet".
pub(crate) const NO_BOUND: i64 = i64::MIN + 1;

/// Senders gathered so far.
#[derive(Default)]
pub(crate) struct Latest {
    by_clock: FastMap<u32, OnClock>,
    /// The latest of all, and the latest on any other clock.
    first: Option<(i64, u32)>,
    second: Option<i64>,
}

/// The latest sender of one clock, and the latest at another location.
struct OnClock {
    first: i64,
    location: u32,
    second: Option<i64>,
}

impl Latest {
    pub fn clear(&mut self) {
        self.by_clock.clear();
        self.first = None;
        self.second = None;
    }

    /// Adds a sender; a location adds one at most.
    pub fn add(&mut self, time: i64, clock: u32, location: u32) {
        match self.first {
            Some((first, of)) if of == clock => self.first = Some((first.max(time), clock)),
            Some((first, _)) if first >= time => self.second = self.second.max(Some(time)),
            displaced => {
                self.second = displaced.map(|(first, _)| first);
                self.first = Some((time, clock));
            }
        }
        let on_clock = self.by_clock.entry(clock).or_insert(OnClock {
            first: time,
            location,
            second: None,
        });
        if on_clock.location == location {
            on_clock.first = time;
        } else if time > on_clock.first {
            on_clock.second = Some(on_clock.first);
            on_clock.first = time;
            on_clock.location = location;
        } else {
            on_clock.second = on_clock.second.max(Some(time));
        }
    }

    /// Returns before when a receiver cannot have left, or [`NO_BOUND`].
    pub fn bound(&self, clock: u32, location: u32, latencies: &LatencyTable) -> i64 {
        let far = match self.first {
            Some((first, of)) if of != clock => Some(first),
            _ => self.second,
        };
        let near = self.on_clock(clock, location);
        let far = far.map(|time| time.saturating_add(latencies.different_clocks.0));
        let near = near.map(|time| time.saturating_add(latencies.same_clock.0));
        far.max(near).unwrap_or(NO_BOUND)
    }

    /// Returns the latest sender on `clock` at any location but `location`.
    pub fn on_clock(&self, clock: u32, location: u32) -> Option<i64> {
        let on_clock = self.by_clock.get(&clock)?;
        match on_clock.location == location {
            true => on_clock.second,
            false => Some(on_clock.first),
        }
    }
}
