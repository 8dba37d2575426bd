//! Looks whether times obey the clock condition, by means of its own.
//!
//! Nothing here is shared with the correction, nor with the matching it uses,
//! but for the minimum latencies that both are given:
//! messages are paired by the plainest first-in-first-out queues, and
//! collective operations are looked at pair by pair. A mistake would have to
//! be made twice to stay hidden.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use mpiscope_model::{
    Collective, CollectiveOp, CommId, Communicator, Duration, Event, EventKind, LocationIndex,
    PointToPoint, Rank, Timestamp, Trace,
};

use crate::latency::LatencyTable;

/// What was found wrong, and how much was looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Violations {
    /// Matched point-to-point messages.
    pub point_to_point: u64,
    /// Logical messages between different locations: point-to-point, and each
    /// pair of members of a collective operation one of which waits for the
    /// other.
    pub logical: u64,
    /// Logical messages received before they were sent, by how much.
    pub reversed: Tally,
    /// Those of them that are point-to-point messages.
    pub reversed_point_to_point: Tally,
    /// Logical messages received sooner than the minimum latency after they
    /// were sent, by how much; includes those reversed.
    pub clock_condition: Tally,
    /// Events whose time lies before that of an earlier event in its location.
    pub backward_steps: u64,
}

/// How many, and how far off.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// The worst.
    pub worst: Duration,
    /// The mean, in ns.
    pub mean: f64,
}

impl Tally {
    fn add(&mut self, by: Duration) {
        self.count += 1;
        self.worst = self.worst.max(by);
        self.mean += (by.0 as f64 - self.mean) / self.count as f64;
    }
}

/// An event's location and number.
type At = (usize, usize);

/// Checks `times`, one column per location, against the clock condition.
///
/// Missing times count as unchecked: a shorter column is looked at as far as
/// it goes.
pub fn check(trace: &Trace, times: &[Vec<Timestamp>], latencies: &LatencyTable) -> Violations {
    let mut checker = Checker {
        times,
        latencies,
        found: Violations::default(),
    };
    for column in times {
        let backward = column.windows(2).filter(|pair| pair[1] < pair[0]);
        checker.found.backward_steps += backward.count() as u64;
    }
    checker.messages(trace);
    checker.collectives(trace);
    checker.found
}

struct Checker<'a> {
    times: &'a [Vec<Timestamp>],
    latencies: &'a LatencyTable,
    found: Violations,
}

impl Checker<'_> {
    fn time(&self, (location, event): At) -> Option<Timestamp> {
        self.times.get(location)?.get(event).copied()
    }

    /// Looks at one logical message.
    fn pair(&mut self, sent: At, received: At, point_to_point: bool) {
        if sent.0 == received.0 {
            return;
        }
        self.found.logical += 1;
        self.compare(sent, received, point_to_point);
    }

    fn compare(&mut self, sent: At, received: At, point_to_point: bool) {
        let (Some(send), Some(receive)) = (self.time(sent), self.time(received)) else {
            return;
        };
        if receive < send {
            self.found.reversed.add(send - receive);
            if point_to_point {
                self.found.reversed_point_to_point.add(send - receive);
            }
        }
        let (from, to) = (
            LocationIndex(sent.0 as u32),
            LocationIndex(received.0 as u32),
        );
        let earliest = send + self.latencies.between(from, to);
        if receive < earliest {
            self.found.clock_condition.add(earliest - receive);
        }
    }

    fn messages(&mut self, trace: &Trace) {
        let mut channels: HashMap<(CommId, Rank, Rank, u32), VecDeque<At>> = HashMap::new();
        let processes = in_order(trace);
        for (&me, events) in &processes {
            let cancelled = cancelled(trace, events);
            for &at in events {
                let (Event::MpiSend(message) | Event::MpiIsend(message)) = event(trace, at) else {
                    continue;
                };
                if let (Some(to), false) = (peer(trace, me, message), cancelled.contains(&at)) {
                    let channel = (message.comm, me, to, message.tag);
                    channels.entry(channel).or_default().push_back(at);
                }
            }
        }
        for (&me, events) in &processes {
            for (message, at) in receives(trace, events) {
                let Some(from) = peer(trace, me, message) else {
                    continue;
                };
                let channel = channels.get_mut(&(message.comm, from, me, message.tag));
                if let Some(sent) = channel.and_then(VecDeque::pop_front) {
                    self.found.point_to_point += 1;
                    self.pair(sent, at, true);
                }
            }
        }
    }

    fn collectives(&mut self, trace: &Trace) {
        // Ordered, so that means are summed up in one order.
        let mut meetings: BTreeMap<(CommId, usize), Vec<Member>> = BTreeMap::new();
        for (&me, events) in &in_order(trace) {
            let mut turns: HashMap<CommId, usize> = HashMap::new();
            let mut begun: HashMap<usize, Vec<At>> = HashMap::new();
            let mut places: HashMap<CommId, Option<(usize, bool)>> = HashMap::new();
            for &at in events {
                match event(trace, at) {
                    Event::MpiCollectiveBegin => begun.entry(at.0).or_default().push(at),
                    Event::MpiCollectiveEnd(collective) => {
                        let enter = begun.entry(at.0).or_default().pop();
                        let Some(comm) = communicator(trace, collective.comm) else {
                            continue;
                        };
                        let known = places.entry(collective.comm);
                        let Some((rank, remote)) = *known.or_insert_with(|| place(comm, me)) else {
                            continue;
                        };
                        let turn = turns.entry(collective.comm).or_default();
                        let meeting = meetings.entry((collective.comm, *turn)).or_default();
                        *turn += 1;
                        meeting.push(Member {
                            enter,
                            exit: at,
                            rank: rank as u32,
                            remote,
                            collective: *collective,
                        });
                    }
                    _ => {}
                }
            }
        }
        for ((comm, _), members) in &meetings {
            let across = communicator(trace, *comm).is_some_and(|comm| comm.remote.is_some());
            self.meeting(members, across);
        }
    }

    /// Looks at all pairs of one collective operation that could be wrong: for
    /// each exit the latest enters, until one is early enough for all latencies.
    fn meeting(&mut self, members: &[Member], across: bool) {
        let op = members[0].collective.op;
        let root = members[0].collective.root;
        let same = |member: &Member| {
            member.collective.op == op && (across || member.collective.root == root)
        };
        if !members.iter().all(same) || (across && rooted(op)) {
            return;
        }
        let mut senders: Vec<(&Member, At, Timestamp)> = (members.iter())
            .filter(|member| contributes(member))
            .filter_map(|member| {
                let enter = member.enter?;
                Some((member, enter, self.time(enter)?))
            })
            .collect();
        senders.sort_by_key(|(_, _, time)| std::cmp::Reverse(*time));
        let ranks: Vec<u32> = sorted(senders.iter().map(|(member, ..)| member.rank));
        let slowest = (self.latencies.same_clock).max(self.latencies.different_clocks);
        // An exit without its enter was cut off from its operation.
        let whole = |member: &&Member| member.enter.is_some() && depends(member);
        for receiver in members.iter().filter(whole) {
            let Some(exit) = self.time(receiver.exit) else {
                continue;
            };
            let pairs = match op {
                CollectiveOp::Scan | CollectiveOp::Exscan => {
                    ranks.partition_point(|&rank| rank < receiver.rank)
                }
                _ if across => {
                    let other = |sender: &&Member| sender.remote != receiver.remote;
                    senders
                        .iter()
                        .map(|(sender, ..)| *sender)
                        .filter(other)
                        .count()
                }
                _ => senders.len() - usize::from(contributes(receiver)),
            };
            self.found.logical += pairs as u64;
            for (sender, enter, time) in &senders {
                if *time + slowest <= exit {
                    break;
                }
                if waits(op, across, receiver, sender) {
                    self.compare(*enter, receiver.exit, false);
                }
            }
        }
    }
}

/// A process's rank in a communicator, and whether in its second group. Alone
/// in its own, MPI_COMM_SELF, nobody waits for anybody.
fn place(comm: &Communicator, me: Rank) -> Option<(usize, bool)> {
    if comm.is_self {
        return None;
    }
    let position = |group: &[Rank]| group.iter().position(|&rank| rank == me);
    match position(&comm.members) {
        Some(rank) => Some((rank, false)),
        None => Some((comm.remote.as_deref().and_then(position)?, true)),
    }
}

/// One member of a collective operation.
struct Member {
    enter: Option<At>,
    exit: At,
    rank: u32,
    remote: bool,
    collective: Collective,
}

fn rooted(op: CollectiveOp) -> bool {
    use CollectiveOp::*;
    matches!(op, Bcast | Scatter | Scatterv | Reduce | Gather | Gatherv)
}

/// Whether others may wait for this member's data.
fn contributes(member: &Member) -> bool {
    use CollectiveOp::*;
    let Collective { op, root, sent, .. } = member.collective;
    match op {
        Barrier => true,
        Bcast | Scatter | Scatterv => root == Some(member.rank) && sent > 0,
        Reduce | Gather | Gatherv => root.is_some() && sent > 0,
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock
        | Scan | Exscan => sent > 0,
        _ => false,
    }
}

/// Whether this member may wait for others' data.
fn depends(member: &Member) -> bool {
    use CollectiveOp::*;
    let Collective {
        op, root, received, ..
    } = member.collective;
    match op {
        Barrier => true,
        Reduce | Gather | Gatherv => root == Some(member.rank) && received > 0,
        Bcast | Scatter | Scatterv => root.is_some() && received > 0,
        Allreduce | Allgather | Allgatherv | Alltoall | ReduceScatter | ReduceScatterBlock
        | Scan | Exscan => received > 0,
        _ => false,
    }
}

/// Whether a receiver waits for a particular sender.
fn waits(op: CollectiveOp, across: bool, receiver: &Member, sender: &Member) -> bool {
    match op {
        CollectiveOp::Scan | CollectiveOp::Exscan => sender.rank < receiver.rank,
        _ if across => sender.remote != receiver.remote,
        _ => sender.rank != receiver.rank,
    }
}

fn sorted(ranks: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ranks: Vec<u32> = ranks.collect();
    ranks.sort_unstable();
    ranks
}

/// Each process's communication events as it saw them: threads merged by the
/// clock they share, each in its own order.
fn in_order(trace: &Trace) -> BTreeMap<Rank, Vec<At>> {
    let mut processes: BTreeMap<Rank, Vec<(Timestamp, At)>> = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        let events = processes.entry(location.rank).or_default();
        let mut reached = Timestamp::MIN;
        for (index, &time) in location.events.times().iter().enumerate() {
            reached = reached.max(time);
            use EventKind::{Enter, Leave, Other};
            if !matches!(location.events.kinds()[index], Enter | Leave | Other) {
                events.push((reached, (number, index)));
            }
        }
    }
    let plain = |(rank, mut events): (Rank, Vec<(Timestamp, At)>)| {
        events.sort();
        (rank, events.into_iter().map(|(_, at)| at).collect())
    };
    processes.into_iter().map(plain).collect()
}

fn event(trace: &Trace, (location, index): At) -> Event<'_> {
    trace.locations[location].events.event(index)
}

fn communicator(trace: &Trace, comm: CommId) -> Option<&Communicator> {
    trace.definitions.communicators.get(comm.0 as usize)
}

/// The world rank on the other side of a message.
fn peer(trace: &Trace, me: Rank, message: &PointToPoint) -> Option<Rank> {
    let comm = communicator(trace, message.comm)?;
    let number = message.peer as usize;
    match &comm.remote {
        _ if comm.is_self => (number == 0).then_some(me),
        Some(remote) if comm.members.contains(&me) => remote.get(number).copied(),
        _ => comm.members.get(number).copied(),
    }
}

/// Sends that were taken back.
fn cancelled(trace: &Trace, events: &[At]) -> HashSet<At> {
    let mut posted = HashMap::new();
    let mut cancelled = HashSet::new();
    for &at in events {
        match event(trace, at) {
            Event::MpiIsend(message) => {
                message.request.map(|request| posted.insert(request, at));
            }
            Event::MpiIsendComplete(request) | Event::MpiIrecvRequest(request) => {
                posted.remove(&request);
            }
            Event::MpiRequestCancelled(request) => cancelled.extend(posted.remove(&request)),
            _ => {}
        }
    }
    cancelled
}

/// What a process received, in the order in which it asked for it.
fn receives<'a>(trace: &'a Trace, events: &[At]) -> Vec<(&'a PointToPoint, At)> {
    let mut posted: HashMap<_, usize> = HashMap::new();
    let mut asked: Vec<Option<(&PointToPoint, At)>> = Vec::new();
    for &at in events {
        match event(trace, at) {
            Event::MpiIrecvRequest(request) => {
                posted.insert(request, asked.len());
                asked.push(None);
            }
            Event::MpiRequestCancelled(request) => {
                posted.remove(&request);
            }
            Event::MpiRecv(message) | Event::MpiIrecv(message) => {
                let post = message.request.and_then(|request| posted.remove(&request));
                match post {
                    Some(place) => asked[place] = Some((message, at)),
                    None => asked.push(Some((message, at))),
                }
            }
            _ => {}
        }
    }
    asked.into_iter().flatten().collect()
}
