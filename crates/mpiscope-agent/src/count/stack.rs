//! What a thread is in: procedures and loops, the innermost last.
//!
//! Each has an entry in which it is counted from when it begins. A procedure
//! that is left without a word (longjmp) is closed with the one around it. Of
//! recursion the outermost call counts, once.

use std::sync::atomic::Ordering;

use mpiscope_run::statistics::{Entry, Key, Kind};

use super::functions::{Functions, FUNCTION};
use super::probes;
use super::store::Store;
use super::thread::Statistics;
use crate::base::clock::ticks;

/// No statement.
pub const NONE: u32 = u32::MAX;
/// More nesting than this is not followed.
const DEEPEST: usize = 1 << 16;

/// What a thread is in, innermost last.
pub struct Stack {
    open: Vec<Open>,
    /// By number of the statement.
    places: Vec<StatementState>,
    /// Those that a compiler instrumented.
    pub functions: Functions,
    /// The statement that will make the next call.
    pub at: u32,
    /// Levels beyond the deepest.
    beyond: u32,
}

impl Default for Stack {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            places: Vec::new(),
            functions: Functions::default(),
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
    /// Of a function, where it was called.
    site: u64,
    /// Nothing within recursion, or if there is no room.
    entry: Option<&'static Entry>,
}

/// What is known of a statement: how often it is open, and its latest entry.
#[derive(Clone, Copy, Default)]
struct StatementState {
    depth: u32,
    caller: u32,
    entry: Option<&'static Entry>,
}

impl Open {
    fn is_function(&self) -> bool {
        self.statement & FUNCTION != 0
    }
}

impl Stack {
    /// Finds the entries again after they have moved.
    pub fn follow(&mut self, store: &mut Store) {
        self.places.iter_mut().for_each(|place| place.entry = None);
        self.functions.forget_entries();
        for open in &mut self.open {
            open.entry = open.entry.and_then(|old| store.entry(old.key()));
        }
    }

    /// Returns the function that a thread is in, if it is in one directly.
    #[inline(always)]
    pub fn innermost_function(&self) -> Option<u32> {
        let last = self.open.last()?;
        last.is_function().then_some(last.statement & !FUNCTION)
    }

    /// Returns where the function was called that a thread is in, if it is in one directly.
    #[inline(always)]
    pub fn innermost_site(&self) -> Option<u64> {
        let last = self.open.last()?;
        last.is_function().then_some(last.site)
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
    /// A procedure or loop begins.
    #[inline(always)]
    pub(super) fn open(&mut self, kind: Kind, statement: u32) {
        if self.too_deep() {
            return;
        }
        let caller = self.stack.at;
        let entry = self.entry_of(kind, statement, caller);
        self.stack.open.push(Open {
            kind,
            statement,
            caller,
            site: 0,
            entry,
        });
        let now = u64::from(statement) + 1;
        self.now.statement.store(now, Ordering::Relaxed);
        if kind == Kind::Procedure {
            self.stack.at = NONE;
        }
        self.start(entry);
    }

    /// A function begins; `place` is what its entry has for where it was called.
    /// The calling statement stays as it is, for procedures that have probes.
    #[inline(always)]
    pub(super) fn open_function(&mut self, statement: u32, site: u64, place: u64) {
        if self.too_deep() {
            return;
        }
        let number = statement & !FUNCTION;
        let entry = self.stack.functions.begin(&mut self.store, number, place);
        self.stack.open.push(Open {
            kind: Kind::Function,
            statement,
            caller: self.stack.at,
            site,
            entry,
        });
        self.start(entry);
    }

    /// Counts a level beyond the deepest that is followed.
    #[inline(always)]
    fn too_deep(&mut self) -> bool {
        let deep = self.stack.open.len() >= DEEPEST;
        self.stack.beyond += u32::from(deep);
        deep
    }

    #[inline(always)]
    fn start(&mut self, entry: Option<&'static Entry>) {
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
        let known = probes::registered();
        if statement as usize >= known {
            return None; // a unit that never registered: no statement of ours
        }
        self.stack.places.resize(known, StatementState::default());
        self.entry_of(kind, statement, caller)
    }

    /// Closes the innermost of this statement that is open, and what was left open within.
    #[inline(always)]
    pub(super) fn close(&mut self, kind: Kind, statement: u32, iterations: u64) {
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

    /// Closes all that is open: the thread ends.
    pub(super) fn close_all(&mut self) {
        let time = ticks();
        while !self.stack.open.is_empty() {
            self.pop(time, 0);
        }
        (self.stack.beyond, self.stack.at) = (0, NONE);
        self.now.statement.store(0, Ordering::Relaxed);
    }

    /// Returns how many levels up a statement is open; 0 if it is not. A loop is
    /// not looked for beyond the procedure.
    #[cold]
    fn depth_of(&self, kind: Kind, statement: u32) -> usize {
        for (level, open) in (1..).zip(self.stack.open.iter().rev()) {
            if open.statement == statement {
                return level;
            }
            if kind == Kind::Loop && open.kind != Kind::Loop {
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
        let (cost, within) = if open.is_function() {
            self.stack.functions.end(open.statement & !FUNCTION);
            (self.costs.function, self.costs.function_within)
        } else {
            if let Some(place) = self.stack.places.get_mut(open.statement as usize) {
                place.depth = place.depth.saturating_sub(1);
            }
            (self.costs.region, self.costs.region_within)
        };
        if let Some(entry) = open.entry {
            entry.close(time, self.intrusion() + within, iterations);
        }
        self.intrude(cost);
        self.stack.at = open.caller;
    }
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

    /// Passes through a function, to see what that costs.
    #[inline(never)]
    pub(super) fn pass_function(&mut self, address: u64) {
        self.enter_function(address, 1, 1);
        self.leave_function(address);
    }

    /// Knows so many statements, whether they are registered or not.
    pub(super) fn know(&mut self, statements: usize) {
        self.stack
            .places
            .resize(statements, StatementState::default());
    }
}
