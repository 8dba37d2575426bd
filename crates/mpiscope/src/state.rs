//! `mpiscope state`: what each rank of a traced job does, and who waits for whom.
//!
//! ```text
//! buffers of the job -> sight (an archive elsewhere) -> Trace -> Picture -> Facts -> text, JSON
//! ```
//!
//! Of a job that has ended the archive tells the same. The job is only read: no
//! locks, no signals, nothing written into its run.

mod facts;
mod look;
mod since;
#[cfg(test)]
mod tests;
mod text;
mod verdict;

use std::time::Duration;

use anyhow::Result;

use crate::cli::{FailOnState, State};
use crate::exit::FINDINGS;
use crate::say;

/// Runs the command; returns its exit code.
pub fn run(arguments: &State) -> Result<u8> {
    loop {
        let facts = look::look(&arguments.run)?;
        match arguments.json {
            true => say::report(serde_json::to_string_pretty(&facts)?)?,
            false => say::report(text::text(&facts))?,
        }
        let deadlock = arguments.fail_on == Some(FailOnState::Deadlock) && facts.is_deadlocked();
        match arguments.watch {
            _ if deadlock => return Ok(FINDINGS),
            Some(seconds) if facts.may_go_on() => {
                say::report("")?;
                std::thread::sleep(Duration::from_secs_f64(seconds));
            }
            _ => return Ok(0),
        }
    }
}
