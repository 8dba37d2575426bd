//! The state of a thread: made at its first call, gone when it ends, unless it is led.

use std::ptr::NonNull;

use mpi_abi::FunctionId;
use mpiscope_rules::replay_cursor::ReplayCursor;
use mpiscope_run::order::buffer::{Progress, Writer};
use mpiscope_run::order::in_flight::InFlight;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::Taken;

use super::comms::Comms;
use super::debugged;
use super::deterministic::memory::Deterministic;
use super::fast_path::Hot;
use super::flight::{self, Flight};
use super::hash::{self, Hash};
use super::latest_messages::Latest;
use super::out::{leaves_receives, Out};
use super::requests::{Entry, Fate, Recent};
use super::state::{self, Session, Shared};
use super::stop_at;
use super::traced_calls::TraceComparison;
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::base::{site, threads};
use crate::mpi::call::{Lang, StatusMemory};

/// Functions and where they were called.
pub type Said = [(u16, usize); 64];

/// The state of one thread.
pub struct Thread {
    /// What is asked in every call.
    pub hot: Hot,
    /// The process's state.
    pub session: &'static Session,
    /// What others see of it.
    pub shared: &'static Shared,
    /// By first call; 0 initialised MPI.
    pub number: u32,
    /// Where choices go.
    pub out: Out,
    /// The call that it is in, as far as that may take a message.
    pub flight: Flight,
    /// Where the program wants the one status that MPI fills there.
    pub wants: Option<usize>,
    /// What the buffer holds of the thread, if it has none.
    #[allow(
        dead_code,
        reason = "it is only kept; `hot.hash` and `flight` point there"
    )]
    memory: Option<Box<(Progress, InFlight)>>,
    /// What leads it, in replay, as long as it goes as recorded.
    pub cursor: Option<ReplayCursor>,
    /// What the trace of the recorded run tells of its calls, as long as they are the same.
    pub comparison: Option<Box<TraceComparison>>,
    /// What makes its choices by a rule, where no record leads.
    pub rule: Option<Box<Deterministic>>,
    /// The call that it is in, if that goes the long way.
    pub outer: Option<(FunctionId, Lang)>,
    /// Wildcard receives and blocking wildcard probes so far.
    pub posts: u64,
    /// Nonblocking receives so far.
    pub nonblocking: u64,
    /// Where its latest messages came, if it is led.
    pub messages: Latest,
    /// How many had come at the last mark.
    pub last_mark: u64,
    /// Where threads take turns: its wait or poll is led by what all chose.
    pub is_led_by_all: bool,
    /// Polls since the last that succeeded.
    pub misses: u64,
    /// Its communicators.
    pub comms: Comms,
    /// Its latest nonblocking receives.
    pub recent: Recent,
    /// A status for calls that want none.
    pub status: StatusMemory,
    /// Many of them.
    pub statuses: Vec<u64>,
    /// Requests as they were before a call.
    pub handles: Vec<usize>,
    /// Indices that a call returned.
    pub indices: Vec<u32>,
    /// What was said of late that it cannot be recorded.
    pub said: Said,
    /// The latest wildcard receive, if only those that race are written, and this was not yet.
    pub latest: Option<(u64, Taken)>,
}

impl Thread {
    /// Makes the state of a thread that makes its first call.
    pub fn new(
        session: &'static Session,
        shared: &'static Shared,
        (writer, reached): (Option<Writer>, Option<NonNull<Progress>>),
        cursor: Option<ReplayCursor>,
        comparison: Option<Box<TraceComparison>>,
    ) -> Self {
        let page = session.page;
        let abi = &session.mpi.abi;
        let mut memory = writer.is_none().then(flight::own);
        let (progress, in_flight) = match (&writer, &mut memory) {
            (Some(writer), _) => (writer.progress(), writer.in_flight()),
            (None, memory) => {
                let own = memory.get_or_insert_with(flight::own);
                let progress = reached.unwrap_or(NonNull::from(&mut own.0));
                (progress, NonNull::from(&mut own.1))
            }
        };
        Self {
            session,
            shared,
            number: shared.number,
            hot: Hot::new(
                abi,
                session.fast_path,
                session.size,
                session.mode.leads(),
                Hash::new(progress),
                cursor.as_ref().and_then(|cursor| cursor.order.cut),
            ),
            flight: Flight::new(in_flight, abi),
            wants: None,
            memory,
            out: Out {
                writer,
                encoder: Encoder::default(),
            },
            cursor,
            comparison,
            rule: page.map(|page| Box::new(Deterministic::new(page, session.rank))),
            outer: None,
            posts: 0,
            nonblocking: 0,
            messages: Latest::default(),
            last_mark: 0,
            is_led_by_all: false,
            misses: 0,
            comms: Comms::default(),
            recent: Recent::default(),
            status: [0; 8],
            statuses: Vec::new(),
            handles: Vec::new(),
            indices: Vec::new(),
            said: [(0, 0); 64],
            latest: None,
        }
    }

    /// Returns whether this is the outermost call.
    #[inline]
    pub fn enter(&mut self, function: FunctionId) -> bool {
        if self.hot.nesting.is_nested() {
            return false;
        }
        self.hot.nesting = Nesting::WORK;
        if self.hot.watched {
            self.hot.vain = false;
            self.shared.place.enter(function);
            if self.session.debugged {
                debugged::stepped(self);
            }
            if self.shared.place.is_to_stand() {
                stop_at::here(self.session.rank, self.number);
            }
            if self.session.debugged {
                debugged::release(self);
            }
        }
        true
    }

    /// A call from C begins that the watchdog may look at; it may receive from a rank that
    /// the program did not name.
    #[inline(always)]
    pub fn begin_watched<const INDEX: u16, const N: usize>(
        &mut self,
        args: &[usize; N],
        source: Option<u32>,
        site: usize,
    ) {
        self.hot.vain = false;
        let place = &self.shared.place;
        place.enter(FunctionId(INDEX));
        hash::each_integer::<INDEX, N>(args, |k, integer| place.about(k, integer));
        if let Some(source) = source {
            if let Some(k) = const { hash::source_of(FunctionId(INDEX)) } {
                place.about(k, source);
            }
        }
        place.at(site);
    }

    /// It makes a call that the recorded run did not come to, as it died before.
    #[cold]
    pub fn beyond(&mut self) {
        self.hot.end = u64::MAX;
        self.session.report.note_free(self.hot.hash.calls());
    }

    /// Returns what is to become of a nonblocking receive that the program may cancel.
    #[inline]
    pub fn fate(&mut self, number: u64) -> Fate {
        let cursor = self.cursor.as_mut();
        match cursor.and_then(|cursor| cursor.is_cancelled(number)) {
            None => Fate::Open,
            Some(true) => Fate::Cancelled,
            Some(false) => Fate::Received,
        }
    }

    /// A poll has said no.
    #[inline]
    pub fn miss(&mut self) {
        self.misses += 1;
        self.hot.vain = true;
    }

    /// The outermost call has returned, or was left.
    #[inline]
    pub fn leave(&mut self) {
        self.hot.nesting = Nesting::NOT;
        self.outer = None;
        if self.hot.watched {
            self.shared.place.leave(self.hot.vain);
            if self.session.debugged {
                debugged::stepped(self);
            }
        }
    }

    /// Writes what a receive took that has completed here, by whichever thread it was posted.
    #[inline]
    pub fn completed(&mut self, entry: Entry, taken: Taken) {
        if entry.thread == self.number {
            return self.out.received(entry.ordinal, taken);
        }
        if !leaves_receives() {
            self.out
                .put(|encoder, writer| encoder.foreign(writer, entry.thread, entry.ordinal, taken));
        }
    }

    /// Returns the address of memory for `count` statuses.
    pub fn statuses(&mut self, count: usize) -> usize {
        let words = (count * self.session.mpi.abi.status.size)
            .div_ceil(8)
            .max(8);
        if self.statuses.len() < words {
            self.statuses.resize(words, 0);
        }
        self.statuses.as_mut_ptr() as usize
    }
}

/// Returns this thread's state, if it has made a call.
#[inline(always)]
pub fn known() -> Option<Own<Thread>> {
    // SAFETY: what hangs there `first_call` has hung there.
    unsafe { Own::hanging(site::order().cast()) }
}

/// Returns this thread's state, making it if this is its first call; nothing without a session.
#[inline]
pub fn current() -> Option<Own<Thread>> {
    known().or_else(first_call)
}

#[cold]
fn first_call() -> Option<Own<Thread>> {
    let made = std::panic::catch_unwind(|| state::get().map(Session::new_thread));
    let thread = made.ok().flatten()?;
    site::set_order(thread.pointer().cast());
    threads::watch_end(end);
    Some(thread)
}

/// The calling thread ends.
pub fn end() {
    if let (Some(thread), Some(session)) = (known(), state::get()) {
        if session.end_thread(thread) {
            site::set_order(std::ptr::null_mut());
        }
    }
}
