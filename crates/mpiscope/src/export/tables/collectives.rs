//! One row per member of a collective operation: those of one operation share its number. In one
//! order they come by the time at which each began it.

use anyhow::Result;
use mpiscope_archive::model::{CollectiveInstance, CollectiveMember, CommId};

use super::{Folder, Rows};
use crate::table::{column, Cell, Column, Kind};
use mpiscope_analysis::described::{comm_name, world_rank};

struct Row<'a> {
    rows: &'a Rows<'a>,
    number: usize,
    instance: &'a CollectiveInstance,
    member: &'a CollectiveMember,
}

/// Writes the table; returns how many rows it has. What is no operation by the trace's
/// assumptions is none here, as `info` counts.
pub fn write(rows: &Rows, folder: &Folder) -> Result<u64> {
    let matching = &rows.source.matching;
    let held = |it: &&CollectiveInstance| matching.assumptions.hold(it.op);
    let instances = matching.collectives.iter().filter(held).enumerate();
    let members = instances.flat_map(|(number, instance)| {
        let members = matching.members_of(instance).iter();
        members.map(move |member| Row {
            rows,
            number,
            instance,
            member,
        })
    });
    folder.write(columns(), rows.by_event(members, |row| row.member.enter))
}

impl Row<'_> {
    fn comm(&self) -> Option<CommId> {
        let comm = self.instance.comm;
        (comm != CommId::NONE).then_some(comm)
    }

    fn root(&self) -> Option<u32> {
        let me = self.rows.location(self.member.enter).rank;
        let trace = self.rows.source.trace;
        world_rank(trace, me, self.instance.comm, self.instance.root?)
    }
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Kind::{Ascending, Flag, Number, Text};
    vec![
        column("collective", Ascending, |row| Cell::number(row.number)),
        column("operation", Text, |row| {
            Cell::text(Some(row.instance.op.name()))
        }),
        column("communicator", Text, |row| {
            let trace = row.rows.source.trace;
            Cell::text(row.comm().and_then(|comm| comm_name(trace, comm)))
        }),
        column("communicator_id", Number, |row| {
            Cell::maybe(row.comm().map(|comm| comm.0))
        }),
        column("root", Number, |row| Cell::maybe(row.root())),
        column("rank", Number, |row| {
            Cell::number(row.rows.location(row.member.enter).rank.0)
        }),
        column("location", Number, |row| {
            Cell::number(row.rows.location(row.member.enter).id)
        }),
        column("rank_in_communicator", Number, |row| {
            Cell::number(row.member.rank)
        }),
        column("begin_event", Ascending, |row| {
            Cell::number(row.member.enter.index)
        }),
        column("end_event", Ascending, |row| {
            Cell::number(row.member.exit.index)
        }),
        column("begin_ns", Ascending, |row| row.rows.ns(row.member.enter)),
        column("end_ns", Ascending, |row| row.rows.ns(row.member.exit)),
        column("bytes_sent", Number, |row| Cell::number(row.member.sent)),
        column("bytes_received", Number, |row| {
            Cell::number(row.member.received)
        }),
        column("region", Text, |row| row.rows.region_of(row.member.enter)),
        column("call_site", Text, |row| row.rows.site_of(row.member.enter)),
        column("complete", Flag, |row| Cell::Flag(row.instance.complete)),
        column("consistent", Flag, |row| {
            Cell::Flag(row.instance.consistent)
        }),
    ]
}
