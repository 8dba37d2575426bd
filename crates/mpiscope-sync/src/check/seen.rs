//! A trace as the checker sees it: one event after the other, plainly.

use std::collections::BTreeMap;
use std::hash::Hash;

use mpiscope_model::{
    CommId, Communicator, Event, EventKind, Note, PointToPoint, Rank, Timestamp, Trace,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// An event's location and number.
pub(super) type At = (usize, usize);

/// A process and its events of MPI as it saw them: threads merged by the clock
/// they share, each in its own order.
pub(super) struct Process {
    pub rank: Rank,
    order: Order,
}

enum Order {
    /// It has one location: as they stand there.
    Alone(usize),
    Merged(Vec<At>),
}

/// All processes by rank.
pub(super) fn in_order(trace: &Trace) -> Vec<Process> {
    let mut processes: BTreeMap<Rank, Vec<usize>> = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        processes.entry(location.rank).or_default().push(number);
    }
    let merged = |locations: &[usize]| {
        let mut events = Vec::new();
        for &location in locations {
            events_of(trace, location, &mut events);
        }
        events.sort();
        events.into_iter().map(|(_, at)| at).collect()
    };
    let process = |(rank, locations): (Rank, Vec<usize>)| Process {
        rank,
        order: match locations[..] {
            [alone] => Order::Alone(alone),
            _ => Order::Merged(merged(&locations)),
        },
    };
    processes.into_par_iter().map(process).collect()
}

impl Process {
    /// Walks through the events of MPI.
    pub fn each(&self, trace: &Trace, mut visit: impl FnMut(At, EventKind)) {
        match &self.order {
            Order::Alone(location) => {
                let kinds = trace.locations[*location].events.kinds();
                for (index, &kind) in kinds.iter().enumerate() {
                    if is_of_mpi(kind) {
                        visit((*location, index), kind);
                    }
                }
            }
            Order::Merged(order) => {
                for &at in order {
                    visit(at, trace.locations[at.0].events.kinds()[at.1]);
                }
            }
        }
    }

    /// Whether there is an event of a kind.
    pub fn has(&self, trace: &Trace, wanted: EventKind) -> bool {
        let kind = |at: &At| trace.locations[at.0].events.kinds()[at.1];
        match &self.order {
            Order::Alone(location) => trace.locations[*location].events.kinds().contains(&wanted),
            Order::Merged(order) => order.iter().any(|at| kind(at) == wanted),
        }
    }
}

fn is_of_mpi(kind: EventKind) -> bool {
    use EventKind::{Enter, Leave, OneSided, Other, Thread};
    !matches!(kind, Enter | Leave | Thread | OneSided | Other)
}

fn events_of(trace: &Trace, number: usize, found: &mut Vec<(Timestamp, At)>) {
    let events = &trace.locations[number].events;
    let mut reached = Timestamp::MIN;
    for (index, (&time, &kind)) in events.times().iter().zip(events.kinds()).enumerate() {
        reached = reached.max(time);
        if is_of_mpi(kind) {
            found.push((reached, (number, index)));
        }
    }
}

pub(super) fn event(trace: &Trace, (location, index): At) -> Event<'_> {
    trace.locations[location].events.event(index)
}

pub(super) fn notes(trace: &Trace, (location, index): At) -> Vec<Note> {
    trace.locations[location].events.notes_of(index).collect()
}

pub(super) fn sequence(trace: &Trace, (location, index): At) -> Option<u64> {
    trace.locations[location].events.sequence(index)
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

/// How often recording was switched, as the events of a process tell it.
#[derive(Default)]
pub(super) struct Pauses {
    on: Option<bool>,
    pub count: usize,
}

impl Pauses {
    pub fn see(&mut self, trace: &Trace, at: At) {
        if let Event::MeasurementOnOff(on) = event(trace, at) {
            self.count += usize::from(self.on != Some(on));
            self.on = Some(on);
        }
    }
}

/// Gives keys numbers from 0, in the order in which they come.
pub(super) struct Numbers<K> {
    pub keys: Vec<K>,
    known: FxHashMap<K, usize>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers {
            keys: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}

impl<K: Copy + Hash + Eq> Numbers<K> {
    pub fn of(&mut self, key: K) -> usize {
        let next = self.keys.len();
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    pub fn get(&self, key: &K) -> Option<usize> {
        self.known.get(key).copied()
    }
}

/// Numbers what happens on channels: by counting, from 0 if nothing was missed
/// before, else from a number that an event tells.
#[derive(Default)]
pub(super) struct Counting {
    stretches: Vec<Stretch>,
    /// By the channel's number.
    latest: Vec<Option<usize>>,
}

struct Stretch {
    pauses: usize,
    first: Option<u64>,
    counted: u64,
    numbered: u64,
}

impl Counting {
    /// Returns the stretch that the next on a channel is in, and counts it.
    pub fn count(&mut self, key: usize, pauses: usize, sequence: Option<u64>) -> usize {
        let id = self.stretch(key, pauses, sequence);
        self.stretches[id].counted += 1;
        id
    }

    /// Returns the stretch that the next on a channel would be in.
    pub fn stretch(&mut self, key: usize, pauses: usize, sequence: Option<u64>) -> usize {
        let latest = self.latest.get(key).copied().flatten();
        if let Some(id) = latest {
            let stretch = &mut self.stretches[id];
            let same = stretch.pauses == pauses;
            let next = stretch.first.map(|first| first + stretch.counted);
            match sequence {
                None if same => return id,
                Some(_) if next == sequence => {
                    stretch.pauses = pauses;
                    return id;
                }
                Some(number) if same && next.is_none() && number >= stretch.counted => {
                    stretch.first = Some(number - stretch.counted);
                    return id;
                }
                _ => {}
            }
        }
        let from_begin = pauses == 0 && latest.is_none();
        self.stretches.push(Stretch {
            pauses,
            first: sequence.or(from_begin.then_some(0)),
            counted: 0,
            numbered: 0,
        });
        if self.latest.len() <= key {
            self.latest.resize(key + 1, None);
        }
        self.latest[key] = Some(self.stretches.len() - 1);
        self.stretches.len() - 1
    }

    /// Forgets the numbers of what comes next, unless told after a pause.
    pub fn forget(&mut self) {
        for stretch in &mut self.stretches {
            if stretch.numbered > 0 || stretch.pauses == 0 {
                stretch.first = None;
            }
        }
    }

    /// Returns the number of the next in a stretch, if known, and goes on.
    pub fn number(&mut self, id: usize) -> Option<u64> {
        let number = self.peek(id);
        self.stretches[id].numbered += 1;
        number
    }

    /// Returns the number of the next in a stretch, if known.
    pub fn peek(&self, id: usize) -> Option<u64> {
        let stretch = &self.stretches[id];
        stretch.first?.checked_add(stretch.numbered)
    }
}
