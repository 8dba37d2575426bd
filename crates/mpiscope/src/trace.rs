//! `mpiscope trace -- COMMAND`: a command, observed from launch to report.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result};
use mpiscope_run::run_info::RunInfo;

use crate::cli::{RacesWhen, Trace};
use crate::debug::Debugger;
use crate::environment::{self, Launch, Monitor, Order};
use crate::exit::CANNOT;
use crate::faults::Faults;
use crate::finish::{self, Outcome};
use crate::preflight::Plan;
use crate::rundir::{self, shown};
use crate::{agent, exit, launcher, monitor, notices, order, preflight, say, signals, unobserved};

/// Runs the command under observation; returns its exit code.
pub fn run(arguments: &Trace) -> Result<u8> {
    let words = &arguments.command;
    let faults = Faults::from_environment()?;
    let plan = preflight::plan(words)?;
    let agent = agent::find()?;
    let run = rundir::create(arguments.output.as_deref(), &plan.name, arguments.force)?;
    let mut launch = Launch {
        buffer: arguments.buffer,
        clock_fault: faults.text.clone(),
        ..Launch::of_plan(words, &plan)
    };
    launch.order = match arguments.no_order {
        true => Order::Off,
        false => Order::Record,
    };
    launch.monitor = arguments.statistics.then(Monitor::default);
    launch.online = arguments.races == RacesWhen::Online;
    let _at_work = launch.write(&run)?;
    say::aside(format!("mpiscope: tracing into {}", shown(&run)));
    let status = observe(words, &plan, &agent, &run, &launch, None)?;
    let own = signals::exit_code(status);
    order::keep_exit_code(&run, own);
    let ours = conclude(arguments, &run, &launch, &faults, &plan, status);
    Ok(if own == 0 { ours } else { own })
}

/// Runs a command with the agent in its programs, perhaps under a debugger, and
/// tells what these had to tell. The launch is written into the run already.
pub fn observe(
    words: &[OsString],
    plan: &Plan,
    agent: &Path,
    run: &Path,
    launch: &Launch,
    debugger: Option<Debugger>,
) -> Result<ExitStatus> {
    let notes = plan.notes.iter().cloned();
    for note in notes.chain(unobserved::note(&plan.unobserved)) {
        say::aside(format!("note: {note}"));
    }
    let mut command = command(words, plan, agent, run, launch, debugger.as_ref())?;
    let status = match debugger {
        Some(debugger) => debugger.run(&mut command)?,
        None => signals::run(&mut command)?,
    };

    // Nobody loads the agent's copies any more.
    let _ = fs::remove_dir_all(run.join(agent::FOLDER));
    notices::tell(run);
    Ok(status)
}

/// Returns the command with the agent in its programs.
pub fn command(
    words: &[OsString],
    plan: &Plan,
    agent: &Path,
    run: &Path,
    launch: &Launch,
    debugger: Option<&Debugger>,
) -> Result<Command> {
    // Made once here, so that the ranks need not all make it; if this fails they say why.
    for library in &plan.libraries {
        let _ = agent::fitted(agent, Some(library), &agent::folder(Some(run))?);
    }
    let prefix = prefix(run, debugger)?;
    let line = launcher::insert(words, &plan.programs, &prefix);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).envs(launch.variables(run)?);
    if plan.programs.is_empty() {
        let copy = agent::fitted(agent, None, &agent::folder(Some(run))?)?;
        let existing = std::env::var_os(environment::PRELOAD);
        let preload = environment::preload(&copy, existing.as_deref());
        command.env(environment::PRELOAD, preload);
    }
    Ok(command)
}

/// Returns the words that go before each program.
fn prefix(run: &Path, debugger: Option<&Debugger>) -> Result<Vec<OsString>> {
    let own = std::env::current_exe().context("cannot find this executable")?;
    let mut words = vec![own.into(), "exec".into(), "--run".into(), run.into()];
    words.extend(debugger.into_iter().flat_map(Debugger::words));
    words.push("--".into());
    Ok(words)
}

/// Makes the best of what was recorded; returns the exit code if the application's was 0.
fn conclude(
    arguments: &Trace,
    run: &Path,
    launch: &Launch,
    faults: &Faults,
    plan: &Plan,
    status: ExitStatus,
) -> u8 {
    let shown = shown(run);
    order::tell_collected(run, &launch.run_id);
    monitor::collect(run, &launch.run_id);
    let result = finish::complete(run, &launch.run_id).and_then(|outcome| {
        match outcome {
            Outcome::Nothing => {
                say::aside(nothing(run, plan.doubt.as_deref()));
                finish::remove_empty(run, &launch.run_id)?;
                return Ok(CANNOT);
            }
            Outcome::Recovered(recovered) => {
                say::aside(format!(
                    "mpiscope: the program ended without MPI_Finalize on all ranks ({status})"
                ));
                finish::tell_recovered(&recovered);
            }
            Outcome::Complete => {}
        }
        // An archive without its run.json: the size of the world is not known.
        let size = RunInfo::read(run).map_or(0, |info| info.world_size);
        if let Some(note) = faults.beyond(size).filter(|_| size > 0) {
            say::aside(format!("note: {note}"));
        }
        unobserved::keep(run, &plan.unobserved)?;
        finish::name_call_sites(run);
        let died = finish::tell_end(run);
        order::tell_races(run)?;
        let code = match arguments.no_sync {
            true => {
                finish::tell_not_kept(run)?;
                0
            }
            // Says what was not kept among its warnings.
            false => finish::correct(run, false)?,
        };
        finish::tell_next(run, died);
        Ok(code)
    });
    result.unwrap_or_else(|error| {
        say::aside(format!("error: {shown}: {}", say::chain(&error)));
        exit::of(&error)
    })
}

/// Says why nothing was recorded, as far as anybody knows.
pub fn nothing(run: &Path, doubt: Option<&str>) -> String {
    if !notices::read(run).is_empty() {
        return "mpiscope: nothing was recorded, for the reason given above".to_owned();
    }
    let reason = doubt.map(|doubt| format!(" ({doubt})")).unwrap_or_default();
    format!("mpiscope: no process called MPI_Init under observation: nothing was recorded{reason}")
}
