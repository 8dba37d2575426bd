//! Sends and receives, blocking and nonblocking (MPI 4.1, chapter 3), and calls that do both.

use mpi_abi::{Direction, Kind as ArgKind};
use mpiscope_rules::requests::{Entry, Kind, OPAQUE};
use mpiscope_run::record::{Fact, Message, Wildcard, NO_CAPACITY};

use super::call::ObservedCall;
use super::thread::Noted;
use crate::mpi::shape::Envelope;

/// Returns the message that a call sends; nothing to MPI_PROC_NULL.
pub fn sent(call: &mut ObservedCall) -> Option<Message> {
    let at = call.shape().sent?;
    let peer = call.int(at.peer());
    if peer < 0 || peer as u32 >= call.comm(call.shape().comm()?)?.size {
        return None; // what is beyond MPI will reject
    }
    message(call, &at, Wildcard::default())
}

/// Returns what a call asks for; nothing from MPI_PROC_NULL.
pub fn asked(call: &mut ObservedCall) -> Option<Message> {
    let at = call.shape().asked?;
    if call.int(at.peer()) == call.mpi.abi.proc_null {
        return None;
    }
    let wildcard = call.wildcard(at.peer(), at.tag());
    message(call, &at, wildcard)
}

/// Of a probe the size has no bound.
fn message(call: &mut ObservedCall, at: &Envelope, wildcard: Wildcard) -> Option<Message> {
    let comm = call.comm(call.shape().comm()?)?;
    let (bytes, signature) = match at.data() {
        Some([count, datatype]) => {
            let (bytes, known) = call.data(count, datatype);
            (bytes, known.first)
        }
        None => (NO_CAPACITY, 0),
    };
    Some(Message {
        peer: call.int(at.peer()) as u32,
        comm: comm.id,
        tag: call.int(at.tag()) as u32,
        bytes,
        wildcard,
        signature,
    })
}

/// Any blocking receive or probe, before its enter.
pub fn asks(call: &mut ObservedCall) {
    if let Some(message) = asked(call) {
        call.record(Fact::Posted(message));
    }
}

/// Any blocking call that sends or receives: its send happens on entry, and of what it receives
/// the status will be needed.
pub fn before(call: &mut ObservedCall) {
    if let Some(message) = sent(call) {
        call.record(Fact::Send(message));
    }
    want_status(call);
}

/// Makes sure that MPI will write the status, if there is one.
pub fn want_status(call: &mut ObservedCall) {
    if let Some(at) = call.shape().status() {
        call.want_status(at);
    }
}

/// Any blocking receive, after. One whose message was too long has taken it.
pub fn received(call: &mut ObservedCall, ok: bool) {
    let has_taken = ok || call.is_truncated();
    if let Some(mut message) = found(call, has_taken) {
        if let Some(posted) = asked(call).filter(|_| !ok) {
            message = filled(posted, message);
        }
        call.record(Fact::Recv(message, None));
    }
}

/// Returns the message of a receive that was too short for it: it fills the buffer, and the status
/// need tell no more than who sent it.
pub fn filled(posted: Message, found: Message) -> Message {
    let Wildcard { source, tag } = posted.wildcard;
    Message {
        peer: if source { found.peer } else { posted.peer },
        tag: if tag { found.tag } else { posted.tag },
        bytes: posted.bytes,
        ..found
    }
}

/// Returns the message that the status of a receive or probe describes, if that has succeeded.
pub fn found(call: &mut ObservedCall, ok: bool) -> Option<Message> {
    if !ok {
        return None;
    }
    let shape = call.shape();
    let (at, status) = (shape.asked?, shape.status()?);
    let comm = call.comm(shape.comm()?)?;
    let wildcard = call.wildcard(at.peer(), at.tag());
    call.received(call.status(status, 0), comm.id, wildcard)
}

/// MPI_Isendrecv and MPI_Isendrecv_replace, before: a send and a receive with one request.
pub fn before_isendrecv(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let shape = call.shape();
    let (Some(at), Some(comm)) = (shape.asked, shape.comm()) else {
        return;
    };
    let Some(known) = call.comm(comm) else {
        return;
    };
    let mut send = 0;
    if let Some(message) = sent(call) {
        send = call.next_request();
        call.record(Fact::Isend(message, send));
    }
    let posted = asked(call);
    let entry = Entry {
        id: call.next_request(),
        kind: Kind::SendRecv { send, posted },
        comm: known.id,
        wildcard: call.wildcard(at.peer(), at.tag()),
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
    let Some(message) = sent(call) else {
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

/// MPI_Irecv, before: a receive is posted here, whatever completes it.
pub fn before_irecv(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(posted) = asked(call) else {
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

/// Any nonblocking call that sends or receives, after: the request is known now.
pub fn posted(call: &mut ObservedCall, ok: bool) {
    if let Some(at) = call.shape().request() {
        note_request(call, ok, at);
    }
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
