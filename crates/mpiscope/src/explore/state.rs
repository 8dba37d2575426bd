//! What was found so far: `RUN/explore/state.json`, written after every run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mpiscope_archive::model::{EventRef, LocationIndex, Trace};
use serde::{Deserialize, Serialize};

use super::compare::Baseline;
use super::verdict::Verdict;
use crate::input::Damaged;

/// Name of the folder in a run.
pub const FOLDER: &str = "explore";
const FILE: &str = "state.json";
/// Raised when the meaning of the file changes.
const VERSION: u32 = 1;

/// The whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// See [`VERSION`].
    pub version: u32,
    /// The command.
    pub command: Vec<String>,
    /// The files that are compared.
    pub output_files: Vec<String>,
    /// What runs are compared with.
    pub baseline: Option<Baseline>,
    /// What was forced, in that order.
    pub findings: Vec<Finding>,
}

/// What came of one alternative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// From 1.
    pub number: usize,
    /// Which alternative; the same in every exploration of the run.
    pub key: String,
    /// What came of it.
    pub verdict: Verdict,
    /// How, in sentences.
    pub how: Vec<String>,
    /// World rank that receives.
    pub rank: u32,
    /// Where it receives.
    pub receive: String,
    /// World rank whose message it got in the recorded run.
    pub got: Option<u32>,
    /// World rank whose message it was given.
    pub given: u32,
    /// Where that was sent.
    pub sent: String,
    /// Whether the trace alone says that it is a match hazard.
    pub hazard: bool,
    /// Alternatives with the same two calls.
    pub alike: usize,
    /// The directory in the run that `replay` takes; findings only.
    pub record: Option<PathBuf>,
    /// How long the run took.
    pub seconds: f64,
    /// Where it is in the run's trace; nothing where an earlier version found it.
    #[serde(default)]
    pub events: Option<Events>,
}

/// The events of an alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events {
    /// Where the receive completed.
    pub receive: At,
    /// The send of the message that it got.
    pub got: Option<At>,
    /// The send of the message that it was given.
    pub given: At,
}

/// An event, as reports number it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    /// Number of the location in the archive.
    pub location: u64,
    /// Number of the event in the location, from 0.
    pub event: u32,
}

impl At {
    /// Numbers an event.
    pub fn of(trace: &Trace, event: EventRef) -> At {
        At {
            location: trace.locations[event.location.index()].id,
            event: event.index,
        }
    }

    /// Finds the event; nothing if the trace does not hold it.
    pub fn find(self, trace: &Trace) -> Option<EventRef> {
        let mut locations = trace.locations.iter();
        let at = locations.position(|location| location.id == self.location)?;
        let is_there = (self.event as usize) < trace.locations[at].events.len();
        is_there.then_some(EventRef {
            location: LocationIndex(at as u32),
            index: self.event,
        })
    }
}

/// Returns where it is written.
pub fn place(run: &Path) -> PathBuf {
    run.join(FOLDER).join(FILE)
}

impl State {
    /// Begins anew.
    pub fn new(command: Vec<String>, output_files: Vec<String>) -> State {
        State {
            version: VERSION,
            command,
            output_files,
            ..State::default()
        }
    }

    /// Reads what an earlier exploration found; nothing if there was none.
    pub fn read(run: &Path) -> Result<Option<State>> {
        let path = run.join(FOLDER).join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let wrong = |what: String| {
            Damaged(format!(
                "{}: {what}; `explore --anew` begins again",
                path.display()
            ))
        };
        let state: State = serde_json::from_slice(&text)
            .map_err(|error| wrong(format!("expected the state of an exploration: {error}")))?;
        match state.version {
            VERSION => Ok(Some(state)),
            other => Err(wrong(format!("version {other}, {VERSION} is expected")).into()),
        }
    }

    /// Writes it.
    pub fn write(&self, run: &Path) -> Result<()> {
        let path = run.join(FOLDER).join(FILE);
        let new = path.with_extension("new");
        fs::write(&new, serde_json::to_vec_pretty(self)?)
            .and_then(|()| fs::rename(&new, &path))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Returns which alternatives were forced.
    pub fn keys(&self) -> BTreeSet<String> {
        self.findings.iter().map(|it| it.key.clone()).collect()
    }
}
