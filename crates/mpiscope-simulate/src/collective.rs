//! Collective operations: who waits for whom, and how much they exchange.

use mpiscope_model::{Collective, CollectiveOp as Op, Event};

use crate::machine::Machine;
use crate::world::{self, Group};

/// A collective operation about to happen.
pub(crate) struct Call<'a> {
    pub op: Op,
    /// Those who take part; of an intercommunicator both groups.
    pub groups: &'a [&'a Group],
    /// Place of the root, of operations that have one.
    pub root: Option<u32>,
}

/// Bytes that a member sends and receives.
pub(crate) type Bytes = (u64, u64);

/// Performs a collective operation; `bytes` is asked by group and place in it.
pub(crate) fn perform(
    machine: &mut Machine<'_>,
    call: &Call<'_>,
    bytes: impl Fn(usize, usize) -> Bytes,
) {
    let region = world::collective(call.op);
    for (number, group) in call.groups.iter().enumerate() {
        for &rank in &group.ranks {
            machine.enter(rank, region, &[Event::MpiCollectiveBegin]);
        }
        let sends = |place: usize| call.sends(place, bytes(number, place));
        match call.in_order() {
            true => machine.forget(number),
            false => machine.gather(number, &group.ranks, sends),
        }
    }
    for (number, group) in call.groups.iter().enumerate() {
        let facing = call.groups.len() - 1 - number;
        for (place, &rank) in group.ranks.iter().enumerate() {
            let bytes = bytes(number, place);
            if call.in_order() && call.sends(place, bytes) {
                machine.note(number, rank);
            }
            let exit = match call.receives(place, bytes) {
                true => machine.exit(rank, facing),
                false => i64::MIN,
            };
            let collective = Collective {
                op: call.op,
                comm: group.comm,
                root: call.root,
                sent: bytes.0,
                received: bytes.1,
            };
            machine.leave(rank, region, exit, &[Event::MpiCollectiveEnd(&collective)]);
        }
    }
}

impl Call<'_> {
    /// Members hear of lower ranks alone.
    fn in_order(&self) -> bool {
        matches!(self.op, Op::Scan | Op::Exscan)
    }

    fn sends(&self, place: usize, (sent, _): Bytes) -> bool {
        match self.op {
            Op::Barrier => true,
            Op::Bcast | Op::Scatter | Op::Scatterv => self.is_root(place) && sent > 0,
            _ => sent > 0,
        }
    }

    fn receives(&self, place: usize, (_, received): Bytes) -> bool {
        match self.op {
            Op::Barrier => true,
            Op::Gather | Op::Gatherv | Op::Reduce => self.is_root(place) && received > 0,
            _ => received > 0,
        }
    }

    fn is_root(&self, place: usize) -> bool {
        self.root == Some(place as u32)
    }
}

/// What the members of one group contribute to an operation of any kind.
pub(crate) struct Contributions {
    pub op: Op,
    pub root: Option<u32>,
    /// Of each member; of operations that have but one size, all the same.
    pub each: Vec<u64>,
    pub sum: u64,
}

impl Contributions {
    /// Returns what a member sends and receives, as tools record it.
    pub fn bytes(&self, place: usize) -> Bytes {
        let (own, sum, size) = (self.each[place], self.sum, self.each.len() as u64);
        let before = place as u64;
        let at_root = |bytes: u64| match self.root == Some(place as u32) {
            true => bytes,
            false => 0,
        };
        match self.op {
            Op::Barrier => (0, 0),
            Op::Bcast | Op::Scatter | Op::Scatterv => (at_root(sum), own),
            Op::Gather | Op::Gatherv => (own, at_root(sum)),
            Op::Reduce => (own, at_root(own)),
            Op::Allgather | Op::Allgatherv => (own, sum),
            Op::Alltoall | Op::Alltoallv | Op::Alltoallw => (own * size, sum),
            Op::ReduceScatter | Op::ReduceScatterBlock => (sum, own),
            // Each sends to those after it, and hears those before; in a scan itself, too.
            Op::Exscan => (own * (size - 1 - before), own * before),
            Op::Scan => (own * (size - before), own * (before + 1)),
            _ => (own, own),
        }
    }
}

/// Returns whether members may contribute different sizes, and nothing too.
pub(crate) fn is_uneven(op: Op) -> bool {
    use Op::{Allgatherv, Alltoallv, Alltoallw, Gatherv, ReduceScatter, Scatterv};
    matches!(
        op,
        Allgatherv | Alltoallv | Alltoallw | Gatherv | ReduceScatter | Scatterv
    )
}

/// Returns whether one of the members is special.
pub(crate) fn has_root(op: Op) -> bool {
    use Op::{Bcast, Gather, Gatherv, Reduce, Scatter, Scatterv};
    matches!(op, Bcast | Gather | Gatherv | Reduce | Scatter | Scatterv)
}

/// Returns whether MPI defines the operation between two groups in a way that
/// an archive can tell: without root, and not in order.
pub(crate) fn works_between_groups(op: Op) -> bool {
    !has_root(op) && !matches!(op, Op::Scan | Op::Exscan)
}
