//! An archive becomes a [`Trace`]: ours, or any that an OTF2 tool wrote.
//!
//! Nothing is expected of foreign archives but that they can be decoded:
//! numbers may be sparse or used twice, definitions may stand in any order,
//! and events may refer to what was never defined. Times become nanoseconds.

mod calls;
mod clocks;
mod events;
mod matched;
mod names;
mod notes;
mod one_sided;
mod tables;
mod threads;
mod topology;
mod writers;

use std::path::Path;

use events::Times;
use mpiscope_model::{Events, Location, Rank, Trace};
use names::{Names, Reference};
use otf2::ClockCorrection;
use rayon::prelude::*;
use tables::Tables;
use writers::Writer;

use crate::progress::Progress;
use crate::source::{correction, Source, Stream};
use crate::Error;

pub use crate::source::anchor_of;

/// Reads an archive: `path` is a run directory or an anchor (`….otf2`).
///
/// A location whose events end early or are damaged keeps those before the
/// damage, and [`Location::truncated`] says why.
///
/// Locations are read side by side, by the threads of rayon's current pool,
/// each with one file open; the trace is the same for any number of threads.
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
    let source = Source::open(path)?;
    progress.expect(source.events());
    let writer = Writer::of(source.creator());
    let mut tables = Tables::new(&source.definitions, writer);
    let mut locations: Vec<Read> = (source.streams.par_iter().with_max_len(1))
        .map(|stream| location(&source, stream, &tables, progress))
        .collect();
    loop {
        let undefined = locations.iter().flat_map(|read| &read.undefined);
        undefined.for_each(|reference| tables.define(*reference));
        let mut again: Vec<_> = (locations.iter_mut().zip(&source.streams))
            .filter(|(read, _)| !read.undefined.is_empty())
            .collect();
        if again.is_empty() {
            break;
        }
        let again = again.par_iter_mut().with_max_len(1);
        again.for_each(|(read, stream)| **read = location(&source, stream, &tables, progress));
    }
    let (locations, offsets): (Vec<_>, Vec<_>) = (locations.into_iter())
        .map(|read| (read.location, read.offsets))
        .unzip();
    Ok(Trace {
        resolution: source.clock.resolution,
        clocks: clocks::domains(&source, &offsets),
        locations,
        definitions: tables.definitions,
    })
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

/// Reads a location as far as it goes.
fn location(source: &Source, stream: &Stream, tables: &Tables, progress: &Progress) -> Read {
    let (mut offsets, damage) = source.offsets(stream.id);
    let correction = match source.corrected {
        // They are in the times, and no measurements of clocks.
        true => correction(&std::mem::take(&mut offsets)),
        false => ClockCorrection::default(),
    };
    let times = Times::new(&source.clock, &correction);
    let mut names = Names::new(tables);
    let mut events = Events::default();
    let truncated = match source.archive.events(stream.id) {
        Ok(file) if file.size() == 0 && stream.events > 0 => Some(format!(
            "{}: holds nothing, expected {} events",
            file.path().display(),
            stream.events
        )),
        Ok(file) => events::read(&file, times, &mut names, &mut events, progress),
        Err(error) => Some(error.to_string()),
    };
    Read {
        location: Location {
            id: stream.id,
            kind: stream.kind,
            name: stream.name.clone(),
            rank: Rank(stream.rank),
            thread: stream.thread,
            events,
            truncated: truncated.or(damage),
        },
        offsets,
        undefined: names.undefined(),
    }
}
