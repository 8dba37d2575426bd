//! Logical messages: what a collective operation implies about time.
//!
//! A collective is seen as point-to-point messages from those who contribute
//! data to those who depend on it (Becker, Rabenseifner, Wolf 2008): sent when
//! the sender enters, received when the receiver leaves. Who that is differs
//! by operation; [`RULES`] has one row for each. Nobody waits for zero bytes,
//! except in a barrier, and nobody for himself.

use mpiscope_model::{CollectiveInstance, CollectiveMember, CollectiveOp, Matching, Trace};

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
    /// Members that sent (received) zero bytes are no senders (receivers).
    pub bytes_count: bool,
}

const fn rule(op: CollectiveOp, senders: Who, receivers: Who) -> Rule {
    Rule {
        op,
        senders,
        receivers,
        from: From::Others,
        bytes_count: true,
    }
}

const fn scan(op: CollectiveOp) -> Rule {
    Rule {
        from: From::Lower,
        ..rule(op, Who::All, Who::All)
    }
}

/// One row per operation that binds. Alltoallv and Alltoallw are missing: an
/// archive tells their totals, not which pairs exchanged anything.
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
    scan(CollectiveOp::Scan),
    scan(CollectiveOp::Exscan),
    Rule {
        bytes_count: false,
        ..rule(CollectiveOp::Barrier, Who::All, Who::All)
    },
];

/// A collective operation that binds its members.
#[derive(Clone, Copy, Debug)]
pub struct Meeting<'a> {
    /// Its rule.
    pub rule: &'static Rule,
    /// The root's rank, of rules that name the root.
    pub root: Option<u32>,
    /// Its members.
    pub members: &'a [CollectiveMember],
    /// Messages go between the groups of an intercommunicator only.
    pub across: bool,
}

impl<'a> Meeting<'a> {
    /// Returns what an instance implies, or `None` if nothing follows from it:
    /// the operation has no rule, members disagree, or it has a root in an
    /// intercommunicator, where the archive does not tell in which group.
    pub fn new(
        trace: &Trace,
        matching: &'a Matching,
        instance: &CollectiveInstance,
    ) -> Option<Meeting<'a>> {
        let rule = RULES.iter().find(|rule| rule.op == instance.op)?;
        let communicator = trace.definitions.communicators.get(instance.comm.index())?;
        let across = communicator.remote.is_some();
        let rooted = rule.senders == Who::Root || rule.receivers == Who::Root;
        let known = !rooted || (instance.root.is_some() && !across);
        (instance.consistent && known).then(|| Meeting {
            rule,
            root: instance.root,
            members: matching.members_of(instance),
            across,
        })
    }

    /// Returns whether anybody may depend on this member's entry.
    pub fn sends(&self, member: &CollectiveMember) -> bool {
        self.takes_part(self.rule.senders, member) && (!self.rule.bytes_count || member.sent > 0)
    }

    /// Returns whether this member's exit may depend on anybody.
    pub fn receives(&self, member: &CollectiveMember) -> bool {
        self.takes_part(self.rule.receivers, member)
            && (!self.rule.bytes_count || member.received > 0)
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
        match who {
            Who::All => true,
            Who::Root => self.root == Some(member.rank),
        }
    }
}
