//! Threads, from facts to OTF2's events.

use otf2::{Event, Paradigm};

use super::{look_up, Converter};
use crate::record::{LockTurn, ThreadFact};

impl Converter<'_> {
    /// Returns the event of a fact; nothing if the archive does not know the team or lock.
    pub(super) fn thread_event(&mut self, fact: ThreadFact) -> Option<Event> {
        let model = Paradigm::OPENMP;
        Some(match fact {
            ThreadFact::Fork(threads) => Event::ThreadFork {
                model,
                number_of_requested_threads: threads,
            },
            ThreadFact::Join => Event::ThreadJoin { model },
            ThreadFact::TeamBegin(it) => Event::ThreadTeamBegin {
                thread_team: self.team(it.team)?,
            },
            ThreadFact::TeamEnd(team) => Event::ThreadTeamEnd {
                thread_team: self.team(team)?,
            },
            ThreadFact::AcquireLock(LockTurn { lock, order }) => {
                self.held.insert(lock, order);
                Event::ThreadAcquireLock {
                    model,
                    lock_id: self.seen.lock(lock)?,
                    acquisition_order: order,
                }
            }
            ThreadFact::ReleaseLock(lock) => Event::ThreadReleaseLock {
                model,
                lock_id: self.seen.lock(lock)?,
                acquisition_order: self.held.remove(&lock)?,
            },
            ThreadFact::TaskCreate(it) => Event::ThreadTaskCreate {
                thread_team: self.team(it.team)?,
                creating_thread: it.creator,
                generation_number: it.generation,
            },
            ThreadFact::TaskSwitch(it) => Event::ThreadTaskSwitch {
                thread_team: self.team(it.team)?,
                creating_thread: it.creator,
                generation_number: it.generation,
            },
            ThreadFact::TaskComplete(it) => Event::ThreadTaskComplete {
                thread_team: self.team(it.team)?,
                creating_thread: it.creator,
                generation_number: it.generation,
            },
            ThreadFact::Create(number)
            | ThreadFact::Begin(number)
            | ThreadFact::End(number)
            | ThreadFact::Wait(number) => {
                let (thread_contingent, sequence_count) = self.created_thread(number)?;
                match fact {
                    ThreadFact::Create(_) => Event::ThreadCreate {
                        thread_contingent,
                        sequence_count,
                    },
                    ThreadFact::Begin(_) => Event::ThreadBegin {
                        thread_contingent,
                        sequence_count,
                    },
                    ThreadFact::End(_) => Event::ThreadEnd {
                        thread_contingent,
                        sequence_count,
                    },
                    _ => Event::ThreadWait {
                        thread_contingent,
                        sequence_count,
                    },
                }
            }
        })
    }

    /// Returns which threads one was created among, and its number there; nothing of one that
    /// never did anything that is recorded.
    fn created_thread(&self, number: u64) -> Option<(u32, u64)> {
        let has_begun = self.seen.has_begun(number);
        has_begun.then_some((self.created_threads?, number))
    }

    fn team(&self, number: u64) -> Option<u32> {
        look_up(&self.teams, self.seen.team(number)?)
    }
}
