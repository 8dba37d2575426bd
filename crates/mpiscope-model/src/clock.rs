//! Which locations read one clock, and how that clock stood to the master's.

use crate::definitions::LocationIndex;
use crate::time::{Duration, Timestamp};

/// A set of locations that read one clock: the threads of a process, or all
/// processes of a node whose counter runs at one rate on every core.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClockDomain {
    /// The locations that read this clock.
    pub locations: Vec<LocationIndex>,
    /// Comparisons with the master clock, ascending in local time. The
    /// master's own domain has none, or one of offset zero.
    pub measurements: Vec<OffsetMeasurement>,
}

/// One comparison with the master clock, kept from the ping of shortest round
/// trip (Cristian 1989): `offset` is right to within `half_width`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetMeasurement {
    /// When the comparison was made, read from the local clock.
    pub time: Timestamp,
    /// What to add to local time to get the master's: master − local.
    pub offset: Duration,
    /// Half of the round trip: the true offset lies in `offset ± half_width`.
    pub half_width: Duration,
}
