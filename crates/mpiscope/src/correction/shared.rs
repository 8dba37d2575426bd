//! An archive whose events the processes of a job share.

use std::path::Path;

use anyhow::{Error, Result};
use mpiscope_archive::model::{Matching, Processes};
use mpiscope_archive::trace::{anchor_of, Shared};

use super::Job;
use crate::input::{self, Input};
use crate::job::agree;
use crate::progress::while_doing;

/// Reads a run or an archive as one of several processes: each gets the events of its own
/// locations alone, as [`parts`](mpiscope_archive::model::Trace::parts) says.
pub fn open(path: &Path, processes: &dyn Processes) -> Result<Input> {
    let path = input::run_of(path);
    let opened = anchor_of(&path).map_err(Error::from).and_then(|anchor| {
        let shared = input::opened(&anchor, Shared::open(&anchor))?;
        Ok((anchor, shared))
    });
    // From here on all come to the same calls.
    let (anchor, shared) = agree(opened)?;
    let parts = mpiscope_sync::parts(&shared.locations(), processes.count());
    let trace = input::read_watched(&anchor, |progress| shared.read(parts, processes, progress));
    agree(Input::of(path, anchor, trace))
}

/// Matches messages. Where that, or what else is asked for, needs all events, and processes share
/// them, each reads the others', too.
pub fn matched(input: &mut Input, job: &Job, unshifted: bool) -> Result<Matching> {
    while_doing("matching messages", || {
        let shared = job.processes.filter(|_| !input.trace.parts.is_empty());
        if let Some(processes) = shared {
            let may_be_shared = unshifted && !job.truth && job.plot.is_none();
            let matching = may_be_shared.then(|| input.trace.matching_among(processes));
            if let Some(matching) = matching.flatten() {
                return Ok(matching);
            }
            agree(input.read_all_events())?;
        }
        Ok(input.trace.matching())
    })
}
