//! Layers go around each other in their order; the example of ARCHITECTURE.md is one.

use std::sync::atomic::Ordering;

use mpi_abi::{id, FunctionId, Mpi};

use super::example::{self, IN_BARRIERS};
use super::*;
use crate::missing::missing;
use crate::mpi::call::Lang;

/// Adds a digit to what it is given, on the way in.
fn outer(call: &mut Call, next: Next) -> usize {
    let given = call.raw(0);
    call.replace(0, 10 * given + 1);
    next.go(call)
}

/// Adds a digit to what comes back.
fn inner(_: &mut Call, next: Next) -> usize {
    // A layer may make the call otherwise.
    10 * (next.real)(&mut [4]) + 2
}

/// Calls a function that adds 5 to its argument; says so where this machine has no MPI.
fn go(function: FunctionId, layers: &'static [Around], given: usize) -> Option<usize> {
    for name in [c"libmpi.so.40", c"libmpich.so.12"] {
        // SAFETY: an MPI library may be opened at any time, and stays.
        unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    }
    let Ok(mpi) = Mpi::load() else {
        missing("an MPI library, which a call names");
        return None;
    };
    let mut args = [given];
    let mut call = Call {
        function,
        lang: Lang::C,
        mpi,
        args: &mut args,
    };
    let real: Real = &|args| args[0] + 5;
    Some(Next { layers, real }.go(&mut call))
}

#[test]
fn layers_go_around_each_other_in_their_order() {
    let expect = |layers, expected| {
        let came = go(id::MPI_SEND, layers, 7);
        assert!(came.is_none_or(|came| came == expected), "{came:?}");
    };
    expect(&[], 12);
    expect(&[outer], 76);
    expect(&[outer, outer], 716);
    expect(&[outer, inner], 92);
}

#[test]
fn the_example_counts_time_in_barriers_and_nothing_else() {
    let layers: &'static [Around] = &[example::layer];
    if go(id::MPI_SEND, layers, 7).is_none() {
        return;
    }
    assert_eq!(IN_BARRIERS.load(Ordering::Relaxed), 0);
    assert_eq!(go(id::MPI_BARRIER, layers, 7), Some(12));
    assert!(IN_BARRIERS.load(Ordering::Relaxed) > 0);
}

#[test]
fn the_example_is_the_one_of_the_page() {
    let page = include_str!("../../../../../ARCHITECTURE.md");
    let example = include_str!("example.rs").replace("\r\n", "\n");
    assert!(
        page.contains(&example),
        "ARCHITECTURE.md shows another example"
    );
}
