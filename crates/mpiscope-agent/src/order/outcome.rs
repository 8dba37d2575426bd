//! How replay goes, left where the command finds it.

use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use mpiscope_run::living::Process;
use mpiscope_run::order::outcome::{write_rank, RankOutcome, State, Wait};
use mpiscope_run::system::without_size_signal;

use super::hash;
use super::serial::Serial;
use super::state::{Session, Shared};
use crate::base::code_place::code_place;

/// Leaves word of how replay goes in its directory.
///
/// # Errors
/// When it cannot be written.
pub fn write_outcome(
    session: &Session,
    state: State,
    waits: Vec<Wait>,
) -> Result<(), mpiscope_run::Error> {
    let first = session.threads().first().copied();
    let (chosen, left) = choices(session);
    let outcome = RankOutcome {
        rank: session.rank,
        state,
        calls: first.map_or(0, |thread| thread.place.calls()),
        divergence: session.report.divergence(),
        free_from: session.report.free_from(),
        user_choices: session.report.user_choices(),
        released_from: session.report.released_from(),
        other_data: session.report.other_data(),
        other_threads: session.serial.as_ref().and_then(Serial::other_threads),
        not_governed: session
            .unrecorded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone(),
        chosen,
        left,
        waits,
        process: Process::own(),
        // What the recorded run did, the command knows.
        ..RankOutcome::default()
    };
    without_size_signal(|| write_rank(&session.run, &outcome))
}

/// Returns how many choices the rule has made, and how many were left to MPI.
pub fn choices(session: &Session) -> (u64, u64) {
    let count = |shared: &&'static Shared| {
        // SAFETY: where a rule leads, no thread's state is freed; of one that runs, counts may be old.
        let thread = unsafe { shared.thread.get().as_ref() };
        let rule = thread.and_then(|thread| thread.rule.as_deref());
        rule.map_or((0, 0), |rule| (rule.chosen, rule.left))
    };
    let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    session.threads().iter().map(count).fold((0, 0), add)
}

/// Ends this process, and with it, by the launcher, all others.
pub fn give_up(session: &Session, state: State) -> ! {
    let waits = waits(session, &session.threads());
    let _ = write_outcome(session, state, waits);
    // What the program has printed is the user's.
    // SAFETY: both calls may be made from any thread.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::_exit(1)
    }
}

/// Returns what the threads in calls wait for.
pub fn waits(session: &Session, threads: &[&'static Shared]) -> Vec<Wait> {
    let several = threads.len() > 1;
    threads
        .iter()
        .filter(|thread| several || thread.place.is_in_call())
        .map(|thread| {
            let place = &thread.place;
            let outside = !thread.place.is_in_call();
            let ended = thread.ended.load(Ordering::Relaxed);
            let (function, integers) = place.call();
            let integer = |k: usize| integers.get(k).copied().unwrap_or_default() as i32;
            let site = place.site();
            Wait {
                thread: thread.number,
                call: place.calls(),
                what: hash::described_by(function, &session.mpi.abi, integer),
                source: hash::source_of(function)
                    .filter(|_| !outside)
                    .and_then(|k| u32::try_from(integer(k)).ok()),
                outside,
                ended,
                turn: session
                    .turns
                    .as_ref()
                    .and_then(|turns| turns.expected(thread.number)),
                site: code_place(site),
            }
        })
        .collect()
}
