//! Groups that communicators are made of: one of each paradigm's processes, in which the others
//! count.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use otf2::{Definition, GroupFlag, GroupType, Paradigm};

use super::definitions::string;
use super::numbers::Fresh;
use super::undefined::{location, process};
use crate::check::ids::Space;
use crate::ranks;

/// More processes that are not there than this mean that the numbers mean something else.
const MOST: usize = 1024;

/// Mends them; returns which groups are left out, and which other ones stand for them.
pub(super) fn mend(all: &mut Vec<Definition>, fresh: &mut Fresh) -> HashMap<u64, u64> {
    let mut same = HashMap::new();
    one_of_processes(all, &mut same);
    of_mpi(all, fresh);
    outside(all, fresh);
    own_groups(all, &mut same);
    same
}

/// Has each group be behind those of the processes that it counts in.
pub(super) fn need_processes(all: &[Definition], needs: &mut [Vec<usize>]) {
    let processes = all_of_processes(all);
    for (index, definition) in all.iter().enumerate() {
        if let Definition::Group {
            group_type: GroupType::COMM_GROUP,
            paradigm,
            ..
        } = definition
        {
            needs[index].extend(processes.get(&paradigm.0).into_iter().flatten());
        }
    }
}

/// Returns where the groups of processes are, by paradigm.
fn all_of_processes(all: &[Definition]) -> BTreeMap<u8, Vec<usize>> {
    let mut found: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for (index, definition) in all.iter().enumerate() {
        if let Definition::Group {
            group_type: GroupType::COMM_LOCATIONS,
            paradigm,
            ..
        } = definition
        {
            found.entry(paradigm.0).or_default().push(index);
        }
    }
    found
}

fn parts(definition: &Definition) -> (u64, &[u64]) {
    match definition {
        Definition::Group { id, members, .. } => ((*id).into(), members),
        _ => (0, &[]),
    }
}

/// Leaves the last one of each paradigm. Of others those with the same members go away, and the
/// rest are groups of locations that no communicator counts in.
fn one_of_processes(all: &mut Vec<Definition>, same: &mut HashMap<u64, u64>) {
    let mut gone = BTreeSet::new();
    for places in all_of_processes(all).into_values() {
        let Some((last, earlier)) = places.split_last() else {
            continue;
        };
        for index in earlier {
            let ((id, members), (kept, of_kept)) = (parts(&all[*index]), parts(&all[*last]));
            if members == of_kept {
                same.insert(id, kept);
                gone.insert(*index);
            } else if let Definition::Group { group_type, .. } = &mut all[*index] {
                *group_type = GroupType::LOCATIONS;
            }
        }
    }
    remove(all, &gone);
}

fn remove(all: &mut Vec<Definition>, gone: &BTreeSet<usize>) {
    let mut index = 0;
    all.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
}

/// Makes MPI's group of processes of what readers take for them, where it is not there or cannot
/// be right.
fn of_mpi(all: &mut Vec<Definition>, fresh: &mut Fresh) {
    let of_mpi = |it: &Definition, kind: GroupType| matches!(it, Definition::Group { group_type, paradigm: Paradigm::MPI, .. } if *group_type == kind);
    let world = all
        .iter()
        .position(|it| of_mpi(it, GroupType::COMM_LOCATIONS));
    let is_needed = all
        .iter()
        .any(|it| of_mpi(it, GroupType::COMM_GROUP) && !parts(it).1.is_empty());
    let is_right = match world {
        Some(index) => !parts(&all[index]).1.is_empty() && !ranks::is_miscounted(all),
        None => false,
    };
    if is_right || !is_needed {
        return;
    }
    let Some(leaders) = ranks::leaders(all) else {
        return;
    };
    match world {
        Some(index) => {
            if let Definition::Group { members, .. } = &mut all[index] {
                *members = leaders;
            }
        }
        None => {
            let name = string(all, String::new(), fresh);
            all.push(Definition::Group {
                id: fresh.number(Space::Group) as u32,
                name,
                members: leaders,
                group_type: GroupType::COMM_LOCATIONS,
                paradigm: Paradigm::MPI,
                group_flags: GroupFlag::NONE,
            });
        }
    }
}

/// Puts empty processes in the places of those that groups count and that are not there.
fn outside(all: &mut Vec<Definition>, fresh: &mut Fresh) {
    for (paradigm, places) in all_of_processes(all) {
        let Some(world) = places.first().copied() else {
            continue;
        };
        let size = parts(&all[world]).1.len() as u64;
        let mut missing: BTreeSet<u64> = BTreeSet::new();
        for members in counting(all, paradigm) {
            missing.extend(members.iter().filter(|member| **member >= size));
        }
        if missing.len() > MOST {
            continue;
        }
        let new: HashMap<u64, u64> = missing.iter().copied().zip(size..).collect();
        for members in counting(all, paradigm) {
            for member in members {
                *member = new.get(member).copied().unwrap_or(*member);
            }
        }
        for member in missing {
            let name = format!("undefined process {member} of {}", Paradigm(paradigm));
            let name = string(all, name, fresh);
            let group = fresh.number(Space::LocationGroup) as u32;
            let id = fresh.number(Space::Location);
            all.push(process(group, name));
            all.push(location(id, name, group));
            if let Definition::Group { members, .. } = &mut all[world] {
                members.push(id);
            }
        }
    }
}

/// Visits the members of groups that count in a paradigm's processes.
fn counting(all: &mut [Definition], of: u8) -> impl Iterator<Item = &mut Vec<u64>> {
    all.iter_mut().filter_map(move |it| match it {
        Definition::Group {
            members,
            group_type: GroupType::COMM_GROUP,
            paradigm,
            group_flags,
            ..
        } if paradigm.0 == of && !group_flags.contains(GroupFlag::GLOBAL_MEMBERS) => Some(members),
        _ => None,
    })
}

/// Leaves one group of each paradigm that stands for each process by itself.
fn own_groups(all: &mut Vec<Definition>, same: &mut HashMap<u64, u64>) {
    let mut first: HashMap<u8, u64> = HashMap::new();
    let mut gone = BTreeSet::new();
    for (index, definition) in all.iter_mut().enumerate() {
        if let Definition::Group {
            id,
            members,
            group_type: GroupType::COMM_SELF,
            paradigm,
            ..
        } = definition
        {
            members.clear();
            match first.get(&paradigm.0) {
                Some(first) => {
                    same.insert((*id).into(), *first);
                    gone.insert(index);
                }
                None => drop(first.insert(paradigm.0, (*id).into())),
            }
        }
    }
    remove(all, &gone);
}
