//! What the ranks of a host tell each other: who runs, who waits in MPI, who
//! has ended, and whether anything moves.
//!
//! ```text
//! activity   advanced by whoever begins or ends to wait
//! round      even: everybody tries to go on; odd: it is quiet, and all choose
//! slots      one line of the cache for each rank
//! ```

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::monitor::enforced::Shown;

/// Turns of progress that every waiting rank makes before it is quiet.
const TURNS: u32 = 32;
/// How long nothing moves before a call that we cannot see into counts as a wait.
pub const OPAQUE: Duration = Duration::from_millis(500);

/// The page.
pub struct Page {
    head: &'static Head,
    slots: &'static [Slot],
}

#[repr(C, align(64))]
struct Head {
    activity: AtomicU64,
    round: AtomicU64,
    /// 1 once choices are left to MPI on all ranks.
    free: AtomicU32,
}

/// What a rank tells.
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
    shown: Shown,
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
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path)?;
        let bytes = size_of::<Head>() + size * size_of::<Slot>();
        file.set_len(bytes as u64)?;
        // SAFETY: a new mapping of a file that is so long; checked below.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the mapping is page-aligned, never unmapped, and holds a head and `size` slots,
        // of which every bit pattern is one and which are only touched by atomic operations.
        unsafe {
            let slots = base.cast::<u8>().add(size_of::<Head>()).cast::<Slot>();
            Ok(Self {
                head: &*base.cast::<Head>(),
                slots: std::slice::from_raw_parts(slots, size),
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

    /// A rank begins to wait.
    pub fn begin(&self, rank: usize) -> Pass<'_> {
        if let Some(slot) = self.slots.get(rank) {
            slot.goes_on.store(NOTHING, Ordering::Relaxed);
            slot.waits.fetch_add(1, Ordering::Relaxed);
        }
        self.set(rank, WAITS);
        let now = Instant::now();
        Pass {
            page: self,
            rank,
            still: 0,
            since: now,
        }
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
    pub fn shown(&self, rank: usize) -> Option<&'static Shown> {
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
        self.head.activity.load(Ordering::Acquire).wrapping_sub(own)
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
        let Some(slot) = self.slots.get(rank) else {
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
        self.head.free.store(1, Ordering::Relaxed);
    }
}

/// A wait of one rank.
pub struct Pass<'a> {
    page: &'a Page,
    rank: usize,
    /// The latest activity, and when it was first seen.
    still: u64,
    since: Instant,
}

impl Pass<'_> {
    /// Counts a turn of progress in an even round; begins the next one if it is quiet.
    pub fn turn(&mut self, round: u64, patience: Option<Duration>) {
        let page = self.page;
        let activity = page.head.activity.load(Ordering::Acquire);
        let Some(slot) = page.slots.get(self.rank) else {
            return;
        };
        if slot.seen.load(Ordering::Relaxed) != activity {
            slot.turns.store(0, Ordering::Relaxed);
            slot.seen.store(activity, Ordering::Release);
        }
        let turns = slot.turns.load(Ordering::Relaxed).saturating_add(1);
        slot.turns.store(turns, Ordering::Release);
        if self.still != activity {
            (self.still, self.since) = (activity, Instant::now());
        }
        if turns < TURNS {
            return;
        }
        let long = turns.is_multiple_of(1024) && self.since.elapsed() >= OPAQUE;
        let quiet = |slot: &Slot| slot.is_quiet(activity, long);
        if page.slots.iter().all(quiet) {
            if page.head.activity.load(Ordering::Acquire) == activity {
                let _ = page.advance(round);
            }
        } else if long && patience.is_some_and(|patience| self.since.elapsed() >= patience) {
            page.set_free();
        }
    }
}

impl Slot {
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
mod tests {
    use super::*;

    #[test]
    fn who_is_late_or_waits_without_a_choice_sends_nothing_earlier() {
        let folder = std::env::temp_dir().join(format!("mpiscope-other-{}", std::process::id()));
        let page = Page::open(&folder, 3).unwrap();
        let _ = std::fs::remove_file(&folder);
        (0..3).for_each(|rank| page.come(rank));
        let other = |at| page.other(1, (at, 0), 100, false);
        let shown = page.shown(1).unwrap();
        shown.run(40);
        assert_eq!((other(59), other(60)), (Other::Past, Other::Runs));
        // In a call its time stands.
        shown.stand(50);
        assert_eq!((other(49), other(50)), (Other::Past, Other::Runs));
        page.begin(1);
        assert_eq!(other(60), Other::Waits(1, 0));
        // It could choose something: who goes on first does so first, at the same time the lower rank.
        page.turn(1, 70);
        assert_eq!(
            (other(69), other(70)),
            (Other::Waits(1, 1), Other::Waits(1, 1))
        );
        assert_eq!(other(71), Other::Runs);
        assert_eq!(page.other(1, (70, 2), 100, false), Other::Runs);
        let before = page.activity_beside(1);
        page.end(1);
        assert_eq!((other(80), page.activity_beside(1)), (Other::Past, before));
    }

    #[test]
    fn all_choose_in_the_same_quiet_moment() {
        let folder = std::env::temp_dir().join(format!("mpiscope-page-{}", std::process::id()));
        let pages: Vec<Page> = (0..3).map(|_| Page::open(&folder, 3).unwrap()).collect();
        let _ = std::fs::remove_file(&folder);
        assert!(!pages[0].is_complete());
        (0..3).for_each(|rank| pages[rank].come(rank));
        assert!(pages[2].is_complete());
        pages[2].end(2);
        let mut first = pages[0].begin(0);
        (0..100).for_each(|_| first.turn(0, None));
        assert_eq!(pages[1].round(), 0, "rank 1 runs");
        let mut second = pages[1].begin(1);
        (0..100).for_each(|_| second.turn(0, None));
        assert_eq!(pages[0].round(), 0, "rank 0 has not looked since");
        (0..100).for_each(|_| first.turn(0, None));
        assert_eq!(pages[1].round(), 1);
        pages[0].chose(0, 1);
        pages[0].try_end(1);
        assert_eq!(pages[0].round(), 1, "rank 1 has not chosen");
        pages[1].chose(1, 1);
        pages[1].try_end(1);
        assert_eq!(pages[0].round(), 2);
    }
}
