//! Waits and tests: receives that have completed with one count in the order
//! of their posts, collective operations teach what they have to.

use mpi_abi::FunctionId;

use super::online::{with, Online};
use super::receive;
use super::requests::Pending;
use crate::mpi::shape::{completion, Shape};
use crate::order::call::OrderedCall;
use crate::order::call::Row;
use crate::order::wait::{index, want_statuses};

/// Where a wait or test has its arguments.
pub struct Batch {
    count: Option<usize>,
    requests: usize,
    chosen: Chosen,
    flag: Option<usize>,
    status: usize,
}

/// Which of the requests have completed.
#[derive(Clone, Copy)]
enum Chosen {
    /// All of them.
    All,
    /// The one with the index there.
    Index(usize),
    /// As many as said at the first argument, with the indices at the second.
    Indices(usize, usize),
}

/// Of a call for one request.
pub const fn one(function: FunctionId) -> Batch {
    Batch {
        count: None,
        requests: completion::request(function),
        chosen: Chosen::All,
        flag: Shape::of(function).flag(),
        status: completion::status(function),
    }
}

/// Of a call for all of several.
pub const fn all(function: FunctionId) -> Batch {
    let statuses = completion::all(function).statuses;
    several(function, Chosen::All, statuses)
}

/// Of a call for any of several.
pub const fn any(function: FunctionId) -> Batch {
    let at = completion::any(function);
    several(function, Chosen::Index(at.index), at.status)
}

/// Of a call for some of several.
pub const fn some(function: FunctionId) -> Batch {
    let at = completion::some(function);
    several(
        function,
        Chosen::Indices(at.outcount, at.indices),
        at.statuses,
    )
}

const fn several(function: FunctionId, chosen: Chosen, status: usize) -> Batch {
    let requests = completion::requests(function);
    Batch {
        count: Some(requests.count),
        requests: requests.handles,
        chosen,
        flag: Shape::of(function).flag(),
        status,
    }
}

/// A wait or test.
pub fn batch(call: &mut OrderedCall, row: Row, at: &Batch) -> usize {
    if with(|online| online.requests.is_empty()) != Some(false) {
        return row(call);
    }
    let count = at.count.map_or(1, |count| call.len(count));
    let mut handles = with(|online| std::mem::take(&mut online.handles)).unwrap_or_default();
    handles.clear();
    handles.extend((0..count).map(|k| call.request_at(at.requests, k)));
    let has_array = at.count.is_some() && !matches!(at.chosen, Chosen::Index(_));
    let passed = match has_array {
        true => want_statuses(call, at.status, count),
        false => call.want_status(at.status),
    };
    let result = row(call);
    if !call.ok(result) {
        failed(call, at, &handles);
    } else if at.flag.is_none_or(|flag| call.int_at(flag, 0) != 0) {
        with(|online| complete(online, call, at, &handles));
    }
    with(|online| online.handles = handles);
    call.replace(at.status, passed);
    result
}

fn complete(online: &mut Online, call: &mut OrderedCall, at: &Batch, handles: &[usize]) {
    let some = match at.chosen {
        Chosen::All => handles.len(),
        Chosen::Index(_) => 1,
        Chosen::Indices(count, _) => {
            let count = call.int_at(count, 0);
            if count == call.mpi.abi.undefined {
                return;
            }
            count.max(0) as usize
        }
    };
    let mut done = std::mem::take(&mut online.done);
    for n in 0..some {
        let k = match at.chosen {
            Chosen::All => Some(n as u32),
            Chosen::Index(argument) => index(call, argument, 0),
            Chosen::Indices(_, indices) => index(call, indices, n),
        };
        let handle = k.and_then(|k| handles.get(k as usize));
        match handle.and_then(|&handle| online.requests.take(handle)) {
            Some(Pending::Receive(posted)) => {
                done.push((posted, call.status(at.status, n) as usize));
            }
            Some(Pending::Collective(plan, number)) => online.leave(&plan, number),
            None => {}
        }
    }
    done.sort_unstable_by_key(|(posted, _)| posted.turn);
    for (posted, status) in done.drain(..) {
        online.completed(call, posted, status as *const u8, true);
    }
    online.done = done;
}

/// A wait or test failed: its requests may be gone, each with its outcome, of
/// which not all can be asked for.
#[cold]
fn failed(call: &mut OrderedCall, at: &Batch, handles: &[usize]) {
    receive::failed();
    for (k, &handle) in handles.iter().enumerate() {
        if call.request_at(at.requests, k) != call.mpi.abi.request_null {
            continue;
        }
        with(|online| {
            if let Some(Pending::Receive(posted)) = online.requests.take(handle) {
                online.in_turn(posted.turn, None, call.thread);
            }
        });
    }
}
