//! `mpiscope info`: what a run or an archive holds, and how far its clocks can be trusted.

mod defined;
mod facts;
mod kept;
mod recorded;
mod regions;
mod text;
mod times;

use anyhow::Result;
use mpiscope_run::order as records;

use crate::cli::Info;
use crate::correction::Corrected;
use crate::input::{self, Input};
use crate::progress::while_doing;
use crate::{say, stats};
use defined::Defined;
use facts::Facts;

/// Keeps with a run what its correction, which has just been written, knows of it.
pub fn keep(input: &Input, corrected: &Corrected) {
    let claims = corrected.summary.clock_claims.clone();
    let mut facts = Facts::of(input, &corrected.matching, claims);
    facts.of_correction(input, corrected);
    kept::write(&input.path, &facts);
}

/// Keeps with a run that was never corrected what it holds.
pub fn keep_measured(input: &mut Input) {
    let facts = facts::facts(input, None);
    kept::write(&input.path, &facts);
}

/// Runs the command; returns its exit code.
pub fn run(arguments: &Info) -> Result<u8> {
    let run = input::run_of(&arguments.input);
    match kept::read(&run).filter(|_| arguments.clocks.is_none()) {
        Some(facts) => show(&facts, None, arguments.json),
        None => look(arguments),
    }
}

/// Reads the archive, and keeps what it holds if it is a run's; of one by itself, says first what
/// is known without its events.
fn look(arguments: &Info) -> Result<u8> {
    input::limit_memory(&arguments.input, arguments.memory)?;
    let mut defined = Defined::of(&arguments.input);
    if let Some(defined) = defined.as_ref().filter(|_| !arguments.json) {
        say::report(defined.text())?;
    }
    let mut input = match Input::open(&arguments.input) {
        Ok(input) => input,
        Err(_) if stats::only(&arguments.input) => {
            return stats::describe(&arguments.input, arguments.json);
        }
        Err(_) if records::exists(&arguments.input) => {
            return recorded::describe(&arguments.input, arguments.json);
        }
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let mut facts = while_doing("comparing clocks", || {
        facts::facts(&mut input, arguments.clocks)
    });
    if let Some(defined) = &mut defined {
        defined.compare(&input.trace, &mut facts);
    }
    if arguments.clocks.is_none() {
        kept::write(&input.path, &facts);
    }
    show(&facts, defined.as_ref(), arguments.json)
}

fn show(facts: &Facts, defined: Option<&Defined>, json: bool) -> Result<u8> {
    say::found(json, facts, || text::text(facts, defined), &facts.damage)
}
