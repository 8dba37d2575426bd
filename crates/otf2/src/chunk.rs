//! Files in chunks: every one but the last has the same size, none shares a
//! record with its neighbour, so each can be decoded alone.
//!
//! A chunk begins with 18 bytes: 3, the byte order, and the numbers of its
//! first and last event (only event files keep them).

use crate::error::Error;
use crate::records::Record;
use crate::wire::{ByteOrder, Cursor, Fault, Out};
use std::fs::File;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

pub(crate) const END_OF_CHUNK: u8 = 0;
pub(crate) const END_OF_BUFFER: u8 = 1;
pub(crate) const END_OF_FILE: u8 = 2;
pub(crate) const CHUNK_HEADER: u8 = 3;
pub(crate) const TIMESTAMP: u8 = 5;
pub(crate) const ATTRIBUTE_LIST: u8 = 6;

/// The sizes that libotf2 accepts.
pub const CHUNK_SIZES: RangeInclusive<u64> = 256 * 1024..=16 * 1024 * 1024;

/// The chunks of a thumbnail; the anchor has no say in them.
pub(crate) const THUMBNAIL_CHUNK: u64 = 1024 * 1024;

pub(crate) const HEADER: usize = 18;
const FIRST: usize = 2;
const LAST: usize = 10;

pub(crate) fn check_size(path: &Path, size: u64) -> Result<usize, Error> {
    match CHUNK_SIZES.contains(&size) {
        true => Ok(size as usize),
        false => Err(Error::ChunkSize {
            path: path.to_owned(),
            size,
        }),
    }
}

/// Writes one chunk after the other.
#[derive(Debug)]
pub(crate) struct ChunkWriter {
    file: File,
    pub path: PathBuf,
    pub out: Out,
    pub size: usize,
    /// Whether headers say which events a chunk holds.
    counted: bool,
    /// Records so far.
    pub count: u64,
}

impl ChunkWriter {
    pub fn create(
        path: PathBuf,
        size: u64,
        counted: bool,
        order: ByteOrder,
    ) -> Result<Self, Error> {
        let size = check_size(&path, size)?;
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(Error::io(dir, "create"))?;
        }
        let file = File::create(&path).map_err(Error::io(&path, "create"))?;
        let mut writer = Self {
            file,
            path,
            out: Out::new(size, order),
            size,
            counted,
            count: 0,
        };
        writer.header();
        Ok(writer)
    }

    fn header(&mut self) {
        self.out.clear();
        self.out.u8(CHUNK_HEADER);
        self.out.u8(self.out.order().tag());
        self.out.u64(match self.counted {
            true => self.count + 1,
            false => 1,
        });
        self.out.u64(0);
        debug_assert_eq!(self.out.at(), HEADER);
    }

    /// Bytes left in this chunk. A record must leave one, for the end mark.
    #[inline]
    pub fn room(&self) -> usize {
        self.size - self.out.at()
    }

    /// Closes the chunk and begins the next.
    #[cold]
    pub fn next_chunk(&mut self) -> Result<(), Error> {
        self.out.u8(END_OF_CHUNK);
        self.out.zero_to(self.size);
        self.flush()?;
        self.header();
        Ok(())
    }

    pub fn finish(mut self) -> Result<u64, Error> {
        self.out.u8(END_OF_FILE);
        self.out.u8(END_OF_BUFFER);
        self.flush()?;
        Ok(self.count)
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.counted {
            self.out.patch_u64(LAST, self.count);
        }
        self.file
            .write_all(self.out.filled())
            .map_err(Error::io(&self.path, "write"))
    }

    /// Writes a record of a file without times; it needs at most `bound` bytes.
    pub fn put<R: Record>(&mut self, record: &R, bound: usize) -> Result<(), Error> {
        if !record.writable() {
            return Err(Error::Unwritable {
                path: self.path.clone(),
                record: record.name(),
            });
        }
        self.make_room(record.head(bound) + bound, record.name())?;
        record.put(&mut self.out, bound);
        Ok(())
    }

    /// Begins a new chunk if `need` bytes and an end mark do not fit into this
    /// one; tells whether it did.
    pub fn make_room(&mut self, need: usize, record: &'static str) -> Result<bool, Error> {
        if need < self.room() {
            return Ok(false);
        }
        if need >= self.size - HEADER {
            return Err(Error::RecordTooLong {
                path: self.path.clone(),
                record,
                size: need,
                chunk_size: self.size,
            });
        }
        self.next_chunk()?;
        Ok(true)
    }
}

/// A file cut into chunks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunks<'a> {
    pub bytes: &'a [u8],
    pub size: usize,
}

/// The beginning of a chunk, and a cursor over what follows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chunk<'a> {
    pub first: u64,
    pub last: u64,
    pub body: Cursor<'a>,
}

impl<'a> Chunks<'a> {
    /// The number of chunks. An end mark may reach one byte beyond the last
    /// chunk; that byte counts as none.
    pub fn count(&self) -> usize {
        match self.bytes.len() % self.size {
            1 if self.bytes.len() > 1 => self.bytes.len() / self.size,
            _ => self.bytes.len().div_ceil(self.size),
        }
    }

    pub fn get(&self, index: usize) -> Result<Chunk<'a>, Fault> {
        let start = index.saturating_mul(self.size).min(self.bytes.len());
        let end = start.saturating_add(self.size).min(self.bytes.len());
        let bytes = &self.bytes[start..end];
        let tag = *bytes.get(1).ok_or(Fault::Short)?;
        if bytes[0] != CHUNK_HEADER {
            return Err(Fault::ChunkHeader);
        }
        let order = ByteOrder::from_tag(tag).ok_or(Fault::ByteOrder)?;
        let mut body = Cursor::new(bytes, order);
        body.take(FIRST)?;
        Ok(Chunk {
            first: body.u64()?,
            last: body.u64()?,
            body,
        })
    }

    /// Whether a file that ends within this chunk was cut: it is the last one
    /// and has not its full size.
    pub fn open_end(&self, index: usize) -> bool {
        self.bytes.len() < (index + 1).saturating_mul(self.size)
    }

    pub fn offset(&self, index: usize, at: usize) -> u64 {
        (index * self.size + at) as u64
    }
}
