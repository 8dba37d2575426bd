//! An archive opened, with what both reading and rewriting it need: which locations it has,
//! in which order, and what its ticks are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mpiscope_model::{Events, Location, LocationKind, Rank, Timestamp};
use mpiscope_run::definitions::CLOCK_DOMAIN;
use mpiscope_run::{directory, order, run_info, statistics};
use otf2::read::Archive;
use otf2::{Anchor, ClockCorrection, Definition, LocalDefinition, Value};

use crate::ranks;
use crate::Error;

/// Returns the anchor that `path` means: itself, or the one in a directory.
pub fn anchor_of(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let usual = directory::anchor(path);
    if usual.is_file() {
        return Ok(usual);
    }
    let mut anchors: Vec<PathBuf> = std::fs::read_dir(path)
        .map_err(|e| Error::io(path, e))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "otf2"))
        .collect();
    match (anchors.pop(), anchors.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => Err(Error::damaged(path, absent(path))),
        _ => Err(Error::damaged(
            path,
            "it holds several archives: name the one you mean",
        )),
    }
}

fn absent(path: &Path) -> String {
    match path.join(run_info::FILE).is_file() {
        true if statistics::exists(path) => format!(
            "the run was monitored, not traced: `mpiscope stats {}` tells what was counted",
            path.display()
        ),
        true if order::exists(path) => format!(
            "the order of its messages was recorded, not traced: `mpiscope replay {}` runs it again in that order",
            path.display()
        ),
        true => format!(
            "the run has no archive; if its program has ended, try `mpiscope recover {}`",
            path.display()
        ),
        false => "it holds no archive (expected traces.otf2)".to_owned(),
    }
}

/// An archive opened, with what both reading and rewriting need.
pub(crate) struct Source {
    pub archive: Archive,
    pub anchor: PathBuf,
    pub definitions: Vec<Definition>,
    /// Locations in the order of [`Trace::locations`].
    pub streams: Vec<Stream>,
    pub clock: Clock,
    /// Whether times are corrected: then clock offsets are no measurements, but tell what to add
    /// to the time stamps.
    pub corrected: bool,
}

/// Property of a corrected archive: who wrote the measured one, if another tool did.
pub(crate) const CREATOR: &str = "MPISCOPE::CREATOR";

/// Property of an archive whose times `mpiscope sync` has corrected.
pub const CORRECTED: &str = "MPISCOPE::CORRECTED";

/// Returns whether an anchor says so.
pub(crate) fn says_corrected(anchor: &Anchor) -> bool {
    let mut properties = anchor.properties.iter();
    properties.any(|(name, value)| name == CORRECTED && value == "true")
}

/// A location as defined.
pub(crate) struct Stream {
    pub id: u64,
    pub kind: LocationKind,
    pub name: String,
    pub rank: u32,
    pub thread: u32,
    /// Number of the system tree node its process is on.
    pub node: u32,
    /// Its clock domain, if the archive says.
    pub domain: Option<u32>,
    /// How many events it should have.
    pub events: u64,
}

impl Stream {
    /// Makes a location of it, with events of which not all could be read where `truncated` says why.
    pub fn location(&self, events: Events, truncated: Option<String>) -> Location {
        Location {
            id: self.id,
            kind: self.kind,
            name: self.name.clone(),
            rank: Rank(self.rank),
            thread: self.thread,
            events,
            elsewhere: 0,
            truncated,
        }
    }
}

/// What the ticks of an archive are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    /// Ticks per second.
    pub resolution: u64,
    /// Where the trace begins, in ticks.
    pub begin: u64,
    /// The same moment in nanoseconds since 1970, if known.
    pub realtime: Option<u64>,
}

impl Clock {
    fn new(definitions: &[Definition]) -> Self {
        let properties = definitions.iter().rev().find_map(|d| match d {
            Definition::ClockProperties {
                timer_resolution,
                global_offset,
                realtime_timestamp,
                ..
            } => Some(Self {
                resolution: *timer_resolution,
                begin: *global_offset,
                realtime: Some(*realtime_timestamp).filter(|&t| t != u64::MAX),
            }),
            _ => None,
        });
        properties
            .filter(|clock| clock.resolution > 0)
            .unwrap_or(Self {
                resolution: 1_000_000_000,
                begin: 0,
                realtime: None,
            })
    }

    /// Converts ticks, or a difference of ticks, to nanoseconds.
    pub fn nanoseconds(&self, ticks: i128) -> i64 {
        let scaled = match self.resolution {
            1_000_000_000 => ticks,
            resolution => ticks * 1_000_000_000 / i128::from(resolution),
        };
        scaled.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    #[inline]
    pub fn timestamp(&self, ticks: u64) -> Timestamp {
        Timestamp(match self.resolution {
            1_000_000_000 => i64::try_from(ticks).unwrap_or(i64::MAX),
            _ => self.nanoseconds(ticks.into()),
        })
    }
}

impl Source {
    /// Returns who wrote the archive, or of a corrected one the measured archive.
    pub fn creator(&self) -> &str {
        let anchor = self.archive.anchor();
        let mut properties = anchor.properties.iter();
        let measured = properties.find(|(name, _)| name == CREATOR);
        measured.map_or(&anchor.creator, |(_, creator)| creator)
    }

    /// Returns how many events there should be.
    pub fn events(&self) -> u64 {
        let events = self.streams.iter().map(|stream| stream.events);
        events.fold(0, u64::saturating_add)
    }

    pub fn open(path: &Path) -> Result<Self, Error> {
        let anchor = anchor_of(path)?;
        let archive = Archive::open(&anchor)?;
        let definitions = archive.definitions()?.complete()?;
        let streams = streams(&definitions);
        let clock = Clock::new(&definitions);
        let corrected = says_corrected(archive.anchor());
        Ok(Self {
            archive,
            anchor,
            definitions,
            streams,
            clock,
            corrected,
        })
    }

    /// Returns what a location's time stamps need to be the archive's times: nothing where clocks
    /// were only measured.
    pub fn correction(&self, location: u64) -> ClockCorrection {
        match self.corrected {
            true => correction(&self.offsets(location).0),
            false => ClockCorrection::default(),
        }
    }

    /// Returns the clock offsets of a location as (time, offset, deviation) in
    /// ticks, and why some are missing.
    pub fn offsets(&self, location: u64) -> (Vec<(u64, i64, f64)>, Option<String>) {
        let list = match self.archive.local_definitions(location) {
            Ok(list) => list,
            Err(error) => return (Vec::new(), Some(error.to_string())),
        };
        let offsets = list.iter().filter_map(|d| match d {
            LocalDefinition::ClockOffset {
                time,
                offset,
                standard_deviation,
            } => Some((*time, *offset, *standard_deviation)),
            _ => None,
        });
        (offsets.collect(), list.damage().map(ToString::to_string))
    }
}

/// Returns the correction that clock offsets make.
pub(crate) fn correction(offsets: &[(u64, i64, f64)]) -> ClockCorrection {
    let offsets: Vec<(u64, i64)> = offsets.iter().map(|it| (it.0, it.1)).collect();
    ClockCorrection::between(&offsets)
}

/// Lists the locations by rank, and of one rank in file order.
fn streams(definitions: &[Definition]) -> Vec<Stream> {
    let names = ranks::strings(definitions);
    let ranking = ranks::Ranks::new(definitions);
    let domains = domains(definitions);
    let mut streams: Vec<Stream> = ranks::locations(definitions)
        .into_iter()
        .map(|location| Stream {
            id: location.id,
            kind: match location.kind {
                LocationKind::Thread if ranking.is_accelerator(location.group) => {
                    LocationKind::Accelerator
                }
                kind => kind,
            },
            name: names.get(&location.name).cloned().unwrap_or_default(),
            rank: ranking.of_group(location.group),
            thread: 0,
            node: ranking.node_of_group(location.group),
            domain: domains.get(&location.id).copied(),
            events: location.events,
        })
        .collect();
    streams.sort_by_key(|stream| stream.rank);
    let mut nth = 0;
    let mut previous = None;
    for stream in &mut streams {
        nth = if previous == Some(stream.rank) {
            nth + 1
        } else {
            0
        };
        previous = Some(stream.rank);
        // Ours and Score-P's numbering: thread << 32 | rank.
        stream.thread = match stream.id as u32 == stream.rank {
            true => (stream.id >> 32) as u32,
            false => nth,
        };
    }
    streams
}

/// Returns the clock domains that our archives state.
fn domains(definitions: &[Definition]) -> HashMap<u64, u32> {
    let names = ranks::strings(definitions);
    definitions
        .iter()
        .filter_map(|d| match d {
            Definition::LocationProperty {
                location,
                name,
                value: Value::Uint32(domain),
            } if names.get(name).is_some_and(|n| n == CLOCK_DOMAIN) => Some((*location, *domain)),
            _ => None,
        })
        .collect()
}
