//! Recording ends with a slow iteration, of whichever rank: the rank that finds one says so in a file of
//! the run, and the others look for that.

use std::path::Path;
use std::time::Duration;

use mpiscope_run::control::Why;
use mpiscope_run::slow::{self as file, Found, Slow};

use crate::base::{helper, notice};
use crate::facts::session;
use crate::facts::{slow, switched};

/// How often it is looked whether another process has found one.
const LOOK: Duration = Duration::from_millis(50);

/// What the helper thread does.
pub fn look_around() {
    let (Some(wanted), Some(session)) = (slow::wanted(), session::get()) else {
        return;
    };
    if let Some(outlier) = slow::found() {
        switched::off(Why::Slow);
        let found = Found {
            rank: session.identity.rank,
            times: outlier.times,
            iteration: outlier.iteration,
            seconds: switched::elapsed().as_secs_f64(),
        };
        return tell(&session.run, wanted, &found);
    }
    if slow::is_over() {
        return;
    }
    match file::place(&session.run).exists() {
        true => {
            slow::end();
            switched::off(Why::Slow);
        }
        false => helper::come_again_in(LOOK),
    }
}

/// Recording ends: tells what the helper has not come to, or that none was found.
pub fn finish() {
    look_around();
    let first = session::get().is_some_and(|session| session.identity.rank == 0);
    let Some(wanted) = slow::wanted().filter(|_| first && !slow::is_over()) else {
        return;
    };
    let what = match slow::is_known() {
        true => "no iteration took so long on rank 0, nor on another as far as it has heard",
        false => "no region has had that name, and no function of MPI has it",
    };
    notice::tell(&format!("--until-slow {}: {what}", wanted.text()));
}

fn tell(run: &Path, wanted: &Slow, found: &Found) {
    let others = match file::tell(run, found) {
        Ok(()) => String::new(),
        Err(error) => format!("; the other ranks have not heard of it and go on: {error}"),
    };
    notice::tell(&format!(
        "recording has ended {:.1} s after MPI_Init: iteration {} from one begin of {} to the next took {:.1} \
         times the median of those before{others}",
        found.seconds, found.iteration, wanted.name, found.times
    ));
}
