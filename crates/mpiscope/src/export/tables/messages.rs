//! One row per matched message: who sent what to whom, when and where in the program. In one order
//! they come by the time at which they were sent.

use anyhow::Result;
use mpiscope_archive::model::{Event, Message, PointToPoint};

use super::{Folder, Rows};
use crate::table::{column, Cell, Column, Kind};
use mpiscope_analysis::described::comm_name;

struct Row<'a> {
    rows: &'a Rows<'a>,
    number: usize,
    message: Message,
    sent: &'a PointToPoint,
    received: &'a PointToPoint,
}

/// Writes the table; returns how many rows it has.
pub fn write(rows: &Rows, folder: &Folder) -> Result<u64> {
    let messages = &rows.source.matching.messages;
    let numbers = rows.by_event(0..messages.len(), |&number| messages[number].send);
    let row = |number: usize| {
        let message = messages[number];
        let particulars = |event: mpiscope_archive::model::EventRef| {
            let location = rows.location(event);
            match location.events.event(event.index as usize) {
                Event::MpiSend(it) | Event::MpiIsend(it) => Some(it),
                Event::MpiRecv(it) | Event::MpiIrecv(it) => Some(it),
                _ => None,
            }
        };
        Some(Row {
            rows,
            number,
            message,
            sent: particulars(message.send)?,
            received: particulars(message.receive)?,
        })
    };
    folder.write(columns(), numbers.filter_map(row))
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Kind::{Ascending, Flag, Number, Text};
    vec![
        column("message", Ascending, |row| Cell::number(row.number)),
        column("from_rank", Number, |row| {
            Cell::number(row.rows.location(row.message.send).rank.0)
        }),
        column("to_rank", Number, |row| {
            Cell::number(row.rows.location(row.message.receive).rank.0)
        }),
        column("from_location", Number, |row| {
            Cell::number(row.rows.location(row.message.send).id)
        }),
        column("to_location", Number, |row| {
            Cell::number(row.rows.location(row.message.receive).id)
        }),
        column("send_event", Ascending, |row| {
            Cell::number(row.message.send.index)
        }),
        column("receive_event", Ascending, |row| {
            Cell::number(row.message.receive.index)
        }),
        column("send_ns", Ascending, |row| row.rows.ns(row.message.send)),
        column("receive_ns", Ascending, |row| {
            row.rows.ns(row.message.receive)
        }),
        column("bytes", Number, |row| Cell::number(row.sent.bytes)),
        column("tag", Number, |row| Cell::number(row.sent.tag)),
        column("communicator", Text, |row| {
            Cell::text(comm_name(row.rows.source.trace, row.sent.comm))
        }),
        column("communicator_id", Number, |row| {
            Cell::number(row.sent.comm.0)
        }),
        column("send_region", Text, |row| {
            row.rows.region_of(row.message.send)
        }),
        column("send_call_site", Text, |row| {
            row.rows.site_of(row.message.send)
        }),
        column("receive_region", Text, |row| {
            row.rows.region_of(row.message.receive)
        }),
        column("receive_call_site", Text, |row| {
            row.rows.site_of(row.message.receive)
        }),
        column("any_source", Flag, |row| {
            Cell::Flag(row.received.any_source)
        }),
        column("any_tag", Flag, |row| Cell::Flag(row.received.any_tag)),
    ]
}
