//! Arguments of `mpiscope print`.

use std::path::PathBuf;

use clap::Args;

use crate::duration::seconds;
use crate::size;

/// Arguments of `mpiscope print`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Print {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// All locations in one order, by time; else one location after the other
    #[arg(long)]
    pub merged: bool,
    /// The times as the clocks showed them [default: those of the archive that is named; of a run
    /// the corrected ones, if it has been corrected]
    #[arg(long)]
    pub measured: bool,
    /// Only the events of these world ranks, such as 0,2-3
    #[arg(long, value_name = "LIST")]
    pub rank: Option<String>,
    /// Only what happened from this time on, counted from the first event, such as 1.5 or 20ms
    #[arg(long, value_name = "T", value_parser = seconds)]
    pub from: Option<f64>,
    /// Only what happened until this time
    #[arg(long, value_name = "T", value_parser = seconds)]
    pub to: Option<f64>,
    /// Print JSON in place of text: one object per line, the first of which says what is printed
    #[arg(long)]
    pub json: bool,
    /// Memory to use, such as 64M: what does not fit lies in a file beside the input while the
    /// command runs; the output is the same
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope print heat.mpiscope | less               location by location
  mpiscope print --merged heat.mpiscope | head -50  all of them, in the order of corrected time
  mpiscope print --merged --rank 0,3 --from 1.2 --to 1.25 heat.mpiscope
  mpiscope print --measured heat.mpiscope           by the clocks as measured
  mpiscope print --json scorep/traces.otf2 | jq 'select(.event == \"send\")'

Exit codes: 0 done, 2 wrong usage or no trace there, 3 archive damaged or cut short (what could be
read is printed).";
