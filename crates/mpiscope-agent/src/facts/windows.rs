//! Calls in which all members of a communicator take part and that have no
//! event of their own: which communicator, so that one that never returns
//! tells whom it waits for.
//!
//! A window belongs to the communicator that it was made on, and is the
//! so-many-th there: all members make their windows in the same order
//! (MPI 4.1, §12.2).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mpi_abi::{Arg, Direction, Kind};
use mpiscope_run::record::{Fact, Message, Wildcard, ALL_MEMBERS, NO_CAPACITY};

use super::call::ObservedCall;

/// A window: the communicator that it was made on, and its number there.
#[derive(Clone, Copy)]
struct Window {
    comm: u32,
    number: u32,
}

/// The windows of the process.
#[derive(Default)]
pub struct Windows(Mutex<Known>);

#[derive(Default)]
struct Known {
    by_handle: HashMap<usize, Window>,
    /// By communicator: how many windows were made on it.
    made: HashMap<u32, u32>,
}

impl Windows {
    fn with<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Any call that is collective over the communicator it is given, before its enter.
pub fn asks_comm(call: &mut ObservedCall) {
    let comm = call.shape().comm().and_then(|at| call.comm(at));
    if let Some(comm) = comm {
        asks(call, comm.id, None);
    }
}

/// Any call that is collective over the window it is given, before its enter.
pub fn asks_window(call: &mut ObservedCall) {
    if let Some(window) = window(call) {
        asks(call, window.comm, Some(window.number));
    }
}

/// MPI_Win_create and its kin, after.
pub fn created(call: &mut ObservedCall, ok: bool) {
    let args = call.function.function().args;
    let is_written = |arg: &Arg| arg.kind == Kind::Win && arg.direction == Direction::Out;
    let written = args.iter().position(is_written);
    let comm = call.shape().comm().and_then(|at| call.comm(at));
    if let (Some(at), Some(comm), true) = (written, comm, ok) {
        let handle = call.window_written(at);
        call.session.windows.with(|known| {
            let made = known.made.entry(comm.id).or_default();
            let window = Window {
                comm: comm.id,
                number: *made,
            };
            *made += 1;
            known.by_handle.insert(handle, window);
        });
    }
}

fn window(call: &ObservedCall) -> Option<Window> {
    let args = call.function.function().args;
    let at = args.iter().position(|arg| arg.kind == Kind::Win)?;
    let handle = match args[at].direction {
        Direction::In => call.window(at),
        _ => call.window_written(at),
    };
    call.session
        .windows
        .with(|known| known.by_handle.get(&handle).copied())
}

fn asks(call: &mut ObservedCall, comm: u32, window: Option<u32>) {
    call.record(Fact::Posted(Message {
        peer: ALL_MEMBERS,
        comm,
        tag: window.unwrap_or(0),
        bytes: NO_CAPACITY,
        wildcard: Wildcard {
            source: true,
            tag: window.is_none(),
        },
        signature: 0,
    }));
}
