//! Recording switched off and on by somebody else than the program.
//!
//! Off it goes as with `MPI_Pcontrol(0)`, from any thread. On it is switched by the next call of
//! one of the program's threads: the records of what came by meanwhile are that thread's.

use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use mpiscope_run::control::{Switched, Why};
use mpiscope_run::process::Definition;

use super::session;
use super::slow;
use crate::base::clock::ticks;
use crate::base::definitions;
use crate::base::path::{advance, paused, recording, State};

static BEGAN: OnceLock<Instant> = OnceLock::new();
/// Whether it is off, and not because of the program.
static OFF: AtomicU8 = AtomicU8::new(NO);
/// Whether the next call is to switch it on, and why.
static ON_WANTED: AtomicU8 = AtomicU8::new(NO);

/// When it went off, in ticks; 0 if it is on.
static OFF_AT: AtomicU64 = AtomicU64::new(0);

const NO: u8 = 0;
const ALL: [Why; 7] = [
    Why::Program,
    Why::Control,
    Why::Window,
    Why::Limit,
    Why::Ranks,
    Why::Kept,
    Why::Slow,
];

/// The program has come out of MPI_Init.
pub fn begin() {
    let _ = BEGAN.set(Instant::now());
}

/// How long ago that was.
pub fn elapsed() -> Duration {
    BEGAN.get().map_or(Duration::ZERO, Instant::elapsed)
}

/// Switches recording off, if it is on or about to be.
pub fn off(why: Why) {
    ON_WANTED.store(NO, Ordering::Relaxed);
    let Some(session) = session::get().filter(|_| recording()) else {
        return;
    };
    session.unrecorded.begin();
    goes_off();
    if advance(State::Recording, State::Paused) {
        OFF.store(number(why), Ordering::Relaxed);
        tell(false, why);
    }
}

/// Recording is about to be off, by the program or by others.
pub fn goes_off() {
    slow::forget();
    OFF_AT.store(ticks(), Ordering::Relaxed);
}

/// Returns when recording was switched off, if it has not been on since.
pub fn off_at() -> Option<u64> {
    match OFF_AT.load(Ordering::Relaxed) {
        0 => None,
        ticks => Some(ticks),
    }
}

/// Has the next call switch it on, if it is off.
pub fn want_on(why: Why) {
    if paused() {
        ON_WANTED.store(number(why), Ordering::Relaxed);
    }
}

/// Returns why the call that begins is to switch it on, if it is; no other call is, then.
#[inline]
pub fn is_on_wanted() -> Option<Why> {
    match ON_WANTED.load(Ordering::Relaxed) {
        NO => None,
        _ => {
            let wanted = ON_WANTED.swap(NO, Ordering::Relaxed);
            ALL.into_iter().find(|&why| number(why) == wanted)
        }
    }
}

/// Switches it on.
pub fn on(why: Why) {
    advance(State::Paused, State::Recording);
    is_on(why);
}

/// It is on: tells so if it was off for a reason that was told.
pub fn is_on(why: Why) {
    OFF_AT.store(0, Ordering::Relaxed);
    if OFF.swap(NO, Ordering::Relaxed) != NO || why != Why::Program {
        tell(true, why);
    }
}

fn number(why: Why) -> u8 {
    why as u8 + 1
}

fn tell(on: bool, why: Why) {
    let seconds = elapsed().as_secs_f64();
    let given_up = 0;
    definitions::tell(&Definition::Switched(Switched {
        on,
        why,
        seconds,
        given_up,
    }));
}
