//! Logical messages: what a collective operation implies about time.
//!
//! A collective is seen as point-to-point messages from those who contribute
//! data to those who depend on it (Becker, Rabenseifner, Wolf 2008): sent when
//! the sender enters, received when the receiver leaves. Who that is differs
//! by operation; [`RULES`] has one row for each. Nobody waits for zero bytes,
//! except in a barrier, and nobody for himself.

use mpiscope_model::events::{ROOT_SELF, ROOT_THIS_GROUP};
use mpiscope_model::{
    CollectiveInstance, CollectiveMember, CollectiveOp, Event, EventRef, Matching, Trace,
};

/// Who takes part on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The root alone.
    Root,
    /// Every member.
    All,
}

/// Which senders a receiver depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// All others.
    Others,
    /// Those of lower rank.
    Lower,
}

/// What makes a member a sender or a receiver, beyond being asked for data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// It sent (received) at least one byte.
    Bytes,
    /// Nothing: it synchronizes.
    Always,
    /// It sent something to every member, which is noted; or it received a byte.
    Dense,
}

/// What one operation implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The operation.
    pub op: CollectiveOp,
    /// Who sends.
    pub senders: Who,
    /// Who receives.
    pub receivers: Who,
    /// From whom.
    pub from: From,
    /// Which members are senders and receivers.
    pub counts: Counts,
}

const fn rule(op: CollectiveOp, senders: Who, receivers: Who) -> Rule {
    Rule {
        op,
        senders,
        receivers,
        from: From::Others,
        counts: Counts::Bytes,
    }
}

const fn scan(op: CollectiveOp) -> Rule {
    Rule {
        from: From::Lower,
        ..rule(op, Who::All, Who::All)
    }
}

const fn synchronizing(op: CollectiveOp) -> Rule {
    Rule {
        counts: Counts::Always,
        ..rule(op, Who::All, Who::All)
    }
}

const fn by_pairs(op: CollectiveOp) -> Rule {
    Rule {
        counts: Counts::Dense,
        ..rule(op, Who::All, Who::All)
    }
}

/// One row per operation that binds. Of Alltoallv and Alltoallw an archive
/// tells totals, not which pairs exchanged anything; so they bind only those
/// who noted that they sent to everybody. Neighbourhood operations have no row:
/// they are a wait for each edge of the topology ([`Matching::bounds`]).
/// Whoever destroys a handle or closes a file need not wait.
pub const RULES: &[Rule] = &[
    rule(CollectiveOp::Bcast, Who::Root, Who::All),
    rule(CollectiveOp::Scatter, Who::Root, Who::All),
    rule(CollectiveOp::Scatterv, Who::Root, Who::All),
    rule(CollectiveOp::Reduce, Who::All, Who::Root),
    rule(CollectiveOp::Gather, Who::All, Who::Root),
    rule(CollectiveOp::Gatherv, Who::All, Who::Root),
    rule(CollectiveOp::Allreduce, Who::All, Who::All),
    rule(CollectiveOp::Allgather, Who::All, Who::All),
    rule(CollectiveOp::Allgatherv, Who::All, Who::All),
    rule(CollectiveOp::Alltoall, Who::All, Who::All),
    rule(CollectiveOp::ReduceScatter, Who::All, Who::All),
    rule(CollectiveOp::ReduceScatterBlock, Who::All, Who::All),
    by_pairs(CollectiveOp::Alltoallv),
    by_pairs(CollectiveOp::Alltoallw),
    scan(CollectiveOp::Scan),
    scan(CollectiveOp::Exscan),
    synchronizing(CollectiveOp::Barrier),
    synchronizing(CollectiveOp::CreateHandle),
    synchronizing(CollectiveOp::CreateHandleAndAllocate),
    synchronizing(CollectiveOp::Fence),
    synchronizing(CollectiveOp::ThreadBarrier),
    synchronizing(CollectiveOp::Init),
    synchronizing(CollectiveOp::Finalize),
];

/// Returns whether something follows from an operation that the trace does not
/// tell: who of an alltoallv sent to whom, who neighbours are, which operation
/// or root it was. `collective` is what is made of it.
pub fn is_untold(
    trace: &Trace,
    matching: &Matching,
    instance: &CollectiveInstance,
    collective: Option<&CollectiveSync>,
) -> bool {
    use CollectiveOp::*;
    match instance.op {
        DestroyHandle | DestroyHandleAndDeallocate | Allocate | Deallocate => false,
        op if !matching.assumptions.hold(op) => false,
        NeighborAllgather | NeighborAllgatherv | NeighborAlltoall | NeighborAlltoallv
        | NeighborAlltoallw => {
            let communicator = trace.definitions.communicators.get(instance.comm.index());
            !instance.consistent || communicator.is_none_or(|comm| comm.destinations.is_none())
        }
        Alltoallv | Alltoallw => collective.is_none_or(|collective| {
            let mut members = collective.members.iter();
            !members.any(|member| collective.sends(member))
        }),
        _ => collective.is_none(),
    }
}

/// A collective operation that binds its members.
#[derive(Clone, Copy, Debug)]
pub struct CollectiveSync<'a> {
    /// Its rule.
    pub rule: &'static Rule,
    /// The root's rank in its group, of rules that name the root.
    pub root: Option<u32>,
    /// The root belongs to the second group of an intercommunicator.
    pub root_remote: bool,
    /// Its members.
    pub members: &'a [CollectiveMember],
    /// Messages go between the groups of an intercommunicator only.
    pub across: bool,
    trace: &'a Trace,
    matching: &'a Matching,
}

impl<'a> CollectiveSync<'a> {
    /// Returns what an instance implies, or `None` if nothing follows from it:
    /// the operation has no rule or is assumed to bind nobody, or its members
    /// disagree about what it is or who the root is.
    pub fn new(
        trace: &'a Trace,
        matching: &'a Matching,
        instance: &CollectiveInstance,
    ) -> Option<CollectiveSync<'a>> {
        let rule = RULES.iter().find(|rule| rule.op == instance.op)?;
        let communicator = trace.definitions.communicators.get(instance.comm.index());
        let across = communicator.is_some_and(|communicator| communicator.remote.is_some());
        let mut collective = CollectiveSync {
            rule,
            root: instance.root,
            root_remote: false,
            members: matching.members_of(instance),
            across,
            trace,
            matching,
        };
        if across && collective.has_root() {
            let (rank, remote) = collective.root_across()?;
            collective.root = Some(rank);
            collective.root_remote = remote;
        }
        let known = collective.root.is_some() || !collective.has_root();
        (known && instance.consistent && matching.assumptions.hold(instance.op))
            .then_some(collective)
    }

    /// Returns whether anybody may depend on this member's entry.
    pub fn sends(&self, member: &CollectiveMember) -> bool {
        self.takes_part(self.rule.senders, member)
            && match self.rule.counts {
                Counts::Bytes => member.sent > 0,
                Counts::Always => true,
                Counts::Dense => self.matching.is_dense(self.trace, member.exit),
            }
    }

    /// Returns whether this member's exit may depend on anybody.
    pub fn receives(&self, member: &CollectiveMember) -> bool {
        self.takes_part(self.rule.receivers, member)
            && (self.rule.counts == Counts::Always || member.received > 0)
    }

    /// Returns the group that a sender's messages go to, for
    /// [`heard_by`](Self::heard_by): 0 unless there are two.
    pub fn heard_in(&self, sender: &CollectiveMember) -> usize {
        usize::from(self.across && !sender.remote)
    }

    /// Returns the group whose messages a receiver depends on.
    pub fn heard_by(&self, receiver: &CollectiveMember) -> usize {
        usize::from(self.across && receiver.remote)
    }

    fn takes_part(&self, who: Who, member: &CollectiveMember) -> bool {
        let in_its_group = member.remote == self.root_remote;
        match who {
            Who::Root => self.root == Some(member.rank) && in_its_group,
            // Of the root's group the others stay outside (MPI 4.1 §6.2.3).
            Who::All => !(self.across && self.has_root() && in_its_group),
        }
    }

    fn has_root(&self) -> bool {
        self.rule.senders == Who::Root || self.rule.receivers == Who::Root
    }

    /// Returns the root's rank in its group and whether that is the second, if
    /// the members agree. Each says it in its own way: *I am it*, *another of
    /// my group*, or the rank in the other group.
    fn root_across(&self) -> Option<(u32, bool)> {
        let mut found = None;
        let mut group = None;
        for member in self.members {
            let (rank, remote) = match self.root_of(member.exit)? {
                ROOT_SELF => (Some(member.rank), member.remote),
                ROOT_THIS_GROUP => (None, member.remote),
                rank => (Some(rank), !member.remote),
            };
            let same_rank = rank.is_none() || *found.get_or_insert(rank) == rank;
            if !same_rank || *group.get_or_insert(remote) != remote {
                return None;
            }
        }
        Some((found??, group?))
    }

    /// Returns the root as a member names it at its exit.
    fn root_of(&self, exit: EventRef) -> Option<u32> {
        let events = &self.trace.locations[exit.location.index()].events;
        match events.event(exit.index as usize) {
            Event::MpiCollectiveEnd(collective)
            | Event::NonBlockingCollectiveComplete(_, collective) => collective.root,
            _ => None,
        }
    }
}
