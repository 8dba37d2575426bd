//! Counting a call that goes the long way: into the hash, to the watchdog, against the record.

use super::call::OrderedCall;
use super::diverge;
use super::hash::{mix, Looked, INTEGERS, LOOKED, NONE};
use super::trace_comparison;
use crate::base::site;
use crate::mpi::call::Lang;

/// Counts a call, and marks every so many.
pub fn count(call: &mut OrderedCall) {
    let looked = &LOOKED[call.function.index()];
    let mut mixed = u64::from(call.function.0) + 1;
    for (k, &at) in looked.integers.iter().enumerate() {
        if at == NONE {
            break; // what is looked at comes first
        }
        mixed ^= mix(integer(call, at), k);
    }
    if call.thread.hot.watched {
        tell_watchdog(call, looked);
    }
    if looked.comm != NONE {
        mixed = mixed.wrapping_add(u64::from(call.comm_number(usize::from(looked.comm))) << 40);
    }
    let due = call.thread.hot.hash.is_due();
    call.thread.hot.hash.add(mixed);
    if call.thread.hot.is_past_end() {
        call.thread.beyond();
    }
    if call.thread.comparison.is_some() {
        trace_comparison::compare(call);
    }
    if due {
        mark(call);
    }
}

/// Returns an integer argument; the upper half of a register that holds an `int` is undefined.
#[inline(always)]
fn integer(call: &OrderedCall, at: u8) -> u32 {
    match call.lang {
        Lang::C => call.raw(usize::from(at)) as u32,
        Lang::Fortran => call.int_at(usize::from(at), 0) as u32,
    }
}

#[inline]
fn tell_watchdog(call: &OrderedCall, looked: &Looked) {
    let place = &call.thread.shared.place;
    for (k, &at) in looked.integers.iter().enumerate() {
        if at != NONE {
            place.about(k, integer(call, at));
        }
    }
    place.at(site::noted());
}

/// Writes the hash so far, and compares it with the record's.
#[cold]
pub fn mark(call: &mut OrderedCall) {
    let thread = &mut *call.thread;
    let hash = thread.hot.hash.short();
    thread
        .out
        .put(|encoder, writer| encoder.checkpoint(writer, hash));
    // Where threads take turns, others may have done what this one did.
    let together = thread.session.is_serial();
    let cursor = thread.cursor.as_mut().filter(|_| !together);
    let expected = cursor.and_then(|cursor| cursor.checkpoint());
    if let Some(expected) = expected {
        if expected != hash {
            diverge::at_checkpoint(call);
        }
    }
}

/// Returns the integers of a call and, behind them, the thread's number of its communicator.
pub fn integers(call: &mut OrderedCall) -> ([u32; INTEGERS + 1], usize) {
    let looked = &LOOKED[call.function.index()];
    let (mut found, mut count) = ([0; INTEGERS + 1], 0);
    for &at in looked.integers.iter().filter(|&&at| at != NONE) {
        found[count] = integer(call, at);
        count += 1;
    }
    if looked.comm != NONE {
        found[count] = call.comm_number(usize::from(looked.comm));
        count += 1;
    }
    (found, count)
}
