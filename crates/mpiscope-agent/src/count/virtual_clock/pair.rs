//! What goes between two processes: in rings of shared memory on a host, by
//! messages of our own between hosts, if that is wanted.

use std::collections::VecDeque;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::channels::{At, What};
use super::with_remote_clocks;
use crate::peers::clock_ring::{Ring, Stamp};

/// Stamps kept on channels that this process has not come to yet.
const EARLY: usize = 4096;

/// Both directions between two processes.
pub struct Pair {
    way: Way,
    /// How often the partner was told something.
    told: u32,
    /// What their channels are called.
    names: FxHashMap<u64, (At, What)>,
    /// What came in on channels that are not known yet.
    early: VecDeque<Stamp>,
}

enum Way {
    Near { out: Ring, into: Ring },
    RemoteClocks(u32),
}

impl Pair {
    /// Between two processes of a host; nothing if they cannot share memory.
    pub fn near(folder: &Path, rank: u32, partner: u32) -> Option<Self> {
        let way = Way::Near {
            out: Ring::open(folder, rank, partner).ok()?,
            into: Ring::open(folder, partner, rank).ok()?,
        };
        Some(Self::by(way))
    }

    /// Of a process with itself, in memory that nobody else sees.
    pub fn with_itself() -> Self {
        let [out, into] = Ring::private();
        Self::by(Way::Near { out, into })
    }

    /// With a process of another host.
    pub fn remote_clocks(partner: u32) -> Self {
        Self::by(Way::RemoteClocks(partner))
    }

    fn by(way: Way) -> Self {
        Self {
            way,
            told: 0,
            names: FxHashMap::default(),
            early: VecDeque::new(),
        }
    }

    /// Whether the partner is on another host: to tell it something takes a message.
    #[inline]
    pub fn is_remote(&self) -> bool {
        matches!(self.way, Way::RemoteClocks(_))
    }

    /// Tells the partner.
    #[inline]
    pub fn tell(&mut self, stamp: Stamp) {
        match &mut self.way {
            Way::Near { out, .. } => out.put(stamp),
            Way::RemoteClocks(partner) => {
                with_remote_clocks(|remote_clocks| remote_clocks.tell(*partner, stamp));
            }
        }
    }

    /// Takes back what was told last, if it is this, and can be taken back.
    pub fn take_back(&mut self, channel: u64, number: u64) -> bool {
        match &mut self.way {
            Way::Near { out, .. } => out.take_back(channel, number),
            Way::RemoteClocks(_) => false,
        }
    }

    /// Returns what the partner has told next.
    #[inline]
    pub fn take(&mut self) -> Option<Stamp> {
        match &mut self.way {
            Way::Near { into, .. } => into.take(),
            Way::RemoteClocks(partner) => {
                with_remote_clocks(|remote_clocks| remote_clocks.take(*partner)).flatten()
            }
        }
    }

    /// Whether what the partner tells may soon have no room any more.
    #[inline]
    pub fn is_crowded(&self) -> bool {
        match &self.way {
            Way::Near { into, .. } => into.is_crowded(),
            Way::RemoteClocks(_) => false,
        }
    }

    /// Whether what the partner has told fills half of its room, as is looked at now and then when
    /// the partner is told something.
    #[inline]
    pub fn is_to_be_emptied(&mut self) -> bool {
        self.told = self.told.wrapping_add(1);
        match &self.way {
            Way::Near { into, .. } => self.told.is_multiple_of(64) && into.is_half_full(),
            Way::RemoteClocks(_) => false,
        }
    }

    /// Returns which channel is called so, if it is known.
    #[inline]
    pub fn known(&self, name: u64) -> Option<(At, What)> {
        self.names.get(&name).copied()
    }

    /// Keeps what came on a channel that is not known yet.
    pub fn keep_early(&mut self, stamp: Stamp) {
        if stamp.channel == 0 {
            return; // taken back
        }
        if self.early.len() >= EARLY {
            self.early.pop_front();
        }
        self.early.push_back(stamp);
    }

    /// A channel is called so: returns what came on it before.
    pub fn know(&mut self, name: u64, channel: (At, What)) -> impl Iterator<Item = Stamp> {
        self.names.insert(name, channel);
        let (own, rest): (VecDeque<_>, _) = (self.early.drain(..)).partition(|s| s.channel == name);
        self.early = rest;
        own.into_iter()
    }
}
