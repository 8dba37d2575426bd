//! Waits and polls of the unobserved program: a message is there from when it
//! was sent, in virtual time, a receive complete from then on.
//!
//! A poll says yes to what was there when it began; no, once nobody can send
//! any more what would have been there. A wait for any completes, of those that
//! were complete when it began, the first of the array, as MPI libraries do;
//! otherwise the one that completes first. Sets with other requests than
//! receives from named ranks are left to MPI: only it knows when these complete.

use mpi_abi::id;

use super::earliest::{chose, sent, until, until_polled};
use super::memory::Message;
use super::{choose, deferred, leave_for, refresh, refresh_several, with};
use crate::mpi::call::{Lang, StatusMemory};
use crate::mpi::shape::completion::{any, flag, ANY, ONE, SEVERAL, SOME};
use crate::mpi::shape::shape;
use crate::order::call::OrderedCall;
use crate::order::envelope::{at, At};
use crate::peers::virtual_time::time;

/// Why a choice is left to MPI.
const OTHERS: &str = "of requests other than receives only MPI knows when they complete";

/// A receive of a known rank and tag is about to be posted; returns which message it takes.
pub fn takes(comm: usize, source: i32, tag: i32) -> Option<Message> {
    let (source, tag) = (u32::try_from(source).ok()?, u32::try_from(tag).ok()?);
    let line = time().channel(comm, source, tag)?;
    let number = time().next(line)?;
    time().takes(line);
    Some((line, number))
}

/// It was posted, and the program holds this.
pub fn posted(call: &mut OrderedCall, handle: usize, taken: Option<Message>) {
    with(call, |rule| match taken {
        Some(taken) => rule.receives.insert(handle, taken),
        None => rule.receives.remove(&handle),
    });
}

/// What is known of a request.
enum Moment {
    /// There is none.
    Null,
    /// It is not complete.
    Open,
    /// It is complete since then.
    Since(u64),
    /// It is no receive that we know.
    Other,
}

fn moment(call: &mut OrderedCall, i: usize, k: usize) -> Moment {
    let handle = call.request_at(i, k);
    if handle == call.mpi.abi.request_null {
        return Moment::Null;
    }
    if deferred::holds(call, handle) {
        return Moment::Open;
    }
    let known = with(call, |rule| rule.receives.get(&handle).copied());
    let Some(Some((line, number))) = known else {
        return Moment::Other;
    };
    match is_complete(call, i, k) {
        true => Moment::Since(time().sent(line, number).unwrap_or(0)),
        false => Moment::Open,
    }
}

/// Returns whether a request is complete, and leaves it as it is.
fn is_complete(call: &OrderedCall, i: usize, k: usize) -> bool {
    let request = match call.lang {
        Lang::C => call.request_at(i, k),
        Lang::Fortran => call.request_address(i, k),
    };
    completed(call, request)
}

/// The same of a request as the language passes it by value or reference.
pub fn completed(call: &OrderedCall, request: usize) -> bool {
    let (mut flag, mut status): (i32, StatusMemory) = (0, [0; 8]);
    let at = &raw mut flag;
    let memory = status.as_mut_ptr() as usize;
    call.sibling(id::MPI_REQUEST_GET_STATUS, [request, at as usize, memory]);
    // SAFETY: our variable, which MPI has just written.
    unsafe { at.read_volatile() != 0 }
}

/// Returns whether all requests of an array are receives that we know, and there is one at all.
fn all_known(call: &mut OrderedCall, count: usize) -> bool {
    let mut any = false;
    for k in 0..count {
        match moment(call, SEVERAL.handles, k) {
            Moment::Other => return false,
            Moment::Null => {}
            _ => any = true,
        }
    }
    any
}

/// Returns the requests complete since when, none before the call began.
fn complete(call: &mut OrderedCall, ready: u64) -> Vec<(u64, u32)> {
    refresh_several(call);
    let count = call.len(SEVERAL.count);
    let since = |k: usize| match moment(call, SEVERAL.handles, k) {
        Moment::Since(at) => Some((at.max(ready), k as u32)),
        _ => None,
    };
    (0..count).filter_map(since).collect()
}

/// `MPI_Waitany`; nothing if the choice is MPI's.
pub fn waitany(call: &mut OrderedCall) -> Option<usize> {
    let ready = begin(call)?;
    let look = |call: &mut OrderedCall| {
        let first = complete(call, ready).into_iter().min()?;
        Some((first.0, first))
    };
    let (at, k) = until(call, |_| None, look)?;
    chose(call, at);
    Some(finish_one(call, k, ANY.status))
}

/// `MPI_Waitsome`; nothing if the choice is MPI's.
pub fn waitsome(call: &mut OrderedCall) -> Option<usize> {
    let ready = begin(call)?;
    let look = |call: &mut OrderedCall| {
        let mut all = complete(call, ready);
        let first = all.iter().min()?.0;
        all.retain(|(at, _)| *at == first);
        Some((first, all))
    };
    let all = until(call, |_| None, look)?;
    with(call, |rule| rule.chosen += 1);
    Some(finish_some(call, &all))
}

/// `MPI_Testany` and `MPI_Testsome`; nothing if the choice is MPI's.
pub fn test(call: &mut OrderedCall) -> Option<usize> {
    let ready = begin(call)?;
    until_polled(call, |_| None, |_| Some((ready, ())))?;
    let mut all = complete(call, ready);
    all.retain(|(at, _)| *at == ready);
    with(call, |rule| rule.chosen += 1);
    let Some(&(_, first)) = all.first() else {
        return Some(say_no(call));
    };
    if call.function == id::MPI_TESTSOME {
        return Some(finish_some(call, &all));
    }
    call.set_flag(const { flag(id::MPI_TESTANY) }, true);
    Some(finish_one(
        call,
        first,
        const { any(id::MPI_TESTANY) }.status,
    ))
}

/// Returns the virtual time at which the call began, if its choice is not MPI's.
fn begin(call: &mut OrderedCall) -> Option<u64> {
    refresh_several(call);
    let count = call.len(SEVERAL.count);
    if all_known(call, count) {
        return Some(time().ready());
    }
    let null = call.mpi.abi.request_null;
    if (0..count).any(|k| call.request_at(SEVERAL.handles, k) != null) {
        leave_for(call, OTHERS);
    }
    None
}

fn finish_one(call: &mut OrderedCall, k: u32, status: usize) -> usize {
    let at = call.request_address(SEVERAL.handles, k as usize);
    let code = call.sibling(id::MPI_WAIT, [at, call.raw(status)]);
    let first = i32::from(call.lang == Lang::Fortran);
    call.set_int(ANY.index, 0, k as i32 + first);
    call.done(code)
}

fn finish_some(call: &mut OrderedCall, all: &[(u64, u32)]) -> usize {
    let first = i32::from(call.lang == Lang::Fortran);
    let mut code = call.mpi.abi.success as usize;
    for (n, &(_, k)) in all.iter().enumerate() {
        let (at, status) = (
            call.request_address(SEVERAL.handles, k as usize),
            call.status(SOME.statuses, n) as usize,
        );
        let one = call.sibling(id::MPI_WAIT, [at, status]);
        if one as i32 != call.mpi.abi.success {
            code = one;
        }
        call.set_int(SOME.indices, n, k as i32 + first);
    }
    call.set_int(SOME.outcount, 0, all.len() as i32);
    call.done(code)
}

/// Makes a poll that may say yes to what was there when it began, of which `yes` tells whether
/// it has.
pub fn poll(
    call: &mut OrderedCall,
    mut make: impl FnMut(&mut OrderedCall) -> usize,
    yes: impl Fn(&OrderedCall) -> bool,
) -> usize {
    let ready = time().ready();
    let done = |call: &mut OrderedCall| {
        if is_later(call, ready) {
            return None;
        }
        let result = make(call);
        (!call.ok(result) || yes(call)).then_some(Some(result))
    };
    let result = until_polled(call, done, |_| Some((ready, None)));
    with(call, |rule| rule.chosen += 1);
    result.flatten().unwrap_or_else(|| say_no(call))
}

/// Whether what a poll would find was sent only after the poll had begun.
fn is_later(call: &mut OrderedCall, ready: u64) -> bool {
    match call.function {
        id::MPI_IPROBE | id::MPI_IMPROBE => {
            // MPI_Improbe asks for its message at the same places.
            const AT: At = at(id::MPI_IPROBE);
            let (source, tag) = (call.int(AT.source), call.int(AT.tag));
            let comm = call.comm_handle(AT.comm);
            let there = choose::is_there(call, comm, source, tag);
            let source = u32::try_from(source).ok();
            let found = there.zip(source);
            found.is_some_and(|(tag, source)| sent(comm, source, tag) > ready)
        }
        id::MPI_TEST => later(call, ONE, 1, ready),
        id::MPI_TESTALL | id::MPI_REQUEST_GET_STATUS_ALL => {
            later(call, SEVERAL.handles, call.len(SEVERAL.count), ready)
        }
        _ => false,
    }
}

fn later(call: &mut OrderedCall, i: usize, count: usize, ready: u64) -> bool {
    refresh(call, i, count);
    (0..count).any(|k| matches!(moment(call, i, k), Moment::Since(at) if at > ready))
}

/// A poll says no.
fn say_no(call: &mut OrderedCall) -> usize {
    match call.function {
        id::MPI_TESTSOME => call.set_int(SOME.outcount, 0, 0),
        id::MPI_TESTANY => {
            let undefined = call.mpi.abi.undefined;
            call.set_int(ANY.index, 0, undefined);
        }
        _ => {}
    }
    if let Some(flag) = shape(call.function).flag() {
        call.set_flag(flag, false);
    }
    call.succeed()
}
