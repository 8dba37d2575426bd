//! Threads that were created one by one (`pthread_create`), unified: those of a process are a
//! communicator of OTF2, in which each has the number under which it was created.

use std::collections::HashMap;

use super::Team;
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
