//! `mpiscope cc COMPILER …`: the compiler, given sources with probes.
//!
//! The user's build never fails because of us: whatever is not plainly the
//! compilation of source files is handed on as it is; what does not compile
//! with probes is compiled without; and every message that the user reads is
//! the compiler's own, about the plain source.

mod attempt;
mod dependencies;
mod diagnostics;
mod fortran;
mod language;
mod link;
mod responses;
mod words;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Parser;
use tempfile::TempDir;

use crate::cli::{Cc, Cli};
use crate::say;
use attempt::Attempt;
use words::{CommandLine, Plan};

/// A command of this name is `cc` with the rest of the name as the compiler.
const PREFIX: &str = "mpiscope-";

/// Options for commands that are called by such a name.
const OPTIONS: &str = "MPISCOPE_CC";

/// Returns what was typed; by the name `mpiscope-mpicc`, that is `mpiscope cc mpicc …`.
pub fn command_line() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let name = words.first().map(Path::new).and_then(Path::file_name);
    let name = name.map(|name| name.to_string_lossy().into_owned());
    if let Some(compiler) = name.as_deref().and_then(|name| name.strip_prefix(PREFIX)) {
        let options = std::env::var(OPTIONS).unwrap_or_default();
        let front = ["mpiscope", "cc"]
            .into_iter()
            .chain(options.split_whitespace());
        let front = front.chain([compiler]).map(OsString::from);
        words.splice(0..1, front.collect::<Vec<_>>());
    }
    words
}

/// Compiles; returns the compiler's exit code.
pub fn run(arguments: &Cc) -> Result<u8> {
    let given = CommandLine::parse(&arguments.command)?;
    let plan = match given.plan() {
        Plan::HandOn(reason) => {
            if arguments.verbose {
                say::aside(format!("mpiscope: handed on as it is: {reason}"));
            }
            return hand_on(&arguments.command);
        }
        plan => plan,
    };
    // No place for instrumented sources is no reason to fail.
    let Ok(folder) = scratch() else {
        say::aside("mpiscope: no temporary directory to write to: compiled without probes");
        return hand_on(&arguments.command);
    };
    let mut attempt = Attempt::new(arguments, &given, folder.path());
    match plan {
        _ if arguments.show => attempt.show(),
        Plan::Objects => attempt.objects(),
        _ => link::run(&mut attempt),
    }
}

/// Becomes the compiler; returns only if that fails.
fn hand_on(command: &[OsString]) -> Result<u8> {
    let error = Command::new(&command[0]).args(&command[1..]).exec();
    Err(error).with_context(|| format!("cannot execute {}", command[0].to_string_lossy()))
}

fn scratch() -> std::io::Result<TempDir> {
    tempfile::Builder::new().prefix("mpiscope-cc-").tempdir()
}

/// Parses the command line, whatever the name it came by.
pub fn parse() -> Cli {
    Cli::parse_from(command_line())
}
