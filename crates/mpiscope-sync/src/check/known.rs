//! What all parts know before they check: who has which processes.

use std::collections::BTreeMap;

use mpiscope_model::{Assumptions, Processes, Rank, Trace};

use crate::crowd::Ground;
use crate::exchange::{Crew, Division};
use crate::table::LatencyTable;

/// All but the events.
pub(super) struct Known<'a> {
    pub assumptions: &'a Assumptions,
    pub latencies: &'a LatencyTable,
    pub ground: Ground,
    /// Which part has which processes. A process stays whole, with all its
    /// threads: its calls have their numbers in the order of all of them.
    pub division: Division,
    /// Processes, ascending by rank, with their locations.
    ranks: Vec<Rank>,
    locations: Vec<Vec<u32>>,
    process_of: Vec<u32>,
}

/// With fewer events to look at a part costs more than it saves.
const EVENTS_PER_PART: usize = 10_000;

/// Who checks a trace: several processes, or as many threads as there are, fewer
/// where it is small.
pub(super) fn crew<'p>(trace: &Trace, processes: Option<&'p dyn Processes>) -> Crew<'p> {
    let parts = rayon::current_num_threads().min(trace.event_count() / EVENTS_PER_PART);
    Crew::new(processes, parts)
}

impl<'a> Known<'a> {
    /// Divides a trace into so many parts.
    pub fn new(
        assumptions: &'a Assumptions,
        trace: &Trace,
        latencies: &'a LatencyTable,
        parts: usize,
    ) -> Known<'a> {
        let mut processes: BTreeMap<Rank, Vec<u32>> = BTreeMap::new();
        for (number, location) in (0..).zip(&trace.locations) {
            processes.entry(location.rank).or_default().push(number);
        }
        let (ranks, locations): (Vec<Rank>, Vec<Vec<u32>>) = processes.into_iter().unzip();
        let mut process_of = vec![0; trace.locations.len()];
        for (process, locations) in (0..).zip(&locations) {
            for &location in locations {
                process_of[location as usize] = process;
            }
        }
        let clocks = trace.clock_of_locations();
        let clock = |locations: &Vec<u32>| clocks[locations[0] as usize];
        let clocks: Vec<u32> = locations.iter().map(clock).collect();
        let holder = |locations: &Vec<u32>| trace.parts.get(locations[0] as usize);
        let held: Vec<u32> = locations.iter().filter_map(holder).copied().collect();
        let events = |process: usize| {
            let locations = locations[process].iter();
            let events = locations.map(|&at| trace.locations[at as usize].count());
            events.sum()
        };
        Known {
            assumptions,
            latencies,
            ground: Ground::new(latencies),
            division: match trace.parts.is_empty() {
                true => Division::new(parts, &clocks, events),
                false => Division::of_parts(&held, parts),
            },
            ranks,
            locations,
            process_of,
        }
    }

    /// The rank of a process.
    pub fn rank(&self, process: u32) -> Rank {
        self.ranks[process as usize]
    }

    /// The locations of a process, ascending.
    pub fn locations(&self, process: u32) -> &[u32] {
        &self.locations[process as usize]
    }

    /// Returns the part that has a location.
    pub fn part_of(&self, location: u32) -> usize {
        let process = self.process_of[location as usize];
        self.division.part_of(process)
    }

    /// Returns the part that has a process, if there is one of that rank.
    pub fn part_of_rank(&self, rank: Rank) -> Option<usize> {
        let process = self.ranks.binary_search(&rank).ok()?;
        Some(self.division.part_of(process as u32))
    }
}
