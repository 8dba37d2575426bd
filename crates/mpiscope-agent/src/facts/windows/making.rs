//! Windows made, named and freed (MPI 4.1, §12.2).
//!
//! These calls are collective operations on the window that they make or free, the first and the
//! last of all.

use mpiscope_run::process::{self, Definition};
use mpiscope_run::record::{Fact, WindowCollective, MAX_COMM};

use super::{handle, window, Window};
use crate::base::definitions;
use crate::facts::call::ObservedCall;
use crate::facts::thread::Noted;
use crate::mpi::comms::Comm;

/// OTF2's number of the operation that makes a window.
const CREATE_HANDLE: u8 = 17;
/// The same of the one that frees it.
const DESTROY_HANDLE: u8 = 18;

/// MPI_Win_create and its kin, before.
pub fn before_creation(call: &mut ObservedCall) {
    if comm(call).is_some() {
        call.record(Fact::WindowCollectiveBegin);
    }
}

/// MPI_Win_create and its kin, after. One that failed made no window that its operation could name.
pub fn created(call: &mut ObservedCall, ok: bool) {
    let (Some(handle), Some(comm), true) = (handle(call), comm(call), ok) else {
        return;
    };
    if let Some(window) = define(call, handle, comm) {
        call.record(Fact::WindowCreated { window: window.id });
        call.record(collective(window, CREATE_HANDLE));
    }
}

fn comm(call: &mut ObservedCall) -> Option<&'static Comm> {
    call.comm(call.shape().comm()?)
}

fn define(call: &ObservedCall, handle: usize, comm: &'static Comm) -> Option<Window> {
    let window = call.session.windows.with(|known| {
        let id = known.count;
        let made = known.made.entry(comm.id).or_default();
        let number = *made;
        *made += 1;
        if id > MAX_COMM {
            return None;
        }
        known.count += 1;
        let window = Window { id, comm, number };
        known.by_handle.insert(handle, window);
        Some(window)
    })?;
    definitions::tell(&Definition::Window(process::Window {
        id: window.id,
        comm: comm.id,
        number: window.number,
        name: String::new(),
    }));
    Some(window)
}

/// MPI_Win_free `(win)`, before: once MPI has freed the handle, another thread may get it.
pub fn before_free(call: &mut ObservedCall) {
    call.thread.scratch.noted = Noted::Nothing;
    let Some(handle) = handle(call) else { return };
    let window = call
        .session
        .windows
        .with(|known| known.by_handle.remove(&handle));
    if let Some(window) = window {
        call.record(Fact::WindowCollectiveBegin);
        call.thread.scratch.noted = Noted::Window(handle, window);
    }
}

/// MPI_Win_free, after. It ends even if it failed, because a begin needs its end.
pub fn freed(call: &mut ObservedCall, ok: bool) {
    let Noted::Window(handle, window) = call.thread.scratch.take_noted() else {
        return;
    };
    if ok {
        call.record(Fact::WindowFreed { window: window.id });
    }
    call.session.windows.with(|known| {
        if ok {
            known.open.remove(&window.id);
        } else {
            known.by_handle.insert(handle, window);
        }
    });
    call.record(collective(window, DESTROY_HANDLE));
}

fn collective(window: Window, op: u8) -> Fact {
    Fact::WindowCollectiveEnd(WindowCollective {
        window: window.id,
        op,
        synchronizes: true,
    })
}

/// MPI_Win_set_name `(win, win_name)`; Fortran passes the name's length last.
pub fn named(call: &mut ObservedCall, ok: bool) {
    let Some(window) = window(call) else { return };
    if ok && call.raw(1) != 0 {
        definitions::tell(&Definition::WindowName {
            id: window.id,
            name: call.text(1),
        });
    }
}
