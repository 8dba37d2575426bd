//! What the checker finds, as callers see it.

use mpiscope_model::Duration;

/// What was found wrong, and how much was looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Violations {
    /// Matched point-to-point messages.
    pub point_to_point: u64,
    /// Logical messages between different locations: point-to-point, and each
    /// pair of members of a collective operation one of which waits for the
    /// other.
    pub logical: u64,
    /// Logical messages received before they were sent, by how much.
    pub reversed: Tally,
    /// Those of them that are point-to-point messages.
    pub reversed_point_to_point: Tally,
    /// Logical messages received sooner than the minimum latency after they
    /// were sent, by how much; includes those reversed.
    pub clock_condition: Tally,
    /// Events whose time lies before that of an earlier event in its location.
    pub backward_steps: u64,
}

/// How many, and how far off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// The worst.
    pub worst: Duration,
    /// The mean, in ns.
    pub mean: f64,
}
