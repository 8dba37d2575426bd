//! Tasks of OpenMP: created by a thread of a team, worked on by any of them.
//!
//! Tasks are often worked on where a parallel region ends, by threads that have said that they have
//! done their work in the team. Such a thread takes that back, works on the task, and says it again.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use mpiscope_run::record::{Task, ThreadFact};

use super::constructs::tell::end;
use super::openmp::{begin, Construct};
use super::thread::Thread;

/// How many tasks were created.
static CREATED: AtomicU32 = AtomicU32::new(0);

/// The end of a thread's work in a team, as it was told.
#[derive(Clone, Copy)]
struct Ended {
    /// 0 if there is none.
    team: u64,
    joins_at: Option<usize>,
    /// Its records: from which on, and up to which.
    from: u64,
    to: u64,
    /// Tasks that are worked on since it was taken back.
    tasks: u32,
}

const NONE: Ended = Ended {
    team: 0,
    joins_at: None,
    from: 0,
    to: 0,
    tasks: 0,
};

thread_local! {
    static ENDED: Cell<Ended> = const { Cell::new(NONE) };
}

/// The thread begins to work in a team.
pub(super) fn forget_end() {
    ENDED.set(NONE);
}

/// The end of its work in a team is told by these records.
pub(super) fn note_end(team: u64, joins_at: Option<usize>, records: Range<u64>) {
    ENDED.set(Ended {
        team,
        joins_at,
        from: records.start,
        to: records.end,
        tasks: 0,
    });
}

/// The thread of this number in a team creates a task; nothing if that is not told.
pub fn created(team: u64, creator: u32) -> Option<Task> {
    let mut told = None;
    begin(|thread, time| {
        // 0 stands for what a thread does itself.
        let generation = CREATED
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_add(1)
            .max(1);
        let task = Task {
            team,
            creator,
            generation,
        };
        thread.tell(time, ThreadFact::TaskCreate(task));
        told = Some(task);
    });
    told
}

/// The calling thread begins to work on a task that was created at `site`; returns whether it is told.
pub fn begins(task: Task, site: usize) -> bool {
    begin(|thread, time| {
        take_back_end(thread, task.team);
        thread.tell(time, ThreadFact::TaskSwitch(task));
        thread.enter_construct(time, Construct::Task, site);
    })
}

/// It goes on with a task that it, or another thread, has begun.
pub fn goes_on(task: Task) {
    begin(|thread, time| thread.tell(time, ThreadFact::TaskSwitch(task)));
}

/// A task that was begun told is complete; what the thread goes on with, if that is told.
pub fn completed(task: Task, next: Option<Task>) {
    end(|thread, time| {
        thread.leave_construct(time, Construct::Task);
        thread.tell(time, ThreadFact::TaskComplete(task));
        if let Some(next) = next {
            thread.tell(time, ThreadFact::TaskSwitch(next));
        }
        tell_end_again(thread, time, task.team);
    });
}

/// Takes back that the thread has ended its work in a team, if that is the last thing that was told.
fn take_back_end(thread: &mut Thread, team: u64) {
    let mut ended = ENDED.get();
    if ended.team != team {
        return;
    }
    if ended.tasks == 0 {
        let Some(writer) = &mut thread.sinks.writer else {
            return;
        };
        if writer.position() != ended.to || !writer.retract(ended.from) {
            return;
        }
    }
    ended.tasks += 1;
    ENDED.set(ended);
}

/// Tells it once more when no task of the team is under way.
fn tell_end_again(thread: &mut Thread, time: u64, team: u64) {
    let mut ended = ENDED.get();
    if ended.team != team || ended.tasks == 0 {
        return;
    }
    ended.tasks -= 1;
    if ended.tasks == 0 {
        ended.from = thread.position();
        thread.end_team(time, team, ended.joins_at);
        ended.to = thread.position();
    }
    ENDED.set(ended);
}
