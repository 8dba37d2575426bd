//! `mpiscope monitor`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

/// Arguments of `mpiscope monitor`.
#[derive(Debug, Args)]
#[command(after_help = MONITOR_EXAMPLES)]
pub struct Monitor {
    /// Directory of the run [default: PROGRAM.mpiscope, numbered if it exists]
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,
    /// Replace an earlier run of that name
    #[arg(long)]
    pub force: bool,
    /// Peers of a statement that are counted each by itself, the first it deals with; all others
    /// are counted together [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub peers: Option<u32>,
    /// Statements and peers that a thread has room for, 128 bytes each; what comes later is
    /// counted together [default: 16384]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1 << 22))]
    pub entries: Option<u32>,
    /// How the time is treated that observation takes
    #[arg(long, value_enum, value_name = "HOW", default_value_t = VirtualClock::Sampled)]
    pub virtual_clock: VirtualClock,
    /// What you would type without us
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// What becomes of the time that observation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VirtualClock {
    /// A process's own is subtracted
    #[default]
    Off,
    /// What partners of the same host lost to it is taken into account too, and waiting for them
    /// told apart from the transfer; between hosts in one of 16 messages and collective operations
    Sampled,
    /// The same, between hosts in all collective operations, and in no message, or in all of them if
    /// MPISCOPE_STAMPS=far
    Observe,
    /// The same, and the program chooses as it would without observation: a receive from anybody
    /// takes the message that was sent first in virtual time
    Enforce,
}

const MONITOR_EXAMPLES: &str = "\
Examples:
  mpiscope monitor -- mpirun -n 4 ./heat 512
  mpiscope monitor -o night.mpiscope -- srun -n 64 ./heat
  mpiscope monitor --virtual-clock off -- mpirun -n 4 ./heat 512
  mpiscope monitor --virtual-clock enforce -- mpirun -n 4 ./matrix
  mpiscope monitor --peers 1024 -- srun -n 4096 ./alltoall

Exit codes: the application's own; if that is 0, then 2 when nothing was recorded (no MPI_Init was
seen), 3 when what was recorded is damaged. A program that was killed or aborted leaves what it had
counted.";
