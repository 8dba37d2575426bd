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

pub(crate) mod call;
mod cancel;
mod canonical;
mod comms;
mod copy;
mod diverge;
mod finish;
mod flight;
mod guide;
pub(crate) mod hash;
mod lean;
mod lineage;
mod messages;
mod persistent;
mod poll;
mod post;
mod probe;
mod receive;
mod requests;
mod serial;
mod stand;
pub mod start;
pub(crate) mod state;
pub(crate) mod table;
pub(crate) mod thread;
mod turns;
pub(crate) mod unrecorded;
pub(crate) mod wait;
mod watch;
mod witness;

use std::sync::atomic::{AtomicBool, Ordering};

use mpi_abi::FunctionId;
use mpiscope_run::order::Undetermined;

use crate::monitor::enforced::Shown;
use crate::monitor::ClockLine;
use crate::mpi::call::{Call, Lang};
use crate::{observe, online, payload, site};
use call::OrderedCall;
use thread::Thread;

pub use finish::finish;
pub use lean::short;
pub use lineage::uncounted;
pub use start::{start, Settings};

/// Whether calls are recorded or led.
static ON: AtomicBool = AtomicBool::new(false);

/// Returns whether calls are to go through [`observed`].
#[inline]
pub fn on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// Returns whether this thread is in a call that is recorded or led.
#[inline]
pub fn within() -> bool {
    // SAFETY: a thread's state is its own, and only its end frees it.
    let thread = unsafe { site::order().cast::<Thread>().as_ref() };
    thread.is_some_and(|thread| thread.hot.nested)
}

/// Begins, or ends.
pub fn switch(on: bool) {
    ON.store(on, Ordering::Release);
    observe::settle();
}

/// Returns where this process shows its virtual time, if its choices depend on that of others.
pub fn shown() -> Option<&'static Shown> {
    let session = state::get()?;
    session.earliest?;
    session.page?.shown(session.rank as usize)
}

/// Shows this process's clock to other hosts, if its choices depend on theirs.
pub fn show_line(line: ClockLine) {
    let session = state::get();
    if let Some((session, page)) = session.and_then(|session| Some((session, session.page?))) {
        page.show_line(session.rank as usize, line);
    }
}

/// Ends to look what ranks of other hosts do.
///
/// # Safety
/// MPI is up, and all ranks come here.
pub unsafe fn leave_hosts() {
    if let Some(page) = state::get().and_then(|session| session.page) {
        // SAFETY: said by the caller.
        unsafe { page.leave() };
    }
}

/// The calling thread ends: its stream of choices does, too.
pub fn end_thread() {
    thread::end();
}

/// Resets a thread's nesting when the call returns, by whichever way.
pub struct Outermost(pub *mut Thread);

impl Drop for Outermost {
    fn drop(&mut self) {
        // SAFETY: a thread's state lives as long as the thread, and this is its thread.
        let thread = unsafe { &mut *self.0 };
        thread.outer = None;
        thread.leave();
    }
}

/// Makes a call with its order recorded or enforced; calls within it pass through.
#[inline(never)]
pub fn observed(
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    real: &dyn Fn(&mut [usize]) -> usize,
) -> usize {
    let current = thread::current();
    // SAFETY: a thread's state lives as long as the thread, which alone touches it.
    let Some(thread) = (unsafe { current.as_mut() }) else {
        return real(args);
    };
    let is_outermost = thread.enter(function);
    let is_first = is_outermost && thread.hot.hash.calls() == 0;
    let mut call = OrderedCall {
        call: Call {
            function,
            lang,
            mpi: thread.session.mpi,
            args,
        },
        real,
        thread,
    };
    if !is_outermost {
        unrecorded::callback(&mut call);
        return match online::on() {
            true => online::nested(&mut call),
            false => call.go(),
        };
    }
    call.thread.outer = Some((function, lang));
    let _outermost = Outermost(current);
    if is_first && call.thread.number > 0 {
        unrecorded::note(&mut call, Undetermined::Threads);
    }
    hash::count(&mut call);
    by_row(&mut call, table::row(function))
}

#[inline]
fn by_row(call: &mut OrderedCall, row: Option<table::Row>) -> usize {
    if payload::on() {
        return payload::around(call, row.unwrap_or(|call| call.go()));
    }
    if online::on() {
        return online::outermost(call, row.unwrap_or(|call| call.go()));
    }
    if canonical::on(call) {
        return canonical::around(call, row);
    }
    match row {
        Some(row) => row(call),
        None => call.go(),
    }
}
