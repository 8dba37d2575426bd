//! Requests cancelled and freed (MPI 4.1, §3.7.3 and §3.8.4).

use mpiscope_run::order::{self, Undetermined};

use super::call::OrderedCall;
use super::requests::{Cancel, Fate};
use super::{deterministic, nondeterminism, persistent};
use crate::mpi::shape::completion::ONE;

/// `MPI_Cancel`: whether it succeeds shows when the request completes. In
/// replay a receive that took a message is not cancelled.
pub fn cancel(call: &mut OrderedCall) -> usize {
    deterministic::drop_unposted(call, false);
    // Whether a message comes before it is nobody's choice but MPI's.
    deterministic::leave_to_mpi(call);
    let handle = call.request_at(ONE, 0);
    match call.thread.recent.get(handle) {
        Some((receive, Fate::Received)) => {
            note(call, receive, false);
            return call.succeed();
        }
        Some((ordinal, _)) => {
            let number = call.thread.number;
            call.thread.session.requests.cancel(handle, number, ordinal);
        }
        None => nondeterminism::note(call, Undetermined::CancelledSend),
    }
    call.go()
}

/// Writes what came of it.
fn note(call: &mut OrderedCall, receive: u64, succeeded: bool) {
    let cancel = order::Cancel { receive, succeeded };
    call.thread
        .out
        .put(|encoder, writer| encoder.cancel(writer, cancel));
}

/// A request has completed that the program had tried to cancel; returns
/// whether that came about.
#[cold]
pub fn was_cancelled(call: &mut OrderedCall, cancel: Cancel, status: *const u8) -> bool {
    // SAFETY: the request has completed, so its status is filled.
    let cancelled = unsafe { call.mpi.test_cancelled(status) }.unwrap_or(false);
    match cancel.thread == call.thread.number {
        true => note(call, cancel.ordinal, cancelled),
        false => nondeterminism::note(call, Undetermined::Threads),
    }
    cancelled
}

/// `MPI_Request_free`.
pub fn free(call: &mut OrderedCall) -> usize {
    deterministic::drop_unposted(call, true);
    let session = call.thread.session;
    if session.requests.busy() {
        let handle = call.request_at(ONE, 0);
        session.requests.free(handle);
        persistent::free(call, handle);
    }
    call.go()
}
