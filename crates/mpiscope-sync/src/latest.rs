//! The latest of many senders, seen from one receiver, in constant time.
//!
//! A receiver waits for all senders but itself, and the nearer a sender, the
//! shorter its latency: in one process, on one clock, on another. So it is
//! enough to keep, at each of these levels, the latest sender and the latest
//! one elsewhere: O(members) for a collective operation in place of
//! O(members²). With all times negated it finds the earliest receivers.

use std::cell::Cell;

use mpiscope_model::hash::FastMap;

use crate::latency::LatencyTable;

/// No time: before all others, kept apart from "not known yet".
pub(crate) const NO_BOUND: i64 = i64::MIN + 1;

/// Where a location stands among the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub location: u32,
    /// Unless every process of the trace has one location only.
    pub process: Option<u32>,
    pub clock: u32,
}

/// Senders gathered so far.
#[derive(Default)]
pub(crate) struct Latest {
    /// Per process its two latest locations, per clock its two latest
    /// processes (or locations), and the two latest clocks.
    by_process: Twos,
    by_clock: Twos,
    all: Option<Two>,
}

/// The latest time with whose it is, and the latest of anybody else.
#[derive(Clone, Copy)]
struct Two {
    first: i64,
    of: u32,
    second: Option<i64>,
}

impl Two {
    fn new(first: i64, of: u32) -> Two {
        Two {
            first,
            of,
            second: None,
        }
    }

    fn add(&mut self, time: i64, of: u32) {
        if of == self.of {
            self.first = self.first.max(time);
        } else if time > self.first {
            let second = Some(self.first);
            *self = Two {
                second,
                ..Two::new(time, of)
            };
        } else {
            self.second = self.second.max(Some(time));
        }
    }

    /// Returns the latest that is not of `whom`.
    fn but(&self, whom: u32) -> Option<i64> {
        match self.of == whom {
            true => self.second,
            false => Some(self.first),
        }
    }
}

/// One [`Two`] for each of a few numbers. Those asked for one after the other
/// are mostly the same.
#[derive(Default)]
struct Twos {
    rows: Vec<(u32, Two)>,
    by_number: FastMap<u32, u32>,
    last: Cell<usize>,
}

impl Twos {
    fn clear(&mut self) {
        self.rows.clear();
        self.by_number.clear();
    }

    fn find(&self, number: u32) -> Option<usize> {
        let last = self.last.get();
        if self.rows.get(last).is_some_and(|row| row.0 == number) {
            return Some(last);
        }
        let found = *self.by_number.get(&number)? as usize;
        self.last.set(found);
        Some(found)
    }

    fn get(&self, number: u32) -> Option<&Two> {
        Some(&self.rows[self.find(number)?].1)
    }

    fn add(&mut self, number: u32, time: i64, of: u32) {
        match self.find(number) {
            Some(row) => self.rows[row].1.add(time, of),
            None => {
                self.by_number.insert(number, self.rows.len() as u32);
                self.rows.push((number, Two::new(time, of)));
            }
        }
    }
}

impl Place {
    /// What counts as one on a clock.
    fn unit(&self) -> u32 {
        self.process.unwrap_or(self.location)
    }
}

impl Latest {
    pub fn clear(&mut self) {
        self.by_process.clear();
        self.by_clock.clear();
        self.all = None;
    }

    /// Adds a sender.
    pub fn add(&mut self, time: i64, at: Place) {
        if let Some(process) = at.process {
            self.by_process.add(process, time, at.location);
        }
        self.by_clock.add(at.clock, time, at.unit());
        let all = self.all.get_or_insert(Two::new(time, at.clock));
        all.add(time, at.clock);
    }

    /// Returns before when a receiver cannot have left, or [`NO_BOUND`].
    pub fn bound(&self, at: Place, latencies: &LatencyTable) -> i64 {
        let after = |time: Option<i64>, latency: i64| time.map(|time| time.saturating_add(latency));
        let far = self.all.and_then(|two| two.but(at.clock));
        let bound = after(far, latencies.different_clocks.0)
            .max(after(self.on_clock(at), latencies.same_clock.0))
            .max(after(self.in_process(at), latencies.same_process().0));
        bound.unwrap_or(NO_BOUND)
    }

    /// Returns the latest sender on the same clock in any other process.
    pub fn on_clock(&self, at: Place) -> Option<i64> {
        self.by_clock.get(at.clock)?.but(at.unit())
    }

    /// Returns the latest sender at any other location of the same process.
    fn in_process(&self, at: Place) -> Option<i64> {
        self.by_process.get(at.process?)?.but(at.location)
    }
}
