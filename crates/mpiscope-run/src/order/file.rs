//! `RUN/order/RANK.order`: the choices of one rank, compressed.
//!
//! ```text
//! MPSORDER  version  length of the header (4 bytes each, little-endian)
//! header    JSON: whose choices these are, and how long each stream is
//! streams   one after the other, as one zlib stream, whose check sum tells of damage
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{stream, Origin, RankOrder, Record, Taken, ThreadOrder, Turn, Unrecorded};
use crate::run_info::write_atomically;
use crate::{directory, Error};

const MAGIC: &[u8] = b"MPSORDER";
/// Raised when the meaning of a file changes.
pub const VERSION: u32 = 4;
/// The oldest that is read: it has no marks.
const OLDEST: u32 = 3;
const ENDING: &str = "order";
/// A middle way: a megabyte takes some 20 ms and becomes a few per cent larger than at best.
const LEVEL: u8 = 6;

#[derive(Serialize, Deserialize)]
struct Header {
    origin: Origin,
    rank: u32,
    program: String,
    finished: bool,
    /// Number, lineage and bytes of each thread's stream.
    threads: Vec<(u32, u64, u64)>,
    /// Bytes of the stream of turns, which comes last.
    turns: u64,
    unrecorded: Vec<Unrecorded>,
}

/// A rank's choices as streams, not decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Streams {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: u32,
    /// The program.
    pub program: String,
    /// Whether it recorded until MPI_Finalize.
    pub finished: bool,
    /// Number, lineage and stream of each thread.
    pub threads: Vec<(u32, u64, Vec<u8>)>,
    /// The order of posts among threads, as if each were a receive from that thread.
    pub turns: Vec<u8>,
    /// See [`RankOrder::unrecorded`].
    pub unrecorded: Vec<Unrecorded>,
}

/// Returns whether a run has an order record.
pub fn exists(run: &Path) -> bool {
    !files(run).is_empty()
}

/// Reads the order record of a run.
///
/// # Errors
/// When there is none, a file is damaged, or files are of different runs.
pub fn read(run: &Path) -> Result<Record, Error> {
    let mut record = Record::default();
    let files = files(run);
    if files.is_empty() {
        return Err(missing(run));
    }
    for path in files {
        let (origin, order) = read_file(&path)?;
        if record.ranks.is_empty() {
            record.origin = origin;
        } else if record.origin.run_id != origin.run_id
            || record.origin.world_size != origin.world_size
        {
            let what = "it is of another run than the files beside it: a record is whole or none";
            return Err(Error::damaged(&path, what));
        }
        record.ranks.push(order);
    }
    record.ranks.sort_by_key(|order| order.rank);
    Ok(record)
}

fn missing(run: &Path) -> Error {
    Error::damaged(
        run,
        "it has no order record; `mpiscope record` writes one, and `trace` unless told --no-order",
    )
}

/// Reads the record of one rank.
///
/// # Errors
/// When it is not there or damaged.
pub fn read_rank(run: &Path, rank: u32) -> Result<(Origin, RankOrder), Error> {
    read_file(&path_of(run, rank))
}

/// Writes an order record; replaces the one that is there.
///
/// # Errors
/// When a file cannot be written or removed.
pub fn write(run: &Path, record: &Record) -> Result<(), Error> {
    for path in files(run) {
        fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
    }
    for order in &record.ranks {
        write_rank(run, &record.origin, order)?;
    }
    Ok(())
}

/// Writes the record of one rank.
///
/// # Errors
/// When it cannot be written.
pub fn write_rank(run: &Path, origin: &Origin, order: &RankOrder) -> Result<(), Error> {
    let streams = Streams {
        rank: order.rank,
        program: order.program.clone(),
        finished: order.finished,
        threads: order
            .threads
            .iter()
            .map(|thread| (thread.number, thread.lineage, stream::encode(thread)))
            .collect(),
        turns: turns_to_stream(&order.turns),
        unrecorded: order.unrecorded.clone(),
    };
    write_streams(run, origin, &streams)
}

/// A turn looks like a receive from its thread, with its place for a tag.
fn turns_to_stream(turns: &[Turn]) -> Vec<u8> {
    let taken = |turn: &Turn| {
        Some(Taken {
            source: turn.thread,
            tag: (turn.place > 0).then_some(turn.place),
        })
    };
    stream::encode(&ThreadOrder {
        receives: turns.iter().map(taken).collect(),
        ..ThreadOrder::default()
    })
}

/// Writes streams as they were recorded.
///
/// # Errors
/// When the file cannot be written.
pub fn write_streams(run: &Path, origin: &Origin, streams: &Streams) -> Result<(), Error> {
    let header = Header {
        origin: origin.clone(),
        rank: streams.rank,
        program: streams.program.clone(),
        finished: streams.finished,
        threads: streams
            .threads
            .iter()
            .map(|(number, lineage, bytes)| (*number, *lineage, bytes.len() as u64))
            .collect(),
        turns: streams.turns.len() as u64,
        unrecorded: streams.unrecorded.clone(),
    };
    let path = path_of(run, streams.rank);
    let folder = directory::order(run);
    fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
    let header = serde_json::to_vec(&header)
        .map_err(|e| Error::damaged(&path, format!("its header is no JSON: {e}")))?;
    let mut all: Vec<u8> = Vec::new();
    for (_, _, bytes) in &streams.threads {
        all.extend_from_slice(bytes);
    }
    all.extend_from_slice(&streams.turns);
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(&all, LEVEL));
    write_atomically(&path, &bytes)
}

fn path_of(run: &Path, rank: u32) -> PathBuf {
    directory::order(run).join(format!("{rank}.{ENDING}"))
}

fn files(run: &Path) -> Vec<PathBuf> {
    super::buffer::list(&directory::order(run))
}

fn read_file(path: &Path) -> Result<(Origin, RankOrder), Error> {
    let bytes = fs::read(path).map_err(|e| Error::io(path, e))?;
    let (origin, order) = parse(&bytes).map_err(|what| Error::damaged(path, what))?;
    if path.file_stem() != Some(order.rank.to_string().as_ref()) {
        let what = format!(
            "it holds the choices of rank {}: give it that name, or record again",
            order.rank
        );
        return Err(Error::damaged(path, what));
    }
    Ok((origin, order))
}

fn parse(bytes: &[u8]) -> Result<(Origin, RankOrder), String> {
    const SHORT: &str = "it is cut short within its header: record again";
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("it is no order record: it does not begin with MPSORDER")?;
    let (version, rest) = word(rest).ok_or(SHORT)?;
    let (length, rest) = word(rest).ok_or(SHORT)?;
    let (header, rest) = rest.split_at_checked(length as usize).ok_or(SHORT)?;
    if !(OLDEST..=VERSION).contains(&version) {
        let writer = writer(header).unwrap_or_else(|| "another mpiscope".into());
        return Err(format!(
            "it has version {version}, written by {writer}; this mpiscope {} reads versions {OLDEST} to {VERSION}: \
             record again with this one, or replay with that one",
            crate::VERSION
        ));
    }
    let header: Header = serde_json::from_slice(header).map_err(|e| unreadable(header, &e))?;
    let lengths = header.threads.iter().map(|thread| thread.2);
    let total = lengths.fold(header.turns, u64::saturating_add);
    let all = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(rest, total as usize)
        .map_err(|e| format!("its streams are damaged or cut short ({e}): record again"))?;
    if all.len() as u64 != total {
        return Err(format!(
            "its streams have {} bytes, {total} are expected",
            all.len()
        ));
    }
    let order = decode(&header, &all)?;
    Ok((header.origin, order))
}

/// Returns who wrote a header of whatever version, if it tells.
fn writer(header: &[u8]) -> Option<String> {
    let header: serde_json::Value = serde_json::from_slice(header).ok()?;
    let version = header.pointer("/origin/agent_version")?.as_str()?;
    Some(format!("mpiscope {version}"))
}

/// Says what is wrong with a header: damage, or an agent that is not of this mpiscope.
fn unreadable(header: &[u8], error: &serde_json::Error) -> String {
    match writer(header) {
        Some(writer) => format!(
            "its header, written by {writer}, is not as this mpiscope {} expects ({error}): agent and \
             command are not of one build; build both, and record again",
            crate::VERSION
        ),
        None => format!("its header is damaged: {error}"),
    }
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*word), rest))
}

fn decode(header: &Header, mut all: &[u8]) -> Result<RankOrder, String> {
    let (mut threads, mut foreign) = (Vec::new(), Vec::new());
    for &(number, lineage, length) in &header.threads {
        let (stream, rest) = all.split_at(length as usize);
        let (thread, more) = stream::decode(stream).map_err(|e| format!("thread {number}, {e}"))?;
        threads.push(ThreadOrder {
            number,
            lineage,
            ..thread
        });
        foreign.extend(more);
        all = rest;
    }
    threads.sort_by_key(|thread| thread.number);
    for receive in foreign {
        let at = threads.binary_search_by_key(&receive.thread, |thread| thread.number);
        let thread = at.map_err(|_| format!("thread {} is missing", receive.thread))?;
        stream::place_receive(&mut threads[thread], receive.ordinal, receive.taken)?;
    }
    let (turns, _) = stream::decode(all).map_err(|e| format!("turns of the threads, {e}"))?;
    Ok(RankOrder {
        rank: header.rank,
        program: header.program.clone(),
        finished: header.finished,
        threads,
        turns: turns.receives.iter().flatten().map(turn).collect(),
        unrecorded: header.unrecorded.clone(),
    })
}

fn turn(taken: &Taken) -> Turn {
    Turn {
        thread: taken.source,
        place: taken.tag.unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(run_id: &str, size: u32) -> Record {
        let taken = |source| Some(Taken { source, tag: None });
        let order = |rank| RankOrder {
            rank,
            program: "/bin/heat".into(),
            finished: rank > 0,
            threads: vec![ThreadOrder {
                number: 0,
                receives: (0..500).map(|k| taken(k % (rank + 2))).collect(),
                ..ThreadOrder::default()
            }],
            turns: [(0, 0), (0, 0), (1, 0), (0, 77), (0, 77)]
                .map(|(thread, place)| Turn { thread, place })
                .to_vec(),
            unrecorded: Vec::new(),
        };
        Record {
            origin: Origin {
                run_id: run_id.into(),
                world_size: size,
                ..Origin::default()
            },
            ranks: (0..size).map(order).collect(),
        }
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let run = tempfile::tempdir().unwrap();
        assert!(!exists(run.path()));
        let first = record("a", 3);
        write(run.path(), &first).unwrap();
        assert_eq!(read(run.path()).unwrap(), first);
        // A smaller one replaces it as a whole.
        let second = record("b", 2);
        write(run.path(), &second).unwrap();
        assert_eq!(read(run.path()).unwrap(), second);
        let (origin, order) = read_rank(run.path(), 1).unwrap();
        assert_eq!((origin, &order), (second.origin, &second.ranks[1]));
    }

    #[test]
    fn files_of_two_runs_are_no_record() {
        let run = tempfile::tempdir().unwrap();
        write(run.path(), &record("a", 3)).unwrap();
        let other = record("b", 3);
        write_rank(run.path(), &other.origin, &other.ranks[1]).unwrap();
        let error = read(run.path()).unwrap_err().to_string();
        assert!(error.contains("1.order: it is of another run"), "{error}");
    }

    #[test]
    fn a_file_of_another_rank_is_no_record_of_this_one() {
        let run = tempfile::tempdir().unwrap();
        write(run.path(), &record("a", 3)).unwrap();
        let [from, to] = [0, 1].map(|rank| path_of(run.path(), rank));
        fs::rename(from, to).unwrap();
        let error = read(run.path()).unwrap_err().to_string();
        assert!(
            error.contains("1.order: it holds the choices of rank 0"),
            "{error}"
        );
    }

    #[test]
    fn a_record_that_is_not_there_says_who_writes_it() {
        let run = tempfile::tempdir().unwrap();
        let error = read(run.path()).unwrap_err().to_string();
        assert!(error.contains("mpiscope record"), "{error}");
    }

    /// Files of other builds name their writer.
    #[test]
    fn a_record_of_another_mpiscope_names_the_one_that_wrote_it() {
        let run = tempfile::tempdir().unwrap();
        let mut first = record("a", 1);
        first.origin.agent_version = "0.0.7".into();
        write(run.path(), &first).unwrap();
        let bytes = fs::read(path_of(run.path(), 0)).unwrap();
        let mut later = bytes.clone();
        later[MAGIC.len()] = 5;
        let error = parse(&later).unwrap_err();
        assert!(
            error.contains("version 5, written by mpiscope 0.0.7"),
            "{error}"
        );
        // The one before is read: it only has less.
        let mut earlier = bytes.clone();
        earlier[MAGIC.len()] = 3;
        assert_eq!(parse(&earlier).unwrap().1, first.ranks[0]);
        // The same number, but a field that is named otherwise.
        let text = String::from_utf8_lossy(&bytes[..60 + MAGIC.len()]).into_owned();
        assert!(text.contains("origin"), "{text}");
        let at = bytes.windows(8).position(|w| w == b"finished").unwrap();
        let mut other = bytes.clone();
        other[at..at + 8].copy_from_slice(b"at_rest_");
        let error = parse(&other).unwrap_err();
        assert!(
            error.contains("not of one build") && error.contains("0.0.7"),
            "{error}"
        );
    }

    /// Whatever byte is lost or wrong, the file is named and nothing panics.
    #[test]
    fn damage_is_found() {
        let run = tempfile::tempdir().unwrap();
        write(run.path(), &record("a", 1)).unwrap();
        let path = path_of(run.path(), 0);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            assert!(parse(&bytes[..at]).is_err(), "cut at {at}");
            let mut wrong = bytes.clone();
            wrong[at] ^= 0x10;
            let _ = parse(&wrong);
        }
        let mut wrong = bytes.clone();
        *wrong.last_mut().unwrap() ^= 1;
        let error = parse(&wrong).unwrap_err();
        assert!(error.contains("damaged"), "{error}");
    }
}
