//! Waits and tests. Where a rank leads or is led, but no receive from anybody
//! is outstanding, there is nothing to be looked at but a flag or an index.

use mpiscope_run::order::in_flight::Kind as InFlight;

use super::super::requests::{Entry, Held};
use super::super::thread::Thread;
use super::hot::{wanted, FastPath};
use super::post::{in_flight, landed};
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
    let status = wanted(status);
    *args.get_mut(1)? = in_flight(thread, held.1, status);
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, 0, None);
    let result = real(args);
    completed(within.0.get(), held, status);
    within.close();
    Some(result)
}

/// Returns the request behind a pointer, if it is a receive to be looked at when it
/// completes; nothing at all if that is for the long way.
#[inline(always)]
fn open(thread: &Thread, request: usize) -> Option<Option<(usize, Entry)>> {
    let requests = &thread.session.requests;
    if !requests.busy() {
        return Some(None);
    }
    if thread.hot.fast_path == FastPath::Replay {
        return None;
    }
    let handle = thread.hot.request(request)?;
    match requests.holds(handle) {
        Held::Nothing => Some(None),
        Held::Receive(entry) => Some(Some((handle, entry))),
        Held::Odd => None,
    }
}

/// Writes what a receive took that has completed, if it has.
#[inline(never)]
fn completed(thread: &mut Thread, (handle, entry): (usize, Entry), status: Option<usize>) {
    let taken = landed(thread, entry.wild, status);
    if thread.flight.is_filled(0) {
        thread.session.requests.take_held(handle);
    }
    if let Some(taken) = taken {
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
    if thread.hot.fast_path == FastPath::Replay {
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
    *args.get_mut(1)? = thread.flight.poll(thread.misses);
    let status = wanted(status);
    if let Some((_, entry)) = held {
        *args.get_mut(2)? = in_flight(thread, entry, status);
    }
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, 0, None);
    let result = real(args);
    tested(within.0.get(), result, flag, held, status);
    within.close();
    Some(result)
}

/// Writes what a test has found; one that fails has completed its request all the same.
#[inline(never)]
fn tested(
    thread: &mut Thread,
    result: usize,
    flag: usize,
    held: Option<(usize, Entry)>,
    status: Option<usize>,
) {
    let said = thread.flight.flag();
    if flag != 0 {
        // SAFETY: the standard makes this argument the address of an `int`.
        unsafe { (flag as *mut i32).write_unaligned(said) };
    }
    thread.flight.land();
    if said == 0 {
        if result as i32 == 0 {
            thread.miss();
        }
        return;
    }
    if let Some(held) = held {
        completed(thread, held, status);
    }
    let misses = std::mem::take(&mut thread.misses);
    thread
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
    if thread.session.requests.busy() || thread.hot.fast_path == FastPath::Replay {
        return None;
    }
    let flight = thread.flight;
    thread.wants = None;
    flight.several(InFlight::Any, 0, std::iter::empty());
    let mut args = *args;
    *args.get_mut(2)? = flight.indices();
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, 0, None);
    let result = real(args);
    returned(within.0.get(), index);
    within.close();
    Some(result)
}

/// Writes which request MPI chose, if it did: one that failed, too.
#[inline(never)]
fn returned(thread: &mut Thread, place: usize) {
    thread.flight.land();
    let Some(index) = thread.flight.index(0) else {
        return;
    };
    if place != 0 {
        // SAFETY: the standard makes this argument the address of an `int`.
        unsafe { (place as *mut i32).write_unaligned(index) };
    }
    // MPI_UNDEFINED is negative.
    let index = u32::try_from(index).ok();
    thread
        .out
        .put(|encoder, writer| encoder.index(writer, index));
}
