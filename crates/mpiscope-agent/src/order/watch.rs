//! Whether replay still moves: a thread of our own that looks, now and then,
//! at what the program's threads are doing, and at what other ranks say.
//!
//! A thread that is not in a call computes, and may do so for hours, unless it
//! is one of several and uses no processor, as one that joins others. A thread
//! is stuck when for a while it has been in one call, or has made no calls but
//! polls that say no; a rank when all its threads are. Only when all ranks are
//! stuck, have finished or are no more, nobody will ever help anybody: then
//! each says what it waits for, and ends.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mpi_abi::FunctionId;
use mpiscope_run::order::outcome::{self, State, Wait};

use super::state::{Session, Shared};
use super::{finish, hash};

/// What a thread is doing; written by it, read by the watchdog.
#[derive(Debug, Default)]
pub struct Where {
    /// Calls begun and ended; odd within a call.
    steps: AtomicU64,
    /// Calls ended that were no polls in vain.
    progress: AtomicU64,
    /// Steps at which to stand; never 0.
    stand_at: AtomicU64,
    function: AtomicU32,
    integers: [AtomicU32; hash::INTEGERS],
    site: AtomicU64,
}

impl Where {
    /// A call begins.
    #[inline]
    pub fn enter(&self, function: FunctionId) {
        self.function
            .store(u32::from(function.0), Ordering::Relaxed);
        self.step();
    }

    /// It has ended; `vain` if it was a poll that said no.
    #[inline]
    pub fn leave(&self, vain: bool) {
        if !vain {
            let progress = self.progress.load(Ordering::Relaxed);
            self.progress.store(progress + 1, Ordering::Relaxed);
        }
        self.step();
    }

    #[inline]
    fn step(&self) {
        let steps = self.steps.load(Ordering::Relaxed);
        self.steps.store(steps + 1, Ordering::Release);
    }

    /// Chooses a call before which to stand.
    pub fn stand_before(&self, call: u64) {
        let steps = call.saturating_mul(2).saturating_sub(1);
        self.stand_at.store(steps, Ordering::Relaxed);
    }

    /// Returns whether the call that has just begun is the chosen one.
    #[inline]
    pub fn is_to_stand(&self) -> bool {
        self.steps.load(Ordering::Relaxed) == self.stand_at.load(Ordering::Relaxed)
    }

    /// Returns whether the next call is.
    #[inline]
    pub fn is_to_stand_next(&self) -> bool {
        self.steps.load(Ordering::Relaxed) + 1 == self.stand_at.load(Ordering::Relaxed)
    }

    /// Returns how many calls were begun.
    pub fn calls(&self) -> u64 {
        self.steps.load(Ordering::Relaxed).div_ceil(2)
    }

    /// Notes what the call is about.
    #[inline]
    pub fn about(&self, k: usize, value: u32) {
        if let Some(integer) = self.integers.get(k) {
            integer.store(value, Ordering::Relaxed);
        }
    }

    /// Returns where the call was made.
    #[inline(always)]
    pub fn site(&self) -> usize {
        self.site.load(Ordering::Relaxed) as usize
    }

    /// Notes where the call was made.
    #[inline]
    pub fn at(&self, site: usize) {
        self.site.store(site as u64, Ordering::Relaxed);
    }
}

static STOP: AtomicBool = AtomicBool::new(false);

/// Begins to watch.
pub fn start(session: &'static Session, patience: Duration) {
    let _ = crate::base::helper::without_signals(|| {
        std::thread::Builder::new()
            .name("mpiscope-watch".into())
            .stack_size(256 << 10)
            .spawn(move || watch(session, patience))
    });
}

/// Ends watching.
pub fn stop() {
    STOP.store(true, Ordering::Release);
}

struct Seen {
    steps: u64,
    progress: u64,
    since: Instant,
    /// Steps at the last look.
    last: u64,
    /// Processor time that it has used, as the system counts.
    used: u64,
    /// It waits within MPI, or polls in vain.
    stuck: bool,
    /// It is outside of MPI, and asleep.
    idle: bool,
}

fn watch(session: &'static Session, patience: Duration) {
    let tick = (patience / 8).clamp(Duration::from_millis(20), Duration::from_secs(1));
    let mut seen: Vec<Seen> = Vec::new();
    let (mut said, mut confirmed) = (false, 0);
    while !STOP.load(Ordering::Acquire) {
        std::thread::sleep(tick);
        let threads = session.threads();
        look(&threads, &mut seen, patience);
        let stuck =
            seen.iter().any(|seen| seen.stuck) && seen.iter().all(|seen| seen.stuck || seen.idle);
        if !stuck {
            if said {
                // It goes on after all.
                let _ = finish::write_outcome(session, State::Silent, Vec::new());
            }
            (said, confirmed) = (false, 0);
            continue;
        }
        if !said {
            said = finish::write_outcome(session, State::Stalled, waits(session, &threads)).is_ok();
        }
        let said_all = outcome::note_gone(&session.run).unwrap_or_default();
        let spoke = said_all.iter().filter(|rank| rank.state != State::Silent);
        let all = spoke.count() as u32 == session.size;
        confirmed = if all { confirmed + 1 } else { 0 };
        if confirmed >= 3 {
            finish::give_up(session, State::Stalled);
        }
    }
}

fn is_in_call(thread: &Shared) -> bool {
    thread.place.steps.load(Ordering::Acquire) % 2 == 1
}

/// Returns how much of a processor a thread has used: user and system time of
/// proc(5), after the name, which may hold anything.
fn used(tid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/self/task/{tid}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let times = fields.split_whitespace().skip(11).take(2);
    times.filter_map(|time| time.parse::<u64>().ok()).sum()
}

fn look(threads: &[&'static Shared], seen: &mut Vec<Seen>, patience: Duration) {
    let now = Instant::now();
    for (k, thread) in threads.iter().enumerate() {
        let steps = thread.place.steps.load(Ordering::Acquire);
        let progress = thread.place.progress.load(Ordering::Relaxed);
        if k == seen.len() {
            seen.push(Seen {
                steps,
                progress,
                since: now,
                last: steps,
                used: 0,
                stuck: false,
                idle: false,
            });
        }
        let seen = &mut seen[k];
        let in_one_call = steps == seen.steps && steps % 2 == 1;
        let polls = steps != seen.last && progress == seen.progress;
        let outside = steps == seen.steps && steps % 2 == 0 && threads.len() > 1;
        let used = if outside { used(thread.tid) } else { 0 };
        let idle = outside && used == seen.used;
        if !in_one_call && !polls && !idle {
            (seen.steps, seen.progress, seen.since) = (steps, progress, now);
        }
        (seen.last, seen.used) = (steps, used);
        let long = now - seen.since >= patience;
        (seen.stuck, seen.idle) = (long && !idle, long && idle);
    }
}

/// Returns what the threads in calls wait for.
pub fn waits(session: &Session, threads: &[&'static Shared]) -> Vec<Wait> {
    let several = threads.len() > 1;
    threads
        .iter()
        .filter(|thread| several || is_in_call(thread))
        .map(|thread| {
            let place = &thread.place;
            let outside = !is_in_call(thread);
            let ended = thread.ended.load(Ordering::Relaxed);
            let function = FunctionId(place.function.load(Ordering::Relaxed) as u16);
            let integer = |k: usize| {
                let value = place.integers.get(k).map(|v| v.load(Ordering::Relaxed));
                value.unwrap_or_default() as i32
            };
            let site = place.site();
            Wait {
                thread: thread.number,
                call: place.calls(),
                what: hash::described_by(function, &session.mpi.abi, integer),
                source: hash::source_of(function)
                    .filter(|_| !outside)
                    .and_then(|k| u32::try_from(integer(k)).ok()),
                outside,
                ended,
                turn: session
                    .turns
                    .as_ref()
                    .and_then(|turns| turns.expected(thread.number)),
                site: super::nondeterminism::place(site),
            }
        })
        .collect()
}
