//! Operations on another process's part of a window (MPI 4.1, §12.3), with and without requests.
//!
//! They begin where they are called; what completes them is told once for all, by what
//! synchronizes the window, and by the wait for those that have a request.

use mpiscope_rules::requests::{Entry, Kind};
use mpiscope_run::record::{Fact, RemoteAccess, RemoteOperation, Wildcard};

use super::window;
use crate::facts::call::ObservedCall;
use crate::facts::point_to_point::{note_request, request_written};
use crate::facts::thread::Noted;

/// MPI_Put, MPI_Rput, before.
pub fn put(call: &mut ObservedCall) {
    begin(call, RemoteOperation::Put);
}

/// MPI_Get, MPI_Rget, before.
pub fn get(call: &mut ObservedCall) {
    begin(call, RemoteOperation::Get);
}

/// MPI_Accumulate, MPI_Raccumulate, before.
pub fn accumulate(call: &mut ObservedCall) {
    begin(call, RemoteOperation::Accumulate);
}

/// MPI_Get_accumulate, MPI_Rget_accumulate, MPI_Fetch_and_op, before.
pub fn fetch(call: &mut ObservedCall) {
    begin(call, RemoteOperation::FetchAndAccumulate);
}

/// MPI_Compare_and_swap, before.
pub fn compare_and_swap(call: &mut ObservedCall) {
    begin(call, RemoteOperation::CompareAndSwap);
}

/// Those with a request, after.
pub fn requested(call: &mut ObservedCall, ok: bool) {
    if let Some(at) = request_written(call) {
        note_request(call, ok, at);
    }
}

fn begin(call: &mut ObservedCall, operation: RemoteOperation) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(access) = access(call, operation) else {
        return;
    };
    let id = call.next_request();
    call.record(Fact::RemoteAccess(access, id));
    if access.has_request {
        call.thread.scratch.noted = Noted::Request(Entry {
            id,
            kind: Kind::RemoteAccess,
            comm: 0,
            wildcard: Wildcard::default(),
            cancelled: false,
        });
    }
}

/// Returns what the arguments say; nothing of what goes to MPI_PROC_NULL, or where MPI will reject it.
fn access(call: &mut ObservedCall, operation: RemoteOperation) -> Option<RemoteAccess> {
    let at = call.shape().access?;
    let window = window(call)?;
    let target = u32::try_from(call.int(at.target())).ok()?;
    if target >= window.comm.size {
        return None;
    }
    let (sent, received) = match (at.origin(), at.result(), at.datatype()) {
        (Some([count, datatype]), None, _) => {
            let bytes = call.data(count, datatype).0;
            match operation {
                RemoteOperation::Get => (0, bytes),
                _ => (bytes, 0),
            }
        }
        // To fetch alone (MPI_NO_OP) nothing need be given.
        (Some(origin), Some(result), _) => {
            let [sent, received] =
                [origin, result].map(|[count, datatype]| call.data(count, datatype).0);
            (sent, received)
        }
        (None, _, Some(datatype)) => {
            let bytes = call.type_size(datatype);
            (bytes, bytes)
        }
        _ => return None,
    };
    Some(RemoteAccess {
        window: window.id,
        target,
        operation,
        bytes: sent.max(received),
        sends: sent > 0,
        receives: received > 0,
        has_request: request_written(call).is_some(),
    })
}
