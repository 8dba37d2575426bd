//! What goes between two processes: in rings of shared memory on a host, by
//! messages of our own between hosts, if that is wanted.

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use super::with_remote_clocks;
use crate::peers::clock_ring::{Ring, Stamp};

/// Stamps kept of one channel that nobody has asked for yet.
const KEPT: usize = 4096;

/// Both directions between two processes.
pub struct Pair {
    way: Way,
    /// What came in and was not asked for yet, by the channel's hash.
    stamps: HashMap<u64, VecDeque<Stamp>>,
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

    /// With a process of another host.
    pub fn remote_clocks(partner: u32) -> Self {
        Self::by(Way::RemoteClocks(partner))
    }

    fn by(way: Way) -> Self {
        Self {
            way,
            stamps: HashMap::new(),
        }
    }

    /// Whether the partner is on another host: to tell it something takes a message.
    pub fn is_abroad(&self) -> bool {
        matches!(self.way, Way::RemoteClocks(_))
    }

    /// Tells the partner.
    pub fn tell(&mut self, stamp: Stamp) {
        match &mut self.way {
            Way::Near { out, .. } => out.put(stamp),
            Way::RemoteClocks(partner) => {
                with_remote_clocks(|remote_clocks| remote_clocks.tell(*partner, stamp));
            }
        }
    }

    /// Returns what the partner has told of this number of a channel, which nobody asks for again,
    /// nor for those before it.
    pub fn ask(&mut self, channel: u64, number: u64) -> Option<Stamp> {
        self.take_in();
        let waiting = self.stamps.get_mut(&channel)?;
        while waiting.front().is_some_and(|stamp| stamp.number < number) {
            waiting.pop_front();
        }
        match waiting.front().is_some_and(|stamp| stamp.number == number) {
            true => waiting.pop_front(),
            false => None,
        }
    }

    /// The same, and it may be asked for again.
    pub fn look(&mut self, channel: u64, number: u64) -> Option<Stamp> {
        self.take_in();
        let waiting = self.stamps.get(&channel)?;
        let at = waiting.binary_search_by_key(&number, |stamp| stamp.number);
        waiting.get(at.ok()?).copied()
    }

    fn take_in(&mut self) {
        while let Some(stamp) = self.way.take() {
            let waiting = self.stamps.entry(stamp.channel).or_default();
            if waiting.len() >= KEPT {
                waiting.pop_front();
            }
            waiting.push_back(stamp);
        }
    }
}

impl Way {
    fn take(&mut self) -> Option<Stamp> {
        match self {
            Way::Near { into, .. } => into.take(),
            Way::RemoteClocks(partner) => {
                with_remote_clocks(|remote_clocks| remote_clocks.take(*partner)).flatten()
            }
        }
    }
}
