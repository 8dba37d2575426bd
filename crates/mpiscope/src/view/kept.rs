//! A run that was looked at before: what was found then is kept beside the archive, and its events
//! stay there, read by block when they are looked at.
//!
//! ```text
//! facts      what is known of the run, and what was found in it, in JSON
//! places     of each clock where its times lie: in which archive, or how far from the archive's
//! parts      all that mpiscope-tiles has made of the events
//! ```
//!
//! Blocks are had only of archives in which each says by itself what it says where it stands, which
//! is looked at once, for every event. Others stay in memory, and nothing of them is kept.

mod columns;
mod facts;
mod places;

use std::path::Path;

use mpiscope_archive::progress::Progress;
use mpiscope_archive::trace::anchor_of;
use mpiscope_archive::trace::blocks::Blocks;
use mpiscope_run::order::outcome;
use mpiscope_run::run_info::RunInfo;
use mpiscope_serve::Shown;
use mpiscope_tiles::blocks::BLOCK;
use mpiscope_tiles::Run;

use crate::cache::large::{Large, Parts, Unkept};
use crate::input::{run_of, Input};
use crate::progress::{self, Unit};
use crate::stamp::Stamp;
use crate::symbols;
use facts::Facts;
use places::Places;

use super::load::{is_there, moved, sources, widths};

/// Returns a run as it is kept; nothing if it is not, or that cannot be made sense of.
pub fn shown(large: &Large, path: &Path, name: &str) -> Option<Shown> {
    let parts = large.read()?;
    let found = of_parts(&parts, path, name);
    if found.is_none() {
        large.remove();
    }
    found
}

fn of_parts(parts: &Parts, path: &Path, name: &str) -> Option<Shown> {
    let mut facts: Facts = serde_json::from_slice(&parts.part(0)?).ok()?;
    let first = 1 + facts.places();
    let path = run_of(path);
    let anchor = anchor_of(&path).ok()?;
    let (own, mut trace) = Blocks::open(&anchor, BLOCK).ok()?;
    symbols::name_all(&mut trace.definitions.call_sites);
    let places = (1..first).map(|number| parts.part(number));
    let places = Places::read(own, &facts.clocks, places, &path)?;
    let input = Input {
        run: RunInfo::read(&path).ok(),
        path,
        anchor,
        trace,
        ..Input::default()
    };
    let widths = widths::of(&input);
    let is_there = is_there(&input);
    let (shifts, passing) = moved::of(&input);
    let mut about = facts.about(
        &input,
        name,
        sources::read(&input.trace.definitions.call_sites),
    );
    about.notes.extend(passing);
    let iterations = facts.iterations();
    let rest = parts.len().checked_sub(first)?;
    let part = |number: usize| parts.part(first + number);
    let run = Run::of_parts(input.trace, rest, part, Box::new(places))?;
    let (findings, when) = facts.findings()?;
    let shown = Shown::known(about, run, findings, Some(when), is_there);
    let shown = shown.with_widths(widths).with_iterations(iterations);
    Some(shown.with_shifts(shifts))
}

/// Finds the blocks of a run whose clocks are all added; nothing of archives that have none.
pub fn places(input: &Input, run: &Run, name: &str) -> Option<Places> {
    let progress = Progress::default();
    let clocks = run.clocks().count() as u64;
    progress.expect(run.event_count() * clocks);
    let what = format!("finding blocks of {name}");
    progress::during(&what, Unit::Events, &progress, || {
        Places::find(input, run, &progress)
    })
}

/// Keeps what is known of a run; `passing` are notes that are made each time.
pub fn keep(
    large: &Large,
    input: &Input,
    shown: &Shown,
    places: &Places,
    passing: &[String],
) -> Result<u64, Unkept> {
    let facts = Facts::of(shown, places.clocks(), passing);
    let mut parts = vec![serde_json::to_vec(&facts).map_err(|_| Unkept::Unwritable)?];
    parts.extend(places.write());
    parts.extend(shown.run.parts());
    // Findings tell what these have proven.
    let others = [
        input.path.join(outcome::FILE),
        crate::explore::state::place(&input.path),
    ];
    let others = others.into_iter().map(Stamp::of);
    large.keep(
        &parts,
        input.modules.iter().cloned().chain(others).collect(),
    )
}
