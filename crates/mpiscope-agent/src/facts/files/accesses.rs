//! Data moved between memory and files (MPI 4.1, §14.4): within a call, until a request completes,
//! or until another call ends what one began.
//!
//! How many bytes were moved the status tells. One that the program does not want is put in its
//! place, and filled before with what no operation leaves there: an MPI that leaves it alone is
//! not believed, nor one that says more than was asked for.

use mpiscope_rules::requests::{Entry, Kind};
use mpiscope_run::record::{FileAccess, FileFact, FileOperation, Wildcard};

use super::table::{Begun, OpenFile};
use super::{file, tell};
use crate::facts::call::ObservedCall;
use crate::facts::point_to_point::{note_request, request_written};
use crate::facts::thread::Noted;
use crate::mpi::files::access;

/// Any that is over within the call, before.
pub fn before(call: &mut ObservedCall) {
    begin(call, false);
    want_status(call);
}

/// The same, after.
pub fn after(call: &mut ObservedCall, ok: bool) {
    if let Noted::Access(begun) = call.thread.scratch.take_noted() {
        let bytes = moved(call, ok, begun.bytes);
        tell(call, begun.complete(bytes));
    }
}

/// Any with a request, before.
pub fn initiate(call: &mut ObservedCall) {
    begin(call, true);
}

/// The same, after. The request of one on a file that is not known stands for nothing.
pub fn initiated(call: &mut ObservedCall, ok: bool) {
    let noted = call.thread.scratch.take_noted();
    let at = request_written(call);
    if let Noted::Access(begun) = noted {
        issued(call, begun, ok);
        call.thread.scratch.noted = Noted::Request(Entry {
            id: begun.id,
            kind: Kind::FileAccess {
                file: begun.file,
                operation: begun.operation,
                bytes: begun.bytes,
            },
            comm: 0,
            wildcard: Wildcard::default(),
            cancelled: false,
        });
    }
    if let Some(at) = at {
        note_request(call, ok, at);
    }
}

/// Any that another call ends, before.
pub fn split(call: &mut ObservedCall) {
    begin(call, true);
}

/// The same, after.
pub fn was_split(call: &mut ObservedCall, ok: bool) {
    if let Noted::Access(begun) = call.thread.scratch.take_noted() {
        issued(call, begun, ok);
        if ok {
            (call.session.files).with(|known| known.begun.insert(begun.file, begun));
        }
    }
}

/// A call that ends what another began, before.
pub fn before_end(call: &mut ObservedCall) {
    want_status(call);
}

/// The same, after.
pub fn ended(call: &mut ObservedCall, ok: bool) {
    let Some(OpenFile { id }) = file(call) else {
        return;
    };
    let begun = (call.session.files).with(|known| known.begun.remove(&id));
    if let Some(begun) = begun {
        let bytes = moved(call, ok, begun.bytes);
        tell(call, begun.complete(bytes));
    }
}

/// MPI_File_sync, before.
pub fn before_sync(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(OpenFile { id }) = file(call) else {
        return;
    };
    start(
        call,
        FileAccess {
            file: id,
            operation: FileOperation::Flush,
            is_collective: true,
            is_nonblocking: false,
            bytes: 0,
        },
    );
}

/// MPI_File_sync, after.
pub fn synced(call: &mut ObservedCall, ok: bool) {
    if let Noted::Access(begun) = call.thread.scratch.take_noted() {
        let bytes = ok.then_some(0);
        tell(call, begun.complete(bytes));
    }
}

/// A request of a file has completed; its status is filled.
pub fn complete(call: &mut ObservedCall, begun: Begun, status: *const u8) {
    let bytes = bytes_of(call, status, begun.bytes);
    tell(call, begun.complete(bytes));
}

fn begin(call: &mut ObservedCall, is_nonblocking: bool) {
    call.thread.scratch.noted = Noted::Nothing;
    let (Some(access), Some(OpenFile { id })) = (access(call.function), file(call)) else {
        return;
    };
    let Some([count, datatype]) = call.shape().brought() else {
        return;
    };
    let bytes = call.data(count, datatype).0;
    start(
        call,
        FileAccess {
            file: id,
            operation: access.operation,
            is_collective: access.is_collective,
            is_nonblocking,
            bytes,
        },
    );
}

fn start(call: &mut ObservedCall, access: FileAccess) {
    let id = call.next_request();
    tell(call, FileFact::Access(access, id));
    call.thread.scratch.noted = Noted::Access(Begun {
        file: access.file,
        id,
        operation: access.operation,
        bytes: access.bytes,
    });
}

/// A call that failed has ended what it began; nobody says how far that came.
fn issued(call: &mut ObservedCall, begun: Begun, ok: bool) {
    tell(
        call,
        match ok {
            true => FileFact::Issued(begun.file, begun.id),
            false => begun.complete(None),
        },
    );
}

fn want_status(call: &mut ObservedCall) {
    if let Some(at) = call.shape().status() {
        call.thread.scratch.status.fill(u64::MAX);
        call.want_status(at);
    }
}

/// Returns how many bytes a call has moved that is over, of those asked for.
fn moved(call: &ObservedCall, ok: bool, asked: u64) -> Option<u64> {
    let at = call.shape().status().filter(|_| ok)?;
    bytes_of(call, call.status(at, 0), asked)
}

fn bytes_of(call: &ObservedCall, status: *const u8, asked: u64) -> Option<u64> {
    // SAFETY: the memory of a status, which MPI has filled or we have.
    let bytes = unsafe { call.mpi.status_bytes(status) };
    bytes.ok().filter(|&bytes| bytes <= asked)
}
