//! What is not divided among the processes of a job: the first does it with all its threads, and the
//! others sleep until it has, so that none stands in its way, and have their processors used.

use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

use anyhow::Result;
use mpiscope_archive::model::Processes;

use super::{processors, same_words, PANICKED};
use crate::job::ranks::Ranks;
use crate::{exit, say};

static RANKS: OnceLock<Ranks> = OnceLock::new();

/// Has the first of these processes do the command of that name, on the processors of all of its
/// host.
pub fn leads(ranks: Ranks, name: &str) {
    if ranks.me() == 0 {
        processors::use_all(ranks.processors());
    }
    say_so(ranks.count(), name);
    let _ = RANKS.set(ranks);
}

/// Says which command the first of so many processes does.
pub fn say_so(count: usize, name: &str) {
    say::aside(format!(
        "process 0 of {count} does all of `mpiscope {name}`, the others wait for it (what is divided \
         among them is `mpiscope sync`, and of long runs `analyze` and `races`)"
    ));
}

/// Returns the processes of which the first does what is to be done, if there are any.
pub fn ranks() -> Option<&'static Ranks> {
    RANKS.get()
}

/// Does the work in the first process; returns in all what comes of it.
pub fn does(ranks: &Ranks, work: impl FnOnce() -> Result<u8>) -> Result<u8> {
    if let Err(error) = same_words(ranks) {
        ranks.leave();
        return Err(error);
    }
    if ranks.me() > 0 {
        let code = ranks.hear_of_end();
        ranks.leave();
        return Ok(code);
    }
    let done = catch_unwind(AssertUnwindSafe(work));
    let code = match &done {
        Ok(Ok(code)) => *code,
        Ok(Err(error)) => {
            // Launchers end those who are left once one has failed.
            say::aside(format!("error: {}", say::chain(error)));
            exit::of(error)
        }
        Err(_) => PANICKED,
    };
    ranks.tell_end(code);
    ranks.leave();
    match done {
        Ok(_) => Ok(code),
        Err(panic) => resume_unwind(panic),
    }
}
