//! What is known of a run is kept with it, so that `info` answers at once
//! however long the run is.
//!
//! `info.json` holds the facts, the version of their form, and the identity of
//! what they describe: names, sizes and times of modification of the shifts' file and of all files of
//! both archives, and the content of `run.json`. Where anything differs it counts for
//! nothing. It may be deleted at any time.
//!
//! Times of modification can be put back after a file was changed (`touch -r`), those of change
//! (`ctime`) cannot. But all files of a run that was copied or unpacked have new ones, and its facts
//! still hold: to find them anew takes seconds. So times of change count where the run's folders are
//! those that the facts were kept in; elsewhere it is a copy, whose own times are kept as soon as the
//! facts are read. Who changes modes or owners in place (`chmod -R`) has the facts found anew, once.
//! A hash of what stands in the files would tell of damaged copies, too, and have `sync` and `info`
//! read both archives once more.

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
const VERSION: u32 = 5;

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept<F> {
    version: u32,
    /// The mpiscope that wrote it.
    mpiscope: String,
    #[serde(flatten)]
    identity: Identity,
    facts: F,
}

/// What tells the files of a run from those it may have had before.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    /// What a copy has as well.
    describes: String,
    /// Which folders they are in.
    place: String,
    /// When each was last changed in any way.
    changed: String,
}

/// Returns the facts that are kept with a run, if they describe what is there.
pub fn read(run: &Path) -> Option<Facts> {
    let text = fs::read(run.join(FILE)).ok()?;
    let kept: Kept<serde_json::Value> = serde_json::from_slice(&text).ok()?;
    let ours = kept.version == VERSION && kept.mpiscope == mpiscope_run::VERSION;
    let now = Identity::of(run)?;
    let is_copy = kept.identity.place != now.place;
    let holds = kept.identity.describes == now.describes
        && (is_copy || kept.identity.changed == now.changed);
    if !ours || !holds {
        return None;
    }
    let mut facts: Facts = serde_json::from_value(kept.facts).ok()?;
    if is_copy {
        write(run, &facts);
    }
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
    let Some(identity) = Identity::of(run) else {
        return;
    };
    let kept = Kept {
        version: VERSION,
        mpiscope: mpiscope_run::VERSION.to_owned(),
        identity,
        facts,
    };
    if let Ok(text) = serde_json::to_vec(&kept) {
        let _ = signals::hold(|| run_info::write_atomically(&run.join(FILE), &text));
    }
}

impl Identity {
    /// Looks at the files of a run; nothing if that is not possible.
    fn of(run: &Path) -> Option<Identity> {
        let mut found = Found::default();
        found
            .describes
            .write(&fs::read(run.join(run_info::FILE)).ok()?);
        let corrected = directory::corrected(run);
        let folders = [run, &corrected];
        let mut files: Vec<_> = [endings::folder(run), run.join(shifts::IN_RUN)].into();
        for folder in folders {
            let anchor = directory::anchor(folder);
            files.extend([anchor.with_extension("def"), anchor.with_extension("")]);
            files.push(anchor);
        }
        for file in files {
            found.look_at(&file)?;
        }
        let text = |hasher: StableHasher| format!("{:016x}", hasher.finish());
        Some(Identity {
            describes: text(found.describes),
            place: text(found.place),
            changed: text(found.changed),
        })
    }
}

/// An identity in the making.
#[derive(Default)]
struct Found {
    describes: StableHasher,
    place: StableHasher,
    changed: StableHasher,
}

impl Found {
    /// Takes in a file, or all files of a folder by name; what is not there, too.
    fn look_at(&mut self, path: &Path) -> Option<()> {
        let Ok(found) = fs::metadata(path) else {
            self.describes.write(b"missing\n");
            return Some(());
        };
        let name = path.file_name()?.as_encoded_bytes();
        self.describes.write(name);
        if found.is_dir() {
            self.place.write_u64(found.dev());
            self.place.write_u64(found.ino());
            return self.look_into(path);
        }
        self.describes.write_u64(found.len());
        self.describes.write_i64(found.mtime());
        self.describes.write_i64(found.mtime_nsec());
        self.changed.write_i64(found.ctime());
        self.changed.write_i64(found.ctime_nsec());
        Some(())
    }

    fn look_into(&mut self, folder: &Path) -> Option<()> {
        let entries = fs::read_dir(folder).ok()?;
        let mut paths: Vec<_> = entries
            .map(|it| it.map(|it| it.path()))
            .collect::<Result<_, _>>()
            .ok()?;
        paths.sort();
        paths.iter().try_for_each(|path| self.look_at(path))
    }
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

    /// Writes other bytes, as many, and puts the time of modification back, as `touch -r` does;
    /// again until the file system's clock has ticked.
    fn damage(path: &Path) {
        let before = fs::metadata(path).unwrap();
        let changed = |of: &fs::Metadata| (of.ctime(), of.ctime_nsec());
        while changed(&fs::metadata(path).unwrap()) == changed(&before) {
            fs::write(path, "EVENTS").unwrap();
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_modified(before.modified().unwrap()).unwrap();
        }
    }

    /// Copies a run as `cp -a` does.
    fn copy(run: &Path) -> tempfile::TempDir {
        let copy = tempfile::tempdir().unwrap();
        let source = run.join(".");
        let mut command = std::process::Command::new("cp");
        let done = command.arg("-a").arg(source).arg(copy.path()).status();
        assert!(done.unwrap().success());
        copy
    }

    fn an_event_file(run: &Path) -> std::path::PathBuf {
        directory::anchor(run).with_extension("").join("0.evt")
    }

    #[test]
    fn a_file_that_was_changed_and_its_time_put_back_is_seen() {
        let run = run();
        let run = run.path();
        write(run, &facts());
        assert!(read(run).is_some());
        damage(&an_event_file(run));
        assert!(read(run).is_none(), "in place");
        write(run, &facts());
        let other = copy(run);
        damage(&an_event_file(other.path()));
        fs::rename(an_event_file(other.path()), an_event_file(run)).unwrap();
        assert!(read(run).is_none(), "replaced");
    }

    #[test]
    fn a_copy_keeps_its_facts_until_it_is_changed() {
        let run = run();
        write(run.path(), &facts());
        let copy = copy(run.path());
        assert_eq!(read(copy.path()).unwrap().events, 7);
        assert_eq!(read(copy.path()).unwrap().events, 7, "by its own files");
        damage(&an_event_file(copy.path()));
        assert!(read(copy.path()).is_none());
        assert!(read(run.path()).is_some());
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
