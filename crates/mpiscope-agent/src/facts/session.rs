//! What facts refer to beyond a call: requests that are outstanding, messages
//! that probes have taken, windows, files, what came by unrecorded.

use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

use mpiscope_rules::requests::Requests;
use mpiscope_run::record::LEFT_OUT;

use super::files::table::Files;
use super::probe::Messages;
use super::sinks::Sinks;
use super::thread::Thread;
use super::unrecorded_messages::UnrecordedMessages;
use super::windows::Windows;
use crate::mpi::process::Process;

/// What every hook may use; made in MPI_Init and never freed.
pub struct Session {
    process: &'static Process,
    /// The windows of the process.
    pub(super) windows: Windows,
    /// The files that are open.
    pub(super) files: Files,
    /// The requests outstanding.
    pub requests: Requests,
    /// The matched messages not yet received.
    pub(super) messages: Messages,
    /// What comes by while recording is off.
    pub unrecorded: UnrecordedMessages,
    next_request: AtomicU32,
    /// Whether threads may call MPI at once (`MPI_THREAD_MULTIPLE`).
    pub(super) at_once: bool,
    pub(super) threads: Threads,
}

/// What those who take facts do when threads come and go.
#[derive(Clone, Copy)]
pub struct Threads {
    /// Makes the state of a thread that calls MPI for the first time, with the sinks that it is to have.
    pub begin: fn(&'static Session) -> Option<Box<Thread>>,
    /// Makes that of another thread, which the system calls so, and which never called MPI.
    pub of_another: fn(&'static Session, u32) -> Option<Box<Thread>>,
    /// Takes what they were, when it ends.
    pub end: fn(Sinks),
}

impl Deref for Session {
    type Target = Process;

    #[inline(always)]
    fn deref(&self) -> &Process {
        self.process
    }
}

static SESSION: OnceLock<Session> = OnceLock::new();

/// Returns the session, if facts are told.
pub fn get() -> Option<&'static Session> {
    SESSION.get()
}

impl Session {
    /// Makes the session of the process; a process has one.
    pub fn install(process: &'static Process, threads: Threads) -> Option<&'static Self> {
        let at_once = process.at_once;
        let session = Self {
            process,
            windows: Windows::default(),
            files: Files::default(),
            requests: Requests::new(at_once),
            messages: Messages::default(),
            unrecorded: UnrecordedMessages::default(),
            next_request: AtomicU32::new(1),
            at_once,
            threads,
        };
        SESSION.set(session).ok()?;
        SESSION.get()
    }

    /// Makes the state of the calling thread.
    pub fn new_thread(&'static self) -> Option<Box<Thread>> {
        (self.threads.begin)(self)
    }

    /// Returns a new request or message id: counted up, never 0, without the bits of
    /// [`LEFT_OUT`].
    #[inline(always)]
    pub fn next_request(&self) -> u32 {
        match self.count_request() & !LEFT_OUT {
            0 => self.count_request() & !LEFT_OUT,
            id => id,
        }
    }

    /// Counts without a lock on the bus where nobody else counts meanwhile.
    #[inline(always)]
    fn count_request(&self) -> u32 {
        if self.at_once {
            return self.next_request.fetch_add(1, Ordering::Relaxed);
        }
        let id = self.next_request.load(Ordering::Relaxed);
        self.next_request
            .store(id.wrapping_add(1), Ordering::Relaxed);
        id
    }
}
