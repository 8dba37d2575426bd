//! Buffers become event files: one call for each process.
//!
//! Ranks call [`write_locations`] side by side in `MPI_Finalize`; `recover`
//! calls it for each process it finds.

use std::path::Path;

use otf2::write::EventWriter;
use otf2::{Event, LocalDefinition, Value};
use serde::{Deserialize, Serialize};

use crate::attributes::CUT_SHORT;
use crate::clocks::Offset;
use crate::events::Converter;
use crate::numbering::{self, Numbers};
use crate::plan::Orders;
use crate::process::Process;
use crate::record::Record;
use crate::stored::Stored;
use crate::teams::seen::Seen;
use crate::Error;

/// Name of our archives: `traces.otf2`, `traces.def`, `traces/`.
pub const NAME: &str = "traces";

/// What was written of a location.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Written {
    /// The location.
    pub location: u64,
    /// Events.
    pub events: u64,
    /// Time of the first event, if there is any.
    pub first: u64,
    /// Time of the last event, if there is any.
    pub last: u64,
    /// Bytes of the event file.
    pub bytes: u64,
    /// Records that could not be expressed in the archive.
    pub skipped: u64,
    /// Times that ran backwards and were held.
    pub repaired: u64,
    /// Why records are missing at the end, if they are.
    pub damage: Option<String>,
    /// Polls that found nothing and are told together, by region and call site: how many, and
    /// for how many nanoseconds.
    pub polls: Vec<(u32, Option<u32>, [u64; 2])>,
    /// By opening of a file: bytes read and written, operations of which that is not known, and
    /// nanoseconds from their begins to their ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(u32, [u64; 4])>,
}

/// Writes events and definitions of all locations of a process, whose
/// `buffers` these are.
///
/// Regions that were entered and never left are left at the time of the last
/// event: the program died inside of them. Records that cannot be read end
/// their location early, and [`Written::damage`] says why.
///
/// # Errors
/// When the archive cannot be written.
pub fn write_locations(
    directory: &Path,
    process: &Process,
    buffers: &[Stored],
    orders: &Orders,
) -> Result<Vec<Written>, Error> {
    let mut numbers = match process.threads.iter().any(|thread| thread.gaps) {
        true => numbering::number(buffers),
        false => Vec::new(),
    };
    numbers.resize_with(buffers.len(), Vec::new);
    let write =
        |(buffer, numbers)| write_location(directory, buffer, orders, &process.seen, numbers);
    buffers.iter().zip(numbers).map(write).collect()
}

fn write_location(
    directory: &Path,
    buffer: &Stored,
    orders: &Orders,
    seen: &Seen,
    numbers: Numbers,
) -> Result<Written, Error> {
    let location = orders.location(buffer.thread);
    let mut sink = Sink {
        writer: EventWriter::create(directory, NAME, location, otf2::write::EVENT_CHUNK)?,
        converter: Converter::new(orders, seen, numbers),
        first: None,
    };
    let read = buffer.records(|record| sink.put(&record));
    let damage = match read {
        Ok(()) => None,
        Err(Stop::Read(error)) => Some(error.to_string()),
        Err(Stop::Write(error)) => return Err(error.into()),
    };
    sink.close_open_regions()?;
    local_definitions(directory, location, &orders.offsets)?;
    sink.finish(directory, location, damage)
}

/// Writes a location of which there are no records.
///
/// # Errors
/// When the archive cannot be written.
pub fn write_empty_location(directory: &Path, location: u64) -> Result<Written, Error> {
    EventWriter::create(directory, NAME, location, otf2::write::EVENT_CHUNK)?.finish()?;
    local_definitions(directory, location, &[])?;
    Ok(Written {
        location,
        ..Written::default()
    })
}

fn local_definitions(directory: &Path, location: u64, offsets: &[Offset]) -> Result<(), Error> {
    let definitions: Vec<LocalDefinition> = offsets
        .iter()
        .map(|offset| LocalDefinition::ClockOffset {
            time: offset.time,
            offset: offset.offset,
            standard_deviation: offset.half_width,
        })
        .collect();
    otf2::write::local_definitions(directory, NAME, location, &definitions)?;
    Ok(())
}

/// The events of a location on their way to the file.
struct Sink<'a> {
    writer: EventWriter,
    converter: Converter<'a>,
    first: Option<u64>,
}

/// Why draining stopped.
enum Stop {
    Read(Error),
    Write(otf2::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Read(error)
    }
}

impl Sink<'_> {
    #[inline]
    fn put(&mut self, record: &Record) -> Result<(), Stop> {
        if self.converter.polls.is_any() && !record.is_of_polls() {
            self.put_polls(false).map_err(Stop::Write)?;
        }
        if let Some((time, event)) = self.converter.convert(record) {
            self.first.get_or_insert(time);
            self.writer
                .write(time, &self.converter.attributes, &event)
                .map_err(Stop::Write)?;
        }
        match self.converter.accesses.has_told() {
            true => self.put_completions(),
            false => Ok(()),
        }
    }

    /// Writes what one synchronization of a window has completed.
    #[cold]
    fn put_completions(&mut self) -> Result<(), Stop> {
        let time = self.converter.last;
        for event in self.converter.accesses.take_told() {
            self.writer.write(time, &[], &event).map_err(Stop::Write)?;
        }
        Ok(())
    }

    /// Writes the polls of which no more are to come.
    #[cold]
    fn put_polls(&mut self, is_end: bool) -> Result<(), otf2::Error> {
        for (time, attributes, event) in self.converter.tell_polls(is_end) {
            self.first.get_or_insert(time);
            self.writer.write(time, &attributes, &event)?;
        }
        Ok(())
    }

    /// Readers of OTF2 expect a leave for each enter; where there was none, it says so.
    fn close_open_regions(&mut self) -> Result<(), Error> {
        self.put_polls(true)?;
        let cut_short = [(CUT_SHORT, Value::Uint8(1))];
        while let Some(region) = self.converter.open.pop() {
            self.writer
                .write(self.converter.last, &cut_short, &Event::Leave { region })?;
        }
        Ok(())
    }

    fn finish(
        self,
        directory: &Path,
        location: u64,
        damage: Option<String>,
    ) -> Result<Written, Error> {
        let Self {
            writer,
            converter,
            first,
        } = self;
        let events = writer.finish()?;
        let path = directory.join(NAME).join(format!("{location}.evt"));
        let file = std::fs::metadata(&path).map_err(|e| Error::io(&path, e))?;
        Ok(Written {
            location,
            events,
            first: first.unwrap_or(0),
            last: converter.last,
            bytes: file.len(),
            skipped: converter.skipped,
            repaired: converter.repaired,
            damage,
            polls: (converter.polls.all.iter())
                .map(|(&(region, site), told)| (region, site, [told.polls, told.nanoseconds]))
                .collect(),
            files: (converter.moved())
                .map(|(file, it)| (file, [it.read, it.written, it.unknown, it.nanoseconds]))
                .collect(),
        })
    }
}
