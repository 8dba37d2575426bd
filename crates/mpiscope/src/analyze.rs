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
mod shared;
mod sums;
mod text;
mod traced;
mod unknown;
mod verdict;

use anyhow::{bail, ensure, Result};
use mpiscope_archive::model::Processes;
use mpiscope_archive::trace::anchor_of;
use mpiscope_run::{directory, order, run_info};

use crate::cache::Cache;
use crate::cli::Analyze;
use crate::input;
use crate::progress::while_doing;
use crate::stamp::Stamp;
use crate::{job, say, shifts, stats};
pub use efficiency::is_replayed;
use facts::Facts;
pub use shared::is_divided;
pub use sums::of as sums;
pub use traced::{contradictions, untold};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Analyze) -> Result<u8> {
    match job::processes() {
        None => report(
            arguments,
            known(arguments).and_then(|it| it.facts(arguments)),
        ),
        Some(processes) => together(arguments, processes),
    }
}

/// Runs it as one of several processes, of which the first makes the report.
fn together(arguments: &Analyze, processes: &dyn Processes) -> Result<u8> {
    let known = job::is_first().then(|| known(arguments));
    let divided = match &known {
        Some(Ok(Known::Nothing(_))) => shared::is_divided(arguments),
        _ => false,
    };
    if processes.tell_list(vec![divided]) == [true] {
        job::agree(input::limit_memory(&arguments.input, arguments.memory))?;
        let opened = job::with_own_threads(|| shared::facts(&arguments.input, processes));
        if let Some(opened) = opened {
            let facts = known.map(|known| Ok(opened.finished(arguments, known?.cache())));
            let code = facts.map_or(Ok(0), |facts| report(arguments, facts));
            return Ok(processes.tell_list(vec![job::agree(code)?])[0]);
        }
    }
    job::first_does("analyze", || {
        let known = known.unwrap_or_else(|| unreachable!("the first has looked"));
        report(arguments, known.and_then(|it| it.facts(arguments)))
    })
}

fn report(arguments: &Analyze, facts: Result<Facts>) -> Result<u8> {
    let facts = match facts {
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

/// What is known of a run before its events are read.
enum Known {
    /// All that is to be said.
    Facts(Box<Facts>),
    /// Nothing, and where it is to be kept.
    Nothing(Cache),
}

/// Looks for what is known: of a run without a trace that is its statistics; those of a program that
/// still runs are in shared memory.
fn known(arguments: &Analyze) -> Result<Known> {
    let path = arguments.input.as_path();
    let is_traced = directory::anchor(path).exists();
    if !is_traced && path.join(run_info::FILE).is_file() {
        match stats::load(path) {
            Ok(_) if arguments.clock.is_some() => bail!(
                "{} has statistics and no trace: there are no times to choose from",
                path.display()
            ),
            Ok(loaded) => return Ok(Known::Facts(Box::new(counted::facts(path, &loaded)))),
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
    Ok(match cache.answer::<Facts>() {
        Some(facts) => Known::Facts(Box::new(facts.kept())),
        None => Known::Nothing(cache),
    })
}

impl Known {
    /// Returns the facts, for which the trace is read if they are not known.
    fn facts(self, arguments: &Analyze) -> Result<Facts> {
        let cache = match self {
            Known::Facts(facts) => return Ok(*facts),
            Known::Nothing(cache) => cache,
        };
        let path = arguments.input.as_path();
        input::limit_memory(path, arguments.memory)?;
        let (input, errors, notes) = clock::open(path, arguments.clock, arguments.clocks)?;
        let facts = while_doing("analyzing", || {
            let asked = traced::Asked {
                causes: arguments.causes,
                gains: arguments.gains,
                ideal: arguments.ideal,
            };
            traced::facts(&input, errors, asked)
        });
        let opened = Opened {
            facts,
            notes,
            modules: input.modules,
        };
        Ok(opened.finished(arguments, cache))
    }

    fn cache(self) -> Cache {
        match self {
            Known::Facts(_) => Cache::none(),
            Known::Nothing(cache) => cache,
        }
    }
}

/// What was found in a trace that was read.
struct Opened {
    facts: Facts,
    /// What is to be known of its times.
    notes: Vec<String>,
    /// Files beside the archive that it follows from.
    modules: Vec<Stamp>,
}

impl Opened {
    /// Returns the facts, which are kept.
    fn finished(self, arguments: &Analyze, cache: Cache) -> Facts {
        let Opened {
            mut facts,
            notes,
            modules,
        } = self;
        facts.path = arguments.input.clone();
        facts.notes.splice(0..0, notes);
        if facts.damage.is_empty() {
            let run = input::run_of(&arguments.input);
            let shifts = anchor_of(&run).map(|anchor| Stamp::of(shifts::place_of(&run, &anchor)));
            cache.keep(
                &facts,
                &modules.into_iter().chain(shifts).collect::<Vec<_>>(),
            );
        }
        facts
    }
}
