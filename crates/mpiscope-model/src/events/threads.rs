//! What threads of a process do to each other.

use crate::definitions::{Paradigm, TeamId};

/// An event of threads, locks or tasks, under OTF2's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadEvent {
    /// A thread asks for a team of so many.
    Fork(u32),
    /// The threads of the team forked last are gone.
    Join,
    /// A thread of a team begins.
    TeamBegin(TeamId),
    /// A thread of a team ends.
    TeamEnd(TeamId),
    /// A thread is created.
    Create(ThreadNumber),
    /// A created thread begins.
    Begin(ThreadNumber),
    /// A created thread was waited for.
    Wait(ThreadNumber),
    /// A created thread ends.
    End(ThreadNumber),
    /// A lock was acquired.
    AcquireLock(LockTurn),
    /// A lock is released.
    ReleaseLock(LockTurn),
    /// A task is created.
    TaskCreate(TaskNumber),
    /// A thread turns to a task.
    TaskSwitch(TaskNumber),
    /// A task is complete.
    TaskComplete(TaskNumber),
}

/// A created thread: its number among those of its contingent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadNumber {
    /// All threads that this one may be confused with.
    pub contingent: TeamId,
    /// Its number among them.
    pub number: u64,
}

/// Whose turn it is to hold a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockTurn {
    /// The programming model whose lock it is.
    pub model: Paradigm,
    /// Number of the lock in its process and model.
    pub lock: u32,
    /// How often it was acquired before; a release has that of its acquisition.
    pub order: u32,
}

/// A task of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskNumber {
    /// The team.
    pub team: TeamId,
    /// The thread of the team that created it.
    pub creator: u32,
    /// Its number among the tasks of this creator; 0 is what the thread itself does.
    pub generation: u32,
}
