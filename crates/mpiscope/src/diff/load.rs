//! The runs of one side: traces, which are read one after another so that memory is that of one,
//! and files of measures.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mpiscope_analysis::compare::Measures;

use super::baseline;
use crate::end_of_run::EndOfRun;
use crate::progress::while_doing;
use crate::report::show;
use crate::traced;

/// What was read of a side.
#[derive(Debug, Default)]
pub struct Set {
    /// As they were named.
    pub paths: Vec<PathBuf>,
    /// All runs.
    pub runs: Vec<Measures>,
    /// What their times are.
    pub clocks: Vec<&'static str>,
    /// What could not be read.
    pub damage: Vec<String>,
    /// Runs that died: what is compared of them is shorter than it would have been.
    pub died: Vec<String>,
}

/// Reads a side.
pub fn set(paths: &[PathBuf], measured: bool) -> Result<Set> {
    let mut set = Set {
        paths: paths.to_vec(),
        ..Set::default()
    };
    for path in paths {
        match baseline::is_one(path) {
            true => set.runs.extend(baseline::read(path)?),
            false => set.trace(path, measured)?,
        }
    }
    Ok(set)
}

impl Set {
    fn trace(&mut self, path: &Path, measured: bool) -> Result<()> {
        let input = traced::open(path, measured)?;
        let run = while_doing("measuring", || {
            Measures::of(&input.trace, &input.trace.matching())
        });
        self.runs.push(run);
        self.damage.extend(traced::damage(&input));
        if let Some(end) = EndOfRun::of(&input) {
            let why = end.sentences().join("; ");
            self.died
                .push(format!("{} has no end: {why}", show::word(path)));
        }
        let clock = traced::clock(&input);
        if !self.clocks.contains(&clock) {
            self.clocks.push(clock);
        }
        Ok(())
    }
}
