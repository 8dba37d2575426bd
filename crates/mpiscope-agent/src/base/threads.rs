//! Threads come and go: what they may hold, and that it goes on to the next
//! when they end.
//!
//! A thread is met at its first call or probe. All that it writes to, its
//! buffer of records, its stream of choices, its table of statistics, goes on
//! behind what it has written as the next thread's, so that memory follows how
//! many live at once and not how many ever lived. Only the thread that
//! initialised MPI keeps what it has: the process's definitions lie there.

use std::ffi::c_void;
use std::panic::catch_unwind;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::OnceLock;

use mpiscope_run::room::{self, Room};

/// What all threads but the first may hold together.
pub static ROOM: Room = Room::new(room::MOST);

/// The system calls `ended` for threads that have a value under this key.
static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
/// What each layer does when a thread ends: a `fn()` each. Without a lock, as a signal handler
/// may come to a probe first.
static ENDS: [AtomicPtr<()>; LAYERS] = [const { AtomicPtr::new(null_mut()) }; LAYERS];
/// More layers than keep anything of a thread.
const LAYERS: usize = 4;
/// In a forked child nothing is mapped that could be handed on.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Has a layer told when the calling thread ends, in that thread: what it holds goes on to the next.
pub fn watch_end(end: fn()) {
    let end = end as *mut ();
    for place in &ENDS {
        let there = place.compare_exchange(null_mut(), end, Ordering::AcqRel, Ordering::Acquire);
        if there.is_ok() || there == Err(end) {
            break;
        }
    }
    let key = KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is writable, and `ended` may run in any thread.
        let code = unsafe { libc::pthread_key_create(&raw mut key, Some(ended)) };
        // Without a key threads keep what they have, up to what there is room for.
        (code == 0).then_some(key)
    });
    if let Some(key) = *key {
        // SAFETY: the key was created; any value but null has `ended` called.
        unsafe { libc::pthread_setspecific(key, (&raw const ROOM).cast()) };
    }
}

/// Ends this in a forked child.
pub fn forget() {
    FORKED.store(true, Ordering::Relaxed);
}

/// Called when a thread ends, after the destructors of C++; should a later one call MPI, the
/// thread is met again, and ends again.
unsafe extern "C" fn ended(_: *mut c_void) {
    if FORKED.load(Ordering::Relaxed) {
        return;
    }
    for end in ENDS.iter().map(|place| place.load(Ordering::Acquire)) {
        if end.is_null() {
            break;
        }
        // SAFETY: only `watch_end` stores there, and only such functions.
        let end: fn() = unsafe { std::mem::transmute(end) };
        // A panic would end the program; whatever was left undone only costs memory.
        let _ = catch_unwind(end);
    }
}
