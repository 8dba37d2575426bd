//! Threads begin after they were forked or created, and are joined or waited
//! for after they ended.
//!
//! The k-th time that each of its threads begins in a team is the team's k-th
//! instance. A team that some threads entered more often than others is no
//! team of the same threads throughout, and nothing follows from it.

use rustc_hash::FxHashMap;

use super::processes::events_of;
use crate::definitions::{LocationIndex, TeamId};
use crate::events::{ThreadEvent, ThreadNumber};
use crate::messages::{BoundKind, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, locations: &[LocationIndex], matching: &mut Matching) {
    let teams = Teams::new(trace, locations);
    for &location in locations {
        for fork in forks(trace, location, &teams) {
            for member in teams.members(fork.instance) {
                let begin = member.begin;
                matching.bind(BoundKind::Thread, fork.fork, begin);
                if let (Some(end), Some(join)) = (member.end, fork.join) {
                    matching.bind(BoundKind::Thread, end, join);
                }
            }
        }
    }
    created(trace, locations, matching);
}

/// One time that a team worked: the team, and how often it had before.
pub(super) type Instance = (TeamId, u32);

/// One thread in an instance of a team.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub begin: EventRef,
    pub end: Option<EventRef>,
}

/// The teams of a process.
pub(super) struct Teams(FxHashMap<Instance, Vec<Member>>);

impl Teams {
    pub fn new(trace: &Trace, locations: &[LocationIndex]) -> Teams {
        let mut members: FxHashMap<Instance, Vec<Member>> = FxHashMap::default();
        let mut counts: FxHashMap<TeamId, Vec<(u32, bool)>> = FxHashMap::default();
        for &location in locations {
            let mut own = Turns::default();
            for &(index, event) in events_of(trace, location).threads() {
                let at = EventRef { location, index };
                match event {
                    ThreadEvent::TeamBegin(team) => {
                        let instance = own.begin(team);
                        members.entry(instance).or_default().push(Member {
                            begin: at,
                            end: None,
                        });
                    }
                    ThreadEvent::TeamEnd(team) => {
                        let ended = own.end(team).and_then(|i| members.get_mut(&i));
                        if let Some(member) = ended.and_then(|members| members.last_mut()) {
                            member.end = Some(at);
                        }
                    }
                    _ => {}
                }
            }
            let whole = trace.locations[location.index()].truncated.is_none();
            for (team, count) in own.counts {
                counts.entry(team).or_default().push((count, whole));
            }
        }
        let steady = |team: &TeamId| {
            let most = counts[team].iter().map(|(count, _)| *count).max();
            let mut counts = counts[team].iter();
            counts.all(|&(count, whole)| Some(count) == most || !whole)
        };
        members.retain(|(team, _), _| steady(team));
        Teams(members)
    }

    pub fn members(&self, instance: Instance) -> &[Member] {
        self.0.get(&instance).map_or(&[], |members| members)
    }
}

/// The instances that one thread is in.
#[derive(Default)]
pub(super) struct Turns {
    counts: FxHashMap<TeamId, u32>,
    open: Vec<Instance>,
}

impl Turns {
    pub fn begin(&mut self, team: TeamId) -> Instance {
        let count = self.counts.entry(team).or_default();
        let instance = (team, *count);
        *count += 1;
        self.open.push(instance);
        instance
    }

    pub fn end(&mut self, team: TeamId) -> Option<Instance> {
        let at = self.open.iter().rposition(|open| open.0 == team)?;
        let instance = self.open[at];
        self.open.truncate(at);
        Some(instance)
    }

    /// Returns the innermost instance.
    pub fn current(&self) -> Option<Instance> {
        self.open.last().copied()
    }
}

/// A fork with the instance that it made.
struct Fork {
    fork: EventRef,
    instance: Instance,
    join: Option<EventRef>,
}

/// Finds the forks of a thread: the team that it begins next is the one.
fn forks(trace: &Trace, location: LocationIndex, teams: &Teams) -> Vec<Fork> {
    let mut found: Vec<Fork> = Vec::new();
    // Forks that are not joined: their event, and their place in `found`.
    let mut open: Vec<(EventRef, Option<usize>)> = Vec::new();
    let mut turns = Turns::default();
    for &(index, event) in events_of(trace, location).threads() {
        let at = EventRef { location, index };
        match event {
            ThreadEvent::Fork(_) => open.push((at, None)),
            ThreadEvent::TeamBegin(team) => {
                let instance = turns.begin(team);
                if let Some((fork, place @ None)) = open.last_mut() {
                    *place = Some(found.len());
                    found.push(Fork {
                        fork: *fork,
                        instance,
                        join: None,
                    });
                }
            }
            ThreadEvent::TeamEnd(team) => {
                turns.end(team);
            }
            ThreadEvent::Join => {
                if let Some((_, Some(place))) = open.pop() {
                    found[place].join = Some(at);
                }
            }
            _ => {}
        }
    }
    found.retain(|fork| !teams.members(fork.instance).is_empty());
    found
}

/// Binds threads that were created one by one: the k-th creation of a number
/// to the k-th begin, and the k-th end to the k-th wait.
fn created(trace: &Trace, locations: &[LocationIndex], matching: &mut Matching) {
    let mut found: FxHashMap<ThreadNumber, [Vec<EventRef>; 4]> = FxHashMap::default();
    for &location in locations {
        for &(index, event) in events_of(trace, location).threads() {
            let (thread, step) = match event {
                ThreadEvent::Create(thread) => (thread, 0),
                ThreadEvent::Begin(thread) => (thread, 1),
                ThreadEvent::End(thread) => (thread, 2),
                ThreadEvent::Wait(thread) => (thread, 3),
                _ => continue,
            };
            found.entry(thread).or_default()[step].push(EventRef { location, index });
        }
    }
    for [creates, begins, ends, waits] in found.values() {
        for (create, begin) in creates.iter().zip(begins) {
            matching.bind(BoundKind::Thread, *create, *begin);
        }
        for (end, wait) in ends.iter().zip(waits) {
            matching.bind(BoundKind::Thread, *end, *wait);
        }
    }
}
