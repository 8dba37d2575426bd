//! Probes (MPI 4.1, §3.8): blocking ones choose as receives do, others also
//! whether there is a message at all.

use mpi_abi::id;
use mpiscope_rules::replay_cursor::Poll;
use mpiscope_run::order::{Found, Taken};

use super::call::OrderedCall;
use super::envelope::{at, At, Wild};
use super::poll::{hit, miss, poll};
use super::receive::{blocking, substituted};
use super::{deterministic, diverge, post, serial_calls};

/// `MPI_Probe`.
pub fn probe(call: &mut OrderedCall) -> usize {
    blocking(call, const { at(id::MPI_PROBE) }, post::probe)
}

/// `MPI_Mprobe`.
pub fn mprobe(call: &mut OrderedCall) -> usize {
    blocking(call, const { at(id::MPI_MPROBE) }, post::probe)
}

/// `MPI_Iprobe`.
pub fn iprobe(call: &mut OrderedCall) -> usize {
    nonblocking(call, const { at(id::MPI_IPROBE) }, FLAG)
}

/// `MPI_Improbe`.
pub fn improbe(call: &mut OrderedCall) -> usize {
    nonblocking(call, const { at(id::MPI_IMPROBE) }, FLAG)
}

/// Of both.
const FLAG: usize = 3;

fn nonblocking(call: &mut OrderedCall, at: At, flag: usize) -> usize {
    let wild = call.wild(at.source, at.tag);
    // That MPI rejects it, no record tells.
    if call.comm_handle(at.comm) == call.mpi.abi.comm_null {
        return as_it_likes(call, at, wild);
    }
    if deterministic::on(call) {
        return by_rule(call, at, flag, wild);
    }
    match poll(call) {
        Poll::Miss => miss(call, flag),
        Poll::Find(Found::Message(taken)) if fits(call, at, wild, *taken) => {
            found_as_recorded(call, at, *taken)
        }
        Poll::Find(Found::Nothing) if !wild.any() => found_as_named(call),
        Poll::Find(_) => {
            diverge::at_outcome(call);
            as_it_likes(call, at, wild)
        }
        Poll::Other | Poll::Free => as_it_likes(call, at, wild),
    }
}

/// The same where the choice is made by a rule.
fn by_rule(call: &mut OrderedCall, at: At, flag: usize, wild: Wild) -> usize {
    if !wild.source {
        return deterministic::settled(
            call,
            false,
            |call| as_it_likes(call, at, wild),
            |call| call.int_at(FLAG, 0) != 0,
        );
    }
    let found = deterministic::found(call, at, wild);
    let Some(taken) = found else {
        return miss(call, flag);
    };
    let result = found_as_recorded(call, at, taken);
    if call.function == id::MPI_IMPROBE {
        let (comm, tag) = (call.comm_handle(at.comm), call.int(at.tag));
        deterministic::gone(call, comm, taken.source as i32, tag);
        let tag = taken.tag.map_or(tag, |tag| tag as i32);
        deterministic::takes(call, comm, taken.source as i32, tag);
    }
    result
}

fn fits(call: &mut OrderedCall, at: At, wild: Wild, taken: Taken) -> bool {
    let session = call.thread.session;
    let handle = call.comm_handle(at.comm);
    let size = call.thread.comms.get(call.mpi, &session.freed, handle).size;
    wild.any() && taken.tag.is_some() == wild.tag && taken.source < size
}

fn until_found(call: &mut OrderedCall) -> usize {
    let again = !serial_calls::is_active(call);
    post::poll(call, FLAG, again)
}

/// Where threads take turns, a poll does not wait.
fn is_not_there_yet(call: &OrderedCall) -> bool {
    serial_calls::is_active(call) && call.int_at(FLAG, 0) == 0
}

fn found_as_recorded(call: &mut OrderedCall, at: At, taken: Taken) -> usize {
    let result = substituted(call, at, taken, until_found);
    if is_not_there_yet(call) {
        call.thread.miss();
        return result;
    }
    let misses = hit(call);
    serial_calls::outcome(call, |encoder, writer| {
        encoder.success_message(writer, misses, taken)
    });
    result
}

fn found_as_named(call: &mut OrderedCall) -> usize {
    let result = until_found(call);
    if is_not_there_yet(call) {
        call.thread.miss();
        return result;
    }
    let misses = hit(call);
    serial_calls::outcome(call, |encoder, writer| encoder.success(writer, misses));
    result
}

fn as_it_likes(call: &mut OrderedCall, at: At, wild: Wild) -> usize {
    let passed = call.raw(at.last);
    if wild.any() {
        call.want_status(at.last);
    }
    let result = post::poll(call, FLAG, false);
    if call.ok(result) {
        match call.int_at(FLAG, 0) != 0 {
            false => call.thread.miss(),
            true => note_found(call, at, wild),
        }
    }
    call.replace(at.last, passed);
    result
}

fn note_found(call: &mut OrderedCall, at: At, wild: Wild) {
    let misses = hit(call);
    let taken = match wild.any() {
        true => call.taken(call.status(at.last, 0), wild),
        false => None,
    };
    serial_calls::outcome(call, |encoder, writer| match taken {
        Some(taken) => encoder.success_message(writer, misses, taken),
        None => encoder.success(writer, misses),
    });
}
