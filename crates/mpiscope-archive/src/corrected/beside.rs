//! What stands beside the events, in the new times: snapshots, markers and
//! thumbnails.
//!
//! Their times are not those of one event each, so each location's events say
//! how its times moved: an event's own time moves as the event did, and a time
//! between two events keeps its place between them.

use std::collections::hash_map::{Entry, HashMap};
use std::path::Path;

use mpiscope_model::Timestamp;
use otf2::write::SnapshotWriter;
use otf2::{Marker, MarkerScope};

use crate::source::{Clock, Source, Stream};
use crate::Error;
use mpiscope_run::drain::NAME;

/// How many of each the anchor has to announce.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub snapshots: u32,
    pub thumbnails: u32,
}

/// Returns whether there is anything whose times move with those of events.
pub(super) fn moves(source: &Source) -> Result<bool, Error> {
    for stream in &source.streams {
        if source.archive.snapshots(stream.id)?.size() > 0 {
            return Ok(true);
        }
    }
    Ok(source.archive.markers()?.into_iter().next().is_some())
}

/// Copies all there is; `times` and `shift` are those of the events.
pub(super) fn copy(
    source: &Source,
    times: &[Vec<Timestamp>],
    shift: i64,
    out: &Path,
) -> Result<Counts, Error> {
    let mut snapshots = 0;
    for (stream, column) in source.streams.iter().zip(times) {
        if source.archive.snapshots(stream.id)?.size() > 0 {
            let moved = Moved::new(source, stream, column, shift)?;
            copy_snapshots(source, stream, &moved, out)?;
            snapshots = source.archive.anchor().snapshots;
        }
    }
    copy_markers(source, times, shift, out)?;
    let thumbnails = copy_thumbnails(source, out)?;
    Ok(Counts {
        snapshots,
        thumbnails,
    })
}

fn copy_snapshots(
    source: &Source,
    stream: &Stream,
    moved: &Moved<'_>,
    out: &Path,
) -> Result<(), Error> {
    let file = source.archive.snapshots(stream.id)?;
    let chunk = source.archive.anchor().event_chunk;
    let mut writer = SnapshotWriter::create(out, NAME, stream.id, chunk)?;
    let mut last = 0;
    // As of events, what stands before a damage is kept.
    for mut record in file.iter().map_while(Result::ok) {
        last = moved.at(record.time).max(last);
        if let Some(time) = record.event.orig_event_time_mut() {
            *time = moved.at(*time);
        }
        let attributes: Vec<_> = record.attributes.iter().collect();
        writer.write(last, &attributes, &record.event)?;
    }
    writer.finish()?;
    Ok(())
}

fn copy_markers(
    source: &Source,
    times: &[Vec<Timestamp>],
    shift: i64,
    out: &Path,
) -> Result<(), Error> {
    let mut markers: Vec<Marker> = source.archive.markers()?.into_iter().collect();
    let mut maps = HashMap::new();
    for marker in &mut markers {
        let index = leader(source, marker);
        let (Some(stream), Some(column)) = (source.streams.get(index), times.get(index)) else {
            continue;
        };
        let moved = match maps.entry(index) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Moved::new(source, stream, column, shift)?),
        };
        if let Marker::Marker { time, duration, .. } = marker {
            let end = moved.at(time.saturating_add(*duration));
            *time = moved.at(*time);
            *duration = end.saturating_sub(*time);
        }
    }
    if !markers.is_empty() {
        let chunk = source.archive.anchor().definition_chunk;
        otf2::write::markers(out, NAME, &markers, chunk)?;
    }
    Ok(())
}

/// Returns the location whose events a marker moves with: its own if it has
/// one, else the first, since its clock is the one that others are corrected to.
fn leader(source: &Source, marker: &Marker) -> usize {
    let own = match marker {
        Marker::Marker {
            scope_kind: MarkerScope::LOCATION,
            scope,
            ..
        } => source.streams.iter().position(|it| it.id == *scope),
        _ => None,
    };
    own.unwrap_or(0)
}

/// Thumbnails hold no times. They are numbered from 0 without gaps.
fn copy_thumbnails(source: &Source, out: &Path) -> Result<u32, Error> {
    let announced = source.archive.anchor().thumbnails;
    for number in 0..announced {
        let thumbnail = source.archive.thumbnail(number)?;
        if thumbnail.is_empty() {
            return Ok(number);
        }
        otf2::write::thumbnail(out, NAME, number, &thumbnail)?;
    }
    Ok(announced)
}

/// Where the times of one location went.
struct Moved<'a> {
    /// When the events happened, in ticks of the source: its own times, if it is corrected itself.
    measured: Vec<u64>,
    /// The new times, before the shift.
    corrected: &'a [Timestamp],
    shift: i64,
    clock: Clock,
}

impl<'a> Moved<'a> {
    fn new(
        source: &Source,
        stream: &Stream,
        corrected: &'a [Timestamp],
        shift: i64,
    ) -> Result<Self, Error> {
        let file = source.archive.events(stream.id)?;
        let records = file.iter().map_while(Result::ok);
        let correction = source.correction(stream.id);
        let mut ticks = correction.cursor();
        Ok(Self {
            measured: records.map(|record| ticks.apply(record.time)).collect(),
            corrected,
            shift,
            clock: source.clock,
        })
    }

    fn at(&self, time: u64) -> u64 {
        let next = self.measured.partition_point(|&it| it < time);
        let here = |index: usize| Some((*self.measured.get(index)?, self.corrected.get(index)?.0));
        let before = next.checked_sub(1).and_then(here);
        let length = |ticks: i128| i128::from(self.clock.nanoseconds(ticks));
        let after = |from: u64| i128::from(time) - i128::from(from);
        let moved = match (before, here(next)) {
            (_, Some((event, corrected))) if event == time => corrected.into(),
            (Some((t0, c0)), Some((t1, c1))) => {
                let gained = (i128::from(c1) - i128::from(c0)) * after(t0);
                i128::from(c0) + gained / (i128::from(t1) - i128::from(t0))
            }
            (Some((event, corrected)), None) | (None, Some((event, corrected))) => {
                i128::from(corrected) + length(after(event))
            }
            (None, None) => length(time.into()),
        };
        (moved + i128::from(self.shift)).clamp(0, u64::MAX.into()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(measured: &[u64], corrected: &[i64], times: &[u64], expected: &[u64]) {
        let corrected: Vec<Timestamp> = corrected.iter().map(|&t| Timestamp(t)).collect();
        let moved = Moved {
            measured: measured.to_vec(),
            corrected: &corrected,
            shift: 5,
            clock: Clock {
                resolution: 1_000_000_000,
                begin: 0,
                realtime: None,
            },
        };
        let found: Vec<u64> = times.iter().map(|&t| moved.at(t)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn times_between_events_keep_their_place() {
        let (measured, corrected) = ([10, 20, 30], [10, 40, 50]);
        let times = [4, 10, 15, 20, 29, 33];
        check(&measured, &corrected, &times, &[9, 15, 30, 45, 54, 58]);
    }

    #[test]
    fn a_time_that_several_events_share_is_that_of_the_first() {
        check(&[10, 20, 20, 30], &[10, 21, 25, 31], &[20], &[26]);
    }

    #[test]
    fn without_events_times_are_only_shifted() {
        check(&[], &[], &[7], &[12]);
        check(&[9], &[-20], &[3], &[0]);
    }
}
