//! What the events refer to, a table for each kind.

use anyhow::Result;
use mpiscope_archive::model::{
    CallSite, Communicator, Location, LocationIndex, LocationKind, Rank, Region,
};
use mpiscope_sync::Topology;

use super::{Folder, Rows};
use crate::table::{column, Cell, Column, Kind};

/// Something defined, and its number.
type Numbered<'a, T> = (u32, &'a T);

fn numbered<T>(all: &[T]) -> impl Iterator<Item = Numbered<'_, T>> {
    (0..).zip(all)
}

fn known(text: &str) -> Cell<'_> {
    Cell::text((!text.is_empty()).then_some(text))
}

fn line(line: u32) -> Cell<'static> {
    Cell::maybe((line > 0).then_some(line))
}

/// Functions and other parts of the program.
pub fn regions(rows: &Rows, folder: &Folder) -> Result<u64> {
    use Kind::{Ascending, Number, Text};
    let columns: Vec<Column<Numbered<Region>>> = vec![
        column("region_id", Ascending, |row| Cell::number(row.0)),
        column("region", Text, |row| known(&row.1.name)),
        column("role", Text, |row| {
            Cell::Text(snake(&format!("{:?}", row.1.role)).into())
        }),
        column("paradigm", Text, |row| {
            Cell::Text(snake(&format!("{:?}", row.1.paradigm)).into())
        }),
        column("file", Text, |row| known(&row.1.source_file)),
        column("begin_line", Number, |row| line(row.1.begin_line)),
        column("end_line", Number, |row| line(row.1.end_line)),
    ];
    let regions = &rows.source.trace.definitions.regions;
    folder.write(columns, numbered(regions))
}

/// Writes `PointToPoint` as `point_to_point`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && at > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

struct Place<'a> {
    rows: &'a Rows<'a>,
    location: &'a Location,
    host: Option<String>,
}

/// Streams of events.
pub fn locations(rows: &Rows, folder: &Folder) -> Result<u64> {
    use Kind::{Ascending, Number, Text};
    let columns: Vec<Column<Place>> = vec![
        column("location", Number, |row| Cell::number(row.location.id)),
        column("rank", Number, |row| Cell::number(row.location.rank.0)),
        column("thread", Number, |row| Cell::number(row.location.thread)),
        column("kind", Text, |row| {
            Cell::text(Some(match row.location.kind {
                LocationKind::Thread => "thread",
                LocationKind::Accelerator => "accelerator",
                LocationKind::Metric => "metric",
            }))
        }),
        column("name", Text, |row| known(&row.location.name)),
        column("host", Text, |row| Cell::text(row.host.as_deref())),
        column("events", Ascending, |row| {
            Cell::number(row.location.events.len())
        }),
        column("first_ns", Ascending, |row| {
            let first = row.location.events.times().first();
            Cell::maybe(first.map(|&time| row.rows.source.ns(time)))
        }),
        column("last_ns", Ascending, |row| {
            let last = row.location.events.times().last();
            Cell::maybe(last.map(|&time| row.rows.source.ns(time)))
        }),
        column("damage", Text, |row| {
            Cell::text(row.location.truncated.as_deref())
        }),
    ];
    let topology = Topology::new(rows.source.trace);
    let locations = rows
        .source
        .trace
        .locations
        .iter()
        .zip((0..).map(LocationIndex));
    let places = locations.map(|(location, index)| Place {
        rows,
        location,
        host: topology.host_name(index).map(str::to_owned),
    });
    folder.write(columns, places)
}

/// Communicators: the world ranks of their members, in the order of their ranks there.
pub fn communicators(rows: &Rows, folder: &Folder) -> Result<u64> {
    use Kind::{Ascending, Flag, Number, Text};
    let columns: Vec<Column<Numbered<Communicator>>> = vec![
        column("communicator_id", Ascending, |row| Cell::number(row.0)),
        column("communicator", Text, |row| known(&row.1.name)),
        column("parent_id", Number, |row| {
            Cell::maybe(row.1.parent.map(|parent| parent.0))
        }),
        column("size", Number, |row| Cell::number(row.1.size())),
        column("is_self", Flag, |row| Cell::Flag(row.1.is_self)),
        column("members", Text, |row| {
            Cell::Text(ranks(&row.1.members).into())
        }),
        column("remote_members", Text, |row| {
            let remote = row.1.remote.as_deref();
            remote.map_or(Cell::Null, |remote| Cell::Text(ranks(remote).into()))
        }),
    ];
    let communicators = &rows.source.trace.definitions.communicators;
    folder.write(columns, numbered(communicators))
}

/// Writes ranks in their order, runs of them in short: `4,0-2`.
fn ranks(ranks: &[Rank]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &Rank(rank) in ranks {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(rank) => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let text = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(text).collect::<Vec<_>>().join(",")
}

/// Places in the program that MPI was called from.
pub fn call_sites(rows: &Rows, folder: &Folder) -> Result<u64> {
    use Kind::{Ascending, Number, Text};
    let columns: Vec<Column<Numbered<CallSite>>> = vec![
        column("call_site_id", Ascending, |row| Cell::number(row.0)),
        column("call_site", Text, |row| {
            Cell::Text(row.1.to_string().into())
        }),
        column("function", Text, |row| {
            Cell::text(row.1.function.as_deref())
        }),
        column("file", Text, |row| Cell::text(row.1.file.as_deref())),
        column("line", Number, |row| Cell::maybe(row.1.line)),
        column("module", Text, |row| known(&row.1.module)),
        column("offset", Number, |row| Cell::number(row.1.offset)),
    ];
    let sites = &rows.source.trace.definitions.call_sites;
    folder.write(columns, numbered(sites))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_the_order_of_their_ranks() {
        let text = |members: &[u32]| {
            let members: Vec<Rank> = members.iter().copied().map(Rank).collect();
            ranks(&members)
        };
        assert_eq!(text(&[4, 0, 1, 2, u32::MAX]), "4,0-2,4294967295");
        assert_eq!(text(&[]), "");
        assert_eq!(snake("PointToPoint"), "point_to_point");
    }
}
