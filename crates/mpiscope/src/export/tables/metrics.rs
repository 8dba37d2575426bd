//! One row per value of a metric: a program's own, or a counter's.

use anyhow::Result;
use mpiscope_analysis::described::metrics;
use mpiscope_archive::model::{Location, Metric, Number};

use super::{Folder, Rows};
use crate::table::{column, Cell, Column, Kind};

struct Row<'a> {
    rows: &'a Rows<'a>,
    location: &'a Location,
    event: u32,
    metric: &'a Metric,
    value: Number,
}

/// Writes the table; returns how many rows it has.
pub fn write(rows: &Rows, folder: &Folder) -> Result<u64> {
    let trace = rows.source.trace;
    let all = trace.locations.iter().flat_map(|location| {
        let events = location.events.metrics();
        events.flat_map(move |(event, values)| {
            metrics(trace, values).map(move |(metric, value)| Row {
                rows,
                location,
                event,
                metric,
                value,
            })
        })
    });
    folder.write(columns(), all)
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Kind::{Ascending, Number, Real, Text};
    vec![
        column("location", Number, |row| Cell::number(row.location.id)),
        column("rank", Number, |row| Cell::number(row.location.rank.0)),
        column("thread", Number, |row| Cell::number(row.location.thread)),
        column("number", Ascending, |row| Cell::number(row.event)),
        column("time_ns", Ascending, |row| {
            let time = row.location.events.times()[row.event as usize];
            Cell::number(row.rows.source.ns(time))
        }),
        column("metric", Text, |row| Cell::text(Some(&row.metric.name))),
        column("unit", Text, |row| Cell::text(Some(&row.metric.unit))),
        column("value", Real, |row| Cell::Real(row.value.as_f64())),
    ]
}
