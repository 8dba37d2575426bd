//! Which definitions of different processes mean the same communicator.
//!
//! Two do if they have the same members and were made from the same
//! communicator with the same mark ([`crate::naming`]); so it begins with the
//! world and goes on from parents to children. The sides of an
//! `MPI_Intercomm_create` have different parents, but their leaders were both
//! members of a third: what they say joins the sides, and with them all that
//! was made from either. That is a congruence closure (Downey, Sethi and
//! Tarjan 1980), done in rounds: one, and one more for each level of
//! intercommunicators that were made from each other.

use std::collections::HashMap;

use crate::naming::{sorted, Ends};
use crate::process::{Bridge, Communicator, Process, UNCERTAIN};

/// Returns for each process and each of its communicators, in order, a number
/// that is the same for the same communicator.
pub(super) fn classes(processes: &[&Process]) -> Vec<Vec<usize>> {
    let nodes = nodes(processes);
    let mut classes = Classes((0..nodes.len()).collect());
    let has_bridges = nodes.iter().any(|node| node.bridge.is_some());
    while classes.round(&nodes) && has_bridges {}
    let mut of = (0..nodes.len()).map(|node| classes.of(node));
    let counts = processes.iter().map(|p| p.communicators.len());
    counts
        .map(|count| of.by_ref().take(count).collect())
        .collect()
}

/// A communicator as one process defines it.
struct Node<'a> {
    communicator: &'a Communicator,
    ends: Ends<'a>,
    /// That from which it was made.
    parent: Option<usize>,
    /// That on which the leaders met, and their mark.
    bridge: Option<(usize, u64)>,
}

/// Of two that agree in this, both are the same.
#[derive(PartialEq, Eq, Hash)]
enum Evidence<'a> {
    Identity(u64, Ends<'a>),
    Made(usize, u64, Ends<'a>),
    Bridged(usize, u64, Ends<'a>),
}

fn nodes<'a>(processes: &[&'a Process]) -> Vec<Node<'a>> {
    let mut nodes = Vec::new();
    for process in processes {
        let mut by_id = HashMap::new();
        for communicator in &process.communicators {
            let local = communicator.side.map(|side| side.local);
            let made_from = communicator.parent.or(local);
            let bridge = communicator.side.and_then(|side| side.bridge);
            let met = |Bridge { peer, mark }: Bridge| Some((*by_id.get(&peer)?, mark));
            let node = Node {
                communicator,
                ends: sorted(&communicator.members, communicator.remote.as_ref()),
                parent: made_from.and_then(|id| by_id.get(&id).copied()),
                bridge: bridge.and_then(met),
            };
            by_id.insert(communicator.id, nodes.len());
            nodes.push(node);
        }
    }
    nodes
}

/// For each node one that is the same and comes no later; a first one leads to itself.
struct Classes(Vec<usize>);

impl Classes {
    /// Puts together what agrees by what is known so far; returns whether anything was new.
    fn round(&mut self, nodes: &[Node]) -> bool {
        let mut first = HashMap::new();
        let mut changed = false;
        for (at, node) in nodes.iter().enumerate() {
            for evidence in self.evidence(node) {
                let same = *first.entry(evidence).or_insert(at);
                changed |= self.join(at, same);
            }
        }
        changed
    }

    fn evidence<'a>(&mut self, node: &Node<'a>) -> impl Iterator<Item = Evidence<'a>> {
        let (identity, mark) = (node.communicator.identity, node.communicator.mark);
        let parent = node.parent.map(|parent| self.of(parent));
        let bridge = node.bridge.map(|(peer, mark)| (self.of(peer), mark));
        let ends = node.ends;
        let certain = identity != UNCERTAIN;
        let marked = parent.filter(|_| mark != 0);
        [
            certain.then_some(Evidence::Identity(identity, ends)),
            marked.map(|parent| Evidence::Made(parent, mark, ends)),
            bridge.map(|(peer, mark)| Evidence::Bridged(peer, mark, ends)),
        ]
        .into_iter()
        .flatten()
    }

    fn of(&mut self, node: usize) -> usize {
        let mut at = node;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
        one != other
    }
}
