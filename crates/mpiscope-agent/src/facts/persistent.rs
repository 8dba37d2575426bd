//! Persistent requests: made once, started often (MPI 4.1, §3.9).

use mpi_abi::id;
use mpiscope_rules::requests::{Active, Entry, Kind};
use mpiscope_run::record::{Fact, Message, Wildcard, IN_PARTS};

use super::call::ObservedCall;
use super::collective;
use super::point_to_point::{asked, sent};
use crate::mpi::shape::completion::{named, request, requests, Requests};

/// MPI_Send_init and its modes.
pub fn send_init(call: &mut ObservedCall, ok: bool) {
    if let Some(message) = ok.then(|| sent(call)).flatten() {
        enter(call, Kind::PersistentSend(message, Active(false)), &message);
    }
}

/// MPI_Recv_init.
pub fn recv_init(call: &mut ObservedCall, ok: bool) {
    if let Some(message) = ok.then(|| asked(call)).flatten() {
        enter(call, Kind::PersistentRecv(message, Active(false)), &message);
    }
}

/// MPI_Psend_init: each start sends one message, which is made ready in parts.
pub fn psend_init(call: &mut ObservedCall, ok: bool) {
    if let Some(message) = ok.then(|| sent(call)).flatten() {
        let whole = whole(call, message);
        enter(call, Kind::PersistentSend(whole, Active(false)), &whole);
    }
}

/// MPI_Precv_init.
pub fn precv_init(call: &mut ObservedCall, ok: bool) {
    if let Some(message) = ok.then(|| asked(call)).flatten() {
        let whole = whole(call, message);
        enter(call, Kind::PersistentRecv(whole, Active(false)), &whole);
    }
}

/// Returns the message of which a part was told: so often as long, on a channel of its own.
fn whole(call: &ObservedCall, part: Message) -> Message {
    const PARTS: usize = named(id::MPI_PSEND_INIT, "partitions");
    Message {
        bytes: part.bytes.saturating_mul(call.count(PARTS)),
        tag: part.tag | IN_PARTS,
        ..part
    }
}

fn enter(call: &mut ObservedCall, kind: Kind, message: &Message) {
    let entry = Entry {
        id: 0,
        kind,
        comm: message.comm,
        wildcard: message.wildcard,
        cancelled: false,
    };
    if let Some(at) = call.shape().request() {
        let handle = call.request_at(at, 0);
        call.session.requests.insert(handle, entry);
    }
}

/// MPI_Start: the operation is posted on entry.
pub fn start(call: &mut ObservedCall) {
    start_one(call, call.request_at(const { request(id::MPI_START) }, 0));
}

/// MPI_Startall.
pub fn startall(call: &mut ObservedCall) {
    const ALL: Requests = requests(id::MPI_STARTALL);
    for k in 0..call.int(ALL.count).max(0) as usize {
        start_one(call, call.request_at(ALL.handles, k));
    }
}

fn start_one(call: &mut ObservedCall, handle: usize) {
    let id = call.next_request();
    let started = call.session.requests.change(handle, |entry| {
        entry.id = id;
        entry.cancelled = false;
        if let Some(active) = entry.kind.active() {
            *active = Active(true);
        }
    });
    match started.map(|entry| entry.kind) {
        Some(Kind::PersistentSend(message, _)) => call.record(Fact::Isend(message, id)),
        Some(Kind::PersistentRecv(posted, _)) => call.record(Fact::IrecvRequest {
            request: id,
            message: None,
            posted: Some(posted),
        }),
        Some(Kind::PersistentCollective(operation, _)) => collective::start(call, id, operation),
        _ => {}
    }
}

/// MPI_Request_free: nobody will see this request complete, but
/// its message counts: it must be matched before the next one of its channel is.
pub fn request_free(call: &mut ObservedCall) {
    let handle = call.request_at(const { request(id::MPI_REQUEST_FREE) }, 0);
    let Some(entry) = call.session.requests.free(handle) else {
        return;
    };
    match entry.kind {
        Kind::Send | Kind::PersistentSend(_, Active(true)) => freed_send(call, entry.id),
        Kind::Recv(posted) | Kind::PersistentRecv(posted, Active(true)) => {
            freed_receive(call, entry.id, posted);
        }
        Kind::SendRecv { send, posted } => {
            freed_send(call, send);
            if let Some(posted) = posted {
                freed_receive(call, entry.id, posted);
            }
        }
        Kind::Opaque
        | Kind::RemoteAccess
        | Kind::FileAccess { .. }
        | Kind::PersistentSend(..)
        | Kind::PersistentRecv(..)
        | Kind::Collective(_)
        | Kind::PersistentCollective(..) => {}
    }
}

/// A send that was recorded has no end in the trace; one that was not is counted now.
fn freed_send(call: &mut ObservedCall, request: u32) {
    if !call.thread.seen {
        call.record(Fact::IsendComplete { request });
    }
}

fn freed_receive(call: &mut ObservedCall, request: u32, posted: Message) {
    call.record(match posted.wildcard == Wildcard::default() {
        true => Fact::UnseenIrecv(posted, request),
        false => Fact::UnknownReceive(posted, request),
    });
}
