//! What each location did, piece after piece: calls of MPI, and what lay between them.

use mpiscope_model::{CallSiteId, LocationIndex, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::profile::{stretches, Activity};
use crate::races::first_of_lines;
use crate::timeline::{Regions, Timeline};

/// A location that is replayed. Its pieces follow each other without gaps.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// World rank.
    pub rank: u32,
    /// When each piece began, and when the last one ended.
    pub begins: Vec<i64>,
    /// The events with which the pieces begin, ascending.
    pub firsts: Vec<u32>,
    /// What each is, by its number among all activities.
    pub activities: Vec<u32>,
    /// Where it was forked, of a thread of which that is known.
    pub origin: Option<Moment>,
}

/// A moment of a lane: so long after a piece began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub lane: u32,
    pub piece: u32,
    pub offset: i64,
}

impl Lane {
    /// Returns how many pieces it has.
    pub fn len(&self) -> usize {
        self.activities.len()
    }

    /// Returns whether it is replayed at all.
    pub fn is_there(&self) -> bool {
        !self.begins.is_empty()
    }

    /// Returns how long a piece took.
    pub fn length(&self, piece: usize) -> i64 {
        self.begins[piece + 1].saturating_sub(self.begins[piece])
    }

    /// Returns the piece that a call is, by the event that entered it.
    pub fn call(&self, enter: u32) -> Option<u32> {
        self.firsts.binary_search(&enter).ok().map(|at| at as u32)
    }
}

/// Returns the lanes by location, empty ones of those that are not replayed, and all activities.
///
/// Threads are replayed that call MPI, and the first of each process.
pub(super) fn all(trace: &Trace, lines: &[Timeline]) -> (Vec<Lane>, Vec<Activity>) {
    let regions = Regions::new(trace);
    let first_sites = first_of_lines(trace);
    let first_of = first_threads(trace);
    let locations = (0..lines.len()).into_par_iter();
    let of = |at: usize| match first_of[at] || lines[at].calls().next().is_some() {
        true => lane(trace, &first_sites, &regions, &lines[at], at),
        false => Default::default(),
    };
    merge(locations.map(of).collect())
}

type Numbers = FxHashMap<Activity, u32>;

/// Numbers the activities of all lanes together.
fn merge(read: Vec<(Lane, Numbers)>) -> (Vec<Lane>, Vec<Activity>) {
    let mut all = Numbers::default();
    let mut activities = Vec::new();
    let mut lanes = Vec::with_capacity(read.len());
    for (mut lane, numbers) in read {
        let mut own: Vec<(u32, Activity)> = numbers.into_iter().map(|(a, n)| (n, a)).collect();
        own.sort_unstable_by_key(|(number, _)| *number);
        let number = |(_, activity): (u32, Activity)| {
            *all.entry(activity).or_insert_with(|| {
                activities.push(activity);
                activities.len() as u32 - 1
            })
        };
        let of_all: Vec<u32> = own.into_iter().map(number).collect();
        let own = lane.activities.iter_mut();
        own.for_each(|it| *it = of_all[*it as usize]);
        lanes.push(lane);
    }
    (lanes, activities)
}

/// Returns of each location whether it is the first thread of its process that did anything.
fn first_threads(trace: &Trace) -> Vec<bool> {
    let mut first: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
    let locations = trace.locations.iter().enumerate();
    for (at, it) in locations.filter(|(_, it)| it.is_thread() && !it.events.is_empty()) {
        let known = first.entry(it.rank.0).or_insert((it.thread, at));
        *known = (*known).min((it.thread, at));
    }
    let mut is_first = vec![false; trace.locations.len()];
    first.values().for_each(|(_, at)| is_first[*at] = true);
    is_first
}

/// Reads a location; returns the numbers of its activities, too.
fn lane(
    trace: &Trace,
    first_sites: &[CallSiteId],
    regions: &Regions,
    line: &Timeline,
    at: usize,
) -> (Lane, Numbers) {
    let mut lane = Lane {
        rank: trace.locations[at].rank.0,
        ..Lane::default()
    };
    let mut numbers = Numbers::default();
    let at = LocationIndex(at as u32);
    stretches::all(trace, first_sites, regions, line, at, |activity, span| {
        lane.begins.push(span.begin.0);
        lane.firsts.push(span.first);
        let next = numbers.len() as u32;
        let number = *numbers.entry(activity).or_insert(next);
        lane.activities.push(number);
    });
    lane.begins.push(line.end.0);
    (lane, numbers)
}
