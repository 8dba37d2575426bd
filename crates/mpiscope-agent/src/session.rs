//! The process's state, made in MPI_Init and never freed.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use mpi_abi::Mpi;
use mpiscope_run::buffer::{Shared, Writer};
use mpiscope_run::process::{line, Definition, Identity};
use mpiscope_run::record::UNSEEN;

use crate::comms::Comms;
use crate::config::Config;
use crate::midrun::Midrun;
use crate::modules::Modules;
use crate::monitor;
use crate::notice;
use crate::probe::Messages;
use crate::requests::Requests;
use crate::thread::Thread;
use crate::types::Types;
use crate::unseen::Unseen;

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
    threads: Mutex<Vec<(PathBuf, Shared)>>,
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
            requests: Requests::default(),
            messages: Messages::default(),
            types: Types::default(),
            modules: Modules::default(),
            unseen: Unseen::default(),
            midrun: OnceLock::new(),
            start_seconds: OnceLock::new(),
            threads: Mutex::default(),
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
        let name = format!(
            "{}-{}-{tid}-{number}.buffer",
            host_name(),
            std::process::id()
        );
        let path = self.buffers.join(name);
        let writer = match Writer::create(&path, &self.run, self.config.buffer) {
            Ok(writer) => writer,
            Err(error) => {
                notice::tell(&format!(
                    "a thread is not recorded, no buffer could be made in {}: {error}",
                    self.buffers.display()
                ));
                return None;
            }
        };
        let header = writer.header();
        header.tid.store(tid, Ordering::Relaxed);
        header.thread.store(number, Ordering::Relaxed);
        header.rank.store(self.identity.rank, Ordering::Relaxed);
        self.lock_threads().push((path, writer.shared()));
        Some(Thread::new(self, number, Some(writer), statistics))
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
