//! Each thread's own state: its buffer, its nesting, its scratch memory.
//!
//! A thread meets the agent at its first MPI call and gets its buffer then.
//! When it ends the buffer goes on to another: a record survives the thread
//! that wrote it.

use std::cell::Cell;

use mpiscope_run::buffer::Writer;
use mpiscope_run::record::{Fact, Record};

use crate::clock::ticks;
use crate::comms::Comm;
use crate::modules::Callers;
use crate::monitor::Statistics;
use crate::requests::Entry;
use crate::session::Session;
use crate::types::Latest;
use crate::{helper, session, site, threads};

/// The state of one recording thread.
pub struct Thread {
    /// The process's state.
    pub session: &'static Session,
    /// Its number in the trace.
    pub number: u32,
    /// Whether a call is being observed: calls within it are not.
    pub nested: bool,
    /// Where in the program the call being observed was made.
    pub site: usize,
    /// The modules that this thread's calls were made from.
    pub callers: Callers,
    /// Whether the call being observed, or else the last one, is recorded.
    pub seen: bool,
    /// Whether the records say that recording is off.
    told_off: bool,
    /// Memory that a hook before the call hands to the hook after it.
    pub scratch: Scratch,
    /// The datatypes last looked up.
    pub types: Latest,
    /// The communicator last looked up: handle, generation of the registry, answer.
    pub last_comm: Option<(usize, u32, &'static Comm)>,
    /// Where events go, if they are traced.
    writer: Option<Writer>,
    /// Where they are counted; null if they are not.
    statistics: *mut Statistics,
    /// Records until the helper thread is woken to reserve more.
    countdown: u32,
}

/// Resets a thread's nesting when the call returns, by whichever way.
pub struct Outermost(*mut Thread);

impl Outermost {
    /// Takes over a thread that is in a call already.
    pub fn of(thread: *mut Thread) -> Self {
        Self(thread)
    }

    /// Notes that a call begins.
    #[inline(always)]
    pub fn begin(thread: *mut Thread) -> Self {
        // SAFETY: a thread's state lives as long as the thread, and this is its own.
        unsafe { (*thread).nested = true };
        Self(thread)
    }

    /// Returns the thread.
    pub fn thread(&self) -> *mut Thread {
        self.0
    }
}

impl Drop for Outermost {
    fn drop(&mut self) {
        // SAFETY: as in `begin`.
        unsafe { (*self.0).nested = false };
    }
}

/// Memory reused from call to call, so that the common path does not allocate.
#[derive(Default)]
pub struct Scratch {
    /// One status, as large as any MPI's.
    pub status: [u64; 8],
    /// Request handles as they were before the call.
    pub handles: Vec<usize>,
    /// The ids of the requests that the handles stood for.
    pub noted_ids: Vec<Option<u32>>,
    /// Requests taken out of the table before the call.
    pub entries: Vec<Option<Entry>>,
    /// One request, message or communicator noted before the call.
    pub noted: Noted,
    /// Number of the type signature of the collective operation being initiated.
    pub signature: u16,
    /// The communicator about to be freed.
    pub freed: Option<&'static Comm>,
    statuses: Vec<u64>,
}

/// What a hook before a call noted for the hook after it.
#[derive(Default, Clone, Copy)]
pub enum Noted {
    /// Nothing.
    #[default]
    Nothing,
    /// A request taken out of the table.
    Request(Entry),
    /// A matched message.
    Message(crate::probe::Matched),
    /// A handle.
    Handle(usize),
}

impl Scratch {
    /// Returns the address of at least `bytes` bytes for statuses.
    pub fn statuses(&mut self, bytes: usize) -> usize {
        let words = bytes.div_ceil(8).max(1);
        if self.statuses.len() < words {
            self.statuses.resize(words, 0);
        }
        self.statuses.as_mut_ptr() as usize
    }

    /// Takes what was noted.
    pub fn take_noted(&mut self) -> Noted {
        std::mem::take(&mut self.noted)
    }
}

/// Records between two wake-ups of the helper thread: a small part of what it keeps reserved ahead.
const WAKE_EVERY: u32 = 16 * 1024;

impl Thread {
    /// Makes the state around a fresh buffer.
    pub fn new(
        session: &'static Session,
        number: u32,
        writer: Option<Writer>,
        statistics: *mut Statistics,
    ) -> Self {
        Self {
            session,
            number,
            nested: false,
            site: 0,
            callers: Callers::default(),
            seen: true,
            told_off: false,
            scratch: Scratch::default(),
            types: Latest::default(),
            last_comm: None,
            writer,
            statistics,
            countdown: WAKE_EVERY,
        }
    }

    /// Commits the entry of a call made at `self.site`.
    #[inline]
    pub fn enter(&mut self, time: u64, region: u32) {
        let site = self.site as u64;
        self.callers.note(self.session, self.site);
        self.push(time, Fact::Enter { region, site });
    }

    /// Says in the records that recording is on, or off, unless they do already.
    pub fn tell_switched(&mut self, time: u64, on: bool) {
        if self.told_off == on {
            self.told_off = !on;
            self.push(time, Fact::Switched { on });
        }
    }

    /// Counts a fact, and commits its record.
    #[inline]
    pub fn push(&mut self, time: u64, fact: Fact) {
        // SAFETY: the statistics are this thread's, and never freed.
        if let Some(statistics) = unsafe { self.statistics.as_mut() } {
            statistics.take(time, fact);
        }
        let Some(writer) = &mut self.writer else {
            return;
        };
        let spilled = writer.spilled();
        writer.push(Record::new(time, fact));
        self.countdown -= 1;
        if self.countdown == 0 {
            self.countdown = WAKE_EVERY;
            helper::wake();
        }
        if writer.spilled() != spilled {
            let stop = ticks();
            writer.push(Record::new(time, Fact::BufferFlush { stop }));
        }
    }

    /// Counts with other statistics, and traces nothing; returns what was in
    /// their place, for `observe_again`.
    pub fn observe_with(
        &mut self,
        statistics: *mut Statistics,
    ) -> (Option<Writer>, *mut Statistics) {
        let before = std::mem::replace(&mut self.statistics, statistics);
        (self.writer.take(), before)
    }

    /// The inverse of `observe_with`.
    pub fn observe_again(&mut self, writer: Option<Writer>, statistics: *mut Statistics) {
        (self.writer, self.statistics) = (writer, statistics);
    }

    /// Returns where a call is counted that takes the shortest way; nothing within
    /// another call, or if calls are not counted.
    #[inline(always)]
    pub fn lean(&self) -> Option<*mut Statistics> {
        (!self.nested && !self.statistics.is_null()).then_some(self.statistics)
    }

    /// Returns where this thread's calls are counted.
    pub fn statistics(&mut self) -> Option<&mut Statistics> {
        // SAFETY: as in `push`.
        unsafe { self.statistics.as_mut() }
    }
}

thread_local! {
    /// This thread has no buffer and does not ask again.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Returns this thread's state, making it if this is the thread's first call;
/// null if that fails.
#[inline]
pub fn current() -> *mut Thread {
    let thread = site::state().cast::<Thread>();
    if thread.is_null() {
        return first_call();
    }
    thread
}

/// Returns whether this thread is in a call that is observed.
#[inline]
pub fn within() -> bool {
    // SAFETY: a thread's state is its own, and only its end frees it.
    let thread = unsafe { site::state().cast::<Thread>().as_ref() };
    thread.is_some_and(|thread| thread.nested)
}

/// Returns the number that this thread has in the trace, if it is traced.
pub fn number() -> Option<u32> {
    // SAFETY: a thread's state is its own, and only its end frees it.
    let thread = unsafe { site::state().cast::<Thread>().as_ref() };
    thread.map(|thread| thread.number)
}

/// Makes `thread` the state of the calling thread, until that ends.
pub fn install(thread: Thread) -> *mut Thread {
    if thread.number != 0 {
        threads::watch_end();
    }
    let thread = Box::into_raw(Box::new(thread));
    site::set_state(thread.cast());
    thread
}

/// The calling thread ends: its buffer is the next one's. The first thread's stays.
pub fn end() {
    let thread = site::state().cast::<Thread>();
    // SAFETY: a thread's state is its own.
    if unsafe { thread.as_ref() }.is_none_or(|thread| thread.number == 0) {
        return;
    }
    site::set_state(std::ptr::null_mut());
    // SAFETY: made by `install`, and nobody else knows of it.
    let mut thread = unsafe { Box::from_raw(thread) };
    if let Some(writer) = thread.writer.take() {
        thread.session.take_back(writer);
    }
}

#[cold]
fn first_call() -> *mut Thread {
    if REFUSED.get() {
        return std::ptr::null_mut();
    }
    let made = std::panic::catch_unwind(|| session::get().and_then(|s| s.new_thread()));
    match made {
        Ok(Some(thread)) => install(thread),
        _ => {
            REFUSED.set(true);
            std::ptr::null_mut()
        }
    }
}
