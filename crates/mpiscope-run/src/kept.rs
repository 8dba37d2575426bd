//! What is left of a process's records where only the latest are kept (`trace --keep`).
//!
//! ```text
//! records [0, first)          given up; what is told in their place
//! records [first, committed)  kept, spilled ones included
//! ```
//!
//! That is said in a file of the run beside what was spilled, `spill/HOST-PID.kept`. It is written
//! anew in one step each time that records are given up, and before they are: who reads the buffers
//! after the process's death finds either the old state or the new one, and all records of it.
//!
//! What is told in their place are records, too: recording was switched off, what came by
//! meanwhile is counted, recording was switched on. So nobody who reads a buffer need know of it.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use crate::buffer::{spill_path, Shared, RECORD};
use crate::record::{Record, UNSEEN};
use crate::stored::from_chunk;
use crate::system::{free, without_size_signal};
use crate::Error;

/// Records are read in blocks of this many.
const BLOCK: u64 = 4096;

/// How much of a process's records is kept at least.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// Bytes of records.
    Bytes(u64),
    /// The last seconds.
    Seconds(f64),
}

impl Keep {
    /// Returns it as `MPISCOPE_KEEP` has it: a number of bytes, or of seconds with an `s`.
    pub fn text(self) -> String {
        match self {
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Seconds(seconds) => format!("{seconds}s"),
        }
    }

    /// Reads the same.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let kept = match text.strip_suffix('s') {
            Some(seconds) => seconds.parse().map(Self::Seconds).ok(),
            None => text.parse().map(Self::Bytes).ok(),
        };
        kept.filter(|keep| match keep {
            Self::Bytes(bytes) => *bytes > 0,
            Self::Seconds(seconds) => (1e-9..1e9).contains(seconds),
        })
        .ok_or_else(|| {
            format!("MPISCOPE_KEEP={text}: a number of bytes is expected, or of seconds as 30s")
        })
    }
}

/// What is kept of a process.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Kept {
    /// Its buffers, as far as anything of them was given up.
    pub buffers: Vec<Part>,
    /// Requests and matched messages that began in what was given up, and had not ended; ascending.
    pub unseen: Vec<u32>,
    /// Seconds from MPI_Init until all is kept.
    pub seconds: f64,
}

/// What is kept of a buffer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Part {
    /// Its file's name.
    pub name: String,
    /// The first record that is kept.
    pub first: u64,
    /// The thread that has written that one, and what the system calls it, if another began here.
    pub thread: Option<(u32, u32)>,
    /// The records that are told in the place of those before.
    pub told: Vec<[u64; 4]>,
}

/// Returns where it lies: the buffers of a process share all but the end of their names.
fn path(run: &Path, buffer: &Path) -> Option<PathBuf> {
    let name = buffer.file_stem()?.to_str()?;
    let process = name.rsplitn(3, '-').nth(2)?;
    let path = spill_path(run, Path::new(process));
    Some(path.with_file_name(format!("{process}.kept")))
}

/// Removes what [`Kept::write`] has written.
pub fn remove(run: &Path, buffer: &Path) {
    if let Some(path) = path(run, buffer) {
        let _ = fs::remove_file(path);
    }
}

impl Kept {
    /// Reads what is kept of the process that a buffer belongs to; nothing if that is all.
    ///
    /// # Errors
    /// When it cannot be read: records may be missing then of which nobody tells.
    pub fn read(run: &Path, buffer: &Path) -> Result<Option<Self>, Error> {
        let Some(path) = path(run, buffer) else {
            return Ok(None);
        };
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .map(Some)
                .map_err(|e| Error::damaged(&path, format!("what is kept of a process: {e}"))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(&path, error)),
        }
    }

    /// Writes it, in one step; not to outlive the system, as buffers do not either.
    ///
    /// # Errors
    /// When that cannot be written; nothing has changed then.
    pub fn write(&self, run: &Path, buffer: &Path) -> io::Result<()> {
        let path = path(run, buffer).ok_or(io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(path.parent().unwrap_or(run))?;
        let beside = path.with_extension("kept.new");
        let text = serde_json::to_vec(self)?;
        without_size_signal(|| {
            let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
            if written.is_err() {
                let _ = fs::remove_file(&beside);
            }
            written
        })
    }

    /// Returns what is said of a buffer.
    pub fn part(&self, buffer: &Path) -> Option<&Part> {
        let name = buffer.file_name()?.to_str()?;
        self.buffers.iter().find(|part| part.name == name)
    }

    /// Returns how many records were given up.
    pub fn given_up(&self) -> u64 {
        self.buffers.iter().map(|part| part.first).sum()
    }

    /// Returns a record that is kept as if recording had been off before: what began then has the
    /// id of what began unseen.
    pub(crate) fn adapted(&self, record: Record) -> Record {
        let id = |id: u32| match self.unseen.binary_search(&id) {
            Ok(_) => id | UNSEEN,
            Err(_) => id,
        };
        match record.fact().filter(|_| !self.unseen.is_empty()) {
            Some(fact) => Record::new(record.time, fact.with_ids(id)),
            None => record,
        }
    }
}

/// Where records are read from that may be given up.
pub trait Source {
    /// Returns how many there are.
    fn committed(&self) -> u64;

    /// Appends those from number `at` on, so many at most; none at the end alone.
    ///
    /// # Errors
    /// When they cannot be read.
    fn read(&mut self, at: u64, most: usize, into: &mut Vec<Record>) -> io::Result<()>;
}

/// The records of a buffer whose writer goes on.
pub struct Live {
    shared: Shared,
    path: PathBuf,
    spill: PathBuf,
    /// Both, once they were looked at: to find a time many records are looked at one by one.
    window: OnceCell<File>,
    spilled: OnceCell<File>,
}

impl Live {
    /// Looks at a buffer, which lies at `path`.
    pub fn new(shared: Shared, path: PathBuf, run: &Path) -> Self {
        let spill = spill_path(run, &path);
        Self {
            shared,
            path,
            spill,
            window: OnceCell::new(),
            spilled: OnceCell::new(),
        }
    }

    /// Returns where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives back the disk space of its first records; those in its window have none.
    ///
    /// # Errors
    /// When the file system cannot free a part of a file.
    pub fn free(&self, records: u64) -> io::Result<()> {
        let spilled = self.number_spilled().min(records);
        if spilled == 0 {
            return Ok(());
        }
        let file = File::options().write(true).open(&self.spill)?;
        free(&file, spilled.saturating_mul(RECORD as u64))
    }

    fn number_spilled(&self) -> u64 {
        self.shared.header().spilled.load(Ordering::Acquire)
    }

    /// Returns the file that has a record, where in it, and how many follow there.
    fn place(&self, at: u64, spilled: u64) -> io::Result<(&File, u64, u64)> {
        let bytes = |records: u64| records.saturating_mul(RECORD as u64);
        Ok(match spilled.checked_sub(at).filter(|&more| more > 0) {
            Some(more) => (opened(&self.spilled, &self.spill)?, bytes(at), more),
            None => {
                let window = self.shared.header().records_at() as u64;
                let file = opened(&self.window, &self.path)?;
                (file, window + bytes(at - spilled), u64::MAX)
            }
        })
    }
}

/// Returns a file, which is opened once.
fn opened<'a>(file: &'a OnceCell<File>, path: &Path) -> io::Result<&'a File> {
    if let Some(file) = file.get() {
        return Ok(file);
    }
    let new = File::open(path)?;
    Ok(file.get_or_init(|| new))
}

impl Source for Live {
    fn committed(&self) -> u64 {
        self.shared.header().committed.0.load(Ordering::Acquire)
    }

    /// The window moves to disk when it is full; what was read of it is read again there.
    fn read(&mut self, at: u64, most: usize, into: &mut Vec<Record>) -> io::Result<()> {
        let most = (most as u64).min(BLOCK);
        loop {
            let (committed, spilled) = (self.committed(), self.number_spilled());
            let (file, offset, there) = self.place(at, spilled)?;
            let records = committed.saturating_sub(at).min(there).min(most);
            let mut block = vec![0; records as usize * RECORD];
            file.read_exact_at(&mut block, offset)?;
            if self.number_spilled() == spilled {
                into.extend(block.chunks_exact(RECORD).map(from_chunk));
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_or_seconds() {
        for keep in [Keep::Bytes(1), Keep::Seconds(0.1)] {
            assert_eq!(Keep::read(&keep.text()), Ok(keep));
        }
        assert_eq!(Keep::read("1000000"), Ok(Keep::Bytes(1_000_000)));
        assert_eq!(Keep::read("2.5s"), Ok(Keep::Seconds(2.5)));
        for text in ["", "0", "0s", "-1s", "30", "x", "nans", "infs"] {
            assert_eq!(Keep::read(text).is_ok(), text == "30", "{text}");
        }
    }
}
