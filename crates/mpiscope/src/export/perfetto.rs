//! A time line with message arrows, as Perfetto reads it: a stream of TracePackets
//! (<https://perfetto.dev/docs/reference/trace-packet-proto>).
//!
//! Every location is a track of its own and a sequence of its own, so that names are interned
//! where they are used. Regions are slices, messages and collective operations instants; a flow
//! leads from each send to its receive. The numbers of fields are those of
//! `protos/perfetto/trace`.

mod fields;
mod proto;
mod track;

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use mpiscope_archive::model::{EventRef, Message as Sent, MetricId};

use super::notes::Stacks;
use super::source::{create, Source, Written};
use crate::report::show;
use fields::{packet, process, thread, track as descriptor};
use proto::Message;
use track::Track;

/// Writes the file.
pub fn write(source: &Source, file: &Path) -> Result<Written> {
    let mut out = create(file)?;
    let mut counts = Counts::default();
    let flows = flows(source);
    for rank in process_ranks(source) {
        let process = Message::new()
            .number(process::PID, pid(rank))
            .text(process::NAME, &format!("rank {rank}"));
        let track = Message::new()
            .number(descriptor::UUID, process_uuid(rank))
            .message(descriptor::PROCESS, &process);
        put(
            &mut out,
            &Message::new().message(packet::DESCRIPTOR, &track),
        )?;
    }
    for (number, location) in source.trace.locations.iter().enumerate() {
        put(&mut out, &begin(source, number))?;
        let flows = &flows[number];
        Track::new(source, number, location, flows, &mut counts).write(&mut out)?;
        source.progress.advance(location.events.len() as u64);
    }
    out.flush()?;
    Ok(Written {
        what: vec![
            show::counted(source.trace.locations.len() as u64, "track"),
            show::counted(counts.slices, "slice"),
            show::counted(source.matching.messages.len() as u64, "message arrow"),
            show::counted(counts.collectives, "end") + " of collective operations",
        ]
        .into_iter()
        .chain((counts.values > 0).then(|| show::counted(counts.values, "metric value")))
        .collect(),
        notes: counts.stacks.sentences("Perfetto"),
    })
}

/// What was written, and what was not.
#[derive(Debug, Default)]
struct Counts {
    slices: u64,
    values: u64,
    collectives: u64,
    stacks: Stacks,
}

/// Writes a packet: a trace is nothing but packets, in field 1.
fn put(out: &mut impl Write, packet: &Message) -> Result<()> {
    Ok(out.write_all(Message::new().message(1, packet).as_bytes())?)
}

/// Returns for each location the flow of each event that sends or receives a matched message.
fn flows(source: &Source) -> Vec<HashMap<u32, u64>> {
    let mut flows = vec![HashMap::new(); source.trace.locations.len()];
    let messages = source.matching.messages.iter();
    for (number, &Sent { send, receive }) in (1..).zip(messages) {
        let mut note = |event: EventRef| flows[event.location.index()].insert(event.index, number);
        note(send);
        note(receive);
    }
    flows
}

fn process_ranks(source: &Source) -> Vec<u32> {
    let locations = source.trace.locations.iter();
    let mut ranks: Vec<u32> = locations.map(|location| location.rank.0).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

/// Perfetto takes process 0 for the idle one of Linux.
fn pid(rank: u32) -> u64 {
    (u64::from(rank) + 1).min(i32::MAX as u64)
}

fn process_uuid(rank: u32) -> u64 {
    1 << 32 | u64::from(rank)
}

/// Thread 0 is the idle one, too; the first thread of a process has its number.
fn tid(source: &Source, number: usize) -> u64 {
    let location = &source.trace.locations[number];
    match (location.is_thread(), location.thread) {
        (true, 0) => pid(location.rank.0),
        _ => i32::MAX as u64 - number as u64,
    }
}

fn track_uuid(number: usize) -> u64 {
    2 << 32 | number as u64
}

/// The values of a metric on a location have a track of their own.
fn counter_uuid(number: usize, metric: MetricId) -> u64 {
    1 << 63 | (number as u64) << 32 | u64::from(metric.0)
}

/// Begins the sequence of a location: its track, which all its events belong to.
fn begin(source: &Source, number: usize) -> Message {
    let location = &source.trace.locations[number];
    let thread = Message::new()
        .number(thread::PID, pid(location.rank.0))
        .number(thread::TID, tid(source, number))
        .text(thread::NAME, &source.name(location));
    let track = Message::new()
        .number(descriptor::UUID, track_uuid(number))
        .number(descriptor::PARENT, process_uuid(location.rank.0))
        .message(descriptor::THREAD, &thread);
    let events = Message::new().number(fields::event::TRACK, track_uuid(number));
    let defaults = Message::new().message(fields::defaults::EVENTS, &events);
    Message::new()
        .number(packet::SEQUENCE, sequence(number))
        .number(packet::FLAGS, fields::STATE_CLEARED)
        .message(packet::DEFAULTS, &defaults)
        .message(packet::DESCRIPTOR, &track)
}

fn sequence(number: usize) -> u64 {
    number as u64 + 1
}
