//! Who meets whom: members gathered under a key, then put where all collective
//! operations are.

use std::collections::BTreeMap;

use crate::definitions::{CollectiveOp, CommId};
use crate::messages::{CollectiveInstance, CollectiveMember, Matching};
use crate::trace::{EventRef, Trace};

/// Operations under way, by a key that their members agree on.
pub(super) struct Parties<K>(BTreeMap<K, Party>);

struct Party {
    instance: CollectiveInstance,
    members: Vec<CollectiveMember>,
}

impl<K: Ord> Parties<K> {
    pub fn new() -> Parties<K> {
        Parties(BTreeMap::new())
    }

    /// Adds a member to the operation `key`.
    pub fn add(
        &mut self,
        key: K,
        op: CollectiveOp,
        comm: CommId,
        root: Option<u32>,
        member: CollectiveMember,
    ) {
        let party = self.0.entry(key).or_insert_with(|| Party {
            instance: CollectiveInstance {
                op,
                comm,
                root,
                members: 0..0,
                complete: false,
                consistent: true,
            },
            members: Vec::new(),
        });
        party.instance.consistent &= party.instance.op == op && party.instance.root == root;
        party.members.push(member);
    }

    /// Adds all operations to a matching; `size` says how many an operation
    /// should have for its key.
    pub fn finish(self, matching: &mut Matching, size: impl Fn(&K) -> usize) {
        for (key, party) in self.0 {
            let begin = matching.members.len();
            matching.members.extend(party.members);
            let members = begin..matching.members.len();
            matching.collectives.push(CollectiveInstance {
                complete: members.len() == size(&key),
                members,
                ..party.instance
            });
        }
    }
}

/// A member that exchanges no bytes.
pub(super) fn member(enter: EventRef, exit: EventRef, rank: u32) -> CollectiveMember {
    CollectiveMember {
        enter,
        exit,
        rank,
        remote: false,
        sent: 0,
        received: 0,
    }
}

/// Returns how many processes a communicator has.
pub(super) fn size(trace: &Trace, comm: CommId) -> usize {
    let communicator = trace.definitions.communicators.get(comm.index());
    communicator.map_or(0, |communicator| communicator.size())
}
