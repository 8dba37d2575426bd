//! OpenMP: parallel regions and the teams that work in them, barriers, as the two runtimes tell of
//! them (`top/openmp`).
//!
//! Whoever comes first to a parallel region forks a team, which gets a number. Each thread of it
//! says that it begins, enters the region, and says so when it has done its work. The first thread
//! then waits for the others: that is the join, which ends when all are back. The barrier with which
//! a parallel region ends is that join and nothing else, as no runtime tells when the other threads
//! leave it: they stay there until the next region.
//!
//! What is told here is traced, and nobody adds it up. Nothing is told before MPI is up, after it
//! is down, nor of what MPI itself does within a call; what has begun untold ends untold.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicU8, Ordering};

use mpiscope_run::record::{LockTurn, Member, ThreadFact};

use super::constructs::tell::{self, end};
pub use super::constructs::Construct;
use super::thread::Thread;
use super::{openmp_tasks, pthreads};
use crate::base::clock::ticks;
use crate::base::notice;
use crate::base::path::idle;
use crate::base::variable::variable_is;

/// How many teams were forked.
static TEAMS: AtomicU64 = AtomicU64::new(0);
/// Parallel regions that came before MPI was up.
static EARLY: AtomicU64 = AtomicU64::new(0);

/// Whether OpenMP is looked at: not known yet, no, yes.
static WANTED: AtomicU8 = AtomicU8::new(0);

/// Returns whether the program's user wants to see OpenMP.
pub fn is_wanted() -> bool {
    if WANTED.load(Ordering::Relaxed) == 0 {
        let off = variable_is(c"MPISCOPE_OPENMP", c"off") || variable_is(c"MPISCOPE_TRACE", c"off");
        WANTED.store(if off { 1 } else { 2 }, Ordering::Relaxed);
    }
    WANTED.load(Ordering::Relaxed) == 2
}

/// A team of so many threads is forked; returns its number, 0 if that is not told.
pub fn fork(threads: u32) -> u64 {
    if idle() && is_wanted() {
        EARLY.fetch_add(1, Ordering::Relaxed);
    }
    let mut team = 0;
    begin(|thread, time| {
        team = TEAMS.fetch_add(1, Ordering::Relaxed) + 1;
        thread.tell(time, ThreadFact::Fork(threads));
    });
    team
}

/// The calling thread begins to work in a team that was forked at `site`; returns whether it is told.
pub fn team_begins(member: Member, site: usize) -> bool {
    if member.number != 0 {
        pthreads::is_of_openmp();
    }
    member.team != 0
        && begin(|thread, time| {
            openmp_tasks::forget_end();
            thread.tell(time, ThreadFact::TeamBegin(member));
            thread.enter_construct(time, Construct::Parallel, site);
        })
}

/// It is done, which began told. The first of the team waits for the others from now on, if it says
/// where.
pub fn team_ends(team: u64, joins_at: Option<usize>) {
    end(|thread, time| {
        let from = thread.position();
        thread.end_team(time, team, joins_at);
        openmp_tasks::note_end(team, joins_at, from..thread.position());
    });
}

/// All threads of a team are back, whose fork was told; whether its first thread has waited told.
pub fn joined(has_waited: bool) {
    end(|thread, time| {
        thread.tell(time, ThreadFact::Join);
        if has_waited {
            thread.leave_construct(time, Construct::Join);
        }
    });
}

/// A construct begins; returns whether it is told.
pub fn enter(construct: Construct, site: usize) -> bool {
    begin(|thread, time| thread.enter_construct(time, construct, site))
}

/// Returns when a construct begins of which it is known afterwards whether it is to be told.
pub fn now() -> u64 {
    ticks()
}

/// A construct ends that began at a time, since when this thread has told nothing.
pub fn passed(construct: Construct, site: usize, began: u64) {
    begin(|thread, time| {
        thread.enter_construct(began.min(time), construct, site);
        thread.leave_construct(time, construct);
    });
}

/// A construct that began told ends.
pub fn leave(construct: Construct) {
    end(|thread, time| thread.leave_construct(time, construct));
}

/// How often locks were acquired, by where they lie: those that share a place share a number, which
/// still ascends for each.
static TURNS: [AtomicU32; 1 << 10] = [const { AtomicU32::new(0) }; 1 << 10];

/// Returns the number of a lock's turns.
fn turns(lock: usize) -> &'static AtomicU32 {
    // Multiplicative hashing (Knuth 6.4).
    let at = (lock as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    &TURNS[at as usize % TURNS.len()]
}

/// The calling thread has acquired a lock, for which it waited in a region that was entered told and
/// is left now, or in none.
pub fn acquired(lock: usize, waited_in: Option<Construct>) {
    // Nobody else acquires it meanwhile.
    let order = || turns(lock).fetch_add(1, Ordering::Relaxed);
    match waited_in {
        Some(construct) => end(|thread, time| {
            thread.tell(time, ThreadFact::AcquireLock(turn(lock, order())));
            thread.leave_construct(time, construct);
        }),
        None => {
            begin(|thread, time| thread.tell(time, ThreadFact::AcquireLock(turn(lock, order()))));
        }
    }
}

/// A lock is about to be given back.
pub fn releases(lock: usize) {
    begin(|thread, time| thread.tell(time, ThreadFact::ReleaseLock(lock as u64)));
}

fn turn(lock: usize, order: u32) -> LockTurn {
    let lock = lock as u64;
    LockTurn { lock, order }
}

/// Tells what could not be told, as recording ends.
pub fn finish() {
    let early = EARLY.load(Ordering::Relaxed);
    if early > 0 {
        notice::tell(&format!(
            "{early} parallel regions of OpenMP were entered before MPI_Init; these are not in the trace"
        ));
    }
}

/// Tells of what begins, if that is recorded.
#[inline]
pub(super) fn begin(what: impl FnOnce(&mut Thread, u64)) -> bool {
    is_wanted() && tell::begin(what)
}

impl Thread {
    /// Tells that the thread's work in a team has ended.
    pub(super) fn end_team(&mut self, time: u64, team: u64, joins_at: Option<usize>) {
        self.leave_construct(time, Construct::Parallel);
        self.tell(time, ThreadFact::TeamEnd(team));
        if let Some(site) = joins_at {
            self.enter_construct(time, Construct::Join, site);
        }
        self.rests_at = self.position();
    }

    /// Returns whether it waits for others, or for work. What it has told last may be taken back
    /// then, so nothing must come behind it.
    pub(super) fn waits(&self) -> bool {
        self.is_waiting || self.position() == self.rests_at
    }

    /// Returns how many records there are.
    pub(super) fn position(&self) -> u64 {
        self.sinks.writer.as_ref().map_or(0, |it| it.position())
    }
}
