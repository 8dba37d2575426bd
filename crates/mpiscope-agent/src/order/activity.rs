//! What a thread is doing, where the watchdog and a debugger see it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mpi_abi::FunctionId;

use super::hash::INTEGERS;

/// What a thread is doing; written by it, read by the watchdog.
#[derive(Debug, Default)]
pub struct Activity {
    /// Calls begun and ended; odd within a call.
    steps: AtomicU64,
    /// Calls ended that were no polls in vain.
    progress: AtomicU64,
    /// Steps at which to stand; never 0.
    stand_at: AtomicU64,
    function: AtomicU32,
    integers: [AtomicU32; INTEGERS],
    site: AtomicU64,
}

impl Activity {
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

    /// Returns how many calls were begun and ended; odd within a call.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Acquire)
    }

    /// Returns whether it is in a call.
    pub fn is_in_call(&self) -> bool {
        !self.steps().is_multiple_of(2)
    }

    /// Returns how many calls were ended that were no polls in vain.
    pub fn progress(&self) -> u64 {
        self.progress.load(Ordering::Relaxed)
    }

    /// Returns the function called last, and what the call is about.
    pub fn call(&self) -> (FunctionId, [u32; INTEGERS]) {
        let function = self.function.load(Ordering::Relaxed) as u16;
        let integers = std::array::from_fn(|k| self.integers[k].load(Ordering::Relaxed));
        (FunctionId(function), integers)
    }
}
