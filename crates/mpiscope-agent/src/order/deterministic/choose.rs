//! Whose message a receive from anybody takes.

use mpi_abi::{id, pmpi};
use mpiscope_run::order::Taken;

use super::block::until;
use super::memory::Batch;
use super::{deferred, earliest, with};
use crate::mpi::call::{Lang, StatusMemory};
use crate::order::call::OrderedCall;
use crate::order::envelope::At;
use crate::order::envelope::Wild;
use crate::peers::virtual_time::time;

/// Whether two tags, wildcards among them, can be of one message.
pub fn overlap(any: i32, a: i32, b: i32) -> bool {
    a == b || a == any || b == any
}

/// Returns whose message a blocking receive or probe from anybody takes, once that is decided.
pub fn source(call: &mut OrderedCall, at: At, wild: Wild) -> Option<Taken> {
    if !wild.source {
        return None; // of one rank's messages the order is MPI's rule
    }
    let (comm, tag) = (call.comm_handle(at.comm), call.int(at.tag));
    if earliest::on(call) {
        return earliest_source(call, comm, tag, wild);
    }
    let known = match deferred::overlaps(call, comm, tag) {
        true => None,
        false => first(call, comm, tag),
    };
    let source = match known {
        Some(source) => source,
        None => until(call, |_| None, |call| found_now(call, comm, tag))?,
    };
    with(call, |rule| rule.chosen += 1);
    taken(call, comm, source, tag, wild)
}

/// The same where the choices of the unobserved program are kept.
fn earliest_source(call: &mut OrderedCall, comm: usize, tag: i32, wild: Wild) -> Option<Taken> {
    let look = |call: &mut OrderedCall| match deferred::overlaps(call, comm, tag) {
        true => None,
        false => earliest::next(call, comm, tag).map(|(sent, found)| (sent, (sent, found))),
    };
    let (sent, (source, tag)) = earliest::until(call, |_| None, look)?;
    earliest::chose(call, sent);
    let tag = wild.tag.then_some(tag);
    Some(Taken { source, tag })
}

/// Returns the next rank of a batch, if there is one.
fn first(call: &mut OrderedCall, comm: usize, tag: i32) -> Option<u32> {
    let batch = with(call, |rule| {
        let mut batches = rule.batches.iter();
        let batch = batches.find(|batch| (batch.comm, batch.tag) == (comm, tag));
        batch.and_then(|batch| batch.sources.first().copied())
    });
    batch.flatten()
}

/// In a quiet moment: returns the first rank of a batch, which is made if there is none.
pub fn found_now(call: &mut OrderedCall, comm: usize, tag: i32) -> Option<u32> {
    if let Some(source) = first(call, comm, tag) {
        return Some(source);
    }
    let session = call.thread.session;
    let size = call.thread.comms.get(call.mpi, &session.freed, comm).size;
    let there = |&source: &u32| is_there(call, comm, source as i32, tag).is_some();
    let sources: Vec<u32> = (0..size).filter(there).collect();
    let first = sources.first().copied();
    with(call, |rule| {
        let batches = &mut rule.batches;
        batches.retain(|batch| (batch.comm, batch.tag) != (comm, tag));
        if !sources.is_empty() {
            batches.push(Batch { comm, tag, sources });
        }
    });
    first
}

/// Returns what is taken from a rank: with its tag, if that was left open.
pub fn taken(call: &OrderedCall, comm: usize, source: u32, tag: i32, wild: Wild) -> Option<Taken> {
    let tag = match wild.tag {
        false => None,
        true => Some(is_there(call, comm, source as i32, tag)?),
    };
    Some(Taken { source, tag })
}

/// Returns the tag of a rank's first message that fits, if it has arrived.
pub fn is_there(call: &OrderedCall, comm: usize, source: i32, tag: i32) -> Option<u32> {
    let mut flag = 0i32;
    let mut status: StatusMemory = [0; 8];
    type Iprobe = unsafe extern "C-unwind" fn(i32, i32, usize, *mut i32, *mut u64) -> i32;
    let found = pmpi(id::MPI_IPROBE)?;
    // SAFETY: this is PMPI_Iprobe of C; handles are passed in whole registers, and both results are ours.
    let code = unsafe {
        let iprobe: Iprobe = std::mem::transmute(found);
        iprobe(source, tag, comm, &mut flag, status.as_mut_ptr())
    };
    if code != call.mpi.abi.success || flag == 0 {
        return None;
    }
    // SAFETY: a successful probe has filled it.
    let tag = unsafe { call.mpi.status_tag(status.as_ptr().cast()) };
    u32::try_from(tag).ok()
}

/// Lets MPI get on with its work: a poll that finds nothing does.
pub fn progress(call: &OrderedCall) {
    let session = call.thread.session;
    is_there(call, session.never, session.rank as i32, 0);
}

/// A message of a named rank is taken: it is nobody's choice any more. The
/// arguments are those of the call as it is made.
pub fn took(call: &mut OrderedCall, at: &At) {
    let (source, tag, comm) = (
        call.int(at.source),
        call.int(at.tag),
        call.comm_handle(at.comm),
    );
    gone(call, comm, source, tag);
}

/// The same, in C's terms.
pub fn gone(call: &mut OrderedCall, comm: usize, source: i32, tag: i32) {
    let any = call.mpi.abi.any_tag;
    with(call, |rule| {
        for batch in &mut rule.batches {
            if batch.comm == comm && overlap(any, batch.tag, tag) {
                batch.sources.retain(|&other| other as i32 != source);
            }
        }
    });
}

/// Makes a receive with the source put in, if it was left open.
pub fn with_source(
    call: &mut OrderedCall,
    at: At,
    make: impl FnOnce(&mut OrderedCall) -> usize,
) -> usize {
    let wild = call.wild(at.source, at.tag);
    let Some(taken) = self::source(call, at, wild) else {
        return make(call);
    };
    let passed = call.raw(at.source);
    let chosen = taken.source as i32;
    match call.lang {
        Lang::C => call.replace(at.source, chosen as u32 as usize),
        Lang::Fortran => call.replace(at.source, &raw const chosen as usize),
    }
    let result = make(call);
    call.replace(at.source, passed);
    result
}

/// `MPI_Iprobe` and `MPI_Improbe` from anybody: returns what is found, nothing if nothing is there.
pub fn found(call: &mut OrderedCall, at: At, wild: Wild) -> Option<Taken> {
    let (comm, tag) = (call.comm_handle(at.comm), call.int(at.tag));
    if earliest::on(call) {
        return earliest_found(call, comm, tag, wild);
    }
    let source = match first(call, comm, tag) {
        Some(source) => Some(source),
        None => until(call, |_| None, |call| Some(found_now(call, comm, tag))).flatten(),
    };
    with(call, |rule| rule.chosen += 1);
    taken(call, comm, source?, tag, wild)
}

/// The same where the choices of the unobserved program are kept: what was sent after the poll
/// had begun was not there.
fn earliest_found(call: &mut OrderedCall, comm: usize, tag: i32, wild: Wild) -> Option<Taken> {
    let ready = time().ready();
    let look = |call: &mut OrderedCall| {
        let there = match deferred::overlaps(call, comm, tag) {
            true => None,
            false => earliest::next(call, comm, tag).filter(|(sent, _)| *sent <= ready),
        };
        Some((there.map_or(ready, |(sent, _)| sent), there))
    };
    let found = earliest::until_polled(call, |_| None, look).flatten();
    earliest::chose(call, found.map_or(ready, |(sent, _)| sent));
    let (_, (source, tag)) = found?;
    let tag = wild.tag.then_some(tag);
    Some(Taken { source, tag })
}
