//! `mpiscope explore RUN -- COMMAND`: races made to end otherwise, one at a time.
//!
//! ```text
//! trace -> races -> candidates ...... which alternatives, in which order
//! record + candidate -> alter ....... a record in which one receive takes another message
//! force -> verdict (compare) ........ what the program then does
//! state, report, text ............... what was found
//! ```

pub mod alter;
pub mod calls;
mod candidates;
mod compare;
mod exploration;
mod files;
mod force;
mod keep;
mod report;
mod state;
mod text;
mod verdict;

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::races::Races;
use mpiscope_archive::choices::Choices;
use mpiscope_archive::model::EventRef;
use mpiscope_run::order::{self as records, Record};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::cli::explore::Found;
use crate::cli::Explore;
use crate::exit::FINDINGS;
use crate::input::{Damaged, Input};
use crate::launch::{agent, preflight};
use crate::report::show;
use crate::say;
use candidates::{candidates, Candidate};
use exploration::Exploration;
use files::Files;
use force::Forcing;
use report::Report;
use state::{State, FOLDER};
use verdict::Verdict;

/// Forces races of a run; returns the exit code.
pub fn run(arguments: &Explore) -> Result<u8> {
    let input = Input::open(&arguments.run)?;
    input
        .damage
        .iter()
        .for_each(|damage| say::aside(format!("error: {damage}")));
    let run = std::path::absolute(&input.path)?;
    ensure!(
        input.run.is_some(),
        "{} is no run of mpiscope, so nothing can be replayed; `mpiscope trace` makes one",
        arguments.run.display()
    );
    let choices = Choices::of(&input.trace);
    let record = record(&input, &run, &choices)?;
    let matching = input.trace.matching();
    let races = Races::find(&input.trace, &matching);
    let all = candidates(&input.trace, &choices, &races);
    let mut exploration = Exploration {
        trace: &input.trace,
        matching: &matching,
        choices: &choices,
        record: &record,
        forcing: forcing(arguments)?,
        state: begin(arguments, &run)?,
        run,
        runs: 0,
        begun: Instant::now(),
    };
    let done = exploration.state.keys();
    let open: Vec<&Candidate> = all.iter().filter(|it| !done.contains(&it.key())).collect();
    if !open.is_empty() {
        exploration.explore(arguments, &open)?;
    }
    tell(
        arguments,
        &Report::of(exploration, races.count(), all.len()),
    )
}

/// Returns the order of the run: as recorded, else as its trace shows it.
fn record(input: &Input, run: &Path, choices: &Choices) -> Result<Record> {
    if records::exists(run) {
        return Ok(records::read(run).map_err(|error| Damaged(error.to_string()))?);
    }
    let mut record = choices.record(&input.trace);
    let program = input.run.as_ref().map(|info| info.program.clone());
    for rank in &mut record.ranks {
        rank.program
            .clone_from(&program.clone().unwrap_or_default());
    }
    say::aside(format!(
        "note: the run has no order record; its trace tells {}",
        of_trace(input, choices)
    ));
    Ok(record)
}

/// Says what of the order a trace has told.
fn of_trace(input: &Input, choices: &Choices) -> String {
    let untold: Vec<EventRef> = choices.untold().collect();
    let Some(&first) = untold.first() else {
        let several = choices.0.keys().any(|(_, thread)| *thread > 0);
        let but = match several {
            true => "who made which thread, so that only first threads are held",
            false => "which cancels came too late",
        };
        return format!("what was taken and when polls succeeded, not {but}");
    };
    let rank = input.trace.locations[first.location.index()].rank.0;
    let call = calls::call(&input.trace, first).unwrap_or_else(|| "a wait".to_owned());
    let others = match untold.len() - 1 {
        0 => String::new(),
        others => format!(" (and on {})", show::counted(others as u64, "other thread")),
    };
    format!(
        "which requests complete, not which places they had in the program's arrays: from {call} \
         on, waits and polls of rank {rank} run free{others}"
    )
}

fn forcing(arguments: &Explore) -> Result<Forcing> {
    let plan = preflight::plan(&arguments.command)?;
    plan.notes
        .iter()
        .for_each(|note| say::aside(format!("note: {note}")));
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))
            .context("cannot watch signals")?;
    }
    Ok(Forcing {
        words: arguments.command.clone(),
        plan,
        agent: agent::find()?,
        patience: arguments.patience,
        files: Files::new(&arguments.output_file),
        interrupted,
    })
}

/// Takes up what was found before, if it is of the same command.
fn begin(arguments: &Explore, run: &Path) -> Result<State> {
    let folder = run.join(FOLDER);
    if arguments.anew && folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let words = arguments.command.iter();
    let command: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let state = match State::read(run)? {
        None => return Ok(State::new(command, arguments.output_file.clone())),
        Some(state) => state,
    };
    ensure!(
        state.command == command && state.output_files == arguments.output_file,
        "{} was explored with another command or other output files ({}); --anew forgets what was found",
        arguments.run.display(),
        state.command.join(" ")
    );
    Ok(state)
}

/// Tells what was found; returns the exit code.
fn tell(arguments: &Explore, report: &Report) -> Result<u8> {
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(report)?)?,
        false => say::report(text::text(report, arguments.verbose))?,
    }
    let hung = report.hangs == Some(true) || report.without_choice;
    let hangs = |wanted: &Found| *wanted == Found::Deadlock && hung;
    let is =
        |wanted: &Found| hangs(wanted) || report.findings.iter().any(|it| wanted.is(it.verdict));
    Ok(match arguments.fail_on.iter().any(is) {
        true => FINDINGS,
        false => 0,
    })
}

impl Found {
    fn is(self, verdict: Verdict) -> bool {
        match self {
            Found::Change => verdict == Verdict::ChangesTheResult,
            Found::Deadlock => matches!(verdict, Verdict::Deadlocks | Verdict::DoesNotEnd),
        }
    }
}
