//! What is too large for answers in JSON, kept in a file of its own: parts, each compressed by
//! itself, so that they are written and read side by side.
//!
//! ```text
//! mpiscope-cache FORMAT VERSION BUILD CHECKSUM \n
//! length of the header, 4 bytes | header, JSON | parts, each a frame of zstd with its checksum
//! ```
//!
//! The checksum of the first line is over the header, which says how long each part is.

use std::fs::{self, File};
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mpiscope_archive::trace::anchor_of;
use mpiscope_run::directory;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::file::{checksum_of, first_line, writer};
use super::identity::Identity;
use super::{places, room, write, PART};
use crate::input::run_of;
use crate::packed;
use crate::stamp::Stamp;

/// Name of the file in a run.
pub const IN_RUN: &str = "view.cache";

/// Ending of the file beside an archive that is in no run.
pub(super) const BESIDE: &str = "mpiscope-cache.view";

/// A part is at most so long, whatever a file says.
const LONGEST: u64 = 4 << 30;

/// Where parts are kept of a run, and what that is.
#[derive(Debug)]
pub struct Large {
    file: PathBuf,
    /// The file of answers, which shares the room.
    answers: PathBuf,
    describes: Described,
    since: SystemTime,
}

/// What parts describe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Described {
    /// The run's place, which messages may name.
    path: PathBuf,
    archive: Identity,
    /// That of true times.
    truth: Option<Identity>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    describes: Described,
    /// Other files that were looked at, and what they were then.
    others: Vec<Stamp>,
    /// How long each part is, as it stands there.
    lengths: Vec<u64>,
}

/// Parts that are kept, each read when it is asked for: together they may be large.
#[derive(Debug)]
pub struct Parts {
    file: File,
    size: u64,
    places: Vec<Range<u64>>,
}

impl Parts {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Reads a part; nothing if it is damaged, or there is none of this number.
    pub fn part(&self, number: usize) -> Option<Vec<u8>> {
        let place = self.places.get(number)?.clone();
        expanded(&bytes_at(&self.file, place, self.size)?)
    }
}

impl Described {
    fn of(run: &Path) -> Option<Described> {
        let truth = directory::truth(run);
        let anchor = directory::anchor(&truth);
        Some(Described {
            path: run.canonicalize().ok()?,
            archive: Identity::of(run, &anchor_of(run).ok()?)?,
            truth: match anchor.is_file() {
                true => Some(Identity::of(&truth, &anchor)?),
                false => None,
            },
        })
    }

    /// Returns how many bytes parts may have beside the answers: a tenth of each archive whose times they
    /// tell, that of true times being one of its own.
    fn room(&self, answers: &Path) -> u64 {
        let truth = self.truth.as_ref().map_or(0, |it| it.bytes);
        room(&self.archive, answers) + truth / PART
    }

    fn is_settled(&self, since: SystemTime) -> bool {
        let mut all = std::iter::once(&self.archive).chain(&self.truth);
        all.all(|it| it.is_settled(since))
    }
}

impl Large {
    /// Looks at what `input` is, before it is read; nothing where nothing can be kept.
    pub fn of(input: &Path) -> Option<Large> {
        // What was unpacked goes away with the command.
        if packed::given(input) != *input {
            return None;
        }
        let since = SystemTime::now();
        let run = run_of(input);
        let [answers, file] = places(&run, &anchor_of(&run).ok()?);
        Some(Large {
            file,
            answers,
            describes: Described::of(&run)?,
            since,
        })
    }

    /// Opens the parts that are kept; those of something else, or that are damaged, are removed.
    pub fn read(&self) -> Option<Parts> {
        let file = File::open(&self.file).ok()?;
        let first = first_of(&file);
        let is_ours = first.as_ref().is_none_or(|it| is_ours(&it.0));
        let found = first.and_then(|(line, body)| self.parse(&line, body, file));
        if found.is_none() && is_ours {
            self.remove();
        }
        found
    }

    /// Removes what is kept.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.file);
    }

    /// Reads the header, which begins at `body`.
    fn parse(&self, line: &str, body: u64, file: File) -> Option<Parts> {
        let size = file.metadata().ok()?.len();
        let length = u32::from_le_bytes(bytes_at(&file, body..body + 4, size)?.try_into().ok()?);
        let mut begin = body + 4;
        let header = bytes_at(&file, begin..begin + u64::from(length), size)?;
        begin += u64::from(length);
        let who = writer()?;
        (line == format!("{who} {}", checksum_of(&who, &header))).then_some(())?;
        let header: Header = serde_json::from_slice(&header).ok()?;
        let holds = header.describes == self.describes && header.others.iter().all(Stamp::holds);
        holds.then_some(())?;
        let mut places = Vec::new();
        for length in header.lengths {
            let end = begin.checked_add(length)?;
            places.push(begin..end);
            begin = end;
        }
        (begin == size).then_some(Parts { file, size, places })
    }

    /// Keeps parts, unless something has changed meanwhile, has just been written, or they would
    /// take too much room; tells how many bytes they take.
    ///
    /// # Errors
    ///
    /// Why they are not kept.
    pub fn keep(&self, parts: &[Vec<u8>], others: Vec<Stamp>) -> Result<u64, Unkept> {
        let now = Described::of(&run_of(&self.describes.path)).ok_or(Unkept::Changed)?;
        let settled = now.is_settled(self.since);
        let others_too = others.iter().all(|it| it.is_settled(self.since));
        if now != self.describes || !settled || !others_too {
            return Err(Unkept::Changed);
        }
        let room = self.describes.room(&self.answers);
        let file = |tries| file_of(parts, tries, &now, &others).ok_or(Unkept::Unwritable);
        let mut bytes = file(OF_NUMBERS)?;
        let lacking = (bytes.len() as u64).saturating_sub(room);
        if lacking > 0 && lacking <= room / GAIN {
            bytes = file(OF_NUMBERS_HARDER)?;
        }
        let length = bytes.len() as u64;
        if length > room {
            return Err(Unkept::TooLarge { length, room });
        }
        write(&self.file, &bytes).map_err(|_| Unkept::Unwritable)?;
        Ok(length)
    }
}

/// Why parts are not kept: they are made again next time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unkept {
    /// What they describe has changed meanwhile, or so lately that another change might not be seen.
    Changed,
    /// They take more room than there is beside the archive.
    TooLarge {
        /// Bytes of the file.
        length: u64,
        /// Bytes that it may have.
        room: u64,
    },
    /// The file cannot be written.
    Unwritable,
    /// They are of a part of the run alone.
    Damaged,
    /// Events cannot be read where they stand.
    NoBlocks,
}

/// Makes the file, with numbers compressed as hard as `tries` says.
fn file_of(
    parts: &[Vec<u8>],
    tries: i32,
    describes: &Described,
    others: &[Stamp],
) -> Option<Vec<u8>> {
    let frames = (parts.par_iter().enumerate()).map(|(number, part)| match number {
        0 => compressed(part, OF_TEXT),
        _ => compressed(part, tries),
    });
    let frames: Vec<Vec<u8>> = frames.collect::<Option<_>>()?;
    let header = Header {
        describes: describes.clone(),
        others: others.to_vec(),
        lengths: frames.iter().map(|it| it.len() as u64).collect(),
    };
    let header = serde_json::to_vec(&header).ok()?;
    let who = writer()?;
    let mut bytes = format!("{who} {}\n", checksum_of(&who, &header)).into_bytes();
    bytes.extend(u32::try_from(header.len()).ok()?.to_le_bytes());
    bytes.extend(header);
    frames.iter().for_each(|frame| bytes.extend(frame));
    Some(bytes)
}

/// A first line is no longer.
const LONGEST_LINE: u64 = 4096;

/// Returns the first line of a file, and where what follows begins.
fn first_of(file: &File) -> Option<(String, u64)> {
    let size = file.metadata().ok()?.len();
    let begin = bytes_at(file, 0..size.min(LONGEST_LINE), size)?;
    let (line, rest) = first_line(&begin)?;
    Some((line.to_owned(), (begin.len() - rest.len()) as u64))
}

/// Reads bytes of a file of this size; nothing if it has not so many.
fn bytes_at(file: &File, place: Range<u64>, size: u64) -> Option<Vec<u8>> {
    (place.start <= place.end && place.end <= size).then_some(())?;
    let mut bytes = vec![0; usize::try_from(place.end - place.start).ok()?];
    file.read_exact_at(&mut bytes, place.start).ok()?;
    Some(bytes)
}

/// Returns whether a first line says that this build wrote the file.
fn is_ours(line: &str) -> bool {
    writer().is_some_and(|who| line.starts_with(&who))
}

/// How hard zstd tries: the first part is text, of which that leaves a tenth less; of numbers it
/// would leave a thirtieth less at most, for many times the work, which is done where they are kept
/// by that alone.
const OF_TEXT: i32 = 9;
const OF_NUMBERS: i32 = 3;
const OF_NUMBERS_HARDER: i32 = 15;
/// Where this part of the room is lacking at most, trying harder may do.
const GAIN: u64 = 20;

fn compressed(part: &[u8], level: i32) -> Option<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), level).ok()?;
    encoder.include_checksum(true).ok()?;
    std::io::Write::write_all(&mut encoder, part).ok()?;
    encoder.finish().ok()
}

fn expanded(part: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = zstd::Decoder::with_buffer(part).ok()?.single_frame();
    decoder.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
