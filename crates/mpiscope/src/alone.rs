//! `mpiscope replay --alone RANK RUN -- PROGRAM`: one rank of a run, executed
//! again without the others.

use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

use anyhow::{bail, ensure, Result};
use mpiscope_run::payload::outcome::{Alone, At, End};
use mpiscope_run::payload::{self, Header};
use mpiscope_run::{directory, order, shared_memory};
use signal_hook::consts::SIGKILL;

use crate::cli::Replay;
use crate::debug::{self, Debugger, RankSelection};
use crate::exit::{CANNOT, DAMAGED, FINDINGS};
use crate::input::Damaged;
use crate::launch::environment::{Launch, Order};
use crate::launch::observe;
use crate::launch::{agent, preflight};
use crate::replay::temporary;
use crate::report::show;
use crate::rundir::shown;
use crate::{say, signals, symbols};

/// Runs one rank; returns its exit code.
pub fn run(arguments: &Replay, source: &Path, rank: u32) -> Result<u8> {
    let header = header(source, rank)?;
    refuse_threads(source, &header)?;
    let words = program_of(&arguments.command)?;
    let plan = preflight::plan(&words)?;
    let agent = agent::find()?;
    let selection = rank_selection(arguments.gdb.as_ref(), rank)?;
    let lone = arguments.dap.map(|_| RankSelection::Some(vec![rank]));
    let request = debug::Request::of(selection.or(lone).as_ref(), arguments.dap);
    let debugger = Debugger::prepare(request, None)?;
    let run = temporary(source)?;
    let launch = Launch {
        no_trace: true,
        order: Order::Alone {
            rank,
            record: source.to_owned(),
        },
        ..Launch::new(&words, None, None)
    };
    let _at_work = launch.write(&run)?;
    say::aside(format!(
        "mpiscope: rank {rank} of {} from {}, alone",
        header.origin.world_size,
        shown(source)
    ));
    let debugged = debugger.is_some();
    let status = observe(&words, &plan, &agent, &run, &launch, debugger);
    let outcome = Alone::read(&run);
    shared_memory::remove(&shared_memory::folder(&launch.run_id));
    directory::end_recording(&run);
    let _ = fs::remove_dir_all(&run);
    let status = status?;
    let own = signals::exit_code(status);
    if debugged && status.signal() == Some(SIGKILL) {
        let by = debug::killer(arguments.dap);
        say::aside(format!("mpiscope: the program was killed {by}"));
        return Ok(own);
    }
    let Some(outcome) = outcome else {
        say::aside(no_outcome(rank, own));
        return Ok(if own == 0 { CANNOT } else { own });
    };
    let code = tell(&outcome);
    Ok(match outcome.end {
        End::Finished if own != 0 => own,
        _ => code,
    })
}

/// The process ended without a word: by itself, or it never called MPI_Init.
fn no_outcome(rank: u32, code: u8) -> String {
    match code {
        0 | CANNOT => format!("error: rank {rank} was not executed from the record"),
        _ => format!("mpiscope: rank {rank} ended before MPI_Finalize, with exit code {code}"),
    }
}

fn header(source: &Path, rank: u32) -> Result<Header> {
    if !payload::exists(source, rank) {
        if let Ok((origin, _)) = order::read_rank(source, 0) {
            let size = origin.world_size;
            ensure!(
                rank < size,
                "--alone {rank}: there is no such rank, the run has {size}"
            );
        }
        let ranks = payload::ranks(source);
        let which = match ranks.is_empty() {
            true => "of no rank".to_owned(),
            false => format!("of rank {} only", show::ranges(&ranks)),
        };
        bail!(
            "{} has payload {which}; `mpiscope record --payload {rank} -- COMMAND` records that of \
             rank {rank}",
            shown(source)
        );
    }
    let opened = payload::open(source, rank);
    let (header, _) = opened.map_err(|error| Damaged(error.to_string()))?;
    let of_run = order::read_rank(source, rank).map(|(origin, _)| origin.run_id);
    if of_run.is_ok_and(|of_run| of_run != header.origin.run_id) {
        let path = payload::path(source, rank);
        let error = format!("{} is of another run than the order record", path.display());
        return Err(Damaged(error).into());
    }
    Ok(header)
}

/// What several threads received has no order of which another process could be told.
fn refuse_threads(source: &Path, header: &Header) -> Result<()> {
    let mut threads = header.left_out.iter();
    if let Some(what) = threads.find(|what| what.why.contains("thread")) {
        bail!(
            "rank {} of {} cannot be executed alone: {}: {}{}",
            header.rank,
            shown(source),
            what.why,
            what.function,
            at(&what.site)
        );
    }
    Ok(())
}

/// Returns the program's words, without those of a launcher before it.
fn program_of(words: &[OsString]) -> Result<Vec<OsString>> {
    let plan = preflight::plan(words)?;
    match &plan.programs[..] {
        [range] => Ok(words[range.clone()].to_vec()),
        [] => bail!("which program is rank to be? Type its words without the launcher's"),
        _ => bail!("several programs; type the words of the one that the rank executes"),
    }
}

fn rank_selection(selection: Option<&RankSelection>, rank: u32) -> Result<Option<RankSelection>> {
    match selection {
        None => Ok(None),
        // No launcher says how many there are: all are one.
        Some(RankSelection::All) => Ok(Some(RankSelection::Some(vec![rank]))),
        Some(RankSelection::One(one)) if *one == rank => Ok(Some(RankSelection::One(rank))),
        Some(_) => bail!("--gdb: only rank {rank} is executed"),
    }
}

/// Says how it went; returns the exit code that this deserves.
fn tell(outcome: &Alone) -> u8 {
    let rank = outcome.rank;
    if let Some(call) = &outcome.sent_otherwise {
        say::aside(format!(
            "mpiscope: rank {rank} sends other data than recorded, first in its {}",
            named(call)
        ));
    }
    let answered = show::counted(outcome.calls, "call");
    match &outcome.end {
        End::Finished => {
            say::aside(format!(
                "mpiscope: executed as recorded: {answered} answered"
            ));
            return match outcome.sent_otherwise {
                Some(_) => FINDINGS,
                None => 0,
            };
        }
        End::Diverged { came, recorded } => {
            let recorded = recorded.as_ref().map_or("nothing more".to_owned(), |call| {
                format!("{}{}", call.what, at(&call.site))
            });
            say::aside(format!(
                "mpiscope: rank {rank} is not as recorded in its call {}\n  came:     {}{}\n  \
                 recorded: {recorded}",
                show::count(came.call),
                came.what,
                at(&came.site)
            ));
        }
        End::RecordEnds(call) => say::aside(format!(
            "mpiscope: the record ends here: the recorded rank {rank} did not return from its {}",
            named(call)
        )),
        End::NotAnswered(call, why) => say::aside(format!(
            "error: rank {rank} cannot go on alone after {answered}: {}{}: {why}",
            call.what,
            at(&call.site)
        )),
        End::Damaged(why) => {
            say::aside(format!(
                "error: the payload of rank {rank} is damaged: {why}"
            ));
            return DAMAGED;
        }
    }
    match outcome.end {
        End::NotAnswered(..) => CANNOT,
        _ => FINDINGS,
    }
}

fn named(call: &At) -> String {
    let number = show::count(call.call);
    format!("call {number}, {}{}", call.what, at(&call.site))
}

fn at(site: &str) -> String {
    match site.is_empty() {
        true => String::new(),
        false => format!(" at {}", symbols::line_of(site)),
    }
}

/// Says what a run holds of the payload that was wanted; of some ranks that died,
/// as much as they left.
pub fn tell_recorded(run: &Path, wanted: &RankSelection, dead: &[u32]) -> Result<()> {
    if !dead.is_empty() {
        say::aside(format!(
            "mpiscope: the payload of rank {} ends where the rank did",
            show::ranges(dead)
        ));
    }
    for rank in payload::ranks(run) {
        let (header, _) = payload::open(run, rank)?;
        let size = crate::size::show(payload::bytes(run, rank));
        say::aside(format!(
            "mpiscope: payload of rank {rank}: {size}, compressed"
        ));
        for what in &header.left_out {
            say::aside(format!(
                "note: rank {rank} cannot be executed alone beyond {}{}: {}",
                what.function,
                at(&what.site),
                what.why
            ));
        }
    }
    let has = payload::ranks(run);
    let wanted = match wanted {
        RankSelection::All => &[][..],
        RankSelection::One(rank) => std::slice::from_ref(rank),
        RankSelection::Some(ranks) => ranks,
    };
    let missing: Vec<u32> = wanted
        .iter()
        .copied()
        .filter(|rank| !has.contains(rank))
        .collect();
    ensure!(
        missing.is_empty(),
        "there is no payload of rank {}: the program has no such rank, or it did not come to MPI_Init",
        show::ranges(&missing)
    );
    Ok(())
}
