//! What is known of a run before anything is forced: its races and what can be forced of them.
//!
//! It is kept beside the archive: an exploration that goes on takes it from there, and one that
//! has nothing left to force reads no trace at all. `races` is answered along with it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{ensure, Result};
use mpiscope_archive::choices::Choices;
use mpiscope_archive::model::{EventRef, Matching};
use mpiscope_run::order as records;
use mpiscope_run::run_info;
use serde::{Deserialize, Serialize};

use super::calls;
use super::candidates::{candidates, Candidate};
use crate::cache::Cache;
use crate::cli::Explore;
use crate::input::{run_of, Input};
use crate::progress::while_doing;
use crate::races::{self, Findings};
use crate::report::show;
use crate::say;

/// Candidates that are kept: more than several explorations force, and few enough that they are
/// read at once.
const KEPT: usize = 10_000;

/// What races in a run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// Receives and probes that race.
    pub races: usize,
    /// Messages that they could have got, as far as that can be forced.
    pub alternatives: usize,
    /// The first of these, in the order in which to force them; all where they were just found.
    pub first: Vec<Candidate>,
    /// The run did not come to its end.
    pub hung: bool,
    /// What its trace tells of its order, where there is no record.
    pub told: String,
}

impl Known {
    /// Returns whether nothing but what is listed can be forced.
    pub fn is_whole(&self) -> bool {
        self.first.len() == self.alternatives
    }

    /// Returns what is left to be forced.
    pub fn open(&self, done: &BTreeSet<String>) -> Vec<&Candidate> {
        let all = self.first.iter();
        all.filter(|it| !done.contains(&it.key())).collect()
    }

    /// Returns what is to be kept.
    fn kept(&self) -> Known {
        Known {
            first: self.first.iter().take(KEPT).cloned().collect(),
            told: self.told.clone(),
            ..*self
        }
    }
}

/// A run, whose trace is read when somebody asks for it.
pub struct Run<'a> {
    arguments: &'a Explore,
    /// Its directory, as it was named.
    pub path: PathBuf,
    traced: OnceCell<Traced>,
}

/// The trace of a run.
pub struct Traced {
    /// The run.
    pub input: Input,
    /// Its messages.
    pub matching: Matching,
    /// Its choices.
    pub choices: Choices,
}

impl<'a> Run<'a> {
    /// The run that is to be explored.
    pub fn new(arguments: &'a Explore) -> Run<'a> {
        Run {
            arguments,
            path: run_of(&arguments.run),
            traced: OnceCell::new(),
        }
    }

    /// Returns what is kept of the run, or looks at it.
    pub fn known(&self) -> Result<Known> {
        let (path, no_cache) = (&self.arguments.run, self.arguments.no_cache);
        let of_races = races::cache(path, no_cache);
        let cache = match no_cache {
            true => Cache::none(),
            false => Cache::open("explore", path, &()),
        };
        let kept = cache.answer();
        if let Some(known) = kept.or_else(|| self.without_races(of_races.answer()?)) {
            return Ok(known);
        }
        let traced = self.traced()?;
        let (findings, known) = traced.look();
        if traced.input.damage.is_empty() {
            of_races.keep(&findings, &traced.input.modules);
            cache.keep(&known.kept(), &traced.input.modules);
        }
        Ok(known)
    }

    /// Returns the trace.
    pub fn traced(&self) -> Result<&Traced> {
        if let Some(traced) = self.traced.get() {
            return Ok(traced);
        }
        let traced = Traced::read(self.arguments)?;
        Ok(self.traced.get_or_init(|| traced))
    }

    /// Returns what is known of a run in which `races` has found nothing that races.
    fn without_races(&self, findings: Findings) -> Option<Known> {
        let races = findings.facts.racing.unwrap_or(0);
        let is_run = self.path.join(run_info::FILE).is_file();
        (races == 0 && is_run && records::exists(&self.path)).then(|| Known {
            hung: findings.hung,
            ..Known::default()
        })
    }
}

impl Traced {
    fn read(arguments: &Explore) -> Result<Traced> {
        let input = Input::open(&arguments.run)?;
        input
            .damage
            .iter()
            .for_each(|damage| say::aside(format!("error: {damage}")));
        ensure!(
            input.run.is_some(),
            "{} is no run of mpiscope, so nothing can be replayed; `mpiscope trace` makes one",
            arguments.run.display()
        );
        Ok(Traced {
            matching: input.trace.matching(),
            choices: Choices::of(&input.trace),
            input,
        })
    }

    /// Looks for races, and for all that can be forced.
    pub fn look(&self) -> (Findings, Known) {
        while_doing("looking for races", || {
            let (findings, races) = races::look(&self.input, &self.matching);
            let first = candidates(&self.input.trace, &self.choices, &races);
            let known = Known {
                races: races.count(),
                alternatives: first.len(),
                first,
                hung: findings.hung,
                told: self.told(),
            };
            (findings, known)
        })
    }

    /// Says what of the order the trace has told.
    fn told(&self) -> String {
        let untold: Vec<EventRef> = self.choices.untold().collect();
        let Some(&first) = untold.first() else {
            let several = self.choices.0.keys().any(|(_, thread)| *thread > 0);
            let but = match several {
                true => "who made which thread, so that only first threads are held",
                false => "which cancels came too late",
            };
            return format!("what was taken and when polls succeeded, not {but}");
        };
        let trace = &self.input.trace;
        let rank = trace.locations[first.location.index()].rank.0;
        let call = calls::call(trace, first).unwrap_or_else(|| "a wait".to_owned());
        let others = match untold.len() - 1 {
            0 => String::new(),
            others => format!(" (and on {})", show::counted(others as u64, "other thread")),
        };
        format!(
            "which requests complete, not which places they had in the program's arrays: from \
             {call} on, waits and polls of rank {rank} run free{others}"
        )
    }
}
