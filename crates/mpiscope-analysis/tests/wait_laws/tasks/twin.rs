//! Who waits for tasks, by loops over all events.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_analysis::wait_states::Kind;
use mpiscope_model::events::{TaskNumber, ThreadEvent};
use mpiscope_model::{Event, Trace};

use crate::twin::{At, Wait};

/// A region in which a thread waits: its events at a location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    location: usize,
    enter: usize,
    leave: usize,
    /// What waiting there is called.
    kind: Kind,
}

impl Region {
    pub fn has(&self, (location, event): At) -> bool {
        self.location == location && (self.enter..self.leave).contains(&event)
    }
}

fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "omp_taskwait" => Some(Kind::TaskWait),
        "omp_barrier" => Some(Kind::ThreadBarrier),
        "pthread_join" => Some(Kind::ThreadJoin),
        _ => None,
    }
}

/// A region needs another thread's event before one of its own, with which it waits no longer.
struct Need {
    region: Region,
    exit: usize,
    other: At,
    kind: Kind,
}

/// Returns of each region what waiting it may have, none among them: of those that came at the same
/// time, any may be named.
pub fn waits(trace: &Trace) -> BTreeMap<Region, Vec<Option<Wait>>> {
    let twin = Twin::new(trace);
    let needs = twin.needs();
    let mut waits = BTreeMap::new();
    for region in &twin.regions {
        let of_region = needs.iter().filter(|it| it.region == *region);
        let others = of_region.filter(|it| it.other.0 != region.location);
        let came = |it: &&Need| twin.time(it.other);
        let last = others.clone().map(|it| came(&it)).max();
        let of_last = others.filter(|it| Some(came(it)) == last);
        let of_last: Vec<Option<Wait>> = of_last.map(|it| twin.wait(it)).collect();
        if !of_last.is_empty() {
            waits.insert(*region, of_last);
        }
    }
    waits
}

struct Twin<'a> {
    trace: &'a Trace,
    regions: Vec<Region>,
}

impl<'a> Twin<'a> {
    fn new(trace: &'a Trace) -> Twin<'a> {
        let mut twin = Twin {
            trace,
            regions: Vec::new(),
        };
        let events = twin.events();
        for (at, event) in &events {
            if let Some(kind) = twin.enters(*event).and_then(kind_of) {
                twin.regions.push(Region {
                    location: at.0,
                    enter: at.1,
                    leave: twin.leave(*at),
                    kind,
                });
            }
        }
        twin
    }

    fn events(&self) -> Vec<(At, Event<'a>)> {
        let locations = self.trace.locations.iter().enumerate();
        let of = |(number, location): (usize, &'a mpiscope_model::Location)| {
            let events = &location.events;
            (0..events.len()).map(move |at| ((number, at), events.event(at)))
        };
        locations.flat_map(of).collect()
    }

    fn enters(&self, event: Event) -> Option<&'a str> {
        match event {
            Event::Enter(region) => Some(&self.trace.definitions.regions[region.index()].name),
            _ => None,
        }
    }

    /// Returns the event that leaves the region that one enters.
    fn leave(&self, (location, enter): At) -> usize {
        let events = &self.trace.locations[location].events;
        let depth = |until: &usize| {
            let these = enter..=*until;
            let step = |it: usize| match events.event(it) {
                Event::Enter(_) => 1,
                Event::Leave(_) => -1,
                _ => 0,
            };
            these.map(step).sum::<i32>()
        };
        let mut after = enter..events.len();
        after.find(|it| depth(it) == 0).expect("regions are left")
    }

    fn time(&self, (location, event): At) -> i64 {
        self.trace.locations[location].events.times()[event].0
    }

    fn threads(&self) -> Vec<(At, ThreadEvent)> {
        let events = self.events().into_iter();
        let of_threads = events.filter_map(|(at, event)| match event {
            Event::Thread(event) => Some((at, event)),
            _ => None,
        });
        of_threads.collect()
    }

    /// Returns the task that a thread works on before an event; none of those that are created is its
    /// own.
    fn task(&self, (location, event): At) -> Option<TaskNumber> {
        let before = self.threads().into_iter();
        let before = before.filter(|(at, _)| at.0 == location && at.1 < event);
        let mut switches = before.filter_map(|(_, event)| match event {
            ThreadEvent::TaskSwitch(task) => Some(task),
            _ => None,
        });
        switches.next_back().filter(|task| task.generation > 0)
    }

    fn needs(&self) -> Vec<Need> {
        let taskwaits = self.regions.iter().filter(|it| it.kind == Kind::TaskWait);
        let mut needs: Vec<Need> = taskwaits.flat_map(|it| self.of_taskwait(*it)).collect();
        needs.extend(self.regions.iter().flat_map(|it| self.of_creations(*it)));
        needs.extend(self.of_barriers());
        needs.extend(self.regions.iter().flat_map(|it| self.of_joins(*it)));
        needs
    }

    /// It needs the completion of all that its task created since it last waited.
    fn of_taskwait(&self, region: Region) -> Vec<Need> {
        let threads = self.threads();
        let leave = (region.location, region.leave);
        let own = self.task(leave);
        let same = |it: &&Region| {
            let leaves = (it.location, it.leave);
            it.kind == Kind::TaskWait
                && leaves.0 == leave.0
                && leaves < leave
                && self.task(leaves) == own
        };
        let before = self.regions.iter().filter(same).map(|it| it.leave).max();
        let is_child = |(at, event): &(At, ThreadEvent)| match event {
            ThreadEvent::TaskCreate(task) => {
                let since = before.is_none_or(|before| before < at.1);
                (at.0 == leave.0 && *at < leave && since && self.task(*at) == own).then_some(*task)
            }
            _ => None,
        };
        let children: Vec<TaskNumber> = threads.iter().filter_map(is_child).collect();
        let completes = threads.iter().filter(|(_, event)| match event {
            ThreadEvent::TaskComplete(task) => children.contains(task),
            _ => false,
        });
        let need = |(other, _): &(At, ThreadEvent)| Need {
            region,
            exit: region.leave,
            other: *other,
            kind: Kind::TaskWait,
        };
        completes.map(need).collect()
    }

    /// It needs the creation of each task that it turns to.
    fn of_creations(&self, region: Region) -> Vec<Need> {
        let threads = self.threads();
        let mut needs = Vec::new();
        for (at, event) in &threads {
            let ThreadEvent::TaskSwitch(task) = event else {
                continue;
            };
            let before = |it: &&(At, ThreadEvent)| it.0 < *at && it.0 .0 == at.0;
            let mut before = threads.iter().filter(before);
            let is_first = before.all(|(_, before)| before != event);
            let innermost = self.regions.iter().filter(|it| it.has(*at)).max();
            if !is_first || innermost != Some(&region) {
                continue;
            }
            let created = |it: &&(At, ThreadEvent)| it.1 == ThreadEvent::TaskCreate(*task);
            needs.extend(threads.iter().find(created).map(|(other, _)| Need {
                region,
                exit: at.1,
                other: *other,
                kind: Kind::TaskWait,
            }));
        }
        needs
    }

    /// The k-th of each thread belong together, and need all others.
    fn of_barriers(&self) -> Vec<Need> {
        let barriers: Vec<Region> = (self.regions.iter().copied())
            .filter(|it| it.kind == Kind::ThreadBarrier)
            .collect();
        let number = |one: &Region| {
            let same = barriers.iter().filter(|it| it.location == one.location);
            same.filter(|it| it.enter < one.enter).count()
        };
        let mut needs = Vec::new();
        for one in &barriers {
            let others = barriers.iter().filter(|it| number(it) == number(one));
            needs.extend(others.map(|other| Need {
                region: *one,
                exit: one.leave,
                other: (other.location, other.enter),
                kind: Kind::ThreadBarrier,
            }));
        }
        needs
    }

    /// It needs the end of the thread that it joins.
    fn of_joins(&self, region: Region) -> Vec<Need> {
        let threads = self.threads();
        let mut needs = Vec::new();
        for (wait, waited) in threads.iter().filter(|(at, _)| region.has(*at)) {
            for (end, ended) in &threads {
                let same = match (waited, ended) {
                    (ThreadEvent::Wait(one), ThreadEvent::End(other)) => one == other,
                    _ => false,
                };
                needs.extend(same.then_some(Need {
                    region,
                    exit: wait.1,
                    other: *end,
                    kind: Kind::ThreadJoin,
                }));
            }
        }
        needs
    }

    /// Returns how long a thread did nothing until the other one came.
    fn wait(&self, need: &Need) -> Option<Wait> {
        let location = need.region.location;
        let (came, left) = (self.time(need.other), self.time((location, need.exit)));
        let end = came.min(left);
        let until = need.region.enter..need.exit;
        let last = until.rev().find(|it| self.time((location, *it)) <= end)?;
        let inside = self.events().into_iter();
        let inside = inside.filter(|(at, _)| at.0 == location);
        let inside = inside.filter(|(at, _)| at.1 > need.region.enter && at.1 <= last);
        let depth = inside.map(|(_, event)| match event {
            Event::Enter(_) => 1,
            Event::Leave(_) => -1,
            _ => 0,
        });
        let begin = self.time((location, last));
        (depth.sum::<i32>() == 0 && begin < end).then(|| Wait {
            begin,
            end,
            contradicts: came > left,
            whom: BTreeSet::from([(need.kind, need.other.0)]),
        })
    }
}
