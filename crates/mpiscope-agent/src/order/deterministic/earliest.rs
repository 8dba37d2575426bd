//! The choices of the unobserved program (`mpiscope monitor --virtual-clock enforce`).
//!
//! Whoever sends leaves word of its virtual time, its clock less what
//! observation took of it. A receive from anybody takes, of the messages that
//! are there, the one that was sent first in virtual time, as soon as nobody
//! can send one any more that is earlier (Li and Zhang, after Cai and Turner).
//! Of another rank that is certain
//!
//! - once its virtual time is later: it need not be asked, its clock and what
//!   observation took of it are in the page;
//! - or while it waits in MPI and cannot go on before us. It has looked for
//!   messages since everybody who runs is later, so nothing that was sent earlier is on
//!   its way to it: if it is ever to go on, then by what is sent later, or by
//!   ourselves. That is the rule that keeps this from deadlocks that the
//!   program does not have: who waits, directly or through others, for the rank
//!   that chooses, counts as one that cannot send.
//!
//! Two that both choose: who would go on earlier does so first.

use std::time::{Duration, Instant};

use mpi_abi::id;

use super::memory::Rule;
use super::{choose, deferred, leave_for, with};
use crate::base::clock::ticks;
use crate::order::call::OrderedCall;
use crate::peers::page::{Other, Page, NOTHING, OPAQUE};
use crate::peers::virtual_time::time;

/// Why a choice is left to MPI.
pub const UNTOLD: &str = "when a message was sent was not told";
/// See [`UNTOLD`].
pub const STUCK: &str =
    "nothing moved any more, and yet a message could have come that was sent earlier";

/// Turns, each of two looks, in which a rank has received whatever was sent to it before.
const TURNS: u32 = 8;
/// Turns between two offers of the processor to others.
const TRIES: u32 = 16;

/// What may be chosen, and the virtual time at which it came to be.
pub type Found<T> = Option<(u64, T)>;

/// Returns whether choices are those of the unobserved program.
#[inline]
pub fn on(call: &OrderedCall) -> bool {
    call.thread.session.earliest.is_some()
}

/// Waits until something is `done`, or `look` finds what nothing earlier can come before.
pub fn until<T>(
    call: &mut OrderedCall,
    done: impl FnMut(&mut OrderedCall) -> Option<T>,
    look: impl FnMut(&mut OrderedCall) -> Found<T>,
) -> Option<T> {
    wait(call, false, done, look)
}

/// The same for a poll, which looks once in the unobserved program.
pub fn until_polled<T>(
    call: &mut OrderedCall,
    done: impl FnMut(&mut OrderedCall) -> Option<T>,
    look: impl FnMut(&mut OrderedCall) -> Found<T>,
) -> Option<T> {
    wait(call, true, done, look)
}

fn wait<T>(
    call: &mut OrderedCall,
    polls: bool,
    mut done: impl FnMut(&mut OrderedCall) -> Option<T>,
    look: impl FnMut(&mut OrderedCall) -> Found<T>,
) -> Option<T> {
    if let Some(found) = done(call) {
        return Some(found);
    }
    let mut wait = Wait::begin(call)?;
    wait.polls = polls;
    wait.until(call, done, look)
}

/// A wait of one rank.
struct Wait {
    page: &'static Page,
    rank: usize,
    rule: Rule,
    patience: Option<Duration>,
    /// Whether the call looks but once in the unobserved program.
    polls: bool,
    /// When that was.
    looked: Option<u64>,
    /// The virtual time at which the call began.
    ready: u64,
    turns: u32,
    proof: Proof,
    /// The ticks for which a receive was held that was posted in this turn.
    post: Option<(u32, u64)>,
    /// The latest activity, and when it was first seen.
    still: (u64, Instant),
    long: bool,
    /// What others had done when a proof was last complete.
    proven: Option<u64>,
}

/// That nothing can come before a moment.
struct Proof {
    /// The moment in virtual time, and the clock's when it was first asked for.
    at: u64,
    since: u64,
    /// Our turns since everybody else was late or waiting; nothing before that.
    turns: Option<u32>,
    /// By rank: its wait and its turns then.
    seen: Vec<(u64, u64)>,
    /// What others had done when it began.
    activity: u64,
    /// Whether a part of it is from before.
    inherits: bool,
}

/// In place of the number of a wait.
const NEVER: u64 = u64::MAX;

impl Proof {
    /// Begins again, with what is known from before if that still holds.
    fn begin(&mut self, activity: u64, known: bool, size: usize) {
        if !known {
            self.seen.clear();
        }
        self.seen.resize(size, (NEVER, 0));
        (self.activity, self.inherits, self.turns) = (activity, known, None);
    }
}

impl Wait {
    fn begin(call: &mut OrderedCall) -> Option<Self> {
        let (page, rank, seen, proven) = with(call, |rule| {
            let seen = std::mem::take(&mut rule.seen);
            (rule.page, rule.rank, seen, rule.proven)
        })?;
        let wait = Self {
            page,
            rank,
            rule: call.thread.session.earliest?,
            patience: call.thread.session.patience,
            polls: false,
            looked: None,
            ready: time().ready(),
            turns: 0,
            proof: Proof {
                at: NOTHING,
                since: 0,
                turns: None,
                seen,
                activity: 0,
                inherits: false,
            },
            post: None,
            still: (page.activity_beside(rank), Instant::now()),
            proven,
            long: false,
        };
        page.begin(rank);
        Some(wait)
    }

    /// See `until`.
    fn until<T>(
        mut self,
        call: &mut OrderedCall,
        mut done: impl FnMut(&mut OrderedCall) -> Option<T>,
        mut look: impl FnMut(&mut OrderedCall) -> Found<T>,
    ) -> Option<T> {
        let found = loop {
            if let Some(found) = done(call) {
                self.done();
                break found;
            }
            let own = look(call);
            let posts = deferred::earliest(call);
            let at = own.as_ref().map_or(NOTHING, |(at, _)| *at);
            let first = at.min(posts.unwrap_or(NOTHING));
            let safe = self.turn(first);
            let free = self.page.is_free();
            if posts == Some(first) && (safe || free) {
                // Those posted before take theirs before we do.
                deferred::post_earliest(call);
                self.post = Some((self.turns, self.held()));
            } else if let (Some((_, found)), true) = (own, safe || free) {
                time().held(self.held());
                if !safe {
                    leave_for(call, STUCK);
                }
                break found;
            }
            self.looked.get_or_insert_with(ticks);
            choose::progress(call);
            if self.turns.is_multiple_of(TRIES) {
                std::thread::yield_now();
            }
        };
        self.page.go_on(self.rank);
        with(call, |rule| {
            rule.seen = std::mem::take(&mut self.proof.seen);
            rule.proven = self.proven
        });
        Some(found)
    }

    /// Makes a turn, with something to choose that was sent at `first`; returns whether nothing
    /// earlier can come.
    fn turn(&mut self, first: u64) -> bool {
        self.turns = self.turns.wrapping_add(1);
        let goes_on = match first {
            NOTHING => NOTHING,
            first => first.max(self.ready),
        };
        self.page.turn(self.rank, goes_on);
        self.page.refresh(|| time().clock_line());
        if first != self.proof.at {
            (self.proof.at, self.proof.since, self.proof.turns) = (first, ticks(), None);
        }
        let safe = first != NOTHING && self.prove();
        if self.turns.is_multiple_of(1024) {
            self.be_patient();
        }
        safe
    }

    /// Goes on with the proof that nothing earlier can come.
    ///
    /// While nobody else has ended a call since the last one was complete, nothing was sent: who
    /// was found waiting then has still looked for everything.
    fn prove(&mut self) -> bool {
        let (page, proof) = (self.page, &mut self.proof);
        let (me, clock) = ((proof.at, self.rank), ticks());
        let activity = page.activity_beside(self.rank);
        let long = self.long && activity == self.still.0;
        let known = self.proven == Some(activity);
        if proof.turns.is_none() || proof.inherits && !known {
            proof.begin(activity, known, page.size());
        }
        let begins = proof.turns.is_none();
        let mut looked = true;
        for (rank, seen) in proof.seen.iter_mut().enumerate() {
            if rank == self.rank {
                continue;
            }
            match page.other(rank, me, clock, long) {
                Other::Past => {}
                Other::Waits(wait, turns) if self.rule.waiting_cannot_send => {
                    if begins && seen.0 == NEVER || known && seen.0 != wait {
                        *seen = (wait, turns);
                    } else if seen.0 != wait {
                        proof.turns = None; // it was away meanwhile
                        return false;
                    }
                    looked &= turns > seen.1 + u64::from(TURNS);
                }
                Other::Runs | Other::Within | Other::Waits(..) => {
                    proof.turns = None;
                    return false;
                }
            }
        }
        let turns = proof.turns.map_or(0, |turns| turns + 1);
        proof.turns = Some(turns);
        let safe = looked && (known || turns >= TURNS);
        if safe && proof.activity == activity {
            self.proven = Some(activity);
        }
        safe
    }

    /// After a long while without any activity: calls that we do not see into count as waits, and
    /// in the end choices are left to MPI, unless somebody computes.
    fn be_patient(&mut self) {
        let activity = self.page.activity_beside(self.rank);
        if self.still.0 != activity {
            (self.still, self.long) = ((activity, Instant::now()), false);
            return;
        }
        let still = self.still.1.elapsed();
        self.long = still >= OPAQUE;
        let asks = self.proof.at != NOTHING;
        if asks && self.patience.is_some_and(|patience| still >= patience) && !self.somebody_runs()
        {
            self.page.set_free();
        }
    }

    fn somebody_runs(&self) -> bool {
        let (me, clock) = ((self.proof.at, self.rank), ticks());
        let runs = |rank| self.page.other(rank, me, clock, self.long) == Other::Runs;
        (0..self.page.size()).any(|rank| rank != self.rank && runs(rank))
    }

    /// Returns for how many ticks what is chosen now was there, and not taken; in a poll, how long
    /// it took that the unobserved program would not have waited.
    fn held(&self) -> u64 {
        let since = match self.polls {
            true => self.looked,
            false => Some(self.proof.since),
        };
        since.map_or(0, |since| ticks().saturating_sub(since))
    }

    /// What was waited for is done: if that is because a receive was posted only now, that it was
    /// held is no time of the program's.
    fn done(&self) {
        let latest = self
            .post
            .filter(|(turn, _)| self.turns.wrapping_sub(*turn) <= TURNS);
        match latest {
            _ if self.polls => time().held(self.held()),
            Some((_, held)) => time().held(held),
            None => {}
        }
    }
}

/// Returns the message that a receive from anybody takes next: when it was sent, and its source and tag.
pub fn next(call: &mut OrderedCall, comm: usize, tag: i32) -> Found<(u32, u32)> {
    let session = call.thread.session;
    choose::is_there(call, comm, call.mpi.abi.any_source, tag)?;
    let size = call.thread.comms.get(call.mpi, &session.freed, comm).size;
    let each = |source: u32| {
        let tag = choose::is_there(call, comm, source as i32, tag)?;
        Some((sent(comm, source, tag), (source, tag)))
    };
    (0..size).filter_map(each).min()
}

/// Returns when the message of a rank was sent that is there; 0 if that was not told.
pub fn sent(comm: usize, source: u32, tag: u32) -> u64 {
    let at = time()
        .channel(comm, source, tag)
        .and_then(|line| time().sent(line, time().next(line)?));
    at.unwrap_or(0)
}

/// The choice was made of a message sent at that time.
pub fn chose(call: &mut OrderedCall, at: u64) {
    if at == 0 {
        return leave_for(call, UNTOLD);
    }
    with(call, |rule| rule.chosen += 1);
}

/// A receive was posted that takes a message of a named rank, with any tag if that is negative.
pub fn takes(call: &OrderedCall, comm: usize, source: i32, tag: i32) {
    if !on(call) {
        return;
    }
    let (Ok(source), Ok(tag)) = (u32::try_from(source), u32::try_from(tag)) else {
        return;
    };
    if let Some(line) = time().channel(comm, source, tag) {
        time().takes(line);
    }
}

/// A blocking probe has found a message of a named rank.
pub fn found(call: &OrderedCall, comm: usize, source: i32, tag: i32) {
    if !on(call) || !matches!(call.function, id::MPI_PROBE | id::MPI_MPROBE) {
        return;
    }
    let (Ok(source), Ok(tag)) = (u32::try_from(source), u32::try_from(tag)) else {
        return;
    };
    if let Some(line) = time().channel(comm, source, tag) {
        time().found(line);
    }
}
