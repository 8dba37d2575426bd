//! `mpiscope races`: receives that could have got another message, what would
//! follow, and what MPI forbids.

mod cannot_tell;
mod facts;
pub mod sarif;
mod shared;
mod stood;
mod text;

use std::path::Path;

use anyhow::{ensure, Context, Result};
use mpiscope_archive::model::Processes;

use crate::cache::Cache;
use crate::cli::{FailOn, Races};
use crate::exit::{DAMAGED, FINDINGS};
use crate::input::{self, Input};
use crate::progress::while_doing;
use crate::traced::is_long;
use crate::{aside, job, say};
use facts::Facts;
pub use facts::{errors, look, Findings};
pub use stood::WaitsFor;
pub use text::table;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Races) -> Result<u8> {
    match job::processes() {
        None => report(arguments, asked(arguments).and_then(|()| facts(arguments))),
        Some(processes) => together(arguments, processes),
    }
}

/// Runs it as one of several processes, of which the first makes the report.
fn together(arguments: &Races, processes: &dyn Processes) -> Result<u8> {
    let cache = job::is_first().then(|| cache(&arguments.input, arguments.no_cache));
    let is_known = |it: &Cache| it.answer::<Findings>().is_some();
    let is_new = cache.as_ref().is_some_and(|it| !is_known(it));
    let divided = is_new && asked(arguments).is_ok() && is_long(&arguments.input);
    if processes.tell_list(vec![divided]) == [true] {
        job::agree(input::limit_memory(&arguments.input, arguments.memory))?;
        let found = job::with_own_threads(|| shared::look(arguments, processes));
        if let Some((findings, modules)) = found {
            let code = cache.map_or(Ok(0), |cache| {
                cache.keep(&findings, &modules);
                report(arguments, Ok(findings.facts))
            });
            return Ok(processes.tell_list(vec![job::agree(code)?])[0]);
        }
    }
    job::first_does("races", || {
        report(arguments, asked(arguments).and_then(|()| facts(arguments)))
    })
}

/// Refuses two reports where there is room for one.
fn asked(arguments: &Races) -> Result<()> {
    ensure!(
        !(is_sarif_printed(arguments) && arguments.json),
        "--json and --sarif - both print to standard output: give --sarif a file"
    );
    Ok(())
}

fn is_sarif_printed(arguments: &Races) -> bool {
    arguments.sarif.as_deref() == Some(Path::new("-"))
}

fn report(arguments: &Races, facts: Result<Facts>) -> Result<u8> {
    let facts = match facts {
        Ok(facts) => facts,
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let to_output = is_sarif_printed(arguments);
    if let Some(file) = &arguments.sarif {
        let report = serde_json::to_string_pretty(&sarif::report(&facts))?;
        match to_output {
            true => say::report(report)?,
            false => aside::write(file, report + "\n")
                .with_context(|| format!("cannot write {}", file.display()))?,
        }
    }
    match (arguments.json, to_output) {
        (true, _) => say::report(serde_json::to_string_pretty(&facts)?)?,
        (_, false) => say::report(text::text(&facts, arguments.verbose))?,
        _ => {}
    }
    for what in &facts.not_kept {
        say::aside(format!("note: {what}"));
    }
    for damage in &facts.damage {
        say::aside(format!("error: {damage}"));
    }
    let is_found = |what: &FailOn| match what {
        FailOn::Hazard => facts.hazards > Some(0),
        FailOn::Race => facts.racing > Some(0),
        FailOn::Error => !facts.errors.is_empty(),
    };
    for (what, question, known) in [
        (FailOn::Race, "anything races", facts.racing.is_some()),
        (
            FailOn::Hazard,
            "a race is a match hazard",
            facts.hazards.is_some(),
        ),
    ] {
        ensure!(
            known || !arguments.fail_on.contains(&what),
            "whether {question} cannot be told: {}",
            facts.why(cannot_tell::RACES)
        );
    }
    Ok(if !facts.damage.is_empty() {
        DAMAGED
    } else if arguments.fail_on.iter().any(is_found) {
        FINDINGS
    } else {
        0
    })
}

/// Returns what is kept of the archive, or looks at it.
fn facts(arguments: &Races) -> Result<Facts> {
    let cache = cache(&arguments.input, arguments.no_cache);
    if let Some(Findings { facts, .. }) = cache.answer() {
        return Ok(facts);
    }
    input::limit_memory(&arguments.input, arguments.memory)?;
    let input = Input::open(&arguments.input)?;
    let (findings, _) = while_doing("looking for races", || {
        look(&input, &input.trace.matching())
    });
    if input.damage.is_empty() {
        cache.keep(&findings, &input.modules);
    }
    Ok(findings.facts)
}

/// Opens what is kept of the races of an archive: what one command has found, others need not
/// look for.
pub fn cache(input: &Path, no_cache: bool) -> Cache {
    match no_cache {
        true => Cache::none(),
        false => Cache::open("races", input, &()),
    }
}
