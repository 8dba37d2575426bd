//! Around a call: enter, hooks, the real call, hooks, leave.
//!
//! Only the outermost call of a thread is observed; what MPI calls within
//! itself (a Fortran binding its C function) passes through, and what the
//! program calls in a callback is counted (`within`). The two halves are
//! functions apart, so that 900 wrappers stay small, and no panic leaves them.

use std::ops::RangeInclusive;
use std::sync::atomic::{compiler_fence, Ordering};

use mpi_abi::{Direction, FunctionId, Kind as ArgKind};
use mpiscope_run::control::Why;
use mpiscope_run::record::Fact;

use super::call::ObservedCall;
use super::filter;
use super::hooks::HOOKS;
use super::outermost::{Open, Outermost};
use super::polls::{Begin, Outcome};
use super::slow;
use super::switched;
use super::thread::{self, Thread};
use super::within;
use crate::base::clock::ticks;
use crate::base::guard::guarded;
use crate::base::nesting::Nesting;
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
        return within::passes(function, lang, args, |args| real(*args));
    };
    let open = Open::new(function, lang, args, left);
    let outermost = Outermost::of(thread, &open);
    let result = real(*args);
    end(function, lang, args, result, outermost.thread());
    outermost.close();
    result
}

/// Tells the facts of a call, and passes it on.
pub fn layer(call: &mut Call, next: Next) -> usize {
    let thread = begin(call.function, call.lang, call.args, site::noted());
    let Some(thread) = thread else {
        return within::passes(call.function, call.lang, call, |call| next.go(call));
    };
    let (function, lang) = (call.function, call.lang);
    let open = Open::new(function, lang, call.args, left);
    let outermost = Outermost::of(thread, &open);
    let result = next.go(call);
    end(function, lang, call.args, result, thread);
    outermost.close();
    result
}

/// Makes the view of a call that hooks have.
#[inline(always)]
pub(super) fn observed<'a>(
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
    if thread.nesting.is_nested() {
        return None;
    }
    thread.nesting = Nesting::WORK;
    compiler_fence(Ordering::SeqCst); // as in `Outermost`
    thread.site = site;
    if filter::is_at_work() {
        guarded(|| begin_filtered((function, lang), args, thread));
        return Some(current);
    }
    let time = ticks();
    if !thread.seen {
        thread.seen = true;
        thread.tell_switched(time, true);
    }
    guarded(|| tell_begin((function, lang), args, thread, time, |_| {}));
    Some(current)
}

/// The same where calls may be left out: of such a one nothing but the hook, which counts; any
/// other tells what was counted.
#[cold]
fn begin_filtered(call: (FunctionId, Lang), args: &mut [usize], thread: &mut Thread) {
    let time = ticks();
    if !thread.seen {
        thread.seen = true;
        thread.tell_switched(time, true);
    }
    if filter::leaves_out(call.0) {
        thread.seen = false;
        if let Some(before) = HOOKS[call.0.index()].before {
            before(&mut observed(call, args, thread, 0));
        }
        return;
    }
    tell_begin(call, args, thread, time, |thread| {
        let session = thread.session;
        session.unrecorded.tell_left_out(thread, time);
    });
}

/// Tells the entry of a call, and within it what `tell` does before the call's own facts.
#[inline(always)]
fn tell_begin(
    (function, lang): (FunctionId, Lang),
    args: &mut [usize],
    thread: &mut Thread,
    time: u64,
    tell: impl FnOnce(&mut Thread),
) {
    let region = u32::from(function.0);
    let hook = &HOOKS[function.index()];
    if thread.number == 0 {
        slow::begins(region, time);
    }
    if hook.found.is_none() {
        thread.tell_counters(time);
    }
    if let Some(asks) = hook.asks {
        asks(&mut observed((function, lang), args, thread, time));
    }
    if hook.found.is_none() || thread.begins_poll(time, function) {
        thread.enter(time, region);
    }
    tell(thread);
    if let Some(before) = hook.before {
        before(&mut observed((function, lang), args, thread, time));
    }
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
    if thread.nesting.is_nested() {
        return None;
    }
    thread.nesting = Nesting::WORK;
    thread.site = site;
    if !paused() {
        return Some(current);
    }
    if let Some(why) = switched::is_on_wanted() {
        guarded(|| begin_again((function, lang), args, thread, why));
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

/// Recording begins again, with this call.
#[cold]
fn begin_again(call: (FunctionId, Lang), args: &mut [usize], thread: &mut Thread, why: Why) {
    let time = ticks();
    thread.seen = true;
    thread.tell_switched(time, true);
    tell_begin(call, args, thread, time, |thread| {
        let session = thread.session;
        session.unrecorded.tell(thread, time);
        switched::on(why);
    });
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
    let hook = &HOOKS[function.index()];
    if let Some(found) = hook.found {
        return end_poll((function, lang), args, result, thread, found);
    }
    let time = ticks();
    guarded(|| tell_end((function, lang), args, result, thread.get(), time));
}

/// The same of a call that polls, of which there is nothing to record if it is one of many that
/// find nothing.
fn end_poll(
    (function, lang): (FunctionId, Lang),
    args: &mut [usize],
    result: usize,
    thread: Own<Thread>,
    found: u8,
) {
    let thread = thread.get();
    let (mut nothing, mut is_all) = (false, false);
    guarded(|| {
        let mut call = observed((function, lang), args, thread, 0);
        nothing = call.succeeded(result) && call.int_at(found.into(), 0) == 0;
        is_all = thread.seen && thread.ends_poll(nothing, function);
    });
    if is_all {
        return;
    }
    let time = ticks();
    guarded(|| {
        if nothing {
            thread.sinks.asks_in_vain();
        }
        tell_end((function, lang), args, result, thread, time);
        if nothing && thread.seen {
            thread.told_poll(function);
        }
    });
}

/// Tells what came of a call, and its exit.
fn tell_end(
    (function, lang): (FunctionId, Lang),
    args: &mut [usize],
    result: usize,
    thread: &mut Thread,
    time: u64,
) {
    if !recording() && !paused() {
        thread.ends_left_out();
        return;
    }
    let hook = &HOOKS[function.index()];
    if thread.seen && hook.found.is_none() {
        thread.tell_counters(time);
    }
    let mut call = observed((function, lang), args, thread, time);
    let ok = call.succeeded(result);
    if let Some(after) = hook.after {
        after(&mut call, ok);
    }
    if !ok {
        let class = call.error_class();
        tell_failed(&mut call, class, REJECTED.contains(&class));
    }
    thread.tell_leave(time, function);
}

/// Ends a call that the program has left before it returned, now.
#[cold]
pub fn left(open: &Open, thread: Own<Thread>) {
    guarded(|| tell_left(open, thread.get(), ticks()));
}

/// Returns whether such a call most likely did nothing: it was to post or to send something. One
/// that receives, or completes requests, most likely failed as a message was too long.
fn is_rejected(call: &ObservedCall) -> bool {
    let mut args = call.function.function().args.iter();
    match args.find(|arg| arg.kind == ArgKind::Request) {
        Some(request) => request.direction == Direction::Out,
        None => call.shape().asked.is_none(),
    }
}

/// Tells what came of such a call, of which nothing is known but the error that its handler was
/// seen to ask about. If it was not, the call's error has no class, and what most likely happened
/// is told.
fn tell_left(open: &Open, thread: &mut Thread, time: u64) {
    if !recording() && !paused() {
        return thread.ends_left_out();
    }
    let (function, args) = (open.function, open.args());
    let hook = &HOOKS[function.index()];
    match hook.found {
        Some(_) if thread.seen => drop(thread.ends_poll(false, function)),
        None if thread.seen => thread.tell_counters(time),
        _ => {}
    }
    let heard = thread.heard;
    let mut call = observed((function, open.lang), args, thread, time);
    call.fails(heard.unwrap_or(call.mpi.abi.err_truncate));
    if let Some(after) = hook.after {
        after(&mut call, false);
    }
    match heard.map(|_| call.error_class()) {
        Some(class) => tell_failed(&mut call, class, REJECTED.contains(&class)),
        None => {
            let rejected = is_rejected(&call);
            tell_failed(&mut call, UNKNOWN, rejected);
        }
    }
    thread.tell_leave(time, function);
}

/// Classes of errors in what a message is made of: `MPI_ERR_BUFFER`, `COUNT`, `TYPE`, `TAG`, `COMM`
/// and `RANK`, which have these numbers in all interfaces. After another, as of a receive that was
/// too short, a send may well have happened.
pub const REJECTED: RangeInclusive<i32> = 1..=6;

/// The class of an error that nobody has told: no error has it.
const UNKNOWN: i32 = 0;

/// Tells that a call failed, and whether what it was to send or receive was rejected.
#[cold]
fn tell_failed(call: &mut ObservedCall, class: i32, rejected: bool) {
    call.thread.heard = None;
    call.record(Fact::Failed {
        class: class as u32,
        rejected,
    });
}

impl Thread {
    /// Tells the exit of a call, if its entry was told.
    #[inline(always)]
    fn tell_leave(&mut self, time: u64, function: FunctionId) {
        if self.seen {
            let region = u32::from(function.0);
            self.sinks.push(time, Fact::Leave { region });
        }
        self.ends_left_out();
    }

    /// A poll begins; returns whether its enter is to be told.
    #[inline(always)]
    fn begins_poll(&mut self, time: u64, function: FunctionId) -> bool {
        let of = (function, self.site);
        self.polling.begins(time, of, &mut self.sinks) == Begin::Enter
    }

    /// A poll has ended; returns whether that is all that there is to tell.
    #[inline(always)]
    fn ends_poll(&mut self, nothing: bool, function: FunctionId) -> bool {
        match self.polling.ended(nothing, &mut self.sinks) {
            Outcome::Counted => true,
            Outcome::Told => false,
            Outcome::Entered(time) => {
                self.enter(time, u32::from(function.0));
                false
            }
        }
    }

    /// A poll that found nothing was told as any call.
    fn told_poll(&mut self, function: FunctionId) {
        self.polling.told(function, self.site, &mut self.sinks);
    }
}
