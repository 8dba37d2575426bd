//! How long a part of a run takes on an ideal network, as whoever can replay it tells.

use std::fmt;

use mpiscope_model::{Duration, Timestamp};

/// A run that can be replayed on a network whose messages take no time.
pub trait IdealNetwork: fmt::Debug + Sync {
    /// Returns how long a part of the run takes there.
    ///
    /// # Errors
    /// Why that cannot be told.
    fn ideal(&self, begin: Timestamp, end: Timestamp) -> Result<Duration, NoIdeal>;
}

/// Why it is not known how long a run takes on an ideal network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoIdeal {
    /// Nobody replayed the run.
    NotReplayed,
    /// So many sends, receives and operations have no other side in the trace.
    Unmatched(u64),
    /// So many messages stand in no call.
    OutsideOfCalls(u64),
    /// Calls need each other in a circle.
    Circles,
    /// Of some locations only the begin could be read.
    Truncated,
    /// Ranks waited for locks of windows, of which a replay knows nothing.
    Locks,
}

impl fmt::Display for NoIdeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoIdeal::NotReplayed => f.write_str("it was not replayed"),
            NoIdeal::Unmatched(1) => {
                f.write_str("of 1 send, receive or operation the other side is not in the trace")
            }
            NoIdeal::Unmatched(many) => write!(
                f,
                "of {many} sends, receives and operations the other side is not in the trace"
            ),
            NoIdeal::OutsideOfCalls(1) => f.write_str("1 message stands in no call"),
            NoIdeal::OutsideOfCalls(many) => write!(f, "{many} messages stand in no call"),
            NoIdeal::Circles => f.write_str("calls seem to need each other in a circle"),
            NoIdeal::Truncated => f.write_str("a part of it could not be read"),
            NoIdeal::Locks => f.write_str("who had the locks of windows is not told"),
        }
    }
}
