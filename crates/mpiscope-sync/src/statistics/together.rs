//! What concerns one location at a time, put together by several processes.

use mpiscope_model::{Duration, Processes, Timestamp};
use rayon::prelude::*;

use super::{displacement, distortion, Displacement, Distortion};
use crate::exchange::{gathered, Crew, Division, Exchange, Plain, Way};
use crate::Correction;

/// One process, or one of several, and which of them has which locations.
#[derive(Clone, Copy)]
pub struct Together<'a> {
    part_of: &'a [u32],
    processes: Option<&'a dyn Processes>,
}

impl<'a> Together<'a> {
    /// Those that made a correction.
    pub fn new(correction: &'a Correction, processes: Option<&'a dyn Processes>) -> Together<'a> {
        Together {
            part_of: &correction.part_of,
            processes,
        }
    }

    fn outside(&self) -> Way<'a> {
        Crew::new(self.processes, 1).outside()
    }

    /// Returns whether a location is this process's.
    pub fn has(&self, location: usize) -> bool {
        let me = self.processes.map_or(0, Processes::me);
        self.part_of.get(location).map(|part| *part as usize) == Some(me)
    }

    /// Finds something of each location, each process of its own; returns all of it,
    /// by location.
    fn of_locations<T: Plain + Sync>(&self, find: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let locations = (0..self.part_of.len()).into_par_iter();
        let mine = locations.filter(|&location| self.has(location)).map(&find);
        let all = self.outside().all_gather(mine.collect());
        let mut all: Vec<_> = all.into_iter().map(Vec::into_iter).collect();
        let parts = self.part_of.iter();
        let found = parts.filter_map(|&part| all.get_mut(part as usize)?.next());
        found.collect()
    }

    /// Returns how far the events of each location were moved.
    pub fn displacements(
        &self,
        before: &[Vec<Timestamp>],
        after: &[Vec<Timestamp>],
    ) -> Vec<Displacement> {
        self.of_locations(|location| displacement(&before[location], &after[location]))
    }

    /// Returns how the intervals of all locations changed.
    pub fn distortion(
        &self,
        before: &[impl AsRef<[Timestamp]> + Sync],
        after: &[Vec<Timestamp>],
    ) -> Distortion {
        let found =
            self.of_locations(|location| distortion(before[location].as_ref(), &after[location]));
        let mut sum = Distortion::default();
        found.iter().for_each(|of| sum.merge(of));
        sum
    }

    /// Returns how many events lie before their predecessor in a location.
    pub fn backward_steps(&self, times: &[impl AsRef<[Timestamp]> + Sync]) -> u64 {
        let steps = |location: usize| super::backward_steps(&times[location..=location]);
        self.of_locations(steps).into_iter().sum()
    }

    /// Returns the time from the first to the last event of all.
    pub fn elapsed(&self, times: &[Vec<Timestamp>]) -> Duration {
        let ends = |location: usize| Some((*times[location].first()?, *times[location].last()?));
        let ends = self.of_locations(ends).into_iter().flatten();
        let ends = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        ends.map_or(Duration::ZERO, |(first, last)| last - first)
    }

    /// Has each process have the columns of all locations, of which each has its own.
    pub fn gather(&self, columns: &mut [Vec<Timestamp>]) {
        if self.processes.is_none() {
            return;
        }
        let division = Division::of_parts(self.part_of, self.outside().parts());
        let all = gathered(&self.outside(), &division, columns);
        columns
            .iter_mut()
            .zip(all)
            .for_each(|(column, whole)| *column = whole);
    }
}
