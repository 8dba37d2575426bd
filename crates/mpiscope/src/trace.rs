//! `mpiscope trace -- COMMAND`: a command, observed from launch to report.

use std::path::Path;
use std::process::ExitStatus;

use anyhow::Result;
use mpiscope_run::buffer::{HELP_EVERY, RECORD};
use mpiscope_run::control::RankChoice;
use mpiscope_run::run_info::RunInfo;

use crate::cli::{RacesWhen, Trace};
use crate::exit::CANNOT;
use crate::faults::Faults;
use crate::filter;
use crate::finish::{self, Outcome};
use crate::launch::environment::{Launch, Monitor, Order};
use crate::launch::preflight::Plan;
use crate::launch::{agent, nothing, observe, preflight, unobserved};
use crate::report::show;
use crate::rundir::{self, shown};
use crate::{monitor, order, say, signals, size, spawned};

/// Runs the command under observation; returns its exit code.
pub fn run(arguments: &Trace) -> Result<u8> {
    let words = &arguments.command;
    let faults = Faults::from_environment()?;
    let plan = preflight::plan(words)?;
    let agent = agent::find()?;
    let filter = filter::of(arguments)?;
    let run = rundir::create(arguments.output.as_deref(), &plan.name, arguments.force)?;
    let mut launch = Launch {
        buffer: arguments.buffer,
        functions: arguments.functions,
        polls: arguments.polls,
        window: arguments.window,
        limit: arguments.limit,
        keep: arguments.keep,
        until_slow: arguments.until_slow.clone(),
        ranks: arguments.ranks.as_ref().map(RankChoice::to_string),
        filter: filter.is_some(),
        only_mpi: arguments.only_mpi.clone().unwrap_or_default(),
        openmp: arguments.openmp,
        sample: arguments.sample,
        counters: arguments.counters.clone().unwrap_or_default().0,
        clock_fault: faults.text.clone(),
        ..Launch::of_plan(words, &plan)
    };
    // What is to stay bounded cannot have a choice for each receive.
    launch.order = match arguments.no_order || arguments.keep.is_some() {
        true => Order::Off,
        false => Order::Record,
    };
    launch.monitor = arguments.statistics.then(Monitor::default);
    launch.online = arguments.races == RacesWhen::Online;
    if let Some(text) = filter {
        filter::keep(&text, &run)?;
    }
    let _at_work = launch.write(&run)?;
    say::aside(format!(
        "mpiscope: tracing into {0} (where its ranks are meanwhile: mpiscope state {0})",
        shown(&run)
    ));
    tell_coarse(arguments.limit);
    let status = observe(words, &plan, &agent, &run, &launch, None)?;
    let own = signals::exit_code(status);
    order::keep_exit_code(&run, own);
    let ours = spawned::conclude_each(&run, &launch, |run, launch| {
        conclude(arguments, run, launch, &faults, &plan, status)
    });
    Ok(if own == 0 { ours } else { own })
}

/// Bytes of a thread's records after which a rank looks whether it has reached the limit.
const LOOKS_EVERY: u64 = (HELP_EVERY * RECORD) as u64;

/// Says of a limit how coarsely it is kept, where that is more than a tenth of it.
fn tell_coarse(limit: Option<u64>) {
    if let Some(limit) = limit.filter(|limit| limit / 10 < LOOKS_EVERY) {
        say::aside(format!(
            "note: --limit {}: a rank looks after each {} of a thread's records ({LOOKED_AT} \
             events) and every second, so it may record so much more",
            size::show(limit),
            size::show(LOOKS_EVERY),
            LOOKED_AT = show::count(HELP_EVERY as u64),
        ));
    }
}

/// Makes the best of what was recorded; returns the exit code if the application's was 0.
fn conclude(
    arguments: &Trace,
    run: &Path,
    launch: &Launch,
    faults: &Faults,
    plan: &Plan,
    status: ExitStatus,
) -> Result<u8> {
    order::tell_collected(run, &launch.run_id);
    monitor::collect(run, &launch.run_id);
    let outcome = finish::complete(run, &launch.run_id)?;
    let mut end = None;
    match outcome {
        Outcome::Nothing => {
            say::aside(nothing(run, plan.doubt.as_deref()));
            finish::remove_empty(run, &launch.run_id)?;
            return Ok(CANNOT);
        }
        Outcome::Recovered(recovered) if recovered.ended => {
            say::aside(
                "mpiscope: the program has sessions without MPI_Init, or before it: each process \
                     recorded by itself, and clocks were not compared",
            );
            finish::tell_recovered(run, &recovered);
        }
        Outcome::Recovered(recovered) => {
            end = finish::end(run);
            say::aside(match &end {
                Some(_) => format!(
                    "mpiscope: the program ended without MPI_Finalize on all ranks ({status})"
                ),
                None => "mpiscope: all ranks came to MPI_Finalize, and not all could write \
                             their part of the archive there"
                    .to_owned(),
            });
            finish::tell_recovered(run, &recovered);
        }
        Outcome::Complete => {}
    }
    // An archive without its run.json: the size of the world is not known.
    let size = RunInfo::read(run).map_or(0, |info| info.world_size);
    if let Some(note) = faults.beyond(size).filter(|_| size > 0) {
        say::aside(format!("note: {note}"));
    }
    unobserved::keep(run, &plan.unobserved)?;
    finish::name_call_sites(run);
    finish::tell_samples(run);
    finish::tell_counters(run);
    let died = finish::tell_end(run, end);
    order::tell_races(run)?;
    let code = match arguments.no_sync {
        true => {
            finish::tell_not_kept(run)?;
            0
        }
        // Says what was not kept among its warnings.
        false => finish::correct(run, false)?,
    };
    finish::tell_next(run, died);
    Ok(code)
}
