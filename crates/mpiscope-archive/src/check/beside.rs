//! What stands beside the events: snapshots, markers, thumbnails, files that belong to nobody.

use std::collections::HashSet;
use std::path::Path;

use otf2::read::Archive;
use otf2::{Definition, Marker, MarkerScope, Snapshot};

use super::findings::{Findings, Place};
use super::ids::Space;
use super::known::Known;
use super::reading::Timed;
use super::rules::Rule;

/// Looks at them; returns how many thumbnails are whole.
pub(super) fn look(
    archive: &Archive,
    known: &Known,
    locations: &HashSet<u64>,
    findings: &mut Findings,
) -> u32 {
    let mut sorted: Vec<u64> = locations.iter().copied().collect();
    sorted.sort_unstable();
    for location in sorted {
        snapshots(archive, known, location, findings);
    }
    markers(archive, known, findings);
    strangers(archive, locations, findings);
    thumbnails(archive, findings)
}

fn place(file: &str, what: String) -> Place {
    Place {
        file: file.to_owned(),
        what,
        ..Place::default()
    }
}

fn damage(file: &str, error: &otf2::Error, findings: &mut Findings) {
    let rule = match error {
        otf2::Error::Truncated(_) => Rule::FileCut,
        _ => Rule::FileDamaged,
    };
    findings.add(rule, || place(file, error.to_string()));
}

fn snapshots(archive: &Archive, known: &Known, location: u64, findings: &mut Findings) {
    let name = format!("{}/{location}.snap", archive.name());
    let file = match archive.snapshots(location) {
        Ok(file) => file,
        Err(error) => return damage(&name, &error, findings),
    };
    let mut before = None;
    let hurts = Snapshot::read(&file, &mut |_, record| {
        let at = |what: String| Place {
            location: Some(location),
            record: Some(record.number),
            ..place(&name, what)
        };
        if before.is_some_and(|before| record.time < before) {
            findings.add(Rule::TimeDecreases, || at(format!("time {}", record.time)));
        }
        before = before.max(Some(record.time));
        record.event.clone().translate(&mut |kind, id| {
            if let Some(space) = Space::of(kind) {
                if id != space.undefined() && !known.defines(space, id) {
                    findings.add(Rule::UndefinedReference, || {
                        at(format!("{} {id} is not defined", space.name()))
                    });
                }
            }
            id
        });
    });
    for hurt in hurts {
        let rule = match hurt.cut {
            true => Rule::FileCut,
            false => Rule::FileDamaged,
        };
        findings.add(rule, || Place {
            offset: Some(hurt.offset),
            ..place(&name, hurt.what)
        });
    }
}

/// Returns what a marker is about, if it is numbered.
pub(crate) fn scope(kind: MarkerScope) -> Option<Space> {
    match kind {
        MarkerScope::LOCATION => Some(Space::Location),
        MarkerScope::LOCATION_GROUP => Some(Space::LocationGroup),
        MarkerScope::SYSTEM_TREE_NODE => Some(Space::SystemTreeNode),
        MarkerScope::GROUP => Some(Space::Group),
        MarkerScope::COMM => Some(Space::Comm),
        _ => None,
    }
}

fn markers(archive: &Archive, known: &Known, findings: &mut Findings) {
    let name = format!("{}.marker", archive.name());
    let markers = match archive.markers() {
        Ok(markers) => markers,
        Err(error) => return damage(&name, &error, findings),
    };
    if let Some(error) = markers.damage() {
        damage(&name, error, findings);
    }
    let defined: HashSet<u32> = markers
        .iter()
        .filter_map(|marker| match marker {
            Marker::DefMarker { id, .. } => Some(*id),
            _ => None,
        })
        .collect();
    for (record, marker) in (1..).zip(&markers) {
        let Marker::Marker {
            marker,
            scope_kind,
            scope: id,
            ..
        } = marker
        else {
            continue;
        };
        let mut add = |what: String| {
            findings.add(Rule::UndefinedReference, || Place {
                record: Some(record),
                ..place(&name, what)
            });
        };
        if !defined.contains(marker) {
            add(format!("marker {marker} is not defined"));
        }
        if let Some(space) = scope(*scope_kind) {
            if *id != space.undefined() && !known.defines(space, *id) {
                add(format!("{} {id} is not defined", space.name()));
            }
        }
    }
}

/// Files of events whose location is not defined.
fn strangers(archive: &Archive, locations: &HashSet<u64>, findings: &mut Findings) {
    let folder = archive.directory().join(archive.name());
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut strange: Vec<u64> = entries
        .filter_map(|entry| of_location(&entry.path()))
        .filter(|location| !locations.contains(location))
        .collect();
    strange.sort_unstable();
    for location in strange {
        let name = format!("{}/{location}.evt", archive.name());
        findings.add(Rule::FileOfNoLocation, || {
            place(&name, format!("location {location} is not defined"))
        });
    }
}

fn of_location(path: &Path) -> Option<u64> {
    let is_events = path.extension().is_some_and(|it| it == "evt");
    let name = path.file_stem().filter(|_| is_events)?;
    name.to_str()?.parse().ok()
}

/// Returns how many thumbnails are there and can be read.
fn thumbnails(archive: &Archive, findings: &mut Findings) -> u32 {
    let announced = archive.anchor().thumbnails;
    for number in 0..announced {
        let name = format!("{}.{number}.thumb", archive.name());
        match archive.thumbnail(number) {
            Ok(list) => match list.damage() {
                Some(error) => damage(&name, error, findings),
                // Without a file there is neither.
                None if list.is_empty() => return number,
                None => {}
            },
            Err(error) => damage(&name, &error, findings),
        }
    }
    announced
}

/// Returns the locations that are defined.
pub(super) fn locations(definitions: &[Definition]) -> HashSet<u64> {
    let locations = definitions.iter().filter_map(|it| match it {
        Definition::Location { id, .. } => Some(*id),
        _ => None,
    });
    locations.collect()
}
