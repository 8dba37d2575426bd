//! Communicators unified: what each process calls by its own numbers becomes
//! one definition for all.
//!
//! Which definitions mean the same communicator, [`same`] finds out. Every archive has `MPI_COMM_WORLD` as communicator 0; `MPI_COMM_SELF`
//! follows if any process knows it; then the others as they are met, rank by
//! rank, parents before children. Equal member lists share one group.

mod same;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use crate::naming::sorted;
use crate::process::{Communicator, Members, Process, SELF_ID, WORLD_ID};

/// What the members of a group are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// The locations that the ranks of the world stand for.
    Locations,
    /// Ranks of the world.
    Ranks,
    /// Every process alone.
    Alone,
}

/// A group of the archive; its number is its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What the members are.
    pub kind: GroupKind,
    /// The members.
    pub members: Members,
}

/// A communicator of the archive; its number is its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unified {
    /// Its name; may be empty.
    pub name: String,
    /// Its group.
    pub group: u32,
    /// Of an intercommunicator: the other group.
    pub remote: Option<u32>,
    /// The communicator it was made from.
    pub parent: Option<u32>,
}

/// The archive's number of `MPI_COMM_WORLD`.
pub const WORLD: u32 = 0;

/// All communicators of a run.
#[derive(Debug, Default)]
pub(crate) struct Communicators {
    pub groups: Vec<Group>,
    pub communicators: Vec<Unified>,
    /// For each process, in order: its own number and the archive's.
    pub maps: Vec<Vec<(u32, u32)>>,
    group_of: HashMap<Members, u32>,
    /// The numbers of classes.
    known: HashMap<usize, u32>,
    own: Option<u32>,
    world_size: u32,
}

/// Merges the communicators of all processes; `processes` ascend by rank.
pub(crate) fn unify(
    world_size: u32,
    processes: &[&Process],
    notes: &mut Vec<String>,
) -> Communicators {
    let mut all = Communicators::new(world_size);
    if processes
        .iter()
        .any(|p| p.communicators.iter().any(is_self))
    {
        all.add_self();
    }
    for (process, classes) in processes.iter().zip(same::classes(processes)) {
        let mut map = BTreeMap::new();
        notes.extend(guess(process));
        for (communicator, class) in process.communicators.iter().zip(classes) {
            match all.add(communicator, class, &map) {
                Ok(number) => drop(map.insert(communicator.id, number)),
                Err(what) => notes.push(format!(
                    "rank {}, communicator {}: {what}",
                    process.identity.rank, communicator.id
                )),
            }
        }
        all.maps.push(map.into_iter().collect());
    }
    all
}

/// Says which communicators could not be told from each other.
fn guess(process: &Process) -> Option<String> {
    let guessed = (process.communicators.iter()).filter(|communicator| communicator.guessed);
    let count = guessed.count();
    (count > 0).then(|| {
        format!(
            "rank {}: mpiscope did not see {count} of its communicators being made, nor others of \
             the same members: which is which is guessed from the order of their first use, and \
             messages on them may be matched wrongly",
            process.identity.rank
        )
    })
}

/// The first communicator that a process defines is MPI_COMM_WORLD. Its shape
/// would not tell: a duplicate that nobody saw being made has the same.
fn is_world(communicator: &Communicator, world: &Members) -> bool {
    communicator.id == WORLD_ID
        && communicator.parent.is_none()
        && communicator.remote.is_none()
        && communicator.members == *world
}

fn is_self(communicator: &Communicator) -> bool {
    communicator.parent.is_none()
        && communicator.remote.is_none()
        && communicator.members.len() == 1
        && communicator.id == SELF_ID
}

impl Communicators {
    fn new(world_size: u32) -> Self {
        let world = Members::new(&(0..world_size).collect::<Vec<_>>());
        let mut all = Self {
            world_size,
            ..Self::default()
        };
        all.groups.push(Group {
            kind: GroupKind::Locations,
            members: world.clone(),
        });
        let group = all.group(&world);
        all.communicators.push(Unified {
            name: "MPI_COMM_WORLD".into(),
            group,
            remote: None,
            parent: None,
        });
        all
    }

    fn add_self(&mut self) {
        self.groups.push(Group {
            kind: GroupKind::Alone,
            members: Members::default(),
        });
        self.own = Some(self.communicators.len() as u32);
        self.communicators.push(Unified {
            name: "MPI_COMM_SELF".into(),
            group: self.groups.len() as u32 - 1,
            remote: None,
            parent: None,
        });
    }

    /// Returns the group of these ranks, made if it is new.
    fn group(&mut self, members: &Members) -> u32 {
        if let Some(&group) = self.group_of.get(members) {
            return group;
        }
        let group = self.groups.len() as u32;
        self.groups.push(Group {
            kind: GroupKind::Ranks,
            members: members.clone(),
        });
        self.group_of.insert(members.clone(), group);
        group
    }

    /// Returns the group of an epoch; nothing if it cannot be named.
    pub fn group_of_epoch(&mut self, members: &Members) -> Option<u32> {
        self.check(members).ok()?;
        Some(self.group(members))
    }

    fn add(
        &mut self,
        communicator: &Communicator,
        class: usize,
        map: &BTreeMap<u32, u32>,
    ) -> Result<u32, String> {
        if is_self(communicator) {
            return self.own.ok_or_else(|| "no definition of it".to_owned());
        }
        self.check(&communicator.members)?;
        if let Some(remote) = &communicator.remote {
            self.check(remote)?;
        }
        let number = match is_world(communicator, &self.groups[0].members) {
            true => WORLD,
            false => self.derived(communicator, class, map),
        };
        let unified = &mut self.communicators[number as usize];
        let unnamed = unified.name.is_empty() || number == WORLD;
        if unnamed && !communicator.name.is_empty() {
            unified.name.clone_from(&communicator.name);
        }
        Ok(number)
    }

    fn derived(
        &mut self,
        communicator: &Communicator,
        class: usize,
        map: &BTreeMap<u32, u32>,
    ) -> u32 {
        if let Some(&number) = self.known.get(&class) {
            return number;
        }
        let (first, second) = sorted(&communicator.members, communicator.remote.as_ref());
        // A parent that was never defined can only have come from the world.
        let parent = communicator.parent.and_then(|id| map.get(&id).copied());
        let group = self.group(first);
        let remote = second.map(|members| self.group(members));
        let number = self.communicators.len() as u32;
        self.communicators.push(Unified {
            name: String::new(),
            group,
            remote,
            parent: Some(parent.unwrap_or(WORLD)),
        });
        self.known.insert(class, number);
        number
    }

    /// Only ranks of the world can be named in an archive, and each once.
    fn check(&self, members: &Members) -> Result<(), String> {
        match members.fit_in(self.world_size) {
            true => Ok(()),
            false => {
                Err("it has members outside of MPI_COMM_WORLD; its events are left out".into())
            }
        }
    }
}
