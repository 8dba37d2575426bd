//! Shifts: what a user says that clocks of single processes are off by, having moved their time
//! lines by hand in `mpiscope view`.
//!
//! They lie beside the archive in a small file, by location, so that they hold however rows are
//! sorted. `view` writes it, `sync` takes it, `info` tells of it. Nothing else changes by it, and
//! without the file all is as before.
//!
//! ```json
//! { "version": 1, "shifts": [ { "rank": 3, "location": 3, "ns": 20000 } ] }
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use mpiscope_archive::model::{Location, Trace};
use mpiscope_run::run_info::{self, write_atomically};
use serde::{Deserialize, Serialize};

use crate::input::Input;
use crate::report::show;
use crate::signals;

/// Name of the file in a run.
pub const IN_RUN: &str = "shifts.json";

/// Ending of the file beside an archive that is in no run.
const BESIDE: &str = "mpiscope-shifts";

/// Raised when the file changes its form or meaning.
const VERSION: u32 = 1;

/// No file of shifts is larger: a hundred thousand locations have room in it.
const LARGEST: u64 = 16 << 20;

/// The largest shift, in nanoseconds: what a page's numbers hold exactly, 104 days.
pub const MOST: i64 = 1 << 53;

/// Ranks that are named in a sentence.
const NAMED: usize = 6;

/// By how much the times of a location are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shift {
    /// World rank, for reading.
    pub rank: u32,
    /// The location's number in the archive.
    pub location: u64,
    /// What is added to its times, in nanoseconds.
    pub ns: i64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u32,
    shifts: Vec<Shift>,
}

/// Returns where the shifts of an archive are, or would be.
pub fn place(input: &Input) -> PathBuf {
    place_of(&input.path, &input.anchor)
}

/// Returns where the shifts of a run, or of an archive by itself, are, or would be.
pub fn place_of(run: &Path, anchor: &Path) -> PathBuf {
    match run.join(run_info::FILE).is_file() {
        true => run.join(IN_RUN),
        false => beside(anchor),
    }
}

/// Returns where the shifts of an archive are that is in no run.
pub fn beside(anchor: &Path) -> PathBuf {
    anchor.with_extension(BESIDE)
}

/// Reads what is kept with an archive; nothing is kept if there is no file.
///
/// # Errors
/// When the file is none of ours, or names what the archive does not have.
pub fn read(input: &Input) -> Result<Vec<Shift>> {
    let path = place(input);
    let shown = path.display();
    match fs::metadata(&path) {
        Ok(found) => ensure!(
            found.len() <= LARGEST,
            "{shown} is too large for a file of shifts"
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
    }
    let text = fs::read(&path).with_context(|| format!("cannot read {shown}"))?;
    let content: Content =
        serde_json::from_slice(&text).with_context(|| format!("{shown} is no file of shifts"))?;
    ensure!(
        content.version == VERSION,
        "{shown} has version {}; this mpiscope reads {VERSION}",
        content.version
    );
    let trace = &input.trace;
    check(&content.shifts, trace).with_context(|| shown.to_string())?;
    // In one order, whoever wrote them.
    Ok(listed(
        &none_of(trace),
        &by_location(trace, &content.shifts),
    ))
}

fn check(shifts: &[Shift], trace: &Trace) -> Result<()> {
    let known: BTreeMap<u64, u32> = trace
        .locations
        .iter()
        .map(|it| (it.id, it.rank.0))
        .collect();
    let mut seen = BTreeMap::new();
    for shift in shifts {
        let Shift { rank, location, ns } = *shift;
        ensure!(
            ns != 0 && ns.unsigned_abs() <= MOST.unsigned_abs(),
            "rank {rank} is shifted by {ns} ns, which is nothing or more than 104 days"
        );
        if known.get(&location) != Some(&rank) {
            bail!("rank {rank} has no location {location} in this archive");
        }
        if seen.insert(location, ns).is_some() {
            bail!("location {location} is named twice");
        }
    }
    Ok(())
}

/// Keeps shifts with an archive, by location of its trace; if all are zero, none are kept.
///
/// # Errors
/// When the file can neither be written nor removed.
pub fn write(path: &Path, shifts: &[Shift]) -> Result<()> {
    if shifts.is_empty() {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        };
    }
    let content = Content {
        version: VERSION,
        shifts: shifts.to_vec(),
    };
    let mut text = serde_json::to_vec_pretty(&content)?;
    text.push(b'\n');
    Ok(signals::hold(|| write_atomically(path, &text))?)
}

/// Returns the shifts of all locations of a trace, none of which has one.
pub fn none_of(trace: &Trace) -> Vec<Shift> {
    let none = |location: &Location| Shift {
        rank: location.rank.0,
        location: location.id,
        ns: 0,
    };
    trace.locations.iter().map(none).collect()
}

/// Returns those that are not zero of `all`, given those by location.
pub fn listed(all: &[Shift], by_location: &[i64]) -> Vec<Shift> {
    let shifts = all.iter().zip(by_location);
    let shifts = shifts.map(|(shift, &ns)| Shift { ns, ..*shift });
    shifts.filter(|shift| shift.ns != 0).collect()
}

/// Returns what is added to each location of a trace, in nanoseconds.
pub fn by_location(trace: &Trace, shifts: &[Shift]) -> Vec<i64> {
    let known: BTreeMap<u64, i64> = shifts.iter().map(|it| (it.location, it.ns)).collect();
    let of = |location: &Location| known.get(&location.id).copied().unwrap_or(0);
    trace.locations.iter().map(of).collect()
}

/// Names the ranks that are shifted, and by how much: `rank 1 by +20 µs`.
pub fn sentence(shifts: &[Shift]) -> String {
    // Threads of a process, and ranks side by side, mostly have the same.
    let mut groups: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for shift in shifts {
        groups.entry(shift.ns).or_default().push(shift.rank);
    }
    let named = groups.into_iter().map(|(ns, mut ranks)| {
        ranks.sort_unstable();
        ranks.dedup();
        format!("{} by {}", show::ranks(&ranks), signed(ns))
    });
    show::list(&named.collect::<Vec<_>>(), NAMED)
}

/// Writes a duration with its sign.
pub fn signed(ns: i64) -> String {
    let sign = if ns > 0 { "+" } else { "" };
    format!("{sign}{}", show::duration(ns as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(folder: &Path) -> Input {
        Input {
            trace: Trace::parse("0: 1\n1: 1\n1.1: 2").unwrap(),
            path: folder.to_owned(),
            anchor: folder.join("traces.otf2"),
            ..Input::default()
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_zeros_leave_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let input = input(folder.path());
        let path = place(&input);
        assert!(path.ends_with("traces.mpiscope-shifts"));
        assert_eq!(read(&input).unwrap(), []);
        let none = none_of(&input.trace);
        let shifts = listed(&none, &[0, -20_000, -20_000]);
        write(&path, &shifts).unwrap();
        assert_eq!(read(&input).unwrap(), shifts);
        assert_eq!(by_location(&input.trace, &shifts), [0, -20_000, -20_000]);
        assert_eq!(sentence(&shifts), "rank 1 by -20 µs");
        write(&path, &listed(&none, &[0, 0, 0])).unwrap();
        assert!(!path.exists());
        write(&path, &[]).unwrap();
        fs::write(folder.path().join(run_info::FILE), "{}").unwrap();
        assert!(place(&input).ends_with(IN_RUN));
    }

    #[test]
    fn what_does_not_belong_to_the_archive_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let input = input(folder.path());
        let id = input.trace.locations[1].id;
        let entry = |rank: u32, location: u64, ns: i64| {
            format!(r#"{{"rank":{rank},"location":{location},"ns":{ns}}}"#)
        };
        let with = |shifts: &str| format!(r#"{{"version":1,"shifts":[{shifts}]}}"#);
        let good = entry(1, id, 5);
        for (text, said) in [
            ("{", "no file of shifts"),
            (r#"{"version":2,"shifts":[]}"#, "version 2"),
            (r#"{"version":1,"shifts":[],"more":1}"#, "no file of shifts"),
            (&with(&entry(1, 99, 5)), "no location 99"),
            (&with(&entry(0, id, 5)), "rank 0 has no location"),
            (&with(&entry(1, id, 0)), "shifted by 0 ns"),
            (&with(&entry(1, id, i64::MIN)), "more than 104 days"),
            (&with(&format!("{good},{good}")), "twice"),
        ] {
            fs::write(place(&input), text).unwrap();
            let error = crate::say::chain(&read(&input).unwrap_err());
            assert!(error.contains(said), "{text}: {error}");
            assert!(error.contains("mpiscope-shifts"), "{error}");
        }
        fs::write(place(&input), with(&good)).unwrap();
        assert_eq!(read(&input).unwrap().len(), 1);
    }
}
