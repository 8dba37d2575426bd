//! The table of wait states: which call waited, for whom, and how long; and what clocks leave open of
//! that.

use arrow_array::RecordBatch;
use mpiscope_analysis::clock_errors::{ClockErrors, Open};
use mpiscope_analysis::wait_states::{wait_states, Kind, WaitState};
use mpiscope_model::Matching;

use crate::columns::FromRows;
use crate::texts::Texts;
use crate::{rank, Around, Tables};

struct Row {
    it: WaitState,
    open: Option<Open>,
}

/// Makes the table.
pub fn table(tables: &Tables, matching: &Matching, errors: &ClockErrors) -> RecordBatch {
    let around = Around::new(tables.trace);
    let found = wait_states(tables.trace, matching);
    let row = |it: WaitState| Row {
        it,
        open: errors.of_wait(tables.trace, &it),
    };
    let rows: Vec<Row> = found.into_iter().map(row).collect();
    let kinds = Texts::of(Kind::ALL.iter().map(|kind| Some(kind.name())));
    let (regions, sites) = (&tables.regions, &tables.call_sites);
    FromRows::new(&rows)
        .text("kind", &kinds, |Row { it, .. }| kinds.find(it.kind.name()))
        .number("rank", |Row { it, .. }| rank(tables.location(it.call)))
        .number("thread", |Row { it, .. }| {
            i64::from(tables.location(it.call).thread)
        })
        .text("region", regions, |Row { it, .. }| {
            tables.region(around.call(it.call).0)
        })
        .text("call_site", sites, |Row { it, .. }| {
            tables.call_site(around.call(it.call).1)
        })
        .number("begin_ns", |Row { it, .. }| tables.ns(it.begin))
        .number("end_ns", |Row { it, .. }| tables.ns(it.end))
        .number("waiting_ns", |Row { it, .. }| it.duration().0)
        .maybe("half_width_ns", |row| Some(row.open?.half_width.0))
        .maybe_flag("below_clock_resolution", |row| Some(row.open?.is_below))
        .number("waited_for", |Row { it, .. }| {
            rank(tables.location(it.cause))
        })
        .text("cause_region", regions, |Row { it, .. }| {
            tables.region(around.call(it.cause).0)
        })
        .text("cause_call_site", sites, |Row { it, .. }| {
            tables.call_site(around.call(it.cause).1)
        })
        .flag("contradicts", |Row { it, .. }| it.contradicts)
        .number("event", |Row { it, .. }| tables.row(it.call))
        .number("cause_event", |Row { it, .. }| tables.row(it.cause))
        .table()
}
