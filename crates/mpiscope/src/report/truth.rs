//! When things really happened, of runs of which it is known.
//!
//! A simulated run has a second archive, `truth/`: the same events in the time
//! that rank 0's clock would have shown. Of a run on one host whose clocks
//! were made wrong on purpose it follows from the faults.

use anyhow::{bail, Result};
use mpiscope_archive::model::{Location, Timestamp};
use mpiscope_run::directory;
use mpiscope_run::run_info::RunInfo;

use crate::input::{self, Damaged, Input};

/// Returns the true time of every event, one column per location.
pub fn columns(input: &Input) -> Result<Vec<Vec<Timestamp>>> {
    let anchor = directory::anchor(&directory::truth(&input.path));
    if input.run.is_some() && anchor.is_file() {
        let Some(truth) = input::times_of(&anchor, &input.trace)? else {
            let what = "does not hold the events of the measured archive";
            bail!(Damaged(format!("{} {what}", anchor.display())));
        };
        return Ok(truth);
    }
    let Some(truth) = input.run.as_ref().and_then(RunInfo::truth) else {
        bail!(
            "{} has no known truth: only simulated runs have, and runs traced with \
             MPISCOPE_CLOCK_FAULT on one host",
            input.path.display()
        );
    };
    let column = |location: &Location| {
        let times = location.events.times().iter();
        times
            .map(|&time| Timestamp(truth(location.rank.0, time.0)))
            .collect()
    };
    Ok(input.trace.locations.iter().map(column).collect())
}
