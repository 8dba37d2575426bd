//! Waits, and what a status says.

use mpiscope_rules::requests::{Completed, Kind};
use mpiscope_run::record::{Fact, Message, Wildcard};

use super::{Make, Told, Traced, RECORDS};
use crate::base::own::Own;
use crate::facts::around::left;
use crate::facts::outermost::Open;
use crate::facts::session::Session;
use crate::facts::thread::{Noted, Scratch, Thread};

/// What the thread knows when a call has returned.
pub struct Known<'a> {
    pub session: &'static Session,
    pub scratch: &'a mut Scratch,
}

/// Requests that one call completes here; more go the long way.
const MOST: usize = 64;

impl Known<'_> {
    #[inline(always)]
    pub fn succeeded(&self, result: usize) -> bool {
        result as i32 == self.session.mpi.abi.success
    }

    /// Returns the request that a call has made, and written at `place`.
    #[inline(always)]
    pub fn made(&self, result: usize, place: usize) -> Option<usize> {
        let abi = &self.session.mpi.abi;
        if !self.succeeded(result) || place == 0 {
            return None;
        }
        // SAFETY: the call has succeeded, so its request is written there.
        let handle = unsafe { abi.handle_at(place as *const u8, 0) };
        (handle != abi.request_null).then_some(handle)
    }

    /// Tells that the newest request of a handle is complete.
    #[inline(always)]
    fn completed(&self, handle: usize, status: usize, told: &mut Told) {
        let requests = &self.session.requests;
        match requests.direct().and_then(|direct| direct.complete(handle)) {
            Some(Completed::Send(0)) => {}
            Some(Completed::Send(request)) => told.tell(Fact::IsendComplete { request }),
            Some(Completed::Receive(id, comm, wildcard)) => {
                if let Some(message) = received(self, status, comm, wildcard) {
                    told.tell(Fact::Irecv(message, id));
                }
            }
            None => self.completed_behind(handle, told),
        }
    }

    /// The same of one of many sends that share a handle.
    #[cold]
    fn completed_behind(&self, handle: usize, told: &mut Told) {
        let taken = self.session.requests.take(handle);
        if let Some(entry) = taken.filter(|entry| entry.kind == Kind::Send) {
            let request = entry.id;
            told.tell(Fact::IsendComplete { request });
        }
    }
}

/// Returns the message that a status describes, nothing for MPI_PROC_NULL.
#[inline(always)]
pub fn received(known: &Known, status: usize, comm: u32, wildcard: Wildcard) -> Option<Message> {
    let mpi = known.session.mpi;
    let status = status as *const u8;
    // SAFETY: a completed receive has filled this status.
    let (source, tag) = unsafe { (mpi.status_source(status), mpi.status_tag(status)) };
    (source >= 0).then(|| Message {
        peer: source as u32,
        comm,
        tag: tag as u32,
        // SAFETY: the same.
        bytes: unsafe { mpi.status_bytes(status) }.unwrap_or(0),
        wildcard,
        signature: 0,
    })
}

/// `MPI_Wait`.
#[inline(always)]
pub fn wait<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let &[request, status] = args.first_chunk()?;
    let (abi, requests) = (&call.thread.session.mpi.abi, &call.thread.session.requests);
    if request == 0 {
        return None;
    }
    // SAFETY: the standard makes this argument the address of a handle.
    let handle = unsafe { abi.handle_at(request as *const u8, 0) };
    if handle != abi.request_null && !requests.direct()?.holds(handle) {
        return None;
    }
    let status = call.thread.status(status);
    *args.get_mut(1)? = status;
    call.thread.scratch.noted = Noted::Handle(handle);
    let open = call.opens(&mut args, left_wait);
    let made = call.enter(&open, RECORDS, None, None)?;
    let result = real.make(args);
    if result as i32 != 0 {
        take(made.outermost.thread().get());
        return made.leave_failed(&open, result);
    }
    made.leave_with(|known, told| known.completed(handle, status, told));
    Some(result)
}

/// Takes the request whose handle is noted, as a wait does before its call.
fn take(thread: &mut Thread) {
    let Noted::Handle(handle) = thread.scratch.take_noted() else {
        return;
    };
    let taken = thread.session.requests.take(handle);
    thread.scratch.noted = taken.map_or(Noted::Nothing, Noted::Request);
}

/// A wait that the program has left.
fn left_wait(open: &Open, thread: Own<Thread>) {
    take(thread.get());
    left(open, thread);
}

/// Takes the requests whose handles are noted, as a wait for all does before its call.
fn take_all(thread: &mut Thread) {
    let Thread {
        scratch, session, ..
    } = thread;
    let requests = &session.requests;
    let taken = scratch.handles.iter().map(|&handle| requests.take(handle));
    scratch.entries.clear();
    scratch.entries.extend(taken);
}

/// A wait for all that the program has left.
fn left_waitall(open: &Open, thread: Own<Thread>) {
    take_all(thread.get());
    left(open, thread);
}

/// `MPI_Waitall`.
#[inline(always)]
pub fn waitall<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let &[count, array, statuses] = args.first_chunk()?;
    let count = usize::try_from(count as i32).ok()?;
    if count > MOST || !note(call.thread, array, count) {
        return None;
    }
    let statuses = call.thread.statuses(statuses, count);
    *args.get_mut(2)? = statuses;
    let open = call.opens(&mut args, left_waitall);
    let made = call.enter(&open, RECORDS + count, None, None)?;
    let result = real.make(args);
    if result as i32 != 0 {
        take_all(made.outermost.thread().get());
        return made.leave_failed(&open, result);
    }
    made.leave_with(|known, told| {
        let abi = &known.session.mpi.abi;
        for (k, &handle) in known.scratch.handles.iter().enumerate() {
            if handle != abi.request_null {
                known.completed(handle, statuses + k * abi.status.size, told);
            }
        }
    });
    Some(result)
}

/// Notes the handles of an array; false if one is not in its place.
#[inline(always)]
fn note(thread: &mut Thread, array: usize, count: usize) -> bool {
    let session = thread.session;
    let abi = &session.mpi.abi;
    let Some(direct) = session.requests.direct().filter(|_| array != 0) else {
        return false;
    };
    let handles = &mut thread.scratch.handles;
    handles.clear();
    for k in 0..count {
        // SAFETY: the standard makes this argument an array of so many handles.
        let handle = unsafe { abi.handle_at(array as *const u8, k) };
        if handle != abi.request_null && !direct.holds(handle) {
            return false;
        }
        handles.push(handle);
    }
    true
}
