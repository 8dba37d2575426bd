//! `mpiscope doctor`: what was found on this system, and what it means for us.

mod checks;

use anyhow::Result;
use comfy_table::{presets, ContentArrangement, Table};
use serde::Serialize;

use crate::cli::Doctor;
use crate::say;

/// How good a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Works.
    Good,
    /// Works, with a loss.
    Weak,
    /// Something will not work.
    Bad,
}

/// One line of the report.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// What was looked for.
    pub what: &'static str,
    /// How good it is.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What follows from it.
    pub meaning: String,
}

/// Looks, and prints what was found.
pub fn run(arguments: &Doctor) -> Result<u8> {
    let findings = checks::all();
    if arguments.json {
        let report = serde_json::json!({ "findings": findings });
        say::report(serde_json::to_string_pretty(&report)?)?;
    } else {
        say::report(table(&findings))?;
    }
    Ok(0)
}

fn table(findings: &[Finding]) -> Table {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(["", "what", "found", "what it means"]);
    for finding in findings {
        let sign = match finding.status {
            Status::Good => "ok",
            Status::Weak => "!",
            Status::Bad => "NO",
        };
        table.add_row([sign, finding.what, &finding.found, &finding.meaning]);
    }
    table
}
