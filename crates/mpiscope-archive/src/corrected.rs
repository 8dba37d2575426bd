//! The same archive with other times: what a correction leaves behind.
//!
//! Events go from reader to writer one by one, as they stand in the file, with
//! attributes and with kinds that nobody knows, so that only times change; snapshots, markers and
//! thumbnails come along. Clock offsets are dropped, as the new times need no
//! correction; the measured archive is only read. Times of the new archive are
//! nanoseconds.

mod beside;

use std::fs;
use std::path::{Path, PathBuf};

use mpiscope_model::Timestamp;
use otf2::read::{EventFile, RawEvents};
use otf2::write::EventWriter;
use otf2::{Anchor, Definition, Event};
use rayon::prelude::*;

use crate::progress::Progress;
use crate::source::{Clock, Source, Stream, CREATOR};
use crate::Error;
use mpiscope_run::archive::{counted, has_value, prepare, write_anchor, write_definitions};
use mpiscope_run::drain::NAME;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    /// The anchor of the new archive.
    pub anchor: PathBuf,
    /// Events in it.
    pub events: u64,
    /// Bytes of its event files.
    pub bytes: u64,
    /// Nanoseconds added to all times because some lay before zero.
    pub shift: i64,
}

/// Property of an archive whose times `mpiscope sync` has corrected.
pub const CORRECTED: &str = "MPISCOPE::CORRECTED";

/// Returns whether an archive says that its times are corrected.
///
/// # Errors
/// When the anchor cannot be read.
pub fn is_corrected(anchor: &Path) -> Result<bool, Error> {
    let archive = otf2::read::Archive::open(anchor)?;
    let mut properties = archive.anchor().properties.iter();
    Ok(properties.any(|(name, value)| name == CORRECTED && value == "true"))
}

/// Writes the archive `source` (a run directory or an anchor) into the
/// directory `out` with the given times, one column per location in the order
/// of [`read_trace`](crate::trace::read_trace), whose events they belong to.
/// `properties` are added to the anchor's.
///
/// Locations are copied side by side, by the threads of rayon's current pool.
///
/// # Errors
/// When the source cannot be read, the columns do not belong to it, times
/// decrease within a location, or `out` is the source or cannot be written.
pub fn write_corrected(
    source: &Path,
    out: &Path,
    times: &[Vec<Timestamp>],
    properties: &[(String, String)],
) -> Result<Corrected, Error> {
    write_corrected_watched(source, out, times, properties, &Progress::default())
}

/// Does the same, and counts events as they are written.
///
/// # Errors
/// As [`write_corrected`].
pub fn write_corrected_watched(
    source: &Path,
    out: &Path,
    times: &[Vec<Timestamp>],
    properties: &[(String, String)],
    progress: &Progress,
) -> Result<Corrected, Error> {
    let source = Source::open(source)?;
    progress.expect(times.iter().map(|column| column.len() as u64).sum());
    if source.streams.len() != times.len() {
        let (found, given) = (source.streams.len(), times.len());
        let what = format!("it has {found} locations, corrected times were given for {given}");
        return Err(Error::damaged(&source.anchor, what));
    }
    fs::create_dir_all(out).map_err(|e| Error::io(out, e))?;
    refuse_itself(&source, out)?;
    prepare(out)?;
    let range = range(times);
    let shift = range.map_or(0, |(first, _)| first.0.min(0).saturating_neg());
    let copied: Vec<Result<(u64, u64), Error>> = (source.streams.par_iter().zip(times))
        .with_max_len(1)
        .map(|(stream, column)| copy_location(&source, stream, column, shift, out, progress))
        .collect();
    // Of several errors the first location's, whoever came first.
    let counts = copied.into_iter().collect::<Result<Vec<_>, _>>()?;
    let beside = beside::copy(&source, times, shift, out)?;
    let definitions = definitions(&source, range, shift, &counts);
    write_definitions(out, &definitions, source.archive.anchor().definition_chunk)?;
    let anchor = Anchor {
        snapshots: beside.snapshots,
        thumbnails: beside.thumbnails,
        ..anchor(&source, &definitions, properties)
    };
    Ok(Corrected {
        anchor: write_anchor(out, &anchor)?,
        events: counts.iter().map(|(_, events)| events).sum(),
        bytes: bytes(out, &source.streams)?,
        shift,
    })
}

/// The recorded times are never overwritten.
fn refuse_itself(source: &Source, out: &Path) -> Result<(), Error> {
    let directory = source.anchor.parent().filter(|p| !p.as_os_str().is_empty());
    let from = directory.unwrap_or(Path::new(".")).canonicalize();
    let to = out.canonicalize();
    match (from, to) {
        (Ok(from), Ok(to)) if from != to => Ok(()),
        (Ok(_), Ok(_)) => Err(Error::damaged(
            out,
            "the measured archive lies here and stays",
        )),
        (Err(e), _) => Err(Error::io(&source.anchor, e)),
        (_, Err(e)) => Err(Error::io(out, e)),
    }
}

fn copy_location(
    source: &Source,
    stream: &Stream,
    times: &[Timestamp],
    shift: i64,
    out: &Path,
    progress: &Progress,
) -> Result<(u64, u64), Error> {
    let file = source.archive.events(stream.id)?;
    let chunk = source.archive.anchor().event_chunk;
    let mut writer = EventWriter::create(out, NAME, stream.id, chunk)?;
    let times = times.iter().map(|time| time.0.saturating_add(shift));
    let copied = match file.raw() {
        Some(events) => copy_raw(events, times, &source.clock, &mut writer, progress)?,
        None => copy_decoded(&file, times, &source.clock, &mut writer, progress)?,
    };
    if let Some(relation) = copied {
        return Err(mismatch(source, stream, relation));
    }
    otf2::write::local_definitions(out, NAME, stream.id, &[])?;
    Ok((stream.id, writer.finish()?))
}

/// Copies as many events as there are times, as they stand in the file; says if there are not as
/// many.
fn copy_raw(
    events: RawEvents<'_>,
    mut times: impl Iterator<Item = i64>,
    clock: &Clock,
    writer: &mut EventWriter,
    progress: &Progress,
) -> Result<Option<&'static str>, Error> {
    let mut attributes = Vec::new();
    let mut turns = 0;
    for raw in events.map_while(Result::ok) {
        // The reader of the trace ended before what can be found and not be decoded.
        let Some(time) = times.next() else {
            return Ok(raw.decode().map(|_| "more"));
        };
        let at = time.max(0) as u64;
        let flush = (raw.id == BUFFER_FLUSH).then(|| raw.decode()).flatten();
        match flush {
            None => writer.write_raw(at, &raw)?,
            Some((list, mut event)) => {
                attributes.clear();
                attributes.extend(list.iter());
                move_stop(&mut event, clock, raw.time, time);
                writer.write(at, &attributes, &event)?;
            }
        }
        progress.turn(&mut turns);
    }
    progress.advance(turns);
    Ok(times.next().map(|_| "fewer"))
}

/// The record that holds a time of its own.
const BUFFER_FLUSH: u8 = 10;

/// The same for events with local ids or of the other byte order.
fn copy_decoded(
    file: &EventFile,
    mut times: impl Iterator<Item = i64>,
    clock: &Clock,
    writer: &mut EventWriter,
    progress: &Progress,
) -> Result<Option<&'static str>, Error> {
    let mut attributes = Vec::new();
    let mut turns = 0;
    // What the reader of the trace could not read, it did not give times for.
    for record in file.iter().map_while(Result::ok) {
        let Some(time) = times.next() else {
            return Ok(Some("more"));
        };
        attributes.clear();
        attributes.extend(record.attributes.iter());
        let mut event = record.event;
        move_stop(&mut event, clock, record.time, time);
        writer.write(time.max(0) as u64, &attributes, &event)?;
        progress.turn(&mut turns);
    }
    progress.advance(turns);
    Ok(times.next().map(|_| "fewer"))
}

fn mismatch(source: &Source, stream: &Stream, relation: &str) -> Error {
    let id = stream.id;
    let what = format!("location {id} has {relation} events than corrected times were given for");
    Error::damaged(&source.anchor, what)
}

/// The one event that holds a second time: its length stays as it was.
fn move_stop(event: &mut Event, clock: &Clock, measured: u64, time: i64) {
    if let Event::BufferFlush { stop_time } = event {
        let length = i128::from(*stop_time) - i128::from(measured);
        *stop_time = time.saturating_add(clock.nanoseconds(length)).max(0) as u64;
    }
}

fn range(times: &[Vec<Timestamp>]) -> Option<(Timestamp, Timestamp)> {
    let ends = |column: &Vec<Timestamp>| Some((*column.first()?, *column.last()?));
    times
        .iter()
        .filter_map(ends)
        .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Returns the source's definitions with the clock and the counts renewed.
fn definitions(
    source: &Source,
    range: Option<(Timestamp, Timestamp)>,
    shift: i64,
    counts: &[(u64, u64)],
) -> Vec<Definition> {
    let clock = clock_properties(&source.clock, range, shift);
    let counts: std::collections::HashMap<u64, u64> = counts.iter().copied().collect();
    let rest = source
        .definitions
        .iter()
        .filter(|d| !matches!(d, Definition::ClockProperties { .. }))
        .map(|definition| {
            let mut definition = definition.clone();
            if let Definition::Location {
                id,
                number_of_events,
                ..
            } = &mut definition
            {
                *number_of_events = counts.get(id).copied().unwrap_or(0);
            }
            definition
        });
    std::iter::once(clock).chain(rest).collect()
}

fn clock_properties(
    clock: &Clock,
    range: Option<(Timestamp, Timestamp)>,
    shift: i64,
) -> Definition {
    let (first, last) = range.unwrap_or_default();
    let begin = first.0.saturating_add(shift).max(0) as u64;
    let moved = first.0.saturating_sub(clock.timestamp(clock.begin).0);
    let realtime = clock.realtime.map(|t| t.saturating_add_signed(moved));
    Definition::ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: begin,
        trace_length: last.0.saturating_sub(first.0).max(0) as u64,
        realtime_timestamp: realtime.unwrap_or(u64::MAX),
    }
}

fn anchor(source: &Source, definitions: &[Definition], properties: &[(String, String)]) -> Anchor {
    let old = source.archive.anchor();
    let mut all: Vec<(String, String)> = old
        .properties
        .iter()
        .filter(|(name, _)| properties.iter().all(|(new, _)| new != name))
        .cloned()
        .collect();
    all.extend(properties.iter().cloned());
    // Who reads it must know what the names in it mean.
    if source.creator() == old.creator && !old.creator.starts_with("mpiscope") {
        all.push((CREATOR.to_owned(), old.creator.clone()));
    }
    all.retain(has_value);
    Anchor {
        event_chunk: old.event_chunk,
        definition_chunk: old.definition_chunk,
        machine: old.machine.clone(),
        creator: concat!("mpiscope ", env!("CARGO_PKG_VERSION")).into(),
        description: old.description.clone(),
        properties: all,
        ..counted(definitions)
    }
}

fn bytes(out: &Path, streams: &[Stream]) -> Result<u64, Error> {
    let size = |stream: &Stream| {
        let path = out.join(NAME).join(format!("{}.evt", stream.id));
        let file = fs::metadata(&path).map_err(|e| Error::io(&path, e))?;
        Ok(file.len())
    };
    streams.iter().map(size).sum()
}
