//! Communicators made and freed.

use mpi_abi::{id, Direction, Kind};
use mpiscope_run::naming::{Known, Origin};

use super::collective::{collective, Flow, Form};
use super::online::with;
use crate::mpi::call::{text, Lang};
use crate::order::call::OrderedCall;
use crate::order::call::Row;

/// A communicator is made out of another, for which all its members wait.
const OF_ALL_MEMBERS: Form = Form {
    flow: Flow::Everybody,
    gives: |_| true,
    gets: |_| true,
};

/// A call that all members of its first argument make.
pub fn of_all(call: &mut OrderedCall, row: Row) -> usize {
    let parent = place(call);
    let result = collective(call, row, &OF_ALL_MEMBERS);
    follow(call, result, parent)
}

/// A call that only the members of the new communicator make.
pub fn of_some(call: &mut OrderedCall, row: Row) -> usize {
    let parent = place(call);
    let result = row(call);
    follow(call, result, parent)
}

/// `MPI_Comm_idup` and its kin, which MPI completes later.
pub fn duplicate(call: &mut OrderedCall, row: Row) -> usize {
    let parent = place(call);
    let result = row(call);
    if let (true, Some(parent), Some(new)) = (call.ok(result), parent, written(call)) {
        let handle = handle_at(call, new);
        with(|online| online.comms.follow_duplicate(handle, parent));
    }
    result
}

/// Returns the place of the communicator that the call makes another of.
fn place(call: &OrderedCall) -> Option<usize> {
    let first = call.function.function().args.first()?;
    if first.kind != Kind::Comm {
        return None;
    }
    let handle = call.comm_handle(0);
    with(|online| online.comms.place(handle)).flatten()
}

fn follow(call: &mut OrderedCall, result: usize, parent: Option<usize>) -> usize {
    let (true, Some(new)) = (call.ok(result), written(call)) else {
        return result;
    };
    let handle = handle_at(call, new);
    let words = (call.function == id::MPI_COMM_CREATE_FROM_GROUP)
        .then(|| text(call.lang, call.function, call.args, 1));
    with(|online| {
        let parent = parent.and_then(|at| online.comms.known(at));
        let origin = origin(call, parent, words.as_deref());
        online.comms.follow(online.mpi, handle, origin?);
        Some(())
    });
    result
}

/// Returns what a communicator just made was made from; nothing if that is not followed.
fn origin<'a>(
    call: &OrderedCall,
    parent: Option<Known>,
    words: Option<&'a str>,
) -> Option<Origin<'a>> {
    if let Some(words) = words {
        return Some(Origin::Words(words));
    }
    let parent = parent?;
    Some(match call.function {
        id::MPI_COMM_CREATE_GROUP => Origin::Group(parent, call.int(2)),
        id::MPI_INTERCOMM_CREATE => Origin::Sides {
            local: parent,
            leader: None,
            threads: false,
        },
        _ => Origin::Collective(parent),
    })
}

/// Returns where the call writes a communicator.
fn written(call: &OrderedCall) -> Option<usize> {
    let is = |arg: &mpi_abi::Arg| arg.kind == Kind::Comm && arg.direction == Direction::Out;
    call.function.function().args.iter().position(is)
}

/// Returns the communicator whose address is passed.
fn handle_at(call: &OrderedCall, i: usize) -> usize {
    match call.lang {
        Lang::C => call.request_at(i, 0),
        // SAFETY: MPI is up while calls are observed.
        Lang::Fortran => unsafe { call.mpi.fortran.comm(call.int_at(i, 0)) },
    }
}

/// `MPI_Comm_free` and `MPI_Comm_disconnect` `(comm)`.
pub fn free(call: &mut OrderedCall, row: Row) -> usize {
    let handle = handle_at(call, 0);
    let result = row(call);
    if call.ok(result) {
        with(|online| {
            let at = online.comms.place(handle)?;
            let wait = online.requests.wait_on(at);
            let identity = online.comms.free(at, wait)?;
            if !wait {
                online.stamps.iter_mut().for_each(|of| of.forget(identity));
            }
            Some(())
        });
    }
    result
}
