//! What `info` and `sync` are given: a run, or any OTF2 archive.
//!
//! An archive that is damaged is read as far as it goes, and says so. Only
//! what is no archive at all is refused as wrong usage.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};
use clap::ValueEnum;
use mpiscope_archive::memory;
use mpiscope_archive::model::{Timestamp, Trace};
use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::{
    anchor_of, applied_offsets, extent_of, read_times_watched, read_trace_watched, Extent,
};
use mpiscope_run::directory;
use mpiscope_run::run_info::{self, RunInfo};
use serde::{Deserialize, Serialize};

use crate::progress::{self, Unit};
use crate::stamp::Stamp;
use crate::{say, symbols};

/// The input is damaged: exit code 3.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Damaged(pub String);

/// What the times of an archive are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TimeBase {
    /// As the clocks showed them
    Measured,
    /// Mapped to one clock
    Interpolated,
    /// Mapped to one clock, and put in order: nothing is received before it was sent
    Corrected,
}

/// An archive, and the run it belongs to.
#[derive(Debug, Default)]
pub struct Input {
    /// As the user named it; of a run its directory.
    pub path: PathBuf,
    /// The archive's anchor.
    pub anchor: PathBuf,
    /// The archive.
    pub trace: Trace,
    /// What is known of the run; nothing for an archive by itself.
    pub run: Option<RunInfo>,
    /// What could not be read, in sentences.
    pub damage: Vec<String>,
    /// The call sites' lines are known here, and not in the archive.
    pub named: bool,
    /// What its times are; nothing if nobody knows, as of other tools' archives.
    pub clock: Option<TimeBase>,
    /// Files beside the archive in which functions and lines were looked up.
    pub modules: Vec<Stamp>,
}

impl Input {
    /// Reads a run or an archive.
    pub fn open(path: &Path) -> Result<Input> {
        let path = run_of(path);
        let anchor = anchor_of(&path)?;
        Input::read(path, anchor)
    }

    /// Reads a run in corrected time, if it has been corrected, else as [`open`](Self::open)
    /// does.
    pub fn open_corrected(path: &Path) -> Result<Input> {
        let path = run_of(path);
        let Some(corrected) = corrected_anchor(&path) else {
            return Input::open(&path);
        };
        match Input::read(path.clone(), corrected) {
            Ok(input) => Ok(input),
            Err(error) => {
                let mut input = Input::open(&path)?;
                let what = format!(
                    "the corrected archive cannot be read: {}",
                    say::chain(&error)
                );
                input.damage.push(what);
                Ok(input)
            }
        }
    }

    /// Reads the events of all locations, if others have them.
    pub fn read_all_events(&mut self) -> Result<()> {
        if !self.trace.parts.is_empty() {
            // What is here of it makes room.
            self.trace = Trace::default();
            *self = Input::read(self.path.clone(), self.anchor.clone())?;
        }
        Ok(())
    }

    fn read(path: PathBuf, anchor: PathBuf) -> Result<Input> {
        let trace = read(&anchor)?;
        Input::of(path, anchor, trace)
    }

    /// Makes one of a trace that was read.
    pub fn of(path: PathBuf, anchor: PathBuf, mut trace: Trace) -> Result<Input> {
        let modules = symbols::files_of(&trace.definitions.call_sites);
        let modules = modules.into_iter().map(Stamp::of).collect();
        let named = symbols::name_all(&mut trace.definitions.call_sites);
        let mut damage = truncations(&trace);
        let run = match path.join(run_info::FILE).is_file() {
            false => None,
            true => match RunInfo::read(&path) {
                Ok(info) => Some(info),
                Err(error) => {
                    damage.push(error.to_string());
                    None
                }
            },
        };
        let clock = match mpiscope_archive::corrected::is_corrected(&anchor) {
            Ok(true) => Some(TimeBase::Corrected),
            _ => path
                .join(run_info::FILE)
                .is_file()
                .then_some(TimeBase::Measured),
        };
        Ok(Input {
            path,
            anchor,
            trace,
            run,
            damage,
            named,
            clock,
            modules,
        })
    }

    /// Applies the clock offsets of an archive by itself, as every reader of OTF2 does; of a run that
    /// is `mpiscope sync`'s to do, which knows more.
    pub fn with_offsets(mut self) -> Input {
        let none = self.clock.is_none();
        if let Some(times) = none.then(|| applied_offsets(&self.trace)).flatten() {
            self.trace.set_times(times);
            self.clock = Some(TimeBase::Interpolated);
        }
        self
    }

    /// Says what of the run was not kept.
    pub fn not_kept(&self) -> Vec<String> {
        self.run.as_ref().map_or_else(Vec::new, RunInfo::not_kept)
    }

    /// Returns where the run's corrected archive belongs; nothing without a run.
    pub fn corrected(&self) -> Option<PathBuf> {
        let is_run = self.path.join(run_info::FILE).is_file();
        is_run.then(|| directory::corrected(&self.path))
    }

    /// Returns how many processes there are.
    pub fn ranks(&self) -> u64 {
        self.trace.ranks().len() as u64
    }
}

/// Returns the run whose own archive this is, else the path itself.
pub fn run_of(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return path.to_owned(),
    };
    let own = directory::anchor(folder).file_name() == path.file_name();
    match own && path.is_file() && folder.join(run_info::FILE).is_file() {
        true => folder.to_owned(),
        false => path.to_owned(),
    }
}

/// Returns the corrected archive of a run, if it is one and has been corrected.
pub fn corrected_anchor(path: &Path) -> Option<PathBuf> {
    let corrected = directory::anchor(&directory::corrected(path));
    let is_run = path.join(run_info::FILE).is_file();
    Some(corrected).filter(|it| is_run && it.is_file())
}

/// Reads an archive; if it is one and cannot be read, that is damage.
pub fn read(anchor: &Path) -> Result<Trace> {
    opened(
        anchor,
        read_watched(anchor, |progress| read_trace_watched(anchor, progress)),
    )
}

/// Reads the times of another archive of the events of a trace; nothing if it is one of others.
///
/// # Errors
/// As [`read`].
pub fn times_of(anchor: &Path, events: &Trace) -> Result<Option<Vec<Vec<Timestamp>>>> {
    let read = read_watched(anchor, |progress| read_times_watched(anchor, progress));
    let columns = opened(anchor, read)?;
    let lengths = columns.iter().map(|it| (it.id, it.times.len()));
    let locations = events.locations.iter();
    let are_these = lengths.eq(locations.map(|it| (it.id, it.events.len())));
    Ok(are_these.then(|| columns.into_iter().map(|it| it.times).collect()))
}

/// Reads, and shows how far that has come.
pub fn read_watched<T>(anchor: &Path, read: impl FnOnce(&Progress) -> T) -> T {
    let progress = Progress::default();
    let what = format!("reading {}", anchor.display());
    progress::during(&what, Unit::Events, &progress, || read(&progress))
}

/// Says that what begins like an archive and cannot be read is damaged.
pub fn opened<T>(anchor: &Path, read: Result<T, mpiscope_archive::Error>) -> Result<T> {
    match read {
        Ok(read) => Ok(read),
        Err(error) if begins_like_an_archive(anchor) => bail!(Damaged(error.to_string())),
        Err(error) => bail!(error),
    }
}

/// Has columns lie in a file from here on, if there is a budget: beside the input, where the result
/// needs room as well, or where temporary files go.
pub fn limit_memory(input: &Path, budget: Option<u64>) -> Result<()> {
    limit_memory_for_all(&[input.to_owned()], budget)
}

/// Does the same where one command reads several inputs.
pub fn limit_memory_for_all(inputs: &[PathBuf], budget: Option<u64>) -> Result<()> {
    let (Some(budget), Some(first)) = (budget, inputs.first()) else {
        return Ok(());
    };
    // As where processes first tried to do together what one does then.
    if memory::is_limited() {
        return Ok(());
    }
    let mut needed = inputs.iter().map(|it| expected(it));
    let needed = needed.try_fold(0, |sum: u64, it| Some(sum.saturating_add(it?)));
    let is_ample = needed.is_some_and(|needed| needed <= budget / 2);
    // More than is there for it would be in the way of all else.
    let ordinary = if is_ample { budget / 2 } else { 0 };
    limit_memory_beside(first, budget, ordinary)
}

fn limit_memory_beside(input: &Path, budget: u64, ordinary: u64) -> Result<()> {
    let directory = match input.is_dir() {
        true => input,
        false => input.parent().unwrap_or(input),
    };
    memory::limit(directory, budget, ordinary)
        .or_else(|_| memory::limit(&std::env::temp_dir(), budget, ordinary))
        .context("cannot make a file for columns that exceed --memory")
}

/// Returns how much memory commands need for a run, rather too much: of simulated exchanges among
/// neighbours `analyze` took 31 bytes an event, `sync` 46 and `view` 70; of pairs of 4000 ranks, which
/// have few events each, `analyze` took 125.
fn expected(input: &Path) -> Option<u64> {
    const EVENT: u64 = 128;
    const LOCATION: u64 = 64 << 10;
    let Extent { events, locations } = extent_of(&run_of(input)).ok()?;
    let (events, locations) = (
        events.saturating_mul(EVENT),
        locations.saturating_mul(LOCATION),
    );
    (events > 0).then(|| events.saturating_add(locations))
}

/// Has columns of runs of more events than this lie in a file, where nobody says how much memory
/// there is.
pub fn limit_memory_beyond(many: u64, path: &Path) {
    /// What is used of memory then.
    const USUAL: u64 = 900 << 20;
    if extent_of(path).is_ok_and(|it| it.events > many) {
        // Where it cannot be, or was asked for already, the run takes as much as it does.
        let _ = limit_memory_beside(path, USUAL, 0);
    }
}

/// An anchor begins with a chunk header, the byte order and `OTF2`.
pub fn begins_like_an_archive(anchor: &Path) -> bool {
    let mut begin = [0; 6];
    let read = File::open(anchor).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin[0] == 3 && begin[2..] == *b"OTF2"
}

/// Prints the JSON object that is left of a report if the input is too damaged
/// for one: what it was, under the name `key`, and what is wrong.
pub fn report_damaged(key: &str, path: &Path, error: &anyhow::Error) -> Result<()> {
    match error.is::<Damaged>() {
        true => say::report(serde_json::to_string_pretty(&damaged(key, path, error))?),
        false => Ok(()),
    }
}

fn damaged(key: &str, path: &Path, error: &anyhow::Error) -> serde_json::Value {
    serde_json::json!({ key: path, "damage": [say::chain(error)] })
}

fn truncations(trace: &Trace) -> Vec<String> {
    let truncated = |location: &mpiscope_archive::model::Location| {
        let what = location.truncated.as_ref()?;
        Some(format!(
            "rank {}, location {}: only the first {} events could be read: {what}",
            location.rank.0,
            location.id,
            location.count()
        ))
    };
    trace.locations.iter().filter_map(truncated).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_is_no_archive_is_not_damage() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("traces.otf2");
        let check = |content: &[u8], damaged: bool| {
            fs::write(&file, content).unwrap();
            let error = Input::open(&file).unwrap_err();
            assert_eq!(error.is::<Damaged>(), damaged, "{error}");
            assert!(error.to_string().contains("traces.otf2"), "{error}");
        };
        check(b"", false);
        check(b"a thesis", false);
        check(b"\x03#OTF2\0\x03\x02", true);
    }

    #[test]
    fn of_an_archive_that_cannot_be_read_json_tells_the_damage() {
        let error = anyhow::Error::from(Damaged("traces.def: cut".into())).context("no trace");
        let json = damaged("path", Path::new("heat"), &error);
        assert_eq!(
            json.to_string(),
            r#"{"damage":["no trace: traces.def: cut"],"path":"heat"}"#
        );
    }

    #[test]
    fn a_runs_own_anchor_means_the_run() {
        let run = tempfile::tempdir().unwrap();
        let anchor = directory::anchor(run.path());
        fs::write(&anchor, "").unwrap();
        assert_eq!(run_of(&anchor), anchor);
        fs::write(run.path().join(run_info::FILE), "{}").unwrap();
        assert_eq!(run_of(&anchor), run.path());
        assert_eq!(run_of(run.path()), run.path());
    }
}
