//! What events refer to, a table for each kind.

use arrow_array::RecordBatch;
use mpiscope_model::{CallSite, Communicator, Rank};

use crate::columns::FromRows;
use crate::{rank, Tables};

fn known(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Streams of events; those of one are the rows from `first_event` on.
pub fn locations(tables: &Tables) -> RecordBatch {
    let locations = tables.trace.locations.iter().zip(&tables.first_rows);
    let rows: Vec<_> = locations.collect();
    FromRows::new(&rows)
        .number("location", |(it, _)| it.id.try_into().unwrap_or(i64::MAX))
        .number("rank", |(it, _)| rank(it))
        .number("thread", |(it, _)| i64::from(it.thread))
        .string("name", |(it, _)| known(&it.name))
        .number("events", |(it, _)| it.events.len() as i64)
        .number("first_event", |&(_, &row)| row as i64)
        .string("damage", |(it, _)| it.truncated.clone())
        .table()
}

/// Communicators, with the world ranks of their members in the order of their ranks there.
pub fn communicators(tables: &Tables) -> RecordBatch {
    FromRows::new(&tables.trace.definitions.communicators)
        .string("communicator", |it| known(&it.name))
        .maybe("parent", |it| it.parent.map(|parent| i64::from(parent.0)))
        .number("size", |it: &Communicator| it.size() as i64)
        .string("members", |it| Some(ranks(&it.members)))
        .table()
}

fn ranks(ranks: &[Rank]) -> String {
    let texts: Vec<String> = ranks.iter().map(|rank| rank.0.to_string()).collect();
    texts.join(",")
}

/// Places in the program that MPI was called from.
pub fn call_sites(tables: &Tables) -> RecordBatch {
    FromRows::new(&tables.trace.definitions.call_sites)
        .string("call_site", |it: &CallSite| Some(it.to_string()))
        .string("function", |it| it.function.clone())
        .string("file", |it| it.file.clone())
        .maybe("line", |it| it.line.map(i64::from))
        .string("module", |it| known(&it.module))
        .table()
}
