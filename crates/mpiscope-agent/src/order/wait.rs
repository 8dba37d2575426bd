//! Waits (MPI 4.1, §3.7.3 and §3.7.5): where receives complete, and
//! where MPI chooses among requests.

use mpi_abi::id;
use mpiscope_run::order::Outcome;

use super::call::Call;
use super::guide::Wait;
use super::{cancel, canonical, diverge, persistent};
use crate::call::Lang;

/// Makes a call.
type Go = fn(&mut Call) -> usize;

/// A request has completed: writes what it took, if that was open.
fn completed(call: &mut Call, handle: usize, status: *const u8) {
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
pub fn looks(call: &Call) -> bool {
    call.thread.session.requests.busy()
}

/// Keeps the handles as they are before the call; MPI overwrites them.
fn keep_handles(call: &mut Call, i: usize, count: usize) {
    let mut handles = std::mem::take(&mut call.thread.handles);
    handles.clear();
    handles.extend((0..count).map(|k| call.request(i, k)));
    call.thread.handles = handles;
}

fn kept(call: &Call, k: usize) -> Option<usize> {
    call.thread.handles.get(k).copied()
}

/// `MPI_Wait(request, status)`.
pub fn wait(call: &mut Call) -> usize {
    let go: Go = match canonical::on(call) {
        true => canonical::wait,
        false => |call| call.go(),
    };
    if !looks(call) {
        return go(call);
    }
    persistent::refresh(call, 0, 1);
    one(call, 1, go, |_| true)
}

/// Makes a call that completes the request at argument 0, if `done` says so.
pub fn one(
    call: &mut Call,
    status: usize,
    go: impl FnOnce(&mut Call) -> usize,
    done: impl FnOnce(&Call) -> bool,
) -> usize {
    let handle = call.request(0, 0);
    let passed = call.want_status(status);
    let result = go(call);
    if call.ok(result) && done(call) {
        completed(call, handle, call.status(status, 0));
    }
    call.replace(status, passed);
    result
}

/// `MPI_Waitall(count, requests, statuses)`.
pub fn waitall(call: &mut Call) -> usize {
    let go: Go = match canonical::on(call) {
        true => canonical::waitall,
        false => |call| call.go(),
    };
    if !looks(call) {
        return go(call);
    }
    let count = call.count(0);
    persistent::refresh(call, 1, count);
    many(call, [0, 1, 2], go, |_| true)
}

/// Makes a call that completes all requests, if `done` says so; the arguments
/// are their count, the requests and the statuses.
pub fn many(
    call: &mut Call,
    [count, requests, statuses]: [usize; 3],
    go: impl FnOnce(&mut Call) -> usize,
    done: impl FnOnce(&Call) -> bool,
) -> usize {
    let count = call.count(count);
    keep_handles(call, requests, count);
    let passed = want_statuses(call, statuses, count);
    let result = go(call);
    if call.ok(result) && done(call) {
        for k in 0..count {
            if let Some(handle) = kept(call, k) {
                completed(call, handle, call.status(statuses, k));
            }
        }
    }
    call.replace(statuses, passed);
    result
}

/// Makes sure that MPI fills the statuses at argument `i`; returns the argument as it was.
pub fn want_statuses(call: &mut Call, i: usize, count: usize) -> usize {
    let passed = call.raw(i);
    if call.ignored(passed) {
        let own = call.thread.statuses(count);
        call.replace(i, own);
    }
    passed
}

/// `MPI_Waitany(count, requests, index, status)`.
pub fn waitany(call: &mut Call) -> usize {
    let count = call.count(0);
    persistent::refresh(call, 1, count);
    let lead = lead(call);
    let result = match lead {
        Wait::For(Outcome::Index(Some(k))) if is_active(call, *k) => wait_for(call, *k, 2, 3),
        Wait::For(Outcome::Index(None)) | Wait::Free => any(call, 3),
        Wait::For(_) | Wait::Other => {
            diverge::at_outcome(call);
            any(call, 3)
        }
    };
    if call.ok(result) {
        let index = index(call, 2, 0);
        call.thread
            .out
            .put(|encoder, writer| encoder.index(writer, index));
    }
    result
}

/// Returns what the record wants of a wait for several requests.
fn lead(call: &mut Call) -> Wait {
    let Some(guide) = &mut call.thread.guide else {
        return Wait::Free;
    };
    let lead = guide.wait();
    if matches!(lead, Wait::Free) {
        call.thread
            .session
            .report
            .note_free(call.thread.hot.hash.calls);
    }
    lead
}

/// Whether request `k` of those at argument 1 is there to be waited for.
pub fn is_active(call: &Call, k: u32) -> bool {
    let k = k as usize;
    k < call.count(0) && call.request(1, k) != call.mpi.abi.request_null
}

/// Waits for request `k`, and says so in the arguments `index` and `status`.
pub fn wait_for(call: &mut Call, k: u32, index: usize, status: usize) -> usize {
    let handle = call.request(1, k as usize);
    let at = call.request_at(1, k as usize);
    let passed = call.want_status(status);
    let code = call.sibling(id::MPI_WAIT, [at, call.raw(status)]);
    let first = i32::from(call.lang == Lang::Fortran);
    call.set_int(index, 0, k as i32 + first);
    let result = call.done(code);
    if call.ok(result) && looks(call) {
        completed(call, handle, call.status(status, 0));
    }
    call.replace(status, passed);
    result
}

/// Lets MPI choose one of the requests at argument 1; the index is at argument 2.
pub fn any(call: &mut Call, status: usize) -> usize {
    let count = call.count(0);
    keep_handles(call, 1, count);
    let passed = call.want_status(status);
    let result = match (canonical::on(call), call.function) {
        (false, _) => call.go(),
        (true, id::MPI_WAITANY) => canonical::waitany(call),
        (true, _) => settled(call, 1, 3),
    };
    if call.ok(result) && looks(call) {
        let chosen = index(call, 2, 0).and_then(|k| kept(call, k as usize));
        if let Some(handle) = chosen {
            completed(call, handle, call.status(status, 0));
        }
    }
    call.replace(status, passed);
    result
}

/// Makes a test for any or some where the choice is made by a rule; a flag or count tells the outcome.
fn settled(call: &mut Call, requests: usize, flag: usize) -> usize {
    canonical::settled(
        call,
        true,
        |call| {
            let count = call.count(0);
            canonical::refresh(call, requests, count);
            call.go()
        },
        |call| call.element(flag, 0) != 0,
    )
}

/// Returns element `k` of the indices at argument `i`, from 0.
pub fn index(call: &Call, i: usize, k: usize) -> Option<u32> {
    let index = call.element(i, k);
    if index == call.mpi.abi.undefined {
        return None;
    }
    let first = i32::from(call.lang == Lang::Fortran);
    u32::try_from(index - first).ok()
}

/// `MPI_Waitsome(incount, requests, outcount, indices, statuses)`.
pub fn waitsome(call: &mut Call) -> usize {
    let count = call.count(0);
    persistent::refresh(call, 1, count);
    let lead = lead(call);
    let result = match lead {
        Wait::For(Outcome::Indices(Some(all))) if all.iter().all(|&k| is_active(call, k)) => {
            wait_for_some(call, all)
        }
        Wait::For(Outcome::Indices(None)) | Wait::Free => some(call),
        Wait::For(_) | Wait::Other => {
            diverge::at_outcome(call);
            some(call)
        }
    };
    if call.ok(result) {
        let indices = returned(call);
        call.thread
            .out
            .put(|encoder, writer| encoder.indices(writer, indices.as_deref()));
        call.thread.indices = indices.unwrap_or_default();
    }
    result
}

/// Waits for these requests, and says so in the arguments of a wait for some.
pub fn wait_for_some(call: &mut Call, all: &[u32]) -> usize {
    let passed = want_statuses(call, 4, all.len());
    let first = i32::from(call.lang == Lang::Fortran);
    let mut code = call.mpi.abi.success as usize;
    for (n, &k) in all.iter().enumerate() {
        let handle = call.request(1, k as usize);
        let (at, status) = (call.request_at(1, k as usize), call.status(4, n));
        let one = call.sibling(id::MPI_WAIT, [at, status as usize]);
        if one as i32 == call.mpi.abi.success {
            if looks(call) {
                completed(call, handle, status);
            }
        } else {
            code = one;
        }
        call.set_int(3, n, k as i32 + first);
    }
    call.set_int(2, 0, all.len() as i32);
    call.replace(4, passed);
    call.done(code)
}

/// Lets MPI choose some of the requests.
pub fn some(call: &mut Call) -> usize {
    let count = call.count(0);
    keep_handles(call, 1, count);
    let passed = want_statuses(call, 4, count);
    let result = match (canonical::on(call), call.function) {
        (false, _) => call.go(),
        (true, id::MPI_WAITSOME) => canonical::waitsome(call),
        (true, _) => settled(call, 1, 2),
    };
    if call.ok(result) && looks(call) {
        let chosen = call.element(2, 0);
        let chosen = if chosen == call.mpi.abi.undefined {
            0
        } else {
            chosen
        };
        for n in 0..chosen.max(0) as usize {
            let handle = index(call, 3, n).and_then(|k| kept(call, k as usize));
            if let Some(handle) = handle {
                completed(call, handle, call.status(4, n));
            }
        }
    }
    call.replace(4, passed);
    result
}

/// Returns the indices that a call for some has returned.
pub fn returned(call: &mut Call) -> Option<Vec<u32>> {
    let count = call.element(2, 0);
    if count == call.mpi.abi.undefined {
        return None;
    }
    let mut indices = std::mem::take(&mut call.thread.indices);
    indices.clear();
    indices.extend((0..count.max(0) as usize).filter_map(|n| index(call, 3, n)));
    Some(indices)
}
