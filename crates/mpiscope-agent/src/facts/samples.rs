//! Samples: a timer of each thread has it looked at where it computes.
//!
//! The timer counts the thread's processor time, so a thread that sleeps or waits in the system is
//! not disturbed. Its signal ([`timer_signal`]) comes wherever the thread is. If that is in a call of
//! MPI, or the agent works on the thread's records, or the thread waits in OpenMP's runtime, the
//! period is counted and nothing is noted; else the place becomes a record. Nothing is allocated or
//! locked for that, and nothing asked of the system: where the buffer has no room now, the period is
//! counted as well.
//!
//! Threads that never call MPI compute, too. A signal cannot make such a thread's state; it asks the
//! helper thread, which lays it where the next signal finds it (`timers`).

mod timers;

use std::sync::atomic::{compiler_fence, AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mpiscope_run::process::Definition;
use mpiscope_run::record::{Fact, Record};
use mpiscope_run::sampling::Sampled;

use super::session::{self, Session};
use super::thread::{self, Thread};
use crate::base::clock::ticks;
use crate::base::own::Own;
use crate::base::path::recording;
use crate::base::{definitions, helper, lineage, timer_signal};
use crate::mpi::modules::code_around;

pub use timers::{note_born, note_there};

/// How often it is looked for threads that have come or gone; a birth is told of at once.
const LOOK: Duration = Duration::from_millis(20);

/// Nanoseconds of a period; 0 if there are no samples.
static INTERVAL: AtomicU64 = AtomicU64::new(0);
static WITHIN: AtomicU64 = AtomicU64::new(0);
static NO_ROOM: AtomicU64 = AtomicU64::new(0);
static UNKNOWN: AtomicU64 = AtomicU64::new(0);
static GAVE_WAY: AtomicBool = AtomicBool::new(false);
/// The agent's own code: first address, and length.
static OWN_CODE: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

/// When the modules were looked at and the counts told, and when the counts are told next.
static TOLD: Mutex<Option<Told>> = Mutex::new(None);

struct Told {
    began: Instant,
    looked: Instant,
    next: Duration,
}

/// Begins to look at all threads after each so many nanoseconds, as recording begins. The process
/// has a second thread by then, the helper: when there is one, glibc handles its signals.
pub fn begin(interval: Option<u64>) {
    let Some(interval) = interval.filter(|&interval| interval > 0) else {
        return;
    };
    let (begin, length) = code_around(take as *const () as usize);
    OWN_CODE[0].store(begin, Ordering::Relaxed);
    OWN_CODE[1].store(length, Ordering::Relaxed);
    if timer_signal::install(take) {
        INTERVAL.store(interval, Ordering::Release);
        lineage::tell_births();
        helper::wake();
    } else {
        timers::refused();
    }
    tell(interval);
}

/// What the helper thread does: sees to threads that have come or gone, defines the code that they
/// may be in, and tells what was counted, each now and then.
pub fn look_around() {
    let interval = INTERVAL.load(Ordering::Acquire);
    let Some(session) = session::get().filter(|_| interval > 0) else {
        return;
    };
    if !timer_signal::is_ours() {
        GAVE_WAY.store(true, Ordering::Relaxed);
        stop();
        return tell(interval);
    }
    timers::look_around(session, interval);
    if is_time() {
        session.modules.note_all();
    }
    if is_time_to_tell() {
        tell(interval);
    }
    helper::come_again_in(LOOK);
}

/// Ends it, before the records are read: nobody looks around any more.
pub fn finish(session: &Session) {
    let interval = INTERVAL.load(Ordering::Relaxed);
    if interval > 0 {
        if !timer_signal::is_ours() {
            GAVE_WAY.store(true, Ordering::Relaxed);
        }
        stop();
        session.modules.note_all();
        tell(interval);
    }
}

/// The handler stays: a signal may be under way.
fn stop() {
    INTERVAL.store(0, Ordering::Relaxed);
    timers::delete_all();
}

/// Whether a second has gone by.
fn is_time() -> bool {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    match &mut *told {
        Some(told) if now - told.looked < Duration::from_secs(1) => false,
        Some(told) => {
            told.looked = now;
            true
        }
        None => {
            *told = Some(Told {
                began: now,
                looked: now,
                next: Duration::from_secs(1),
            });
            true
        }
    }
}

/// Whether a tenth of the run has gone by: a process that is killed has told most, and definitions
/// stay few.
fn is_time_to_tell() -> bool {
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(told) = &mut *told else {
        return false;
    };
    let is_time = told.began.elapsed() >= told.next;
    if is_time {
        told.next = told.began.elapsed().mul_f64(1.1) + Duration::from_secs(1);
    }
    is_time
}

fn tell(interval: u64) {
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    definitions::tell(&Definition::Sampled(Sampled {
        interval,
        within: count(&WITHIN),
        no_room: count(&NO_ROOM),
        unknown: count(&UNKNOWN),
        no_timer: timers::without(),
        gave_way: GAVE_WAY.load(Ordering::Relaxed),
        refused: timers::are_refused(),
    }));
}

/// A timer has fired: in a signal handler, in the thread that it looks at.
fn take(timer: u32, periods: u32, address: usize) {
    if !recording() {
        return;
    }
    let count = match state(timer) {
        _ if is_own_code(address) => &WITHIN,
        None => &UNKNOWN,
        Some(thread) => match note(thread, periods, address) {
            Noted::Yes | Noted::NotRecorded => return,
            Noted::Within => &WITHIN,
            Noted::NoRoom => &NO_ROOM,
        },
    };
    count.fetch_add(periods.into(), Ordering::Relaxed);
}

fn is_own_code(address: usize) -> bool {
    let [begin, length] = [0, 1].map(|at| OWN_CODE[at].load(Ordering::Relaxed));
    address.wrapping_sub(begin) < length
}

/// Returns the thread's state: its own, or that which was made for it.
fn state(timer: u32) -> Option<Own<Thread>> {
    thread::known().or_else(|| timers::adopt(timer))
}

/// What has come of a period.
enum Noted {
    Yes,
    /// Recording has been switched on, and the thread's records do not say so yet.
    NotRecorded,
    /// In MPI, or wherever the thread's state is being worked on.
    Within,
    NoRoom,
}

/// Notes where the thread computes, unless its state is being worked on.
fn note(own: Own<Thread>, periods: u32, address: usize) -> Noted {
    // SAFETY: the state is this thread's and lives; whoever works on it has said so before, and
    // nothing else of it is looked at then.
    if unsafe { (&raw const (*own.pointer()).nesting).read_volatile() }.is_nested() {
        return Noted::Within;
    }
    let thread = own.get();
    if !thread.seen || !thread.is_told() {
        return Noted::NotRecorded;
    }
    if thread.waits() {
        return Noted::Within;
    }
    compiler_fence(Ordering::SeqCst);
    let address = address as u64;
    let sample = Record::new(ticks(), Fact::Sample { address, periods });
    let Some(writer) = &mut thread.sinks.writer else {
        return Noted::NotRecorded;
    };
    let is_kept = writer.push_at_once(sample);
    if writer.wants_help() {
        helper::wake();
    }
    compiler_fence(Ordering::SeqCst);
    match is_kept {
        true => Noted::Yes,
        false => Noted::NoRoom,
    }
}
