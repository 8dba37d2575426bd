//! Arguments of `mpiscope view`.

use std::path::PathBuf;

use clap::Args;

use crate::size;

/// Arguments of `mpiscope view`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct View {
    /// Run directories, or anchor files of any OTF2 archives: all are shown on one page; or one job
    /// under `mpiscope monitor`, while it runs or after
    #[arg(value_name = "RUN|ARCHIVE", required = true)]
    pub inputs: Vec<PathBuf>,
    /// The port to listen at, on this machine alone [default: any that is free]
    #[arg(long, value_name = "N", conflicts_with = "socket")]
    pub port: Option<u16>,
    /// Listen at a socket in the file system in place of a port: only you can open it
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Open the browser
    #[arg(long, conflicts_with = "socket")]
    pub open: bool,
    /// Memory to use, such as 512M: what does not fit lies in a file beside the input while the run
    /// is looked at [default: 900M for runs of more than 8 million events]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    /// Neither use nor keep what is known of the archive: look at it anew
    #[arg(long)]
    pub no_cache: bool,
    /// Show nothing: keep beside each run what the page needs, so that it is there at once when the
    /// run is looked at
    #[arg(long, conflicts_with_all = ["port", "socket", "open", "no_cache"])]
    pub build: bool,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope view heat.mpiscope                   prints an address, and how to open it through ssh
  mpiscope view before.mpiscope after.mpiscope  two runs on one time axis
  mpiscope view scorep/traces.otf2              any OTF2 archive
  mpiscope view --port 8080 --open heat.mpiscope
  mpiscope view job.mpiscope                    of a job under `mpiscope monitor`: what it does now
  mpiscope view --socket ~/view.sock heat.mpiscope
                                                where others use the machine, too
  mpiscope view --build heat.mpiscope           in a job: what takes long is done before you look

Exit codes: 0 ended by Ctrl-C, 2 wrong usage, no such run, one that is still being written, or the
port is taken, or --build cannot keep what it takes long to find, 3 an archive is too damaged to be
shown, or --build finds that a part of it cannot be read.";
