//! What clocks showed at events.

use mpiscope_model::{CollectiveMember, Timestamp};

/// A member of a collective operation with what its clock showed.
#[derive(Clone, Copy)]
pub(super) struct Shown<'m> {
    pub member: &'m CollectiveMember,
    pub enter: Timestamp,
    pub exit: Timestamp,
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
