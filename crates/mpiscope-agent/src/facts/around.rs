//! Around a call: enter, hooks, the real call, hooks, leave.
//!
//! Only the outermost call of a thread is observed; what MPI calls within
//! itself (a Fortran binding its C function, an attribute callback) passes
//! through. The two halves are functions apart, so that 900 wrappers stay
//! small, and no panic leaves them.

use mpi_abi::FunctionId;
use mpiscope_run::record::Fact;

use super::call::ObservedCall;
use super::hooks::HOOKS;
use super::thread::{self, Outermost, Thread};
use crate::base::clock::ticks;
use crate::base::guard::guarded;
use crate::base::own::Own;
use crate::base::path::{is, paused, recording, State};
use crate::base::site;
use crate::mpi::call::{Call, Lang};
use crate::mpi::layers::Next;

/// Makes the real call of which `begin` recorded the entry, if it did. The
/// arguments stay where they are: a copy of them costs six nanoseconds, as
/// they have only just been stored.
#[inline(always)]
pub fn around<const N: usize>(
    thread: Option<Own<Thread>>,
    function: FunctionId,
    lang: Lang,
    args: &mut [usize; N],
    real: impl FnOnce([usize; N]) -> usize,
) -> usize {
    let Some(thread) = thread else {
        return real(*args);
    };
    let outermost = Outermost::of(thread);
    let result = real(*args);
    end(function, lang, args, result, outermost.thread());
    result
}

/// Tells the facts of a call, and passes it on.
pub fn layer(call: &mut Call, next: Next) -> usize {
    let thread = begin(call.function, call.lang, call.args, site::noted());
    let Some(thread) = thread else {
        return next.go(call);
    };
    let outermost = Outermost::of(thread);
    let result = next.go(call);
    end(
        call.function,
        call.lang,
        call.args,
        result,
        outermost.thread(),
    );
    result
}

/// Makes the view of a call that hooks have.
#[inline(always)]
fn observed<'a>(
    (function, lang): (FunctionId, Lang),
    args: &'a mut [usize],
    thread: &'a mut Thread,
    time: u64,
) -> ObservedCall<'a> {
    let mpi = thread.session.mpi;
    let call = Call {
        function,
        lang,
        mpi,
        args,
    };
    ObservedCall::new(call, thread, time)
}

/// Records the entry of a call made at `site`; returns nothing if this call is
/// not to be observed.
#[inline(never)]
pub fn begin(
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    site: usize,
) -> Option<Own<Thread>> {
    if !recording() {
        return begin_unseen(function, lang, args, site);
    }
    let current = thread::current()?;
    let thread = current.get();
    if thread.nested {
        return None;
    }
    thread.nested = true;
    thread.site = site;
    let time = ticks();
    if !thread.seen {
        thread.seen = true;
        thread.tell_switched(time, true);
    }
    guarded(|| {
        let region = u32::from(function.0);
        let hook = &HOOKS[function.index()];
        if let Some(asks) = hook.asks {
            asks(&mut observed((function, lang), args, thread, time));
        }
        thread.enter(time, region);
        if let Some(before) = hook.before {
            before(&mut observed((function, lang), args, thread, time));
        }
    });
    Some(current)
}

/// The same while recording is off: nothing but the hook, which counts.
#[cold]
fn begin_unseen(
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    site: usize,
) -> Option<Own<Thread>> {
    if !paused() && !is(State::Failed) {
        return None;
    }
    let current = thread::current()?;
    let thread = current.get();
    if thread.nested {
        return None;
    }
    thread.nested = true;
    thread.site = site;
    if !paused() {
        return Some(current);
    }
    if thread.seen {
        thread.seen = false;
        thread.tell_switched(ticks(), false);
    }
    guarded(|| {
        if let Some(before) = HOOKS[function.index()].before {
            before(&mut observed((function, lang), args, thread, 0));
        }
    });
    Some(current)
}

/// Records what came of the call, and the exit, if its entry was recorded.
#[inline(never)]
pub fn end(
    function: FunctionId,
    lang: Lang,
    args: &mut [usize],
    result: usize,
    thread: Own<Thread>,
) {
    let time = ticks();
    let thread = thread.get();
    if !recording() && !paused() {
        return;
    }
    guarded(|| {
        let hook = &HOOKS[function.index()];
        if let Some(after) = hook.after {
            let mut call = observed((function, lang), args, thread, time);
            let ok = call.succeeded(result);
            after(&mut call, ok);
        }
        if thread.seen {
            let region = u32::from(function.0);
            thread.sinks.push(time, Fact::Leave { region });
        }
    });
}
