//! Collective operations on windows: MPI_Win_fence, MPI_Win_free and others
//! that synchronize, and those that do what an operation of MPI does.
//!
//! The k-th of each process on a window belong together. A fence that closes
//! no epoch (MPI_MODE_NOPRECEDE) need not wait (MPI 4.1 §12.5.1); its record
//! says so, as it does not name the processes among what it synchronizes.

use rustc_hash::FxHashMap;

use super::parties::{member, size, Parties};
use super::processes::{events_of, in_order, Processes};
use crate::definitions::{CollectiveOp, CommId, LocationIndex, WinId};
use crate::events::{Events, OneSidedEvent, WinCollective};
use crate::messages::{CollectiveMember, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let mut parties = Parties::new();
    for (me, locations) in processes {
        let mut count = Count::default();
        for (exit, (enter, collective)) in calls(trace, locations) {
            let Some(window) = trace.definitions.windows.get(collective.win.index()) else {
                continue;
            };
            let communicator = trace.definitions.communicators.get(window.comm.index());
            let rank = communicator.filter(|comm| !comm.is_self);
            let rank = rank.and_then(|comm| comm.rank_of(*me));
            let turn = count.next(trace, exit, collective.win);
            let op = match (collective.synchronizes, collective.op) {
                (true, _) => Some(CollectiveOp::Fence),
                (false, CollectiveOp::Barrier) => None,
                (false, op) => Some(op),
            };
            let (Some(rank), Some(turn), Some(enter), Some(op)) = (rank, turn, enter, op) else {
                continue;
            };
            let member = CollectiveMember {
                sent: collective.sent,
                received: collective.received,
                ..member(enter, exit, rank)
            };
            let key = (collective.win, window.comm, turn);
            parties.add(key, op, window.comm, collective.root, member);
        }
    }
    parties.finish(matching, |(_, comm, _): &(WinId, CommId, u64)| {
        size(trace, *comm)
    });
}

/// The collective calls of a process: exits, with their enters.
fn calls(
    trace: &Trace,
    locations: &[LocationIndex],
) -> Vec<(EventRef, (Option<EventRef>, WinCollective))> {
    let rows: Vec<_> = (locations.iter())
        .map(|&location| calls_at(location, events_of(trace, location)))
        .collect();
    in_order(trace, locations, &rows)
}

fn calls_at(
    location: LocationIndex,
    events: &Events,
) -> Vec<(u32, (Option<EventRef>, WinCollective))> {
    let mut open = Vec::new();
    let mut calls = Vec::new();
    for &(index, event) in events.one_sided() {
        match event {
            OneSidedEvent::CollectiveBegin => open.push(EventRef { location, index }),
            OneSidedEvent::CollectiveEnd(collective) => {
                calls.push((index, (open.pop(), collective)));
            }
            _ => {}
        }
    }
    calls
}

/// How many operations a process had on each window. While recording was off
/// it had others: then the number is known only if an event tells it.
#[derive(Default)]
struct Count {
    next: FxHashMap<WinId, Option<u64>>,
    switched: FxHashMap<WinId, usize>,
}

impl Count {
    fn next(&mut self, trace: &Trace, event: EventRef, win: WinId) -> Option<u64> {
        let events = events_of(trace, event.location);
        let pauses = events
            .switches()
            .partition_point(|&index| index < event.index);
        let before = self.switched.insert(win, pauses).unwrap_or(0);
        let next = self.next.entry(win).or_insert(Some(0));
        if pauses != before {
            *next = None;
        }
        let number = events.sequence(event.index as usize).or(*next);
        *next = number.and_then(|number| number.checked_add(1));
        number
    }
}
