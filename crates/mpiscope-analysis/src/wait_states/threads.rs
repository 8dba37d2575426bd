//! Waiting of the threads of a process for each other: at barriers, for locks and tasks, for those
//! that end, and between two teams.
//!
//! A thread may work while it waits, on tasks for example. It then waits from the end of the last of
//! what it did before the one came that it waited for; if that was in the middle of such work, it
//! did not wait at all.

use std::cmp::Reverse;

use mpiscope_model::{
    Bound, BoundKind, CollectiveInstance, CollectiveOp, EventKind, EventRef, Events, Matching,
    Timestamp, Trace,
};
use rayon::prelude::*;

use super::{Kind, WaitState};
use crate::nesting::Enclosing;
use crate::timeline::{Regions, Timeline};

/// A thread that another one held up: the other one came after it had begun to wait.
#[derive(Clone, Copy)]
struct Held {
    /// With which the wait begins.
    enter: EventRef,
    /// With which it ends, whoever came when.
    exit: EventRef,
    cause: EventRef,
    came: Timestamp,
    kind: Kind,
}

/// Finds the wait states of each location, in the order of the calls that waited.
pub(super) fn find(trace: &Trace, matching: &Matching, lines: &[Timeline]) -> Vec<Vec<WaitState>> {
    let threads = Threads::new(trace, lines);
    let mut held: Vec<Vec<Held>> = vec![Vec::new(); lines.len()];
    let barriers = matching.collectives.iter();
    let barriers = barriers.filter(|it| it.op == CollectiveOp::ThreadBarrier);
    let at_barriers = barriers.flat_map(|it| threads.barrier(matching, it));
    let bounds = matching.bounds.iter();
    for it in at_barriers.chain(bounds.filter_map(|bound| threads.of_bound(bound))) {
        held[it.enter.location.index()].push(it);
    }
    let states = held.into_par_iter().enumerate();
    states.map(|(at, held)| threads.states(at, held)).collect()
}

/// Returns whether a trace tells of any threads which came before which.
pub fn tells_of_threads(matching: &Matching) -> bool {
    let of_threads = |it: &CollectiveInstance| it.op == CollectiveOp::ThreadBarrier;
    matching.collectives.iter().any(of_threads)
        || matching.bounds.iter().any(|it| kind_of(it.kind).is_some())
}

/// Returns how one waits for what came before by a bound, if threads do.
fn kind_of(bound: BoundKind) -> Option<Kind> {
    match bound {
        BoundKind::Thread => Some(Kind::ThreadJoin),
        BoundKind::Lock => Some(Kind::ThreadLock),
        BoundKind::Task => Some(Kind::TaskWait),
        _ => None,
    }
}

struct Threads<'a> {
    trace: &'a Trace,
    lines: &'a [Timeline<'a>],
    /// Of locations with events of threads, and of those in which threads wait for each other.
    around: Vec<Enclosing>,
    regions: Regions,
}

impl<'a> Threads<'a> {
    fn new(trace: &'a Trace, lines: &'a [Timeline<'a>]) -> Threads<'a> {
        let regions = Regions::new(trace);
        let any = regions.any_among_threads();
        let around = |events: &Events| match any || !events.threads().is_empty() {
            true => Enclosing::of(events),
            false => Enclosing::default(),
        };
        let locations = trace.locations.par_iter();
        Threads {
            trace,
            lines,
            around: locations.map(|it| around(&it.events)).collect(),
            regions,
        }
    }

    fn events(&self, event: EventRef) -> &'a Events {
        &self.trace.locations[event.location.index()].events
    }

    /// Returns when something happened, by a clock that never goes backwards.
    fn time(&self, event: EventRef) -> Timestamp {
        self.lines[event.location.index()].times[event.index as usize]
    }

    /// Tells who waited for the last to come to a barrier.
    fn barrier(&self, matching: &Matching, instance: &CollectiveInstance) -> Vec<Held> {
        let members = matching.members_of(instance);
        let last = members.iter().max_by_key(|it| self.time(it.enter));
        let Some(last) = last.filter(|_| instance.complete && instance.consistent) else {
            return Vec::new();
        };
        let (cause, came) = (last.enter, self.time(last.enter));
        let others = members.iter();
        let others = others.filter(|it| it.enter.location != cause.location);
        let held = others.map(|member| Held {
            enter: member.enter,
            exit: member.exit,
            cause,
            came,
            kind: Kind::ThreadBarrier,
        });
        held.collect()
    }

    fn of_bound(&self, bound: &Bound) -> Option<Held> {
        let kind = kind_of(bound.kind)?;
        let (cause, exit) = (bound.send, bound.receive);
        if cause.location == exit.location {
            return None;
        }
        let (kind, enter) = match self.waiting(exit, kind) {
            Some(enter) => (kind, enter),
            // A thread of a team that had none to work in: the end of the one before.
            None => (Kind::IdleThread, self.free_since(exit)?),
        };
        Some(Held {
            enter,
            exit,
            cause,
            came: self.time(cause),
            kind,
        })
    }

    /// Returns the entry into the region in which a thread waited until an event: the one around
    /// it, or, as of the join of a team, the one that was left before. (Not of a task: who turns to
    /// one after a taskwait did not wait there for it.)
    fn waiting(&self, exit: EventRef, kind: Kind) -> Option<EventRef> {
        let events = self.events(exit);
        let before = exit.index.checked_sub(1);
        let left =
            |at: &u32| kind != Kind::TaskWait && events.kinds()[*at as usize] == EventKind::Leave;
        let ends = [Some(exit.index), before.filter(left)];
        let around = &self.around[exit.location.index()];
        let enters = ends.into_iter().flatten();
        let enters = enters.filter_map(|at| around.enter(at as usize));
        let waits = |enter: &usize| self.regions.is_among_threads(events.args()[*enter]);
        let enter = enters.into_iter().find(waits)?;
        Some(EventRef::new(exit.location, enter))
    }

    /// Returns where the thread left its last team, if it did nothing between that and an event.
    fn free_since(&self, begin: EventRef) -> Option<EventRef> {
        use mpiscope_model::events::ThreadEvent::{TeamBegin, TeamEnd};
        let events = self.events(begin);
        let thread = |index: u32| {
            let is_one = events.kinds()[index as usize] == EventKind::Thread;
            let row = events.args()[index as usize] as usize;
            is_one.then(|| events.threads()[row].1)
        };
        let before = begin.index.checked_sub(1)?;
        let was_free = matches!(thread(before), Some(TeamEnd(_)));
        let begins = matches!(thread(begin.index), Some(TeamBegin(_)));
        (was_free && begins).then_some(EventRef {
            index: before,
            ..begin
        })
    }

    /// Returns the wait states of a location: of those that a thread waited for in one call the
    /// last to come counts.
    fn states(&self, at: usize, mut held: Vec<Held>) -> Vec<WaitState> {
        held.sort_by_key(|held| (held.enter.index, Reverse(held.came)));
        held.dedup_by_key(|held| held.enter);
        let events = &self.trace.locations[at].events;
        let states = held.iter().filter_map(|held| self.state(events, held));
        let mut states: Vec<WaitState> = states.filter(|it| it.end > it.begin).collect();
        states.sort_by_key(|state| state.call);
        states
    }

    fn state(&self, events: &Events, held: &Held) -> Option<WaitState> {
        let left = self.time(held.exit);
        let call = self.idle_from(events, held, held.came.min(left))?;
        Some(WaitState {
            kind: held.kind,
            call,
            begin: self.time(call),
            end: held.came.min(left),
            cause: held.cause,
            contradicts: held.came > left,
        })
    }

    /// Returns the event since which a thread did nothing until a moment; nothing if it was at
    /// work then.
    fn idle_from(&self, events: &Events, held: &Held, until: Timestamp) -> Option<EventRef> {
        let times = &self.lines[held.enter.location.index()].times;
        let mut since = held.enter;
        let mut open = 0;
        for index in held.enter.index + 1..held.exit.index {
            if times[index as usize] > until {
                break;
            }
            match events.kinds()[index as usize] {
                EventKind::Enter => open += 1,
                EventKind::Leave => open -= 1,
                _ => {}
            }
            since.index = index;
        }
        (open <= 0).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use mpiscope_model::Trace;

    use crate::wait_states::wait_states;

    /// Expects wait states, as `lock contention: 0.1 waits 5 from 10 for 0.0`.
    #[track_caller]
    fn check(picture: &str, expected: &[&str]) {
        let trace = Trace::parse(picture).unwrap();
        let found = wait_states(&trace, &trace.matching());
        let who = |event: mpiscope_model::EventRef| {
            let location = &trace.locations[event.location.index()];
            format!("{}.{}", location.rank.0, location.thread)
        };
        let shown = found.iter().map(|state| {
            assert_eq!(trace.time(state.call), state.begin);
            format!(
                "{}: {} waits {} from {} for {}",
                state.kind.name(),
                who(state.call),
                state.duration().0,
                state.begin.0,
                who(state.cause)
            )
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{picture}");
    }

    #[test]
    fn a_team_waits_at_a_barrier_for_its_last_thread() {
        check(
            "0: 0 fork(2) 1 team_begin(t) 10 enter(omp_barrier) 51 leave(omp_barrier) 60 team_end(t) 61 join
             0.1: 2 team_begin(t) 50 enter(omp_barrier) 52 leave(omp_barrier) 60 team_end(t)",
            &["wait at thread barrier: 0.0 waits 40 from 10 for 0.1"],
        );
    }

    #[test]
    fn who_works_on_tasks_at_a_barrier_waits_after_them() {
        let picture = |task: u32| {
            format!(
                "0: 0 fork(2) 1 team_begin(t) 10 enter(omp_barrier) 15 enter(task) {task} leave(task) 71 leave(omp_barrier) 72 team_end(t) 73 join
                 0.1: 2 team_begin(t) 50 enter(omp_barrier) 72 leave(omp_barrier) 73 team_end(t)"
            )
        };
        check(
            &picture(30),
            &["wait at thread barrier: 0.0 waits 20 from 30 for 0.1"],
        );
        check(&picture(60), &[]);
    }

    #[test]
    fn a_lock_is_waited_for_until_it_is_given_back() {
        check(
            "0: 0 fork(2) 1 team_begin(t) 2 enter(omp_set_lock) 3 acquire(7,0) 3 leave(omp_set_lock) 40 release(7,0) 60 team_end(t) 61 join
             0.1: 2 team_begin(t) 10 enter(omp_set_lock) 42 acquire(7,1) 43 leave(omp_set_lock) 50 release(7,1) 60 team_end(t)",
            &["lock contention: 0.1 waits 30 from 10 for 0.0"],
        );
    }

    #[test]
    fn the_first_thread_waits_for_the_last_of_its_team() {
        check(
            "0: 0 fork(3) 1 team_begin(t) 10 team_end(t) 11 enter(omp_join) 52 leave(omp_join) 52 join 60
             0.1: 2 team_begin(t) 50 team_end(t)
             0.2: 2 team_begin(t) 40 team_end(t)",
            &["wait for threads: 0.0 waits 39 from 11 for 0.1"],
        );
    }

    #[test]
    fn a_thread_without_team_waits_for_the_next_fork() {
        check(
            "0: 0 fork(2) 1 team_begin(t) 10 team_end(t) 11 join 40 fork(2) 41 team_begin(t) 50 team_end(t) 51 join
             0.1: 2 team_begin(t) 9 team_end(t) 42 team_begin(t) 50 team_end(t)",
            &["idle threads: 0.1 waits 31 from 9 for 0.0"],
        );
    }

    #[test]
    fn a_task_waits_for_those_that_it_created() {
        check(
            "0: 0 fork(2) 1 team_begin(t) 2 task_create(t,0,1) 10 enter(omp_taskwait) 32 leave(omp_taskwait) 60 team_end(t) 61 join
             0.1: 2 team_begin(t) 5 task_switch(t,0,1) 6 enter(task) 29 leave(task) 30 task_complete(t,0,1) 60 team_end(t)",
            &["wait for tasks: 0.0 waits 20 from 10 for 0.1"],
        );
    }

    #[test]
    fn who_waits_for_tasks_may_wait_for_the_creation_of_one_to_work_on() {
        let picture = |leave: &str, late_leave: &str| {
            format!(
                "0: 0 fork(2) 1 team_begin(t) 10 enter(omp_taskwait) {leave} 25 task_switch(t,1,1) 25 enter(task) 29 leave(task) 30 task_complete(t,1,1) {late_leave} 60 team_end(t) 61 join
                 0.1: 2 team_begin(t) 20 task_create(t,1,1) 60 team_end(t)"
            )
        };
        check(
            &picture("", "32 leave(omp_taskwait)"),
            &["wait for tasks: 0.0 waits 10 from 10 for 0.1"],
        );
        check(&picture("24 leave(omp_taskwait)", ""), &[]);
    }

    #[test]
    fn waiting_for_ranks_and_for_threads_is_told_in_the_order_of_time() {
        check(
            "0: 0 fork(2) 1 team_begin(t) 10 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t) 53 join 55 enter(MPI_Recv) 91 recv<1 92 leave(MPI_Recv)
             0.1: 2 team_begin(t) 50 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t)
             1: 0 90 enter(MPI_Send) 90 send>0 92 leave(MPI_Send)",
            &[
                "wait at thread barrier: 0.0 waits 40 from 10 for 0.1",
                "late sender: 0.0 waits 35 from 55 for 1.0",
            ],
        );
    }
}
