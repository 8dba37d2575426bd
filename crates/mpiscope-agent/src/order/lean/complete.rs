//! Waits and tests. Where a rank leads or is led, but no receive from anybody
//! is outstanding, there is nothing to be looked at but a flag or an index.

use super::super::requests::Held;
use super::super::thread::Thread;
use super::hot::{filled, Lean};
use super::probe::{poll, until};
use super::{plain, ready, Within};

/// `MPI_Wait`.
#[inline(always)]
pub fn wait<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let &[request, status] = args.first_chunk()?;
    let thread = ready()?;
    let Some(held) = open(thread, request)? else {
        return Some(plain::<INDEX, N>(thread, args, 0, real));
    };
    let mut args = *args;
    let status = filled(status, &mut thread.status);
    *args.get_mut(1)? = status;
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, 0, None);
    let result = real(args);
    if result as i32 == 0 {
        completed(within.0, held, status);
    }
    Some(result)
}

/// Returns the request behind a pointer, if it is a receive to be looked at when it
/// completes; nothing at all if that is for the long way.
#[inline(always)]
fn open(thread: &Thread, request: usize) -> Option<Option<usize>> {
    let requests = &thread.session.requests;
    if !requests.busy() {
        return Some(None);
    }
    if thread.hot.lean == Lean::Replay {
        return None;
    }
    let handle = thread.hot.request(request)?;
    match requests.holds(handle) {
        Held::Nothing => Some(None),
        Held::Receive => Some(Some(handle)),
        Held::Odd => None,
    }
}

/// Writes what a receive took that has completed.
#[inline(never)]
fn completed(thread: *mut Thread, handle: usize, status: usize) {
    // SAFETY: as in `ready`, which returned this thread's state.
    let Some(thread) = (unsafe { thread.as_mut() }) else {
        return;
    };
    let Some(entry) = thread.session.requests.take_held(handle) else {
        return;
    };
    if let Some(taken) = thread.hot.taken(status, entry.wild) {
        thread.completed(entry, taken);
    }
}

/// `MPI_Test`.
#[inline(always)]
pub fn test<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let &[request, flag, status] = args.first_chunk()?;
    let thread = ready()?;
    let held = open(thread, request)?;
    if thread.hot.lean == Lean::Replay {
        return poll::<INDEX, N>(
            thread,
            args,
            0,
            flag,
            |_| Some(None),
            |_| until(args, flag, real),
        );
    }
    let mut args = *args;
    let mut wanted = status;
    if held.is_some() {
        wanted = filled(status, &mut thread.status);
        *args.get_mut(2)? = wanted;
    }
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, 0, None);
    let result = real(args);
    tested(within.0, result, flag, held, wanted);
    Some(result)
}

/// Writes what a test has found.
#[inline(never)]
fn tested(thread: *mut Thread, result: usize, flag: usize, held: Option<usize>, status: usize) {
    // SAFETY: as in `ready`, which returned this thread's state.
    let Some(state) = (unsafe { thread.as_mut() }) else {
        return;
    };
    if result as i32 != 0 {
        return;
    }
    // SAFETY: the call has succeeded, so it has written its flag.
    if unsafe { (flag as *const i32).read_unaligned() } == 0 {
        return state.miss();
    }
    if let Some(held) = held {
        completed(thread, held, status);
    }
    let misses = std::mem::take(&mut state.misses);
    state
        .out
        .put(|encoder, writer| encoder.success(writer, misses));
}

/// `MPI_Waitall`.
#[inline(always)]
pub fn waitall<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let thread = ready()?;
    if thread.session.requests.busy() {
        return None;
    }
    Some(plain::<INDEX, N>(thread, args, 0, real))
}

/// `MPI_Waitany`, while it is recorded.
#[inline(always)]
pub fn waitany<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let index = *args.get(2)?;
    let thread = ready()?;
    if thread.session.requests.busy() || thread.hot.lean == Lean::Replay {
        return None;
    }
    let within = Within::<false>::begin::<INDEX, N>(thread, args, 0, None);
    let result = real(*args);
    returned(within.0, result, index);
    Some(result)
}

/// Writes which request MPI chose.
#[inline(never)]
fn returned(thread: *mut Thread, result: usize, index: usize) {
    // SAFETY: as in `ready`, which returned this thread's state.
    let Some(thread) = (unsafe { thread.as_mut() }) else {
        return;
    };
    if result as i32 != 0 {
        return;
    }
    // SAFETY: the call has succeeded, so it has written its index.
    let index = unsafe { (index as *const i32).read_unaligned() };
    // MPI_UNDEFINED is negative.
    let index = u32::try_from(index).ok();
    thread
        .out
        .put(|encoder, writer| encoder.index(writer, index));
}
