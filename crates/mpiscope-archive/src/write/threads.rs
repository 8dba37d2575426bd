//! Threads, locks and tasks, from the model's events to OTF2's records.

use mpiscope_model::ThreadEvent as T;
use otf2::{Event as E, Paradigm};

use super::definitions::{paradigm, Numbers};

/// The model of teams that are forked: only OpenMP's are.
const FORKED: Paradigm = Paradigm::OPENMP;

pub(super) fn record(event: T, numbers: &Numbers) -> E {
    match event {
        T::Fork(threads) => E::ThreadFork {
            model: FORKED,
            number_of_requested_threads: threads,
        },
        T::Join => E::ThreadJoin { model: FORKED },
        T::TeamBegin(team) => E::ThreadTeamBegin {
            thread_team: numbers.team(team),
        },
        T::TeamEnd(team) => E::ThreadTeamEnd {
            thread_team: numbers.team(team),
        },
        T::Create(thread) => E::ThreadCreate {
            thread_contingent: numbers.team(thread.contingent),
            sequence_count: thread.number,
        },
        T::Begin(thread) => E::ThreadBegin {
            thread_contingent: numbers.team(thread.contingent),
            sequence_count: thread.number,
        },
        T::Wait(thread) => E::ThreadWait {
            thread_contingent: numbers.team(thread.contingent),
            sequence_count: thread.number,
        },
        T::End(thread) => E::ThreadEnd {
            thread_contingent: numbers.team(thread.contingent),
            sequence_count: thread.number,
        },
        T::AcquireLock(turn) => E::ThreadAcquireLock {
            model: paradigm(turn.model),
            lock_id: turn.lock,
            acquisition_order: turn.order,
        },
        T::ReleaseLock(turn) => E::ThreadReleaseLock {
            model: paradigm(turn.model),
            lock_id: turn.lock,
            acquisition_order: turn.order,
        },
        T::TaskCreate(task) => E::ThreadTaskCreate {
            thread_team: numbers.team(task.team),
            creating_thread: task.creator,
            generation_number: task.generation,
        },
        T::TaskSwitch(task) => E::ThreadTaskSwitch {
            thread_team: numbers.team(task.team),
            creating_thread: task.creator,
            generation_number: task.generation,
        },
        T::TaskComplete(task) => E::ThreadTaskComplete {
            thread_team: numbers.team(task.team),
            creating_thread: task.creator,
            generation_number: task.generation,
        },
    }
}
