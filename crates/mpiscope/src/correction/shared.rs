//! An archive whose events the processes of a job share.

use std::path::{Path, PathBuf};

use anyhow::{bail, Error, Result};
use mpiscope_archive::model::{Definitions, Matching, Processes};
use mpiscope_archive::trace::{anchor_of, Shared};

use super::Job;
use crate::input::{self, Input};
use crate::job::agree;
use crate::progress::while_doing;

/// Reads a run or an archive as one of several processes: each gets the events of its own
/// locations alone, as [`parts`](mpiscope_archive::model::Trace::parts) says; or of all, if `whole`
/// asks for that or the definitions tell that nothing less would do.
pub fn open(path: &Path, whole: bool, processes: &dyn Processes) -> Result<Input> {
    let path = input::run_of(path);
    let anchor = anchor_of(&path).map_err(Error::from);
    match open_archive(path.clone(), anchor, whole, processes)? {
        Some(input) => Ok(input),
        None => agree(Input::open(&path)),
    }
}

/// Does the same where it is known which archive of a run it is; nothing, and no events are read, if
/// each would have to read all.
pub fn open_archive(
    path: PathBuf,
    anchor: Result<PathBuf>,
    whole: bool,
    processes: &dyn Processes,
) -> Result<Option<Input>> {
    let opened = anchor.and_then(|anchor| {
        let shared = input::opened(&anchor, Shared::open(&anchor))?;
        Ok((anchor, shared))
    });
    // From here on all come to the same calls.
    let (anchor, shared) = agree(opened)?;
    agree(is_one(&anchor, shared.identity(), processes))?;
    if whole || needs_all(shared.definitions()) {
        return Ok(None);
    }
    let parts = mpiscope_sync::parts(&shared.locations(), processes.count());
    let trace = input::read_watched(&anchor, |progress| shared.read(parts, processes, progress));
    agree(Input::of(path, anchor, trace)).map(Some)
}

/// Refuses archives that are another one for another process, as what each finds there tells.
fn is_one(anchor: &Path, identity: u64, processes: &dyn Processes) -> Result<()> {
    let all = processes.share_all(vec![identity]).concat();
    let other = all.iter().position(|identity| *identity != all[0]);
    match other {
        None => Ok(()),
        Some(other) => bail!(
            "{} is another archive for process {other} of the job than for the first",
            anchor.display()
        ),
    }
}

/// Returns whether there is what only who has all events can match.
fn needs_all(definitions: &Definitions) -> bool {
    let mut communicators = definitions.communicators.iter();
    communicators.any(|it| it.remote.is_some()) || !definitions.windows.is_empty()
}

/// Matches messages. Where processes share the events, and that needs all of them, or shifts do, each
/// reads the others', too.
pub fn matched(input: &mut Input, job: &Job, unshifted: bool) -> Result<Matching> {
    while_doing("matching messages", || {
        let shared = job.processes.filter(|_| !input.trace.parts.is_empty());
        if let Some(processes) = shared {
            let matching = unshifted.then(|| input.trace.matching_among(processes));
            if let Some(matching) = matching.flatten() {
                return Ok(matching);
            }
            agree(input.read_all_events())?;
        }
        let matching = input.trace.matching();
        if let Some(processes) = job.processes {
            // Who reads all must have read the same.
            let locations = input.trace.locations.iter();
            let events: Vec<usize> = locations.map(|it| it.events.len()).collect();
            let found = (events, matching.counts());
            let identity = mpiscope_hash::stable(&format!("{found:?}"));
            agree(is_one(&input.anchor, identity, processes))?;
        }
        Ok(matching)
    })
}
