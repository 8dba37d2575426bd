//! What every format is made from, and what it tells of itself.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::Result;
use mpiscope_archive::model::{Location, Matching, RegionId, Timestamp, Trace};
use mpiscope_archive::progress::Progress;

use crate::cli::Assumed;
use crate::correction::Summary;
use crate::input::Input;
use crate::progress::while_doing;
use crate::uncertainty;
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::described as events;

/// What a format made of a trace.
#[derive(Debug, Default)]
pub struct Written {
    /// What was written, counted.
    pub what: Vec<String>,
    /// What was left out, in sentences.
    pub notes: Vec<String>,
}

/// What is exported.
pub struct Source<'a> {
    /// The run or archive.
    pub input: &'a Input,
    /// Its events.
    pub trace: &'a Trace,
    /// Its messages and collective operations.
    pub matching: Matching,
    /// By how much its times can be wrong.
    pub clock_errors: ClockErrors,
    /// What there is to say of that.
    pub clock_note: Option<String>,
    /// The first event: times are counted from there.
    pub origin: Timestamp,
    /// Events that were written.
    pub progress: Progress,
}

impl<'a> Source<'a> {
    /// Matches what was sent and received, by what the run's correction takes for granted.
    pub fn new(input: &'a Input) -> Source<'a> {
        let mut matching = while_doing("matching messages", || input.trace.matching());
        if let Some(kept) = Summary::kept(input) {
            matching.assumptions = Assumed::all(&kept.assume);
        }
        let (clock_errors, clock_note) = uncertainty::of_input(input);
        Source {
            input,
            trace: &input.trace,
            matching,
            clock_errors,
            clock_note,
            origin: events::origin(&input.trace),
            progress: Progress::default(),
        }
    }

    /// Returns the nanoseconds since the first event.
    pub fn ns(&self, time: Timestamp) -> i64 {
        (time - self.origin).0
    }

    /// Names a location.
    pub fn name(&self, location: &Location) -> String {
        match (location.is_thread(), location.thread) {
            (true, 0) => format!("rank {}", location.rank.0),
            (true, thread) => format!("rank {} thread {thread}", location.rank.0),
            (false, _) => format!("rank {} {}", location.rank.0, location.name),
        }
    }

    /// Names a region; one without a name by its number.
    pub fn region(&self, region: RegionId) -> String {
        let name = events::region_name(self.trace, region).map(str::to_owned);
        name.unwrap_or_else(|| format!("region {}", region.0))
    }
}

/// Makes a file to be filled in passing.
pub fn create(file: &Path) -> Result<BufWriter<File>> {
    let file = File::create(file)?;
    Ok(BufWriter::with_capacity(1 << 18, file))
}
