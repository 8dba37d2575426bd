//! Members of a communicator that disagree about a collective operation.
//!
//! The n-th operation of each member belong together (MPI 4.1 §6.1); one that
//! a member is still in, or has initiated and not completed, counts as well. A
//! nonblocking operation does not meet a blocking one (§6.12).

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use mpiscope_model::{
    CollectiveInstance, CollectiveMember, CollectiveOp, CommId, Event, EventKind, EventRef,
    LocationIndex, Matching, Trace,
};

use super::begun::{is_nonblocking, is_ordered, Begun, Row, Sequences};
use super::{plain_name, region_name, Error, ErrorKind};
use crate::collectives::{is_dense, is_pairwise};
use crate::processes::Processes;
use crate::sharers::Sharers;

/// What one member says of an operation.
struct Opinion {
    event: EventRef,
    /// What was called, as a number: another for each operation, and another
    /// if it is nonblocking.
    call: u64,
    root: Option<u32>,
    bytes: Option<u64>,
    signature: Option<u64>,
    /// It exchanged data with everybody.
    with_all: bool,
}

/// Operations that somebody is still in.
pub(super) struct Opens {
    sequences: Sequences,
    /// By location.
    of: BTreeMap<u32, (Row, usize)>,
    /// Those about which their members disagree so that they do not end.
    wrong: BTreeSet<(Row, usize)>,
}

impl Opens {
    /// Returns which operation a location is in, if it is in one.
    pub fn of(&self, location: LocationIndex) -> Option<(Row, usize)> {
        self.of.get(&location.0).copied()
    }

    /// Returns whether members of an operation call different operations, or
    /// name different roots, there or in one before it.
    pub fn is_wrong(&self, (row, number): (Row, usize)) -> bool {
        self.wrong.range((row, 0)..=(row, number)).next().is_some()
    }

    /// Returns the operation that an event of a process began.
    pub fn begun(&self, process: u32, comm: CommId, begin: EventRef) -> Option<(Row, usize)> {
        let row = (comm, None);
        Some((row, self.sequences.number(process, row, begin)?))
    }

    /// Returns the processes without which an operation does not end: those
    /// that have not come and, where members call different operations, all
    /// others. Nothing if that cannot be told.
    pub fn missing(
        &self,
        trace: &Trace,
        processes: &Processes,
        process: u32,
        (row, number): (Row, usize),
    ) -> Option<Vec<u32>> {
        let comm = trace.definitions.communicators.get(row.0.index())?;
        let is_wrong = self.wrong.contains(&(row, number));
        let ranks = comm.members.iter().chain(comm.remote.iter().flatten());
        let members: Option<Vec<u32>> = ranks.map(|rank| processes.of_rank(*rank)).collect();
        let mut members = members?;
        members.retain(|&member| {
            let has_come = self.sequences.get(member, row, number).is_some();
            member != process && (is_wrong || !has_come && self.sequences.is_known(member))
        });
        Some(members)
    }
}

/// Finds operations whose members disagree, the first of each communicator;
/// returns the operations that somebody is still in.
pub(super) fn disagreements(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    sequences: Sequences,
    found: &mut Vec<Error>,
) -> Opens {
    let mut wrong = BTreeSet::new();
    for instance in matching.collectives.iter().filter(|it| is_asked(trace, it)) {
        let members = matching.members_of(instance);
        let is_odd = !instance.consistent || differ(trace, members);
        if is_odd && !wrong.contains(&instance.comm) {
            let opinion = |member| opinion(trace, instance.comm, member);
            let mut opinions: Vec<_> = members.iter().filter_map(opinion).collect();
            if judge(trace, instance.comm, &mut opinions, found) {
                wrong.insert(instance.comm);
            }
        }
    }
    let mut opens = Opens {
        of: BTreeMap::new(),
        wrong: BTreeSet::new(),
        sequences,
    };
    for row in opens.sequences.open.clone() {
        let comm = trace.definitions.communicators.get(row.0.index());
        if comm.is_some_and(|comm| !comm.is_self) {
            look_at(
                trace,
                processes,
                row,
                wrong.contains(&row.0),
                &mut opens,
                found,
            );
        }
    }
    opens
}

/// Compares what members say of the operations of a row that never ended.
fn look_at(
    trace: &Trace,
    processes: &Processes,
    row: Row,
    mut is_wrong: bool,
    opens: &mut Opens,
    found: &mut Vec<Error>,
) {
    let known = (0..processes.locations.len() as u32).filter(|it| opens.sequences.is_known(*it));
    let known: Vec<u32> = known.collect();
    let of = |process: &u32| opens.sequences.open_of(*process, row);
    let mut numbers: BTreeSet<usize> = BTreeSet::new();
    for (number, begun) in known.iter().flat_map(of) {
        numbers.insert(number);
        if !is_nonblocking(trace, begun.begin) {
            opens.of.insert(begun.begin.location.0, (row, number));
        }
    }
    for number in numbers {
        let all = known
            .iter()
            .filter_map(|&it| opens.sequences.get(it, row, number));
        let mut opinions: Vec<_> = all.filter_map(|it| said(trace, row.0, it)).collect();
        if differ_in(&opinions, |it| Some(it.call)) || differ_in(&opinions, |it| it.root) {
            opens.wrong.insert((row, number));
        }
        is_wrong = is_wrong || judge(trace, row.0, &mut opinions, found);
    }
}

fn differ_in<T: PartialEq>(opinions: &[Opinion], aspect: fn(&Opinion) -> Option<T>) -> bool {
    let said: Vec<T> = opinions.iter().filter_map(aspect).collect();
    said.windows(2).any(|pair| pair[0] != pair[1])
}

/// Returns whether the members of all operations whose home is here say the same.
pub(super) fn all_agree(trace: &Trace, matching: &Matching, sharers: Sharers) -> bool {
    let operations = matching.collectives.iter().zip(&matching.homes);
    let asked = operations.filter(|(it, _)| is_asked(trace, it));
    let say = |instance: &CollectiveInstance, member: &CollectiveMember| {
        Some(opinion(trace, instance.comm, member)?.told())
    };
    let told = sharers.of_members(matching, |it| is_asked(trace, it), say);
    let mut told = told.into_iter().map(|(_, it)| it.map(Opinion::heard));
    let mut agree = true;
    for (instance, _) in asked.filter(|(_, home)| sharers.is_home(home)) {
        let said = |member: &CollectiveMember| match sharers.is_here(member.enter) {
            true => opinion(trace, instance.comm, member),
            false => told.next().flatten(),
        };
        let members = matching.members_of(instance).iter();
        let mut opinions: Vec<Opinion> = members.filter_map(said).collect();
        let are_one = |pair: &[Opinion]| pair[0].told().1 == pair[1].told().1;
        if !opinions.windows(2).all(are_one) {
            agree &= !judge(trace, instance.comm, &mut opinions, &mut Vec::new());
        }
    }
    agree
}

/// An opinion as another process is told: of whom, and what.
type Told = (
    EventRef,
    (u64, Option<u32>, Option<u64>, (Option<u64>, bool)),
);

impl Opinion {
    fn told(&self) -> Told {
        let last = (self.signature, self.with_all);
        (self.event, (self.call, self.root, self.bytes, last))
    }

    fn heard((event, (call, root, bytes, (signature, with_all))): Told) -> Opinion {
        Opinion {
            event,
            call,
            root,
            bytes,
            signature,
            with_all,
        }
    }
}

/// Operations of MPI_COMM_SELF have one member, those of threads no communicator,
/// and neighbours need not agree.
fn is_asked(trace: &Trace, instance: &CollectiveInstance) -> bool {
    let comm = trace.definitions.communicators.get(instance.comm.index());
    comm.is_some_and(|comm| !comm.is_self) && is_ordered(instance.op)
}

/// Returns whether it is worth while to look more closely.
fn differ(trace: &Trace, members: &[CollectiveMember]) -> bool {
    let signature = |member: &CollectiveMember| {
        let events = &trace.locations[member.exit.location.index()].events;
        match events.signatures().len() {
            0 => None,
            _ => events.signature(member.exit.index as usize),
        }
    };
    let values = |member: &CollectiveMember| {
        let nonblocking = is_nonblocking(trace, member.enter);
        (member.sent, member.received, signature(member), nonblocking)
    };
    members
        .windows(2)
        .any(|pair| values(&pair[0]) != values(&pair[1]))
}

/// Returns what a member of an operation that ended says of it.
fn opinion(trace: &Trace, comm: CommId, member: &CollectiveMember) -> Option<Opinion> {
    ended(trace, comm, member.enter, member.exit)
}

/// Returns what a process says of an operation that it began.
fn said(trace: &Trace, comm: CommId, begun: &Begun) -> Option<Opinion> {
    match begun.end {
        Some(end) if end != begun.begin => ended(trace, comm, begun.begin, end),
        _ => asked(trace, begun.begin),
    }
}

fn ended(trace: &Trace, comm: CommId, begin: EventRef, end: EventRef) -> Option<Opinion> {
    let events = &trace.locations[end.location.index()].events;
    let index = end.index as usize;
    let (Event::MpiCollectiveEnd(own) | Event::NonBlockingCollectiveComplete(_, own)) =
        events.event(index)
    else {
        return None;
    };
    let communicator = trace.definitions.communicators.get(comm.index())?;
    let within = communicator.remote.is_none();
    Some(Opinion {
        event: begin,
        call: call_number(own.op.name(), is_nonblocking(trace, begin)),
        root: own.root.filter(|_| within),
        bytes: amount(own.op, own.sent, own.received).filter(|&bytes| within && bytes > 0),
        signature: events.signature(index),
        with_all: match own.op.is_among_neighbors() {
            true => false, // dense there means: for all neighbours
            false => !is_pairwise(own.op) || is_dense(trace, end),
        },
    })
}

/// Returns what all members have to name alike. What the root may leave in
/// place is 0 there, and not compared.
fn amount(op: CollectiveOp, sent: u64, received: u64) -> Option<u64> {
    use CollectiveOp::*;
    match op {
        Bcast | Scatter => Some(received),
        Gather | Allgather | Alltoall | Reduce | Allreduce => Some(sent),
        // Each sends to those after it, and hears those before.
        Scan | Exscan => Some(sent.saturating_add(received)),
        _ => None,
    }
}

/// Returns what a call that has not ended asks for, or one that has no event
/// of its own.
fn asked(trace: &Trace, begin: EventRef) -> Option<Opinion> {
    let events = &trace.locations[begin.location.index()].events;
    let posted = events.posted(begin.index as usize)?;
    let comm = trace.definitions.communicators.get(posted.comm.index())?;
    let within = comm.remote.is_none();
    let enter = enter_around(trace, begin);
    let name = plain_name(region_name(trace, enter));
    let nonblocking = is_nonblocking(trace, begin);
    let name = match nonblocking {
        true => name.strip_prefix('i').unwrap_or(&name),
        false => &name,
    };
    let op = CollectiveOp::NAMED.iter().find(|op| op.name() == name);
    let op = op.copied().unwrap_or(CollectiveOp::Other(u8::MAX));
    use CollectiveOp::*;
    let rooted = matches!(op, Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv);
    Some(Opinion {
        event: if nonblocking { begin } else { enter },
        call: call_number(name, nonblocking),
        root: posted.source.filter(|_| rooted && within),
        bytes: posted.capacity.filter(|&bytes| within && bytes > 0),
        signature: posted.signature,
        with_all: !is_pairwise(op),
    })
}

/// Returns the enter of the call that an event begins, or which is the event.
fn enter_around(trace: &Trace, begin: EventRef) -> EventRef {
    let kinds = trace.locations[begin.location.index()].events.kinds();
    let before = kinds[..=begin.index as usize].iter();
    let enter = before.rev().position(|kind| *kind == EventKind::Enter);
    let index = begin.index as usize;
    EventRef::new(begin.location, enter.map_or(index, |back| index - back))
}

/// Returns a number of its own for each operation, blocking or not.
fn call_number(name: &str, nonblocking: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, nonblocking).hash(&mut hasher);
    hasher.finish()
}

/// Compares what members say with the one that most of them say, of which the
/// lowest rank's counts if there are as many of another.
fn judge(trace: &Trace, comm: CommId, opinions: &mut [Opinion], found: &mut Vec<Error>) -> bool {
    let rank = |opinion: &Opinion| {
        let LocationIndex(location) = opinion.event.location;
        let members = trace.definitions.communicators.get(comm.index());
        let rank = trace.locations[location as usize].rank;
        members
            .and_then(|comm| comm.rank_of(rank))
            .unwrap_or(u32::MAX)
    };
    opinions.sort_by_key(rank);
    // Where nobody had data for all, those who met may agree in each case.
    let some_with_all = opinions.iter().any(|opinion| opinion.with_all);
    type Aspect = fn(&Opinion) -> Option<u64>;
    let aspects: [(ErrorKind, Aspect); 4] = [
        (ErrorKind::CollectiveOrder, |it| Some(it.call)),
        (ErrorKind::CollectiveRoot, |it| it.root.map(u64::from)),
        (ErrorKind::CollectiveCount, |it| it.bytes),
        (ErrorKind::CollectiveType, |it| it.signature),
    ];
    for (kind, aspect) in aspects {
        if kind == ErrorKind::CollectiveType && !some_with_all {
            continue;
        }
        let said: Vec<(&Opinion, u64)> = (opinions.iter())
            .filter_map(|opinion| Some((opinion, aspect(opinion)?)))
            .collect();
        let count = |value: u64| said.iter().filter(|(_, other)| *other == value).count();
        let Some(most) = said.iter().rev().max_by_key(|(_, value)| count(*value)) else {
            continue;
        };
        let others = said.iter().filter(|(_, value)| *value != most.1);
        let others: Vec<Error> = others
            .map(|(opinion, _)| Error {
                event: opinion.event,
                kind,
                others: vec![most.0.event],
            })
            .collect();
        if !others.is_empty() {
            found.extend(others);
            return true;
        }
    }
    false
}
