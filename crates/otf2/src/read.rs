//! Reads archives.
//!
//! [`Archive::open`] reads the anchor; definitions come as lists, events as
//! iterators over memory-mapped files. Nothing in a file is trusted: whatever
//! the bytes are, a reader returns what stands before the damage and an
//! [`Error`] that names the place.

mod columns;
mod events;
mod list;
mod part;
mod raw;
mod visit;

pub use columns::{Collectives, Columns, Messages, Table};
pub use events::{ChunkInfo, EventFile, Events, Mark, Record};
pub use list::List;
pub use part::Reads;
pub use raw::{Raw, RawEvents};
pub use visit::{Collective, Message, Moment, Visitor};

use crate::chunk::Chunks;
use crate::chunk::THUMBNAIL_CHUNK;
use crate::local::IdMaps;
use crate::map::FileBytes;
use crate::records;
use crate::{files, Anchor, Definition, Error, LocalDefinition, Marker, Snapshot, Thumbnail};
use std::path::{Path, PathBuf};

/// The file of a location's snapshots: read like events, and numbered like them.
pub type SnapshotFile = EventFile<Snapshot>;

/// An archive on disk.
#[derive(Debug, Clone)]
pub struct Archive {
    dir: PathBuf,
    name: String,
    anchor: Anchor,
}

impl Archive {
    /// Opens the archive whose anchor is `path`, a file `NAME.otf2`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(Error::io(path, "read"))?;
        let anchor = Anchor::decode(&bytes, path)?;
        let name = path.file_stem().unwrap_or_default();
        let Some(name) = name.to_str() else {
            return Err(Error::Unsupported {
                path: path.to_owned(),
                what: "an archive name that is not UTF-8".into(),
            });
        };
        Ok(Self {
            dir: path.parent().unwrap_or(Path::new("")).to_owned(),
            name: name.to_owned(),
            anchor,
        })
    }

    /// The directory that the anchor is in.
    pub fn directory(&self) -> &Path {
        &self.dir
    }

    /// The archive's name: that of the anchor's file without its ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the anchor says.
    pub fn anchor(&self) -> &Anchor {
        &self.anchor
    }

    /// Reads the global definitions, in file order. If a number is defined
    /// twice, the last definition holds.
    pub fn definitions(&self) -> Result<List<Definition>, Error> {
        let path = files::definitions(&self.dir, &self.name);
        self.list(&path)?.ok_or_else(|| missing(&path))
    }

    /// Returns the numbers of all defined locations, each once, in file order.
    pub fn locations(&self) -> Result<Vec<u64>, Error> {
        let mut seen = std::collections::HashSet::new();
        let locations = self.definitions()?.into_iter().filter_map(|it| match it {
            Definition::Location { id, .. } => Some(id),
            _ => None,
        });
        Ok(locations.filter(|id| seen.insert(*id)).collect())
    }

    /// Reads the definitions of a location; none if there is no such file.
    pub fn local_definitions(&self, location: u64) -> Result<List<LocalDefinition>, Error> {
        let path = files::local_definitions(&self.dir, &self.name, location);
        Ok(self.list(&path)?.unwrap_or_default())
    }

    /// Reads the markers; none if there is no such file.
    pub fn markers(&self) -> Result<List<Marker>, Error> {
        let path = files::markers(&self.dir, &self.name);
        Ok(self.list(&path)?.unwrap_or_default())
    }

    /// Reads a thumbnail; nothing if there is no such file. The anchor says how
    /// many there are, numbered from 0.
    pub fn thumbnail(&self, number: u32) -> Result<List<Thumbnail>, Error> {
        let path = files::thumbnail(&self.dir, &self.name, number);
        Ok(list(&path, THUMBNAIL_CHUNK)?.unwrap_or_default())
    }

    /// Opens the events of a location; none if there is no such file.
    ///
    /// Local ids are translated by the location's mapping tables. Times are
    /// left as measured; [`ClockCorrection`](crate::ClockCorrection) applies
    /// the location's clock offsets.
    pub fn events(&self, location: u64) -> Result<EventFile, Error> {
        let path = files::events(&self.dir, &self.name, location);
        self.timed(location, path)
    }

    /// Opens the snapshots of a location; none if there is no such file. Ids
    /// are translated and times left alone, as for [`events`](Self::events).
    pub fn snapshots(&self, location: u64) -> Result<SnapshotFile, Error> {
        let path = files::snapshots(&self.dir, &self.name, location);
        self.timed(location, path)
    }

    fn timed<E: records::Record>(
        &self,
        location: u64,
        path: PathBuf,
    ) -> Result<EventFile<E>, Error> {
        let maps = IdMaps::new(&self.local_definitions(location)?);
        let bytes = FileBytes::open(&path)?;
        let chunk_size = self.anchor.event_chunk as usize;
        Ok(EventFile::new(path, bytes, chunk_size, maps))
    }

    fn list<R: records::Record>(&self, path: &Path) -> Result<Option<List<R>>, Error> {
        list(path, self.anchor.definition_chunk)
    }
}

fn list<R: records::Record>(path: &Path, chunk: u64) -> Result<Option<List<R>>, Error> {
    let Some(file) = FileBytes::open(path)? else {
        return Ok(None);
    };
    let chunks = Chunks {
        bytes: file.bytes(),
        size: chunk as usize,
    };
    Ok(Some(list::read(path, chunks)))
}

fn missing(path: &Path) -> Error {
    Error::io(path, "open")(std::io::ErrorKind::NotFound.into())
}
