//! Who is meant by a rank in a communicator.

use super::channels::Key;
use crate::definitions::{CommId, Communicator, LocationIndex, Rank};
use crate::hash::FastMap;
use crate::trace::Trace;

/// Where a process stands in a communicator.
#[derive(Clone, Copy, Default)]
pub(super) struct Place {
    pub rank: u32,
    /// It belongs to the second group of an intercommunicator.
    pub remote: bool,
}

/// All communicators, by rank and by process.
pub(super) struct Groups<'a> {
    communicators: &'a [Communicator],
    places: Vec<FastMap<u32, Place>>,
    ranks: Vec<Rank>,
    process_of: FastMap<u32, u32>,
}

impl<'a> Groups<'a> {
    pub fn new(trace: &'a Trace, processes: &[(Rank, Vec<LocationIndex>)]) -> Groups<'a> {
        let communicators = &trace.definitions.communicators;
        let ranks: Vec<Rank> = processes.iter().map(|(rank, _)| *rank).collect();
        Groups {
            communicators,
            places: communicators.iter().map(places).collect(),
            process_of: (0..).zip(&ranks).map(|(n, rank)| (rank.0, n)).collect(),
            ranks,
        }
    }

    /// Returns where a process stands in a communicator that it belongs to.
    pub fn place(&self, process: usize, comm: CommId) -> Option<Place> {
        let communicator = self.communicators.get(comm.index())?;
        match communicator.is_self {
            true => Some(Place::default()),
            false => (self.places[comm.index()].get(&self.ranks[process].0)).copied(),
        }
    }

    /// Returns the process at the other end of a channel, and what the channel
    /// is called there.
    pub fn other_side(&self, process: usize, key: Key) -> Option<(u32, Key)> {
        let me = self.place(process, key.comm)?;
        let communicator = &self.communicators[key.comm.index()];
        if communicator.is_self {
            return (key.peer == 0).then_some((process as u32, key));
        }
        let facing = match &communicator.remote {
            Some(remote) if !me.remote => remote,
            _ => &communicator.members,
        };
        let world = facing.get(key.peer as usize)?;
        let other = *self.process_of.get(&world.0)?;
        let peer = me.rank;
        Some((other, Key { peer, ..key }))
    }
}

fn places(communicator: &Communicator) -> FastMap<u32, Place> {
    let mut places = FastMap::default();
    let remote = communicator.remote.as_deref().unwrap_or_default();
    for (group, remote) in [(&communicator.members[..], false), (remote, true)] {
        for (rank, world) in group.iter().enumerate() {
            let rank = rank as u32;
            places.entry(world.0).or_insert(Place { rank, remote });
        }
    }
    places
}
