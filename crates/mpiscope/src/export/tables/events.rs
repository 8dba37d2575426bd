//! One row per event: location by location in the order in which they were recorded, or all by time.

use anyhow::Result;
use mpiscope_archive::model::Location;

use super::{all, Folder, Rows};
use crate::table::{column, Cell, Column, Kind};
use mpiscope_analysis::described::{comm_name, Described};

struct Row<'a> {
    rows: &'a Rows<'a>,
    location: &'a Location,
    number: usize,
    it: Described<'a>,
}

/// Writes the table; returns how many rows it has.
pub fn write(rows: &Rows, folder: &Folder) -> Result<u64> {
    let source = rows.source;
    let mut table = folder.table(columns())?;
    let mut turns = 0;
    for event in rows.order.events(source.trace, all(source.trace)) {
        let number = event.index as usize;
        table.add(&Row {
            rows,
            location: rows.location(event),
            number,
            it: rows.describers[event.location.index()].describe(number),
        })?;
        source.progress.turn(&mut turns);
    }
    source.progress.advance(turns);
    table.finish()
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Kind::{Ascending, Flag, Number, Text};
    vec![
        column("location", Number, |row| Cell::number(row.location.id)),
        column("rank", Number, |row| Cell::number(row.location.rank.0)),
        column("thread", Number, |row| Cell::number(row.location.thread)),
        column("number", Ascending, |row| Cell::number(row.number)),
        column("time_ns", Ascending, |row| Cell::number(row.it.time_ns)),
        column("event", Text, |row| Cell::text(Some(row.it.kind))),
        column("region", Text, |row| row.rows.region(row.it.region)),
        column("region_id", Number, |row| {
            Cell::maybe(row.it.region.map(|it| it.0))
        }),
        column("call_site", Text, |row| row.rows.site(row.it.site)),
        column("call_site_id", Number, |row| {
            Cell::maybe(row.it.site.map(|it| it.0))
        }),
        column("peer", Number, |row| Cell::maybe(row.it.peer)),
        column("communicator", Text, |row| {
            let trace = row.rows.source.trace;
            Cell::text(row.it.comm.and_then(|comm| comm_name(trace, comm)))
        }),
        column("communicator_id", Number, |row| {
            Cell::maybe(row.it.comm.map(|it| it.0))
        }),
        column("tag", Number, |row| Cell::maybe(row.it.tag)),
        column("bytes", Number, |row| Cell::maybe(row.it.bytes)),
        column("operation", Text, |row| Cell::text(row.it.operation)),
        column("root", Number, |row| Cell::maybe(row.it.root)),
        column("bytes_sent", Number, |row| Cell::maybe(row.it.sent)),
        column("bytes_received", Number, |row| Cell::maybe(row.it.received)),
        column("request", Ascending, |row| Cell::maybe(row.it.request)),
        column("any_source", Flag, |row| Cell::Flag(row.it.any_source)),
        column("any_tag", Flag, |row| Cell::Flag(row.it.any_tag)),
    ]
}
