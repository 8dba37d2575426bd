//! Communicators whose messages are numbered.
//!
//! Both ends of a message know its communicator by the same identity without a
//! word, as one thread makes them one after the other (`mpiscope_run::naming`).

use std::collections::BTreeMap;

use mpi_abi::Mpi;
use mpiscope_rules::window::Window;
use mpiscope_run::naming::{Known, Naming, Origin};
use mpiscope_run::process::UNCERTAIN;

use super::channels::Channels;
use crate::mpi::comms::{describe, Description};
use crate::peers::stamps::Heard;

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
    pub sent: Channels<ChannelTold>,
    /// Messages from others.
    pub heard: Channels<Heard>,
    /// Receives to compare with, by their tag.
    pub by_tag: BTreeMap<i32, Window>,
    /// Those with any tag.
    pub any_tag: Option<Window>,
    described: Description,
}

/// What is kept of a channel that begins here.
#[derive(Debug, Default)]
pub struct ChannelTold {
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
    naming: Naming,
}

impl Comms {
    /// Follows a communicator just made; MPI is asked who is in it. One that
    /// reaches beyond MPI_COMM_WORLD is not followed.
    pub fn follow(&mut self, mpi: &Mpi, handle: usize, origin: Origin) {
        if let Some(described) = describe(mpi, handle) {
            self.add(handle, origin, described);
        }
    }

    /// Follows a duplicate that MPI is still making: nothing may be asked about it yet.
    pub fn follow_duplicate(&mut self, handle: usize, parent: usize) {
        let described = self.get(parent).map(|parent| parent.described.clone());
        if let (Some(described), Some(parent)) = (described, self.known(parent)) {
            self.add(handle, Origin::Collective(parent), described);
        }
    }

    /// Returns how the communicator of a place is known where others are made from it.
    pub fn known(&self, at: usize) -> Option<Known> {
        let identity = self.get(at)?.identity;
        Some(Known {
            id: at as u32,
            identity,
        })
    }

    fn add(&mut self, handle: usize, origin: Origin, described: Description) {
        let remote = described.remote.as_ref();
        let identity = (self.naming.next(origin, &described.members, remote)).identity;
        if identity == UNCERTAIN {
            return;
        }
        let peers = described.remote.as_ref().unwrap_or(&described.members);
        let comm = Comm {
            handle: Some(handle),
            identity,
            peers: peers.iter().collect(),
            own: described.remote.is_none().then_some(described.rank),
            collectives: 0,
            sent: Channels::default(),
            heard: Channels::default(),
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
