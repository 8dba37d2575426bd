//! Windows that are opened to a group and closed again (MPI 4.1 §12.5.2), and
//! notifications.
//!
//! MPI_Win_start may return before the targets have posted, MPI_Win_complete
//! may not: it ends after each target's MPI_Win_post. MPI_Win_wait ends after
//! each origin's MPI_Win_complete. An origin's k-th epoch that names a target
//! meets the target's k-th that names the origin. What happened after a pause
//! of recording cannot be counted, and is left out.

use rustc_hash::FxHashMap;

use super::calls::{around, Chosen};
use super::processes::{events_of, in_order, locations_of, Processes};
use crate::definitions::{GroupId, LocationIndex, Rank, WinId};
use crate::events::{Events, OneSidedEvent};
use crate::messages::{BoundKind, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let calls = Calls {
        post: Chosen::named(trace, &["MPI_Win_post"]),
        start: Chosen::named(trace, &["MPI_Win_start"]),
        complete: Chosen::named(trace, &["MPI_Win_complete"]),
        wait: Chosen::named(trace, &["MPI_Win_wait", "MPI_Win_test"]),
    };
    let mut met: FxHashMap<Pair, Met> = FxHashMap::default();
    for (rank, locations) in processes {
        let (access, exposure) = epochs(trace, locations, &calls);
        for epoch in access {
            for &target in group(trace, epoch.group) {
                let pair = (epoch.win, *rank, target);
                met.entry(pair).or_default().access.push(epoch);
            }
        }
        for epoch in exposure {
            for &origin in group(trace, epoch.group) {
                let pair = (epoch.win, origin, *rank);
                met.entry(pair).or_default().exposure.push(epoch);
            }
        }
        notifications(trace, processes, *rank, &mut met);
    }
    for met in met.values() {
        for (access, exposure) in met.access.iter().zip(&met.exposure) {
            bind(matching, exposure.opened, access.closed.map(|call| call.1));
            bind(
                matching,
                access.closed.map(|call| call.0),
                exposure.closed.map(|call| call.1),
            );
        }
        for (out, into) in met.out.iter().zip(&met.into) {
            matching.bind(BoundKind::OneSided, *out, *into);
        }
    }
}

fn bind(matching: &mut Matching, send: Option<EventRef>, receive: Option<EventRef>) {
    if let (Some(send), Some(receive)) = (send, receive) {
        matching.bind(BoundKind::OneSided, send, receive);
    }
}

/// Window, origin and target.
type Pair = (WinId, Rank, Rank);

/// What an origin and a target did, each in its order.
#[derive(Default)]
struct Met {
    access: Vec<Epoch>,
    exposure: Vec<Epoch>,
    /// Notifications of the target.
    out: Vec<EventRef>,
    into: Vec<EventRef>,
}

/// The regions that tell what a synchronization with a group is.
struct Calls {
    post: Chosen,
    start: Chosen,
    complete: Chosen,
    wait: Chosen,
}

/// From start to complete, or from post to wait.
#[derive(Clone, Copy)]
struct Epoch {
    win: WinId,
    group: GroupId,
    /// The entry into the call that opened it.
    opened: Option<EventRef>,
    /// Entry into and exit from the call that closed it.
    closed: Option<(EventRef, EventRef)>,
}

/// Returns the access and exposure epochs of a process.
fn epochs(trace: &Trace, locations: &[LocationIndex], calls: &Calls) -> (Vec<Epoch>, Vec<Epoch>) {
    let rows: Vec<_> = (locations.iter())
        .map(|&location| group_syncs(location, events_of(trace, location)))
        .collect();
    let (mut access, mut exposure) = (Vec::new(), Vec::new());
    for (_, sync) in in_order(trace, locations, &rows) {
        if calls.start.has(sync.region) {
            access.push(sync.epoch());
        } else if calls.post.has(sync.region) {
            exposure.push(sync.epoch());
        } else if calls.complete.has(sync.region) {
            close(&mut access, sync);
        } else if calls.wait.has(sync.region) {
            close(&mut exposure, sync);
        }
    }
    (access, exposure)
}

/// Closes the epoch that is open on the window: there is one at a time.
fn close(epochs: &mut [Epoch], sync: Sync) {
    let mut open = epochs
        .iter_mut()
        .rev()
        .take_while(|epoch| epoch.closed.is_none());
    if let Some(epoch) = open.find(|epoch| epoch.win == sync.win) {
        epoch.closed = sync.exit.map(|exit| (sync.enter, exit));
    }
}

/// A synchronization with a group.
#[derive(Clone, Copy)]
struct Sync {
    win: WinId,
    group: GroupId,
    region: crate::definitions::RegionId,
    enter: EventRef,
    exit: Option<EventRef>,
}

impl Sync {
    fn epoch(self) -> Epoch {
        Epoch {
            win: self.win,
            group: self.group,
            opened: Some(self.enter),
            closed: None,
        }
    }
}

fn group_syncs(location: LocationIndex, events: &Events) -> Vec<(u32, Sync)> {
    let syncs: Vec<(u32, WinId, GroupId)> = (recorded(events).iter())
        .filter_map(|&(index, event)| match event {
            OneSidedEvent::GroupSync(win, group) => Some((index, win, group)),
            _ => None,
        })
        .collect();
    let indices: Vec<u32> = syncs.iter().map(|(index, ..)| *index).collect();
    let event = |index: u32| EventRef { location, index };
    (syncs.into_iter().zip(around(events, &indices)))
        .filter_map(|((index, win, group), call)| {
            let call = call?;
            let sync = Sync {
                win,
                group,
                region: call.region,
                enter: event(call.enter),
                exit: call.leave.map(event),
            };
            Some((index, sync))
        })
        .collect()
}

/// What was done to windows before recording was first switched off.
fn recorded(events: &Events) -> &[(u32, OneSidedEvent)] {
    let rows = events.one_sided();
    let pause = events.switches().first().copied().unwrap_or(u32::MAX);
    &rows[..rows.partition_point(|(index, _)| *index < pause)]
}

fn group(trace: &Trace, group: GroupId) -> &[Rank] {
    let members = trace.definitions.groups.get(group.index());
    members.map_or(&[], |members| members)
}

/// Each incoming notification was sent by another outgoing one, so the k-th
/// that came in came after the k-th that went out, whichever it was.
fn notifications(trace: &Trace, processes: &Processes, me: Rank, met: &mut FxHashMap<Pair, Met>) {
    let locations = locations_of(processes, me);
    for (event, row) in in_order_of(trace, locations) {
        let (win, peer) = match row {
            OneSidedEvent::NotifyIn(win, peer) | OneSidedEvent::NotifyOut(win, peer) => (win, peer),
            _ => continue,
        };
        let window = trace.definitions.windows.get(win.index());
        let comm = window.and_then(|w| trace.definitions.communicators.get(w.comm.index()));
        let Some(peer) = comm.and_then(|comm| comm.peer(me, peer)) else {
            continue;
        };
        match row {
            OneSidedEvent::NotifyIn(..) => met.entry((win, peer, me)).or_default().into.push(event),
            _ => met.entry((win, me, peer)).or_default().out.push(event),
        }
    }
}

fn in_order_of(trace: &Trace, locations: &[LocationIndex]) -> Vec<(EventRef, OneSidedEvent)> {
    let rows: Vec<Vec<(u32, OneSidedEvent)>> = (locations.iter())
        .map(|&location| recorded(events_of(trace, location)).to_vec())
        .collect();
    in_order(trace, locations, &rows)
}
