//! `mpiscope exec -- PROGRAM`: becomes the program, with the agent preloaded.
//!
//! Runs once per process, after the launcher: only here is it certain which
//! libraries this host will load. The agents of all ranks set up together, so
//! none may stay away: its fellows would wait for it without end. If this
//! process cannot be prepared, it gets the agent as it is, told to refuse: it
//! takes part in the set-up and answers no, the program runs on all ranks, none
//! is observed, and the reason is left as a notice. Where no agent can be
//! loaded at all, the program is not started: better no job than one that hangs.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};

use crate::cli::Exec;
use crate::exit::CANNOT;
use crate::launch::environment::{self, Launch, Variables};
use crate::launch::program::{self, Linkage};
use crate::launch::{agent, preflight};
use crate::{debug, notices, say};

/// Replaces this process by the program; returns an exit code only if that fails.
pub fn run(arguments: &Exec) -> u8 {
    let words = &arguments.command;
    debug::end_with_debugger(arguments, true);
    if let Err(error) = debug::take_outputs(arguments) {
        say::aside(format!("error: {}", say::chain(&error)));
        return CANNOT;
    }
    let program = match program::find(&words[0]) {
        Ok(program) => program,
        Err(missing) => {
            say::aside(format!("error: {missing}"));
            return missing.exit_code();
        }
    };
    if let Some(mut debugger) = debug::debugger(arguments, &program) {
        return become_(&mut debugger);
    }
    let mut command = Command::new(&program);
    command.arg0(&words[0]).args(&words[1..]);
    match variables(arguments, &program).or_else(|error| refuse(arguments, &program, &error)) {
        Ok(variables) => command.envs(variables),
        Err(error) => {
            say::aside(format!(
                "error: {} cannot be observed and is not started, as observed ranks would wait \
                 for it without end: {}",
                program.display(),
                say::chain(&error)
            ));
            return CANNOT;
        }
    };
    if arguments.debugged {
        command.env(environment::DEBUGGED, "1");
    }
    debug::end_with_debugger(arguments, false);
    become_(&mut command)
}

/// Replaces this process; returns an exit code only if that fails.
fn become_(command: &mut Command) -> u8 {
    let error = command.exec();
    let program = command.get_program().to_string_lossy().into_owned();
    say::aside(format!("error: cannot execute {program}: {error}"));
    if error.kind() == ErrorKind::NotFound {
        127
    } else {
        126
    }
}

/// Nothing can be preloaded into the program, not even an agent that refuses.
#[derive(Debug, thiserror::Error)]
#[error("{}", preflight::STATIC)]
struct Static;

/// Returns what the program finds in its environment, beyond what it had.
fn variables(arguments: &Exec, program: &Path) -> Result<Variables> {
    let observed = program::observed(&arguments.command)?;
    let library = match &observed.linkage {
        Linkage::Shared(library) => Some(library),
        Linkage::None(_) => None,
        Linkage::Static => bail!(Static),
    };
    let mut variables = told(arguments)?;
    let run = arguments.run.as_deref();
    let agent = agent::fitted(&agent::find()?, library, &agent::folder(run)?)?;
    let existing = std::env::var_os(environment::PRELOAD);
    let preload = environment::preload(&agent, existing.as_deref());
    variables.push((environment::PRELOAD, preload));
    let program = std::path::absolute(program).context("cannot tell the current directory")?;
    let name = observed.path.file_name().unwrap_or(OsStr::new("program"));
    variables.push((environment::PROGRAM, program.into()));
    // With it what the program spawns is observed, too.
    let own = std::env::current_exe().ok();
    variables.extend(own.map(|own| (environment::EXEC, own.into())));
    variables.push((environment::NAME, name.into()));
    Ok(variables)
}

/// Returns what `trace` said; under a bare `exec` what we know ourselves.
fn told(arguments: &Exec) -> Result<Variables> {
    if let Some(run) = &arguments.run {
        return Launch::read(run)?.variables(run);
    }
    let words: Vec<_> = arguments
        .command
        .iter()
        .map(|word| word.to_string_lossy())
        .collect();
    let mut variables: Variables = Vec::new();
    // A `trace` further out has told already.
    if std::env::var_os(environment::RUN).is_none() {
        variables.push((environment::COMMAND, serde_json::to_string(&words)?.into()));
    }
    let buffer = arguments.buffer.map(|bytes| bytes.to_string());
    variables.extend(buffer.map(|bytes| (environment::BUFFER, bytes.into())));
    Ok(variables)
}

/// Returns what makes the agent refuse, and leaves the reason as a notice;
/// an error if the agent cannot do even that.
fn refuse(arguments: &Exec, program: &Path, error: &anyhow::Error) -> Result<Variables> {
    ensure!(!error.is::<Static>(), "{error}");
    let run = arguments.run.as_deref();
    // In one line, as notices are.
    let reason = say::chain(error).replace('\n', " ");
    let agent = std::path::absolute(agent::find()?).context("cannot tell the current directory")?;
    let variables = refusing(run, &agent, &reason)?;
    let message = format!(
        "{} cannot be observed, so no rank is: {reason}",
        program.display()
    );
    let left = run.is_some_and(|run| notices::leave(run, &message).is_ok());
    if !left {
        say::aside(format!("mpiscope: {message}"));
    }
    Ok(variables)
}

/// Returns the variables by which an agent takes part in the set-up to answer no.
fn refusing(run: Option<&Path>, agent: &Path, reason: &str) -> Result<Variables> {
    ensure!(
        agent::preloadable(agent),
        "{} holds a space, colon or dollar sign, and cannot be preloaded",
        agent.display()
    );
    let existing = std::env::var_os(environment::PRELOAD);
    let preload = environment::preload(agent, existing.as_deref());
    let mut variables = vec![
        (environment::PRELOAD, preload),
        (environment::REFUSE, reason.into()),
    ];
    variables.extend(run.map(|run| (environment::RUN, run.into())));
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::compile;

    #[test]
    fn a_process_that_cannot_be_prepared_still_brings_an_agent_that_refuses() {
        let run = Some(Path::new("/heat.mpiscope"));
        let variables = refusing(run, Path::new("/agent.so"), "no loader").unwrap();
        let value = |name| {
            variables
                .iter()
                .find(|row| row.0 == name)
                .unwrap()
                .1
                .clone()
        };
        let preload = value(environment::PRELOAD).into_string().unwrap();
        assert!(preload.starts_with("/agent.so"), "{preload}");
        assert_eq!(value(environment::REFUSE), "no loader");
        assert_eq!(value(environment::RUN), "/heat.mpiscope");
    }

    #[test]
    fn an_agent_that_the_loader_cannot_find_does_not_refuse() {
        let error = refusing(None, Path::new("/a b/agent.so"), "").unwrap_err();
        assert!(error.to_string().contains("space"), "{error}");
    }

    #[test]
    fn a_static_mpi_is_not_started() {
        let source = "int PMPI_Init(){return 0;} int main(){return PMPI_Init();}";
        let Some(program) = compile("gcc", source, &[]) else {
            return;
        };
        let arguments = Exec {
            run: None,
            debug: None,
            outputs: None,
            debugged: false,
            buffer: None,
            command: vec![program.path().into()],
        };
        assert_eq!(run(&arguments), CANNOT);
    }
}
