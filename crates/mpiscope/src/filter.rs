//! The filter file of a trace: read before anything is started, and kept in the run.

use std::fs;
use std::path::Path;

use anyhow::{anyhow, Context, Result};
use mpiscope_run::filter;

use crate::cli::Trace;
use crate::{say, stats};

/// Returns the text of what is to be left out, if anything is; the last rule that fits decides.
pub fn of(arguments: &Trace) -> Result<Option<String>> {
    let proposed = arguments.from.as_deref().map(propose).transpose()?;
    let read = arguments.filter.as_deref().map(read).transpose()?;
    let texts: Vec<String> = proposed.into_iter().chain(read).collect();
    Ok((!texts.is_empty()).then(|| texts.join("\n")))
}

/// Returns what the statistics of a run propose.
fn propose(run: &Path) -> Result<String> {
    let shown = run.display();
    let loaded = stats::load(run).with_context(|| format!("--from {shown}"))?;
    let (text, rules) = stats::filter(run, &loaded.statistics);
    say::aside(match rules {
        0 => format!("note: {shown} proposes to leave out nothing"),
        1 => format!("mpiscope: 1 procedure is left out, as {shown} proposes"),
        _ => format!("mpiscope: {rules} procedures are left out, as {shown} proposes"),
    });
    Ok(text)
}

/// Reads a filter file; returns its text.
fn read(path: &Path) -> Result<String> {
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
    let path = run.join(filter::FILE);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
