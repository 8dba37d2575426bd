//! `mpiscope refine`: what the next trace of a program can leave out, which part of it stands for
//! all, and how much memory it needs.

mod facts;
mod next;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::refine::{causes, Refinement};
use mpiscope_analysis::verdict::Verdict;

use crate::cli::Refine;
use crate::input::{self, Input};
use crate::progress::while_doing;
use crate::view::report::{beside, check_place};
use crate::{aside, packed, proposed_filter, say, traced};
use facts::Facts;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Refine) -> Result<u8> {
    let input = match traced::open(&arguments.input, false) {
        Ok(input) => input,
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let place = place(arguments);
    let mut facts = while_doing("counting", || facts(arguments, &input, &place));
    if let (true, Some(text)) = (arguments.apply, &facts.filter) {
        check_place(
            &place,
            arguments.force,
            proposed_filter::BEGIN.as_bytes(),
            "filter",
        )?;
        aside::write(&place, text).with_context(|| format!("cannot write {}", place.display()))?;
        facts.written = true;
    }
    let text = || text::text(&facts, arguments);
    say::found(arguments.json, &facts, text, &facts.damage)
}

/// Returns where the filter goes.
fn place(arguments: &Refine) -> PathBuf {
    let given = || beside(&packed::given(&arguments.input), "filter");
    arguments.output.clone().unwrap_or_else(given)
}

fn facts(arguments: &Refine, input: &Input, place: &Path) -> Facts {
    let trace = &input.trace;
    let matching = trace.matching();
    let profile = Profile::of(trace, &matching);
    let verdict = Verdict::of(trace, &matching, &profile);
    let found = Refinement::of(trace, &causes(trace, &profile, &verdict));
    Facts::of(arguments, input, &profile, &found, place)
}
