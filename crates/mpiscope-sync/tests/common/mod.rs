//! Random traces that know their own logical messages.
//!
//! A program is executed one action at a time, so nothing ever waits for
//! something later: the trace is free of cycles, however wrong its clocks.
//! The executor writes down each logical message as it makes it; nothing of
//! the matching is used.

pub mod oracle;

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{
    Bound, BoundKind, ClockDomain, Collective, CollectiveOp, CommId, Communicator, EventRef,
    Location, LocationIndex, Matching, PointToPoint, Process, Rank, RequestId, SystemTreeNode,
    Timestamp, Trace,
};
use proptest::prelude::*;

/// One step of a random program; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Action {
    Internal {
        at: usize,
    },
    Send {
        from: usize,
        to: usize,
        tag: u32,
    },
    /// Posts a receive; if `now`, it completes at once, as a blocking one.
    Receive {
        at: usize,
        from: usize,
        tag: u32,
        now: bool,
    },
    /// Completes the `which`-th outstanding receive that has its message.
    Complete {
        which: usize,
    },
    Collective {
        op: usize,
        comm: usize,
        root: usize,
        empty: usize,
    },
    /// Has the last event at `to`, whatever it is, wait for one at `from`:
    /// the `back`-th from the end of those that happened before it.
    Bound {
        from: usize,
        to: usize,
        back: usize,
    },
}

/// Ten distances in time in one number (they shrink together).
#[derive(Clone, Copy, Debug)]
pub struct Steps(u64);

impl Steps {
    /// A quarter are none, a quarter short, the others up to 50 ticks.
    fn nth(self, n: u32) -> i64 {
        match (self.0 >> (6 * (n % 10))) & 63 {
            0..16 => 0,
            short @ 16..32 => (short - 16) as i64 / 5,
            long => (long - 32) as i64 * 50 / 31,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Program {
    pub locations: usize,
    /// Clock of each location.
    pub clocks: Vec<usize>,
    /// Host of each location, if known; the last two share a rack.
    pub hosts: Vec<Option<usize>>,
    /// First time of each location.
    pub begin: Vec<i64>,
    /// What to do, and how much time passes between its events.
    pub actions: Vec<(Action, Steps)>,
}

const OPS: &[CollectiveOp] = &[
    CollectiveOp::Barrier,
    CollectiveOp::Bcast,
    CollectiveOp::Reduce,
    CollectiveOp::Allreduce,
    CollectiveOp::Alltoall,
    CollectiveOp::Scan,
    CollectiveOp::Exscan,
    CollectiveOp::Gatherv,
    CollectiveOp::Scatter,
];

pub fn program() -> impl Strategy<Value = Program> {
    let action = prop_oneof![
        2 => (0..5usize).prop_map(|at| Action::Internal { at }),
        4 => (0..5usize, 0..5usize, 0..2u32)
            .prop_map(|(from, to, tag)| Action::Send { from, to, tag }),
        4 => (0..5usize, 0..5usize, 0..2u32, any::<bool>())
            .prop_map(|(at, from, tag, now)| Action::Receive { at, from, tag, now }),
        3 => (0..9usize).prop_map(|which| Action::Complete { which }),
        1 => (0..OPS.len(), 0..3usize, 0..5usize, 0..9usize)
            .prop_map(|(op, comm, root, empty)| Action::Collective { op, comm, root, empty }),
        2 => (0..5usize, 0..5usize, 0..3usize)
            .prop_map(|(from, to, back)| Action::Bound { from, to, back }),
    ];
    let steps = any::<u64>().prop_map(Steps);
    (
        2..6usize,
        prop::collection::vec(0..3usize, 5),
        prop::collection::vec(prop::option::weighted(0.9, 0..HOSTS), 5),
        prop::collection::vec(-40..40i64, 5),
        prop::collection::vec((action, steps), 0..40),
    )
        .prop_map(|(locations, clocks, hosts, begin, actions)| Program {
            locations,
            clocks,
            hosts,
            begin,
            actions,
        })
}

/// A trace with what is true of it.
#[derive(Clone, Debug)]
pub struct Known {
    pub trace: Trace,
    /// Logical messages between locations: sender's and receiver's event.
    pub edges: Vec<(EventRef, EventRef)>,
    /// How many of them, at the begin, are point-to-point messages.
    pub point_to_point: usize,
    /// How many of them, at the begin, the checker knows: all but bounds.
    pub matched: usize,
    /// What is neither message nor collective; it is among the edges, too.
    pub bounds: Vec<Bound>,
    /// Events that take part in logical messages by their role, even if the
    /// other side happens to be empty.
    pub sync: BTreeSet<EventRef>,
}

type Channel = (usize, usize, u32);

impl Known {
    /// Who waits for whom, with the bounds.
    pub fn matching(&self) -> Matching {
        Matching {
            bounds: self.bounds.clone(),
            ..self.trace.matching()
        }
    }
}

struct Executor {
    trace: Trace,
    /// How many events there were when each was made.
    made: Vec<Vec<usize>>,
    now: Vec<i64>,
    steps: Steps,
    step: u32,
    sends: BTreeMap<Channel, Vec<EventRef>>,
    posts: BTreeMap<Channel, usize>,
    /// Outstanding receives: channel, place in it, request.
    outstanding: Vec<(Channel, usize, RequestId)>,
    requests: u64,
    messages: Vec<(EventRef, EventRef)>,
    implied: Vec<(EventRef, EventRef)>,
    bounds: Vec<Bound>,
    sync: BTreeSet<EventRef>,
}

impl Program {
    pub fn execute(&self) -> Known {
        let n = self.locations;
        let mut executor = Executor {
            trace: empty_trace(n, &self.clocks[..n], &self.hosts),
            made: vec![Vec::new(); n],
            now: self.begin.clone(),
            steps: Steps(0),
            step: 0,
            sends: BTreeMap::new(),
            posts: BTreeMap::new(),
            outstanding: Vec::new(),
            requests: 0,
            messages: Vec::new(),
            implied: Vec::new(),
            bounds: Vec::new(),
            sync: BTreeSet::new(),
        };
        for (action, steps) in &self.actions {
            executor.steps = *steps;
            executor.step = 0;
            executor.act(action);
        }
        executor.finish();
        let between = |edges: Vec<(EventRef, EventRef)>| {
            edges
                .into_iter()
                .filter(|(s, r)| s.location != r.location)
                .collect::<Vec<_>>()
        };
        let mut edges = between(executor.messages);
        let point_to_point = edges.len();
        edges.extend(between(executor.implied));
        let matched = edges.len();
        let pair = |bound: &Bound| (bound.send, bound.receive);
        edges.extend(between(executor.bounds.iter().map(pair).collect()));
        for &(send, receive) in &edges {
            executor.sync.extend([send, receive]);
        }
        Known {
            trace: executor.trace,
            edges,
            point_to_point,
            matched,
            bounds: executor.bounds,
            sync: executor.sync,
        }
    }
}

/// Hosts that programs may run on.
pub const HOSTS: usize = 3;

pub fn host_name(host: usize) -> String {
    format!("h{host}")
}

/// A machine with a rack of all hosts but the first.
fn system_tree() -> Vec<SystemTreeNode> {
    let node = |name: String, class: &str, parent| SystemTreeNode {
        name,
        class: class.into(),
        parent,
    };
    let host = |host| node(host_name(host), "node", Some(u32::from(host > 0)));
    let machine = node("machine".into(), "machine", None);
    let rack = node("rack".into(), "rack", Some(0));
    [machine, rack]
        .into_iter()
        .chain((0..HOSTS).map(host))
        .collect()
}

fn empty_trace(locations: usize, clocks: &[usize], hosts: &[Option<usize>]) -> Trace {
    let mut trace = Trace::default();
    trace.definitions.system_tree = system_tree();
    trace.definitions.processes = (0..)
        .zip(hosts)
        .map(|(rank, host)| Process {
            rank: Rank(rank),
            node: host.map(|host| host as u32 + 2),
            ..Process::default()
        })
        .collect();
    let ranks: Vec<Rank> = (0..locations as u32).map(Rank).collect();
    // The world, its reverse, and a part of it.
    let groups = [
        ranks.clone(),
        ranks.iter().rev().copied().collect(),
        ranks[..2].to_vec(),
    ];
    trace.definitions.communicators = groups
        .into_iter()
        .map(|members| Communicator {
            members,
            ..Communicator::default()
        })
        .collect();
    for rank in ranks {
        trace.locations.push(Location {
            id: rank.0.into(),
            rank,
            ..Location::default()
        });
    }
    for clock in 0..3 {
        let of_clock = (0..locations).filter(|l| clocks[*l] == clock);
        trace.clocks.push(ClockDomain {
            locations: of_clock.map(|l| LocationIndex(l as u32)).collect(),
            measurements: Vec::new(),
        });
    }
    trace
}

impl Executor {
    /// The time and name of the next event of a location.
    fn next(&mut self, location: usize) -> (Timestamp, EventRef) {
        self.now[location] += self.steps.nth(self.step);
        self.step += 1;
        let index = self.trace.locations[location].events.len();
        let event = EventRef::new(LocationIndex(location as u32), index);
        let made = self.made.iter().map(Vec::len).sum();
        self.made[location].push(made);
        (Timestamp(self.now[location]), event)
    }

    fn act(&mut self, action: &Action) {
        let n = self.trace.locations.len();
        match *action {
            Action::Internal { at } => {
                let (time, _) = self.next(at % n);
                self.trace.locations[at % n].events.push_other(time, 0);
            }
            Action::Send { from, to, tag } => {
                let (from, to) = (from % n, to % n);
                let (time, event) = self.next(from);
                let message = PointToPoint::new(to as u32, CommId(0), tag, 8);
                self.trace.locations[from].events.push_send(time, message);
                self.sends.entry((from, to, tag)).or_default().push(event);
            }
            Action::Receive { at, from, tag, now } => {
                let channel = (from % n, at % n, tag);
                let place = *self.posts.get(&channel).unwrap_or(&0);
                let sent = self.sends.get(&channel).map_or(0, Vec::len);
                if now && place < sent {
                    self.posts.insert(channel, place + 1);
                    self.receive(channel, place, None);
                } else if !now {
                    self.posts.insert(channel, place + 1);
                    self.requests += 1;
                    let request = RequestId(self.requests);
                    let (time, _) = self.next(at % n);
                    self.trace.locations[at % n]
                        .events
                        .push_irecv_request(time, request);
                    self.outstanding.push((channel, place, request));
                }
            }
            Action::Complete { which } => {
                let sent = |channel| self.sends.get(channel).map_or(0, Vec::len);
                let ready: Vec<usize> = (0..self.outstanding.len())
                    .filter(|&i| self.outstanding[i].1 < sent(&self.outstanding[i].0))
                    .collect();
                if !ready.is_empty() {
                    let (channel, place, request) =
                        self.outstanding.remove(ready[which % ready.len()]);
                    self.receive(channel, place, Some(request));
                }
            }
            Action::Collective {
                op,
                comm,
                root,
                empty,
            } => self.collective(OPS[op], comm, root, empty),
            Action::Bound { from, to, back } => self.bound(from % n, to % n, back),
        }
    }

    fn bound(&mut self, from: usize, to: usize, back: usize) {
        let Some(last) = self.made[to].last() else {
            return;
        };
        let before = self.made[from].partition_point(|made| made < last);
        if let Some(send) = before.checked_sub(back + 1) {
            self.bounds.push(Bound {
                send: EventRef::new(LocationIndex(from as u32), send),
                receive: EventRef::new(LocationIndex(to as u32), self.made[to].len() - 1),
                kind: BoundKind::Thread,
            });
        }
    }

    /// Sends what is still waited for and completes all receives: a post that
    /// never completes does not tell what it would have received.
    fn finish(&mut self) {
        for (channel, place, request) in std::mem::take(&mut self.outstanding) {
            let (from, to, tag) = channel;
            while self.sends.get(&channel).map_or(0, Vec::len) <= place {
                self.act(&Action::Send { from, to, tag });
            }
            self.receive(channel, place, Some(request));
        }
    }

    fn receive(&mut self, channel: Channel, place: usize, request: Option<RequestId>) {
        let (from, at, tag) = channel;
        let (time, event) = self.next(at);
        let message = PointToPoint {
            request,
            ..PointToPoint::new(from as u32, CommId(0), tag, 8)
        };
        let events = &mut self.trace.locations[at].events;
        match request {
            Some(_) => events.push_irecv(time, message),
            None => events.push_recv(time, message),
        }
        self.messages.push((self.sends[&channel][place], event));
    }

    /// `empty` names a member that sends nothing and one that receives nothing.
    fn collective(&mut self, op: CollectiveOp, comm: usize, root: usize, empty: usize) {
        let members = self.trace.definitions.communicators[comm].members.clone();
        let size = members.len();
        let root = root % size;
        let sent = |rank: usize| u64::from(op != CollectiveOp::Barrier && rank != empty);
        let received = |rank: usize| u64::from(op != CollectiveOp::Barrier && rank + 4 != empty);
        let enters: Vec<EventRef> = (members.iter())
            .map(|world| {
                let (time, event) = self.next(world.0 as usize);
                self.trace.locations[world.0 as usize]
                    .events
                    .push_collective_begin(time);
                event
            })
            .collect();
        let mut exits = Vec::new();
        for (rank, world) in members.iter().enumerate() {
            let (time, event) = self.next(world.0 as usize);
            exits.push(event);
            let collective = Collective {
                op,
                comm: CommId(comm as u32),
                root: Some(root as u32),
                sent: sent(rank),
                received: received(rank),
            };
            let events = &mut self.trace.locations[world.0 as usize].events;
            events.push_collective_end(time, collective);
        }
        use CollectiveOp::*;
        let bytes = op != Barrier;
        let sends = |rank: usize| match op {
            Bcast | Scatter => rank == root && sent(rank) > 0,
            _ => !bytes || sent(rank) > 0,
        };
        let receives = |rank: usize| match op {
            Reduce | Gatherv => rank == root && received(rank) > 0,
            _ => !bytes || received(rank) > 0,
        };
        self.sync
            .extend((0..size).filter(|&r| sends(r)).map(|r| enters[r]));
        self.sync
            .extend((0..size).filter(|&r| receives(r)).map(|r| exits[r]));
        for sender in (0..size).filter(|&rank| sends(rank)) {
            for receiver in (0..size).filter(|&rank| receives(rank)) {
                if matches!(op, Scan | Exscan) && sender >= receiver {
                    continue;
                }
                self.implied.push((enters[sender], exits[receiver]));
            }
        }
    }
}
