//! Communicators made, freed and named (MPI 4.1, chapter 7).

use mpi_abi::{id, Direction, Kind};
use mpiscope_run::process::Definition;
use mpiscope_run::record::Fact;

use crate::call::{Call, Lang};
use crate::comms::Comm;
use crate::point_to_point;
use crate::thread::Noted;

/// Any call that makes a communicator out of its first argument: the new one
/// is the argument that it writes.
pub fn created(call: &mut Call, ok: bool) {
    let args = call.function.function().args;
    let written = args
        .iter()
        .position(|arg| arg.kind == Kind::Comm && arg.direction == Direction::Out);
    let (Some(at), true) = (written, ok) else {
        return;
    };
    // The two sides of an intercommunicator have different parents; its groups are what they share.
    let parent = match call.function {
        id::MPI_INTERCOMM_CREATE => None,
        _ => call.comm(0),
    };
    let handle = call.comm_written(at);
    if let Some(comm) = call.session.comms.add(call.session, handle, parent, "") {
        if let Some(neighbors) = neighbors(call, handle, comm, parent) {
            comm.set_neighbors(neighbors);
        }
        call.record(Fact::CommCreated { comm: comm.id });
    }
}

/// Returns how many neighbours this process has in a communicator just made:
/// as many as send to it, and as many as it sends to.
fn neighbors(call: &Call, handle: usize, comm: &Comm, parent: Option<&Comm>) -> Option<(u32, u32)> {
    let mpi = call.mpi();
    // SAFETY: MPI is up, and the call has just given this communicator such a topology.
    unsafe {
        let same = |count| (count, count);
        match call.function {
            id::MPI_CART_CREATE | id::MPI_CART_SUB => mpi.cart_neighbors(handle).ok().map(same),
            id::MPI_GRAPH_CREATE => mpi.graph_neighbors(handle, comm.rank).ok().map(same),
            id::MPI_DIST_GRAPH_CREATE | id::MPI_DIST_GRAPH_CREATE_ADJACENT => {
                mpi.dist_graph_neighbors(handle).ok()
            }
            id::MPI_COMM_DUP | id::MPI_COMM_DUP_WITH_INFO => {
                let (sources, destinations) = parent?.neighbors();
                Some((sources as u32, destinations as u32))
            }
            _ => None,
        }
    }
}

/// MPI_Comm_idup and its kin: the duplicate, and the request that completes it.
pub fn duplicated(call: &mut Call, ok: bool) {
    let args = call.function.function().args;
    let written = |kind| {
        args.iter()
            .position(|arg| arg.kind == kind && arg.direction == Direction::Out)
    };
    if let (Some(at), Some(parent), true) = (written(Kind::Comm), call.comm(0), ok) {
        let handle = call.comm_written(at);
        let comm = call
            .session
            .comms
            .add_duplicate(call.session, handle, parent);
        if let Some(comm) = comm {
            let (sources, destinations) = parent.neighbors();
            comm.set_neighbors((sources as u32, destinations as u32));
            call.record(Fact::CommCreated { comm: comm.id });
        }
    }
    point_to_point::opaque(call, ok);
}

/// MPI_Comm_free and MPI_Comm_disconnect `(comm)`, before: once MPI has freed
/// the handle, another thread may get it.
pub fn before_free(call: &mut Call) {
    let handle = call.comm_written(0);
    call.thread.scratch.noted = Noted::Handle(handle);
    call.thread.last_comm = None;
    call.thread.scratch.freed = call.session.comms.forget(handle);
}

/// MPI_Comm_free and MPI_Comm_disconnect, after.
pub fn freed(call: &mut Call, ok: bool) {
    let freed = call.thread.scratch.freed.take();
    if let (Noted::Handle(handle), Some(comm), false) =
        (call.thread.scratch.take_noted(), freed, ok)
    {
        call.session.comms.restore(handle, comm);
    }
}

/// MPI_Comm_set_name `(comm, name)`; Fortran passes the name's length last.
pub fn named(call: &mut Call, ok: bool) {
    let Some(comm) = call.comm(0) else { return };
    if !ok || call.raw(1) == 0 {
        return;
    }
    let length = match call.lang {
        Lang::C => None,
        Lang::Fortran => Some(call.raw(3)),
    };
    let text = bounded_text(call.raw(1) as *const u8, length);
    call.session.define(&Definition::CommName {
        id: comm.id,
        name: text.trim_end().to_owned(),
    });
}

/// Reads a string that ends at NUL or after `length` bytes, but never more than MPI keeps of a name.
fn bounded_text(start: *const u8, length: Option<usize>) -> String {
    const LONGEST: usize = 256;
    let mut bytes = Vec::new();
    for k in 0..length.unwrap_or(LONGEST).min(LONGEST) {
        // SAFETY: a C string is readable up to its NUL, a Fortran string for its length; MPI has just read it.
        let byte = unsafe { start.add(k).read() };
        if byte == 0 {
            break;
        }
        bytes.push(byte);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
