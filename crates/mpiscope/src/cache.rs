//! What commands have found of an archive is kept beside it, so that it is said at once when
//! they are asked again: one file for all of them.
//!
//! ```text
//! identity   what lies there: names, sizes, moments of change, contents of what is small
//! question   which command was asked, of which path, with which options
//! file       identity, answers, and a checksum over all of it
//! large      what is no answer in JSON: the display's sums, in a file of their own
//! ```
//!
//! Facts are kept, and not which receive belongs to which send. To find that takes at most a
//! seventh of what `races` takes and a twentieth of `analyze` (11.5 million events); whoever had
//! it would read the archive all the same, which is half of it and more. What can be forced of
//! races is found in 24 to 70 times the time that races take, and so kept by `explore`, not
//! looked for by `races`.
//!
//! Who writes or hands over events keeps nothing. `print` matches nothing. Of 13 s that `export
//! --to csv` takes of such a run, messages and wait states are 0.5, of 6 s for Perfetto the
//! messages 0.1. Python's `wait_states` takes 0.9 s with the reading, half of it what could be
//! kept; but the package is another build, which may believe nothing that the command wrote.
//!
//! The file cannot lie. Nothing of it is believed unless its checksum is right, this very build
//! of mpiscope wrote it, and all that it describes is as it was: else it counts for nothing, and
//! goes away. It is never required, with the display's sums never more than a tenth of the archive,
//! and moved to its place when it is complete, so that any number of commands may read and write it
//! at a time.

mod file;
mod identity;
pub mod large;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;
use std::{fs, io};

use mpiscope_archive::trace::anchor_of;
use mpiscope_run::run_info;
use serde::de::DeserializeOwned;
use serde::Serialize;

use crate::input::run_of;
use crate::packed;
use crate::stamp::{Found, Stamp};
use file::{Answer, Content, Unusable};
use identity::Identity;

/// Name of the file in a run.
pub const IN_RUN: &str = "analysis.cache";

/// Ending of the file beside an archive that is in no run.
const BESIDE: &str = "mpiscope-cache";

/// The archive's part that both files may have together: one in so many bytes.
const PART: u64 = 10;

/// What is kept of an archive, as far as it answers one question.
#[derive(Debug, Default)]
pub struct Cache(Option<Known>);

/// An archive that can be looked at, and what was asked of it.
#[derive(Debug)]
struct Known {
    /// Where the file is, or may be, and the other one.
    file: PathBuf,
    large: PathBuf,
    input: PathBuf,
    /// What lay there before anything was read.
    identity: Identity,
    since: SystemTime,
    question: String,
    /// What is kept for this and other questions.
    content: Content,
}

impl Cache {
    /// Looks at what `input` is, before it is read, for what is kept of it; `question` is all
    /// that facts of it depend on.
    pub fn open(command: &str, input: &Path, question: &impl Serialize) -> Cache {
        // What was unpacked goes away with the command.
        if packed::given(input) != *input {
            return Cache::default();
        }
        Cache(Known::new(command, input, question))
    }

    /// Neither reads nor keeps anything.
    pub fn none() -> Cache {
        Cache::default()
    }

    /// Returns the answer, if it is kept.
    pub fn answer<F: DeserializeOwned>(&self) -> Option<F> {
        let known = self.0.as_ref()?;
        known.content.answer(&known.question)
    }

    /// Keeps the answer, unless something has changed meanwhile, has just been written, or would
    /// take too much room. `others` are files beside those of the archive that it was made of, as
    /// they were before they were read.
    pub fn keep(self, facts: &impl Serialize, others: &[Stamp]) {
        // Where it cannot be written it is found again next time.
        let _ = self.0.map(|known| known.keep(facts, others));
    }
}

impl Known {
    fn new(command: &str, input: &Path, question: &impl Serialize) -> Option<Known> {
        let since = SystemTime::now();
        let run = run_of(input);
        let anchor = anchor_of(&run).ok()?;
        let [file, large] = places(&run, &anchor);
        let identity = Identity::of(&run, &anchor)?;
        let question = serde_json::to_string(&(command, input, question)).ok()?;
        Some(Known {
            content: read(&file, &identity),
            file,
            large,
            input: input.to_owned(),
            identity,
            since,
            question,
        })
    }

    fn keep(mut self, facts: &impl Serialize, others: &[Stamp]) -> Option<()> {
        let run = run_of(&self.input);
        let now = Identity::of(&run, &anchor_of(&run).ok()?)?;
        let mut all = others.iter();
        let settled = now.is_settled(self.since) && all.all(|it| it.is_settled(self.since));
        if now != self.identity || !settled {
            return None;
        }
        let answer = Answer::new(self.question, others.to_vec(), facts)?;
        // What other commands have found meanwhile.
        self.content = read(&self.file, &self.identity);
        let bytes = self
            .content
            .with(answer, &self.identity, room(&self.identity, &self.large))?;
        write(&self.file, &bytes).ok()
    }
}

/// Returns where answers are kept of a run, or of an archive by itself, and where what is large.
fn places(run: &Path, anchor: &Path) -> [PathBuf; 2] {
    match run.join(run_info::FILE).is_file() {
        true => [run.join(IN_RUN), run.join(large::IN_RUN)],
        false => [BESIDE, large::BESIDE].map(|ending| anchor.with_extension(ending)),
    }
}

/// Returns how many bytes a file may have beside the other one; one that is older than the archive
/// describes what lay there before, and goes away as soon as somebody looks at it.
fn room(archive: &Identity, other: &Path) -> u64 {
    let other = Found::at(other).filter(|it| archive.is_older(it));
    let taken = other.map_or(0, |it| it.size);
    (archive.bytes / PART).saturating_sub(taken)
}

/// Reads what is kept of an archive; what describes something else, or makes no sense, is removed.
fn read(path: &Path, identity: &Identity) -> Content {
    let Ok(bytes) = fs::read(path) else {
        return Content::default();
    };
    match Content::parse(&bytes) {
        Ok((described, content)) if described == *identity => content,
        Err(Unusable::OtherVersion) => Content::default(),
        Ok(_) | Err(Unusable::Damaged) => {
            let _ = fs::remove_file(path);
            Content::default()
        }
    }
}

/// Writes a file beside its place and moves it there. What a dead machine leaves of it has no
/// right checksum, so nothing waits for the disk.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (process, number) = (std::process::id(), WRITTEN.fetch_add(1, Ordering::Relaxed));
    let aside = path.with_file_name(format!(".{name}.{process}.{number}"));
    let written = fs::write(&aside, content).and_then(|()| fs::rename(&aside, path));
    written.inspect_err(|_| {
        let _ = fs::remove_file(&aside);
    })
}

/// Returns whether a file, by its path in a run or beside an archive, is kept by commands.
pub fn is_kept(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_prefix('.').unwrap_or(&name);
    [IN_RUN, large::IN_RUN]
        .iter()
        .any(|it| name.starts_with(it))
        || name.contains(BESIDE)
}

#[cfg(test)]
mod tests;
