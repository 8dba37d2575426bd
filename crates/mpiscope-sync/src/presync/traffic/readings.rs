//! What clocks showed at events: the part's own, and what other parts tell.

use mpiscope_model::{CollectiveMember, Timestamp};

/// A member of a collective operation with what its clock showed.
#[derive(Clone, Copy)]
pub(super) struct Shown<'m> {
    pub member: &'m CollectiveMember,
    pub enter: Timestamp,
    pub exit: Timestamp,
}

/// Times that each part told, in the order in which they are asked for.
pub(super) struct Told(Vec<std::vec::IntoIter<i64>>);

impl Told {
    pub fn new(told: Vec<Vec<i64>>) -> Told {
        Told(told.into_iter().map(Vec::into_iter).collect())
    }

    /// Returns the next that a part told.
    pub fn next_of(&mut self, part: usize) -> Timestamp {
        Timestamp(self.0[part].next().unwrap_or_default())
    }
}

/// An event with its clock and the time this showed.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub clock: u32,
    pub shown: Timestamp,
    pub mapped: Timestamp,
}

/// One reading for each of some clocks.
#[derive(Default)]
pub(super) struct OnePerClock {
    pub readings: Vec<Reading>,
    /// Where the reading of each clock is; none are at `u32::MAX`.
    place: Vec<u32>,
}

impl OnePerClock {
    pub fn new(clocks: usize) -> OnePerClock {
        OnePerClock {
            readings: Vec::new(),
            place: vec![u32::MAX; clocks],
        }
    }

    pub fn of(&self, clock: u32) -> Option<&Reading> {
        self.readings.get(self.place[clock as usize] as usize)
    }

    pub fn keep(&mut self, new: Reading, better: fn(Timestamp, Timestamp) -> bool) {
        let place = &mut self.place[new.clock as usize];
        match self.readings.get_mut(*place as usize) {
            Some(old) if better(new.shown, old.shown) => *old = new,
            Some(_) => {}
            None => {
                *place = self.readings.len() as u32;
                self.readings.push(new);
            }
        }
    }

    pub fn clear(&mut self) {
        for reading in self.readings.drain(..) {
            self.place[reading.clock as usize] = u32::MAX;
        }
    }
}
