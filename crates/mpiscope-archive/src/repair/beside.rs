//! What stands beside the events: definitions of locations, snapshots, markers, thumbnails.

use std::collections::{BTreeSet, HashSet};

use otf2::read;
use otf2::write;
use otf2::{
    LocalDefinition, Marker, MarkerScope, MarkerSeverity, Snapshot, Thumbnail, ThumbnailType, Type,
};

use super::definitions::Undefined;
use super::numbers::Numbers;
use crate::check::beside::scope;
use crate::check::ids::{renumber, Space};
use crate::check::reading::Timed;
use crate::Error;

/// Returns a location's definitions. Tables of numbers are left out: events are written in the
/// numbers of the archive.
pub(super) fn local(
    source: &read::Archive,
    location: u64,
    numbers: &Numbers,
) -> Vec<LocalDefinition> {
    let Ok(list) = source.local_definitions(location) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let mut offsets = Vec::new();
    let mut strange = BTreeSet::new();
    for definition in list {
        match definition {
            LocalDefinition::ClockOffset { time, .. } => offsets.push((time, definition)),
            LocalDefinition::MappingTable { mapping_type, .. } => {
                // What nobody knows nobody applies.
                if Space::of(mapping_type).is_none() && strange.insert(mapping_type.0) {
                    all.push(definition);
                }
            }
            LocalDefinition::Definition(mut definition) => {
                renumber(&mut definition, &mut |_, space, id| numbers.get(space, id));
                all.push(LocalDefinition::Definition(definition));
            }
            // Unknown to us: kept as it stands.
            _ => all.push(definition),
        }
    }
    offsets.sort_by_key(|(time, _)| *time);
    offsets.dedup_by_key(|(time, _)| *time);
    all.extend(offsets.into_iter().map(|(_, offset)| offset));
    all
}

/// Writes a location's snapshots, as far as they can be read; tells whether there are any.
pub(super) fn snapshots(
    source: &read::Archive,
    out: &write::Archive,
    location: u64,
    numbers: &Numbers,
) -> Result<bool, Error> {
    let Some(file) = source.snapshots(location).ok().filter(|it| it.size() > 0) else {
        return Ok(false);
    };
    let mut writer = out.snapshots(location)?;
    let mut latest = 0;
    let mut result = Ok(());
    Snapshot::read(&file, &mut |_, record| {
        latest = record.time.max(latest);
        let mut event = record.event;
        event.translate(&mut |kind, id| match Space::of(kind) {
            Some(space) if id != space.undefined() => numbers.get(space, id),
            _ => id,
        });
        let attributes: Vec<_> = record.attributes.iter().collect();
        if result.is_ok() {
            result = writer.write(latest, &attributes, &event);
        }
    });
    result?;
    writer.finish()?;
    Ok(true)
}

/// Adds what snapshots and markers refer to, defined or not.
pub(super) fn references(source: &read::Archive, locations: &[u64], undefined: &mut Undefined) {
    for location in locations {
        let Ok(file) = source.snapshots(*location) else {
            continue;
        };
        Snapshot::read(&file, &mut |_, record| {
            let mut event = record.event;
            event.translate(&mut |kind, id| {
                if let Some(space) = Space::of(kind).filter(|it| id != it.undefined()) {
                    undefined.entry((space, id)).or_insert(Type::NONE);
                }
                id
            });
        });
    }
    for marker in source.markers().iter().flatten() {
        if let Marker::Marker {
            scope_kind,
            scope: id,
            ..
        } = marker
        {
            if let Some(space) = scope(*scope_kind).filter(|it| *id != it.undefined()) {
                undefined.entry((space, *id)).or_insert(Type::NONE);
            }
        }
    }
}

/// Writes the markers, each of a kind that is defined.
pub(super) fn markers(
    source: &read::Archive,
    out: &write::Archive,
    numbers: &Numbers,
) -> Result<(), Error> {
    let Ok(list) = source.markers() else {
        return Ok(());
    };
    let mut markers: Vec<Marker> = list.into_iter().collect();
    if markers.is_empty() {
        return Ok(());
    }
    let defined: HashSet<u32> = (markers.iter())
        .filter_map(|it| match it {
            Marker::DefMarker { id, .. } => Some(*id),
            _ => None,
        })
        .collect();
    let mut undefined = BTreeSet::new();
    for it in &mut markers {
        let Marker::Marker {
            marker,
            scope_kind,
            scope: id,
            ..
        } = it
        else {
            continue;
        };
        if !defined.contains(marker) {
            undefined.insert(*marker);
        }
        *id = scope_in(*scope_kind, *id, numbers);
    }
    let kinds = undefined.into_iter().map(|id| Marker::DefMarker {
        id,
        group: "undefined".into(),
        category: format!("undefined marker {id}"),
        severity: MarkerSeverity::NONE,
    });
    markers.splice(0..0, kinds);
    out.markers(&markers)?;
    Ok(())
}

fn scope_in(kind: MarkerScope, id: u64, numbers: &Numbers) -> u64 {
    match scope(kind) {
        Some(space) if id != space.undefined() => numbers.get(space, id),
        _ => id,
    }
}

/// Writes the thumbnails that can be read, without gaps; returns how many there are.
pub(super) fn thumbnails(
    source: &read::Archive,
    out: &write::Archive,
    numbers: &Numbers,
) -> Result<u32, Error> {
    let mut written = 0;
    for number in 0..source.anchor().thumbnails {
        let Ok(list) = source.thumbnail(number) else {
            continue;
        };
        let mut records: Vec<Thumbnail> = list.into_iter().collect();
        if records.is_empty() {
            // A damaged anchor may announce as many as it likes.
            break;
        }
        for record in &mut records {
            if let Thumbnail::Header {
                thumbnail_type,
                definitions,
                ..
            } = record
            {
                if let Some(space) = shown(*thumbnail_type) {
                    definitions
                        .iter_mut()
                        .for_each(|id| *id = numbers.get(space, *id));
                }
            }
        }
        out.thumbnail(written, &records)?;
        written += 1;
    }
    Ok(written)
}

/// Returns what a thumbnail shows.
fn shown(kind: ThumbnailType) -> Option<Space> {
    Some(match kind {
        ThumbnailType::REGION => Space::Region,
        ThumbnailType::METRIC => Space::Metric,
        ThumbnailType::ATTRIBUTES => Space::Attribute,
        ThumbnailType::COMM => Space::Comm,
        ThumbnailType::RMA_WIN => Space::RmaWin,
        ThumbnailType::IO_HANDLE => Space::IoHandle,
        _ => return None,
    })
}
