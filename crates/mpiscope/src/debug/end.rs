//! The end of a job that was debugged: awaited, or brought about.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use anyhow::{Context, Result};
use signal_hook::consts::SIGKILL;

use super::debuggee::State;
use super::session::{Session, Waited};

/// How long a launcher may take to end its ranks once one has failed. Those that have not come to
/// MPI_Init yet, MPICH's leaves alone.
const GRACE: Duration = Duration::from_secs(10);

/// How long a job may take to end once its ranks have.
const MERCY: Duration = Duration::from_secs(30);

/// Lets a job run to its end that has no breakpoints any more, and returns then.
///
/// An interrupt may still be on its way to a rank that had stopped by itself when it was halted.
pub fn let_run(session: &mut Session) {
    let all = session.all();
    let fresh = session.those(&all, |state| *state == State::Loaded);
    session.resume(&fresh, "-exec-run");
    loop {
        let stopped = session.those(&all, |state| matches!(state, State::Stopped(_)));
        session.resume(&stopped, "-exec-continue");
        let running = session.those(&all, |state| *state == State::Running);
        if running.is_empty() {
            break;
        }
        if session.wait_for_any(&running, None) != Waited::Done {
            return;
        }
    }
    session.wait_for_end(None);
}

/// Ends a job, unless it has ended; returns how it did, or as if by SIGKILL if it was ended.
/// `kill` ends the launcher.
pub fn end(session: &mut Session, kill: impl FnOnce()) -> Result<ExitStatus> {
    let all = session.all();
    let lives = |state: &State| !matches!(state, State::Exited(_) | State::Gone);
    // A program that has ended leaves its launcher some tidying up.
    let patience = match session.those(&all, lives).is_empty() {
        true => MERCY,
        false => Duration::ZERO,
    };
    if session.wait_for_end(Some(patience)) {
        let end = session.take_end().context("the job does not end")?;
        return end.context("cannot wait for the job");
    }
    // One rank that fails, and its launcher ends the others: Open MPI's crashes at times
    // if they end all at once, and hangs at times if it is asked to end itself.
    session.kill(&all.iter().take(1).collect());
    if !session.wait_for_end(Some(GRACE)) {
        session.kill(&all);
    }
    if !session.wait_for_end(Some(MERCY)) {
        kill();
        session.wait_for_end(Some(MERCY));
    }
    // How the launcher ended is its answer to that.
    drop(session.take_end());
    Ok(ExitStatus::from_raw(SIGKILL))
}
