//! Locks of parts of windows, and what makes sure that operations under them are complete
//! (MPI 4.1, §12.5.3 and §12.5.4).
//!
//! A lock may be asked for and nothing more when MPI_Win_lock returns. That it is held is certain
//! when something has completed at the target: after a flush, or the unlock.

use mpi_abi::id;
use mpiscope_run::record::{WindowSync, ALL_PARTS};

use super::epochs::sync as tell;
use super::{window, Open, Window};
use crate::facts::call::ObservedCall;

/// A lock that was asked for.
#[derive(Clone, Copy)]
pub struct Lock {
    /// The rank whose part it is of, or [`ALL_PARTS`].
    part: u32,
    is_shared: bool,
    is_held: bool,
}

/// MPI_Win_lock `(lock_type, rank, assert, win)`, MPI_Win_lock_all `(assert, win)`, before.
pub fn before_lock(call: &mut ObservedCall) {
    if let Some((window, lock)) = asked(call) {
        tell(call, window, WindowSync::Request(lock.part, lock.is_shared));
    }
}

/// The same, after.
pub fn lock(call: &mut ObservedCall, ok: bool) {
    if let (Some((window, lock)), true) = (asked(call), ok) {
        let windows = &call.session.windows;
        windows.opened(window, |open| open.locks.push(lock));
    }
}

fn asked(call: &ObservedCall) -> Option<(Window, Lock)> {
    let window = window(call)?;
    let lock = Lock {
        part: part(call, window)?,
        is_shared: call.function == id::MPI_WIN_LOCK_ALL || call.int(0) == call.mpi.abi.lock_shared,
        is_held: false,
    };
    Some((window, lock))
}

/// Returns whose part a call is about, or that it is all; nothing for MPI_PROC_NULL.
fn part(call: &ObservedCall, window: Window) -> Option<u32> {
    let Some(at) = call.function.function().arg("rank") else {
        return Some(ALL_PARTS);
    };
    let rank = u32::try_from(call.int(at)).ok()?;
    (rank < window.comm.size).then_some(rank)
}

/// MPI_Win_unlock `(rank, win)`, MPI_Win_unlock_all `(win)`, after.
pub fn unlock(call: &mut ObservedCall, ok: bool) {
    let Some((window, part)) = completed(call, ok) else {
        return;
    };
    prove(call, window, |lock| lock.part == part);
    tell(call, window, WindowSync::Remote(part));
    tell(call, window, WindowSync::Release(part));
    let windows = &call.session.windows;
    windows.opened(window, |open| open.locks.retain(|lock| lock.part != part));
}

/// MPI_Win_flush `(rank, win)`, MPI_Win_flush_all `(win)`, after.
pub fn flush(call: &mut ObservedCall, ok: bool) {
    if let Some((window, part)) = completed(call, ok) {
        prove(call, window, |lock| part == ALL_PARTS || lock.part == part);
        tell(call, window, WindowSync::Remote(part));
    }
}

/// MPI_Win_flush_local `(rank, win)`, MPI_Win_flush_local_all `(win)`, after.
pub fn flush_local(call: &mut ObservedCall, ok: bool) {
    if let Some((window, part)) = completed(call, ok) {
        tell(call, window, WindowSync::Local(part));
    }
}

/// MPI_Win_sync `(win)`, after: of this process's own part.
pub fn sync(call: &mut ObservedCall, ok: bool) {
    if let (Some(window), true) = (window(call), ok) {
        tell(call, window, WindowSync::Memory(window.comm.rank));
    }
}

fn completed(call: &ObservedCall, ok: bool) -> Option<(Window, u32)> {
    let window = window(call).filter(|_| ok)?;
    Some((window, part(call, window)?))
}

/// Tells of locks that are held for certain, each once.
fn prove(call: &mut ObservedCall, window: Window, is_proven: impl Fn(&Lock) -> bool) {
    let take = |open: &mut Open| {
        let locks = open.locks.iter_mut();
        let new = locks.filter(|lock| !lock.is_held && is_proven(lock));
        let new = new.map(|lock| {
            lock.is_held = true;
            *lock
        });
        new.collect::<Vec<Lock>>()
    };
    for lock in call.session.windows.opened(window, take) {
        tell(call, window, WindowSync::Acquire(lock.part, lock.is_shared));
    }
}
