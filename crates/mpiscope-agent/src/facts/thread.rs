//! Each thread's own state: its buffer, its nesting, its scratch memory.
//!
//! A thread meets the agent at its first MPI call and gets its buffer then.
//! When it ends the buffer goes on to another: a record survives the thread
//! that wrote it.

use std::cell::Cell;
use std::sync::atomic::{compiler_fence, Ordering};

use mpiscope_rules::requests::Entry;
use mpiscope_run::record::Fact;

use super::counters::{self, Counting};
use super::polls::Polling;
use super::regions::Regions;
use super::session::{self, Session};
use super::sinks::Sinks;
use crate::base::clock::ticks;
use crate::base::guard::guarded;
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::base::{site, threads};
use crate::mpi::call::StatusMemory;
use crate::mpi::comms::{Comm, Latest as LatestComm};
use crate::mpi::modules::Callers;
use crate::mpi::types::Latest as LatestTypes;

/// The state of one recording thread.
pub struct Thread {
    /// The process's state.
    pub session: &'static Session,
    /// Its number in the trace.
    pub number: u32,
    /// The call that is being observed, if one is: calls within it are not.
    pub nesting: Nesting,
    /// The code of an error that was asked about within it.
    pub(super) heard: Option<i32>,
    /// Where in the program the call being observed was made.
    pub site: usize,
    /// The modules that this thread's calls were made from.
    pub callers: Callers,
    /// Whether the call being observed, or else the last one, is recorded.
    pub seen: bool,
    /// Whether the records say that recording is off.
    told_off: bool,
    /// Its number among the threads that were created, if it has said that it began; else 0.
    pub(super) born: u64,
    /// Memory that a hook before the call hands to the hook after it.
    pub scratch: Scratch,
    /// The datatypes last looked up.
    pub types: LatestTypes,
    /// The communicator last looked up.
    pub comms: LatestComm,
    /// The program's own regions that are open.
    pub(super) regions: Regions,
    /// Its counters.
    pub(super) counting: Counting,
    /// Its polls that find nothing.
    pub(super) polling: Polling,
    /// Whether it waits in OpenMP's runtime.
    pub(super) is_waiting: bool,
    /// How many records there were when it had done its work in a team; until more come it waits.
    pub(super) rests_at: u64,
    /// Where facts go.
    pub sinks: Sinks,
}

/// Work of ours on a thread's state, which calls nothing of the program's.
pub struct Working(Own<Thread>);

impl Working {
    /// Begins.
    #[inline(always)]
    pub fn begin(thread: &mut Thread) -> Self {
        thread.nesting = Nesting::WORK;
        compiler_fence(Ordering::SeqCst); // a signal handler sees it before anything else is done
        Self(Own::of(thread))
    }

    /// Returns the thread.
    #[inline(always)]
    pub fn thread(&self) -> Own<Thread> {
        self.0
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        close(self.0);
    }
}

/// The thread is in nothing any more.
#[inline(always)]
pub(super) fn close(thread: Own<Thread>) {
    compiler_fence(Ordering::SeqCst); // all is done before a signal handler sees it
    thread.get().nesting = Nesting::NOT;
}

/// Memory reused from call to call, so that the common path does not allocate.
#[derive(Default)]
pub struct Scratch {
    /// One status, as large as any MPI's.
    pub status: StatusMemory,
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
    /// Whether the call is made within another.
    pub is_within: bool,
    /// Whether the call had something to tell that is not recorded.
    pub untold: bool,
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
    Message(super::probe::Matched),
    /// A handle.
    Handle(usize),
    /// A window about to be freed, and its handle.
    Window(usize, super::windows::Window),
    /// A file about to be closed, and its handle.
    File(usize, super::files::table::OpenFile),
    /// Data about to be moved between memory and a file.
    Access(super::files::table::Begun),
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

impl Thread {
    /// Makes the state of a thread. It is large, and threads may have small stacks: it is on the
    /// stack once, and in this function alone.
    #[inline(never)]
    pub fn new(session: &'static Session, number: u32, sinks: Sinks) -> Box<Self> {
        Box::new(Self {
            session,
            number,
            nesting: Nesting::NOT,
            heard: None,
            site: 0,
            callers: Callers::default(),
            seen: true,
            told_off: false,
            born: 0,
            scratch: Scratch::default(),
            types: LatestTypes::default(),
            comms: LatestComm::default(),
            regions: Regions::default(),
            counting: Counting::default(),
            polling: Polling::default(),
            is_waiting: false,
            rests_at: u64::MAX,
            sinks,
        })
    }

    /// Commits the entry of a call made at `self.site`.
    #[inline]
    pub fn enter(&mut self, time: u64, region: u32) {
        let site = self.site as u64;
        self.callers.note(self.session, self.site);
        // Here, where it is known that this is an enter, packing it costs next to nothing.
        self.sinks.push(time, Fact::Enter { region, site });
    }

    /// Says in the records that recording is on, or off, unless they do already.
    pub fn tell_switched(&mut self, time: u64, on: bool) {
        if self.told_off == on {
            self.told_off = !on;
            if !on {
                self.leave_regions(time);
            }
            self.push(time, Fact::Switched { on });
            if on {
                self.enter_regions(time);
            }
        }
    }

    /// A call ends that may have been left out: the next one is recorded, unless recording is off.
    #[inline(always)]
    pub(super) fn ends_left_out(&mut self) {
        self.seen |= !self.told_off;
    }

    /// Returns whether the records say that recording is on.
    pub(super) fn is_told(&self) -> bool {
        !self.told_off
    }

    /// Returns the status that MPI is to fill: the program's, or ours if that wants none.
    #[inline(always)]
    pub fn status(&mut self, passed: usize) -> usize {
        match self.session.mpi.abi.ignores_status(passed) {
            true => self.scratch.status.as_mut_ptr() as usize,
            false => passed,
        }
    }

    /// Returns so many statuses in the same way.
    #[inline(always)]
    pub fn statuses(&mut self, passed: usize, count: usize) -> usize {
        let abi = &self.session.mpi.abi;
        match abi.ignores_status(passed) {
            true => self.scratch.statuses(count * abi.status.size),
            false => passed,
        }
    }

    /// Tells what the thread's counters have counted, if any are read.
    #[inline(always)]
    pub fn tell_counters(&mut self, time: u64) {
        if counters::are_read() {
            self.counting.tell(time, &mut self.sinks);
        }
    }

    /// Gives a fact to the sinks.
    #[inline(never)]
    pub fn push(&mut self, time: u64, fact: Fact) {
        self.sinks.push(time, fact);
    }
}

thread_local! {
    /// This thread has no buffer and does not ask again.
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Returns this thread's state, if it has made a call.
#[inline(always)]
pub fn known() -> Option<Own<Thread>> {
    // SAFETY: what hangs there `install` has hung there.
    unsafe { Own::hanging(site::state().cast()) }
}

/// Returns this thread's state, making it if this is the thread's first call; nothing if that
/// fails.
#[inline]
pub fn current() -> Option<Own<Thread>> {
    known().or_else(first_call)
}

/// Returns whether this thread is in a call that is observed.
#[inline]
pub fn within() -> bool {
    known().is_some_and(|thread| thread.get().nesting.is_nested())
}

/// Works on this thread's state, if nothing else does now; returns whether it has.
#[inline(always)]
pub(super) fn alone(work: impl FnOnce(&mut Thread)) -> bool {
    let Some(current) = current() else {
        return false;
    };
    let thread = current.get();
    if thread.nesting.is_nested() {
        return false;
    }
    let working = Working::begin(thread);
    guarded(|| work(working.thread().get()));
    true
}

/// Makes `thread` the state of the calling thread, until that ends.
pub fn install(thread: Box<Thread>) -> Own<Thread> {
    if thread.number != 0 {
        threads::watch_end(end);
    }
    site::set_number(thread.number);
    let thread = Own::of_box(thread);
    site::set_state(thread.pointer().cast());
    thread
}

/// Takes over a state that was made for the calling thread, in a signal handler.
pub(super) fn adopt(own: Own<Thread>) {
    site::set_number(own.get().number);
    site::set_state(own.pointer().cast());
}

/// A thread is gone that took over such a state, or was to.
pub(super) fn end_of_another(own: Own<Thread>) {
    // SAFETY: made by `Own::new`, and nobody knows of it any more.
    let mut thread = unsafe { Box::from_raw(own.pointer()) };
    thread.end_regions();
    let sinks = std::mem::take(&mut thread.sinks);
    (thread.session.threads.end)(sinks);
}

/// The calling thread ends: its buffer is the next one's. The first thread's stays.
pub fn end() {
    let Some(thread) = known().filter(|thread| thread.get().number != 0) else {
        return;
    };
    site::set_state(std::ptr::null_mut());
    // SAFETY: made by `install`, and nobody knows of it any more.
    let mut thread = unsafe { Box::from_raw(thread.pointer()) };
    thread.end_regions();
    thread.end_life(ticks());
    let sinks = std::mem::take(&mut thread.sinks);
    (thread.session.threads.end)(sinks);
}

#[cold]
fn first_call() -> Option<Own<Thread>> {
    if REFUSED.get() {
        return None;
    }
    let made = std::panic::catch_unwind(|| session::get().and_then(Session::new_thread));
    match made {
        Ok(Some(mut thread)) => match known() {
            // A signal handler has taken over the one that was made for it.
            Some(taken) => {
                (thread.session.threads.end)(thread.sinks);
                Some(taken)
            }
            None => {
                thread.nesting = Nesting::WORK; // for signal handlers
                let own = install(thread);
                compiler_fence(Ordering::SeqCst);
                own.get().begin_life();
                compiler_fence(Ordering::SeqCst);
                own.get().nesting = Nesting::NOT;
                Some(own)
            }
        },
        _ => {
            REFUSED.set(true);
            None
        }
    }
}
