//! What a user can type.

pub mod analyze;
mod batch;
mod cc;
pub mod check;
mod clock;
mod control;
mod diff;
pub mod explore;
pub mod export;
mod functions;
mod keep;
mod latency;
mod manual;
pub mod monitor;
pub mod order;
mod pack;
pub mod print;
mod profile;
pub mod races;
mod refine;
mod repair;
pub mod report;
mod scale;
pub mod simulate;
pub mod state;
pub mod stats;
pub mod top;
pub mod view;
mod whatif;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use mpiscope_archive::corrected::Times;
use mpiscope_archive::model::Assumptions;
use mpiscope_run::control::RankChoice;
use mpiscope_run::kept::Keep;
use mpiscope_run::slow::Slow;
use serde::{Deserialize, Serialize};

use crate::duration::with_unit;
use crate::report::statistics::MOST_PAIRS;
use crate::size;

pub use analyze::Analyze;
pub use batch::Batch;
pub use cc::{CallsWith, Cc, LoopsWith};
pub use check::Check;
use control::window;
pub use control::{Control, OnOff};
pub use diff::{Condition, Diff};
pub use explore::Explore;
pub use export::{Export, To};
use functions::{counters, mpi_group, period, CounterNames};
pub use functions::{Functions, Openmp, Polls, Window};
use keep::keep;
use latency::lmin;
pub use latency::{Concerned, Lmin};
pub use manual::{Completions, Man};
pub use monitor::{Monitor, VirtualClock};
pub use order::{RacesWhen, Record, Replay};
pub use pack::{Only, Pack, Unpack};
pub use print::Print;
pub use profile::{ByTable, Profile, Sort};
pub use races::{FailOn, Races};
pub use refine::Refine;
pub use repair::Repair;
pub use report::Report;
pub use scale::Scale;
pub use simulate::Simulate;
pub use state::{FailOnState, State};
pub use stats::{ByWhat, SourceLine, Stats};
pub use top::Top;
pub use view::View;
pub use whatif::{Scaled, Whatif};

/// Observe message-passing (MPI) programs on one trustworthy time line.
///
/// Nothing is recompiled: put `mpiscope trace --` before the command that you
/// type anyway.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  mpiscope trace -- mpirun -n 4 ./heat    trace a run; the clocks are corrected at its end
  mpiscope info heat.mpiscope             what is in it, and how wrong the clocks were
  mpiscope doctor                         what will work on this system

Exit codes: 0 done, 1 findings (violations remain), 2 wrong usage or cannot be done, 3 input
damaged (what could be read is still written). `trace` and `exec` return the application's own
exit code, unless they could not do their part (see their --help).";

/// The commands, as `--help` describes them.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a command and trace its MPI calls.
    ///
    /// The launcher of Open MPI, MPICH, Slurm and Flux is recognised in the command
    /// and every process is observed; without a launcher the program is a world of
    /// one. At the end the clocks are corrected and the figures printed.
    Trace(Trace),
    /// Run a command and record in which order its messages were taken.
    ///
    /// Only what MPI chose is kept: the source of receives from anybody, which of
    /// several requests a wait returned, which polls succeeded. That costs a few
    /// nanoseconds and less than a byte each. `trace` records the same beside its
    /// events.
    Record(Record),
    /// Run a command and keep statistics in place of a trace.
    ///
    /// Of every statement that calls MPI, and of every peer: calls, messages,
    /// bytes and time; of instrumented sources (`mpiscope cc`) procedures and
    /// loops too. How much that is depends on the program, not on how long it
    /// runs, and anybody may look while it does.
    Monitor(Monitor),
    /// Say where the time of a monitored run went, by source line.
    ///
    /// The program as a tree, most time first: procedures, loops, calls and
    /// communication statements; or added up by statement, peer, procedure, loop
    /// or rank. The program may still run.
    Stats(Stats),
    /// Look at a monitored program while it runs.
    ///
    /// Where each rank is, since when and on whom it waits, and which statements
    /// take the time; the program is neither stopped nor slowed. Of one that hangs
    /// the cycle of ranks that wait for each other, of one that was killed where
    /// each rank was.
    Top(Top),
    /// Say what each rank of a traced job is doing now, and who waits for whom.
    ///
    /// Of a job that runs, hangs or has died: the call that each rank is in, since
    /// when, by source line; whom it waits for; and the ranks that wait for each
    /// other, if any do. The program is neither stopped nor slowed.
    State(State),
    /// Switch recording of a running job off or on, of all ranks or some.
    ///
    /// From another terminal, while `trace` runs: what is not interesting is not
    /// recorded. `trace --window` does the same by the time, `trace --limit` by the
    /// size, and the program itself by MPI_Pcontrol.
    Control(Control),
    /// Run a command again in the order that was recorded.
    ///
    /// Every receive from anybody takes what it took then, every poll succeeds
    /// when it did. The calls are compared with the record on the way, and where
    /// they differ, that is said.
    Replay(Replay),
    /// Force races to go the other way, and say which of them matter.
    ///
    /// Each race of a traced run is made to end otherwise, one at a time, on the
    /// unmodified program: does it change the result, does the program deadlock,
    /// is it harmless? The most suspicious come first.
    Explore(Explore),
    /// Say what got slower or faster between runs, and whether that is more than noise.
    ///
    /// Two runs, or better two sets of them: whole, computation and waiting, each call and
    /// region, also where lines moved. With --order, where two runs first took their messages
    /// in another order: of each rank the first receive, wait or poll that differs, by source
    /// line, with what each run got.
    Diff(Diff),
    /// Say how a program scales: runs on different numbers of ranks, and which lines stop scaling.
    ///
    /// Speedup and efficiencies of each run, strong or weak; and of each call, region and
    /// computation between calls the core time that it takes beyond ideal scaling, and how that
    /// grows.
    Scale(Scale),
    /// Become a program, traced: for use after the launcher.
    ///
    /// The same as `trace`, for scripts and launchers that `trace` does not know.
    /// The run is named after the program; its clocks are corrected by the first
    /// `mpiscope sync`.
    Exec(Exec),
    /// Say what a run or an archive holds, and how far its clocks can be trusted.
    ///
    /// Locations, events, messages; how many messages seem to arrive before they
    /// were sent, by how much, before and after correction.
    Info(Info),
    /// Correct the time stamps of a run or of any OTF2 archive.
    ///
    /// The measured archive stays as it is; the corrected one is written beside
    /// it, or to OUT. `trace` does this at its end.
    Sync(Sync),
    /// Say where the time went, who waited for whom, and what the run's length depends on.
    ///
    /// Wait states (late senders, late receivers, waiting in barriers and other
    /// collective operations) by statement and by who is waited for, the critical
    /// path, the balance of the ranks, the communication matrix; of a run that was
    /// traced or monitored, or of any OTF2 archive.
    Analyze(Analyze),
    /// Propose what the next trace of a program can leave out, and how it is best taken.
    ///
    /// A filter of regions that are visited often and briefly, never of calls of MPI nor of what
    /// leads to them; a window of steady iterations; the memory to reserve. With --apply the filter
    /// is written, and the line to type is printed.
    Refine(Refine),
    /// Say how long a run would have taken if something had been different.
    ///
    /// The run is replayed with changed durations: a region twice as fast, computation
    /// balanced, another network, a call in which nobody waits. With no change named, it
    /// says what mending each of the worst would gain.
    Whatif(Whatif),
    /// Say how often what was called and how long it took: by region, call path, line, rank …
    ///
    /// Visits, inclusive and exclusive time, waiting, and how they are spread over ranks, of all of
    /// a run or of some ranks, some time, some iterations, within a region, of a group of functions;
    /// messages by size, and from whom to whom.
    Profile(Profile),
    /// Show a run in the browser: time lines, from hours to nanoseconds.
    ///
    /// The address that is printed opens on this machine alone; through ssh it opens
    /// on yours, as the lines beside it say. Several runs are shown side by side.
    /// Ctrl-C ends it.
    View(View),
    /// Write the page that `view` shows into one file, to open anywhere or to mail.
    ///
    /// It needs no server and no network: the whole run in coarse steps, and single
    /// calls where most was found, or everywhere if there is room.
    Report(Report),
    /// Print the events of a run as text, one per line.
    ///
    /// Location by location, or all of them in one order of corrected time: who
    /// did what when, with whom, and where in the program; of a traced run or of
    /// any OTF2 archive.
    Print(Print),
    /// Write a run for other tools: data frames, DuckDB, Perfetto, speedscope, spreadsheets.
    ///
    /// Tables of events, messages, collective operations and wait states as
    /// Parquet or CSV, or a time line as Perfetto or speedscope reads it; of a
    /// traced run or of any OTF2 archive.
    Export(Export),
    /// Put a run or an archive into one file, to keep or to send.
    ///
    /// The file is as small as is sensible, checks itself, and every command that
    /// reads a run opens it as it is. It is a tar archive compressed by zstd:
    /// nobody needs mpiscope to have the run back.
    Pack(Pack),
    /// Make the run or archive that was packed again, as it was.
    ///
    /// Byte for byte, times of change included; of a damaged file all that is whole.
    Unpack(Unpack),
    /// Say what of an archive is against the format, and what other tools will refuse.
    ///
    /// Every rule that is broken, how often, where first and who asks for it; of a
    /// run or of any OTF2 archive.
    Check(Check),
    /// Write a clean copy of an archive: what `check` finds, mended.
    ///
    /// What can be mended without inventing what happened is; the rest is left, with
    /// the reason. The archive itself is never touched.
    Repair(Repair),
    /// Find receives that could have got another message, and what MPI forbids.
    ///
    /// For each place in the program: what else could have come, from where, how
    /// often; whether every order completes (an order race), or some order leaves
    /// a receive without message, does not fit or is of another type (a match
    /// hazard), and why. One run is enough: nothing is executed.
    Races(Races),
    /// Make an archive from the buffers of a run that died.
    ///
    /// Every event that was committed before the end is kept. `trace` does this by
    /// itself; this is for runs whose `trace` was killed too.
    Recover(Recover),
    /// Make a run that never was, whose true times are known.
    ///
    /// A program is simulated in true time and recorded by clocks that go wrong as
    /// told. `mpiscope sync --truth` then says how far a correction comes.
    Simulate(Box<Simulate>),
    /// Compile with probes at procedures, loops and calls: put it before the compiler.
    ///
    /// The sources are read, their structure (which procedure contains which loop,
    /// which of them which call and which MPI statement) travels in the object
    /// files, and `mpiscope monitor` can tie its figures to it. C, C++ and Fortran.
    Cc(Cc),
    /// Write headers by which a program names its own regions, and print where they are.
    ///
    /// `mpiscope.h` for C and C++, `mpiscope.f90` for Fortran, and headers that take the place
    /// of MPE's, Score-P's and NVTX's: `mpicc -I$(mpiscope include) …`.
    Include(Include),
    /// Say what was found on this system, what will work and what will not.
    ///
    /// MPI installations, the agent, the clock it will read, shared memory for its
    /// buffers, OTF2 tools.
    Doctor(Doctor),
    /// Print what a shell needs to complete commands and options of mpiscope.
    ///
    /// Packages install it already; else it is put where the shell looks for it.
    Completions(Completions),
    /// Write the manual pages, one of each command.
    ///
    /// Packages install them already. They say what --help says.
    Man(Man),
}

impl Command {
    /// Returns the runs and archives that are read, as the user named them.
    pub fn inputs(&mut self) -> Vec<&mut PathBuf> {
        match self {
            Command::Replay(Replay { run, .. }) => run.iter_mut().collect(),
            Command::Check(Check { input, .. }) => input.iter_mut().collect(),
            Command::View(View { inputs, .. })
            | Command::Report(Report { inputs, .. })
            | Command::Scale(Scale { inputs, .. }) => inputs.iter_mut().collect(),
            Command::Explore(Explore { run, .. })
            | Command::Stats(Stats { run, .. })
            | Command::Top(Top { run, .. })
            | Command::State(State { run, .. })
            | Command::Control(Control { run, .. })
            | Command::Recover(Recover { run, .. }) => vec![run],
            Command::Diff(diff) => diff.inputs(),
            Command::Info(Info { input, .. })
            | Command::Sync(Sync { input, .. })
            | Command::Analyze(Analyze { input, .. })
            | Command::Whatif(Whatif { input, .. })
            | Command::Profile(Profile { input, .. })
            | Command::Refine(Refine { input, .. })
            | Command::Print(Print { input, .. })
            | Command::Export(Export { input, .. })
            | Command::Repair(Repair { input, .. })
            | Command::Races(Races { input, .. }) => vec![input],
            // These make runs, or say themselves what they take.
            Command::Trace(_)
            | Command::Record(_)
            | Command::Monitor(_)
            | Command::Exec(_)
            | Command::Pack(_)
            | Command::Unpack(_)
            | Command::Simulate(_)
            | Command::Cc(_)
            | Command::Include(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_) => Vec::new(),
        }
    }

    /// What is done once, whoever asks: the name of a command that several processes would do each
    /// for itself, and whether it starts a program.
    pub fn once(&self) -> Option<(&'static str, bool)> {
        Some(match self {
            Command::Trace(_) => ("trace", true),
            Command::Record(_) => ("record", true),
            Command::Monitor(_) => ("monitor", true),
            Command::Replay(_) => ("replay", true),
            Command::Explore(_) => ("explore", true),
            Command::Sync(_) => ("sync", false),
            Command::Analyze(_) => ("analyze", false),
            Command::Races(_) => ("races", false),
            Command::Whatif(_) => ("whatif", false),
            Command::Profile(_) => ("profile", false),
            Command::Refine(_) => ("refine", false),
            Command::Diff(diff) if !diff.order => ("diff", false),
            Command::Scale(_) => ("scale", false),
            Command::Export(_) => ("export", false),
            Command::Pack(_) => ("pack", false),
            Command::Unpack(_) => ("unpack", false),
            Command::Repair(_) => ("repair", false),
            Command::Simulate(_) => ("simulate", false),
            Command::View(view) if view.build => ("view --build", false),
            Command::View(_) => ("view", false),
            Command::Report(_) => ("report", false),
            Command::Info(_) => ("info", false),
            _ => return None,
        })
    }

    /// Whether programs are observed, or what they left is used, and memory of dead runs is in the way.
    pub fn needs_memory(&self) -> bool {
        matches!(
            self,
            Command::Trace(_)
                | Command::Record(_)
                | Command::Monitor(_)
                | Command::Replay(_)
                | Command::Explore(_)
                | Command::Recover(_)
        )
    }
}

/// Arguments of `mpiscope trace`.
#[derive(Debug, Args)]
#[command(after_help = TRACE_EXAMPLES)]
pub struct Trace {
    /// Directory of the run [default: PROGRAM.mpiscope, numbered if it exists]
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,
    /// Replace an earlier run of that name
    #[arg(long)]
    pub force: bool,
    /// Leave the time stamps as measured; `mpiscope sync` corrects them later
    #[arg(long)]
    pub no_sync: bool,
    /// Do not record the order of messages, which `replay` needs
    #[arg(long)]
    pub no_order: bool,
    /// When races are looked for: `online` while the program runs, and then only receives that
    /// race are recorded
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = RacesWhen::Offline,
          conflicts_with = "no_order")]
    pub races: RacesWhen,
    /// Keep statistics beside the events, as `mpiscope monitor` does
    #[arg(long)]
    pub statistics: bool,
    /// Memory reserved per thread for events, such as 64M; what does not fit goes to disk
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub buffer: Option<u64>,
    /// When to record, in time since MPI_Init, such as 10s..60s or 90s.. [default: always]
    #[arg(long, value_name = "FROM..UNTIL", value_parser = window)]
    pub window: Option<Window>,
    /// How much each rank records at most, such as 500M (32 bytes an event, before it is packed):
    /// then it records no more. It looks after each 512 KiB of a thread and every second, and passes
    /// the limit by what comes until then
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub limit: Option<u64>,
    /// Keep the latest events only: so much of each rank at least, such as 64M, or the last seconds,
    /// such as 30s; what is older is given up while the program runs. The order of messages is not
    /// recorded then
    #[arg(long, value_name = "SIZE|TIME", value_parser = keep, conflicts_with_all = ["limit", "races"])]
    pub keep: Option<Keep>,
    /// Record until an iteration is slow: one begin of a region or of a function of MPI to the next
    /// takes so many times the median of those before, such as step=3. With --keep, what came
    /// before it is what is kept
    #[arg(long, value_name = "NAME=TIMES", value_parser = Slow::read)]
    pub until_slow: Option<Slow>,
    /// Which ranks record, such as 0-3,7; the others count their messages, so that those of the
    /// chosen ones are matched [default: all]
    #[arg(long, value_name = "LIST")]
    pub ranks: Option<RankChoice>,
    /// Leave out regions, functions and functions of MPI by their names, as a file in Score-P's
    /// syntax says (INCLUDE and EXCLUDE with wildcards); patterns that begin with MPI_ are for MPI
    #[arg(long, value_name = "FILE")]
    pub filter: Option<PathBuf>,
    /// Leave out what the statistics of an earlier run (`monitor`) propose: procedures that were
    /// entered often and were soon over; rules of --filter come after these
    #[arg(long, value_name = "RUN")]
    pub from: Option<PathBuf>,
    /// Trace these groups of MPI's functions alone; a filter adds to them and takes from them
    #[arg(long, value_name = "GROUP,…", value_parser = mpi_group, value_delimiter = ',')]
    pub only_mpi: Option<Vec<String>>,
    /// Which functions instrumented by the compiler are traced: those entered very often that take
    /// no microsecond are left out at last, unless all are wanted
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Functions::Long)]
    pub functions: Functions,
    /// Which polls that find nothing (MPI_Test, MPI_Iprobe …) are events of their own: those that
    /// follow each other are counted and told together, unless all are wanted
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Polls::Compressed)]
    pub polls: Polls,
    /// Whether teams, barriers, locks and tasks of OpenMP are traced (GCC's runtime and LLVM's)
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Openmp::On)]
    pub openmp: Openmp,
    /// Look where each thread computes, after each so much of its processor time, such as 1ms:
    /// `analyze` shows functions and lines, without compiling the program anew
    #[arg(long, value_name = "TIME", value_parser = period)]
    pub sample: Option<u64>,
    /// Read counters of the processor and the system as each call and region begins and ends, such as
    /// cycles,instructions,cache-misses (names of `perf list`, or the processor's codes, r01c2); at
    /// most 8
    #[arg(long, value_name = "LIST", value_parser = counters)]
    pub counters: Option<CounterNames>,
    /// What you would type without us
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

const TRACE_EXAMPLES: &str = "\
Examples:
  mpiscope trace -- mpirun -n 4 ./heat 512
  mpiscope trace -o before.mpiscope -- srun -n 64 ./heat
  mpiscope trace -- mpirun -n 1 ./master : -n 7 ./worker
  mpiscope trace --buffer 256M --no-sync -- ./heat
  mpiscope trace --window 60s..90s --limit 1G -- mpirun -n 4 ./heat
  mpiscope trace --keep 64M -- mpirun -n 4 ./heat
  mpiscope trace --keep 64M --until-slow step=3 -- mpirun -n 4 ./solver
  mpiscope trace --sample 1ms -- mpirun -n 4 ./heat
  mpiscope trace --counters cycles,instructions -- mpirun -n 4 ./heat
  mpiscope trace --ranks 0-3 --filter heat.filter -- mpirun -n 16 ./heat
  mpiscope trace --from monitored.mpiscope -- mpirun -n 4 ./heat
  mpiscope trace --only-mpi coll,io -- mpirun -n 4 ./heat
  mpiscope trace --races online -- mpirun -n 4 ./salesman 18

Groups of MPI's functions, as Score-P names them: cg (communicators), coll (collective operations),
env, err, ext, io (files), misc, p2p (messages, requests), perf, rma (one-sided), spawn, topo, type.

Exit codes: the application's own; if that is 0, then 1 when the checker still finds violations
after correction, 2 when nothing was recorded (no MPI_Init was seen), 3 when what was recorded is
damaged. 2 also when nothing was started: wrong usage, program not found or statically linked with
MPI, launcher and library of different MPIs. A program that was killed or aborted leaves an archive
of what it had committed.";

/// Arguments of `mpiscope exec`.
#[derive(Debug, Args)]
#[command(after_help = EXEC_EXAMPLES)]
pub struct Exec {
    /// The run to record into; `trace` gives it
    #[arg(long, value_name = "RUN", hide = true)]
    pub run: Option<PathBuf>,
    /// Where to ask whether to be a debugger; `replay --gdb` gives it
    #[arg(long, value_name = "SOCKET", hide = true)]
    pub debug: Option<PathBuf>,
    /// Descriptors that become standard output and standard error; a debugger gives them
    #[arg(long, value_name = "FD", hide = true, num_args = 2)]
    pub outputs: Option<Vec<i32>>,
    /// Whether a debugger starts the program
    #[arg(long, hide = true)]
    pub debugged: bool,
    /// Memory reserved per thread for events, such as 64M
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub buffer: Option<u64>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub command: Vec<OsString>,
}

const EXEC_EXAMPLES: &str = "\
Examples:
  srun -n 64 mpiscope exec -- ./heat 512
  jsrun -n 64 mpiscope exec --buffer 256M -- ./heat 512

Exit codes: the program's own; 127 if it is not found, 126 if it cannot be executed, 2 if no agent
can be loaded into it (none was found, or MPI is statically linked): it is not started then, because
ranks that are observed would wait for it without end.";

/// Arguments of `mpiscope info`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mpiscope info heat.mpiscope\n  mpiscope info --json scorep/traces.otf2\n  mpiscope info scorep/traces.otf2 --clocks\n\nExit codes: 0 done, 2 no archive, 3 archive damaged or cut short (what could be read is printed)."
)]
pub struct Info {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// Fit all clocks and check all times anew, behind RUN; WHOSE says which locations read one
    /// clock
    #[arg(long, value_name = "WHOSE", value_enum, num_args = 0..=1, default_missing_value = "told")]
    pub clocks: Option<ClocksOf>,
    /// Memory to use, such as 1G: columns that do not fit lie in a file beside the input while the
    /// command runs; the result is the same
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `mpiscope sync`.
#[derive(Debug, Args)]
#[command(after_help = SYNC_EXAMPLES)]
pub struct Sync {
    /// A run directory, or the anchor file of any OTF2 archive
    #[arg(value_name = "RUN|ARCHIVE")]
    pub input: PathBuf,
    /// Where the corrected archive goes [default: corrected/ in the run, NAME-corrected beside
    /// an archive]
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Replace an earlier corrected archive
    #[arg(long)]
    pub force: bool,
    /// How the corrected archive tells its times
    #[arg(long, value_enum, value_name = "HOW", default_value_t = TimesAs::Auto)]
    pub times: TimesAs,
    /// Compare with the true time of a run with known clock faults; writes nothing unless -o or
    /// --force is given
    #[arg(long)]
    pub truth: bool,
    /// Which locations read one clock: those of a host, of a process, or none [default: as the
    /// archive says, unless its messages refute it]
    #[arg(long, value_name = "WHOSE", value_enum)]
    pub clocks: Option<SameClock>,
    /// Leave out the shifts that were given to rows by hand in `mpiscope view`
    #[arg(long)]
    pub no_shifts: bool,
    /// What precedes the logical clock
    #[arg(long, value_enum, default_value_t = Presync::Fit)]
    pub presync: Presync,
    /// How the control variable gamma of the logical clock is chosen
    #[arg(long, value_enum)]
    pub control: Option<GammaControl>,
    /// Control variable, 0.5 < G <= 1: a corrected clock goes at G of its own rate until its
    /// correction is paid back [default: found in the trace; 0.99 for `--control paper`]
    #[arg(long, value_name = "G", value_parser = gamma)]
    pub gamma: Option<f64>,
    /// Least time between two events of a location, such as 1ns [default: what its clock showed]
    #[arg(long, value_name = "T", value_parser = with_unit)]
    pub delta: Option<f64>,
    /// Length of the ramp that leads up to an event moved forward, in lengths of its move; 0 for
    /// none
    #[arg(long, value_name = "N", value_parser = interval, default_value_t = 100.0)]
    pub interval: f64,
    /// Least time that a message takes, such as 1.2us; of a class, as same-clock=300ns
    /// (same-process, same-clock, same-host, same-rack, far; different-clocks for the last
    /// three); or between two hosts, as n1:n7=4us [default: found in the trace]
    #[arg(long, value_name = "[CLASS=|HOST:HOST=]T", value_parser = lmin)]
    pub lmin: Vec<Lmin>,
    /// Calls in which nobody leaves before all have entered, though no standard says so of all
    #[arg(long, value_name = "CALL,…", value_enum, value_delimiter = ',',
          default_values_t = [Assumed::Finalize, Assumed::Creation])]
    pub assume: Vec<Assumed>,
    /// Threads to use [default: as many as there are processors]; the result is always the same
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// Memory to use, such as 64M: columns that do not fit lie in a file beside the input while
    /// the command runs; the result is the same
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,
    /// Draw how each clock left its straight line, as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Pairs of hosts (of clocks, on a single host) to list: a number, or `all`
    #[arg(long, value_name = "N", value_parser = pairs, default_value_t = MOST_PAIRS)]
    pub pairs: usize,
    /// Print JSON in place of text
    #[arg(long)]
    pub json: bool,
    /// Only print a job script that does this by several processes, for Slurm or another batch
    /// system: tasks, memory and time as the size of the trace asks for
    #[arg(long, value_name = "SYSTEM", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "slurm")]
    pub emit_sbatch: Option<Batch>,
}

const SYNC_EXAMPLES: &str = "\
Examples:
  mpiscope sync heat.mpiscope
  mpiscope sync scorep/traces.otf2 -o corrected
  mpiscope sync --force heat.mpiscope     again, in place of the earlier correction
  mpiscope sync --truth heat.mpiscope     figures against the known truth of a test run
  mpiscope sync --force --plot clocks.svg heat.mpiscope
  mpiscope sync --lmin same-host=300ns --lmin n1:n7=4us heat.mpiscope
                                          where the figures of the trace are not believed
  mpiscope sync --presync linear --control paper --delta 1ns --lmin 1us -o papers heat.mpiscope
                                          the constants of the papers
  mpiscope sync --force --emit-sbatch heat.mpiscope >job.sh; sbatch job.sh
                                          as a job of a batch system

Exit codes: 0 done, 1 the checker still finds violations, 2 wrong usage, 3 input damaged (what
could be read is corrected).";

/// Whose events are stamped by one clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
pub enum SameClock {
    /// All processes of a host read one
    Host,
    /// Each process has its own
    Process,
    /// Each thread has its own
    Thread,
}

/// Whose events are stamped by one clock, for `info`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ClocksOf {
    /// As the archive says, unless its messages refute it
    Told,
    /// All processes of a host read one
    Host,
    /// Each process has its own
    Process,
    /// Each thread has its own
    Thread,
}

impl ClocksOf {
    /// Returns what the caller knows better than the archive.
    pub fn same(self) -> Option<SameClock> {
        match self {
            ClocksOf::Told => None,
            ClocksOf::Host => Some(SameClock::Host),
            ClocksOf::Process => Some(SameClock::Process),
            ClocksOf::Thread => Some(SameClock::Thread),
        }
    }
}

/// How a corrected archive tells its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TimesAs {
    /// By clock offsets where these are exact and few, else by new time stamps
    Auto,
    /// The measured events, with ClockOffset definitions that every OTF2 reader applies; new
    /// time stamps only where these cannot be exact
    ClockOffsets,
    /// A copy of all events with new time stamps
    Rewritten,
}

impl From<TimesAs> for Times {
    fn from(times: TimesAs) -> Times {
        match times {
            TimesAs::Auto => Times::Auto,
            TimesAs::ClockOffsets => Times::ClockOffsets,
            TimesAs::Rewritten => Times::Rewritten,
        }
    }
}

/// The correction that precedes the logical clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Presync {
    /// As measured
    None,
    /// One offset per clock
    Align,
    /// Linear interpolation between the measured offsets
    Linear,
    /// The line between the convex hulls of the messages of both directions
    Hull,
    /// The line through the fastest messages of both halves of the trace
    MinMax,
    /// The most probable course of every clock, from all messages and offsets
    Fit,
}

/// Calls that may be taken for barriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumed {
    /// None of them
    None,
    /// MPI_Init and MPI_Init_thread
    Init,
    /// MPI_Finalize
    Finalize,
    /// Creation of communicators and windows
    Creation,
}

impl Assumed {
    /// Returns what is assumed where these were named.
    pub fn all(named: &[Assumed]) -> Assumptions {
        Assumptions {
            init: named.contains(&Assumed::Init),
            finalize: named.contains(&Assumed::Finalize),
            creation: named.contains(&Assumed::Creation),
        }
    }

    /// Names what is assumed.
    pub fn of(assumptions: &Assumptions) -> Vec<Assumed> {
        let named = [
            (assumptions.init, Assumed::Init),
            (assumptions.finalize, Assumed::Finalize),
            (assumptions.creation, Assumed::Creation),
        ];
        let held = named.into_iter().filter(|(holds, _)| *holds);
        held.map(|(_, name)| name).collect()
    }
}

/// How gamma is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GammaControl {
    /// As given by --gamma
    Fixed,
    /// Passes with ten times as much decay each, until the error at the ends is small
    Paper,
    /// From the drift that is left, and only as much more as stops an avalanche
    Adaptive,
}

/// Arguments of `mpiscope recover`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  mpiscope recover heat.mpiscope\n\nExit codes: 0 done or nothing to do, 1 the checker still finds violations,\n2 no run, none of its buffers found, or its program still runs, 3 buffers damaged."
)]
pub struct Recover {
    /// The run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
}

/// Arguments of `mpiscope include`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mpicc -I$(mpiscope include) -o solver solver.c\n  mpifort -o solver $(mpiscope include)/mpiscope.f90 solver.f90\n  mpiscope include third_party/mpiscope\n\nThe program runs without mpiscope, too: then it calls functions that do nothing.\nExit codes: 0 written, 2 cannot be written."
)]
pub struct Include {
    /// Where to write them; else a directory of yours for this version
    #[arg(value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// Arguments of `mpiscope doctor`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mpiscope doctor\n  mpiscope doctor --json\n  mpiscope doctor --reclaim\n\nExit codes: 0 looked, whatever was found (the report tells), 2 wrong usage or no report written."
)]
pub struct Doctor {
    /// Print JSON in place of a table
    #[arg(long)]
    pub json: bool,
    /// Give back the shared memory of runs that died, as the next run does too
    #[arg(long)]
    pub reclaim: bool,
}

fn gamma(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    value
        .filter(|gamma| *gamma > 0.5 && *gamma <= 1.0)
        .ok_or_else(|| "a number above 0.5, at most 1, is expected".to_owned())
}

fn interval(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    value
        .filter(|interval| *interval >= 0.0)
        .ok_or_else(|| "a number of at least 0 is expected".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    let value = text.parse::<usize>().ok();
    value
        .filter(|threads| (1..=4096).contains(threads))
        .ok_or_else(|| "a number from 1 to 4096 is expected".to_owned())
}

fn pairs(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        number => number
            .parse()
            .map_err(|_| "a number or `all` is expected".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_is_explained_with_an_example() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            assert!(command.get_long_about().is_some(), "{name}");
            let examples = command.get_after_help().map(ToString::to_string);
            assert!(
                examples.is_some_and(|text| text.contains("mpiscope")),
                "{name}"
            );
        }
    }

    #[test]
    fn every_command_tells_its_exit_codes() {
        for command in Cli::command().get_subcommands() {
            let text = command.get_after_help().map(ToString::to_string);
            let tells = text.is_some_and(|text| text.contains("Exit codes: "));
            assert!(tells, "{}", command.get_name());
        }
    }

    #[test]
    fn the_command_keeps_its_own_options() {
        let line = [
            "mpiscope", "trace", "-o", "a", "--", "mpirun", "-n", "4", "-o", "--", "x",
        ];
        let Command::Trace(trace) = Cli::parse_from(line).command else {
            panic!("not trace");
        };
        assert_eq!(trace.command, ["mpirun", "-n", "4", "-o", "--", "x"]);
    }

    #[test]
    fn gamma_lies_between_a_half_and_one() {
        assert!(gamma("0.99").is_ok() && gamma("0.5").is_err() && gamma("nan").is_err());
    }
}
