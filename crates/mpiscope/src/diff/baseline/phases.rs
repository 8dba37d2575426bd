//! Phases of a run in a file of measures.

use mpiscope_analysis::compare::Phases;
use serde::{Deserialize, Serialize};

/// See [`Phases`].
#[derive(Serialize, Deserialize)]
pub struct OfPhases {
    before_ns: i64,
    first_ns: Vec<i64>,
    all_ns: i64,
    count: u64,
    warm_up: u64,
    after_ns: i64,
}

impl OfPhases {
    /// Takes them to be written.
    pub fn new(it: &Phases) -> OfPhases {
        OfPhases {
            before_ns: it.before_ns,
            first_ns: it.first_ns.clone(),
            all_ns: it.all_ns,
            count: it.count,
            warm_up: it.warm_up,
            after_ns: it.after_ns,
        }
    }

    /// Returns what was read.
    pub fn read(&self) -> Phases {
        Phases {
            before_ns: self.before_ns,
            first_ns: self.first_ns.clone(),
            all_ns: self.all_ns,
            count: self.count,
            warm_up: self.warm_up,
            after_ns: self.after_ns,
        }
    }

    /// Returns whether no time is below 0.
    pub fn is_time(&self) -> bool {
        let all = [self.before_ns, self.all_ns, self.after_ns];
        all.iter().chain(&self.first_ns).all(|ns| *ns >= 0)
    }
}
