//! Which process is which rank, and who is in a group.

use std::collections::HashMap;

use mpiscope_model::{LocationKind, Rank};
use otf2::{Definition, GroupFlag, GroupType, LocationGroupType, LocationType, UNDEFINED};

/// Which process has which rank in the world.
pub(crate) struct Ranks {
    of_group: HashMap<u32, u32>,
    of_location: HashMap<u64, u32>,
    node_of_group: HashMap<u32, u32>,
    /// Accelerators, each with the process that uses it, if one is known to.
    accelerators: HashMap<u32, Option<u32>>,
    /// Processes: those that have a rank, and after them others.
    pub processes: u32,
    /// All of these, and after them accelerators that belong to none.
    pub count: u32,
}

impl Ranks {
    /// A process has the rank at which one of its locations stands in the
    /// group COMM_LOCATIONS of MPI, if that group can be right ([`world`]); other
    /// location groups follow in file order.
    /// An accelerator belongs to the rank of the process that uses it, and if
    /// none is known to, it comes after all processes.
    pub fn new(definitions: &[Definition]) -> Self {
        let locations = locations(definitions);
        let group_of: HashMap<u64, u32> = locations.iter().map(|l| (l.id, l.group)).collect();
        let mut ranks = Self {
            of_group: HashMap::new(),
            of_location: HashMap::new(),
            node_of_group: HashMap::new(),
            accelerators: HashMap::new(),
            processes: 0,
            count: 0,
        };
        for (rank, location) in (0..).zip(world(definitions, &group_of)) {
            if let Some(&group) = group_of.get(&location) {
                ranks.of_group.entry(group).or_insert(rank);
            }
            ranks.of_location.entry(location).or_insert(rank);
            ranks.count = rank + 1;
        }
        ranks.accelerators = accelerators(definitions);
        for definition in definitions {
            if let Definition::LocationGroup {
                id,
                system_tree_parent,
                ..
            } = definition
            {
                ranks.add_process(*id);
                ranks.node_of_group.insert(*id, *system_tree_parent);
            }
        }
        for location in &locations {
            ranks.add_process(location.group);
        }
        ranks.processes = ranks.count;
        for location in locations {
            let rank = ranks.add(ranks.process(location.group));
            ranks.of_location.entry(location.id).or_insert(rank);
        }
        ranks
    }

    fn add_process(&mut self, group: u32) {
        if !self.accelerators.contains_key(&group) {
            self.add(group);
        }
    }

    /// Returns the process that uses an accelerator; of other groups, and
    /// where no such process is known, the group itself.
    fn process(&self, group: u32) -> u32 {
        let process = self.accelerators.get(&group).copied().flatten();
        process.unwrap_or(group)
    }

    pub fn is_accelerator(&self, group: u32) -> bool {
        self.accelerators.contains_key(&group)
    }

    fn add(&mut self, group: u32) -> u32 {
        *self.of_group.entry(group).or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }

    pub fn of_group(&self, group: u32) -> u32 {
        let process = self.process(group);
        self.of_group.get(&process).copied().unwrap_or(UNDEFINED)
    }

    /// Returns the node that a group is on: of an accelerator its process's.
    pub fn node_of_group(&self, group: u32) -> u32 {
        let process = self.process(group);
        let node = self.node_of_group.get(&process);
        node.copied().unwrap_or(UNDEFINED)
    }
}

/// Returns all accelerators with the process that uses each: the one that
/// created it, or if the archive has only one process, that.
fn accelerators(definitions: &[Definition]) -> HashMap<u32, Option<u32>> {
    let mut creators: HashMap<u32, u32> = HashMap::new();
    let mut processes = Vec::new();
    for definition in definitions {
        let Definition::LocationGroup {
            id,
            location_group_type,
            creating_location_group,
            ..
        } = definition
        else {
            continue;
        };
        match *location_group_type {
            LocationGroupType::ACCELERATOR => {
                creators.insert(*id, *creating_location_group);
            }
            _ => processes.push(*id),
        }
    }
    processes.sort_unstable();
    processes.dedup();
    let only = match processes[..] {
        [only] => Some(only),
        _ => None,
    };
    let process = |accelerator: u32| {
        // One accelerator may have made another; damaged ones each other.
        let chain = std::iter::successors(Some(accelerator), |id| creators.get(id).copied());
        let made_by = chain.take(creators.len() + 1).last();
        made_by
            .filter(|id| processes.binary_search(id).is_ok())
            .or(only)
    };
    creators.keys().map(|&id| (id, process(id))).collect()
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

/// Returns the locations that the ranks of MPI's world stand for; none where the group that says
/// so cannot be right.
///
/// TAU counts up the members of its group in steps, which is not how it numbers locations: of
/// three processes, 0, 1 and 2 in place of 0, 2 and 6. A group that names what is no location
/// while processes stand outside of it, or one process twice, is such a count. Where only
/// locations were left out of an archive, every process that is there has its place in the group.
fn world(definitions: &[Definition], group_of: &HashMap<u64, u32>) -> Vec<u64> {
    let members = comm_locations(definitions);
    let named: Vec<u32> = members
        .iter()
        .filter_map(|member| group_of.get(member).copied())
        .collect();
    let mut distinct = named.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let is_process = |definition: &&Definition| {
        matches!(definition, Definition::LocationGroup { id, location_group_type, .. }
            if *location_group_type == LocationGroupType::PROCESS && !distinct.contains(id))
    };
    let outside = definitions.iter().filter(is_process).count();
    let miscounted = distinct.len() < members.len() && outside > 0;
    match miscounted {
        true => Vec::new(),
        false => members,
    }
}

/// Whether the group of MPI's processes names others than these.
pub(crate) fn is_miscounted(definitions: &[Definition]) -> bool {
    let locations = locations(definitions).into_iter();
    let group_of = locations.map(|it| (it.id, it.group)).collect();
    !comm_locations(definitions).is_empty() && world(definitions, &group_of).is_empty()
}

/// Returns the first location of each process, by rank; nothing, if one has none.
pub(crate) fn leaders(definitions: &[Definition]) -> Option<Vec<u64>> {
    let ranks = Ranks::new(definitions);
    let mut leaders = vec![None; ranks.processes as usize];
    for location in locations(definitions) {
        if !ranks.is_accelerator(location.group) {
            let leader = leaders.get_mut(ranks.of_group(location.group) as usize)?;
            leader.get_or_insert(location.id);
        }
    }
    leaders.into_iter().collect()
}

/// Returns the members of the group COMM_LOCATIONS of MPI.
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
    /// What it is, but for what its group says.
    pub kind: LocationKind,
}

/// Returns all locations, each once, in file order.
pub(crate) fn locations(definitions: &[Definition]) -> Vec<Defined> {
    let mut at: HashMap<u64, usize> = HashMap::new();
    let mut locations: Vec<Defined> = Vec::new();
    for definition in definitions {
        let Definition::Location {
            id,
            name,
            location_type,
            number_of_events,
            location_group,
        } = *definition
        else {
            continue;
        };
        let location = Defined {
            id,
            name,
            events: number_of_events,
            group: location_group,
            kind: match location_type {
                LocationType::ACCELERATOR_STREAM => LocationKind::Accelerator,
                LocationType::METRIC => LocationKind::Metric,
                _ => LocationKind::Thread,
            },
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
