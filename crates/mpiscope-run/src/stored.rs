//! A buffer read back from its files: by its own process in `MPI_Finalize`, or
//! by anybody after the process died.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::buffer::{spill_path, Header, DEFINITIONS_AT, MAGIC, RECORD, RECORDS_AT};
use crate::record::{Record, LAYOUT_VERSION};
use crate::ticks::Triple;
use crate::Error;

/// Records are read in blocks of this many.
const BLOCK: usize = 4096;

/// A buffer's header as it was found.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Where the buffer lies.
    pub path: PathBuf,
    /// Process id of the writer.
    pub pid: u32,
    /// Thread id of the writer.
    pub tid: u32,
    /// Thread number; 0 initialised MPI and holds the definitions.
    pub thread: u32,
    /// World rank.
    pub rank: u32,
    /// Records committed, spilled ones included.
    pub committed: u64,
    /// Records that lie in the spill file.
    pub spilled: u64,
    /// Records that could not be kept.
    pub lost: u64,
    /// Definitions that could not be kept.
    pub definitions_lost: u64,
    /// The latest clock reading, if one was made.
    pub triple: Option<Triple>,
    definitions: u64,
    spill: PathBuf,
}

impl Stored {
    /// Reads the header of a buffer; `run` is where its spill file would be.
    ///
    /// # Errors
    /// When the file cannot be read, is no buffer, or is of another layout.
    pub fn open(path: &Path, run: &Path) -> Result<Self, Error> {
        let mut page = [0; DEFINITIONS_AT];
        File::open(path)
            .and_then(|file| file.read_exact_at(&mut page, 0))
            .map_err(|e| Error::io(path, e))?;
        let field = |at: usize, bytes: usize| {
            let mut eight = [0; 8];
            eight[..bytes].copy_from_slice(&page[at..at + bytes]);
            u64::from_le_bytes(eight)
        };
        macro_rules! word {
            ($name:ident, $bytes:expr) => {
                field(std::mem::offset_of!(Header, $name), $bytes)
            };
        }
        if word!(magic, 8) != MAGIC {
            return Err(Error::damaged(path, "its header was never finished"));
        }
        let version = word!(version, 4) as u32;
        if version != LAYOUT_VERSION {
            return Err(Error::damaged(
                path,
                format!("it has buffer layout {version}, this mpiscope reads {LAYOUT_VERSION}"),
            ));
        }
        let triple_at = std::mem::offset_of!(Header, triple);
        let settled = word!(triple_version, 8);
        let triple = (settled != 0 && settled % 2 == 0).then(|| Triple {
            ticks: field(triple_at, 8),
            monotonic: field(triple_at + 8, 8),
            realtime: field(triple_at + 16, 8),
        });
        Ok(Self {
            path: path.to_owned(),
            pid: word!(pid, 4) as u32,
            tid: word!(tid, 4) as u32,
            thread: word!(thread, 4) as u32,
            rank: word!(rank, 4) as u32,
            committed: field(std::mem::offset_of!(Header, committed), 8),
            spilled: word!(spilled, 8),
            lost: word!(lost, 8),
            definitions_lost: word!(definitions_lost, 8),
            triple,
            definitions: word!(definitions, 8),
            spill: spill_path(run, path),
        })
    }

    /// Returns the definition stream.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn definitions(&self) -> Result<Vec<u8>, Error> {
        let bytes = (self.definitions as usize).min(RECORDS_AT - DEFINITIONS_AT);
        let mut stream = vec![0; bytes];
        File::open(&self.path)
            .and_then(|file| file.read_exact_at(&mut stream, DEFINITIONS_AT as u64))
            .map_err(|e| Error::io(&self.path, e))?;
        Ok(stream)
    }

    /// Calls `each` with every committed record, in order.
    ///
    /// # Errors
    /// The first error of `each`, or when a file cannot be read or ends early.
    pub fn records<E: From<Error>>(
        &self,
        mut each: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut records = self.iter();
        while let Some(block) = records.next_block() {
            for record in block?.chunks_exact(RECORD) {
                each(from_chunk(record))?;
            }
        }
        Ok(())
    }

    /// Iterates over every committed record, in order, up to the first error.
    pub fn iter(&self) -> Records {
        let bytes = |records: u64| records.saturating_mul(RECORD as u64);
        let window = bytes(self.committed.saturating_sub(self.spilled));
        let at = RECORDS_AT as u64;
        Records {
            parts: [
                (self.spill.clone(), 0, bytes(self.spilled)),
                (self.path.clone(), at, at.saturating_add(window)),
            ],
            part: 0,
            file: None,
            block: Vec::new(),
            read: 0,
        }
    }

    /// Copies the used parts of the buffer to another file, leaving the unused ones as holes.
    ///
    /// # Errors
    /// When either file fails.
    pub fn copy_to(&self, target: &Path) -> io::Result<()> {
        let from = File::open(&self.path)?;
        let to = File::options().write(true).create_new(true).open(target)?;
        let window = self.committed.saturating_sub(self.spilled);
        let window = window.saturating_mul(RECORD as u64);
        let head = (DEFINITIONS_AT as u64).saturating_add(self.definitions);
        copy_range(&from, &to, 0, head.min(RECORDS_AT as u64))?;
        let copied = copy_range(&from, &to, RECORDS_AT as u64, window)?;
        to.set_len(RECORDS_AT as u64 + copied)
    }
}

/// The records of a buffer, read in blocks; see [`Stored::iter`].
pub struct Records {
    /// Files with the range that is still to be read.
    parts: [(PathBuf, u64, u64); 2],
    part: usize,
    file: Option<File>,
    block: Vec<u8>,
    /// Bytes of the block that were given out.
    read: usize,
}

impl Records {
    /// Reads the next block; nothing at the end, or after an error.
    fn next_block(&mut self) -> Option<Result<&[u8], Error>> {
        let (path, at, end) = loop {
            let (path, at, end) = self.parts.get_mut(self.part)?;
            if *at < *end {
                break (path, at, *end);
            }
            self.part += 1;
            self.file = None;
        };
        let bytes = (end - *at).min((BLOCK * RECORD) as u64) as usize;
        self.block.resize(bytes, 0);
        let mut read = || {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(File::open(&*path)?),
            };
            file.read_exact_at(&mut self.block, *at)
        };
        if let Err(error) = read() {
            let error = Error::io(path, error);
            self.part = self.parts.len();
            self.block.clear();
            return Some(Err(error));
        }
        *at += bytes as u64;
        self.read = 0;
        Some(Ok(&self.block))
    }
}

impl Iterator for Records {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read >= self.block.len() {
            if let Err(error) = self.next_block()? {
                return Some(Err(error));
            }
        }
        let chunk = self.block.get(self.read..self.read + RECORD)?;
        self.read += RECORD;
        Some(Ok(from_chunk(chunk)))
    }
}

fn from_chunk(chunk: &[u8]) -> Record {
    let mut one = [0; RECORD];
    one.copy_from_slice(chunk);
    Record::from_bytes(&one)
}

fn copy_range(from: &File, to: &File, at: u64, bytes: u64) -> io::Result<u64> {
    use std::io::{Seek, SeekFrom};
    let (mut from, mut to) = (from, to);
    from.seek(SeekFrom::Start(at))?;
    to.seek(SeekFrom::Start(at))?;
    io::copy(&mut from.take(bytes), &mut to)
}

/// Lists the buffers of a directory, in a fixed order; an absent directory has none.
pub fn list(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "buffer"))
        .collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Writer;
    use crate::record::Fact;

    fn written(records: u32, capacity: usize) -> (PathBuf, Stored, Vec<u64>) {
        let run =
            std::env::temp_dir().join(format!("mpiscope-stored-{}-{records}", std::process::id()));
        let _ = std::fs::remove_dir_all(&run);
        std::fs::create_dir_all(&run).unwrap();
        let path = run.join("host-1-1.buffer");
        let mut writer = Writer::create(&path, &run, capacity).unwrap();
        writer.shared().define(b"one\n");
        for time in 0..u64::from(records) {
            writer.push(Record::new(time, Fact::Enter { region: 1, site: 0 }));
        }
        writer.shared().define(b"two\n");
        std::mem::forget(writer); // as if killed
        let stored = Stored::open(&path, &run).unwrap();
        let mut times = Vec::new();
        stored
            .records::<Error>(|record| {
                times.push(record.time);
                Ok(())
            })
            .unwrap();
        (run, stored, times)
    }

    #[test]
    fn what_was_committed_is_read_back_spilled_or_not() {
        for records in [0, 1, 32768, 32769, 100_001] {
            let (run, stored, times) = written(records, 1 << 20);
            assert_eq!(times, (0..u64::from(records)).collect::<Vec<_>>());
            assert_eq!(stored.spilled > 0, records > 32768);
            assert_eq!(stored.definitions().unwrap(), b"one\ntwo\n");
            let copy = run.join("copy.buffer");
            stored.copy_to(&copy).unwrap();
            let moved = Stored::open(&copy, &run).unwrap();
            assert_eq!(moved.committed, u64::from(records));
            std::fs::remove_dir_all(run).unwrap();
        }
    }

    #[test]
    fn a_file_that_is_no_buffer_is_refused() {
        let path =
            std::env::temp_dir().join(format!("mpiscope-none-{}.buffer", std::process::id()));
        std::fs::write(&path, vec![7; 8192]).unwrap();
        let message = Stored::open(&path, Path::new("/")).unwrap_err().to_string();
        assert!(message.contains("header"), "{message}");
        std::fs::remove_file(path).unwrap();
    }
}
