//! Where a corrected archive goes, and how it gets there in one step.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use mpiscope_archive::corrected::{self, write_together, Times, Writers, CORRECTED};
use mpiscope_archive::model::Processes;
use mpiscope_archive::progress::Progress;
use mpiscope_run::directory;
use mpiscope_sync::{ClockMap, Correction};

use super::summary::Written;
use super::{Shifted, Summary};
use crate::aside::{beside, replace};
use crate::input::{Damaged, Input};
use crate::job::{agree, is_first, once};
use crate::progress::{self, Unit};
use crate::shifts::{by_location, Shift};
use crate::{signals, uncertainty};

/// Where a corrected archive goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The directory.
    pub directory: PathBuf,
    /// An earlier archive there is replaced.
    pub force: bool,
    /// How the archive tells its times.
    pub times: Times,
}

impl Target {
    /// Returns an error if the archive must not go there.
    pub fn check(&self, input: &Input) -> Result<()> {
        refuse_source(input, self)?;
        check_free(self)
    }

    /// Writes the archive beside its place and then moves it there; returns its anchor, and how it
    /// tells its times.
    pub fn write(
        &self,
        input: &Input,
        correction: &Correction,
        summary: &Summary,
        processes: Option<&dyn Processes>,
    ) -> Result<(PathBuf, Written)> {
        let place = &self.directory;
        let aside = place_aside(place, processes)?;
        let knots = knots(correction);
        let shifts = shifts(input, summary);
        let of_locations: Vec<Cow<[(i64, i64)]>> = (correction.uncertainty.clock_of.iter())
            .map(|&clock| knots.get(clock as usize).map_or(&[][..], |knots| knots))
            .zip(shifts.iter().copied().chain(std::iter::repeat(0)))
            .map(|(knots, by)| moved(knots, by))
            .collect();
        let of_locations: Vec<&[(i64, i64)]> = of_locations.iter().map(|it| &**it).collect();
        let progress = Progress::default();
        let what = format!("writing {}", place.display());
        let written = progress::during(&what, Unit::Events, &progress, || {
            let writers = Writers {
                processes,
                part_of: &correction.part_of,
            };
            let correction = corrected::Correction {
                times: &correction.corrected,
                properties: &properties(summary),
                measured: Some((&input.trace, self.times)),
                knots: &of_locations,
            };
            write_together(&input.anchor, &aside, &correction, writers, &progress)
        });
        let kept = written.and_then(|written| {
            if is_first() {
                let kept = uncertainty::keep(&input.trace, &correction.uncertainty, written.shift);
                kept.write(&aside)?;
            }
            Ok(Written {
                offset_locations: written.kept as u64,
                rewritten_locations: written.rewritten as u64,
                clock_offsets: written.offsets,
            })
        });
        let written = match kept {
            Ok(written) => written,
            Err(error) => {
                if is_first() {
                    let _ = fs::remove_dir_all(&aside);
                }
                return agree(Err(match input.damage.is_empty() {
                    true => error.into(),
                    false => Damaged(error.to_string()).into(),
                }));
            }
        };
        once(|| {
            replace(&aside, place).with_context(|| format!("cannot write {}", place.display()))
        })?;
        Ok((directory::anchor(place), written))
    }
}

/// Returns where the archive is written before it is moved to its place: to all processes the same.
fn place_aside(place: &Path, processes: Option<&dyn Processes>) -> Result<PathBuf> {
    let aside = once(|| {
        let aside = beside(place, "partial")?;
        let _ = fs::remove_dir_all(&aside);
        signals::remove_when_ended(&aside)?;
        Ok(aside)
    })?;
    let Some(processes) = processes else {
        return Ok(aside);
    };
    let told = processes.share(aside.into_os_string().into_vec());
    let first = told.into_iter().next().unwrap_or_default();
    Ok(OsString::from_vec(first).into())
}

/// Returns by how much the user moved each location; none if none was.
fn shifts(input: &Input, summary: &Summary) -> Vec<i64> {
    if summary.shifts.is_empty() {
        return Vec::new();
    }
    let asked: Vec<Shift> = summary.shifts.iter().map(Shifted::asked).collect();
    by_location(&input.trace, &asked)
}

/// Adds to what a clock is off by what the user moved a location by.
fn moved(knots: &[(i64, i64)], by: i64) -> Cow<'_, [(i64, i64)]> {
    match by {
        0 => Cow::Borrowed(knots),
        _ => knots
            .iter()
            .map(|(time, offset)| (*time, offset.saturating_add(by)))
            .collect(),
    }
}

/// Returns where the maps of clocks bend, and their offsets there.
fn knots(correction: &Correction) -> Vec<Vec<(i64, i64)>> {
    let of_map = |map: &ClockMap| {
        // Where a clock was set two lines end.
        let knots = map.knots().iter().filter(|knot| !knot.after_step);
        knots.map(|knot| (knot.time.0, knot.offset.0)).collect()
    };
    correction.maps.iter().map(of_map).collect()
}

/// Refuses to write over the measured archive, or over what holds it, whatever is forced.
fn refuse_source(input: &Input, target: &Target) -> Result<()> {
    let holds_source = match (target.directory.canonicalize(), input.anchor.canonicalize()) {
        (Ok(directory), Ok(anchor)) => anchor.starts_with(directory),
        _ => false,
    };
    ensure!(
        !holds_source,
        "{} holds the measured archive, which stays as it is; name another place",
        target.directory.display()
    );
    Ok(())
}

/// Refuses to replace what nobody asked to replace, or what is no archive.
fn check_free(target: &Target) -> Result<()> {
    let path = &target.directory;
    let Ok(data) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let entries = || fs::read_dir(path).into_iter().flatten();
    if data.is_dir() && entries().next().is_none() {
        return Ok(());
    }
    ensure!(
        target.force,
        "{} exists; give --force to replace it, or another place with -o",
        path.display()
    );
    ensure!(
        data.is_dir() && directory::anchor(path).is_file() && !path.join("run.json").exists(),
        "{} is no corrected archive: not replaced",
        path.display()
    );
    Ok(())
}

fn properties(summary: &Summary) -> Vec<(String, String)> {
    let others = [
        (CORRECTED, "true".to_owned()),
        ("MPISCOPE::PRESYNC", summary.presync.clone()),
        ("MPISCOPE::GAMMA", summary.gamma.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value));
    let shifts = summary.shifts.iter();
    let shifts: Vec<String> = shifts
        .map(|it| format!("{}={}", it.location, it.ns))
        .collect();
    // Whoever has this archive alone can tell what in it was somebody's word.
    let shifts = (!shifts.is_empty()).then(|| ("MPISCOPE::SHIFTS".to_owned(), shifts.join(",")));
    others
        .into_iter()
        .chain(summary.latency.properties())
        .chain(shifts)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_archive_is_replaced_and_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().join("out");
        let check = |force: bool| {
            let directory = directory.clone();
            let target = Target {
                directory,
                force,
                ..Target::default()
            };
            check_free(&target).map_err(|error| error.to_string())
        };
        assert!(check(false).is_ok());
        fs::create_dir(&directory).unwrap();
        assert!(check(false).is_ok());
        fs::write(directory.join("thesis"), "").unwrap();
        assert!(check(false).unwrap_err().contains("--force"));
        assert!(check(true).unwrap_err().contains("no corrected archive"));
        fs::write(directory::anchor(&directory), "").unwrap();
        assert!(check(true).is_ok());
    }

    #[test]
    fn the_measured_archive_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let anchor = directory::anchor(&folder.path().join("a"));
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(&anchor, "").unwrap();
        let input = Input {
            anchor,
            ..Input::default()
        };
        for (place, allowed) in [("a", false), (".", false), ("b", true), ("a/b", true)] {
            let target = Target {
                directory: folder.path().join(place),
                force: true,
                ..Target::default()
            };
            assert_eq!(refuse_source(&input, &target).is_ok(), allowed, "{place}");
        }
    }
}
