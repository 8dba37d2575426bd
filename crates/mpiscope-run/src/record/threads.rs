//! What facts of threads are told in: teams of OpenMP, locks, tasks, threads created one by one.

use super::raw::Words;

/// What threads of a process do to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadFact {
    /// A team is asked for, of so many threads.
    Fork(u32),
    /// The threads of the team forked last are done.
    Join,
    /// The thread begins to work in a team.
    TeamBegin(Member),
    /// It is done; which team it is.
    TeamEnd(u64),
    /// A lock was acquired.
    AcquireLock(LockTurn),
    /// The lock that lies there is given back.
    ReleaseLock(u64),
    /// A task was created.
    TaskCreate(Task),
    /// The thread turns to a task.
    TaskSwitch(Task),
    /// A task is complete.
    TaskComplete(Task),
    /// A thread is created, one by one; those of a process are numbered as they are, from 1 on.
    Create(u64),
    /// The calling thread was created, and begins.
    Begin(u64),
    /// It ends.
    End(u64),
    /// A thread that was created has been waited for.
    Wait(u64),
}

/// A thread in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Which team: those of a process are numbered as they are forked, from 1 on.
    pub team: u64,
    /// Its number there, below 2^24.
    pub number: u32,
    /// How many threads the team has.
    pub size: u32,
}

/// Whose turn it is to hold a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockTurn {
    /// Where the lock lies in the process's memory.
    pub lock: u64,
    /// Ascends with each time that this lock is acquired.
    pub order: u32,
}

/// A task of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// The team's number.
    pub team: u64,
    /// Which of its threads created it, below 2^24.
    pub creator: u32,
    /// Its number among those of the process, from 1 on; 0 is what a thread itself does.
    pub generation: u32,
}

impl ThreadFact {
    /// How many kinds of facts there are.
    pub(super) const KINDS: u8 = 13;

    #[inline(always)]
    pub(super) fn words(self) -> Words {
        Words::from(match self {
            Self::Fork(threads) => (0, 0, threads, 0, 0),
            Self::Join => (1, 0, 0, 0, 0),
            Self::TeamBegin(it) => (2, it.number, it.size, it.team, 0),
            Self::TeamEnd(team) => (3, 0, 0, team, 0),
            Self::AcquireLock(it) => (4, 0, it.order, it.lock, 0),
            Self::ReleaseLock(lock) => (5, 0, 0, lock, 0),
            Self::TaskCreate(it) => (6, it.creator, it.generation, it.team, 0),
            Self::TaskSwitch(it) => (7, it.creator, it.generation, it.team, 0),
            Self::TaskComplete(it) => (8, it.creator, it.generation, it.team, 0),
            Self::Create(number) => (9, 0, 0, number, 0),
            Self::Begin(number) => (10, 0, 0, number, 0),
            Self::End(number) => (11, 0, 0, number, 0),
            Self::Wait(number) => (12, 0, 0, number, 0),
        })
    }

    #[inline]
    pub(super) fn from_words(words: &Words) -> Option<Self> {
        let Words {
            detail, word, a, ..
        } = *words;
        let turn = LockTurn {
            lock: a,
            order: word,
        };
        let task = Task {
            team: a,
            creator: detail,
            generation: word,
        };
        Some(match words.kind {
            0 => Self::Fork(word),
            1 => Self::Join,
            2 => Self::TeamBegin(Member {
                team: a,
                number: detail,
                size: word,
            }),
            3 => Self::TeamEnd(a),
            4 => Self::AcquireLock(turn),
            5 => Self::ReleaseLock(a),
            6 => Self::TaskCreate(task),
            7 => Self::TaskSwitch(task),
            8 => Self::TaskComplete(task),
            9 => Self::Create(a),
            10 => Self::Begin(a),
            11 => Self::End(a),
            12 => Self::Wait(a),
            _ => return None,
        })
    }
}
