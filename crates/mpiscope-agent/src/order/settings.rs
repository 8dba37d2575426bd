//! What is to be done with the order of a run.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::base::variable;

/// What to do with the order of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Nothing.
    Off,
    /// Write it down.
    #[default]
    Record,
    /// Enforce one that was written down.
    Replay,
    /// Choose by a rule.
    Deterministic,
    /// Choose as the unobserved program would.
    Enforce,
}

impl Mode {
    /// Returns whether the program is made to choose as somebody wants.
    pub fn leads(self) -> bool {
        matches!(self, Mode::Replay | Mode::Deterministic | Mode::Enforce)
    }

    /// Returns whether a watchdog ends the program when it hangs: what the user
    /// only wants to measure may do as it likes.
    pub fn is_watched(self) -> bool {
        matches!(self, Mode::Replay | Mode::Deterministic)
    }

    /// Returns what the user has asked for.
    pub fn option(self) -> &'static str {
        match self {
            Mode::Enforce => "--virtual-clock enforce",
            _ => "--deterministic",
        }
    }
}

/// What the environment says of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    /// What to do.
    pub mode: Mode,
    /// In replay: whether what happens is written down again.
    pub writes: bool,
    /// The run whose record leads.
    pub record: PathBuf,
    /// Seconds without any progress after which replay is given up; 0 for never.
    pub patience: f64,
    /// Whether a process that waits counts as one that cannot send, where choices are enforced.
    #[serde(default)]
    pub waiting_cannot_send: bool,
    /// Whether a divergence ends the run.
    pub stop: bool,
    /// Whether races are looked for, and only receives that race recorded.
    #[serde(default)]
    pub online: bool,
}

impl Settings {
    /// Reads the environment.
    ///
    /// # Errors
    /// When a variable has no meaning: which one.
    pub fn from_environment() -> Result<Self, String> {
        let mode = match variable::text("MPISCOPE_ORDER").as_deref() {
            None | Some("record") => Mode::Record,
            Some("off") => Mode::Off,
            Some("replay") => Mode::Replay,
            Some("deterministic") => Mode::Deterministic,
            Some("enforce") => Mode::Enforce,
            Some(other) => {
                return Err(format!(
                "MPISCOPE_ORDER={other}: off, record, replay, deterministic or enforce is expected"
            ))
            }
        };
        let patience =
            variable::text("MPISCOPE_PATIENCE").map_or(Ok(DEFAULT_PATIENCE), |text| {
                let seconds = text.parse().ok().filter(|s| (0.0..1e9).contains(s));
                seconds.ok_or_else(|| {
                    format!("MPISCOPE_PATIENCE={text}: a number of seconds is expected")
                })
            })?;
        Ok(Self {
            mode,
            writes: mode == Mode::Record || variable::text("MPISCOPE_ORDER_WRITE").is_some(),
            record: variable::run("MPISCOPE_ORDER_RECORD")?.unwrap_or_default(),
            patience,
            waiting_cannot_send: variable::text("MPISCOPE_DEADLOCK_RULE").as_deref() != Some("off"),
            stop: variable::text("MPISCOPE_DIVERGENCE").as_deref() == Some("stop"),
            online: variable::text("MPISCOPE_RACES").as_deref() == Some("online"),
        })
    }
}

const DEFAULT_PATIENCE: f64 = 60.0;
