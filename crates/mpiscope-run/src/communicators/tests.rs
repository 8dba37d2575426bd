//! Legal programs drawn at random: communicators made from each other by every
//! kind of call, at each process in an order of its own, as far as MPI lets it.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proptest::prelude::*;

use super::unify;
use crate::naming::{hash, Known, Leader, Naming, Origin};
use crate::process::{Communicator, Identity, Members, Process, SELF_ID, UNCERTAIN, WORLD_ID};

const WORLD_SIZE: u32 = 5;

/// A communicator as nobody sees it: as a whole.
#[derive(Clone, Debug)]
struct Truth {
    members: Vec<u32>,
    remote: Option<Vec<u32>>,
    made: Made,
}

/// How it was made; communicators are positions in the list of all.
#[derive(Clone, Debug)]
enum Made {
    World,
    Collective(usize),
    Group(usize, i32),
    Words(&'static str),
    Sides {
        locals: [usize; 2],
        peer: usize,
        tag: i32,
    },
}

impl Truth {
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        let remote = self.remote.iter().flatten();
        self.members.iter().chain(remote).copied()
    }

    /// Calls between which MPI promises an order at `rank`, by what they have in common.
    fn ordered_by(&self, rank: u32) -> Vec<u64> {
        match self.made {
            Made::World => vec![],
            Made::Collective(parent) => vec![hash(&("on", parent))],
            Made::Group(parent, tag) => vec![hash(&("group", parent, tag, &self.members))],
            Made::Words(words) => vec![hash(&("words", words, &self.members))],
            Made::Sides { locals, peer, tag } => {
                let side = usize::from(!self.members.contains(&rank));
                let leaders = self.leaders();
                let mut pair = leaders;
                pair.sort_unstable(); // neither side is the first
                let bridge = hash(&("bridge", peer, pair, tag));
                let met = (leaders[side] == rank).then_some(bridge);
                [hash(&("on", locals[side]))]
                    .into_iter()
                    .chain(met)
                    .collect()
            }
        }
    }

    /// Communicators that `rank` needs for it.
    fn needs(&self, rank: u32) -> Vec<usize> {
        match self.made {
            Made::World => vec![],
            Made::Words(_) => vec![0],
            Made::Collective(parent) | Made::Group(parent, _) => vec![parent],
            Made::Sides { locals, peer, .. } => {
                let side = usize::from(!self.members.contains(&rank));
                let met = (self.leaders()[side] == rank).then_some(peer);
                [locals[side]].into_iter().chain(met).collect()
            }
        }
    }

    /// The first of each side leads it.
    fn leaders(&self) -> [u32; 2] {
        let remote = self.remote.as_ref().map_or(0, |remote| remote[0]);
        [self.members[0], remote]
    }
}

/// Draws a program from numbers: each makes the next call.
fn program(choices: &[(u8, u8, u8, u8)]) -> Vec<Truth> {
    let world: Vec<u32> = (0..WORLD_SIZE).collect();
    let mut all = vec![Truth {
        members: world,
        remote: None,
        made: Made::World,
    }];
    for &(kind, one, other, how) in choices {
        let parent = usize::from(one) % all.len();
        let second = usize::from(other) % all.len();
        let drawn = match kind % 6 {
            0 => duplicate(&all, parent),
            1 => split(&all, parent, how),
            2 => group(&all, parent, how, i32::from(other % 3)),
            3 => words(&all, how, ["a", "b"][usize::from(one % 2)]),
            4 => merge(&all, parent),
            _ => between(&all, [parent, second], how),
        };
        all.extend(drawn);
    }
    all
}

fn duplicate(all: &[Truth], parent: usize) -> Vec<Truth> {
    vec![Truth {
        made: Made::Collective(parent),
        ..all[parent].clone()
    }]
}

/// Two colours, and some members that get nothing.
fn split(all: &[Truth], parent: usize, how: u8) -> Vec<Truth> {
    if all[parent].remote.is_some() {
        return vec![];
    }
    let of = |colour: u32| {
        let ranks = all[parent].members.iter().copied();
        ranks
            .filter(|rank| hash(&(rank, how)) % 3 == u64::from(colour))
            .collect::<Vec<_>>()
    };
    let parts = [of(0), of(1)].into_iter();
    parts
        .flat_map(|part| one(part, Made::Collective(parent)))
        .collect()
}

fn group(all: &[Truth], parent: usize, how: u8, tag: i32) -> Vec<Truth> {
    let members = match all[parent].remote {
        None => some(&all[parent].members, how),
        Some(_) => vec![],
    };
    one(members, Made::Group(parent, tag))
}

fn words(all: &[Truth], how: u8, words: &'static str) -> Vec<Truth> {
    one(some(&all[0].members, how), Made::Words(words))
}

fn one(members: Vec<u32>, made: Made) -> Vec<Truth> {
    let made = |members| Truth {
        members,
        remote: None,
        made,
    };
    let members = (!members.is_empty()).then_some(members);
    members.map(made).into_iter().collect()
}

fn merge(all: &[Truth], parent: usize) -> Vec<Truth> {
    match all[parent].remote {
        Some(_) => one(all[parent].all().collect(), Made::Collective(parent)),
        None => vec![],
    }
}

fn between(all: &[Truth], locals: [usize; 2], how: u8) -> Vec<Truth> {
    let [one, other] = locals.map(|local| &all[local]);
    let apart = one.members.iter().all(|rank| !other.members.contains(rank));
    if one.remote.is_some() || other.remote.is_some() || !apart {
        return vec![];
    }
    let leaders = [one.members[0], other.members[0]];
    let meets = |truth: &Truth| {
        truth.remote.is_none() && leaders.iter().all(|leader| truth.members.contains(leader))
    };
    let peers: Vec<usize> = (0..all.len()).filter(|&at| meets(&all[at])).collect();
    vec![Truth {
        members: one.members.clone(),
        remote: Some(other.members.clone()),
        made: Made::Sides {
            locals,
            peer: peers[usize::from(how) % peers.len()],
            tag: i32::from(how % 2),
        },
    }]
}

fn some(of: &[u32], how: u8) -> Vec<u32> {
    let chosen = of.iter().filter(|&rank| how >> rank & 1 == 1);
    chosen.copied().collect()
}

/// Returns the order in which `rank` makes its communicators: any that MPI allows.
fn order(all: &[Truth], rank: u32, seed: u64) -> Vec<usize> {
    let own = |&at: &usize| all[at].all().any(|member| member == rank);
    let mut left: BTreeSet<usize> = (0..all.len()).filter(own).collect();
    let mut done = HashSet::new();
    let mut order = Vec::new();
    while !left.is_empty() {
        let may = |at: usize| {
            let has_all = all[at]
                .needs(rank)
                .iter()
                .all(|needed| done.contains(needed));
            let keys = all[at].ordered_by(rank);
            let earlier = left.range(..at).flat_map(|&at| all[at].ordered_by(rank));
            has_all && earlier.into_iter().all(|key| !keys.contains(&key))
        };
        let ready = left.iter().copied().filter(|&at| may(at));
        let next = ready.min_by_key(|&at| match seed {
            0 => at as u64,
            seed => hash(&(seed, rank, at)),
        });
        let next = next.expect("the first that is left can be made");
        left.remove(&next);
        done.insert(next);
        order.push(next);
    }
    order
}

/// Returns what `rank` defines, and which is which.
fn define(all: &[Truth], rank: u32, order: &[usize], threads: bool) -> (Process, Vec<usize>) {
    let mut naming = Naming::default();
    let mut known: BTreeMap<usize, Known> = BTreeMap::new();
    let mut process = Process {
        identity: Identity {
            rank,
            world_size: WORLD_SIZE,
            ..Identity::default()
        },
        ..Process::default()
    };
    for (place, &at) in (0..).zip(order) {
        let id = if place == 0 {
            WORLD_ID
        } else {
            SELF_ID + place
        };
        let truth = &all[at];
        let (members, remote) = seen_by(truth, rank);
        let origin = match truth.made {
            Made::World => Origin::Predefined(0),
            Made::Collective(parent) => Origin::Collective(known[&parent]),
            Made::Group(parent, tag) => Origin::Group(known[&parent], tag),
            Made::Words(words) => Origin::Words(words),
            Made::Sides { locals, peer, tag } => {
                let ranks = truth.leaders();
                let side = usize::from(!truth.members.contains(&rank));
                let leads = ranks[side] == rank;
                Origin::Sides {
                    local: known[&locals[side]],
                    leader: leads.then(|| Leader {
                        peer: known[&peer],
                        ranks,
                        tag,
                    }),
                    threads,
                }
            }
        };
        let name = naming.next(origin, &members, remote.as_ref());
        known.insert(
            at,
            Known {
                id,
                identity: name.identity,
            },
        );
        let made_from = match truth.made {
            Made::Collective(parent) | Made::Group(parent, _) => Some(known[&parent].id),
            _ => None,
        };
        process.communicators.push(Communicator {
            id,
            parent: made_from,
            name: String::new(),
            identity: name.identity,
            members,
            remote,
            mark: name.mark,
            side: name.side,
            guessed: name.guessed,
        });
    }
    (process, order.to_vec())
}

fn seen_by(truth: &Truth, rank: u32) -> (Members, Option<Members>) {
    let members = Members::new(&truth.members);
    match &truth.remote {
        None => (members, None),
        Some(remote) if truth.members.contains(&rank) => (members, Some(Members::new(remote))),
        Some(remote) => (Members::new(remote), Some(members)),
    }
}

fn calls() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    prop::collection::vec(any::<(u8, u8, u8, u8)>(), 1..40)
}

proptest! {
    #[test]
    fn every_legal_program_keeps_its_communicators_apart(choices in calls(), seed in 1_u64..) {
        let all = program(&choices);
        let defined: Vec<_> = (0..WORLD_SIZE)
            .map(|rank| define(&all, rank, &order(&all, rank, seed), true))
            .collect();
        let processes: Vec<&Process> = defined.iter().map(|(process, _)| process).collect();
        let unified = unify(WORLD_SIZE, &processes, &mut Vec::new());
        prop_assert_eq!(unified.communicators.len(), all.len());
        let mut numbers = BTreeMap::new();
        for (map, (_, order)) in unified.maps.iter().zip(&defined) {
            for (&(_, number), &at) in map.iter().zip(order) {
                prop_assert_eq!(*numbers.entry(at).or_insert(number), number, "{:?}", &all[at]);
            }
        }
        let different: BTreeSet<u32> = numbers.values().copied().collect();
        prop_assert_eq!(different.len(), all.len());
    }

    #[test]
    fn one_thread_a_process_knows_its_communicators_while_it_runs(choices in calls()) {
        let all = program(&choices);
        let mut identities = BTreeMap::new();
        for rank in 0..WORLD_SIZE {
            let (process, order) = define(&all, rank, &order(&all, rank, 0), false);
            for (communicator, at) in process.communicators.iter().zip(order) {
                prop_assert_ne!(communicator.identity, UNCERTAIN);
                let known = *identities.entry(at).or_insert(communicator.identity);
                prop_assert_eq!(known, communicator.identity, "{:?}", &all[at]);
            }
        }
        let different: BTreeSet<u64> = identities.values().copied().collect();
        prop_assert_eq!(different.len(), all.len());
    }
}
