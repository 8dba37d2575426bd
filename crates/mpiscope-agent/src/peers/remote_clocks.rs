//! What processes of different hosts tell each other of their virtual time.
//!
//! It goes by messages of our own, on a communicator of our own, so that the
//! program's messages stay as they are. Who tells something goes on at once.
//! Times are common ones ([`CommonClock`]).
//!
//! After a collective operation in which each member depends on all others, the
//! members find the latest among them in rounds of a pair each, log2 of their
//! number (the dissemination of Hensgen, Finkel and Manber 1988). Nobody comes
//! there whom the others do not meet, as all have entered the operation, unless
//! one of them stopped to observe (`MPI_Pcontrol`): so one waits for a limited
//! time, and of a communicator where that was not enough nothing is told apart
//! any more.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use mpi_abi::{Code, OwnComm};

use super::clock_ring::Stamp;
use super::common_clock::CommonClock;
use super::mpi_transport::MpiTransport;

/// How long the members of an operation that has ended are waited for.
pub const LIMIT: Duration = Duration::from_secs(5);
/// The same where a sample is told of, which nobody has asked for.
pub const SHORT_LIMIT: Duration = Duration::from_millis(200);
/// Looks for a word between two offers of the processor to others, and for one that was told
/// before what has come.
const TURNS: u32 = 64;
/// Words that nobody has asked for, of one kind.
const KEPT: usize = 1 << 16;
/// Words of the longest mail.
const LONGEST: usize = 5;
/// In place of the number of a round: told by one member to the other, at its entry.
const DIRECT: u32 = u32::MAX;

/// A time and a virtual time, both common ones.
pub type Times = (i64, i64);

/// An operation of a communicator, as all its members call it: the communicator, and its number.
pub type Operation = (u64, u64);

/// The ways to processes of other hosts.
pub struct RemoteClocks {
    far: MpiTransport,
    /// Where this process is among all.
    rank: u32,
    /// This process's clock.
    common: &'static CommonClock,
    /// How long the members of an operation are waited for.
    limit: Duration,
    /// Stamps of messages that were not asked for yet, by sender.
    stamps: HashMap<u32, VecDeque<Stamp>>,
    /// What was told of operations: by operation, round and member.
    told: HashMap<(Operation, u32, u32), Times>,
    words: Vec<u64>,
}

impl RemoteClocks {
    /// Begins, on all ranks.
    pub fn new(
        own: OwnComm<'static>,
        common: &'static CommonClock,
        limit: Duration,
    ) -> Result<Self, Code> {
        let all = vec![true; own.size() as usize];
        let (far, _) = MpiTransport::new(own, LONGEST, &all)?;
        Ok(Self {
            far,
            rank: own.rank() as u32,
            common,
            limit,
            stamps: HashMap::new(),
            told: HashMap::new(),
            words: Vec::with_capacity(LONGEST),
        })
    }

    /// Takes what is still on its way; all ranks come here, and tell nothing more.
    pub fn finish(&mut self) {
        self.far.finish(&mut self.words, |_, _| {});
    }

    /// Tells a process of a message to it, or of a receive from it.
    pub fn tell(&mut self, to: u32, stamp: Stamp) {
        let (time, virtual_time) = self.common_times(stamp);
        let words = [
            stamp.channel,
            stamp.number,
            time as u64,
            virtual_time as u64,
        ];
        self.far.send(to as usize, &words);
    }

    /// Returns the next stamp that a process has told.
    pub fn take(&mut self, from: u32) -> Option<Stamp> {
        self.take_in(from);
        self.stamps.get_mut(&from)?.pop_front()
    }

    /// Before a collective operation: tells those who depend on us when we entered it.
    pub fn enter(&mut self, operation: Operation, dependents: &[u32], now: Stamp) {
        let times = self.common_times(now);
        for &member in dependents {
            self.tell_of(operation, DIRECT, member, times);
        }
    }

    /// After it: returns when the latest of those we depended on entered, if all have told it.
    /// They did so before they entered; but MPI keeps no order between communicators, so what
    /// they told may come a moment after what they sent.
    pub fn entered(&mut self, operation: Operation, members: &[u32]) -> Option<Stamp> {
        self.forget_before(operation);
        let mut latest: Option<Times> = None;
        for &member in members {
            let mut looks = (0..TURNS).map(|_| {
                self.take_in(member);
                self.told.remove(&(operation, DIRECT, member))
            });
            let told = looks.find_map(|told| told)?;
            latest = Some(latest.map_or(told, |known| later(known, told)));
        }
        latest.map(|times| self.stamp(times))
    }

    /// After an operation in which all depend on all: returns when the latest of the `members`
    /// entered, `own` being our place among them.
    pub fn latest(
        &mut self,
        operation: Operation,
        members: &[u32],
        own: usize,
        now: Stamp,
    ) -> Option<Stamp> {
        self.forget_before(operation);
        let began = Instant::now();
        let (size, mut times) = (members.len(), self.common_times(now));
        let mut distance = 1;
        for round in 0.. {
            if distance >= size {
                break;
            }
            let to = *members.get((own + distance) % size)?;
            let from = *members.get((own + size - distance) % size)?;
            self.tell_of(operation, round, to, times);
            let told = self.wait_for((operation, round, from), began)?;
            times = later(times, told);
            distance *= 2;
        }
        Some(self.stamp(times))
    }

    fn wait_for(&mut self, what: (Operation, u32, u32), began: Instant) -> Option<Times> {
        let mut turns = 0u32;
        loop {
            self.take_in(what.2);
            if let Some(times) = self.told.remove(&what) {
                return Some(times);
            }
            turns += 1;
            if turns.is_multiple_of(TURNS) {
                if began.elapsed() > self.limit {
                    return None;
                }
                std::thread::yield_now();
            }
        }
    }

    /// What was told too late of operations of long ago is not needed any more.
    fn forget_before(&mut self, (comm, number): Operation) {
        if self.told.len() > KEPT / 2 {
            let recent = |&((of, at), ..): &(Operation, u32, u32)| of != comm || at >= number;
            self.told.retain(|what, _| recent(what));
        }
    }

    fn tell_of(&mut self, (comm, number): Operation, round: u32, to: u32, times: Times) {
        let words = [comm, number, round.into(), times.0 as u64, times.1 as u64];
        self.far.send(to as usize, &words);
    }

    fn take_in(&mut self, from: u32) {
        if from == self.rank {
            return;
        }
        while self.far.take(from as usize, &mut self.words) {
            match self.words[..] {
                [channel, number, time, virtual_time] => {
                    let times = (time as i64, virtual_time as i64);
                    let stamp = Stamp {
                        channel,
                        number,
                        ..self.stamp(times)
                    };
                    let waiting = self.stamps.entry(from).or_default();
                    if waiting.len() < KEPT {
                        waiting.push_back(stamp);
                    }
                }
                [comm, number, round, time, virtual_time] if self.told.len() < KEPT => {
                    let what = ((comm, number), round as u32, from);
                    self.told.insert(what, (time as i64, virtual_time as i64));
                }
                _ => {}
            }
        }
    }

    fn common_times(&self, stamp: Stamp) -> Times {
        let line = self.common.line();
        let virtual_time = stamp.time.saturating_sub(stamp.intrusion);
        (line.to(stamp.time), line.to(virtual_time))
    }

    /// Returns common times as a stamp of this process's clock.
    fn stamp(&self, (time, virtual_time): Times) -> Stamp {
        let line = self.common.line();
        let time = line.from(time);
        Stamp {
            time,
            intrusion: time.saturating_sub(line.from(virtual_time)),
            ..Stamp::default()
        }
    }
}

fn later(a: Times, b: Times) -> Times {
    (a.0.max(b.0), a.1.max(b.1))
}
