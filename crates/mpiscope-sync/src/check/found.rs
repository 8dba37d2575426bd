//! What was found on the way, summed up in integers: so the sums are the same
//! in whatever order, and in however many parts.

use mpiscope_model::Duration;

use super::report::{Tally, Violations};
use crate::exchange::plain;

/// As [`Violations`] has it.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub point_to_point: u64,
    pub logical: u64,
    pub reversed: Sum,
    pub reversed_point_to_point: Sum,
    pub clock_condition: Sum,
    pub backward_steps: u64,
}

plain! {
    Found {
        point_to_point,
        logical,
        reversed,
        reversed_point_to_point,
        clock_condition,
        backward_steps
    }
    Sum { count, worst, all }
}

/// How many, by how much at worst and by how much in all.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum {
    count: u64,
    worst: Duration,
    all: i128,
}

impl Sum {
    pub fn add(&mut self, by: Duration) {
        self.count += 1;
        self.worst = self.worst.max(by);
        self.all += i128::from(by.0);
    }

    /// Adds several at once: how many, by how much together and at worst.
    pub fn add_all(&mut self, (count, all): (u64, i128), worst: Duration) {
        self.count += count;
        self.all += all;
        self.worst = self.worst.max(worst);
    }

    fn and(self, other: Sum) -> Sum {
        Sum {
            count: self.count + other.count,
            worst: self.worst.max(other.worst),
            all: self.all + other.all,
        }
    }

    fn tally(self) -> Tally {
        Tally {
            count: self.count,
            worst: self.worst,
            mean: self.all as f64 / self.count.max(1) as f64,
        }
    }
}

impl Found {
    pub fn and(self, other: Found) -> Found {
        Found {
            point_to_point: self.point_to_point + other.point_to_point,
            logical: self.logical + other.logical,
            reversed: self.reversed.and(other.reversed),
            reversed_point_to_point: (self.reversed_point_to_point)
                .and(other.reversed_point_to_point),
            clock_condition: self.clock_condition.and(other.clock_condition),
            backward_steps: self.backward_steps + other.backward_steps,
        }
    }

    pub fn violations(self) -> Violations {
        Violations {
            point_to_point: self.point_to_point,
            logical: self.logical,
            reversed: self.reversed.tally(),
            reversed_point_to_point: self.reversed_point_to_point.tally(),
            clock_condition: self.clock_condition.tally(),
            backward_steps: self.backward_steps,
        }
    }
}
