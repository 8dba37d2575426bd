//! What a run holds of which only the order was recorded.

use std::path::Path;

use anyhow::Result;
use mpiscope_run::order as records;
use mpiscope_run::run_info::RunInfo;
use serde::Serialize;

use crate::input::Damaged;
use crate::report::show;
use crate::{end_of_run, order, say};

/// The facts, as `--json` has them.
#[derive(Debug, Serialize)]
struct Facts {
    path: String,
    /// What is recorded.
    recorded: &'static str,
    command: Vec<String>,
    ranks: u32,
    ranks_missing: Vec<u32>,
    choices: u64,
    exit_code: Option<i32>,
    not_kept: Vec<String>,
    notes: Vec<String>,
}

/// Says it; returns the exit code.
pub fn describe(run: &Path, json: bool) -> Result<u8> {
    let record = records::read(run).map_err(|error| Damaged(error.to_string()))?;
    let info = RunInfo::read(run)?;
    let facts = Facts {
        path: run.display().to_string(),
        recorded: "order",
        command: info.command.clone(),
        ranks: record.origin.world_size,
        ranks_missing: record.missing(),
        choices: order::choices(&record),
        exit_code: info.exit_code,
        not_kept: info.not_kept(),
        notes: [info.notes.clone(), end_of_run::last_words(run)].concat(),
    };
    if json {
        say::report(serde_json::to_string_pretty(&facts)?)?;
        return Ok(0);
    }
    let notes = facts.not_kept.iter().chain(&facts.notes);
    let notes: String = notes.map(|note| format!("\nnote: {note}")).collect();
    say::report(format!(
        "{}: the order of messages\ncommand     {}\nrecorded    {}{notes}",
        facts.path,
        facts.command.join(" "),
        order::sentence(&record),
    ))?;
    say::aside(format!(
        "mpiscope: the order was recorded, and no times; next: mpiscope replay {}",
        show::word(run)
    ));
    Ok(0)
}
