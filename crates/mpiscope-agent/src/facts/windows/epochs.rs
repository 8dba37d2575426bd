//! Epochs that all processes of a window open and close together, or groups of them (MPI 4.1,
//! §12.5.1 and §12.5.2).

use mpiscope_run::record::{Fact, WindowCollective, WindowSync, ALL_PARTS};

use super::{group, window, Open, Window};
use crate::facts::call::ObservedCall;

/// OTF2's number of a barrier, as which others tell of a fence, too.
const BARRIER: u8 = 0;

/// MPI_Win_fence `(assert, win)`, before.
pub fn before_fence(call: &mut ObservedCall) {
    if window(call).is_some() {
        call.record(Fact::WindowCollectiveBegin);
    }
}

/// MPI_Win_fence, after: all operations are complete, unless there were none. Then it need not
/// wait for anybody (MPI 4.1, §12.5.1). It ends even if it failed, because a begin needs its end.
pub fn fence(call: &mut ObservedCall, ok: bool) {
    let Some(window) = window(call) else { return };
    let closes = call.int(0) & call.mpi.abi.mode_noprecede == 0;
    if ok && closes {
        sync(call, window, WindowSync::Remote(ALL_PARTS));
    }
    call.record(Fact::WindowCollectiveEnd(WindowCollective {
        window: window.id,
        op: BARRIER,
        synchronizes: ok && closes,
    }));
}

/// Records what a call did to a window.
pub(super) fn sync(call: &mut ObservedCall, window: Window, sync: WindowSync) {
    call.record(Fact::WindowSync(window.id, sync));
}

/// MPI_Win_start `(group, assert, win)`, after.
pub fn start(call: &mut ObservedCall, ok: bool) {
    open(call, ok, |open| &mut open.access);
}

/// MPI_Win_post `(group, assert, win)`, after.
pub fn post(call: &mut ObservedCall, ok: bool) {
    open(call, ok, |open| &mut open.exposure);
}

/// MPI_Win_complete `(win)`, after: all operations on the group's parts are complete.
pub fn complete(call: &mut ObservedCall, ok: bool) {
    if let (Some(window), true) = (window(call), ok) {
        sync(call, window, WindowSync::Remote(ALL_PARTS));
        close(call, window, |open| &mut open.access);
    }
}

/// MPI_Win_wait `(win)`, after.
pub fn wait(call: &mut ObservedCall, ok: bool) {
    if let (Some(window), true) = (window(call), ok) {
        close(call, window, |open| &mut open.exposure);
    }
}

/// MPI_Win_test `(win, flag)`, after: a wait, if it found the epoch to be over.
pub fn test(call: &mut ObservedCall, ok: bool) {
    let flag = call.shape().flag();
    if ok && flag.is_some_and(|at| call.int_at(at, 0) != 0) {
        wait(call, ok);
    }
}

/// A place among the epochs of a window.
type Place = fn(&mut Open) -> &mut Option<u32>;

fn open(call: &mut ObservedCall, ok: bool, place: Place) {
    let (Some(window), true) = (window(call), ok) else {
        return;
    };
    let group = group(call);
    let windows = &call.session.windows;
    windows.opened(window, |open| *place(open) = group);
    if let Some(group) = group {
        sync(call, window, WindowSync::Group(group));
    }
}

fn close(call: &mut ObservedCall, window: Window, place: Place) {
    let windows = &call.session.windows;
    let group = windows.opened(window, |open| place(open).take());
    if let Some(group) = group {
        sync(call, window, WindowSync::Group(group));
    }
}
