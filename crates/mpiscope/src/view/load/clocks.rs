//! The times of a run by every clock.

use anyhow::{ensure, Context, Result};
use mpiscope_archive::model::Timestamp;
use mpiscope_archive::trace::applied_offsets;
use mpiscope_run::directory;
use mpiscope_sync::{presync, Config};

use crate::cli::Assumed;
use crate::correction::Summary;
use crate::input::{self, Input, TimeBase};
use crate::report::truth;
use crate::say;

/// The name of a clock, and its times if they are not the trace's own.
pub type Column = (&'static str, Option<Vec<Vec<Timestamp>>>);

/// The times of a run, the best clock's first.
#[derive(Default)]
pub struct Columns {
    pub clocks: Vec<Column>,
    /// What could not be had.
    pub notes: Vec<String>,
}

impl Columns {
    /// Returns the times of a run, and why some could not be had.
    pub fn of(input: &mut Input) -> Columns {
        let own = match input.clock {
            Some(TimeBase::Corrected) => "corrected",
            _ => "measured",
        };
        let mut columns = Columns::default();
        let corrected = columns.noted(corrected(input));
        let has_clocks = corrected.is_some();
        columns
            .clocks
            .extend(corrected.map(|it| ("corrected", Some(it))));
        let alone = input.clock.is_none();
        let applied = alone.then(|| applied_offsets(&input.trace)).flatten();
        columns
            .clocks
            .extend(applied.map(|it| ("interpolated", Some(it))));
        columns.clocks.push((own, None));
        if has_clocks {
            let interpolated = columns.noted(interpolated(input).map(Some));
            columns
                .clocks
                .extend(interpolated.map(|it| ("interpolated", Some(it))));
        }
        let known = directory::anchor(&directory::truth(&input.path)).is_file()
            || input.run.as_ref().is_some_and(|run| run.truth().is_some());
        if known && own == "measured" {
            let truth = columns.noted(truth::columns(input).map(Some));
            columns.clocks.extend(truth.map(|it| ("true", Some(it))));
        }
        columns
    }

    fn noted<T>(&mut self, found: Result<Option<T>>) -> Option<T> {
        found.unwrap_or_else(|error| {
            self.notes.push(say::chain(&error));
            None
        })
    }
}

/// Returns the times of the corrected archive, if there is one of these events.
pub fn corrected(input: &Input) -> Result<Option<Vec<Vec<Timestamp>>>> {
    let anchor = input.corrected().map(|it| directory::anchor(&it));
    let Some(anchor) = anchor.filter(|it| it.is_file()) else {
        return Ok(None);
    };
    let corrected = input::times_of(&anchor, &input.trace);
    let corrected = corrected.context("the corrected archive cannot be read")?;
    ensure!(
        corrected.is_some(),
        "{} does not hold the events of the measured archive; `mpiscope sync --force` makes it anew",
        anchor.display()
    );
    Ok(corrected)
}

/// Computes the times before the clock condition was restored, as the run's correction did.
fn interpolated(input: &mut Input) -> Result<Vec<Vec<Timestamp>>> {
    let mut matching = input.trace.matching();
    let mut clocks = None;
    if let Some(kept) = Summary::kept(input) {
        matching.assumptions = Assumed::all(&kept.assume);
        clocks = kept.clock_claims.asked();
    }
    crate::clocks::Told::of(&mut input.trace, &matching, clocks, None);
    let config = Config {
        assumptions: matching.assumptions,
        ..Config::default()
    };
    let found = presync(&input.trace, &matching, &config).context("no interpolated times")?;
    Ok(found.times)
}
