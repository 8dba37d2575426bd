//! The runs, read one after another so that memory is that of one, and what speaks against comparing
//! them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use mpiscope_analysis::compare::{Key, Measures};
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::profile::Asked;
use mpiscope_analysis::scaling::Run;
use mpiscope_analysis::whatif::Replay;
use mpiscope_run::run_info::RunInfo;

use crate::analyze;
use crate::call::base;
use crate::end_of_run::EndOfRun;
use crate::evidence;
use crate::input::{Input, TimeBase};
use crate::launch::environment::Launch;
use crate::progress::while_doing;
use crate::recorded_command::Program;
use crate::report::show;
use crate::traced::{self, FEW};

/// Why runs may not be compared.
#[derive(Clone)]
pub struct Doubt {
    /// A run.
    pub path: PathBuf,
    /// What of it, in a sentence.
    pub what: String,
    /// It could not be read as a whole.
    pub is_damage: bool,
}

/// A run that was read.
pub struct Loaded {
    /// As it was named.
    pub path: PathBuf,
    pub run: Run,
    /// Its programs, if they are known.
    pub programs: Vec<Program>,
    /// What its times are.
    pub clock: &'static str,
    /// That its clocks contradict each other.
    pub clocks: Option<String>,
    /// In what the trace does not tell all waiting.
    pub untold: Vec<String>,
    /// Why it may not be compared.
    pub doubts: Vec<Doubt>,
    /// What else was not kept, or makes no sense.
    pub notes: Vec<String>,
    /// What could not be read.
    pub damage: Vec<String>,
}

/// Reads a run.
pub fn run(path: &Path, measured: bool) -> Result<Loaded> {
    let input = traced::open(path, measured)?;
    let programs = programs(&input);
    let (mut run, untold, impossible) = while_doing("measuring", || {
        let matching = input.trace.matching();
        let replayed = analyze::is_replayed(&input.trace, false);
        let replay = replayed.then(|| Replay::of(&input.trace, &matching));
        let asked = Asked {
            causes: input.trace.event_count() <= FEW,
            replay: replay.as_ref().map(|it| it as _),
            ..Asked::default()
        };
        let (run, profile) = Run::with_profile(&input.trace, &matching, &asked);
        let untold = analyze::untold(&input.trace, &matching, &profile);
        let impossible = evidence::impossible(&Evidence::of(&input.trace, &matching));
        (run, untold, impossible)
    });
    run.arguments = arguments(&programs);
    run.is_corrected = input.clock == Some(TimeBase::Corrected);
    let of_run = |what: String| format!("{}: {what}", show::word(path));
    // What is lost comes first, and is a doubt.
    let lost = input.run.as_ref().map_or(0, |run| run.lost().len());
    let notes = input.not_kept().into_iter().skip(lost);
    let damage = traced::damage(&input);
    let doubt = |is_damage| {
        let path = path.to_owned();
        move |what| Doubt {
            path: path.clone(),
            what,
            is_damage,
        }
    };
    let doubts = unfit(&input).map(of_run).map(doubt(false));
    Ok(Loaded {
        path: path.to_owned(),
        programs,
        clock: traced::clock(&input),
        clocks: analyze::contradictions(&input, run.contradictions).map(of_run),
        untold: untold.into_iter().map(of_run).collect(),
        doubts: doubts
            .chain(damage.iter().cloned().map(doubt(true)))
            .collect(),
        notes: notes.chain(impossible).map(of_run).collect(),
        damage,
        run,
    })
}

/// Returns the programs of a run as it was launched, else what it says of itself, of which neither
/// arguments nor build are known.
fn programs(input: &Input) -> Vec<Program> {
    let Some(run) = &input.run else {
        return Vec::new();
    };
    let launched = Launch::read(&input.path).map_or(Vec::new(), |launch| launch.programs);
    match launched.is_empty() && !run.program.is_empty() {
        true => vec![Program {
            name: base(&run.program).to_owned(),
            ..Program::default()
        }],
        false => launched,
    }
}

/// Returns all words after programs; nothing where a launch did not tell them.
fn arguments(programs: &[Program]) -> Option<Vec<String>> {
    let is_told = |it: &Program| !it.build.is_empty();
    let words = programs.iter().flat_map(|it| it.arguments.clone());
    (!programs.is_empty() && programs.iter().all(is_told)).then(|| words.collect())
}

/// Says why a run is not what the program does: it died, or events are lost.
fn unfit(input: &Input) -> impl Iterator<Item = String> {
    let end = EndOfRun::of(input);
    let end = end.map(|end| format!("the run has no end: {}", end.sentences().join("; ")));
    let lost = input.run.as_ref().map_or_else(Vec::new, RunInfo::lost);
    let lost = (!lost.is_empty()).then(|| format!("the run is not complete: {}", lost.join(", ")));
    end.into_iter().chain(lost)
}

/// Says why runs may not be compared.
pub fn doubts(loaded: &[Loaded]) -> Vec<Doubt> {
    let of_runs = loaded.iter().flat_map(|it| it.doubts.clone());
    let Some((first, others)) = loaded.split_first() else {
        return Vec::new();
    };
    let others = others.iter().find(|it| !first.is_of_program(it));
    let programs = others.map(|other| Doubt {
        path: other.path.clone(),
        what: format!(
            "{} is of {}, and {} of {}: no runs of one program",
            show::word(&first.path),
            first.program(),
            show::word(&other.path),
            other.program()
        ),
        is_damage: false,
    });
    programs.into_iter().chain(of_runs).collect()
}

impl Loaded {
    fn names(&self) -> Vec<&str> {
        self.programs.iter().map(|it| it.name.as_str()).collect()
    }

    fn program(&self) -> String {
        match self.names().join(", ") {
            names if names.is_empty() => "a program with other calls".to_owned(),
            names => names,
        }
    }

    /// Returns whether both may be of one program: by name, else because they have a call or
    /// region in common.
    fn is_of_program(&self, other: &Loaded) -> bool {
        match self.programs.is_empty() || other.programs.is_empty() {
            false => self.names() == other.names(),
            true => {
                let (a, b) = (parts(&self.run.measures), parts(&other.run.measures));
                a.is_empty() || b.is_empty() || !a.is_disjoint(&b)
            }
        }
    }

    /// Returns whether another run's program is known to be another build of this one's.
    pub fn is_other_build(&self, other: &Loaded) -> bool {
        let pairs = self.programs.iter().zip(&other.programs);
        let is_known = |(a, b): &(&Program, &Program)| !a.build.is_empty() && !b.build.is_empty();
        pairs.filter(is_known).any(|(a, b)| a.build != b.build)
    }
}

fn parts(run: &Measures) -> BTreeSet<String> {
    let named = run.rows.keys().filter_map(|key| match key {
        Key::Call(_) | Key::Region(_) => Some(key.typed()),
        _ => None,
    });
    named.collect()
}
