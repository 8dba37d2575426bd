//! Which archive a path means, and in which time it is read.

use std::fs;
use std::path::{Path, PathBuf};

use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_archive::corrected::is_corrected;
use mpiscope_archive::model::{Assumptions, Location, Matching, Trace};
use mpiscope_archive::trace::{anchor_of, applied_offsets, read_trace};
use mpiscope_archive::uncertainty::Uncertainty;
use mpiscope_run::directory;
use mpiscope_run::run_info::{self, RunInfo};
use mpiscope_sync::{presync, test_claims, Config};

use crate::errors::Failure;
use crate::packed::{self, Unpacked};

/// What times are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// As the clocks showed them.
    Measured,
    /// Mapped to one clock.
    Interpolated,
    /// Mapped to one clock, and put in order.
    Corrected,
}

impl Clock {
    const ALL: [Clock; 3] = [Clock::Measured, Clock::Interpolated, Clock::Corrected];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Measured => "measured",
            Clock::Interpolated => "interpolated",
            Clock::Corrected => "corrected",
        }
    }

    /// Returns the one of a name.
    pub fn of(name: &str) -> Result<Clock, Failure> {
        let found = Clock::ALL.into_iter().find(|clock| clock.name() == name);
        found.ok_or_else(|| {
            let names = Clock::ALL.map(Clock::name).join("', '");
            Failure::Asked(format!("clock is one of '{names}', not '{name}'"))
        })
    }
}

/// A run or an archive, read.
#[derive(Debug)]
pub struct Source {
    /// The archive's anchor.
    pub anchor: PathBuf,
    /// Its events.
    pub trace: Trace,
    /// Its times; nothing if nobody knows, as of other tools' archives.
    pub clock: Option<Clock>,
    /// What is known of the run.
    pub run: Option<RunInfo>,
    /// What could not be read, in sentences.
    pub damage: Vec<String>,
    /// By how much times can be wrong.
    pub clock_errors: ClockErrors,
    /// A packed run lies there unpacked.
    _unpacked: Option<Unpacked>,
    assumptions: Assumptions,
}

impl Source {
    /// Reads what a path means: of a run the corrected archive, if it has been corrected and
    /// nothing else is asked for; of a packed run what it holds; of another file that archive.
    pub fn open(path: &Path, asked: Option<Clock>) -> Result<Source, Failure> {
        fs::metadata(path).map_err(|error| mpiscope_archive::Error::io(path, error))?;
        let unpacked = packed::unpacked(path)?;
        let path = unpacked.as_ref().map_or(path, |unpacked| &unpacked.run);
        let anchor = anchor(path, asked)?;
        let mut trace = read_trace(&anchor)?;
        let mut damage: Vec<String> = trace.locations.iter().filter_map(truncation).collect();
        damage.extend(
            unpacked
                .iter()
                .filter_map(|unpacked| unpacked.damage.clone()),
        );
        let folder = run_folder(&anchor);
        let run = folder.as_deref().map(RunInfo::read).transpose();
        let run = run.unwrap_or_else(|error| {
            damage.push(error.to_string());
            None
        });
        let assumptions = assumptions(run.as_ref());
        let mut clock = clock_of(&anchor, folder.is_some())?;
        if asked == Some(Clock::Interpolated) {
            interpolate(&anchor, &mut trace, assumptions)?;
            clock = asked;
        }
        if asked.is_none() && clock.is_none() {
            if let Some(times) = applied_offsets(&trace) {
                trace.set_times(times);
                clock = Some(Clock::Interpolated);
            }
        }
        let clock_errors = clock_errors(&anchor, &trace, clock).unwrap_or_else(|error| {
            damage.push(format!(
                "by how much clocks can be wrong is not known: {error}"
            ));
            ClockErrors::measured(&trace)
        });
        Ok(Source {
            anchor,
            trace,
            clock,
            run,
            damage,
            clock_errors,
            _unpacked: unpacked,
            assumptions,
        })
    }

    /// Matches what was sent and received, by what the run's correction takes for granted.
    pub fn matching(&self) -> Matching {
        Matching {
            assumptions: self.assumptions,
            ..self.trace.matching()
        }
    }
}

/// Returns the anchor of the archive that is meant.
fn anchor(path: &Path, asked: Option<Clock>) -> Result<PathBuf, Failure> {
    let corrected = directory::anchor(&directory::corrected(path));
    let has_corrected = path.join(run_info::FILE).is_file() && corrected.is_file();
    let shown = path.display();
    match asked {
        None | Some(Clock::Corrected) if has_corrected => return Ok(corrected),
        _ => {}
    }
    let anchor = anchor_of(path)?;
    match (asked, is_corrected(&anchor)?) {
        (Some(Clock::Corrected), false) => Err(Failure::Asked(format!(
            "the times of {shown} have not been corrected: `mpiscope sync {shown}` does that"
        ))),
        (Some(Clock::Measured | Clock::Interpolated), true) => Err(Failure::Asked(format!(
            "the times of {shown} are corrected, and the measured ones are in another archive: \
             name the run, or its traces.otf2"
        ))),
        _ => Ok(anchor),
    }
}

/// Returns the run that an archive belongs to.
fn run_folder(anchor: &Path) -> Option<PathBuf> {
    let folder = anchor.parent()?;
    let folders = [Some(folder), folder.parent()];
    let is_run = |folder: &&Path| folder.join(run_info::FILE).is_file();
    let run = folders.into_iter().flatten().find(is_run)?;
    let own = [
        directory::anchor(run),
        directory::anchor(&directory::corrected(run)),
    ];
    own.iter().any(|own| own == anchor).then(|| run.to_owned())
}

fn clock_of(anchor: &Path, is_of_run: bool) -> Result<Option<Clock>, Failure> {
    Ok(match is_corrected(anchor)? {
        true => Some(Clock::Corrected),
        false => is_of_run.then_some(Clock::Measured),
    })
}

/// Returns what the run's correction took for granted, else what is usual.
fn assumptions(run: Option<&RunInfo>) -> Assumptions {
    let kept = run.and_then(|run| run.correction.as_ref()?.get("assume")?.as_array());
    let Some(kept) = kept else {
        return Assumptions::default();
    };
    let holds = |name: &str| kept.iter().any(|it| it == name);
    Assumptions {
        init: holds("init"),
        finalize: holds("finalize"),
        creation: holds("creation"),
    }
}

/// Returns what the file beside a corrected archive says of its clocks; else that the times of one
/// clock agree, which is all that is known.
fn clock_errors(
    anchor: &Path,
    trace: &Trace,
    clock: Option<Clock>,
) -> Result<ClockErrors, mpiscope_archive::Error> {
    let is_corrected = clock == Some(Clock::Corrected);
    let folder = anchor.parent().filter(|_| is_corrected);
    let Some(kept) = folder.map_or(Ok(None), Uncertainty::read)? else {
        return Ok(ClockErrors::measured(trace));
    };
    let window = [kept.begin_ns, kept.window_ns];
    Ok(ClockErrors::told(
        trace,
        kept.clock_numbers(),
        window,
        kept.intervals(),
    ))
}

/// Maps all times to one clock, as `mpiscope sync` does before it puts them in order.
fn interpolate(anchor: &Path, trace: &mut Trace, assumptions: Assumptions) -> Result<(), Failure> {
    let mut matching = trace.matching();
    matching.assumptions = assumptions;
    let _ = test_claims(trace, &matching);
    let config = Config {
        assumptions,
        ..Config::default()
    };
    let found = presync(trace, &matching, &config).map_err(|error| {
        let anchor = anchor.display();
        Failure::Other(format!(
            "the times of {anchor} cannot be interpolated: {error}"
        ))
    })?;
    trace.set_times(found.times);
    Ok(())
}

fn truncation(location: &Location) -> Option<String> {
    let what = location.truncated.as_ref()?;
    Some(format!(
        "rank {}, location {}: only the first {} events could be read: {what}",
        location.rank.0,
        location.id,
        location.events.len()
    ))
}
