//! Waits (MPI 4.1, §3.7.3 and §3.7.5): where receives complete, and
//! where MPI chooses among requests.

use mpi_abi::id;
use mpiscope_rules::replay_cursor::Wait;
use mpiscope_run::order::in_flight::Kind;
use mpiscope_run::order::{Outcome, Taken};

use super::call::OrderedCall;
use super::flight::Flight;
use super::requests::Entry;
use super::serial_calls::{self, Next};
use super::{cancel, deterministic, diverge, persistent};
use crate::mpi::call::Lang;
use crate::mpi::shape::completion::{all, flag, status, ANY, ONE, SEVERAL, SOME};

/// Makes a call.
type Go = fn(&mut OrderedCall) -> usize;

/// A request has completed: writes what it took, if that was open.
fn completed(call: &mut OrderedCall, handle: usize, status: *const u8) {
    let (cancel, entry) = call.thread.session.requests.take(handle);
    if let Some(cancel) = cancel {
        if cancel::was_cancelled(call, cancel, status) {
            return;
        }
    }
    let Some(entry) = entry else { return };
    let Some(taken) = call.taken(status, entry.wild) else {
        return;
    };
    call.thread.completed(entry, taken);
}

/// Whether requests are to be looked at when they complete.
#[inline]
pub fn looks(call: &OrderedCall) -> bool {
    call.thread.session.requests.busy()
}

/// Keeps the handles as they are before the call; MPI overwrites them.
fn keep_handles(call: &mut OrderedCall) -> usize {
    let count = call.len(SEVERAL.count);
    let mut handles = std::mem::take(&mut call.thread.handles);
    handles.clear();
    handles.extend((0..count).map(|k| call.request_at(SEVERAL.handles, k)));
    call.thread.handles = handles;
    count
}

fn kept(call: &OrderedCall, k: usize) -> Option<usize> {
    call.thread.handles.get(k).copied()
}

/// `MPI_Wait`.
pub fn wait(call: &mut OrderedCall) -> usize {
    let go: Go = match deterministic::on(call) {
        true => deterministic::wait,
        false => |call| call.go(),
    };
    if !looks(call) {
        return go(call);
    }
    persistent::refresh(call, ONE, 1);
    one(call, const { status(id::MPI_WAIT) }, go, |_| true)
}

/// Makes a call that may complete a receive, with what it takes kept should it never return;
/// returns what MPI did and what was taken.
pub fn in_flight(
    call: &mut OrderedCall,
    status: usize,
    receive: Entry,
    go: impl FnOnce(&mut OrderedCall) -> usize,
) -> (usize, Option<Taken>) {
    let flight = call.thread.flight;
    let passed = call.raw(status);
    let wanted = !call.ignores_status(passed);
    let own = flight.one(receive);
    if wanted {
        flight.take_in(0, passed);
    }
    call.thread.wants = wanted.then_some(passed);
    call.replace(status, own);
    let result = go(call);
    call.replace(status, passed);
    flight.land();
    // What was not filled is no rank.
    let taken = call.taken(own as *const u8, receive.wild);
    if wanted {
        flight.give(0, passed);
    }
    (result, taken)
}

/// Makes a call that completes its one request, if `done` says so.
pub fn one(
    call: &mut OrderedCall,
    status: usize,
    go: impl FnOnce(&mut OrderedCall) -> usize,
    done: impl FnOnce(&OrderedCall) -> bool,
) -> usize {
    let handle = call.request_at(ONE, 0);
    if let Some(receive) = call.thread.session.requests.open(handle) {
        return receives(call, status, handle, receive, go);
    }
    let passed = call.want_status(status);
    let result = go(call);
    if call.ok(result) && done(call) {
        completed(call, handle, call.status(status, 0));
    }
    call.replace(status, passed);
    result
}

/// The same where that request is a receive whose source is open.
fn receives(
    call: &mut OrderedCall,
    status: usize,
    handle: usize,
    receive: Entry,
    go: impl FnOnce(&mut OrderedCall) -> usize,
) -> usize {
    let mut cancelled = false;
    let (result, taken) = in_flight(call, status, receive, |call| {
        let result = go(call);
        let filled = call.status(status, 0);
        if call.thread.flight.is_filled(0) {
            let (cancel, _) = call.thread.session.requests.take(handle);
            cancelled = cancel.is_some_and(|it| cancel::was_cancelled(call, it, filled));
        }
        result
    });
    if let Some(taken) = taken.filter(|_| !cancelled) {
        call.thread.completed(receive, taken);
    }
    result
}

/// `MPI_Waitall`.
pub fn waitall(call: &mut OrderedCall) -> usize {
    let go: Go = match deterministic::on(call) {
        true => deterministic::waitall,
        false => |call| call.go(),
    };
    if !looks(call) {
        return go(call);
    }
    persistent::refresh_several(call);
    let statuses = const { all(id::MPI_WAITALL) }.statuses;
    many(call, statuses, go, |_| true)
}

/// Makes a call that completes all of several requests, if `done` says so.
pub fn many(
    call: &mut OrderedCall,
    statuses: usize,
    go: impl FnOnce(&mut OrderedCall) -> usize,
    done: impl FnOnce(&OrderedCall) -> bool,
) -> usize {
    let count = keep_handles(call);
    let departure = depart(call, Kind::Each, statuses, count);
    let result = go(call);
    let is_done = call.ok(result) && done(call);
    for k in 0..count {
        if !is_done && !departure.has_failed(call, k) {
            continue;
        }
        if let Some(handle) = kept(call, k) {
            completed(call, handle, call.status(statuses, k));
        }
    }
    departure.arrive(call, statuses, 0..count);
    result
}

/// A call on several requests that is under way.
struct Departure {
    /// The statuses that the program passed.
    passed: usize,
    /// None if the call is on more requests than are kept.
    flight: Option<Flight>,
    /// Whether MPI fills the statuses there, as receives are among the requests that are open.
    receives: bool,
}

/// A call begins on `count` requests, whose handles are kept, with statuses at argument `i`.
fn depart(call: &mut OrderedCall, kind: Kind, i: usize, count: usize) -> Departure {
    let flight = Some(call.thread.flight).filter(|flight| flight.holds(count));
    let receives = flight.is_some() && looks(call);
    call.thread.wants = None;
    if let Some(flight) = flight {
        let first = u32::from(call.lang == Lang::Fortran);
        let requests = &call.thread.session.requests;
        let handles = if receives {
            &call.thread.handles[..]
        } else {
            &[]
        };
        flight.several(
            kind,
            first,
            handles.iter().map(|&handle| requests.open(handle)),
        );
    }
    let Some(flight) = flight.filter(|_| receives) else {
        let passed = want_statuses(call, i, count);
        return Departure {
            passed,
            flight,
            receives,
        };
    };
    let passed = call.raw(i);
    let wanted = !call.ignores_status(passed);
    for k in 0..statuses_of(kind, count) {
        match wanted {
            true => flight.take_in(k, passed + k * call.mpi.abi.status.size),
            false => flight.unfill(k),
        }
    }
    call.replace(i, flight.status(0));
    Departure {
        passed,
        flight: Some(flight),
        receives,
    }
}

/// How many statuses a call on so many requests may fill.
fn statuses_of(kind: Kind, count: usize) -> usize {
    match kind {
        Kind::Any => 1,
        _ => count,
    }
}

impl Departure {
    /// Whether status `k` tells of a message although the call failed.
    fn has_failed(&self, call: &OrderedCall, k: usize) -> bool {
        let filled = |flight: &Flight| self.receives && flight.is_filled(k);
        let Some(flight) = self.flight.filter(filled) else {
            return false;
        };
        // SAFETY: a status of ours, in the form of this MPI.
        let error = unsafe { call.mpi.status_error(flight.status(k) as *const u8) };
        error != call.mpi.abi.err_pending
    }

    /// The call has returned: gives the program its statuses.
    fn arrive(self, call: &mut OrderedCall, i: usize, statuses: std::ops::Range<usize>) {
        call.replace(i, self.passed);
        let Some(flight) = self.flight else { return };
        flight.land();
        if !self.receives || call.ignores_status(self.passed) {
            return;
        }
        for k in statuses {
            flight.give(k, self.passed + k * call.mpi.abi.status.size);
        }
    }
}

/// Makes sure that MPI fills the statuses at argument `i`; returns the argument as it was.
pub fn want_statuses(call: &mut OrderedCall, i: usize, count: usize) -> usize {
    let passed = call.raw(i);
    if call.ignores_status(passed) {
        let own = call.thread.statuses(count);
        call.replace(i, own);
    }
    passed
}

/// `MPI_Waitany`.
pub fn waitany(call: &mut OrderedCall) -> usize {
    persistent::refresh_several(call);
    let lead = lead(call);
    let result = match lead {
        Wait::For(Outcome::Index(Some(k))) if is_active(call, *k) => {
            (wait_for(call, *k, ANY.status), true)
        }
        Wait::For(Outcome::Index(None)) | Wait::Free => choose(call, ANY.status),
        Wait::For(_) | Wait::Other => {
            diverge::at_outcome(call);
            choose(call, ANY.status)
        }
    };
    let (result, chose) = result;
    if chose {
        let index = index(call, ANY.index, 0);
        serial_calls::outcome(call, |encoder, writer| encoder.index(writer, index));
    }
    result
}

/// Returns what the record wants of a wait for several requests.
fn lead(call: &mut OrderedCall) -> Wait {
    let Some(outcomes) = call.thread.cursor.as_ref().map(|cursor| cursor.outcomes) else {
        return Wait::Free;
    };
    let is_wait = |outcome: &Outcome| !matches!(outcome, Outcome::Success { .. });
    let lead = match serial_calls::next_outcome(call, outcomes) {
        Next::Own => (call.thread.cursor.as_mut()).map_or(Wait::Free, |cursor| cursor.wait()),
        Next::This(outcome) if is_wait(outcome) => Wait::For(outcome),
        Next::This(_) => Wait::Other,
        Next::Nothing => Wait::Free,
    };
    if matches!(lead, Wait::Free) {
        call.thread
            .session
            .report
            .note_free(call.thread.hot.hash.calls());
    }
    lead
}

/// Whether request `k` of several is there to be waited for.
pub fn is_active(call: &OrderedCall, k: u32) -> bool {
    let k = k as usize;
    k < call.len(SEVERAL.count) && call.request_at(SEVERAL.handles, k) != call.mpi.abi.request_null
}

/// Waits for request `k`, and says so in the arguments of a call for any, whose status is at
/// `status`.
pub fn wait_for(call: &mut OrderedCall, k: u32, status: usize) -> usize {
    let handle = call.request_at(SEVERAL.handles, k as usize);
    let at = call.request_address(SEVERAL.handles, k as usize);
    let passed = call.want_status(status);
    let code = call.sibling(id::MPI_WAIT, [at, call.raw(status)]);
    let first = i32::from(call.lang == Lang::Fortran);
    call.set_int(ANY.index, 0, k as i32 + first);
    let result = call.done(code);
    if call.ok(result) && looks(call) {
        completed(call, handle, call.status(status, 0));
    }
    call.replace(status, passed);
    result
}

/// Lets MPI choose any of several requests. Returns also whether it chose, as it may although
/// the call failed.
pub fn choose(call: &mut OrderedCall, status: usize) -> (usize, bool) {
    let count = keep_handles(call);
    let departure = depart(call, Kind::Any, status, count);
    let place = call.raw(ANY.index);
    if let Some(flight) = departure.flight {
        call.replace(ANY.index, flight.indices());
    }
    let result = match (deterministic::on(call), call.function) {
        (false, _) => call.go(),
        (true, id::MPI_WAITANY) => deterministic::waitany(call),
        (true, _) => settled(call, const { flag(id::MPI_TESTANY) }),
    };
    call.replace(ANY.index, place);
    let told = departure.flight.map(|flight| flight.index(0));
    if let Some(Some(index)) = told {
        call.set_int(ANY.index, 0, index);
    }
    let chose = told.map_or(call.ok(result), |index| index.is_some());
    if chose && looks(call) {
        let chosen = index(call, ANY.index, 0).and_then(|k| kept(call, k as usize));
        if let Some(handle) = chosen {
            completed(call, handle, call.status(status, 0));
        }
    }
    departure.arrive(call, status, 0..1);
    (result, chose)
}

/// Makes a test for any or some where the choice is made by a rule; a flag or count tells the outcome.
fn settled(call: &mut OrderedCall, flag: usize) -> usize {
    deterministic::settled(
        call,
        true,
        |call| {
            deterministic::refresh_several(call);
            call.go()
        },
        |call| call.int_at(flag, 0) != 0,
    )
}

/// Returns element `k` of the indices at argument `i`, from 0.
pub fn index(call: &OrderedCall, i: usize, k: usize) -> Option<u32> {
    let index = call.int_at(i, k);
    if index == call.mpi.abi.undefined {
        return None;
    }
    let first = i32::from(call.lang == Lang::Fortran);
    u32::try_from(index - first).ok()
}

/// `MPI_Waitsome`.
pub fn waitsome(call: &mut OrderedCall) -> usize {
    persistent::refresh_several(call);
    let lead = lead(call);
    let result = match lead {
        Wait::For(Outcome::Indices(Some(all))) if all.iter().all(|&k| is_active(call, k)) => {
            (wait_for_some(call, all), true)
        }
        Wait::For(Outcome::Indices(None)) | Wait::Free => choose_some(call),
        Wait::For(_) | Wait::Other => {
            diverge::at_outcome(call);
            choose_some(call)
        }
    };
    let (result, chose) = result;
    if chose {
        let indices = returned(call);
        serial_calls::outcome(call, |encoder, writer| {
            encoder.indices(writer, indices.as_deref())
        });
        call.thread.indices = indices.unwrap_or_default();
    }
    result
}

/// Waits for these requests, and says so in the arguments of a wait for some.
pub fn wait_for_some(call: &mut OrderedCall, all: &[u32]) -> usize {
    let passed = want_statuses(call, SOME.statuses, all.len());
    let handles: Vec<usize> = all
        .iter()
        .map(|&k| call.request_at(SEVERAL.handles, k as usize))
        .collect();
    let code = together(call, all);
    let first = i32::from(call.lang == Lang::Fortran);
    for (n, &k) in all.iter().enumerate() {
        if code as i32 == call.mpi.abi.success && looks(call) {
            completed(call, handles[n], call.status(SOME.statuses, n));
        }
        call.set_int(SOME.indices, n, k as i32 + first);
    }
    call.set_int(SOME.outcount, 0, all.len() as i32);
    call.replace(SOME.statuses, passed);
    call.done(code)
}

/// Waits for these requests in one call, which fails as one for some of them does.
fn together(call: &mut OrderedCall, all: &[u32]) -> usize {
    let [first, second] = [0, 1].map(|k| call.request_address(SEVERAL.handles, k));
    let width = second - first;
    let places: Vec<*mut u8> = all
        .iter()
        .map(|&k| call.request_address(SEVERAL.handles, k as usize) as *mut u8)
        .collect();
    let mut handles = vec![0u64; all.len()];
    let here = handles.as_mut_ptr().cast::<u8>();
    for (n, &place) in places.iter().enumerate() {
        // SAFETY: both are handles of this width, one of the program's array, one of ours.
        unsafe { std::ptr::copy_nonoverlapping(place, here.add(n * width), width) };
    }
    let count = all.len() as i32;
    let passed = match call.lang {
        Lang::C => count as usize,
        Lang::Fortran => &raw const count as usize,
    };
    let code = call.sibling(
        id::MPI_WAITALL,
        [passed, here as usize, call.raw(SOME.statuses)],
    );
    for (n, &place) in places.iter().enumerate() {
        // SAFETY: both are handles of this width, one of ours, one of the program's array.
        unsafe { std::ptr::copy_nonoverlapping(here.add(n * width), place, width) };
    }
    code
}

/// Lets MPI choose some of several requests. Returns also whether it chose, as it may although
/// some of them failed.
pub fn choose_some(call: &mut OrderedCall) -> (usize, bool) {
    let count = keep_handles(call);
    let departure = depart(call, Kind::Some, SOME.statuses, count);
    let places = [call.raw(SOME.outcount), call.raw(SOME.indices)];
    if let Some(flight) = departure.flight {
        call.replace(SOME.outcount, flight.chosen());
        call.replace(SOME.indices, flight.indices());
    }
    let result = match (deterministic::on(call), call.function) {
        (false, _) => call.go(),
        (true, id::MPI_WAITSOME) => deterministic::waitsome(call),
        (true, _) => settled(call, SOME.outcount),
    };
    let chosen = call.int_at(SOME.outcount, 0);
    call.replace(SOME.outcount, places[0]);
    call.replace(SOME.indices, places[1]);
    let is_told = departure.flight.is_some_and(|it| it.index(0).is_some());
    let chose = call.ok(result) || is_told;
    let n = match chose && chosen != call.mpi.abi.undefined {
        true => chosen.max(0) as usize,
        false => 0,
    };
    if let Some(flight) = departure.flight.filter(|_| chose) {
        call.set_int(SOME.outcount, 0, chosen);
        for k in 0..n {
            let undefined = call.mpi.abi.undefined;
            call.set_int(SOME.indices, k, flight.index(k).unwrap_or(undefined));
        }
    }
    if looks(call) {
        for k in 0..n {
            let handle = index(call, SOME.indices, k).and_then(|k| kept(call, k as usize));
            if let Some(handle) = handle {
                completed(call, handle, call.status(SOME.statuses, k));
            }
        }
    }
    departure.arrive(call, SOME.statuses, 0..n);
    (result, chose)
}

/// Returns the indices that a call for some has returned.
pub fn returned(call: &mut OrderedCall) -> Option<Vec<u32>> {
    let count = call.int_at(SOME.outcount, 0);
    if count == call.mpi.abi.undefined {
        return None;
    }
    let mut indices = std::mem::take(&mut call.thread.indices);
    indices.clear();
    indices.extend((0..count.max(0) as usize).filter_map(|n| index(call, SOME.indices, n)));
    Some(indices)
}
