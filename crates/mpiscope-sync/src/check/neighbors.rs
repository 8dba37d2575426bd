//! Operations along the edges of a topology.

use mpiscope_model::{CollectiveOp, CommId, Trace};

use super::members::{Member, Party};
use super::seen::communicator;
use super::view::At;

/// The edges of a neighbourhood operation; somebody may be a neighbour twice.
pub(super) fn edges(trace: &Trace, comm: CommId, party: &Party) -> Vec<(At, At)> {
    use CollectiveOp::*;
    let gives = |member: &Member| match member.op {
        NeighborAllgather | NeighborAllgatherv | NeighborAlltoall => member.sent,
        NeighborAlltoallv | NeighborAlltoallw => member.dense,
        _ => false,
    };
    let comm = communicator(trace, comm);
    let Some(destinations) = comm.and_then(|comm| comm.destinations.as_ref()) else {
        return Vec::new();
    };
    // An exit without its enter was cut off from its operation.
    let whole = |member: &&Member| member.enter.is_some() && member.received;
    let mut receivers: Vec<&Member> = party.members.iter().filter(whole).collect();
    receivers.sort_by_key(|member| member.rank);
    let mut edges = Vec::new();
    for sender in party.members.iter().filter(|member| gives(member)) {
        let neighbors = destinations.get(sender.rank as usize);
        let Some((neighbors, enter)) = neighbors.zip(sender.enter) else {
            continue;
        };
        for neighbor in neighbors {
            let first = receivers.partition_point(|it| it.rank < *neighbor);
            let of_rank = receivers[first..].iter();
            let of_rank = of_rank.take_while(|it| it.rank == *neighbor);
            edges.extend(of_rank.map(|receiver| (enter, receiver.exit)));
        }
    }
    edges
}

/// Whether an operation goes along the edges of a topology.
pub(super) fn is_among_neighbors(party: &Party) -> bool {
    use CollectiveOp::*;
    party.members.first().is_some_and(|member| {
        matches!(
            member.op,
            NeighborAllgather
                | NeighborAllgatherv
                | NeighborAlltoall
                | NeighborAlltoallv
                | NeighborAlltoallw
        )
    })
}
