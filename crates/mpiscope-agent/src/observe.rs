//! Around each call: enter, hook, the real call, hook, leave.
//!
//! Only the outermost call of a thread is observed; what MPI calls within
//! itself (a Fortran binding its C function, an attribute callback) passes
//! through. The two halves are functions apart, so that 900 wrappers stay
//! small, and no panic leaves them: if the agent fails, it stops observing.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use mpi_abi::{id, FunctionId, FUNCTIONS};
use mpiscope_run::record::Fact;

use crate::call::ObservedCall;
use crate::clock::ticks;
use crate::hooks::HOOKS;
use crate::mpi::call::{Call, Lang};
use crate::thread::{self, Outermost, Thread};
use crate::{ending, finalize, midrun, monitor, notice, order, site, start, switch};

/// What the agent is doing in this process.
static STATE: AtomicU8 = AtomicU8::new(State::Idle as u8);

/// See [`STATE`].
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// MPI is not initialised yet: calls pass through.
    Idle,
    /// Within the outermost MPI_Init.
    Starting,
    /// Calls are recorded.
    Recording,
    /// Calls are counted, not recorded (MPI_Pcontrol).
    Paused,
    /// The agent is in trouble: nothing is recorded or counted any more, but
    /// the process takes part in what all ranks do together.
    Failed,
    /// Not any more: finalized or forked.
    Off,
}

/// Whether the order of calls is recorded or enforced, and nothing else is done: what the
/// shortest way asks.
static ALONE: AtomicBool = AtomicBool::new(false);

/// What a call gives back that has lost its arguments, which none does: no implementation's
/// `MPI_SUCCESS`.
const NO_CALL: usize = 16;

/// Sets the state.
pub fn set_state(state: State) {
    STATE.store(state as u8, Ordering::Release);
    settle();
}

/// Finds out whether the order is alone, after anything has changed.
pub fn settle() {
    ALONE.store(order::on() && !observing(), Ordering::Release);
}

/// Returns whether no call has reached us that initialises MPI.
pub fn idle() -> bool {
    STATE.load(Ordering::Relaxed) == State::Idle as u8
}

/// Returns whether calls are recorded.
#[inline]
pub fn recording() -> bool {
    STATE.load(Ordering::Relaxed) == State::Recording as u8
}

/// Returns whether calls are counted, but not recorded.
#[inline]
pub fn paused() -> bool {
    STATE.load(Ordering::Relaxed) == State::Paused as u8
}

/// Returns whether calls are recorded or counted.
pub fn observing() -> bool {
    recording() || paused()
}

/// Returns whether this thread is in a call that is observed: what it calls there is
/// MPI's own affair.
#[inline]
pub fn within() -> bool {
    thread::within() || order::within()
}

/// Makes the step from one state to another; of several threads one succeeds.
pub fn advance(from: State, to: State) -> bool {
    let done = STATE
        .compare_exchange(from as u8, to as u8, Ordering::AcqRel, Ordering::Acquire)
        .is_ok();
    settle();
    done
}

/// Passes a call through and records it.
#[inline(always)]
pub fn observe<const INDEX: u16, const N: usize>(
    lang: Lang,
    args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    let function = FunctionId(INDEX);
    if const { is_of_types(FunctionId(INDEX)) } && site::is_of_binding(INDEX) {
        return real(args);
    }
    if function == id::MPI_INIT || function == id::MPI_INIT_THREAD {
        return initialise(function, args, real);
    }
    if function == id::MPI_FINALIZE {
        guarded(finalize::enter);
        guarded(order::finish);
        guarded(finalize::run);
        set_state(State::Off);
        let result = real(args);
        guarded(ending::finalized);
        return result;
    }
    if function == id::MPI_ABORT {
        guarded(|| ending::aborts(lang, &args));
    }
    if function == id::MPI_PCONTROL {
        return switch::pcontrol(function, lang, args, real);
    }
    if monitor::lean::is_lean(function, lang) {
        if let Some(result) = monitor::lean::call(function, &args, &real) {
            return result;
        }
    }
    if ALONE.load(Ordering::Relaxed) {
        if let Some(result) = order::short::<INDEX, N>(lang, &args, &real) {
            return result;
        }
    }
    if order::on() {
        return ordered::<INDEX, N>(lang, args, real);
    }
    let mut args = args;
    let thread = begin(function, lang, &mut args, site::noted());
    let result = around(thread, function, lang, &mut args, real);
    if midrun::may_meet(function) {
        midrun::offer(thread, function, lang, &mut args, result);
    }
    result
}

/// Tells whether a function makes, frees or asks about datatypes: of MPI's functions these
/// alone are called by a binding on its own account, for memory with holes (MPICH).
const fn is_of_types(function: FunctionId) -> bool {
    matches!(
        FUNCTIONS[function.0 as usize].name.as_bytes(),
        [b'M', b'P', b'I', b'_', b'T', b'y', b'p', b'e', b'_', ..]
    )
}

/// The same while the order of calls is recorded or enforced too, or alone.
#[inline(never)]
fn ordered<const INDEX: u16, const N: usize>(
    lang: Lang,
    mut args: [usize; N],
    real: impl Fn([usize; N]) -> usize,
) -> usize {
    let function = FunctionId(INDEX);
    let long = |args: &mut [usize]| match args.first_chunk() {
        Some(args) => real(*args),
        None => NO_CALL,
    };
    let thread = match observing() {
        true => begin(function, lang, &mut args, site::noted()),
        false => std::ptr::null_mut(),
    };
    if thread.is_null() {
        return order::observed(function, lang, &mut args, &long);
    }
    let outermost = Outermost::of(thread);
    let result = match order::short::<INDEX, N>(lang, &args, &real) {
        Some(result) => result,
        None => order::observed(function, lang, &mut args, &long),
    };
    end(function, lang, &mut args, result, outermost.thread());
    drop(outermost);
    if midrun::may_meet(function) {
        midrun::offer(thread, function, lang, &mut args, result);
    }
    result
}

/// Makes the real call of which `begin` recorded the entry, if it did. The
/// arguments stay where they are: a copy of them costs six nanoseconds, as
/// they have only just been stored.
#[inline(always)]
pub fn around<const N: usize>(
    thread: *mut Thread,
    function: FunctionId,
    lang: Lang,
    args: &mut [usize; N],
    real: impl FnOnce([usize; N]) -> usize,
) -> usize {
    if thread.is_null() {
        return real(*args);
    }
    let outermost = Outermost::of(thread);
    let result = real(*args);
    end(function, lang, args, result, outermost.thread());
    result
}

fn initialise<const N: usize>(
    function: FunctionId,
    args: [usize; N],
    real: impl FnOnce([usize; N]) -> usize,
) -> usize {
    if !advance(State::Idle, State::Starting) {
        return real(args); // the binding's own call within, or an erroneous second one
    }
    let before = start::before();
    let result = order::uncounted(|| real(args));
    // Whether MPI is up now is for `start` to ask: the result may lie in Fortran's `ierror`.
    guarded(|| start::after(function, before));
    if !recording() {
        set_state(State::Off);
    }
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

/// Records the entry of a call made at `site`; returns null if this call is
/// not to be observed.
#[inline(never)]
pub fn begin(function: FunctionId, lang: Lang, args: &mut [usize], site: usize) -> *mut Thread {
    if !recording() {
        return begin_unseen(function, lang, args, site);
    }
    let current = thread::current();
    // SAFETY: a thread's state lives as long as the process, and only its thread touches it.
    let Some(thread) = (unsafe { current.as_mut() }) else {
        return current;
    };
    if thread.nested {
        return std::ptr::null_mut();
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
    current
}

/// The same while recording is off: nothing but the hook, which counts.
#[cold]
fn begin_unseen(function: FunctionId, lang: Lang, args: &mut [usize], site: usize) -> *mut Thread {
    if !paused() && STATE.load(Ordering::Relaxed) != State::Failed as u8 {
        return std::ptr::null_mut();
    }
    let current = thread::current();
    // SAFETY: as in `begin`.
    let Some(thread) = (unsafe { current.as_mut() }) else {
        return current;
    };
    if thread.nested {
        return std::ptr::null_mut();
    }
    thread.nested = true;
    thread.site = site;
    if !paused() {
        return current;
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
    current
}

/// Records what came of the call, and the exit, if its entry was recorded.
#[inline(never)]
fn end(function: FunctionId, lang: Lang, args: &mut [usize], result: usize, thread: *mut Thread) {
    let time = ticks();
    // SAFETY: as in `begin`, which returned this pointer.
    let Some(thread) = (unsafe { thread.as_mut() }) else {
        return;
    };
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
            thread.push(time, Fact::Leave { region });
        }
    });
}

/// Runs a piece of the agent; should it panic, observation ends and the program goes on.
pub fn guarded(work: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(work)).is_err() {
        set_state(State::Failed);
        notice::tell("the agent failed and stopped observing this process; the program goes on");
    }
}
