//! `mpiscope replay --deterministic`: a command run in an order that no record
//! tells, but a rule, the same in every run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use mpiscope_run::order::outcome;
use mpiscope_run::{directory, shared_memory};

use super::tell;
use crate::cli::Replay;
use crate::debug::{self, Debugger};
use crate::exit::{CANNOT, FINDINGS};
use crate::launch::environment::{self, Launch, Order};
use crate::launch::observe;
use crate::launch::{agent, preflight};
use crate::report::show;
use crate::rundir::{self, shown};
use crate::{order, say, signals};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Replay) -> Result<u8> {
    let words = &arguments.command;
    let plan = preflight::plan(words)?;
    let agent = agent::find()?;
    let debugger = Debugger::prepare(
        debug::Request::of(arguments.gdb.as_ref(), arguments.dap),
        None,
    )?;
    let keeps = arguments.trace || arguments.output.is_some();
    let run = match keeps {
        true => rundir::create(arguments.output.as_deref(), &plan.name, arguments.force)?,
        false => temporary()?,
    };
    let launch = Launch {
        no_trace: !arguments.trace,
        order: Order::Deterministic {
            write: keeps,
            patience: match debugger {
                Some(_) => 0.0,
                None => arguments.patience,
            },
        },
        ..Launch::of_plan(words, &plan)
    };
    let _at_work = launch.write(&run)?;
    let status = observe(words, &plan, &agent, &run, &launch, debugger)?;
    let own = signals::exit_code(status);
    let ranks = outcome::read_ranks(&run);
    let replay = outcome::Replay {
        world_size: ranks.len() as u32,
        ranks,
        exit_code: Some(own.into()),
        ..outcome::Replay::default()
    };
    order::tell_collected(&run, &launch.run_id);
    shared_memory::remove(&shared_memory::folder(&launch.run_id));
    directory::end_recording(&run);
    if keeps {
        order::keep_exit_code(&run, own);
        replay.write(&run)?;
        let _ = fs::remove_dir_all(run.join("outcomes"));
        say::aside(format!("mpiscope: kept in {}", shown(&run)));
    } else {
        remove(&run)?;
    }
    let mut code = verdict(&replay);
    if arguments.trace {
        code = code.max(super::traced(&run, &launch, &plan)?);
    }
    Ok(if own == 0 || replay.ranks.is_empty() {
        code
    } else {
        own
    })
}

/// A directory while it lasts; all ranks are on this host.
fn temporary() -> Result<PathBuf> {
    let path = std::env::temp_dir().join(format!("mpiscope-{}", environment::unique()));
    fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

fn remove(run: &Path) -> Result<()> {
    fs::remove_dir_all(run).with_context(|| format!("cannot remove {}", run.display()))
}

/// Says how it went; returns the exit code that this deserves.
fn verdict(replay: &outcome::Replay) -> u8 {
    if replay.ranks.is_empty() {
        say::aside("error: nothing was chosen: the rule led no rank");
        return CANNOT;
    }
    replay.ranks.iter().for_each(tell);
    let sum = |count: fn(&outcome::RankOutcome) -> u64| replay.ranks.iter().map(count).sum();
    let (chosen, left): (u64, u64) = (sum(|rank| rank.chosen), sum(|rank| rank.left));
    if left > 0 {
        let left = show::counted(left, "choice");
        say::aside(format!(
            "note: {left} had to be left to MPI: results may differ from run to run"
        ));
    }
    if replay.stalled() {
        say::aside(
            "mpiscope: the run was ended: on all ranks nothing happened any more (--patience)",
        );
        return FINDINGS;
    }
    let chosen = show::counted(chosen, "choice");
    say::aside(format!("mpiscope: made by the rule: {chosen}"));
    u8::from(left > 0) * FINDINGS
}
