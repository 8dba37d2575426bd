//! `mpiscope export`: a trace in the formats of other tools.
//!
//! The trace is read once, and each format is written as a stream beside its place. What a format
//! has no room for is counted, and said.

mod notes;
mod perfetto;
mod place;
mod source;
mod speedscope;
mod tables;

use anyhow::{bail, Context, Result};

use crate::cli::{Export, To};
use crate::exit::DAMAGED;
use crate::progress::{self, Unit};
use crate::{input, say, table, traced};
pub use place::derived;
use place::Place;
use source::Source;
use tables::Order;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Export) -> Result<u8> {
    if arguments.to == To::Parquet {
        table::parquet::available()?;
    }
    let order = order(arguments)?;
    input::limit_memory(&arguments.input, arguments.memory)?;
    if arguments.merged && arguments.memory.is_none() {
        // All events are held until the last one has its place, at some 40 bytes each.
        input::limit_memory_beyond(20_000_000, &arguments.input);
    }
    let input = traced::open(&arguments.input, arguments.measured)?;
    let place = Place::new(arguments, &input)?;
    let source = Source::new(&input);
    source.progress.expect(source.trace.event_count() as u64);
    let what = format!("writing {}", place.path().display());
    let write = || match arguments.to {
        To::Parquet => tables::write(&source, &tables::PARQUET, order, place.aside()),
        To::Csv => tables::write(&source, &tables::CSV, order, place.aside()),
        To::Perfetto => perfetto::write(&source, place.aside()),
        To::Speedscope => speedscope::write(&source, place.aside()),
    };
    let written = progress::during(&what, Unit::Events, &source.progress, write);
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

/// Returns the order that was asked for, if the format has rows that can be put in order.
fn order(arguments: &Export) -> Result<Order> {
    if !arguments.merged {
        return Ok(Order::Recorded);
    }
    let shows = match arguments.to {
        To::Parquet | To::Csv => return Ok(Order::Merged),
        To::Perfetto => {
            "each thread on a track of its own, and Perfetto puts what is on them in order"
        }
        To::Speedscope => "each location in a profile of its own",
    };
    bail!(
        "--merged puts the rows of tables in one order; this format shows {shows}: leave --merged \
         out, or give --to parquet or --to csv"
    )
}
