//! The trace of a run, for commands that go through its events: which archive it is, and what
//! to say where there is none.

use std::path::Path;

use anyhow::{bail, ensure, Result};
use mpiscope_analysis::described::origin;
use mpiscope_archive::model::Trace;
use mpiscope_archive::trace::extent_of;
use mpiscope_run::{directory, order};

use crate::input::{self, Input, TimeBase};
use crate::report::show;
use crate::stats;

/// Events of a trace in which root causes are looked for unasked, at most: in one of more that
/// takes its time.
pub const FEW: usize = 10_000_000;

/// Returns whether a run, or an archive, has more events than that, as far as it tells: what processes
/// of a job can do together is worth it then.
pub fn is_long(path: &Path) -> bool {
    extent_of(&input::run_of(path)).is_ok_and(|it| it.events > FEW as u64)
}

/// Reads the archive that is named; of a run the corrected one, if it has been corrected and
/// nobody wants the measured times.
pub fn open(path: &Path, measured: bool) -> Result<Input> {
    ensure_trace(path)?;
    let input = match path.is_dir() && !measured {
        true => Input::open_corrected(path)?.with_offsets(),
        false if measured => Input::open(path)?,
        false => Input::open(path)?.with_offsets(),
    };
    ensure!(
        !(measured && input.clock == Some(TimeBase::Corrected)),
        "the times of {} are corrected, and the measured ones are in another archive: name the \
         run, or its traces.otf2",
        path.display()
    );
    Ok(input)
}

/// Says of a run without events what would have them.
pub fn ensure_trace(path: &Path) -> Result<()> {
    if directory::anchor(path).exists() {
        return Ok(());
    }
    let has = match path {
        path if stats::only(path) => "statistics",
        path if order::exists(path) => "the order of messages",
        _ => return Ok(()),
    };
    bail!(
        "{} holds {has} alone, and no events: run the program under `mpiscope trace` to have them",
        path.display()
    )
}

/// Says when the last event was, where nothing lies in the time that was asked for.
pub fn last_event(trace: &Trace) -> String {
    let times = trace.locations.iter().flat_map(|it| it.events.times());
    match times.max() {
        Some(last) => format!(
            "the last event is {} after the first",
            show::duration((*last - origin(trace)).0 as f64)
        ),
        None => "there are no events".to_owned(),
    }
}

/// Names the times of an archive, as after "in".
pub fn clock(input: &Input) -> &'static str {
    match input.clock {
        Some(TimeBase::Measured) => "measured time",
        Some(TimeBase::Interpolated) => "interpolated time",
        Some(TimeBase::Corrected) => "corrected time",
        None => "the time of the archive",
    }
}

/// Says what could not be read.
pub fn damage(input: &Input) -> Vec<String> {
    let mut damage = input.damage.clone();
    let had = input.run.as_ref().map_or(0, |run| run.events);
    let unread = had.saturating_sub(input.trace.event_count() as u64);
    if unread > 0 && damage.is_empty() {
        damage.push(format!(
            "{}: {} that the run's archive had could not be read",
            input.anchor.display(),
            show::counted(unread, "event")
        ));
    }
    damage
}
