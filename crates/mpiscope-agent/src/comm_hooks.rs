//! Communicators made, freed and named (MPI 4.1, chapter 7).

use mpi_abi::{id, Direction, Kind};
use mpiscope_run::process::{Axis, Definition, Neighbors};
use mpiscope_run::record::Fact;

use crate::call::{Call, Lang};
use crate::comms::{Beside, Comm, Origin};
use crate::point_to_point;
use crate::thread::Noted;

/// Any call that makes a communicator: the new one is the argument that it writes.
pub fn created(call: &mut Call, ok: bool) {
    let args = call.function.function().args;
    let written = args
        .iter()
        .position(|arg| arg.kind == Kind::Comm && arg.direction == Direction::Out);
    let (Some(at), true) = (written, ok) else {
        return;
    };
    let origin = origin(call);
    let parent = match origin {
        Origin::Comm(parent) => Some(parent),
        Origin::Tag(_) | Origin::Unknown => None,
    };
    let handle = call.comm_written(at);
    if let Some(comm) = call.session.comms.add(call.session, handle, origin, "") {
        if let Some(beside) = beside(call, handle, comm, parent) {
            comm.set_beside(call.session, beside);
        }
        call.record(Fact::CommCreated { comm: comm.id });
    }
}

/// Returns what the communicator just made was made from.
fn origin(call: &mut Call) -> Origin {
    match call.function {
        // The two sides have different parents; its groups are what they share.
        id::MPI_INTERCOMM_CREATE => Origin::Unknown,
        id::MPI_COMM_CREATE_FROM_GROUP => Origin::tag(&text(call, 1)),
        id::MPI_INTERCOMM_CREATE_FROM_GROUPS => Origin::tag(&text(call, 4)),
        _ => call.comm(0).map_or(Origin::Unknown, Origin::Comm),
    }
}

/// Returns who is beside this process in a communicator just made.
fn beside(call: &Call, handle: usize, comm: &Comm, parent: Option<&Comm>) -> Option<Beside> {
    let mpi = call.mpi();
    // SAFETY: MPI is up, and the call has just given this communicator such a topology.
    unsafe {
        match call.function {
            id::MPI_CART_CREATE | id::MPI_CART_SUB => mpi.cart(handle).ok().map(in_grid),
            id::MPI_GRAPH_CREATE => {
                let neighbors = mpi.graph_neighbors(handle, comm.rank).ok()?;
                Some(in_graph(neighbors.len() as u32, neighbors))
            }
            id::MPI_DIST_GRAPH_CREATE | id::MPI_DIST_GRAPH_CREATE_ADJACENT => {
                let (sources, destinations) = mpi.dist_graph_neighbors(handle).ok()?;
                Some(in_graph(sources, destinations))
            }
            id::MPI_COMM_DUP | id::MPI_COMM_DUP_WITH_INFO => parent?.beside().cloned(),
            _ => None,
        }
    }
}

/// In a grid there are two neighbours a dimension, below and above.
fn in_grid(axes: Vec<mpi_abi::Axis>) -> Beside {
    let ends = |axis: &mpi_abi::Axis| {
        let at_end = [axis.place == 0, axis.place + 1 >= axis.size];
        at_end.map(|at_end| at_end && !axis.periodic)
    };
    let absent = (0..).zip(axes.iter().flat_map(ends));
    let absent = absent.filter_map(|(at, absent)| absent.then_some(at));
    let absent = absent.collect();
    let axis = |axis: mpi_abi::Axis| Axis {
        size: axis.size,
        periodic: axis.periodic,
        place: axis.place,
    };
    let count = 2 * axes.len() as u32;
    Beside {
        sources: count,
        destinations: count,
        absent,
        neighbors: Neighbors::Grid(axes.into_iter().map(axis).collect()),
    }
}

fn in_graph(sources: u32, destinations: Vec<u32>) -> Beside {
    Beside {
        sources,
        destinations: destinations.len() as u32,
        absent: Vec::new(),
        neighbors: Neighbors::Graph(destinations),
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
            if let Some(beside) = parent.beside() {
                comm.set_beside(call.session, beside.clone());
            }
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
    let text = text(call, 1);
    call.session.define(&Definition::CommName {
        id: comm.id,
        name: text,
    });
}

/// Returns the string at argument `at`; Fortran passes its length behind `ierror`.
fn text(call: &Call, at: usize) -> String {
    let length = match call.lang {
        Lang::C => None,
        Lang::Fortran => Some(call.raw(call.function.function().args.len() + 1)),
    };
    let text = bounded_text(call.raw(at) as *const u8, length);
    text.trim_end().to_owned()
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
