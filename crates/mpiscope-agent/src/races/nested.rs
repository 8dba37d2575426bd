//! Calls within calls: what the program does in callbacks that MPI makes
//! (attributes copied and deleted, error handlers, generalized requests).
//!
//! They are numbered and compared as all others, or else the two ends of a
//! channel would count differently. The order record does not hold their choices.
//! A Fortran binding that calls its C function is no callback.

use std::sync::atomic::{AtomicU32, Ordering};

use super::rows::around;
use crate::mpi::call::Lang;
use crate::order::call::OrderedCall;
use crate::order::call::Row;

/// The call that is being made: its function, and bits from below.
static OUTER: AtomicU32 = AtomicU32::new(0);
/// It is a callback's.
const NESTED: u32 = 1 << 31;
/// It is one of the Fortran binding, which has not called its C function yet.
const BINDING: u32 = 1 << 30;

/// Returns whether the call that is being made is a callback's.
#[inline]
pub fn is_nested() -> bool {
    OUTER.load(Ordering::Relaxed) & NESTED != 0
}

/// Makes an outermost call around the order's own row.
#[inline]
pub fn outermost(call: &mut OrderedCall, row: Row) -> usize {
    begin(call);
    around(call, row)
}

#[inline]
fn begin(call: &OrderedCall) {
    let binding = if call.lang == Lang::Fortran {
        BINDING
    } else {
        0
    };
    OUTER.store(u32::from(call.function.0) | binding, Ordering::Relaxed);
}

/// Makes a call within another.
#[cold]
pub fn nested(call: &mut OrderedCall) -> usize {
    let outer = OUTER.load(Ordering::Relaxed);
    let function = u32::from(call.function.0);
    if call.lang == Lang::C && outer & !NESTED == function | BINDING {
        OUTER.store(outer & !BINDING, Ordering::Relaxed);
        return call.go();
    }
    begin(call);
    OUTER.fetch_or(NESTED, Ordering::Relaxed);
    // The call outside still needs what MPI wrote, or writes, there.
    let status = call.thread.status;
    let statuses = std::mem::take(&mut call.thread.statuses);
    let result = around(call, |call| call.go());
    call.thread.status = status;
    call.thread.statuses = statuses;
    OUTER.store(outer, Ordering::Relaxed);
    result
}
