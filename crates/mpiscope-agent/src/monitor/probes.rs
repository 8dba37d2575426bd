//! What instrumented sources tell: procedures, loops, calling statements.
//!
//! An instrumented object registers itself when it is loaded, before MPI is up
//! and before `main`; until there is a table to count in, its entries lie in
//! private memory. Each thread keeps a stack of what it is in, so that a
//! procedure that is left without a word (longjmp) is closed with the one
//! around it. Of recursion the outermost call counts, once.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use mpiscope_run::statistics::{Entry, Key, Kind, Note};

use super::store::Store;
use super::thread::{self, Statistics};
use crate::clock::{self, ticks};
use crate::comms;

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
/// No statement.
pub const NONE: u32 = u32::MAX;
/// More nesting than this is not followed.
const DEEPEST: usize = 1 << 16;

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
    // SAFETY: said by the caller; nobody else has seen the unit yet.
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
    if let Some(monitor) = super::get() {
        tell(monitor, unit);
    }
    (&raw const HOOKS).cast()
}

/// Tells readers of the units registered so far.
pub fn tell_all(monitor: &super::Monitor) {
    let mut next = UNITS.load(Ordering::Acquire);
    // SAFETY: units are static storage of loaded objects, complete when they get into the list.
    while let Some(unit) = unsafe { next.as_ref() } {
        tell(monitor, unit);
        next = unit.next;
    }
}

/// Writes a unit's structure into the run, unless another rank did, and names it.
fn tell(monitor: &super::Monitor, unit: &Unit) {
    if unit.structure.is_null() {
        return;
    }
    // SAFETY: the object says that so many bytes lie there.
    let text = unsafe {
        std::slice::from_raw_parts(unit.structure.cast::<u8>(), unit.structure_bytes as usize)
    };
    let hash = format!("{:016x}", comms::hash(&text));
    monitor.keep_structure(&hash, text);
    monitor.note(&Note::Unit {
        base: unit.base,
        structure: hash,
    });
}

/// What a thread is in, innermost last.
pub struct Stack {
    open: Vec<Open>,
    /// By number of the statement.
    places: Vec<Place>,
    /// The statement that will make the next call.
    at: u32,
    /// Levels beyond the deepest.
    beyond: u32,
}

impl Default for Stack {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            places: Vec::new(),
            at: NONE,
            beyond: 0,
        }
    }
}

struct Open {
    kind: Kind,
    statement: u32,
    /// What it was called by, to be restored.
    caller: u32,
    /// Nothing within recursion, or if there is no room.
    entry: Option<&'static Entry>,
}

/// What is known of a statement: how often it is open, and its latest entry.
#[derive(Clone, Copy, Default)]
struct Place {
    depth: u32,
    caller: u32,
    entry: Option<&'static Entry>,
}

impl Stack {
    /// Finds the entries again after they have moved.
    pub fn follow(&mut self, store: &mut Store) {
        self.places.iter_mut().for_each(|place| place.entry = None);
        for open in &mut self.open {
            if open.entry.is_some() {
                open.entry = store.entry(key(open.kind, open.statement, open.caller));
            }
        }
    }
}

fn key(kind: Kind, statement: u32, caller: u32) -> Key {
    let caller = match kind {
        Kind::Procedure => caller,
        _ => NONE,
    };
    Key::statement(kind, statement, caller)
}

impl Statistics {
    #[inline(always)]
    fn open(&mut self, kind: Kind, statement: u32) {
        let caller = self.stack.at;
        if self.stack.open.len() >= DEEPEST {
            self.stack.beyond += 1;
            return;
        }
        let entry = self.entry_of(kind, statement, caller);
        self.stack.open.push(Open {
            kind,
            statement,
            caller,
            entry,
        });
        let now = u64::from(statement) + 1;
        self.now.statement.store(now, Ordering::Relaxed);
        if kind == Kind::Procedure {
            self.stack.at = NONE;
        }
        self.waste();
        if let Some(entry) = entry {
            entry.open(ticks(), self.intrusion());
        }
    }

    /// Returns the entry of what begins, unless it is within itself.
    #[inline(always)]
    fn entry_of(&mut self, kind: Kind, statement: u32, caller: u32) -> Option<&'static Entry> {
        let Some(place) = self.stack.places.get_mut(statement as usize) else {
            return self.first_time(kind, statement, caller);
        };
        place.depth += 1;
        if place.depth > 1 {
            return None;
        }
        if place.caller == caller && place.entry.is_some() {
            return place.entry;
        }
        let entry = self.store.entry(key(kind, statement, caller));
        (place.caller, place.entry) = (caller, entry);
        entry
    }

    #[cold]
    fn first_time(&mut self, kind: Kind, statement: u32, caller: u32) -> Option<&'static Entry> {
        let known = NEXT.load(Ordering::Relaxed) as usize;
        if statement as usize >= known {
            return None; // a unit that never registered: no statement of ours
        }
        self.stack.places.resize(known, Place::default());
        self.entry_of(kind, statement, caller)
    }

    /// Closes the innermost of this statement that is open, and what was left open within.
    #[inline(always)]
    fn close(&mut self, kind: Kind, statement: u32, iterations: u64) {
        if self.stack.beyond > 0 {
            self.stack.beyond -= 1;
            return;
        }
        let time = ticks();
        let within = match self.stack.open.last() {
            Some(last) if last.statement == statement => 1,
            _ => self.depth_of(kind, statement),
        };
        for level in (0..within).rev() {
            let iterations = if level == 0 { iterations } else { 0 };
            self.pop(time, iterations);
        }
        let now = self
            .stack
            .open
            .last()
            .map_or(0, |open| u64::from(open.statement) + 1);
        self.now.statement.store(now, Ordering::Relaxed);
        self.waste();
    }

    /// Returns how many levels up a statement is open; 0 if it is not. A loop is
    /// not looked for beyond the procedure.
    #[cold]
    fn depth_of(&self, kind: Kind, statement: u32) -> usize {
        for (level, open) in (1..).zip(self.stack.open.iter().rev()) {
            if open.statement == statement {
                return level;
            }
            if kind != Kind::Procedure && open.kind == Kind::Procedure {
                break;
            }
        }
        0
    }

    #[inline(always)]
    fn pop(&mut self, time: u64, iterations: u64) {
        let Some(open) = self.stack.open.pop() else {
            return;
        };
        if let Some(place) = self.stack.places.get_mut(open.statement as usize) {
            place.depth = place.depth.saturating_sub(1);
        }
        if let Some(entry) = open.entry {
            entry.close(
                time,
                self.intrusion() + self.costs.region_within,
                iterations,
            );
        }
        self.intrude(self.costs.region);
        self.stack.at = open.caller;
    }
}

/// Runs a probe with the thread's state, if anything is counted.
#[inline(always)]
fn with(unit: *const Unit, id: u32, probe: impl FnOnce(&mut Statistics, u32)) {
    let mut statistics = thread::current();
    if statistics.is_null() {
        statistics = first();
    }
    // SAFETY: the unit is that of the caller; the state is this thread's, never freed,
    // and nobody holds a reference to it while the program's own code runs.
    if let (Some(unit), Some(statistics)) = unsafe { (unit.as_ref(), statistics.as_mut()) } {
        probe(statistics, unit.base + id);
    }
}

#[cold]
fn first() -> *mut Statistics {
    std::panic::catch_unwind(thread::for_probes).unwrap_or(null_mut())
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

impl Statistics {
    /// Passes through a procedure, or names a calling statement, to see what that costs.
    #[inline(never)]
    pub(super) fn pass(&mut self, statement: Option<u32>) {
        match statement {
            Some(number) => {
                self.open(Kind::Procedure, number);
                self.close(Kind::Procedure, number, 0);
            }
            None => self.stack.at = std::hint::black_box(0),
        }
    }

    /// Knows so many statements, whether they are registered or not.
    pub(super) fn know(&mut self, statements: usize) {
        self.stack.places.resize(statements, Place::default());
    }
}
