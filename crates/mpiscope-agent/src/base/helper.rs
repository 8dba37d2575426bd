//! A thread of our own that keeps buffer space reserved ahead of the writers
//! and clock readings fresh. It sleeps nearly always.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

use super::lineage::uncounted;

static HELPER: OnceLock<Thread> = OnceLock::new();
static HANDLE: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);
static STOP: AtomicBool = AtomicBool::new(false);
/// What the system calls it; 0 until it has begun.
static ID: AtomicI32 = AtomicI32::new(0);
/// Nanoseconds until the chores are done again.
static PAUSE: AtomicU32 = AtomicU32::new(SECOND);

const SECOND: u32 = 1_000_000_000;

/// Bytes: what packs snapshots may have its 300 KB of tables here before they are moved.
const STACK: usize = 1 << 20;

/// Starts the helper: every second, and whenever it is woken, it does the chores in turn.
/// Without it, writers reserve for themselves.
pub fn start(chores: Vec<fn()>) {
    let spawned = without_signals(|| {
        std::thread::Builder::new()
            .name("mpiscope".into())
            .stack_size(STACK)
            .spawn(move || work(&chores))
    });
    if let Ok(handle) = spawned {
        let _ = HELPER.set(handle.thread().clone());
        *HANDLE.lock().unwrap_or_else(PoisonError::into_inner) = Some(handle);
    }
}

/// Wakes the helper: a buffer grows.
#[cold]
pub fn wake() {
    if let Some(thread) = HELPER.get() {
        thread.unpark();
    }
}

/// Stops the helper and waits until it is gone.
pub fn stop() {
    STOP.store(true, Ordering::Release);
    wake();
    let handle = HANDLE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(handle) = handle {
        let _ = handle.join();
    }
}

/// Has the chores done again after this time, if that is less than a second.
pub fn come_again_in(time: Duration) {
    let nanoseconds = u32::try_from(time.as_nanos()).unwrap_or(u32::MAX);
    PAUSE.fetch_min(nanoseconds, Ordering::Relaxed);
}

/// Returns what the system calls the helper, if it has begun.
pub fn id() -> Option<i32> {
    Some(ID.load(Ordering::Relaxed)).filter(|id| *id != 0)
}

fn work(chores: &[fn()]) {
    // SAFETY: gettid has no failure.
    ID.store(unsafe { libc::gettid() }, Ordering::Relaxed);
    while !STOP.load(Ordering::Acquire) {
        chores.iter().for_each(|chore| chore());
        let pause = PAUSE.swap(SECOND, Ordering::Relaxed);
        std::thread::park_timeout(Duration::from_nanos(pause.into()));
    }
}

/// Runs `work` with all signals blocked, so that a thread made in it never
/// handles a signal meant for the program.
pub fn without_signals<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: a zeroed signal set is valid storage, and `sigfillset` makes it a valid set.
    let mut all: libc::sigset_t = unsafe { std::mem::zeroed() };
    let mut before = all;
    // SAFETY: both sets are valid storage; the calls change this thread's mask only.
    unsafe {
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
    }
    let result = uncounted(work);
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
    result
}
