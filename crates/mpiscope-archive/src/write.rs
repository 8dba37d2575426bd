//! A [`Trace`] becomes an archive: the way back from
//! [`read_trace`](crate::trace::read_trace).
//!
//! What is read again is the same trace, but for what an archive cannot hold:
//!
//! - locations stand in the order of their ranks, and a rank without one gets
//!   an empty one; if their numbers are not distinct, all are made anew;
//! - a location in no clock domain gets one of its own, without measurements,
//!   and domains stand in the order of their first locations;
//! - a single offset measurement is there twice: one alone has no effect in
//!   OTF2 (3.0.2);
//! - times that decrease within a location are held at the latest before, and
//!   if any time is negative all are moved;
//! - groups of communicators are groups of one-sided communication too, if
//!   there are windows;
//! - a Cartesian grid becomes a graph with the same neighbours;
//! - `Other` events become parameters with their number as value, a probe
//!   loses its size, a nonblocking operation without request has request 0.

mod attributes;
mod communicators;
mod definitions;
mod events;
mod metrics;
mod one_sided;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use mpiscope_model::{Location, LocationIndex, OffsetMeasurement, Rank, Trace};
use otf2::write::EVENT_CHUNK;
use otf2::LocalDefinition;

use crate::Error;
use mpiscope_run::archive::{counted, has_value, prepare, write_anchor, write_definitions};
use mpiscope_run::clocks::{corrected, Offset};
use mpiscope_run::drain::NAME;
use mpiscope_run::plan;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTrace {
    /// The archive's anchor.
    pub anchor: PathBuf,
    /// Events in it.
    pub events: u64,
    /// Bytes of its event files.
    pub bytes: u64,
    /// Nanoseconds added to all times because some lay before zero.
    pub shift: i64,
    /// Times that decreased and were held.
    pub held: u64,
}

/// Writes a trace as an archive `traces.otf2` into `directory`, in place of
/// one that is there. `properties` are added to the anchor's.
///
/// # Errors
/// When two locations are one thread of one process, there are more ranks
/// than any machine has, or a file cannot be written.
pub fn write_trace(
    trace: &Trace,
    directory: &Path,
    properties: &[(String, String)],
) -> Result<WrittenTrace, Error> {
    let plan = Plan::new(trace, directory)?;
    prepare(directory)?;
    let numbers = definitions::Numbers::new(trace);
    let mut range: Option<(u64, u64)> = None;
    let mut done = WrittenTrace {
        anchor: PathBuf::new(),
        events: 0,
        bytes: 0,
        shift: plan.shift,
        held: 0,
    };
    for target in &plan.targets {
        let written = events::write(directory, target, plan.shift, &numbers)?;
        let ends = written.ends.map(|(first, last)| {
            let corrected = |time| corrected(&target.offsets, time);
            (corrected(first), corrected(last))
        });
        let joined = |a: (u64, u64), b: (u64, u64)| (a.0.min(b.0), a.1.max(b.1));
        range = range.into_iter().chain(ends).reduce(joined);
        write_offsets(directory, target)?;
        done.events += written.events;
        done.held += written.held;
        let path = directory.join(NAME).join(format!("{}.evt", target.id));
        done.bytes += fs::metadata(&path).map_err(|e| Error::io(&path, e))?.len();
    }
    let definitions = definitions::definitions(trace, &plan.targets, &numbers, range);
    write_definitions(directory, &definitions, otf2::write::DEFINITION_CHUNK)?;
    let machine = trace.definitions.system_tree.first();
    let valued = properties.iter().filter(|p| has_value(p));
    let mut anchor = counted(&definitions);
    anchor.event_chunk = EVENT_CHUNK;
    anchor.creator = concat!("mpiscope ", env!("CARGO_PKG_VERSION")).into();
    anchor.machine = machine.map_or_else(String::new, |node| node.name.clone());
    anchor.properties = valued.cloned().collect();
    done.anchor = write_anchor(directory, &anchor)?;
    Ok(done)
}

/// Where everything goes.
struct Plan<'a> {
    targets: Vec<Target<'a>>,
    /// Added to all times.
    shift: i64,
}

/// A location of the archive.
struct Target<'a> {
    id: u64,
    name: String,
    rank: Rank,
    domain: u32,
    offsets: Vec<Offset>,
    /// Nothing for a process that the trace has no location of.
    location: Option<&'a Location>,
}

impl<'a> Plan<'a> {
    fn new(trace: &'a Trace, directory: &Path) -> Result<Plan<'a>, Error> {
        let shift = earliest(trace).min(0).saturating_neg();
        let distinct = |ids: &[u64]| ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
        let own: Vec<u64> = trace.locations.iter().map(|l| l.id).collect();
        let new = |l: &Location| plan::location(l.rank.0, l.thread);
        let ids: Vec<u64> = match distinct(&own) {
            true => own,
            false => trace.locations.iter().map(new).collect(),
        };
        if !distinct(&ids) {
            let what = "two of the trace's locations are the same thread of one process";
            return Err(Error::damaged(directory, what));
        }
        let clock_of = trace.clock_of_locations();
        let mut targets: Vec<Target> = (0..)
            .zip(&trace.locations)
            .map(|(index, location)| Target {
                id: ids[index],
                name: location.name.clone(),
                rank: location.rank,
                domain: clock_of[index],
                offsets: offsets(trace, LocationIndex(index as u32), clock_of[index], shift),
                location: Some(location),
            })
            .collect();
        let next_domain = clock_of.iter().max().map_or(0, |last| last + 1);
        let size = world_size(trace, directory)?;
        targets.extend(absent(trace, &ids, next_domain, size));
        targets.sort_by_key(|target| target.rank);
        Ok(Plan { targets, shift })
    }
}

/// Returns empty locations for processes that have none: ranks count all
/// processes, so that none of them may be missing.
fn absent<'a>(trace: &Trace, ids: &[u64], domain: u32, size: u32) -> Vec<Target<'a>> {
    let present: BTreeSet<Rank> = trace.locations.iter().map(|l| l.rank).collect();
    let names = trace.definitions.processes.iter();
    let names: BTreeMap<Rank, &str> = names.map(|p| (p.rank, p.name.as_str())).collect();
    let mut taken: BTreeSet<u64> = ids.iter().copied().collect();
    let absent = (0..size).map(Rank).filter(|rank| !present.contains(rank));
    (domain..)
        .zip(absent)
        .map(|(domain, rank)| {
            let mut free = (0..).map(|thread| plan::location(rank.0, thread));
            Target {
                id: free.find(|id| taken.insert(*id)).unwrap_or(u64::MAX),
                name: names.get(&rank).copied().unwrap_or_default().to_owned(),
                rank,
                domain,
                offsets: Vec::new(),
                location: None,
            }
        })
        .collect()
}

/// Returns how many processes there are, those that the trace does not name too.
fn world_size(trace: &Trace, directory: &Path) -> Result<u32, Error> {
    let named = trace.definitions.processes.iter().map(|p| p.rank);
    let ranks = named.chain(trace.locations.iter().map(|l| l.rank));
    let size = ranks.max().map_or(0, |last| u64::from(last.0) + 1);
    match u32::try_from(size) {
        Ok(size) if size <= plan::MAX_WORLD => Ok(size),
        _ => Err(Error::damaged(
            directory,
            format!(
                "a trace of {size} ranks, at most {} were expected",
                plan::MAX_WORLD
            ),
        )),
    }
}

fn earliest(trace: &Trace) -> i64 {
    let events = trace
        .locations
        .iter()
        .flat_map(|l| l.events.times().first());
    let measured = trace.clocks.iter().flat_map(|clock| &clock.measurements);
    let times = events.copied().chain(measured.map(|m| m.time));
    times.map(|time| time.0).min().unwrap_or(0)
}

/// Returns the measurements of the clock that a location reads.
fn offsets(trace: &Trace, index: LocationIndex, clock: u32, shift: i64) -> Vec<Offset> {
    let Some(domain) = trace.clocks.get(clock as usize) else {
        return Vec::new();
    };
    let convert = |m: &OffsetMeasurement| Offset {
        time: m.time.0.saturating_add(shift).max(0) as u64,
        offset: m.offset.0,
        half_width: m.half_width.0 as f64,
    };
    let mut offsets: Vec<Offset> = domain.measurements.iter().map(convert).collect();
    if let [only] = offsets[..] {
        let times = trace.locations[index.index()].events.times();
        let last = times.last().map_or(0, |time| time.0.saturating_add(shift));
        let time = (only.time + 1).max(last.max(0) as u64);
        offsets.push(Offset { time, ..only });
    }
    offsets
}

fn write_offsets(directory: &Path, target: &Target<'_>) -> Result<(), Error> {
    let definition = |offset: &Offset| LocalDefinition::ClockOffset {
        time: offset.time,
        offset: offset.offset,
        standard_deviation: offset.half_width,
    };
    let definitions: Vec<LocalDefinition> = target.offsets.iter().map(definition).collect();
    otf2::write::local_definitions(directory, NAME, target.id, &definitions)?;
    Ok(())
}
