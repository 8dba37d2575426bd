//! The events at which logical messages begin or end, and nothing else.
//!
//! Internal events never enter the sweep: where they go follows from the two
//! sync events around them. So the sweep reads one short record per sync
//! event, each location's together, in the order of its events. An event with
//! several roles has a record for each: first what it waits for, then what
//! waits for it. Its time is the last one's.

use mpiscope_model::{Events, Matching, Timestamp, Trace};

use crate::latency::LatencyTable;
use crate::links::{ends, links, Links};
use crate::logical::Meeting;

/// What a sync event does; what waits comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Receives the logical message `link`.
    Receive,
    /// Leaves a collective operation as its member `link`, a receiver.
    Exit,
    /// A receiver freed from its sender, to open a cycle.
    Freed,
    /// Nothing; visited all the same, because a spacing between events is asked for.
    Internal,
    /// Sends the logical message `link`.
    Send,
    /// Enters a collective operation as its member `link`, a sender.
    Enter,
}

/// One role of one event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Interpolated time.
    pub time: i64,
    /// Corrected time, once the sweep was here.
    pub corrected: i64,
    /// Least latency of the message received here.
    pub latency: i64,
    /// Row in the logical messages, or in the members of collective operations.
    pub link: u32,
    /// Number of the event in its location.
    pub event: u32,
    /// What it does.
    pub role: Role,
    /// The clock condition moved it beyond where its clock has it.
    pub jump: bool,
}

impl Record {
    /// Returns how far it is moved.
    pub fn offset(&self) -> i64 {
        self.corrected.saturating_sub(self.time)
    }
}

/// The sync events of all locations.
pub(crate) struct Records {
    pub all: Vec<Record>,
    /// Where each location's records begin; one more entry than locations.
    pub begin: Vec<usize>,
    /// How many events they are of, without internal ones.
    pub sync_events: u64,
}

impl Records {
    pub fn of(&self, location: usize) -> &[Record] {
        &self.all[self.begin[location]..self.begin[location + 1]]
    }

    pub fn of_mut(&mut self, location: usize) -> &mut [Record] {
        &mut self.all[self.begin[location]..self.begin[location + 1]]
    }
}

/// Collects the sync events of a trace; if `internal`, all other events too.
pub(crate) fn records(
    trace: &Trace,
    matching: &Matching,
    meetings: &[Option<Meeting>],
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
    internal: bool,
) -> Records {
    let links = links(trace, matching, meetings);
    let messages = matching.messages.len() + matching.bounds.len();
    let mut collector = Collector {
        matching,
        latencies,
        internal,
        roles: Vec::new(),
        records: Records {
            all: Vec::with_capacity(2 * (messages + matching.members.len())),
            begin: vec![0],
            sync_events: 0,
        },
    };
    for ((location, links), times) in trace.locations.iter().zip(&links).zip(times) {
        collector.location(&location.events, links, times);
    }
    collector.records
}

struct Collector<'a> {
    matching: &'a Matching,
    latencies: &'a LatencyTable,
    internal: bool,
    /// Roles of an event that has several; kept for its room.
    roles: Vec<(Role, u32)>,
    records: Records,
}

impl Collector<'_> {
    fn location(&mut self, events: &Events, links: &Links, times: &[Timestamp]) {
        let mut extras = links.extras().iter().peekable();
        let mut next_extra = extras.peek().map_or(u32::MAX, |extra| extra.event);
        for (event, &kind) in events.kinds().iter().enumerate() {
            let own = links.by_row(kind, events.args()[event]);
            if event as u32 != next_extra {
                if let Some((role, link)) = own {
                    self.records.sync_events += 1;
                    self.add(times[event], event, role, link);
                } else if self.internal {
                    self.add(times[event], event, Role::Internal, 0);
                }
                continue;
            }
            let mut roles = std::mem::take(&mut self.roles);
            roles.extend(own);
            while let Some(extra) = extras.next_if(|extra| extra.event == next_extra) {
                roles.push((extra.role, extra.link));
            }
            next_extra = extras.peek().map_or(u32::MAX, |extra| extra.event);
            roles.sort_unstable();
            self.records.sync_events += 1;
            for (role, link) in roles.drain(..) {
                self.add(times[event], event, role, link);
            }
            self.roles = roles;
        }
        self.records.begin.push(self.records.all.len());
    }

    fn add(&mut self, time: Timestamp, event: usize, role: Role, link: u32) {
        let mut latency = 0;
        if role == Role::Receive {
            let (send, receive) = ends(self.matching, link);
            latency = self.latencies.between(send.location, receive.location).0;
        }
        self.records.all.push(Record {
            time: time.0,
            corrected: 0,
            latency,
            link,
            event: event as u32,
            role,
            jump: false,
        });
    }
}
