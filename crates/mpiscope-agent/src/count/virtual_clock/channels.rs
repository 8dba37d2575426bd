//! What a process knows of its channels of messages and of what was begun on them.
//!
//! All threads share it, behind one lock. Where several send on one channel at
//! once, nobody knows in which order MPI takes their messages: their stamps
//! may be exchanged.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mpiscope_run::naming::hash;
use mpiscope_run::process::Members;

use super::comm::Comm;
use super::pair::Pair;
use super::{CallObservations, Channel, Stamp};
use crate::base::clock::ticks;

/// Operations kept whose requests have not completed: those of freed requests never do.
pub(super) const MOST: usize = 1 << 16;

/// A message: its channel and its number there.
pub type Sent = (Channel, u64);

/// Messages of a channel so far: sent, received, receives posted.
#[derive(Default, Clone, Copy)]
pub struct Counts {
    pub sent: u64,
    pub received: u64,
    pub posted: u64,
    /// Messages that receives posted so far have taken or will take, where choices are enforced.
    pub taken: u64,
}

/// Stamps of messages and of posts are on channels of their own.
#[derive(Clone, Copy, Hash)]
pub enum What {
    /// A message was sent.
    Message,
    /// A receive was posted.
    Post,
}

/// A collective operation that was entered.
#[derive(Clone, Copy)]
pub struct Begun {
    /// Its communicator.
    pub comm: u32,
    /// The root's rank in it, if there is one.
    pub root: u32,
    /// Which operation of its communicator it is.
    pub number: u64,
}

/// What a request stands for.
#[derive(Clone, Copy)]
pub enum Open {
    /// A message that may wait to be received.
    Send(Sent),
    /// A collective operation.
    Collective(Begun),
}

/// What a process knows.
pub struct Channels {
    folder: PathBuf,
    rank: u32,
    /// World ranks of this host.
    here: Members,
    /// Whether nobody else may want to know something while another host is asked.
    asks_remote: bool,
    comms: HashMap<u32, Option<Comm>>,
    pairs: HashMap<u32, Option<Pair>>,
    counts: HashMap<Channel, Counts>,
    requests: HashMap<u32, Open>,
}

impl Channels {
    /// Begins; `here` are the world ranks of this host.
    pub fn new(folder: &Path, rank: u32, here: Members, asks_remote: bool) -> Self {
        Self {
            folder: folder.to_owned(),
            rank,
            here,
            asks_remote,
            comms: HashMap::new(),
            pairs: HashMap::new(),
            counts: HashMap::new(),
            requests: HashMap::new(),
        }
    }

    /// Returns how many messages of a channel there were.
    pub fn counts(&mut self, channel: Channel) -> &mut Counts {
        self.counts.entry(channel).or_default()
    }

    /// Returns which message of a channel the next receive takes.
    pub fn next(&self, channel: Channel) -> u64 {
        self.counts.get(&channel).map_or(0, |counts| counts.taken)
    }

    /// Notes what a request stands for, if there is room.
    pub fn open(&mut self, request: u32, what: Open) {
        if self.requests.len() < MOST {
            self.requests.insert(request, what);
        }
    }

    /// Returns what a request stood for, if that was noted.
    pub fn close(&mut self, request: u32) -> Option<Open> {
        self.requests.remove(&request)
    }

    /// Tells the partner of a channel.
    pub fn tell(
        &mut self,
        channel: Channel,
        what: What,
        stamp: Stamp,
        told: &mut CallObservations,
    ) {
        let Some((partner, hash)) = self.key(channel, what) else {
            return;
        };
        let Some(pair) = self.pair(partner) else {
            return;
        };
        let began = pair.is_abroad().then(ticks);
        pair.tell(Stamp {
            channel: hash,
            ..stamp
        });
        if let Some(began) = began {
            told.partners.hold(ticks().saturating_sub(began));
        }
    }

    /// Returns what the partner of a channel has told.
    pub fn ask(
        &mut self,
        channel: Channel,
        what: What,
        number: u64,
        told: &mut CallObservations,
    ) -> Option<Stamp> {
        let (partner, hash) = self.key(channel, what)?;
        let pair = self.pair(partner)?;
        let began = pair.is_abroad().then(ticks);
        let stamp = pair.ask(hash, number);
        if let Some(began) = began {
            told.after += ticks().saturating_sub(began);
        }
        stamp
    }

    /// Returns when a message was sent, if its sender told it; it may be asked for again.
    pub fn look(&mut self, channel: Channel, number: u64) -> Option<Stamp> {
        let (partner, hash) = self.key(channel, What::Message)?;
        self.pair(partner)?.look(hash, number)
    }

    /// Returns whether the partner of a channel is on another host, and is told all the same.
    pub fn is_abroad(&mut self, channel: Channel) -> bool {
        let pair = (self.key(channel, What::Post)).and_then(|(partner, _)| self.pair(partner));
        pair.is_some_and(|pair| pair.is_abroad())
    }

    /// Returns what is known of a communicator.
    pub fn comm(&mut self, id: u32) -> Option<&mut Comm> {
        let (folder, here) = (&self.folder, &self.here);
        let known = self.comms.entry(id).or_insert_with(|| {
            let defined = super::super::monitor::get()?.communicator(id)?;
            let comm = Comm::new(&defined, folder, self.rank, here, self.asks_remote);
            Some(comm)
        });
        known.as_mut()
    }

    /// Returns the world rank of the partner of a channel, and what the channel is called in the ring.
    fn key(&mut self, (comm, peer, tag): Channel, what: What) -> Option<(u32, u64)> {
        let known = self.comm(comm)?;
        let partner = known.peers.get(peer as usize).copied()?;
        Some((partner, hash(&(known.identity, tag, what))))
    }

    fn pair(&mut self, partner: u32) -> Option<&mut Pair> {
        let (folder, rank, here) = (&self.folder, self.rank, &self.here);
        let known = self.pairs.entry(partner).or_insert_with(|| {
            if here.iter().any(|near| near == partner) {
                return Pair::near(folder, rank, partner);
            }
            let tells = self.asks_remote && super::super::monitor::get()?.settings.stamps;
            tells.then(|| Pair::remote_clocks(partner))
        });
        known.as_mut()
    }
}
