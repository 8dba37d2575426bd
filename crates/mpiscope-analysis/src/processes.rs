//! Which locations belong to which process, and whom a rank means.

use mpiscope_model::{CommId, LocationIndex, Rank, Trace};
use rustc_hash::FxHashMap;

/// The processes of a trace, numbered in the order of their first locations.
pub(crate) struct Processes {
    /// By location.
    pub of: Vec<u32>,
    /// Locations of each.
    pub locations: Vec<Vec<LocationIndex>>,
    numbers: FxHashMap<u32, u32>,
}

impl Processes {
    pub fn new(trace: &Trace) -> Processes {
        let mut processes = Processes {
            of: Vec::with_capacity(trace.locations.len()),
            locations: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for (location, index) in trace.locations.iter().zip(0..) {
            let new = processes.locations.len() as u32;
            let number = *processes.numbers.entry(location.rank.0).or_insert(new);
            if number == new {
                processes.locations.push(Vec::new());
            }
            processes.locations[number as usize].push(LocationIndex(index));
            processes.of.push(number);
        }
        processes
    }

    /// Returns the process that a location means by a rank in a communicator.
    pub fn peer(
        &self,
        trace: &Trace,
        location: LocationIndex,
        comm: CommId,
        peer: u32,
    ) -> Option<u32> {
        let communicator = trace.definitions.communicators.get(comm.index())?;
        let me = trace.locations[location.index()].rank;
        let rank = communicator.peer(me, peer)?;
        self.numbers.get(&rank.0).copied()
    }
    /// Returns the process of a rank in the world.
    pub fn of_rank(&self, rank: Rank) -> Option<u32> {
        self.numbers.get(&rank.0).copied()
    }
}
