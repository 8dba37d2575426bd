//! The times of all events of an archive, where what they say is known from another one.

use std::path::Path;

use mpiscope_model::Timestamp;
use rayon::prelude::*;

use super::events::Times;
use super::part;
use super::shares::Reading;
use super::tables::Tables;
use super::writers::Writer;
use crate::progress::Progress;
use crate::source::{Source, Stream};
use crate::Error;

/// The times of a location's events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Column {
    /// The location, as [`Location::id`](mpiscope_model::Location::id).
    pub id: u64,
    /// When each event happened that could be read.
    pub times: Vec<Timestamp>,
}

/// Reads the times that [`read_trace`](super::read_trace) reads, by location in the same order, in
/// a fraction of its time and memory; counts events as they are read.
///
/// # Errors
/// As [`read_trace`](super::read_trace).
pub fn read_times_watched(path: &Path, progress: &Progress) -> Result<Vec<Column>, Error> {
    let source = Source::open(path)?;
    progress.expect(source.events());
    let tables = Tables::new(&source.definitions, Writer::of(source.creator()));
    let reading = Reading {
        source: &source,
        tables: &tables,
        progress,
    };
    let column = |stream: &Stream| Column {
        id: stream.id,
        times: times_of(reading, stream),
    };
    let streams = source.streams.par_iter().with_max_len(1);
    Ok(streams.map(column).collect())
}

/// Reads the times of a location as far as it can be read.
fn times_of(reading: Reading, stream: &Stream) -> Vec<Timestamp> {
    let Ok(file) = reading.source.archive.events(stream.id) else {
        return Vec::new();
    };
    let offsets = reading.offsets(stream);
    let times = Times::new(&reading.source.clock, &offsets.correction);
    let times = part::read_all_times(&file, times);
    reading.progress.advance(times.len() as u64);
    times
}

#[cfg(test)]
mod tests {
    use mpiscope_model::{Location, Trace};

    use super::*;
    use crate::trace::read_trace;
    use crate::write::write_trace;

    #[test]
    fn they_are_those_that_are_read_with_all_else_also_where_a_file_ends_early() {
        let folder = tempfile::tempdir().unwrap();
        let picture = "0: 1 enter(a) 3 leave(a) 5 send>1 9\n1: 7 2 8 recv<0\n2:";
        let trace = Trace::parse(picture).unwrap();
        let anchor = write_trace(&trace, folder.path(), &[]).unwrap().anchor;
        let events = folder.path().join("traces/0.evt");
        let all = std::fs::read(&events).unwrap();
        for cut in [0, 3, 9, 15] {
            std::fs::write(&events, &all[..all.len() - cut]).unwrap();
            let columns = read_times_watched(&anchor, &Progress::default()).unwrap();
            let read = read_trace(&anchor).unwrap();
            let column = |it: &Location| Column {
                id: it.id,
                times: it.events.times().to_vec(),
            };
            let expected: Vec<Column> = read.locations.iter().map(column).collect();
            assert_eq!(columns, expected, "{cut} bytes less");
        }
    }
}
