//! What instrumented sources tell: procedures, loops, calling statements.
//!
//! An instrumented object registers itself when it is loaded, before MPI is up
//! and before `main`; until there is a table to count in, its entries lie in
//! private memory.

use std::ffi::{c_char, c_void};
use std::panic::AssertUnwindSafe;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use mpiscope_run::naming::hash;
use mpiscope_run::statistics::{Kind, Note};

use super::thread::{self, Statistics};
use super::traced_probes;
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
pub struct Hooks {
    pub enter: unsafe extern "C-unwind" fn(*const Unit, u32),
    pub leave: unsafe extern "C-unwind" fn(*const Unit, u32),
    pub loop_enter: unsafe extern "C-unwind" fn(*const Unit, u32),
    pub loop_leave: unsafe extern "C-unwind" fn(*const Unit, u32, u64),
    pub at: unsafe extern "C-unwind" fn(*const Unit, u32),
}

impl Unit {
    /// Returns the object's structure, as JSON.
    pub fn structure(&self) -> Option<&'static [u8]> {
        // SAFETY: the object says that so many bytes lie there, as long as it is loaded.
        (!self.structure.is_null()).then(|| unsafe {
            std::slice::from_raw_parts(self.structure.cast::<u8>(), self.structure_bytes as usize)
        })
    }

    /// Returns how many statements it has.
    pub fn statements(&self) -> u32 {
        self.statements
    }

    /// Keeps what is known of an object that no statistics are kept of.
    pub fn keep(&mut self, what: *mut Unit) {
        self.next = what;
    }

    /// Returns that.
    pub fn kept(&self) -> *mut Unit {
        self.next
    }
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
/// call, or null if neither statistics are kept nor events traced.
///
/// # Safety
/// `unit` is null or a unit in memory that stays where it is.
#[no_mangle]
unsafe extern "C" fn mpiscope_probe_register(unit: *mut Unit) -> *const c_void {
    // SAFETY: null or a unit that stays, and nobody else has seen it yet.
    let Some(unit) = (unsafe { unit.as_mut() }) else {
        return std::ptr::null();
    };
    if unit.version != VERSION {
        return std::ptr::null();
    }
    if !super::wanted() {
        let is_told = std::panic::catch_unwind(AssertUnwindSafe(|| {
            super::functions::are_traced() && traced_probes::take(unit)
        }));
        return match is_told {
            Ok(true) => (&raw const traced_probes::HOOKS).cast(),
            _ => std::ptr::null(),
        };
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
    let Some(text) = unit.structure() else {
        return;
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
