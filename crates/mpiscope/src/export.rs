//! `mpiscope export`: a trace in the formats of other tools.
//!
//! The trace is read once, and each format is written as a stream beside its place. What a format
//! has no room for is counted, and said.

mod notes;
mod perfetto;
mod place;
mod speedscope;
mod tables;

use std::path::Path;

use anyhow::{Context, Result};
use mpiscope_archive::model::{Location, Matching, Timestamp, Trace};

use crate::cli::{Assumed, Export, To};
use crate::correction::Summary;
use crate::exit::DAMAGED;
use crate::input::Input;
use crate::{events, say, table, traced};
use place::Place;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Export) -> Result<u8> {
    if arguments.to == To::Parquet {
        table::parquet::available()?;
    }
    let input = traced::open(&arguments.input, arguments.measured)?;
    let place = Place::new(arguments, &input)?;
    let source = Source::new(&input);
    let written = match arguments.to {
        To::Parquet => tables::write(&source, &tables::PARQUET, place.aside()),
        To::Csv => tables::write(&source, &tables::CSV, place.aside()),
        To::Perfetto => perfetto::write(&source, place.aside()),
        To::Speedscope => speedscope::write(&source, place.aside()),
    };
    let written = written.with_context(|| format!("cannot write {}", place.path().display()))?;
    let path = place.keep()?;
    say::report(format!(
        "{}: {}, in {}",
        path.display(),
        written.what.join(", "),
        traced::clock(&input)
    ))?;
    for note in notes::of_input(&source).into_iter().chain(written.notes) {
        say::aside(format!("mpiscope: {note}"));
    }
    let damage = traced::damage(&input);
    for damage in &damage {
        say::aside(format!("error: {damage}"));
    }
    Ok(if damage.is_empty() { 0 } else { DAMAGED })
}

/// What a format made of a trace.
#[derive(Debug, Default)]
struct Written {
    /// What was written, counted.
    what: Vec<String>,
    /// What was left out, in sentences.
    notes: Vec<String>,
}

/// What is exported.
struct Source<'a> {
    input: &'a Input,
    trace: &'a Trace,
    matching: Matching,
    /// The first event: times are counted from there.
    origin: Timestamp,
}

impl<'a> Source<'a> {
    fn new(input: &'a Input) -> Source<'a> {
        let mut matching = input.trace.matching();
        if let Some(kept) = Summary::kept(input) {
            matching.assumptions = Assumed::all(&kept.assume);
        }
        Source {
            input,
            trace: &input.trace,
            matching,
            origin: events::origin(&input.trace),
        }
    }

    /// Returns the nanoseconds since the first event.
    fn ns(&self, time: Timestamp) -> i64 {
        (time - self.origin).0
    }

    /// Names a location.
    fn name(&self, location: &Location) -> String {
        match (location.is_thread(), location.thread) {
            (true, 0) => format!("rank {}", location.rank.0),
            (true, thread) => format!("rank {} thread {thread}", location.rank.0),
            (false, _) => format!("rank {} {}", location.rank.0, location.name),
        }
    }

    /// Names a region; one without a name by its number.
    fn region(&self, region: mpiscope_archive::model::RegionId) -> String {
        let name = events::region_name(self.trace, region).map(str::to_owned);
        name.unwrap_or_else(|| format!("region {}", region.0))
    }
}

/// Makes a file to be filled in passing.
fn create(file: &Path) -> Result<std::io::BufWriter<std::fs::File>> {
    let file = std::fs::File::create(file)?;
    Ok(std::io::BufWriter::with_capacity(1 << 18, file))
}
