//! What a buffer holds, read while its writer lives or after it.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::{
    spill_path, Header, Note, Progress, ENDED, IN_FLIGHT_AT, MAGIC, NOTES, NOTES_AT, VERSION,
    WINDOW_AT,
};
use crate::order::in_flight::{took, Took};
use crate::order::End;
use crate::Error;

/// What a buffer holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Content {
    /// Process that writes or wrote it.
    pub pid: u32,
    /// Number of the thread, or [`super::TURNS`].
    pub thread: u32,
    /// See [`crate::order::ThreadOrder::lineage`].
    pub lineage: u64,
    /// Whether the thread said its last word.
    pub finished: bool,
    /// Whether it said that because it ended, before MPI_Finalize.
    pub ended: bool,
    /// Entries that could not be kept.
    pub lost: u64,
    /// How far the thread had come: its calls, the one it was in included.
    pub reached: End,
    /// What the call that it was in had taken.
    pub took: Took,
    /// JSON lines.
    pub notes: Vec<u8>,
    /// The stream up to the last entry committed.
    pub stream: Vec<u8>,
}

impl Content {
    /// Returns the part of each thread that wrote here, one after the other. The
    /// header is that of the last; notes are with the first.
    pub fn threads(self) -> Vec<Self> {
        let lines = self.notes.split(|&byte| byte == b'\n');
        let begins: Vec<Note> = lines
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect();
        if begins.is_empty() {
            return vec![self];
        }
        let mut parts = vec![Self {
            ended: true,
            finished: false,
            reached: End::default(),
            took: Took::default(),
            ..self.clone()
        }];
        // From the end on, as each part is cut off the one before it.
        for Note::ThreadBegins {
            thread,
            lineage,
            at,
        } in begins.into_iter().rev()
        {
            let whole = &mut parts[0].stream;
            let at = usize::try_from(at).unwrap_or(usize::MAX).min(whole.len());
            let stream = whole.split_off(at);
            parts.push(Self {
                pid: self.pid,
                thread,
                lineage,
                ended: true,
                stream,
                ..Self::default()
            });
        }
        parts[1..].reverse();
        if let Some(last) = parts.last_mut() {
            (last.finished, last.ended) = (self.finished, self.ended);
            (last.reached, last.took) = (self.reached, self.took);
        }
        parts
    }
}

/// Reads a buffer, whether its writer lives or not.
///
/// # Errors
/// When it cannot be read or is no buffer.
pub fn read(path: &Path, run: &Path) -> Result<Content, Error> {
    let mut content = head(path)?;
    let mut stream = Vec::new();
    pieces(path, run, 1 << 20, &mut |piece| {
        stream.extend_from_slice(piece);
        Ok(())
    })?;
    content.stream = stream;
    Ok(content)
}

/// Reads the same without the stream.
///
/// # Errors
/// As [`read`].
pub fn head(path: &Path) -> Result<Content, Error> {
    let buffer = Opened::open(path)?;
    let length = buffer.long(std::mem::offset_of!(Header, notes)) as usize;
    let mut notes = vec![0; length.min(NOTES)];
    buffer.read(&mut notes, NOTES_AT as u64)?;
    let mut in_flight = vec![0; NOTES_AT - IN_FLIGHT_AT];
    buffer.read(&mut in_flight, IN_FLIGHT_AT as u64)?;
    let progress = std::mem::offset_of!(Header, progress);
    let hash = buffer.long(progress + std::mem::offset_of!(Progress, hash));
    Ok(Content {
        pid: buffer.short(std::mem::offset_of!(Header, pid)),
        thread: buffer.short(std::mem::offset_of!(Header, thread)),
        lineage: buffer.long(std::mem::offset_of!(Header, lineage)),
        finished: buffer.short(std::mem::offset_of!(Header, finished)) == 1,
        ended: buffer.short(std::mem::offset_of!(Header, finished)) == ENDED,
        reached: End {
            calls: buffer.long(progress + std::mem::offset_of!(Progress, calls)),
            hash: (hash >> 32) as u32,
        },
        took: took(&in_flight),
        lost: buffer.long(std::mem::offset_of!(Header, lost)),
        notes,
        stream: Vec::new(),
    })
}

/// Returns how far a thread came, as its [`super::Reached`] has it.
pub fn reached(path: &Path) -> Option<End> {
    let bytes = std::fs::read(path).ok()?;
    let long = |at: usize| {
        let bytes = bytes.get(at..at + 8)?.try_into().ok()?;
        Some(u64::from_le_bytes(bytes))
    };
    Some(End {
        calls: long(std::mem::offset_of!(Progress, calls))?,
        hash: (long(std::mem::offset_of!(Progress, hash))? >> 32) as u32,
    })
}

/// Hands out the stream of a buffer in pieces of at most so many bytes.
///
/// # Errors
/// As [`read`], and whatever `each` returns.
pub fn pieces(
    path: &Path,
    run: &Path,
    most: usize,
    each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let buffer = Opened::open(path)?;
    let spilled = buffer.long(std::mem::offset_of!(Header, spilled));
    let committed = buffer.long(std::mem::offset_of!(Header, committed));
    if spilled > 0 {
        spilled_pieces(&spill_path(run, path), spilled, most, each)?;
    }
    // A crash between the two leaves all of the stream in the spill.
    let mut left = committed.saturating_sub(spilled);
    let mut at = WINDOW_AT as u64;
    let mut piece = Vec::new();
    while left > 0 {
        let length = left.min(most as u64);
        piece.resize(length as usize, 0);
        buffer.read(&mut piece, at)?;
        each(&piece)?;
        (at, left) = (at + length, left - length);
    }
    Ok(())
}

fn spilled_pieces(
    path: &Path,
    mut left: u64,
    most: usize,
    each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let whole = left;
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let mut piece = Vec::new();
    while left > 0 {
        piece.clear();
        let wanted = left.min(most as u64);
        let read = (&file).take(wanted).read_to_end(&mut piece);
        if (read.map_err(|e| Error::io(path, e))? as u64) < wanted {
            let what = format!("it should hold {whole} bytes");
            return Err(Error::damaged(path, what));
        }
        each(&piece)?;
        left -= wanted;
    }
    Ok(())
}

/// The file of a buffer and its first page: of a window, most is not used.
struct Opened<'a> {
    path: &'a Path,
    file: File,
    page: [u8; IN_FLIGHT_AT],
}

impl<'a> Opened<'a> {
    fn open(path: &'a Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        let mut buffer = Self {
            path,
            file,
            page: [0; IN_FLIGHT_AT],
        };
        let mut page = [0; IN_FLIGHT_AT];
        buffer.read(&mut page, 0)?;
        buffer.page = page;
        if buffer.long(std::mem::offset_of!(Header, magic)) != MAGIC {
            let what = "it is no buffer of choices, or its thread died making it";
            return Err(Error::damaged(path, what));
        }
        let version = buffer.short(std::mem::offset_of!(Header, version));
        if version != VERSION {
            let what = format!("it has version {version}, this mpiscope reads {VERSION}");
            return Err(Error::damaged(path, what));
        }
        Ok(buffer)
    }

    fn read(&self, into: &mut [u8], at: u64) -> Result<(), Error> {
        let read = self.file.read_exact_at(into, at);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => Error::damaged(self.path, "it is cut short"),
            _ => Error::io(self.path, error),
        })
    }

    fn long(&self, at: usize) -> u64 {
        let bytes = self.page.get(at..at + 8);
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    }

    fn short(&self, at: usize) -> u32 {
        self.long(at) as u32
    }
}
