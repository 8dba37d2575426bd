//! Reads a run for the display: its trace, its times by every clock, and what analyses find.

mod about;
mod clocks;
mod found;
pub(super) mod moved;
mod proven;
pub(super) mod sources;
pub(super) mod widths;

use std::ffi::OsStr;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{bail, ensure, Result};
use mpiscope_run::directory;
use mpiscope_run::order as records;
use mpiscope_run::run_info::{self, RunInfo};
use mpiscope_serve::Shown;
use mpiscope_tiles::Run;

use crate::cache::large::{Large, Unkept};
use crate::input::{self, Input};
use crate::living;
use crate::packed;
use crate::progress::while_doing;
use crate::report::show;
use crate::stamp::Stamp;
use crate::{say, size};

use super::anonymous::{self, Names};
use super::kept;
use clocks::Columns;
use found::{Certain, Found};

pub use clocks::corrected;

/// Refuses what cannot be shown: what is not there, and what is still being written.
pub fn refuse(path: &Path) -> Result<()> {
    let shown = path.display();
    ensure!(path.exists(), "{shown}: no such run or archive");
    if path.join(run_info::FILE).is_file() && !directory::anchor(path).exists() {
        let run_id = RunInfo::read(path).unwrap_or_default().run_id;
        if let Some(process) = living::still_running(path, &run_id) {
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

/// Returns a run as it is kept beside the archive, or reads it and keeps what is found; `is_new`
/// asks that nothing is kept.
pub fn load(path: &Path, names: Names, is_new: bool) -> Result<Shown> {
    let large = match is_new || names == Names::LeftOut {
        true => None,
        false => Large::of(path),
    };
    Ok(loaded(path, names, large)?.shown)
}

/// Has what is found of a run be kept beside its archive; says so, or that a run is too small for it,
/// and what of it could not be read.
///
/// # Errors
/// If it cannot be read, or nothing can be kept though reading it takes long.
pub fn keep(path: &Path) -> Result<(String, Vec<String>)> {
    /// What has changed within the last moments is not kept: it may change again unseen.
    const TRIES: u32 = 4;
    let given = packed::given(path);
    let name = show::word(&given);
    ensure!(
        given == path,
        "{name} is a packed run, beside which nothing is kept; unpack it first: \
         `mpiscope unpack {name}`"
    );
    let mut tries = 0;
    loop {
        tries += 1;
        let Loaded {
            shown,
            kept,
            damage,
        } = loaded(path, Names::Kept, Large::of(path))?;
        match kept {
            Ok(()) => {
                let said = format!("{name}: what the page needs is kept beside it");
                return Ok((said, damage));
            }
            Err(Unkept::Changed) if tries < TRIES => sleep(Duration::from_secs(1)),
            Err(why) if !is_long(&shown) => {
                let said = format!(
                    "{name}: reading it takes no time, and nothing is kept: {}",
                    reason(&why)
                );
                return Ok((said, damage));
            }
            Err(why @ Unkept::Damaged) => {
                let said = format!(
                    "{name}: nothing is kept, and `mpiscope view` reads it again at each start: {}",
                    reason(&why)
                );
                return Ok((said, damage));
            }
            Err(why) => bail!(
                "nothing is kept of {name}, and `mpiscope view` reads it again at each start: {}",
                reason(&why)
            ),
        }
    }
}

fn reason(why: &Unkept) -> String {
    match why {
        Unkept::Changed => "its files change meanwhile".to_owned(),
        Unkept::TooLarge { length, room } => format!(
            "what is known of it takes {}, and the tenth of its archive that it may take has {} left",
            size::show(*length),
            size::show(*room)
        ),
        Unkept::Unwritable => "the file cannot be written".to_owned(),
        Unkept::Damaged => "a part of it could not be read".to_owned(),
        Unkept::NoBlocks => {
            "its events mean something else where they stand than each by itself".to_owned()
        }
    }
}

/// A run that was read.
struct Loaded {
    shown: Shown,
    /// Whether what is known of it is kept.
    kept: Result<(), Unkept>,
    /// What of it could not be read.
    damage: Vec<String>,
}

/// Returns a run.
fn loaded(path: &Path, names: Names, large: Option<Large>) -> Result<Loaded> {
    let name = packed::given(&input::run_of(path));
    let name = name.file_name().unwrap_or(name.as_os_str()).to_owned();
    let known = large.as_ref().and_then(|large| {
        let what = format!("reading what is kept of {}", name.display());
        while_doing(&what, || kept::shown(large, path, &name.to_string_lossy()))
    });
    match known {
        // Of a damaged run nothing is kept.
        Some(shown) => Ok(Loaded {
            shown,
            kept: Ok(()),
            damage: Vec::new(),
        }),
        None => read(path, &name, names, large),
    }
}

/// Reads a run.
fn read(path: &Path, name: &OsStr, names: Names, large: Option<Large>) -> Result<Loaded> {
    input::limit_memory_beyond(MANY, path);
    let mut input = Input::open(path)?;
    let is_there = is_there(&input);
    let doing = |what: &str| format!("{what} {}", name.display());
    let columns = Columns::of(&mut input);
    let mut about = about::of(&input, &name.to_string_lossy());
    about.notes.extend(columns.notes);
    let widths = widths::of(&input);
    let (shifts, moved) = moved::of(&input);
    about.notes.extend(moved.iter().cloned());
    let matching = while_doing(&doing("matching messages of"), || input.trace.matching());
    let certain = Certain::of(&input, &matching, &mut about.notes, &doing);
    let mut trace = std::mem::take(&mut input.trace);
    if names == Names::LeftOut {
        crate::anonymous::trace(&mut trace);
        anonymous::about(&mut about);
    }
    let damage = input.damage.clone();
    let run = Run::matched(trace, matching);
    let Found {
        run,
        findings,
        iterations,
        verdict,
        analysis,
        ..
    } = Found::of(run, columns.clocks, certain, names, &doing);
    about.verdict = verdict;
    about.analysis = analysis;
    let places = kept::places(&input, &run, &name.to_string_lossy());
    let shown = Shown::new(about, run, findings, is_there);
    let shown = shown.with_widths(widths).with_iterations(iterations);
    let mut shown = shown.with_shifts(shifts);
    let Some(places) = places else {
        return Ok(Loaded {
            shown,
            kept: Err(Unkept::NoBlocks),
            damage,
        });
    };
    let kept = match large {
        _ if !damage.is_empty() => Err(Unkept::Damaged),
        None => Err(Unkept::Unwritable),
        Some(large) => while_doing(&doing("keeping what is known of"), || {
            kept::keep(&large, &input, &shown, &places, &moved)
        }),
    };
    if let (Err(why @ Unkept::TooLarge { .. }), true) = (&kept, is_long(&shown)) {
        say::aside(format!(
            "{} is read again at each start: {}",
            name.display(),
            reason(why)
        ));
    }
    if shown.run.event_count() > MANY {
        shown.run.leave_events(Box::new(places));
    }
    Ok(Loaded {
        shown,
        kept: kept.map(|_| ()),
        damage,
    })
}

/// Returns whether reading a run takes so long that one notices.
fn is_long(shown: &Shown) -> bool {
    const LONG: u64 = 2_000_000;
    shown.run.event_count() > LONG
}

/// Returns what tells whether all that is shown is still there as it was.
pub(super) fn is_there(input: &Input) -> impl Fn() -> bool + Send + Sync + 'static {
    let stamps = stamps(input);
    move || stamps.iter().all(Stamp::holds)
}

/// What must not change while it is shown.
fn stamps(input: &Input) -> Vec<Stamp> {
    let corrected = input.corrected().map(|it| directory::anchor(&it));
    let files = [Some(input.anchor.clone()), corrected];
    files.into_iter().flatten().map(Stamp::of).collect()
}
