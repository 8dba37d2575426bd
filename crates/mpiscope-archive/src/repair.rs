//! A clean copy of an archive: what [`check`](crate::check) finds is mended where that takes no
//! inventing of what happened, and left and said where it does.
//!
//! What to do about each rule stands in the rules' table. Events go from reader to writer one by
//! one, those that are right as they stand in the file; the archive itself is only read. In the
//! end the copy is checked: what is left is what is found there.
//!
//! ```text
//! check ─ what events refer to (if asked for) ─ definitions ─ every location ─ anchor ─ check
//! ```

mod ahead;
mod anchor;
mod beside;
mod copy;
mod definitions;
mod groups;
mod location;
mod messages;
mod numbers;
mod undefined;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use otf2::read::Archive;
use otf2::write::Options;
use otf2::{write, ClockCorrection, Definition, Type, UNDEFINED};
use rayon::prelude::*;

use crate::check::findings::{Findings, Place};
use crate::check::ids::{own, Space};
use crate::check::known::Known;
use crate::check::location::Defined;
use crate::check::rules::{Mend, Rule};
use crate::check::{self, check_watched, Checked};
use crate::progress::Progress;
use crate::source::anchor_of;
use crate::Error;
use ahead::Ahead;
pub use anchor::{REPAIRED, REPAIRED_EVENTS};
use definitions::{Mended, Undefined};
use location::{Rules, Written};

/// What was done to an archive.
#[derive(Debug)]
pub struct Repaired {
    /// The archive that was read.
    pub source: PathBuf,
    /// The copy's anchor.
    pub anchor: PathBuf,
    /// There was nothing to mend: all files are as they were.
    pub copied: bool,
    /// Definitions in the copy.
    pub definitions: u64,
    /// Locations in the copy.
    pub locations: u64,
    /// Events in the copy.
    pub events: u64,
    /// What was found, in the rules' order.
    pub rows: Vec<Row>,
    /// What became of events.
    pub changes: Changes,
    /// Something could not be read.
    pub damaged: bool,
}

/// What was found against one rule, and what is left of it.
#[derive(Debug, Clone)]
pub struct Row {
    /// The rule.
    pub rule: Rule,
    /// How often it was broken.
    pub found: u64,
    /// How often it is in the copy.
    pub left: u64,
    /// Where it was broken first; where only the copy breaks it, there.
    pub first: Option<Place>,
}

impl Row {
    /// Returns how much was mended.
    pub fn mended(&self) -> u64 {
        self.found.saturating_sub(self.left)
    }
}

/// What became of events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// Added, and marked.
    pub added: u64,
    /// Left out.
    pub left_out: u64,
    /// Written with other fields, but for numbers of definitions.
    pub changed: u64,
    /// Held in time: they were before the event before.
    pub held: u64,
}

impl std::ops::AddAssign for Changes {
    fn add_assign(&mut self, other: Changes) {
        self.added += other.added;
        self.left_out += other.left_out;
        self.changed += other.changed;
        self.held += other.held;
    }
}

/// Name of the attribute of events that a repair has added.
pub const ADDED: &str = "MPISCOPE::ADDED";

/// Writes a mended copy of an archive into the directory `out`: `path` is a run directory or an
/// anchor.
///
/// # Errors
/// As [`Repair::of`] and [`Repair::write`].
pub fn repair(path: &Path, out: &Path, progress: &Progress) -> Result<Repaired, Error> {
    Repair::of(path, progress)?.write(out, progress)
}

/// An archive that was looked at, and is to be mended.
pub struct Repair {
    anchor: PathBuf,
    source: Archive,
    checked: Checked,
    /// Nothing, if there is nothing to mend.
    plan: Option<Plan>,
}

/// What holds for all locations.
struct Plan {
    mended: Mended,
    known: Known,
    ahead: HashMap<u64, Ahead>,
    /// Numbers of the mark of added events: the attribute, its name, what it says.
    added: [u32; 3],
}

impl Repair {
    /// Looks what is to be mended in an archive: `path` is a run directory or an anchor.
    ///
    /// # Errors
    /// When there is no archive, or its anchor or its definitions cannot be read at all.
    pub fn of(path: &Path, progress: &Progress) -> Result<Repair, Error> {
        let anchor = anchor_of(path)?;
        let source = Archive::open(&anchor)?;
        let definitions: Vec<Definition> = source.definitions()?.into_iter().collect();
        let checked = check_watched(&anchor, progress)?;
        let mends = |(rule, _): (Rule, _)| matches!(rule.row().mend, Mend::By(_));
        let is_to_mend = checked.findings.iter().any(mends);
        let plan = is_to_mend.then(|| {
            let ahead = match ahead::is_needed(&checked.findings) {
                true => look_ahead(&source, &definitions, progress),
                false => HashMap::new(),
            };
            Plan::new(&source, definitions, ahead)
        });
        Ok(Repair {
            anchor,
            source,
            checked,
            plan,
        })
    }

    /// Writes the mended copy into a directory, or a copy as it is, where there is nothing to mend.
    ///
    /// Locations are written side by side, by the threads of rayon's current pool.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub fn write(self, out: &Path, progress: &Progress) -> Result<Repaired, Error> {
        let found = self.checked.findings.clone();
        let copied = self.plan.is_none();
        let (anchor, changes, checked) = match self.plan {
            None => {
                let anchor = copy::all(&self.source, &self.anchor, out)?;
                (anchor, Changes::default(), self.checked)
            }
            Some(plan) => {
                let (anchor, changes) = Writing {
                    source: &self.source,
                    plan,
                    progress,
                }
                .write(&found, out)?;
                let checked = check_watched(&anchor, progress)?;
                (anchor, changes, checked)
            }
        };
        Ok(Repaired {
            source: self.anchor,
            anchor,
            copied,
            definitions: checked.definitions,
            locations: checked.locations,
            events: checked.events,
            rows: rows(&found, &checked.findings),
            changes,
            damaged: found.is_damaged(),
        })
    }
}

fn rows(found: &Findings, left: &Findings) -> Vec<Row> {
    let of = |findings: &Findings, rule: Rule| {
        let mut all = findings.iter();
        let finding = all.find(|(it, _)| *it == rule).map(|(_, finding)| finding);
        finding.cloned().unwrap_or_default()
    };
    let rows = Rule::ALL.iter().map(|rule| {
        let (found, left) = (of(found, *rule), of(left, *rule));
        let mut places = found.places.into_iter().chain(left.places);
        Row {
            rule: *rule,
            found: found.count,
            left: left.count,
            first: places.next(),
        }
    });
    rows.filter(|row| row.found + row.left > 0).collect()
}

impl Plan {
    fn new(source: &Archive, definitions: Vec<Definition>, ahead: HashMap<u64, Ahead>) -> Plan {
        let mut undefined = Undefined::new();
        for ((space, id), kind) in ahead.values().flat_map(|it| &it.undefined) {
            let known = undefined.entry((*space, *id)).or_insert(Type::NONE);
            if *known == Type::NONE {
                *known = *kind;
            }
        }
        let locations: Vec<u64> = ahead.keys().copied().collect();
        beside::references(source, &locations, &mut undefined);
        let mended = definitions::mend(definitions, undefined);
        Plan {
            known: Known::new(&mended.definitions),
            ahead,
            added: mark(&mended.definitions),
            mended,
        }
    }
}

/// A copy that is being written.
struct Writing<'a> {
    source: &'a Archive,
    plan: Plan,
    progress: &'a Progress,
}

impl Writing<'_> {
    /// Writes the copy; returns its anchor.
    fn write(mut self, findings: &Findings, out: &Path) -> Result<(PathBuf, Changes), Error> {
        let name = self.source.name().to_owned();
        let old = self.source.anchor();
        let mut options = Options::default();
        options.event_chunk = old.event_chunk;
        options.definition_chunk = old.definition_chunk;
        let archive = write::Archive::create(out, &name, options)?;
        let written = self.locations(&archive)?;
        let mut changes = Changes::default();
        written.iter().for_each(|it| changes += it.changes);
        let snapshots = self.snapshots(&archive, &written)?;
        beside::markers(self.source, &archive, &self.plan.mended.numbers)?;
        let thumbnails = beside::thumbnails(self.source, &archive, &self.plan.mended.numbers)?;
        self.complete(&written, changes);
        let definitions = &self.plan.mended.definitions;
        write::global_definitions(out, &name, definitions, old.definition_chunk)?;
        let mut anchor = mpiscope_run::archive::counted(definitions);
        anchor.event_chunk = old.event_chunk;
        anchor.definition_chunk = old.definition_chunk;
        anchor.machine.clone_from(&old.machine);
        anchor.creator.clone_from(&old.creator);
        anchor.description.clone_from(&old.description);
        anchor.properties = anchor::properties(old, findings, changes);
        anchor.snapshots = snapshots;
        anchor.thumbnails = thumbnails;
        Ok((write::anchor(out, &name, &anchor)?, changes))
    }

    /// Writes all locations, side by side.
    fn locations(&self, archive: &write::Archive) -> Result<Vec<Written>, Error> {
        let locations = check::locations(&self.plan.mended.definitions, &self.plan.known);
        let expected = locations.iter().map(|at| at.events);
        self.progress.expect(expected.fold(0, u64::saturating_add));
        let mut posted: HashMap<u32, HashSet<u64>> = HashMap::new();
        for at in &locations {
            if let Some(ahead) = self.plan.ahead.get(&at.id).filter(|_| at.shared) {
                posted.entry(at.rank).or_default().extend(&ahead.posted);
            }
        }
        let rules = Rules {
            source: self.source,
            known: &self.plan.known,
            numbers: &self.plan.mended.numbers,
            ahead: &self.plan.ahead,
            posted: &posted,
            added: self.plan.added[0],
        };
        let written: Vec<Result<Written, Error>> = (locations.par_iter().with_max_len(1))
            .map(|at| self.location(&rules, archive, *at))
            .collect();
        // Of several errors the first location's, whoever came first.
        written.into_iter().collect()
    }

    fn location(
        &self,
        rules: &Rules<'_>,
        archive: &write::Archive,
        at: Defined,
    ) -> Result<Written, Error> {
        let local = beside::local(self.source, at.id, &self.plan.mended.numbers);
        archive.local_definitions(at.id, &local)?;
        let offsets = ClockCorrection::new(&local);
        location::write(rules, at, archive.events(at.id)?, &offsets, self.progress)
    }

    fn snapshots(&self, archive: &write::Archive, written: &[Written]) -> Result<u32, Error> {
        let mut any = false;
        for location in written {
            let numbers = &self.plan.mended.numbers;
            any |= beside::snapshots(self.source, archive, location.id, numbers)?;
        }
        Ok(match any {
            true => self.source.anchor().snapshots,
            false => 0,
        })
    }

    /// Has the definitions tell what was written.
    fn complete(&mut self, written: &[Written], changes: Changes) {
        let counts: HashMap<u64, u64> = written.iter().map(|it| (it.id, it.events)).collect();
        for definition in &mut self.plan.mended.definitions {
            if let Definition::Location {
                id,
                number_of_events,
                ..
            } = definition
            {
                *number_of_events = counts.get(id).copied().unwrap_or(0);
            }
        }
        let times = written.iter().filter_map(|it| it.times);
        let times = times.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        definitions::span(
            &mut self.plan.mended.definitions,
            times,
            self.plan.mended.new_clock,
        );
        if changes.added > 0 {
            self.plan.mended.definitions.extend(marked(self.plan.added));
        }
    }
}

/// Reads all events once before they are written.
fn look_ahead(
    source: &Archive,
    definitions: &[Definition],
    progress: &Progress,
) -> HashMap<u64, Ahead> {
    let known = Known::new(definitions);
    let mut locations = check::locations(definitions, &known);
    // Those that are only referred to may have events, too.
    let mut undefined = Undefined::new();
    definitions::look_for(definitions, &mut undefined);
    let others = undefined.into_keys().filter(|it| it.0 == Space::Location);
    locations.extend(others.map(|(_, id)| Defined {
        id,
        events: 0,
        rank: UNDEFINED,
        shared: false,
    }));
    let expected = locations.iter().map(|at| at.events);
    progress.expect(expected.fold(0, u64::saturating_add));
    (locations.par_iter().with_max_len(1))
        .filter_map(|at| {
            let file = source.events(at.id).ok()?;
            Some((at.id, ahead::look(&file, &known, *at, progress)))
        })
        .collect()
}

/// Returns free numbers for the mark of added events, behind all others.
fn mark(definitions: &[Definition]) -> [u32; 3] {
    let next = |of: Space| {
        let ids = definitions.iter().filter_map(own);
        let ids = ids.filter(|(space, _)| *space == of).map(|(_, id)| id);
        ids.max().map_or(0, |last| last as u32 + 1)
    };
    let string = next(Space::String);
    [next(Space::Attribute), string, string + 1]
}

fn marked([attribute, name, description]: [u32; 3]) -> [Definition; 3] {
    [
        Definition::String {
            id: name,
            string: ADDED.into(),
        },
        Definition::String {
            id: description,
            string: "Added by mpiscope repair: 1".into(),
        },
        Definition::Attribute {
            id: attribute,
            name,
            value_type: Type::UINT8,
            description,
        },
    ]
}
