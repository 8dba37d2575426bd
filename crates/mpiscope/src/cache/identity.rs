//! What tells the files of an archive from those that it may have had before: of every file the
//! stamp, of the anchor, the definitions and `run.json`, which are small, the content, too.

use std::fs;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mpiscope_hash::StableHasher;
use mpiscope_run::{directory, endings, run_info, statistics};
use serde::{Deserialize, Serialize};

use crate::stamp::{self, Found};

/// What lies at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    hash: u64,
    files: u64,
    /// The latest change, in nanoseconds since 1970.
    changed: i64,
    /// Size of the archive.
    pub bytes: u64,
}

impl Identity {
    /// Looks at a run, or at an archive by itself, and says what lies there; nothing if that
    /// cannot be looked at.
    pub fn of(run: &Path, anchor: &Path) -> Option<Identity> {
        let mut look = Look::default();
        look.archive(anchor)?;
        look.identity.bytes = look.bytes;
        look.content(&run.join(run_info::FILE))?;
        if run.join(run_info::FILE).is_file() {
            look.archive(&directory::anchor(&directory::corrected(run)))?;
            look.all(&endings::folder(run))?;
            look.all(&statistics::folder(run))?;
        }
        look.identity.hash = look.hasher.finish();
        Some(look.identity)
    }

    /// Returns whether the last change was long enough before a moment that another one since then
    /// would be seen.
    pub fn is_settled(&self, since: SystemTime) -> bool {
        stamp::is_settled(self.changed, since)
    }

    /// Returns whether all of it was there when a file was written.
    pub fn is_older(&self, file: &Found) -> bool {
        self.changed < file.changed()
    }
}

/// Looks at one file after the other.
#[derive(Default)]
struct Look {
    hasher: StableHasher,
    identity: Identity,
    bytes: u64,
}

impl Look {
    /// Looks at an anchor, its definitions, and the folder of its events.
    fn archive(&mut self, anchor: &Path) -> Option<()> {
        self.content(anchor)?;
        self.content(&anchor.with_extension("def"))?;
        self.all(&anchor.with_extension(""))
    }

    /// Looks at a file and at what stands in it.
    fn content(&mut self, path: &Path) -> Option<()> {
        self.file(path)?;
        if path.is_file() {
            self.hasher.write(&fs::read(path).ok()?);
        }
        Some(())
    }

    /// Looks at all files of a folder, by name.
    fn all(&mut self, folder: &Path) -> Option<()> {
        self.hasher.write(b"folder\n");
        let Ok(entries) = fs::read_dir(folder) else {
            return Some(());
        };
        let paths = entries.map(|it| it.map(|it| it.path()));
        let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().ok()?;
        paths.sort_unstable();
        paths.iter().try_for_each(|path| self.file(path))
    }

    fn file(&mut self, path: &Path) -> Option<()> {
        self.hasher.write(path.file_name()?.as_encoded_bytes());
        self.hasher.write(b"\n");
        let Some(found) = Found::at(path) else {
            self.hasher.write(b"missing\n");
            return Some(());
        };
        for word in found.words() {
            self.hasher.write_u64(word);
        }
        self.identity.files += 1;
        self.identity.changed = self.identity.changed.max(found.changed());
        self.bytes += found.size;
        Some(())
    }
}
