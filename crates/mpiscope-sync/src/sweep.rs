//! The forward sweep itself: each location runs until it needs a time that is
//! not there, and is woken by whoever writes it. There is no heap and no
//! global order.
//!
//! Every thread runs locations of its own, in any order: the result is the
//! least one that satisfies all rules, so it is the same for any schedule.
//! What threads tell each other goes through atomic slots. Who waits says so
//! before it looks into the slot once more, who writes looks for waiters after
//! it has written, with a fence in between on both sides: one of them sees the
//! other.

use std::collections::VecDeque;
use std::sync::atomic::{fence, AtomicI64, AtomicU64, Ordering};

use mpiscope_model::Matching;

use crate::collective_syncs::CollectiveSyncs;
use crate::forward::{Last, Pace, EMPTY};
use crate::latest::{Latest, NO_BOUND};
use crate::logical::CollectiveSync;
use crate::prefetch::prefetch;
use crate::records::{shares, Record, Role};
use crate::table::LatencyTable;
use crate::wake_queues::WakeQueues;

/// What a location waits for: the role and link of its next record.
pub(crate) type Awaited = (Role, u32);

/// How many records ahead memory is asked for.
const AHEAD: usize = 8;

/// Nothing is waited for.
const NOTHING: u64 = 0;

fn encode((role, link): Awaited) -> u64 {
    u64::from(link) << 2 | if role == Role::Exit { 2 } else { 1 }
}

/// What the threads of a sweep share.
pub(crate) struct Sweep<'a> {
    pub matching: &'a Matching,
    pub latencies: &'a LatencyTable,
    pub pace: Pace,
    /// What each location waits for.
    waiting: Vec<AtomicU64>,
    /// Corrected time of each logical message's send; once it is received, of
    /// the latest time at which it could have been sent.
    pub sent: Vec<AtomicI64>,
    pub collectives: CollectiveSyncs<'a>,
}

impl<'a> Sweep<'a> {
    pub fn new(
        locations: usize,
        matching: &'a Matching,
        collectives: &'a [Option<CollectiveSync>],
        latencies: &'a LatencyTable,
        pace: Pace,
    ) -> Sweep<'a> {
        let messages = matching.messages.len() + matching.bounds.len();
        Sweep {
            matching,
            latencies,
            pace,
            waiting: (0..locations).map(|_| AtomicU64::new(NOTHING)).collect(),
            sent: (0..messages).map(|_| AtomicI64::new(EMPTY)).collect(),
            collectives: CollectiveSyncs::new(matching, collectives, latencies),
        }
    }

    /// Runs all locations from their cursors on, as far as they come; returns
    /// how many receivers had to be moved.
    pub fn run(&self, threads: usize, records: &mut [Vec<Record>], cursors: &mut [usize]) -> u64 {
        let weight = |location: usize| records[location].len() + 1;
        let threads = threads.clamp(1, rayon::current_num_threads());
        let shares = shares(records.len(), weight, threads);
        let queues = WakeQueues::new(shares.len());
        let begins: Vec<usize> = shares.iter().map(|share| share.start).collect();
        let (mut records, mut cursors) = (records, cursors);
        let mut workers = Vec::new();
        for (thread, share) in shares.into_iter().enumerate() {
            let (mine, rest) = records.split_at_mut(share.len());
            let (my_cursors, other_cursors) = cursors.split_at_mut(share.len());
            (records, cursors) = (rest, other_cursors);
            let mut worker = self.worker(&queues, &begins, thread, mine, my_cursors);
            worker
                .runnable
                .extend(share.map(|location| location as u32));
            workers.push(std::sync::Mutex::new(worker));
        }
        if let [worker] = &mut workers[..] {
            let worker = worker.get_mut();
            return worker.map_or(0, |worker| worker.work::<true>());
        }
        // Workers wait for each other, so each needs a thread of its own.
        let moved = rayon::broadcast(|context| {
            let worker = workers.get(context.index())?;
            let mut worker = worker.lock().ok()?;
            Some(worker.work::<false>())
        });
        moved.into_iter().flatten().sum()
    }

    /// Runs one location, which waited, and those that this wakes.
    pub fn resume(
        &self,
        location: usize,
        records: &mut [Vec<Record>],
        cursors: &mut [usize],
    ) -> u64 {
        let queues = WakeQueues::new(1);
        let mut worker = self.worker(&queues, &[0], 0, records, cursors);
        self.waiting[location].store(NOTHING, Ordering::Relaxed);
        worker.runnable.push_back(location as u32);
        worker.work::<true>()
    }

    fn worker<'s>(
        &'s self,
        queues: &'s WakeQueues,
        begins: &'s [usize],
        thread: usize,
        records: &'s mut [Vec<Record>],
        cursors: &'s mut [usize],
    ) -> Worker<'s, 'a> {
        Worker {
            sweep: self,
            queues,
            begins,
            thread,
            first: begins[thread],
            records,
            cursors,
            runnable: VecDeque::new(),
            outgoing: vec![Vec::new(); begins.len()],
            known: Vec::new(),
            latest: Default::default(),
            violations: 0,
        }
    }

    /// Returns what a location waits for.
    pub fn awaits(&self, location: usize) -> Option<Awaited> {
        let code = self.waiting[location].load(Ordering::Relaxed);
        let role = if code & 2 != 0 {
            Role::Exit
        } else {
            Role::Receive
        };
        (code != NOTHING).then_some((role, (code >> 2) as u32))
    }

    /// Returns before when an event cannot have happened, or [`EMPTY`].
    #[inline(always)]
    fn bound(&self, record: &Record) -> i64 {
        if record.role == Role::Receive {
            match self.sent[record.link as usize].load(Ordering::Acquire) {
                EMPTY => EMPTY,
                sent => sent.saturating_add(self.latencies.over(record.hop).0),
            }
        } else if record.role == Role::Exit {
            self.collectives.bound(record.link)
        } else {
            NO_BOUND
        }
    }
}

/// One thread of a sweep, with the locations it runs.
struct Worker<'s, 'a> {
    sweep: &'s Sweep<'a>,
    queues: &'s WakeQueues,
    /// The first location of each thread.
    begins: &'s [usize],
    thread: usize,
    first: usize,
    records: &'s mut [Vec<Record>],
    /// Per location, the next record to visit.
    cursors: &'s mut [usize],
    runnable: VecDeque<u32>,
    /// Locations to wake, per thread.
    outgoing: Vec<Vec<u32>>,
    /// Members whose bounds just became known; kept for its room.
    known: Vec<u32>,
    latest: [Latest; 2],
    violations: u64,
}

/// Lets the other threads end if this one panics.
struct Abandon<'s>(&'s WakeQueues);

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

impl Worker<'_, '_> {
    /// Runs locations until nobody can go on. Who works alone (`ALONE`) needs
    /// neither fences nor instructions that no other thread can interrupt.
    fn work<const ALONE: bool>(&mut self) -> u64 {
        let _abandon = Abandon(self.queues);
        loop {
            while let Some(location) = self.runnable.pop_front() {
                self.look_ahead();
                self.run::<ALONE>(location as usize - self.first);
            }
            for thread in 0..self.outgoing.len() {
                if !self.outgoing[thread].is_empty() {
                    self.queues.send(thread, &mut self.outgoing[thread]);
                }
            }
            if ALONE || !self.queues.receive(self.thread, &mut self.runnable) {
                return self.violations;
            }
        }
    }

    /// Asks for the next records of a location whose turn is soon, and for the
    /// messages that those of one whose turn is sooner send or receive.
    fn look_ahead(&self) {
        const SOON: usize = 6;
        const SOONER: usize = 2;
        const RECORDS: usize = 12;
        if let Some(&soon) = self.runnable.get(SOON) {
            let soon = soon as usize - self.first;
            let cursor = self.cursors[soon];
            for record in (0..RECORDS).step_by(2) {
                prefetch(&self.records[soon], cursor + record);
            }
        }
        if let Some(&sooner) = self.runnable.get(SOONER) {
            let sooner = sooner as usize - self.first;
            let next = self.records[sooner][self.cursors[sooner]..].iter();
            next.take(AHEAD).for_each(|record| self.touch(record));
        }
    }

    /// Asks for what a record will read or write, if it belongs to a message;
    /// if not, what is asked for is of no use, and does no harm.
    #[inline(always)]
    fn touch(&self, record: &Record) {
        prefetch(&self.sweep.sent, record.link as usize);
    }

    /// Runs a location until it is done or waits.
    fn run<const ALONE: bool>(&mut self, number: usize) {
        let mut records = std::mem::take(&mut self.records[number]);
        let mut cursor = self.cursors[number];
        let mut last = Last::default();
        if cursor > 0 {
            last.note(&records[cursor - 1]);
        }
        while cursor < records.len() {
            prefetch(&records, cursor + 3 * AHEAD);
            if let Some(soon) = records.get(cursor + AHEAD) {
                self.touch(soon);
            }
            let record = &mut records[cursor];
            let mut bound = self.sweep.bound(record);
            if bound == EMPTY {
                bound = self.wait::<ALONE>(number, record);
                if bound == EMPTY {
                    break;
                }
            }
            let internal = last.internal(record, self.sweep.pace);
            record.corrected = internal.max(bound);
            record.jump = bound > internal;
            last.note(record);
            if record.jump {
                self.violations += 1;
                self.raise::<ALONE>(&mut records[..=cursor]);
            }
            self.settle::<ALONE>(&records[cursor]);
            cursor += 1;
        }
        self.cursors[number] = cursor;
        self.records[number] = records;
    }

    /// Notes what a location waits for; returns its bound if that came
    /// meanwhile and nobody else has seen it waiting.
    fn wait<const ALONE: bool>(&self, number: usize, record: &Record) -> i64 {
        let code = encode((record.role, record.link));
        let waiting = &self.sweep.waiting[self.first + number];
        waiting.store(code, Ordering::Relaxed);
        if !ALONE {
            fence(Ordering::SeqCst);
            let bound = self.sweep.bound(record);
            if bound != EMPTY && claim::<ALONE>(waiting, code) {
                return bound;
            }
        }
        EMPTY
    }

    /// Has all records of the last event jump as the last one did: what else
    /// the event received, it received then.
    fn raise<const ALONE: bool>(&mut self, records: &mut [Record]) {
        let Some((last, before)) = records.split_last_mut() else {
            return;
        };
        let earlier = before.iter_mut().rev();
        for record in earlier.take_while(|record| record.event == last.event) {
            record.corrected = last.corrected;
            record.jump = true;
            self.settle::<ALONE>(record);
        }
    }

    /// Makes a time known: a sender's to who waits for it, a receiver's as the
    /// limit of what its sender may be moved to later.
    #[inline(always)]
    fn settle<const ALONE: bool>(&mut self, record: &Record) {
        let sent = || &self.sweep.sent[record.link as usize];
        if record.role == Role::Receive {
            let latency = self.sweep.latencies.over(record.hop).0;
            sent().store(record.corrected.saturating_sub(latency), Ordering::Relaxed);
        } else if record.role == Role::Send {
            sent().store(record.corrected, Ordering::Release);
            self.fence_for::<ALONE>(record.peer);
            self.wake::<ALONE>(record.peer, (Role::Receive, record.link));
        } else if record.role == Role::Enter {
            self.enter::<ALONE>(record);
        } else if record.role == Role::Exit {
            self.sweep.collectives.leave(record.link, record.corrected);
        }
    }

    fn enter<const ALONE: bool>(&mut self, record: &Record) {
        let mut known = std::mem::take(&mut self.known);
        let collectives = &self.sweep.collectives;
        let (latest, time) = (&mut self.latest, record.corrected);
        collectives.enter::<ALONE>(record.link, time, latest, &mut known);
        if !known.is_empty() && !ALONE {
            fence(Ordering::SeqCst);
        }
        for member in known.drain(..) {
            let receiver = &self.sweep.matching.members[member as usize];
            self.wake::<ALONE>(receiver.exit.location.0, (Role::Exit, member));
        }
        self.known = known;
    }

    /// What was written is seen by a location of another thread, or it is seen
    /// waiting.
    #[inline(always)]
    fn fence_for<const ALONE: bool>(&self, location: u32) {
        if !ALONE && !self.is_mine(location) {
            fence(Ordering::SeqCst);
        }
    }

    #[inline(always)]
    fn is_mine(&self, location: u32) -> bool {
        (location as usize).wrapping_sub(self.first) < self.records.len()
    }

    #[inline(always)]
    fn wake<const ALONE: bool>(&mut self, location: u32, awaited: Awaited) {
        let waiting = &self.sweep.waiting[location as usize];
        let code = encode(awaited);
        if waiting.load(Ordering::Relaxed) != code || !claim::<ALONE>(waiting, code) {
            return;
        }
        if ALONE || self.is_mine(location) {
            self.runnable.push_back(location);
        } else {
            let after = self
                .begins
                .partition_point(|&begin| begin <= location as usize);
            self.outgoing[after - 1].push(location);
            self.send_if_many(after - 1);
        }
    }

    /// Sends what another thread may be in need of.
    fn send_if_many(&mut self, thread: usize) {
        const MANY: usize = 16;
        if self.outgoing[thread].len() >= MANY {
            self.queues.send(thread, &mut self.outgoing[thread]);
        }
    }
}

/// Ends a wait, unless somebody else did.
fn claim<const ALONE: bool>(waiting: &AtomicU64, code: u64) -> bool {
    if ALONE {
        waiting.store(NOTHING, Ordering::Relaxed);
        return true;
    }
    let ended = waiting.compare_exchange(code, NOTHING, Ordering::AcqRel, Ordering::Relaxed);
    ended.is_ok()
}
