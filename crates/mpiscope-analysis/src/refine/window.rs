//! A part of the run that stands for all of it: some iterations, the first ones apart.

use std::ops::Range;

use mpiscope_model::{Duration, EventKind, Events, LocationIndex, Timestamp, Trace};
use rustc_hash::FxHashMap;

use super::Refinement;
use crate::iterations::{Iterations, Lengths, OfRank};
use crate::timeline::is_init;

/// Iterations that are alike, and when ranks are in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Their numbers, from 0.
    pub iterations: Range<usize>,
    /// When the first rank begins them, since it left MPI_Init.
    pub from: Duration,
    /// When the last rank ends them, since it left MPI_Init.
    pub until: Duration,
    /// Events in this time that are not left out.
    pub events: u64,
}

/// Why there is no window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWindow {
    /// There are few iterations: so many.
    Few(usize),
    /// A rank does not tell when it left MPI_Init.
    NoInit,
}

impl Refinement {
    /// Proposes so many iterations; of a run that has not twice as many, none.
    ///
    /// # Errors
    /// Why there is none.
    pub fn window(
        &self,
        trace: &Trace,
        found: &Iterations,
        lengths: &Lengths,
        wanted: usize,
    ) -> Result<Window, NoWindow> {
        let few = NoWindow::Few(found.count());
        if found.count() < wanted.saturating_mul(2) {
            return Err(few);
        }
        let iterations = steady(lengths, found.count(), wanted).ok_or(few)?;
        let inits: FxHashMap<u32, Timestamp> = (found.ranks.iter())
            .map(|it| Some((it.rank, after_init(trace, events(trace, it.location)?)?)))
            .collect::<Option<_>>()
            .ok_or(NoWindow::NoInit)?;
        let at = |rank: &OfRank, call: usize| {
            let times = events(trace, rank.location)?.times();
            let bound = *rank.bounds.get(call)? as usize;
            Some(*times.get(bound)? - *inits.get(&rank.rank)?)
        };
        let begin = found.ranks.iter().filter_map(|it| at(it, iterations.start));
        let end = found.ranks.iter().filter_map(|it| at(it, iterations.end));
        let from = begin.min().ok_or(NoWindow::NoInit)?.max(Duration::ZERO);
        let until = end.max().ok_or(NoWindow::NoInit)?;
        let events = trace.locations.iter().filter_map(|location| {
            let init = *inits.get(&location.rank.0)?;
            Some(self.left(&location.events, init + from..init + until))
        });
        Ok(Window {
            iterations,
            from,
            until,
            events: events.sum(),
        })
    }

    /// Counts the events of some time that are not left out.
    fn left(&self, events: &Events, window: Range<Timestamp>) -> u64 {
        let is_left_out = |index: usize| {
            let region = events.args()[index] as usize;
            matches!(events.kinds()[index], EventKind::Enter | EventKind::Leave)
                && self.is_left_out.get(region) == Some(&true)
        };
        let times = events.times().iter().enumerate();
        let within = times.filter(|(_, time)| window.contains(time) || **time == window.end);
        within.filter(|(index, _)| !is_left_out(*index)).count() as u64
    }
}

fn events(trace: &Trace, location: LocationIndex) -> Option<&Events> {
    trace.locations.get(location.index()).map(|it| &it.events)
}

/// Returns when a thread left MPI_Init.
fn after_init(trace: &Trace, events: &Events) -> Option<Timestamp> {
    let starts_mpi = |region: u32| {
        let region = trace.definitions.regions.get(region as usize);
        region.is_some_and(|it| is_init(&it.name))
    };
    let kinds = events.kinds().iter().zip(events.args());
    let mut leaves = kinds.zip(events.times());
    let left =
        leaves.find(|((kind, region), _)| **kind == EventKind::Leave && starts_mpi(**region));
    left.map(|(_, time)| *time)
}

/// Returns the first iterations behind those at the begin of which none is slow; else those right
/// behind the begin.
fn steady(lengths: &Lengths, count: usize, wanted: usize) -> Option<Range<usize>> {
    let apart = lengths.warm_up.max(1);
    let last = count.checked_sub(wanted)?;
    let has_slow = |first: usize| {
        let range = first..first + wanted;
        lengths.slow.iter().any(|it| range.contains(&it.number))
    };
    let first = (apart..=last).find(|first| !has_slow(*first));
    let first = first.unwrap_or(apart.min(last));
    Some(first..first + wanted)
}
