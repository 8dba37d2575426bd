//! The signal by which timers of ours have a thread looked at.
//!
//! The kernel has real-time signals from 32 on; glibc keeps the first two to itself. The second of
//! them (`SIGSETXID`) it sends when a program with threads changes its user, and never otherwise.
//! No program can handle, block or wait for it through its C library, nor set it back, so nothing
//! of the program's changes: a signal that it can reach might be among those that it blocks and
//! waits for, or sets back, which would end it. Debuggers know that this one is no news.
//!
//! glibc handles it from the first `pthread_create` on (2.34; older ones from the begin). What is not
//! from a timer of ours is passed on to that handler. Should the signal be taken after us, ours is
//! gone, which is seen ([`is_ours`]); glibc's own handler ignores what timers send.
//!
//! The C library refuses to set a handler for it, so the kernel is asked.

use std::ffi::{c_int, c_void};
use std::mem::{offset_of, transmute};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// glibc's SIGSETXID.
pub const SIGNAL: c_int = 33;

/// Marks the values that come with signals of our timers; the low word is the taker's.
const MARK: u64 = 0x6d70_6973 << 32;

/// What is done when a timer of ours has fired: its value, how many periods have ended, and the
/// instruction that was next.
pub type Taker = fn(u32, u32, usize);

static TAKER: AtomicPtr<()> = AtomicPtr::new(null_mut());
/// Who handled the signal before, 0 if nobody did.
static BEFORE: AtomicUsize = AtomicUsize::new(0);

/// An action as the kernel knows it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Action {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

/// What the kernel tells of a timer's signal (sigaction(2)).
#[repr(C)]
struct Info {
    signal: c_int,
    error: c_int,
    code: c_int,
    rest: c_int,
    timer: c_int,
    overrun: c_int,
    value: u64,
}

const _: () = assert!(offset_of!(Info, overrun) + 4 == offset_of!(Info, value));

/// What the kernel reads of `struct sigevent` (sigevent(7)).
#[repr(C)]
struct Event {
    value: u64,
    signal: c_int,
    notify: c_int,
    thread: c_int,
    rest: [c_int; 11],
}

/// Has signals of timers taken; false if the system refuses.
pub fn install(taker: Taker) -> bool {
    TAKER.store(taker as *mut (), Ordering::Release);
    let Some(before) = action(None) else {
        return false;
    };
    let is_handled = before.handler != libc::SIG_DFL && before.handler != libc::SIG_IGN;
    BEFORE.store(
        if is_handled { before.handler } else { 0 },
        Ordering::Release,
    );
    let flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
    action(Some(Action {
        handler: raised as *const () as usize,
        flags: flags as u64 | restorer::FLAG,
        restorer: restorer::address(),
        mask: u64::MAX,
    }))
    .is_some()
}

/// Returns whether the handler is still ours.
pub fn is_ours() -> bool {
    action(None).is_some_and(|now| now.handler == raised as *const () as usize)
}

/// Sets the signal's action, if one is given; returns that of before.
fn action(new: Option<Action>) -> Option<Action> {
    let mut before = Action::default();
    let new = new.as_ref().map_or(null(), |new| new as *const Action);
    // SAFETY: both are actions as the kernel lays them out, with a mask of eight bytes; the handler
    // keeps to what is allowed in one.
    let code = unsafe {
        libc::syscall(
            libc::SYS_rt_sigaction,
            SIGNAL,
            new,
            &raw mut before,
            size_of::<u64>(),
        )
    };
    (code == 0).then_some(before)
}

/// Makes a timer that looks at a thread of this process after each so many nanoseconds of its
/// processor time; nothing if the system refuses.
pub fn timer(thread: u32, nanoseconds: u64, value: u32) -> Option<i32> {
    // The clock of any thread of the process (`MAKE_THREAD_CPUCLOCK` of Linux).
    const OF_THREAD: u32 = 4;
    const SCHEDULED: u32 = 2;
    let clock = (!thread << 3 | OF_THREAD | SCHEDULED) as libc::clockid_t;
    let event = Event {
        value: MARK | u64::from(value),
        signal: SIGNAL,
        notify: libc::SIGEV_THREAD_ID,
        thread: thread as c_int,
        rest: [0; 11],
    };
    let mut timer: c_int = 0;
    // SAFETY: the kernel reads an event of its layout, and writes the timer's number.
    let code = unsafe {
        libc::syscall(
            libc::SYS_timer_create,
            clock,
            &raw const event,
            &raw mut timer,
        )
    };
    if code != 0 {
        return None;
    }
    let period = libc::timespec {
        tv_sec: (nanoseconds / 1_000_000_000) as libc::time_t,
        tv_nsec: (nanoseconds % 1_000_000_000) as _,
    };
    // The interval, and when it fires first.
    let times = [period, period];
    // SAFETY: the timer is ours, and `times` is laid out as `struct itimerspec` is.
    let code = unsafe {
        libc::syscall(
            libc::SYS_timer_settime,
            timer,
            0,
            &raw const times,
            null::<u8>(),
        )
    };
    if code != 0 {
        delete(timer);
        return None;
    }
    Some(timer)
}

/// Deletes a timer.
pub fn delete(timer: i32) {
    // SAFETY: a number that is no timer's any more is refused.
    unsafe { libc::syscall(libc::SYS_timer_delete, timer) };
}

/// The handler. Safe as one: it reads what the kernel hands over, and calls what was installed.
extern "C" fn raised(signal: c_int, info: *mut c_void, context: *mut c_void) {
    // SAFETY: `errno` is the calling thread's; the kernel's information is valid in the handler.
    unsafe {
        let errno = libc::__errno_location();
        let before = *errno;
        let told = &*info.cast::<Info>();
        if told.code == libc::SI_TIMER && told.value & !u64::from(u32::MAX) == MARK {
            let taker = TAKER.load(Ordering::Acquire);
            // Only `install` stores there, before the handler stands.
            let taker: Taker = transmute(taker);
            let periods = 1 + told.overrun.max(0) as u32;
            taker(told.value as u32, periods, instruction(context));
        } else {
            pass_on(signal, info, context);
        }
        *errno = before;
    }
}

/// What is not a timer's of ours is for who handled the signal before.
unsafe fn pass_on(signal: c_int, info: *mut c_void, context: *mut c_void) {
    let before = BEFORE.load(Ordering::Acquire);
    if before != 0 {
        // SAFETY: a handler of the C library, which are all of this kind.
        unsafe {
            let before: extern "C" fn(c_int, *mut c_void, *mut c_void) = transmute(before);
            before(signal, info, context);
        }
    }
}

/// Returns the instruction that was next.
///
/// # Safety
/// The context is that of a signal's handler.
unsafe fn instruction(context: *mut c_void) -> usize {
    // SAFETY: said above.
    let context = unsafe { &*context.cast::<libc::ucontext_t>() };
    #[cfg(target_arch = "x86_64")]
    return context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
    #[cfg(target_arch = "aarch64")]
    return context.uc_mcontext.pc as usize;
}

/// The way back from a handler, which x86-64 asks for and others have in the kernel's own page.
mod restorer {
    #[cfg(target_arch = "x86_64")]
    mod own {
        /// `SA_RESTORER`.
        pub const FLAG: u64 = 0x0400_0000;

        /// Debuggers know the frame of a signal by these two instructions.
        #[unsafe(naked)]
        unsafe extern "C" fn restore() {
            std::arch::naked_asm!("mov rax, 15", "syscall")
        }

        pub fn address() -> usize {
            restore as *const () as usize
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    mod own {
        pub const FLAG: u64 = 0;

        pub fn address() -> usize {
            0
        }
    }

    pub use own::{address, FLAG};
}
