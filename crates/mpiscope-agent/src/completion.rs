//! Waits and tests: where nonblocking operations complete (MPI 4.1, §3.7).
//!
//! The handles are copied before the call, because MPI overwrites them. Wait
//! and Waitall take their requests out of the table before the call, so that
//! a handle that MPI gives to another thread in the meantime is not confused;
//! the others look the completed ones up afterwards.

use mpiscope_run::record::Fact;

use crate::call::{Call, Lang, Status};
use crate::requests::{Active, Entry, Kind};
use crate::thread::Noted;

/// Records what a completed request stood for.
fn complete(call: &mut Call, entry: Entry, status: Status) {
    if entry.cancelled && is_cancelled(call, status) {
        return call.record(Fact::RequestCancelled { request: entry.id });
    }
    match entry.kind {
        Kind::Send | Kind::PersistentSend(_, Active(true)) => {
            call.record(Fact::IsendComplete { request: entry.id });
        }
        Kind::Recv | Kind::PersistentRecv(Active(true)) => {
            if let Some(message) = call.received(status, entry.comm, entry.wildcard) {
                call.record(Fact::Irecv(message, entry.id));
            }
        }
        Kind::Opaque | Kind::PersistentSend(..) | Kind::PersistentRecv(_) => {}
    }
}

fn is_cancelled(call: &Call, status: Status) -> bool {
    // SAFETY: the operation has completed, so its status is filled.
    unsafe { call.mpi().test_cancelled(status.0) }.unwrap_or(false)
}

/// MPI_Cancel: whether it succeeds shows at completion.
pub fn cancel(call: &mut Call) {
    let handle = call.request_behind(0, 0);
    call.session
        .requests
        .change(handle, |entry| entry.cancelled = true);
}

/// MPI_Wait `(request, status)`, before.
pub fn before_wait(call: &mut Call) {
    call.want_status(1);
    let taken = call.session.requests.take(call.request_behind(0, 0));
    call.thread.scratch.noted = taken.map_or(Noted::Nothing, Noted::Request);
}

/// MPI_Wait, after.
pub fn wait(call: &mut Call, ok: bool) {
    if let (Noted::Request(entry), true) = (call.thread.scratch.take_noted(), ok) {
        complete(call, entry, call.status(1, 0));
    }
}

/// MPI_Test `(request, flag, status)`, before.
pub fn before_test(call: &mut Call) {
    call.want_status(2);
    call.thread.scratch.noted = Noted::Handle(call.request_behind(0, 0));
}

/// MPI_Test, after.
pub fn test(call: &mut Call, ok: bool) {
    let Noted::Handle(handle) = call.thread.scratch.take_noted() else {
        return;
    };
    if !ok {
        return;
    }
    if call.int_behind(1, 0) != 0 {
        if let Some(entry) = call.session.requests.take(handle) {
            complete(call, entry, call.status(2, 0));
        }
    } else if let Some(entry) = call.session.requests.change(handle, |_| {}) {
        if entry.id != 0 {
            call.record(Fact::RequestTest { request: entry.id });
        }
    }
}

/// Copies the handles of `requests`, and returns how many there are.
fn copy_handles(call: &mut Call, count: usize, requests: usize) -> usize {
    let count = call.int(count).max(0) as usize;
    call.thread.scratch.handles.clear();
    for k in 0..count {
        let handle = call.request_behind(requests, k);
        call.thread.scratch.handles.push(handle);
    }
    count
}

/// Completes the request that had the `k`th handle.
fn complete_kth(call: &mut Call, k: usize, status: Status) {
    let handle = call.thread.scratch.handles.get(k).copied();
    if let Some(entry) = handle.and_then(|h| call.session.requests.take(h)) {
        complete(call, entry, status);
    }
}

/// MPI_Waitall `(count, requests, statuses)`, before.
pub fn before_waitall(call: &mut Call) {
    let count = copy_handles(call, 0, 1);
    call.want_statuses(2, count);
    call.thread.scratch.entries.clear();
    for k in 0..count {
        let entry = call.session.requests.take(call.thread.scratch.handles[k]);
        call.thread.scratch.entries.push(entry);
    }
}

/// MPI_Waitall, after. If some failed, the statuses tell which did not.
pub fn waitall(call: &mut Call, ok: bool) {
    for k in 0..call.thread.scratch.entries.len() {
        let Some(entry) = call.thread.scratch.entries[k].take() else {
            continue;
        };
        let status = call.status(2, k);
        let abi = &call.mpi().abi;
        match if ok {
            abi.success
        } else {
            error_of(call, status)
        } {
            code if code == abi.success => complete(call, entry, status),
            code if code == abi.err_pending => {
                let handle = call.thread.scratch.handles[k];
                call.session.requests.put_back(handle, entry);
            }
            _ => {}
        }
    }
}

fn error_of(call: &Call, status: Status) -> i32 {
    // SAFETY: after MPI_ERR_IN_STATUS every status is filled, its error field included (MPI 4.1, §3.7.5).
    unsafe { call.mpi().status_error(status.0) }
}

/// MPI_Testall `(count, requests, flag, statuses)`, before.
pub fn before_testall(call: &mut Call) {
    let count = copy_handles(call, 0, 1);
    call.want_statuses(3, count);
}

/// MPI_Testall, after.
pub fn testall(call: &mut Call, ok: bool) {
    if ok && call.int_behind(2, 0) != 0 {
        for k in 0..call.thread.scratch.handles.len() {
            complete_kth(call, k, call.status(3, k));
        }
    }
}

/// MPI_Waitany `(count, requests, index, status)`, before.
pub fn before_any(call: &mut Call) {
    copy_handles(call, 0, 1);
    call.want_status(3);
}

/// MPI_Waitany, after.
pub fn waitany(call: &mut Call, ok: bool) {
    if ok {
        complete_index(call, 2, 0, call.status(3, 0));
    }
}

/// MPI_Testany `(count, requests, index, flag, status)`, before.
pub fn before_testany(call: &mut Call) {
    copy_handles(call, 0, 1);
    call.want_status(4);
}

/// MPI_Testany, after.
pub fn testany(call: &mut Call, ok: bool) {
    if ok && call.int_behind(3, 0) != 0 {
        complete_index(call, 2, 0, call.status(4, 0));
    }
}

/// MPI_Waitsome, MPI_Testsome `(incount, requests, outcount, indices, statuses)`, before.
pub fn before_some(call: &mut Call) {
    let count = copy_handles(call, 0, 1);
    call.want_statuses(4, count);
}

/// MPI_Waitsome, MPI_Testsome, after.
pub fn some(call: &mut Call, ok: bool) {
    let count = call.int_behind(2, 0);
    if ok && count != call.mpi().abi.undefined {
        for k in 0..count.max(0) as usize {
            complete_index(call, 3, k, call.status(4, k));
        }
    }
}

/// Completes the request whose index is element `k` of argument `at`; Fortran counts from 1.
fn complete_index(call: &mut Call, at: usize, k: usize, status: Status) {
    let index = call.int_behind(at, k);
    if index == call.mpi().abi.undefined {
        return;
    }
    let first = i32::from(call.lang == Lang::Fortran);
    if let Ok(k) = usize::try_from(index - first) {
        complete_kth(call, k, status);
    }
}
