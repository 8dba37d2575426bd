//! Regions of the program's own: stretches that it names itself, and functions that a compiler
//! instrumented; and values that it tells. They are traced, and nobody adds them up.
//!
//! A thread keeps those that are open in a stack. While recording is off nothing is written of
//! them: those that were open are left when it is switched off and entered again when it is
//! switched on, so that in the archive each enter has its leave. What begins before MPI is up, or
//! within a call of MPI, is not told. A region that a filter leaves out stands in the stack as
//! others do, as ends may not name it.
//!
//! Functions are entered from everywhere, in signal handlers too. So nothing is defined and
//! nothing is allocated for them but a deeper stack, and whoever comes while the thread's records
//! are being written (`nested`) is turned away.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use mpiscope_run::definitions::own_region;
use mpiscope_run::process::{Definition, Region, PROCEDURE};
use mpiscope_run::record::Fact;

use super::constructs;
use super::damping::{self, Damping, UNWATCHED};
use super::filter;
use super::metrics;
use super::session;
use super::slow;
use super::thread::{self, Thread};
use super::within::counted;
use crate::base::clock::ticks;
use crate::base::definitions;
use crate::base::notice;
use crate::base::path::{is_at_work, observing, recording, Layer};

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// A region that the program named, by its number.
    Named(u32),
    /// An instrumented function, by where it begins.
    Function(u64),
    /// A region that the program named and that is left out, by its number.
    LeftOut(u32),
}

impl Which {
    /// A region that the program named, by what [`number_of`] gave.
    fn named(number: u32) -> Self {
        match number & LEFT_OUT {
            0 => Self::Named(number),
            _ => Self::LeftOut(number & !LEFT_OUT),
        }
    }
}

/// A region that was entered, and from where.
#[derive(Clone, Copy)]
pub struct Open {
    which: Which,
    site: u64,
    time: u64,
    /// The function's place among those watched.
    watched: u32,
}

impl Open {
    /// Returns what tells its begin; nothing if it is left out.
    #[inline(always)]
    fn enter(self) -> Option<Fact> {
        let site = self.site;
        match self.which {
            Which::Named(region) => Some(Fact::Enter { region, site }),
            Which::Function(address) => Some(Fact::EnterFunction { address, site }),
            Which::LeftOut(_) => None,
        }
    }

    #[inline(always)]
    fn leave(self) -> Option<Fact> {
        match self.which {
            Which::Named(region) => Some(Fact::Leave { region }),
            Which::Function(address) => Some(Fact::LeaveFunction { address }),
            Which::LeftOut(_) => None,
        }
    }
}

/// What a thread knows of its regions.
#[derive(Default)]
pub struct Regions {
    open: Vec<Open>,
    /// Functions that are left out.
    damping: Damping,
    /// Names looked up before, by their address.
    names: Latest,
    /// Of what values were told before.
    metrics: metrics::Latest,
}

/// OTF2's role of a stretch of code.
const CODE: u8 = 4;
/// The number of the first region that is named: behind those of MPI, of ours and of OpenMP.
const FIRST: u32 = constructs::END;
/// More names than any person gives; a program that counts in its names is stopped here.
const MOST: usize = 1 << 14;
/// More procedures than a program has whose names are read from its objects.
const MOST_PROCEDURES: usize = 1 << 18;
/// Bytes of a name that are kept.
const LONGEST: usize = 256;
/// Set in the number of a region that is left out.
const LEFT_OUT: u32 = 1 << 31;

/// The names given in this process, and the numbers of their regions.
static NAMES: Mutex<Option<HashMap<&'static CStr, u32>>> = Mutex::new(None);
/// Ends of regions that had not begun, or had begun unseen.
static NOT_BEGUN: AtomicU64 = AtomicU64::new(0);
/// Begins of regions beyond the most.
static TOO_MANY: AtomicU64 = AtomicU64::new(0);
/// Whether any function told that it is instrumented.
static INSTRUMENTED: AtomicBool = AtomicBool::new(false);

/// The program begins a region, or begins and ends it.
#[inline]
pub fn begin_named(name: &CStr, site: usize) {
    with(|thread| {
        if let Some(number) = thread.regions.names.number(name) {
            thread.begin(Which::named(number), site as u64, UNWATCHED);
        }
    });
}

/// The program ends a region; the innermost that has a name if it does not say which.
#[inline]
pub fn end_named(name: Option<&CStr>) {
    with(|thread| {
        let which = match name {
            Some(name) => thread.regions.names.number(name).map(Which::named),
            None => thread.regions.innermost_named(),
        };
        match which {
            Some(which) if thread.regions.holds(which) => thread.leave_until(which),
            _ => {
                NOT_BEGUN.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
}

/// Something happened that has a name, and took no time.
pub fn mark(name: &CStr, site: usize) {
    with(|thread| {
        if let Some(number) = thread.regions.names.number(name) {
            let which = Which::named(number);
            thread.begin(which, site as u64, UNWATCHED);
            thread.leave_until(which);
        }
    });
}

/// The program tells a value: the bits of a double, or else of a signed integer.
pub fn value(name: &CStr, real: bool, bits: u64) {
    with(|thread| {
        if let Some(metric) = thread.regions.metrics.number(name, real) {
            let time = thread.now();
            if thread.seen {
                thread
                    .sinks
                    .trace(time, Fact::Metric { metric, real, bits });
            }
        }
    });
}

/// An instrumented function begins.
#[inline]
pub fn enter_function(address: usize, site: usize) {
    if !INSTRUMENTED.load(Ordering::Relaxed) {
        INSTRUMENTED.store(true, Ordering::Relaxed);
    }
    with(|thread| {
        if let Some(watched) = thread.regions.damping.enters(address as u64) {
            thread.begin(Which::Function(address as u64), site as u64, watched);
        }
    });
}

/// An instrumented function ends; of one whose begin was not told, nothing is.
#[inline]
pub fn leave_function(address: usize) {
    leave(Which::Function(address as u64), address as u64);
}

/// What the compiler or a probe tells of ends; `key` is what it is watched by.
#[inline(always)]
fn leave(which: Which, key: u64) {
    with(|thread| {
        let regions = &mut thread.regions;
        let is_open = match regions.open.last() {
            // Nearly always.
            Some(open) if open.which == which && !regions.damping.is_within(open.watched) => true,
            _ => regions.damping.leaves(key) && regions.holds(which),
        };
        if is_open {
            thread.leave_until(which);
        }
    });
}

/// Returns the number of the region that is a procedure of a source file; 0 if there are too many.
pub fn number_of_procedure(name: &str, file: &str) -> u32 {
    let text = CString::new(name).ok();
    let number = text.and_then(|name| number_of(&name, MOST_PROCEDURES));
    let number = number.map_or(0, |(_, number)| number & !LEFT_OUT);
    filter::takes_procedure(number, name, file);
    number
}

/// A procedure with probes begins.
#[inline]
pub fn enter_procedure(number: u32, site: usize) {
    with(|thread| {
        let watched = thread.regions.damping.enters(PROCEDURE | u64::from(number));
        if let Some(watched) = watched {
            thread.begin(Which::Named(number), site as u64, watched);
        }
    });
}

/// A procedure with probes ends.
#[inline]
pub fn leave_procedure(number: u32) {
    leave(Which::Named(number), PROCEDURE | u64::from(number));
}

/// Defines the names given before anybody listened.
pub fn define_all() {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, number) in names.iter_mut().flatten() {
        define(name, *number);
        if filter::leaves_out_key(PROCEDURE | u64::from(*number)) {
            *number |= LEFT_OUT;
        }
    }
}

/// Defines what instrumented functions cannot: the modules that they may lie in, if there are any,
/// and which of them are left out.
pub fn look_around() {
    let Some(session) = session::get() else {
        return;
    };
    if INSTRUMENTED.load(Ordering::Relaxed) {
        session.modules.note_all();
    }
    filter::look_at_functions();
    damping::define();
    filter::define();
}

/// Leaves all that is open as recording ends, and tells what could not be told.
pub fn finish(thread: &mut Thread, time: u64) {
    if thread.is_told() {
        thread.leave_regions(time);
    }
    thread.regions.damping.tell();
    damping::define();
    filter::define();
    counted::define();
    metrics::tell_lost();
    let counts = [&NOT_BEGUN, &TOO_MANY].map(|count| count.load(Ordering::Relaxed));
    if counts[0] > 0 {
        notice::tell(&format!(
            "{} times a region was ended that had not begun since MPI_Init in the same thread; \
             these ends are not in the trace",
            counts[0]
        ));
    }
    if counts[1] > 0 {
        notice::tell(&format!(
            "{} times a region was begun after {MOST} others had got names; these are not in the trace: \
             give the same name to what is alike",
            counts[1]
        ));
    }
}

/// Works on the calling thread's state, if it is traced and nobody else does.
#[inline(always)]
fn with(work: impl FnOnce(&mut Thread)) {
    if !observing() || !is_at_work(Layer::Trace) {
        return;
    }
    thread::alone(work);
}

impl Thread {
    /// Returns the time; says in the records whether recording is on, where it was switched since
    /// the last call.
    #[inline(always)]
    pub(super) fn now(&mut self) -> u64 {
        let (time, is_on) = (ticks(), recording());
        if self.seen != is_on {
            self.seen = is_on;
            self.tell_switched(time, is_on);
        }
        time
    }

    #[inline(always)]
    fn begin(&mut self, which: Which, site: u64, watched: u32) {
        let time = self.now();
        let open = Open {
            which,
            site,
            time,
            watched,
        };
        self.regions.open.push(open);
        let Some(fact) = open.enter() else {
            return self.regions.begins_left_out(which);
        };
        if self.seen {
            if matches!(which, Which::Named(_)) && site != 0 {
                self.callers.note(self.session, site as usize);
            }
            if let (Which::Named(number), 0) = (which, self.number) {
                slow::begins(number, time);
            }
            self.tell_counters(time);
            self.sinks.trace(time, fact);
        }
    }

    /// Leaves a region that is open; before it those within, which nobody ended (`longjmp`).
    #[inline(always)]
    fn leave_until(&mut self, which: Which) {
        let time = self.now();
        let innermost = self.regions.open.last();
        if self.seen && innermost.is_some_and(|open| open.leave().is_some()) {
            self.tell_counters(time);
        }
        while let Some(open) = self.regions.open.pop() {
            match open.leave() {
                Some(fact) if self.seen => self.sinks.trace(time, fact),
                Some(_) => {}
                None => self.regions.ends_left_out(open.which),
            }
            let took = time.wrapping_sub(open.time);
            self.regions.damping.took(open.watched, took);
            if open.which == which {
                return;
            }
        }
    }

    /// The thread ends: what is open is left, and what was left out is told.
    pub(super) fn end_regions(&mut self) {
        if self.is_told() && recording() {
            self.leave_regions(ticks());
        }
        self.regions.damping.tell();
    }

    /// Leaves all that is open, the innermost first; it stays in the stack.
    pub(super) fn leave_regions(&mut self, time: u64) {
        for fact in self
            .regions
            .open
            .iter()
            .rev()
            .filter_map(|open| open.leave())
        {
            self.sinks.trace(time, fact);
        }
    }

    /// Enters all that is open once more.
    pub(super) fn enter_regions(&mut self, time: u64) {
        for fact in self.regions.open.iter().filter_map(|open| open.enter()) {
            self.sinks.trace(time, fact);
        }
    }
}

impl Regions {
    #[inline(always)]
    fn holds(&self, which: Which) -> bool {
        self.open.iter().rev().any(|open| open.which == which)
    }

    fn innermost_named(&self) -> Option<Which> {
        let mut open = self.open.iter().rev().map(|open| open.which);
        open.find(|which| matches!(which, Which::Named(_) | Which::LeftOut(_)))
    }

    /// A region begins that is left out, which is counted.
    #[cold]
    fn begins_left_out(&mut self, which: Which) {
        if let Which::LeftOut(number) = which {
            self.damping.leaves_out(PROCEDURE | u64::from(number));
        }
    }

    #[cold]
    fn ends_left_out(&mut self, which: Which) {
        if let Which::LeftOut(number) = which {
            let _ = self.damping.leaves(PROCEDURE | u64::from(number));
        }
    }
}

/// The names that a thread gave last: a place by the address of the text, which is compared too,
/// as a program may write another name into the same memory.
struct Latest([Option<(&'static CStr, *const i8, u32)>; 64]);

impl Default for Latest {
    fn default() -> Self {
        Self([None; 64])
    }
}

impl Latest {
    /// Returns the number of the region with this name; nothing if there are too many.
    #[inline]
    fn number(&mut self, name: &CStr) -> Option<u32> {
        let address = name.as_ptr().cast::<i8>();
        let place = &mut self.0[(address as usize / 2) % 64];
        match *place {
            Some((known, at, number)) if at == address && known == name => Some(number),
            _ => {
                let (known, number) = number_of(name, MOST)?;
                *place = Some((known, address, number));
                Some(number)
            }
        }
    }
}

/// Returns the number of a name, and the name as it is kept; defines it if it is new.
#[cold]
fn number_of(name: &CStr, most: usize) -> Option<(&'static CStr, u32)> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_with(HashMap::new);
    if let Some((known, number)) = names.get_key_value(name) {
        return Some((known, *number));
    }
    if names.len() >= most {
        TOO_MANY.fetch_add(1, Ordering::Relaxed);
        return None;
    }
    let mut number = FIRST + names.len() as u32;
    if session::get().is_some() {
        define(name, number);
        if filter::leaves_out_named(&name.to_string_lossy()) {
            number |= LEFT_OUT;
        }
    }
    let kept: &'static CStr = Box::leak(name.to_owned().into_boxed_c_str());
    names.insert(kept, number);
    Some((kept, number))
}

fn define(name: &CStr, number: u32) {
    let text = name.to_string_lossy();
    slow::is_named(&text, number);
    let text: String = text.chars().take(LONGEST).collect();
    definitions::tell(&Definition::Region(Region {
        id: number,
        name: own_region(&text),
        role: CODE,
        user: true,
    }));
}
