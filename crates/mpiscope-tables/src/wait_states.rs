//! The table of wait states: which call waited, for whom, and how long.

use arrow_array::RecordBatch;
use mpiscope_analysis::wait_states::{wait_states, Kind};
use mpiscope_model::Matching;

use crate::columns::FromRows;
use crate::texts::Texts;
use crate::{rank, Around, Tables};

/// Makes the table.
pub fn table(tables: &Tables, matching: &Matching) -> RecordBatch {
    let around = Around::new(tables.trace);
    let rows = wait_states(tables.trace, matching);
    let kinds = Texts::of(Kind::ALL.iter().map(|kind| Some(kind.name())));
    let (regions, sites) = (&tables.regions, &tables.call_sites);
    FromRows::new(&rows)
        .text("kind", &kinds, |it| kinds.find(it.kind.name()))
        .number("rank", |it| rank(tables.location(it.call)))
        .number("thread", |it| i64::from(tables.location(it.call).thread))
        .text("region", regions, |it| {
            tables.region(around.call(it.call).0)
        })
        .text("call_site", sites, |it| {
            tables.call_site(around.call(it.call).1)
        })
        .number("begin_ns", |it| tables.ns(it.begin))
        .number("end_ns", |it| tables.ns(it.end))
        .number("waiting_ns", |it| it.duration().0)
        .number("waited_for", |it| rank(tables.location(it.cause)))
        .text("cause_region", regions, |it| {
            tables.region(around.call(it.cause).0)
        })
        .text("cause_call_site", sites, |it| {
            tables.call_site(around.call(it.cause).1)
        })
        .flag("contradicts", |it| it.contradicts)
        .number("event", |it| tables.row(it.call))
        .number("cause_event", |it| tables.row(it.cause))
        .table()
}
