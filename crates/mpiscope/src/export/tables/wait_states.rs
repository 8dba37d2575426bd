//! One row per wait state: which call waited, for whom, and how long, as `analyze` finds them, and what
//! clocks leave open of that. In one order they come by the time at which the waiting began.

use anyhow::Result;
use mpiscope_analysis::clock_errors::Open;
use mpiscope_analysis::wait_states::{wait_states, WaitState};

use super::{Folder, Rows};
use crate::table::{column, Cell, Column, Kind};

struct Row<'a> {
    rows: &'a Rows<'a>,
    it: WaitState,
    open: Option<Open>,
}

/// Writes the table; returns how many rows it has.
pub fn write(rows: &Rows, folder: &Folder) -> Result<u64> {
    let trace = rows.source.trace;
    let found = wait_states(trace, &rows.source.matching).into_iter();
    let found = rows.order.rows(trace, found, |it| (it.begin, it.call));
    let errors = &rows.source.clock_errors;
    let row = |it: WaitState| Row {
        rows,
        it,
        open: errors.of_wait(trace, &it),
    };
    let found = found.map(row);
    folder.write(columns(), found)
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Kind::{Ascending, Flag, Number, Text};
    vec![
        column("kind", Text, |row| Cell::text(Some(row.it.kind.name()))),
        column("rank", Number, |row| {
            Cell::number(row.rows.location(row.it.call).rank.0)
        }),
        column("location", Number, |row| {
            Cell::number(row.rows.location(row.it.call).id)
        }),
        column("event", Ascending, |row| Cell::number(row.it.call.index)),
        column("region", Text, |row| row.rows.region_of(row.it.call)),
        column("call_site", Text, |row| row.rows.site_of(row.it.call)),
        column("begin_ns", Ascending, |row| {
            Cell::number(row.rows.source.ns(row.it.begin))
        }),
        column("end_ns", Ascending, |row| {
            Cell::number(row.rows.source.ns(row.it.end))
        }),
        column("waiting_ns", Ascending, |row| {
            Cell::number(row.it.duration().0)
        }),
        column("half_width_ns", Number, |row| {
            Cell::maybe(row.open.map(|open| open.half_width.0))
        }),
        column("below_clock_resolution", Flag, |row| {
            row.open
                .map_or(Cell::Null, |open| Cell::Flag(open.is_below))
        }),
        column("waited_for", Number, |row| {
            Cell::number(row.rows.location(row.it.cause).rank.0)
        }),
        column("cause_location", Number, |row| {
            Cell::number(row.rows.location(row.it.cause).id)
        }),
        column("cause_event", Ascending, |row| {
            Cell::number(row.it.cause.index)
        }),
        column("cause_region", Text, |row| row.rows.region_of(row.it.cause)),
        column("cause_call_site", Text, |row| {
            row.rows.site_of(row.it.cause)
        }),
        column("contradicts", Flag, |row| Cell::Flag(row.it.contradicts)),
    ]
}
