//! What is known of a run is kept with it, so that `info` answers at once
//! however long the run is.
//!
//! `info.json` holds the facts, the version of their form, and the identity of
//! what they describe: names, sizes and times of change of the shifts' file and of all files of both
//! archives, and the content of `run.json`. Where anything differs it counts for
//! nothing. It may be deleted at any time.

use std::fs;
use std::hash::Hasher as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use mpiscope_hash::StableHasher;
use mpiscope_run::run_info::{self, State};
use mpiscope_run::{directory, endings};
use serde::{Deserialize, Serialize};

use super::facts::Facts;
use crate::{shifts, signals};

/// Name of the file in the run directory.
pub const FILE: &str = "info.json";

/// Raised when facts change their form or meaning.
const VERSION: u32 = 4;

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept<F> {
    version: u32,
    /// The mpiscope that wrote it.
    mpiscope: String,
    /// Identity of what the facts describe.
    describes: String,
    facts: F,
}

/// Returns the facts that are kept with a run, if they describe what is there.
pub fn read(run: &Path) -> Option<Facts> {
    let text = fs::read(run.join(FILE)).ok()?;
    let kept: Kept<serde_json::Value> = serde_json::from_slice(&text).ok()?;
    let ours = kept.version == VERSION && kept.mpiscope == mpiscope_run::VERSION;
    if !ours || kept.describes != identity(run)? {
        return None;
    }
    let mut facts: Facts = serde_json::from_value(kept.facts).ok()?;
    // A run may move.
    facts.path = run.to_owned();
    facts.archive = directory::anchor(run);
    let moved = |_| directory::anchor(&directory::corrected(run));
    facts.corrected_archive = facts.corrected_archive.map(moved);
    Some(facts)
}

/// Keeps the facts of a run that has ended and can be read as a whole; where
/// that is not possible they are found again next time.
pub fn write(run: &Path, facts: &Facts) {
    let ended = facts.state.is_some_and(|state| state != State::Running);
    if !ended || !facts.damage.is_empty() {
        return;
    }
    let Some(describes) = identity(run) else {
        return;
    };
    let kept = Kept {
        version: VERSION,
        mpiscope: mpiscope_run::VERSION.to_owned(),
        describes,
        facts,
    };
    if let Ok(text) = serde_json::to_vec(&kept) {
        let _ = signals::hold(|| run_info::write_atomically(&run.join(FILE), &text));
    }
}

/// Returns what tells the files of a run from those it may have had before;
/// nothing if they cannot be looked at.
fn identity(run: &Path) -> Option<String> {
    let mut hasher = StableHasher::default();
    hasher.write(&fs::read(run.join(run_info::FILE)).ok()?);
    let corrected = directory::corrected(run);
    let folders = [run, &corrected];
    let mut files: Vec<_> = [endings::folder(run), run.join(shifts::IN_RUN)].into();
    for folder in folders {
        let anchor = directory::anchor(folder);
        files.extend([anchor.with_extension("def"), anchor.with_extension("")]);
        files.push(anchor);
    }
    for file in files {
        look_at(&file, &mut hasher)?;
    }
    Some(format!("{:016x}", hasher.finish()))
}

/// Takes a file, or all files of a folder by name, into an identity; what is not
/// there, too.
fn look_at(path: &Path, hasher: &mut StableHasher) -> Option<()> {
    let Ok(found) = fs::metadata(path) else {
        hasher.write(b"missing\n");
        return Some(());
    };
    let name = path.file_name()?.as_encoded_bytes();
    hasher.write(name);
    if !found.is_dir() {
        hasher.write_u64(found.len());
        hasher.write_i64(found.mtime());
        hasher.write_i64(found.mtime_nsec());
        return Some(());
    }
    let entries = fs::read_dir(path).ok()?;
    let mut paths: Vec<_> = entries
        .map(|it| it.map(|it| it.path()))
        .collect::<Result<_, _>>()
        .ok()?;
    paths.sort();
    paths.iter().try_for_each(|path| look_at(path, hasher))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_run::run_info::RunInfo;

    fn run() -> tempfile::TempDir {
        let run = tempfile::tempdir().unwrap();
        let anchor = directory::anchor(run.path());
        fs::create_dir(anchor.with_extension("")).unwrap();
        fs::write(anchor.with_extension("").join("0.evt"), "events").unwrap();
        fs::write(anchor, "anchor").unwrap();
        RunInfo::default().write(run.path()).unwrap();
        run
    }

    fn facts() -> Facts {
        Facts {
            state: Some(State::Finished),
            events: 7,
            ..Facts::default()
        }
    }

    #[test]
    fn facts_are_kept_as_long_as_the_archive_is_the_same() {
        let run = run();
        let run = run.path();
        assert!(read(run).is_none());
        write(run, &facts());
        assert_eq!(read(run).unwrap().events, 7);
        fs::write(directory::anchor(run).with_extension("").join("1.evt"), "").unwrap();
        assert!(read(run).is_none(), "a file more");
        write(run, &facts());
        let events = directory::anchor(run).with_extension("").join("0.evt");
        let file = fs::File::options().write(true).open(events).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH)
            .unwrap();
        assert!(read(run).is_none(), "a file changed");
        write(run, &facts());
        assert!(read(run).is_some());
        fs::create_dir(directory::corrected(run)).unwrap();
        fs::write(directory::anchor(&directory::corrected(run)), "").unwrap();
        assert!(read(run).is_none(), "corrected");
    }

    #[test]
    fn a_run_may_move() {
        let run = run();
        write(run.path(), &facts());
        let moved = run.path().with_extension("moved");
        fs::rename(run.path(), &moved).unwrap();
        assert_eq!(read(&moved).unwrap().archive, directory::anchor(&moved));
        fs::remove_dir_all(moved).unwrap();
    }

    #[test]
    fn what_is_damaged_or_runs_is_looked_at_each_time() {
        let run = run();
        let damaged = Facts {
            damage: vec!["cut".to_owned()],
            ..facts()
        };
        let running = Facts {
            state: Some(State::Running),
            ..facts()
        };
        for facts in [damaged, running] {
            write(run.path(), &facts);
            assert!(!run.path().join(FILE).exists());
        }
    }

    #[test]
    fn another_form_or_nonsense_counts_for_nothing() {
        let run = run();
        let run = run.path();
        write(run, &facts());
        let text = fs::read_to_string(run.join(FILE)).unwrap();
        let version = |number| format!("\"version\":{number}");
        assert!(text.contains(&version(VERSION)));
        for other in [
            text.replacen(&version(VERSION), &version(VERSION - 1), 1),
            "{".into(),
            "\0".into(),
        ] {
            fs::write(run.join(FILE), other).unwrap();
            assert!(read(run).is_none());
        }
    }
}
