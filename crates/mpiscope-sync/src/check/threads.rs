//! Threads of a process: teams and their barriers, locks, tasks.

use std::collections::{BTreeMap, HashMap, HashSet};

use mpiscope_model::{
    CollectiveOp, Event, Paradigm, Rank, RegionRole, TaskNumber, TeamId, ThreadEvent, ThreadNumber,
    Trace,
};

use super::members::Member;
use super::view::{At, View};
use super::waits::Waits;

/// One time that a team of a process worked.
type Instance = (Rank, TeamId, usize);

/// What one thread did in an instance.
#[derive(Default)]
struct Part {
    begin: Option<At>,
    end: Option<At>,
    barriers: Vec<(At, Option<At>)>,
    /// The fork and join, of the thread that made the team.
    fork: Option<(At, Option<At>)>,
}

/// Instances with their threads, by location.
type Teams = BTreeMap<Instance, BTreeMap<u32, Part>>;

/// Adds the waits of threads for each other; returns the barriers of teams. All
/// of that is within one process, and so within a part.
pub(super) fn see(view: &View, waits: &mut Waits) -> Vec<Vec<Member>> {
    let threads = |at: u32| {
        !view.trace.locations[at as usize]
            .events
            .threads()
            .is_empty()
    };
    if !view.locations().any(threads) {
        return Vec::new();
    }
    waits.extend(created(view));
    waits.extend(locks(view));
    waits.extend(tasks(view));
    let (of_teams, barriers) = teams(view);
    waits.extend(of_teams);
    barriers
}

/// Waits for forks and joins, and the barriers of teams.
fn teams(view: &View) -> (Vec<(At, At)>, Vec<Vec<Member>>) {
    let mut teams = Teams::new();
    for number in view.locations() {
        thread(view, number, &mut teams);
    }
    let trace = view.trace;
    let unsteady = unsteady(trace, &teams);
    teams.retain(|(rank, team, _), _| !unsteady.contains(&(*rank, *team)));
    let mut waits = Vec::new();
    let mut all_barriers = Vec::new();
    for parts in teams.values() {
        for (fork, join) in parts.values().filter_map(|part| part.fork) {
            for part in parts.values() {
                waits.extend(part.begin.map(|begin| (fork, begin)));
                waits.extend(part.end.zip(join));
            }
        }
        all_barriers.extend(barriers(trace, parts));
    }
    (waits, all_barriers)
}

/// Walks through the events of one thread.
fn thread(view: &View, number: u32, teams: &mut Teams) {
    let trace = view.trace;
    let location = &trace.locations[number as usize];
    let mut worked: HashMap<TeamId, usize> = HashMap::new();
    let mut open: Vec<Instance> = Vec::new();
    let mut forks: Vec<(At, Option<Instance>)> = Vec::new();
    let mut barrier: Option<Option<Instance>> = None;
    for (index, (_, event)) in location.events.iter().enumerate() {
        let at = view.at(number, index);
        match event {
            Event::Enter(region) if barrier.is_none() && is_barrier(trace, region.index()) => {
                barrier = Some(open.last().copied());
                if let Some(instance) = open.last() {
                    of(teams, *instance, number).barriers.push((at, None));
                }
            }
            Event::Leave(region) if is_barrier(trace, region.index()) => {
                if let Some(Some(instance)) = barrier.take() {
                    if let Some(last) = of(teams, instance, number).barriers.last_mut() {
                        last.1 = Some(at);
                    }
                }
            }
            Event::Thread(ThreadEvent::Fork(_)) => forks.push((at, None)),
            Event::Thread(ThreadEvent::Join) => {
                if let Some((fork, Some(instance))) = forks.pop() {
                    of(teams, instance, number).fork = Some((fork, Some(at)));
                }
            }
            Event::Thread(ThreadEvent::TeamBegin(team)) => {
                let turn = worked.entry(team).or_default();
                let instance = (location.rank, team, *turn);
                *turn += 1;
                open.push(instance);
                of(teams, instance, number).begin = Some(at);
                if let Some((fork, made @ None)) = forks.last_mut() {
                    *made = Some(instance);
                    of(teams, instance, number).fork = Some((*fork, None));
                }
            }
            Event::Thread(ThreadEvent::TeamEnd(team)) => {
                if let Some(last) = open.iter().rposition(|open| open.1 == team) {
                    of(teams, open[last], number).end = Some(at);
                    open.truncate(last);
                }
            }
            _ => {}
        }
    }
}

fn of(teams: &mut Teams, instance: Instance, location: u32) -> &mut Part {
    teams
        .entry(instance)
        .or_default()
        .entry(location)
        .or_default()
}

fn is_barrier(trace: &Trace, region: usize) -> bool {
    trace.definitions.regions.get(region).is_some_and(|region| {
        let role = region.role == RegionRole::Barrier || region.role == RegionRole::ImplicitBarrier;
        role && (region.paradigm == Paradigm::OpenMp || region.paradigm == Paradigm::Pthread)
    })
}

/// Teams in which some threads worked more often than others.
fn unsteady(trace: &Trace, teams: &Teams) -> HashSet<(Rank, TeamId)> {
    let mut counts: HashMap<(Rank, TeamId), HashMap<u32, usize>> = HashMap::new();
    for ((rank, team, _), parts) in teams {
        for location in parts.keys() {
            *counts
                .entry((*rank, *team))
                .or_default()
                .entry(*location)
                .or_default() += 1;
        }
    }
    let unsteady = |of_threads: &HashMap<u32, usize>| {
        let most = of_threads.values().max();
        let fewer = |(location, count): (&u32, &usize)| {
            Some(count) != most && trace.locations[*location as usize].truncated.is_none()
        };
        of_threads.iter().any(fewer)
    };
    counts
        .iter()
        .filter(|(_, of_threads)| unsteady(of_threads))
        .map(|(team, _)| *team)
        .collect()
}

/// The barriers of one instance, if all threads passed as many.
fn barriers(trace: &Trace, parts: &BTreeMap<u32, Part>) -> Vec<Vec<Member>> {
    let whole = parts
        .iter()
        .filter(|(location, _)| trace.locations[**location as usize].truncated.is_none());
    let counts: HashSet<usize> = whole.map(|(_, part)| part.barriers.len()).collect();
    if counts.len() > 1 {
        return Vec::new();
    }
    let most = parts
        .values()
        .map(|part| part.barriers.len())
        .max()
        .unwrap_or(0);
    let party = |turn: usize| {
        let passed = parts.values().enumerate().filter_map(|(rank, part)| {
            let (enter, leave) = part.barriers.get(turn)?;
            let op = CollectiveOp::ThreadBarrier;
            Some(Member::synchronizing(op, *enter, (*leave)?, rank as u32))
        });
        passed.collect()
    };
    (0..most).map(party).collect()
}

/// Waits for threads that were created one by one.
fn created(view: &View) -> Vec<(At, At)> {
    let mut steps: BTreeMap<(Rank, ThreadNumber), [Vec<At>; 4]> = BTreeMap::new();
    for number in view.locations() {
        let location = &view.trace.locations[number as usize];
        for (index, (_, event)) in location.events.iter().enumerate() {
            let (step, thread) = match event {
                Event::Thread(ThreadEvent::Create(thread)) => (0, thread),
                Event::Thread(ThreadEvent::Begin(thread)) => (1, thread),
                Event::Thread(ThreadEvent::End(thread)) => (2, thread),
                Event::Thread(ThreadEvent::Wait(thread)) => (3, thread),
                _ => continue,
            };
            steps.entry((location.rank, thread)).or_default()[step].push(view.at(number, index));
        }
    }
    let mut waits = Vec::new();
    for [creates, begins, ends, joins] in steps.into_values() {
        waits.extend(creates.into_iter().zip(begins));
        waits.extend(ends.into_iter().zip(joins));
    }
    waits
}

/// Waits for locks: an acquisition comes after the latest release before it.
fn locks(view: &View) -> Vec<(At, At)> {
    let mut releases: HashMap<(Rank, Lock), BTreeMap<u32, At>> = HashMap::new();
    let mut acquires = Vec::new();
    for number in view.locations() {
        let location = &view.trace.locations[number as usize];
        for (index, (_, event)) in location.events.iter().enumerate() {
            let at = view.at(number, index);
            match event {
                Event::Thread(ThreadEvent::ReleaseLock(turn)) => {
                    let lock = (location.rank, (turn.model, turn.lock));
                    releases.entry(lock).or_default().insert(turn.order, at);
                }
                Event::Thread(ThreadEvent::AcquireLock(turn)) => {
                    let lock = (location.rank, (turn.model, turn.lock));
                    acquires.push((lock, turn.order, at));
                }
                _ => {}
            }
        }
    }
    let waited = |(lock, order, at)| {
        let before = releases.get(&lock)?.range(..order).next_back()?;
        Some((*before.1, at))
    };
    acquires.into_iter().filter_map(waited).collect()
}

/// A lock: the programming model's, and its number.
type Lock = (Paradigm, u32);

/// Waits for tasks: each thread turns to one after it was created, and leaves
/// a taskwait after all are complete that the task at work has created on it.
fn tasks(view: &View) -> Vec<(At, At)> {
    let mut creates: HashMap<(Rank, TaskNumber), Vec<At>> = HashMap::new();
    let mut completes: HashMap<(Rank, TaskNumber), Vec<At>> = HashMap::new();
    let mut begins: BTreeMap<(Rank, TaskNumber, u32), At> = BTreeMap::new();
    let mut taskwaits: Vec<((Rank, TaskNumber), At)> = Vec::new();
    for number in view.locations() {
        let location = &view.trace.locations[number as usize];
        let rank = location.rank;
        let mut current = None;
        let mut unwaited: HashMap<Option<TaskNumber>, Vec<TaskNumber>> = HashMap::new();
        for (index, (_, event)) in location.events.iter().enumerate() {
            let at = view.at(number, index);
            match event {
                Event::Thread(ThreadEvent::TaskCreate(task)) => {
                    creates.entry((rank, task)).or_default().push(at);
                    unwaited.entry(current).or_default().push(task);
                }
                Event::Thread(ThreadEvent::TaskSwitch(task)) => {
                    current = (task.generation > 0).then_some(task);
                    if task.generation > 0 {
                        begins.entry((rank, task, number)).or_insert(at);
                    }
                }
                Event::Thread(ThreadEvent::TaskComplete(task)) => {
                    completes.entry((rank, task)).or_default().push(at);
                    current = current.filter(|current| *current != task);
                }
                Event::Leave(region) if is_taskwait(view.trace, region.index()) => {
                    let mine = unwaited.remove(&current).unwrap_or_default();
                    taskwaits.extend(mine.into_iter().map(|task| ((rank, task), at)));
                }
                _ => {}
            }
        }
    }
    let once = |events: Option<&Vec<At>>| match events.map(Vec::as_slice) {
        Some([only]) => Some(*only),
        _ => None,
    };
    let mut waits = Vec::new();
    for ((rank, task, _), begin) in begins {
        waits.extend(once(creates.get(&(rank, task))).map(|create| (create, begin)));
    }
    for (task, exit) in taskwaits {
        if once(creates.get(&task)).is_some() {
            waits.extend(once(completes.get(&task)).map(|complete| (complete, exit)));
        }
    }
    waits
}

fn is_taskwait(trace: &Trace, region: usize) -> bool {
    let region = trace.definitions.regions.get(region);
    region.is_some_and(|region| region.role == RegionRole::TaskWait)
}
