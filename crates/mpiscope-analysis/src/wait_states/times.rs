//! How often something was, and how long together.

use mpiscope_model::Duration;

/// How often something was, and how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// How often.
    pub times: u64,
    /// How long, together.
    pub time: Duration,
}

impl Times {
    /// Adds one, if it took any time.
    pub(super) fn add(&mut self, time: Duration) {
        if time > Duration::ZERO {
            self.times += 1;
            self.time += time;
        }
    }

    pub(super) fn merge(&mut self, other: Times) {
        self.times += other.times;
        self.time += other.time;
    }
}
