//! Threads that were created one by one (`pthread_create`), unified: those of a process are a
//! communicator of OTF2, in which each has the number under which it was created.

use std::collections::HashMap;

use otf2::{Definition, Paradigm, ParadigmClass, ParadigmProperty, Value};

use super::Team;
use crate::list::List;
use crate::process::Process;

/// Returns the threads created in each process that has such, and by its rank the communicator,
/// numbered from `first` on.
pub(crate) fn unify(processes: &[&Process], first: u32) -> (Vec<Team>, HashMap<u32, u32>) {
    let with_some = processes.iter().filter(|it| !it.created_threads.is_empty());
    let of = |process: &&Process| Team {
        rank: process.identity.rank,
        threads: process.created_threads.clone(),
    };
    let all: Vec<Team> = with_some.map(of).collect();
    let numbers = all.iter().map(|it| it.rank).zip(first..).collect();
    (all, numbers)
}

/// Defines them: groups from number `group` on, communicators from `comm` on.
pub(crate) fn define(list: &mut List, all: &[Team], group: u32, comm: u32) {
    if all.is_empty() {
        return;
    }
    list.pthread();
    list.groups(Paradigm::PTHREAD, all, group);
    for ((team, id), group) in all.iter().zip(comm..).zip(group + 1..) {
        list.team(id, group, &format!("threads created by rank {}", team.rank));
    }
}

impl List {
    /// POSIX threads, with the template by which Score-P lets viewers name what has no name.
    fn pthread(&mut self) {
        let name = self.string("pthread");
        self.definitions.push(Definition::Paradigm {
            paradigm: Paradigm::PTHREAD,
            name,
            paradigm_class: ParadigmClass::THREAD_CREATE_WAIT,
        });
        let threads = self.string("Pthread Thread Team ${id}");
        self.definitions.push(Definition::ParadigmProperty {
            paradigm: Paradigm::PTHREAD,
            property: ParadigmProperty::COMM_NAME_TEMPLATE,
            value: Value::String(threads),
        });
    }
}
