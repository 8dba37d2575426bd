//! Counts the memory that one input takes: the only unsafe code of the package.
//!
//! What is counted is what lives at the same time beyond what lived before, of all threads. A
//! single request of more than [`REFUSED`] bytes is refused, which ends the process: a length that
//! was read must never become one.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// No input is so long that this were its bound.
const REFUSED: usize = 1 << 30;

#[global_allocator]
static COUNTING: Counting = Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// The first to come above it says who it was.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);
static WHO: Mutex<Option<Backtrace>> = Mutex::new(None);

/// How much memory something took at most.
#[derive(Debug)]
pub struct Taken {
    /// Bytes that lived at the same time.
    pub bytes: usize,
    /// Who came above the bound first.
    pub who: Option<Backtrace>,
}

/// Runs something and tells how much memory it took. One at a time.
pub fn measured(bound: usize, run: impl FnOnce()) -> Taken {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    LIMIT.store(before.saturating_add(bound), Ordering::Relaxed);
    run();
    LIMIT.store(usize::MAX, Ordering::Relaxed);
    Taken {
        bytes: PEAK.load(Ordering::Relaxed).saturating_sub(before),
        who: WHO.lock().unwrap_or_else(PoisonError::into_inner).take(),
    }
}

fn grew(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(live, Ordering::Relaxed);
    if live > LIMIT.load(Ordering::Relaxed) {
        above(live);
    }
}

#[cold]
fn above(live: usize) {
    // Once: asking for the backtrace allocates, too.
    if live > LIMIT.swap(usize::MAX, Ordering::Relaxed) {
        let who = Backtrace::force_capture();
        *WHO.lock().unwrap_or_else(PoisonError::into_inner) = Some(who);
    }
}

fn shrank(bytes: usize) {
    LIVE.fetch_sub(bytes, Ordering::Relaxed);
}

struct Counting;

// SAFETY: every request goes to the system's allocator as it came, or fails; counting touches
// none of the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > REFUSED {
            return std::ptr::null_mut();
        }
        grew(layout.size());
        // SAFETY: the caller's promise about the layout is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > REFUSED {
            return std::ptr::null_mut();
        }
        grew(layout.size());
        // SAFETY: the caller's promise about the layout is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > REFUSED {
            return std::ptr::null_mut();
        }
        grew(size);
        shrank(layout.size());
        // SAFETY: the caller's promise about place, layout and size is passed on.
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        shrank(layout.size());
        // SAFETY: the caller's promise about place and layout is passed on.
        unsafe { System.dealloc(at, layout) }
    }
}
