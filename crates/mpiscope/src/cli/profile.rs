//! Arguments of `mpiscope profile`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::control::window;
use super::functions::Window;
use super::SameClock;
use crate::input::TimeBase;

/// Arguments of `mpiscope profile`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Profile {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// What the rows are; several make a table each
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        value_delimiter = ',',
        default_value = "region"
    )]
    pub by: Vec<ByTable>,
    /// Only these world ranks, such as 0,3,8-15
    #[arg(long, value_name = "LIST")]
    pub rank: Option<String>,
    /// Only this time, counted from the first event, such as 1.5s..2.5s, 2s.. or ..500ms
    #[arg(long, value_name = "FROM..UNTIL", value_parser = window)]
    pub between: Option<Window>,
    /// Only what happens in this region, its calls included, such as solve or solve@solver.c:88; may
    /// be repeated
    #[arg(long, value_name = "NAME")]
    pub region: Vec<String>,
    /// Only these iterations, such as 3, 3..7 or first: numbered from 1, as by `analyze`
    #[arg(long, value_name = "ITERATIONS", value_parser = phase)]
    pub phase: Option<RangeInclusive<usize>>,
    /// Only this group of regions, such as mpi, p2p, collective, io, rma, threads or computation;
    /// several with commas
    #[arg(long, value_name = "GROUP", value_delimiter = ',')]
    pub only: Vec<String>,
    /// The times to use; what the archive lacks is computed [default: those of the archive that is
    /// named; of a run the corrected ones, if it has been corrected]
    #[arg(long, value_enum)]
    pub clock: Option<TimeBase>,
    /// For times that are computed: which locations read one clock, those of a host, of a process,
    /// or none [default: as the archive says, unless its messages refute it]
    #[arg(long, value_name = "WHOSE", value_enum, requires = "clock")]
    pub clocks: Option<SameClock>,
    /// Which rows come first; those with most of it
    #[arg(long, value_name = "COLUMN", value_enum, default_value_t)]
    pub sort: Sort,
    /// Rows of each table at most
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Print JSON in place of text, with all rows
    #[arg(long)]
    pub json: bool,
}

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ByTable {
    /// Regions: functions of MPI and of the program
    Region,
    /// Regions, and those around them
    Callpath,
    /// Regions by the source line that called them
    Line,
    /// Threads
    Location,
    /// World ranks
    Rank,
    /// Hosts
    Host,
    /// Communicators that calls of MPI used
    Communicator,
    /// Counters of the processor and the system (`trace --counters`), by region and by rank
    Counter,
    /// Messages by powers of two of their bytes
    Size,
    /// Messages by the ranks of sender and receiver
    Matrix,
    /// Messages by the hosts of sender and receiver
    HostMatrix,
}

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Sort {
    /// Exclusive time
    #[default]
    Exclusive,
    /// Inclusive time
    Inclusive,
    /// Visits
    Visits,
    /// Time waiting
    Waiting,
    /// The most of one rank
    Most,
    /// Names, from A to Z; ranks and locations from 0
    Name,
}

/// Reads iterations.
fn phase(text: &str) -> Result<RangeInclusive<usize>, String> {
    const EXPECTED: &str = "iterations such as 3, 3..7 or first are expected, numbered from 1";
    let number = |text: &str| match text.trim() {
        "first" => Some(1),
        text => text.parse::<usize>().ok().filter(|it| *it > 0),
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let range = number(first).zip(number(last)).ok_or(EXPECTED)?;
    match range {
        (first, last) if first <= last => Ok(first..=last),
        _ => Err(EXPECTED.to_owned()),
    }
}

const EXAMPLES: &str = "\
Examples:
  mpiscope profile heat.mpiscope                           visits and time of each region
  mpiscope profile --by callpath,rank heat.mpiscope
  mpiscope profile --by line --only mpi --rank 0,8-15 heat.mpiscope
  mpiscope profile --between 1.5s..2.5s --region solve heat.mpiscope
  mpiscope profile --phase 3..7 --clock measured heat.mpiscope
  mpiscope profile --by size,matrix,host-matrix heat.mpiscope

Exit codes: 0 done, 2 wrong usage, no trace there or no iterations, 3 archive damaged or cut short
(what could be read is told).";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_numbered_from_one() {
        assert_eq!(phase("3"), Ok(3..=3));
        assert_eq!(phase("first"), Ok(1..=1));
        assert_eq!(phase("3..7"), Ok(3..=7));
        for text in ["", "0", "7..3", "x", "3.."] {
            assert!(phase(text).is_err(), "{text}");
        }
    }
}
