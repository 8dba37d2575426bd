//! Who is meant by a rank in a communicator.

use rustc_hash::FxHashMap;

use super::channels::{Key, NONE};
use crate::definitions::{CommId, Communicator, LocationIndex, Rank};
use crate::trace::Trace;

/// Where a process stands in a communicator.
#[derive(Clone, Copy, Default)]
pub(super) struct Membership {
    pub rank: u32,
    /// It belongs to the second group of an intercommunicator.
    pub remote: bool,
}

/// All communicators, by rank and by process.
pub(super) struct Groups<'a> {
    communicators: &'a [Communicator],
    places: Vec<FxHashMap<u32, Membership>>,
    ranks: Vec<Rank>,
    /// The process behind each rank, of both groups of each communicator.
    members: Vec<[Vec<u32>; 2]>,
    /// The processes themselves, for communicators of one.
    selves: Vec<u32>,
}

/// Whom a process can name in a communicator.
#[derive(Clone, Copy)]
pub(super) struct Facing<'a>(&'a [u32]);

impl Facing<'_> {
    /// Returns the process that a rank means, or [`NONE`].
    #[inline(always)]
    pub fn process(self, rank: u32) -> u32 {
        *self.0.get(rank as usize).unwrap_or(&NONE)
    }
}

impl<'a> Groups<'a> {
    pub fn new(trace: &'a Trace, processes: &[(Rank, Vec<LocationIndex>)]) -> Groups<'a> {
        let communicators = &trace.definitions.communicators;
        let ranks: Vec<Rank> = processes.iter().map(|(rank, _)| *rank).collect();
        let process_of: FxHashMap<u32, u32> =
            (0..).zip(&ranks).map(|(n, rank)| (rank.0, n)).collect();
        let process = |rank: &Rank| *process_of.get(&rank.0).unwrap_or(&NONE);
        let group = |ranks: &[Rank]| ranks.iter().map(process).collect();
        let groups = communicators.iter().map(|communicator| {
            let remote = communicator.remote.as_deref().unwrap_or_default();
            [group(&communicator.members), group(remote)]
        });
        Groups {
            communicators,
            places: communicators.iter().map(places).collect(),
            members: groups.collect(),
            selves: (0..ranks.len() as u32).collect(),
            ranks,
        }
    }

    /// Returns where a process stands in a communicator that it belongs to.
    pub fn place(&self, process: usize, comm: CommId) -> Option<Membership> {
        let communicator = self.communicators.get(comm.index())?;
        match communicator.is_self {
            true => Some(Membership::default()),
            false => (self.places[comm.index()].get(&self.ranks[process].0)).copied(),
        }
    }

    /// Returns the process of one member of a communicator: the one of that number, as numbers go
    /// round, or the next that the trace has. All processes of the trace find the same.
    pub fn taking_turns(&self, comm: CommId, number: u64) -> Option<usize> {
        let [members, _] = self.members.get(comm.index())?;
        let first = number.checked_rem(members.len() as u64)? as usize;
        let (before, from) = members.split_at(first);
        let process = from.iter().chain(before).find(|process| **process != NONE);
        process.map(|process| *process as usize)
    }

    /// Returns whom a process can name in a communicator that it belongs to.
    pub fn facing(&self, process: usize, comm: CommId) -> Option<Facing<'_>> {
        let me = self.place(process, comm)?;
        let communicator = &self.communicators[comm.index()];
        let [members, remote] = &self.members[comm.index()];
        Some(Facing(match () {
            () if communicator.is_self => &self.selves[process..=process],
            () if communicator.remote.is_some() && !me.remote => remote,
            () => members,
        }))
    }

    /// Returns the process at the other end of a channel, and what the channel
    /// is called there.
    pub fn other_side(&self, process: usize, key: Key) -> Option<(u32, Key)> {
        let me = self.place(process, key.comm)?;
        let other = self.facing(process, key.comm)?.process(key.peer);
        let peer = me.rank;
        (other != NONE).then_some((other, Key { peer, ..key }))
    }
}

fn places(communicator: &Communicator) -> FxHashMap<u32, Membership> {
    let mut places = FxHashMap::default();
    let remote = communicator.remote.as_deref().unwrap_or_default();
    for (group, remote) in [(&communicator.members[..], false), (remote, true)] {
        for (rank, world) in group.iter().enumerate() {
            let rank = rank as u32;
            places.entry(world.0).or_insert(Membership { rank, remote });
        }
    }
    places
}
