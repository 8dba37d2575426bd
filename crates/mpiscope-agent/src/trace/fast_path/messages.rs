//! Sends and receives, blocking and nonblocking.

use mpiscope_rules::requests::{Entry, Kind, OPAQUE};
use mpiscope_run::record::{Fact, Message};

use super::arguments::{asked, sent};
use super::complete::{received, Known};
use super::{Make, Traced, RECORDS};
use crate::base::own::Own;
use crate::facts::around::left;
use crate::facts::outermost::Open;
use crate::facts::thread::{Noted, Thread};

/// A blocking send of any mode.
#[inline(always)]
pub fn send<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let message = sent(call.thread, &args)?;
    let open = call.opens(&mut args, left);
    let made = call.enter(&open, RECORDS, None, message.map(Fact::Send))?;
    let result = real.make(args);
    if result as i32 != 0 {
        return made.leave_failed(&open, result);
    }
    made.leave(|_| {});
    Some(result)
}

/// A nonblocking one.
#[inline(always)]
pub fn isend<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let request = *args.get(6)?;
    let message = sent(call.thread, &args)?;
    let id = match message {
        Some(_) => call.thread.session.next_request(),
        None => 0,
    };
    let fact = message.map(|message| Fact::Isend(message, id));
    let open = call.opens(&mut args, left_post);
    let made = call.enter(&open, RECORDS, None, fact)?;
    let result = real.make(args);
    if result as i32 != 0 {
        forget(&made.outermost.thread());
        return made.leave_failed(&open, result);
    }
    made.leave_with(|known, _| {
        let Some(handle) = known.made(result, request) else {
            return;
        };
        let requests = &known.session.requests;
        if requests.direct().is_some_and(|d| d.add_send(handle, id)) {
            return requests.note_used();
        }
        let kind = Kind::Send;
        match id {
            0 => requests.insert(handle, OPAQUE),
            id => requests.insert(handle, Entry { id, kind, ..OPAQUE }),
        }
    });
    Some(result)
}

/// Of a post that made no request nothing is noted.
fn forget(thread: &Own<Thread>) {
    thread.get().scratch.noted = Noted::Nothing;
}

/// A post that the program has left.
fn left_post(open: &Open, thread: Own<Thread>) {
    forget(&thread);
    left(open, thread);
}

/// `MPI_Recv`.
#[inline(always)]
pub fn recv<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let posted = asked(call.thread, &args)?;
    let status = call.thread.status(*args.get(6)?);
    *args.get_mut(6)? = status;
    let open = call.opens(&mut args, left);
    let made = call.enter(&open, RECORDS, posted.map(Fact::Posted), None)?;
    let result = real.make(args);
    if result as i32 != 0 {
        return made.leave_failed(&open, result);
    }
    made.leave_with(|known, told| {
        let Some(Message { comm, wildcard, .. }) = posted else {
            return;
        };
        if let Some(message) = received(known, status, comm, wildcard) {
            told.tell(Fact::Recv(message, None));
        }
    });
    Some(result)
}

/// `MPI_Irecv`.
#[inline(always)]
pub fn irecv<const N: usize>(
    call: Traced,
    mut args: [usize; N],
    real: impl Make<N>,
) -> Option<usize> {
    let place = *args.get(6)?;
    let posted = asked(call.thread, &args)?;
    let request = match posted {
        Some(_) => call.thread.session.next_request(),
        None => 0,
    };
    let fact = posted.map(|_| Fact::IrecvRequest {
        request,
        message: None,
        posted,
    });
    let open = call.opens(&mut args, left_post);
    let made = call.enter(&open, RECORDS, None, fact)?;
    let result = real.make(args);
    if result as i32 != 0 {
        forget(&made.outermost.thread());
        return made.leave_failed(&open, result);
    }
    made.leave_with(|known, _| {
        if let Some(handle) = known.made(result, place) {
            post(known, handle, request, posted);
        }
    });
    Some(result)
}

#[inline(always)]
fn post(known: &Known, handle: usize, id: u32, posted: Option<Message>) {
    let requests = &known.session.requests;
    let Some(message) = posted else {
        return requests.insert(handle, OPAQUE);
    };
    let direct = requests.direct();
    if direct.is_some_and(|direct| direct.add_receive(handle, id, &message)) {
        return requests.note_used();
    }
    requests.insert(
        handle,
        Entry {
            id,
            kind: Kind::Recv(message),
            comm: message.comm,
            wildcard: message.wildcard,
            cancelled: false,
        },
    );
}
