//! The runs of one side: traces, which are read one after another so that memory is that of one,
//! statistics of runs that were monitored, and files of measures.

use std::path::{Path, PathBuf};

use anyhow::Result;
use mpiscope_analysis::compare::Measures;
use mpiscope_archive::model::statistics::Kind;

use super::baseline;
use crate::cli::VirtualClock;
use crate::end_of_run::EndOfRun;
use crate::launch::environment::Launch;
use crate::progress::while_doing;
use crate::report::show;
use crate::stats::{self, Loaded};
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
    /// Procedures or loops were counted.
    pub procedures: bool,
    /// What else is to be said of statistics.
    pub notes: Vec<String>,
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
            false if stats::only(path) => set.statistics(path)?,
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

    fn statistics(&mut self, path: &Path) -> Result<()> {
        let loaded = stats::load(path)?;
        let all = &loaded.statistics;
        let run = Measures::of_statistics(all, is_virtual(&loaded));
        let is_other = |it: &usize| {
            let statement = all.statements.get(*it);
            statement.is_some_and(|it| it.kind != Kind::Communication)
        };
        self.procedures |= all.records.iter().any(|it| is_other(&it.statement));
        self.runs.push(run);
        self.damage.extend(loaded.damage.iter().cloned());
        if !has_ended(&loaded) {
            self.died.push(format!(
                "{} has no end: {}",
                show::word(path),
                stats::state(&loaded)
            ));
        }
        let new = loaded
            .notes
            .into_iter()
            .filter(|it| !self.notes.contains(it));
        let new: Vec<String> = new.collect();
        self.notes.extend(new);
        Ok(())
    }
}

/// Returns whether times are virtual: as it was launched, else as what was told apart says.
fn is_virtual(loaded: &Loaded) -> bool {
    let launch = Launch::of_run(&loaded.info);
    match launch.and_then(|it| it.monitor) {
        Some(monitor) => monitor.virtual_clock != VirtualClock::Off,
        None => (loaded.statistics.records.iter()).any(|it| it.figures.separated > 0),
    }
}

/// Returns whether all processes came to their end.
fn has_ended(loaded: &Loaded) -> bool {
    let mut all = loaded.processes.iter();
    loaded.live.is_empty() && all.all(|it| it.threads.iter().any(|thread| thread.finished))
}
