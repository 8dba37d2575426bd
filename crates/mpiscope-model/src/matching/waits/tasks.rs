//! Tasks begin after they were created; a thread leaves a taskwait after the
//! tasks are complete that its own task has created before.
//!
//! A task is followed on the thread that it is bound to. Of a number used
//! twice nothing follows.

use rustc_hash::FxHashMap;

use super::calls::Chosen;
use super::processes::events_of;
use crate::definitions::{LocationIndex, RegionId, RegionRole};
use crate::events::{EventKind, Events, TaskNumber, ThreadEvent};
use crate::messages::{BoundKind, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, locations: &[LocationIndex], matching: &mut Matching) {
    let tasks = tasks(trace, locations);
    if tasks.is_empty() {
        return;
    }
    for task in tasks.values().filter(|task| task.created.len() == 1) {
        for &begin in &task.begins {
            matching.bind(BoundKind::Task, task.created[0], begin);
        }
    }
    let regions = Chosen::by(trace, |region| region.role == RegionRole::TaskWait);
    if !regions.any() {
        return;
    }
    for &location in locations {
        for (child, exit) in waits(location, events_of(trace, location), &regions) {
            let task = tasks.get(&child).filter(|task| task.created.len() == 1);
            if let Some([complete]) = task.map(|task| &task.completions[..]) {
                matching.bind(BoundKind::Task, *complete, exit);
            }
        }
    }
}

/// What happened to a task.
#[derive(Default)]
struct Task {
    created: Vec<EventRef>,
    /// The first time that each thread turned to it.
    begins: Vec<EventRef>,
    completions: Vec<EventRef>,
}

fn tasks(trace: &Trace, locations: &[LocationIndex]) -> FxHashMap<TaskNumber, Task> {
    let mut tasks: FxHashMap<TaskNumber, Task> = FxHashMap::default();
    for &location in locations {
        for &(index, event) in events_of(trace, location).threads() {
            let at = EventRef { location, index };
            match event {
                ThreadEvent::TaskCreate(task) => tasks.entry(task).or_default().created.push(at),
                ThreadEvent::TaskSwitch(task) if task.generation > 0 => {
                    let begins = &mut tasks.entry(task).or_default().begins;
                    if begins.last().is_none_or(|last| last.location != location) {
                        begins.push(at);
                    }
                }
                ThreadEvent::TaskComplete(task) => {
                    tasks.entry(task).or_default().completions.push(at);
                }
                _ => {}
            }
        }
    }
    tasks
}

/// Returns the exits of the taskwaits of a thread, with each task waited for.
fn waits(
    location: LocationIndex,
    events: &Events,
    regions: &Chosen,
) -> Vec<(TaskNumber, EventRef)> {
    let mut waits = Vec::new();
    // The task at work, none if it is the thread's own; and whose children
    // have not been waited for.
    let mut current: Option<TaskNumber> = None;
    let mut children: FxHashMap<Option<TaskNumber>, Vec<TaskNumber>> = FxHashMap::default();
    for (index, &kind) in events.kinds().iter().enumerate() {
        let arg = events.args()[index];
        match kind {
            EventKind::Thread => match events.threads()[arg as usize].1 {
                ThreadEvent::TaskCreate(task) => children.entry(current).or_default().push(task),
                ThreadEvent::TaskSwitch(task) => current = Some(task).filter(|t| t.generation > 0),
                ThreadEvent::TaskComplete(task) if current == Some(task) => current = None,
                _ => {}
            },
            EventKind::Leave if regions.has(RegionId(arg)) => {
                let waited = children.remove(&current).unwrap_or_default();
                let exit = EventRef::new(location, index);
                waits.extend(waited.into_iter().map(|task| (task, exit)));
            }
            _ => {}
        }
    }
    waits
}
