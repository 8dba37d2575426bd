//! One row per value of a metric: a program's own, or a counter's.

use anyhow::Result;
use mpiscope_analysis::described::metrics;
use mpiscope_archive::model::{Event, EventRef, Location, LocationIndex, Metric, Number};

use super::{all, Folder, Rows};
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
    let has_some = |at: &LocationIndex| {
        let events = &trace.locations[at.index()].events;
        events.metrics().next().is_some()
    };
    let locations = all(trace).into_iter().filter(has_some).collect();
    let events = rows.order.events(trace, locations);
    folder.write(columns(), events.flat_map(|event| values(rows, event)))
}

/// Returns what an event says of metrics: most say nothing.
fn values<'a>(rows: &'a Rows, event: EventRef) -> impl Iterator<Item = Row<'a>> {
    let location = rows.location(event);
    let values = match location.events.event(event.index as usize) {
        Event::Metric(values) => values,
        _ => &[],
    };
    let told = metrics(rows.source.trace, values);
    told.map(move |(metric, value)| Row {
        rows,
        location,
        event: event.index,
        metric,
        value,
    })
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
