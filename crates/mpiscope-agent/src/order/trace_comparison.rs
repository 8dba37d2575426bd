//! What the trace of the recorded run tells of a thread's calls. Each call of
//! a replay is compared with the one in its place, so that the first that
//! differs is found where it is made; without a trace, the hash finds the
//! 1024 calls among which it is.

use mpi_abi::{Direction, Passing, FUNCTIONS};
use mpiscope_run::order::calls::{Called, Envelope, LAST};

use super::call::OrderedCall;
use super::diverge;
use super::traced_calls::TraceComparison;

/// Compares a call that is about to be made.
pub fn compare(call: &mut OrderedCall) {
    let Some(mut comparison) = call.thread.comparison.take() else {
        return;
    };
    // Beyond what was traced nothing is known.
    let name = call.function.function().name;
    let Some(traced) = comparison.advance(name) else {
        return;
    };
    let same = traced.function == name && sides_agree(call, &mut comparison, traced);
    if same {
        call.thread.comparison = Some(comparison);
    } else {
        diverge::at_call(call, described(traced), traced.site.to_owned());
    }
}

/// Compares MPI_Finalize; returns the call recorded in its place, if that is another.
pub fn at_end(call: &mut OrderedCall) -> Option<(String, String)> {
    let traced = call.thread.comparison.as_mut()?.following()?;
    (traced.function != LAST).then(|| (described(traced), traced.site.to_owned()))
}

/// Names a traced call as `hash::described` names one being made.
fn described(called: Called) -> String {
    let sides = [("dest", called.sent), ("source", called.asked)];
    let words = sides.iter().filter_map(|(peer, side)| {
        let side = side.as_ref()?;
        let word = |value: Option<u32>| value.map_or("any".to_owned(), |v| v.to_string());
        let (rank, tag) = (word(side.peer), word(side.tag));
        Some(format!("{peer}={rank}, tag={tag}"))
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        return called.function.to_owned();
    }
    let bytes = sides.iter().find_map(|(_, side)| side.as_ref()?.bytes);
    let bytes = bytes.map_or_else(String::new, |bytes| format!(", {bytes} bytes"));
    format!("{}({}){bytes}", called.function, words.join(", "))
}

const NONE: u8 = u8::MAX;

/// Where a function has the arguments of a message.
#[derive(Clone, Copy)]
struct Side {
    peer: u8,
    tag: u8,
    count: u8,
    datatype: u8,
}

const NO_SIDE: Side = Side {
    peer: NONE,
    tag: NONE,
    count: NONE,
    datatype: NONE,
};

/// Of each function: what it sends, what it asks for, and the communicator.
static SIDES: [(Side, Side, u8); FUNCTIONS.len()] = table();

const fn table() -> [(Side, Side, u8); FUNCTIONS.len()] {
    let mut all = [(NO_SIDE, NO_SIDE, NONE); FUNCTIONS.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = sides(index);
        index += 1;
    }
    all
}

const fn sides(index: usize) -> (Side, Side, u8) {
    let args = FUNCTIONS[index].args;
    let (mut sent, mut asked, mut comm) = (NO_SIDE, NO_SIDE, NONE);
    let mut i = 0;
    while i < args.len() {
        let at = i as u8;
        let given = matches!(args[i].passing, Passing::Value)
            && !matches!(args[i].direction, Direction::Out);
        match args[i].name.as_bytes() {
            _ if !given => {}
            b"dest" => sent.peer = at,
            b"source" => asked.peer = at,
            b"sendtag" => sent.tag = at,
            b"recvtag" => asked.tag = at,
            b"sendcount" => sent.count = at,
            b"recvcount" => asked.count = at,
            b"sendtype" => sent.datatype = at,
            b"recvtype" => asked.datatype = at,
            b"tag" => (sent.tag, asked.tag) = (at, at),
            b"count" => (sent.count, asked.count) = (at, at),
            b"datatype" => (sent.datatype, asked.datatype) = (at, at),
            b"comm" => comm = at,
            _ => {}
        }
        i += 1;
    }
    (sent, asked, comm)
}

/// Compares the envelopes that the trace has with those that the call is given.
fn sides_agree(call: &mut OrderedCall, comparison: &mut TraceComparison, traced: Called) -> bool {
    let (sent, asked, comm) = SIDES[call.function.index()];
    [(sent, traced.sent), (asked, traced.asked)]
        .into_iter()
        .all(|(side, traced)| match traced {
            Some(traced) if side.peer != NONE && comm != NONE => {
                side_agrees(call, side, traced)
                    && comparison.same_comm(traced.comm, call.comm_number(usize::from(comm)))
            }
            _ => true,
        })
}

fn side_agrees(call: &OrderedCall, side: Side, traced: Envelope) -> bool {
    let abi = &call.mpi.abi;
    let rank = |wild: i32, value: i32| (value != wild).then_some(value as u32);
    let peer = rank(abi.any_source, call.int(usize::from(side.peer)));
    let tag = rank(abi.any_tag, call.int(usize::from(side.tag)));
    let bytes = match side.count {
        NONE => None,
        _ => bytes(call, side),
    };
    let same_bytes = traced.bytes.is_none() || bytes.is_none() || bytes == traced.bytes;
    (peer, tag) == (traced.peer, traced.tag) && same_bytes
}

/// Returns how many bytes a count of a datatype is.
fn bytes(call: &OrderedCall, side: Side) -> Option<u64> {
    let large = call.function.function().name.ends_with("_c");
    let count = match large {
        true => call.raw(usize::from(side.count)) as u64,
        false => u64::try_from(call.int(usize::from(side.count))).ok()?,
    };
    let datatype = call.datatype(usize::from(side.datatype));
    if count == 0 || datatype == call.mpi.abi.datatype_null {
        return Some(0);
    }
    // SAFETY: the program passes this datatype to MPI in the same call.
    let size = unsafe { call.mpi.type_size(datatype) }.ok()?;
    Some(count.saturating_mul(size))
}

/// Returns the bytes of the message that a call sends, or has room for.
pub fn bytes_of(call: &OrderedCall) -> Option<u64> {
    let (sent, asked, _) = SIDES[call.function.index()];
    [sent, asked]
        .into_iter()
        .find(|side| side.peer != NONE && side.count != NONE)
        .and_then(|side| bytes(call, side))
}
