//! The order of a run: recorded, or enforced in another run.
//!
//! Independent of tracing: a row per function of its own (`table`), state of
//! its own per thread (`state`), and on the common path no clock, no lock and
//! no allocation. A row goes around the real call: it sees the arguments,
//! makes the call (or, in replay, another that comes to the same), and sees
//! the results.
//!
//! Recording, a receive from anybody leaves one byte (`mpiscope_run::order`).
//! In replay, its source and tag are put in when it is posted, so that MPI
//! itself holds the others back; waits for one of many wait for the one
//! recorded; polls say no until their count is reached, and then wait until
//! they can say yes.

mod activity;
pub mod around;
pub mod call;
mod cancel;
mod comms;
mod copy;
pub mod count_call;
mod debugged;
mod deterministic;
mod diverge;
pub mod envelope;
mod fast_path;
mod finish;
mod flight;
mod forms;
pub mod hash;
mod latest_messages;
mod messages;
mod nondeterminism;
mod out;
mod outcome;
mod persistent;
mod persistent_receives;
mod poll;
mod post;
mod probe;
mod receive;
mod report;
mod requests;
mod serial;
mod serial_calls;
pub mod settings;
pub mod start;
pub mod state;
mod stop_at;
mod table;
pub mod thread;
mod trace_comparison;
mod traced_calls;
mod turns;
pub mod wait;
mod watch;
mod within;

use mpi_abi::id;
use mpiscope_run::order::Undetermined;

use crate::base::path::{is_at_work, Layer};
use crate::mpi::call::Call;
use crate::mpi::layers::Next;
use around::around;
use call::{OrderedCall, Row};
use within::Within;

pub use fast_path::short;
pub use finish::finish;
pub use settings::Settings;
pub use start::{begin, start, start_by_itself, Plan};
pub use within::jumps;

/// Returns whether calls are to go through [`layer`].
#[inline]
pub fn on() -> bool {
    is_at_work(Layer::Order)
}

/// Returns whether this thread is in a call that is recorded or led.
#[inline]
pub fn within() -> bool {
    thread::known().is_some_and(|thread| thread.get().hot.nesting.is_nested())
}

/// Makes a call with its order recorded or enforced; calls within it pass through.
#[inline(never)]
pub fn layer(call: &mut Call, next: Next) -> usize {
    // An order begins after MPI_Init; one that a session began before it does not count it either.
    let is_init = [id::MPI_INIT, id::MPI_INIT_THREAD].contains(&call.function);
    if !on() || is_init {
        return next.go(call);
    }
    let Some(current) = thread::current() else {
        return next.go(call);
    };
    let thread = current.get();
    let (function, lang) = (call.function, call.lang);
    let is_outermost = thread.enter(function);
    let is_first = is_outermost && thread.hot.hash.calls() == 0;
    let mut call = OrderedCall {
        call: Call {
            args: call.args,
            ..*call
        },
        next,
        thread,
    };
    if !is_outermost {
        nondeterminism::callback(&mut call);
        return match around() {
            Some(around) => (around.nested)(&mut call),
            None => call.go(),
        };
    }
    call.thread.outer = Some((function, lang));
    let within = Within::of(current);
    if is_first && call.thread.number > 0 {
        nondeterminism::note(&mut call, Undetermined::Threads);
    }
    count_call::count(&mut call);
    let result = by_row(&mut call, table::row(function));
    within.close();
    result
}

#[inline]
fn by_row(call: &mut OrderedCall, row: Option<Row>) -> usize {
    if let Some(around) = around() {
        return (around.outermost)(call, row.unwrap_or(|call| call.go()));
    }
    if deterministic::on(call) {
        return deterministic::around(call, row);
    }
    match row {
        Some(row) => row(call),
        None => call.go(),
    }
}
