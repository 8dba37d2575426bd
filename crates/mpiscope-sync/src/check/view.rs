//! What one part of a trace looks at: the events of its own processes, each of
//! which takes its time along wherever it is told.

use mpiscope_model::{LocationIndex, Timestamp, Trace};

use super::found::Found;
use super::known::Known;
use crate::exchange::plain;

/// An event's location and number, and when it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct At {
    pub location: u32,
    index: u32,
    time: Timestamp,
}

plain! { At { location, index, time } }

/// Of events whose time is missing: so early that nothing happens then.
const MISSING: Timestamp = Timestamp::MIN;

impl At {
    /// The number of its location.
    pub fn place(self) -> usize {
        self.location as usize
    }

    /// Its number there.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// When it happened, if that is known.
    pub fn time(self) -> Option<Timestamp> {
        (self.time != MISSING).then_some(self.time)
    }
}

/// A trace and times, of which the part looks at those of its own processes.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub known: &'a Known<'a>,
    pub trace: &'a Trace,
    times: &'a [Vec<Timestamp>],
    me: usize,
}

impl<'a> View<'a> {
    pub fn new(
        known: &'a Known<'a>,
        me: usize,
        trace: &'a Trace,
        times: &'a [Vec<Timestamp>],
    ) -> View<'a> {
        View {
            known,
            trace,
            times,
            me,
        }
    }

    /// Returns an event of this part.
    pub fn at(&self, location: u32, index: usize) -> At {
        let column = self.times.get(location as usize);
        let time = column.and_then(|column| column.get(index)).copied();
        At {
            location,
            index: index as u32,
            time: time.unwrap_or(MISSING),
        }
    }

    /// The processes of this part, in the order of their ranks.
    pub fn processes(&self) -> &'a [u32] {
        self.known.division.locations(self.me)
    }

    /// The locations of this part, process by process.
    pub fn locations(&self) -> impl Iterator<Item = u32> + 'a {
        let known = self.known;
        let processes = self.processes().iter();
        processes.flat_map(|&process| known.locations(process).iter().copied())
    }

    /// Returns how many events of this part lie before an earlier one.
    pub fn backward_steps(&self) -> u64 {
        let columns = self
            .locations()
            .filter_map(|at| self.times.get(at as usize));
        let backward = |column: &Vec<Timestamp>| {
            let pairs = column.windows(2);
            pairs.filter(|pair| pair[1] < pair[0]).count() as u64
        };
        columns.map(backward).sum()
    }

    /// Looks at one logical message.
    pub fn pair(&self, sent: At, received: At, point_to_point: bool, found: &mut Found) {
        if sent.location == received.location {
            return;
        }
        found.logical += 1;
        self.compare(sent, received, point_to_point, found);
    }

    /// Looks whether one logical message is in time.
    pub fn compare(&self, sent: At, received: At, point_to_point: bool, found: &mut Found) {
        let (Some(send), Some(receive)) = (sent.time(), received.time()) else {
            return;
        };
        if receive < send {
            found.reversed.add(send - receive);
            if point_to_point {
                found.reversed_point_to_point.add(send - receive);
            }
        }
        let (from, to) = (
            LocationIndex(sent.location),
            LocationIndex(received.location),
        );
        let earliest = send + self.known.latencies.between(from, to);
        if receive < earliest {
            found.clock_condition.add(earliest - receive);
        }
    }
}
