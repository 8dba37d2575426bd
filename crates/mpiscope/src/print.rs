//! `mpiscope print`: the events of a trace as lines, location by location or all in one order.
//!
//! Lines are written as they are made; whoever has seen enough (`| head`) ends that, and it is
//! no error.

mod json;
mod line;
mod selection;

use std::io::{stdout, BufWriter, ErrorKind, IsTerminal, Write};

use anyhow::{Context, Result};
use mpiscope_analysis::merged::merged;
use mpiscope_archive::model::{EventRef, LocationIndex};
use mpiscope_archive::progress::Progress;
use serde_json::json;

use crate::cli::Print;
use crate::exit::DAMAGED;
use crate::input::{self, Damaged, Input};
use crate::progress::{self, Unit};
use crate::{say, traced};
use mpiscope_analysis::described::Describer;
use selection::Selection;

/// Runs the command; returns its exit code.
pub fn run(arguments: &Print) -> Result<u8> {
    input::limit_memory(&arguments.input, arguments.memory)?;
    if arguments.merged && arguments.memory.is_none() {
        // All events are held until the last one has its place, at some 40 bytes each.
        input::limit_memory_beyond(20_000_000, &arguments.input);
    }
    let input = match traced::open(&arguments.input, arguments.measured) {
        Ok(input) => input,
        Err(error) => {
            if arguments.json && error.is::<Damaged>() {
                let damage = [say::chain(&error)];
                say::report(json!({ "path": &arguments.input, "damage": damage }))?;
            }
            return Err(error);
        }
    };
    let selection = Selection::new(arguments, &input.trace)?;
    let mut out = BufWriter::new(stdout().lock());
    let progress = Progress::default();
    let events = |at: &LocationIndex| input.trace.locations[at.index()].events.len() as u64;
    progress.expect(selection.locations.iter().map(events).sum());
    let mut write = || match arguments.json {
        true => all(
            arguments,
            &input,
            &selection,
            &progress,
            json::Lines,
            &mut out,
        ),
        false => {
            let lines = line::Lines::new(&input.trace, &selection);
            all(arguments, &input, &selection, &progress, lines, &mut out)
        }
    };
    // On a terminal the lines themselves tell.
    let written = match stdout().is_terminal() {
        true => write(),
        false => progress::during("printing events", Unit::Events, &progress, write),
    };
    let written = written.and_then(|written| out.flush().map(|()| written));
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => forget(out),
        result => {
            if result.context("cannot write the events")? == 0 {
                say::aside(format!(
                    "note: no event lies in what was asked for: {}",
                    traced::last_event(&input.trace)
                ));
            }
        }
    }
    let damage = traced::damage(&input);
    for damage in &damage {
        say::aside(format!("error: {damage}"));
    }
    Ok(if damage.is_empty() { 0 } else { DAMAGED })
}

/// Drops what nobody reads any more: a writer that is merely dropped would try again.
fn forget(out: BufWriter<impl Write>) {
    drop(out.into_parts());
}

/// How events become lines.
trait Format {
    /// Writes what stands above the events.
    fn head(&self, input: &Input, out: &mut impl Write) -> std::io::Result<()>;
    /// Writes one event.
    fn event(&self, input: &Input, event: &Shown, out: &mut impl Write) -> std::io::Result<()>;
}

/// An event to write.
struct Shown<'a> {
    event: EventRef,
    describer: &'a Describer<'a>,
}

/// Writes the events that are wanted; returns how many these are.
fn all(
    arguments: &Print,
    input: &Input,
    selection: &Selection,
    progress: &Progress,
    format: impl Format,
    out: &mut impl Write,
) -> std::io::Result<u64> {
    format.head(input, out)?;
    let mut written = 0;
    let trace = &input.trace;
    let describe = |location: LocationIndex| {
        let location = &trace.locations[location.index()];
        Describer::new(trace, location, selection.origin)
    };
    if arguments.merged {
        let mut describers: Vec<Option<Describer>> = Vec::new();
        describers.resize_with(trace.locations.len(), || None);
        for &location in &selection.locations {
            describers[location.index()] = Some(describe(location));
        }
        let events = merged(trace, &selection.locations);
        let mut turns = 0;
        for event in events {
            progress.turn(&mut turns);
            let describer = &describers[event.location.index()];
            if let (true, Some(describer)) = (selection.has(trace.time(event)), describer) {
                format.event(input, &Shown { event, describer }, out)?;
                written += 1;
            }
        }
        progress.advance(turns);
        return Ok(written);
    }
    for &location in &selection.locations {
        let describer = &describe(location);
        let times = trace.locations[location.index()].events.times();
        for (index, _) in (0..).zip(times).filter(|(_, time)| selection.has(**time)) {
            let event = EventRef::new(location, index);
            format.event(input, &Shown { event, describer }, out)?;
            written += 1;
        }
        progress.advance(times.len() as u64);
    }
    Ok(written)
}
