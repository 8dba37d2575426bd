//! What the kinds of waits share: the processes of a trace, their events in order, and the
//! waits that are found.

use crate::definitions::{LocationIndex, Rank};
use crate::events::Events;
use crate::messages::{Bound, BoundKind, Matching};
use crate::trace::{EventRef, Trace};

/// Processes of a trace with their locations, by rank.
pub(super) type Processes = [(Rank, Vec<LocationIndex>)];

impl Matching {
    /// Adds a wait; what happens at one location needs none.
    pub(super) fn bind(&mut self, kind: BoundKind, send: EventRef, receive: EventRef) {
        if send.location != receive.location {
            self.bounds.push(Bound {
                send,
                receive,
                kind,
            });
        }
    }
}

pub(super) fn events_of(trace: &Trace, location: LocationIndex) -> &Events {
    &trace.locations[location.index()].events
}

/// Merges rows of the locations of a process, each with the number of its
/// event, by the process's clock.
pub(super) fn in_order<T: Copy>(
    trace: &Trace,
    locations: &[LocationIndex],
    rows: &[Vec<(u32, T)>],
) -> Vec<(EventRef, T)> {
    let mut merged: Vec<(EventRef, T)> = Vec::new();
    for (&location, rows) in locations.iter().zip(rows) {
        let event = |index: u32| EventRef { location, index };
        merged.extend(rows.iter().map(|&(index, row)| (event(index), row)));
    }
    if rows.iter().filter(|rows| !rows.is_empty()).count() > 1 {
        merged.sort_by_key(|(event, _)| (trace.time(*event), *event));
    }
    merged
}

/// Returns the locations of a process.
pub(super) fn locations_of(processes: &Processes, rank: Rank) -> &[LocationIndex] {
    match processes.binary_search_by_key(&rank, |(rank, _)| *rank) {
        Ok(at) => &processes[at].1,
        Err(_) => &[],
    }
}
