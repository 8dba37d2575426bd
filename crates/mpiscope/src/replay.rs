//! `mpiscope replay RUN -- COMMAND`: a command run again in a recorded order.

mod deterministic;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_run::directory;
use mpiscope_run::order::outcome::{self, Divergence, RankOutcome, State};
use mpiscope_run::order::{self as records, calls};
use signal_hook::consts::SIGKILL;

use crate::cli::order::OnDivergence;
use crate::cli::Replay;
use crate::debug::{Debugger, Moment};
use crate::environment::{self, Launch, Order};
use crate::input::{Damaged, Input};
use crate::rundir::{self, shown};
use crate::trace::observe;
use crate::{
    agent, alone, finish, order, preflight, say, show, signals, symbols, CANNOT, FINDINGS,
};

/// Runs the command in the order of a run; returns its exit code.
pub fn run(arguments: &Replay) -> Result<u8> {
    let Some(given) = &arguments.run else {
        return deterministic::run(arguments);
    };
    let words = &arguments.command;
    let source = std::path::absolute(given)?;
    ensure!(source.is_dir(), "{}: no such run", given.display());
    if let Some(rank) = arguments.alone {
        return alone::run(arguments, &source, rank);
    }
    ensure!(
        records::exists(&source),
        "{} has no order record; `mpiscope record` writes one, and `trace` unless told --no-order",
        given.display()
    );
    let record = records::read(&source).map_err(|error| Damaged(error.to_string()))?;
    let size = record.origin.world_size;
    if let Some(rank) = arguments.gdb.as_ref().and_then(|wish| wish.beyond(size)) {
        bail!("--gdb {rank}: there is no such rank, the run has {size}");
    }
    let plan = preflight::plan(words)?;
    let agent = agent::find()?;
    let stop = arguments.stop_at.map(|event| Moment::find(&source, event));
    let stop = stop.transpose()?;
    let debugger = Debugger::prepare(arguments.gdb.clone(), stop)?;
    let keeps = arguments.trace || arguments.output.is_some();
    let run = match keeps {
        true => rundir::create(arguments.output.as_deref(), &plan.name, arguments.force)?,
        false => temporary(&source)?,
    };
    let launch = Launch {
        no_trace: !arguments.trace,
        order: Order::Replay {
            record: source.clone(),
            write: keeps,
            // Who stands at a breakpoint keeps the others waiting, for as long as it takes.
            patience: match debugger {
                Some(_) => 0.0,
                None => arguments.patience,
            },
            stop: arguments.on_divergence == OnDivergence::Stop,
        },
        stop_at: debugger.as_ref().and_then(Debugger::stop_at),
        ..Launch::new(words, None, None)
    };
    launch.write(&run)?;
    prepare_witness(&source, &run)?;
    say::aside(format!(
        "mpiscope: replaying {} ({})",
        shown(&source),
        order::sentence(&record)
    ));
    let missing = record.missing();
    if !missing.is_empty() {
        let missing = show::ranges(&missing);
        say::aside(format!(
            "note: the record has nothing of rank {missing}: it runs free"
        ));
    }
    let debugged = debugger.is_some();
    let status = observe(words, &plan, &agent, &run, &launch, debugger)?;
    let quit = debugged && status.signal() == Some(SIGKILL);
    let own = signals::exit_code(status);
    let replay = outcome::Replay {
        ranks: outcome::read_ranks(&run),
        world_size: size,
        exit_code: Some(own.into()),
    };
    conclude(&source, &run, keeps, &replay)?;
    if quit {
        say::aside("mpiscope: the program was killed at the prompt; until then it was replayed");
        return Ok(own);
    }
    let mut code = verdict(&record, &replay);
    if arguments.trace {
        code = code.max(traced(&run, &launch)?);
    }
    Ok(if own == 0 || replay.ranks.is_empty() {
        code
    } else {
        own
    })
}

/// A directory for what a replay needs while it lasts, where all hosts see it.
pub fn temporary(source: &Path) -> Result<PathBuf> {
    let path = source.join(format!("replay-{}", environment::unique()));
    fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

/// Leaves what the trace of the recorded run, if it has one, tells of each call.
fn prepare_witness(source: &Path, run: &Path) -> Result<()> {
    if !directory::anchor(source).is_file() {
        return Ok(());
    }
    match Input::open(source) {
        Ok(input) => Ok(calls::write(run, &calls::of_trace(&input.trace))?),
        Err(error) => {
            say::aside(format!(
                "note: the trace beside the record cannot be read, calls are compared by their hash: {error}"
            ));
            Ok(())
        }
    }
}

/// Keeps what is to be kept.
fn conclude(source: &Path, run: &Path, keeps: bool, replay: &outcome::Replay) -> Result<()> {
    if let Ok(launch) = Launch::read(run) {
        order::tell_collected(run, &launch.run_id);
        let _ = fs::remove_dir(mpiscope_run::buffer::directory(&launch.run_id));
    }
    let _ = fs::remove_file(directory::recording(run));
    calls::remove(run);
    replay.write(source)?;
    if keeps {
        replay.write(run)?;
        let _ = fs::remove_dir_all(run.join("outcomes"));
        return Ok(());
    }
    fs::remove_dir_all(run).with_context(|| format!("cannot remove {}", run.display()))
}

/// The trace of the replayed run.
fn traced(run: &Path, launch: &Launch) -> Result<u8> {
    match finish::complete(run, &launch.run_id)? {
        finish::Outcome::Nothing => return Ok(CANNOT),
        finish::Outcome::Recovered(recovered) => finish::tell_recovered(&recovered),
        finish::Outcome::Complete => {}
    }
    let code = finish::correct(run, false)?;
    finish::tell_next(run);
    Ok(code)
}

/// Says how it went; returns the exit code that this deserves.
fn verdict(record: &records::Record, replay: &outcome::Replay) -> u8 {
    if replay.ranks.is_empty() {
        say::aside("error: nothing was replayed: replay began on no rank");
        return CANNOT;
    }
    for outcome in &replay.ranks {
        tell(outcome);
    }
    if replay.stalled() {
        say::aside(
            "mpiscope: the replay was ended: on all ranks nothing happened any more (--patience)",
        );
    }
    let silent = replay.silent();
    if !silent.is_empty() {
        let silent = show::ranges(&silent);
        say::aside(format!("note: rank {silent} ended without MPI_Finalize"));
    }
    if replay.divergences().next().is_some() || replay.stalled() {
        return FINDINGS;
    }
    say::aside(match silent.is_empty() {
        true => {
            let all = show::counted(order::choices(record), "choice");
            let missing = record.missing();
            let but = match missing.is_empty() {
                true => String::new(),
                false => format!("; of rank {} nothing was recorded", show::ranges(&missing)),
            };
            format!("mpiscope: replayed as recorded: {all}{but}")
        }
        false => "mpiscope: replayed as recorded until the program ended".to_owned(),
    });
    0
}

fn tell(outcome: &RankOutcome) {
    let rank = outcome.rank;
    if let Some(divergence) = &outcome.divergence {
        for line in explained(rank, divergence) {
            say::aside(line);
        }
    } else if let Some(call) = outcome.free_from {
        say::aside(format!(
            "note: rank {rank}: the record ends at call {}; from there it ran free",
            show::count(call)
        ));
    }
    if outcome.state != State::Stalled {
        return;
    }
    for wait in &outcome.waits {
        let whom = wait
            .source
            .map_or(String::new(), |source| format!(", for rank {source}"));
        say::aside(format!(
            "mpiscope: rank {rank} waits in its call {}, {}{whom}{}",
            show::count(wait.call),
            wait.what,
            at(&wait.site)
        ));
    }
}

fn explained(rank: u32, divergence: &Divergence) -> [String; 3] {
    let Divergence {
        call,
        within,
        came,
        site,
        expected,
        expected_site,
        ..
    } = divergence;
    let place = match expected_site.is_empty() {
        true => String::new(),
        false => format!(" at {expected_site}"),
    };
    let whose = match within {
        0 => format!("call {}", show::count(*call)),
        _ => format!(
            "calls {} to {}",
            show::count(call - within),
            show::count(*call)
        ),
    };
    [
        format!("mpiscope: rank {rank} is not as recorded in its {whose}"),
        format!("  came:     {came}{}", at(site)),
        format!("  recorded: {expected}{place}"),
    ]
}

fn at(site: &str) -> String {
    match site.is_empty() {
        true => String::new(),
        false => format!(" at {}", symbols::line_of(site)),
    }
}
