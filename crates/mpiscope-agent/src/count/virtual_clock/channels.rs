//! What a process knows of its channels of messages and of what was begun on them.
//!
//! All threads share it, behind one lock. Where several send on one channel at
//! once, nobody knows in which order MPI takes their messages: their stamps
//! may be exchanged.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use mpiscope_run::naming::hash;
use mpiscope_run::process::Members;
use mpiscope_run::system::space;
use rustc_hash::{FxHashMap, FxHashSet};

use super::comm::Comm;
use super::pair::Pair;
use super::{stamp_cost, CallObservations, Channel, Stamp};
use crate::base::clock::ticks;
use crate::base::guard::guarded;

/// Operations kept whose requests have not completed: those of freed requests never do.
pub(super) const MOST: usize = 1 << 16;
/// Channels of a process; what comes later is not told apart.
const MOST_CHANNELS: usize = 1 << 16;
/// Partners of a process on its host: a ring of 20 KiB in either direction with each.
const MOST_PAIRS: usize = 256;
/// Communicators of a process whose members, all of this host, tell in a file when they enter
/// collective operations.
const MOST_FILES: usize = 256;
/// In place of a channel's number: nothing is known of it any more.
const LOST: At = At::MAX;

/// Of what processes of different hosts tell each other, by messages of our own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remote {
    /// Of nothing: while one thread asks another host, the rest would wait for it.
    Nothing,
    /// Of one in sixteen messages of a channel and operations of a communicator, so that it costs
    /// little.
    Sample,
    /// Of all.
    All,
}

impl Remote {
    /// Whether a message or operation is told of that has this number on what is called so: both
    /// sides know that. Which are in the sample follows no period that a program might have, too.
    #[inline]
    pub fn has(self, name: u64, number: u64) -> bool {
        match self {
            Remote::Nothing => false,
            Remote::Sample => {
                let mixed = (name >> 1).wrapping_add(number);
                mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60 == 0
            }
            Remote::All => true,
        }
    }
}

/// A message: its channel and its number there.
pub type Sent = (At, u64);

/// Which of a process's channels.
pub type At = u32;

/// Messages of a channel so far: sent, received, receives posted.
#[derive(Default, Clone, Copy)]
pub struct Counts {
    pub sent: u64,
    pub received: u64,
    pub posted: u64,
    /// Messages that receives posted so far have taken or will take, where choices are enforced.
    pub taken: u64,
}

impl Counts {
    /// So many messages were received.
    pub fn receive(&mut self, many: u64) {
        self.received += many;
        self.taken = self.taken.max(self.received);
    }
}

/// Stamps of messages and of posts are on channels of their own.
#[derive(Clone, Copy, Hash)]
pub enum What {
    /// A message was sent.
    Message,
    /// A receive was posted.
    Post,
}

impl What {
    /// Stamps kept that nobody has asked for yet. Few sends wait for their receivers' posts, so
    /// that most of these nobody ever asks for.
    fn kept(self) -> usize {
        match self {
            What::Message => 4096,
            What::Post => 64,
        }
    }
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
    /// A receive on a communicator, and the message that it takes, if that is known.
    Receive(u32, Option<Sent>),
    /// A collective operation.
    Collective(Begun),
}

/// A channel: the messages of both directions, and who is at its other end.
struct State {
    counts: Counts,
    /// Which of the pairs its partner is, if it can be told anything.
    pair: Option<u32>,
    /// What its messages and its posts are called between the two.
    names: [u64; 2],
    /// What the partner has told of either and was not asked for yet.
    waiting: [VecDeque<Stamp>; 2],
}

impl State {
    /// Keeps what was not asked for yet.
    fn keep(&mut self, what: What, stamp: Stamp) {
        let waiting = &mut self.waiting[what as usize];
        if waiting.len() >= what.kept() {
            waiting.pop_front();
        }
        waiting.push_back(stamp);
    }

    /// Takes what was told of this number.
    fn take(&mut self, what: What, number: u64) -> Option<Stamp> {
        let waiting = &mut self.waiting[what as usize];
        let at = waiting.binary_search_by_key(&number, |stamp| stamp.number);
        waiting.remove(at.ok()?)
    }
}

/// What a process knows.
pub struct Channels {
    folder: PathBuf,
    rank: u32,
    /// World ranks of this host.
    here: Members,
    remote: Remote,
    comms: FxHashMap<u32, Option<Comm>>,
    files: usize,
    pairs: Vec<Pair>,
    /// Which of them a world rank is.
    pair_of: FxHashMap<u32, Option<u32>>,
    states: Vec<State>,
    /// Which of them a channel is.
    state_of: FxHashMap<Channel, At>,
    requests: FxHashMap<u32, Open>,
    /// Of which nothing is known any more: of communicators, or of all.
    lost: FxHashSet<u32>,
    all_lost: bool,
}

impl Channels {
    /// Begins; `here` are the world ranks of this host.
    pub fn new(folder: &Path, rank: u32, here: Members, remote: Remote) -> Self {
        Self {
            folder: folder.to_owned(),
            rank,
            here,
            remote,
            comms: FxHashMap::default(),
            files: 0,
            pairs: Vec::new(),
            pair_of: FxHashMap::default(),
            states: Vec::new(),
            state_of: FxHashMap::default(),
            requests: FxHashMap::default(),
            lost: FxHashSet::default(),
            all_lost: false,
        }
    }

    /// From here on processes of other hosts are told and asked of this, as all have agreed.
    pub fn join(&mut self, remote: Remote) {
        self.remote = remote;
    }

    /// Those of a process that is alone, and sends to itself.
    pub fn of_one() -> Self {
        let mut channels = Self::new(Path::new(""), 0, Members::new(&[0]), Remote::Nothing);
        channels.comms.insert(0, Some(Comm::of_one()));
        channels.pairs.push(Pair::with_itself());
        channels.pair_of.insert(0, Some(0));
        channels
    }

    /// Returns which channel this is; nothing where there are too many.
    #[inline]
    pub fn at(&mut self, channel: Channel) -> Option<At> {
        match self.state_of.get(&channel) {
            Some(&LOST) => None,
            Some(&at) => Some(at),
            None => self.begin(channel),
        }
    }

    /// The message that was told last on a channel is not sent; where nobody can be told so, nothing
    /// is known of it any more.
    pub fn take_back(&mut self, at: At) {
        let state = &mut self.states[at as usize];
        let number = state.counts.sent.saturating_sub(1);
        let pair = state
            .pair
            .and_then(|pair| self.pairs.get_mut(pair as usize));
        match pair.is_none_or(|pair| pair.take_back(state.names[0], number)) {
            true => state.counts.sent = number,
            false => self.lose(at),
        }
    }

    /// Nothing is known of the messages of a channel any more.
    pub fn lose(&mut self, lost: At) {
        let mut all = self.state_of.values_mut();
        if let Some(at) = all.find(|at| **at == lost) {
            *at = LOST;
        }
    }

    /// Nothing is known of the messages of a communicator any more.
    pub fn lose_comm(&mut self, comm: u32) {
        if !self.lost.insert(comm) {
            return;
        }
        for (channel, at) in &mut self.state_of {
            if channel.0 == comm {
                *at = LOST;
            }
        }
    }

    /// Nothing is known of any message any more.
    pub fn lose_all(&mut self) {
        if std::mem::replace(&mut self.all_lost, true) {
            return;
        }
        self.state_of.values_mut().for_each(|at| *at = LOST);
    }

    /// Which message meets which receive of a communicator is not known any more when that is posted.
    pub fn lose_posts(&mut self, comm: u32) {
        if let Some(comm) = self.comm(comm) {
            comm.knows_posts = false;
        }
    }

    /// Which message meets which receive is not known any more in any communicator that there is.
    pub fn lose_all_posts(&mut self) {
        for comm in self.comms.values_mut().flatten() {
            comm.knows_posts = false;
        }
    }

    /// Makes files, if it is the first with a partner; nobody would catch what goes wrong there.
    #[cold]
    fn begin(&mut self, channel: Channel) -> Option<At> {
        let mut at = None;
        guarded(|| at = self.begin_unguarded(channel));
        at
    }

    fn begin_unguarded(&mut self, channel: Channel) -> Option<At> {
        let is_lost = self.all_lost || self.lost.contains(&channel.0);
        if is_lost || self.states.len() >= MOST_CHANNELS {
            return None;
        }
        let at = self.states.len() as At;
        let mut state = State {
            counts: Counts::default(),
            pair: None,
            names: [0; 2],
            waiting: Default::default(),
        };
        if let Some((partner, names)) = self.partner(channel) {
            state.names = names;
            state.pair = self.pair(partner);
        }
        if let Some(pair) = state
            .pair
            .and_then(|pair| self.pairs.get_mut(pair as usize))
        {
            for what in [What::Message, What::Post] {
                let early = pair.know(state.names[what as usize], (at, what));
                early.for_each(|stamp| state.keep(what, stamp));
            }
        }
        self.states.push(state);
        self.state_of.insert(channel, at);
        Some(at)
    }

    /// Which collective operation of a communicator is which is not known any more.
    pub fn lose_entries(&mut self, comm: u32) {
        if let Some(comm) = self.comm(comm) {
            comm.lose_entries();
        }
    }

    /// Returns how many messages of a channel there were.
    #[inline]
    pub fn counts(&mut self, at: At) -> &mut Counts {
        &mut self.states[at as usize].counts
    }

    /// Returns which message of a channel the next receive takes.
    pub fn next(&self, channel: Channel) -> u64 {
        let at = self.state_of.get(&channel).filter(|at| **at != LOST);
        at.map_or(0, |&at| self.states[at as usize].counts.taken)
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

    /// Tells the partner of a channel; returns the ticks that this took.
    #[inline]
    pub fn tell(&mut self, at: At, what: What, stamp: Stamp) -> u64 {
        let state = &self.states[at as usize];
        let Some(number) = state.pair else { return 0 };
        let pair = &mut self.pairs[number as usize];
        let is_remote = pair.is_remote();
        let name = state.names[what as usize];
        if is_remote && !self.remote.has(name, stamp.number) {
            return 0;
        }
        // Who only sends asks for nothing, and what the partner tells would pile up.
        let takes_in = is_remote || pair.is_to_be_emptied();
        let began = takes_in.then(ticks);
        pair.tell(Stamp {
            channel: name,
            ..stamp
        });
        if takes_in {
            self.take_in(number);
        }
        match began {
            Some(began) => ticks().saturating_sub(began),
            None => stamp_cost(),
        }
    }

    /// Returns what the partner of a channel has told of this number, which nobody asks for again.
    #[inline]
    pub fn ask(
        &mut self,
        at: At,
        what: What,
        number: u64,
        told: &mut CallObservations,
    ) -> Option<Stamp> {
        let pair = self.states[at as usize].pair?;
        let is_remote = self.pairs.get(pair as usize)?.is_remote();
        let name = self.states[at as usize].names[what as usize];
        if is_remote && !self.remote.has(name, number) {
            return None;
        }
        let began = is_remote.then(ticks);
        let stamp = self.take(at, pair, what, number);
        told.after += match began {
            Some(began) => ticks().saturating_sub(began),
            None => stamp_cost(),
        };
        stamp
    }

    /// Nearly always it is what comes next.
    #[inline]
    fn take(&mut self, at: At, pair: u32, what: What, number: u64) -> Option<Stamp> {
        let state = &self.states[at as usize];
        let name = state.names[what as usize];
        let ways = &mut self.pairs[pair as usize];
        if state.waiting[what as usize].is_empty() {
            while let Some(stamp) = ways.take() {
                if stamp.channel == name && stamp.number == number {
                    if ways.is_crowded() {
                        self.take_in(pair);
                    }
                    return Some(stamp);
                }
                keep(&mut self.states, ways, stamp);
            }
        } else {
            self.take_in(pair);
        }
        self.states[at as usize].take(what, number)
    }

    /// Takes in whatever a partner has told.
    fn take_in(&mut self, pair: u32) {
        let ways = &mut self.pairs[pair as usize];
        while let Some(stamp) = ways.take() {
            keep(&mut self.states, ways, stamp);
        }
    }

    /// Returns when a message was sent, if its sender told it; it may be asked for again.
    pub fn look(&mut self, channel: Channel, number: u64) -> Option<Stamp> {
        let at = self.at(channel)?;
        self.take_in(self.states[at as usize].pair?);
        let waiting = &self.states[at as usize].waiting[What::Message as usize];
        let found = waiting.binary_search_by_key(&number, |stamp| stamp.number);
        waiting.get(found.ok()?).copied()
    }

    /// Returns whether the partner of a channel is on another host, and is told all the same.
    #[inline]
    pub fn is_remote(&self, at: At) -> bool {
        let pair = self.states[at as usize].pair;
        pair.is_some_and(|pair| self.pairs[pair as usize].is_remote())
    }

    /// Knows a communicator that is not known to the process.
    #[cfg(test)]
    pub fn define(&mut self, comm: &mpiscope_run::process::Communicator) {
        let known = Comm::new(comm, &self.folder, self.rank, &self.here, true, self.remote);
        self.comms.insert(comm.id, Some(known));
    }

    /// Returns what is known of a communicator.
    #[inline]
    pub fn comm(&mut self, id: u32) -> Option<&mut Comm> {
        if !self.comms.contains_key(&id) {
            self.know(id);
        }
        self.comms.get_mut(&id)?.as_mut()
    }

    /// Makes a file, if its members are all here; nobody would catch what goes wrong there.
    #[cold]
    fn know(&mut self, id: u32) {
        let mut known = None;
        guarded(|| known = self.new_comm(id));
        self.comms.insert(id, known);
    }

    fn new_comm(&mut self, id: u32) -> Option<Comm> {
        let defined = super::super::monitor::get()?.communicator(id)?;
        let may_make = self.files < MOST_FILES && has_room(&self.folder);
        let (folder, here) = (&self.folder, &self.here);
        let comm = Comm::new(&defined, folder, self.rank, here, may_make, self.remote);
        self.files += usize::from(comm.has_file());
        Some(comm)
    }

    /// Returns the world rank of the partner of a channel, and what its messages and posts are
    /// called between the two.
    fn partner(&mut self, (comm, peer, tag): Channel) -> Option<(u32, [u64; 2])> {
        let known = self.comm(comm)?;
        let partner = known.peers.get(peer as usize).copied()?;
        let name = |what| hash(&(known.identity, tag, what));
        Some((partner, [name(What::Message), name(What::Post)]))
    }

    fn pair(&mut self, partner: u32) -> Option<u32> {
        if let Some(&known) = self.pair_of.get(&partner) {
            return known;
        }
        let made = self.new_pair(partner).map(|pair| {
            self.pairs.push(pair);
            self.pairs.len() as u32 - 1
        });
        self.pair_of.insert(partner, made);
        made
    }

    fn new_pair(&self, partner: u32) -> Option<Pair> {
        if self.here.iter().any(|near| near == partner) {
            let near = self.pairs.iter().filter(|pair| !pair.is_remote());
            let may_make = near.count() < MOST_PAIRS && has_room(&self.folder);
            return may_make.then(|| Pair::near(&self.folder, self.rank, partner))?;
        }
        let tells = self.remote != Remote::Nothing && super::super::monitor::get()?.settings.stamps;
        tells.then(|| Pair::remote_clocks(partner))
    }
}

/// Whether there is enough shared memory left for the program: half of all.
fn has_room(folder: &Path) -> bool {
    space(folder).is_ok_and(|(free, total)| 2 * free >= total)
}

/// Keeps what a partner has told of one of its channels.
#[inline]
fn keep(states: &mut [State], ways: &mut Pair, stamp: Stamp) {
    let known = ways.known(stamp.channel);
    match known.and_then(|(at, what)| Some((states.get_mut(at as usize)?, what))) {
        Some((state, what)) => state.keep(what, stamp),
        None => ways.keep_early(stamp),
    }
}
