//! `mpiscope profile`: visits and time by region, call path, line, location, rank, host and
//! communicator, and messages by size and pair; of all of a run or of what is selected of it.

mod counters;
mod facts;
mod names;
mod selected;
mod text;

use anyhow::Result;
use mpiscope_analysis::breakdown::Breakdown;

use crate::analyze::clock;
use crate::cli::Profile;
use crate::input::{self, Input};
use crate::progress::while_doing;
use crate::{say, traced};
use facts::Facts;
use selected::Selected;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Profile) -> Result<u8> {
    let (input, notes) = match open(arguments) {
        Ok(opened) => opened,
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let facts = while_doing("adding up", || facts(arguments, &input, notes))?;
    let text = || text::text(&facts, traced::clock(&input), arguments);
    say::found(arguments.json, &facts, text, &facts.damage)
}

fn open(arguments: &Profile) -> Result<(Input, Vec<String>)> {
    traced::ensure_trace(&arguments.input)?;
    let (input, _, notes) = clock::open(&arguments.input, arguments.clock, arguments.clocks)?;
    Ok((input, notes))
}

fn facts(arguments: &Profile, input: &Input, mut notes: Vec<String>) -> Result<Facts> {
    let trace = &input.trace;
    let matching = trace.matching();
    let selected = Selected::of(arguments, trace, &matching)?;
    let all = Breakdown::of(trace, &matching, &selected.selection);
    notes.extend(selected.nothing(trace, &all));
    Ok(Facts::of(
        arguments, input, &matching, &selected, &all, notes,
    ))
}
