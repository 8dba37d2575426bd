//! Tests (MPI 4.1, §3.7.3 and §3.7.5), and what all polls share: those for a
//! message, too. In replay a poll says no until its count is reached, and is
//! then repeated until it can say yes.

use mpi_abi::{id, FunctionId};
use mpiscope_rules::replay_cursor::Poll;
use mpiscope_run::order::{Found, Outcome};

use super::call::OrderedCall;
use super::serial_calls::{self, Next};
use super::wait::{
    choose, choose_some, index, is_active, looks, many, one, returned, wait_for, wait_for_some,
};
use super::{deterministic, diverge, persistent};
use crate::mpi::call::Lang;
use crate::mpi::shape::completion::{all, any, flag, request, status, WaitAny, SOME};

/// Returns what the record wants of a poll.
#[inline]
pub fn poll(call: &mut OrderedCall) -> Poll {
    let missed = call.thread.misses;
    let calls = call.thread.hot.hash.calls();
    let Some(outcomes) = call.thread.cursor.as_ref().map(|cursor| cursor.outcomes) else {
        return Poll::Free;
    };
    let poll = match serial_calls::next_outcome(call, outcomes) {
        Next::Own => match &mut call.thread.cursor {
            Some(cursor) => cursor.poll(missed, calls),
            None => Poll::Free,
        },
        Next::This(Outcome::Success { misses, .. }) if missed < *misses => Poll::Miss,
        Next::This(Outcome::Success { found, .. }) => Poll::Find(found),
        Next::This(_) => Poll::Other,
        // If it says yes, that is one choice more than recorded.
        Next::Nothing => return Poll::Free,
    };
    match poll {
        Poll::Other => diverge::at_outcome(call),
        Poll::Free => call.thread.session.report.note_free(calls),
        Poll::Miss | Poll::Find(_) => {}
    }
    poll
}

/// Returns how many polls have said no before this one that says yes.
pub fn hit(call: &mut OrderedCall) -> u64 {
    std::mem::take(&mut call.thread.misses)
}

/// A poll says no, as recorded, without MPI being asked; now and then MPI may
/// get on with its work.
pub fn miss(call: &mut OrderedCall, flag: usize) -> usize {
    call.thread.miss();
    call.set_flag(flag, false);
    call.succeed()
}

/// A poll of which only the flag matters: repeated until it says yes if the
/// record wants that.
fn plain_poll(
    call: &mut OrderedCall,
    flag: usize,
    make: impl Fn(&mut OrderedCall, bool) -> usize,
) -> usize {
    let wanted = match poll(call) {
        Poll::Miss => return miss(call, flag),
        Poll::Find(_) => !serial_calls::is_active(call),
        Poll::Other | Poll::Free => false,
    };
    let (place, flight) = (call.raw(flag), call.thread.flight);
    let misses = call.thread.misses;
    call.replace(flag, flight.poll(misses));
    let result = match deterministic::on(call) {
        false => make(call, wanted),
        true => deterministic::settled(
            call,
            false,
            |call| make(call, false),
            |call| call.int_at(flag, 0) != 0,
        ),
    };
    let said = flight.flag();
    flight.land();
    call.replace(flag, place);
    call.set_int(flag, 0, said);
    // One that fails says yes too, if it has completed its request.
    match said != 0 {
        false if !call.ok(result) => {}
        false => call.thread.miss(),
        true => {
            let misses = hit(call);
            serial_calls::outcome(call, |encoder, writer| encoder.success(writer, misses));
        }
    }
    result
}

/// Repeats a test until it says yes, if that is wanted.
fn repeat(call: &mut OrderedCall, flag: usize, wanted: bool) -> usize {
    let mut tries = 0u32;
    deterministic::refresh_all(call);
    loop {
        let result = call.go();
        if !wanted || !call.ok(result) || call.int_at(flag, 0) != 0 {
            return result;
        }
        tries = tries.wrapping_add(1);
        if tries.is_multiple_of(64) {
            std::thread::yield_now();
        }
    }
}

/// `MPI_Test`.
pub fn test(call: &mut OrderedCall) -> usize {
    const FLAG: usize = flag(id::MPI_TEST);
    persistent::refresh(call, const { request(id::MPI_TEST) }, 1);
    plain_poll(call, FLAG, |call, wanted| match looks(call) {
        false => repeat(call, FLAG, wanted),
        true => one(
            call,
            const { status(id::MPI_TEST) },
            |call| repeat(call, FLAG, wanted),
            |call| call.int_at(FLAG, 0) != 0,
        ),
    })
}

/// `MPI_Testall`.
pub fn testall(call: &mut OrderedCall) -> usize {
    const FLAG: usize = flag(id::MPI_TESTALL);
    persistent::refresh_several(call);
    plain_poll(call, FLAG, |call, wanted| match looks(call) {
        false => repeat(call, FLAG, wanted),
        true => many(
            call,
            const { all(id::MPI_TESTALL) }.statuses,
            |call| repeat(call, FLAG, wanted),
            |call| call.int_at(FLAG, 0) != 0,
        ),
    })
}

/// `MPI_Request_get_status`, whose request is not completed.
pub fn get_status(call: &mut OrderedCall) -> usize {
    const ASKED: FunctionId = id::MPI_REQUEST_GET_STATUS;
    const REQUEST: usize = request(ASKED);
    if call.lang == Lang::Fortran {
        persistent::refresh(call, REQUEST, 1);
        deterministic::refresh(call, REQUEST, 1);
    } else {
        // The request itself, not its address.
        let handle = call.mpi.abi.normalise(call.raw(REQUEST));
        let current = persistent::current(call, handle);
        if let Some(current) = current.or_else(|| deterministic::posted(call, handle)) {
            call.replace(REQUEST, current);
        }
    }
    repeated(call, const { flag(ASKED) })
}

/// `MPI_Request_get_status_all`, the same for all (MPI 4.1, §3.7.6).
pub fn get_status_all(call: &mut OrderedCall) -> usize {
    persistent::refresh_several(call);
    deterministic::refresh_several(call);
    repeated(call, const { flag(id::MPI_REQUEST_GET_STATUS_ALL) })
}

/// `MPI_Parrived` (MPI 4.1, §4.2.4).
pub fn parrived(call: &mut OrderedCall) -> usize {
    repeated(call, const { flag(id::MPI_PARRIVED) })
}

/// `MPI_Win_test` (MPI 4.1, §12.5.2): whether the others have ended their accesses.
pub fn win_test(call: &mut OrderedCall) -> usize {
    repeated(call, const { flag(id::MPI_WIN_TEST) })
}

/// A poll that completes no request.
fn repeated(call: &mut OrderedCall, flag: usize) -> usize {
    plain_poll(call, flag, |call, wanted| repeat(call, flag, wanted))
}

const TESTANY: WaitAny = any(id::MPI_TESTANY);
const TESTANY_FLAG: usize = flag(id::MPI_TESTANY);

/// `MPI_Testany`.
pub fn testany(call: &mut OrderedCall) -> usize {
    persistent::refresh_several(call);
    let result = match poll(call) {
        Poll::Miss => {
            let undefined = call.mpi.abi.undefined;
            call.set_int(TESTANY.index, 0, undefined);
            return miss(call, TESTANY_FLAG);
        }
        Poll::Find(Found::Index(Some(k))) if is_active(call, *k) => {
            let result = wait_for(call, *k, TESTANY.status);
            call.set_flag(TESTANY_FLAG, true);
            (result, true)
        }
        Poll::Find(Found::Index(None)) | Poll::Free | Poll::Other => tested_any(call),
        Poll::Find(_) => {
            diverge::at_outcome(call);
            tested_any(call)
        }
    };
    let (result, said_yes) = result;
    if !said_yes {
        if call.ok(result) {
            call.thread.miss();
        }
        return result;
    }
    let (misses, index) = (hit(call), index(call, TESTANY.index, 0));
    serial_calls::outcome(call, |encoder, writer| {
        encoder.success_index(writer, misses, index)
    });
    result
}

/// Lets MPI test; returns also whether it said yes, which it may although the call failed.
fn tested_any(call: &mut OrderedCall) -> (usize, bool) {
    let flight = call.thread.flight;
    let place = call.raw(TESTANY_FLAG);
    let misses = call.thread.misses;
    call.replace(TESTANY_FLAG, flight.poll(misses));
    let (result, chose) = choose(call, TESTANY.status);
    call.replace(TESTANY_FLAG, place);
    call.set_int(TESTANY_FLAG, 0, flight.flag());
    flight.land();
    (result, chose && flight.flag() != 0)
}

/// The same for some.
fn tested_some(call: &mut OrderedCall) -> (usize, bool) {
    let flight = call.thread.flight;
    flight.poll(call.thread.misses);
    let done = choose_some(call);
    flight.land();
    done
}

/// `MPI_Testsome`.
pub fn testsome(call: &mut OrderedCall) -> usize {
    persistent::refresh_several(call);
    let result = match poll(call) {
        Poll::Miss => {
            call.thread.miss();
            call.set_int(SOME.outcount, 0, 0);
            return call.succeed();
        }
        Poll::Find(Found::Indices(Some(all))) if all.iter().all(|&k| is_active(call, k)) => {
            (wait_for_some(call, all), true)
        }
        Poll::Find(Found::Indices(None)) | Poll::Free | Poll::Other => tested_some(call),
        Poll::Find(_) => {
            diverge::at_outcome(call);
            tested_some(call)
        }
    };
    let (result, chose) = result;
    if !chose {
        return result;
    }
    if call.int_at(SOME.outcount, 0) == 0 {
        call.thread.miss();
        return result;
    }
    let misses = hit(call);
    let indices = returned(call);
    serial_calls::outcome(call, |encoder, writer| {
        encoder.success_indices(writer, misses, indices.as_deref())
    });
    call.thread.indices = indices.unwrap_or_default();
    result
}
