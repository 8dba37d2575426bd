//! Those who send in a collective operation, by how near a receiver they are.

use mpiscope_model::LocationIndex;

use super::enters::Latest;
use crate::crowd::Ordered;
use crate::latency::Class;

/// Levels that have places: all classes but the farthest; that is everywhere.
const LEVELS: usize = Class::ALL.len() - 1;

/// The senders that some receivers hear, as far as they are added.
#[derive(Default)]
pub(super) struct Senders {
    /// By process, clock, host and rack.
    pub levels: [Vec<Near>; LEVELS],
    pub all: Near,
    /// Whether the ordered ones below are filled.
    pub sorted: bool,
    pub ordered: [Ordered; Class::ALL.len()],
}

/// The senders of one place.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    pub count: u64,
    latest: Latest,
}

/// Where a member is: numbers of its place at each level.
#[derive(Clone, Copy)]
pub(super) struct Seat {
    pub location: LocationIndex,
    pub keys: [u32; Class::ALL.len()],
}

impl Seat {
    /// What counts as one at a level.
    fn unit(&self, level: usize) -> u32 {
        match level {
            0 => self.location.0,
            _ => self.keys[level - 1],
        }
    }
}

impl Senders {
    pub fn add(&mut self, classes: &[Class], seat: Seat, time: i64) {
        for &class in classes {
            let level = class as usize;
            let near = match self.levels.get_mut(level) {
                Some(places) => &mut places[seat.keys[level] as usize],
                None => &mut self.all,
            };
            near.count += 1;
            near.latest.add(time, seat.unit(level), seat.location);
            if self.sorted {
                self.ordered[level].add(seat.keys[level], time);
            }
        }
    }

    /// The senders at a level that share a receiver's place.
    pub fn near(&self, seat: Seat, level: usize) -> &Near {
        match self.levels.get(level) {
            Some(places) => &places[seat.keys[level] as usize],
            None => &self.all,
        }
    }

    /// The last of a class.
    pub fn latest(&self, seat: Seat, class: Class) -> Option<(i64, LocationIndex)> {
        let level = class as usize;
        self.near(seat, level).latest.other_than(seat.unit(level))
    }

    /// How many of a class entered after a time, and by how much all together:
    /// those at its level but for those at the next that is nearer.
    pub fn after(
        &self,
        seat: Seat,
        own: Option<i64>,
        [nearer, class]: [Option<Class>; 2],
        time: i64,
    ) -> (u64, i128) {
        let at = |class: Class| {
            let level = class as usize;
            self.ordered[level].after(seat.keys[level], time)
        };
        let all = class.map_or((0, 0), at);
        let nearer = match (nearer, own.filter(|&own| own > time)) {
            (Some(nearer), _) => at(nearer),
            (None, Some(own)) => (1, i128::from(own) - i128::from(time)),
            (None, None) => (0, 0),
        };
        (all.0 - nearer.0, all.1 - nearer.1)
    }
}
