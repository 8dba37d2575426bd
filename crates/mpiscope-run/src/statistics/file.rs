//! `RUN/stats/RANK.statistics`: what one rank has counted, once it has ended.
//!
//! ```text
//! MPSSTATF  version  length of the header (4 bytes each, little-endian)
//! header    JSON: the process, its threads, how many entries each has
//! entries   a zlib stream: the threads' entries, sixteen words each
//! zeros     up to whole blocks
//! ```
//!
//! It is as long after a billion iterations as after a thousand: larger numbers
//! compress less well, but not by a block.

use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::{Deserialize, Serialize};

use super::read::{self, tables_of_processes};
use super::{live, live_processes, snapshot, Entry, Mapped, Process, ENDING};
use crate::run_info::write_atomically;
use crate::system::without_size_signal;
use crate::{directory, shared_memory, Error};

const MAGIC: &[u8] = b"MPSSTATF";
/// Raised when the meaning of a file changes.
const VERSION: u32 = 1;
/// More than the entries of any process.
const LIMIT: usize = 1 << 30;
const LEVEL: u8 = 6;
/// As file systems hand it out.
const BLOCK: usize = 4096;
const WORD: usize = 8;
const ENTRY: usize = size_of::<Entry>();

#[derive(Serialize, Deserialize)]
struct Head {
    #[serde(flatten)]
    process: Process,
    /// Entries of each thread, histograms among them.
    entries: Vec<usize>,
}

/// Returns where the statistics of a run lie.
pub fn folder(run: &Path) -> PathBuf {
    run.join("stats")
}

/// Returns where the structures of instrumented sources lie, named by their hash.
pub fn structures(run: &Path) -> PathBuf {
    folder(run).join("structure")
}

/// Returns where the statistics of a rank lie.
pub fn path(run: &Path, rank: u32) -> PathBuf {
    folder(run).join(format!("{rank}.{ENDING}"))
}

/// Returns whether a run holds statistics of ranks that have ended.
pub fn exists(run: &Path) -> bool {
    !ranks(run).is_empty()
}

fn ranks(run: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder(run)).into_iter().flatten().flatten();
    let rank = |path: PathBuf| {
        let ours = path.extension().is_some_and(|ending| ending == ENDING);
        ours.then(|| path.file_stem()?.to_str()?.parse().ok())?
    };
    let mut ranks: Vec<u32> = entries.filter_map(|entry| rank(entry.path())).collect();
    ranks.sort_unstable();
    ranks
}

/// Writes what the tables of one process hold into the run; they stay. Returns the file's size.
///
/// # Errors
/// When a table cannot be read, or the file not be written.
pub fn keep(run: &Path, tables: &[PathBuf]) -> Result<u64, Error> {
    let (rank, bytes) = pack(tables)?;
    fs::create_dir_all(folder(run)).map_err(|e| Error::io(&folder(run), e))?;
    without_size_signal(|| write_atomically(&path(run, rank), &bytes))?;
    Ok(bytes.len() as u64)
}

/// Returns the rank of a process, and what its file holds.
pub(super) fn pack(tables: &[PathBuf]) -> Result<(u32, Vec<u8>), Error> {
    let process = live(tables)?;
    let mut entries = Vec::new();
    let mut counts = Vec::new();
    let mut by_number: Vec<(u32, &PathBuf)> = Vec::new();
    for path in tables {
        let mapped = Mapped::open(path).map_err(|what| Error::damaged(path, what))?;
        let number = mapped
            .header()
            .thread
            .load(std::sync::atomic::Ordering::Relaxed);
        by_number.push((number, path));
    }
    by_number.sort();
    for (_, path) in by_number {
        let mapped = Mapped::open(path).map_err(|what| Error::damaged(path, what))?;
        counts.push(mapped.entries().len());
        for entry in mapped.entries() {
            entries.extend(entry.words().into_iter().flat_map(u64::to_le_bytes));
        }
    }
    let rank = process.identity.rank;
    let head = Head {
        process,
        entries: counts,
    };
    let text = serde_json::to_vec(&head)
        .map_err(|e| Error::damaged(Path::new(ENDING), format!("its header is no JSON: {e}")))?;
    let text = compress_to_vec_zlib(&text, LEVEL);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    bytes.extend(compress_to_vec_zlib(&entries, LEVEL));
    bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
    Ok((rank, bytes))
}

/// Reads the statistics of a rank that has ended.
///
/// # Errors
/// When the file is not there or not what it should be.
pub fn read_rank(run: &Path, rank: u32) -> Result<Process, Error> {
    let path = path(run, rank);
    let bytes = fs::read(&path).map_err(|e| Error::io(&path, e))?;
    parse(&bytes).map_err(|what| Error::damaged(&path, what))
}

pub(super) fn parse(bytes: &[u8]) -> Result<Process, String> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("it does not begin as a file of statistics")?;
    if !bytes.len().is_multiple_of(BLOCK) {
        return Err("it is cut short".into());
    }
    let number = |at: usize| {
        let four = rest.get(at..at + 4).and_then(|four| four.try_into().ok());
        four.map(u32::from_le_bytes).ok_or("it is cut short")
    };
    let version = number(0)?;
    if version != VERSION {
        return Err(format!(
            "it has version {version}, this mpiscope reads {VERSION}"
        ));
    }
    let end = 8 + number(4)? as usize;
    let unpack = |packed: Option<&[u8]>, what: &str| {
        let packed = packed.ok_or("it is cut short")?;
        decompress_to_vec_zlib_with_limit(packed, LIMIT)
            .map_err(|error| format!("its {what} cannot be unpacked: {error}"))
    };
    let text = unpack(rest.get(8..end), "header")?;
    let head: Head =
        serde_json::from_slice(&text).map_err(|error| format!("its header: {error}"))?;
    let bytes = unpack(rest.get(end..), "entries")?;
    let mut process = head.process;
    let mut entries = bytes.chunks_exact(ENTRY);
    if head.entries.len() != process.threads.len() {
        return Err("its header tells of other threads than it lists".into());
    }
    for (thread, count) in process.threads.iter_mut().zip(head.entries) {
        let own: Vec<Entry> = entries.by_ref().take(count).map(entry).collect();
        if own.len() != count {
            return Err("entries are missing at its end".into());
        }
        thread.rows = read::rows(&own.iter().collect::<Vec<_>>());
        thread.close_open();
    }
    process.count_intrusion();
    Ok(process)
}

fn entry(bytes: &[u8]) -> Entry {
    let mut words = [0; ENTRY / WORD];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(WORD)) {
        *word = bytes.try_into().map_or(0, u64::from_le_bytes);
    }
    Entry::from_words(words)
}

/// Writes what dead processes of a run have left on this host into it; returns of
/// how many, and what went wrong.
pub fn collect(run: &Path, run_id: &str) -> (u64, Vec<Error>) {
    let folder = shared_memory::folder(run_id);
    let (tables, mut errors) = tables_of_processes(&directory::places(run, run_id));
    let mut kept = 0;
    for paths in tables {
        match keep(run, &paths) {
            Ok(_) => {
                kept += 1;
                for path in &paths {
                    let _ = fs::remove_file(path);
                }
            }
            Err(error) => errors.push(error),
        }
    }
    clear(&folder);
    let _ = fs::remove_dir(directory::buffers(run));
    (kept, errors)
}

/// How files end through which the processes of a host tell each other when they
/// sent, and when they entered a collective operation.
pub const STAMPS: [&str; 2] = ["ring", "meeting"];

/// Removes what the processes of a host shared, once none of them has a table
/// there any more: then all have come to MPI_Finalize, or were collected.
pub fn clear(folder: &Path) {
    if !super::read::list(folder).is_empty() {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let ending = path.extension().and_then(|ending| ending.to_str());
        if ending.is_some_and(|ending| STAMPS.contains(&ending)) {
            let _ = fs::remove_file(path);
        }
    }
    // Succeeds unless something else of the run, a trace, lies there.
    shared_memory::remove(folder);
}

/// The statistics of a run, of processes that have ended and of those that still count.
#[derive(Debug, Default)]
pub struct Run {
    /// By rank.
    pub processes: Vec<Process>,
    /// World ranks whose process may still be counting, on this host or another.
    pub live: Vec<u32>,
    /// What could not be read.
    pub errors: Vec<Error>,
}

/// Reads the statistics of a run: its files, the tables on this host, and what
/// other hosts tell of theirs.
pub fn read_run(run: &Path, run_id: &str) -> Run {
    let mut all = Run::default();
    for rank in ranks(run) {
        match read_rank(run, rank) {
            Ok(process) => all.processes.push(process),
            Err(error) => all.errors.push(error),
        }
    }
    let (processes, errors) = match run_id {
        "" => (Vec::new(), Vec::new()),
        run_id => live_processes(&directory::places(run, run_id)),
    };
    all.errors.extend(errors);
    // What lies on this host is newer than what a snapshot tells of it.
    let (elsewhere, errors) = snapshot::read(run);
    all.errors.extend(errors);
    for process in processes.into_iter().chain(elsewhere) {
        let rank = process.identity.rank;
        let known = all.processes.iter().any(|p| p.identity.rank == rank);
        if !known {
            all.live.push(rank);
            all.processes.push(process);
        }
    }
    all.processes.sort_by_key(|process| process.identity.rank);
    all
}

#[cfg(test)]
mod tests {
    use super::super::{Amount, Key, Note, Side, Table};
    use super::*;
    use crate::process::{line_of, Identity};
    use crate::ticks::Triple;

    #[test]
    fn a_rank_is_read_as_it_was_kept() {
        let run = tempfile::tempdir().unwrap();
        let name = "a-1-0.statistics";
        let (path, run_path) = (run.path().join(name), run.path());
        let start = Triple::default();
        let mut table = Table::create(run_path, name, run_path, 10, start, None).unwrap();
        let identity = Identity {
            rank: 3,
            ..Identity::default()
        };
        table
            .notes()
            .note(&line_of(&Note::Identity(Box::new(identity))));
        let number = table.allocate(1).unwrap();
        let entry = table.entry(number).unwrap();
        entry.begin(Key::call(7, Side::Sent, 1, 2, 0));
        table.publish();
        assert!(entry.add_message(Amount {
            calls: 1,
            messages: 1,
            bytes: 100,
            time: 9,
            intrusion: 2
        }));
        let tables = [path];
        keep(run.path(), &tables).unwrap();
        let kept = read_rank(run.path(), 3).unwrap();
        assert_eq!(kept, live(&tables).unwrap());
        assert_eq!(kept.threads[0].rows[0].histogram, [(7, 1)]);
    }

    #[test]
    fn what_is_cut_short_anywhere_is_an_error() {
        let run = tempfile::tempdir().unwrap();
        let name = "a-1-0.statistics";
        let (table, run_path) = (run.path().join(name), run.path());
        let start = Triple::default();
        let mut writer = Table::create(run_path, name, run_path, 10, start, None).unwrap();
        writer.allocate(2);
        writer.publish();
        keep(run.path(), &[table]).unwrap();
        let bytes = fs::read(path(run.path(), 0)).unwrap();
        assert!(parse(&bytes).is_ok());
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end]).is_err(), "{end}");
        }
    }
}
