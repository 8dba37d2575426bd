//! The events at which logical messages begin or end, and nothing else.
//!
//! Internal events never enter the sweep: where they go follows from the two
//! sync events around them. So the sweep reads one short record per sync
//! event, each location's together, in the order of its events.

use mpiscope_model::{EventKind, Matching, Timestamp, Trace};

use crate::latency::LatencyTable;
use crate::logical::Meeting;

/// What a sync event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Sends the message `link`.
    Send,
    /// Receives the message `link`.
    Receive,
    /// Enters a collective operation as its member `link`, a sender.
    Enter,
    /// Leaves a collective operation as its member `link`, a receiver.
    Exit,
    /// A receiver freed from its sender, to open a cycle.
    Freed,
}

/// One sync event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Interpolated time.
    pub time: i64,
    /// Corrected time, once the sweep was here.
    pub corrected: i64,
    /// Least latency of the message received here.
    pub latency: i64,
    /// Row in the messages, or in the members of collective operations.
    pub link: u32,
    /// Number of the event in its location.
    pub event: u32,
    /// What it does.
    pub role: Role,
}

/// The sync events of all locations.
pub(crate) struct Records {
    pub all: Vec<Record>,
    /// Where each location's records begin; one more entry than locations.
    pub begin: Vec<usize>,
}

impl Records {
    pub fn of(&self, location: usize) -> &[Record] {
        &self.all[self.begin[location]..self.begin[location + 1]]
    }
}

/// No row.
const NONE: u32 = u32::MAX;

/// Rows of one location's side tables, linked to messages and members.
#[derive(Default)]
struct Links {
    messages: Vec<u32>,
    enters: Vec<u32>,
    exits: Vec<u32>,
}

/// Collects the sync events of a trace.
pub(crate) fn records(
    trace: &Trace,
    matching: &Matching,
    meetings: &[Option<Meeting>],
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
) -> Records {
    let links = links(trace, matching, meetings);
    let mut records = Records {
        all: Vec::with_capacity(2 * (matching.messages.len() + matching.members.len())),
        begin: vec![0],
    };
    for (location, links) in trace.locations.iter().zip(&links) {
        let column = &times[records.begin.len() - 1];
        let args = location.events.args();
        for (event, &kind) in location.events.kinds().iter().enumerate() {
            let row = args[event] as usize;
            use EventKind::*;
            let (role, link) = match kind {
                Enter | Leave | Other => continue,
                MpiSend | MpiIsend => (Role::Send, links.messages[row]),
                MpiRecv | MpiIrecv => (Role::Receive, links.messages[row]),
                MpiCollectiveBegin => match links.enters.get(row) {
                    Some(link) => (Role::Enter, *link),
                    None => continue,
                },
                MpiCollectiveEnd => (Role::Exit, links.exits[row]),
                _ => continue,
            };
            if link == NONE {
                continue;
            }
            let mut latency = 0;
            if role == Role::Receive {
                let message = matching.messages[link as usize];
                let (from, to) = (message.send.location, message.receive.location);
                latency = latencies.between(from, to).0;
            }
            records.all.push(Record {
                time: column[event].0,
                corrected: 0,
                latency,
                link,
                event: event as u32,
                role,
            });
        }
        records.begin.push(records.all.len());
    }
    records
}

fn links(trace: &Trace, matching: &Matching, meetings: &[Option<Meeting>]) -> Vec<Links> {
    let empty = |location: &mpiscope_model::Location| Links {
        messages: vec![NONE; location.events.messages().len()],
        enters: vec![NONE; location.events.collectives().len()],
        exits: vec![NONE; location.events.collectives().len()],
    };
    let mut links: Vec<Links> = trace.locations.iter().map(empty).collect();
    let row = |event: mpiscope_model::EventRef| {
        trace.locations[event.location.index()].events.args()[event.index as usize] as usize
    };
    for (number, message) in matching.messages.iter().enumerate() {
        // Program order says all there is about a message to oneself.
        if message.send.location != message.receive.location {
            for event in [message.send, message.receive] {
                links[event.location.index()].messages[row(event)] = number as u32;
            }
        }
    }
    for (instance, meeting) in matching.collectives.iter().zip(meetings) {
        let Some(meeting) = meeting else { continue };
        for number in instance.members.clone() {
            let member = &matching.members[number];
            let links = &mut links[member.exit.location.index()];
            let row = row(member.exit);
            if meeting.sends(member) {
                links.enters[row] = number as u32;
            }
            if meeting.receives(member) {
                links.exits[row] = number as u32;
            }
        }
    }
    links
}
