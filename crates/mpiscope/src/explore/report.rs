//! The report of an exploration, as JSON has it.

use std::path::PathBuf;

use serde::Serialize;

use super::compare::{Baseline, ReceivePlace};
use super::known::Known;
use super::state::{Finding, State};
use crate::report::show;

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
    /// The recorded order does not come to an end, as the recorded run did not;
    /// nothing if no run was needed to learn it.
    pub hangs: Option<bool>,
    /// The recorded run did not come to its end, and nothing in it races.
    pub without_choice: bool,
    /// Runs of the command this time.
    pub runs: usize,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    /// What was found, this time and before.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Reports what was found of a run, now by so many runs, and before.
    pub fn of(run: PathBuf, known: &Known, state: State, runs: usize) -> Report {
        let alternatives = known.alternatives;
        let without_choice = alternatives == 0 && known.hung;
        Report {
            path: run,
            command: state.command,
            races: known.races,
            alternatives,
            left: alternatives.saturating_sub(state.findings.len()),
            without_choice,
            runs,
            hangs: state.baseline.as_ref().map(|baseline| baseline.hangs),
            notes: match (&state.baseline, without_choice) {
                (_, true) => vec![NO_CHOICE.to_owned()],
                (Some(baseline), _) => notes(baseline),
                (None, _) => Vec::new(),
            },
            findings: state.findings,
        }
    }
}

/// What is said of a run that hung and in which nothing races.
const NO_CHOICE: &str = "the run did not come to its end, and nothing in it races: there is no \
                         other order that could be forced; `mpiscope races` says where each rank \
                         stood";

/// What is not compared.
fn notes(baseline: &Baseline) -> Vec<String> {
    if baseline.hangs {
        return vec![
            "the recorded order hangs, as the recorded run did: nothing can be compared, and what \
             counts is whether another order comes to its end"
                .to_owned(),
        ];
    }
    let mut notes = vec![
        "exit code, standard output, chosen files and the data that ranks receive are compared"
            .to_owned(),
    ];
    if !baseline.unstable.is_empty() {
        let lines: Vec<String> = baseline
            .unstable
            .iter()
            .map(|line| format!("`{line}`"))
            .collect();
        notes.push(format!(
            "not compared, as they differ without any forcing: lines like {}",
            show::list(&lines, 3)
        ));
    }
    if !baseline.unstable_files.is_empty() {
        let files: Vec<&String> = baseline.unstable_files.iter().collect();
        notes.push(format!(
            "not compared, as they differ without any forcing: {}",
            show::list(&files, 3)
        ));
    }
    if !baseline.unstable_places.is_empty() {
        let places = baseline.unstable_places.iter();
        let places: Vec<String> = places.map(ReceivePlace::shown).collect();
        notes.push(format!(
            "not compared, as it differs without any forcing: what is received by {}",
            show::list(&places, 3)
        ));
    }
    if !baseline.in_order {
        notes.push("the order of lines differs without any forcing: not compared".to_owned());
    }
    notes
}
