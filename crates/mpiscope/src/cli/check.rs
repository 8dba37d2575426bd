//! Arguments of `mpiscope check`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `mpiscope check`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE", required_unless_present = "rules")]
    pub input: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the rules, and look at nothing
    #[arg(long, conflicts_with_all = ["input", "json"])]
    pub rules: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  mpiscope check eztrace_log.otf2       what is against the format, and what others will refuse
  mpiscope check heat.mpiscope          both archives of a run: as measured, and corrected
  mpiscope check --rules                what is looked for, and who asks for it

Exit codes: 0 nothing found, 1 findings, 2 wrong usage or no archive, 3 damaged: not all of it
could be read.";
