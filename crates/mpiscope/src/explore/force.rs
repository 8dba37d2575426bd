//! One run of the command under a record, watched and ended in time.
//!
//! The agent ends a run in which nothing happens any more; here is what ends
//! one that runs on and on, with all its processes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};
use mpiscope_run::order::outcome::{self, RankOutcome};
use mpiscope_run::order::{self as records, Record};
use mpiscope_run::{payload, shared_memory};
use rustix::process::{kill_process, kill_process_group, Pid, Signal};

use super::compare::{Left, ReceivePlace, Received};
use super::files::Files;
use crate::launch::agent;
use crate::launch::command;
use crate::launch::environment::{Launch, Order, HASHES, RUN_ID};
use crate::launch::preflight::Plan;
use crate::{notices, order, record, signals, symbols};

/// What all runs have in common.
pub struct Forcing {
    /// The command.
    pub words: Vec<OsString>,
    /// How it is observed.
    pub plan: Plan,
    /// The agent.
    pub agent: PathBuf,
    /// Seconds without any progress after which the agent gives up.
    pub patience: f64,
    /// Files to compare.
    pub files: Files,
    /// Set by a signal.
    pub interrupted: Arc<AtomicBool>,
}

/// How a run went.
#[derive(Debug)]
pub struct Forced {
    /// What it left.
    pub left: Left,
    /// What its ranks say of the record.
    pub ranks: Vec<RankOutcome>,
    /// Its own order, as far as it was recorded.
    pub record: Option<Record>,
    /// It was ended from outside.
    pub overdue: bool,
    /// How long it took.
    pub seconds: f64,
}

/// How often to look whether a run has ended.
const TICK: Duration = Duration::from_millis(10);
/// What a launcher gets to end its ranks.
const GRACE: Duration = Duration::from_secs(5);

impl Forcing {
    /// Runs the command led by the record in `source`, into the directory
    /// `run`, which is made; it then holds the order of this run.
    pub fn run(&self, source: &Path, run: &Path, limit: Option<Duration>) -> Result<Forced> {
        if run.exists() {
            fs::remove_dir_all(run).with_context(|| format!("cannot remove {}", run.display()))?;
        }
        fs::create_dir_all(run).with_context(|| format!("cannot create {}", run.display()))?;
        let launch = Launch {
            no_trace: true,
            order: Order::Replay {
                record: source.to_owned(),
                write: true,
                patience: self.patience,
                stop: false,
            },
            payload: Some(HASHES.to_owned()),
            ..Launch::new(&self.words, None, None)
        };
        let _at_work = launch.write(run)?;
        let (out, errors) = (run.join("stdout"), run.join("stderr"));
        let mut command = command(&self.words, &self.plan, &self.agent, run, &launch, None)?;
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(&errors)?)
            .process_group(0);
        let before = self.files.stamps();
        let begun = Instant::now();
        let (status, overdue) = self.watch(&mut command, limit, &launch.run_id)?;
        let seconds = begun.elapsed().as_secs_f64();
        let _ = fs::remove_dir_all(run.join(agent::FOLDER));
        let record = self.collected(run, &launch);
        if record.is_none() {
            notices::tell(run);
        }
        let out = fs::read(&out).with_context(|| format!("cannot read {}", out.display()))?;
        Ok(Forced {
            left: Left {
                code: signals::exit_code(status),
                out: String::from_utf8_lossy(&out).into_owned(),
                files: self.files.hashes(&before)?,
                received: received(run),
            },
            ranks: outcome::read_ranks(run),
            record,
            overdue,
            seconds,
        })
    }

    /// Waits for the end; returns whether it had to be brought about.
    fn watch(
        &self,
        command: &mut Command,
        limit: Option<Duration>,
        run_id: &str,
    ) -> Result<(ExitStatus, bool)> {
        let begun = Instant::now();
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot run {program}"))?;
        loop {
            let status = child
                .try_wait()
                .with_context(|| format!("cannot wait for {program}"))?;
            if let Some(status) = status {
                return Ok((status, false));
            }
            let interrupted = self.interrupted.load(Ordering::Relaxed);
            if interrupted || limit.is_some_and(|limit| begun.elapsed() > limit) {
                let status = end(&mut child, run_id)?;
                if interrupted {
                    bail!("interrupted; what was found is kept, the same line goes on from here");
                }
                return Ok((status, true));
            }
            std::thread::sleep(TICK);
        }
    }

    fn collected(&self, run: &Path, launch: &Launch) -> Option<Record> {
        let _ = order::patiently(run, &launch.run_id);
        // What is not there is not compared.
        let _ = payload::collect(run, &launch.run_id);
        shared_memory::remove(&shared_memory::folder(&launch.run_id));
        mpiscope_run::directory::end_recording(run);
        let record = records::read(run).ok()?;
        record::describe(run, &record).ok()?;
        Some(record)
    }
}

/// Reads what the ranks of a run received, and removes the record of it.
///
/// Places are lines where these are known: a compiler makes several calls of one
/// line, and each of them would show in which order messages came.
fn received(run: &Path) -> Vec<Received> {
    let mut all: BTreeMap<ReceivePlace, (u64, u64)> = BTreeMap::new();
    for rank in payload::ranks(run) {
        for ((function, site), found) in payload::received(run, rank).unwrap_or_default() {
            let at = match site.is_empty() {
                true => String::new(),
                false => symbols::line_of(&site),
            };
            let place = ReceivePlace { rank, function, at };
            let (first, data) = all.entry(place).or_insert((found.first, 0));
            *first = found.first.min(*first);
            *data = found.data.wrapping_add(*data);
        }
    }
    payload::remove(run);
    let all = all.into_iter();
    all.map(|(place, (first, data))| Received { place, first, data })
        .collect()
}

/// Ends a job: the launcher is asked to, then all that is left is killed.
fn end(child: &mut Child, run_id: &str) -> Result<ExitStatus> {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let signal = |signal| {
        if let Some(group) = group {
            // Fails only if all have ended, which is wanted.
            let _ = kill_process_group(group, signal);
        }
    };
    signal(Signal::TERM);
    let begun = Instant::now();
    let mut status = child.try_wait()?;
    while status.is_none() && begun.elapsed() < GRACE {
        std::thread::sleep(TICK);
        status = child.try_wait()?;
    }
    signal(Signal::KILL);
    kill_ranks(run_id);
    match status {
        Some(status) => Ok(status),
        None => Ok(child.wait()?),
    }
}

/// Kills the processes of a run on this host that have left the launcher's group.
fn kill_ranks(run_id: &str) {
    let wanted = format!("{RUN_ID}={run_id}");
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for number in numbers {
        let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
        let is_rank = environment
            .split(|&byte| byte == 0)
            .any(|variable| variable == wanted.as_bytes());
        if let Some(pid) = Pid::from_raw(number).filter(|_| is_rank) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
