//! Sessions without MPI_Init (MPI 4.1, §11.3): each process begins and ends by itself.
//!
//! Not every process need open a session, nor at the same time, so there is no moment at which all
//! could agree on anything. Who a process is, the process set `mpi://WORLD` tells it; what is to be
//! recorded, its own environment. Clocks are not compared, and the archive is made after the run of
//! the buffers, as that of a run that died. A process may open another session when all have ended, so
//! its recording ends when it exits, or in MPI_Finalize.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use mpi_abi::{id, Code, FunctionId, Mpi, OwnComm};
use mpiscope_run::directory;

use super::observe::within;
use super::start::{self, Before};
use super::{config, ending, finalize};
use crate::base::guard::guarded;
use crate::base::lineage::uncounted;
use crate::base::notice;
use crate::base::path::{advance, observing, set_state, State};
use crate::base::python;
use crate::facts::session::Session;
use crate::mpi::call::{Call, Lang};
use crate::mpi::process;
use crate::order;

/// Whether this process began at MPI_Session_init.
static BY_ITSELF: AtomicBool = AtomicBool::new(false);
/// Sessions that the program has open.
static OPEN: AtomicI64 = AtomicI64::new(0);
/// Whether the process exits.
static EXITS: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether this thread opens the process's first session: a binding's own call within is none.
    static OPENS_FIRST: Cell<bool> = const { Cell::new(false) };
}

/// Passes MPI_Session_init or MPI_Session_finalize through; the first one of a process that has not
/// called MPI_Init begins.
pub fn observe<const N: usize>(
    function: FunctionId,
    lang: Lang,
    mut args: [usize; N],
    real: impl FnOnce([usize; N]) -> usize,
    pass: impl FnOnce([usize; N]) -> usize,
) -> usize {
    if function == id::MPI_SESSION_INIT && advance(State::Idle, State::Starting) {
        // MPI may be initialized already, by a call that did not reach us.
        let is_late = Mpi::load().is_ok_and(|mpi| mpi.initialized() != Ok(false));
        let before = start::before();
        // From here on an MPI_Init of another thread takes part in what its fellows ask.
        BY_ITSELF.store(true, Ordering::Release);
        OPENS_FIRST.set(true);
        let result = uncounted(|| real(args));
        OPENS_FIRST.set(false);
        guarded(|| {
            let has_one = succeeded(function, lang, &mut args, result);
            if has_one {
                OPEN.fetch_add(1, Ordering::AcqRel);
            }
            begin(function, &before, has_one && !is_late);
        });
        return result;
    }
    let is_outermost = !within() && !OPENS_FIRST.get();
    let result = pass(args);
    if is_outermost && succeeded(function, lang, &mut args, result) {
        count(function);
    }
    result
}

/// Returns whether a call returned MPI_SUCCESS.
pub fn succeeded(function: FunctionId, lang: Lang, args: &mut [usize], result: usize) -> bool {
    Mpi::load().is_ok_and(|mpi| {
        let call = Call {
            function,
            lang,
            mpi,
            args,
        };
        call.ok(result)
    })
}

fn count(function: FunctionId) {
    if function == id::MPI_SESSION_INIT {
        OPEN.fetch_add(1, Ordering::AcqRel);
    } else if OPEN.fetch_sub(1, Ordering::AcqRel) == 1 && EXITS.load(Ordering::Acquire) {
        finish();
    }
}

/// After the first MPI_Session_init: begins, if there is one to whom that is of use.
fn begin(function: FunctionId, before: &Before, can: bool) {
    let mpi = Mpi::load().ok().filter(|_| can);
    start::begin_with(function, before, || {
        let Some(mpi) = mpi else { return Ok(None) };
        // SAFETY: the program has just got a session.
        let place = unsafe { mpi.session_rank()? };
        by_itself(mpi, place, before)
    });
    let has_begun = observing() || order::on();
    BY_ITSELF.store(has_begun, Ordering::Release);
    if !has_begun {
        // MPI_Init may follow, in which all ranks can agree.
        set_state(State::Idle);
        return;
    }
    if !observing() {
        set_state(State::Off);
    }
    // SAFETY: the function lives as long as the process, as a preloaded library is never unloaded. It
    // runs before the one that tells of an exit without an end.
    unsafe { libc::atexit(exits) };
}

/// Begins in this process, which is one rank of so many.
pub fn by_itself(
    mpi: &'static Mpi,
    (rank, size): (i32, i32),
    before: &Before,
) -> Result<Option<&'static Session>, Code> {
    let (rank, size) = (rank as u32, size as u32);
    if !start::willing() {
        return Ok(None);
    }
    match config::of_process(rank, size) {
        Ok(config) => {
            let run = config.run.clone();
            let begun = start::begin_by_itself(mpi, [rank, size], config, before);
            if !matches!(begun, Ok(Some(_))) && !order::on() {
                directory::end_recording_of(&run, rank);
            }
            begun
        }
        Err(message) => {
            notice::tell(&format!("rank {rank} is not recorded: {message}"));
            Ok(None)
        }
    }
}

/// Returns whether this process began by itself.
pub fn has_begun() -> bool {
    BY_ITSELF.load(Ordering::Acquire)
}

/// In MPI_Init of a process that began by itself before: lets the others know, who would wait.
pub fn tell_others() {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let mpi = Mpi::load().ok();
    if let Some(mpi) = mpi.filter(|_| !TOLD.swap(true, Ordering::AcqRel)) {
        process::initialized();
        let _ = uncounted(|| answer(mpi));
    }
}

/// The same questions that [`start`] asks.
fn answer(mpi: &'static Mpi) -> Result<(), Code> {
    // SAFETY: MPI is initialized.
    if unsafe { mpi.comm_size(mpi.abi.comm_world)? } == 1 {
        return Ok(());
    }
    // SAFETY: MPI is initialized, and all ranks of MPI_COMM_WORLD come here.
    let own = unsafe { OwnComm::duplicate_of(mpi, mpi.abi.comm_world)? };
    if own.all_true(true)? {
        own.all_true(false)?;
        process::keep_all_ranks(own);
    }
    Ok(())
}

/// The process exits: its recording ends, if all its sessions have.
extern "C" fn exits() {
    EXITS.store(true, Ordering::Release);
    match OPEN.load(Ordering::Acquire) {
        ..=0 => finish(),
        open if observing() || order::on() => notice::tell(&format!(
            "a process exits with {open} of its sessions open: it is told as one that ended early"
        )),
        _ => {}
    }
}

/// Ends recording, unless that has ended, or is the parent's affair. Of a process that called MPI_Init
/// the end is MPI_Finalize.
fn finish() {
    if process::is_initialized() {
        return;
    }
    if observing() || order::on() {
        guarded(|| {
            order::finish();
            python::finish();
            finalize::run(finalize::At::Exit);
            set_state(State::Off);
            ending::finalized();
        });
    }
}
