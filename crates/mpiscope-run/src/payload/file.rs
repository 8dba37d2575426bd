//! `RUN/payload/RANK.payload`: the payload record of one rank, compressed.
//!
//! ```text
//! MPSPAYLD  version  length of the header (4 bytes each, little-endian)
//! header    JSON: whose record this is
//! pieces    each with its length before and after compression (4 bytes each), a zlib stream
//! end       eight zeros
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::{Header, Note, Reader};
use crate::order::buffer;
use crate::shared_memory;
use crate::system::without_size_signal;
use crate::Error;

/// Ending of a file's name, and of a buffer's.
pub const ENDING: &str = "payload";
const MAGIC: &[u8] = b"MPSPAYLD";
/// Raised when the meaning of a file changes.
const VERSION: u32 = 1;
/// Bytes before compression.
const PIECE: usize = 1 << 20;
/// More than any piece.
const LIMIT: usize = 16 << 20;
/// In place of the lengths of another piece.
const END: [u8; 8] = [0; 8];
/// Fast: it is done while the program waits in MPI_Finalize.
const LEVEL: u8 = 2;
/// The bytes are kept as they are.
const STORED: u8 = 0;
/// Bytes of a piece that tell whether it shrinks: with numbers that do not, as
/// those of `cg.c`, compression took nine tenths of the time of a recorded run.
const SAMPLE: usize = 16 << 10;

fn folder(run: &Path) -> PathBuf {
    run.join("payload")
}

/// Returns where a rank's record lies.
pub fn path(run: &Path, rank: u32) -> PathBuf {
    folder(run).join(format!("{rank}.{ENDING}"))
}

/// Returns whether a run holds a rank's record.
pub fn exists(run: &Path, rank: u32) -> bool {
    path(run, rank).is_file()
}

/// Returns the ranks whose record a run holds.
pub fn ranks(run: &Path) -> Vec<u32> {
    let entries = fs::read_dir(folder(run)).into_iter().flatten().flatten();
    let rank = |path: PathBuf| path.file_stem()?.to_str()?.parse().ok();
    let mut ranks: Vec<u32> = entries.filter_map(|entry| rank(entry.path())).collect();
    ranks.sort_unstable();
    ranks
}

/// Returns the bytes of a rank's record.
pub fn bytes(run: &Path, rank: u32) -> u64 {
    fs::metadata(path(run, rank)).map_or(0, |data| data.len())
}

/// Removes all records of a run.
pub fn remove(run: &Path) {
    let _ = fs::remove_dir_all(folder(run));
}

/// Writes what a buffer holds into the run, and removes it; returns whose it is.
///
/// # Errors
/// When the buffer cannot be read, or the file not be written. The buffer stays.
pub fn keep(run: &Path, from: &Path) -> Result<Header, Error> {
    let content = buffer::head(from)?;
    let mut header = header_in(from, &content.notes)?;
    header.finished = content.finished;
    let path = path(run, header.rank);
    fs::create_dir_all(folder(run)).map_err(|e| Error::io(&folder(run), e))?;
    let new = path.with_extension("new");
    let written = without_size_signal(|| write(&new, &header, from, run));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written?;
    fs::rename(&new, &path).map_err(|e| Error::io(&path, e))?;
    let _ = fs::remove_file(buffer::spill_path(run, from));
    let _ = fs::remove_dir(run.join("spill"));
    let _ = fs::remove_file(from);
    Ok(header)
}

fn header_in(from: &Path, notes: &[u8]) -> Result<Header, Error> {
    let lines = notes.split(|&byte| byte == b'\n');
    let mut header = None;
    let mut left_out = Vec::new();
    for note in lines.filter_map(|line| serde_json::from_slice(line).ok()) {
        match note {
            Note::Header(found) => header = Some(found),
            Note::LeftOut(what) => left_out.push(what),
        }
    }
    let header: Option<Header> = header;
    let mut header =
        header.ok_or_else(|| Error::damaged(from, "it does not say whose record it holds"))?;
    header.left_out = left_out;
    Ok(header)
}

fn write(path: &Path, header: &Header, from: &Path, run: &Path) -> Result<(), Error> {
    let io_error = |e: io::Error| Error::io(path, e);
    let text = serde_json::to_vec(header)
        .map_err(|e| Error::damaged(path, format!("its header is no JSON: {e}")))?;
    let mut file = File::create(path).map_err(io_error)?;
    let mut start = MAGIC.to_vec();
    start.extend(VERSION.to_le_bytes());
    start.extend((text.len() as u32).to_le_bytes());
    start.extend(text);
    file.write_all(&start).map_err(io_error)?;
    buffer::pieces(from, run, PIECE, &mut |piece| {
        let packed = packed(piece);
        let mut lengths = (piece.len() as u32).to_le_bytes().to_vec();
        lengths.extend((packed.len() as u32).to_le_bytes());
        file.write_all(&lengths)
            .and_then(|()| file.write_all(&packed))
            .map_err(io_error)
    })?;
    file.write_all(&END).map_err(io_error)
}

/// Compresses a piece, unless a sample of it says that it is in vain.
fn packed(piece: &[u8]) -> Vec<u8> {
    let sample = piece.get(piece.len() / 2..).unwrap_or_default();
    let sample = sample.get(..SAMPLE).unwrap_or(piece);
    let shrinks = compress_to_vec_zlib(sample, LEVEL).len() < sample.len() / 8 * 7;
    compress_to_vec_zlib(piece, if shrinks { LEVEL } else { STORED })
}

/// Keeps what processes that died on this host have left; returns their ranks.
///
/// # Errors
/// When a file cannot be written.
pub fn collect(run: &Path, run_id: &str) -> Result<Vec<u32>, Error> {
    let folder = shared_memory::folder(run_id);
    let places = crate::directory::places(run, run_id);
    let entries = places.iter().flat_map(fs::read_dir).flatten().flatten();
    let buffers = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING));
    let mut ranks = Vec::new();
    for path in buffers {
        ranks.push(keep(run, &path)?.rank);
    }
    ranks.sort_unstable();
    shared_memory::remove(&folder);
    Ok(ranks)
}

/// The calls of a rank as they are kept.
pub type Kept = Reader<Pieces<BufReader<File>>>;

/// Opens a rank's record.
///
/// # Errors
/// When it is not there, or is no such record.
pub fn open(run: &Path, rank: u32) -> Result<(Header, Kept), Error> {
    let path = path(run, rank);
    let file = File::open(&path).map_err(|e| Error::io(&path, e))?;
    let mut file = BufReader::new(file);
    let short = |_| Error::damaged(&path, "it is shorter than its header");
    let mut start = [0; 16];
    file.read_exact(&mut start).map_err(short)?;
    let word = |at: usize| {
        let bytes = start
            .get(at..at + 4)
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_le_bytes)
    };
    if !start.starts_with(MAGIC) {
        return Err(Error::damaged(&path, "it is no payload record"));
    }
    if word(8) != VERSION {
        let what = format!("it has version {}, this mpiscope reads {VERSION}", word(8));
        return Err(Error::damaged(&path, what));
    }
    let length = u64::from(word(12));
    let mut text = Vec::new();
    let read = file.by_ref().take(length).read_to_end(&mut text);
    if read.map_err(|e| Error::io(&path, e))? as u64 != length {
        return Err(Error::damaged(&path, "it is shorter than its header"));
    }
    let header: Header = serde_json::from_slice(&text)
        .map_err(|e| Error::damaged(&path, format!("its header is damaged: {e}")))?;
    if header.rank != rank {
        let what = format!("it is the record of rank {}", header.rank);
        return Err(Error::damaged(&path, what));
    }
    Ok((header, Reader::new(Pieces::of(file))))
}

/// What the pieces hold, one after the other.
pub struct Pieces<R> {
    file: R,
    piece: Vec<u8>,
    at: usize,
}

impl<R: Read> Pieces<R> {
    fn of(file: R) -> Self {
        let piece = Vec::new();
        Self { file, piece, at: 0 }
    }

    /// Reads the next piece; an empty one at the end.
    fn next_piece(&mut self) -> io::Result<()> {
        let damaged = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        self.piece.clear();
        self.at = 0;
        let mut lengths = Vec::new();
        self.file.by_ref().take(8).read_to_end(&mut lengths)?;
        let Ok([a, b, c, d, e, f, g, h]) = <[u8; 8]>::try_from(lengths) else {
            return Err(damaged("the file is cut short".into()));
        };
        if [a, b, c, d, e, f, g, h] == END {
            return Ok(());
        }
        let long = u32::from_le_bytes([a, b, c, d]) as usize;
        let packed = u64::from(u32::from_le_bytes([e, f, g, h]));
        let mut bytes = Vec::new();
        let read = self.file.by_ref().take(packed).read_to_end(&mut bytes)?;
        if (read as u64) < packed {
            return Err(damaged("the file is cut short".into()));
        }
        self.piece = decompress_to_vec_zlib_with_limit(&bytes, LIMIT)
            .map_err(|error| damaged(format!("a piece cannot be unpacked ({:?})", error.status)))?;
        match self.piece.len() == long {
            true => Ok(()),
            false => Err(damaged("a piece has another length than it says".into())),
        }
    }
}

impl<R: Read> Read for Pieces<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() {
            self.next_piece()?;
        }
        let rest = self.piece.get(self.at..).unwrap_or_default();
        let length = rest.len().min(into.len());
        if let (Some(to), Some(from)) = (into.get_mut(..length), rest.get(..length)) {
            to.copy_from_slice(from);
        }
        self.at += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Body, Encoder};
    use super::*;

    /// A record of many calls, of which some are longer than a piece.
    fn kept(run: &Path) -> Vec<Vec<u8>> {
        let name = "h-1-0.payload";
        let from = run.join(name);
        let mut writer = buffer::Writer::create(run, name, run, (0, 0), None).unwrap();
        let header = Header {
            rank: 2,
            ..Header::default()
        };
        assert!(writer.note(&Note::Header(header).line()));
        let mut encoder = Encoder::default();
        let mut all = Vec::new();
        for length in [0, 3, 700, 5 << 20, 9, 20 << 20, 1] {
            let mut body = Body::default();
            let bytes: Vec<u8> = (0..length as u64).map(|k| ((k * k) >> 7) as u8).collect();
            body.bytes(&bytes);
            encoder.call(&mut writer, &body);
            all.push(bytes);
        }
        writer.finish();
        let header = keep(run, &from).unwrap();
        assert_eq!((header.rank, header.finished), (2, true));
        assert!(!from.exists());
        all
    }

    #[test]
    fn what_was_kept_is_read_call_by_call() {
        let run = tempfile::tempdir().unwrap();
        let all = kept(run.path());
        let (_, mut reader) = open(run.path(), 2).unwrap();
        for bytes in all {
            let entry = reader.next_call().unwrap().unwrap();
            assert!(super::super::Cursor(&entry.body).bytes() == Some(&bytes[..]));
        }
        assert_eq!(reader.next_call().unwrap(), None);
        assert_eq!(ranks(run.path()), [2]);
    }

    #[test]
    fn what_does_not_shrink_is_kept_as_it_is() {
        let mut state = 1u64;
        let mut random = |_: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 56) as u8
        };
        let noise: Vec<u8> = (0..PIECE).map(&mut random).collect();
        for (piece, most) in [(noise, PIECE + PIECE / 100), (vec![7; PIECE], PIECE / 100)] {
            let packed = packed(&piece);
            assert!(packed.len() < most, "{}", packed.len());
            let read = decompress_to_vec_zlib_with_limit(&packed, LIMIT).unwrap();
            assert!(read == piece);
        }
    }

    #[test]
    fn a_damaged_file_is_an_error_and_names_itself() {
        let run = tempfile::tempdir().unwrap();
        kept(run.path());
        let path = path(run.path(), 2);
        let whole = fs::read(&path).unwrap();
        for length in [0, 5, 16, 40, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            let error = match open(run.path(), 2) {
                Err(error) => error.to_string(),
                Ok((_, mut reader)) => loop {
                    match reader.next_call() {
                        Ok(Some(_)) => {}
                        Ok(None) => panic!("{length} bytes are no whole record"),
                        Err(error) => break error.to_string(),
                    }
                },
            };
            assert!(
                error.contains("2.payload") || error.contains("cut short"),
                "{error}"
            );
        }
    }
}
