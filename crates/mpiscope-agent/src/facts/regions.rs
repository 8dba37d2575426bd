//! Regions of the program's own: stretches that it names itself, and functions that a compiler
//! instrumented. They are traced, and nobody adds them up.
//!
//! A thread keeps those that are open in a stack. While recording is off nothing is written of
//! them: those that were open are left when it is switched off and entered again when it is
//! switched on, so that in the archive each enter has its leave. What begins before MPI is up, or
//! within a call of MPI, is not told.
//!
//! Functions are entered from everywhere, in signal handlers too. So nothing is defined and
//! nothing is allocated for them but a deeper stack, and whoever comes while the thread's records
//! are being written (`nested`) is turned away.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::atomic::{compiler_fence, AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use mpi_abi::FUNCTIONS;
use mpiscope_run::definitions::own_region;
use mpiscope_run::process::{Definition, Region};
use mpiscope_run::record::Fact;

use super::damping::{self, Damping};
use super::session;
use super::thread::{self, Outermost, Thread};
use crate::base::clock::ticks;
use crate::base::definitions;
use crate::base::guard::guarded;
use crate::base::notice;
use crate::base::path::{is_at_work, observing, recording, Layer};

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// A region that the program named, by its number.
    Named(u32),
    /// An instrumented function, by where it begins.
    Function(u64),
}

/// A region that was entered, and from where.
#[derive(Clone, Copy)]
pub struct Open {
    which: Which,
    site: u64,
    time: u64,
}

impl Open {
    fn enter(self) -> Fact {
        let site = self.site;
        match self.which {
            Which::Named(region) => Fact::Enter { region, site },
            Which::Function(address) => Fact::EnterFunction { address, site },
        }
    }

    fn leave(self) -> Fact {
        match self.which {
            Which::Named(region) => Fact::Leave { region },
            Which::Function(address) => Fact::LeaveFunction { address },
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
}

/// OTF2's role of a stretch of code.
const CODE: u8 = 4;
/// The number of the first region that is named: behind those of MPI and of ours.
const FIRST: u32 = FUNCTIONS.len() as u32 + 1;
/// More names than any person gives; a program that counts in its names is stopped here.
const MOST: usize = 1 << 14;
/// Bytes of a name that are kept.
const LONGEST: usize = 256;

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
    with(|thread, time| {
        if let Some(number) = thread.regions.names.number(name) {
            thread.begin(time, Which::Named(number), site as u64);
        }
    });
}

/// The program ends a region; the innermost that has a name if it does not say which.
#[inline]
pub fn end_named(name: Option<&CStr>) {
    with(|thread, time| {
        let which = match name {
            Some(name) => thread.regions.names.number(name).map(Which::Named),
            None => thread.regions.innermost_named(),
        };
        match which {
            Some(which) if thread.regions.holds(which) => thread.leave_until(time, which),
            _ => {
                NOT_BEGUN.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
}

/// Something happened that has a name, and took no time.
pub fn mark(name: &CStr, site: usize) {
    with(|thread, time| {
        if let Some(number) = thread.regions.names.number(name) {
            thread.begin(time, Which::Named(number), site as u64);
            thread.leave_until(time, Which::Named(number));
        }
    });
}

/// An instrumented function begins.
#[inline]
pub fn enter_function(address: usize, site: usize) {
    if !INSTRUMENTED.load(Ordering::Relaxed) {
        INSTRUMENTED.store(true, Ordering::Relaxed);
    }
    with(|thread, time| {
        if thread.regions.damping.enters(address as u64) {
            thread.begin(time, Which::Function(address as u64), site as u64);
        }
    });
}

/// An instrumented function ends; of one whose begin was not told, nothing is.
#[inline]
pub fn leave_function(address: usize) {
    let which = Which::Function(address as u64);
    with(|thread, time| {
        let regions = &mut thread.regions;
        if regions.damping.leaves(address as u64) && regions.holds(which) {
            thread.leave_until(time, which);
        }
    });
}

/// Has the modules defined that instrumented functions may lie in, if there are any: the functions
/// themselves define nothing.
pub fn look_around() {
    if let (true, Some(session)) = (INSTRUMENTED.load(Ordering::Relaxed), session::get()) {
        session.modules.note_all();
    }
}

/// Leaves all that is open as recording ends, and tells what could not be told.
pub fn finish(thread: &mut Thread, time: u64) {
    if thread.is_told() {
        thread.leave_regions(time);
    }
    thread.regions.damping.tell();
    damping::define();
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

/// Works on the calling thread's state at this moment, if it is traced and nobody else does.
#[inline(always)]
fn with(work: impl FnOnce(&mut Thread, u64)) {
    if !observing() || !is_at_work(Layer::Trace) {
        return;
    }
    let Some(current) = thread::current() else {
        return;
    };
    let thread = current.get();
    if thread.nested {
        return;
    }
    let outermost = Outermost::begin(thread);
    compiler_fence(Ordering::SeqCst); // a signal handler sees it before anything else is done
    guarded(|| {
        let thread = outermost.thread().get();
        let time = ticks();
        thread.tell_recording(time);
        work(thread, time);
    });
    compiler_fence(Ordering::SeqCst);
}

impl Thread {
    /// Says in the records whether recording is on, where it was switched since the last call.
    #[inline(always)]
    fn tell_recording(&mut self, time: u64) {
        let is_on = recording();
        if self.seen != is_on {
            self.seen = is_on;
            self.tell_switched(time, is_on);
        }
    }

    #[inline(always)]
    fn begin(&mut self, time: u64, which: Which, site: u64) {
        let open = Open { which, site, time };
        self.regions.open.push(open);
        if self.seen {
            if matches!(which, Which::Named(_)) && site != 0 {
                self.callers.note(self.session, site as usize);
            }
            self.sinks.trace(time, open.enter());
        }
    }

    /// Leaves a region that is open; before it those within, which nobody ended (`longjmp`).
    #[inline(always)]
    fn leave_until(&mut self, time: u64, which: Which) {
        while let Some(open) = self.regions.open.pop() {
            if self.seen {
                self.sinks.trace(time, open.leave());
            }
            if let Which::Function(address) = open.which {
                self.regions
                    .damping
                    .took(address, time.wrapping_sub(open.time));
            }
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
        for open in self.regions.open.iter().rev() {
            self.sinks.trace(time, open.leave());
        }
    }

    /// Enters all that is open once more.
    pub(super) fn enter_regions(&mut self, time: u64) {
        for open in &self.regions.open {
            self.sinks.trace(time, open.enter());
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
        open.find(|which| matches!(which, Which::Named(_)))
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
                let (known, number) = number_of(name)?;
                *place = Some((known, address, number));
                Some(number)
            }
        }
    }
}

/// Returns the number of a name, and the name as it is kept; defines it if it is new.
#[cold]
fn number_of(name: &CStr) -> Option<(&'static CStr, u32)> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_with(HashMap::new);
    if let Some((known, number)) = names.get_key_value(name) {
        return Some((known, *number));
    }
    if names.len() >= MOST {
        TOO_MANY.fetch_add(1, Ordering::Relaxed);
        return None;
    }
    let number = FIRST + names.len() as u32;
    let text = name.to_string_lossy();
    let text: String = text.chars().take(LONGEST).collect();
    definitions::tell(&Definition::Region(Region {
        id: number,
        name: own_region(&text),
        role: CODE,
        user: true,
    }));
    let kept: &'static CStr = Box::leak(name.to_owned().into_boxed_c_str());
    names.insert(kept, number);
    Some((kept, number))
}
