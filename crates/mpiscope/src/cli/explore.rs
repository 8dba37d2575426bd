//! `mpiscope explore`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::order::patience;

/// Arguments of `mpiscope explore`.
#[derive(Debug, Args)]
#[command(after_help = EXPLORE_EXAMPLES)]
pub struct Explore {
    /// The traced run whose races are to be tried
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Runs of the command at most, this time; the first two ever only learn what differs by itself,
    /// and with 0 it is told what could be forced
    #[arg(long, value_name = "RUNS", default_value_t = 50)]
    pub budget: usize,
    /// Seconds at most, this time; a run that has begun is not cut short
    #[arg(long, value_name = "SECONDS", value_parser = patience)]
    pub time: Option<f64>,
    /// Seconds without any progress on any rank after which a run is deadlocked
    #[arg(long, value_name = "SECONDS", value_parser = patience, default_value_t = 5.0)]
    pub patience: f64,
    /// Also compare the files that fit this pattern (* and ?); may be repeated
    #[arg(long, value_name = "GLOB")]
    pub output_file: Vec<String>,
    /// Forget what earlier explorations of this run found
    #[arg(long)]
    pub anew: bool,
    /// Neither use nor keep what is known of the trace's races: look for them anew
    #[arg(long)]
    pub no_cache: bool,
    /// Tell each alternative by itself, also those that are alike
    #[arg(long)]
    pub verbose: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Exit with 1 if a race changes the result (change) or keeps the program from ending (deadlock)
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',')]
    pub fail_on: Vec<Found>,
    /// What you would type without us
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// What an exploration can find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Found {
    /// Another result
    Change,
    /// No end
    Deadlock,
}

const EXPLORE_EXAMPLES: &str = "\
Examples:
  mpiscope trace -- mpirun -n 4 ./sum               leaves sum.mpiscope
  mpiscope explore sum.mpiscope -- mpirun -n 4 ./sum
  mpiscope explore sum.mpiscope --budget 10 --output-file 'out/*.dat' -- mpirun -n 4 ./sum
  mpiscope explore sum.mpiscope --json --fail-on deadlock -- mpirun -n 4 ./sum

What was found is kept in RUN/explore; the same line, typed again, goes on from there. Each finding
has a record there that `mpiscope replay` takes. Standard error is not compared.

Exit codes: 0 when done, 1 by --fail-on, 2 when it cannot be done (no trace, no record, the command
cannot be replayed), 3 when trace or record are damaged.";
