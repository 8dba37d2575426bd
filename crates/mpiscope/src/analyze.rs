//! `mpiscope analyze`: where the time went, who waited for whom, and on what
//! the length of the run depends; of a trace, or as far as statistics tell.

mod causes;
pub mod clock;
mod computation;
mod counted;
mod efficiency;
mod facts;
mod gains;
mod iterations;
mod patterns;
mod resolution;
mod sums;
mod text;
mod traced;
mod unknown;
mod verdict;

use anyhow::{bail, ensure, Result};
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::{directory, order, run_info};

use crate::cache::Cache;
use crate::cli::Analyze;
use crate::input;
use crate::progress::while_doing;
use crate::stamp::Stamp;
use crate::{say, shifts, stats};
pub use efficiency::is_replayed;
use facts::Facts;
pub use sums::of as sums;
pub use traced::{contradictions, untold};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Analyze) -> Result<u8> {
    let facts = match facts(arguments) {
        Ok(facts) => facts,
        Err(error) => {
            if arguments.json {
                input::report_damaged("path", &arguments.input, &error)?;
            }
            return Err(error);
        }
    };
    let text = || text::text(&facts, arguments.top as usize);
    say::found(arguments.json, &facts, text, &facts.damage)
}

/// Looks at a trace if there is one, else at statistics: those of a program
/// that still runs are in shared memory.
fn facts(arguments: &Analyze) -> Result<Facts> {
    let path = arguments.input.as_path();
    let is_traced = directory::anchor(path).exists();
    if !is_traced && path.join(run_info::FILE).is_file() {
        match stats::load(path) {
            Ok(_) if arguments.clock.is_some() => bail!(
                "{} has statistics and no trace: there are no times to choose from",
                path.display()
            ),
            Ok(loaded) => return Ok(counted::facts(path, &loaded)),
            Err(error) if stats::only(path) => return Err(error),
            Err(_) => {}
        }
    }
    ensure!(
        is_traced || !order::exists(path),
        "{0} holds the order of messages alone, and no times: run the program under \
         `mpiscope trace` or `mpiscope monitor` to analyze it",
        path.display()
    );
    let cache = match arguments.no_cache {
        true => Cache::none(),
        false => Cache::open(
            "analyze",
            path,
            &(
                arguments.clock,
                arguments.clocks,
                arguments.causes,
                arguments.gains,
                arguments.ideal,
            ),
        ),
    };
    if let Some(facts) = cache.answer::<Facts>() {
        return Ok(facts.kept());
    }
    input::limit_memory(path, arguments.memory)?;
    let run = input::run_of(path);
    let shifts = anchor_of(&run).map(|anchor| Stamp::of(shifts::place_of(&run, &anchor)));
    let (input, errors, notes) = clock::open(path, arguments.clock, arguments.clocks)?;
    let mut facts = while_doing("analyzing", || {
        let asked = traced::Asked {
            causes: arguments.causes,
            gains: arguments.gains,
            ideal: arguments.ideal,
        };
        traced::facts(&input, errors, asked)
    });
    facts.path = path.to_owned();
    facts.notes.splice(0..0, notes);
    if facts.damage.is_empty() {
        let others = input.modules.iter().cloned().chain(shifts);
        cache.keep(&facts, &others.collect::<Vec<Stamp>>());
    }
    Ok(facts)
}
