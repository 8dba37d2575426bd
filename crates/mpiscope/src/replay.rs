//! `mpiscope replay RUN -- COMMAND`: a command run again in a recorded order.

mod data;
mod deterministic;
mod verdict;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_archive::calls::of_trace;
use mpiscope_run::order::outcome::{self, Divergence, RankOutcome, State, Wait};
use mpiscope_run::order::{self as records, buffer, calls, Unrecorded};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::{directory, shared_memory};
use signal_hook::consts::SIGKILL;

use crate::cli::order::OnDivergence;
use crate::cli::Replay;
use crate::debug::{self, Debugger, Moment};
use crate::exit::{CANNOT, FINDINGS};
use crate::input::{Damaged, Input};
use crate::launch::environment::{self, Launch, Order};
use crate::launch::observe;
use crate::launch::preflight::Plan;
use crate::launch::{agent, preflight, unobserved};
use crate::report::show;
use crate::rundir::{self, shown};
use crate::{alone, finish, order, recorded_command, say, signals, symbols};

use verdict::Verdict;

/// Exit codes from here on are a shell's: a program that cannot be started, or a signal.
const NOT_STARTED: u8 = 126;

/// Runs the command in the order of a run; returns its exit code.
pub fn run(arguments: &Replay) -> Result<u8> {
    let Some(given) = &arguments.run else {
        return deterministic::run(arguments);
    };
    let words = &arguments.command;
    let source = std::path::absolute(given)?;
    ensure!(source.is_dir(), "{}: no such run", given.display());
    rundir::refuse_unnamable(&source)?;
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
    if let Some(rank) = arguments
        .gdb
        .as_ref()
        .and_then(|selection| selection.beyond(size))
    {
        bail!("--gdb {rank}: there is no such rank, the run has {size}");
    }
    let plan = preflight::plan(words)?;
    compare_command(arguments, &source, &plan)?;
    let agent = agent::find()?;
    let stop = arguments.stop_at.map(|event| Moment::find(&source, event));
    let stop = stop.transpose()?;
    let debugger = Debugger::prepare(
        debug::Request::of(arguments.gdb.as_ref(), arguments.dap),
        stop,
    )?;
    let debugger = debugger.map(|debugger| {
        debugger.with_choices(debug::Recorded {
            run: source.clone(),
            record: record.clone(),
        })
    });
    let keeps = arguments.trace || arguments.output.is_some();
    if keeps {
        let output = arguments.output.as_deref();
        rundir::refuse_source(&source, output, &plan.name, arguments.force)?;
    }
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
        payload: data::is_recorded(&source).then(|| environment::HASHES.to_owned()),
        ..Launch::of_plan(words, &plan)
    };
    let _at_work = launch.write(&run)?;
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
    let recorded_exit_code = RunInfo::read(&source).ok().and_then(|info| info.exit_code);
    let mut replay = outcome::Replay {
        ranks: outcome::read_ranks(&run),
        world_size: size,
        exit_code: Some(own.into()),
        // Who looks on may end the program as they like.
        recorded_exit_code: recorded_exit_code.filter(|_| !debugged),
        ..outcome::Replay::default()
    };
    let not_compared = data::compare(&source, &run, &launch.run_id, &mut replay.ranks);
    collect(&run);
    add_lines(&mut replay.ranks);
    add_reached(&run, &mut replay.ranks);
    let system = recorded_command::asks_the_system(words, &plan);
    let not_governed = order::not_governed(&record, &replay.ranks, &system);
    let judged = verdict::judge(&record, &mut replay, &order::kinds(&not_governed));
    replay.differences.clone_from(&judged.differences);
    replay.not_governed = with_lines(&not_governed);
    conclude(&source, &run, keeps, &replay)?;
    if arguments.json {
        say::report(serde_json::to_string(&replay)?)?;
    }
    if quit {
        let by = debug::killer(arguments.dap);
        say::aside(format!(
            "mpiscope: the program was killed {by}; until then it was replayed"
        ));
        return Ok(own);
    }
    for note in not_compared {
        say::aside(format!("note: {note}"));
    }
    let mut code = tell_all(&judged, &replay, &not_governed, own);
    if arguments.trace {
        let traced = traced(&run, &launch, &plan)?;
        code = if code == 0 { traced } else { code };
    }
    Ok(code)
}

/// Refuses another program or other arguments before they wait for each other, unless told.
fn compare_command(arguments: &Replay, source: &Path, plan: &Plan) -> Result<()> {
    let recorded = Launch::read(source).map_or(Vec::new(), |launch| launch.programs);
    let given = recorded_command::programs(&arguments.command, plan);
    let differences = recorded_command::differences(&recorded, &given);
    ensure!(
        differences.is_empty() || arguments.other_program,
        "{}; --other-program replays it all the same",
        differences.join("; ")
    );
    for difference in differences {
        say::aside(format!("note: {difference}"));
    }
    Ok(())
}

/// Puts lines of the source in place of modules and offsets.
fn add_lines(ranks: &mut [RankOutcome]) {
    for outcome in ranks {
        let data = outcome.other_data.iter_mut().flat_map(|it| &mut it.sites);
        let threads = outcome.other_threads.iter_mut().map(|it| &mut it.site);
        let choices = outcome.user_choices.iter_mut().map(|it| &mut it.site);
        for site in data
            .chain(threads)
            .chain(choices)
            .filter(|site| !site.is_empty())
        {
            *site = symbols::line_of(site);
        }
        if let Some(data) = &mut outcome.other_data {
            data.sites.dedup();
        }
    }
}

/// Adds how far ranks came that died.
fn add_reached(run: &Path, ranks: &mut [RankOutcome]) {
    for outcome in ranks.iter_mut().filter(|it| it.state.is_dead()) {
        let path = outcome::progress_path(run, outcome.rank);
        let written = || {
            let (_, order) = records::read_rank(run, outcome.rank).ok()?;
            order.threads.first()?.cut
        };
        if let Some(end) = buffer::reached(&path).or_else(written) {
            outcome.calls = end.calls;
        }
    }
}

/// Returns places as lines of the source.
fn with_lines(all: &[Unrecorded]) -> Vec<Unrecorded> {
    let lines = all.iter().map(|one| Unrecorded {
        site: match one.site.is_empty() {
            true => String::new(),
            false => symbols::line_of(&one.site),
        },
        ..one.clone()
    });
    lines.collect()
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
        Ok(input) => Ok(calls::write(run, &of_trace(&input.trace))?),
        Err(error) => {
            say::aside(format!(
                "note: the trace beside the record cannot be read, calls are compared by their hash: {error}"
            ));
            Ok(())
        }
    }
}

/// Makes sure that the choices of ranks that died are in the run.
fn collect(run: &Path) {
    if let Ok(launch) = Launch::read(run) {
        order::tell_collected(run, &launch.run_id);
        shared_memory::remove(&shared_memory::folder(&launch.run_id));
    }
}

/// Keeps what is to be kept.
fn conclude(source: &Path, run: &Path, keeps: bool, replay: &outcome::Replay) -> Result<()> {
    directory::end_recording(run);
    calls::remove(run);
    replay.write(source)?;
    if keeps {
        order::keep_exit_code(run, replay.exit_code.unwrap_or_default() as u8);
        replay.write(run)?;
        let _ = fs::remove_dir_all(run.join("outcomes"));
        return Ok(());
    }
    fs::remove_dir_all(run).with_context(|| format!("cannot remove {}", run.display()))
}

/// The trace of the replayed run.
fn traced(run: &Path, launch: &Launch, plan: &Plan) -> Result<u8> {
    match finish::complete(run, &launch.run_id)? {
        finish::Outcome::Nothing => return Ok(CANNOT),
        finish::Outcome::Recovered(recovered) => finish::tell_recovered(run, &recovered),
        finish::Outcome::Complete => {}
    }
    unobserved::keep(run, &plan.unobserved)?;
    let died = finish::tell_end(run, None);
    let code = finish::correct(run, false)?;
    finish::tell_next(run, died);
    Ok(code)
}

/// Says how it went; returns the exit code that this deserves.
fn tell_all(
    judged: &Verdict,
    replay: &outcome::Replay,
    not_governed: &[Unrecorded],
    own: u8,
) -> u8 {
    if replay.ranks.is_empty() {
        say::aside("error: nothing was replayed: replay began on no rank");
        // What a launcher makes of ranks that gave up is its own; a shell's word for what could not
        // be started, or was ended by a signal, stands.
        return if own < NOT_STARTED { CANNOT } else { own };
    }
    for outcome in &replay.ranks {
        tell(outcome);
    }
    if replay.stalled() {
        say::aside(
            "mpiscope: the replay was ended: on all ranks nothing happened any more (--patience)",
        );
        let mut waits = replay.ranks.iter().flat_map(|outcome| &outcome.waits);
        if waits.any(|wait| wait.turn.is_some()) {
            say::aside(
                "mpiscope: threads do not come as they did: how often or when a thread calls MPI \
                 depends on something that is not MPI's (a lock, a counter that threads share, \
                 time), which no record holds",
            );
        }
    }
    let silent = replay.silent();
    if !silent.is_empty() {
        let silent = show::ranges(&silent);
        say::aside(format!("note: rank {silent} ended without MPI_Finalize"));
    }
    for sentence in order::by_kind(&not_governed.iter().collect::<Vec<_>>()) {
        say::aside(format!("note: not governed: {sentence}"));
    }
    for difference in &judged.differences {
        say::aside(format!("mpiscope: {difference}"));
    }
    say::aside(&judged.last);
    match judged.is_same() {
        true => own,
        false => FINDINGS,
    }
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
        say::aside(waiting(rank, wait, outcome.waits.len() > 1));
    }
}

/// Says what a thread waits for, or that it does so outside of MPI.
fn waiting(rank: u32, wait: &Wait, several: bool) -> String {
    let who = match several {
        true => format!("thread {} of rank {rank}", wait.thread),
        false => format!("rank {rank}"),
    };
    let (call, site) = (show::count(wait.call), at(&wait.site));
    if wait.ended {
        return format!(
            "mpiscope: {who} has ended, after its call {call}, {}{site}",
            wait.what
        );
    }
    if wait.outside {
        return format!(
            "mpiscope: {who} waits outside of MPI, as in a lock or for another thread, after its \
             call {call}, {}{site}",
            wait.what
        );
    }
    let whom = wait
        .source
        .map_or(String::new(), |source| format!(", for rank {source}"));
    let turn = wait.turn.map_or(String::new(), |thread| {
        format!("; when it was recorded, thread {thread} posted first")
    });
    format!(
        "mpiscope: {who} waits in its call {call}, {}{whom}{site}{turn}",
        wait.what
    )
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
    let who = verdict::whose(rank, divergence.thread);
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
        format!("mpiscope: {who} is not as recorded in its {whose}"),
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
