//! Sends, and receives that are posted.

use mpi_abi::FunctionId;
use mpiscope_run::order::Taken;

use super::super::envelope::Wild;
use super::super::hash::comm_of;
use super::super::messages;
use super::super::nondeterminism;
use super::super::requests::{Entry, Fate};
use super::super::thread::Thread;
use super::hot::{filled, wanted, Comm, FastPath};
use super::{plain, ready, Within};
use crate::base::site;

/// A send of any kind, which chooses nothing.
#[inline(always)]
pub fn send<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let thread = ready()?;
    let comm = thread.hot.comm(&thread.session.freed, *args.get(5)?)?;
    Some(plain::<INDEX, N>(thread, args, comm.number, real))
}

/// What chooses nothing and only names a communicator.
#[inline(always)]
pub fn on_comm<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let at = const { comm_of(FunctionId(INDEX)) }?;
    let thread = ready()?;
    let comm = thread.hot.comm(&thread.session.freed, *args.get(at)?)?;
    Some(plain::<INDEX, N>(thread, args, comm.number, real))
}

/// A reduction, if it was said already that those made here are MPI's own affair.
#[inline(always)]
pub fn reduction<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let is_said = nondeterminism::is_said(ready()?, FunctionId(INDEX), site::noted());
    match is_said {
        true => on_comm::<INDEX, N>(args, real),
        false => None,
    }
}

/// `MPI_Sendrecv`, if it says from whom.
#[inline(always)]
pub fn sendrecv<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let thread = ready()?;
    let comm = thread.hot.comm(&thread.session.freed, *args.get(10)?)?;
    if thread.hot.wild(*args.get(8)?, *args.get(9)?).any() {
        return None;
    }
    let wanted = Wanted {
        comm: comm.number,
        source: None,
        status: 11,
    };
    Some(match thread.hot.fast_path == FastPath::Replay {
        true => told::<true, INDEX, N>(thread, args, *args, wanted, real),
        false => told::<false, INDEX, N>(thread, args, *args, wanted, real),
    })
}

/// What a receive is made with that need not be looked at but for its status.
struct Wanted {
    /// The communicator's number.
    comm: u32,
    /// The rank that the record puts in.
    source: Option<u32>,
    /// Which argument is the status.
    status: usize,
}

/// Makes a receive with these arguments, and notes what its status tells.
#[inline(always)]
fn told<const LED: bool, const INDEX: u16, const N: usize>(
    thread: &mut Thread,
    args: &[usize; N],
    mut passed: [usize; N],
    wanted: Wanted,
    real: &impl Fn([usize; N]) -> usize,
) -> usize {
    let mut status = 0;
    if let Some(at) = passed.get_mut(wanted.status) {
        status = filled(*at, &mut thread.status);
        *at = status;
    }
    let within = Within::<LED>::begin::<INDEX, N>(thread, args, wanted.comm, wanted.source);
    let result = real(passed);
    if result as i32 == 0 {
        messages::told(within.0.get(), status);
    }
    within.close();
    result
}

/// `MPI_Recv`.
#[inline(always)]
pub fn recv<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let &[_, _, _, source, tag, comm, status] = args.first_chunk()?;
    let thread = ready()?;
    let comm = thread.hot.comm(&thread.session.freed, comm)?;
    let wild = thread.hot.wild(source, tag);
    let named = Wanted {
        comm: comm.number,
        source: None,
        status: 6,
    };
    if thread.hot.fast_path == FastPath::Replay {
        if !wild.any() {
            return Some(told::<true, INDEX, N>(thread, args, *args, named, real));
        }
        let taken = recorded(thread, comm, source, wild)?;
        thread.posts += 1;
        let passed = substituted(args, [3, 4], taken);
        let source = Some(taken.source);
        let wanted = Wanted { source, ..named };
        return Some(told::<true, INDEX, N>(thread, args, passed, wanted, real));
    }
    if !wild.any() {
        return Some(told::<false, INDEX, N>(thread, args, *args, named, real));
    }
    let ordinal = thread.posts;
    thread.posts += 1;
    let entry = Entry {
        thread: thread.number,
        ordinal,
        wild,
    };
    let mut args = *args;
    let status = wanted(status);
    *args.get_mut(6)? = in_flight(thread, entry, status);
    let within = Within::<false>::begin::<INDEX, N>(thread, &args, comm.number, None);
    let result = real(args);
    took(within.0.get(), result, entry, status);
    within.close();
    Some(result)
}

/// A call begins that may complete a receive; returns the status for MPI.
#[inline(always)]
pub fn in_flight(thread: &mut Thread, entry: Entry, status: Option<usize>) -> usize {
    let own = thread.flight.one(entry);
    if let Some(program) = status {
        thread.flight.keep_error(program);
    }
    thread.wants = status;
    own
}

/// Writes what a wildcard receive took, as its status says, which the program gets.
#[inline(never)]
fn took(thread: &mut Thread, result: usize, entry: Entry, status: Option<usize>) {
    let taken = landed(thread, entry.wild, status);
    if result as i32 == 0 {
        messages::told(thread, thread.flight.status(0));
    }
    if let Some(taken) = taken {
        thread.out.received(entry.ordinal, taken);
    }
}

/// A call has returned that may have completed a receive: gives the program its status;
/// returns the message.
#[inline(always)]
pub fn landed(thread: &Thread, wild: Wild, status: Option<usize>) -> Option<Taken> {
    let flight = thread.flight;
    flight.land();
    if let Some(program) = status {
        flight.give_one(program);
    }
    // What was not filled is no rank.
    thread.hot.taken(flight.status(0), wild)
}

/// `MPI_Irecv`.
#[inline(always)]
pub fn irecv<const INDEX: u16, const N: usize>(
    args: &[usize; N],
    real: &impl Fn([usize; N]) -> usize,
) -> Option<usize> {
    let &[_, _, _, source, tag, comm, request] = args.first_chunk()?;
    let thread = ready()?;
    let comm = thread.hot.comm(&thread.session.freed, comm)?;
    let wild = thread.hot.wild(source, tag);
    let (ordinal, number) = (thread.posts, thread.nonblocking);
    if thread.hot.fast_path == FastPath::Replay {
        if thread.cursor.as_ref()?.cancels(number) {
            return None;
        }
        let taken = match wild.any() {
            true => Some(recorded(thread, comm, source, wild)?),
            false => None,
        };
        thread.posts += u64::from(wild.any());
        thread.nonblocking += 1;
        let from = taken.map(|taken| taken.source);
        let within = Within::<true>::begin::<INDEX, N>(thread, args, comm.number, from);
        let result = match taken {
            Some(taken) => real(substituted(args, [3, 4], taken)),
            None => real(*args),
        };
        posted(within.0.get(), result, request, number, None);
        within.close();
        return Some(result);
    }
    thread.posts += u64::from(wild.any());
    thread.nonblocking += 1;
    let within = Within::<false>::begin::<INDEX, N>(thread, args, comm.number, None);
    let result = real(*args);
    let open = wild.any().then_some((ordinal, wild));
    posted(within.0.get(), result, request, number, open);
    within.close();
    Some(result)
}

/// Notes a nonblocking receive, with its ordinal and wildcards if its source is open.
#[inline(never)]
fn posted(
    thread: &mut Thread,
    result: usize,
    request: usize,
    number: u64,
    open: Option<(u64, Wild)>,
) {
    let handle = thread.hot.request(request);
    let Some(handle) = handle.filter(|_| result as i32 == 0) else {
        return;
    };
    if let Some((ordinal, wild)) = open {
        let entry = Entry {
            thread: thread.number,
            ordinal,
            wild,
        };
        thread.session.requests.insert(handle, entry);
    }
    let fate = match thread.hot.fast_path {
        FastPath::Replay => Fate::Received,
        _ => Fate::Open,
    };
    thread.recent.put(handle, number, fate);
}

/// Returns what the record says that a wildcard receive took, if it fits.
#[inline(always)]
pub fn recorded(thread: &Thread, comm: Comm, source: usize, wild: Wild) -> Option<Taken> {
    let taken = thread.cursor.as_ref()?.receive(thread.posts)?;
    let named = wild.source || source as u32 == taken.source;
    let fits = named && taken.tag.is_some() == wild.tag && taken.source < comm.size;
    fits.then_some(taken)
}

/// Puts source and tag into the arguments.
#[inline(always)]
pub fn substituted<const N: usize>(args: &[usize; N], at: [usize; 2], taken: Taken) -> [usize; N] {
    let mut args = *args;
    if let Some(source) = args.get_mut(at[0]) {
        *source = taken.source as usize;
    }
    if let (Some(tag), Some(taken)) = (args.get_mut(at[1]), taken.tag) {
        *tag = taken as usize;
    }
    args
}
