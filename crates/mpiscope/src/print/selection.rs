//! Which events are printed: those of some ranks, of some stretch of time.

use anyhow::{anyhow, ensure, Result};
use mpiscope_archive::model::{Duration, Location, LocationIndex, Timestamp, Trace};

use crate::cli::Print;
use crate::debug::ranks::Ranks;
use mpiscope_analysis::described as events;

/// What was asked for.
#[derive(Debug)]
pub struct Selection {
    /// When the first event of the whole trace happened: times are counted from there.
    pub origin: Timestamp,
    /// The locations, by rank, and there by their number.
    pub locations: Vec<LocationIndex>,
    from: Timestamp,
    to: Timestamp,
}

impl Selection {
    /// Reads the arguments.
    pub fn new(arguments: &Print, trace: &Trace) -> Result<Selection> {
        let all = trace.locations.iter().map(|location| location.rank.0);
        let all: Ranks = all.collect();
        let ranks = match &arguments.rank {
            Some(list) => Ranks::parse(list, &all).map_err(|error| anyhow!("--rank {error}"))?,
            None => all,
        };
        let mut locations: Vec<LocationIndex> = (0..trace.locations.len() as u32)
            .map(LocationIndex)
            .filter(|location| ranks.contains(trace.locations[location.index()].rank.0))
            .collect();
        locations.sort_by_key(|location| {
            let location = &trace.locations[location.index()];
            (location.rank, location.thread, location.id)
        });
        let origin = events::origin(trace);
        let at = |seconds: f64| origin + Duration((seconds * 1e9).round() as i64);
        let selection = Selection {
            origin,
            locations,
            from: arguments.from.map_or(Timestamp::MIN, at),
            to: arguments.to.map_or(Timestamp::MAX, at),
        };
        ensure!(
            selection.from <= selection.to,
            "--from lies after --to: nothing can have happened between them"
        );
        Ok(selection)
    }

    /// Returns whether an event of that time is printed.
    pub fn has(&self, time: Timestamp) -> bool {
        (self.from..=self.to).contains(&time)
    }

    /// Returns the locations that are printed.
    pub fn of<'a>(&'a self, trace: &'a Trace) -> impl Iterator<Item = &'a Location> {
        let locations = self.locations.iter();
        locations.filter_map(|location| trace.locations.get(location.index()))
    }
}
