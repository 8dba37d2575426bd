//! Waits that are neither messages nor MPI's collective operations, each kind
//! in a module of its own. A trace without such a kind pays for a look at its
//! definitions and at the length of a side table.
//!
//! | what waits | for what | records | module |
//! |---|---|---|---|
//! | exit of MPI_Ssend, completion of MPI_Issend | the receive's post | regions, [`Note::Synchronous`] | `synchronous` |
//! | exits of MPI_Finalize, MPI_Init | all enters | regions | `ends` |
//! | exits of MPI_Comm_dup, MPI_Win_create… | all enters | CommCreate, RmaWinCreate, [`Note::Created`] | `creations` |
//! | exits of MPI_Win_fence and the like | all enters | RmaCollectiveBegin, RmaCollectiveEnd | `fences` |
//! | exit of MPI_Win_complete | MPI_Win_post of the targets | RmaGroupSync | `epochs` |
//! | exit of MPI_Win_wait | MPI_Win_complete of the origins | RmaGroupSync | `epochs` |
//! | exit of MPI_Win_unlock | MPI_Win_unlock of the holder before | RmaAcquireLock with its number | `locks` |
//! | an incoming notification | the outgoing one | RmaSync | `epochs` |
//! | exits of neighbourhood operations | enters of the neighbours | topologies | `neighbors` |
//! | first event of a team's thread, of a created thread | the fork, the creation | ThreadFork, ThreadCreate… | `threads` |
//! | the join, the wait for a thread | its last event | ThreadJoin, ThreadWait… | `threads` |
//! | exits of a team's barrier | all enters | regions within ThreadTeamBegin and -End | `barriers` |
//! | acquisition of a lock | its release before | ThreadAcquireLock… | `locks` |
//! | a task's first event | its creation | ThreadTaskCreate, ThreadTaskSwitch | `tasks` |
//! | exit of a taskwait | completion of the children | ThreadTaskComplete | `tasks` |
//! | anything else | anything else | [`Note::Signal`], [`Note::Await`] | `signals` |
//!
//! The last row is for what OTF2 has no records for: condition variables and
//! semaphores, MPI_Pready before MPI_Parrived, a kernel after its launch and a
//! synchronization after the kernel, a barrier of POSIX threads (whose object
//! no region names). Whoever records such a pair may say so by two attributes.
//! Puts, gets and flushes wait for nobody. OpenMP's fork and join of OTF2
//! before 1.2 name no team, so that nothing follows from them.
//!
//! [`Note::Synchronous`]: crate::events::Note::Synchronous
//! [`Note::Created`]: crate::events::Note::Created
//! [`Note::Signal`]: crate::events::Note::Signal
//! [`Note::Await`]: crate::events::Note::Await

mod barriers;
pub(super) mod calls;
pub(super) mod creations;
pub(super) mod ends;
mod epochs;
mod fences;
mod locks;
pub(super) mod neighbors;
mod parties;
mod processes;
mod signals;
mod synchronous;
mod tasks;
mod threads;

use crate::definitions::LocationIndex;
use crate::messages::Matching;
use crate::trace::Trace;
use processes::Processes;

/// Adds the waits of a trace to its messages and collective operations.
pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let among_neighbors = neighbors::waits(trace, matching);
    matching.bounds.extend(among_neighbors);
    synchronous::collect(trace, processes, matching);
    signals::collect(trace, matching);
    if trace
        .locations
        .iter()
        .any(|l| !l.events.one_sided().is_empty())
    {
        fences::collect(trace, processes, matching);
        epochs::collect(trace, processes, matching);
        locks::of_windows(trace, matching);
    }
    if trace
        .locations
        .iter()
        .any(|l| !l.events.threads().is_empty())
    {
        for (_, locations) in processes {
            among_threads(trace, locations, matching);
        }
    }
    creations::collect(trace, processes, matching);
    ends::collect(trace, processes, matching);
    matching.bounds.sort_unstable();
    matching.bounds.dedup();
}

/// Adds the waits of the threads of a process for each other.
pub(super) fn among_threads(trace: &Trace, locations: &[LocationIndex], matching: &mut Matching) {
    threads::collect(trace, locations, matching);
    barriers::collect(trace, locations, matching);
    locks::of_threads(trace, locations, matching);
    tasks::collect(trace, locations, matching);
}
