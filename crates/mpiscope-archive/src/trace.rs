//! An archive becomes a [`Trace`]: ours, or any that an OTF2 tool wrote.
//!
//! Nothing is expected of foreign archives but that they can be decoded:
//! numbers may be sparse or used twice, definitions may stand in any order,
//! and events may refer to what was never defined. Times become nanoseconds.

pub mod blocks;
mod calls;
mod clocks;
mod events;
mod matched;
mod metrics;
mod names;
mod notes;
mod offsets;
mod one_sided;
mod outline;
mod part;
mod samples;
mod shared;
mod shares;
mod tables;
mod threads;
mod times;
mod topology;
mod writers;

use std::path::Path;

use mpiscope_model::{Location, Trace};
use names::Reference;
use shares::Reading;
use tables::Tables;
use writers::Writer;

use crate::progress::Progress;
use crate::source::{Source, Stream};
use crate::Error;

pub use crate::source::anchor_of;
pub(crate) use metrics::NO_UNIT;
pub use offsets::applied_offsets;
pub use outline::{outline, Outline};
pub use shared::Shared;
pub use times::{read_times_watched, Column};

/// Reads an archive: `path` is a run directory or an anchor (`….otf2`).
///
/// A location whose events end early or are damaged keeps those before the
/// damage, and [`Location::truncated`] says why.
///
/// Locations, and chunks of long ones, are read side by side by the threads of
/// rayon's current pool; the trace is the same for any number of threads.
///
/// # Errors
/// When there is no archive, or its definitions cannot be read.
pub fn read_trace(path: &Path) -> Result<Trace, Error> {
    read_trace_watched(path, &Progress::default())
}

/// Does the same, and counts events as they are read.
///
/// # Errors
/// As [`read_trace`].
pub fn read_trace_watched(path: &Path, progress: &Progress) -> Result<Trace, Error> {
    whole(&Source::open(path)?, progress)
}

/// How large an archive is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Events, as its definitions say.
    pub events: u64,
    /// Locations.
    pub locations: u64,
}

/// Returns how large an archive says it is.
///
/// # Errors
/// As [`read_trace`].
pub fn extent_of(path: &Path) -> Result<Extent, Error> {
    let source = Source::open(path)?;
    Ok(Extent {
        events: source.events(),
        locations: source.streams.len() as u64,
    })
}

fn whole(source: &Source, progress: &Progress) -> Result<Trace, Error> {
    progress.expect(source.events());
    let mut tables = Tables::new(&source.definitions, Writer::of(source.creator()));
    let streams: Vec<&Stream> = source.streams.iter().collect();
    let read = read_all(source, &mut tables, &streams, progress, |undefined| {
        undefined
    });
    let (locations, offsets): (Vec<_>, Vec<_>) = (read.into_iter())
        .map(|read| (read.location, read.offsets))
        .unzip();
    Ok(Trace {
        resolution: source.clock.resolution,
        clocks: clocks::domains(source, &offsets),
        locations,
        definitions: tables.definitions,
        parts: Vec::new(),
        places: Default::default(),
    })
}

/// Reads locations, those again whose events refer to what the tables lacked, until they lack
/// nothing. What is undefined, with the place among `streams` of who refers to it, `told` puts in
/// the order in which it is defined, with what others lack.
fn read_all(
    source: &Source,
    tables: &mut Tables,
    streams: &[&Stream],
    progress: &Progress,
    told: impl Fn(Vec<(u32, Reference)>) -> Vec<(u32, Reference)>,
) -> Vec<Read> {
    let read = |tables: &Tables, streams: &[&Stream]| {
        let reading = Reading {
            source,
            tables,
            progress,
        };
        reading.locations(streams)
    };
    let mut locations = read(tables, streams);
    loop {
        let undefined = (0..).zip(&locations).flat_map(|(place, read)| {
            let undefined = read.undefined.iter();
            undefined.map(move |reference| (place, *reference))
        });
        let undefined = told(undefined.collect());
        if undefined.is_empty() {
            return locations;
        }
        undefined
            .iter()
            .for_each(|(_, reference)| tables.define(*reference));
        let (mut again, streams): (Vec<&mut Read>, Vec<&Stream>) =
            (locations.iter_mut().zip(streams))
                .filter(|(read, _)| !read.undefined.is_empty())
                .unzip();
        for (before, new) in again.iter_mut().zip(read(tables, &streams)) {
            **before = new;
        }
    }
}

/// A location as read.
struct Read {
    location: Location,
    /// Clock offsets as (time, offset, deviation) in ticks.
    offsets: Vec<(u64, i64, f64)>,
    /// What its events refer to and the tables lacked: with anything here, the
    /// location must be read again when they have it.
    undefined: Vec<Reference>,
}
