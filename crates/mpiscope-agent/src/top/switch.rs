//! MPI_Pcontrol switches recording off and on (MPI 4.1, §15.2.4).
//!
//! Level 0 switches it off on this process, 1 and 2 switch it on, other levels
//! mean nothing to us. The calls that switch are recorded themselves. While
//! recording is off, calls are still observed, and what must be counted is.

use mpi_abi::FunctionId;
use mpiscope_run::control::Why;
use mpiscope_run::record::Fact;

use crate::base::clock::ticks;
use crate::base::guard::guarded;
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::base::path::{advance, observing, paused, State};
use crate::base::site;
use crate::facts::around::{around, begin};
use crate::facts::session;
use crate::facts::switched;
use crate::facts::thread::{self, Thread};
use crate::mpi::call::Lang;

/// `MPI_Pcontrol(level, ...)`: variadic in C, but what follows the level is
/// nobody's business but the library's.
#[inline(always)]
pub fn pcontrol<const N: usize>(
    function: FunctionId,
    lang: Lang,
    mut args: [usize; N],
    real: impl FnOnce([usize; N]) -> usize,
) -> usize {
    let level = level(lang, &args);
    let thread = match level {
        1 | 2 if paused() => on(function),
        _ => begin(function, lang, &mut args, site::noted()),
    };
    let result = around(thread, function, lang, &mut args, real);
    if level == 0 && observing() {
        off();
    }
    result
}

fn level(lang: Lang, args: &[usize]) -> i32 {
    let argument = args.first().copied().unwrap_or(0);
    match lang {
        Lang::C => argument as i32,
        // SAFETY: Fortran passes the address of an INTEGER.
        Lang::Fortran => unsafe { (argument as *const i32).read_unaligned() },
    }
}

/// Begins to record, with this call; returns the thread if the call is to be ended.
#[cold]
fn on(function: FunctionId) -> Option<Own<Thread>> {
    let current = thread::current()?;
    let thread = current.get();
    let within = thread.nesting.is_nested();
    if !within {
        thread.nesting = Nesting::WORK;
    }
    thread.site = site::noted();
    guarded(|| {
        let region = u32::from(function.0);
        let time = ticks();
        thread.tell_switched(time, true);
        thread.enter(time, region);
        let session = thread.session;
        session.unrecorded.tell(thread, time);
        advance(State::Paused, State::Recording);
        switched::is_on(Why::Program);
        match within {
            // The call around this one was not recorded, and will not be.
            true => thread.push(time, Fact::Leave { region }),
            false => thread.seen = true,
        }
    });
    (!within).then_some(current)
}

/// Ends recording, after the call.
#[cold]
fn off() {
    let Some(thread) = thread::current() else {
        return;
    };
    let thread = thread.get();
    guarded(|| {
        if let Some(session) = session::get() {
            session.unrecorded.begin();
        }
        switched::goes_off();
        advance(State::Recording, State::Paused);
        // A call around this one that was recorded will be to its end.
        if !thread.nesting.is_nested() {
            thread.seen = false;
            thread.tell_switched(ticks(), false);
        }
    });
}
