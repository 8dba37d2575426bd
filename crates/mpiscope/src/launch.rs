//! Starting a command with the agent in its programs: what can be known before, what the agent
//! is told, and what processes had to tell.

pub mod agent;
pub mod elf;
pub mod environment;
pub mod launcher;
pub mod preflight;
pub mod program;
pub mod trim;
pub mod unobserved;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result};
use mpiscope_run::placement;

use crate::debug::Debugger;
use crate::{elsewhere, notices, say, signals};
use environment::Launch;
use preflight::Plan;

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

/// Says why nothing was recorded, as far as anybody knows.
pub fn nothing(run: &Path, doubt: Option<&str>) -> String {
    if !notices::read(run).is_empty() {
        return "mpiscope: nothing was recorded, for the reason given above".to_owned();
    }
    if !placement::read(run).is_empty() {
        let found = elsewhere::nothing(run);
        return format!("mpiscope: the program ended without MPI_Finalize on all ranks; {found}");
    }
    let reason = doubt.map(|doubt| format!(" ({doubt})")).unwrap_or_default();
    format!("mpiscope: no process called MPI_Init under observation: nothing was recorded{reason}")
}
