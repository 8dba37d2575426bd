//! Arguments of `mpiscope pack` and `mpiscope unpack`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `mpiscope pack`.
#[derive(Debug, Args)]
#[command(after_help = PACK_EXAMPLES)]
pub struct Pack {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// The file to write [default: beside the input: heat.mpiscope.tar.zst of heat.mpiscope]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Pack less than all of the run
    #[arg(long, value_enum, value_name = "WHAT")]
    pub only: Option<Only>,
    /// Pack the events alone, without names of hosts, paths, the program with its arguments, sources
    /// and the date; what else lies in the run is left out. Names of functions stay
    #[arg(long, conflicts_with = "only")]
    pub anonymize: bool,
    /// Replace an earlier packed run of that name
    #[arg(long)]
    pub force: bool,
}

/// What of a run is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// The corrected archive by itself
    Corrected,
    /// The run as it was before its correction
    Measured,
}

const PACK_EXAMPLES: &str = "\
Examples:
  mpiscope pack heat.mpiscope                       leaves heat.mpiscope.tar.zst
  mpiscope info heat.mpiscope.tar.zst               as every command that reads a run
  mpiscope pack --only corrected -o heat.tar.zst heat.mpiscope
  mpiscope pack scorep/traces.otf2
  mpiscope pack --anonymize heat.mpiscope           leaves anonymous.mpiscope.tar.zst: to be shown
                                                    to anybody
  tar -xf heat.mpiscope.tar.zst                     the run back, without mpiscope

Exit codes: 0 done, 2 wrong usage, nothing to pack, its program still runs or FILE exists.";

/// Arguments of `mpiscope unpack`.
#[derive(Debug, Args)]
#[command(after_help = UNPACK_EXAMPLES)]
pub struct Unpack {
    /// A file that `mpiscope pack` wrote
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The directory to make [default: beside FILE, of the name it had when it was packed]
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,
    /// Replace a run or an archive of that name
    #[arg(long)]
    pub force: bool,
}

const UNPACK_EXAMPLES: &str = "\
Examples:
  mpiscope unpack heat.mpiscope.tar.zst
  mpiscope unpack -o before.mpiscope heat.mpiscope.tar.zst

Exit codes: 0 done, 2 wrong usage, RUN exists or there is no room, 3 FILE is damaged or was cut
(what could be read is unpacked, and what could not is named).";
