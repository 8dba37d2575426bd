//! Reads a run for the display: its trace, its times by every clock, and what analyses find.

pub(super) mod moved;
mod proven;
pub(super) mod sources;
pub(super) mod widths;

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{bail, ensure, Context, Result};
use mpiscope_analysis::critical_path::critical_path_by;
use mpiscope_analysis::evidence::Evidence;
use mpiscope_analysis::finding::{self, Findings};
use mpiscope_analysis::iterations::{Iterations, Lengths};
use mpiscope_analysis::races::Races;
use mpiscope_analysis::wait_states::WaitState;
use mpiscope_archive::model::{Location, Timestamp, Trace};
use mpiscope_run::directory;
use mpiscope_run::order as records;
use mpiscope_run::run_info::{self, RunInfo};
use mpiscope_serve::{About, Shown};
use mpiscope_sync::{presync, Config};
use mpiscope_tiles::{Run, Times};

use crate::cache::large::Large;
use crate::cli::Assumed;
use crate::correction::Summary;
use crate::end_of_run::EndOfRun;
use crate::evidence;
use crate::finish;
use crate::input::{self, Input, TimeBase};
use crate::packed;
use crate::progress::while_doing;
use crate::races;
use crate::report::{show, truth};
use crate::say;
use crate::stamp::Stamp;

use super::anonymous::{self, Names};
use super::kept;
use proven::Proven;

/// Refuses what cannot be shown: what is not there, and what is still being written.
pub fn refuse(path: &Path) -> Result<()> {
    let shown = path.display();
    ensure!(path.exists(), "{shown}: no such run or archive");
    if path.join(run_info::FILE).is_file() && !directory::anchor(path).exists() {
        let run_id = RunInfo::read(path).unwrap_or_default().run_id;
        if let Some(process) = finish::still_running(path, &run_id) {
            bail!(
                "{shown} is still being written: the program runs (process {process}); it can be \
                 shown when it has ended"
            );
        }
    }
    ensure!(
        mpiscope_archive::trace::anchor_of(path).is_ok() || !records::exists(path),
        "{shown} has an order record and no trace: what was found of its order cannot be told on \
         a time line; `mpiscope trace` records one, and `mpiscope diff --order` compares orders"
    );
    Ok(())
}

/// Events in memory, at most, where nobody says how much there is.
const MANY: u64 = 8_000_000;
/// What is used of memory then.
const USUAL: u64 = 900 << 20;

/// Returns a run as it is kept beside the archive, or reads it and keeps what is found; `is_new`
/// asks that nothing is kept.
pub fn load(path: &Path, names: Names, is_new: bool) -> Result<Shown> {
    let large = match is_new || names == Names::LeftOut {
        true => None,
        false => Large::of(path),
    };
    let name = packed::given(&input::run_of(path));
    let name = name.file_name().unwrap_or(name.as_os_str()).to_owned();
    let known = large.as_ref().and_then(|large| {
        let what = format!("reading what is kept of {}", name.display());
        while_doing(&what, || kept::shown(large, path, &name.to_string_lossy()))
    });
    match known {
        Some(shown) => Ok(shown),
        None => read(path, &name, names, large),
    }
}

/// Has columns of long runs lie in a file, unless that was asked for already.
fn limit_memory(path: &Path) {
    let events = mpiscope_archive::trace::events_of(path);
    if events.is_ok_and(|events| events > MANY) {
        // Where it cannot be, the run takes as much memory as it does.
        let _ = input::limit_memory(path, USUAL);
    }
}

/// Reads a run.
fn read(path: &Path, name: &OsStr, names: Names, large: Option<Large>) -> Result<Shown> {
    limit_memory(path);
    let mut input = Input::open(path)?;
    let is_there = is_there(&input);
    let doing = |what: &str| format!("{what} {}", name.display());
    let columns = Columns::of(&mut input);
    let mut about = about(&input, &name.to_string_lossy());
    about.notes.extend(columns.notes);
    let widths = widths::of(&input);
    let (shifts, moved) = moved::of(&input);
    about.notes.extend(moved.iter().cloned());
    let matching = while_doing(&doing("matching messages of"), || input.trace.matching());
    let evidence = Evidence::of(&input.trace, &matching);
    about.notes.extend(evidence::impossible(&evidence));
    let errors = while_doing(&doing("looking for errors in"), || {
        races::errors(&input, &matching, &evidence)
    });
    let proven = Proven::of(&input, &mut about.notes);
    let mut trace = std::mem::take(&mut input.trace);
    if names == Names::LeftOut {
        crate::anonymous::trace(&mut trace);
    }
    if names == Names::LeftOut {
        anonymous::about(&mut about);
    }
    let is_whole = input.damage.is_empty();
    let mut run = Run::matched(trace, matching);
    let mut findings = Findings::default();
    let mut iterations = Err("the run has no times".to_owned());
    proven.add(&run.trace, names, &mut findings);
    finding::of_errors(&run.trace, &errors, &mut findings);
    for (number, (clock, times)) in columns.clocks.into_iter().enumerate() {
        let times = Times::new(&run.trace, times);
        while_doing(&doing(&format!("looking at {clock} times of")), || {
            let raw = run.columns(&times);
            let (path, waits) = critical_path_by(&run.trace, &run.matching, &raw);
            if number == 0 {
                let all = waits.concat();
                finding::of_waits(&run.trace, &all, &mut findings);
                finding::of_path(&run.trace, &path, &raw, &mut findings);
                iterations = iterations_of(&run, &raw, &waits);
                if let Ok((found, lengths)) = &iterations {
                    finding::of_iterations(&run.trace, found, lengths, &mut findings);
                }
            }
            finding::of_reversed(&run.trace, &run.matching, clock, &raw, &mut findings);
            drop(raw);
            run.add_view(clock, times, &waits);
        });
    }
    while_doing(&doing("looking for races in"), || {
        let races = match is_whole {
            true => Races::find(&run.trace, &run.matching),
            false => Races::find_in_part(&run.trace, &run.matching),
        };
        finding::of_races(&run.trace, &races, &mut findings);
    });
    let places = kept::places(&input, &run, &name.to_string_lossy());
    let shown = Shown::new(about, run, findings, is_there);
    let shown = shown.with_widths(widths).with_iterations(iterations);
    let mut shown = shown.with_shifts(shifts);
    if let Some(places) = places {
        if let Some(large) = large.filter(|_| is_whole) {
            let what = doing("keeping what is known of");
            while_doing(&what, || {
                kept::keep(&large, &input, &shown, &places, &moved)
            });
        }
        if shown.run.event_count() > MANY {
            shown.run.leave_events(Box::new(places));
        }
    }
    Ok(shown)
}

/// Returns what tells whether all that is shown is still there as it was.
pub(super) fn is_there(input: &Input) -> impl Fn() -> bool + Send + Sync + 'static {
    let stamps = stamps(input);
    move || stamps.iter().all(Stamp::holds)
}

/// Returns where the program repeats itself, and how evenly by these times; or why it does not.
fn iterations_of(
    run: &Run,
    times: &[&[Timestamp]],
    waits: &[Vec<WaitState>],
) -> Result<(Iterations, Lengths), String> {
    let found = Iterations::by(&run.trace, &run.matching, times);
    let found = found.map_err(|reason| reason.to_string())?;
    let lengths = found.measure_by(&run.trace, times, waits);
    Ok((found, lengths))
}

/// What must not change while it is shown.
fn stamps(input: &Input) -> Vec<Stamp> {
    let corrected = input.corrected().map(|it| directory::anchor(&it));
    let files = [Some(input.anchor.clone()), corrected];
    files.into_iter().flatten().map(Stamp::of).collect()
}

/// The name of a clock, and its times if they are not the trace's own.
type Column = (&'static str, Option<Vec<Vec<Timestamp>>>);

/// The times of a run, the best clock's first.
#[derive(Default)]
struct Columns {
    clocks: Vec<Column>,
    /// What could not be had.
    notes: Vec<String>,
}

impl Columns {
    fn of(input: &mut Input) -> Columns {
        let own = match input.clock {
            Some(TimeBase::Corrected) => "corrected",
            _ => "measured",
        };
        let mut columns = Columns::default();
        let corrected = columns.noted(corrected(input));
        let has_clocks = corrected.is_some();
        columns
            .clocks
            .extend(corrected.map(|it| ("corrected", Some(it))));
        columns.clocks.push((own, None));
        if has_clocks {
            let interpolated = columns.noted(interpolated(input).map(Some));
            columns
                .clocks
                .extend(interpolated.map(|it| ("interpolated", Some(it))));
        }
        let known = directory::anchor(&directory::truth(&input.path)).is_file()
            || input.run.as_ref().is_some_and(|run| run.truth().is_some());
        if known && own == "measured" {
            let truth = columns.noted(truth::columns(input).map(Some));
            columns.clocks.extend(truth.map(|it| ("true", Some(it))));
        }
        columns
    }

    fn noted<T>(&mut self, found: Result<Option<T>>) -> Option<T> {
        found.unwrap_or_else(|error| {
            self.notes.push(say::chain(&error));
            None
        })
    }
}

/// Returns the times of the corrected archive, if there is one of these events.
pub fn corrected(input: &Input) -> Result<Option<Vec<Vec<Timestamp>>>> {
    let anchor = input.corrected().map(|it| directory::anchor(&it));
    let Some(anchor) = anchor.filter(|it| it.is_file()) else {
        return Ok(None);
    };
    let corrected = input::read(&anchor).context("the corrected archive cannot be read")?;
    let lengths = |trace: &Trace| -> Vec<(u64, usize)> {
        let length = |location: &Location| (location.id, location.events.len());
        trace.locations.iter().map(length).collect()
    };
    ensure!(
        lengths(&corrected) == lengths(&input.trace),
        "{} does not hold the events of the measured archive; `mpiscope sync --force` makes it anew",
        anchor.display()
    );
    Ok(Some(corrected.times()))
}

/// Computes the times before the clock condition was restored, as the run's correction did.
fn interpolated(input: &mut Input) -> Result<Vec<Vec<Timestamp>>> {
    let mut matching = input.trace.matching();
    let mut clocks = None;
    if let Some(kept) = Summary::kept(input) {
        matching.assumptions = Assumed::all(&kept.assume);
        clocks = kept.clock_claims.asked();
    }
    crate::clocks::Told::of(&mut input.trace, &matching, clocks);
    let config = Config {
        assumptions: matching.assumptions,
        ..Config::default()
    };
    let found = presync(&input.trace, &matching, &config).context("no interpolated times")?;
    Ok(found.times)
}

/// What is known of a run besides its events.
fn about(input: &Input, name: &str) -> About {
    let end = EndOfRun::of(input);
    let ended = end.iter().flat_map(|end| &end.ranks);
    let ended = ended.map(|it| (it.rank, it.predicate())).collect();
    let mut notes = input.damage.clone();
    notes.extend(input.not_kept());
    notes.extend(input.run.iter().flat_map(|run| run.notes.clone()));
    notes.extend(end.iter().flat_map(EndOfRun::sentences));
    About {
        name: name.to_owned(),
        is_timeless: false,
        facts: facts(input),
        notes,
        ended,
        sources: sources::read(&input.trace.definitions.call_sites),
    }
}

fn facts(input: &Input) -> Vec<(String, String)> {
    let mut facts = vec![("Archive", path(&input.anchor))];
    if let Some(run) = &input.run {
        let known = [
            ("Program", run.program.clone()),
            ("Command", run.command.join(" ")),
            (
                "MPI",
                format!("{} {}", run.mpi.name, run.mpi.version)
                    .trim()
                    .to_owned(),
            ),
            ("Hosts", run.hosts.join(", ")),
        ];
        facts.extend(known.into_iter().filter(|(_, value)| !value.is_empty()));
    }
    facts.push(("Processes", show::count(input.ranks())));
    facts.push(("Events", show::count(input.trace.event_count() as u64)));
    let owned = facts.into_iter();
    owned
        .map(|(word, value)| (word.to_owned(), value))
        .collect()
}

fn path(path: &Path) -> String {
    packed::given(path).display().to_string()
}
