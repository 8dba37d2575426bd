//! The table of messages: who sent what to whom, when, and where in the program.

use arrow_array::RecordBatch;
use mpiscope_model::{CallSiteId, Event, EventRef, Matching, Message, PointToPoint, RegionId};

use crate::columns::FromRows;
use crate::{rank, Around, Tables};

struct Row<'a> {
    message: Message,
    sent: &'a PointToPoint,
    received: &'a PointToPoint,
    sender: (Option<RegionId>, Option<CallSiteId>),
    receiver: (Option<RegionId>, Option<CallSiteId>),
}

/// Makes the table.
pub fn table(tables: &Tables, matching: &Matching) -> RecordBatch {
    let around = Around::new(tables.trace);
    let row = |&message: &Message| {
        Some(Row {
            message,
            sent: particulars(tables, message.send)?,
            received: particulars(tables, message.receive)?,
            sender: around.call(message.send),
            receiver: around.call(message.receive),
        })
    };
    let rows: Vec<Row> = matching.messages.iter().filter_map(row).collect();
    let sent = |row: &Row| tables.time(row.message.send);
    let received = |row: &Row| tables.time(row.message.receive);
    let (regions, sites) = (&tables.regions, &tables.call_sites);
    FromRows::new(&rows)
        .number("from_rank", |row| rank(tables.location(row.message.send)))
        .number("to_rank", |row| rank(tables.location(row.message.receive)))
        .number("send_ns", sent)
        .number("receive_ns", received)
        .number("latency_ns", |row| received(row).saturating_sub(sent(row)))
        .number("bytes", |row| row.sent.bytes.try_into().unwrap_or(i64::MAX))
        .number("tag", |row| i64::from(row.sent.tag))
        .text("communicator", &tables.communicators, |row| {
            tables.communicator(row.sent.comm)
        })
        .text("send_region", regions, |row| tables.region(row.sender.0))
        .text("send_call_site", sites, |row| {
            tables.call_site(row.sender.1)
        })
        .text("receive_region", regions, |row| {
            tables.region(row.receiver.0)
        })
        .text("receive_call_site", sites, |row| {
            tables.call_site(row.receiver.1)
        })
        .flag("any_source", |row| row.received.any_source)
        .flag("any_tag", |row| row.received.any_tag)
        .number("send_event", |row| tables.row(row.message.send))
        .number("receive_event", |row| tables.row(row.message.receive))
        .table()
}

fn particulars<'a>(tables: &Tables<'a>, event: EventRef) -> Option<&'a PointToPoint> {
    match tables.location(event).events.event(event.index as usize) {
        Event::MpiSend(it) | Event::MpiIsend(it) => Some(it),
        Event::MpiRecv(it) | Event::MpiIrecv(it) => Some(it),
        _ => None,
    }
}
