//! A location that keeps its measured events: the same file, and clock offsets beside it.
//!
//! Within a run the file is hard-linked, which costs neither time nor room: nobody writes events
//! in place, and an archive that is replaced is removed first, so that none of the two names is
//! written through. Elsewhere, or where the file system has no links, it is copied (file
//! systems that can share blocks do), as an archive in another place may outlive this one.

use std::fs;
use std::path::Path;

use mpiscope_model::{EventKind, Events, Location, Timestamp};
use otf2::clock::fit;
use otf2::LocalDefinition;

use super::{Column, Times, Written};
use crate::source::Source;
use crate::Error;
use mpiscope_run::drain::NAME;

/// Bytes of a clock offset in a file.
const OFFSET: u64 = 27;

/// Clock offsets may take that part of the room of the events: readers hold them in
/// memory, and two or three times as many bytes.
const PART: u64 = 8;

/// So many are always few.
const FEW: u64 = 64;

/// What resolution corrected times have.
const NANOSECONDS: u64 = 1_000_000_000;

/// Writes a location with its measured events; writes nothing and returns nothing if its events
/// must be rewritten.
pub(super) fn keep(
    column: &Column<'_>,
    measured: &Location,
    told: Times,
) -> Result<Option<Written>, Error> {
    let Column {
        source,
        stream,
        out,
        ..
    } = *column;
    let file = source.archive.events(stream.id)?;
    let most = match told {
        Times::Rewritten => return Ok(None),
        Times::ClockOffsets => usize::MAX,
        Times::Auto => (file.size() / PART / OFFSET).max(FEW) as usize,
    };
    let possible = stands_alone(source, measured)
        && file.path().is_file()
        && file.most_events() == column.times.len() as u64
        && source.archive.snapshots(stream.id)?.size() == 0;
    let offsets = possible.then(|| offsets(column, measured, most)).flatten();
    let Some(offsets) = offsets else {
        return Ok(None);
    };
    let events = out.join(NAME).join(format!("{}.evt", stream.id));
    same_file(file.path(), &events, within(source, out))?;
    let definitions = definitions(source, stream.id, &offsets)?;
    let chunk = source.archive.anchor().definition_chunk;
    otf2::write::local_definitions_in(out, NAME, stream.id, &definitions, chunk)?;
    column.progress.advance(column.times.len() as u64);
    Ok(Some(Written {
        at: column.at,
        location: stream.id,
        events: column.times.len() as u64,
        offsets: Some(offsets.len() as u64),
    }))
}

/// Whether what a location's file says is what the trace says: in nanoseconds, from the first
/// event to the last, and with no times that are not those of events.
fn stands_alone(source: &Source, measured: &Location) -> bool {
    source.clock.resolution == NANOSECONDS
        && !source.corrected
        && measured.truncated.is_none()
        && measured.events.times().last() != Some(&Timestamp(i64::MAX))
        && !holds_times(&measured.events)
}

/// OTF2's number of the one record with a second time.
const BUFFER_FLUSH: u32 = 10;

fn holds_times(events: &Events) -> bool {
    let mut all = events.kinds().iter().zip(events.args());
    all.any(|(kind, arg)| *kind == EventKind::Other && *arg == BUFFER_FLUSH)
}

/// Finds clock offsets that give all new times.
fn offsets(column: &Column<'_>, measured: &Location, most: usize) -> Option<Vec<(u64, i64)>> {
    let (before, after) = (measured.events.times(), column.times);
    let sound = before.len() == after.len()
        && before.first().is_none_or(|first| first.0 >= 0)
        && after.is_sorted();
    if !sound {
        return None;
    }
    let knots: Vec<(u64, i64)> = (column.knots.iter())
        .filter_map(|&(time, offset)| {
            let offset = offset.checked_add(column.shift)?;
            Some((u64::try_from(time).ok()?, offset))
        })
        .collect();
    let at = |event: usize| {
        let time = before[event].0;
        let moved = after[event].0.saturating_add(column.shift);
        (time as u64, moved.wrapping_sub(time))
    };
    fit(before.len(), at, &knots, most).ok()
}

/// Returns the definitions of a location with other clock offsets.
fn definitions(
    source: &Source,
    location: u64,
    offsets: &[(u64, i64)],
) -> Result<Vec<LocalDefinition>, Error> {
    let measured = source.archive.local_definitions(location)?;
    let others = measured.into_iter();
    let others = others.filter(|it| !matches!(it, LocalDefinition::ClockOffset { .. }));
    let offsets = offsets
        .iter()
        .map(|&(time, offset)| LocalDefinition::ClockOffset {
            time,
            offset,
            standard_deviation: 0.0,
        });
    Ok(others.chain(offsets).collect())
}

/// Whether the new archive is part of what holds the measured one.
fn within(source: &Source, out: &Path) -> bool {
    let directory = source.archive.directory();
    let directory = match directory.as_os_str().is_empty() {
        true => Path::new("."),
        false => directory,
    };
    match (directory.canonicalize(), out.canonicalize()) {
        (Ok(directory), Ok(out)) => out.starts_with(directory),
        _ => false,
    }
}

/// Gives a file a second name, or makes a copy.
fn same_file(from: &Path, to: &Path, link: bool) -> Result<(), Error> {
    // What a symbolic link leads to may lie on another disk, or be somebody else's.
    let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|data| data.is_file());
    if link && is_file(from) && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to).map(drop).map_err(|e| Error::io(to, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_a_second_name_or_a_copy() {
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir().unwrap();
        let [from, linked, copied, lead, by_lead] =
            ["from", "linked", "copied", "lead", "by_lead"].map(|name| folder.path().join(name));
        fs::write(&from, "events").unwrap();
        std::os::unix::fs::symlink(&from, &lead).unwrap();
        same_file(&from, &linked, true).unwrap();
        same_file(&from, &copied, false).unwrap();
        same_file(&lead, &by_lead, true).unwrap();
        let number = |path: &Path| path.symlink_metadata().unwrap().ino();
        assert_eq!(number(&from), number(&linked));
        for copy in [&copied, &by_lead] {
            assert_ne!(number(&from), number(copy));
            assert!(copy.symlink_metadata().unwrap().is_file());
            assert_eq!(fs::read_to_string(copy).unwrap(), "events");
        }
    }
}
