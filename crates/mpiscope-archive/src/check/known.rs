//! What the definitions say, as far as events need it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mpiscope_model::Rank;
use otf2::{Definition, Paradigm, UNDEFINED};

use super::ids::{own, Space};
use crate::ranks::{self, Groups, Ranks};

/// What events can refer to.
pub(crate) struct Known {
    numbers: HashMap<Space, Numbers>,
    regions: HashMap<u32, Region>,
    communicators: HashMap<u32, Members>,
    /// World ranks of processes, by location group.
    pub ranks: Ranks,
}

/// What is known of a region.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Region {
    /// It is a call of MPI.
    pub mpi: bool,
    /// It begins MPI.
    pub init: bool,
    /// It ends MPI.
    pub finalize: bool,
}

/// Who communicates, in world ranks.
#[derive(Debug, Clone)]
pub(crate) enum Members {
    /// Each process with itself.
    Itself,
    /// These, in order.
    Of(Group),
    /// Those of one group with those of the other.
    Between(Group, Group),
}

/// A group, which many communicators may share.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub ranks: Arc<[u32]>,
    set: Arc<HashSet<u32>>,
}

/// A set of numbers, most of which leave no gaps.
#[derive(Debug, Default)]
struct Numbers {
    /// All below are in it.
    dense: u64,
    others: HashSet<u64>,
}

impl Numbers {
    fn insert(&mut self, id: u64) {
        if id == self.dense {
            self.dense += 1;
        } else if id > self.dense {
            self.others.insert(id);
        }
    }

    fn contains(&self, id: u64) -> bool {
        id < self.dense || self.others.contains(&id)
    }
}

impl Known {
    pub fn new(definitions: &[Definition]) -> Known {
        let mut numbers: HashMap<Space, Numbers> = HashMap::new();
        for (space, id) in definitions.iter().filter_map(own) {
            numbers.entry(space).or_default().insert(id);
        }
        let ranks = Ranks::new(definitions);
        Known {
            numbers,
            regions: regions(definitions),
            communicators: communicators(definitions, &ranks),
            ranks,
        }
    }

    pub fn defines(&self, space: Space, id: u64) -> bool {
        let numbers = self.numbers.get(&space);
        numbers.is_some_and(|numbers| numbers.contains(id))
    }

    pub fn region(&self, id: u32) -> Region {
        self.regions.get(&id).copied().unwrap_or_default()
    }

    /// Returns who is in a communicator; nothing, if it is none of MPI's, or its group is not
    /// defined.
    pub fn members(&self, communicator: u32) -> Option<&Members> {
        self.communicators.get(&communicator)
    }
}

impl Members {
    /// Returns the world ranks that peers of a process are counted in.
    pub fn peers(&self, own: u32) -> &[u32] {
        match self {
            Members::Itself => &[],
            Members::Of(members) => &members.ranks,
            Members::Between(a, b) if a.set.contains(&own) => &b.ranks,
            Members::Between(a, _) => &a.ranks,
        }
    }

    /// Returns the world rank of a peer; nothing, if there is none of that rank.
    pub fn peer(&self, own: u32, rank: u32) -> Option<u32> {
        match self {
            Members::Itself => (rank == 0).then_some(own),
            members => members.peers(own).get(rank as usize).copied(),
        }
    }
}

fn regions(definitions: &[Definition]) -> HashMap<u32, Region> {
    let names = ranks::strings(definitions);
    let regions = definitions.iter().filter_map(|it| match it {
        Definition::Region {
            id, name, paradigm, ..
        } => {
            let name = names.get(name).map_or("", String::as_str);
            let mpi = *paradigm == Paradigm::MPI;
            let region = Region {
                mpi,
                init: mpi && ["MPI_Init", "MPI_Init_thread"].contains(&name),
                finalize: mpi && name == "MPI_Finalize",
            };
            Some((*id, region))
        }
        _ => None,
    });
    regions.collect()
}

fn communicators(definitions: &[Definition], ranks: &Ranks) -> HashMap<u32, Members> {
    let groups = Groups::new(definitions, ranks);
    let mut made: HashMap<u32, Option<Members>> = HashMap::new();
    let mut members = |group: u32| {
        let make = || groups.members(group).map(members_of);
        made.entry(group).or_insert_with(make).clone()
    };
    let mut found = HashMap::new();
    for definition in definitions {
        let (id, members) = match definition {
            Definition::Comm { id, group, .. } => (*id, members(*group)),
            Definition::InterComm {
                id,
                group_a,
                group_b,
                ..
            } => match (members(*group_a), members(*group_b)) {
                (Some(Members::Of(a)), Some(Members::Of(b))) => (*id, Some(Members::Between(a, b))),
                _ => (*id, None),
            },
            _ => continue,
        };
        if let Some(members) = members {
            found.insert(id, members);
        }
    }
    found
}

fn members_of((ranks, itself): (Vec<Rank>, bool)) -> Members {
    if itself {
        return Members::Itself;
    }
    let ranks: Arc<[u32]> = ranks.into_iter().map(|rank| rank.0).collect();
    let set = Arc::new(ranks.iter().copied().collect());
    Members::Of(Group { ranks, set })
}

/// The roots that are no ranks: none, the process itself, its group.
pub(crate) fn is_rank(root: u32) -> bool {
    root < UNDEFINED - 2
}
