//! The same archive with other times: what a correction leaves behind.
//!
//! A location keeps its measured events, and clock offsets in its definitions tell every reader
//! the corrected times (`kept`); where that cannot be exact, or takes more room than it saves,
//! its events are copied with new time stamps and without offsets (`rewritten`). Readers find
//! the same times, to the nanosecond. Snapshots, markers and thumbnails come along. The measured
//! archive is only read.

mod beside;
mod kept;
mod rewritten;
mod writers;

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use mpiscope_model::{Location, Timestamp, Trace};
use otf2::{Anchor, Definition};
use rayon::prelude::*;

use crate::progress::Progress;
pub use crate::source::CORRECTED;
use crate::source::{says_corrected, Clock, Source, Stream, CREATOR};
use crate::Error;
use mpiscope_run::archive::{counted, has_value, prepare, write_anchor, write_definitions};
use mpiscope_run::drain::NAME;
pub use writers::Writers;

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
    /// Locations that keep their measured events, and get clock offsets.
    pub kept: usize,
    /// Locations with new time stamps.
    pub rewritten: usize,
    /// Clock offsets of all locations.
    pub offsets: u64,
}

/// How an archive tells corrected times.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Times {
    /// By clock offsets where these are exact and few, else by time stamps.
    #[default]
    Auto,
    /// By clock offsets wherever these are exact, however many it takes.
    ClockOffsets,
    /// By time stamps.
    Rewritten,
}

/// What a corrected archive is made of, beside the measured one.
#[derive(Debug, Clone, Copy)]
pub struct Correction<'a> {
    /// The new times: one column per location in the order of
    /// [`read_trace`](crate::trace::read_trace), whose events they belong to.
    pub times: &'a [Vec<Timestamp>],
    /// Properties to be added to those of the anchor.
    pub properties: &'a [(String, String)],
    /// What `read_trace` read, with its times, and how the new ones are told. Without it they are
    /// [`Times::Rewritten`].
    pub measured: Option<(&'a Trace, Times)>,
    /// Of each location, at which measured times, ascending, the new ones are what offset ahead
    /// of them, in nanoseconds, and between which they follow lines where nothing else moved
    /// them: what makes clock offsets few. Locations that are not there have none.
    pub knots: &'a [&'a [(i64, i64)]],
}

impl<'a> Correction<'a> {
    /// Returns the measured events of a location, and how its times may be told.
    fn measured(&self, location: usize) -> Option<(&'a Location, Times)> {
        let (trace, told) = self.measured?;
        Some((trace.locations.get(location)?, told))
    }
}

/// Returns whether an archive says that its times are corrected.
///
/// # Errors
/// When the anchor cannot be read.
pub fn is_corrected(anchor: &Path) -> Result<bool, Error> {
    let archive = otf2::read::Archive::open(anchor)?;
    Ok(says_corrected(archive.anchor()))
}

/// Writes the archive `source` (a run directory or an anchor) into the
/// directory `out` with the given times, one column per location in the order
/// of [`read_trace`](crate::trace::read_trace), whose events they belong to.
/// All events get new time stamps. `properties` are added to the anchor's.
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
    let correction = Correction {
        times,
        properties,
        measured: None,
        knots: &[],
    };
    write_correction(source, out, &correction, &Progress::default())
}

/// Does the same for any correction, and counts events as they are written.
///
/// # Errors
/// As [`write_corrected`].
pub fn write_correction(
    source: &Path,
    out: &Path,
    correction: &Correction<'_>,
    progress: &Progress,
) -> Result<Corrected, Error> {
    write_together(source, out, correction, Writers::ALONE, progress)
}

/// Does so as one of several processes, to which `out` is the same directory. Each has the
/// columns of its own locations and writes their files, once the first has made the directory;
/// that one writes what belongs to all, and last of all the anchor. What is returned is the same
/// on all, except for the anchor and the bytes, which only the first knows.
///
/// # Errors
/// As [`write_corrected`]; all fail where one does.
pub fn write_together(
    source: &Path,
    out: &Path,
    correction: &Correction<'_>,
    writers: Writers<'_>,
    progress: &Progress,
) -> Result<Corrected, Error> {
    let source = writers.agree(out, Source::open(source))?;
    let times = correction.times;
    progress.expect(times.iter().map(|column| column.len() as u64).sum());
    if source.streams.len() != times.len() {
        let (found, given) = (source.streams.len(), times.len());
        let what = format!("it has {found} locations, corrected times were given for {given}");
        return Err(Error::damaged(&source.anchor, what));
    }
    writers.first(out, || {
        fs::create_dir_all(out).map_err(|e| Error::io(out, e))?;
        refuse_itself(&source, out)?;
        // Files of an earlier archive go, since they may be those of the measured one.
        prepare(out)
    })?;
    let range = writers.range(range(times));
    let shift = range.map_or(0, |(first, _)| first.0.min(0).saturating_neg());
    let written: Vec<Result<Written, Error>> = (source.streams.par_iter().zip(times).enumerate())
        .with_max_len(1)
        .filter(|(index, _)| writers.has(*index))
        .map(|(index, (stream, times))| {
            let column = Column {
                source: &source,
                at: index,
                stream,
                times,
                shift,
                knots: correction.knots.get(index).copied().unwrap_or_default(),
                out,
                progress,
            };
            if let Some((measured, told)) = correction.measured(index) {
                if let Some(written) = kept::keep(&column, measured, told)? {
                    return Ok(written);
                }
            }
            rewritten::rewrite(&column)
        })
        .collect();
    // Of several errors the first location's, whoever came first.
    let written = writers.agree(out, written.into_iter().collect::<Result<Vec<_>, _>>())?;
    let written = writers.written(&written);
    let counts: Vec<(u64, u64)> = written.iter().map(|it| (it.location, it.events)).collect();
    let gathered = writers.processes.is_some() && writers.agree(out, beside::moves(&source))?;
    let moves = match gathered {
        true => Cow::Owned(writers.whole(times)),
        false => Cow::Borrowed(times),
    };
    let (anchor, bytes) = writers.first(out, || {
        let beside = beside::copy(&source, &moves, shift, out)?;
        let definitions = definitions(&source, range, shift, &counts);
        write_definitions(out, &definitions, source.archive.anchor().definition_chunk)?;
        let mut anchor = anchor(&source, &definitions, correction.properties);
        anchor.snapshots = beside.snapshots;
        anchor.thumbnails = beside.thumbnails;
        let anchor = write_anchor(out, &anchor)?;
        Ok((anchor, bytes(out, &source.streams)?))
    })?;
    let kept = written.iter().filter_map(|it| it.offsets);
    Ok(Corrected {
        anchor,
        events: counts.iter().map(|(_, events)| events).sum(),
        bytes,
        shift,
        kept: kept.clone().count(),
        rewritten: written.iter().filter(|it| it.offsets.is_none()).count(),
        offsets: kept.sum(),
    })
}

/// A location of the archive, and what becomes of it.
struct Column<'a> {
    source: &'a Source,
    /// Its place among those of the archive.
    at: usize,
    stream: &'a Stream,
    times: &'a [Timestamp],
    shift: i64,
    /// As in [`Correction::knots`].
    knots: &'a [(i64, i64)],
    out: &'a Path,
    progress: &'a Progress,
}

/// A location that was written.
struct Written {
    at: usize,
    location: u64,
    events: u64,
    /// How many clock offsets it got; nothing if it has new time stamps.
    offsets: Option<u64>,
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
    let mut anchor = counted(definitions);
    anchor.event_chunk = old.event_chunk;
    anchor.definition_chunk = old.definition_chunk;
    anchor.machine = old.machine.clone();
    anchor.creator = concat!("mpiscope ", env!("CARGO_PKG_VERSION")).into();
    anchor.description = old.description.clone();
    anchor.properties = all;
    anchor
}

fn bytes(out: &Path, streams: &[Stream]) -> Result<u64, Error> {
    let size = |stream: &Stream| {
        let path = out.join(NAME).join(format!("{}.evt", stream.id));
        let file = fs::metadata(&path).map_err(|e| Error::io(&path, e))?;
        Ok(file.len())
    };
    streams.iter().map(size).sum()
}
