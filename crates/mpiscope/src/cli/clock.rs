//! By which clock a command looks at runs.

use clap::Args;

/// The times that are looked at.
#[derive(Debug, Args)]
pub struct Clock {
    /// The times as the clocks showed them [default: those of the archive that is named; of a run
    /// the corrected ones, if it has been corrected]
    #[arg(long)]
    pub measured: bool,
}
