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

use super::page::{Other, NOTHING, OPAQUE, TURNS};
use super::{choose, deferred, leave_for, with, Page};
use crate::clock::ticks;
use crate::monitor::enforced;
use crate::order::call::Call;

/// Why a choice is left to MPI.
pub const UNTOLD: &str = "when a message was sent was not told";
/// See [`UNTOLD`].
pub const STUCK: &str =
    "nothing moved any more, and yet a message could have come that was sent earlier";

/// Turns between two offers of the processor to others.
const TRIES: u32 = 16;

/// What may be chosen, and the virtual time at which it came to be.
pub type Found<T> = Option<(u64, T)>;

/// How the rule is used.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Whether a process that waits counts as one that cannot send.
    pub waiting_cannot_send: bool,
}

/// Returns whether choices are those of the unobserved program.
#[inline]
pub fn on(call: &Call) -> bool {
    call.thread.session.earliest.is_some()
}

/// Waits until something is `done`, or `look` finds what nothing earlier can come before.
pub fn until<T>(
    call: &mut Call,
    mut done: impl FnMut(&mut Call) -> Option<T>,
    mut look: impl FnMut(&mut Call) -> Found<T>,
) -> Option<T> {
    if let Some(found) = done(call) {
        return Some(found);
    }
    let mut wait = Wait::begin(call)?;
    let found = loop {
        if let Some(found) = done(call) {
            wait.account_for_posts();
            break found;
        }
        let own = look(call);
        let posts = deferred::earliest(call);
        let at = |found: &Found<T>| found.as_ref().map_or(NOTHING, |(at, _)| *at);
        let first = at(&own).min(posts.unwrap_or(NOTHING));
        let safe = wait.turn(first);
        let free = wait.page.is_free();
        if posts == Some(first) && (safe || free) {
            // Those posted before take theirs before we do.
            deferred::post_earliest(call);
            wait.posted();
        } else if let (Some((_, found)), true) = (own, safe || free) {
            enforced::held(wait.held());
            if free && !safe {
                leave_for(call, STUCK);
            }
            break found;
        }
        choose::progress(call);
        if wait.turns.is_multiple_of(TRIES) {
            std::thread::yield_now();
        }
    };
    wait.page.go_on(wait.rank);
    with(call, |canonical| {
        canonical.seen = std::mem::take(&mut wait.proof.seen)
    });
    Some(found)
}

/// A wait of one rank.
struct Wait {
    page: &'static Page,
    rank: usize,
    rule: Rule,
    patience: Option<Duration>,
    /// The virtual time at which the call began.
    ready: u64,
    turns: u32,
    proof: Proof,
    /// The ticks for which a receive was held that was posted in this turn.
    post: Option<(u32, u64)>,
    /// The latest activity, and when it was first seen.
    still: (u64, Instant),
    long: bool,
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
}

impl Wait {
    fn begin(call: &mut Call) -> Option<Self> {
        let (page, rank, seen) = with(call, |canonical| {
            let seen = std::mem::take(&mut canonical.seen);
            (canonical.page, canonical.rank, seen)
        })?;
        let wait = Self {
            page,
            rank,
            rule: call.thread.session.earliest?,
            patience: call.thread.session.patience,
            ready: enforced::ready(),
            turns: 0,
            proof: Proof {
                at: NOTHING,
                since: 0,
                turns: None,
                seen,
            },
            post: None,
            still: (page.activity(), Instant::now()),
            long: false,
        };
        page.begin(rank);
        Some(wait)
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
    fn prove(&mut self) -> bool {
        let (page, proof) = (self.page, &mut self.proof);
        let (me, clock) = ((proof.at, self.rank), ticks());
        let long = self.long && page.activity() == self.still.0;
        let begins = proof.turns.is_none();
        if begins {
            proof.seen.clear();
            proof.seen.resize(page.size(), (u64::MAX, 0));
        }
        let mut looked = true;
        for (rank, seen) in proof.seen.iter_mut().enumerate() {
            if rank == self.rank {
                continue;
            }
            match page.other(rank, me, clock, long) {
                Other::Past => {}
                Other::Waits(wait, turns) if self.rule.waiting_cannot_send => {
                    if begins {
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
        looked && turns >= TURNS
    }

    /// After a long while without any activity: calls that we do not see into count as waits, and
    /// in the end choices are left to MPI, unless somebody computes.
    fn be_patient(&mut self) {
        let activity = self.page.activity();
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

    /// Returns for how many ticks what is chosen now was there, and not taken.
    fn held(&self) -> u64 {
        ticks().saturating_sub(self.proof.since)
    }

    fn posted(&mut self) {
        self.post = Some((self.turns, self.held()));
    }

    /// What was waited for is done: if that is because a receive was posted only now, that it was
    /// held is no time of the program's.
    fn account_for_posts(&self) {
        if let Some((turn, held)) = self.post {
            if self.turns.wrapping_sub(turn) <= TURNS {
                enforced::held(held);
            }
        }
    }
}

/// Returns the message that a receive from anybody takes next: when it was sent, and its source and tag.
pub fn next(call: &mut Call, comm: usize, tag: i32) -> Found<(u32, u32)> {
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
    let at = enforced::line(comm, source, tag)
        .and_then(|line| enforced::sent(line, enforced::next(line)?));
    at.unwrap_or(0)
}

/// The choice was made of a message sent at that time.
pub fn chose(call: &mut Call, at: u64) {
    if at == 0 {
        return leave_for(call, UNTOLD);
    }
    with(call, |canonical| canonical.chosen += 1);
}

/// A receive was posted that takes a message of a named rank, with any tag if that is negative.
pub fn takes(call: &Call, comm: usize, source: i32, tag: i32) {
    if !on(call) {
        return;
    }
    let (Ok(source), Ok(tag)) = (u32::try_from(source), u32::try_from(tag)) else {
        return;
    };
    if let Some(line) = enforced::line(comm, source, tag) {
        enforced::takes(line);
    }
}
