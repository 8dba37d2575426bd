//! Communicators whose messages are numbered.
//!
//! Both ends of a message know its communicator by the same identity without a
//! word: its parent's, its members, and how many of these there were before
//! (MPI requires all members to make them in the same order: MPI 4.1, §7.4).

use std::collections::{BTreeMap, HashMap};

use mpi_abi::Mpi;

use super::lines::Lines;
use super::stamps::Heard;
use super::window::Window;
use crate::comms::{describe, hash, sorted, Description};

/// A communicator.
pub struct Comm {
    /// None once the program has freed it.
    handle: Option<usize>,
    /// The same at all its members.
    pub identity: u64,
    /// World ranks of those who send to this process.
    pub peers: Vec<u32>,
    /// This process's rank, if it is one of them.
    pub own: Option<u32>,
    /// Collective operations so far.
    pub collectives: u64,
    /// Messages to others.
    pub sent: Lines<Told>,
    /// Messages from others.
    pub heard: Lines<Heard>,
    /// Receives to compare with, by their tag.
    pub by_tag: BTreeMap<i32, Window>,
    /// Those with any tag.
    pub any_tag: Option<Window>,
    described: Description,
}

/// What is kept of a line that begins here.
#[derive(Debug, Default)]
pub struct Told {
    /// Messages sent.
    pub messages: u64,
    /// Stamps to its receiver when it last got one.
    pub stamps: u64,
}

impl Comm {
    /// Returns a new window of it.
    pub fn window(&self) -> Window {
        Window::new(self.own.unwrap_or(u32::MAX), self.peers.len())
    }

    /// Returns whether its messages go to another group.
    pub fn is_across(&self) -> bool {
        self.own.is_none()
    }

    /// Returns how many members this process's own group has.
    pub fn own_group(&self) -> usize {
        self.described.members.len()
    }

    /// Returns this process's rank in its own group.
    pub fn rank(&self) -> u32 {
        self.described.rank
    }
}

/// All of them.
#[derive(Default)]
pub struct Comms {
    /// A place is not used again: a receive that waits for its turn may still mean it.
    all: Vec<Option<Comm>>,
    /// Where the last one asked for was.
    last: usize,
    made: HashMap<u64, u32>,
}

impl Comms {
    /// Follows a communicator that was made from another; MPI is asked who is
    /// in it. One that reaches beyond MPI_COMM_WORLD is not followed.
    pub fn follow(&mut self, mpi: &Mpi, handle: usize, parent: Option<usize>) {
        if let Some(described) = describe(mpi, handle) {
            self.add(handle, parent, described);
        }
    }

    /// Follows a duplicate that MPI is still making: nothing may be asked about it yet.
    pub fn follow_duplicate(&mut self, handle: usize, parent: usize) {
        if let Some(described) = self.get(parent).map(|parent| parent.described.clone()) {
            self.add(handle, Some(parent), described);
        }
    }

    fn add(&mut self, handle: usize, parent: Option<usize>, described: Description) {
        let parent = parent.and_then(|at| self.get(at));
        let groups = sorted(&described.members, &described.remote);
        let same = hash(&(parent.map_or(0, |parent| parent.identity), groups));
        let count = self.made.entry(same).or_default();
        *count += 1;
        let identity = hash(&(same, *count));
        let peers = described.remote.as_ref().unwrap_or(&described.members);
        let comm = Comm {
            handle: Some(handle),
            identity,
            peers: peers.iter().collect(),
            own: described.remote.is_none().then_some(described.rank),
            collectives: 0,
            sent: Lines::default(),
            heard: Lines::default(),
            by_tag: BTreeMap::new(),
            any_tag: None,
            described,
        };
        self.all.push(Some(comm));
    }

    /// Returns the place of a communicator that is followed.
    #[inline]
    pub fn place(&mut self, handle: usize) -> Option<usize> {
        let is = |comm: &Option<Comm>| comm.as_ref().is_some_and(|c| c.handle == Some(handle));
        if !self.all.get(self.last).is_some_and(is) {
            self.last = self.all.iter().rposition(is)?;
        }
        Some(self.last)
    }

    /// Returns the communicator of a place, if it is still there.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&Comm> {
        self.all.get(at)?.as_ref()
    }

    /// See `get`.
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut Comm> {
        self.all.get_mut(at)?.as_mut()
    }

    /// Returns the place of an identity.
    pub fn find(&self, identity: u64) -> Option<usize> {
        let is = |comm: &Option<Comm>| comm.as_ref().is_some_and(|c| c.identity == identity);
        self.all.iter().position(is)
    }

    /// The program has freed a communicator: its handle may come again. What
    /// is known of it stays if receives on it `wait`.
    pub fn free(&mut self, at: usize, wait: bool) -> Option<u64> {
        let comm = self.all.get_mut(at)?;
        let known = comm.as_mut()?;
        known.handle = None;
        let identity = known.identity;
        if !wait {
            *comm = None;
        }
        Some(identity)
    }

    /// Returns all that are there.
    pub fn iter(&self) -> impl Iterator<Item = &Comm> {
        self.all.iter().flatten()
    }
}
