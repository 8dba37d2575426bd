//! What instrumented sources tell: procedures, loops, calling statements.
//!
//! An instrumented object registers itself when it is loaded, before MPI is up
//! and before `main`; until there is a table to count in, its entries lie in
//! private memory.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use mpiscope_run::naming::hash;
use mpiscope_run::statistics::{Kind, Note};

use super::thread::{self, Statistics};
use crate::base::clock;
use crate::base::own::Own;

/// An instrumented source file, in its object's memory.
#[repr(C)]
pub struct Unit {
    version: u32,
    statements: u32,
    structure: *const c_char,
    structure_bytes: u64,
    next: *mut Unit,
    base: u32,
    reserved: u32,
}

/// What an instrumented object calls.
#[repr(C)]
struct Hooks {
    enter: unsafe extern "C-unwind" fn(*const Unit, u32),
    leave: unsafe extern "C-unwind" fn(*const Unit, u32),
    loop_enter: unsafe extern "C-unwind" fn(*const Unit, u32),
    loop_leave: unsafe extern "C-unwind" fn(*const Unit, u32, u64),
    at: unsafe extern "C-unwind" fn(*const Unit, u32),
}

static HOOKS: Hooks = Hooks {
    enter,
    leave,
    loop_enter,
    loop_leave,
    at,
};

/// Version of the interface.
const VERSION: u32 = 1;
/// Iterations were not counted.
const NOT_COUNTED: u64 = u64::MAX;

/// The units registered, the latest first.
static UNITS: AtomicPtr<Unit> = AtomicPtr::new(null_mut());
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Called by each instrumented object when it is loaded: returns the probes to
/// call, or null if no statistics are kept.
///
/// # Safety
/// `unit` is null or a unit in memory that stays where it is.
#[no_mangle]
unsafe extern "C" fn mpiscope_probe_register(unit: *mut Unit) -> *const c_void {
    // SAFETY: null or a unit that stays, and nobody else has seen it yet.
    let Some(unit) = (unsafe { unit.as_mut() }) else {
        return std::ptr::null();
    };
    if unit.version != VERSION || !super::wanted() {
        return std::ptr::null();
    }
    if NEXT.load(Ordering::Relaxed) == 0 {
        clock::choose(); // probes come before MPI_Init, which does that otherwise
    }
    unit.base = NEXT.fetch_add(unit.statements, Ordering::Relaxed);
    unit.next = UNITS.load(Ordering::Acquire);
    while let Err(newer) =
        UNITS.compare_exchange(unit.next, unit, Ordering::AcqRel, Ordering::Acquire)
    {
        unit.next = newer;
    }
    if let Some(monitor) = super::monitor::get() {
        tell(monitor, unit);
    }
    (&raw const HOOKS).cast()
}

/// Returns how many statements are registered.
pub fn registered() -> usize {
    NEXT.load(Ordering::Relaxed) as usize
}

/// Tells readers of the units registered so far.
pub fn tell_all(monitor: &super::monitor::Monitor) {
    let mut next = UNITS.load(Ordering::Acquire);
    // SAFETY: units are static storage of loaded objects, complete when they get into the list.
    while let Some(unit) = unsafe { next.as_ref() } {
        tell(monitor, unit);
        next = unit.next;
    }
}

/// Writes a unit's structure into the run, unless another rank did, and names it.
fn tell(monitor: &super::monitor::Monitor, unit: &Unit) {
    if unit.structure.is_null() {
        return;
    }
    // SAFETY: the object says that so many bytes lie there.
    let text = unsafe {
        std::slice::from_raw_parts(unit.structure.cast::<u8>(), unit.structure_bytes as usize)
    };
    let hash = format!("{:016x}", hash(&text));
    monitor.keep_structure(&hash, text);
    monitor.note(&Note::Unit {
        base: unit.base,
        structure: hash,
    });
}

/// Runs a probe with the thread's state, if anything is counted.
#[inline(always)]
fn with(unit: *const Unit, id: u32, probe: impl FnOnce(&mut Statistics, u32)) {
    // SAFETY: the unit is that of the caller, and stays where it is.
    let unit = unsafe { unit.as_ref() };
    if let (Some(unit), Some(statistics)) = (unit, thread::current().or_else(first)) {
        probe(statistics.get(), unit.base + id);
    }
}

/// Makes the state of a thread at its first probe.
#[cold]
pub fn first() -> Option<Own<Statistics>> {
    std::panic::catch_unwind(thread::for_probes).ok()?
}

unsafe extern "C-unwind" fn enter(unit: *const Unit, id: u32) {
    with(unit, id, |statistics, number| {
        statistics.open(Kind::Procedure, number);
    });
}

unsafe extern "C-unwind" fn leave(unit: *const Unit, id: u32) {
    with(unit, id, |statistics, number| {
        statistics.close(Kind::Procedure, number, 0);
    });
}

unsafe extern "C-unwind" fn loop_enter(unit: *const Unit, id: u32) {
    with(unit, id, |statistics, number| {
        statistics.open(Kind::Loop, number);
    });
}

unsafe extern "C-unwind" fn loop_leave(unit: *const Unit, id: u32, iterations: u64) {
    let iterations = if iterations == NOT_COUNTED {
        0
    } else {
        iterations
    };
    with(unit, id, |statistics, number| {
        statistics.close(Kind::Loop, number, iterations);
    });
}

unsafe extern "C-unwind" fn at(unit: *const Unit, id: u32) {
    with(unit, id, |statistics, number| statistics.stack.at = number);
}
