//! Arguments of `mpiscope analyze`.

use std::path::PathBuf;

use clap::Args;

use super::{Batch, SameClock};
use crate::input::TimeBase;
use crate::size;

/// Arguments of `mpiscope analyze`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Analyze {
    /// A run directory, traced or monitored, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// The times to use; what the archive lacks is computed [default: those of the archive that is
    /// named; of a run the corrected ones, if it has been corrected]
    #[arg(long, value_enum)]
    pub clock: Option<TimeBase>,
    /// For times that are computed: which locations read one clock, those of a host, of a process,
    /// or none [default: as the archive says, unless its messages refute it]
    #[arg(long, value_name = "WHOSE", value_enum, requires = "clock")]
    pub clocks: Option<SameClock>,
    /// Look for root causes also in a trace of more than 10 million events
    #[arg(long)]
    pub causes: bool,
    /// Tell what mending each loss would gain also of a trace of more than 1 million events
    #[arg(long)]
    pub gains: bool,
    /// Tell what waiting for each other and what carrying messages takes of communication
    /// efficiency also in a trace of more than 1 million events
    #[arg(long)]
    pub ideal: bool,
    /// Rows of each table at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub top: u32,
    /// Print JSON in place of text, with all rows
    #[arg(long)]
    pub json: bool,
    /// Memory to use, such as 1G: columns that do not fit lie in a file beside the input while the
    /// command runs; the result is the same
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    /// Neither use nor keep what is known of the archive: look at it anew
    #[arg(long)]
    pub no_cache: bool,
    /// Only print a job script that does this by several processes, for Slurm or another batch
    /// system: tasks, memory and time as the size of the trace asks for
    #[arg(long, value_name = "SYSTEM", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "slurm")]
    pub emit_sbatch: Option<Batch>,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope analyze heat.mpiscope                 of a traced run, in corrected time
  mpiscope analyze heat.mpiscope/traces.otf2     by the clocks as measured
  mpiscope analyze --top 30 scorep/traces.otf2   any OTF2 archive
  mpiscope analyze --clock corrected scorep/traces.otf2
                                                 corrected for this report, as `sync` would
  mpiscope analyze --json heat.mpiscope
  mpiscope monitor -- mpirun -n 4 ./heat && mpiscope analyze heat.mpiscope
                                                 of statistics: all but the critical path

Exit codes: 0 done, 2 wrong usage, or neither trace nor statistics there, 3 some of it is damaged
(what could be read was analyzed).";
