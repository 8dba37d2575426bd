//! Neighbourhood operations: data go along the edges of the communicator's
//! topology only (MPI 4.1 §8.6), so each edge is a wait of its own.

use crate::definitions::CollectiveOp;
use crate::messages::{Bound, BoundKind, CollectiveInstance, CollectiveMember, Matching};
use crate::trace::Trace;

/// Returns the waits of operations, as far as their members are known.
pub(in crate::matching) fn waits(trace: &Trace, matching: &Matching) -> Vec<Bound> {
    let mut waits = Vec::new();
    for instance in &matching.collectives {
        if !instance.op.is_among_neighbors() || !instance.consistent {
            continue;
        }
        each_edge(trace, matching, instance, |sender, receiver| {
            let (send, receive) = (sender.enter, receiver.exit);
            if send.location != receive.location {
                waits.push(Bound {
                    send,
                    receive,
                    kind: BoundKind::Neighbor,
                });
            }
        });
    }
    waits
}

fn each_edge(
    trace: &Trace,
    matching: &Matching,
    instance: &CollectiveInstance,
    mut edge: impl FnMut(&CollectiveMember, &CollectiveMember),
) {
    let communicator = trace.definitions.communicators.get(instance.comm.index());
    let Some(destinations) = communicator.and_then(|comm| comm.destinations.as_ref()) else {
        return;
    };
    let mut at: Vec<Option<&CollectiveMember>> = vec![None; destinations.len()];
    for member in matching.members_of(instance) {
        if let Some(place) = at.get_mut(member.rank as usize) {
            *place = Some(member);
        }
    }
    for (from, to) in at.iter().zip(destinations) {
        let Some(sender) = from.filter(|sender| gives(trace, matching, instance.op, sender)) else {
            continue;
        };
        for &to in to {
            let receiver = at.get(to as usize).copied().flatten();
            if let Some(receiver) = receiver.filter(|receiver| receiver.received > 0) {
                edge(sender, receiver);
            }
        }
    }
}

/// Whether all of a member's neighbours get something from it.
fn gives(trace: &Trace, matching: &Matching, op: CollectiveOp, member: &CollectiveMember) -> bool {
    use CollectiveOp::{NeighborAlltoallv, NeighborAlltoallw};
    match op {
        // The total alone does not tell who got it.
        NeighborAlltoallv | NeighborAlltoallw => matching.is_dense(trace, member.exit),
        _ => member.sent > 0,
    }
}
