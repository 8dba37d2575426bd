//! Waits and tests: where nonblocking operations complete (MPI 4.1, §3.7).
//!
//! The handles are copied before the call, because MPI overwrites them. Wait
//! and Waitall take their requests out of the table before the call; the
//! others note the requests' ids and take the completed ones afterwards. So a
//! handle that MPI gives to another thread in the meantime is not confused.

use mpi_abi::{id, Family, FunctionId};
use mpiscope_rules::requests::{Active, Entry, Kind};
use mpiscope_run::record::{Fact, FileFact, Message, Wildcard};

use super::call::ObservedCall;
use super::collective;
use super::files::accesses;
use super::files::table::Begun;
use super::point_to_point::filled;
use super::thread::Noted;
use crate::mpi::call::Lang;
use crate::mpi::shape::completion::{
    all, any, flag, request, status, Requests, WaitAll, WaitAny, ANY, SOME,
};

/// Records what a completed request stood for.
fn complete(call: &mut ObservedCall, entry: Entry, status: *const u8) {
    if entry.cancelled && is_cancelled(call, status) {
        return call.record(match entry.kind {
            Kind::FileAccess { file, .. } => Fact::File(FileFact::Cancelled(file, entry.id)),
            // Of what it stands for there is no event: a request of the program's own, say.
            _ if entry.id == 0 => return,
            _ => Fact::RequestCancelled { request: entry.id },
        });
    }
    match entry.kind {
        Kind::Send | Kind::PersistentSend(_, Active(true)) => {
            call.record(Fact::IsendComplete { request: entry.id });
        }
        // Of a message in parts no status need tell, and there is nothing to be told.
        Kind::PersistentRecv(posted, Active(true)) if posted.is_in_parts() => {
            call.record(Fact::Irecv(posted, entry.id));
        }
        Kind::Recv(_) | Kind::PersistentRecv(_, Active(true)) => {
            if let Some(message) = call.received(status, entry.comm, entry.wildcard) {
                call.record(Fact::Irecv(message, entry.id));
            }
        }
        Kind::SendRecv { send, posted } => complete_both(call, entry, status, send, posted),
        Kind::FileAccess {
            file,
            operation,
            bytes,
        } => {
            let begun = Begun {
                file,
                id: entry.id,
                operation,
                bytes,
            };
            accesses::complete(call, begun, status);
        }
        Kind::RemoteAccess => call.record(Fact::RemoteAccessComplete { request: entry.id }),
        Kind::Collective(_) | Kind::PersistentCollective(..) => collective::complete(call, entry),
        Kind::Opaque | Kind::PersistentSend(..) | Kind::PersistentRecv(..) => {}
    }
}

/// Records that a receive has taken a message that was too long for it.
fn complete_truncated(call: &mut ObservedCall, entry: Entry, status: *const u8) {
    let (Kind::Recv(posted) | Kind::PersistentRecv(posted, Active(true))) = entry.kind else {
        return complete(call, entry, status);
    };
    if let Some(found) = call.received(status, entry.comm, entry.wildcard) {
        call.record(Fact::Irecv(filled(posted, found), entry.id));
    }
}

/// MPICH 4 and 5 do not fill the status of MPI_Isendrecv: what an earlier request
/// left in it is no message. There the arguments tell, unless they are wildcards;
/// so by the standard ABI, which MPICH offers and Intel MPI, which is made of it.
fn complete_both(
    call: &mut ObservedCall,
    entry: Entry,
    status: *const u8,
    send: u32,
    posted: Option<Message>,
) {
    if send != 0 {
        call.record(Fact::IsendComplete { request: send });
    }
    let Some(posted) = posted else { return };
    let message = match call.mpi.abi.family {
        Family::OpenMpi => call.received(status, entry.comm, entry.wildcard),
        Family::Mpich | Family::StandardAbi => {
            (entry.wildcard == Wildcard::default()).then_some(posted)
        }
    };
    match message {
        Some(message) => call.record(Fact::Irecv(message, entry.id)),
        None => call.record(Fact::UnknownReceive(posted, entry.id)),
    }
}

fn is_cancelled(call: &ObservedCall, status: *const u8) -> bool {
    // SAFETY: the operation has completed, so its status is filled.
    unsafe { call.mpi.test_cancelled(status) }.unwrap_or(false)
}

/// MPI_Cancel: whether it succeeds shows at completion.
pub fn cancel(call: &mut ObservedCall) {
    let handle = call.request_at(const { request(id::MPI_CANCEL) }, 0);
    call.session
        .requests
        .change(handle, |entry| entry.cancelled = true);
}

const WAIT: [usize; 2] = [request(id::MPI_WAIT), status(id::MPI_WAIT)];
const TEST: [usize; 2] = [request(id::MPI_TEST), status(id::MPI_TEST)];
const WAITALL: WaitAll = all(id::MPI_WAITALL);
const TESTALL: WaitAll = all(id::MPI_TESTALL);
const TESTANY: WaitAny = any(id::MPI_TESTANY);

/// MPI_Wait, before.
pub fn before_wait(call: &mut ObservedCall) {
    let [request, status] = WAIT;
    call.want_status(status);
    let taken = call.session.requests.take(call.request_at(request, 0));
    call.thread.scratch.noted = taken.map_or(Noted::Nothing, Noted::Request);
}

/// MPI_Wait, after.
pub fn wait(call: &mut ObservedCall, ok: bool) {
    let Noted::Request(entry) = call.thread.scratch.take_noted() else {
        return;
    };
    let status = call.status(WAIT[1], 0);
    match ok {
        true => complete(call, entry, status),
        false if call.is_truncated() => complete_truncated(call, entry, status),
        false => {}
    }
}

/// MPI_Test, before.
pub fn before_test(call: &mut ObservedCall) {
    let [request, status] = TEST;
    call.want_status(status);
    note(call, 1, request);
}

/// MPI_Test, after.
pub fn test(call: &mut ObservedCall, ok: bool) {
    let [request, status] = TEST;
    if !ok {
        return end_finished(call, request, Some(status));
    }
    if call.int_at(const { flag(id::MPI_TEST) }, 0) != 0 {
        return complete_kth(call, 0, call.status(status, 0));
    }
    match call.thread.scratch.noted_ids.first() {
        Some(&Some(request)) if request != 0 => {
            let handle = call.thread.scratch.handles.first().copied();
            incomplete(call, handle.unwrap_or(0), request);
        }
        _ => {}
    }
}

/// MPI_Request_get_status, after: a test that leaves
/// the request as it is, so that it completes elsewhere.
pub fn get_status(call: &mut ObservedCall, ok: bool) {
    const ASKED: FunctionId = id::MPI_REQUEST_GET_STATUS;
    if ok && call.int_at(const { flag(ASKED) }, 0) == 0 {
        let handle = call.request(const { request(ASKED) });
        let tested = call.session.requests.peek(handle);
        if let Some(request) = tested.filter(|&request| request != 0) {
            incomplete(call, handle, request);
        }
    }
}

/// A test found a request not complete.
fn incomplete(call: &mut ObservedCall, handle: usize, request: u32) {
    call.record(match call.session.requests.kind(handle) {
        Some(Kind::FileAccess { file, .. }) => Fact::File(FileFact::Tested(file, request)),
        _ => Fact::RequestTest { request },
    });
}

/// Copies the `count` handles at argument `requests`, and the ids of their requests.
fn note(call: &mut ObservedCall, count: usize, requests: usize) {
    call.thread.scratch.handles.clear();
    call.thread.scratch.noted_ids.clear();
    for k in 0..count {
        let handle = call.request_at(requests, k);
        call.thread.scratch.handles.push(handle);
        let id = call.session.requests.peek(handle);
        call.thread.scratch.noted_ids.push(id);
    }
}

/// Copies the handles of an array, and the ids of their requests; returns how many there are.
fn note_all(call: &mut ObservedCall, at: Requests) -> usize {
    let count = call.int(at.count).max(0) as usize;
    note(call, count, at.handles);
    count
}

/// Takes the request that had the `k`th handle.
fn take_kth(call: &mut ObservedCall, k: usize) -> Option<Entry> {
    let handle = call.thread.scratch.handles.get(k).copied()?;
    let id = call.thread.scratch.noted_ids.get(k).copied()??;
    call.session.requests.take_id(handle, id)
}

/// Records the completion of the request that had the `k`th handle.
fn complete_kth(call: &mut ObservedCall, k: usize, status: *const u8) {
    if let Some(entry) = take_kth(call, k) {
        complete(call, entry, status);
    }
}

/// After a call that failed: requests that MPI has set to null are gone, and
/// their handles may come again.
fn drop_finished(call: &mut ObservedCall, requests: usize) {
    end_finished(call, requests, None);
}

/// The same of a call that completes one request, with the argument that is its status: if its
/// message was too long, it has taken it.
fn end_finished(call: &mut ObservedCall, requests: usize, status: Option<usize>) {
    let null = call.mpi.abi.request_null;
    let status = status.filter(|_| call.is_truncated());
    for k in 0..call.thread.scratch.handles.len() {
        let gone = call.request_at(requests, k) == null;
        if !gone || call.thread.scratch.handles[k] == null {
            continue;
        }
        if let (Some(entry), Some(at)) = (take_kth(call, k), status) {
            complete_truncated(call, entry, call.status(at, 0));
        }
    }
}

/// MPI_Waitall, before.
pub fn before_waitall(call: &mut ObservedCall) {
    let count = note_all(call, WAITALL.requests);
    call.want_statuses(WAITALL.statuses, count);
    call.thread.scratch.entries.clear();
    for k in 0..count {
        let entry = take_kth(call, k);
        call.thread.scratch.entries.push(entry);
    }
}

/// MPI_Waitall, after. If some failed, the statuses tell which did not
/// (MPI 4.1, §3.7.5); after another error they tell nothing.
pub fn waitall(call: &mut ObservedCall, ok: bool) {
    let in_status = !ok && call.failed_in_status();
    for k in 0..call.thread.scratch.entries.len() {
        let Some(entry) = call.thread.scratch.entries[k].take() else {
            continue;
        };
        let status = call.status(WAITALL.statuses, k);
        let class = if in_status {
            class_of(call, status)
        } else {
            None
        };
        if ok || class == Some(call.mpi.abi.success) {
            complete(call, entry, status);
        } else if class == Some(call.mpi.abi.err_truncate) {
            complete_truncated(call, entry, status);
        } else if call.request_at(WAITALL.requests.handles, k) != call.mpi.abi.request_null {
            let handle = call.thread.scratch.handles[k];
            call.session.requests.put_back(handle, entry);
        }
    }
}

/// Returns the class of the error of one of several requests, `MPI_SUCCESS` if there is none.
fn class_of(call: &ObservedCall, status: *const u8) -> Option<i32> {
    // SAFETY: after MPI_ERR_IN_STATUS every status is filled, its error field included.
    let error = unsafe { call.mpi.status_error(status) };
    call.mpi.error_class(error).ok()
}

/// MPI_Testall, before.
pub fn before_testall(call: &mut ObservedCall) {
    let count = note_all(call, TESTALL.requests);
    call.want_statuses(TESTALL.statuses, count);
}

/// MPI_Testall, after.
pub fn testall(call: &mut ObservedCall, ok: bool) {
    if !ok {
        return drop_finished(call, TESTALL.requests.handles);
    }
    if call.int_at(const { flag(id::MPI_TESTALL) }, 0) != 0 {
        for k in 0..call.thread.scratch.handles.len() {
            complete_kth(call, k, call.status(TESTALL.statuses, k));
        }
    }
}

/// MPI_Waitany, before.
pub fn before_any(call: &mut ObservedCall) {
    note_all(call, ANY.requests);
    call.want_status(ANY.status);
}

/// MPI_Waitany, after.
pub fn waitany(call: &mut ObservedCall, ok: bool) {
    match ok {
        true => complete_index(call, ANY.index, 0, call.status(ANY.status, 0)),
        false => end_finished(call, ANY.requests.handles, Some(ANY.status)),
    }
}

/// MPI_Testany, before.
pub fn before_testany(call: &mut ObservedCall) {
    note_all(call, TESTANY.requests);
    call.want_status(TESTANY.status);
}

/// MPI_Testany, after.
pub fn testany(call: &mut ObservedCall, ok: bool) {
    if !ok {
        return end_finished(call, TESTANY.requests.handles, Some(TESTANY.status));
    }
    if call.int_at(const { flag(id::MPI_TESTANY) }, 0) != 0 {
        complete_index(call, TESTANY.index, 0, call.status(TESTANY.status, 0));
    }
}

/// MPI_Waitsome, MPI_Testsome, before.
pub fn before_some(call: &mut ObservedCall) {
    let count = note_all(call, SOME.requests);
    call.want_statuses(SOME.statuses, count);
}

/// MPI_Waitsome, MPI_Testsome, after.
pub fn some(call: &mut ObservedCall, ok: bool) {
    if !ok && !call.failed_in_status() {
        return drop_finished(call, SOME.requests.handles);
    }
    let count = call.int_at(SOME.outcount, 0);
    if count != call.mpi.abi.undefined {
        for k in 0..count.max(0) as usize {
            let status = call.status(SOME.statuses, k);
            match if ok { None } else { class_of(call, status) } {
                Some(class) if class != call.mpi.abi.success => {
                    fail_index(call, SOME.indices, k, class, status);
                }
                _ => complete_index(call, SOME.indices, k, status),
            }
        }
    }
}

/// The same of one that failed: a receive that was too short has taken its message.
fn fail_index(call: &mut ObservedCall, at: usize, k: usize, class: i32, status: *const u8) {
    let entry = index_of(call, at, k).and_then(|k| take_kth(call, k));
    if let Some(entry) = entry.filter(|_| class == call.mpi.abi.err_truncate) {
        complete_truncated(call, entry, status);
    }
}

/// Completes the request whose index is element `k` of argument `at`; Fortran counts from 1.
fn complete_index(call: &mut ObservedCall, at: usize, k: usize, status: *const u8) {
    if let Some(k) = index_of(call, at, k) {
        complete_kth(call, k, status);
    }
}

fn index_of(call: &ObservedCall, at: usize, k: usize) -> Option<usize> {
    let index = call.int_at(at, k);
    if index == call.mpi.abi.undefined {
        return None;
    }
    let first = i32::from(call.lang == Lang::Fortran);
    usize::try_from(index - first).ok()
}
