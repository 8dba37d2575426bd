//! Members of an operation, and which of them wait for which.

use mpiscope_model::events::{ROOT_SELF, ROOT_THIS_GROUP};
use mpiscope_model::{Collective, CollectiveOp};

use super::view::At;
use crate::exchange::plain;

/// One member of a collective operation.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub enter: Option<At>,
    pub exit: At,
    pub rank: u32,
    /// In the second of two groups.
    pub remote: bool,
    pub op: CollectiveOp,
    pub root: Option<u32>,
    /// It sent something, and received something.
    pub sent: bool,
    pub received: bool,
    /// It sent something to every other member.
    pub dense: bool,
}

plain! { Member { enter, exit, rank, remote, op, root, sent, received, dense } }

impl Member {
    pub fn new(of: &Collective, enter: Option<At>, exit: At, rank: u32) -> Member {
        Member {
            enter,
            exit,
            rank,
            remote: false,
            op: of.op,
            root: of.root,
            sent: of.sent > 0,
            received: of.received > 0,
            dense: false,
        }
    }

    /// A member of something that only synchronizes.
    pub fn synchronizing(op: CollectiveOp, enter: At, exit: At, rank: u32) -> Member {
        Member {
            enter: Some(enter),
            exit,
            rank,
            remote: false,
            op,
            root: None,
            sent: false,
            received: false,
            dense: false,
        }
    }

    fn in_roots_group(&self) -> bool {
        matches!(self.root, Some(ROOT_SELF | ROOT_THIS_GROUP))
    }
}

/// Members of one operation; whether they are two groups that face each other.
pub(super) struct Party<'m> {
    pub members: &'m [Member],
    pub across: bool,
}

fn rooted(op: CollectiveOp) -> bool {
    use CollectiveOp::*;
    matches!(op, Bcast | Scatter | Scatterv | Reduce | Gather | Gatherv)
}

/// Whether all members name the same operation and root.
pub(super) fn agree(party: &Party) -> bool {
    let Some(first) = party.members.first() else {
        return false;
    };
    let op = first.op;
    let mut members = party.members.iter();
    if !members.clone().all(|member| member.op == op) {
        return false;
    }
    if !party.across {
        return members.all(|member| member.root == first.root);
    }
    !rooted(op) || agree_across(party.members)
}

/// Whether the root's group is the same for all members, and the other group
/// names the one that says it is the root.
fn agree_across(members: &[Member]) -> bool {
    let side = |member: &Member| member.remote == member.in_roots_group();
    let mut roots: Vec<Option<u32>> = Vec::new();
    for member in members {
        match member.root {
            Some(ROOT_SELF) => roots.push(Some(member.rank)),
            Some(ROOT_THIS_GROUP) => {}
            other => roots.push(other),
        }
    }
    roots.dedup();
    matches!(roots[..], [Some(_)])
        && members
            .iter()
            .all(|member| side(member) == side(&members[0]))
}

/// What a member is in an operation that has a root.
#[derive(PartialEq)]
enum Part {
    Root,
    Other,
    Outside,
}

fn part(member: &Member, across: bool) -> Part {
    match member.root {
        Some(ROOT_SELF) if across => Part::Root,
        Some(ROOT_THIS_GROUP) | None => Part::Outside,
        Some(root) if !across && root == member.rank => Part::Root,
        _ => Part::Other,
    }
}

/// Whether all wait for all, whatever the data.
fn synchronizes(op: CollectiveOp) -> bool {
    use CollectiveOp::*;
    matches!(
        op,
        Barrier | Fence | ThreadBarrier | Init | Finalize | CreateHandle | CreateHandleAndAllocate
    )
}

/// Whether others may wait for this member's data.
pub(super) fn contributes(member: &Member, across: bool) -> bool {
    use CollectiveOp::*;
    let sent = member.sent;
    match member.op {
        op if synchronizes(op) => true,
        Bcast | Scatter | Scatterv => part(member, across) == Part::Root && sent,
        Reduce | Gather | Gatherv => match across {
            true => part(member, across) == Part::Other && sent,
            false => part(member, across) != Part::Outside && sent,
        },
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock
        | Scan | Exscan => sent,
        Alltoallv | Alltoallw => member.dense,
        _ => false,
    }
}

/// Whether this member may wait for others' data.
pub(super) fn depends(member: &Member, across: bool) -> bool {
    use CollectiveOp::*;
    let received = member.received;
    match member.op {
        op if synchronizes(op) => true,
        Reduce | Gather | Gatherv => part(member, across) == Part::Root && received,
        Bcast | Scatter | Scatterv => match across {
            true => part(member, across) == Part::Other && received,
            false => part(member, across) != Part::Outside && received,
        },
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock
        | Scan | Exscan | Alltoallv | Alltoallw => received,
        _ => false,
    }
}

/// Whether a receiver waits for a particular sender.
pub(super) fn waits(op: CollectiveOp, across: bool, receiver: &Member, sender: &Member) -> bool {
    match op {
        CollectiveOp::Scan | CollectiveOp::Exscan => sender.rank < receiver.rank,
        _ if across => sender.remote != receiver.remote,
        _ => sender.rank != receiver.rank,
    }
}
