//! The state of the process; a choice survives the thread that made it in a
//! buffer that goes on to another thread.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use mpi_abi::{id, pmpi_fortran, Mpi};
use mpiscope_rules::replay_cursor::ReplayCursor;
use mpiscope_run::order::buffer::{Reached, Writer, ENDING, TURNS};
use mpiscope_run::order::calls::Calls;
use mpiscope_run::order::collect::Note;
use mpiscope_run::order::outcome::Divergence;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::{RankOrder, ThreadOrder, Turn, Unrecorded};

use super::activity::Activity;
use super::comms::Freed;
use super::deterministic::memory::Rule;
use super::fast_path::FastPath;
use super::messages;
use super::out::Out;
use super::persistent_receives::PersistentReceives;
use super::report::Report;
use super::requests::Requests;
use super::serial::Serial;
use super::settings::Mode;
use super::stop_at;
use super::thread::Thread;
use super::traced_calls::TraceComparison;
use super::turns::Turns;
use crate::base::host::host_name;
use crate::base::lineage;
use crate::base::notice;
use crate::base::own::Own;
use crate::base::site;
use crate::base::threads::ROOM;
use crate::peers::page::Page;

/// The state of the process.
pub struct Session {
    /// The MPI library.
    pub mpi: &'static Mpi,
    /// World rank.
    pub rank: u32,
    /// Size of the world.
    pub size: u32,
    /// A communicator on which nobody ever sends: what is received on it can be cancelled.
    pub never: usize,
    /// What to do with the order.
    pub mode: Mode,
    /// Whether choices are written.
    pub writes: bool,
    /// What the shortest way may be taken for.
    pub fast_path: FastPath,
    /// Where notices, spilled choices and reports go.
    pub run: PathBuf,
    /// Where the buffers of this host lie.
    pub folder: PathBuf,
    /// The receives posted whose source is still open, and persistent ones.
    pub requests: Requests,
    /// In replay, persistent wildcard receives.
    pub families: PersistentReceives,
    /// Communicators freed.
    pub freed: Freed,
    /// The order of posts, where several threads may call MPI at once.
    pub turns: Option<Turns>,
    /// The order of choices, where threads take turns by a lock of their own.
    pub serial: Option<Serial>,
    /// The record that leads, in replay.
    pub recorded: Option<RankOrder>,
    /// What the trace of the recorded run tells of the calls, in replay.
    calls: Option<Calls>,
    /// Where ranks tell each other what they do, if choices are made by a rule.
    pub page: Option<&'static Page>,
    /// The rule, if choices are those of the unobserved program.
    pub earliest: Option<Rule>,
    /// How replay goes.
    pub report: Report,
    /// How long nothing may happen on any rank before replay is given up; none: for ever.
    pub patience: Option<Duration>,
    /// Whether a divergence ends the run.
    pub stop: bool,
    /// Whether a debugger has started the program, and may choose.
    pub debugged: bool,
    /// What cannot be recorded and was said already.
    pub unrecorded: Mutex<Vec<Unrecorded>>,
    threads: Mutex<Vec<&'static Shared>>,
    /// Where all choices lie.
    buffers: Mutex<Vec<PathBuf>>,
    /// Buffers whose threads have ended.
    spare: Mutex<Vec<Writer>>,
    next_thread: AtomicU32,
    next_buffer: AtomicU32,
    fortran_true: AtomicI32,
    finished: AtomicBool,
    /// Where a replay keeps how far its first thread has come.
    reached: Option<Reached>,
}

/// What others may see of a thread.
pub struct Shared {
    /// The thread's state, for when it makes no calls any more.
    pub thread: Cell<*mut Thread>,
    /// Its number.
    pub number: u32,
    /// Of the system.
    pub tid: u32,
    /// What it is doing, for the watchdog.
    pub place: Activity,
    /// Whether it is no more.
    pub ended: AtomicBool,
}

// SAFETY: `thread` is read by others only in MPI_Finalize, when no other thread calls MPI (MPI 4.1, §11.2.2),
// and none that ends is freed any more.
unsafe impl Sync for Shared {}
// SAFETY: what refers to its thread is touched by that thread, or when no other calls MPI.
unsafe impl Send for Shared {}

static SESSION: OnceLock<Session> = OnceLock::new();

/// Returns the session, if there is one.
pub fn get() -> Option<&'static Session> {
    SESSION.get()
}

/// What a session is made from.
pub struct Parts {
    pub mpi: &'static Mpi,
    pub rank: u32,
    pub size: u32,
    pub never: usize,
    pub mode: Mode,
    pub writes: bool,
    /// Whether every call is to take the long way.
    pub long: bool,
    pub run: PathBuf,
    pub folder: PathBuf,
    pub multiple: bool,
    pub serialized: bool,
    pub turns: Vec<Turn>,
    pub recorded: Option<RankOrder>,
    pub calls: Option<Calls>,
    pub page: Option<&'static Page>,
    pub earliest: Option<Rule>,
    pub patience: Option<Duration>,
    pub stop: bool,
    pub debugged: bool,
    pub reached: Option<Reached>,
}

impl Session {
    /// Makes the session of the process; a process has one.
    pub fn install(parts: Parts) -> Option<&'static Self> {
        let mut session = Self {
            mpi: parts.mpi,
            rank: parts.rank,
            size: parts.size,
            never: parts.never,
            mode: parts.mode,
            writes: parts.writes,
            fast_path: match parts.mode {
                _ if parts.long || parts.multiple || parts.calls.is_some() => FastPath::No,
                Mode::Record => FastPath::Record,
                Mode::Replay if !parts.writes => FastPath::Replay,
                _ => FastPath::No,
            },
            run: parts.run,
            folder: parts.folder,
            requests: Requests::new(parts.multiple),
            families: PersistentReceives::default(),
            freed: Freed::default(),
            turns: None,
            serial: None,
            recorded: parts.recorded,
            calls: parts.calls,
            page: parts.page,
            earliest: parts.earliest,
            report: Report::default(),
            patience: parts.patience,
            stop: parts.stop,
            debugged: parts.debugged,
            unrecorded: Mutex::default(),
            threads: Mutex::default(),
            buffers: Mutex::default(),
            spare: Mutex::default(),
            next_thread: AtomicU32::new(0),
            next_buffer: AtomicU32::new(0),
            fortran_true: AtomicI32::new(0),
            finished: AtomicBool::new(false),
            reached: parts.reached,
        };
        if parts.multiple {
            let out = session.out_of_turns();
            session.turns = Some(Turns::new(out, &parts.turns));
        }
        if parts.serialized && matches!(parts.mode, Mode::Record | Mode::Replay) {
            session.serial = Some(Serial::new(session.recorded.as_ref()));
        }
        SESSION.set(session).ok()?;
        SESSION.get()
    }

    /// Creates a buffer of choices, or has a thread go on in one whose thread has ended.
    pub fn new_writer(&self, thread: u32, lineage: u64) -> Option<Writer> {
        let first = thread == TURNS || self.lock_threads().is_empty();
        let spare = match first {
            true => None,
            false => lock(&self.spare).pop(),
        };
        if let Some(mut writer) = spare {
            if writer.hand_over(thread, lineage) {
                return Some(writer);
            }
            // It stays mapped: the hash of the thread that had it lies there.
            std::mem::forget(writer);
        }
        let number = self.next_buffer.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{number}.{ENDING}", host_name(), std::process::id());
        let room = (!first).then_some(&ROOM);
        let made = Writer::create(&self.folder, &name, &self.run, (thread, lineage), room);
        let writer = made
            .inspect_err(|error| {
                let folder = self.folder.display();
                notice::tell(&format!(
                    "the order of a thread is not recorded, no buffer could be made in {folder}: {error}"
                ));
            })
            .ok()?;
        lock(&self.buffers).push(writer.path().to_owned());
        Some(writer)
    }

    /// Makes the stream of turns.
    fn out_of_turns(&self) -> Out {
        let writer = match self.writes {
            true => self.new_writer(TURNS, 0),
            false => None,
        };
        Out {
            writer,
            encoder: Encoder::default(),
        }
    }

    /// Returns where all choices lie.
    pub fn buffers(&self) -> Vec<PathBuf> {
        lock(&self.buffers).clone()
    }

    /// Takes what a thread held that ends; its stream ends with it. False for the first
    /// thread, and once MPI_Finalize says the last word of all that are left.
    pub fn end_thread(&self, thread: Own<Thread>) -> bool {
        let mut threads = self.lock_threads();
        let is_first = |shared: &&Shared| shared.thread.get() == thread.pointer();
        if self.finished.load(Ordering::Acquire) || threads.first().is_some_and(is_first) {
            return false;
        }
        let state = thread.get();
        messages::say_end(state);
        if let Some(writer) = state.out.writer.take() {
            writer.end_thread();
            lock(&self.spare).push(writer);
        }
        if self.mode.leads() {
            state.shared.ended.store(true, Ordering::Relaxed);
            self.end_turns(state);
            return true; // the watchdog, and how it went, still look at it
        }
        let shared: *const Shared = state.shared;
        threads.retain(|known| !std::ptr::eq(*known, shared));
        // SAFETY: both were made by `new_thread`. Where nothing is led, others look at them only
        // through the list, under its lock or after `finish`; they are not in it any more.
        unsafe {
            drop(Box::from_raw(thread.pointer()));
            drop(Box::from_raw(shared.cast_mut()));
        }
        true
    }

    /// Nobody waits for a thread that has ended; says so if it was to post more.
    fn end_turns(&self, thread: &Thread) {
        let Some(turns) = &self.turns else { return };
        let left = turns.end(thread.number);
        if left == 0 || thread.cursor.is_none() {
            return;
        }
        let call = thread.hot.hash.calls();
        self.report.note_divergence(Divergence {
            thread: thread.number,
            call: call + 1,
            came: format!("the end of thread {}, after {call} calls", thread.number),
            expected: format!(
                "{left} more sends or receives of it: how many calls a thread makes depends on \
                 something that is not MPI's, as a counter that threads share"
            ),
            ..Divergence::default()
        });
    }

    /// Returns whether threads take turns by a lock of their own, and several have called MPI.
    #[inline]
    pub fn is_serial(&self) -> bool {
        self.serial.as_ref().is_some_and(Serial::is_active)
    }

    /// A second thread calls MPI, and with it begins the order among threads that take turns.
    fn begin_serial(&self) {
        let first = self.lock_threads().first().copied();
        let (Some(serial), Some(first)) = (&self.serial, first) else {
            return;
        };
        // SAFETY: the first thread's state is never freed, and it is in no call that uses it, as
        // this one is made (MPI 4.1, §11.6), but for questions such as MPI_Initialized.
        let Some(thread) = (unsafe { first.thread.get().as_mut() }) else {
            return;
        };
        thread.hot.fast_path = FastPath::No;
        thread.comparison = None;
        let outcomes = match &thread.cursor {
            Some(cursor) => cursor.outcomes as u64,
            None => thread.out.encoder.outcomes(),
        };
        serial.begin(thread.posts, outcomes, || self.out_of_turns());
    }

    /// A thread that the record does not know may take the choices of others.
    fn led_by_others(&self) -> Option<&'static ThreadOrder> {
        static NOTHING: ThreadOrder = ThreadOrder::nothing();
        let is_led = self.is_serial() && self.serial.as_ref().is_some_and(Serial::is_led);
        is_led.then_some(&NOTHING)
    }

    /// Returns the part of the record that is of the thread with this number.
    pub fn recorded_number(&'static self, number: u32) -> Option<&'static ThreadOrder> {
        let order = self.recorded.as_ref()?;
        order.threads.iter().find(|thread| thread.number == number)
    }

    /// Makes the state of a thread that calls MPI for the first time.
    pub fn new_thread(&'static self) -> Own<Thread> {
        self.begin_serial();
        let lineage = lineage::own();
        let order = self.recorded_thread(lineage);
        let number = order.map_or_else(|| self.new_number(), |order| order.number);
        let writer = match self.writes {
            true => self.new_writer(number, lineage),
            false => None,
        };
        let shared: &'static Shared = Box::leak(Box::new(Shared {
            thread: Cell::new(std::ptr::null_mut()),
            number,
            // SAFETY: gettid has no failure.
            tid: unsafe { libc::syscall(libc::SYS_gettid) } as u32,
            place: Activity::default(),
            ended: AtomicBool::new(false),
        }));
        if let Some(call) = stop_at::call(self.rank, number) {
            shared.place.stand_before(call);
        }
        let cursor = order
            .or_else(|| self.led_by_others())
            .map(ReplayCursor::new);
        let led = cursor.as_ref().filter(|_| !self.is_serial());
        let comparison = led.and_then(|_| self.comparison(number));
        let reached = self.reached.as_ref().filter(|_| number == 0);
        let reached = reached.map(Reached::progress);
        let thread = Thread::new(self, shared, (writer, reached), cursor, comparison);
        let thread = Own::new(thread);
        shared.thread.set(thread.pointer());
        if self.is_serial() {
            thread.get().hot.fast_path = FastPath::No;
        }
        self.lock_threads().push(shared);
        thread
    }

    /// Returns the part of the record that is of the thread with this lineage.
    fn recorded_thread(&self, lineage: u64) -> Option<&ThreadOrder> {
        let order = self.recorded.as_ref()?;
        let mut threads = order.threads.iter();
        threads.find(|thread| thread.lineage == lineage)
    }

    /// Returns what the trace tells of a thread, if it is sure which one that is: the threads
    /// of a trace are numbered by their first calls, as those of a record are, but apart.
    fn comparison(&'static self, number: u32) -> Option<Box<TraceComparison>> {
        let calls = self.calls.as_ref()?;
        let sure = number == 0 || calls.threads() <= 2;
        let calls = calls.of(number).filter(|_| sure)?;
        Some(Box::new(TraceComparison::new(calls)))
    }

    /// Returns a number that no thread has, neither now nor in the record: that
    /// in the trace of this run, so that both tell of the same threads.
    fn new_number(&self) -> u32 {
        let traced = site::number().filter(|_| self.recorded.is_none());
        if let Some(number) = traced {
            self.next_thread.fetch_max(number + 1, Ordering::Relaxed);
            return number;
        }
        let recorded = self
            .recorded
            .as_ref()
            .and_then(|order| order.threads.last());
        let first = recorded.map_or(0, |thread| thread.number + 1);
        first + self.next_thread.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns all threads that called MPI: in replay all that ever did, else those that live.
    pub fn threads(&self) -> Vec<&'static Shared> {
        self.lock_threads().clone()
    }

    /// Writes a note into the first buffer.
    pub fn note(&self, note: &Note) -> bool {
        let first = self.lock_threads().first().copied();
        // SAFETY: the first thread's state is never freed; a note touches what a lock guards alone.
        let thread = first.and_then(|shared| unsafe { shared.thread.get().as_ref() });
        thread
            .and_then(|thread| thread.out.writer.as_ref())
            .is_some_and(|writer| writer.note(&note.line()))
    }

    /// Returns true to the first who asks.
    pub fn finish(&self) -> bool {
        let _no_thread_ends = self.lock_threads();
        !self.finished.swap(true, Ordering::AcqRel)
    }

    /// Returns what this MPI's Fortran takes for true: compilers differ.
    pub fn fortran_true(&self) -> i32 {
        let known = self.fortran_true.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        let (mut flag, mut error) = (1, 0);
        if let Some(found) = pmpi_fortran(id::MPI_INITIALIZED) {
            // SAFETY: MPI_INITIALIZED(FLAG, IERROR) takes two addresses.
            unsafe {
                let ask: unsafe extern "C-unwind" fn(*mut i32, *mut i32) =
                    std::mem::transmute(found);
                ask(&mut flag, &mut error);
            }
        }
        self.fortran_true.store(flag, Ordering::Relaxed);
        flag
    }

    /// Returns the communicator on which nobody sends, as Fortran holds it.
    pub fn never_in_fortran(&self) -> i32 {
        let convert = self.mpi.library().symbol(c"PMPI_Comm_c2f");
        convert.map_or(self.never as i32, |convert| {
            // SAFETY: MPI 4.1 §19.3.4 declares it so; the handle is our own communicator.
            unsafe {
                let convert: unsafe extern "C" fn(usize) -> i32 = std::mem::transmute(convert);
                convert(self.never)
            }
        })
    }

    fn lock_threads(&self) -> MutexGuard<'_, Vec<&'static Shared>> {
        lock(&self.threads)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
