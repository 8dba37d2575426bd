//! What a correction is made of, and its stages.

use mpiscope_model::Timestamp;
#[cfg(doc)]
use mpiscope_model::Trace;

use crate::config::PresyncMode;
use crate::presync::ClockMap;
use crate::report::Report;
use crate::table::LatencyTable;
use crate::uncertainty::Uncertainty;

/// A corrected trace: times, one column per location, and what was done.
///
/// Of several processes each has the columns, and jumps, of its own locations; those
/// of others are empty.
#[derive(Clone, Debug, Default)]
pub struct Correction {
    /// After the offset measurements were applied, and the caller's shifts.
    pub interpolated: Vec<Vec<Timestamp>>,
    /// After the clock condition was restored.
    pub corrected: Vec<Vec<Timestamp>>,
    /// The map of each clock to the master's time, by its number in
    /// [`Trace::clock_of_locations`].
    pub maps: Vec<ClockMap>,
    /// What the maps can be wrong by.
    pub uncertainty: Uncertainty,
    /// The receiving events that the logical clock found too early, in the
    /// order of events, by location.
    pub jumps: Vec<Vec<Jump>>,
    /// The pre-synchronization that was done, which may be less than was
    /// asked for.
    pub presync: PresyncMode,
    /// The minimum latencies that hold in the corrected times.
    pub latencies: LatencyTable,
    /// Facts about the correction.
    pub report: Report,
    /// Which process has which locations: 0, if there is one.
    pub part_of: Vec<u32>,
}

/// A receiving event that was moved because a message came too late for it,
/// after what had been moved before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Number of the event in its location.
    pub event: u32,
    /// The time it was moved to, which is the latest arrival of what it
    /// received; ramps may have moved it on.
    pub to: Timestamp,
}

/// A part of a correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Times are mapped to the master's clock.
    Presync,
    /// Sync events are collected. Like the stages that follow, this may be
    /// done more than once.
    Records,
    /// The first κ is chosen.
    Control,
    /// The clock condition is restored.
    Forward,
    /// Jumps are smoothed.
    Backward,
    /// All other events follow.
    Expand,
}
