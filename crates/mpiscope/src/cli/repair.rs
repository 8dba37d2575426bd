//! Arguments of `mpiscope repair`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `mpiscope repair`.
#[derive(Debug, Args)]
#[command(after_help = REPAIR_EXAMPLES)]
pub struct Repair {
    /// A run directory, of which the measured archive is read, or the anchor file of any OTF2
    /// archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// Where the copy goes: a new directory
    #[arg(short, long, value_name = "DIRECTORY")]
    pub output: PathBuf,
    /// Replace an archive that is there
    #[arg(long)]
    pub force: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

const REPAIR_EXAMPLES: &str = "\
Examples:
  mpiscope repair eztrace_log.otf2 -o clean    a copy that others read; the original stays
  mpiscope check --rules                       what is mended how, and what is not and why

Exit codes: 0 done, also if something is left that cannot be mended; 2 wrong usage or no archive;
3 damaged: what could be read is in the copy.";
