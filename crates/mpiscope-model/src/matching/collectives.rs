//! The k-th collective operation of each member of a communicator belong
//! together.

use super::visit;
use crate::definitions::{Communicator, LocationIndex, Rank};
use crate::events::EventKind;
use crate::hash::FastMap;
use crate::matching::{CollectiveInstance, CollectiveMember, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(
    trace: &Trace,
    processes: &[(Rank, Vec<LocationIndex>)],
    matching: &mut Matching,
) {
    let communicators = &trace.definitions.communicators;
    let places: Vec<FastMap<u32, Place>> = communicators.iter().map(places).collect();
    // Instance numbers of each communicator, in order.
    let mut instances: Vec<Vec<u32>> = vec![Vec::new(); communicators.len()];
    let mut met: Vec<(u32, CollectiveMember)> = Vec::new();

    for (me, locations) in processes {
        let mut count: FastMap<u32, usize> = FastMap::default();
        let ends = |kind| kind == EventKind::MpiCollectiveEnd;
        visit(trace, locations, ends, |location, index, _| {
            let events = &trace.locations[location.index()].events;
            let row = events.args()[index] as usize;
            let collective = &events.collectives()[row];
            let exit = EventRef::new(location, index);
            let comm = collective.comm;
            let place = match communicators.get(comm.index()) {
                Some(communicator) if communicator.is_self => Some(Place::default()),
                Some(_) => places[comm.index()].get(&me.0).copied(),
                None => None,
            };
            let Some(place) = place else {
                matching.unmatched_collectives.push(exit);
                return;
            };
            let turn = count.entry(comm.0).or_default();
            let numbers = &mut instances[comm.index()];
            if communicators[comm.index()].is_self {
                // One definition for as many communicators as there are
                // processes: each instance is its caller's alone.
                *turn = numbers.len();
            }
            if *turn == numbers.len() {
                numbers.push(matching.collectives.len() as u32);
                matching.collectives.push(CollectiveInstance {
                    op: collective.op,
                    comm,
                    root: collective.root,
                    members: 0..0,
                    complete: false,
                    consistent: true,
                });
            }
            let number = numbers[*turn];
            *turn += 1;
            let instance = &mut matching.collectives[number as usize];
            // Groups of an intercommunicator name the root differently.
            let one_group = communicators[comm.index()].remote.is_none();
            let agrees =
                instance.op == collective.op && (instance.root == collective.root || !one_group);
            instance.consistent &= agrees;
            match events.collective_begin(row) {
                None => matching.unmatched_collectives.push(exit),
                Some(begin) => met.push((
                    number,
                    CollectiveMember {
                        enter: EventRef::new(location, begin),
                        exit,
                        rank: place.rank,
                        remote: place.remote,
                        sent: collective.sent,
                        received: collective.received,
                    },
                )),
            }
        });
    }
    gather(trace, met, matching);
}

/// Where a process stands in a communicator.
#[derive(Clone, Copy, Default)]
struct Place {
    rank: u32,
    remote: bool,
}

fn places(communicator: &Communicator) -> FastMap<u32, Place> {
    let mut places = FastMap::default();
    let remote = communicator.remote.as_deref().unwrap_or_default();
    for (group, remote) in [(&communicator.members[..], false), (remote, true)] {
        for (rank, world) in group.iter().enumerate() {
            let rank = rank as u32;
            places.entry(world.0).or_insert(Place { rank, remote });
        }
    }
    places
}

/// Puts the members of each instance together (a counting sort, which keeps
/// the order of processes).
fn gather(trace: &Trace, met: Vec<(u32, CollectiveMember)>, matching: &mut Matching) {
    let mut next = vec![0usize; matching.collectives.len() + 1];
    for (number, _) in &met {
        next[*number as usize + 1] += 1;
    }
    for number in 1..next.len() {
        next[number] += next[number - 1];
    }
    for (number, instance) in matching.collectives.iter_mut().enumerate() {
        instance.members = next[number]..next[number + 1];
        let communicator = &trace.definitions.communicators[instance.comm.index()];
        instance.complete = instance.members.len() == communicator.size();
    }
    let Some(&(_, filler)) = met.first() else {
        return;
    };
    matching.members = vec![filler; met.len()];
    for (number, member) in met {
        let place = &mut next[number as usize];
        matching.members[*place] = member;
        *place += 1;
    }
}
