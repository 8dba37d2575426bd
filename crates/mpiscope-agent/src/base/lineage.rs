//! Which thread is which in two runs of a program: by who made it.
//!
//! Threads come to their first MPI call in any order, and their ids differ
//! from run to run. But the third thread that the main thread makes is the
//! third in every run. So `pthread_create` is counted, per thread.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::helper;

type Start = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;
type Create =
    unsafe extern "C-unwind" fn(*mut c_void, *const c_void, Option<Start>, *mut c_void) -> c_int;

/// The lineage of the first thread.
const FIRST: u64 = 1;

thread_local! {
    /// 0 if nobody has told.
    static OWN: Cell<u64> = const { Cell::new(0) };
    static CHILDREN: Cell<u64> = const { Cell::new(0) };
}

/// Whether the helper is told of births.
static TELLS: AtomicBool = AtomicBool::new(false);

/// Has the helper woken whenever a thread is born.
pub fn tell_births() {
    TELLS.store(true, Ordering::Relaxed);
}

/// Returns the calling thread's lineage; 0 if it came into being past us.
pub fn own() -> u64 {
    let known = OWN.get();
    // SAFETY: neither call has a failure.
    let is_first = unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) };
    match known {
        0 if is_first => FIRST,
        known => known,
    }
}

/// Does something that makes threads of ours, or of MPI's, which are not counted.
pub fn uncounted<T>(work: impl FnOnce() -> T) -> T {
    let before = CHILDREN.get();
    let result = work();
    CHILDREN.set(before);
    result
}

fn next_child() -> u64 {
    let number = CHILDREN.get() + 1;
    CHILDREN.set(number);
    let mixed = own().rotate_left(25) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) | 2
}

/// What a new thread is to do.
struct Birth {
    start: Start,
    argument: *mut c_void,
    lineage: u64,
}

unsafe extern "C-unwind" fn begin(birth: *mut c_void) -> *mut c_void {
    // SAFETY: made by `pthread_create` below, for this thread alone.
    let birth = unsafe { Box::from_raw(birth.cast::<Birth>()) };
    let Birth {
        start,
        argument,
        lineage,
    } = *birth;
    OWN.set(lineage);
    if TELLS.load(Ordering::Relaxed) {
        helper::wake();
    }
    // SAFETY: what the program asked for.
    unsafe { start(argument) }
}

/// The program's `pthread_create`, with the new thread told its lineage.
///
/// # Safety
/// As the system's own.
#[no_mangle]
pub unsafe extern "C-unwind" fn pthread_create(
    thread: *mut c_void,
    attributes: *const c_void,
    start: Option<Start>,
    argument: *mut c_void,
) -> c_int {
    static REAL: AtomicUsize = AtomicUsize::new(0);
    let mut real = REAL.load(Ordering::Relaxed);
    if real == 0 {
        // SAFETY: the name ends with NUL.
        real = unsafe { libc::dlsym(libc::RTLD_NEXT, c"pthread_create".as_ptr()) } as usize;
        REAL.store(real, Ordering::Relaxed);
    }
    if real == 0 {
        return libc::EAGAIN;
    }
    // SAFETY: the system's function of this name, declared as POSIX does.
    let real: Create = unsafe { std::mem::transmute(real) };
    let Some(start) = start else {
        // SAFETY: the caller's own arguments.
        return unsafe { real(thread, attributes, None, argument) };
    };
    let birth = Box::into_raw(Box::new(Birth {
        start,
        argument,
        lineage: next_child(),
    }));
    // SAFETY: the caller's own arguments; `begin` takes what `birth` points to.
    let code = unsafe { real(thread, attributes, Some(begin), birth.cast()) };
    if code != 0 {
        // SAFETY: no thread began: it is still ours.
        drop(unsafe { Box::from_raw(birth) });
    }
    code
}
