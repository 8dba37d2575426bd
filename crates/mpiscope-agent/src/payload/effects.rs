//! What a call does to the program's memory, step by step: one walk, by which
//! a recording saves what is there and a process alone gets it put back.
//!
//! Later steps look at what earlier ones have put there (how many indices
//! MPI_Waitsome returned), and so both walks go the same way.

use mpi_abi::Kind;

use super::args::{received, Frame};
use super::places::Region;
use super::requests::{Pending, Requests};
use super::rules::{Completes, Length, Rule};
use crate::order::call::OrderedCall;

/// What is done with each piece.
pub trait Io {
    /// A number that only the recorded process can know.
    fn number(&mut self, ask: impl FnOnce() -> u64) -> u64;
    /// Memory as it is.
    fn memory(&mut self, address: usize, length: usize);
    /// Data, of which so many bytes were received, or all.
    fn data(&mut self, call: &OrderedCall, region: &Region, limit: impl FnOnce() -> Option<u64>);
    /// A communicator, group or message that the call returned.
    fn handle(&mut self, call: &mut OrderedCall, kind: Kind, at: usize);
    /// A request that the call returned: its number among the pending ones.
    fn posted(&mut self, call: &mut OrderedCall, at: usize) -> usize;
    /// Whether a request is null after the call; `k` counts those at argument `at`.
    fn nulled(&mut self, call: &mut OrderedCall, at: usize, k: usize);
    /// Something that the record cannot hold.
    fn leave_out(&mut self, call: &OrderedCall, why: &'static str);
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Well.
    Done,
    /// With errors that its statuses tell.
    InStatus,
    /// With an error.
    Failed,
}

/// Walks over what a call that has ended did. `before` are the requests as
/// they were passed to it.
pub fn walk(
    call: &mut OrderedCall,
    rule: &Rule,
    frame: &Frame,
    end: End,
    before: &[usize],
    requests: &mut Requests,
    io: &mut impl Io,
) {
    if end == End::Failed {
        for (k, _) in before.iter().enumerate() {
            io.nulled(call, array_of(rule), k);
        }
        return;
    }
    integers(call, rule, io);
    if let Some(flag) = rule.flag.filter(|_| rule.status.is_some()) {
        if call.int_at(flag, 0) == 0 {
            return;
        }
    }
    statuses(call, rule, before.len(), io);
    for &(at, kind) in &rule.handles {
        io.handle(call, kind, at);
    }
    match rule.posts {
        Some(at) => post(call, rule, frame, at, requests, io),
        None => direct(call, rule, frame, io),
    }
    complete(call, rule, end, before, requests, io);
}

/// Where the requests of a call lie that are given to it.
fn array_of(rule: &Rule) -> usize {
    usize::from(!matches!(rule.completes, Some(Completes::One) | None))
}

fn integers(call: &mut OrderedCall, rule: &Rule, io: &mut impl Io) {
    let of = |length: &Length| matches!(length, Length::One(_) | Length::Said(_));
    for (at, length) in rule.integers.iter().filter(|(_, length)| of(length)) {
        let bytes = match length {
            Length::One(bytes) => *bytes,
            Length::Said(count) => 4 * call.len(*count),
            _ => 0,
        };
        io.memory(call.raw(*at), bytes);
    }
    for (at, length) in &rule.integers {
        if let Length::Returned(count) = length {
            io.memory(call.raw(*at), 4 * returned(call, *count));
        }
        if *length == Length::Topology {
            weights(call, *at, io);
        }
    }
}

/// The weights of a distributed graph, which nobody writes if it has none (MPI 4.1, §8.5.4).
fn weights(call: &mut OrderedCall, at: usize, io: &mut impl Io) {
    let comm = call.comm_handle(0);
    let weighted = io.number(|| u64::from(super::handles::is_weighted(comm)));
    if weighted != 0 {
        let length = 4 * call.len(at - 2);
        io.memory(call.raw(at), length);
    }
}

/// Returns a number that a call has written; MPI_UNDEFINED counts as 0.
fn returned(call: &OrderedCall, at: usize) -> usize {
    match call.int_at(at, 0) {
        n if n == call.mpi.abi.undefined => 0,
        n => n.max(0) as usize,
    }
}

fn statuses(call: &OrderedCall, rule: &Rule, given: usize, io: &mut impl Io) {
    let Some(at) = rule.status else { return };
    let count = match rule.completes {
        Some(Completes::All) => given,
        Some(Completes::Some) => returned(call, 2),
        _ => 1,
    };
    io.memory(call.raw(at), count * call.mpi.abi.status.size);
}

/// Data that is there when the call returns.
fn direct(call: &mut OrderedCall, rule: &Rule, frame: &Frame, io: &mut impl Io) {
    for region in received(call, rule, frame) {
        let status = rule.status;
        io.data(call, &region, || status.map(|at| bytes(call, at, 0)));
    }
}

/// The bytes that a status tells of.
fn bytes(call: &OrderedCall, at: usize, k: usize) -> u64 {
    let status = call.status(at, k);
    // SAFETY: MPI or the record has filled this status.
    unsafe {
        match call.mpi.test_cancelled(status) {
            Ok(true) => 0,
            _ => call.mpi.status_bytes(status).unwrap_or(0),
        }
    }
}

/// A request that begins.
fn post(
    call: &mut OrderedCall,
    rule: &Rule,
    frame: &Frame,
    at: usize,
    requests: &mut Requests,
    io: &mut impl Io,
) {
    let key = io.posted(call, at);
    let mut regions = received(call, rule, frame);
    // Operations that are complete at once share one handle, in both MPIs.
    let early = rule.collective && !rule.persistent && io.number(|| requests.is_done(key)) != 0;
    if early {
        for region in regions.drain(..) {
            io.data(call, &region, || None);
        }
    }
    let sent = match rule.persistent {
        true => super::args::sent(call, rule, frame),
        false => Vec::new(),
    };
    if regions.is_empty() && sent.is_empty() {
        return;
    }
    let retained = |regions: Vec<Region>| {
        let all = regions.into_iter();
        all.map(|region| region.retained(call.mpi)).collect()
    };
    let pending = Pending {
        receives: retained(regions),
        sends: retained(sent),
        is_message: !rule.collective,
        persistent: rule.persistent,
    };
    requests.insert(key, pending);
}

/// Requests that end.
fn complete(
    call: &mut OrderedCall,
    rule: &Rule,
    end: End,
    before: &[usize],
    requests: &mut Requests,
    io: &mut impl Io,
) {
    let Some(completes) = rule.completes else {
        return;
    };
    let at = array_of(rule);
    let index =
        |call: &OrderedCall, at, n| crate::order::wait::index(call, at, n).map(|k| k as usize);
    match completes {
        Completes::One => one(call, rule, end, (at, 0, 0), before, requests, io),
        Completes::All => {
            for k in 0..before.len() {
                one(call, rule, end, (at, k, k), before, requests, io);
            }
        }
        Completes::Any => {
            if let Some(k) = index(call, 2, 0) {
                one(call, rule, end, (at, k, 0), before, requests, io);
            }
        }
        Completes::Some => {
            for n in 0..returned(call, 2) {
                if let Some(k) = index(call, 3, n) {
                    one(call, rule, end, (at, k, n), before, requests, io);
                }
            }
        }
    }
}

/// One that ends: request `k` of those at an argument, with the nth status.
fn one(
    call: &mut OrderedCall,
    rule: &Rule,
    end: End,
    (at, k, n): (usize, usize, usize),
    before: &[usize],
    requests: &mut Requests,
    io: &mut impl Io,
) {
    io.nulled(call, at, k);
    let Some(pending) = before.get(k).and_then(|&key| requests.take(key)) else {
        return;
    };
    let Some(status) = rule.status else {
        // MPI_Request_free: what is still to come is never seen to be there.
        if !pending.receives.is_empty() && !pending.persistent {
            io.leave_out(
                call,
                "what a request receives after it was freed is not recorded",
            );
        }
        return pending.release();
    };
    // SAFETY: MPI or the record has filled this status.
    let error = unsafe { call.mpi.status_error(call.status(status, n)) };
    if end == End::Done || error == call.mpi.abi.success {
        for region in &pending.receives {
            let limit = || pending.is_message.then(|| bytes(call, status, n));
            io.data(call, region, limit);
        }
    }
    match (pending.persistent, before.get(k)) {
        (true, Some(&key)) => requests.insert(key, pending),
        _ => pending.release(),
    }
}
