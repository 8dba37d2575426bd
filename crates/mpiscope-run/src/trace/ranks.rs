//! Which process is which rank, and who is in a group.

use std::collections::HashMap;

use mpiscope_model::Rank;
use otf2::{Definition, GroupFlag, GroupType, UNDEFINED};

/// Which process has which rank in the world.
pub(crate) struct Ranks {
    of_group: HashMap<u32, u32>,
    of_location: HashMap<u64, u32>,
    node_of_group: HashMap<u32, u32>,
    /// Processes that have a rank, and after them other location groups.
    pub count: u32,
}

impl Ranks {
    /// A process has the rank at which one of its locations stands in the
    /// group COMM_LOCATIONS of MPI; other location groups follow in file order.
    pub fn new(definitions: &[Definition]) -> Self {
        let locations = locations(definitions);
        let group_of: HashMap<u64, u32> = locations.iter().map(|l| (l.id, l.group)).collect();
        let mut ranks = Self {
            of_group: HashMap::new(),
            of_location: HashMap::new(),
            node_of_group: HashMap::new(),
            count: 0,
        };
        for (rank, location) in (0..).zip(comm_locations(definitions)) {
            if let Some(&group) = group_of.get(&location) {
                ranks.of_group.entry(group).or_insert(rank);
            }
            ranks.of_location.entry(location).or_insert(rank);
            ranks.count = rank + 1;
        }
        for definition in definitions {
            if let Definition::LocationGroup {
                id,
                system_tree_parent,
                ..
            } = definition
            {
                ranks.add(*id);
                ranks.node_of_group.insert(*id, *system_tree_parent);
            }
        }
        for location in locations {
            let rank = ranks.add(location.group);
            ranks.of_location.entry(location.id).or_insert(rank);
        }
        ranks
    }

    fn add(&mut self, group: u32) -> u32 {
        *self.of_group.entry(group).or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }

    pub fn of_group(&self, group: u32) -> u32 {
        self.of_group.get(&group).copied().unwrap_or(UNDEFINED)
    }

    pub fn node_of_group(&self, group: u32) -> u32 {
        self.node_of_group.get(&group).copied().unwrap_or(UNDEFINED)
    }
}

/// The groups that communicators are made of.
pub(crate) struct Groups<'a> {
    by_id: HashMap<u32, (&'a [u64], GroupType, GroupFlag)>,
    ranks: &'a Ranks,
}

impl<'a> Groups<'a> {
    /// Some writers number COMM_LOCATIONS like another group; no communicator means it.
    pub fn new(definitions: &'a [Definition], ranks: &'a Ranks) -> Self {
        let mut by_id = HashMap::new();
        for definition in definitions {
            if let Definition::Group {
                id,
                members,
                group_type,
                paradigm,
                group_flags,
                ..
            } = definition
            {
                let ours = [otf2::Paradigm::MPI, otf2::Paradigm::UNKNOWN].contains(paradigm);
                if ours && *group_type != GroupType::COMM_LOCATIONS {
                    by_id.insert(*id, (&members[..], *group_type, *group_flags));
                }
            }
        }
        Self { by_id, ranks }
    }

    /// Returns all groups of processes with their world ranks, by number.
    pub fn all(&self) -> Vec<(u32, Vec<Rank>)> {
        let mut ids: Vec<u32> = self.by_id.keys().copied().collect();
        ids.sort_unstable();
        let members = |id| Some((id, self.members(id)?.0));
        ids.into_iter().filter_map(members).collect()
    }

    /// Returns the world ranks of a group, and whether it is COMM_SELF.
    pub fn members(&self, group: u32) -> Option<(Vec<Rank>, bool)> {
        let (members, kind, flags) = self.by_id.get(&group)?;
        let rank = |member: &u64| match flags.contains(GroupFlag::GLOBAL_MEMBERS) {
            true => self.ranks.of_location.get(member).copied(),
            false => u32::try_from(*member).ok(),
        };
        match *kind {
            GroupType::COMM_SELF => Some((Vec::new(), true)),
            _ => Some((
                members
                    .iter()
                    .map(|m| Rank(rank(m).unwrap_or(UNDEFINED)))
                    .collect(),
                false,
            )),
        }
    }
}

/// Returns the locations that the ranks of MPI's world stand for.
fn comm_locations(definitions: &[Definition]) -> Vec<u64> {
    let found = definitions.iter().rev().find_map(|d| match d {
        Definition::Group {
            members,
            group_type: GroupType::COMM_LOCATIONS,
            paradigm: otf2::Paradigm::MPI,
            ..
        } => Some(members.clone()),
        _ => None,
    });
    found.unwrap_or_default()
}

/// Returns all strings; of a number used twice the last one holds.
pub(crate) fn strings(definitions: &[Definition]) -> HashMap<u32, String> {
    definitions
        .iter()
        .filter_map(|d| match d {
            Definition::String { id, string } => Some((*id, string.clone())),
            _ => None,
        })
        .collect()
}

/// A location as defined.
#[derive(Clone, Copy)]
pub(crate) struct Defined {
    pub id: u64,
    /// Number of its name.
    pub name: u32,
    /// How many events it should have; some writers get it wrong.
    pub events: u64,
    /// Number of its location group.
    pub group: u32,
}

/// Returns all locations, each once, in file order.
pub(crate) fn locations(definitions: &[Definition]) -> Vec<Defined> {
    let mut at: HashMap<u64, usize> = HashMap::new();
    let mut locations: Vec<Defined> = Vec::new();
    for definition in definitions {
        let Definition::Location {
            id,
            name,
            number_of_events,
            location_group,
            ..
        } = *definition
        else {
            continue;
        };
        let location = Defined {
            id,
            name,
            events: number_of_events,
            group: location_group,
        };
        match at.insert(id, locations.len()) {
            None => locations.push(location),
            Some(earlier) => {
                at.insert(id, earlier);
                locations[earlier] = location;
            }
        }
    }
    locations
}
