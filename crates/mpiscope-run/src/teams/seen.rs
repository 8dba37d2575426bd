//! What the records of a process say together of its teams, locks and created threads.

use std::collections::{BTreeMap, HashSet};

use crate::record::{Member, ThreadFact};

/// More locks than a process has; those beyond are not told.
const MOST_LOCKS: usize = 1 << 20;

/// What the records of a process say of its teams, locks and created threads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// Which team, as the position in [`Process::teams`](crate::process::Process::teams), each number of a team stands for, ascending.
    of_number: Vec<(u64, u32)>,
    /// Where locks lie, ascending.
    locks: Vec<u64>,
    /// The numbers of the threads that were created and have begun, ascending.
    begun: Vec<u64>,
}

/// Gathers it, record by record.
#[derive(Default)]
pub(crate) struct Gathering {
    /// Number of a team, number in it, thread.
    members: Vec<(u64, u32, u32)>,
    locks: HashSet<u64>,
    latest_lock: u64,
    /// Number among those created, thread.
    begun: Vec<(u64, u32)>,
}

/// What the records of a process tell together of its threads.
pub(crate) struct Found {
    /// The threads of each team, in their order there.
    pub teams: Vec<Vec<u32>>,
    /// Those that were created one by one, ascending.
    pub created: Vec<u32>,
    /// What led to them.
    pub seen: Seen,
}

impl Gathering {
    /// Takes what a thread has recorded.
    #[inline]
    pub fn take(&mut self, thread: u32, fact: ThreadFact) {
        match fact {
            ThreadFact::TeamBegin(Member { team, number, .. }) => {
                self.members.push((team, number, thread));
            }
            ThreadFact::AcquireLock(turn)
                if turn.lock != self.latest_lock && self.locks.len() < MOST_LOCKS =>
            {
                self.latest_lock = turn.lock;
                self.locks.insert(turn.lock);
            }
            ThreadFact::Begin(number) => self.begun.push((number, thread)),
            _ => {}
        }
    }

    /// Returns what was found.
    pub fn finish(mut self) -> Found {
        self.members.sort_unstable();
        self.members.dedup();
        let mut known: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        let mut of_number = Vec::new();
        for members in self.members.chunk_by(|a, b| a.0 == b.0) {
            let threads = members.iter().map(|member| member.2).collect();
            let next = known.len() as u32;
            let team = *known.entry(threads).or_insert(next);
            of_number.push((members[0].0, team));
        }
        let mut teams = vec![Vec::new(); known.len()];
        for (threads, team) in known {
            teams[team as usize] = threads;
        }
        let mut locks: Vec<u64> = self.locks.into_iter().collect();
        locks.sort_unstable();
        self.begun.sort_unstable();
        let mut created: Vec<u32> = self.begun.iter().map(|it| it.1).collect();
        created.sort_unstable();
        created.dedup();
        let seen = Seen {
            of_number,
            locks,
            begun: self.begun.iter().map(|it| it.0).collect(),
        };
        Found {
            teams,
            created,
            seen,
        }
    }
}

impl Seen {
    /// Returns which team of the process a number stands for.
    pub fn team(&self, number: u64) -> Option<u32> {
        let at = self.of_number.binary_search_by_key(&number, |it| it.0);
        Some(self.of_number[at.ok()?].1)
    }

    /// Returns whether a thread that was created has done anything.
    pub fn has_begun(&self, number: u64) -> bool {
        self.begun.binary_search(&number).is_ok()
    }

    /// Returns the number of a lock among those of the process.
    pub fn lock(&self, lock: u64) -> Option<u32> {
        Some(self.locks.binary_search(&lock).ok()? as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(team: u64, number: u32) -> ThreadFact {
        ThreadFact::TeamBegin(Member {
            team,
            number,
            size: 2,
        })
    }

    #[test]
    fn teams_of_the_same_threads_are_one() {
        let mut gathering = Gathering::default();
        for team in [1, 2, 4] {
            gathering.take(0, begin(team, 0));
            gathering.take(3, begin(team, 1));
        }
        gathering.take(3, begin(3, 0));
        gathering.take(0, begin(3, 1));
        let Found { teams, seen, .. } = gathering.finish();
        assert_eq!(teams, [[0, 3], [3, 0]]);
        let found = [1, 2, 3, 4, 5].map(|number| seen.team(number));
        assert_eq!(found, [Some(0), Some(0), Some(1), Some(0), None]);
    }

    #[test]
    fn locks_are_numbered_by_where_they_lie() {
        let mut gathering = Gathering::default();
        for lock in [0x30, 0x10, 0x30, 0x20] {
            let turn = crate::record::LockTurn { lock, order: 1 };
            gathering.take(0, ThreadFact::AcquireLock(turn));
        }
        let seen = gathering.finish().seen;
        assert_eq!(
            [0x10, 0x20, 0x30, 0x40].map(|at| seen.lock(at)),
            [Some(0), Some(1), Some(2), None]
        );
    }
}
