//! `mpiscope explore RUN -- COMMAND`: races made to end otherwise, one at a time.
//!
//! ```text
//! trace -> races -> candidates ...... which alternatives, in which order (known: kept, too)
//! record + candidate -> alter ....... a record in which one receive takes another message
//! force -> verdict (compare) ........ what the program then does
//! state, report, text ............... what was found
//! ```

pub mod alter;
pub mod calls;
pub mod candidates;
mod compare;
mod exploration;
mod files;
mod force;
mod keep;
mod known;
mod report;
pub mod state;
mod text;
pub mod verdict;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{ensure, Context, Result};
use mpiscope_analysis::evidence::WHY_CALLS_LACK;
use mpiscope_run::order::{self as records, Record};
use mpiscope_run::run_info::RunInfo;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::cli::explore::Found;
use crate::cli::Explore;
use crate::exit::FINDINGS;
use crate::input::Damaged;
use crate::launch::{agent, preflight};
use crate::{rundir, say};
use exploration::Exploration;
use files::Files;
use force::Forcing;
use known::{Known, Run, Traced};
use report::Report;
use state::{State, FOLDER};
use verdict::Verdict;

/// Says why nothing is looked for in a trace that lacks calls.
fn left_out() -> String {
    format!(
        "calls of MPI are not in the trace {WHY_CALLS_LACK}: what races, and which choice of the run is \
         which, cannot be told"
    )
}

/// Forces races of a run; returns the exit code.
pub fn run(arguments: &Explore) -> Result<u8> {
    let of = Run::new(arguments);
    let info = RunInfo::read(&of.path);
    let lacks_calls = info.is_ok_and(|info| info.leaves_out_calls());
    ensure!(!lacks_calls, left_out());
    let known = of.known()?;
    let run = std::path::absolute(&of.path)?;
    rundir::refuse_unnamable(&run)?;
    let record = record(&run, &known)?;
    // A command that cannot be run is refused, whether there is anything to force or not.
    let forcing = forcing(arguments)?;
    let state = begin(arguments, &run)?;
    let is_done = known.is_whole() && known.open(&state.keys()).is_empty();
    let report = match is_done || arguments.budget == 0 {
        true => Report::of(run, &known, state, 0),
        false => explore(arguments, forcing, of.traced()?, known, record, state, run)?,
    };
    tell(arguments, &report)
}

/// Forces what is open.
fn explore(
    arguments: &Explore,
    forcing: Forcing,
    traced: &Traced,
    mut known: Known,
    record: Option<Record>,
    state: State,
    run: PathBuf,
) -> Result<Report> {
    ensure!(traced.input.trace.definitions.told.calls, left_out());
    let record = record.unwrap_or_else(|| of_trace(traced));
    let mut exploration = Exploration {
        trace: &traced.input.trace,
        matching: &traced.matching,
        choices: &traced.choices,
        record: &record,
        hung: known.hung,
        forcing,
        state,
        run,
        runs: 0,
        begun: Instant::now(),
    };
    loop {
        let open = known.open(&exploration.state.keys());
        if !open.is_empty() {
            exploration.explore(arguments, &open)?;
        }
        if known.is_whole() || exploration.is_spent(arguments) {
            break;
        }
        // What was kept of them is used up.
        known = traced.look().1;
    }
    let Exploration {
        run, state, runs, ..
    } = exploration;
    Ok(Report::of(run, &known, state, runs))
}

/// Returns the order of the run, if it is on record.
fn record(run: &Path, known: &Known) -> Result<Option<Record>> {
    if records::exists(run) {
        let record = records::read(run).map_err(|error| Damaged(error.to_string()))?;
        return Ok(Some(record));
    }
    say::aside(format!(
        "note: the run has no order record; its trace tells {}",
        known.told
    ));
    Ok(None)
}

/// Returns the order of a run as its trace shows it.
fn of_trace(traced: &Traced) -> Record {
    let mut record = traced.choices.record(&traced.input.trace);
    let program = traced.input.run.as_ref().map(|info| info.program.clone());
    for rank in &mut record.ranks {
        rank.program
            .clone_from(&program.clone().unwrap_or_default());
    }
    record
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
