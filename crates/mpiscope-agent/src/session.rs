//! The process's state, made in MPI_Init and never freed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mpi_abi::Mpi;
use mpiscope_run::buffer::{Shared, Writer};
use mpiscope_run::process::{line, Definition, Identity};
use mpiscope_run::record::UNSEEN;

use crate::clock::ticks;
use crate::comms::Comms;
use crate::config::Config;
use crate::midrun::Midrun;
use crate::modules::Modules;
use crate::monitor;
use crate::notice;
use crate::probe::Messages;
use crate::requests::Requests;
use crate::thread::Thread;
use crate::threads::ROOM;
use crate::types::Types;
use crate::unseen::Unseen;
use crate::windows::Windows;

/// What every hook may use.
pub struct Session {
    /// The MPI library.
    pub mpi: &'static Mpi,
    /// Who we are.
    pub identity: Identity,
    /// World ranks that speak for their clocks, rank 0 excluded.
    pub representatives: Vec<u32>,
    /// The run directory.
    pub run: PathBuf,
    /// Where the buffers of this host lie.
    pub buffers: PathBuf,
    /// What the run was told to do, the same on all ranks.
    pub config: Config,
    /// Our own duplicate of MPI_COMM_WORLD.
    pub comm: usize,
    /// The communicators known.
    pub comms: Comms,
    /// Its windows.
    pub windows: Windows,
    /// The requests outstanding.
    pub requests: Requests,
    /// The matched messages not yet received.
    pub messages: Messages,
    /// The datatypes used.
    pub types: Types,
    /// The modules that call MPI.
    pub modules: Modules,
    /// What comes by while recording is off.
    pub unseen: Unseen,
    /// When to measure clock offsets while the run lasts, if at all.
    pub midrun: OnceLock<Midrun>,
    /// Seconds that MPI_Init took longer because of us.
    pub start_seconds: OnceLock<f64>,
    /// All buffers, the first thread's first.
    threads: Mutex<Vec<(PathBuf, Shared)>>,
    /// Those whose threads have ended.
    spare: Mutex<Vec<Writer>>,
    next_thread: AtomicU32,
    next_request: AtomicU32,
    finished: AtomicBool,
}

static SESSION: OnceLock<Session> = OnceLock::new();

/// Returns the session, if MPI is up and the agent observes it.
pub fn get() -> Option<&'static Session> {
    SESSION.get()
}

/// What [`Session::install`] needs to know.
pub struct Parts {
    /// See [`Session::mpi`].
    pub mpi: &'static Mpi,
    /// See [`Session::identity`].
    pub identity: Identity,
    /// See [`Session::representatives`].
    pub representatives: Vec<u32>,
    /// See [`Session::buffers`].
    pub buffers: PathBuf,
    /// See [`Session::config`].
    pub config: Config,
    /// See [`Session::comm`].
    pub comm: usize,
}

impl Session {
    /// Makes the session of the process; a process has one.
    pub fn install(parts: Parts) -> Option<&'static Self> {
        let session = Self {
            mpi: parts.mpi,
            identity: parts.identity,
            representatives: parts.representatives,
            run: parts.config.run.clone(),
            buffers: parts.buffers,
            config: parts.config,
            comm: parts.comm,
            comms: Comms::default(),
            windows: Windows::default(),
            requests: Requests::default(),
            messages: Messages::default(),
            types: Types::default(),
            modules: Modules::default(),
            unseen: Unseen::default(),
            midrun: OnceLock::new(),
            start_seconds: OnceLock::new(),
            threads: Mutex::default(),
            spare: Mutex::default(),
            next_thread: AtomicU32::new(0),
            next_request: AtomicU32::new(1),
            finished: AtomicBool::new(false),
        };
        SESSION.set(session).ok()?;
        SESSION.get()
    }

    /// Makes the state and the buffer of a thread that calls MPI for the first time.
    pub fn new_thread(&'static self) -> Option<Thread> {
        let (number, tid) = self.number_thread();
        let statistics = monitor::attach(self, number, tid);
        if !self.config.trace {
            return (!statistics.is_null()).then(|| Thread::new(self, number, None, statistics));
        }
        let Some(writer) = self.buffer_of(number, tid) else {
            self.refuse();
            return None;
        };
        Some(Thread::new(self, number, Some(writer), statistics))
    }

    /// Returns the buffer of a thread that has ended, or a new one.
    fn buffer_of(&self, number: u32, tid: u32) -> Option<Writer> {
        let spare = (number != 0).then(|| self.lock_spare().pop()).flatten();
        if let Some(mut writer) = spare {
            if writer.hand_over(ticks(), number, tid) {
                return Some(writer);
            }
            // What it holds is read from its file; it stays mapped, as others may look at it.
            std::mem::forget(writer);
        }
        let (host, pid) = (host_name(), std::process::id());
        let name = format!("{host}-{pid}-{tid}-{number}.buffer");
        let (capacity, room) = match number {
            0 => (self.config.buffer, None),
            // No thread ever gets more.
            _ => (ROOM.most() / 2, Some(&ROOM)),
        };
        let made = Writer::create(&self.buffers, &name, &self.run, capacity, room);
        let writer = made
            .inspect_err(|error| {
                let folder = self.buffers.display();
                notice::tell(&format!(
                    "a thread is not recorded, no buffer could be made in {folder}: {error}"
                ));
            })
            .ok()?;
        let header = writer.header();
        header.tid.store(tid, Ordering::Relaxed);
        header.thread.store(number, Ordering::Relaxed);
        header.rank.store(self.identity.rank, Ordering::Relaxed);
        self.lock_threads()
            .push((writer.path().to_owned(), writer.shared()));
        Some(writer)
    }

    /// Takes the buffer of a thread that ends, for another.
    pub fn take_back(&self, writer: Writer) {
        self.lock_spare().push(writer);
    }

    /// Counts a thread that is not recorded.
    fn refuse(&self) {
        if let Some((_, first)) = self.lock_threads().first() {
            first.header().refused.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns the number of a thread met now, and what the system calls it.
    pub fn number_thread(&self) -> (u32, u32) {
        let number = self.next_thread.fetch_add(1, Ordering::Relaxed);
        // SAFETY: gettid has no failure.
        (number, unsafe { libc::syscall(libc::SYS_gettid) } as u32)
    }

    /// Returns true to the first who asks: he writes the archive.
    pub fn finish(&self) -> bool {
        !self.finished.swap(true, Ordering::AcqRel)
    }

    /// Appends to the process's definitions, which lie in the first thread's buffer
    /// and, as far as statistics need them, in its table.
    pub fn define(&self, definition: &Definition) {
        if let Some(monitor) = monitor::get() {
            monitor.define(definition);
        }
        let first = self
            .lock_threads()
            .first()
            .map(|(_, shared)| shared.clone());
        if let Some(shared) = first {
            shared.define(&line(definition));
        }
    }

    /// Returns the paths of the process's buffers.
    pub fn buffer_paths(&self) -> Vec<PathBuf> {
        self.lock_threads()
            .iter()
            .map(|(path, _)| path.clone())
            .collect()
    }

    /// Returns handles to the process's buffers, the first thread's first.
    pub fn buffers_shared(&self) -> Vec<Shared> {
        self.lock_threads()
            .iter()
            .map(|(_, shared)| shared.clone())
            .collect()
    }

    /// Returns a new request or message id: counted up, never 0, below [`UNSEEN`].
    #[inline]
    pub fn next_request(&self) -> u32 {
        let next = || self.next_request.fetch_add(1, Ordering::Relaxed) & !UNSEEN;
        match next() {
            0 => next(),
            id => id,
        }
    }

    fn lock_spare(&self) -> std::sync::MutexGuard<'_, Vec<Writer>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_threads(&self) -> std::sync::MutexGuard<'_, Vec<(PathBuf, Shared)>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the host's name.
pub fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map(|name| name.trim().to_owned())
        .unwrap_or_else(|_| "localhost".to_owned())
}
