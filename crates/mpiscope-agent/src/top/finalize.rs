//! MPI_Finalize: recording ends, and what was kept goes into the run.

use std::sync::atomic::{compiler_fence, AtomicBool, Ordering};
use std::time::Instant;

use mpi_abi::id;
use mpiscope_run::process::Definition;
use mpiscope_run::record::Fact;

use super::{config, start, until_slow};
use crate::base::clock::{self, ticks};
use crate::base::nesting::Nesting;
use crate::base::own::Own;
use crate::base::path::{observing, set_state, State};
use crate::base::{definitions, helper, scheduled, site};
use crate::count;
use crate::facts::openmp;
use crate::facts::session::{self, Session};
use crate::facts::thread;
use crate::facts::{counters, regions, samples};
use crate::mpi::process;
use crate::trace::archive::{self, About};
use crate::trace::keep;

static FINISHED: AtomicBool = AtomicBool::new(false);

/// Returns true to the first who asks: they write the archive.
pub fn first() -> bool {
    !FINISHED.swap(true, Ordering::AcqRel)
}

/// Notes that the program entered MPI_Finalize, before anything of ours takes
/// time there. That is recorded even where recording was switched off, because
/// analyzers expect it.
pub fn enter() {
    if session::get().is_none() || !observing() {
        return;
    }
    if let Some(thread) = thread::current().map(Own::get) {
        thread.nesting = Nesting::WORK; // calls that the library makes of itself are its own affair
        compiler_fence(Ordering::SeqCst); // a signal handler keeps out from now on
        thread.site = site::noted();
        thread.enter(ticks(), u32::from(id::MPI_FINALIZE.0));
    }
}

/// When recording ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// Before the program's own MPI_Finalize.
    Finalize,
    /// As the process exits that had sessions.
    Exit,
}

/// Ends recording, once.
pub fn run(at: At) {
    if at == At::Finalize {
        process::wait_for_all_ranks();
    }
    let (Some(session), Some(config)) = (session::get(), config::get()) else {
        return;
    };
    if !first() {
        return;
    }
    let began = Instant::now();
    // Before waiting for others begins.
    let scheduled = scheduled::since_begin();
    record_end(session, at);
    set_state(State::Off);
    helper::stop();
    samples::finish(session);
    if let Some(monitor) = count::get() {
        monitor.leave_hosts();
    }
    count::finish(session);
    if config.trace {
        keep::finish();
        if let Some(scheduled) = scheduled {
            definitions::tell(&Definition::Scheduled(scheduled));
        }
        let Some(own) = session.own else {
            // The archive is made of the buffers, once all processes have ended.
            definitions::tell(&Definition::Triple(clock::triple()));
            return definitions::tell(&Definition::Ended);
        };
        let about = About {
            run_id: config.run_id.clone(),
            command: config.command.clone(),
            started: config.started,
            start_seconds: start::seconds(),
            finalizing: began,
        };
        archive::write(session, own, &about);
    }
}

/// Barrier, leave: so every leave of Finalize follows every enter.
fn record_end(session: &'static Session, at: At) {
    let region = u32::from(id::MPI_FINALIZE.0);
    let thread = thread::current();
    let _ = session.own.map(|own| own.barrier());
    if let Some(thread) = thread.filter(|_| observing()) {
        let (thread, time) = (thread.get(), ticks());
        if at == At::Finalize {
            thread.push(time, Fact::Leave { region });
        }
        regions::finish(thread, time);
        openmp::finish();
        counters::finish();
        until_slow::finish();
    }
}
