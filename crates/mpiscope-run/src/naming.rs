//! How a process names the communicators it makes, so that the definitions of
//! all processes tell which are the same, without a word between them.
//!
//! MPI orders less than one would think. What is made by a call that is
//! collective over another communicator comes in one order at all its members
//! (MPI 4.1, §6.12 and §7.4). A call that only the members of a group make
//! (`MPI_Comm_create_group`) is ordered only against calls with the same
//! group and tag, as threads may make several at a time. The two sides of
//! `MPI_Intercomm_create` each know the order on their own communicator; only
//! the leaders know a common one, that of their tag on the peer communicator.
//! So each kind is counted apart, and what a member cannot know is left to
//! [`crate::communicators`], where all definitions come together.

use std::collections::HashMap;
use std::hash::Hash;

pub use mpiscope_hash::stable as hash;

use crate::process::{Bridge, Members, Side, UNCERTAIN};

/// What a communicator was made from, as the process sees it.
#[derive(Debug, Clone, Copy)]
pub enum Origin<'a> {
    /// It is there from the start, the first or the second of its kind.
    Predefined(u32),
    /// A call that all members of another communicator make in one order.
    Collective(Known),
    /// `MPI_Comm_create_group`: members of the new one alone, told apart by their tag.
    Group(Known, i32),
    /// A call that names a group by words, and no communicator.
    Words(&'a str),
    /// `MPI_Intercomm_create`, seen from one side.
    Sides {
        /// The communicator of this side.
        local: Known,
        /// What the leader of this side knows beyond.
        leader: Option<Leader>,
        /// Threads may make several at a time, so that their order is not the same for all.
        threads: bool,
    },
    /// Two groups met past all communicators (`MPI_Comm_accept`, `MPI_Comm_join`).
    Met,
    /// It is used, but nobody saw it being made.
    Unseen,
}

/// Another communicator of the process.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Its process-local id.
    pub id: u32,
    /// See [`Name::identity`].
    pub identity: u64,
}

/// How the leaders of the two sides found each other.
#[derive(Debug, Clone, Copy)]
pub struct Leader {
    /// The communicator that both belong to.
    pub peer: Known,
    /// The world ranks of both.
    pub ranks: [u32; 2],
    /// Their tag.
    pub tag: i32,
}

/// How a communicator is called in the definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// The same on every member as long as the run lasts; [`UNCERTAIN`] if that is not known.
    pub identity: u64,
    /// Tells it from others that were made from the same communicator.
    pub mark: u64,
    /// Of `MPI_Intercomm_create`.
    pub side: Option<Side>,
    /// Others of the same members were not seen being made, either.
    pub guessed: bool,
}

/// The names given so far.
#[derive(Debug, Default)]
pub struct Naming {
    counts: HashMap<u64, u32>,
}

impl Naming {
    /// Names a communicator made now, of these groups.
    pub fn next(&mut self, origin: Origin, members: &Members, remote: Option<&Members>) -> Name {
        let ends = sorted(members, remote);
        let kind = origin.kind();
        let count = self.count(&(kind, origin.parent(), ends));
        let mark = hash(&(kind, ends, count));
        let identity = match origin {
            Origin::Collective(parent) | Origin::Group(parent, _) => parent.child(mark),
            Origin::Sides { threads: true, .. } => UNCERTAIN,
            // One at a time they come in one order at all members, whatever they are made from.
            Origin::Sides { .. } => hash(&("between", ends, self.count(&("between", ends)))),
            Origin::Unseen if count > 0 => UNCERTAIN,
            Origin::Predefined(_) | Origin::Words(_) | Origin::Met | Origin::Unseen => mark,
        };
        Name {
            identity,
            mark,
            side: self.side(origin, ends),
            guessed: matches!(origin, Origin::Unseen) && count > 0,
        }
    }

    fn side(&mut self, origin: Origin, ends: Ends) -> Option<Side> {
        let Origin::Sides { local, leader, .. } = origin else {
            return None;
        };
        let bridge = leader.map(|leader| {
            let mut ranks = leader.ranks;
            ranks.sort_unstable();
            let call = (ranks, leader.tag);
            let count = self.count(&("bridge", leader.peer.id, call));
            Bridge {
                peer: leader.peer.id,
                mark: hash(&("bridge", ends, call, count)),
            }
        });
        Some(Side {
            local: local.id,
            bridge,
        })
    }

    /// Returns how many were counted under this key before.
    fn count(&mut self, key: &impl Hash) -> u32 {
        let count = self.counts.entry(hash(key)).or_default();
        *count += 1;
        *count - 1
    }
}

impl Origin<'_> {
    /// What besides the parent and the members distinguishes calls.
    fn kind(&self) -> (u8, u64) {
        match *self {
            Origin::Predefined(which) => (0, u64::from(which)),
            Origin::Collective(_) => (1, 0),
            Origin::Group(_, tag) => (2, hash(&tag)),
            Origin::Words(words) => (3, hash(&words)),
            Origin::Sides { .. } => (4, 0),
            Origin::Met => (5, 0),
            Origin::Unseen => (6, 0),
        }
    }

    fn parent(&self) -> Option<u32> {
        match *self {
            Origin::Collective(parent) | Origin::Group(parent, _) => Some(parent.id),
            Origin::Sides { local, .. } => Some(local.id),
            Origin::Predefined(_) | Origin::Words(_) | Origin::Met | Origin::Unseen => None,
        }
    }
}

impl Known {
    /// Returns the identity of what is made from it; of what is uncertain, that is, too.
    fn child(self, mark: u64) -> u64 {
        match self.identity {
            UNCERTAIN => UNCERTAIN,
            identity => hash(&(identity, mark)),
        }
    }
}

/// The groups of a communicator, in an order on which both sides agree.
pub type Ends<'a> = (&'a Members, Option<&'a Members>);

/// Returns the groups of a communicator so that both sides of an
/// intercommunicator see them in one order: that of their lowest world rank.
pub fn sorted<'a>(members: &'a Members, remote: Option<&'a Members>) -> Ends<'a> {
    match remote {
        Some(remote) if remote.iter().min() < members.iter().min() => (remote, Some(members)),
        _ => (members, remote),
    }
}
