//! The process among the others of its job, known from MPI_Init on.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::OnceLock;

use mpi_abi::{Mpi, OwnComm};
use mpiscope_run::process::Identity;

use super::comms::Comms;
use super::modules::Modules;
use super::types::Types;

/// What all layers may ask about the process; made in MPI_Init and never freed.
pub struct Process {
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
    /// Our own duplicate of MPI_COMM_WORLD; nothing where each process began by itself.
    pub own: Option<OwnComm<'static>>,
    /// Whether threads may call MPI at once (`MPI_THREAD_MULTIPLE`).
    pub at_once: bool,
    /// The communicators known.
    pub comms: Comms,
    /// The datatypes used.
    pub types: Types,
    /// The modules that call MPI.
    pub modules: Modules,
    next_thread: AtomicU32,
}

/// What a process is made from; see the fields of [`Process`].
pub struct Parts {
    pub mpi: &'static Mpi,
    pub identity: Identity,
    pub representatives: Vec<u32>,
    pub run: PathBuf,
    pub buffers: PathBuf,
    pub own: Option<OwnComm<'static>>,
}

static PROCESS: OnceLock<Process> = OnceLock::new();
/// Whether there is an MPI_COMM_WORLD.
static HAS_WORLD: AtomicBool = AtomicBool::new(false);

/// Where processes that began by themselves meet in MPI_Finalize, if they came to an MPI_Init.
static MEETING: OnceLock<OwnComm<'static>> = OnceLock::new();

/// Keeps a communicator of all, of a process that began by itself.
pub fn meet_in(own: OwnComm<'static>) {
    let _ = MEETING.set(own);
}

/// Says that MPI_Init has returned.
pub fn initialized() {
    HAS_WORLD.store(true, Ordering::Release);
}

/// Returns whether MPI_Init has returned. MPI itself may say so where a session alone is open (Intel MPI).
pub fn is_initialized() -> bool {
    HAS_WORLD.load(Ordering::Acquire)
}

/// Returns the process, if MPI is up and the agent observes it.
pub fn get() -> Option<&'static Process> {
    PROCESS.get()
}

impl Process {
    /// Makes the one of this process.
    pub fn install(parts: Parts) -> Option<&'static Self> {
        let process = Self {
            mpi: parts.mpi,
            at_once: may_call_at_once(&parts),
            identity: parts.identity,
            representatives: parts.representatives,
            run: parts.run,
            buffers: parts.buffers,
            own: parts.own,
            comms: Comms::default(),
            types: Types::default(),
            modules: Modules::default(),
            next_thread: AtomicU32::new(0),
        };
        PROCESS.set(process).ok()?;
        PROCESS.get()
    }

    /// Waits for all ranks, before MPI_Finalize: that is what whoever reads the trace takes it to do.
    pub fn wait_for_all(&self) {
        if let Some(own) = self.own.as_ref().or(MEETING.get()) {
            let _ = own.barrier();
        }
    }

    /// Returns the number of a thread met now, and what the system calls it.
    pub fn number_thread(&self) -> (u32, u32) {
        let number = self.next_thread.fetch_add(1, Ordering::Relaxed);
        // SAFETY: gettid has no failure.
        (number, unsafe { libc::syscall(libc::SYS_gettid) } as u32)
    }
}

/// Nobody can ask for the level while MPI is not initialized: each session may have another.
fn may_call_at_once(parts: &Parts) -> bool {
    let level = parts.own.map(|own| own.thread_level());
    !level.is_some_and(|level| level.is_ok_and(|level| level < parts.mpi.abi.thread.multiple))
}
