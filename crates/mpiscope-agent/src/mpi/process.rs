//! The process among the others of its job, known from MPI_Init or its first session on.

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
    /// Whether several threads may call MPI, at once or in turn (`MPI_THREAD_SERIALIZED`).
    pub by_several: bool,
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

/// All ranks, where processes began by themselves and came to an MPI_Init.
static ALL_RANKS: OnceLock<OwnComm<'static>> = OnceLock::new();

/// Keeps a communicator of all ranks, each of which began by itself.
pub fn keep_all_ranks(own: OwnComm<'static>) {
    let _ = ALL_RANKS.set(own);
}

/// Before MPI_Finalize: waits for all ranks that began by themselves and are to finalize, recorded or not.
/// Whoever reads the trace takes MPI_Finalize to do that, which it does not while a session is open.
pub fn wait_for_all_ranks() {
    static WAITED: AtomicBool = AtomicBool::new(false);
    if let Some(own) = ALL_RANKS.get() {
        if !WAITED.swap(true, Ordering::AcqRel) {
            let _ = own.barrier();
        }
    }
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
        let thread = &parts.mpi.abi.thread;
        let process = Self {
            mpi: parts.mpi,
            at_once: !is_below(&parts, thread.multiple),
            by_several: !is_below(&parts, thread.serialized),
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

    /// Returns the number of a thread met now, and what the system calls it.
    pub fn number_thread(&self) -> (u32, u32) {
        let number = self.next_thread.fetch_add(1, Ordering::Relaxed);
        // SAFETY: gettid has no failure.
        (number, unsafe { libc::syscall(libc::SYS_gettid) } as u32)
    }
}

/// Nobody can ask for the level while MPI is not initialized: each session may have another.
fn is_below(parts: &Parts, level: i32) -> bool {
    let own = parts.own.map(|own| own.thread_level());
    own.is_some_and(|own| own.is_ok_and(|own| own < level))
}
