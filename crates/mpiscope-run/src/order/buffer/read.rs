//! What a buffer holds, read while its writer lives or after it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{spill_path, Header, MAGIC, NOTES, NOTES_AT, VERSION, WINDOW_AT};
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
    /// Entries that could not be kept.
    pub lost: u64,
    /// JSON lines.
    pub notes: Vec<u8>,
    /// The stream up to the last entry committed.
    pub stream: Vec<u8>,
}

/// Reads a buffer, whether its writer lives or not.
///
/// # Errors
/// When it cannot be read or is no buffer.
pub fn read(path: &Path, run: &Path) -> Result<Content, Error> {
    let mut content = head(path)?;
    let mut stream = Vec::new();
    pieces(path, run, usize::MAX, &mut |piece| {
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
    let buffer = Mapped::read(path)?;
    let notes = buffer.long(std::mem::offset_of!(Header, notes))? as usize;
    let notes = buffer.bytes.get(NOTES_AT..NOTES_AT + notes.min(NOTES));
    Ok(Content {
        pid: buffer.short(std::mem::offset_of!(Header, pid))?,
        thread: buffer.short(std::mem::offset_of!(Header, thread))?,
        lineage: buffer.long(std::mem::offset_of!(Header, lineage))?,
        finished: buffer.short(std::mem::offset_of!(Header, finished))? == 1,
        lost: buffer.long(std::mem::offset_of!(Header, lost))?,
        notes: notes
            .ok_or_else(|| buffer.damaged("it is cut short"))?
            .to_vec(),
        stream: Vec::new(),
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
    let buffer = Mapped::read(path)?;
    let spilled = buffer.long(std::mem::offset_of!(Header, spilled))?;
    let committed = buffer.long(std::mem::offset_of!(Header, committed))?;
    if spilled > 0 {
        spilled_pieces(&spill_path(run, path), spilled, most, each)?;
    }
    // A crash between the two leaves all of the stream in the spill.
    let rest = committed.saturating_sub(spilled) as usize;
    let window = buffer.bytes.get(WINDOW_AT..WINDOW_AT.saturating_add(rest));
    let window = window.ok_or_else(|| buffer.damaged("it is cut short"))?;
    window.chunks(most).try_for_each(each)
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

/// The file of a buffer in memory.
struct Mapped<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
}

impl<'a> Mapped<'a> {
    fn read(path: &'a Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
        let buffer = Self { path, bytes };
        if buffer.long(std::mem::offset_of!(Header, magic))? != MAGIC {
            let what = "it is no buffer of choices, or its thread died making it";
            return Err(buffer.damaged(what));
        }
        let version = buffer.short(std::mem::offset_of!(Header, version))?;
        if version != VERSION {
            let what = format!("it has version {version}, this mpiscope reads {VERSION}");
            return Err(buffer.damaged(&what));
        }
        Ok(buffer)
    }

    fn damaged(&self, what: &str) -> Error {
        Error::damaged(self.path, what)
    }

    fn long(&self, at: usize) -> Result<u64, Error> {
        let bytes = self.bytes.get(at..at + 8);
        let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
        bytes
            .map(u64::from_le_bytes)
            .ok_or_else(|| self.damaged("it is shorter than its header"))
    }

    fn short(&self, at: usize) -> Result<u32, Error> {
        Ok(self.long(at)? as u32)
    }
}
