//! Communicators by their members: a program that makes and frees them all the
//! time has as many groups as it has different ones.

use std::collections::HashMap;

use mpiscope_run::process::{Communicator, Members};
use mpiscope_run::statistics::{Group, NO_GROUP};

/// Which group each communicator is of.
#[derive(Default)]
pub struct Groups {
    by_members: HashMap<(Members, Option<Members>), u32>,
    /// By the communicator's id, which counts up.
    of_comm: Vec<u32>,
}

impl Groups {
    /// Adds a communicator; returns its group if that is a new one.
    pub fn add(&mut self, comm: &Communicator) -> Option<Group> {
        let key = (comm.members.clone(), comm.remote.clone());
        let next = self.by_members.len() as u32;
        let id = *self.by_members.entry(key).or_insert(next);
        let at = comm.id as usize;
        if self.of_comm.len() <= at {
            self.of_comm.resize(at + 1, NO_GROUP);
        }
        self.of_comm[at] = id;
        (id == next).then(|| Group {
            id,
            members: comm.members.clone(),
            remote: comm.remote.clone(),
        })
    }

    /// Returns the group of a communicator.
    pub fn of(&self, comm: u32) -> u32 {
        self.of_comm.get(comm as usize).copied().unwrap_or(NO_GROUP)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn communicators_of_the_same_members_are_one_group() {
        let mut groups = Groups::default();
        let mut add = |id, ranks: &[u32]| {
            let made = groups.add(&Communicator {
                id,
                parent: None,
                name: String::new(),
                identity: 0,
                members: Members::new(ranks),
                remote: None,
                ..Communicator::default()
            });
            (made.is_some(), groups.of(id))
        };
        assert_eq!(add(0, &[0, 1, 2]), (true, 0));
        assert_eq!(add(2, &[0, 1, 2]), (false, 0));
        assert_eq!(add(3, &[1, 2]), (true, 1));
        assert_eq!(groups.of(1), NO_GROUP);
        assert_eq!(groups.of(99), NO_GROUP);
    }
}
