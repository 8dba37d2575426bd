//! What is reported, whether it comes of a trace or of statistics: `--json`
//! shows exactly this.

use std::borrow::Cow;
use std::path::PathBuf;

use mpiscope_analysis::statistics::Spread;
use mpiscope_analysis::wait_states::Kind;
use mpiscope_run::run_info;
use serde::{Deserialize, Serialize};

use super::causes::RootCauses;
use super::computation::Computation;
use super::efficiency::Efficiency;
use super::iterations::Iterations;
use super::patterns::Patterns;
use super::resolution::Resolution;
use super::verdict::Verdict;
pub use crate::call::SourcePlace;
use crate::end_of_run::EndOfRun;
use crate::input::{self, TimeBase};
use crate::kinds::Kinds;
pub use crate::stats::Sent;

/// Everything that `analyze` reports.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    /// The run or archive.
    pub path: PathBuf,
    /// `trace` or `statistics`.
    pub source: Cow<'static, str>,
    /// Anchor of the archive that was read.
    pub archive: Option<PathBuf>,
    /// What its times are: `measured`, `interpolated` or `corrected`; not known of other tools'
    /// archives by themselves.
    pub clock: Option<TimeBase>,
    /// Whether they are corrected; not known where `clock` is not.
    pub corrected: Option<bool>,
    /// Processes.
    pub ranks: u64,
    /// Locations of the archive by kind: times are those of threads alone; nothing of statistics.
    pub locations: Option<Kinds>,
    /// What is to be known first; nothing of statistics.
    pub verdict: Option<Verdict>,
    /// From the first event to the last; of statistics how long the longest rank was observed.
    pub length_ns: i64,
    /// Time of all threads together.
    pub time_ns: i64,
    /// Of that in MPI, waiting included.
    pub mpi_ns: i64,
    /// Of that waiting; nothing if it was not told apart.
    pub waiting_ns: Option<i64>,
    /// Calls of MPI.
    pub calls: u64,
    /// Those of them in which waiting was told apart.
    pub separated_calls: u64,
    /// Time in what threads of a process wait for each other (barriers, locks, joins), or idle
    /// between two teams; nothing of statistics.
    pub threads_ns: i64,
    /// Of that waiting.
    pub threads_waiting_ns: i64,
    /// Time in which recording was off.
    pub unrecorded_ns: i64,
    /// How much of the run was work, and what took the rest; nothing of statistics, where ranks have
    /// several threads, and where recording was off.
    pub efficiency: Option<Efficiency>,
    /// Why efficiencies of a trace have no meaning.
    #[serde(default)]
    pub no_efficiency: Option<String>,
    /// How the ranks' time differs outside of MPI and of `threads_ns`, while recording was on.
    pub work: Balance,
    /// What clocks leave open of all waiting for other ranks; nothing of statistics.
    pub resolution: Option<Resolution>,
    /// Waiting by kind, most first.
    pub wait_states: Vec<OfKind>,
    /// What else is known of them, and of operations; nothing of statistics.
    pub patterns: Option<Patterns>,
    /// Statements that call MPI, or in which threads wait for each other, most waiting first.
    pub statements: Vec<Statement>,
    /// The critical path; nothing of statistics.
    pub critical_path: Option<CriticalPath>,
    /// What caused the waiting; nothing of statistics, and if it was not looked for.
    pub root_causes: Option<RootCauses>,
    /// Why it was not.
    pub no_root_causes: Option<String>,
    /// Where computation was; nothing if there are no samples of it.
    pub computation: Option<Computation>,
    /// By rank.
    pub by_rank: Vec<Rank>,
    /// Who waited for whom, most first.
    pub pairs: Vec<Pair>,
    /// Who sent how much to whom.
    pub messages: Vec<Sent>,
    /// Where the program repeats itself; nothing of statistics, and if it does not.
    pub iterations: Option<Iterations>,
    /// Why there are no iterations.
    pub no_iterations: Option<String>,
    /// Of what it is not known how much was waiting.
    pub unknown: Vec<Unknown>,
    /// Wait states that contradict the clocks.
    pub contradictions: u64,
    /// Of a run that died: who ended by what, and where all ranks stood.
    pub end: Option<EndOfRun>,
    /// What is to be known besides, in sentences.
    pub notes: Vec<String>,
    /// What could not be read, in sentences.
    pub damage: Vec<String>,
}

/// Something of which it is not known how much of it was waiting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unknown {
    /// What: `one-sided communication` and so on.
    pub what: Cow<'static, str>,
    /// Its calls; 0 if it is no calls of MPI.
    pub calls: u64,
    /// How long they took, together, if that is known.
    pub time_ns: Option<i64>,
    /// Why, in a sentence.
    pub why: String,
}

/// How a time differs between ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Mean over all ranks.
    pub mean_ns: u64,
    /// Most time of a rank.
    pub max_ns: u64,
    /// Its rank.
    pub max_rank: u32,
    /// Which part of the most a perfect balance would save, 0 to 1.
    pub imbalance: f64,
}

/// Wait states of one kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfKind {
    /// `late sender` and so on.
    pub kind: Cow<'static, str>,
    /// How many; of statistics, calls in which waiting was told apart.
    pub times: u64,
    /// How long, together.
    pub waiting_ns: i64,
    /// What clocks leave open of that; nothing of statistics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resolution: Option<Resolution>,
}

/// A statement that calls MPI, or in which threads wait for each other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Statement {
    /// The call, and where it stands.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// It is no call of MPI: threads of a process wait for each other there.
    pub among_threads: bool,
    /// How often it was executed, on all ranks together.
    pub calls: u64,
    /// Time in it, waiting included.
    pub time_ns: i64,
    /// Of that waiting; nothing if it was not told apart.
    pub waiting_ns: Option<i64>,
    /// Calls in which it was.
    pub separated_calls: u64,
    /// Bytes sent and received.
    pub bytes: u64,
    /// Its wait states by kind, most first.
    pub waits: Vec<Waits>,
}

/// Wait states of one kind at one statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Waits {
    /// `late sender` and so on.
    pub kind: Cow<'static, str>,
    /// How many.
    pub times: u64,
    /// How long, together.
    pub waiting_ns: i64,
    /// What clocks leave open of that; nothing of statistics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resolution: Option<Resolution>,
    /// Ranks that waited, most first; of statistics all that executed it.
    pub ranks: Vec<Share>,
    /// Ranks that were waited for, most first, as far as they are known.
    pub waited_for: Vec<Share>,
    /// The longest one; of a trace.
    pub longest: Option<Longest>,
}

/// A rank's share in waiting.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    /// World rank.
    pub rank: u32,
    /// How long it waited, or was waited for.
    pub waiting_ns: i64,
    /// What clocks leave open of that; nothing of statistics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resolution: Option<Resolution>,
}

/// One wait state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Longest {
    /// How long.
    pub waiting_ns: i64,
    /// By how much clocks can be wrong there, in 99 of 100 cases; nothing if that is not known.
    pub half_width_ns: Option<i64>,
    /// The rank that waited.
    pub rank: u32,
    /// Number of its location in the archive.
    pub location: u64,
    /// Number of the event that entered the call.
    pub event: u32,
    /// The rank that was waited for.
    pub waited_for: u32,
    /// What that one did in the end.
    pub cause: SourcePlace,
}

/// The critical path.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Its length: that of the run.
    pub length_ns: i64,
    /// What of it is in MPI.
    pub mpi_ns: i64,
    /// What of it is work.
    pub work_ns: i64,
    /// Pieces that it consists of.
    pub segments: u64,
    /// How often it passed through waiting, as times contradict each other.
    pub contradictions: u64,
    /// By what was done, most first.
    pub parts: Vec<PathPart>,
}

/// What of the critical path is one activity.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathPart {
    /// What was done.
    #[serde(flatten)]
    pub activity: Activity,
    /// How much of the path it is.
    pub path_ns: i64,
    /// Time in it without waiting, of all ranks together.
    pub time_ns: i64,
    /// By how much it exceeds a rank's mean: what a perfect balance would save at most.
    pub imbalance_ns: i64,
    /// How long others waited meanwhile for whom did it, of all ranks together.
    pub held_ns: i64,
}

/// What a rank does.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "activity", rename_all = "snake_case")]
pub enum Activity {
    /// It is in MPI.
    Mpi {
        /// Where.
        place: SourcePlace,
    },
    /// Its threads wait for each other, or have nothing to do until they come there.
    Threads {
        /// Where.
        place: SourcePlace,
    },
    /// It works in a region of the program.
    Region {
        /// Which.
        name: String,
    },
    /// It works between two calls.
    Work {
        /// The call before; nothing at the begin.
        after: Option<SourcePlace>,
        /// The call that comes then; nothing at the end.
        before: Option<SourcePlace>,
    },
    /// Nobody knows.
    Unrecorded,
}

/// One rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rank {
    /// World rank.
    pub rank: u32,
    /// Time of its threads.
    pub time_ns: i64,
    /// Of that in MPI.
    pub mpi_ns: i64,
    /// Of that waiting; nothing if it was not told apart.
    pub waiting_ns: Option<i64>,
    /// What clocks leave open of that; nothing of statistics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resolution: Option<Resolution>,
    /// In what its threads wait for each other, or idle.
    pub threads_ns: i64,
    /// Of that waiting.
    pub threads_waiting_ns: i64,
    /// Time in which recording was off.
    pub unrecorded_ns: i64,
    /// How long other ranks waited for it, as far as it is known; nothing of statistics that tell it
    /// of no rank.
    pub causing_ns: Option<i64>,
    /// How much of the critical path it is on; nothing of statistics.
    pub path_ns: Option<i64>,
    /// How long it was ready to run and had no processor, from MPI_Init to MPI_Finalize; nothing
    /// where that is not told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run_delay_ns: Option<i64>,
}

/// Waiting of one rank for another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// The rank that waited.
    pub rank: u32,
    /// The rank that it waited for.
    pub waited_for: u32,
    /// How often.
    pub times: u64,
    /// How long, together.
    pub waiting_ns: i64,
    /// What clocks leave open of that; nothing of statistics.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resolution: Option<Resolution>,
}

impl Facts {
    /// Returns facts of a trace as they were found, of those that were kept.
    pub fn kept(mut self) -> Facts {
        let by_itself = !input::run_of(&self.path).join(run_info::FILE).is_file();
        self.end = self.end.map(|end| end.kept(by_itself));
        // Fractions are written with fewer digits than they have.
        self.complete();
        self
    }

    /// Completes what follows from the other facts, and puts rows in the order
    /// in which they are told.
    pub fn complete(&mut self) {
        let outside = |rank: &Rank| {
            let parts = [rank.mpi_ns, rank.threads_ns, rank.unrecorded_ns];
            let elsewhere = parts.into_iter().fold(0, i64::saturating_add);
            rank.time_ns.saturating_sub(elsewhere).max(0) as u64
        };
        let times: Vec<u64> = self.by_rank.iter().map(outside).collect();
        let ranks: Vec<u32> = self.by_rank.iter().map(|rank| rank.rank).collect();
        let spread = Spread::of(&times, &ranks);
        self.work = Balance {
            mean_ns: spread.mean,
            max_ns: spread.max,
            max_rank: spread.max_rank,
            imbalance: spread.imbalance(),
        };
        if let Some(verdict) = &mut self.verdict {
            verdict.complete();
        }
        self.sort();
    }

    fn sort(&mut self) {
        self.wait_states.sort_by_key(|row| -row.waiting_ns);
        self.pairs.sort_by_key(|row| -row.waiting_ns);
        for statement in &mut self.statements {
            statement.waits.sort_by_key(|waits| -waits.waiting_ns);
            for waits in &mut statement.waits {
                waits.ranks.sort_by_key(|share| -share.waiting_ns);
                waits.waited_for.sort_by_key(|share| -share.waiting_ns);
            }
        }
        let most = |row: &Statement| (-row.waiting_ns.unwrap_or(0), -row.time_ns);
        self.statements
            .sort_by(|a, b| most(a).cmp(&most(b)).then(a.place.cmp(&b.place)));
        if let Some(path) = &mut self.critical_path {
            path.parts.sort_by_key(|part| -part.path_ns);
        }
    }

    /// Returns the statement that waits longest in one way, with how it waits.
    pub fn worst(&self) -> Option<(&Statement, &Waits)> {
        let all = self.statements.iter();
        let pairs = all.flat_map(|statement| statement.waits.iter().map(move |it| (statement, it)));
        // Of equal ones the first.
        pairs
            .rev()
            .max_by_key(|(_, waits)| waits.waiting_ns)
            .filter(|(_, it)| it.waiting_ns > 0)
    }
}

/// Returns what a kind of waiting is called where it is not known: several
/// messages at once, say.
pub fn name(kind: Option<Kind>) -> &'static str {
    kind.map_or("not known which", Kind::name)
}
