//! Reads and writes OTF2 trace archives, in Rust alone.
//!
//! OTF2 (Open Trace Format 2) is the archive of Score-P, Vampir, Scalasca and
//! their kin: a directory of files in which each *location* (a thread of a
//! process) has its stream of events, and definitions say what the numbers in
//! them stand for. This crate knows all records of OTF2 3.2, writes the same
//! bytes as libotf2, and survives files that a crash left behind.
//!
//! ```
//! use otf2::{Definition, Event, LocationType};
//!
//! let dir = tempfile::tempdir()?;
//!
//! // One location enters a region and leaves it.
//! let archive = otf2::write::Archive::create(dir.path(), "traces", Default::default())?;
//! let mut events = archive.events(0)?;
//! events.write(10, &[], &Event::Enter { region: 0 })?;
//! events.write(25, &[], &Event::Leave { region: 0 })?;
//! let number_of_events = events.finish()?;
//! archive.local_definitions(0, &[])?;
//! let anchor = archive.finish(&[
//!     Definition::String { id: 0, string: "thread".into() },
//!     Definition::Location {
//!         id: 0,
//!         name: 0,
//!         location_type: LocationType::CPU_THREAD,
//!         number_of_events,
//!         location_group: 0,
//!     },
//! ])?;
//!
//! // How long did it stay?
//! let archive = otf2::read::Archive::open(anchor)?;
//! let events = archive.events(archive.locations()?[0])?;
//! let times = events.iter().map(|record| Ok(record?.time));
//! let times = times.collect::<Result<Vec<u64>, otf2::Error>>()?;
//! assert_eq!(times[1] - times[0], 15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not read: SIONlib containers and zlib compression; both are refused with a
//! message.
//!
//! # What may change
//!
//! Versions follow semantic versioning. OTF2 grows by appending: new kinds of
//! records, new values of enumerations, new fields. A minor version of this
//! crate may know more of them, and what it adds breaks nobody: enumerations
//! of OTF2 are numbers with names, tables of records are `non_exhaustive` and
//! have an `Unknown` row for the rest, and so are structures that are read or
//! begin with a default. A field appended to a kind of record that exists is a
//! new major version. No type of another crate is part of the interface.
#![deny(unsafe_code)]
#![warn(missing_docs, unnameable_types)]

/// Runs the README's examples as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod anchor;
mod attributes;
mod chunk;
pub mod clock;
mod definition;
mod encoding;
mod enums;
mod error;
mod event;
mod files;
mod legacy;
mod local;
mod map;
mod marker;
#[cfg(test)]
mod orders;
pub mod read;
// Files are of records, which others cannot invent: the trait is reachable and sealed.
#[allow(unnameable_types)]
mod records;
mod references;
mod snapshot;
mod thumbnail;
mod value;
#[allow(unnameable_types)]
mod wire;
pub mod write;

pub use anchor::Anchor;
pub use attributes::Attributes;
pub use chunk::CHUNK_SIZES;
pub use clock::ClockCorrection;
pub use definition::Definition;
pub use enums::*;
pub use error::{Error, Truncation};
pub use event::Event;
pub use local::{IdMap, LocalDefinition};
pub use marker::Marker;
pub use records::Kind;
pub use references::{AttributeRef, LocationRef, Translate};
pub use snapshot::Snapshot;
pub use thumbnail::Thumbnail;
pub use value::{MetricValue, Value};
