//! `mpiscope monitor -- COMMAND`: statistics in place of a trace.

use std::fs;
use std::path::Path;

use anyhow::Result;
use mpiscope_run::run_info::{RunInfo, State};
use mpiscope_run::{directory, statistics};

use crate::cli::{Monitor, VirtualClock};
use crate::exit::CANNOT;
use crate::launch::environment::{self, Launch, Order};
use crate::launch::preflight::Plan;
use crate::launch::{self, observe};
use crate::launch::{agent, preflight, unobserved};
use crate::report::show;
use crate::rundir::{self, shown};
use crate::{end_of_run, finish, living, order, say, signals, spawned};

/// Runs the command and keeps its statistics; returns its exit code.
pub fn run(arguments: &Monitor) -> Result<u8> {
    let words = &arguments.command;
    let plan = preflight::plan(words)?;
    let agent = agent::find()?;
    let run = rundir::create(arguments.output.as_deref(), &plan.name, arguments.force)?;
    let launch = Launch {
        no_trace: true,
        order: match arguments.virtual_clock {
            VirtualClock::Enforce => Order::Enforce,
            _ => Order::Off,
        },
        monitor: Some(environment::Monitor {
            peers: arguments.peers,
            entries: arguments.entries,
            virtual_clock: arguments.virtual_clock,
        }),
        ..Launch::new(words, None, None)
    };
    let _at_work = launch.write(&run)?;
    say::aside(format!("mpiscope: keeping statistics in {}", shown(&run)));
    let status = observe(words, &plan, &agent, &run, &launch, None)?;
    let own = signals::exit_code(status);
    let ours = spawned::conclude_each(&run, &launch, |run, launch| conclude(run, launch, &plan));
    Ok(if own == 0 { ours } else { own })
}

/// Takes what killed processes have left into the run.
pub fn collect(run: &Path, run_id: &str) {
    let (kept, errors) = statistics::collect(run, run_id);
    for error in errors {
        say::aside(format!("note: {error}"));
    }
    if kept > 0 {
        let ranks = show::counted(kept, "rank");
        say::aside(format!(
            "note: the statistics of {ranks} end without MPI_Finalize"
        ));
    }
}

fn conclude(run: &Path, launch: &Launch, plan: &Plan) -> Result<u8> {
    living::wait_for_writers(run, &launch.run_id);
    collect(run, &launch.run_id);
    directory::end_recording(run);
    if !statistics::exists(run) {
        say::aside(launch::nothing(run, None));
        finish::remove_empty(run, &launch.run_id)?;
        return Ok(CANNOT);
    }
    let found = statistics::read_run(run, "");
    for error in &found.errors {
        say::aside(format!("note: {error}"));
    }
    describe(run, &found)?;
    unobserved::keep(run, &plan.unobserved)?;
    for sentence in end_of_run::last_words(run) {
        say::aside(format!("mpiscope: {sentence}"));
    }
    if let Some(choices) = choices(&found) {
        say::aside(format!("mpiscope: {choices}"));
    }
    for kind in uncovered(&found) {
        say::aside(format!("note: as MPI decides, observed or not: {kind}"));
    }
    finish::tell_not_kept(run)?;
    say::aside(format!("mpiscope: {}", sentence(run, &found)));
    say::aside(format!("mpiscope: next: mpiscope stats {}", shown(run)));
    Ok(0)
}

/// Says how choices were made, if those of the unobserved program were to be kept.
fn choices(found: &statistics::Run) -> Option<String> {
    let all = || (found.processes.iter()).filter_map(|process| process.choices.as_ref());
    all().next()?;
    let made: u64 = all().map(|choices| choices.made).sum();
    let left: u64 = all().map(|choices| choices.left).sum();
    let made = show::counted(made, "choice");
    Some(match left {
        0 => format!("{made} made as without observation"),
        left => format!("{made} made as without observation, {left} left to MPI"),
    })
}

/// What no rule of ours decides in a program whose choices were to be kept.
fn uncovered(found: &statistics::Run) -> Vec<String> {
    let choices = (found.processes.iter()).filter_map(|process| process.choices.as_ref());
    let all: Vec<_> = choices.flat_map(|choices| &choices.uncovered).collect();
    order::by_kind(&all)
}

/// Completes `run.json`, which no rank does where nothing is traced.
fn describe(run: &Path, found: &statistics::Run) -> Result<()> {
    let mut info = RunInfo::read(run)?;
    let finished =
        (found.processes.iter()).all(|process| process.threads.iter().all(|t| t.finished));
    info.state = match finished {
        true => State::Finished,
        false => State::Recovered,
    };
    if let Some(first) = found.processes.first() {
        info.world_size = first.identity.world_size;
        info.mpi.clone_from(&first.identity.mpi);
        info.program.clone_from(&first.identity.program);
    }
    info.agent_version = mpiscope_run::VERSION.into();
    let there = |rank: &u32| found.processes.iter().any(|p| p.identity.rank == *rank);
    let refused = found.processes.iter().map(|p| u64::from(p.threads_refused));
    info.threads_lost = refused.sum();
    info.missing = (0..info.world_size).filter(|rank| !there(rank)).collect();
    Ok(info.write(run)?)
}

/// Says in one sentence what there is.
fn sentence(run: &Path, found: &statistics::Run) -> String {
    let threads = found.processes.iter().flat_map(|process| &process.threads);
    let calls: u64 = threads.map(|thread| thread.now.calls).sum();
    let bytes: u64 = (found.processes.iter())
        .map(|process| statistics::path(run, process.identity.rank))
        .map(|path| fs::metadata(path).map_or(0, |data| data.len()))
        .sum();
    format!(
        "{} of {} in {bytes} bytes",
        show::counted(calls, "MPI call"),
        show::counted(found.processes.len() as u64, "rank")
    )
}
