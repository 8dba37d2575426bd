//! A trace as the checker sees it: one event after the other, plainly.

use mpiscope_model::{
    CommId, Communicator, Event, EventKind, Events, Note, PointToPoint, Rank, Timestamp, Trace,
};

use super::view::{At, View};

/// A process and its events of MPI as it saw them: threads merged by the clock
/// they share, each in its own order.
pub(super) struct Process<'a> {
    pub rank: Rank,
    pub locations: &'a [u32],
    /// Locations and numbers of its events, unless it has one location: then
    /// they are as they stand there.
    merged: Vec<(u32, u32)>,
}

/// The processes of a part.
pub(super) fn processes<'a>(view: &View<'a>) -> Vec<Process<'a>> {
    let known = view.known;
    let process = |&process: &u32| {
        let locations = known.locations(process);
        Process {
            rank: known.rank(process),
            locations,
            merged: match locations {
                [_] => Vec::new(),
                _ => merged(view.trace, locations),
            },
        }
    };
    view.processes().iter().map(process).collect()
}

/// The events of MPI of several threads in one order.
fn merged(trace: &Trace, locations: &[u32]) -> Vec<(u32, u32)> {
    let mut events = Vec::new();
    for &location in locations {
        events_of(trace, location, &mut events);
    }
    events.sort_unstable();
    events.into_iter().map(|(_, at)| at).collect()
}

impl Process<'_> {
    /// Walks through the events of MPI.
    pub fn each(&self, view: &View, mut visit: impl FnMut(At, EventKind)) {
        for &location in self.locations.iter().filter(|_| self.is_alone()) {
            let kinds = view.trace.locations[location as usize].events.kinds();
            for (index, &kind) in kinds.iter().enumerate() {
                if is_of_mpi(kind) {
                    visit(view.at(location, index), kind);
                }
            }
        }
        for &(location, index) in &self.merged {
            let at = view.at(location, index as usize);
            visit(
                at,
                view.trace.locations[at.place()].events.kinds()[at.index()],
            );
        }
    }

    fn is_alone(&self) -> bool {
        self.locations.len() == 1
    }

    /// Whether there is an event of a kind.
    pub fn has(&self, trace: &Trace, wanted: EventKind) -> bool {
        self.any(trace, |events| events.kinds().contains(&wanted))
    }

    /// Whether there is something in a location.
    pub fn any(&self, trace: &Trace, wanted: impl Fn(&Events) -> bool) -> bool {
        let mut locations = self.locations.iter();
        locations.any(|&location| wanted(&trace.locations[location as usize].events))
    }

    /// The number of a location among its locations.
    pub fn thread(&self, at: At) -> usize {
        self.locations.partition_point(|&it| it < at.location)
    }
}

fn is_of_mpi(kind: EventKind) -> bool {
    use EventKind::{Enter, Leave, OneSided, Other, Thread};
    !matches!(kind, Enter | Leave | Thread | OneSided | Other)
}

fn events_of(trace: &Trace, location: u32, found: &mut Vec<(Timestamp, (u32, u32))>) {
    let events = &trace.locations[location as usize].events;
    let mut reached = Timestamp::MIN;
    for ((index, &time), &kind) in (0..).zip(events.times()).zip(events.kinds()) {
        reached = reached.max(time);
        if is_of_mpi(kind) {
            found.push((reached, (location, index)));
        }
    }
}

pub(super) fn event(trace: &Trace, at: At) -> Event<'_> {
    trace.locations[at.place()].events.event(at.index())
}

pub(super) fn notes(trace: &Trace, at: At) -> impl Iterator<Item = Note> + '_ {
    trace.locations[at.place()].events.notes_of(at.index())
}

pub(super) fn sequence(trace: &Trace, at: At) -> Option<u64> {
    trace.locations[at.place()].events.sequence(at.index())
}

pub(super) fn communicator(trace: &Trace, comm: CommId) -> Option<&Communicator> {
    trace.definitions.communicators.get(comm.0 as usize)
}

/// The world rank on the other side of a message.
pub(super) fn peer(trace: &Trace, me: Rank, message: &PointToPoint) -> Option<Rank> {
    peer_in(trace, me, message.comm, message.peer)
}

/// The world rank of what a process calls `peer` in a communicator.
pub(super) fn peer_in(trace: &Trace, me: Rank, comm: CommId, peer: u32) -> Option<Rank> {
    let comm = communicator(trace, comm)?;
    let number = peer as usize;
    match &comm.remote {
        _ if comm.is_self => (number == 0).then_some(me),
        Some(remote) if comm.members.contains(&me) => remote.get(number).copied(),
        _ => comm.members.get(number).copied(),
    }
}

/// A process's rank in a communicator, and whether in its second group. Alone
/// in its own, MPI_COMM_SELF, nobody waits for anybody.
pub(super) fn place(comm: &Communicator, me: Rank) -> Option<(usize, bool)> {
    if comm.is_self {
        return None;
    }
    let position = |group: &[Rank]| group.iter().position(|&rank| rank == me);
    match position(&comm.members) {
        Some(rank) => Some((rank, false)),
        None => Some((comm.remote.as_deref().and_then(position)?, true)),
    }
}
