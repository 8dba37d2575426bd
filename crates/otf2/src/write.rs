//! Writes archives.
//!
//! The files of an archive are independent, so that processes write their own
//! events side by side: one [`EventWriter`] and one call of
//! [`local_definitions`] for each location, wherever it lives; then
//! [`global_definitions`] and, last, [`anchor`], which makes it an archive.
//! [`Archive`] remembers directory, name and chunk sizes for those who write
//! everything in one place.
//!
//! The bytes are laid out exactly as libotf2 3.0.2 does it.

mod frequent;
mod timed;

pub use timed::{EventWriter, SnapshotWriter};

use crate::chunk::{ChunkWriter, THUMBNAIL_CHUNK};
use crate::records::Record;
use crate::wire::ByteOrder;
use crate::{files, Anchor, Definition, Error, LocalDefinition, Marker, Thumbnail};
use std::path::{Path, PathBuf};

/// Our usual chunk of events: small, for random access.
pub const EVENT_CHUNK: u64 = 256 * 1024;
/// Our usual chunk of definitions.
pub const DEFINITION_CHUNK: u64 = 4 * 1024 * 1024;

/// Choices that hold for a whole archive.
///
/// There may come to be more of them, so they are changed one by one:
///
/// ```
/// let mut options = otf2::write::Options::default();
/// options.creator = "my tool 1.0".into();
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Bytes of a chunk of events.
    pub event_chunk: u64,
    /// Bytes of a chunk of definitions.
    pub definition_chunk: u64,
    /// The program that writes.
    pub creator: String,
    /// What the archive is about.
    pub description: String,
    /// The machine's name.
    pub machine: String,
    /// Names such as `TOOL::SETTING` and their values.
    pub properties: Vec<(String, String)>,
    /// The number of snapshots that each location has.
    pub snapshots: u32,
    /// The number of thumbnails.
    pub thumbnails: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            event_chunk: EVENT_CHUNK,
            definition_chunk: DEFINITION_CHUNK,
            creator: String::new(),
            description: String::new(),
            machine: String::new(),
            properties: Vec::new(),
            snapshots: 0,
            thumbnails: 0,
        }
    }
}

/// An archive in the making.
#[derive(Debug, Clone)]
pub struct Archive {
    dir: PathBuf,
    name: String,
    options: Options,
}

impl Archive {
    /// Creates the archive's directories.
    pub fn create(dir: impl AsRef<Path>, name: &str, options: Options) -> Result<Self, Error> {
        let dir = dir.as_ref().to_owned();
        let inner = dir.join(name);
        std::fs::create_dir_all(&inner).map_err(Error::io(&inner, "create"))?;
        Ok(Self {
            dir,
            name: name.to_owned(),
            options,
        })
    }

    /// Begins the events of a location.
    pub fn events(&self, location: u64) -> Result<EventWriter, Error> {
        EventWriter::create(&self.dir, &self.name, location, self.options.event_chunk)
    }

    /// Begins the snapshots of a location; the options say how many there will be.
    pub fn snapshots(&self, location: u64) -> Result<SnapshotWriter, Error> {
        SnapshotWriter::create(&self.dir, &self.name, location, self.options.event_chunk)
    }

    /// Writes a thumbnail; the options say how many there will be.
    pub fn thumbnail(&self, number: u32, records: &[Thumbnail]) -> Result<(), Error> {
        thumbnail(&self.dir, &self.name, number, records)
    }

    /// Writes the definitions of a location, of which there may be none.
    pub fn local_definitions(
        &self,
        location: u64,
        definitions: &[LocalDefinition],
    ) -> Result<(), Error> {
        let path = files::local_definitions(&self.dir, &self.name, location);
        write_records(path, definitions, self.options.definition_chunk)
    }

    /// Writes the markers.
    pub fn markers(&self, markers: &[Marker]) -> Result<(), Error> {
        self::markers(
            &self.dir,
            &self.name,
            markers,
            self.options.definition_chunk,
        )
    }

    /// Writes the global definitions and the anchor; returns the anchor's path.
    pub fn finish(self, definitions: &[Definition]) -> Result<PathBuf, Error> {
        let Options {
            event_chunk,
            definition_chunk,
            creator,
            description,
            machine,
            properties,
            snapshots,
            thumbnails,
        } = self.options;
        global_definitions(&self.dir, &self.name, definitions, definition_chunk)?;
        let is_location = |it: &&Definition| matches!(it, Definition::Location { .. });
        let anchor = Anchor {
            event_chunk,
            definition_chunk,
            locations: definitions.iter().filter(is_location).count() as u64,
            definitions: definitions.len() as u64,
            machine,
            creator,
            description,
            properties,
            snapshots,
            thumbnails,
            ..Anchor::default()
        };
        self::anchor(&self.dir, &self.name, &anchor)
    }
}

/// Writes the definitions of one location, with chunks of
/// [`DEFINITION_CHUNK`]. Write them even if there are none: libotf2 complains
/// about a location without the file.
pub fn local_definitions(
    dir: impl AsRef<Path>,
    name: &str,
    location: u64,
    definitions: &[LocalDefinition],
) -> Result<(), Error> {
    local_definitions_in(dir, name, location, definitions, DEFINITION_CHUNK)
}

/// Does the same in chunks of the size that the anchor will tell.
pub fn local_definitions_in(
    dir: impl AsRef<Path>,
    name: &str,
    location: u64,
    definitions: &[LocalDefinition],
    chunk: u64,
) -> Result<(), Error> {
    let path = files::local_definitions(dir.as_ref(), name, location);
    write_records(path, definitions, chunk)
}

/// Writes the global definitions, which must be in an order where each stands
/// behind those that it refers to.
pub fn global_definitions(
    dir: impl AsRef<Path>,
    name: &str,
    definitions: &[Definition],
    chunk: u64,
) -> Result<(), Error> {
    write_records(files::definitions(dir.as_ref(), name), definitions, chunk)
}

/// Writes the markers, in chunks as large as those of the definitions.
pub fn markers(
    dir: impl AsRef<Path>,
    name: &str,
    markers: &[Marker],
    chunk: u64,
) -> Result<(), Error> {
    write_records(files::markers(dir.as_ref(), name), markers, chunk)
}

/// Writes a thumbnail: a header and its samples. The anchor counts thumbnails,
/// which are numbered from 0.
pub fn thumbnail(
    dir: impl AsRef<Path>,
    name: &str,
    number: u32,
    records: &[Thumbnail],
) -> Result<(), Error> {
    let path = files::thumbnail(dir.as_ref(), name, number);
    write_bounded(
        path,
        records,
        THUMBNAIL_CHUNK,
        Record::bound,
        ByteOrder::Little,
    )
}

/// Writes the anchor, after all other files, and returns its path.
pub fn anchor(dir: impl AsRef<Path>, name: &str, anchor: &Anchor) -> Result<PathBuf, Error> {
    let path = files::anchor(dir.as_ref(), name);
    let bytes = anchor.encode(&path)?;
    std::fs::write(&path, bytes).map_err(Error::io(&path, "write"))?;
    Ok(path)
}

fn write_records<R: Record>(path: PathBuf, records: &[R], chunk: u64) -> Result<(), Error> {
    write_bounded(path, records, chunk, Record::size, ByteOrder::Little)
}

/// libotf2 knows the size of a definition before it writes it, and what a
/// thumbnail's record needs at most; lengths and chunks follow from that.
pub(crate) fn write_bounded<R: Record>(
    path: PathBuf,
    records: &[R],
    chunk: u64,
    bound: fn(&R) -> usize,
    order: ByteOrder,
) -> Result<(), Error> {
    let mut writer = ChunkWriter::create(path, chunk, false, order)?;
    for record in records {
        writer.put(record, bound(record))?;
    }
    writer.finish()?;
    Ok(())
}
