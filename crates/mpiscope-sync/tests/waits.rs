//! Waits of all kinds, on random traces that know their own: those the
//! correction uses, those the checker looks at, and the true ones are the same.
//!
//! Two processes of two threads and two of one, all clocks wrong. Each step of
//! a program is a whole operation; its events are written in an order in which
//! they can have happened, and the waits are written down as they are made.

mod pairs;

use std::collections::BTreeSet;

use mpiscope_model::events::{LockTurn, TaskNumber, ThreadNumber, WinCollective, WinLock};
use mpiscope_model::{
    Collective, CollectiveOp, CommId, Communicator, Duration, Event, EventRef, GroupId, Location,
    LocationIndex, Note, OneSidedEvent, Paradigm, PointToPoint, Rank, Region, RegionId, RegionRole,
    RequestId, TeamId, ThreadEvent, Timestamp, Trace, WinId, Window,
};
use mpiscope_sync::{check, correct, Config, LatencyOverride, LatencyTable};
use pairs::logical_pairs;
use proptest::prelude::*;

const PROCESSES: usize = 4;
/// Location and process of each; threads follow each other.
const PROCESS_OF: [usize; 6] = [0, 0, 1, 1, 2, 3];
const MASTER: [usize; PROCESSES] = [0, 2, 4, 5];

const REGIONS: &[&str] = &[
    "MPI_Ssend",
    "MPI_Issend",
    "MPI_Recv",
    "MPI_Win_post",
    "MPI_Win_start",
    "MPI_Win_complete",
    "MPI_Win_wait",
    "MPI_Win_unlock",
    "MPI_Comm_dup",
    "MPI_Finalize",
    "omp_barrier",
    "omp_taskwait",
    "work",
];

/// One operation; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Action {
    Internal(usize),
    Ssend {
        from: usize,
        to: usize,
        nonblocking: bool,
    },
    Initiate(usize),
    Complete(usize),
    Barrier,
    Neighbors {
        empty: usize,
    },
    Dense {
        dense: u8,
    },
    CreateComm,
    Fence {
        synchronizes: bool,
    },
    Epoch {
        origin: usize,
        targets: u8,
    },
    WinLock {
        process: usize,
        shared: bool,
    },
    Notify {
        from: usize,
        to: usize,
    },
    NotifyIn {
        at: usize,
    },
    Team {
        process: usize,
        barriers: usize,
    },
    Thread {
        process: usize,
    },
    Lock {
        location: usize,
        lock: u32,
    },
    Task {
        process: usize,
        wait: bool,
    },
    Signal {
        from: u8,
        to: u8,
    },
}

fn action() -> impl Strategy<Value = Action> {
    use Action::*;
    let at = 0..6usize;
    prop_oneof![
        at.clone().prop_map(Internal),
        (0..4usize, 0..4usize, any::<bool>()).prop_map(|(from, to, nonblocking)| Ssend {
            from,
            to,
            nonblocking
        }),
        (0..4usize).prop_map(Initiate),
        (0..4usize).prop_map(Complete),
        Just(Barrier),
        (0..6usize).prop_map(|empty| Neighbors { empty }),
        (0..16u8).prop_map(|dense| Dense { dense }),
        Just(CreateComm),
        any::<bool>().prop_map(|synchronizes| Fence { synchronizes }),
        (0..4usize, 0..16u8).prop_map(|(origin, targets)| Epoch { origin, targets }),
        (0..4usize, any::<bool>()).prop_map(|(process, shared)| WinLock { process, shared }),
        (0..4usize, 0..4usize).prop_map(|(from, to)| Notify { from, to }),
        (0..4usize).prop_map(|at| NotifyIn { at }),
        (0..2usize, 0..3usize).prop_map(|(process, barriers)| Team { process, barriers }),
        (0..2usize).prop_map(|process| Thread { process }),
        (at, 0..2u32).prop_map(|(location, lock)| Lock { location, lock }),
        (0..2usize, any::<bool>()).prop_map(|(process, wait)| Task { process, wait }),
        (0..64u8, 0..64u8).prop_map(|(from, to)| Signal { from, to }),
    ]
}

#[derive(Default)]
struct Executor {
    trace: Trace,
    now: [i64; PROCESSES],
    steps: Vec<u8>,
    step: usize,
    edges: BTreeSet<(EventRef, EventRef)>,
    numbers: u64,
    /// Nonblocking operations each process initiated, and those it completed.
    initiated: [Vec<EventRef>; PROCESSES],
    completed: [usize; PROCESSES],

    holders: Vec<(EventRef, bool)>,
    turns: u64,
    notified: Vec<(usize, usize, EventRef)>,
    locks: [[(u32, Option<EventRef>); 2]; PROCESSES],
    tasks: u32,
    unwaited: [Vec<EventRef>; PROCESSES],
}

impl Executor {
    fn new(steps: Vec<u8>, begin: [i64; PROCESSES]) -> Executor {
        let mut trace = Trace::default();
        let ranks: Vec<Rank> = (0..PROCESSES as u32).map(Rank).collect();
        trace.definitions.communicators.push(Communicator {
            members: ranks.clone(),
            // A ring, and one edge more.
            destinations: Some(vec![vec![1], vec![2, 0], vec![3], vec![0]]),
            ..Communicator::default()
        });
        trace.definitions.windows.push(Window::default());
        trace.definitions.teams = vec!["team 0".into(), "team 1".into()];
        for name in REGIONS {
            let (role, paradigm) = match *name {
                "omp_barrier" => (RegionRole::Barrier, Paradigm::OpenMp),
                "omp_taskwait" => (RegionRole::TaskWait, Paradigm::OpenMp),
                _ => (RegionRole::Unknown, Paradigm::Mpi),
            };
            trace.definitions.regions.push(Region {
                name: (*name).into(),
                role,
                paradigm,
                ..Region::default()
            });
        }
        for (number, process) in PROCESS_OF.into_iter().enumerate() {
            let thread = number - MASTER[process];
            trace.locations.push(Location {
                rank: Rank(process as u32),
                thread: thread as u32,
                ..Location::default()
            });
        }
        Executor {
            trace,
            now: begin,
            steps,
            ..Executor::default()
        }
    }

    /// Writes the next event of a location.
    fn push(&mut self, location: usize, event: Event) -> EventRef {
        let step = self.steps.get(self.step % self.steps.len().max(1));
        self.step += 1;
        let process = PROCESS_OF[location];
        self.now[process] += i64::from(step.copied().unwrap_or(0) % 32);
        let events = &mut self.trace.locations[location].events;
        events.push(Timestamp(self.now[process]), event);
        EventRef::new(LocationIndex(location as u32), events.len() - 1)
    }

    fn enter(&mut self, location: usize, name: &str) -> EventRef {
        self.push(location, Event::Enter(region(name)))
    }

    fn leave(&mut self, location: usize, name: &str) -> EventRef {
        self.push(location, Event::Leave(region(name)))
    }

    fn note(&mut self, event: EventRef, note: Note) {
        let location = &mut self.trace.locations[event.location.index()];
        location.events.note(event.index as usize, note);
    }

    fn edge(&mut self, send: EventRef, receive: EventRef) {
        if send.location != receive.location {
            self.edges.insert((send, receive));
        }
    }

    fn all_to_all(&mut self, enters: &[EventRef], exits: &[EventRef]) {
        for &enter in enters {
            for &exit in exits {
                self.edge(enter, exit);
            }
        }
    }

    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn act(&mut self, action: &Action) {
        match *action {
            Action::Internal(at) => {
                self.push(at, Event::Other(0));
            }
            Action::Ssend {
                from,
                to,
                nonblocking,
            } => self.ssend(MASTER[from], MASTER[to], nonblocking),
            Action::Initiate(process) => self.initiate(process),
            Action::Complete(process) => self.complete(process),
            Action::Barrier => self.barrier(),
            Action::Neighbors { empty } => self.neighbors(empty),
            Action::Dense { dense } => self.dense(dense),
            Action::CreateComm => self.create(),
            Action::Fence { synchronizes } => self.fence(synchronizes),
            Action::Epoch { origin, targets } => self.epoch(origin, targets),
            Action::WinLock { process, shared } => self.win_lock(process, shared),
            Action::Notify { from, to } => self.notify(from, to),
            Action::NotifyIn { at } => self.notify_in(at),
            Action::Team { process, barriers } => self.team(process, barriers),
            Action::Thread { process } => self.thread(process),
            Action::Lock { location, lock } => self.lock(location, lock),
            Action::Task { process, wait } => self.task(process, wait),
            Action::Signal { from, to } => self.signal(from, to),
        }
    }

    fn ssend(&mut self, from: usize, to: usize, nonblocking: bool) {
        if from == to {
            return;
        }
        let rank = |location: usize| PROCESS_OF[location] as u32;
        let message = PointToPoint::new(rank(to), CommId(0), 0, 8);
        let request = RequestId(self.number());
        let call = if nonblocking {
            "MPI_Issend"
        } else {
            "MPI_Ssend"
        };
        self.enter(from, call);
        let sent = match nonblocking {
            true => self.push(from, Event::MpiIsend(&message.with_request(request))),
            false => self.push(from, Event::MpiSend(&message)),
        };
        if nonblocking {
            self.leave(from, call);
        }
        let post = self.enter(to, "MPI_Recv");
        let ended = match nonblocking {
            true => self.push(from, Event::MpiIsendComplete(request)),
            false => self.leave(from, call),
        };
        let received = PointToPoint::new(rank(from), CommId(0), 0, 8);
        let received = self.push(to, Event::MpiRecv(&received));
        self.leave(to, "MPI_Recv");
        self.edge(sent, received);
        self.edge(post, ended);
    }

    /// Initiates the process's next nonblocking barrier or allreduce.
    fn initiate(&mut self, process: usize) {
        let request = RequestId(1000 + self.initiated[process].len() as u64);
        let event = Event::NonBlockingCollectiveRequest(request);
        let event = self.push(MASTER[process], event);
        self.initiated[process].push(event);
    }

    /// Completes the process's next one, if all have initiated it.
    fn complete(&mut self, process: usize) {
        let next = self.completed[process];
        if self.initiated.iter().any(|own| own.len() <= next) {
            return;
        }
        self.completed[process] += 1;
        let op = [CollectiveOp::Barrier, CollectiveOp::Allreduce][next % 2];
        let event = collective(op, 1, 1);
        let request = RequestId(1000 + next as u64);
        let event = Event::NonBlockingCollectiveComplete(request, &event);
        let exit = self.push(MASTER[process], event);
        for other in 0..PROCESSES {
            self.edge(self.initiated[other][next], exit);
        }
    }

    fn collective(&mut self, each: impl Fn(usize) -> Collective) -> (Vec<EventRef>, Vec<EventRef>) {
        // All have initiated as many before: then the order is the same.
        for process in 0..PROCESSES {
            while self.initiated[process].len() < self.most_initiated() {
                self.initiate(process);
            }
        }

        let enters = MASTER.map(|at| self.push(at, Event::MpiCollectiveBegin));
        let exits = [0, 1, 2, 3]
            .map(|process| self.push(MASTER[process], Event::MpiCollectiveEnd(&each(process))));
        (enters.to_vec(), exits.to_vec())
    }

    fn most_initiated(&self) -> usize {
        self.initiated.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn barrier(&mut self) {
        let (enters, exits) = self.collective(|_| collective(CollectiveOp::Barrier, 0, 0));
        self.all_to_all(&enters, &exits);
    }

    /// A process may send nothing, another receive nothing.
    fn neighbors(&mut self, empty: usize) {
        let bytes = |process: usize| {
            let op = CollectiveOp::NeighborAlltoall;
            collective(
                op,
                u64::from(process != empty),
                u64::from(process + 2 != empty),
            )
        };
        let (enters, exits) = self.collective(bytes);
        for (from, to) in [(0, 1), (1, 2), (1, 0), (2, 3), (3, 0)] {
            if bytes(from).sent > 0 && bytes(to).received > 0 {
                self.edge(enters[from], exits[to]);
            }
        }
    }

    fn dense(&mut self, dense: u8) {
        let (enters, exits) = self.collective(|_| collective(CollectiveOp::Alltoallv, 1, 1));
        for process in chosen(dense, PROCESSES) {
            self.note(exits[process], Note::Dense);
            self.all_to_all(&enters[process..=process], &exits);
        }
    }

    fn create(&mut self) {
        let enters = MASTER.map(|at| self.enter(at, "MPI_Comm_dup"));
        let exits = MASTER.map(|at| self.leave(at, "MPI_Comm_dup"));
        for exit in exits {
            self.note(exit, Note::Created(CommId(0)));
        }
        self.all_to_all(&enters, &exits);
    }

    fn fence(&mut self, synchronizes: bool) {
        let begin = Event::OneSided(OneSidedEvent::CollectiveBegin);
        let end = Event::OneSided(OneSidedEvent::CollectiveEnd(WinCollective {
            op: CollectiveOp::Barrier,
            win: WinId(0),
            root: None,
            synchronizes,
            sent: 0,
            received: 0,
        }));
        let enters = MASTER.map(|at| self.push(at, begin));
        let exits = MASTER.map(|at| self.push(at, end));
        if synchronizes {
            self.all_to_all(&enters, &exits);
        }
    }

    fn group_sync(&mut self, at: usize, call: &str, others: &[usize]) -> (EventRef, EventRef) {
        let group: Vec<Rank> = others.iter().map(|&other| Rank(other as u32)).collect();
        self.trace.definitions.groups.push(group);
        let group = GroupId(self.trace.definitions.groups.len() as u32 - 1);
        let enter = self.enter(at, call);
        self.push(
            at,
            Event::OneSided(OneSidedEvent::GroupSync(WinId(0), group)),
        );
        (enter, self.leave(at, call))
    }

    fn epoch(&mut self, origin: usize, targets: u8) {
        let targets: Vec<usize> = chosen(targets, PROCESSES)
            .filter(|&t| t != origin)
            .collect();
        self.group_sync(MASTER[origin], "MPI_Win_start", &targets);
        let posts: Vec<EventRef> = (targets.iter())
            .map(|&target| self.group_sync(MASTER[target], "MPI_Win_post", &[origin]).0)
            .collect();
        let (complete, completed) = self.group_sync(MASTER[origin], "MPI_Win_complete", &targets);
        for (&target, post) in targets.iter().zip(posts) {
            let (_, waited) = self.group_sync(MASTER[target], "MPI_Win_wait", &[origin]);
            self.edge(post, completed);
            self.edge(complete, waited);
        }
    }

    fn win_lock(&mut self, process: usize, shared: bool) {
        let at = MASTER[process];
        let lock = WinLock {
            win: WinId(0),
            remote: 2,
            id: 7,
            shared,
        };
        let acquired = self.push(at, Event::OneSided(OneSidedEvent::AcquireLock(lock)));
        let events = &mut self.trace.locations[at].events;
        events.set_sequence(acquired.index as usize, self.turns);
        self.turns += 1;
        let enter = self.enter(at, "MPI_Win_unlock");
        self.push(at, Event::OneSided(OneSidedEvent::ReleaseLock(lock)));
        let leave = self.leave(at, "MPI_Win_unlock");
        let last = self.holders.iter().rposition(|(_, shared)| !shared);
        let since = last.map_or(0, |last| last + 1);
        let sharing = self.holders[since..].to_vec();
        match (shared || sharing.is_empty(), last) {
            (true, Some(last)) => self.edge(self.holders[last].0, leave),
            (true, None) => {}
            (false, _) => sharing.iter().for_each(|(held, _)| self.edge(*held, leave)),
        }
        self.holders.push((enter, shared));
    }

    fn notify(&mut self, from: usize, to: usize) {
        let event = Event::OneSided(OneSidedEvent::NotifyOut(WinId(0), to as u32));
        let sent = self.push(MASTER[from], event);
        self.notified.push((from, to, sent));
    }

    fn notify_in(&mut self, at: usize) {
        let waiting = self.notified.iter().position(|(_, to, _)| *to == at);
        if let Some(waiting) = waiting {
            let (from, _, sent) = self.notified.remove(waiting);
            let event = Event::OneSided(OneSidedEvent::NotifyIn(WinId(0), from as u32));
            let received = self.push(MASTER[at], event);
            self.edge(sent, received);
        }
    }

    fn team(&mut self, process: usize, barriers: usize) {
        let threads = [MASTER[process], MASTER[process] + 1];
        let team = TeamId(process as u32);
        let fork = self.push(threads[0], Event::Thread(ThreadEvent::Fork(2)));
        let begins = threads.map(|at| self.push(at, Event::Thread(ThreadEvent::TeamBegin(team))));
        for _ in 0..barriers {
            let enters = threads.map(|at| self.enter(at, "omp_barrier"));
            let exits = threads.map(|at| self.leave(at, "omp_barrier"));
            self.all_to_all(&enters, &exits);
        }
        let ends = threads.map(|at| self.push(at, Event::Thread(ThreadEvent::TeamEnd(team))));
        let join = self.push(threads[0], Event::Thread(ThreadEvent::Join));
        self.edge(fork, begins[1]);
        self.edge(ends[1], join);
    }

    fn thread(&mut self, process: usize) {
        let (creator, created) = (MASTER[process], MASTER[process] + 1);
        let thread = ThreadNumber {
            contingent: TeamId(process as u32),
            number: self.number(),
        };
        let create = self.push(creator, Event::Thread(ThreadEvent::Create(thread)));
        let begin = self.push(created, Event::Thread(ThreadEvent::Begin(thread)));
        let end = self.push(created, Event::Thread(ThreadEvent::End(thread)));
        let wait = self.push(creator, Event::Thread(ThreadEvent::Wait(thread)));
        self.edge(create, begin);
        self.edge(end, wait);
    }

    fn lock(&mut self, location: usize, lock: u32) {
        let (order, before) = self.locks[PROCESS_OF[location]][lock as usize];
        let turn = LockTurn {
            model: Paradigm::Pthread,
            lock,
            order,
        };
        let acquired = self.push(location, Event::Thread(ThreadEvent::AcquireLock(turn)));
        let released = self.push(location, Event::Thread(ThreadEvent::ReleaseLock(turn)));
        if let Some(before) = before {
            self.edge(before, acquired);
        }
        self.locks[PROCESS_OF[location]][lock as usize] = (order + 1, Some(released));
    }

    fn task(&mut self, process: usize, wait: bool) {
        let (creator, worker) = (MASTER[process], MASTER[process] + 1);
        self.tasks += 1;
        let task = TaskNumber {
            team: TeamId(process as u32),
            creator: 0,
            generation: self.tasks,
        };
        let create = self.push(creator, Event::Thread(ThreadEvent::TaskCreate(task)));
        let begin = self.push(worker, Event::Thread(ThreadEvent::TaskSwitch(task)));
        let complete = self.push(worker, Event::Thread(ThreadEvent::TaskComplete(task)));
        self.edge(create, begin);
        self.unwaited[process].push(complete);
        if wait {
            self.enter(creator, "omp_taskwait");
            let exit = self.leave(creator, "omp_taskwait");
            for complete in std::mem::take(&mut self.unwaited[process]) {
                self.edge(complete, exit);
            }
        }
    }

    fn signal(&mut self, from: u8, to: u8) {
        let number = self.number();
        let [sent, received] =
            [(from, Note::Signal(number)), (to, Note::Await(number))].map(|(who, note)| {
                let events: Vec<EventRef> = chosen(who, PROCESS_OF.len())
                    .map(|at| self.push(at, Event::Other(0)))
                    .collect();
                events.iter().for_each(|event| self.note(*event, note));
                events
            });
        self.all_to_all(&sent, &received);
    }

    /// Completes what is initiated, and finalizes.
    fn finish(&mut self) {
        for process in 0..PROCESSES {
            while self.initiated[process].len() < self.most_initiated() {
                self.initiate(process);
            }
        }
        for process in 0..PROCESSES {
            while self.completed[process] < self.initiated[process].len() {
                self.complete(process);
            }
        }
        let enters = MASTER.map(|at| self.enter(at, "MPI_Finalize"));
        let exits = MASTER.map(|at| self.leave(at, "MPI_Finalize"));
        self.all_to_all(&enters, &exits);
    }
}

fn region(name: &str) -> RegionId {
    RegionId(REGIONS.iter().position(|known| *known == name).unwrap() as u32)
}

fn collective(op: CollectiveOp, sent: u64, received: u64) -> Collective {
    Collective {
        op,
        comm: CommId(0),
        root: None,
        sent,
        received,
    }
}

fn chosen(bits: u8, of: usize) -> impl Iterator<Item = usize> {
    (0..of).filter(move |bit| bits >> bit & 1 == 1)
}

fn executed() -> impl Strategy<Value = Program> {
    (
        prop::collection::vec(action(), 0..25),
        prop::collection::vec(any::<u8>(), 1..60),
        prop::array::uniform4(-60..60i64),
    )
        .prop_map(|(actions, steps, begin)| Program(actions, steps, begin))
}

/// What makes a trace, kept for its picture in a failure.
#[derive(Clone, Debug)]
struct Program(Vec<Action>, Vec<u8>, [i64; PROCESSES]);

impl Program {
    fn execute(&self) -> (Trace, BTreeSet<(EventRef, EventRef)>) {
        let mut executor = Executor::new(self.1.clone(), self.2);
        for action in &self.0 {
            executor.act(action);
        }
        executor.finish();
        (executor.trace, executor.edges)
    }
}

fn latencies(trace: &Trace) -> LatencyTable {
    let config = Config {
        latency: LatencyOverride::by_clock(Duration(3), Duration(5)),
        ..Config::default()
    };
    correct(trace, &config).unwrap().latencies
}

proptest! {
    #[test]
    fn the_waits_that_were_made_are_found(program in executed()) {
        let (trace, edges) = program.execute();
        prop_assert_eq!(logical_pairs(&trace, &trace.matching()), edges);
    }

    #[test]
    fn the_checker_looks_at_the_waits_that_were_made(program in executed()) {
        let (trace, edges) = program.execute();
        let latencies = latencies(&trace);
        let found = check(&trace, &trace.times(), &latencies);
        let late = |(send, receive): &&(EventRef, EventRef)| {
            let latency = latencies.between(send.location, receive.location);
            trace.time(*receive) < trace.time(*send) + latency
        };
        let reversed = |(send, receive): &&(EventRef, EventRef)| {
            trace.time(*receive) < trace.time(*send)
        };
        prop_assert_eq!(found.logical, edges.len() as u64);
        prop_assert_eq!(found.clock_condition.count, edges.iter().filter(late).count() as u64);
        prop_assert_eq!(found.reversed.count, edges.iter().filter(reversed).count() as u64);
    }

    #[test]
    fn after_correction_nothing_is_too_early(program in executed()) {
        let (trace, edges) = program.execute();
        let correction = correct(&trace, &Config::default()).unwrap();
        let time = |event: EventRef| {
            correction.corrected[event.location.index()][event.index as usize]
        };
        for (send, receive) in edges {
            let latency = correction.latencies.between(send.location, receive.location);
            prop_assert!(time(receive) >= time(send) + latency);
        }
        prop_assert_eq!(correction.report.dropped_edges, []);
    }
}
