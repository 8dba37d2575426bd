//! An archive held against the format, and against what readers of it expect.
//!
//! Nothing is refused that can be read at all. Each rule is a row of a table ([`rules`]); what is
//! against one is counted, and the first places are kept.
//!
//! ```text
//! anchor ─ definitions ─ every location: its definitions, its events ─ all locations together
//!                        snapshots, markers, thumbnails
//! ```

mod across;
pub(crate) mod anchor;
pub(crate) mod beside;
pub(crate) mod calls;
pub(crate) mod circles;
pub(crate) mod definitions;
pub mod findings;
pub(crate) mod ids;
pub(crate) mod known;
pub(crate) mod location;
pub(crate) mod reading;
mod requests;
pub mod rules;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use otf2::read::Archive;
use otf2::Definition;
use rayon::prelude::*;

use crate::progress::Progress;
use crate::source::anchor_of;
use crate::{ranks, Error};
use anchor::Counted;
use findings::{Findings, Place};
use known::Known;
use location::Defined;
use rules::Rule;

/// What was looked at, and what was found.
#[derive(Debug, Default)]
pub struct Checked {
    /// The archive's anchor.
    pub anchor: PathBuf,
    /// Definitions that could be read.
    pub definitions: u64,
    /// Locations that are defined.
    pub locations: u64,
    /// Intercommunicators that are defined: as the format wants them, and yet PyPI's otf2 (3.2)
    /// cannot open such an archive, as its table of their fields is wrong.
    pub between_groups: u64,
    /// Events that could be read.
    pub events: u64,
    /// What is against the rules.
    pub findings: Findings,
}

/// Checks an archive: `path` is a run directory or an anchor.
///
/// # Errors
/// When there is no archive, or its anchor cannot be read.
pub fn check(path: &Path) -> Result<Checked, Error> {
    check_watched(path, &Progress::default())
}

/// Does the same, and counts events as they are read.
///
/// # Errors
/// As [`check`].
pub fn check_watched(path: &Path, progress: &Progress) -> Result<Checked, Error> {
    let anchor = anchor_of(path)?;
    let archive = Archive::open(&anchor)?;
    let mut findings = Findings::default();
    let (definitions, complete) = definitions_of(&archive, &mut findings);
    let file = format!("{}.def", archive.name());
    definitions::look(&file, &definitions, &mut findings);
    let known = Known::new(&definitions);
    let locations = locations(&definitions, &known);
    let expected = locations.iter().map(|at| at.events);
    progress.expect(expected.fold(0, u64::saturating_add));
    let mut seen: Vec<location::Seen> = (locations.par_iter().with_max_len(1))
        .map(|at| location::look(&archive, &known, *at, progress))
        .collect();
    for location in &mut seen {
        findings.merge(std::mem::take(&mut location.findings));
        clock(&archive, &definitions, location, &mut findings);
    }
    let events = seen.iter().map(|location| location.events).sum();
    findings.merge(across::look(archive.name(), &known, seen));
    let defined = beside::locations(&definitions);
    let thumbnails = beside::look(&archive, &known, &defined, &mut findings);
    let counted = Counted {
        complete,
        thumbnails,
    };
    let file = format!("{}.otf2", archive.name());
    anchor::look(
        &file,
        archive.anchor(),
        &definitions,
        counted,
        &mut findings,
    );
    let is_between = |definition: &&Definition| matches!(definition, Definition::InterComm { .. });
    let between_groups = definitions.iter().filter(is_between).count();
    Ok(Checked {
        anchor,
        definitions: definitions.len() as u64,
        locations: defined.len() as u64,
        between_groups: between_groups as u64,
        events,
        findings,
    })
}

/// Returns the global definitions as far as they can be read, and whether that is all of them.
fn definitions_of(archive: &Archive, findings: &mut Findings) -> (Vec<Definition>, bool) {
    let file = format!("{}.def", archive.name());
    let add = |rule, what: String| {
        findings.add(rule, || Place {
            file,
            what,
            ..Place::default()
        });
    };
    match archive.definitions() {
        Ok(list) => {
            let damage = list.damage().map(|damage| {
                let cut = matches!(damage, otf2::Error::Truncated(_));
                (cut, damage.to_string())
            });
            let complete = damage.is_none();
            if let Some((cut, what)) = damage {
                let rule = match cut {
                    true => Rule::FileCut,
                    false => Rule::FileDamaged,
                };
                add(rule, what);
            }
            (list.into_iter().collect(), complete)
        }
        Err(error) => {
            add(Rule::FileMissing, error.to_string());
            (Vec::new(), false)
        }
    }
}

/// Returns all locations, each once, in file order.
pub(crate) fn locations(definitions: &[Definition], known: &Known) -> Vec<Defined> {
    let all = ranks::locations(definitions);
    let mut threads: HashMap<u32, usize> = HashMap::new();
    for location in &all {
        let rank = known.ranks.of_group(location.group);
        *threads.entry(rank).or_default() += 1;
    }
    let defined = all.into_iter().map(|location| {
        let rank = known.ranks.of_group(location.group);
        Defined {
            id: location.id,
            events: location.events,
            rank,
            shared: threads.get(&rank).is_some_and(|count| *count > 1),
        }
    });
    defined.collect()
}

/// Compares a location's times with what the clock properties tell.
fn clock(
    archive: &Archive,
    definitions: &[Definition],
    location: &location::Seen,
    findings: &mut Findings,
) {
    let properties = definitions.iter().rev().find_map(|it| match it {
        Definition::ClockProperties {
            global_offset,
            trace_length,
            ..
        } => Some((*global_offset, *trace_length)),
        _ => None,
    });
    let (Some((begin, length)), Some((first, last))) = (properties, location.times) else {
        return;
    };
    let end = begin.saturating_add(length);
    if first < begin || last > end {
        findings.add(Rule::TimesBeyondClock, || Place {
            file: format!("{}/{}.evt", archive.name(), location.id),
            location: Some(location.id),
            what: format!("times {first} to {last}, the clock tells of {begin} to {end}"),
            ..Place::default()
        });
    }
}
