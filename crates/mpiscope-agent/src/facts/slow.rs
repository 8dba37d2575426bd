//! Looks for a slow iteration, with which recording is to end (`trace --until-slow`).
//!
//! The first thread tells each begin of what is looked for. Whoever wants to know what came of it asks
//! ([`found`]): the helper thread, which is woken when there is one.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mpi_abi::FunctionId;
use mpiscope_run::slow::{Lengths, Slow};

use crate::base::helper;

/// No region has this number.
const NONE: u32 = u32::MAX;

static WANTED: OnceLock<Slow> = OnceLock::new();
/// The number of the region that is looked for, once it has one.
static MARK: AtomicU32 = AtomicU32::new(NONE);
/// When it began last, if recording has not been off since; else 0.
static BEGAN: AtomicU64 = AtomicU64::new(0);
static LENGTHS: Mutex<Option<Lengths>> = Mutex::new(None);
/// What was found and nobody has asked for.
static FOUND: Mutex<Option<Outlier>> = Mutex::new(None);
/// Whether it is over: one was found, here or elsewhere.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// A slow iteration.
#[derive(Clone, Copy, Debug)]
pub struct Outlier {
    /// How many times the median of those before it took.
    pub times: f64,
    /// Which it was, from 1.
    pub iteration: u64,
}

/// Begins to look for one; returns whether it is told by calls of MPI.
pub fn begin(wanted: Slow) -> bool {
    let function = FunctionId::find(&wanted.name);
    if let Some(function) = function {
        MARK.store(function.0.into(), Ordering::Relaxed);
    }
    *lock(&LENGTHS) = Some(Lengths::default());
    let _ = WANTED.set(wanted);
    helper::wake();
    function.is_some()
}

/// Returns what is looked for, if anything is.
pub fn wanted() -> Option<&'static Slow> {
    WANTED.get()
}

/// Returns whether there is a region or a function of that name.
pub fn is_known() -> bool {
    MARK.load(Ordering::Relaxed) != NONE
}

/// Returns what was found here, once.
pub fn found() -> Option<Outlier> {
    lock(&FOUND).take()
}

/// Returns whether nobody looks any more.
pub fn is_over() -> bool {
    IS_OVER.load(Ordering::Relaxed)
}

/// Nobody need look any more: another process has found one.
pub fn end() {
    IS_OVER.store(true, Ordering::Relaxed);
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

/// Recording is switched off: the iteration that goes on has no length.
pub(super) fn forget() {
    BEGAN.store(0, Ordering::Relaxed);
}

#[cold]
fn begins_iteration(time: u64) {
    let began = BEGAN.swap(time, Ordering::Relaxed);
    let Some(wanted) = WANTED.get().filter(|_| began != 0 && !is_over()) else {
        return;
    };
    let mut lengths = lock(&LENGTHS);
    let Some(lengths) = lengths.as_mut() else {
        return;
    };
    let times = lengths.take(time.wrapping_sub(began));
    if let Some(times) = times.filter(|times| *times >= wanted.times) {
        *lock(&FOUND) = Some(Outlier {
            times,
            iteration: lengths.count(),
        });
        end();
        helper::wake();
    }
}

fn lock<T>(of: &'static Mutex<T>) -> std::sync::MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
