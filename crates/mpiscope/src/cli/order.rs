//! `mpiscope record` and `mpiscope replay`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::debug;

/// Arguments of `mpiscope record`.
#[derive(Debug, Args)]
#[command(after_help = RECORD_EXAMPLES)]
pub struct Record {
    /// Directory of the run [default: PROGRAM.mpiscope, numbered if it exists]
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,
    /// Replace an earlier run of that name
    #[arg(long)]
    pub force: bool,
    /// When races are looked for: `online` while the program runs, and then only receives that
    /// race are recorded
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = RacesWhen::Offline)]
    pub races: RacesWhen,
    /// Record all that these ranks receive too, so that each can be executed again alone: `all`
    /// or a set such as 0,2-3
    #[arg(long, value_name = "RANKS", value_parser = debug::rank_selection)]
    pub payload: Option<debug::RankSelection>,
    /// Record hashes of all that ranks receive, in messages and collective operations, so that a
    /// replay tells other data too, and not only other calls and messages
    #[arg(long, conflicts_with = "payload")]
    pub payload_hashes: bool,
    /// What you would type without us
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

const RECORD_EXAMPLES: &str = "\
Examples:
  mpiscope record -- mpirun -n 4 ./salesman 18
  mpiscope record -o good.mpiscope -- srun -n 64 ./heat
  mpiscope record --races online -- mpirun -n 4 ./salesman 18
  mpiscope record --payload 2 -- mpirun -n 4 ./salesman 18
  mpiscope record --payload-hashes -- mpirun -n 4 ./salesman 18

Exit codes: the application's own; if that is 0, then 2 when nothing was recorded (no MPI_Init was
seen), 3 when what was recorded is damaged. A program that was killed or aborted leaves the choices
that it had made.";

/// Arguments of `mpiscope replay`.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub struct Replay {
    /// The run whose order is to be repeated
    #[arg(value_name = "RUN", required_unless_present = "deterministic")]
    pub run: Option<PathBuf>,
    /// Without any record: make every choice by a fixed rule, so that each run on so many ranks of
    /// one host gives the same results, as of a program that sums in order of arrival
    #[arg(long, conflicts_with_all = ["run", "stop_at", "on_divergence", "alone"])]
    pub deterministic: bool,
    /// Keep the replayed run, with a record of its own, in this directory
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace an earlier run of that name
    #[arg(long)]
    pub force: bool,
    /// Trace the replayed run too, into OUT [default: PROGRAM.mpiscope, numbered if it exists]
    #[arg(long)]
    pub trace: bool,
    /// Go on although the record is of another program, another build of it, or other arguments
    #[arg(long)]
    pub other_program: bool,
    /// Print how it went as a last line of JSON on standard output, the content of replay.json
    #[arg(long, conflicts_with_all = ["deterministic", "alone"])]
    pub json: bool,
    /// What a rank does from the first call on that is not as recorded
    #[arg(long, value_enum, default_value_t = OnDivergence::Free)]
    pub on_divergence: OnDivergence,
    /// Seconds without any progress on any rank after which the replay is given up; 0 for never
    #[arg(long, value_name = "SECONDS", value_parser = patience, default_value_t = 60.0)]
    pub patience: f64,
    /// Execute this rank only, without the others and without a launcher: all that it receives
    /// comes from the record of `mpiscope record --payload`
    #[arg(long, value_name = "RANK", conflicts_with_all = ["trace", "output", "stop_at"])]
    pub alone: Option<u32>,
    /// Debug these ranks while all keep to the order: `all` or a set such as 0,2-3 at one prompt,
    /// a single one under gdb itself, in a window of tmux or through gdbserver
    #[arg(long, value_name = "RANKS", value_parser = debug::rank_selection)]
    pub gdb: Option<debug::RankSelection>,
    /// Debug in an editor that speaks the Debug Adapter Protocol, such as VS Code: it starts this
    /// command and talks to it through standard input and output, or connects to PORT of this host
    /// (`debugServer` in launch.json; 0 for any free one). All ranks, or those of --gdb
    #[arg(long, value_name = "PORT", num_args = 0..=1, value_parser = debug::dap::channel)]
    #[arg(default_missing_value = debug::dap::STANDARD, conflicts_with = "json")]
    pub dap: Option<debug::dap::Channel>,
    /// Halt everybody before the MPI call of this event of the traced run; without --gdb, only the
    /// rank of the event, which then waits for a debugger
    #[arg(long, value_name = "LOCATION:EVENT", value_parser = debug::event)]
    pub stop_at: Option<debug::EventNumber>,
    /// What you would type without us
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  mpiscope replay salesman.mpiscope -- mpirun -n 4 ./salesman 18
  mpiscope replay salesman.mpiscope --trace -o again.mpiscope -- mpirun -n 4 ./salesman 18
  mpiscope replay salesman.mpiscope --on-divergence stop --patience 10 -- mpirun -n 4 ./salesman 18
  mpiscope replay --deterministic -- mpirun -n 4 ./salesman 18
  mpiscope replay salesman.mpiscope --gdb all -- mpirun -n 4 ./salesman 18
  mpiscope replay salesman.mpiscope --alone 2 -- ./salesman 18
  mpiscope replay salesman.mpiscope --alone 2 --gdb 2 -- ./salesman 18
  mpiscope replay salesman.mpiscope --gdb 2 -- mpirun -n 4 ./salesman 18
  mpiscope replay salesman.mpiscope --dap 4711 -- mpirun -n 4 ./salesman 18
  mpiscope replay salesman.mpiscope --gdb all --stop-at 0:4711 -- mpirun -n 4 ./salesman 18

How it went is also in RUN/replay.json.

Exit codes: the application's own where all was as recorded, its exit code too; 1 when anything was
not, or ran free before the recorded end; 2 when it could not be replayed (no record, one of another
program, of other arguments or another number of ranks), 3 when the record is damaged.";

/// When races are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RacesWhen {
    /// While the program runs, by vector time stamps that accompany its messages
    Online,
    /// Afterwards, in a trace
    Offline,
}

/// What follows a divergence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnDivergence {
    /// It goes its own way
    Free,
    /// The run ends
    Stop,
}

/// Reads a number of seconds.
pub fn patience(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    value
        .filter(|seconds| (0.0..1e9).contains(seconds))
        .ok_or_else(|| "a number of seconds is expected".to_owned())
}
