//! Sends and receives, blocking and nonblocking (MPI 4.1, chapter 3).
//!
//! All sends share one argument order, and so do all receives:
//! `(buf, count, datatype, peer, tag, comm, request or status)`.

use mpi_abi::{Direction, Kind as ArgKind};
use mpiscope_run::record::{Fact, Message, Wildcard};

use super::call::ObservedCall;
use super::thread::Noted;
use mpiscope_rules::requests::{Entry, Kind, OPAQUE};

const COUNT: usize = 1;
const DATATYPE: usize = 2;
const PEER: usize = 3;
const TAG: usize = 4;
const COMM: usize = 5;
/// The request of a nonblocking call, the status of a receive.
const LAST: usize = 6;

/// The positions of a send within an argument list.
struct SendArgs {
    count: usize,
    datatype: usize,
    peer: usize,
    tag: usize,
    comm: usize,
}

const SEND: SendArgs = SendArgs {
    count: COUNT,
    datatype: DATATYPE,
    peer: PEER,
    tag: TAG,
    comm: COMM,
};

/// Returns the message that a send's arguments describe; nothing to MPI_PROC_NULL.
fn sent(call: &mut ObservedCall, at: &SendArgs) -> Option<Message> {
    let peer = call.int(at.peer);
    if peer < 0 {
        return None;
    }
    let comm = call.comm(at.comm)?;
    if peer as u32 >= comm.size {
        return None; // MPI will reject it
    }
    let (bytes, datatype) = call.data(at.count, at.datatype);
    Some(Message {
        peer: peer as u32,
        comm: comm.id,
        tag: call.int(at.tag) as u32,
        bytes,
        wildcard: Wildcard::default(),
        signature: datatype.first,
    })
}

/// The positions of a receive within an argument list.
struct RecvArgs {
    count: usize,
    datatype: usize,
    source: usize,
    tag: usize,
    comm: usize,
}

const RECV: RecvArgs = RecvArgs {
    count: COUNT,
    datatype: DATATYPE,
    source: PEER,
    tag: TAG,
    comm: COMM,
};

/// Returns what a receive's arguments ask for; nothing from MPI_PROC_NULL.
fn asked(call: &mut ObservedCall, at: &RecvArgs) -> Option<Message> {
    if call.int(at.source) == call.mpi.abi.proc_null {
        return None;
    }
    let comm = call.comm(at.comm)?;
    let (bytes, datatype) = call.data(at.count, at.datatype);
    Some(Message {
        peer: call.int(at.source) as u32,
        comm: comm.id,
        tag: call.int(at.tag) as u32,
        bytes,
        wildcard: call.wildcard(at.source, at.tag),
        signature: datatype.first,
    })
}

fn ask(call: &mut ObservedCall, at: &RecvArgs) {
    if let Some(message) = asked(call, at) {
        call.record(Fact::Posted(message));
    }
}

/// MPI_Recv, before its enter.
pub fn asks_recv(call: &mut ObservedCall) {
    ask(call, &RECV);
}

const SENDRECV: RecvArgs = RecvArgs {
    count: 6,
    datatype: 7,
    source: 8,
    tag: 9,
    comm: 10,
};

/// MPI_Sendrecv, before its enter.
pub fn asks_sendrecv(call: &mut ObservedCall) {
    ask(call, &SENDRECV);
}

const SENDRECV_REPLACE: RecvArgs = RecvArgs {
    source: 5,
    tag: 6,
    comm: 7,
    ..RECV
};

/// MPI_Sendrecv_replace, before its enter.
pub fn asks_sendrecv_replace(call: &mut ObservedCall) {
    ask(call, &SENDRECV_REPLACE);
}

/// MPI_Send and its modes.
pub fn send(call: &mut ObservedCall) {
    if let Some(message) = sent(call, &SEND) {
        call.record(Fact::Send(message));
    }
}

/// MPI_Recv, before: a status will be needed.
pub fn before_recv(call: &mut ObservedCall) {
    call.want_status(LAST);
}

/// MPI_Recv, after.
pub fn recv(call: &mut ObservedCall, ok: bool) {
    if ok {
        received(call, PEER, TAG, COMM, LAST);
    }
}

fn received(call: &mut ObservedCall, source: usize, tag: usize, comm: usize, status: usize) {
    let Some(comm) = call.comm(comm) else { return };
    let wildcard = call.wildcard(source, tag);
    if let Some(message) = call.received(call.status(status, 0), comm.id, wildcard) {
        call.record(Fact::Recv(message, None));
    }
}

/// MPI_Sendrecv, before: its send happens on entry.
pub fn before_sendrecv(call: &mut ObservedCall) {
    if let Some(message) = sent(call, &SendArgs { comm: 10, ..SEND }) {
        call.record(Fact::Send(message));
    }
    call.want_status(11);
}

/// MPI_Sendrecv, after: its receive happens on exit.
pub fn sendrecv(call: &mut ObservedCall, ok: bool) {
    if ok {
        received(call, 8, 9, 10, 11);
    }
}

/// MPI_Sendrecv_replace, before.
pub fn before_sendrecv_replace(call: &mut ObservedCall) {
    if let Some(message) = sent(call, &SendArgs { comm: 7, ..SEND }) {
        call.record(Fact::Send(message));
    }
    call.want_status(8);
}

/// MPI_Sendrecv_replace, after.
pub fn sendrecv_replace(call: &mut ObservedCall, ok: bool) {
    if ok {
        received(call, 5, 6, 7, 8);
    }
}

/// MPI_Isendrecv, before: a send and a receive with one request.
pub fn before_isendrecv(call: &mut ObservedCall) {
    begin_both(call, &SENDRECV);
}

/// MPI_Isendrecv, after.
pub fn isendrecv(call: &mut ObservedCall, ok: bool) {
    note_request(call, ok, 11);
}

/// MPI_Isendrecv_replace, before.
pub fn before_isendrecv_replace(call: &mut ObservedCall) {
    begin_both(call, &SENDRECV_REPLACE);
}

/// MPI_Isendrecv_replace, after.
pub fn isendrecv_replace(call: &mut ObservedCall, ok: bool) {
    note_request(call, ok, 8);
}

/// The positions are those of the receive.
fn begin_both(call: &mut ObservedCall, at: &RecvArgs) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(known) = call.comm(at.comm) else {
        return;
    };
    let mut send = 0;
    let send_args = SendArgs {
        comm: at.comm,
        ..SEND
    };
    if let Some(message) = sent(call, &send_args) {
        send = call.next_request();
        call.record(Fact::Isend(message, send));
    }
    let posted = asked(call, at);
    let entry = Entry {
        id: call.next_request(),
        kind: Kind::SendRecv { send, posted },
        comm: known.id,
        wildcard: call.wildcard(at.source, at.tag),
        cancelled: false,
    };
    if posted.is_some() {
        call.record(Fact::IrecvRequest {
            request: entry.id,
            message: None,
            posted,
        });
    }
    call.thread.scratch.noted = Noted::Request(entry);
}

/// MPI_Isend and its modes, before: the message leaves at the post.
pub fn before_isend(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(message) = sent(call, &SEND) else {
        return;
    };
    let entry = Entry {
        id: call.next_request(),
        kind: Kind::Send,
        comm: message.comm,
        wildcard: Wildcard::default(),
        cancelled: false,
    };
    call.record(Fact::Isend(message, entry.id));
    call.thread.scratch.noted = Noted::Request(entry);
}

/// MPI_Isend and its modes, after: the request is known now.
pub fn isend(call: &mut ObservedCall, ok: bool) {
    note_request(call, ok, LAST);
}

/// MPI_Irecv, before: a receive is posted here, whatever completes it.
pub fn before_irecv(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(posted) = asked(call, &RECV) else {
        return;
    };
    let entry = Entry {
        id: call.next_request(),
        kind: Kind::Recv(posted),
        comm: posted.comm,
        wildcard: posted.wildcard,
        cancelled: false,
    };
    call.record(Fact::IrecvRequest {
        request: entry.id,
        message: None,
        posted: Some(posted),
    });
    call.thread.scratch.noted = Noted::Request(entry);
}

/// MPI_Irecv, after.
pub fn irecv(call: &mut ObservedCall, ok: bool) {
    note_request(call, ok, LAST);
}

/// Enters the request that the call wrote at argument `at`, as noted before it.
pub fn note_request(call: &mut ObservedCall, ok: bool, at: usize) {
    let noted = call.thread.scratch.take_noted();
    if !ok {
        return;
    }
    let entry = match noted {
        Noted::Request(entry) => entry,
        _ => OPAQUE,
    };
    let handle = call.request_at(at, 0);
    if handle != call.mpi.abi.request_null {
        call.session.requests.insert(handle, entry);
    }
}

/// Any other nonblocking operation: its request is known, and stands for nothing.
pub fn opaque(call: &mut ObservedCall, ok: bool) {
    call.thread.scratch.noted = Noted::Nothing;
    if let Some(at) = request_written(call) {
        note_request(call, ok, at);
    }
}

/// Returns which argument is the request that the call makes.
pub fn request_written(call: &ObservedCall) -> Option<usize> {
    let mut args = call.function.function().args.iter();
    args.position(|arg| arg.kind == ArgKind::Request && arg.direction == Direction::Out)
}
