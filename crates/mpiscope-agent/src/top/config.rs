//! What rank 0 decides for all ranks, from its environment.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mpi_abi::{Code, Mpi, OwnComm};
use mpiscope_hash::stable;
use mpiscope_run::buffer::RESERVE;
use mpiscope_run::kept::Keep;
use mpiscope_run::run_info::{RunInfo, State as RunState};
use mpiscope_run::slow::Slow;
use mpiscope_run::{counters, directory, fault, spawned};
use serde::{Deserialize, Serialize};

use super::control::Limits;
use super::left_out;
use crate::base::{clock, notice, variable};
use crate::facts::filter;
use crate::order::settings::Mode;
use crate::trace::keep;
use crate::{count, order, payload};

/// What rank 0 decides for all ranks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// The run directory, absolute.
    pub run: PathBuf,
    /// Names the run's buffers.
    pub run_id: String,
    /// Bytes of the record window of each thread.
    pub buffer: usize,
    /// `MPISCOPE_CLOCK_FAULT`.
    pub faults: String,
    /// Seconds between measurements of clock offsets, if given; 0 means at both ends only.
    pub offset_interval: Option<f64>,
    /// Whether events are traced.
    pub trace: bool,
    /// Nanoseconds of a thread's processor time after which it is looked at, if it is to be.
    #[serde(default)]
    pub sample: Option<u64>,
    /// Counters that are read as calls and regions begin and end.
    #[serde(default)]
    pub counters: Vec<String>,
    /// When events are traced, and how many.
    #[serde(default)]
    pub limits: Limits,
    /// How much of it is kept, if not all is.
    #[serde(default)]
    pub keep: Option<Keep>,
    /// With what recording ends, if it is to.
    #[serde(default)]
    pub slow: Option<Slow>,
    /// What is not traced.
    #[serde(default)]
    pub filter: filter::Settings,
    /// What is done with the order.
    pub order: order::Settings,
    /// What is done with what ranks receive.
    #[serde(default)]
    pub payload: payload::Settings,
    /// Whether statistics are kept, and how many.
    #[serde(default)]
    pub monitor: Option<count::Settings>,
    /// The command as typed.
    pub command: Vec<String>,
    /// When the run began, nanoseconds since 1970.
    pub started: u64,
}

impl Config {
    /// Returns whether the run is being made: a replay without a trace leaves its record as it is.
    pub fn writes(&self) -> bool {
        self.trace || self.monitor.is_some() || self.order.writes
    }
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// Keeps what was decided.
pub fn keep(config: Config) -> &'static Config {
    CONFIG.get_or_init(|| config)
}

/// Returns what was decided, in a process that is observed.
pub fn get() -> Option<&'static Config> {
    CONFIG.get()
}

/// Rank 0 reads the environment, makes the run directory if `mpiscope trace`
/// did not, and tells the others; nothing if it could not.
pub fn agree(own: OwnComm, mpi: &Mpi) -> Result<Option<Config>, Code> {
    let mut text = Vec::new();
    if own.rank() == 0 {
        // SAFETY: MPI is initialized.
        let is_spawned = unsafe { mpi.is_spawned() };
        let unknown = |Code(code)| format!("MPI returned error {code} when asked who spawned it");
        let config = is_spawned
            .map_err(unknown)
            .and_then(config_from_environment);
        let told = config.and_then(|it| serde_json::to_vec(&it).map_err(|e| e.to_string()));
        match told {
            Ok(told) => text = told,
            Err(message) => notice::tell(&format!("nothing is recorded: {message}")),
        }
    }
    let mut length = (text.len() as u64).to_le_bytes();
    own.bcast(0, &mut length)?;
    text.resize(u64::from_le_bytes(length) as usize, 0);
    own.bcast(0, &mut text)?;
    Ok(serde_json::from_slice(&text).ok())
}

/// Reads the environment for this process alone, which is one of so many.
pub fn of_process(rank: u32, size: u32) -> Result<Config, String> {
    let mut config = read_environment()?;
    if size > 1 && variable::run("MPISCOPE_RUN")?.is_none() {
        return Err("its processes have sessions and do not call MPI_Init, so they cannot agree on a run: start the program by `mpiscope trace`".into());
    }
    if config.payload.is_wanted() {
        return Err("what processes receive is kept only of programs that call MPI_Init".into());
    }
    take_run(&mut config)?;
    claim_rank(&config.run, rank, size)?;
    Ok(config)
}

fn config_from_environment(is_spawned: bool) -> Result<Config, String> {
    let mut config = read_environment()?;
    match variable::run("MPISCOPE_RUN")? {
        Some(from) if is_spawned => beside(&from, &mut config)?,
        _ => take_run(&mut config)?,
    }
    claim(&config.run)?;
    Ok(config)
}

/// A world that the program spawned is recorded into a run of its own.
fn beside(from: &Path, config: &mut Config) -> Result<(), String> {
    if config.order.mode.leads() || config.payload.is_wanted() {
        return Err("processes that a program spawns are traced, recorded and monitored as a run of their own, and not led".into());
    }
    config.command = own_command();
    config.run = spawned::create(from).map_err(|error| error.to_string())?;
    // The name tells it from other worlds, the time from those of runs that were moved away.
    let unique = stable(&(config.run.as_os_str().as_encoded_bytes(), config.started));
    config.run_id = format!("{}-{unique:x}", config.run_id);
    let launch = RunInfo::read(from).unwrap_or_default().other;
    describe(
        config,
        RunInfo {
            other: launch,
            ..RunInfo::default()
        },
    )
}

/// The run that the command made, or a new one.
fn take_run(config: &mut Config) -> Result<(), String> {
    match variable::run("MPISCOPE_RUN")? {
        Some(run) => config.run = run,
        None => begin_run(config)?,
    }
    Ok(())
}

/// What the environment says, without a run.
fn read_environment() -> Result<Config, String> {
    let faults = variable::text("MPISCOPE_CLOCK_FAULT").unwrap_or_default();
    fault::parse(&faults).map_err(|e| format!("MPISCOPE_CLOCK_FAULT: {e}"))?;
    let triple = clock::triple();
    let keep = variable::text("MPISCOPE_KEEP").map(|text| Keep::read(&text));
    let keep = keep.transpose()?;
    let mut config = Config {
        run: PathBuf::new(),
        run_id: variable::text("MPISCOPE_RUN_ID")
            .unwrap_or_else(|| format!("{:x}-{:x}", triple.realtime, std::process::id())),
        buffer: read_size(variable::text("MPISCOPE_BUFFER"), keep)?,
        faults,
        offset_interval: variable::text("MPISCOPE_OFFSET_INTERVAL")
            .map(read_interval)
            .transpose()?,
        trace: variable::text("MPISCOPE_TRACE").as_deref() != Some("off"),
        sample: variable::text("MPISCOPE_SAMPLE")
            .map(read_period)
            .transpose()?,
        counters: variable::text("MPISCOPE_COUNTERS")
            .map(read_counters)
            .transpose()?
            .unwrap_or_default(),
        limits: Limits::from_environment()?,
        keep,
        slow: variable::text("MPISCOPE_UNTIL_SLOW")
            .map(read_slow)
            .transpose()?,
        filter: left_out::from_environment()?,
        order: order::Settings::from_environment()?,
        payload: payload::Settings::from_environment()?,
        monitor: count::Settings::from_environment()?,
        command: variable::text("MPISCOPE_COMMAND")
            .and_then(|v| serde_json::from_str(&v).ok())
            .unwrap_or_else(own_command),
        started: triple.realtime,
    };
    if config.keep.is_some() && config.order.mode == Mode::Record {
        // What is to stay bounded cannot have a choice for each receive.
        config.order.mode = Mode::Off;
    }
    if config.payload.alone.is_some() {
        // The order is in the payload, and a record of it is there already.
        (config.trace, config.order.writes) = (false, false);
    }
    Ok(config)
}

fn own_command() -> Vec<String> {
    let words = std::env::args_os();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

fn read_size(text: Option<String>, keep: Option<Keep>) -> Result<usize, String> {
    let usual = keep.and_then(keep::window).unwrap_or(RESERVE);
    text.map_or(Ok(usual), |text| {
        text.parse()
            .map_err(|_| format!("MPISCOPE_BUFFER={text}: a number of bytes is expected"))
    })
}

fn read_period(text: String) -> Result<u64, String> {
    let nanoseconds = text.parse().ok().filter(|&it| it > 0);
    nanoseconds
        .ok_or_else(|| format!("MPISCOPE_SAMPLE={text}: a number of nanoseconds is expected"))
}

fn read_slow(text: String) -> Result<Slow, String> {
    Slow::read(&text).map_err(|why| format!("MPISCOPE_UNTIL_SLOW={text}: {why}"))
}

fn read_counters(text: String) -> Result<Vec<String>, String> {
    counters::read(&text).map_err(|why| format!("MPISCOPE_COUNTERS={text}: {why}"))
}

fn read_interval(text: String) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.0..1e9).contains(s));
    seconds
        .ok_or_else(|| format!("MPISCOPE_OFFSET_INTERVAL={text}: a number of seconds is expected"))
}

const ONE: &str = "a run holds one program, trace each by itself";

/// A run holds one MPI program: not a second one that a script starts after
/// it or beside it, nor processes that the first one spawns.
fn claim(run: &Path) -> Result<(), String> {
    is_new(run)?;
    if directory::recording_ranks(run).exists() {
        return Err(taken(run));
    }
    create_claim(run, &directory::recording(run))
}

/// The same of one rank of so many, whose fellows may never come.
fn claim_rank(run: &Path, rank: u32, size: u32) -> Result<(), String> {
    is_new(run)?;
    if directory::recording(run).exists() {
        return Err(taken(run));
    }
    let folder = directory::recording_ranks(run);
    std::fs::create_dir_all(&folder).map_err(|error| cannot(run, error))?;
    // A link is made with what it says in one step.
    let size = size.to_string();
    let told = folder.join("size");
    if symlink(&size, &told).is_err() && std::fs::read_link(&told).ok() != Some(size.into()) {
        return Err(taken(run));
    }
    create_claim(run, &folder.join(rank.to_string()))
}

fn is_new(run: &Path) -> Result<(), String> {
    match directory::anchor(run).exists() {
        true => Err(format!(
            "{} is the trace of an MPI program already; {ONE}",
            run.display()
        )),
        false => Ok(()),
    }
}

fn create_claim(run: &Path, path: &Path) -> Result<(), String> {
    let claimed = std::fs::File::create_new(path);
    claimed.map(drop).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => taken(run),
        _ => cannot(run, error),
    })
}

fn taken(run: &Path) -> String {
    format!(
        "another MPI program is being traced into {}; {ONE}",
        run.display()
    )
}

fn cannot(run: &Path, error: std::io::Error) -> String {
    format!("{} cannot be written: {error}", run.display())
}

/// Under bare `mpiscope exec` nobody has made the run directory yet.
fn begin_run(config: &mut Config) -> Result<(), String> {
    let here = std::env::current_dir().map_err(|e| format!("no current directory: {e}"))?;
    let program = variable::text("MPISCOPE_NAME").unwrap_or_else(|| {
        let program = std::env::current_exe().unwrap_or_default();
        program.to_string_lossy().into_owned()
    });
    directory::refuse_unnamable(&here)?;
    let run = directory::create(&here, &program).map_err(|e| e.to_string())?;
    config.run = run;
    describe(config, RunInfo::default())
}

/// Says in the new run what it is to be.
fn describe(config: &Config, info: RunInfo) -> Result<(), String> {
    let info = RunInfo {
        state: RunState::Running,
        run_id: config.run_id.clone(),
        agent_version: env!("CARGO_PKG_VERSION").into(),
        command: config.command.clone(),
        started: Some(config.started),
        ..info
    };
    info.write(&config.run).map_err(|error| error.to_string())
}
