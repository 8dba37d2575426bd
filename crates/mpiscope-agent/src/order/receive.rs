//! Receives (MPI 4.1, §3.2.4 and §3.7.2): from anybody, or with any tag.
//!
//! Recording, a blocking one leaves what its status says, a nonblocking one is
//! entered among the requests. In replay, what was taken is put in place of
//! the wildcards when the receive is posted.

use mpi_abi::{id, LibraryVersion};
use mpiscope_run::order::{Taken, Undetermined};

use super::call::OrderedCall;
use super::envelope::{at, At, Wild};
use super::requests::{Entry, Fate};
use super::serial_calls::{self, Next};
use super::{debugged, deterministic, diverge, hash, messages, nondeterminism, post, wait};
use crate::mpi::call::Lang;

const RECV: At = at(id::MPI_RECV);
const SENDRECV: At = at(id::MPI_SENDRECV);
const SENDRECV_REPLACE: At = at(id::MPI_SENDRECV_REPLACE);

/// `MPI_Recv`.
pub fn recv(call: &mut OrderedCall) -> usize {
    blocking(call, RECV, post::receive)
}

/// `MPI_Sendrecv`.
pub fn sendrecv(call: &mut OrderedCall) -> usize {
    blocking(call, SENDRECV, post::sendrecv)
}

/// `MPI_Sendrecv_replace`.
pub fn sendrecv_replace(call: &mut OrderedCall) -> usize {
    blocking(call, SENDRECV_REPLACE, post::sendrecv_replace)
}

/// Makes a blocking receive or probe by `go`.
#[inline]
pub fn blocking(call: &mut OrderedCall, at: At, go: fn(&mut OrderedCall) -> usize) -> usize {
    let passed = call.want_status(at.last);
    let result = chosen(call, at, go);
    messages::told_in(call, result, at.last);
    call.replace(at.last, passed);
    result
}

fn chosen(call: &mut OrderedCall, at: At, go: fn(&mut OrderedCall) -> usize) -> usize {
    let wild = call.wild(at.source, at.tag);
    if !wild.any() {
        return go(call);
    }
    let ordinal = serial_calls::post(call);
    if let Some(taken) = led(call, at, wild, ordinal) {
        return as_recorded(call, at, taken, go);
    }
    let thread = call.thread.number;
    let entry = Entry {
        thread,
        ordinal,
        wild,
    };
    let (result, taken) = wait::in_flight(call, at.last, entry, go);
    note(call, ordinal, taken);
    result
}

/// Returns what the record says that this receive took, if it leads.
#[inline]
pub fn led(call: &mut OrderedCall, at: At, wild: Wild, ordinal: u64) -> Option<Taken> {
    if deterministic::on(call) {
        // One that is combined with a send chooses when that is posted.
        let combined = at.source > RECV.source;
        return if combined {
            None
        } else {
            deterministic::source(call, at, wild)
        };
    }
    if let Some(taken) = debugged::choice(call, at, wild) {
        return Some(taken);
    }
    let cursor = call.thread.cursor.as_ref()?;
    let (taken, ends) = match serial_calls::next_receive(call, ordinal) {
        Next::Own => (cursor.receive(ordinal), cursor.ends_before(ordinal)),
        Next::This(taken) => (taken, false),
        Next::Nothing => (None, true),
    };
    let Some(taken) = taken else {
        if ends {
            let calls = call.thread.hot.hash.calls();
            call.thread.session.report.note_free(calls);
        }
        return None;
    };
    agrees(call, at, wild, taken).then_some(taken)
}

/// Whether what was recorded can have been this receive; if not, that is a divergence.
fn agrees(call: &mut OrderedCall, at: At, wild: Wild, taken: Taken) -> bool {
    let session = call.thread.session;
    let handle = call.comm_handle(at.comm);
    let size = call.thread.comms.get(call.mpi, &session.freed, handle).size;
    let fits = taken.tag.is_some() == wild.tag && taken.source < size;
    let named = wild.source || call.int(at.source) == taken.source as i32;
    if !fits || !named {
        diverge::at_receive(call, taken, size);
    }
    fits && named
}

/// Makes the call with source and tag put in.
fn as_recorded(
    call: &mut OrderedCall,
    at: At,
    taken: Taken,
    go: fn(&mut OrderedCall) -> usize,
) -> usize {
    let ordinal = call.thread.posts - 1;
    let result = substituted(call, at, taken, go);
    call.thread
        .out
        .put(|encoder, writer| encoder.receive(writer, ordinal, taken));
    result
}

/// Makes a call with source and tag put in; the arguments are then as before.
pub fn substituted(
    call: &mut OrderedCall,
    at: At,
    taken: Taken,
    go: fn(&mut OrderedCall) -> usize,
) -> usize {
    let passed = (call.raw(at.source), call.raw(at.tag));
    let source = taken.source as i32;
    let tag = taken.tag.map_or(0, |tag| tag as i32);
    match call.lang {
        Lang::C => {
            call.replace(at.source, source as u32 as usize);
            if taken.tag.is_some() {
                call.replace(at.tag, tag as u32 as usize);
            }
        }
        Lang::Fortran => {
            call.replace(at.source, &raw const source as usize);
            if taken.tag.is_some() {
                call.replace(at.tag, &raw const tag as usize);
            }
        }
    }
    if let Some(k) = hash::source_of(call.function) {
        call.thread.shared.place.about(k, taken.source);
    }
    let result = go(call);
    call.replace(at.source, passed.0);
    call.replace(at.tag, passed.1);
    result
}

/// Writes what a wildcard receive of this thread took.
#[inline]
pub fn note(call: &mut OrderedCall, ordinal: u64, taken: Option<Taken>) {
    if let Some(taken) = taken {
        call.thread.out.received(ordinal, taken);
    }
}

/// `MPI_Irecv`.
pub fn irecv(call: &mut OrderedCall) -> usize {
    nonblocking(call, RECV)
}

/// `MPI_Isendrecv`.
pub fn isendrecv(call: &mut OrderedCall) -> usize {
    combined(call, SENDRECV)
}

/// `MPI_Isendrecv_replace`.
pub fn isendrecv_replace(call: &mut OrderedCall) -> usize {
    combined(call, SENDRECV_REPLACE)
}

/// Posts a send and a receive with one request. MPICH 4.0 does not say in its
/// status what was received, so what a wildcard took cannot be recorded there.
fn combined(call: &mut OrderedCall, at: At) -> usize {
    let wild = call.wild(at.source, at.tag);
    if !wild.any() {
        return nonblocking(call, at);
    }
    let library = LibraryVersion::parse(call.mpi.library_version());
    if library.name != "MPICH" || !library.version.starts_with("4.0") {
        return nonblocking(call, at);
    }
    nondeterminism::note(call, Undetermined::OtherRequest);
    deterministic::leave_to_mpi(call);
    serial_calls::post(call);
    call.thread.nonblocking += 1;
    post::nonblocking(call)
}

fn nonblocking(call: &mut OrderedCall, at: At) -> usize {
    let number = call.thread.nonblocking;
    call.thread.nonblocking += 1;
    let fate = call.thread.fate(number);
    if fate == Fate::Cancelled && at.last == RECV.last {
        return never(call, at, number);
    }
    let wild = call.wild(at.source, at.tag);
    if deterministic::on(call) {
        return nonblocking_by_rule(call, at, wild);
    }
    let mut open = None;
    let result = if wild.any() {
        let ordinal = serial_calls::post(call);
        match led(call, at, wild, ordinal) {
            Some(taken) => as_recorded(call, at, taken, post::nonblocking),
            None => {
                open = Some(Entry {
                    thread: call.thread.number,
                    ordinal,
                    wild,
                });
                post::nonblocking(call)
            }
        }
    } else {
        post::nonblocking(call)
    };
    if call.ok(result) {
        let handle = call.request_at(at.last, 0);
        if let Some(entry) = open {
            call.thread.session.requests.insert(handle, entry);
        }
        call.thread.recent.put(handle, number, fate);
    }
    result
}

/// The same where the choice is made by a rule.
fn nonblocking_by_rule(call: &mut OrderedCall, at: At, wild: Wild) -> usize {
    let (comm, tag) = (call.comm_handle(at.comm), call.int(at.tag));
    let is_plain = at.last == RECV.last;
    if wild.source && is_plain {
        let ordinal = call.thread.posts;
        call.thread.posts += 1;
        if let Some(code) = deterministic::defer(call, at, wild, ordinal) {
            return code;
        }
        call.thread.posts = ordinal;
    }
    deterministic::forget(call, comm, tag);
    match wild.source {
        true => deterministic::leave_to_mpi(call),
        false => deterministic::took(call, &at),
    }
    let ordinal = call.thread.posts;
    call.thread.posts += u64::from(wild.any());
    let message = match deterministic::by_time(call) && !wild.any() {
        true => deterministic::completions::takes(comm, call.int(at.source), tag),
        false => None,
    };
    let result = call.go();
    if call.ok(result) && is_plain {
        let handle = call.request_at(at.last, 0);
        deterministic::completions::posted(call, handle, message);
    }
    if call.ok(result) && wild.any() {
        let handle = call.request_at(at.last, 0);
        let thread = call.thread.number;
        call.thread.session.requests.insert(
            handle,
            Entry {
                thread,
                ordinal,
                wild,
            },
        );
    }
    result
}

/// A receive that was cancelled in the recorded run: it is posted where nobody
/// sends, so that no message can come before the cancel.
fn never(call: &mut OrderedCall, at: At, number: u64) -> usize {
    if call.wild(at.source, at.tag).any() {
        let ordinal = serial_calls::post(call);
        // What it took, which is nothing, is taken off the record.
        let _ = serial_calls::next_receive(call, ordinal);
    }
    let passed = call.raw(at.comm);
    let never = call.thread.session.never;
    let fortran = call.thread.session.never_in_fortran();
    match call.lang {
        Lang::C => call.replace(at.comm, never),
        Lang::Fortran => call.replace(at.comm, &raw const fortran as usize),
    }
    let own = call.thread.session.rank as i32;
    let source = Taken {
        source: own as u32,
        tag: None,
    };
    let result = substituted(call, at, source, post::nonblocking);
    call.replace(at.comm, passed);
    if call.ok(result) {
        let handle = call.request_at(at.last, 0);
        call.thread.recent.put(handle, number, Fate::Cancelled);
    }
    result
}
