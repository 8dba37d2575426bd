//! Which thread is which in two runs of a program: by who made it; and which one was made where.
//!
//! Threads come to their first MPI call in any order, and their ids differ
//! from run to run. But the third thread that the main thread makes is the
//! third in every run. So `pthread_create` is counted, per thread.
//!
//! A listener may give each new thread a number when it is made; the thread knows it, and so
//! does who waits for it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::Mutex;

use super::clock::ticks;
use super::helper;
use super::site::with_return_address;

type Start = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;
type Create =
    unsafe extern "C-unwind" fn(*mut c_void, *const c_void, Option<Start>, *mut c_void) -> c_int;

/// The lineage of the first thread.
const FIRST: u64 = 1;

thread_local! {
    /// 0 if nobody has told.
    static OWN: Cell<u64> = const { Cell::new(0) };
    static CHILDREN: Cell<u64> = const { Cell::new(0) };
    /// Threads that are made now are not the program's.
    static UNCOUNTED: Cell<bool> = const { Cell::new(false) };
    static BIRTH: Cell<Option<Birth>> = const { Cell::new(None) };
}

/// When a thread was made that a listener has numbered.
#[derive(Clone, Copy)]
pub struct Birth {
    /// What the listener called it.
    pub number: u64,
    /// When it began.
    pub time: u64,
}

/// Who is told of threads that are made.
pub struct Listener {
    /// One is about to be made, where; returns its number, 0 for none.
    pub before: fn(usize) -> u64,
    /// One was made that has a number, or could not be made.
    pub after: fn(),
}

/// The listener, if there is one.
static LISTENER: AtomicPtr<Listener> = AtomicPtr::new(null_mut());

/// More threads than live at once and are waited for; those beyond are not known there.
const MOST_LIVING: usize = 1 << 16;

/// The numbers of threads that have not been waited for, by what the system calls them. It uses
/// that again, so there are no more of them than lived at once.
static LIVING: Mutex<BTreeMap<usize, u64>> = Mutex::new(BTreeMap::new());

/// Has each thread numbered that is made from now on.
pub fn listen(listener: &'static Listener) {
    LISTENER.store(std::ptr::from_ref(listener).cast_mut(), Ordering::Release);
}

fn listener() -> Option<&'static Listener> {
    // SAFETY: only `listen` stores there, and it was given what lives for ever.
    unsafe { LISTENER.load(Ordering::Acquire).as_ref() }
}

/// Returns the calling thread's number and begin, once.
pub fn take_birth() -> Option<Birth> {
    BIRTH.take()
}

/// Returns the number of a thread that is about to be waited for; of none twice. A lock that a
/// forked child finds taken is never waited for.
pub fn take_number(thread: usize) -> Option<u64> {
    LIVING.try_lock().ok()?.remove(&thread)
}

fn note_number(thread: usize, number: u64) {
    if let Ok(mut living) = LIVING.try_lock() {
        if number == 0 {
            living.remove(&thread);
        } else if living.len() < MOST_LIVING {
            living.insert(thread, number);
        }
    }
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
    let (before, outer) = (CHILDREN.get(), UNCOUNTED.replace(true));
    let result = work();
    CHILDREN.set(before);
    UNCOUNTED.set(outer);
    result
}

fn next_child() -> u64 {
    let number = CHILDREN.get() + 1;
    CHILDREN.set(number);
    let mixed = own().rotate_left(25) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) | 2
}

/// What a new thread is to do.
struct Work {
    start: Start,
    argument: *mut c_void,
    lineage: u64,
    number: u64,
}

unsafe extern "C-unwind" fn begin(work: *mut c_void) -> *mut c_void {
    // SAFETY: made by `create` below, for this thread alone.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    let Work {
        start,
        argument,
        lineage,
        number,
    } = *work;
    OWN.set(lineage);
    if number != 0 {
        let time = ticks();
        BIRTH.set(Some(Birth { number, time }));
    }
    if TELLS.load(Ordering::Relaxed) {
        helper::wake();
    }
    // SAFETY: what the program asked for.
    unsafe { start(argument) }
}

with_return_address!(
    /// The program's `pthread_create`, with the new thread told its lineage. As MPI and we create
    /// threads within calls of MPI, it leaves alone what those noted of their callers.
    ///
    /// # Safety
    /// As the system's own.
    #[no_mangle]
    pthread_create(*mut c_void, *const c_void, Option<Start>, *mut c_void), four, create
);

unsafe extern "C-unwind" fn create(
    thread: *mut c_void,
    attributes: *const c_void,
    start: Option<Start>,
    argument: *mut c_void,
    site: usize,
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
    let listener = listener().filter(|_| !UNCOUNTED.get());
    let number = listener.map_or(0, |it| (it.before)(site));
    let work = Box::into_raw(Box::new(Work {
        start,
        argument,
        lineage: next_child(),
        number,
    }));
    // SAFETY: the caller's own arguments; `begin` takes what `work` points to.
    let code = unsafe { real(thread, attributes, Some(begin), work.cast()) };
    if code != 0 {
        // SAFETY: no thread began: it is still ours.
        drop(unsafe { Box::from_raw(work) });
    } else if listener.is_some() {
        // SAFETY: the system has written there what it calls the thread (POSIX).
        note_number(unsafe { *thread.cast::<usize>() }, number);
    }
    if let Some(listener) = listener.filter(|_| number != 0) {
        (listener.after)();
    }
    code
}
