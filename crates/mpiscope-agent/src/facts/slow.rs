//! Recording ends with a slow iteration (`trace --until-slow`).
//!
//! The first thread tells each begin of what is looked for; all else is the helper thread's: it writes
//! that one was found, and looks whether another process has.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use mpi_abi::FunctionId;
use mpiscope_run::control::Why;
use mpiscope_run::slow::{self, Found, Lengths, Slow};

use super::session;
use super::switched;
use crate::base::{helper, notice};

/// How often it is looked whether another process has found one.
const LOOK: Duration = Duration::from_millis(50);
/// No region has this number.
const NONE: u32 = u32::MAX;

static WANTED: OnceLock<Slow> = OnceLock::new();
/// The number of the region that is looked for, once it has one.
static MARK: AtomicU32 = AtomicU32::new(NONE);
/// When it began last, if recording has not been off since; else 0.
static BEGAN: AtomicU64 = AtomicU64::new(0);
static LENGTHS: Mutex<Option<Lengths>> = Mutex::new(None);
/// What this process has found and not told.
static FOUND: Mutex<Option<Found>> = Mutex::new(None);
/// Whether it is over: one was found, here or elsewhere.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Begins to look for one; returns whether it is told by calls of MPI.
pub fn begin(wanted: Option<Slow>) -> bool {
    let Some(wanted) = wanted else {
        return false;
    };
    let function = FunctionId::find(&wanted.name);
    if let Some(function) = function {
        MARK.store(function.0.into(), Ordering::Relaxed);
    }
    *lock(&LENGTHS) = Some(Lengths::default());
    let _ = WANTED.set(wanted);
    helper::wake();
    function.is_some()
}

/// A region has this name and number.
pub(super) fn is_named(name: &str, number: u32) {
    if WANTED.get().is_some_and(|wanted| wanted.name == name) {
        MARK.store(number, Ordering::Relaxed);
    }
}

/// The first thread begins a region or a function of MPI.
#[inline(always)]
pub(super) fn begins(region: u32, time: u64) {
    if MARK.load(Ordering::Relaxed) == region {
        begins_iteration(time);
    }
}

/// Recording has been switched off: the iteration that goes on has no length.
pub(super) fn forget() {
    BEGAN.store(0, Ordering::Relaxed);
}

#[cold]
fn begins_iteration(time: u64) {
    let began = BEGAN.swap(time, Ordering::Relaxed);
    let Some(wanted) = WANTED.get().filter(|_| began != 0) else {
        return;
    };
    if IS_OVER.load(Ordering::Relaxed) {
        return;
    }
    let mut lengths = lock(&LENGTHS);
    let Some(lengths) = lengths.as_mut() else {
        return;
    };
    let times = lengths.take(time.wrapping_sub(began));
    if let Some(times) = times.filter(|times| *times >= wanted.times) {
        IS_OVER.store(true, Ordering::Relaxed);
        *lock(&FOUND) = Some(Found {
            rank: session::get().map_or(0, |session| session.identity.rank),
            times,
            iteration: lengths.count(),
            seconds: switched::elapsed().as_secs_f64(),
        });
        switched::off(Why::Slow);
        helper::wake();
    }
}

/// What the helper thread does.
pub fn look_around() {
    let (Some(wanted), Some(session)) = (WANTED.get(), session::get()) else {
        return;
    };
    if let Some(found) = lock(&FOUND).take() {
        tell(&session.run, wanted, &found);
    }
    if IS_OVER.load(Ordering::Relaxed) {
        return;
    }
    match slow::place(&session.run).exists() {
        true => {
            IS_OVER.store(true, Ordering::Relaxed);
            switched::off(Why::Slow);
        }
        false => helper::come_again_in(LOOK),
    }
}

/// Tells it before the run ends, if the helper has not come to it, and that none was found.
pub fn finish() {
    look_around();
    let first = session::get().is_some_and(|session| session.identity.rank == 0);
    let Some(wanted) = WANTED.get().filter(|_| first) else {
        return;
    };
    if !IS_OVER.load(Ordering::Relaxed) {
        let what = match MARK.load(Ordering::Relaxed) {
            NONE => "no region has had that name, and no function of MPI has it",
            _ => "no iteration took so long on rank 0, nor on another as far as it has heard",
        };
        notice::tell(&format!("--until-slow {}: {what}", wanted.text()));
    }
}

fn tell(run: &Path, wanted: &Slow, found: &Found) {
    let told = slow::tell(run, found);
    let others = match told {
        Ok(()) => String::new(),
        Err(error) => format!("; the other ranks have not heard of it and go on: {error}"),
    };
    notice::tell(&format!(
        "recording has ended {:.1} s after MPI_Init: iteration {} from one begin of {} to the next took {:.1} \
         times the median of those before{others}",
        found.seconds, found.iteration, wanted.name, found.times
    ));
}

fn lock<T>(of: &'static Mutex<T>) -> std::sync::MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
