//! `mpiscope record -- COMMAND`: the order record alone.

use std::path::Path;

use anyhow::{ensure, Result};
use mpiscope_run::order as records;
use mpiscope_run::run_info::{RunInfo, State};
use mpiscope_run::{directory, payload};

use crate::cli::{RacesWhen, Record};
use crate::debug::RankSelection;
use crate::exit::CANNOT;
use crate::input::Damaged;
use crate::launch::environment::{Launch, HASHES};
use crate::launch::preflight::Plan;
use crate::launch::{self, observe};
use crate::launch::{agent, preflight, unobserved};
use crate::report::show;
use crate::rundir::{self, shown};
use crate::{alone, end_of_run, finish, order, recorded_command, say, signals, spawned};

/// Runs the command and records its order; returns its exit code.
pub fn run(arguments: &Record) -> Result<u8> {
    let words = &arguments.command;
    let plan = preflight::plan(words)?;
    let agent = agent::find()?;
    let run = rundir::create(arguments.output.as_deref(), &plan.name, arguments.force)?;
    let launch = Launch {
        no_trace: true,
        online: arguments.races == RacesWhen::Online,
        payload: payload(arguments)?,
        ..Launch::of_plan(words, &plan)
    };
    let _at_work = launch.write(&run)?;
    say::aside(format!(
        "mpiscope: recording the order into {}",
        shown(&run)
    ));
    let status = observe(words, &plan, &agent, &run, &launch, None)?;
    let own = signals::exit_code(status);
    order::keep_exit_code(&run, own);
    let system = recorded_command::asks_the_system(words, &plan);
    let ours = spawned::conclude_each(&run, &launch, |run, launch| {
        conclude(arguments, run, launch, &plan, &system)
    });
    Ok(if own == 0 { ours } else { own })
}

/// Returns which ranks' payload is to be recorded, as the agent is told.
fn payload(arguments: &Record) -> Result<Option<String>> {
    let is_wanted = arguments.payload.is_some() || arguments.payload_hashes;
    ensure!(
        arguments.races == RacesWhen::Offline || !is_wanted,
        "--payload and --races online exclude each other: what a rank receives would be recorded \
         with the time stamps among it"
    );
    let Some(selection) = &arguments.payload else {
        return Ok(arguments.payload_hashes.then(|| HASHES.to_owned()));
    };
    Ok(Some(match selection {
        RankSelection::All => "all".into(),
        RankSelection::One(rank) => rank.to_string(),
        RankSelection::Some(ranks) => {
            let ranks: Vec<String> = ranks.iter().map(u32::to_string).collect();
            ranks.join(",")
        }
    }))
}

fn conclude(
    arguments: &Record,
    run: &Path,
    launch: &Launch,
    plan: &Plan,
    system: &[String],
) -> Result<u8> {
    order::tell_collected(run, &launch.run_id);
    // Whoever died has ended by now: its order was waited for.
    let dead = payload::collect(run, &launch.run_id);
    directory::end_recording(run);
    if !records::exists(run) {
        say::aside(launch::nothing(run, None));
        finish::remove_empty(run, &launch.run_id)?;
        return Ok(CANNOT);
    }
    let record = records::read(run).map_err(|error| Damaged(error.to_string()))?;
    describe(run, &record)?;
    unobserved::keep(run, &plan.unobserved)?;
    say::aside(format!("mpiscope: {}", order::sentence(&record)));
    order::tell_races(run)?;
    let missing = record.missing();
    if !missing.is_empty() {
        let missing = show::ranges(&missing);
        say::aside(format!("note: of rank {missing} nothing was recorded"));
    }
    for sentence in end_of_run::last_words(run) {
        say::aside(format!("mpiscope: {sentence}"));
    }
    for sentence in order::unrecorded(&record, system) {
        say::aside(format!("note: not recorded: {sentence}"));
    }
    if let Some(what) = RunInfo::read(run)?.may_lack() {
        say::aside(format!("warning: {what}"));
    }
    if let Some(selection) = &arguments.payload {
        alone::tell_recorded(run, selection, &dead?)?;
    }
    say::aside(format!(
        "mpiscope: next: mpiscope replay {} -- COMMAND",
        shown(run)
    ));
    Ok(0)
}

/// Completes `run.json`, which no rank does where nothing is traced.
pub fn describe(run: &Path, record: &records::Record) -> Result<()> {
    let mut info = RunInfo::read(run)?;
    let finished = record.ranks.iter().all(|rank| rank.finished);
    info.state = match finished {
        true => State::Finished,
        false => State::Recovered,
    };
    info.world_size = record.origin.world_size;
    info.mpi.clone_from(&record.origin.mpi);
    info.agent_version.clone_from(&record.origin.agent_version);
    info.missing = record.missing();
    let program = record.ranks.first().map(|rank| rank.program.clone());
    info.program = program.unwrap_or_default();
    Ok(info.write(run)?)
}
