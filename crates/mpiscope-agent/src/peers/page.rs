//! What the ranks of a host tell each other: who runs, who waits in MPI, who
//! has ended, and whether anything moves.
//!
//! ```text
//! activity   advanced by whoever begins or ends to wait
//! round      even: everybody tries to go on; odd: it is quiet, and all choose
//! slots      a few lines of the cache for each rank
//! ```
//!
//! Of ranks on other hosts there are copies (`window`).

mod pass;
mod window;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use mpi_abi::{Code, OwnComm};

use super::common_clock::ClockLine;
use super::published_time::PublishedTime;
use crate::base::shared::map;
pub use pass::Pass;
use window::{ShownLine, Window};

/// Turns of progress that every waiting rank makes before it is quiet.
const TURNS: u32 = 32;
/// How long nothing moves before a call that we cannot see into counts as a wait.
pub const OPAQUE: Duration = Duration::from_millis(500);

/// The page.
pub struct Page {
    head: &'static Head,
    slots: &'static [Slot],
    /// Where there are several hosts.
    far: OnceLock<Far>,
}

/// Ranks of other hosts.
struct Far {
    /// By rank, what is known of it.
    copies: Vec<Slot>,
    is_far: Vec<bool>,
    window: Mutex<Window>,
}

#[repr(C, align(64))]
struct Head {
    activity: AtomicU64,
    round: AtomicU64,
    /// 1 once choices are left to MPI on all ranks.
    free: AtomicU32,
}

/// What a rank tells.
#[derive(Default)]
#[repr(C, align(64))]
struct Slot {
    state: AtomicU32,
    pid: AtomicU32,
    /// The activity that it has seen, and the turns it has made since.
    seen: AtomicU64,
    turns: AtomicU32,
    /// The last round in which it has chosen.
    chose: AtomicU64,
    /// Its part of the activity.
    moves: AtomicU64,
    /// Waits begun, and turns made in all of them.
    waits: AtomicU64,
    passes: AtomicU64,
    /// The virtual time at which it goes on if it may choose what it sees; [`NOTHING`] if it sees
    /// nothing, or has no choice.
    goes_on: AtomicU64,
    shown: PublishedTime,
    /// Its clock, and not 0 once it leaves choices to MPI: for other hosts.
    line: ShownLine,
    freed: AtomicU64,
}

/// See `Slot::goes_on`.
pub const NOTHING: u64 = u64::MAX;

/// What can be expected of another rank before a moment in virtual time.
#[derive(Debug, PartialEq, Eq)]
pub enum Other {
    /// It is past that, or has ended: nothing.
    Past,
    /// It runs, or goes on first.
    Runs,
    /// It waits: the number of this wait, and turns made.
    Waits(u64, u64),
    /// It is in a call that we do not see into.
    Within,
}

/// The page of this process, its rank, and whether its choices depend on the virtual time of others.
static OWN: OnceLock<(&'static Page, usize, bool)> = OnceLock::new();

/// This process is on a page, as this rank.
pub fn be_on(page: &'static Page, rank: u32, by_time: bool) {
    let _ = OWN.set((page, rank as usize, by_time));
}

/// Returns where this process publishes its virtual time, if choices depend on it.
pub fn published() -> Option<&'static PublishedTime> {
    let (page, rank, by_time) = OWN.get()?;
    page.published(*rank).filter(|_| *by_time)
}

/// Shows this process's clock to other hosts, if their choices depend on it.
pub fn show_line(line: ClockLine) {
    if let Some((page, rank, _)) = OWN.get() {
        page.show_line(*rank, line);
    }
}

/// Ends to look what ranks of other hosts do; all ranks come here.
pub fn leave_hosts() {
    if let Some((page, ..)) = OWN.get() {
        page.leave();
    }
}

const RUNS: u32 = 1;
const WAITS: u32 = 2;
/// In a call that we do not see into.
const WITHIN: u32 = 3;
const ENDED: u32 = 4;

impl Page {
    /// Maps the page of a job of so many ranks; whoever comes first makes it.
    ///
    /// # Errors
    /// Whatever opening or mapping the file gave.
    pub fn open(path: &Path, size: usize) -> io::Result<Self> {
        let base = map(path, size_of::<Head>() + size * size_of::<Slot>())?;
        // SAFETY: the mapping is page-aligned, never unmapped, and holds a head and `size` slots,
        // of which every bit pattern is one and which are only touched by atomic operations.
        unsafe {
            let slots = base.add(size_of::<Head>()).cast::<Slot>();
            Ok(Self {
                head: &*base.cast::<Head>(),
                slots: std::slice::from_raw_parts(slots, size),
                far: OnceLock::new(),
            })
        }
    }

    /// Tells that a rank is there.
    pub fn come(&self, rank: usize) {
        if let Some(slot) = self.slots.get(rank) {
            slot.pid.store(std::process::id(), Ordering::Relaxed);
            slot.state.store(RUNS, Ordering::Release);
        }
    }

    /// Returns whether all ranks are there: they share this page, and so a host.
    pub fn is_complete(&self) -> bool {
        let there = |slot: &Slot| slot.state.load(Ordering::Acquire) != 0;
        self.slots.iter().all(there)
    }

    /// Has the ranks that share other pages seen in this one; all ranks call this, and have come
    /// to their pages.
    pub fn join(&'static self, own_comm: OwnComm<'static>) -> Result<(), Code> {
        let rank = own_comm.rank() as usize;
        let is_far = |slot: &Slot| slot.state.load(Ordering::Acquire) == 0;
        let is_far: Vec<bool> = self.slots.iter().map(is_far).collect();
        let all = 0..self.slots.len();
        let far: Vec<usize> = all.clone().filter(|&rank| is_far[rank]).collect();
        let own = self.slots.get(rank).ok_or(Code(-1))?;
        let window = Window::open(own_comm, own, &far)?;
        let copies = all.map(|_| Slot::unknown());
        let _ = self.far.set(Far {
            copies: copies.collect(),
            is_far,
            window: Mutex::new(window),
        });
        Ok(())
    }

    /// Ends that; all ranks come here.
    pub fn leave(&self) {
        if let Some(far) = self.far.get() {
            let mut window = far.window.lock().unwrap_or_else(PoisonError::into_inner);
            window.close();
        }
    }

    /// Shows a rank's clock to other hosts.
    pub fn show_line(&self, rank: usize, line: ClockLine) {
        if let Some(slot) = self.slots.get(rank) {
            slot.line.show(line);
        }
    }

    /// Looks again what ranks of other hosts do; `line` is our clock.
    pub fn refresh(&self, line: impl FnOnce() -> Option<ClockLine>) {
        let Some(far) = self.far.get() else { return };
        let mut window = far.window.lock().unwrap_or_else(PoisonError::into_inner);
        if window.refresh(&far.copies, line()) {
            self.set_free();
        }
    }

    /// Returns what is known of a rank.
    fn slot(&self, rank: usize) -> Option<&Slot> {
        match self.far.get() {
            Some(far) if far.is_far.get(rank) == Some(&true) => far.copies.get(rank),
            _ => self.slots.get(rank),
        }
    }

    /// A rank begins to wait.
    pub fn begin(&self, rank: usize) -> Pass<'_> {
        if let Some(slot) = self.slots.get(rank) {
            slot.goes_on.store(NOTHING, Ordering::Relaxed);
            slot.waits.fetch_add(1, Ordering::Relaxed);
        }
        self.set(rank, WAITS);
        if let Some(far) = self.far.get() {
            let mut window = far.window.lock().unwrap_or_else(PoisonError::into_inner);
            window.begin(&far.copies);
        }
        Pass::new(self, rank)
    }

    /// A rank goes on.
    pub fn go_on(&self, rank: usize) {
        self.set(rank, RUNS);
    }

    /// A rank enters a call that may wait, and of which nothing is seen.
    pub fn enter(&self, rank: usize) {
        if let Some(slot) = self.slots.get(rank) {
            slot.state.store(WITHIN, Ordering::Release);
        }
    }

    /// A rank has ended.
    pub fn end(&self, rank: usize) {
        self.set(rank, ENDED);
    }

    fn set(&self, rank: usize, state: u32) {
        if let Some(slot) = self.slots.get(rank) {
            slot.state.store(state, Ordering::Release);
            slot.moves.fetch_add(1, Ordering::Relaxed);
        }
        self.head.activity.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the round; choices are made in odd ones.
    pub fn round(&self) -> u64 {
        self.head.round.load(Ordering::Acquire)
    }

    /// A rank has chosen in a round; the last one ends it.
    pub fn chose(&self, rank: usize, round: u64) {
        if let Some(slot) = self.slots.get(rank) {
            slot.chose.store(round, Ordering::Release);
        }
    }

    /// Ends a round in which everybody who waits has chosen.
    pub fn try_end(&self, round: u64) {
        let has_chosen = |slot: &Slot| {
            slot.state.load(Ordering::Acquire) != WAITS
                || slot.chose.load(Ordering::Acquire) == round
        };
        if self.slots.iter().all(has_chosen) {
            self.head.activity.fetch_add(1, Ordering::AcqRel);
            let _ = self.advance(round);
        }
    }

    fn advance(&self, round: u64) -> Result<u64, u64> {
        let word = &self.head.round;
        word.compare_exchange(round, round + 1, Ordering::AcqRel, Ordering::Acquire)
    }

    /// Returns whether choices are left to MPI.
    pub fn is_free(&self) -> bool {
        self.head.free.load(Ordering::Relaxed) != 0
    }

    /// Returns where a rank shows its virtual time.
    pub fn published(&self, rank: usize) -> Option<&'static PublishedTime> {
        let slots: &'static [Slot] = self.slots;
        slots.get(rank).map(|slot| &slot.shown)
    }

    /// Returns how many ranks there are.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// Returns how often others than this rank have begun or ended to wait, or ended a call.
    pub fn activity_beside(&self, rank: usize) -> u64 {
        let moves = |slot: &Slot| slot.moves.load(Ordering::Relaxed);
        let own = self.slots.get(rank).map_or(0, moves);
        let far = (self.far.get()).map_or(0, |far| far.copies.iter().map(moves).sum());
        let here = self.head.activity.load(Ordering::Acquire);
        here.wrapping_sub(own).wrapping_add(far)
    }

    /// A rank that waits has made a turn, and would go on at that virtual time.
    pub fn turn(&self, rank: usize, goes_on: u64) {
        if let Some(slot) = self.slots.get(rank) {
            slot.goes_on.store(goes_on, Ordering::Release);
            slot.passes.fetch_add(1, Ordering::Release);
        }
    }

    /// Returns what can be expected of another `rank` before `me` goes on, at this reading of the
    /// clock; `long` is as in `is_quiet`.
    pub fn other(&self, rank: usize, me: (u64, usize), clock: u64, long: bool) -> Other {
        let Some(slot) = self.slot(rank) else {
            return Other::Past;
        };
        // What it waits for is read before its state: it may end to wait meanwhile.
        let waits = slot.waits.load(Ordering::Acquire);
        let passes = slot.passes.load(Ordering::Acquire);
        let goes_on = slot.goes_on.load(Ordering::Acquire);
        let state = slot.state.load(Ordering::Acquire);
        if state == ENDED || slot.shown.at(clock) > me.0 {
            return Other::Past;
        }
        match state {
            WAITS if goes_on != NOTHING && (goes_on, rank) < me => Other::Runs,
            WAITS => Other::Waits(waits, passes),
            WITHIN if long => Other::Past,
            WITHIN => Other::Within,
            _ if long && slot.is_dead() => Other::Past,
            _ => Other::Runs,
        }
    }

    /// Leaves choices to MPI, on all ranks and for ever.
    pub fn set_free(&self) {
        if self.head.free.swap(1, Ordering::Relaxed) == 0 {
            for slot in self.slots {
                slot.freed.store(1, Ordering::Relaxed);
            }
        }
    }
}

impl Slot {
    /// That of a rank of which nothing is known yet: it may send as early as it likes.
    fn unknown() -> Self {
        let slot = Self {
            state: AtomicU32::new(RUNS),
            goes_on: AtomicU64::new(NOTHING),
            ..Self::default()
        };
        slot.shown.stand(0);
        slot
    }

    /// Whether nothing can be expected of this rank; after a `long` while that
    /// holds for calls of which nothing is seen, and for processes that died.
    fn is_quiet(&self, activity: u64, long: bool) -> bool {
        match self.state.load(Ordering::Acquire) {
            ENDED => true,
            WAITS => {
                self.seen.load(Ordering::Acquire) == activity
                    && self.turns.load(Ordering::Acquire) >= TURNS
            }
            WITHIN => long,
            _ => long && self.is_dead(),
        }
    }

    fn is_dead(&self) -> bool {
        let pid = self.pid.load(Ordering::Relaxed) as libc::pid_t;
        // SAFETY: signal 0 only asks whether the process is there.
        pid > 0 && unsafe { libc::kill(pid, 0) } != 0
    }
}

#[cfg(test)]
mod tests;
