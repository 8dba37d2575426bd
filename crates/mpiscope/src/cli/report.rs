//! Arguments of `mpiscope report`.

use std::path::PathBuf;

use clap::Args;

use crate::size;

/// Arguments of `mpiscope report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Report {
    /// Run directories, or anchor files of any OTF2 archives: all are shown on one page
    #[arg(value_name = "RUN|ARCHIVE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The file to write, or - for standard output [default: beside the first input: heat.html of
    /// heat.mpiscope]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// About how large it may be. What there is no room for is left out: first single calls far
    /// from what was found
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "25M")]
    pub size: u64,
    /// Leave out names of hosts, paths, the program with its arguments, and the text and places of
    /// sources; names of functions stay
    #[arg(long)]
    pub anonymize: bool,
    /// Replace an earlier report of that name
    #[arg(long)]
    pub force: bool,
    /// Neither use nor keep what is known of the archive: look at it anew
    #[arg(long)]
    pub no_cache: bool,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope report heat.mpiscope                  leaves heat.html: open it in a browser, mail it
  mpiscope report -o why.html before.mpiscope after.mpiscope
  mpiscope report --anonymize --size 5M heat.mpiscope

Exit codes: 0 done, 2 wrong usage, no such run, one that is still being written, or FILE exists,
3 an archive is too damaged to be shown.";
