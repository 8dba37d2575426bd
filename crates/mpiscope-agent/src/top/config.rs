//! What rank 0 decides for all ranks, from its environment.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mpi_abi::{Code, OwnComm};
use mpiscope_run::buffer::RESERVE;
use mpiscope_run::kept::Keep;
use mpiscope_run::run_info::{RunInfo, State as RunState};
use mpiscope_run::slow::Slow;
use mpiscope_run::{counters, directory, fault};
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
pub fn agree(own: OwnComm) -> Result<Option<Config>, Code> {
    let mut text = Vec::new();
    if own.rank() == 0 {
        let config = config_from_environment();
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

fn config_from_environment() -> Result<Config, String> {
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
            .unwrap_or_else(|| {
                let words = std::env::args_os();
                words
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect()
            }),
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
    config.run = match variable::run("MPISCOPE_RUN")? {
        Some(run) => run,
        None => new_run(&config)?,
    };
    claim(&config.run)?;
    Ok(config)
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

/// A run holds one MPI program: not a second one that a script starts after
/// it or beside it, nor processes that the first one spawns.
fn claim(run: &Path) -> Result<(), String> {
    const ONE: &str = "a run holds one program, trace each by itself";
    if directory::anchor(run).exists() {
        return Err(format!(
            "{} is the trace of an MPI program already; {ONE}",
            run.display()
        ));
    }
    let claimed = std::fs::File::create_new(directory::recording(run));
    claimed.map(drop).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!(
                "another MPI program is being traced into {}; {ONE}",
                run.display()
            )
        }
        _ => format!("{} cannot be written: {error}", run.display()),
    })
}

/// Under bare `mpiscope exec` nobody has made the run directory yet.
fn new_run(config: &Config) -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|e| format!("no current directory: {e}"))?;
    let program = variable::text("MPISCOPE_NAME").unwrap_or_else(|| {
        let program = std::env::current_exe().unwrap_or_default();
        program.to_string_lossy().into_owned()
    });
    directory::refuse_unnamable(&here)?;
    let run = directory::create(&here, &program).map_err(|e| e.to_string())?;
    let info = RunInfo {
        state: RunState::Running,
        run_id: config.run_id.clone(),
        agent_version: env!("CARGO_PKG_VERSION").into(),
        command: config.command.clone(),
        started: Some(config.started),
        ..RunInfo::default()
    };
    info.write(&run).map_err(|e| e.to_string())?;
    Ok(run)
}
