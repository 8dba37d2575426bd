//! What a correction has to say about itself.

use std::fmt;

use mpiscope_model::{Duration, EventRef, Timestamp};

use crate::latency::{Between, Latencies};

/// Facts about one correction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Events of the trace.
    pub events: u64,
    /// Events that a logical message begins or ends at.
    pub sync_events: u64,
    /// Matched point-to-point messages.
    pub messages: u64,
    /// Collective operations.
    pub collectives: u64,
    /// The forward passes, the last of which counts.
    pub passes: Vec<Pass>,
    /// Receiving events that had to be moved because a send that they follow
    /// came too late for them, after earlier moves.
    pub violations_seen: u64,
    /// Jumps that a ramp leads up to; others are on the ramp of a later one.
    pub ramps: u64,
    /// Events whose corrected time differs from the interpolated one.
    pub events_moved: u64,
    /// The farthest that an event was moved.
    pub max_displacement: Duration,
    /// How far events were moved in the mean over all events, in ns.
    pub mean_displacement: f64,
    /// The largest displacement left at the end of a location, over the
    /// location's length: large values mean an inconsistent trace or
    /// latencies too long.
    pub final_drift: f64,
    /// Steps of recorded clocks back in time, held.
    pub backward_steps: u64,
    /// Minimum latencies used and where they come from.
    pub latencies: Latencies,
    /// Sends without receive.
    pub unmatched_sends: u64,
    /// Receives without send.
    pub unmatched_receives: u64,
    /// Messages whose order on their channel only a local clock tells.
    pub ambiguous_messages: u64,
    /// Collective operations that lack a member.
    pub incomplete_collectives: u64,
    /// Collective operations that bind nobody, because the trace does not say
    /// who waits for whom: members disagree, totals do not tell who of an
    /// alltoallv sent to whom, or neighbours have no topology.
    pub unused_collectives: u64,
    /// Receiving events that were freed from their sends because these, in the
    /// order of the trace, could only follow them.
    pub dropped_edges: Vec<EventRef>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// One forward pass over the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pass {
    /// 1 − γ.
    pub kappa: f64,
    /// The largest displacement at the end of a location, over its length; of
    /// the adaptive control, how much of it is growth.
    pub error: f64,
}

/// What the user should know.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// A minimum latency contradicts the trace.
    LatencyLowered {
        /// Which messages.
        of: Between,
        /// What was found.
        from: Duration,
        /// What is used.
        to: Duration,
    },
    /// Two offset measurements imply a drift that no clock has.
    DriftNotBelieved {
        /// Number of the clock.
        clock: usize,
        /// Time of the first measurement.
        from: Timestamp,
        /// Time of the second.
        to: Timestamp,
        /// The drift they imply.
        slope: f64,
    },
    /// A measurement differs from its neighbour by more than clocks drift, and
    /// by no more than it may be wrong.
    MeasurementTooVague {
        /// Number of the clock.
        clock: usize,
        /// Time of the measurement.
        time: Timestamp,
        /// What it may be wrong by.
        half_width: Duration,
    },
    /// A clock was set while the program ran.
    ClockSet {
        /// Number of the clock.
        clock: usize,
        /// From when on, by the clock itself.
        at: Timestamp,
        /// How much later it showed from then on.
        by: Duration,
    },
    /// Several clocks have no measurement.
    ClocksNotCompared {
        /// How many.
        clocks: usize,
    },
    /// Locations end far ahead of their clocks.
    Avalanche {
        /// The largest displacement at an end over the location's length.
        drift: f64,
    },
    /// Sends that follow their own receives in the order of the trace.
    Cycle {
        /// How many receiving events were freed.
        edges: usize,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::LatencyLowered { of, from, to } => write!(
                f,
                "messages between {of} are faster than the minimum latency of {from} they should have; {to} is used"
            ),
            Warning::DriftNotBelieved {
                clock,
                from,
                to,
                slope,
            } => write!(
                f,
                "clock {clock}: offsets measured at {from} and {to} differ by {slope:.2e} of the time between; the nearer one is used"
            ),
            Warning::MeasurementTooVague {
                clock,
                time,
                half_width,
            } => write!(
                f,
                "clock {clock}: the offset measured at {time} is only good to ±{half_width} and is not used: its neighbour contradicts it"
            ),
            Warning::ClockSet { clock, at, by } => {
                write!(f, "clock {clock} was set by {by} at {at}; the step is taken off")
            }
            Warning::ClocksNotCompared { clocks } => {
                write!(f, "{clocks} clocks were never compared with each other")
            }
            Warning::Avalanche { drift } => write!(
                f,
                "a location ends ahead of its clock by {drift:.2e} of its length: clocks far apart, or minimum latencies too long"
            ),
            Warning::Cycle { edges } => write!(
                f,
                "{edges} receives come before what must precede their sends; these bind nothing"
            ),
        }
    }
}
