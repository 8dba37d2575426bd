//! How many calls the program has made within others that had something to tell.

use std::sync::atomic::{AtomicU64, Ordering};

use mpi_abi::{FunctionId, FUNCTIONS};
use mpiscope_run::process::Definition;

use crate::base::definitions;
use crate::base::path::leave_short_ways;
use crate::facts::filter;

/// Of each function.
static CALLS: [AtomicU64; FUNCTIONS.len()] = [const { AtomicU64::new(0) }; FUNCTIONS.len()];

/// Notes that such a call has done what events would tell; a run that dies has told of at least
/// half of them. From the first one on each call looks whether something was counted that is to be
/// told.
pub fn note(function: FunctionId) {
    let calls = CALLS[function.index()].fetch_add(1, Ordering::Relaxed) + 1;
    if calls == 1 {
        filter::looks_from_now_on();
        leave_short_ways();
    }
    if calls.is_power_of_two() {
        tell(function.0, calls);
    }
}

/// Defines how many such calls there were.
pub fn define() {
    for (function, calls) in (0..).zip(&CALLS) {
        let calls = calls.load(Ordering::Relaxed);
        if calls > 0 {
            tell(function, calls);
        }
    }
}

fn tell(function: u16, calls: u64) {
    let function = function.into();
    definitions::tell(&Definition::Within { function, calls });
}
