//! What clocks leave open of waiting: by how much sums of it can be wrong, and what of it is below
//! their resolution.

use mpiscope_analysis::clock_errors;
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::text::time;
use crate::input::TimeBase;
use crate::report::show::{self, counted};

/// What clocks leave open of wait states that are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// Half of the interval that holds the sum of all others than those below, if each clock is
    /// within its own, which 99 of 100 are.
    pub half_width_ns: i64,
    /// Wait states no longer than what clocks can be wrong by: below clock resolution.
    pub below_times: u64,
    /// How long these are, together.
    pub below_ns: i64,
    /// Wait states of which it is not known by how much clocks can be wrong.
    pub unknown_times: u64,
    /// How long these are, together.
    pub unknown_ns: i64,
}

impl From<clock_errors::Resolution> for Resolution {
    fn from(of: clock_errors::Resolution) -> Resolution {
        Resolution {
            half_width_ns: of.half_width.0,
            below_times: of.below_times,
            below_ns: of.below.0,
            unknown_times: of.unknown_times,
            unknown_ns: of.unknown.0,
        }
    }
}

impl Resolution {
    fn is_exact(&self) -> bool {
        *self == Resolution::default()
    }

    /// Writes half of the interval of a sum of so many wait states; `?` where nothing is known but of
    /// waits that clocks cannot make wrong, `≥` where nothing is known of some, and nothing where all
    /// are below clock resolution.
    pub fn shown(&self, times: u64) -> String {
        let half_width = || time(self.half_width_ns);
        match (self.unknown_times, self.half_width_ns) {
            (0, _) if self.below_times == times => String::new(),
            (0, _) => format!("± {}", half_width()),
            (_, 0) => "?".to_owned(),
            (_, _) => format!("≥ ± {}", half_width()),
        }
    }

    /// Writes what is below clock resolution.
    pub fn below(&self) -> String {
        match self.below_times {
            0 => String::new(),
            _ => time(self.below_ns),
        }
    }
}

/// Returns whether clocks leave anything open.
pub fn is_told(facts: &Facts) -> bool {
    facts.resolution.is_some_and(|it| !it.is_exact())
}

/// Says what they leave open of all waiting for other ranks.
pub fn text(facts: &Facts) -> Vec<String> {
    let Some(all) = facts.resolution.filter(|it| !it.is_exact()) else {
        return Vec::new();
    };
    let below = (all.below_times > 0).then(|| {
        format!(
            "below clock resolution: {} of the waiting, in {}: no longer than what the clocks can be wrong by",
            time(all.below_ns),
            counted(all.below_times, "wait"),
        )
    });
    let unknown = (all.unknown_times > 0).then(|| {
        let next = match facts.clock {
            Some(TimeBase::Corrected) => String::new(),
            _ => format!("; `mpiscope sync {}` finds it", show::word(&facts.path)),
        };
        format!(
            "unknown: by how much clocks are wrong against each other in {} of the waiting ({}){next}",
            time(all.unknown_ns),
            counted(all.unknown_times, "wait"),
        )
    });
    below.into_iter().chain(unknown).collect()
}
