//! The latest of many senders, seen from one receiver, in constant time.
//!
//! A receiver waits for all senders but itself, and the nearer a sender, the
//! shorter its latency: in one process, on one clock, host, rack, or beyond.
//! So it is enough to keep, at each of these levels, the latest sender and the
//! latest one elsewhere: O(members) for a collective operation in place of
//! O(members²). With all times negated it finds the earliest receivers. Pairs
//! of hosts that were given latencies of their own do not fit into levels: a
//! receiver on such a host looks at the latest of every clock of every host.

use std::cell::Cell;

use mpiscope_model::LocationIndex;
use rustc_hash::FxHashMap;

use crate::latency::Class;
use crate::table::LatencyTable;

/// No time: before all others, kept apart from "not known yet".
pub(crate) const NO_BOUND: i64 = i64::MIN + 1;

/// Where a location stands among the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub location: u32,
    /// Unless every process of the trace has one location only.
    pub process: Option<u32>,
    pub clock: u32,
    /// Unless no host of the trace has two clocks.
    pub host: Option<u32>,
    /// Unless no rack of the trace has two hosts.
    pub rack: Option<u32>,
    /// Clock and named host, if any pair of hosts has a latency of its own.
    pub site: Option<u32>,
}

/// Senders gathered so far.
#[derive(Default)]
pub(crate) struct Latest {
    /// Per process its two latest locations, per clock its two latest
    /// processes (or locations), per host its clocks, per rack its hosts, and
    /// the two latest of what is above all of them.
    by_process: Twos,
    by_clock: Twos,
    by_host: Twos,
    by_rack: Twos,
    all: Option<Two>,
    /// Per site its two latest processes.
    by_site: Twos,
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
    by_number: FxHashMap<u32, u32>,
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

impl Standing {
    /// What counts as one on a clock.
    fn unit(&self) -> u32 {
        self.process.unwrap_or(self.location)
    }

    /// What counts as one in a rack.
    fn in_rack(&self) -> u32 {
        self.host.unwrap_or(self.clock)
    }

    /// What counts as one beyond all.
    fn top(&self) -> u32 {
        self.rack.unwrap_or(self.in_rack())
    }
}

impl Latest {
    pub fn clear(&mut self) {
        let all = [
            &mut self.by_process,
            &mut self.by_clock,
            &mut self.by_host,
            &mut self.by_rack,
            &mut self.by_site,
        ];
        all.into_iter().for_each(Twos::clear);
        self.all = None;
    }

    /// Adds a sender.
    pub fn add(&mut self, time: i64, at: Standing) {
        if let Some(process) = at.process {
            self.by_process.add(process, time, at.location);
        }
        self.by_clock.add(at.clock, time, at.unit());
        if let Some(host) = at.host {
            self.by_host.add(host, time, at.clock);
        }
        if let Some(rack) = at.rack {
            self.by_rack.add(rack, time, at.in_rack());
        }
        if let Some(site) = at.site {
            self.by_site.add(site, time, at.unit());
        }
        let all = self.all.get_or_insert(Two::new(time, at.top()));
        all.add(time, at.top());
    }

    /// Returns before when a receiver cannot have left, or [`NO_BOUND`].
    pub fn bound(&self, at: Standing, latencies: &LatencyTable) -> i64 {
        if at.site.is_some() && latencies.is_special(LocationIndex(at.location)) {
            return self.bound_by_sites(at, latencies);
        }
        let after = |time: Option<i64>, class: Class| {
            time.map(|time| time.saturating_add(latencies.of(class).0))
        };
        let bound = after(self.beyond(at), Class::Far)
            .max(after(self.in_rack(at), Class::SameRack))
            .max(after(self.on_host(at), Class::SameHost))
            .max(after(self.on_clock(at), Class::SameClock))
            .max(after(self.in_process(at), Class::SameProcess));
        bound.unwrap_or(NO_BOUND)
    }

    /// The same by looking at the latest of each site.
    fn bound_by_sites(&self, at: Standing, latencies: &LatencyTable) -> i64 {
        let location = LocationIndex(at.location);
        let bound = |(site, two): &(u32, Two)| {
            let time = match Some(*site) == at.site {
                true => two.but(at.unit())?,
                false => two.first,
            };
            let latency = latencies.over(latencies.hop_to_site(location, *site));
            Some(time.saturating_add(latency.0))
        };
        let near = self.in_process(at);
        let near = near.map(|time| time.saturating_add(latencies.of(Class::SameProcess).0));
        let others = self.by_site.rows.iter().filter_map(bound).max();
        near.max(others).unwrap_or(NO_BOUND)
    }

    /// Returns the latest sender that has nothing in common but the machine.
    pub fn beyond(&self, at: Standing) -> Option<i64> {
        self.all?.but(at.top())
    }

    /// Returns the latest sender in the same rack on any other host.
    pub fn in_rack(&self, at: Standing) -> Option<i64> {
        self.by_rack.get(at.rack?)?.but(at.in_rack())
    }

    /// Returns the latest sender on the same host with any other clock.
    pub fn on_host(&self, at: Standing) -> Option<i64> {
        self.by_host.get(at.host?)?.but(at.clock)
    }

    /// Returns the latest sender on the same clock in any other process.
    pub fn on_clock(&self, at: Standing) -> Option<i64> {
        self.by_clock.get(at.clock)?.but(at.unit())
    }

    /// Returns the latest sender at any other location of the same process.
    fn in_process(&self, at: Standing) -> Option<i64> {
        self.by_process.get(at.process?)?.but(at.location)
    }
}
