//! Some events of a file here and there, whose bytes are read rather than mapped.
//!
//! Who looks at a few events each in thousands of places pays for every page that is mapped and
//! unmapped again, and holds pages around it that nobody asked for: reading just the bytes takes
//! half of the time, and no memory but theirs.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::events::{EventFile, Events, Mark};
use crate::chunk::HEADER;
use crate::records::Record;
use crate::wire::{ByteOrder, Window};
use crate::Error;

/// A file of which parts are read.
#[derive(Debug)]
pub struct Reads {
    file: File,
    order: ByteOrder,
}

impl<E: Record> EventFile<E> {
    /// Opens the file to read parts of it; nothing if it is not there, or its chunks have several
    /// byte orders.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn reads(&self) -> Result<Option<Reads>, Error> {
        let Some(order) = self.order() else {
            return Ok(None);
        };
        let file = File::open(self.path()).map_err(Error::io(self.path(), "open"))?;
        Ok(Some(Reads { file, order }))
    }

    /// Reads the events between a mark and the next one, or the end of the file, whose bytes are put
    /// into `bytes`; numbers begin with `number`. Nothing if they lie in several chunks, or cannot
    /// be read: [`from_mark`](Self::from_mark) can do without.
    pub fn between<'a>(
        &'a self,
        (from, to): (Mark, Option<Mark>),
        number: u64,
        reads: &Reads,
        bytes: &'a mut Vec<u8>,
    ) -> Option<Events<'a, E>> {
        let end = match to {
            Some(to) if to.chunk == from.chunk => to.at as usize,
            None if from.chunk as usize + 1 == self.chunks() => self.chunk_size(),
            _ => return None,
        };
        let at = (from.at as usize).max(HEADER);
        // A frequent event is read at once where as many bytes follow as any may have.
        let end = end.saturating_add(Window::LENGTH).min(self.chunk_size());
        let begin = self.place_of(from.chunk as usize, at);
        let end = self.place_of(from.chunk as usize, end).min(self.size());
        bytes.resize(usize::try_from(end.checked_sub(begin)?).ok()?, 0);
        reads.file.read_exact_at(bytes, begin).ok()?;
        Some(self.of_bytes(from, number, bytes, reads.order))
    }
}
