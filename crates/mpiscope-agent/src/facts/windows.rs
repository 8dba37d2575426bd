//! Windows: the parts of their memory that processes let each other reach (MPI 4.1, §12).
//!
//! A window belongs to the communicator that it was made on, and is the
//! so-many-th there: all members make their windows in the same order
//! (MPI 4.1, §12.2). Here is what is known of them, and who is asked for by a
//! call in which all take part, so that one that never returns tells whom it
//! waits for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use mpi_abi::Direction;
use mpiscope_run::process::{Definition, Members};
use mpiscope_run::record::{Fact, Message, Wildcard, ALL_MEMBERS, MAX_COMM, NO_CAPACITY};

use super::call::ObservedCall;
use crate::base::definitions;
use crate::mpi::comms::{members_of, Comm};

pub mod accesses;
pub mod epochs;
pub mod locks;
pub mod making;

/// A window: the communicator that it was made on, and its number there.
#[derive(Clone, Copy)]
pub struct Window {
    /// Process-local id.
    pub id: u32,
    comm: &'static Comm,
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
    /// How many were made in all.
    count: u32,
    /// What is open, by window.
    open: HashMap<u32, Open>,
    groups: HashMap<Members, u32>,
}

/// The epochs that this process has opened on a window, and not closed.
#[derive(Default)]
struct Open {
    /// The group that it accesses.
    access: Option<u32>,
    /// The group that accesses it.
    exposure: Option<u32>,
    locks: Vec<locks::Lock>,
}

impl Windows {
    fn with<T>(&self, look: impl FnOnce(&mut Known) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks at what is open on a window.
    fn opened<T>(&self, window: Window, look: impl FnOnce(&mut Open) -> T) -> T {
        self.with(|known| look(known.open.entry(window.id).or_default()))
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
        asks(call, window.comm.id, Some(window.number));
    }
}

/// Returns the handle of the window that a call is about.
fn handle(call: &ObservedCall) -> Option<usize> {
    let at = call.shape().window()?;
    Some(match call.function.function().args[at].direction {
        Direction::In => call.window(at),
        _ => call.window_written(at),
    })
}

/// Returns the window that a call is about, if its making was seen.
fn window(call: &ObservedCall) -> Option<Window> {
    let handle = handle(call)?;
    call.session
        .windows
        .with(|known| known.by_handle.get(&handle).copied())
}

/// Returns the number of the group that a call is given, defined now unless it was.
fn group(call: &ObservedCall) -> Option<u32> {
    let handle = call.group(call.shape().group()?);
    // SAFETY: MPI has just taken it as a group.
    let members = unsafe { members_of(call.mpi, handle) };
    let members = members.ok().flatten()?;
    let (id, is_new) = call.session.windows.with(|known| {
        let next = known.groups.len() as u32;
        match known.groups.get(&members) {
            Some(&id) => (id, false),
            None if next > MAX_COMM => (next, false),
            None => {
                known.groups.insert(members.clone(), next);
                (next, true)
            }
        }
    });
    if is_new {
        definitions::tell(&Definition::Group { id, members });
    }
    (id <= MAX_COMM).then_some(id)
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
