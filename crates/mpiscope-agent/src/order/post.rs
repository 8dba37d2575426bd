//! Posting sends, receives and probes: at once, or in turn where several
//! threads may call MPI.

use mpi_abi::id;
use mpiscope_run::order::Undetermined;

use super::call::OrderedCall;
use super::copy::Copied;
use super::envelope::at;
use super::forms::nonblocking_form;
use super::turns::Turns;
use super::{deterministic, nondeterminism};
use crate::mpi::call::StatusMemory;

/// Any point-to-point call that returns at once.
pub fn nonblocking(call: &mut OrderedCall) -> usize {
    match turns(call) {
        None => call.go(),
        Some(turns) => in_turn(call, turns),
    }
}

#[inline]
fn turns(call: &OrderedCall) -> Option<&'static Turns> {
    call.thread.session.turns.as_ref()
}

fn in_turn(call: &mut OrderedCall, turns: &Turns) -> usize {
    let number = call.thread.number;
    turns
        .take(number, || Some(call.go()), false)
        .unwrap_or_default()
}

/// A blocking send.
pub fn send(call: &mut OrderedCall) -> usize {
    if deterministic::on(call) {
        return deterministic::send(call);
    }
    if turns(call).is_none() {
        return call.go();
    }
    let mut memory: StatusMemory = [0; 8];
    let status = memory.as_mut_ptr() as usize;
    blocking(call, status)
}

/// A blocking receive.
#[inline]
pub fn receive(call: &mut OrderedCall) -> usize {
    if deterministic::on(call) {
        return deterministic::receive(call);
    }
    if turns(call).is_none() {
        return call.go();
    }
    let status = call.raw(const { at(id::MPI_RECV) }.last);
    blocking(call, status)
}

/// Posts in turn, and waits outside of it.
fn blocking(call: &mut OrderedCall, status: usize) -> usize {
    let (Some(turns), Some(form)) = (turns(call), nonblocking_form(call.function)) else {
        return call.go();
    };
    // It does not block, and an implementation may judge it otherwise: Open MPI 5 tells
    // MPI_Send to MPI_PROC_NULL that the communicator was revoked, MPI_Isend not.
    if call.int(3) == call.mpi.abi.proc_null {
        return in_turn(call, turns);
    }
    let mut request = 0usize;
    let at = &raw mut request as usize;
    let six: [usize; 6] = std::array::from_fn(|i| call.raw(i));
    let [a, b, c, d, e, f] = six;
    let number = call.thread.number;
    let posted = turns.take(
        number,
        || Some(call.sibling(form, [a, b, c, d, e, f, at])),
        false,
    );
    let mut code = posted.unwrap_or_default();
    if code == call.mpi.abi.success as usize {
        code = call.sibling(id::MPI_WAIT, [at, status]);
    }
    call.done(code)
}

/// `MPI_Sendrecv`: the receive is posted, then the send, then both are waited for.
pub fn sendrecv(call: &mut OrderedCall) -> usize {
    if deterministic::on(call) {
        return deterministic::sendrecv(call);
    }
    let Some(turns) = turns(call) else {
        return call.go();
    };
    let large = call.function == id::MPI_SENDRECV_C;
    let send = [0, 1, 2, 3, 4, 10].map(|i| call.raw(i));
    let receive = [5, 6, 7, 8, 9, 10].map(|i| call.raw(i));
    exchange(call, turns, large, send, receive, call.raw(11))
}

/// `MPI_Sendrecv_replace`: the same with a copy of what is sent.
pub fn sendrecv_replace(call: &mut OrderedCall) -> usize {
    if deterministic::on(call) {
        return deterministic::sendrecv_replace(call);
    }
    let Some(turns) = turns(call) else {
        return call.go();
    };
    let Some(copy) = Copied::of(call, 0, 1, 2) else {
        nondeterminism::note(call, Undetermined::Threads);
        return call.go();
    };
    let large = call.function == id::MPI_SENDRECV_REPLACE_C;
    let mut send = [0, 1, 2, 3, 4, 7].map(|i| call.raw(i));
    send[0] = copy.buffer();
    let receive = [0, 1, 2, 5, 6, 7].map(|i| call.raw(i));
    exchange(call, turns, large, send, receive, call.raw(8))
}

/// Posts a receive and a send in one step, and waits for both.
fn exchange(
    call: &mut OrderedCall,
    turns: &Turns,
    large: bool,
    [a, b, c, d, e, f]: [usize; 6],
    [g, h, i, j, k, l]: [usize; 6],
    status: usize,
) -> usize {
    let (send, receive) = match large {
        true => (id::MPI_ISEND_C, id::MPI_IRECV_C),
        false => (id::MPI_ISEND, id::MPI_IRECV),
    };
    let mut requests = [0usize; 2];
    let at: [usize; 2] = std::array::from_fn(|k| &raw mut requests[k] as usize);
    let number = call.thread.number;
    let mut codes = [0, 0];
    turns.take(
        number,
        || {
            codes[0] = call.sibling(receive, [g, h, i, j, k, l, at[0]]);
            codes[1] = call.sibling(send, [a, b, c, d, e, f, at[1]]);
            Some(())
        },
        false,
    );
    let mut memory: StatusMemory = [0; 8];
    let statuses = [status, memory.as_mut_ptr() as usize];
    let success = call.mpi.abi.success as usize;
    for k in 0..2 {
        if codes[k] == success {
            codes[k] = call.sibling(id::MPI_WAIT, [at[k], statuses[k]]);
        }
    }
    let code = if codes[0] == success {
        codes[1]
    } else {
        codes[0]
    };
    call.done(code)
}

/// A poll for a message: one that finds none was no post. With `again` it is
/// repeated until it does, or fails.
pub fn poll(call: &mut OrderedCall, flag: usize, again: bool) -> usize {
    let Some(turns) = turns(call) else {
        return poll_alone(call, flag, again);
    };
    let number = call.thread.number;
    let mut result = 0;
    turns.take(
        number,
        || {
            result = call.go();
            let found = !call.ok(result) || call.int_at(flag, 0) != 0;
            found.then_some(())
        },
        again,
    );
    result
}

fn poll_alone(call: &mut OrderedCall, flag: usize, again: bool) -> usize {
    let mut tries = 0u32;
    loop {
        let result = call.go();
        if !again || !call.ok(result) || call.int_at(flag, 0) != 0 {
            return result;
        }
        tries = tries.wrapping_add(1);
        if tries.is_multiple_of(64) {
            std::thread::yield_now();
        }
    }
}

/// A blocking probe: by its nonblocking form, so that no thread holds up the others.
pub fn probe(call: &mut OrderedCall) -> usize {
    if deterministic::on(call) {
        return deterministic::probe(call);
    }
    let Some(turns) = turns(call) else {
        return call.go();
    };
    let matched = call.function == id::MPI_MPROBE;
    let a: [usize; 5] = std::array::from_fn(|i| call.raw(i));
    let mut flag = 0i32;
    let at = &raw mut flag as usize;
    let number = call.thread.number;
    let success = call.mpi.abi.success as usize;
    let code = turns.take(
        number,
        || {
            let code = match matched {
                true => call.sibling(id::MPI_IMPROBE, [a[0], a[1], a[2], at, a[3], a[4]]),
                false => call.sibling(id::MPI_IPROBE, [a[0], a[1], a[2], at, a[3]]),
            };
            // SAFETY: `flag` lives here and the call has just written it.
            let found = unsafe { (at as *const i32).read_volatile() } != 0;
            (code != success || found).then_some(code)
        },
        true,
    );
    call.done(code.unwrap_or_default())
}
