//! The events of a process that matching asks for, in the order in which the
//! process saw them.

use std::collections::BTreeMap;

use super::channels::Moment;
use crate::definitions::{LocationIndex, Rank};
use crate::events::{EventKind, Events};
use crate::time::Timestamp;
use crate::trace::Trace;

/// The locations of each process, by rank.
pub(super) fn processes(trace: &Trace) -> Vec<(Rank, Vec<LocationIndex>)> {
    let mut by_rank: BTreeMap<Rank, Vec<LocationIndex>> = BTreeMap::new();
    for (index, location) in trace.locations.iter().enumerate() {
        let locations = by_rank.entry(location.rank).or_default();
        locations.push(LocationIndex(index as u32));
    }
    by_rank.into_iter().collect()
}

/// Visits those events of a process that `wanted` names, but no enters and
/// leaves. Threads of a process are merged by their clock; a clock that runs
/// backwards does not disturb a thread's own order.
#[inline(always)]
pub(super) fn visit(
    trace: &Trace,
    locations: &[LocationIndex],
    wanted: impl Fn(EventKind) -> bool,
    visitor: &mut impl Visitor,
) {
    let events_of = |location: LocationIndex| &trace.locations[location.index()].events;
    if let [location] = *locations {
        let events = events_of(location);
        let mut rows = Rows::default();
        for (index, kind) in Interesting::new(events.kinds()) {
            if wanted(kind) {
                visitor.visit(location, events, Occurrence { index, kind, rows });
            }
            rows.pass(kind);
        }
        return;
    }
    for (_, location, index) in merged(trace, locations, wanted) {
        let events = events_of(location);
        let kind = events.kinds()[index];
        let rows = Rows::at(events.args()[index] as usize);
        visitor.visit(location, events, Occurrence { index, kind, rows });
    }
}

/// An event that is visited.
#[derive(Clone, Copy)]
pub(super) struct Occurrence {
    pub index: usize,
    pub kind: EventKind,
    /// Its row in the side table of its kind; the others are of no use.
    pub rows: Rows,
}

/// Rows of the side tables, counted: they ascend with their events, and
/// reading the column of arguments would cost more than all else here.
#[derive(Clone, Copy, Default)]
pub(super) struct Rows {
    pub messages: usize,
    pub requests: usize,
    pub collectives: usize,
    pub completions: usize,
}

/// A set of kinds, one bit for each.
const fn set(kinds: &[EventKind]) -> u64 {
    let (mut set, mut number) = (0, 0);
    while number < kinds.len() {
        set |= 1 << kinds[number] as u8;
        number += 1;
    }
    set
}

impl Rows {
    /// All the same.
    fn at(row: usize) -> Rows {
        Rows {
            messages: row,
            requests: row,
            collectives: row,
            completions: row,
        }
    }

    /// Goes on behind an event; without a branch, as kinds come in any order.
    #[inline(always)]
    fn pass(&mut self, kind: EventKind) {
        use EventKind::*;
        const _: () = assert!((Other as u8) < 64);
        const MESSAGES: u64 = set(&[MpiSend, MpiIsend, MpiRecv, MpiIrecv, MpiProbe]);
        const REQUESTS: u64 = set(&[
            MpiIsendComplete,
            MpiIrecvRequest,
            MpiRequestCancelled,
            MpiRequestTest,
            NonBlockingCollectiveRequest,
        ]);
        const COLLECTIVES: u64 = set(&[MpiCollectiveEnd]);
        const COMPLETIONS: u64 = set(&[NonBlockingCollectiveComplete]);
        let within = |set: u64| (set >> kind as u8 & 1) as usize;
        self.messages += within(MESSAGES);
        self.requests += within(REQUESTS);
        self.collectives += within(COLLECTIVES);
        self.completions += within(COMPLETIONS);
    }
}

/// Whether recording is on, and how often it was switched. Each thread of a
/// process may say so.
#[derive(Default)]
pub(super) struct Switch {
    count: u32,
    on: Option<bool>,
}

impl Switch {
    /// Notes that recording was switched by event `index`.
    pub fn set(&mut self, events: &Events, index: usize) {
        let on = Some(events.args()[index] != 0);
        if self.on != on {
            self.on = on;
            self.count += 1;
        }
    }

    /// Returns what a channel must know of event `index`.
    #[inline(always)]
    pub fn moment(&self, location: LocationIndex, events: &Events, index: usize) -> Moment {
        let sequence = match events.sequences().is_empty() {
            true => None,
            false => events.sequence(index),
        };
        Moment {
            location,
            pause: self.count,
            sequence,
        }
    }
}

/// Sees events one by one.
pub(super) trait Visitor {
    /// Sees the next event that was asked for.
    fn visit(&mut self, location: LocationIndex, events: &Events, at: Occurrence);
}

fn merged(
    trace: &Trace,
    locations: &[LocationIndex],
    wanted: impl Fn(EventKind) -> bool,
) -> Vec<(Timestamp, LocationIndex, usize)> {
    let mut merged = Vec::new();
    for &location in locations {
        let events = &trace.locations[location.index()].events;
        let (mut latest, mut seen) = (Timestamp::MIN, 0);
        for (index, kind) in Interesting::new(events.kinds()) {
            if wanted(kind) {
                let since = events.times()[seen..=index].iter().copied();
                latest = since.fold(latest, Timestamp::max);
                seen = index + 1;
                merged.push((latest, location, index));
            }
        }
    }
    merged.sort_unstable();
    merged
}

/// All events but enters and leaves, of which most traces are full: eight
/// kinds are looked at together.
struct Interesting<'a> {
    kinds: &'a [EventKind],
    /// Where the eight begin.
    begin: usize,
    /// The high bit of each byte that is left to visit.
    found: u64,
}

impl<'a> Interesting<'a> {
    fn new(kinds: &'a [EventKind]) -> Interesting<'a> {
        let mut all = Interesting {
            kinds,
            begin: 0,
            found: 0,
        };
        all.look();
        all
    }

    fn look(&mut self) {
        const _: () = assert!(EventKind::Enter as u8 == 0 && EventKind::Leave as u8 == 1);
        /// Raises the high bit of each byte that is above 1 (and below 128).
        const ABOVE_LEAVE: u64 = 0x7e7e_7e7e_7e7e_7e7e;
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let bytes: [u8; 8] = match self.kinds[self.begin..].first_chunk::<8>() {
            Some(eight) => eight.map(|kind| kind as u8),
            None => {
                let mut bytes = [0; 8];
                let rest = self.kinds[self.begin..].iter();
                bytes
                    .iter_mut()
                    .zip(rest)
                    .for_each(|(byte, &kind)| *byte = kind as u8);
                bytes
            }
        };
        self.found = (u64::from_le_bytes(bytes) + ABOVE_LEAVE) & HIGH;
    }
}

impl Iterator for Interesting<'_> {
    type Item = (usize, EventKind);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, EventKind)> {
        while self.found == 0 {
            if self.kinds.len() - self.begin <= 8 {
                return None;
            }
            self.begin += 8;
            self.look();
        }
        let index = self.begin + self.found.trailing_zeros() as usize / 8;
        self.found &= self.found - 1;
        Some((index, self.kinds[index]))
    }
}
