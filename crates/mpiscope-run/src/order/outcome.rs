//! How a replay went, rank by rank: `outcomes/RANK.json` in the replay's
//! directory while it lasts, `replay.json` in the run at its end.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Unrecorded;
use crate::living::Process;
use crate::run_info::write_atomically;
use crate::Error;

/// Name of the whole in the run directory.
pub const FILE: &str = "replay.json";

/// How a replay went on all ranks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Replay {
    /// One entry per rank that began, by rank.
    pub ranks: Vec<RankOutcome>,
    /// Size of the world.
    pub world_size: u32,
    /// Exit code of the application.
    pub exit_code: Option<i32>,
    /// That of the recorded run, if it is known.
    #[serde(default)]
    pub recorded_exit_code: Option<i32>,
    /// Whether all was the same, if there was a run to compare with.
    #[serde(default)]
    pub same: Option<bool>,
    /// In what it was not, in sentences.
    #[serde(default)]
    pub differences: Vec<String>,
    /// What the program did that no record governs, with places as lines of its source.
    #[serde(default)]
    pub not_governed: Vec<Unrecorded>,
}

/// How a replay went on one rank.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RankOutcome {
    /// World rank.
    pub rank: u32,
    /// How it ended.
    pub state: State,
    /// MPI calls of the first thread, the one included that it died in.
    pub calls: u64,
    /// The same when it was recorded, if that is known.
    pub recorded_calls: Option<u64>,
    /// The last call of the first thread up to which all was as recorded; nothing if only
    /// another thread did something else.
    pub same_until: Option<u64>,
    /// The first divergence.
    pub divergence: Option<Divergence>,
    /// The first messages that were others than recorded.
    pub other_data: Option<OtherData>,
    /// Choices that another thread came to than then.
    pub other_threads: Option<OtherThreads>,
    /// The call at which the record had no more, if the program went on.
    pub free_from: Option<u64>,
    /// What somebody at a debugger has chosen.
    pub user_choices: Vec<UserChoice>,
    /// The call from which on the record led no further, as somebody chose otherwise.
    pub released_from: Option<u64>,
    /// What it did that no record governs, as far as the replay saw it.
    pub not_governed: Vec<Unrecorded>,
    /// Choices made by a rule, where no record led.
    pub chosen: u64,
    /// Choices left to MPI there.
    pub left: u64,
    /// What each thread waits for, where replay was given up.
    pub waits: Vec<Wait>,
    /// The rank's process.
    pub process: Process,
}

/// How a rank ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It began, and did not say how it ended: it was killed, or came to no MPI_Finalize.
    #[default]
    Silent,
    /// The same, and another rank has seen that its process is no more.
    Gone,
    /// It came to MPI_Finalize.
    Finished,
    /// It was ended because it diverged, and that was to end it.
    Stopped,
    /// It was ended because nothing happened any more on any rank.
    Stalled,
}

impl State {
    /// Returns whether the rank died before it could say how it ended.
    pub fn is_dead(self) -> bool {
        matches!(self, Self::Silent | Self::Gone)
    }

    /// Returns whether the rank itself has said how it ended.
    fn is_last_word(self) -> bool {
        !self.is_dead()
    }
}

/// A call that was not as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Divergence {
    /// Thread of the rank.
    pub thread: u32,
    /// The call, counted from 1; the last of them if it may have been any of several.
    pub call: u64,
    /// How many calls before it may have been it: 0 if it is certain.
    pub within: u64,
    /// The function called, with its integer arguments.
    pub came: String,
    /// Where in the program.
    pub site: String,
    /// What was recorded.
    pub expected: String,
    /// Where in the program that was, `heat.c:42`, if the run has a trace.
    pub expected_site: String,
}

/// A message that somebody at a debugger chose for a receive from anybody.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UserChoice {
    /// The call of the first thread, counted from 1.
    pub call: u64,
    /// The function called, with its integer arguments.
    pub what: String,
    /// Where in the program.
    pub site: String,
    /// Rank of the sender in the communicator.
    pub source: u32,
    /// The tag, if the receive takes any.
    pub tag: Option<u32>,
}

/// Messages that were given to a rank, others than recorded: by the order of its calls alone that
/// would be the same.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherData {
    /// Thread of the rank.
    pub thread: u32,
    /// The call that gave them, counted from 1; the last of them if it may have been any of several.
    pub call: u64,
    /// The first of these.
    pub from: u64,
    /// In what they differ.
    pub what: What,
    /// Where in the program these calls are.
    pub sites: Vec<String>,
}

/// In what a message differs from the recorded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// In source, tag or size, as the status tells.
    #[default]
    Status,
    /// In its content.
    Payload,
}

/// Choices that other threads came to than when they were recorded, as the order in which threads
/// take a lock is not MPI's.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherThreads {
    /// How many.
    pub choices: u64,
    /// Of so many.
    pub of: u64,
    /// The thread that came to the first of them.
    pub thread: u32,
    /// The one that had come to it.
    pub recorded: u32,
    /// The call, counted from 1 among those of that thread.
    pub call: u64,
    /// Where in the program.
    pub site: String,
}

/// A thread in a call that does not return.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wait {
    /// Thread of the rank.
    pub thread: u32,
    /// The call, counted from 1.
    pub call: u64,
    /// The function, with its integer arguments as the record made them.
    pub what: String,
    /// The rank it waits for, in its communicator, if that is known.
    pub source: Option<u32>,
    /// Where in the program.
    pub site: String,
    /// Whether the thread is outside of MPI, after that call.
    pub outside: bool,
    /// Whether it has ended, after that call.
    pub ended: bool,
    /// The thread that is to post before it may, in the recorded order.
    pub turn: Option<u32>,
}

fn folder(directory: &Path) -> PathBuf {
    directory.join("outcomes")
}

fn path_of(directory: &Path, rank: u32) -> PathBuf {
    folder(directory).join(format!("{rank}.json"))
}

/// Returns where a rank keeps how far its first thread has come.
pub fn progress_path(directory: &Path, rank: u32) -> PathBuf {
    folder(directory).join(format!("{rank}.progress"))
}

/// Writes a rank's outcome into the replay's directory.
///
/// # Errors
/// When it cannot be written.
pub fn write_rank(directory: &Path, outcome: &RankOutcome) -> Result<(), Error> {
    let path = path_of(directory, outcome.rank);
    let folder = folder(directory);
    fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
    write_json(&path, outcome)
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_vec_pretty(value)
        .map_err(|e| Error::damaged(path, format!("its content is no JSON: {e}")))?;
    write_atomically(path, &text)
}

/// Returns what the ranks said so far, by rank; what cannot be read is left out.
pub fn read_ranks(directory: &Path) -> Vec<RankOutcome> {
    let entries = fs::read_dir(folder(directory))
        .into_iter()
        .flatten()
        .flatten();
    let mut outcomes: Vec<RankOutcome> = entries
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "json"))
        .filter_map(|entry| serde_json::from_slice(&fs::read(entry.path()).ok()?).ok())
        .collect();
    outcomes.sort_by_key(|outcome| outcome.rank);
    outcomes
}

/// Notes which ranks of this host have ended without a word, so that those of all hosts know;
/// returns what the ranks said so far, by rank.
///
/// # Errors
/// When it cannot be noted.
pub fn note_gone(directory: &Path) -> Result<Vec<RankOutcome>, Error> {
    let is_gone = |outcome: &RankOutcome| outcome.process.is_gone();
    let gone: Vec<u32> = read_ranks(directory)
        .iter()
        .filter(|outcome| outcome.state == State::Silent && is_gone(outcome))
        .map(|outcome| outcome.rank)
        .collect();
    // Who ended after its last word was read spoke before it ended.
    let mut ranks = read_ranks(directory);
    for outcome in &mut ranks {
        if outcome.state == State::Silent && gone.contains(&outcome.rank) {
            outcome.state = State::Gone;
            write_rank(directory, outcome)?;
        }
    }
    Ok(ranks)
}

impl Replay {
    /// Returns the first divergence of each rank that had one.
    pub fn divergences(&self) -> impl Iterator<Item = (u32, &Divergence)> {
        let divergence = |outcome: &'_ RankOutcome| outcome.divergence.is_some();
        self.ranks
            .iter()
            .filter(move |outcome| divergence(outcome))
            .filter_map(|outcome| Some((outcome.rank, outcome.divergence.as_ref()?)))
    }

    /// Returns the ranks that ended without a last word.
    pub fn silent(&self) -> Vec<u32> {
        let spoke = |outcome: &&RankOutcome| outcome.state.is_last_word();
        let spoke = self.ranks.iter().filter(spoke).map(|outcome| outcome.rank);
        let spoke: BTreeSet<u32> = spoke.collect();
        let all = 0..self.world_size;
        all.filter(|rank| !spoke.contains(rank)).collect()
    }

    /// Returns whether replay was given up because nothing happened any more.
    pub fn stalled(&self) -> bool {
        self.ranks
            .iter()
            .any(|outcome| outcome.state == State::Stalled)
    }

    /// Writes `replay.json`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, run: &Path) -> Result<(), Error> {
        write_json(&run.join(FILE), self)
    }

    /// Reads `replay.json`.
    ///
    /// # Errors
    /// When it is not there or not as expected.
    pub fn read(run: &Path) -> Result<Self, Error> {
        let path = run.join(FILE);
        let text = fs::read(&path).map_err(|e| Error::io(&path, e))?;
        serde_json::from_slice(&text).map_err(|e| {
            Error::damaged(
                &path,
                format!("expected the outcome of a replay as JSON: {e}"),
            )
        })
    }
}
