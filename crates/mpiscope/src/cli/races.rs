//! Arguments of `mpiscope races`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::size;

/// Arguments of `mpiscope races`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Races {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// Show examples of the races of every place, with their events
    #[arg(long)]
    pub verbose: bool,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
    /// Memory to use, such as 1G: columns that do not fit lie in a file beside the input while the
    /// command runs; the result is the same
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    /// Neither use nor keep what is known of the archive: look at it anew
    #[arg(long)]
    pub no_cache: bool,
    /// Write the findings as SARIF 2.1.0, for editors and code hosts; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Exit with 1 if such is found
    #[arg(long, value_name = "WHAT,…", value_enum, value_delimiter = ',')]
    pub fail_on: Vec<FailOn>,
}

/// What makes the command fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A receive that could have got a message after which another one starves, or that does not
    /// fit or is of another type
    Hazard,
    /// Any receive or probe that could have got another message
    Race,
    /// What MPI forbids: a message nobody received, a deadlock, …
    Error,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope races heat.mpiscope
  mpiscope races --fail-on hazard,error heat.mpiscope      in a test
  mpiscope races --sarif races.sarif scorep/traces.otf2

Exit codes: 0 looked, whatever was found; 1 what --fail-on names was found; 2 wrong usage, no
archive; 3 archive damaged or cut short (what could be read was looked at).";
