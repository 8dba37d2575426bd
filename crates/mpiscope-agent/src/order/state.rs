//! The state of the process and of each thread; never freed, as a choice must
//! survive the thread that made it.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use mpi_abi::{id, pmpi_fortran, FunctionId, Mpi};
use mpiscope_run::order::buffer::{Writer, ENDING};
use mpiscope_run::order::calls::Calls;
use mpiscope_run::order::collect::Note;
use mpiscope_run::order::stream::Encoder;
use mpiscope_run::order::{RankOrder, Taken, ThreadOrder, Unrecorded};

use super::call::StatusMemory;
use super::canonical::{Canonical, Page};
use super::comms::{Comms, Freed};
use super::diverge::Report;
use super::guide::Guide;
use super::lean::{Hot, Lean};
use super::lineage;
use super::persistent::Families;
use super::requests::{Recent, Requests};
use super::stand;
use super::start::{self, Mode};
use super::turns::Turns;
use super::watch::Where;
use super::witness::Witness;
use crate::session::host_name;
use crate::{notice, online, site};

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
    lean: Lean,
    /// Where notices, spilled choices and reports go.
    pub run: PathBuf,
    /// Where the buffers of this host lie.
    pub folder: PathBuf,
    /// The receives posted whose source is still open, and persistent ones.
    pub requests: Requests,
    /// In replay, persistent wildcard receives.
    pub families: Families,
    /// Communicators freed.
    pub freed: Freed,
    /// The order of posts, where several threads may call MPI at once.
    pub turns: Option<Turns>,
    /// The record that leads, in replay.
    pub recorded: Option<RankOrder>,
    /// What the trace of the recorded run tells of the calls, in replay.
    calls: Option<Calls>,
    /// Where ranks tell each other what they do, if choices are made by a rule.
    pub page: Option<&'static Page>,
    /// How replay goes.
    pub report: Report,
    /// How long nothing may happen on any rank before replay is given up; none: for ever.
    pub patience: Option<Duration>,
    /// Whether a divergence ends the run.
    pub stop: bool,
    /// What cannot be recorded and was said already.
    pub unrecorded: Mutex<Vec<Unrecorded>>,
    threads: Mutex<Vec<&'static Shared>>,
    next_thread: AtomicU32,
    next_buffer: AtomicU32,
    fortran_true: AtomicI32,
    finished: AtomicBool,
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
    pub place: Where,
    /// Its buffer.
    pub buffer: Option<PathBuf>,
}

// SAFETY: `thread` is read by others only in MPI_Finalize, when no other thread calls MPI (MPI 4.1, §11.2.2).
unsafe impl Sync for Shared {}
// SAFETY: as above.
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
    pub traces: bool,
    pub run: PathBuf,
    pub folder: PathBuf,
    pub multiple: bool,
    pub turns: Vec<u32>,
    pub recorded: Option<RankOrder>,
    pub calls: Option<Calls>,
    pub page: Option<&'static Page>,
    pub patience: Option<Duration>,
    pub stop: bool,
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
            lean: match parts.mode {
                _ if parts.traces || parts.multiple || parts.calls.is_some() => Lean::No,
                Mode::Record => Lean::Record,
                Mode::Replay if !parts.writes => Lean::Replay,
                _ => Lean::No,
            },
            run: parts.run,
            folder: parts.folder,
            requests: Requests::new(parts.multiple),
            families: Families::default(),
            freed: Freed::default(),
            turns: None,
            recorded: parts.recorded,
            calls: parts.calls,
            page: parts.page,
            report: Report::default(),
            patience: parts.patience,
            stop: parts.stop,
            unrecorded: Mutex::default(),
            threads: Mutex::default(),
            next_thread: AtomicU32::new(0),
            next_buffer: AtomicU32::new(0),
            fortran_true: AtomicI32::new(0),
            finished: AtomicBool::new(false),
        };
        if parts.multiple {
            session.turns = Some(start::turns(&session, parts.turns));
        }
        SESSION.set(session).ok()?;
        SESSION.get()
    }

    /// Creates a buffer of choices.
    pub fn new_writer(&self, thread: u32, lineage: u64) -> Option<Writer> {
        let number = self.next_buffer.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{}-{number}.{ENDING}", host_name(), std::process::id());
        let made = Writer::create(&self.folder.join(name), &self.run, thread, lineage);
        made.inspect_err(|error| {
            let folder = self.folder.display();
            notice::tell(&format!(
                "the order of a thread is not recorded, no buffer could be made in {folder}: {error}"
            ));
        })
        .ok()
    }

    /// Makes the state of a thread that calls MPI for the first time.
    pub fn new_thread(&'static self) -> *mut Thread {
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
            place: Where::default(),
            buffer: writer.as_ref().map(|writer| writer.path().to_owned()),
        }));
        if let Some(call) = stand::call(self.rank, number) {
            shared.place.stand_before(call);
        }
        let guide = order.map(Guide::new);
        let witness = guide.as_ref().and_then(|_| self.witness(number));
        let thread = Box::into_raw(Box::new(Thread {
            session: self,
            shared,
            number,
            hot: Hot::new(&self.mpi.abi, self.lean, self.size),
            watched: self.mode.leads(),
            vain: false,
            out: Out {
                writer,
                encoder: Encoder::default(),
            },
            guide,
            witness,
            canonical: self
                .page
                .map(|page| Box::new(Canonical::new(page, self.rank))),
            posts: 0,
            nonblocking: 0,
            misses: 0,
            comms: Comms::default(),
            recent: Recent::default(),
            status: [0; 8],
            statuses: Vec::new(),
            handles: Vec::new(),
            indices: Vec::new(),
            said: [(0, 0); 64],
            latest: None,
        }));
        shared.thread.set(thread);
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
    fn witness(&'static self, number: u32) -> Option<Box<Witness>> {
        let calls = self.calls.as_ref()?;
        let sure = number == 0 || calls.threads() <= 2;
        let calls = calls.of(number).filter(|_| sure)?;
        Some(Box::new(Witness::new(calls)))
    }

    /// Returns a number that no thread has, neither now nor in the record.
    fn new_number(&self) -> u32 {
        let recorded = self
            .recorded
            .as_ref()
            .and_then(|order| order.threads.last());
        let first = recorded.map_or(0, |thread| thread.number + 1);
        first + self.next_thread.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns all threads that ever called MPI.
    pub fn threads(&self) -> Vec<&'static Shared> {
        self.lock_threads().clone()
    }

    /// Writes a note into the first buffer.
    pub fn note(&self, note: &Note) -> bool {
        let first = self.lock_threads().first().copied();
        // SAFETY: a thread's state is never freed, and a note touches only what a lock guards.
        let thread = first.and_then(|shared| unsafe { shared.thread.get().as_ref() });
        thread
            .and_then(|thread| thread.out.writer.as_ref())
            .is_some_and(|writer| writer.note(&note.line()))
    }

    /// Returns true to the first who asks.
    pub fn finish(&self) -> bool {
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

    fn lock_threads(&self) -> std::sync::MutexGuard<'_, Vec<&'static Shared>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
    /// Whether a watchdog looks.
    watched: bool,
    /// The call was a poll that said no.
    vain: bool,
    /// Where choices go.
    pub out: Out,
    /// What leads it, in replay, as long as it goes as recorded.
    pub guide: Option<Guide>,
    /// What the trace of the recorded run tells of its calls, as long as they are the same.
    pub witness: Option<Box<Witness>>,
    /// What makes its choices by a rule, where no record leads.
    pub canonical: Option<Box<Canonical>>,
    /// Wildcard receives and blocking wildcard probes so far.
    pub posts: u64,
    /// Nonblocking receives so far.
    pub nonblocking: u64,
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
    pub said: [(u16, usize); 64],
    /// The latest wildcard receive, if only those that race are written, and this was not yet.
    pub latest: Option<(u64, Taken)>,
}

/// A stream of choices on its way to memory.
pub struct Out {
    /// None if nothing is to be written.
    pub writer: Option<Writer>,
    /// What the stream's reader will know.
    pub encoder: Encoder,
}

impl Out {
    /// Writes a choice, if choices are written.
    #[inline]
    pub fn put(&mut self, put: impl FnOnce(&mut Encoder, &mut Writer)) {
        if let Some(writer) = &mut self.writer {
            put(&mut self.encoder, writer);
        }
    }
}

impl Out {
    /// Writes what a wildcard receive took, unless that is left to those who look for races.
    #[inline]
    pub fn received(&mut self, ordinal: u64, taken: Taken) {
        if !online::on() {
            self.put(|encoder, writer| encoder.receive(writer, ordinal, taken));
        }
    }
}

impl Thread {
    /// Returns whether this is the outermost call.
    #[inline]
    pub fn enter(&mut self, function: FunctionId) -> bool {
        if self.hot.nested {
            return false;
        }
        self.hot.nested = true;
        if self.watched {
            self.vain = false;
            self.shared.place.enter(function);
            if self.shared.place.is_to_stand() {
                stand::here(self.session.rank, self.number);
            }
        }
        true
    }

    /// A call begins that a watchdog may look at.
    #[inline]
    pub fn begin_watched(&mut self, function: FunctionId, integers: [u32; 3], site: usize) {
        self.vain = false;
        let place = &self.shared.place;
        place.enter(function);
        if place.is_to_stand() {
            stand::here(self.session.rank, self.number);
        }
        for (k, &integer) in integers.iter().enumerate() {
            place.about(k, integer);
        }
        place.at(site);
    }

    /// Returns whether a watchdog looks at what this thread does.
    #[inline]
    pub fn is_watched(&self) -> bool {
        self.watched
    }

    /// A poll has said no.
    #[inline]
    pub fn miss(&mut self) {
        self.misses += 1;
        self.vain = true;
    }

    /// The outermost call has returned.
    #[inline]
    pub fn leave(&mut self) {
        self.hot.nested = false;
        if self.watched {
            self.shared.place.leave(self.vain);
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

/// Returns this thread's state, making it if this is its first call; null without a session.
#[inline]
pub fn current() -> *mut Thread {
    let thread = site::order().cast::<Thread>();
    if thread.is_null() {
        return first_call();
    }
    thread
}

#[cold]
fn first_call() -> *mut Thread {
    let made = std::panic::catch_unwind(|| get().map(Session::new_thread));
    let thread = made.ok().flatten().unwrap_or(std::ptr::null_mut());
    site::set_order(thread.cast());
    thread
}
