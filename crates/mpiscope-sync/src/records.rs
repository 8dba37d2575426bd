//! The events at which logical messages begin or end, and nothing else.
//!
//! Internal events never enter the sweep: where they go follows from the two
//! sync events around them. So the sweep reads one record of 32 bytes per sync
//! event, each location's together, in the order of its events. An event with
//! several roles has a record for each: first what it waits for, then what
//! waits for it. Its time is the last one's.

use std::ops::Range;

use mpiscope_model::{EventRef, LocationIndex, Matching, Timestamp, Trace};
use rayon::prelude::*;

use crate::exchange::{gathered, plain, Division, Exchange, Plain};
use crate::links::{Part, Parts};
use crate::logical::CollectiveSync;
use crate::marks::Marks;
use crate::table::{Hop, LatencyTable};
use crate::Jump;

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
    /// Row in the logical messages, or in the members of collective operations.
    pub link: u32,
    /// Number of the event in its location.
    pub event: u32,
    /// The location at the other end of a message.
    pub peer: u32,
    /// How far a message received here came.
    pub hop: Hop,
    /// What it does.
    pub role: Role,
    /// The clock condition moved it beyond where its clock has it.
    pub jump: bool,
}

const _: () = assert!(std::mem::size_of::<Record>() == 32);

impl Role {
    /// By their numbers.
    const ALL: [Role; 6] = [
        Role::Receive,
        Role::Exit,
        Role::Freed,
        Role::Internal,
        Role::Send,
        Role::Enter,
    ];
}

impl Plain for Role {
    fn put(self, bytes: &mut Vec<u8>) {
        (self as u8).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        Role::ALL.get(usize::from(u8::take(bytes)?)).copied()
    }
}

plain! { Record { time, corrected, link, event, peer, hop, role, jump } }

impl Record {
    /// Returns how far it is moved.
    pub fn offset(&self) -> i64 {
        self.corrected.saturating_sub(self.time)
    }
}

/// The sync events of all locations.
#[derive(Default)]
pub(crate) struct Records {
    /// By location.
    pub all: Vec<Vec<Record>>,
    /// How many events they are of, without internal ones.
    pub sync_events: u64,
}

impl Records {
    pub fn of(&self, location: usize) -> &[Record] {
        &self.all[location]
    }

    /// Takes out those of a part's locations.
    pub fn take(&mut self, division: &Division, part: usize) -> Vec<Vec<Record>> {
        let locations = division.locations(part).iter();
        let mut take = |&location: &u32| std::mem::take(&mut self.all[location as usize]);
        locations.map(&mut take).collect()
    }

    /// Puts back what was taken out.
    pub fn put_back(&mut self, division: &Division, part: usize, records: Vec<Vec<Record>>) {
        for (&location, records) in division.locations(part).iter().zip(records) {
            self.all[location as usize] = records;
        }
    }

    /// Calls logical messages and members of collective operations by other numbers.
    pub fn rename(&mut self, links: &[u32], members: &[u32]) {
        for record in self.all.iter_mut().flatten() {
            let names = match record.role {
                Role::Send | Role::Receive => links,
                Role::Enter | Role::Exit => members,
                Role::Freed | Role::Internal => continue,
            };
            record.link = names[record.link as usize];
        }
    }

    /// Has each of several processes have those of all locations, of which each
    /// had those of its own part.
    pub fn gather<E: Exchange>(&mut self, exchange: &E, division: &Division) {
        self.all = gathered(exchange, division, &self.all);
    }

    /// Returns the events that jumped, with the times these reached.
    pub fn jumps(&self) -> Vec<Vec<Jump>> {
        let of_location = |records: &Vec<Record>| {
            let jumped = records.iter().filter(|record| record.jump);
            let mut jumps: Vec<Jump> = jumped
                .map(|record| Jump {
                    event: record.event,
                    to: Timestamp(record.corrected),
                })
                .collect();
            jumps.dedup_by_key(|jump| jump.event);
            jumps
        };
        self.all.par_iter().map(of_location).collect()
    }

    /// Returns the corrected time of a sync event.
    pub fn corrected(&self, event: EventRef) -> Option<i64> {
        let records = self.of(event.location.index());
        let at = records.partition_point(|record| record.event < event.index);
        let record = records.get(at).filter(|record| record.event == event.index);
        record.map(|record| record.corrected)
    }
}

/// Collects the sync events of those locations of a trace that are `mine`; if
/// `internal`, all other events too.
pub(crate) fn records(
    trace: &Trace,
    matching: &Matching,
    collectives: &[Option<CollectiveSync>],
    times: &[Vec<Timestamp>],
    latencies: &LatencyTable,
    mine: impl Fn(usize) -> bool + Sync,
    internal: bool,
) -> Records {
    let events = |location: usize| match mine(location) {
        true => trace.locations[location].events.len(),
        false => 0,
    };
    let threads = rayon::current_num_threads();
    let found: Vec<Vec<(Vec<Record>, u64)>> = shares(trace.locations.len(), events, threads)
        .into_par_iter()
        .map(|locations| {
            let parts = Parts::new(locations.clone(), matching, collectives);
            let of = |(number, location): (usize, usize)| {
                if !mine(location) {
                    return (Vec::new(), 0);
                }
                let here = LocationIndex(location as u32);
                of_location(
                    parts.of(number),
                    &times[location],
                    here,
                    latencies,
                    internal,
                )
            };
            locations.enumerate().map(of).collect()
        })
        .collect();
    let mut records = Records {
        all: Vec::with_capacity(trace.locations.len()),
        sync_events: 0,
    };
    for (location, sync_events) in found.into_iter().flatten() {
        records.all.push(location);
        records.sync_events += sync_events;
    }
    records
}

/// Splits `locations` into at most `count` ranges of about as much weight.
pub(crate) fn shares(
    locations: usize,
    weight: impl Fn(usize) -> usize,
    count: usize,
) -> Vec<Range<usize>> {
    let total: usize = (0..locations).map(&weight).sum();
    let mut shares = Vec::with_capacity(count);
    let (mut begin, mut sum) = (0, 0);
    for location in 0..locations {
        sum += weight(location);
        let full = sum as u128 * count as u128 >= total as u128 * (shares.len() as u128 + 1);
        if (full && shares.len() + 1 < count) || location + 1 == locations {
            shares.push(begin..location + 1);
            begin = location + 1;
        }
    }
    shares
}

/// Returns the records of a location, and how many sync events they are of.
fn of_location(
    parts: &[Part],
    times: &[Timestamp],
    here: LocationIndex,
    latencies: &LatencyTable,
    internal: bool,
) -> (Vec<Record>, u64) {
    let mut marks = Marks::new(times.len());
    if internal {
        (0..times.len() as u32).for_each(|event| marks.set(event));
    }
    parts.iter().for_each(|part| marks.set(part.event));
    let mut records = blank(here, times, &mut marks);
    let events = records.len();
    let mut sync_events = 0;
    for part in parts {
        let place = marks.place(part.event);
        let assigned = Record {
            link: part.link,
            peer: part.peer,
            hop: match part.role {
                Role::Receive => latencies.hop(LocationIndex(part.peer), here),
                _ => Hop::FAR,
            },
            role: part.role,
            ..records[place]
        };
        if records[place].role == Role::Internal {
            sync_events += 1;
            records[place] = assigned;
        } else {
            records.push(assigned);
        }
    }
    if records.len() > events {
        // All but a few at the end are in order already.
        records.sort_by_key(|record| (record.event, record.role, record.link));
    }
    (records, sync_events)
}

/// Returns records of the marked events of a location, which have no role yet.
fn blank(here: LocationIndex, times: &[Timestamp], marks: &mut Marks) -> Vec<Record> {
    let mut records = Vec::with_capacity(marks.count());
    marks.each(|event| {
        records.push(Record {
            time: times[event as usize].0,
            corrected: 0,
            link: 0,
            event,
            peer: here.0,
            hop: Hop::FAR,
            role: Role::Internal,
            jump: false,
        });
    });
    records
}
