//! `mpiscope pack --anonymize`: a run made anew from its events, of which nothing says where, by
//! whom, when and of what program it is.
//!
//! Nothing is copied: the archives are written from what was read and had its names taken out,
//! `run.json` from the fields that hold none. So nothing can leak that nobody thought of; what is
//! not written here is left out.

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use mpiscope_archive::corrected::CORRECTED;
use mpiscope_archive::model::{Timestamp, Trace};
use mpiscope_archive::uncertainty::Uncertainty;
use mpiscope_archive::write::write_trace;
use mpiscope_run::directory;
use mpiscope_run::process::MpiLibrary;
use mpiscope_run::run_info::RunInfo;
use tempfile::TempDir;

use super::{below, refuse_unfinished};
use crate::input::{Damaged, Input, TimeBase};
use crate::packed::Source;
use crate::progress::while_doing;
use crate::report::show;
use crate::view::corrected_times;
use crate::{anonymous, signals};

/// The name of a run that has none.
pub const ANONYMOUS: &str = "anonymous.mpiscope";

/// What of a run is written anew.
const WRITTEN: [&str; 5] = [
    "traces.otf2",
    "traces.def",
    "traces",
    "corrected",
    "run.json",
];

/// A run without names, in a folder that goes away with it.
pub struct Anonymous {
    folder: TempDir,
    /// What lay in the run and is not in it.
    others: BTreeSet<String>,
}

impl Anonymous {
    /// Makes it.
    ///
    /// # Errors
    /// Where the run is not finished, has no trace, or is damaged: what was left of it could not be
    /// told from what was left out.
    pub fn make(path: &Path, is_run: bool) -> Result<Anonymous> {
        if is_run {
            refuse_unfinished(path)?;
        }
        let input = Input::open(path).with_context(|| {
            let shown = path.display();
            format!("{shown}: only what has a trace can be packed with --anonymize")
        })?;
        if let Some(damage) = input.damage.first() {
            return Err(Damaged(format!("not packed, as it is damaged: {damage}")).into());
        }
        let folder = tempfile::Builder::new().prefix("mpiscope-").tempdir()?;
        signals::remove_when_ended(folder.path())?;
        let made = Anonymous {
            others: others(path, is_run)?,
            folder,
        };
        while_doing("taking names out", || made.write(input))?;
        Ok(made)
    }

    fn write(&self, mut input: Input) -> Result<()> {
        let folder = self.folder.path();
        let corrected = corrected_times(&input)?;
        let uncertainty = match (&corrected, input.corrected()) {
            (Some(_), Some(directory)) => Uncertainty::read(&directory)?,
            _ => None,
        };
        let is_corrected = input.clock == Some(TimeBase::Corrected);
        let mut trace = std::mem::take(&mut input.trace);
        anonymous::trace(&mut trace);
        // When a run was its times tell: all of them are counted from its first event.
        let begin = begin(&trace, corrected.as_deref());
        let own = trace.times();
        set_times(&mut trace, own, begin);
        for measurement in trace.clocks.iter_mut().flat_map(|it| &mut it.measurements) {
            measurement.time = moved(measurement.time, begin);
        }
        write_trace(&trace, folder, &properties(is_corrected))?;
        if let Some(times) = corrected {
            let place = directory::corrected(folder);
            fs::create_dir_all(&place)?;
            set_times(&mut trace, times, begin);
            // They are in the times.
            trace
                .clocks
                .iter_mut()
                .for_each(|it| it.measurements.clear());
            write_trace(&trace, &place, &properties(true))?;
            if let Some(uncertainty) = uncertainty {
                let begin_ns = uncertainty.begin_ns.saturating_sub(begin.0);
                Uncertainty {
                    begin_ns,
                    ..uncertainty
                }
                .write(&place)?;
            }
        }
        if let Some(run) = &input.run {
            run_info(run, &trace).write(folder)?;
        }
        // When it was packed is nobody's business either.
        for path in below(folder)? {
            set_epoch(&folder.join(path))?;
        }
        set_epoch(folder)
    }

    /// Returns what is to be packed.
    pub fn source(&self) -> Result<Source> {
        Ok(Source {
            folder: self.folder.path().to_owned(),
            root: ANONYMOUS.to_owned(),
            paths: below(self.folder.path())?,
        })
    }

    /// Says what is not in it.
    pub fn left_out(&self) -> String {
        let names: Vec<&String> = self.others.iter().collect();
        let others = match names.is_empty() {
            true => String::new(),
            false => format!("; and as files: {}", show::list(&names, 12)),
        };
        format!(
            "Left out: names of hosts, paths, the program with its arguments, sources and the places \
             of calls in them, names that the program gave to communicators and windows, values and \
             units of metrics, notes, and when it ran{others}. Names of functions and regions, and \
             the MPI, are in it."
        )
    }
}

/// Lists what lies in a run, or beside an archive of a run, and is not written anew.
fn others(path: &Path, is_run: bool) -> Result<BTreeSet<String>> {
    if !is_run {
        return Ok(BTreeSet::new());
    }
    let context = || format!("cannot read {}", path.display());
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(path).with_context(context)? {
        let name = entry.with_context(context)?.file_name();
        let name = name.to_string_lossy().into_owned();
        if !WRITTEN.contains(&name.as_str()) {
            names.insert(name);
        }
    }
    Ok(names)
}

/// Returns when the first event happened, by whatever clock that is earliest.
fn begin(trace: &Trace, corrected: Option<&[Vec<Timestamp>]>) -> Timestamp {
    let own = trace.locations.iter().flat_map(|it| it.events.times());
    let corrected = corrected.iter().flat_map(|it| it.iter()).flatten();
    own.chain(corrected).copied().min().unwrap_or_default()
}

fn moved(time: Timestamp, begin: Timestamp) -> Timestamp {
    Timestamp(time.0.saturating_sub(begin.0))
}

fn set_times(trace: &mut Trace, times: Vec<Vec<Timestamp>>, begin: Timestamp) {
    for (location, times) in trace.locations.iter_mut().zip(times) {
        let times = times.into_iter().map(|time| moved(time, begin));
        location.events.set_times(times.collect());
    }
}

fn properties(is_corrected: bool) -> Vec<(String, String)> {
    let mark = is_corrected.then(|| (CORRECTED.to_owned(), "true".to_owned()));
    mark.into_iter().collect()
}

/// Returns those facts of a run that name nothing.
fn run_info(run: &RunInfo, trace: &Trace) -> RunInfo {
    let nodes = trace.definitions.system_tree.iter();
    let nodes = nodes.filter(|node| node.class == "node");
    let left_out = match run.notes.len() {
        0 => "Names of hosts, paths, the program and sources are left out of this run".to_owned(),
        count => format!(
            "Names of hosts, paths, the program and sources are left out of this run, and {}, \
             which may hold some",
            show::counted(count as u64, "note")
        ),
    };
    RunInfo {
        state: run.state,
        agent_version: run.agent_version.clone(),
        mpi: MpiLibrary {
            path: String::new(),
            ..run.mpi.clone()
        },
        hosts: nodes.map(|node| node.name.clone()).collect(),
        world_size: run.world_size,
        locations: run.locations,
        missing: run.missing.clone(),
        events: run.events,
        events_lost: run.events_lost,
        unobserved: run.unobserved.clone(),
        threads_lost: run.threads_lost,
        definitions_lost: run.definitions_lost,
        notes: vec![left_out],
        lived_on: run.lived_on.clone(),
        exit_code: run.exit_code,
        ..RunInfo::default()
    }
}

fn set_epoch(path: &Path) -> Result<()> {
    let times = FileTimes::new().set_modified(UNIX_EPOCH);
    File::open(path)?.set_times(times)?;
    Ok(())
}
