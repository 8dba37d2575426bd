//! A buffer read back from its files: by its own process in `MPI_Finalize`, or
//! by anybody after the process died.

mod frozen;

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::buffer::{definitions_path, spill_path, Header, DEFINITIONS_AT, MAGIC, RECORD};
use crate::kept::Kept;
use crate::record::{Fact, Record, LAYOUT_VERSION};
use crate::ticks::Triple;
use crate::Error;

/// No buffer has its records behind this byte.
const FARTHEST: u64 = 1 << 30;
/// Records are read in blocks of this many.
const BLOCK: usize = 4096;

/// A buffer's header as it was found, or what is one thread's of it.
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
    /// Number of the first record.
    pub first: u64,
    /// Records committed, spilled ones included.
    pub committed: u64,
    /// Records that lie in the spill file.
    pub spilled: u64,
    /// Records that could not be kept.
    pub lost: u64,
    /// Definitions that could not be kept.
    pub definitions_lost: u64,
    /// Threads of the process that have no buffer, as far as this one knows.
    pub refused: u32,
    /// The latest clock reading, if one was made.
    pub triple: Option<Triple>,
    /// Where its records begin in the file.
    pub records_at: u64,
    /// What is kept of its process, if not all is.
    pub kept: Option<Arc<Kept>>,
    /// What is told in the place of the records that were given up.
    told: Arc<[Record]>,
    threads: u32,
    definitions: u64,
    definitions_spilled: u64,
    spill: PathBuf,
    definitions_spill: PathBuf,
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
        let records_at = word!(records_at, 8);
        if !(DEFINITIONS_AT as u64..=FARTHEST).contains(&records_at) {
            let what = format!("its records begin at byte {records_at}, which cannot be");
            return Err(Error::damaged(path, what));
        }
        let triple_at = std::mem::offset_of!(Header, triple);
        let settled = word!(triple_version, 8);
        let triple = (settled != 0 && settled % 2 == 0).then(|| Triple {
            ticks: field(triple_at, 8),
            monotonic: field(triple_at + 8, 8),
            realtime: field(triple_at + 16, 8),
        });
        let whole = Self {
            path: path.to_owned(),
            pid: word!(pid, 4) as u32,
            tid: word!(tid, 4) as u32,
            thread: word!(thread, 4) as u32,
            rank: word!(rank, 4) as u32,
            first: 0,
            committed: field(std::mem::offset_of!(Header, committed), 8),
            spilled: word!(spilled, 8),
            lost: word!(lost, 8),
            definitions_lost: word!(definitions_lost, 8),
            refused: word!(refused, 4) as u32,
            triple,
            threads: word!(threads, 4) as u32,
            records_at,
            kept: None,
            told: Arc::new([]),
            definitions: word!(definitions, 8),
            definitions_spilled: word!(definitions_spilled, 8),
            spill: spill_path(run, path),
            definitions_spill: definitions_path(run, path),
        };
        // What is given up is told of before it is.
        match Kept::read(run, path)? {
            Some(kept) => Ok(whole.kept_of(kept)),
            None => Ok(whole),
        }
    }

    /// Takes the records that are kept, and what is told in the place of the others.
    fn kept_of(mut self, kept: Kept) -> Self {
        if let Some(part) = kept.part(&self.path) {
            self.first = part.first.min(self.committed);
            (self.thread, self.tid) = part.thread.unwrap_or((self.thread, self.tid));
            self.told = part.told.iter().copied().map(Record::from_raw).collect();
        }
        self.kept = Some(Arc::new(kept));
        self
    }

    /// Returns the part of each thread that wrote here, one after the other. What
    /// the header says of the whole is said by the first.
    pub fn threads(self) -> Vec<Self> {
        let mut parts = vec![self];
        if parts[0].threads <= 1 {
            return parts;
        }
        let whole = Self {
            told: Arc::new([]),
            ..parts[0].clone()
        };
        for (at, record) in (whole.first..).zip(whole.iter()) {
            let Ok(record) = record else { break };
            let Some(Fact::ThreadBegins { thread, tid }) = record.fact() else {
                continue;
            };
            let last = parts.len() - 1;
            parts[last].committed = at;
            parts.push(Self {
                thread,
                tid,
                first: at + 1,
                lost: 0,
                definitions: 0,
                definitions_spilled: 0,
                definitions_lost: 0,
                refused: 0,
                ..whole.clone()
            });
        }
        parts
    }

    /// Returns how many records there are, with those that are told in the place of others.
    pub fn count(&self) -> u64 {
        let kept = self.committed.saturating_sub(self.first);
        kept.saturating_add(self.told.len() as u64)
    }

    /// Returns the definition stream.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn definitions(&self) -> Result<Vec<u8>, Error> {
        let area = (self.records_at as usize).saturating_sub(DEFINITIONS_AT);
        let mut stream = Vec::new();
        let parts = [
            (
                &self.path,
                DEFINITIONS_AT,
                (self.definitions as usize).min(area),
            ),
            (
                &self.definitions_spill,
                0,
                self.definitions_spilled as usize,
            ),
        ];
        for (path, at, bytes) in parts {
            if bytes > 0 {
                read_part(path, at, bytes, &mut stream).map_err(|e| Error::io(path, e))?;
            }
        }
        Ok(stream)
    }

    /// Calls `each` with every committed record, in order; before those that are kept, with what
    /// is told in the place of others.
    ///
    /// # Errors
    /// The first error of `each`, or when a file cannot be read or ends early.
    pub fn records<E: From<Error>>(
        &self,
        mut each: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut records = self.iter();
        if self.kept.is_some() {
            return records.try_for_each(|record| each(record?));
        }
        while let Some(block) = records.next_block() {
            for record in block?.chunks_exact(RECORD) {
                each(from_chunk(record))?;
            }
        }
        Ok(())
    }

    /// Iterates over the same, up to the first error.
    pub fn iter(&self) -> Records {
        let bytes = |records: u64| records.saturating_mul(RECORD as u64);
        let window = |record: u64| {
            let before = bytes(record.saturating_sub(self.spilled));
            self.records_at.saturating_add(before)
        };
        let spilled = |record: u64| bytes(record.min(self.spilled));
        let (first, end) = (self.first, self.committed.max(self.first));
        Records {
            parts: [
                (self.spill.clone(), spilled(first), spilled(end)),
                (self.path.clone(), window(first), window(end)),
            ],
            part: 0,
            file: None,
            block: Vec::new(),
            read: 0,
            told: self.told.clone(),
            told_so_far: 0,
            kept: self.kept.clone(),
        }
    }

    /// Copies what is kept of the spilled records to another file, at the same place in it.
    fn copy_spilled_to(&self, target: &Path) -> io::Result<()> {
        let at = self.first.saturating_mul(RECORD as u64);
        let bytes = self
            .spilled
            .saturating_mul(RECORD as u64)
            .saturating_sub(at);
        if bytes > 0 {
            let to = File::options().write(true).create_new(true).open(target)?;
            copy_range(&File::open(&self.spill)?, &to, at, bytes)?;
        }
        Ok(())
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
        copy_range(&from, &to, 0, head.min(self.records_at))?;
        let copied = copy_range(&from, &to, self.records_at, window)?;
        to.set_len(self.records_at.saturating_add(copied))
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
    /// What comes before, and how much of it was given out.
    told: Arc<[Record]>,
    told_so_far: usize,
    kept: Option<Arc<Kept>>,
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
        if let Some(&record) = self.told.get(self.told_so_far) {
            self.told_so_far += 1;
            return Some(Ok(record));
        }
        if self.read >= self.block.len() {
            if let Err(error) = self.next_block()? {
                return Some(Err(error));
            }
        }
        let chunk = self.block.get(self.read..self.read + RECORD)?;
        self.read += RECORD;
        let record = from_chunk(chunk);
        Some(Ok(match &self.kept {
            None => record,
            Some(kept) => kept.adapted(record),
        }))
    }
}

/// Appends a part of a file; a header that lies asks for no memory.
fn read_part(path: &Path, at: usize, bytes: usize, into: &mut Vec<u8>) -> io::Result<()> {
    use std::io::{Seek, SeekFrom};
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at as u64))?;
    match file.take(bytes as u64).read_to_end(into)? {
        read if read == bytes => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

pub(crate) fn from_chunk(chunk: &[u8]) -> Record {
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
    use crate::room::Room;

    fn written(records: u32, capacity: usize) -> (PathBuf, Stored, Vec<u64>) {
        let run =
            std::env::temp_dir().join(format!("mpiscope-stored-{}-{records}", std::process::id()));
        let _ = std::fs::remove_dir_all(&run);
        std::fs::create_dir_all(&run).unwrap();
        let path = run.join("host-1-1.buffer");
        let mut writer = Writer::create(&run, "host-1-1.buffer", &run, capacity, None).unwrap();
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
    fn threads_that_share_a_buffer_are_told_apart_spilled_or_not() {
        static ROOM: Room = Room::new(1 << 20);
        for each in [1, 100, 700] {
            let run = tempfile::tempdir().unwrap();
            let name = "host-1-1.buffer";
            let mut writer = Writer::create(run.path(), name, run.path(), 1, Some(&ROOM)).unwrap();
            writer
                .header()
                .thread
                .store(3, std::sync::atomic::Ordering::Relaxed);
            for thread in 3..8 {
                if thread > 3 {
                    assert!(writer.hand_over(0, thread, 100 + thread));
                }
                for time in 0..each {
                    writer.push(Record::new(
                        time + u64::from(thread) * 1000,
                        Fact::Leave { region: 1 },
                    ));
                }
            }
            let whole = Stored::open(&run.path().join(name), run.path()).unwrap();
            assert_eq!(whole.spilled > 0, each > 100);
            let parts = whole.threads();
            let numbers: Vec<u32> = parts.iter().map(|part| part.thread).collect();
            assert_eq!(numbers, [3, 4, 5, 6, 7]);
            for part in parts {
                let times: Vec<u64> = part.iter().map(|record| record.unwrap().time).collect();
                let first = u64::from(part.thread) * 1000;
                assert_eq!(times, (first..first + each).collect::<Vec<_>>());
                assert_eq!(part.count(), each);
            }
        }
    }

    #[test]
    fn definitions_without_room_lie_on_disk() {
        let run = tempfile::tempdir().unwrap();
        let name = "host-1-1.buffer";
        static ROOM: Room = Room::new(1 << 20);
        // Of a thread beyond the first: no room for definitions at all.
        let writer = Writer::create(run.path(), name, run.path(), 1, Some(&ROOM)).unwrap();
        writer.shared().define(b"one\n");
        writer.shared().define(b"two\n");
        let stored = Stored::open(&run.path().join(name), run.path()).unwrap();
        assert_eq!(stored.definitions().unwrap(), b"one\ntwo\n");
        assert_eq!(stored.definitions_lost, 0);
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
