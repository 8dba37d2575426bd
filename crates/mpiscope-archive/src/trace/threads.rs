//! Threads, locks and tasks, from OTF2's records to the model's.

use mpiscope_model::{LockTurn, TaskNumber, ThreadEvent, ThreadNumber};
use otf2::Paradigm;

use super::names::Names;
use super::tables::paradigm;

/// Returns what a thread did, if the event is of that kind.
pub(super) fn thread_event(event: &otf2::Event, names: &mut Names) -> Option<ThreadEvent> {
    use otf2::Event as E;
    let mut thread = |contingent: u32, number: u64| ThreadNumber {
        contingent: names.team(contingent),
        number,
    };
    Some(match *event {
        E::ThreadFork {
            number_of_requested_threads: threads,
            ..
        }
        | E::OmpFork {
            number_of_requested_threads: threads,
        } => ThreadEvent::Fork(threads),
        E::ThreadJoin { .. } | E::OmpJoin => ThreadEvent::Join,
        E::ThreadTeamBegin { thread_team } => ThreadEvent::TeamBegin(names.team(thread_team)),
        E::ThreadTeamEnd { thread_team } => ThreadEvent::TeamEnd(names.team(thread_team)),
        E::ThreadCreate {
            thread_contingent,
            sequence_count,
        } => ThreadEvent::Create(thread(thread_contingent, sequence_count)),
        E::ThreadBegin {
            thread_contingent,
            sequence_count,
        } => ThreadEvent::Begin(thread(thread_contingent, sequence_count)),
        E::ThreadWait {
            thread_contingent,
            sequence_count,
        } => ThreadEvent::Wait(thread(thread_contingent, sequence_count)),
        E::ThreadEnd {
            thread_contingent,
            sequence_count,
        } => ThreadEvent::End(thread(thread_contingent, sequence_count)),
        _ => return lock_event(event).or_else(|| task_event(event, names)),
    })
}

fn lock_event(event: &otf2::Event) -> Option<ThreadEvent> {
    use otf2::Event as E;
    let turn = |model: Paradigm, lock: u32, order: u32| LockTurn {
        model: paradigm(model),
        lock,
        order,
    };
    Some(match *event {
        E::ThreadAcquireLock {
            model,
            lock_id,
            acquisition_order,
        } => ThreadEvent::AcquireLock(turn(model, lock_id, acquisition_order)),
        E::ThreadReleaseLock {
            model,
            lock_id,
            acquisition_order,
        } => ThreadEvent::ReleaseLock(turn(model, lock_id, acquisition_order)),
        E::OmpAcquireLock {
            lock_id,
            acquisition_order,
        } => ThreadEvent::AcquireLock(turn(Paradigm::OPENMP, lock_id, acquisition_order)),
        E::OmpReleaseLock {
            lock_id,
            acquisition_order,
        } => ThreadEvent::ReleaseLock(turn(Paradigm::OPENMP, lock_id, acquisition_order)),
        _ => return None,
    })
}

fn task_event(event: &otf2::Event, names: &mut Names) -> Option<ThreadEvent> {
    use otf2::Event as E;
    let mut task = |team: u32, creator: u32, generation: u32| TaskNumber {
        team: names.team(team),
        creator,
        generation,
    };
    Some(match *event {
        E::ThreadTaskCreate {
            thread_team,
            creating_thread,
            generation_number,
        } => ThreadEvent::TaskCreate(task(thread_team, creating_thread, generation_number)),
        E::ThreadTaskSwitch {
            thread_team,
            creating_thread,
            generation_number,
        } => ThreadEvent::TaskSwitch(task(thread_team, creating_thread, generation_number)),
        E::ThreadTaskComplete {
            thread_team,
            creating_thread,
            generation_number,
        } => ThreadEvent::TaskComplete(task(thread_team, creating_thread, generation_number)),
        // Before OTF2 1.2 a task had one number, whoever created it.
        E::OmpTaskCreate { task_id } => ThreadEvent::TaskCreate(old(task_id, &mut task)),
        E::OmpTaskSwitch { task_id } => ThreadEvent::TaskSwitch(old(task_id, &mut task)),
        E::OmpTaskComplete { task_id } => ThreadEvent::TaskComplete(old(task_id, &mut task)),
        _ => return None,
    })
}

fn old(id: u64, task: &mut impl FnMut(u32, u32, u32) -> TaskNumber) -> TaskNumber {
    task(otf2::UNDEFINED, (id >> 32) as u32, id as u32)
}
