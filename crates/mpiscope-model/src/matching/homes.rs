//! Collective operations, as processes that share a trace keep them. Each operation has a home
//! among them, who is told of all its members; the others keep their own members alone, and are told
//! what all of them together come to. Of creations, and of the begin and end of all, everybody has
//! been told (there are few), and keeps as much.

use super::channels::Key;
use super::collectives::{member, Assembly, Calls, Turns};
use super::groups::{Groups, Membership};
use super::own::{part_of, Process};
use crate::definitions::{CollectiveOp, CommId};
use crate::events::{Collective, Note};
use crate::messages::{CollectiveInstance, CollectiveMember, Home, Matching};
use crate::plain;
use crate::processes::Processes;
use crate::trace::{EventRef, Trace};

/// Kinds of operations, in the order in which they are found.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Calls of one number on a communicator.
    Call,
    OfThreads,
    Creation,
    /// The begin and end of all.
    End,
}

/// Returns the place of an operation among all: by kind, then by a process, and there by number.
fn order(kind: Kind, process: usize, number: usize) -> u64 {
    (kind as u64) << 62 | (process as u64) << 32 | number as u64
}

/// A process, and which of its calls.
type Place = (u32, u32);

/// A call, as its process tells the home of its operation of it.
#[derive(Clone, Copy)]
struct Call {
    key: Key,
    number: u64,
    place: Place,
    enter: Option<EventRef>,
    exit: EventRef,
    rank: u32,
    collective: Collective,
    dense: bool,
}

/// What the members of an operation have in common, as its home tells them.
#[derive(Clone, Copy)]
struct Met {
    order: u64,
    op: CollectiveOp,
    comm: CommId,
    root: Option<u32>,
    complete: bool,
    consistent: bool,
}

plain! {
    Call { key, number, place, enter, exit, rank, collective, dense }
    Met { order, op, comm, root, complete, consistent }
}

impl Call {
    fn member(&self) -> Option<CollectiveMember> {
        let place = Membership {
            rank: self.rank,
            remote: false,
        };
        Some(member(self.enter?, self.exit, place, &self.collective))
    }
}

impl Met {
    fn of(instance: &CollectiveInstance, order: u64) -> Met {
        Met {
            order,
            op: instance.op,
            comm: instance.comm,
            root: instance.root,
            complete: instance.complete,
            consistent: instance.consistent,
        }
    }
}

impl Matching {
    /// Adds an operation with those of its members that are known here.
    fn add(&mut self, met: Met, process: usize, members: impl Iterator<Item = CollectiveMember>) {
        let begin = self.members.len();
        self.members.extend(members);
        self.collectives.push(CollectiveInstance {
            op: met.op,
            comm: met.comm,
            root: met.root,
            members: begin..self.members.len(),
            complete: met.complete,
            consistent: met.consistent,
        });
        self.homes.push(Home {
            process: process as u32,
            order: met.order,
        });
    }
}

/// Brings together the operations of all, of which these are the calls here, by process. There are
/// no intercommunicators.
pub(super) fn collect<'c>(
    trace: &Trace,
    all: &[Process],
    groups: &Groups,
    calls: impl Iterator<Item = (usize, &'c Calls)>,
    job: &dyn Processes,
    matching: &mut Matching,
) {
    let me = job.me();
    let mut by_home: Vec<Vec<Call>> = vec![Vec::new(); job.count()];
    let mut guests: Vec<Vec<Guest>> = vec![Vec::new(); job.count()];
    for (process, calls) in calls {
        each_call(trace, groups, process, calls, matching, |call| {
            let home = home(trace, all, groups, &call, me);
            if home != me {
                guests[home].push((call.place, call.member()));
            }
            by_home[home].push(call);
        });
    }
    let told = job.exchange(by_home);
    let (here, answers) = meet(trace, groups, &told, me);
    drop(told);
    let answers = job.exchange(answers);
    // In the order of operations, and there of processes: by home, and which of its guests.
    let mut elsewhere: Vec<(u64, Place, (u32, u32))> = Vec::new();
    for (home, (guests, answers)) in (0..).zip(guests.iter().zip(&answers)) {
        let rows = (0..).zip(guests).zip(answers);
        elsewhere.extend(
            rows.filter(|((_, guest), _)| guest.1.is_some())
                .map(|((at, guest), met)| (met.order, guest.0, (home, at))),
        );
    }
    elsewhere.sort_unstable();
    let mut elsewhere = elsewhere.chunk_by(|a, b| a.0 == b.0).peekable();
    let mut add_before = |matching: &mut Matching, order: u64| {
        while let Some(of_one) = elsewhere.next_if(|of_one| of_one[0].0 < order) {
            let (home, at) = of_one[0].2;
            let met = answers[home as usize][at as usize];
            let member = |(home, at): (u32, u32)| guests[home as usize][at as usize].1;
            matching.add(
                met,
                home as usize,
                of_one.iter().filter_map(|it| member(it.2)),
            );
        }
    };
    for (instance, home) in here.collectives.iter().zip(&here.homes) {
        add_before(matching, home.order);
        let members = here.members_of(instance).iter().copied();
        matching.add(Met::of(instance, home.order), me, members);
    }
    add_before(matching, u64::MAX);
    matching.dense = here.dense;
}

/// A member of an operation that is at home elsewhere, if its call has a begin, with the place of
/// its call.
type Guest = (Place, Option<CollectiveMember>);

/// Returns the home of a call's operation: the process of the job that has one of the members, or
/// this one, if nobody else can be a member.
fn home(trace: &Trace, all: &[Process], groups: &Groups, call: &Call, me: usize) -> usize {
    let comm = call.key.comm;
    let is_self = trace.definitions.communicators[comm.index()].is_self;
    let at_home = match is_self {
        true => None,
        false => groups.taking_turns(comm, call.number),
    };
    at_home.map_or(me, |process| part_of(trace, all[process].1[0], me))
}

/// Visits the calls of a process whose number on their communicator is known; the ends of those
/// that meet nobody are put where such are.
fn each_call(
    trace: &Trace,
    groups: &Groups,
    process: usize,
    calls: &Calls,
    matching: &mut Matching,
    mut visitor: impl FnMut(Call),
) {
    let mut turns = Turns::new(groups, process, calls.stretches());
    for (at, call) in (0..).zip(calls.told(trace)) {
        let Some(collective) = call.collective else {
            turns.pass(&call);
            continue;
        };
        let known = turns.next(&call);
        if known.is_none() || call.enter.is_none() {
            matching.unmatched_collectives.push(call.exit);
        }
        let Some((membership, number)) = known else {
            continue;
        };
        let events = &trace.locations[call.exit.location.index()].events;
        let mut notes = events.notes_of(call.exit.index as usize);
        visitor(Call {
            key: calls.stretches()[call.stretch as usize].key,
            number,
            place: (process as u32, at),
            enter: call.enter,
            exit: call.exit,
            rank: membership.rank,
            collective,
            dense: notes.any(|note| note == Note::Dense),
        });
    }
}

/// Brings together who met in operations whose home this process is, from what each told; returns
/// them with all members, and for each process the answers to what it told.
fn meet(
    trace: &Trace,
    groups: &Groups,
    told: &[Vec<Call>],
    me: usize,
) -> (Matching, Vec<Vec<Met>>) {
    let mut here = Matching::default();
    let mut homes = Vec::new();
    let mut rows: Vec<Vec<u32>> = told.iter().map(|it| vec![0; it.len()]).collect();
    let calls = in_order(told);
    let mut assembly = Assembly::new(trace, groups, calls.len(), &mut here);
    for ((process, number), (from, at)) in calls {
        let call = &told[from as usize][at as usize];
        let channel = assembly.channel(call.key);
        let row = assembly.instance(channel, call.number, &call.collective);
        rows[from as usize][at as usize] = row;
        if row as usize == homes.len() {
            homes.push(Home {
                process: me as u32,
                order: order(Kind::Call, process as usize, number as usize),
            });
        }
        if let Some(member) = call.member() {
            assembly.meet(row, member);
        }
    }
    assembly.gather();
    here.homes = homes;
    let told = told.iter().enumerate().filter(|(from, _)| *from != me);
    let dense = told.flat_map(|(_, calls)| calls.iter().filter(|call| call.dense));
    here.dense = dense.map(|call| call.exit).collect();
    here.dense.sort_unstable();
    let answer = |row: u32| {
        let row = row as usize;
        Met::of(&here.collectives[row], here.homes[row].order)
    };
    // What this process told itself needs no answer.
    rows[me].clear();
    let answers = rows
        .into_iter()
        .map(|rows| rows.into_iter().map(answer).collect())
        .collect();
    (here, answers)
}

/// Returns the places of calls, in their order, with who told of each, and as which of his.
fn in_order(told: &[Vec<Call>]) -> Vec<(Place, (u32, u32))> {
    let mut calls = Vec::with_capacity(told.iter().map(Vec::len).sum());
    for (from, of_one) in (0..).zip(told) {
        let rows = (0..).zip(of_one);
        calls.extend(rows.map(|(at, call)| (call.place, (from, at))));
    }
    calls.sort_unstable();
    calls
}

/// Adds operations of the threads of a process, which nobody else knows.
pub(super) fn add_own(own: &Matching, process: usize, me: usize, matching: &mut Matching) {
    for (number, instance) in own.collectives.iter().enumerate() {
        let met = Met::of(instance, order(Kind::OfThreads, process, number));
        matching.add(met, me, own.members_of(instance).iter().copied());
    }
}

/// Adds operations whose members all processes have been told of: what of them each keeps.
pub(super) fn add(
    trace: &Trace,
    met: &Matching,
    kind: Kind,
    job: &dyn Processes,
    matching: &mut Matching,
) {
    let me = job.me();
    for (number, instance) in met.collectives.iter().enumerate() {
        let members = met.members_of(instance);
        let Some(at_home) = members.get(number % members.len().max(1)) else {
            continue;
        };
        let home = part_of(trace, at_home.enter.location, me);
        let is_kept =
            |it: &&CollectiveMember| home == me || trace.is_here(it.enter.location.index(), me);
        let kept = || members.iter().filter(is_kept).copied();
        if kept().next().is_some() {
            let met = Met::of(instance, order(kind, 0, number));
            matching.add(met, home, kept());
        }
    }
}

/// Has all know all operations of all.
pub(super) fn whole(matching: &Matching, job: &dyn Processes, whole: &mut Matching) {
    let operations = matching.collectives.iter().zip(&matching.homes);
    let at_home = operations.filter(|(_, home)| home.process as usize == job.me());
    let (mut operations, mut members) = (Vec::new(), Vec::new());
    for (instance, home) in at_home {
        operations.push((Met::of(instance, home.order), instance.members.len() as u32));
        members.extend(matching.members_of(instance));
    }
    let operations = job.share_all(operations);
    let members = job.share_all(members);
    let mut all: Vec<(Met, &[CollectiveMember])> = Vec::new();
    for (operations, members) in operations.iter().zip(&members) {
        let mut left = &members[..];
        for &(met, count) in operations {
            let (own, rest) = left.split_at(left.len().min(count as usize));
            all.push((met, own));
            left = rest;
        }
    }
    all.sort_by_key(|(met, _)| met.order);
    for (met, members) in all {
        whole.add(met, 0, members.iter().copied());
    }
    whole.homes.clear();
}
