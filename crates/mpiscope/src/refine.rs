//! `mpiscope refine`: what the next trace of a program can leave out, which part of it stands for
//! all, and how much memory it needs.

mod earlier;
mod facts;
mod next;
mod notes;
mod place;
mod script;
mod text;

use std::path::Path;

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::profile::Profile;
use mpiscope_analysis::refine::{causes, Known, Refinement};
use mpiscope_analysis::verdict::Verdict;

use crate::cli::Refine;
use crate::input::{self, Input};
use crate::progress::while_doing;
use crate::{aside, proposed_filter, say, traced};
use earlier::Earlier;
use facts::Facts;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Refine) -> Result<u8> {
    ensure!(
        arguments.output.as_deref() != Some(Path::new("-")),
        "-o names a file; `refine --json` has the filter as `filter`"
    );
    let input = match traced::open(&arguments.input, false) {
        Ok(input) => input,
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let place = place::of(arguments, &input.path);
    let mut facts = while_doing("counting", || facts(arguments, &input, &place));
    let script = script::text(&facts);
    facts.script_file = script.as_ref().and_then(|_| script::of(&place));
    if arguments.apply {
        write(&mut facts, script.as_deref(), arguments.force)?;
    }
    let text = || text::text(&facts, arguments);
    say::found(arguments.json, &facts, text, &facts.damage)
}

/// Writes the filter, and the line that traces with it; neither where one cannot be written.
fn write(facts: &mut Facts, script: Option<&str>, force: bool) -> Result<()> {
    let filter = facts
        .filter
        .as_deref()
        .map(|it| (facts.filter_file.as_path(), it));
    let script = facts.script_file.as_deref().zip(script);
    if filter.is_none() {
        facts.notes.push(place::not_written(&facts.filter_file));
    }
    let files = [
        (filter, proposed_filter::BEGIN, "filter"),
        (script, script::BEGIN, "line"),
    ];
    let files = files.map(|(file, begin, what)| file.map(|it| (it, begin, what)));
    for ((place, _), begin, what) in files.iter().flatten() {
        aside::check_place(place, force, begin.as_bytes(), what)?;
    }
    for ((place, text), ..) in files.iter().flatten() {
        aside::write(place, text).with_context(|| format!("cannot write {}", place.display()))?;
    }
    facts.written = files.iter().any(Option::is_some);
    Ok(())
}

fn facts(arguments: &Refine, input: &Input, place: &Path) -> Facts {
    let trace = &input.trace;
    let matching = trace.matching();
    let profile = Profile::of(trace, &matching);
    let verdict = Verdict::of(trace, &matching, &profile);
    let earlier = Earlier::of(&input.path);
    let known = Known {
        causes: &causes(trace, &profile, &verdict),
        times: arguments.times,
        is_filtered: &|name| earlier.leaves_out(name),
    };
    let found = Refinement::knowing(trace, known);
    Facts::of(arguments, input, &profile, &found, &earlier, place)
}
