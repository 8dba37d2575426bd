//! Files whose records carry times: events and snapshots.

use super::frequent;
use crate::attributes;
use crate::chunk::{ChunkWriter, TIMESTAMP};
use crate::read::Raw;
use crate::records::Record;
use crate::wire::ByteOrder;
use crate::{files, AttributeRef, Error, Event, Snapshot, Value};
use std::path::{Path, PathBuf};

const TIMESTAMP_SIZE: usize = 9;

/// Writes the events of one location.
///
/// Events collect in one chunk in memory; a full chunk goes to the file. What
/// was not [finished](Self::finish) when the writer is dropped is lost: the
/// file is then a truncated one.
#[derive(Debug)]
pub struct EventWriter(TimedWriter);

impl EventWriter {
    /// Creates `DIR/NAME/LOCATION.evt`.
    pub fn create(
        dir: impl AsRef<Path>,
        name: &str,
        location: u64,
        event_chunk: u64,
    ) -> Result<Self, Error> {
        Self::with_order(dir.as_ref(), name, location, event_chunk, ByteOrder::Little)
    }

    pub(crate) fn with_order(
        dir: &Path,
        name: &str,
        location: u64,
        event_chunk: u64,
        order: ByteOrder,
    ) -> Result<Self, Error> {
        let path = files::events(dir, name, location);
        TimedWriter::create(path, location, event_chunk, order).map(Self)
    }

    /// Appends an event. Times must not decrease.
    #[inline]
    pub fn write(
        &mut self,
        time: u64,
        attributes: &[(AttributeRef, Value)],
        event: &Event,
    ) -> Result<(), Error> {
        match frequent::write(&mut self.0, time, attributes, event) {
            true => Ok(()),
            false => self.0.write(time, attributes, event),
        }
    }

    /// Appends an event that was not decoded, at another time. Times must not decrease.
    #[inline]
    pub fn write_raw(&mut self, time: u64, raw: &Raw<'_>) -> Result<(), Error> {
        self.0.write_raw(time, raw)
    }

    /// The number of events so far.
    pub fn count(&self) -> u64 {
        self.0.chunk.count
    }

    /// Writes the last chunk and returns the number of events.
    pub fn finish(self) -> Result<u64, Error> {
        self.0.chunk.finish()
    }
}

/// Writes the snapshots of one location, one after the other: each a
/// [`SnapshotStart`](Snapshot::SnapshotStart), the records that it announces,
/// and a [`SnapshotEnd`](Snapshot::SnapshotEnd), all at one time.
#[derive(Debug)]
pub struct SnapshotWriter(TimedWriter);

impl SnapshotWriter {
    /// Creates `DIR/NAME/LOCATION.snap`, with chunks as large as those of the
    /// events.
    pub fn create(
        dir: impl AsRef<Path>,
        name: &str,
        location: u64,
        event_chunk: u64,
    ) -> Result<Self, Error> {
        Self::with_order(dir.as_ref(), name, location, event_chunk, ByteOrder::Little)
    }

    pub(crate) fn with_order(
        dir: &Path,
        name: &str,
        location: u64,
        event_chunk: u64,
        order: ByteOrder,
    ) -> Result<Self, Error> {
        let path = files::snapshots(dir, name, location);
        TimedWriter::create(path, location, event_chunk, order).map(Self)
    }

    /// Appends a record. Times must not decrease.
    pub fn write(
        &mut self,
        time: u64,
        attributes: &[(AttributeRef, Value)],
        record: &Snapshot,
    ) -> Result<(), Error> {
        self.0.write(time, attributes, record)
    }

    /// Writes the last chunk and returns the number of records.
    pub fn finish(self) -> Result<u64, Error> {
        self.0.chunk.finish()
    }
}

#[derive(Debug)]
pub(super) struct TimedWriter {
    pub chunk: ChunkWriter,
    location: u64,
    /// Of the event before.
    pub time: u64,
    /// The chunk holds no timestamp yet.
    fresh: bool,
}

impl TimedWriter {
    fn create(
        path: PathBuf,
        location: u64,
        chunk_size: u64,
        order: ByteOrder,
    ) -> Result<Self, Error> {
        Ok(Self {
            chunk: ChunkWriter::create(path, chunk_size, true, order)?,
            location,
            time: 0,
            fresh: true,
        })
    }

    #[inline]
    fn write<E: Record>(
        &mut self,
        time: u64,
        attributes: &[(AttributeRef, Value)],
        event: &E,
    ) -> Result<(), Error> {
        if time < self.time {
            return Err(self.backwards(time));
        }
        if !event.writable() {
            return Err(Error::Unwritable {
                path: self.chunk.path.clone(),
                record: event.name(),
            });
        }
        let bound = event.bound();
        let need = event.head(bound) + bound + attributes::room(attributes) + TIMESTAMP_SIZE;
        if need >= self.chunk.room() {
            self.fresh |= self.chunk.make_room(need, event.name())?;
        }
        if self.stamps(time) {
            self.chunk.out.u8(TIMESTAMP);
            self.chunk.out.u64(time);
        }
        attributes::put(&mut self.chunk.out, attributes);
        event.put(&mut self.chunk.out, bound);
        self.chunk.count += 1;
        Ok(())
    }

    #[inline]
    fn write_raw(&mut self, time: u64, raw: &Raw<'_>) -> Result<(), Error> {
        if time < self.time {
            return Err(self.backwards(time));
        }
        let bytes = raw.bytes();
        let need = bytes.len() + TIMESTAMP_SIZE;
        if need >= self.chunk.room() {
            self.fresh |= self.chunk.make_room(need, "of an event")?;
        }
        if self.stamps(time) {
            self.chunk.out.u8(TIMESTAMP);
            self.chunk.out.u64(time);
        }
        self.chunk.out.bytes(bytes);
        self.chunk.count += 1;
        Ok(())
    }

    /// Whether the time is to be written, as it is another one than that of the event before.
    #[inline]
    pub fn stamps(&mut self, time: u64) -> bool {
        // libotf2 repeats the time 0: it takes it for "no time yet".
        let stamps = self.fresh || time > self.time || time == 0;
        self.fresh = false;
        self.time = time;
        stamps
    }

    #[cold]
    fn backwards(&self, time: u64) -> Error {
        Error::TimeBackwards {
            location: self.location,
            event: self.chunk.count + 1,
            time,
            previous: self.time,
        }
    }
}
