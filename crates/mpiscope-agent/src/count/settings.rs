//! How much is counted, as the environment of rank 0 says.

use serde::{Deserialize, Serialize};

use crate::base::variable;

/// How much is kept; the same on all ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Peers of a statement that have an entry of their own; the rest share one.
    pub peers: u32,
    /// Entries of a thread.
    pub entries: usize,
    /// Nanoseconds of delay put into every probe, to see whether they are compensated.
    pub delay: u64,
    /// Seconds between two snapshots for other hosts; 0 for 5, if there are several.
    pub snapshots: u32,
    /// The rank whose probes have it; all, if none is named.
    #[serde(default)]
    pub delayed: Option<u32>,
    /// Whether the time that partners lost to observation is taken into account.
    pub virtual_clock: bool,
    /// Whether messages between hosts are told of, by messages of our own.
    pub stamps: bool,
    /// Whether of messages and collective operations between hosts a sample is told of.
    #[serde(default)]
    pub sampled: bool,
    /// So many hosts are pretended, to which the ranks are dealt in turn; 0 for none.
    pub hosts: u32,
}

impl Settings {
    /// Reads what rank 0's environment asks for; nothing if no statistics are wanted.
    ///
    /// # Errors
    /// Words about a variable that is no number.
    pub fn from_environment() -> Result<Option<Self>, String> {
        if !wanted() {
            return Ok(None);
        }
        let virtual_clock = variable::text("MPISCOPE_VIRTUAL_CLOCK").unwrap_or_default();
        Ok(Some(Self {
            peers: number("MPISCOPE_MONITOR_PEERS", 64)?,
            entries: number("MPISCOPE_MONITOR_ENTRIES", 16384)?,
            delay: number("MPISCOPE_PROBE_DELAY", 0)?,
            snapshots: number("MPISCOPE_SNAPSHOTS", 0)?,
            delayed: match number("MPISCOPE_PROBE_DELAY_RANK", u32::MAX)? {
                u32::MAX => None,
                rank => Some(rank),
            },
            virtual_clock: matches!(virtual_clock.as_str(), "sampled" | "observe" | "enforce"),
            // Choices between messages need to know when each was sent.
            stamps: matches!(virtual_clock.as_str(), "sampled" | "enforce")
                || variable::text("MPISCOPE_STAMPS").as_deref() == Some("far"),
            sampled: virtual_clock == "sampled",
            hosts: number("MPISCOPE_HOSTS", 0)?,
        }))
    }
}

/// Whether the environment asks for statistics: known before MPI is up.
pub fn wanted() -> bool {
    std::env::var("MPISCOPE_MONITOR").is_ok_and(|value| value == "on")
}

fn number<T: std::str::FromStr>(name: &str, default: T) -> Result<T, String> {
    variable::text(name).map_or(Ok(default), |text| {
        text.parse()
            .map_err(|_| format!("{name}={text}: a number is expected"))
    })
}
