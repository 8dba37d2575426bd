//! What the agent is told: the `MPISCOPE_*` variables of the observed program.
//!
//! `trace` leaves its part in the run's `run.json`, and `exec` reads it there.
//! Launchers differ in which variables they carry to other hosts; the path of
//! the run on the command line reaches every process.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use anyhow::{Context, Result};
use mpiscope_run::filter;
use mpiscope_run::kept::Keep;
use mpiscope_run::run_info::{self, RunInfo};
use mpiscope_run::shared_memory::{self, AtWork};
use mpiscope_run::slow::Slow;
use serde::{Deserialize, Serialize};

use crate::cli::{Functions, Openmp, Polls, VirtualClock, Window};
use crate::launch::preflight::Plan;
use crate::recorded_command::{self, Program};

/// The run directory, absolute.
pub const RUN: &str = "MPISCOPE_RUN";
/// Distinguishes this run's buffers in shared memory from those of others.
pub const RUN_ID: &str = "MPISCOPE_RUN_ID";
/// Bytes of buffer reserved for each thread.
pub const BUFFER: &str = "MPISCOPE_BUFFER";
/// `all` or `none` of the functions that the compiler instrumented; else those that are not many
/// and soon over.
pub const FUNCTIONS: &str = "MPISCOPE_FUNCTIONS";
/// `all` where each poll that finds nothing is an event of its own; else those that follow each
/// other are told together.
pub const POLLS: &str = "MPISCOPE_POLLS";
/// When to record: `FROM:UNTIL`, in seconds since MPI_Init.
pub const WINDOW: &str = "MPISCOPE_WINDOW";
/// How many bytes of records a process makes at most.
pub const LIMIT: &str = "MPISCOPE_LIMIT";
/// What is kept of each process at least, the latest: bytes of records, or seconds with an `s`.
pub const KEEP: &str = "MPISCOPE_KEEP";
/// Nanoseconds of a thread's processor time after which it is looked at.
pub const SAMPLE: &str = "MPISCOPE_SAMPLE";
/// With what slow iteration recording ends: `step=3`.
pub const UNTIL_SLOW: &str = "MPISCOPE_UNTIL_SLOW";
/// Counters that are read as calls and regions begin and end: `cycles,instructions`.
pub const COUNTERS: &str = "MPISCOPE_COUNTERS";
/// Which ranks record: `0-3,7`.
pub const RANKS: &str = "MPISCOPE_RANKS";
/// The filter file.
pub const FILTER: &str = "MPISCOPE_FILTER";
/// The groups of MPI's functions that are traced: `p2p,coll`.
pub const ONLY_MPI: &str = "MPISCOPE_ONLY_MPI";
/// `off` if OpenMP is not to be looked at.
pub const OPENMP: &str = "MPISCOPE_OPENMP";
/// Wrong clocks for chosen ranks, for tests and teaching; from the user.
pub const CLOCK_FAULT: &str = "MPISCOPE_CLOCK_FAULT";
/// The user's command line, a JSON array.
pub const COMMAND: &str = "MPISCOPE_COMMAND";
/// The program's file.
pub const PROGRAM: &str = "MPISCOPE_PROGRAM";
/// This command, by which processes that the program spawns are started.
pub const EXEC: &str = "MPISCOPE_EXEC";
/// What a run directory is named after, where the agent has to create it.
pub const NAME: &str = "MPISCOPE_NAME";
/// Why this process cannot be observed: its agent takes part in the set-up
/// and answers no, so that no rank records and none waits.
pub const REFUSE: &str = "MPISCOPE_REFUSE";
/// `off` if no events are to be traced.
pub const TRACE: &str = "MPISCOPE_TRACE";
/// What is done with the order of the run: `off`, `record`, `replay`,
/// `deterministic` or `enforce`.
pub const ORDER: &str = "MPISCOPE_ORDER";
/// The run whose order record leads a replay.
pub const ORDER_RECORD: &str = "MPISCOPE_ORDER_RECORD";
/// `online` if races are looked for while the program runs.
pub const RACES: &str = "MPISCOPE_RACES";
/// Set if a replay records the order again.
pub const ORDER_WRITE: &str = "MPISCOPE_ORDER_WRITE";
/// Seconds without progress on any rank after which a replay is given up.
pub const PATIENCE: &str = "MPISCOPE_PATIENCE";
/// `stop` if a divergence ends a replay.
pub const DIVERGENCE: &str = "MPISCOPE_DIVERGENCE";
/// Of which ranks all that they receive is written down: numbers with commas, or `all`;
/// `hashes` for hashes of it on all ranks.
pub const PAYLOAD: &str = "MPISCOPE_PAYLOAD";
/// The value of [`PAYLOAD`] for hashes.
pub const HASHES: &str = "hashes";
/// The rank that the process is executed as, alone, led by its payload in [`ORDER_RECORD`].
pub const ALONE: &str = "MPISCOPE_ALONE";
/// `on` if statistics are kept.
pub const MONITOR: &str = "MPISCOPE_MONITOR";
/// How many peers of a statement have an entry of their own.
pub const MONITOR_PEERS: &str = "MPISCOPE_MONITOR_PEERS";
/// How many entries a thread has room for.
pub const MONITOR_ENTRIES: &str = "MPISCOPE_MONITOR_ENTRIES";
/// `observe` if the time that partners lost to observation is taken into account, `enforce` if
/// choices are to be made by that time, too.
pub const VIRTUAL_CLOCK: &str = "MPISCOPE_VIRTUAL_CLOCK";
/// Before which call to stop: `RANK:THREAD:CALL:SOCKET`.
pub const STOP_AT: &str = "MPISCOPE_STOP_AT";
/// Set where a debugger starts the program, which may then choose what is received.
pub const DEBUGGED: &str = "MPISCOPE_DEBUGGED";
/// The dynamic loader's own variable (ld.so(8)).
pub const PRELOAD: &str = "LD_PRELOAD";

/// Open MPI's own: a process without a launcher keeps to itself.
const SINGLETON: &str = "OMPI_MCA_ess_singleton_isolated";

/// Variables and their values.
pub type Variables = Vec<(&'static str, OsString)>;

/// What `trace` tells every process of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Launch {
    /// See [`RUN_ID`].
    #[serde(skip)]
    pub run_id: String,
    /// The user's command line.
    #[serde(skip)]
    pub command: Vec<String>,
    /// See [`BUFFER`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<u64>,
    /// See [`CLOCK_FAULT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_fault: Option<String>,
    /// See [`FUNCTIONS`].
    #[serde(default)]
    pub functions: Functions,
    /// See [`POLLS`].
    #[serde(default)]
    pub polls: Polls,
    /// See [`WINDOW`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// See [`LIMIT`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// See [`KEEP`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// See [`UNTIL_SLOW`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_slow: Option<Slow>,
    /// See [`RANKS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<String>,
    /// Whether the run has a filter file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filter: bool,
    /// See [`ONLY_MPI`]; empty if all are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_mpi: Vec<String>,
    /// See [`OPENMP`].
    #[serde(default)]
    pub openmp: Openmp,
    /// See [`SAMPLE`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<u64>,
    /// See [`COUNTERS`]; empty if none are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<String>,
    /// Whether no events are traced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_trace: bool,
    /// What is done with the order.
    #[serde(default)]
    pub order: Order,
    /// See [`STOP_AT`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_at: Option<String>,
    /// Whether races are looked for while the program runs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub online: bool,
    /// See [`PAYLOAD`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
    /// What the programs are, for those who replay them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Program>,
    /// How much is kept of statistics, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monitor: Option<Monitor>,
}

/// How much is kept of statistics.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Monitor {
    /// See [`MONITOR_PEERS`].
    pub peers: Option<u32>,
    /// See [`MONITOR_ENTRIES`].
    pub entries: Option<u32>,
    /// See [`VIRTUAL_CLOCK`].
    #[serde(default)]
    pub virtual_clock: VirtualClock,
}

impl Monitor {
    fn variables(self) -> Variables {
        let mut variables: Variables = vec![(MONITOR, "on".into())];
        let numbers = [(MONITOR_PEERS, self.peers), (MONITOR_ENTRIES, self.entries)];
        let given = numbers.into_iter().filter_map(|(name, n)| Some((name, n?)));
        variables.extend(given.map(|(name, n)| (name, n.to_string().into())));
        match self.virtual_clock {
            VirtualClock::Off => {}
            VirtualClock::Sampled => variables.push((VIRTUAL_CLOCK, "sampled".into())),
            VirtualClock::Observe => variables.push((VIRTUAL_CLOCK, "observe".into())),
            VirtualClock::Enforce => variables.push((VIRTUAL_CLOCK, "enforce".into())),
        }
        variables
    }
}

/// What is done with the order of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Nothing.
    Off,
    /// It is written down.
    #[default]
    Record,
    /// It is that of another run.
    Replay {
        /// The other run, absolute.
        record: PathBuf,
        /// Whether it is written down again.
        write: bool,
        /// See [`PATIENCE`].
        patience: f64,
        /// Whether a divergence ends the run.
        stop: bool,
    },
    /// There are no others: one rank is led by its payload in another run.
    Alone {
        /// Which.
        rank: u32,
        /// The other run, absolute.
        record: PathBuf,
    },
    /// It is made by a rule.
    Deterministic {
        /// Whether it is written down.
        write: bool,
        /// See [`PATIENCE`].
        patience: f64,
    },
    /// It is that of the program without observation.
    Enforce,
}

impl Order {
    fn variables(&self) -> Variables {
        let (record, write, patience, stop) = match self {
            Order::Off => return vec![(ORDER, "off".into())],
            Order::Enforce => return vec![(ORDER, "enforce".into())],
            Order::Record => return vec![(ORDER, "record".into())],
            Order::Alone { rank, record } => {
                return vec![
                    (ALONE, rank.to_string().into()),
                    (ORDER_RECORD, record.into()),
                    // Open MPI would start a daemon for a process without a launcher.
                    (SINGLETON, "1".into()),
                ];
            }
            Order::Deterministic { write, patience } => {
                let mut variables: Variables = vec![
                    (ORDER, "deterministic".into()),
                    (PATIENCE, patience.to_string().into()),
                ];
                variables.extend(write.then(|| (ORDER_WRITE, "1".into())));
                return variables;
            }
            Order::Replay {
                record,
                write,
                patience,
                stop,
            } => (record, write, patience, stop),
        };
        let mut variables: Variables = vec![
            (ORDER, "replay".into()),
            (ORDER_RECORD, record.into()),
            (PATIENCE, patience.to_string().into()),
        ];
        variables.extend(write.then(|| (ORDER_WRITE, "1".into())));
        variables.extend(stop.then(|| (DIVERGENCE, "stop".into())));
        variables
    }
}

/// Field of `run.json` that holds what only a launch needs.
const FIELD: &str = "launch";

/// What lies in a run's directory before any process has recorded.
pub const OF_LAUNCH: [&str; 5] = [run_info::FILE, filter::FILE, "agent", "endings", "notices"];

impl Launch {
    /// Returns whether events are traced in a run whose processes may not have begun; nothing
    /// where its launch is not told any more.
    pub fn is_tracing(info: &RunInfo) -> Option<bool> {
        let launch = info.other.get(FIELD)?;
        Some(launch.get("no_trace") != Some(&true.into()))
    }

    /// Returns what a run was launched with; nothing of one under bare `exec`.
    pub fn of_run(info: &RunInfo) -> Option<Launch> {
        serde_json::from_value(info.other.get(FIELD)?.clone()).ok()
    }

    /// Describes a new run of a command.
    pub fn new(command: &[OsString], buffer: Option<u64>, clock_fault: Option<String>) -> Launch {
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        Launch {
            run_id: unique_id(),
            command: command.iter().map(text).collect(),
            buffer,
            clock_fault,
            ..Launch::default()
        }
    }

    /// The same, with what its programs are.
    pub fn of_plan(words: &[OsString], plan: &Plan) -> Launch {
        Launch {
            programs: recorded_command::programs(words, plan),
            ..Launch::new(words, None, None)
        }
    }

    /// Writes it into the run directory, as the first that is known of the run, which
    /// nobody takes for dead as long as what is returned lives.
    pub fn write(&self, run: &Path) -> Result<AtWork> {
        let mut info = RunInfo {
            run_id: self.run_id.clone(),
            command: self.command.clone(),
            started: Some(now()),
            ..RunInfo::default()
        };
        let launch = serde_json::to_value(self)?;
        info.other.insert(FIELD.to_owned(), launch);
        info.write(run)?;
        Ok(shared_memory::at_work(run))
    }

    /// Reads it from the run directory.
    pub fn read(run: &Path) -> Result<Launch> {
        let info = RunInfo::read(run)?;
        let launch = info.other.get(FIELD).cloned().unwrap_or_default();
        let launch: Option<Launch> = serde_json::from_value(launch).with_context(|| {
            let path = run.join(run_info::FILE);
            format!("cannot read {}: field {FIELD}", path.display())
        })?;
        Ok(Launch {
            run_id: info.run_id,
            command: info.command,
            ..launch.unwrap_or_default()
        })
    }

    /// Returns the variables that say the same.
    pub fn variables(&self, run: &Path) -> Result<Variables> {
        let mut variables: Variables = vec![
            (RUN, run.into()),
            (RUN_ID, self.run_id.clone().into()),
            (COMMAND, serde_json::to_string(&self.command)?.into()),
        ];
        let buffer = self.buffer.map(|bytes| bytes.to_string());
        variables.extend(buffer.map(|bytes| (BUFFER, bytes.into())));
        let functions = match self.functions {
            Functions::All => Some("all"),
            Functions::Long => None,
            Functions::None => Some("none"),
        };
        variables.extend(functions.map(|which| (FUNCTIONS, which.into())));
        let sample = self
            .sample
            .map(|period| (SAMPLE, period.to_string().into()));
        variables.extend(sample);
        let counters = (!self.counters.is_empty()).then(|| self.counters.join(","));
        variables.extend(counters.map(|names| (COUNTERS, names.into())));
        let all_polls = self.polls == Polls::All;
        variables.extend(all_polls.then(|| (POLLS, "all".into())));
        variables.extend(self.window.map(|window| (WINDOW, window.text().into())));
        variables.extend(self.limit.map(|bytes| (LIMIT, bytes.to_string().into())));
        variables.extend(self.keep.map(|keep| (KEEP, keep.text().into())));
        let slow = self.until_slow.as_ref().map(Slow::text);
        variables.extend(slow.map(|slow| (UNTIL_SLOW, slow.into())));
        variables.extend(self.ranks.clone().map(|ranks| (RANKS, ranks.into())));
        let filter = self.filter.then(|| run.join(filter::FILE));
        variables.extend(filter.map(|file| (FILTER, file.into())));
        let only = (!self.only_mpi.is_empty()).then(|| self.only_mpi.join(","));
        variables.extend(only.map(|groups| (ONLY_MPI, groups.into())));
        let no_openmp = self.openmp == Openmp::Off;
        variables.extend(no_openmp.then(|| (OPENMP, "off".into())));
        let stop = self.stop_at.clone();
        variables.extend(stop.map(|stop| (STOP_AT, stop.into())));
        let fault = self.clock_fault.clone();
        variables.extend(fault.map(|fault| (CLOCK_FAULT, fault.into())));
        variables.extend(self.no_trace.then(|| (TRACE, "off".into())));
        variables.extend(self.order.variables());
        variables.extend(self.online.then(|| (RACES, "online".into())));
        let payload = self.payload.clone();
        variables.extend(payload.map(|ranks| (PAYLOAD, ranks.into())));
        variables.extend(self.monitor.into_iter().flat_map(Monitor::variables));
        Ok(variables)
    }
}

/// Returns the value of `LD_PRELOAD` with the agent first, so that its wrappers are met first, and in
/// place of one that an `exec` further out has put there.
pub fn preload(agent: &Path, existing: Option<&OsStr>) -> OsString {
    let mut value = agent.as_os_str().to_owned();
    let words = existing.unwrap_or_default().as_bytes();
    // The loader takes both for ends of names.
    let others = words.split(|byte| [b':', b' '].contains(byte));
    for other in others.filter(|it| !it.is_empty() && !is_agent(it)) {
        value.push(":");
        value.push(OsStr::from_bytes(other));
    }
    value
}

fn is_agent(library: &[u8]) -> bool {
    let name = library.rsplit(|byte| *byte == b'/').next();
    name.is_some_and(|name| name.starts_with(b"libmpiscope_agent"))
}

/// Returns hexadecimal digits that no other run on this host has: time and process.
pub fn unique_id() -> String {
    format!("{:x}{:06x}", now(), std::process::id())
}

/// Returns nanoseconds since 1970.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap_or_default().as_nanos() as u64
}

/// Returns a word for a file's name that no other process of any host uses.
pub fn unique() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{count}", host(), std::process::id())
}

/// Returns this host's name.
pub fn host() -> String {
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    name.replace(['/', '.'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_trace_writes_exec_reads() {
        let run = tempfile::tempdir().unwrap();
        let fault = Some("1:offset=1ms".to_owned());
        let launch = Launch::new(&["mpirun".into(), "./heat".into()], Some(4096), fault);
        let _at_work = launch.write(run.path()).unwrap();
        assert_eq!(Launch::read(run.path()).unwrap(), launch);
        let variables = launch.variables(run.path()).unwrap();
        assert!(variables.contains(&(COMMAND, r#"["mpirun","./heat"]"#.into())));
        assert!(variables.contains(&(BUFFER, "4096".into())));
        assert!(variables.contains(&(CLOCK_FAULT, "1:offset=1ms".into())));
    }

    #[test]
    fn a_preload_of_the_users_stays_behind_ours() {
        let check = |existing: Option<&str>, expected: &str| {
            let value = preload(Path::new("/a.so"), existing.map(OsStr::new));
            assert_eq!(value, expected);
        };
        check(None, "/a.so");
        check(Some(""), "/a.so");
        check(Some("/b.so /c.so"), "/a.so:/b.so:/c.so");
        let ours = "/run/agent/libmpiscope_agent-3f.so";
        check(Some(&format!("{ours}:/b.so")), "/a.so:/b.so");
        check(Some(ours), "/a.so");
    }
}
