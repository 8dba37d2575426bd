//! Time as it would have gone without observation.
//!
//! A process's virtual time V is its clock less the time I that observation
//! has taken. Where it waited for others, that is not all: a partner that came
//! late because it was observed made it wait longer, and one that was itself
//! held up had a part of its waiting for nothing. So whoever sends tells, in
//! shared memory, when it did and what observation had taken by then (`ring`),
//! and whoever received computes
//!
//! ```text
//! T_last = max(T_ready, T of the partners)      when all were there, in fact
//! copy   = T_end − T_last                       what came then
//! V_end  = max(V_ready, V of the partners) + copy
//! ```
//!
//! and from there on I = T − V. The part of V_end − V_ready in which it waited
//! for a partner is the synchronization delay; the rest is the transmission. For
//! a send that waits for its receiver (MPI_Ssend, and others that are too large
//! to be taken in) the receiver's post stands for the message; in a collective
//! operation the entry of those that this member depends on (`meeting`). All of
//! a host read one clock; between hosts it goes by messages of our own
//! (`abroad`), in a time that all have in common (`common`). Where a partner's
//! word did not get here, nothing is told apart, and that is counted.

mod abroad;
mod comm;
mod common;
mod meeting;
mod pair;
mod ring;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mpi_abi::{id, FunctionId};
use mpiscope_run::process::Members;
use mpiscope_run::record::Message;

use crate::clock::ticks;
pub use abroad::Abroad;
use comm::Comm;
pub use common::{Common, Line as ClockLine};
use pair::Pair;
pub use ring::Stamp;

/// A send of fewer bytes never waits for its receiver.
const EAGER: u64 = 1024;
/// A send that takes more ticks than this may have waited.
const LONG: u64 = 10_000;
/// So often its receiver's word is looked for: some microseconds.
const TURNS: u32 = 64;

/// A line of messages: communicator, partner, tag.
pub type Line = (u32, u32, u32);

/// Messages of a line so far: sent, received, receives posted.
#[derive(Default, Clone, Copy)]
struct Counts {
    sent: u64,
    received: u64,
    posted: u64,
    /// Messages that receives posted so far have taken or will take, where choices are enforced.
    taken: u64,
}

/// The virtual clock of one thread.
pub struct VirtualClock {
    folder: PathBuf,
    rank: u32,
    comms: HashMap<u32, Option<Comm>>,
    pairs: HashMap<u32, Option<Pair>>,
    counts: HashMap<Line, Counts>,
    here: Members,
    /// Of the call that is being made: what its partners have told.
    told: Told,
}

/// What partners have told of the call that is being made.
#[derive(Default)]
pub struct Told {
    /// The latest time of a partner, and the latest virtual time.
    latest: Option<(u64, u64)>,
    /// Partners of which nothing is known.
    unknown: u32,
    /// The line and number of the message that a send may wait to be received.
    waits: Option<(Line, u64)>,
    /// Ticks of the call that the unobserved program would not have waited.
    held: u64,
    /// Ticks after the call that were spent with other hosts.
    after: u64,
    /// The collective operation that was begun: communicator and root.
    collective: Option<(u32, u32)>,
}

impl Told {
    fn add(&mut self, stamp: Option<Stamp>) {
        match stamp {
            Some(stamp) => {
                let (time, virtual_time) = (stamp.time, stamp.time.saturating_sub(stamp.intrusion));
                let (a, b) = self.latest.unwrap_or_default();
                self.latest = Some((a.max(time), b.max(virtual_time)));
            }
            None => self.unknown += 1,
        }
    }
}

/// Stamps of messages and of posts are on lines of their own.
#[derive(Clone, Copy, Hash)]
enum What {
    Message,
    Post,
}

impl VirtualClock {
    /// Begins; `here` are the world ranks of this host.
    pub fn new(folder: &Path, rank: u32, here: Members) -> Self {
        Self {
            folder: folder.to_owned(),
            rank,
            comms: HashMap::new(),
            pairs: HashMap::new(),
            counts: HashMap::new(),
            here,
            told: Told::default(),
        }
    }

    /// A call begins.
    #[inline]
    pub fn begin(&mut self) {
        self.told = Told::default();
    }

    /// A message is about to be sent.
    pub fn sends(&mut self, message: &Message, may_wait: bool, now: Stamp) {
        let line = (message.comm, message.peer, message.tag);
        let counts = self.counts.entry(line).or_default();
        let number = counts.sent;
        counts.sent += 1;
        self.tell(line, What::Message, Stamp { number, ..now });
        if may_wait || message.bytes >= EAGER {
            self.told.waits = Some((line, number));
        }
    }

    /// A receive is about to be posted.
    pub fn posts(&mut self, asked: &Message, now: Stamp) {
        if asked.wildcard.source || asked.wildcard.tag {
            if let Some(comm) = self.comm(asked.comm) {
                comm.wildcards = true;
            }
            return;
        }
        let line = (asked.comm, asked.peer, asked.tag);
        let counts = self.counts.entry(line).or_default();
        let number = counts.posted;
        counts.posted += 1;
        // Between hosts that takes a message: only where a send may wait for it.
        let certain = self.comm(asked.comm).is_some_and(|comm| !comm.wildcards)
            && (asked.bytes >= EAGER || !self.is_abroad(line));
        if certain {
            self.tell(line, What::Post, Stamp { number, ..now });
        }
    }

    /// A message was received; `blocking` is when its receive began, if that blocks.
    pub fn received(&mut self, message: &Message, blocking: Option<Stamp>) {
        let line = (message.comm, message.peer, message.tag);
        let counts = self.counts.entry(line).or_default();
        let number = counts.received;
        counts.received += 1;
        counts.taken = counts.taken.max(counts.received);
        let stamp = self.ask(line, What::Message, number);
        self.told.add(stamp);
        let told = self.comm(message.comm).is_some_and(|comm| !comm.wildcards);
        let told = told || message.bytes < EAGER && self.is_abroad(line);
        if let Some(ready) = blocking.filter(|_| !told) {
            self.tell(line, What::Post, Stamp { number, ..ready });
        }
    }

    /// A blocking collective operation begins.
    pub fn meets(&mut self, function: u16, comm: u32, root: u32, now: Stamp) {
        let began = ticks();
        let abroad = (self.comm(comm)).is_some_and(|comm| comm.enter(function, root, now));
        if abroad {
            self.told.held += ticks().saturating_sub(began);
        }
        self.told.collective = Some((comm, root));
    }

    /// It has ended.
    pub fn met(&mut self, function: u16) {
        let Some((comm, root)) = self.told.collective.take() else {
            return;
        };
        let began = ticks();
        let mut told = std::mem::take(&mut self.told);
        let abroad = match self.comm(comm) {
            Some(comm) => comm.leave(function, root, |entry| told.add(entry)),
            None => {
                told.unknown += 1;
                false
            }
        };
        if abroad {
            told.after += ticks().saturating_sub(began);
        }
        self.told = told;
    }

    /// The call ends: returns its end in virtual time and, of the time before
    /// that, how long it waited for a partner, if that is known; nothing if the
    /// end is as the clock says.
    pub fn end(&mut self, ready: Stamp, end: u64) -> Option<(u64, Option<u64>)> {
        if let Some((line, number)) = self.told.waits.take() {
            let long = end.saturating_sub(ready.time) > LONG;
            let post = self.ask_for_post(line, number, long);
            // A send that was taken in before the receive was posted did not wait for it.
            if let Some(post) = post.filter(|post| post.time > ready.time && post.time < end) {
                self.told.add(Some(post));
            }
        }
        let ready_virtual = ready.time.saturating_sub(ready.intrusion);
        let held = self.told.held;
        let Some((time, virtual_time)) = self.told.latest.filter(|_| self.told.unknown == 0) else {
            let elapsed = end.saturating_sub(ready.time).saturating_sub(held);
            return (held > 0).then_some((ready_virtual + elapsed, None));
        };
        let copy = end
            .saturating_sub(ready.time.max(time))
            .saturating_sub(held);
        let delay = virtual_time.saturating_sub(ready_virtual);
        Some((ready_virtual + delay + copy, Some(delay)))
    }

    /// Returns the ticks that were spent with other hosts since the call ended.
    pub fn after(&self) -> u64 {
        self.told.after
    }

    /// A choice has waited so many ticks that the unobserved program would not have waited.
    pub fn held(&mut self, ticks: u64) {
        self.told.held += ticks;
    }

    /// A receive was posted that takes the next message of a line.
    pub fn takes(&mut self, line: Line) {
        self.counts.entry(line).or_default().taken += 1;
    }

    /// Returns which message of a line the next receive takes.
    pub fn next(&self, line: Line) -> u64 {
        self.counts.get(&line).map_or(0, |counts| counts.taken)
    }

    /// Returns the virtual time at which a message that was not received yet was sent, if its
    /// sender told it.
    pub fn sent(&mut self, line: Line, number: u64) -> Option<u64> {
        let stamp = self.stamp(line, number)?;
        Some(stamp.time.saturating_sub(stamp.intrusion))
    }

    /// A probe has found the next message of a line.
    pub fn found(&mut self, line: Line) {
        let stamp = self.stamp(line, self.next(line));
        self.told.add(stamp);
    }

    fn stamp(&mut self, line: Line, number: u64) -> Option<Stamp> {
        let (partner, hash) = self.key(line, What::Message)?;
        self.pair(partner)?.look(hash, number)
    }

    /// Returns when the receive of a message was posted. Where a receiver cannot
    /// tell before it has received, its word comes a moment after the send has
    /// returned: after one that took `long` some turns are spent on it.
    fn ask_for_post(&mut self, line: Line, number: u64, long: bool) -> Option<Stamp> {
        let turns = if long { TURNS } else { 1 };
        (0..turns).find_map(|_| {
            std::hint::spin_loop();
            self.ask(line, What::Post, number)
        })
    }

    fn tell(&mut self, line: Line, what: What, stamp: Stamp) {
        let Some((partner, hash)) = self.key(line, what) else {
            return;
        };
        let Some(pair) = self.pair(partner) else {
            return;
        };
        let began = pair.is_abroad().then(ticks);
        pair.tell(Stamp {
            line: hash,
            ..stamp
        });
        if let Some(began) = began {
            self.told.held += ticks().saturating_sub(began);
        }
    }

    fn ask(&mut self, line: Line, what: What, number: u64) -> Option<Stamp> {
        let (partner, hash) = self.key(line, what)?;
        let pair = self.pair(partner)?;
        let began = pair.is_abroad().then(ticks);
        let stamp = pair.ask(hash, number);
        if let Some(began) = began {
            self.told.after += ticks().saturating_sub(began);
        }
        stamp
    }

    /// Returns the world rank of the partner of a line, and what the line is called in the ring.
    fn key(&mut self, (comm, peer, tag): Line, what: What) -> Option<(u32, u64)> {
        let known = self.comm(comm)?;
        let partner = known.peers.get(peer as usize).copied()?;
        Some((partner, crate::comms::hash(&(known.identity, tag, what))))
    }

    fn is_abroad(&mut self, line: Line) -> bool {
        let pair = (self.key(line, What::Post)).and_then(|(partner, _)| self.pair(partner));
        pair.is_some_and(|pair| pair.is_abroad())
    }

    fn comm(&mut self, id: u32) -> Option<&mut Comm> {
        let (folder, here) = (&self.folder, &self.here);
        let known = self.comms.entry(id).or_insert_with(|| {
            let defined = super::get()?.communicator(id)?;
            Some(Comm::new(&defined, folder, self.rank, here))
        });
        known.as_mut()
    }

    fn pair(&mut self, partner: u32) -> Option<&mut Pair> {
        let (folder, rank, here) = (&self.folder, self.rank, &self.here);
        let known = self.pairs.entry(partner).or_insert_with(|| {
            if here.iter().any(|near| near == partner) {
                return Pair::near(folder, rank, partner);
            }
            let tells = super::get()?.settings.stamps;
            tells.then(|| Pair::abroad(partner))
        });
        known.as_mut()
    }
}

/// Works with the ways to other hosts, if there are any.
fn with_abroad<T>(work: impl FnOnce(&mut Abroad) -> T) -> Option<T> {
    Some(work(&mut *super::get()?.abroad()?))
}

/// Whether a send returns only after its receive was posted, however short it is.
pub fn may_wait(function: u16) -> bool {
    matches!(FunctionId(function), id::MPI_SSEND | id::MPI_SSEND_C)
}

#[cfg(test)]
mod tests;
