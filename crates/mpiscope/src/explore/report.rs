//! The report of an exploration, as JSON has it.

use std::path::PathBuf;

use serde::Serialize;

use super::state::Finding;

/// Everything that `explore` reports.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The run.
    pub path: PathBuf,
    /// The command.
    pub command: Vec<String>,
    /// Receives and probes that race.
    pub races: usize,
    /// Messages that they could have got.
    pub alternatives: usize,
    /// Those of them that were not forced yet.
    pub left: usize,
    /// Runs of the command this time.
    pub runs: usize,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    /// What was found, this time and before.
    pub findings: Vec<Finding>,
}
