//! The filter file of a trace: read before anything is started, and kept in the run.

use std::fs;
use std::path::Path;

use anyhow::{anyhow, Context, Result};
use mpiscope_run::filter;

use crate::say;

/// Its name in the run directory.
pub const FILE: &str = "filter";

/// Reads a filter file; returns its text.
pub fn read(path: &Path) -> Result<String> {
    let shown = path.display();
    let text =
        fs::read_to_string(path).with_context(|| format!("--filter: cannot read {shown}"))?;
    let filter = filter::parse(&text).map_err(|error| anyhow!("--filter: {shown}, {error}"))?;
    if filter.is_empty() {
        say::aside(format!("note: {shown} has no rules: nothing is left out"));
    }
    if filter.asks_for_files() {
        say::aside(
            "note: source files are known of procedures that `mpiscope cc` compiled; functions \
             that a compiler instrumented are left out by their names alone",
        );
    }
    Ok(text)
}

/// Keeps it in the run, where the program's processes read it.
pub fn keep(text: &str, run: &Path) -> Result<()> {
    let path = run.join(FILE);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
