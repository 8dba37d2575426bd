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
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

use mpiscope_run::room::{self, Room};

use crate::{monitor, order, thread};

/// What all threads but the first may hold together.
pub static ROOM: Room = Room::new(room::MOST);

/// The system calls `ended` for threads that have a value under this key.
static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
/// In a forked child nothing is mapped that could be handed on.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Has what the calling thread holds go on to the next when it ends.
pub fn watch_end() {
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
    for end in [thread::end, order::end_thread, monitor::end_thread] {
        // A panic would end the program; whatever was left undone only costs memory.
        let _ = catch_unwind(end);
    }
}
