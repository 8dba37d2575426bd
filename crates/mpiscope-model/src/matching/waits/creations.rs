//! Calls that create a communicator or a window: its members agree on it, so
//! nobody has it before all have called (MPI 4.1 §7.4, §12.2).
//!
//! Not so across an intercommunicator: there the groups hear of each other
//! through their leaders alone.

use rustc_hash::FxHashMap;

use super::calls::{around, Call, Chosen};
use super::parties::{member, size, Parties};
use super::processes::{events_of, Processes};
use crate::definitions::{CollectiveOp, CommId, LocationIndex, Rank, WinId};
use crate::events::{Events, Note, OneSidedEvent};
use crate::messages::Matching;
use crate::plain;
use crate::plain::Plain;
use crate::trace::{EventRef, Trace};

/// The calls that return only after all members of what they create came.
const CREATIONS: &[&str] = &[
    "MPI_Comm_dup",
    "MPI_Comm_dup_with_info",
    "MPI_Comm_create",
    "MPI_Comm_create_group",
    "MPI_Comm_create_from_group",
    "MPI_Comm_split",
    "MPI_Comm_split_type",
    "MPI_Cart_create",
    "MPI_Cart_sub",
    "MPI_Graph_create",
    "MPI_Dist_graph_create",
    "MPI_Dist_graph_create_adjacent",
    "MPI_Intercomm_merge",
    "MPI_Win_create",
    "MPI_Win_create_dynamic",
    "MPI_Win_allocate",
    "MPI_Win_allocate_shared",
];

/// What was created.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Created {
    Comm(CommId),
    Win(WinId),
}

pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let found = calls(trace, processes.iter());
    meet(trace, &found, matching);
}

/// One process's call.
#[derive(Clone, Copy)]
pub(in crate::matching) struct Creation {
    /// World rank of the process.
    pub rank: Rank,
    what: Created,
    /// How often the process had created that before.
    turn: u32,
    enter: EventRef,
    exit: EventRef,
}

plain! { Creation { rank, what, turn, enter, exit } }

/// Finds the calls of some processes, in their order.
pub(in crate::matching) fn calls<'a>(
    trace: &Trace,
    processes: impl Iterator<Item = &'a (Rank, Vec<LocationIndex>)>,
) -> Vec<Creation> {
    let mut all = Vec::new();
    let regions = Chosen::named(trace, CREATIONS);
    if !regions.any() {
        return all;
    }
    for (rank, locations) in processes {
        let mut turns: FxHashMap<Created, u32> = FxHashMap::default();
        for &location in locations {
            let events = events_of(trace, location);
            let found = created(events);
            let indices: Vec<u32> = found.iter().map(|(index, _)| *index).collect();
            for (&(_, what), call) in found.iter().zip(around(events, &indices)) {
                let Some((enter, exit)) = ends(location, call, &regions) else {
                    continue;
                };
                if place(trace, what, *rank).is_none() {
                    continue;
                }
                let turn = turns.entry(what).or_default();
                all.push(Creation {
                    rank: *rank,
                    what,
                    turn: *turn,
                    enter,
                    exit,
                });
                *turn += 1;
            }
        }
    }
    all
}

/// Brings together the calls of all processes, which are in their order.
pub(in crate::matching) fn meet(trace: &Trace, calls: &[Creation], matching: &mut Matching) {
    let mut parties = Parties::new();
    for call in calls {
        if let Some((comm, rank)) = place(trace, call.what, call.rank) {
            let key = (call.what, call.turn);
            let member = member(call.enter, call.exit, rank);
            parties.add(key, CollectiveOp::CreateHandle, comm, None, member);
        }
    }
    parties.finish(matching, |(what, _)| size(trace, comm_of(trace, *what)));
}

/// A communicator's number, or a window's.
impl Plain for Created {
    fn put(self, bytes: &mut Vec<u8>) {
        match self {
            Created::Comm(comm) => (false, comm.0).put(bytes),
            Created::Win(win) => (true, win.0).put(bytes),
        }
    }

    fn take(bytes: &mut &[u8]) -> Option<Created> {
        Some(match <(bool, u32)>::take(bytes)? {
            (false, comm) => Created::Comm(CommId(comm)),
            (true, win) => Created::Win(WinId(win)),
        })
    }
}

/// Returns what was created at a location, and by which events. A window whose
/// creation is a collective operation of its own is left to that.
fn created(events: &Events) -> Vec<(u32, Created)> {
    let mut found: Vec<(u32, Created)> = Vec::new();
    for &(index, note) in events.notes() {
        if let Note::Created(comm) = note {
            found.push((index, Created::Comm(comm)));
        }
    }
    let mut within = 0;
    for &(index, event) in events.one_sided() {
        match event {
            OneSidedEvent::CollectiveBegin => within += 1,
            OneSidedEvent::CollectiveEnd(_) => within -= 1,
            OneSidedEvent::WinCreate(win) if within <= 0 => {
                found.push((index, Created::Win(win)));
            }
            _ => {}
        }
    }
    let comm_creates = events.comm_creates().iter();
    found.extend(comm_creates.map(|&(index, comm)| (index, Created::Comm(comm))));
    found.sort_unstable();
    found
}

fn ends(
    location: LocationIndex,
    call: Option<Call>,
    regions: &Chosen,
) -> Option<(EventRef, EventRef)> {
    let call = call.filter(|call| regions.has(call.region))?;
    let event = |index: u32| EventRef { location, index };
    Some((event(call.enter), event(call.leave?)))
}

fn comm_of(trace: &Trace, what: Created) -> CommId {
    match what {
        Created::Comm(comm) => comm,
        Created::Win(win) => {
            let window = trace.definitions.windows.get(win.index());
            window.map_or(CommId::NONE, |window| window.comm)
        }
    }
}

/// Returns the communicator and the rank in it, unless it has two groups.
fn place(trace: &Trace, what: Created, rank: Rank) -> Option<(CommId, u32)> {
    let comm = comm_of(trace, what);
    let communicator = trace.definitions.communicators.get(comm.index())?;
    let one_group = communicator.remote.is_none() && !communicator.is_self;
    let rank = communicator.rank_of(rank).filter(|_| one_group)?;
    Some((comm, rank))
}
