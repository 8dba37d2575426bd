//! Nonblocking collectives, and persistent ones, which are started (MPI 4.1, §6.12, §6.13).
//!
//! They have the arguments of their blocking forms, and a request behind them.
//! What they move is read when MPI has accepted the arguments: they may change
//! before the operation completes.

use mpiscope_rules::requests::{Active, Entry, Kind, Persistent};
use mpiscope_run::record::{Collective, Fact, Wildcard, UNSEEN};

use super::{begun, described};
use crate::facts::call::ObservedCall;
use crate::facts::point_to_point::{note_request, request_written};
use crate::facts::thread::Noted;

/// Before a nonblocking operation.
pub fn initiate(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some((begun, _)) = begun(call) else {
        return;
    };
    let request = call.next_request();
    call.record(Fact::CollectiveRequest {
        request,
        begun,
        persistent: None,
    });
    call.thread.scratch.signature = begun.signature;
    call.thread.scratch.noted = Noted::Request(entry(request, Kind::Opaque, begun.comm));
}

/// After it.
pub fn initiated(call: &mut ObservedCall, ok: bool) {
    let noted = call.thread.scratch.take_noted();
    if let (Noted::Request(entry), true) = (noted, ok) {
        let described = described(call, true);
        let signature = call.thread.scratch.signature;
        let ended = described.map(|ended| Collective { signature, ..ended });
        let kind = ended.map_or(Kind::Opaque, Kind::Collective);
        call.thread.scratch.noted = Noted::Request(Entry { kind, ..entry });
    }
    if let Some(at) = request_written(call) {
        note_request(call, ok, at);
    }
}

/// After the initialisation of a persistent operation. They are numbered by communicator, the
/// same on all members.
pub fn initialised(call: &mut ObservedCall, ok: bool) {
    let comm = call.shape().comm().and_then(|at| call.comm(at));
    let (Some(comm), Some(at), true) = (comm, request_written(call), ok) else {
        return;
    };
    let number = comm.next_persistent();
    let (Some((begun, _)), Some(ended)) = (begun(call), described(call, true)) else {
        return;
    };
    let signature = begun.signature;
    let ended = Collective { signature, ..ended };
    // Never freed: entries are copied with every message, and stay small.
    let persistent = Box::leak(Box::new(Persistent { number, ended }));
    let kind = Kind::PersistentCollective(persistent, Active(false));
    let handle = call.request_at(at, 0);
    call.session
        .requests
        .insert(handle, entry(0, kind, comm.id));
}

/// A persistent collective is started.
pub fn start(call: &mut ObservedCall, request: u32, operation: &Persistent) {
    call.record(Fact::CollectiveRequest {
        request,
        begun: operation.begun(),
        persistent: Some(operation.number),
    });
}

/// A nonblocking or persistent collective has completed. Of one that was
/// initiated while recording was off nothing is told.
pub fn complete(call: &mut ObservedCall, entry: Entry) {
    let ended = match entry.kind {
        Kind::Collective(ended) => ended,
        Kind::PersistentCollective(operation, _) => operation.ended,
        _ => return,
    };
    if call.thread.seen && entry.id & UNSEEN == 0 {
        call.record(Fact::CollectiveCompletes { request: entry.id });
        call.record(Fact::CollectiveEnd(ended));
    }
}

fn entry(id: u32, kind: Kind, comm: u32) -> Entry {
    Entry {
        id,
        kind,
        comm,
        wildcard: Wildcard::default(),
        cancelled: false,
    }
}
