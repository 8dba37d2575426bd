//! A location's events with new time stamps: they go from reader to writer one by one, as they
//! stand in the file, with attributes and with kinds that nobody knows, so that only times change.
//! Clock offsets are dropped, as the new times need none.

use otf2::read::{EventFile, RawEvents};
use otf2::write::EventWriter;
use otf2::{ClockCorrection, Event};

use super::{Column, Written};
use crate::progress::Progress;
use crate::source::{Clock, Source, Stream};
use crate::Error;
use mpiscope_run::drain::NAME;

/// Writes a location with its new times.
pub(super) fn rewrite(column: &Column<'_>) -> Result<Written, Error> {
    let Column {
        source,
        stream,
        out,
        progress,
        ..
    } = *column;
    let file = source.archive.events(stream.id)?;
    let chunk = source.archive.anchor().event_chunk;
    let mut writer = EventWriter::create(out, NAME, stream.id, chunk)?;
    let times = column.times.iter();
    let times = times.map(|time| time.0.saturating_add(column.shift));
    let measured = Measured {
        clock: source.clock,
        correction: source.correction(stream.id),
    };
    let copied = match file.raw() {
        Some(events) => copy_raw(events, times, &measured, &mut writer, progress)?,
        None => copy_decoded(&file, times, &measured, &mut writer, progress)?,
    };
    if let Some(relation) = copied {
        return Err(mismatch(source, stream, relation));
    }
    otf2::write::local_definitions(out, NAME, stream.id, &[])?;
    Ok(Written {
        at: column.at,
        location: stream.id,
        events: writer.finish()?,
        offsets: None,
    })
}

/// How long lasted what the file says in ticks.
struct Measured {
    clock: Clock,
    correction: ClockCorrection,
}

/// Copies as many events as there are times, as they stand in the file; says if there are not as
/// many.
fn copy_raw(
    events: RawEvents<'_>,
    mut times: impl Iterator<Item = i64>,
    measured: &Measured,
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
                move_stop(&mut event, measured, raw.time, time);
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
    measured: &Measured,
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
        move_stop(&mut event, measured, record.time, time);
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
fn move_stop(event: &mut Event, measured: &Measured, began: u64, time: i64) {
    if let Event::BufferFlush { stop_time } = event {
        let [stop, began] = [*stop_time, began].map(|ticks| measured.correction.apply(ticks));
        let length = measured
            .clock
            .nanoseconds(i128::from(stop) - i128::from(began));
        *stop_time = time.saturating_add(length).max(0) as u64;
    }
}
