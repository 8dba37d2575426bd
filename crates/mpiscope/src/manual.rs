//! What `--help` says, for the places where shells and `man` look: `mpiscope completions` and
//! `mpiscope man`.

use std::fs;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::cli::{Cli, Completions, Man};
use crate::say;

/// Prints what a shell reads.
pub fn completions(arguments: &Completions) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "mpiscope", &mut text);
    say::report(String::from_utf8(text)?.trim_end())?;
    Ok(0)
}

/// Writes `mpiscope.1` and a page of each command, `mpiscope-trace.1`.
pub fn pages(arguments: &Man) -> Result<u8> {
    let folder = &arguments.output;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    Ok(0)
}
