//! `mpiscope exec -- PROGRAM`: becomes the program, with the agent preloaded.
//!
//! Runs once per process, after the launcher: only here is it certain which
//! libraries this host will load. Whatever fails on the way, the program is
//! started all the same, unobserved, and the reason is left as a notice.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::cli::Exec;
use crate::environment::{self, Launch, Variables};
use crate::program::{self, Linkage};
use crate::{agent, notices, preflight, say};

/// Replaces this process by the program; returns an exit code only if that fails.
pub fn run(arguments: &Exec) -> u8 {
    let words = &arguments.command;
    let program = match program::find(&words[0]) {
        Ok(program) => program,
        Err(missing) => {
            say::aside(format!("error: {missing}"));
            return missing.exit_code();
        }
    };
    let mut command = Command::new(&program);
    command.arg0(&words[0]).args(&words[1..]);
    match variables(arguments, &program) {
        Ok(variables) => {
            command.envs(variables);
        }
        Err(error) => excuse(arguments.run.as_deref(), &program, &error),
    }
    let error = command.exec();
    say::aside(format!(
        "error: cannot execute {}: {error}",
        program.display()
    ));
    if error.kind() == ErrorKind::NotFound {
        127
    } else {
        126
    }
}

/// Returns what the program finds in its environment, beyond what it had.
fn variables(arguments: &Exec, program: &Path) -> Result<Variables> {
    let observed = program::observed(&arguments.command)?;
    let library = match &observed.linkage {
        Linkage::Shared(library) => Some(library),
        Linkage::None(_) => None,
        Linkage::Static => bail!(preflight::STATIC),
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

/// Says why the program is not observed: in the run, where there is one.
fn excuse(run: Option<&Path>, program: &Path, error: &anyhow::Error) {
    let message = format!(
        "{} is not observed: {}",
        program.display(),
        say::chain(error)
    );
    let left = run.is_some_and(|run| notices::leave(run, &message).is_ok());
    if !left {
        say::aside(format!("mpiscope: {message}"));
    }
}
