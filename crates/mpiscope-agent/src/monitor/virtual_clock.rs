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
//! a host read one clock. Where a partner is on another host, or its word did
//! not get here, nothing is told apart, and that is counted.

mod meeting;
mod ring;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use mpi_abi::{id, FunctionId, Role};
use mpiscope_run::process::{Communicator, Members};
use mpiscope_run::record::{Message, NO_ROOT};

use meeting::Meeting;
use ring::Ring;
pub use ring::Stamp;

/// A send of fewer bytes never waits for its receiver.
const EAGER: u64 = 1024;
/// A send that takes more ticks than this may have waited.
const LONG: u64 = 10_000;
/// So often its receiver's word is looked for: some microseconds.
const TURNS: u32 = 64;
/// Stamps kept of one line that nobody has asked for yet.
const KEPT: usize = 4096;

/// What a process knows of a communicator to find partners in it.
struct Comm {
    identity: u64,
    /// World ranks that messages go to.
    peers: Vec<u32>,
    /// Our rank, and who meets in collective operations; nothing if some are on other hosts.
    meeting: Option<Meeting>,
    /// A receive from anybody was posted: which receive a message meets is not known at its post.
    wildcards: bool,
}

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

/// Both directions between two processes.
struct Pair {
    out: Ring,
    into: Ring,
    /// What came in and was not asked for yet, by the line's hash.
    stamps: HashMap<u64, VecDeque<Stamp>>,
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
    /// Ticks that a choice had to wait.
    held: u64,
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
        let certain = self.comm(asked.comm).is_some_and(|comm| !comm.wildcards);
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
        if let Some(ready) = blocking.filter(|_| !told) {
            self.tell(line, What::Post, Stamp { number, ..ready });
        }
    }

    /// A blocking collective operation begins.
    pub fn meets(&mut self, comm: u32, root: u32, now: Stamp) {
        if let Some(meeting) = self.comm(comm).and_then(|comm| comm.meeting.as_mut()) {
            meeting.enter(now);
        }
        self.told.collective = Some((comm, root));
    }

    /// It has ended.
    pub fn met(&mut self, function: u16) {
        let Some((comm, root)) = self.told.collective.take() else {
            return;
        };
        let role = FunctionId(function).function().role;
        let mut told = std::mem::take(&mut self.told);
        match self.comm(comm).and_then(|comm| comm.meeting.as_mut()) {
            Some(meeting) => {
                for member in depends_on(role, root, meeting.rank, meeting.size) {
                    told.add(meeting.entered(member));
                }
            }
            None => told.unknown += 1,
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
        let pair = self.pair(partner)?;
        pair.take_in();
        let waiting = pair.stamps.get(&hash)?;
        let at = waiting.binary_search_by_key(&number, |stamp| stamp.number);
        waiting.get(at.ok()?).copied()
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
        if let Some(pair) = self.pair(partner) {
            pair.out.put(Stamp {
                line: hash,
                ..stamp
            });
        }
    }

    fn ask(&mut self, line: Line, what: What, number: u64) -> Option<Stamp> {
        let (partner, hash) = self.key(line, what)?;
        let pair = self.pair(partner)?;
        pair.take_in();
        let waiting = pair.stamps.get_mut(&hash)?;
        while waiting.front().is_some_and(|stamp| stamp.number < number) {
            waiting.pop_front();
        }
        let next = waiting.front().is_some_and(|stamp| stamp.number == number);
        if next {
            waiting.pop_front()
        } else {
            None
        }
    }

    /// Returns the world rank of the partner of a line, and what the line is called in the ring.
    fn key(&mut self, (comm, peer, tag): Line, what: What) -> Option<(u32, u64)> {
        let known = self.comm(comm)?;
        let partner = known.peers.get(peer as usize).copied()?;
        Some((partner, crate::comms::hash(&(known.identity, tag, what))))
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
            let near = here.iter().any(|near| near == partner);
            near.then(|| Pair::new(folder, rank, partner))?
        });
        known.as_mut()
    }
}

impl Pair {
    fn new(folder: &Path, rank: u32, partner: u32) -> Option<Self> {
        Some(Self {
            out: Ring::open(folder, rank, partner).ok()?,
            into: Ring::open(folder, partner, rank).ok()?,
            stamps: HashMap::new(),
        })
    }

    fn take_in(&mut self) {
        while let Some(stamp) = self.into.take() {
            let waiting = self.stamps.entry(stamp.line).or_default();
            if waiting.len() >= KEPT {
                waiting.pop_front();
            }
            waiting.push_back(stamp);
        }
    }
}

impl Comm {
    fn new(defined: &Communicator, folder: &Path, rank: u32, here: &Members) -> Self {
        let near = |member: u32| here.iter().any(|near| near == member);
        let all_near = defined.remote.is_none() && defined.members.iter().all(near);
        let own = defined.members.iter().position(|member| member == rank);
        let size = defined.members.len();
        let meeting = own
            .filter(|_| all_near && size > 1)
            .and_then(|own| Meeting::open(folder, defined.identity, own, size).ok());
        Self {
            identity: defined.identity,
            peers: (defined.remote.as_ref())
                .unwrap_or(&defined.members)
                .iter()
                .collect(),
            meeting,
            wildcards: false,
        }
    }
}

/// Returns the members of a collective operation without whose entry a member cannot leave it.
fn depends_on(role: Role, root: u32, rank: usize, size: usize) -> Vec<usize> {
    let others = (0..size).filter(|&member| member != rank);
    let is_root = root as usize == rank;
    match role {
        Role::Barrier | Role::CollAll2All => others.collect(),
        Role::CollOne2All if root != NO_ROOT && !is_root => vec![root as usize],
        Role::CollAll2One if is_root => others.collect(),
        _ => Vec::new(),
    }
}

/// Whether a send returns only after its receive was posted, however short it is.
pub fn may_wait(function: u16) -> bool {
    matches!(FunctionId(function), id::MPI_SSEND | id::MPI_SSEND_C)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(time: u64, intrusion: u64) -> Stamp {
        Stamp {
            time,
            intrusion,
            ..Stamp::default()
        }
    }

    fn clock() -> VirtualClock {
        VirtualClock::new(Path::new("/nowhere"), 0, Members::new(&[0, 1]))
    }

    #[test]
    fn a_partner_that_was_late_because_it_was_observed_was_not_waited_for() {
        let mut clock = clock();
        // We were ready at 100; the message was sent at 150, of which 40 were observation.
        clock.told.add(Some(stamp(150, 40)));
        assert_eq!(clock.end(stamp(100, 0), 160), Some((120, Some(10))));
    }

    #[test]
    fn who_was_held_up_himself_would_have_waited() {
        let mut clock = clock();
        // Held up by 60, we came at 160 for a message of 150 that was there.
        clock.told.add(Some(stamp(150, 0)));
        assert_eq!(clock.end(stamp(160, 60), 165), Some((155, Some(50))));
    }

    #[test]
    fn without_intrusion_virtual_time_is_time() {
        for (sent, ready, end) in [(10, 20, 25), (20, 10, 25), (20, 20, 20)] {
            let mut clock = clock();
            clock.told.add(Some(stamp(sent, 0)));
            let (virtual_end, _) = clock.end(stamp(ready, 0), end).unwrap();
            assert_eq!(virtual_end, end);
        }
    }

    #[test]
    fn a_choice_that_was_held_up_took_no_time() {
        let mut clock = clock();
        clock.told.add(Some(stamp(150, 40)));
        clock.held(200);
        assert_eq!(clock.end(stamp(100, 0), 360), Some((120, Some(10))));
        // A poll that was held up, and has no partner.
        clock.begin();
        clock.held(200);
        assert_eq!(clock.end(stamp(400, 10), 610), Some((400, None)));
    }

    #[test]
    fn a_partner_of_which_nothing_is_known_is_not_told_apart() {
        let mut clock = clock();
        clock.told.add(Some(stamp(150, 40)));
        clock.told.add(None);
        assert_eq!(clock.end(stamp(100, 0), 160), None);
    }
}
