//! Clock correction: from the time each clock showed to one time for all.
//!
//! Two steps. [`presync`] maps every clock to the master's by its measured
//! offsets, linearly between measurements; that leaves errors where clocks
//! wander. Then the controlled logical clock (Rabenseifner 1997), extended to
//! collective operations (Becker, Rabenseifner, Wolf 2008), restores the clock
//! condition: nothing is received sooner than a minimum latency after it was
//! sent. A receive that comes too early is moved forward, and the events after
//! it follow, so that local intervals keep their length; those before it follow
//! along a ramp, so that none grows by much. [`check()`] looks at
//! the result by other means, and [`errors`] compares it with a known truth.
//!
//! ```
//! use mpiscope_model::{Timestamp, Trace};
//! use mpiscope_sync::{correct, Config};
//!
//! let trace = Trace::parse("
//!     0: 20 send>1
//!     1: 10 18 recv<0 25
//! ").unwrap();
//! let correction = correct(&trace, &Config::default())?;
//! assert_eq!(correction.corrected[1], [12, 21, 28].map(Timestamp));
//! # Ok::<(), mpiscope_sync::Error>(())
//! ```
//!
//! All arithmetic on times is in integers, and the result is the least one
//! that satisfies the rules: it depends neither on the order of locations nor
//! on the machine. Recorded times stay as they are; corrected time is another
//! column.
#![forbid(unsafe_code)]

mod backward;
mod check;
mod config;
mod expand;
mod forward;
mod latency;
mod latest;
mod limits;
mod links;
pub mod logical;
mod meet;
mod presync;
mod records;
mod report;
mod truth;
mod uncertainty;

use mpiscope_model::{Matching, Timestamp, Trace};

pub use check::{check, check_assuming, Tally, Violations};
pub use config::{Config, LatencyOverride, PresyncMode, DEFAULT_KAPPA};
pub use latency::{Latencies, Latency, LatencySource, LatencyTable};
pub use presync::{presync, ClockMap, Knot, Presync};
pub use report::{Report, Warning};
pub use truth::{errors, Spread, TruthErrors};
pub use uncertainty::{PairWidth, Uncertainty, UNKNOWN};

use backward::{Slope, Smoother};
use forward::{Kappa, Pace};
use logical::Meeting;

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
}

/// A corrected trace: times, one column per location, and what was done.
#[derive(Clone, Debug, Default)]
pub struct Correction {
    /// After the offset measurements were applied.
    pub interpolated: Vec<Vec<Timestamp>>,
    /// After the clock condition was restored.
    pub corrected: Vec<Vec<Timestamp>>,
    /// The map of each clock that was applied.
    pub maps: Vec<ClockMap>,
    /// How the maps were found, which may be less than was asked for.
    pub presync: PresyncMode,
    /// What the maps can be wrong by.
    pub uncertainty: Uncertainty,
    /// The minimum latencies that hold in the corrected times.
    pub latencies: LatencyTable,
    /// Facts about the correction.
    pub report: Report,
}

/// Final displacement, over a location's length, that is worth a warning.
const AVALANCHE: f64 = 1e-3;

/// Corrects the times of a trace.
pub fn correct(trace: &Trace, config: &Config) -> Result<Correction, Error> {
    let mut matching = trace.matching();
    matching.assumptions = config.assumptions;
    correct_matched(trace, &matching, config)
}

/// Corrects the times of a trace whose messages are matched already; what is
/// assumed is what the matching says, not the configuration.
pub fn correct_matched(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
) -> Result<Correction, Error> {
    if !(0.0..0.5).contains(&config.kappa) {
        return Err(Error::Kappa(config.kappa));
    }
    if !(0.0..=f64::INFINITY).contains(&config.interval) {
        return Err(Error::Interval(config.interval));
    }
    let kappa = Kappa::new(config.kappa);
    let presync = presync(trace, matching, config)?;
    let interpolated = presync.times;
    let found_latencies = presync.latencies;
    let table = LatencyTable::new(trace, &found_latencies);
    let meetings: Vec<Option<Meeting>> = (matching.collectives.iter())
        .map(|instance| Meeting::new(trace, matching, instance))
        .collect();

    let mut records = records::records(trace, matching, &meetings, &interpolated, &table, false);
    let pace = Pace { kappa, delta: 0 };
    let slope = Slope::new(config.interval);
    let (found, mut limits) =
        forward::forward(trace, matching, &meetings, &table, pace, &mut records);

    let mut ramps = 0;
    if let Some(slope) = slope {
        let mut smoother = Smoother::new(slope, &mut limits);
        for location in 0..trace.locations.len() {
            smoother.smooth(records.of_mut(location));
        }
        ramps = smoother.ramps;
    }

    let mut report = Report {
        events: trace.event_count() as u64,
        sync_events: records.all.len() as u64,
        violations_seen: found.violations,
        ramps,
        backward_steps: presync.backward_steps,
        latencies: found_latencies,
        dropped_edges: found.freed,
        warnings: presync.warnings,
        ..Report::default()
    };
    report.describe(matching, &meetings);
    let mut corrected = Vec::with_capacity(interpolated.len());
    for (location, times) in interpolated.iter().enumerate() {
        let (column, moved) = expand::expand(times, records.of(location), kappa, slope);
        report.events_moved += moved.events;
        report.max_displacement.0 = report.max_displacement.0.max(moved.max);
        report.mean_displacement += moved.sum;
        report.final_drift = report.final_drift.max(moved.final_drift);
        corrected.push(column);
    }
    report.mean_displacement /= report.events.max(1) as f64;
    report.warn();
    Ok(Correction {
        interpolated,
        corrected,
        maps: presync.maps,
        presync: presync.chosen,
        uncertainty: presync.uncertainty,
        latencies: table,
        report,
    })
}

impl Report {
    fn describe(&mut self, matching: &Matching, meetings: &[Option<Meeting>]) {
        let count = |wanted: &dyn Fn(&mpiscope_model::CollectiveInstance) -> bool| {
            matching.collectives.iter().filter(|i| wanted(i)).count() as u64
        };
        self.messages = matching.messages.len() as u64;
        self.collectives = matching.collectives.len() as u64;
        self.unmatched_sends = matching.unmatched_sends.len() as u64;
        self.unmatched_receives = matching.unmatched_receives.len() as u64;
        self.ambiguous_messages = matching.ambiguous as u64;
        self.incomplete_collectives = count(&|instance| !instance.complete);
        self.unused_collectives = meetings.iter().filter(|m| m.is_none()).count() as u64;
    }

    fn warn(&mut self) {
        if self.final_drift > AVALANCHE {
            self.warnings.push(Warning::Avalanche {
                drift: self.final_drift,
            });
        }
        if !self.dropped_edges.is_empty() {
            self.warnings.push(Warning::Cycle {
                edges: self.dropped_edges.len(),
            });
        }
    }
}
