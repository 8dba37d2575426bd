//! Communicators made, freed and named (MPI 4.1, chapter 7).

use mpi_abi::{id, Direction, Kind};
use mpiscope_run::naming::Origin;
use mpiscope_run::process::{Axis, Definition, Neighbors};
use mpiscope_run::record::Fact;

use super::call::ObservedCall;
use super::point_to_point;
use super::thread::Noted;
use crate::base::definitions;
use crate::mpi::comms::{Beside, Comm};

/// Any call that makes a communicator: the new one is the argument that it writes.
pub fn created(call: &mut ObservedCall, ok: bool) {
    let args = call.function.function().args;
    let written = args
        .iter()
        .position(|arg| arg.kind == Kind::Comm && arg.direction == Direction::Out);
    let (Some(at), true) = (written, ok) else {
        return;
    };
    let words = words(call);
    let (origin, parent) = match call.function {
        _ if words.is_some() => (Origin::Words(words.as_deref().unwrap_or_default()), None),
        id::MPI_INTERCOMM_CREATE => (sides(call), None),
        id::MPI_COMM_ACCEPT | id::MPI_COMM_CONNECT | id::MPI_COMM_JOIN => (Origin::Met, None),
        _ => from_parent(call),
    };
    let handle = call.comm_written(at);
    if let Some(comm) = call.session.comms.add(call.session, handle, origin, parent) {
        if let Some(beside) = beside(call, handle, comm, parent) {
            comm.set_beside(beside);
        }
        call.record(Fact::CommCreated { comm: comm.id });
    }
}

/// Returns the words that a call names a group by.
fn words(call: &ObservedCall) -> Option<String> {
    match call.function {
        id::MPI_COMM_CREATE_FROM_GROUP => Some(call.text(1)),
        id::MPI_INTERCOMM_CREATE_FROM_GROUPS => Some(call.text(4)),
        _ => None,
    }
}

/// A call whose first argument is the parent of what it makes.
fn from_parent(call: &mut ObservedCall) -> (Origin<'static>, Option<&'static Comm>) {
    let Some(parent) = call.comm(0) else {
        return (Origin::Unseen, None);
    };
    let origin = match call.function {
        id::MPI_COMM_CREATE_GROUP => Origin::Group(parent.parent(), call.int(2)),
        _ => Origin::Collective(parent.parent()),
    };
    (origin, Some(parent))
}

/// `MPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm)`:
/// what is said of the peer communicator has a meaning at the leaders only.
fn sides(call: &mut ObservedCall) -> Origin<'static> {
    let Some(local) = call.comm(0) else {
        return Origin::Unseen;
    };
    let leads = i64::from(call.int(1)) == i64::from(local.rank);
    let peer = if leads { call.comm(2) } else { None };
    let leader = peer.and_then(|peer| peer.leader(call.int(3), call.int(4)));
    Origin::Sides {
        local: local.parent(),
        leader,
        threads: call.session.at_once,
    }
}

/// Returns who is beside this process in a communicator just made.
fn beside(
    call: &ObservedCall,
    handle: usize,
    comm: &Comm,
    parent: Option<&Comm>,
) -> Option<Beside> {
    let mpi = call.mpi;
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
pub fn duplicated(call: &mut ObservedCall, ok: bool) {
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
                comm.set_beside(beside.clone());
            }
            call.record(Fact::CommCreated { comm: comm.id });
        }
    }
    point_to_point::opaque(call, ok);
}

/// MPI_Comm_free and MPI_Comm_disconnect `(comm)`, before: once MPI has freed
/// the handle, another thread may get it.
pub fn before_free(call: &mut ObservedCall) {
    let handle = call.comm_written(0);
    call.thread.scratch.noted = Noted::Handle(handle);
    call.thread.comms = Default::default();
    call.thread.scratch.freed = call.session.comms.forget(handle);
}

/// MPI_Comm_free and MPI_Comm_disconnect, after.
pub fn freed(call: &mut ObservedCall, ok: bool) {
    let freed = call.thread.scratch.freed.take();
    if let (Noted::Handle(handle), Some(comm), false) =
        (call.thread.scratch.take_noted(), freed, ok)
    {
        call.session.comms.restore(handle, comm);
    }
}

/// MPI_Comm_set_name `(comm, name)`; Fortran passes the name's length last.
pub fn named(call: &mut ObservedCall, ok: bool) {
    let Some(comm) = call.comm(0) else { return };
    if !ok || call.raw(1) == 0 {
        return;
    }
    let text = call.text(1);
    definitions::tell(&Definition::CommName {
        id: comm.id,
        name: text,
    });
}
