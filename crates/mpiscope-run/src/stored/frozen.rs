//! A buffer as it is at one moment, while its writer goes on.
//!
//! What was committed stays as it is, but for the polls of a loop that goes on,
//! which are written over: of these some words may be older than others. It does
//! not stay where it is: when the window is full it moves to the spill file and
//! the window is written anew. So the window is copied, and copied again if it
//! has moved meanwhile. The writer is neither stopped nor told.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Stored;
use crate::Error;

/// How often a copy is begun anew; a window lasts for milliseconds at least.
const TRIES: usize = 20;

impl Stored {
    /// Copies into `folder` what is committed now. Records that were spilled stay where they are:
    /// nobody changes them any more, unless the oldest are given up.
    ///
    /// # Errors
    /// When the buffer cannot be read, the copy cannot be written, or the window moves faster
    /// than it is copied.
    pub fn frozen(path: &Path, run: &Path, folder: &Path) -> Result<Self, Error> {
        // The definitions that explain a record are there before it is.
        let committed = Self::open(path, run)?.committed;
        let copy = folder.join(path.file_name().unwrap_or_default());
        for _ in 0..TRIES {
            let now = Self {
                committed,
                ..Self::open(path, run)?
            };
            now.copy_to(&copy).map_err(|e| Error::io(&copy, e))?;
            let spill = now.freeze_spilled(&copy);
            if Self::open(path, run)?.is_as(&now) {
                let spill = spill.map_err(|e| Error::io(&now.spill, e))?;
                return Ok(Self {
                    path: copy,
                    spill,
                    ..now
                });
            }
            fs::remove_file(&copy).map_err(|e| Error::io(&copy, e))?;
            let _ = fs::remove_file(copy.with_extension("spill"));
        }
        Err(Error::damaged(
            path,
            "it is written faster than it can be read",
        ))
    }

    /// Copies what was spilled, beside the copy of the buffer, where the oldest may be given up;
    /// returns where it is to be read from.
    fn freeze_spilled(&self, copy: &Path) -> io::Result<PathBuf> {
        if self.kept.is_none() {
            return Ok(self.spill.clone());
        }
        let spill = copy.with_extension("spill");
        self.copy_spilled_to(&spill)?;
        Ok(spill)
    }

    /// Returns whether records lie where they lay.
    fn is_as(&self, before: &Self) -> bool {
        self.spilled == before.spilled
            && self.first == before.first
            && self.kept.is_some() == before.kept.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::buffer::Writer;
    use crate::record::{Fact, Record};

    /// A window of 32768 records moves every few milliseconds here.
    #[test]
    fn what_was_committed_is_read_while_the_writer_goes_on() {
        let (run, copies) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let name = "host-1-1.buffer";
        let mut writer = Writer::create(run.path(), name, run.path(), 1 << 20, None).unwrap();
        let path = run.path().join(name);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let done = &done;
            scope.spawn(move || {
                for time in (0..400_000).take_while(|_| !done.load(Ordering::Relaxed)) {
                    writer.push(Record::new(time, Fact::Leave { region: 1 }));
                }
                std::mem::forget(writer);
            });
            let mut seen = 0;
            for look in 0..20 {
                let folder = copies.path().join(look.to_string());
                fs::create_dir(&folder).unwrap();
                // A machine that is busy may not get at it.
                let Ok(frozen) = Stored::frozen(&path, run.path(), &folder) else {
                    continue;
                };
                let times: Vec<u64> = frozen.iter().map(|record| record.unwrap().time).collect();
                assert!(times.iter().copied().eq(0..frozen.committed));
                assert!(frozen.committed >= seen);
                seen = frozen.committed;
            }
            done.store(true, Ordering::Relaxed);
        });
        let end = Stored::frozen(&path, run.path(), copies.path()).unwrap();
        assert_eq!(end.iter().count() as u64, end.committed);
    }
}
