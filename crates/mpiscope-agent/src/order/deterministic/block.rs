//! Waiting where others see it: blocking calls by their nonblocking forms.

use std::cell::RefCell;

use mpi_abi::{id, FunctionId};

use super::{choose, completions, deferred, earliest, leave_to_mpi, with};
use crate::mpi::call::{Lang, StatusMemory};
use crate::mpi::shape::completion::{request, status, SOME};
use crate::order::call::OrderedCall;
use crate::order::copy::Copied;
use crate::order::envelope::{at, At};
use crate::order::forms::nonblocking_form;
use crate::peers::page::Page;

/// Turns of progress between two offers of the processor to others: where there are more ranks
/// than processors, each offer may take some milliseconds.
const TRIES: u32 = 16;

/// Tries to go on until that is done, or chooses in a quiet moment.
///
/// `done` comes true whoever is fast, once it can; `choose` is asked when it is
/// quiet, and returns nothing if there is nothing to choose from yet.
pub fn until<T>(
    call: &mut OrderedCall,
    mut done: impl FnMut(&mut OrderedCall) -> Option<T>,
    mut choose: impl FnMut(&mut OrderedCall) -> Option<T>,
) -> Option<T> {
    if earliest::on(call) {
        // Whose choices are kept has asked before: what comes here is MPI's.
        let either = |call: &mut OrderedCall| done(call).or_else(|| choose(call));
        return earliest::until(call, either, |_| None);
    }
    if let Some(found) = done(call) {
        return Some(found);
    }
    let (page, rank) = with(call, |rule| (rule.page, rule.rank))?;
    let patience = call.thread.session.patience;
    let mut pass = page.begin(rank);
    let (mut chosen, mut last, mut tries) = (None, None, 0u32);
    loop {
        tries = tries.wrapping_add(1);
        let round = page.round();
        if round.is_multiple_of(2) {
            let found = chosen.take().or_else(|| done(call));
            let left = found.is_none() && page.is_free();
            let found = found.or_else(|| if left { choose(call) } else { None });
            if found.is_some() {
                if left {
                    leave_to_mpi(call);
                }
                page.go_on(rank);
                return found;
            }
            choose::progress(call);
            pass.turn(round, patience);
            if !tries.is_multiple_of(TRIES) {
                continue;
            }
        } else if last != Some(round) {
            deferred::resolve(call);
            chosen = choose(call);
            last = Some(round);
            page.chose(rank, round);
        } else {
            page.try_end(round);
        }
        std::thread::yield_now();
    }
}

/// Waits until that is done, whatever others choose.
fn until_done<T>(
    call: &mut OrderedCall,
    done: impl FnMut(&mut OrderedCall) -> Option<T>,
) -> Option<T> {
    until(call, done, |_| None)
}

/// Makes a call of which nothing is seen from outside.
pub fn within(call: &mut OrderedCall, make: impl FnOnce(&mut OrderedCall) -> usize) -> usize {
    let place = with(call, |rule| (rule.page, rule.rank));
    let page: Option<(&'static Page, usize)> = place;
    if let Some((page, rank)) = page {
        page.enter(rank);
    }
    let result = make(call);
    if let Some((page, rank)) = page {
        page.go_on(rank);
    }
    result
}

/// A request of ours, and the code of the call that waits for it.
struct OwnRequest(usize);

impl OwnRequest {
    fn at(&mut self) -> usize {
        &raw mut self.0 as usize
    }

    /// Waits until it is complete; returns the code.
    fn wait(&mut self, call: &mut OrderedCall, status: usize) -> usize {
        let at = self.at();
        let code = until_done(call, |call| test(call, at, status));
        code.unwrap_or_default()
    }
}

/// Tests a request; returns the code if it is complete or there was an error.
fn test(call: &mut OrderedCall, at: usize, status: usize) -> Option<usize> {
    let mut flag = 0i32;
    let flag_at = &raw mut flag as usize;
    let code = call.sibling(id::MPI_TEST, [at, flag_at, status]);
    complete(call, code, flag_at)
}

fn complete(call: &OrderedCall, code: usize, flag_at: usize) -> Option<usize> {
    // SAFETY: the caller's variable, which MPI has just written.
    let flag = unsafe { (flag_at as *const i32).read_volatile() };
    (code as i32 != call.mpi.abi.success || flag != 0).then_some(code)
}

/// Posts by a nonblocking function and waits; returns the code.
fn posted(call: &mut OrderedCall, function: FunctionId, six: [usize; 6], status: usize) -> usize {
    let mut request = OwnRequest(0);
    let [a, b, c, d, e, f] = six;
    let code = call.sibling(function, [a, b, c, d, e, f, request.at()]);
    match code as i32 == call.mpi.abi.success {
        true => request.wait(call, status),
        false => code,
    }
}

/// A blocking send.
pub fn send(call: &mut OrderedCall) -> usize {
    let Some(form) = nonblocking_form(call.function) else {
        return call.go();
    };
    let mut memory: StatusMemory = [0; 8];
    let six = std::array::from_fn(|i| call.raw(i));
    let code = posted(call, form, six, memory.as_mut_ptr() as usize);
    call.done(code)
}

/// A receive is posted whose source is known, and perhaps its tag.
fn takes(call: &OrderedCall, at: &At) {
    let (source, tag) = (call.int(at.source), call.int(at.tag));
    earliest::takes(call, call.comm_handle(at.comm), source, tag);
}

/// It has received: if its tag was not known, its status tells.
fn has_taken(call: &OrderedCall, at: &At, code: usize) {
    let any = call.int(at.tag) == call.mpi.abi.any_tag;
    if !any || code as i32 != call.mpi.abi.success || call.ignores_status(call.raw(at.last)) {
        return;
    }
    // SAFETY: a receive that succeeded has filled its status.
    let tag = unsafe { call.mpi.status_tag(call.status(at.last, 0)) };
    earliest::takes(call, call.comm_handle(at.comm), call.int(at.source), tag);
}

/// A blocking receive whose source is known.
pub fn receive(call: &mut OrderedCall) -> usize {
    let Some(form) = nonblocking_form(call.function) else {
        return call.go();
    };
    let six = std::array::from_fn(|i| call.raw(i));
    const AT: At = at(id::MPI_RECV);
    takes(call, &AT);
    let code = posted(call, form, six, call.raw(AT.last));
    has_taken(call, &AT, code);
    choose::took(call, &AT);
    call.done(code)
}

/// `MPI_Sendrecv`: what is to be received may be chosen only after the send is posted.
pub fn sendrecv(call: &mut OrderedCall) -> usize {
    let large = call.function == id::MPI_SENDRECV_C;
    let six = [0, 1, 2, 3, 4, 10].map(|i| call.raw(i));
    exchange(call, large, six, [5, 6, 7], const { at(id::MPI_SENDRECV) })
}

/// `MPI_Sendrecv_replace`: what is sent is copied first.
pub fn sendrecv_replace(call: &mut OrderedCall) -> usize {
    let large = call.function == id::MPI_SENDRECV_REPLACE_C;
    let Some(copy) = Copied::of(call, 0, 1, 2) else {
        return call.go();
    };
    let mut six = [0, 1, 2, 3, 4, 7].map(|i| call.raw(i));
    six[0] = copy.buffer();
    exchange(
        call,
        large,
        six,
        [0, 1, 2],
        const { at(id::MPI_SENDRECV_REPLACE) },
    )
}

/// Sends, and receives at `at` into the buffer, count and datatype at the arguments `data`.
fn exchange(
    call: &mut OrderedCall,
    large: bool,
    send: [usize; 6],
    data: [usize; 3],
    at: At,
) -> usize {
    let (isend, irecv) = match large {
        true => (id::MPI_ISEND_C, id::MPI_IRECV_C),
        false => (id::MPI_ISEND, id::MPI_IRECV),
    };
    let mut request = OwnRequest(0);
    let [a, b, c, d, e, f] = send;
    let code = call.sibling(isend, [a, b, c, d, e, f, request.at()]);
    if code as i32 != call.mpi.abi.success {
        return call.done(code);
    }
    let received = choose::with_source(call, at, |call| {
        let [buffer, count, datatype] = data.map(|i| call.raw(i));
        let [source, tag, comm] = [at.source, at.tag, at.comm].map(|i| call.raw(i));
        takes(call, &at);
        let six = [buffer, count, datatype, source, tag, comm];
        let code = posted(call, irecv, six, call.raw(at.last));
        has_taken(call, &at, code);
        choose::took(call, &at);
        code
    });
    let mut memory: StatusMemory = [0; 8];
    let sent = request.wait(call, memory.as_mut_ptr() as usize);
    let success = call.mpi.abi.success as usize;
    call.done(if received == success { sent } else { received })
}

/// A blocking probe whose source is known.
pub fn probe(call: &mut OrderedCall) -> usize {
    let matched = call.function == id::MPI_MPROBE;
    let place = match matched {
        true => const { at(id::MPI_MPROBE) },
        false => const { at(id::MPI_PROBE) },
    };
    let a: [usize; 5] = std::array::from_fn(|i| call.raw(i));
    let code = until_done(call, |call| {
        let mut flag = 0i32;
        let at = &raw mut flag as usize;
        let code = match matched {
            true => call.sibling(id::MPI_IMPROBE, [a[0], a[1], a[2], at, a[3], a[4]]),
            false => call.sibling(id::MPI_IPROBE, [a[0], a[1], a[2], at, a[3]]),
        };
        complete(call, code, at)
    });
    let success = code == Some(call.mpi.abi.success as usize);
    if success {
        let tag = match call.ignores_status(call.raw(place.last)) {
            true => call.int(place.tag),
            // SAFETY: a probe that succeeded has filled its status.
            false => unsafe { call.mpi.status_tag(call.status(place.last, 0)) },
        };
        earliest::found(
            call,
            call.comm_handle(place.comm),
            call.int(place.source),
            tag,
        );
    }
    if matched {
        match call.int(place.tag) == call.mpi.abi.any_tag {
            true => has_taken(call, &place, code.unwrap_or_default()),
            false => takes(call, &place),
        }
        choose::took(call, &place);
    }
    call.done(code.unwrap_or_default())
}

/// `MPI_Wait`.
pub fn wait(call: &mut OrderedCall) -> usize {
    const REQUEST: usize = request(id::MPI_WAIT);
    let status = call.raw(const { status(id::MPI_WAIT) });
    let code = until_done(call, |call| {
        deferred::refresh(call, REQUEST, 1);
        test(call, call.raw(REQUEST), status)
    });
    call.done(code.unwrap_or_default())
}

/// `MPI_Waitall`.
pub fn waitall(call: &mut OrderedCall) -> usize {
    let [count, requests, statuses] = [0, 1, 2].map(|i| call.raw(i));
    let code = until_done(call, |call| {
        deferred::refresh_several(call);
        let mut flag = 0i32;
        let at = &raw mut flag as usize;
        let code = call.sibling(id::MPI_TESTALL, [count, requests, at, statuses]);
        complete(call, code, at)
    });
    call.done(code.unwrap_or_default())
}

/// `MPI_Waitany`: the first of the requests that are complete in a quiet moment.
pub fn waitany(call: &mut OrderedCall) -> usize {
    if let Some(result) = by_time(call, completions::waitany) {
        return result;
    }
    let [count, requests, index, status] = [0, 1, 2, 3].map(|i| call.raw(i));
    let code = until(
        call,
        |_| None,
        |call| {
            deferred::refresh_several(call);
            let mut flag = 0i32;
            let at = &raw mut flag as usize;
            let code = call.sibling(id::MPI_TESTANY, [count, requests, index, at, status]);
            complete(call, code, at)
        },
    );
    count_choice(call);
    call.done(code.unwrap_or_default())
}

/// `MPI_Waitsome`: all of the requests that are complete in a quiet moment.
pub fn waitsome(call: &mut OrderedCall) -> usize {
    if let Some(result) = by_time(call, completions::waitsome) {
        return result;
    }
    let a: [usize; 5] = std::array::from_fn(|i| call.raw(i));
    let code = until(
        call,
        |_| None,
        |call| {
            deferred::refresh_several(call);
            let code = call.sibling(id::MPI_TESTSOME, a);
            let none = code as i32 == call.mpi.abi.success && call.int_at(SOME.outcount, 0) == 0;
            (!none).then_some(code)
        },
    );
    count_choice(call);
    call.done(code.unwrap_or_default())
}

/// Makes a wait as the unobserved program would, if its choices are kept and they can be.
fn by_time(call: &mut OrderedCall, wait: fn(&mut OrderedCall) -> Option<usize>) -> Option<usize> {
    earliest::on(call).then(|| wait(call))?
}

/// A choice was made in a quiet moment.
fn count_choice(call: &mut OrderedCall) {
    let by_rule = !earliest::on(call);
    with(call, |rule| rule.chosen += u64::from(by_rule));
}

/// Makes a poll, of which `yes` tells whether the last one has succeeded. That it
/// can succeed is certain at once, but what it finds may be a choice.
pub fn settled(
    call: &mut OrderedCall,
    chooses: bool,
    make: impl FnMut(&mut OrderedCall) -> usize,
    yes: impl Fn(&OrderedCall) -> bool,
) -> usize {
    if earliest::on(call) {
        let known = match chooses {
            true => completions::test(call),
            false => None,
        };
        return known.unwrap_or_else(|| completions::poll(call, make, yes));
    }
    let make = RefCell::new(make);
    let result = until(
        call,
        |call| {
            let result = if chooses {
                None
            } else {
                Some(make.borrow_mut()(call))
            };
            result.filter(|&result| !call.ok(result) || yes(call))
        },
        |call| Some(make.borrow_mut()(call)),
    );
    with(call, |rule| rule.chosen += 1);
    result.unwrap_or_default()
}

/// Members of a collective operation meet, so that it waits for nobody.
pub fn meet(call: &mut OrderedCall, comm: usize) {
    let mut request = OwnRequest(0);
    let passed = call.raw(comm);
    // Who frees a communicator passes its address.
    let by_address = call.lang == Lang::C
        && matches!(call.function, id::MPI_COMM_FREE | id::MPI_COMM_DISCONNECT);
    let handle = match by_address {
        true => call.request_at(comm, 0),
        false => passed,
    };
    let code = call.sibling(id::MPI_IBARRIER, [handle, request.at()]);
    if code as i32 != call.mpi.abi.success {
        return leave_to_mpi(call);
    }
    let mut memory: StatusMemory = [0; 8];
    request.wait(call, memory.as_mut_ptr() as usize);
}
