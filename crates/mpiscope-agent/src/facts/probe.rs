//! Probes, and receives of messages that a matched probe took (MPI 4.1, §3.8).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mpi_abi::id;
use mpiscope_rules::requests::{Entry, Kind};
use mpiscope_run::record::{is_left_out, Fact, Message, Wildcard, LEFT_OUT};

use super::call::ObservedCall;
use super::point_to_point::{self, note_request};
use super::thread::Noted;
use crate::mpi::shape::completion::{named, status};

/// A message that a matched probe has taken and nobody received yet.
#[derive(Clone, Copy, Debug)]
pub struct Matched {
    id: u32,
    message: Message,
}

/// The matched messages not yet received, by handle.
#[derive(Default)]
pub struct Messages(Mutex<HashMap<usize, Matched>>);

impl Messages {
    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Matched>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// MPI_Probe and MPI_Iprobe, after.
pub fn probe(call: &mut ObservedCall, ok: bool) {
    if ok && has_found(call) {
        found(call, 0);
    }
}

/// Returns whether a probe that may find nothing has found something.
fn has_found(call: &ObservedCall) -> bool {
    let flag = call.shape().flag();
    flag.is_none_or(|at| call.int_at(at, 0) != 0)
}

/// MPI_Mrecv, before its enter.
pub fn asks_mrecv(call: &mut ObservedCall) {
    let handle = call.message_at(MESSAGE);
    let taken = call.session.messages.lock().get(&handle).copied();
    if let Some(taken) = taken {
        ask_taken(call, &taken);
    }
}

/// Tells what a receive of a message asks for that a probe has taken.
fn ask_taken(call: &mut ObservedCall, taken: &Matched) {
    let (bytes, datatype) = call.data(1, 2);
    call.record(Fact::Posted(Message {
        bytes,
        wildcard: Wildcard::default(),
        signature: datatype.first,
        ..taken.message
    }));
}

/// MPI_Mprobe and MPI_Improbe, after.
pub fn mprobe(call: &mut ObservedCall, ok: bool) {
    let Some(at) = call.shape().message() else {
        return;
    };
    if !ok || !has_found(call) {
        return;
    }
    let id = call.next_request();
    if let Some(message) = found(call, id) {
        let handle = call.message_at(at);
        let taken = Matched { id, message };
        call.session.messages.lock().insert(handle, taken);
    }
}

/// Records a successful probe; returns its message unless it found MPI_PROC_NULL.
fn found(call: &mut ObservedCall, id: u32) -> Option<Message> {
    let message = point_to_point::found(call, true)?;
    call.record(Fact::Probe(message, id));
    Some(message)
}

/// Where a blocking receive of a matched message has its status.
const STATUS: usize = status(id::MPI_MRECV);
/// Where that and a nonblocking one have the message.
const MESSAGE: usize = named(id::MPI_MRECV, "message");

/// MPI_Mrecv, before.
pub fn before_mrecv(call: &mut ObservedCall) {
    call.want_status(STATUS);
    take_message(call);
}

fn take_message(call: &mut ObservedCall) {
    let handle = call.message_at(3);
    let taken = call.session.messages.lock().remove(&handle);
    call.thread.scratch.noted = taken.map_or(Noted::Nothing, Noted::Message);
}

/// MPI_Mrecv, after.
pub fn mrecv(call: &mut ObservedCall, ok: bool) {
    let has_taken = ok || call.is_truncated();
    let (Noted::Message(taken), true) = (call.thread.scratch.take_noted(), has_taken) else {
        return;
    };
    let Message { comm, wildcard, .. } = taken.message;
    if let Some(mut message) = call.received(call.status(STATUS, 0), comm, wildcard) {
        if !ok {
            (message.bytes, _) = call.data(1, 2);
        }
        call.record(Fact::Recv(message, Some(taken.id)));
    }
}

/// MPI_Imrecv, before.
pub fn before_imrecv(call: &mut ObservedCall) {
    take_message(call);
    let Noted::Message(taken) = call.thread.scratch.take_noted() else {
        return;
    };
    let own = match is_left_out(taken.id) {
        true => LEFT_OUT,
        false => 0,
    };
    let entry = Entry {
        id: call.next_request() | own,
        kind: Kind::Recv(taken.message),
        comm: taken.message.comm,
        wildcard: taken.message.wildcard,
        cancelled: false,
    };
    ask_taken(call, &taken);
    call.record(Fact::IrecvRequest {
        request: entry.id,
        message: Some(taken.id),
        posted: None,
    });
    call.thread.scratch.noted = Noted::Request(entry);
}

/// MPI_Imrecv, after.
pub fn imrecv(call: &mut ObservedCall, ok: bool) {
    note_request(call, ok, 4);
}
