//! `mpiscope simulate`: a run that never was, with the truth beside it.

mod options;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{ensure, Context, Result};
use mpiscope_archive::corrected::write_corrected;
use mpiscope_archive::model::{Duration, Timestamp};
use mpiscope_archive::write::{write_trace, WrittenTrace};
use mpiscope_run::directory;
use mpiscope_run::run_info::{Archive, RunInfo, State};
use mpiscope_simulate::preset::PRESETS;
use mpiscope_simulate::{simulate, Parameters, Simulated};
use serde::Serialize;

use crate::aside::replace;
use crate::cli::Simulate;
use crate::info;
use crate::input::{Input, TimeBase};
use crate::report::show;
use crate::rundir::{self, shown};
use crate::{say, signals};

/// Runs the command; returns its exit code.
pub fn run(arguments: &Simulate) -> Result<u8> {
    if arguments.list {
        say::report(list())?;
        return Ok(0);
    }
    let name = arguments.what.as_deref().unwrap_or_default();
    let parameters = options::parameters(name, arguments)?;
    let simulated = simulate(&parameters)?;
    let (run, place) = signals::make_fleeting(|| {
        let (run, place) =
            rundir::create_beside(arguments.output.as_deref(), name, arguments.force)?;
        Ok(((run.clone(), place), run))
    })?;
    let mut report = write(&run, name, &parameters, &simulated).inspect_err(|_| {
        let _ = std::fs::remove_dir_all(&run);
    })?;
    info::keep_measured(&mut Input {
        trace: simulated.trace,
        path: run.clone(),
        anchor: report.archive.clone(),
        run: Some(RunInfo::read(&run)?),
        clock: Some(TimeBase::Measured),
        ..Input::default()
    });
    if let Some(place) = place {
        replace(&run, &place).with_context(|| format!("cannot write {}", place.display()))?;
        report.move_to(&place);
    }
    match arguments.json {
        true => say::report(serde_json::to_string_pretty(&report)?)?,
        false => say::report(report.text())?,
    }
    Ok(0)
}

/// What was made.
#[derive(Debug, Serialize)]
struct Report {
    /// The run.
    run: PathBuf,
    /// Its archive.
    archive: PathBuf,
    /// The same events in true time, as the master's clock would have shown it.
    truth: PathBuf,
    ranks: u64,
    hosts: u64,
    clocks: u64,
    events: u64,
    /// Bytes of the measured archive's events.
    bytes: u64,
    /// What it was made from.
    parameters: Parameters,
}

/// Writes archive, truth and `run.json`.
fn write(run: &Path, name: &str, parameters: &Parameters, made: &Simulated) -> Result<Report> {
    let began = Instant::now();
    let mark = [("MPISCOPE::SIMULATED".to_owned(), name.to_owned())];
    let written = write_trace(&made.trace, run, &mark)?;
    // The same events again; all times moved alike.
    let mut truth = made.master_time();
    let moved = |time: &mut Timestamp| *time += Duration(written.shift);
    truth.iter_mut().flatten().for_each(moved);
    let truth = write_corrected(run, &directory::truth(run), &truth, &mark)?;
    ensure!(
        truth.shift == 0,
        "true times before zero: a later --start helps"
    );
    let seconds = began.elapsed().as_secs_f64();
    let info = describe(name, parameters, made, &written, seconds)?;
    info.write(run)?;
    Ok(Report {
        run: run.to_owned(),
        archive: written.anchor,
        truth: truth.anchor,
        ranks: parameters.ranks.into(),
        hosts: parameters.hosts.into(),
        clocks: made.clocks.len() as u64,
        events: written.events,
        bytes: written.bytes,
        parameters: parameters.clone(),
    })
}

fn describe(
    name: &str,
    parameters: &Parameters,
    made: &Simulated,
    written: &WrittenTrace,
    seconds: f64,
) -> Result<RunInfo> {
    let nodes = made.trace.definitions.system_tree.iter().skip(1);
    let mut info = RunInfo {
        state: State::Finished,
        command: std::env::args().collect(),
        program: name.to_owned(),
        hosts: nodes.map(|node| node.name.clone()).collect(),
        world_size: parameters.ranks,
        locations: parameters.ranks.into(),
        events: written.events,
        archive: Some(Archive {
            bytes: written.bytes,
            events: written.events,
            seconds,
        }),
        notes: vec!["simulated: the program never ran; what truly happened is in truth/".into()],
        ..RunInfo::default()
    };
    let parameters = serde_json::to_value(parameters).context("parameters are no JSON")?;
    info.other.insert("simulated".to_owned(), parameters);
    Ok(info)
}

impl Report {
    /// Has the run be elsewhere.
    fn move_to(&mut self, place: &Path) {
        for path in [&mut self.archive, &mut self.truth] {
            if let Ok(within) = path.strip_prefix(&self.run) {
                *path = place.join(within);
            }
        }
        self.run = place.to_owned();
    }

    fn text(&self) -> String {
        let run = shown(&self.run);
        let contents = [
            show::counted(self.ranks, "rank"),
            show::counted(self.hosts, "host"),
            show::counted(self.clocks, "clock"),
            show::counted(self.events, "event"),
        ];
        format!(
            "{run}: simulated, {}\ntrue times: {}\n\nnext: mpiscope sync --truth {run}",
            contents.join(", "),
            shown(&self.truth),
        )
    }
}

fn list() -> String {
    let programs = options::PROGRAMS
        .iter()
        .map(|(name, _, about)| (*name, *about));
    let presets = PRESETS.iter().map(|preset| (preset.name, preset.about));
    let lines = |rows: Vec<(&str, &str)>| {
        let line = |(name, about): (&str, &str)| format!("  {name:<20}{about}");
        rows.into_iter().map(line).collect::<Vec<_>>().join("\n")
    };
    format!(
        "Programs, 64 ranks on 8 hosts for 10 s unless said:\n{}\n\nPresets, halo with 512 ranks on 32 hosts unless said:\n{}",
        lines(programs.collect()),
        lines(presets.collect())
    )
}
