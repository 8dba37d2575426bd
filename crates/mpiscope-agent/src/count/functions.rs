//! Functions that a compiler instrumented (`-finstrument-functions`): it has
//! them tell when they are entered and left, by their address and that of the
//! call.
//!
//! Such a program calls the two functions that are exported here, unless it has
//! its own. They are called from everywhere, before `main` and after
//! MPI_Finalize, in any thread and in signal handlers; so one test comes first,
//! and while the thread's stack is being worked on, nothing is counted. In an
//! inlined function the address of the call is that of the function around it:
//! the hook's own return address then tells the place.

use std::ffi::{c_char, c_int, c_void, CStr};
use std::mem::transmute;
use std::sync::atomic::{compiler_fence, AtomicPtr, AtomicU8, Ordering};

use mpiscope_run::statistics::{Entry, Key, Kind, INLINED};

use super::store::Store;
use super::thread::{self, Statistics};
use crate::base::clock;
use crate::base::site::with_return_address;
use crate::base::variable::variable_is;
use crate::facts::regions;

/// In the number of a statement: it is a function's.
pub const FUNCTION: u32 = 1 << 31;
/// Slots at first; always a power of two.
const SLOTS: usize = 256;

/// The functions that a thread has entered.
#[derive(Default)]
pub struct Functions {
    known: Vec<Function>,
    /// Address and number plus one.
    slots: Vec<(u64, u32)>,
}

/// What is known of a function: how often it is open, and its latest entry.
struct Function {
    address: u64,
    depth: u32,
    caller: u64,
    entry: Option<&'static Entry>,
}

impl Functions {
    /// Returns the number of a function, if it was entered before.
    #[inline(always)]
    pub fn find(&self, address: u64) -> Option<u32> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash(address) & mask;
        loop {
            // No slots: nothing is there. Else `at` is masked, and some slot is free.
            match *self.slots.get(at)? {
                (0, _) => return None,
                (known, number) if known == address => return Some(number),
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, address: u64) -> u32 {
        let number = self.known.len() as u32;
        self.known.push(Function {
            address,
            depth: 0,
            caller: 0,
            entry: None,
        });
        if 2 * self.known.len() > self.slots.len() {
            self.slots = vec![(0, 0); (2 * self.slots.len()).max(SLOTS)];
            for (function, number) in self.known.iter().zip(0..) {
                put(&mut self.slots, function.address, number);
            }
        } else {
            put(&mut self.slots, address, number);
        }
        number
    }

    /// Returns the entry of a function that begins, unless it is within itself.
    #[inline(always)]
    pub fn begin(&mut self, store: &mut Store, number: u32, caller: u64) -> Option<&'static Entry> {
        let function = self.known.get_mut(number as usize)?;
        function.depth += 1;
        if function.depth > 1 {
            return None;
        }
        if function.caller == caller && function.entry.is_some() {
            return function.entry;
        }
        function.caller = caller;
        function.entry = store.entry(Key::function(function.address, caller));
        function.entry
    }

    /// Returns the address of a function.
    #[inline(always)]
    fn address(&self, number: u32) -> Option<u64> {
        Some(self.known.get(number as usize)?.address)
    }

    /// One of its executions ends.
    #[inline(always)]
    pub fn end(&mut self, number: u32) {
        if let Some(function) = self.known.get_mut(number as usize) {
            function.depth = function.depth.saturating_sub(1);
        }
    }

    /// Forgets where entries were.
    pub fn forget_entries(&mut self) {
        for function in &mut self.known {
            function.entry = None;
        }
    }
}

fn put(slots: &mut [(u64, u32)], address: u64, number: u32) {
    let mask = slots.len() - 1;
    let mut at = hash(address) & mask;
    while slots[at].0 != 0 {
        at = (at + 1) & mask;
    }
    slots[at] = (address, number);
}

/// Mixes an address's bits (multiplicative hashing, Knuth 6.4).
#[inline(always)]
fn hash(address: u64) -> usize {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize
}

impl Statistics {
    /// A function begins, called from `site`; it told so at `told`.
    #[inline(always)]
    pub(super) fn enter_function(&mut self, address: u64, site: u64, told: u64) {
        let number = match self.stack.functions.find(address) {
            Some(number) => number,
            None => self.stack.functions.add(address),
        };
        let caller = match self.stack.innermost_site() {
            Some(around) if around == site => INLINED | told,
            _ => site,
        };
        self.open_function(number | FUNCTION, site, caller);
    }

    /// It ends.
    #[inline(always)]
    pub(super) fn leave_function(&mut self, address: u64) {
        let innermost = (self.stack.innermost_function())
            .filter(|&number| self.stack.functions.address(number) == Some(address));
        if let Some(number) = innermost.or_else(|| self.stack.functions.find(address)) {
            self.close(Kind::Function, number | FUNCTION, 0);
        }
    }
}

/// What the hooks do: not known yet, nothing, count, or ask `MODE` as well as tell others.
static MODE: AtomicU8 = AtomicU8::new(UNKNOWN);
const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;
const DECIDING: u8 = 3;
/// Added to one of the above: somebody else's hooks are to be called, too.
const PASS_ON: u8 = 4;
/// Added to one of the above: functions are traced.
const TRACED: u8 = 8;
const OFF_AND_TRACED: u8 = OFF | TRACED;

type Hook = unsafe extern "C-unwind" fn(*mut c_void, *mut c_void);
/// The hooks that the program would have called.
static OTHERS: [AtomicPtr<c_void>; 2] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 2];

// In an inlined function `site` is that of the function around it: where the hook returns to tells
// the place.
with_return_address!(
    /// Called by instrumented functions.
    #[no_mangle]
    __cyg_profile_func_enter(*mut c_void, *mut c_void), two, enter
);
with_return_address!(
    /// Called by instrumented functions.
    #[no_mangle]
    __cyg_profile_func_exit(*mut c_void, *mut c_void), two, leave
);

unsafe extern "C-unwind" fn enter(function: *mut c_void, site: *mut c_void, told: *mut c_void) {
    match MODE.load(Ordering::Relaxed) {
        OFF => {}
        ON => with(|own| own.enter_function(function as u64, site as u64, told as u64)),
        OFF_AND_TRACED => regions::enter_function(function as usize, site as usize),
        // SAFETY: the arguments are those of the hook.
        _ => unsafe { seldom(true, function, site, told) },
    }
}

unsafe extern "C-unwind" fn leave(function: *mut c_void, site: *mut c_void, told: *mut c_void) {
    match MODE.load(Ordering::Relaxed) {
        OFF => {}
        ON => with(|own| own.leave_function(function as u64)),
        OFF_AND_TRACED => regions::leave_function(function as usize),
        // SAFETY: these are what the compiler's hook was given.
        _ => unsafe { seldom(false, function, site, told) },
    }
}

/// Decides what to do, if nobody has, and does it; calls somebody else's hooks.
#[cold]
#[inline(never)]
unsafe fn seldom(enters: bool, function: *mut c_void, site: *mut c_void, told: *mut c_void) {
    let mode = decided();
    if mode & TRACED != 0 {
        match enters {
            true => regions::enter_function(function as usize, site as usize),
            false => regions::leave_function(function as usize),
        }
    }
    if mode & !(PASS_ON | TRACED) == ON {
        with(|own| match enters {
            true => own.enter_function(function as u64, site as u64, told as u64),
            false => own.leave_function(function as u64),
        });
    }
    let other = OTHERS[usize::from(!enters)].load(Ordering::Relaxed);
    if mode & PASS_ON != 0 && !other.is_null() {
        // SAFETY: the loader found it by the hook's name.
        let hook = unsafe { transmute::<*mut c_void, Hook>(other) };
        // SAFETY: called as the program would have called it.
        unsafe { hook(function, site) };
    }
}

fn decided() -> u8 {
    let deciding = MODE.compare_exchange(UNKNOWN, DECIDING, Ordering::Relaxed, Ordering::Relaxed);
    if let Err(known) = deciding {
        return known; // while another thread decides, that is nothing
    }
    let mut mode = OFF;
    if variable_is(c"MPISCOPE_MONITOR", c"on") {
        clock::choose(); // functions may be entered before MPI_Init, which does that otherwise
        mode = ON;
    }
    if are_traced() {
        mode |= TRACED;
    }
    let names = [c"__cyg_profile_func_enter", c"__cyg_profile_func_exit"];
    for (place, name) in OTHERS.iter().zip(names) {
        let other = someone_elses(name);
        place.store(other, Ordering::Relaxed);
        if !other.is_null() {
            mode |= PASS_ON;
        }
    }
    MODE.store(mode, Ordering::Release);
    mode
}

/// Returns whether the program's functions are to be events of a trace.
pub fn are_traced() -> bool {
    !variable_is(c"MPISCOPE_TRACE", c"off") && !variable_is(c"MPISCOPE_FUNCTIONS", c"none")
}

/// Returns the hook that the program would have called without us; null for that of
/// the C library, which does nothing.
fn someone_elses(name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with NUL.
    let next = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    let mut about = libc::Dl_info {
        dli_fname: std::ptr::null::<c_char>(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null::<c_char>(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: any address may be asked about; `about` is writable.
    let known: c_int = unsafe { libc::dladdr(next, &raw mut about) };
    if next.is_null() || known == 0 || about.dli_fname.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the loader's names end with NUL.
    let file = unsafe { CStr::from_ptr(about.dli_fname) }.to_bytes();
    let file = file.rsplit(|&byte| byte == b'/').next().unwrap_or(file);
    match file.starts_with(b"libc.so") || file.starts_with(b"libc-") {
        true => std::ptr::null_mut(),
        false => next,
    }
}

/// Works on the thread's state, unless a signal handler interrupted somebody who does.
#[inline(always)]
fn with(work: impl FnOnce(&mut Statistics)) {
    let Some(own) = thread::current().or_else(super::probes::first) else {
        return;
    };
    // SAFETY: the state is this thread's, never freed.
    let busy = unsafe { &raw mut (*own.pointer()).busy };
    // SAFETY: a field of that state; volatile, as only a signal handler would see it set.
    if unsafe { busy.read_volatile() } {
        return;
    }
    // SAFETY: a field of that state, to which nobody holds a reference.
    unsafe { busy.write_volatile(true) };
    compiler_fence(Ordering::SeqCst);
    // It was not busy, so nobody else works on it.
    work(own.get());
    compiler_fence(Ordering::SeqCst);
    // SAFETY: a field of that state; the reference to it has ended.
    unsafe { busy.write_volatile(false) };
}
