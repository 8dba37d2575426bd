//! Why a trace cannot be corrected.

use mpiscope_model::Timestamp;

use crate::table::MOST_PAIRS;

/// Why a trace cannot be corrected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Two measurements would map later local times to earlier master times.
    #[error("clock {clock}: offsets measured at {from} and {to} would make it run backwards")]
    ClockReversed {
        /// Number of the clock in the trace.
        clock: usize,
        /// Time of the first measurement.
        from: Timestamp,
        /// Time of the second.
        to: Timestamp,
    },
    /// The configured kappa is no share that could decay.
    #[error("kappa is {0}, expected at least 0 and less than 0.5")]
    Kappa(f64),
    /// The configured interval is no length.
    #[error("interval is {0}, expected 0 or more")]
    Interval(f64),
    /// A host that is given a latency is not in the trace.
    #[error("no host is called {name}; those of the trace are {known}")]
    Host {
        /// As the caller named it.
        name: String,
        /// The names there are.
        known: String,
    },
    /// Too many pairs of hosts are given latencies.
    #[error("{0} pairs of hosts are given minimum latencies, at most {MOST_PAIRS} can be")]
    Pairs(usize),
    /// The threads asked for could not be started.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
}
