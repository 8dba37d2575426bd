//! What of the messages and other waits each of several processes keeps that share a trace: those
//! with an end among its own events. Who received one tells who sent it.

use super::{homes, scan};
use crate::definitions::{LocationIndex, Rank};
use crate::events::{Events, Note};
use crate::messages::{Bound, Counts, Matching, Message};
use crate::plain::Plain;
use crate::processes::Processes;
use crate::trace::{EventRef, Trace};

/// A process of the trace, by its rank, with its locations.
pub(super) type Process = (Rank, Vec<LocationIndex>);

/// Puts together what was found among the receives here, in the order of receiving processes, and
/// what others found of what was sent here; returns how many messages were received here.
pub(super) fn keep(
    trace: &Trace,
    all: &[Process],
    own: Matching,
    job: &dyn Processes,
    matching: &mut Matching,
) -> usize {
    let received = own.messages.len();
    let mut lists = told(trace, &own.messages, |it| it.send, job);
    lists.push(own.messages);
    matching.messages = in_order(trace, all, lists);
    matching.bounds = told(trace, &own.bounds, |it| it.send, job).concat();
    matching.bounds.extend(own.bounds);
    let (here, elsewhere): (Vec<_>, Vec<_>) = (own.unmatched_sends.into_iter())
        .partition(|event| trace.is_here(event.location.index(), job.me()));
    matching.unmatched_sends = told(trace, &elsewhere, |it| *it, job).concat();
    matching.unmatched_sends.extend(here);
    matching.unmatched_sends.sort_unstable();
    matching.unmatched_receives = own.unmatched_receives;
    matching.ambiguous = own.ambiguous;
    received
}

/// Adds waits that one process found of all those whom they concern: each gets its own.
pub(super) fn tell_bounds(
    trace: &Trace,
    found: Vec<Bound>,
    job: &dyn Processes,
    matching: &mut Matching,
) {
    for end in [|it: &Bound| it.send, |it: &Bound| it.receive] {
        let told = told(trace, &found, end, job).into_iter().flatten();
        matching.bounds.extend(told);
    }
    matching.bounds.extend(found);
}

/// Leaves out bounds that concern others alone, and counts what all have, of which so many
/// messages were received here.
pub(super) fn count(trace: &Trace, received: usize, job: &dyn Processes, matching: &mut Matching) {
    let is_here = |event: EventRef| trace.is_here(event.location.index(), job.me());
    let bounds = &mut matching.bounds;
    bounds.retain(|it| is_here(it.send) || is_here(it.receive));
    bounds.sort_unstable();
    bounds.dedup();
    let mine = [
        received,
        bounds.iter().filter(|it| is_here(it.receive)).count(),
        matching.unmatched_sends.len(),
        matching.unmatched_receives.len(),
        matching.ambiguous,
        (matching.members.iter().filter(|it| is_here(it.enter))).count(),
    ];
    let all = job.share_all(mine.map(|count| count as u64).to_vec());
    let sum = |place: usize| all.iter().map(|of_one| of_one[place]).sum();
    matching.ambiguous = sum(4) as usize;
    matching.of_all = Some(Counts {
        messages: sum(0),
        bounds: sum(1),
        unmatched_sends: sum(2),
        unmatched_receives: sum(3),
        members: sum(5),
    });
}

/// Has all know what each has its own of alone.
pub(super) fn whole(trace: &Trace, matching: &Matching, job: &dyn Processes) -> Matching {
    if matching.of_all.is_none() {
        return matching.clone();
    }
    let is_here = |event: EventRef| trace.is_here(event.location.index(), job.me());
    let messages = matching.messages.iter().filter(|it| is_here(it.receive));
    let messages: Vec<Message> = messages.copied().collect();
    let bounds = matching.bounds.iter().filter(|it| is_here(it.receive));
    let bounds: Vec<Bound> = bounds.copied().collect();
    let mut whole = Matching {
        messages: in_order(trace, &scan::processes(trace), job.share_all(messages)),
        bounds: job.share_all(bounds).concat(),
        unmatched_sends: job.share_all(matching.unmatched_sends.clone()).concat(),
        unmatched_receives: (job.share_all(matching.unmatched_receives.clone())).concat(),
        unmatched_collectives: (job.share_all(matching.unmatched_collectives.clone())).concat(),
        dense: job.share_all(dense(trace)).concat(),
        ambiguous: matching.ambiguous,
        assumptions: matching.assumptions,
        ..Matching::default()
    };
    homes::whole(matching, job, &mut whole);
    whole.bounds.sort_unstable();
    whole.unmatched_sends.sort_unstable();
    whole.unmatched_receives.sort_unstable();
    whole
        .unmatched_collectives
        .sort_by_key(|event| trace.locations[event.location.index()].rank);
    whole.dense.sort_unstable();
    whole
}

/// Returns the events here that end a call which sent something to everybody.
fn dense(trace: &Trace) -> Vec<EventRef> {
    let of_location = |(location, events): (LocationIndex, &Events)| {
        let notes = events.notes().iter();
        let dense = notes.filter(|it| it.1 == Note::Dense);
        let event = |&(index, _): &(u32, Note)| EventRef { location, index };
        dense.map(event).collect::<Vec<_>>()
    };
    let locations = (0..).map(LocationIndex).zip(&trace.locations);
    locations
        .flat_map(|(at, it)| of_location((at, &it.events)))
        .collect()
}

/// Returns the process that has the events of a location.
pub(super) fn part_of(trace: &Trace, location: LocationIndex, me: usize) -> usize {
    let part = trace.parts.get(location.index());
    part.map_or(me, |part| *part as usize)
}

/// Tells the process that has what sent each of these of it; returns what others told, by process.
fn told<T: Plain>(
    trace: &Trace,
    found: &[T],
    send: impl Fn(&T) -> EventRef,
    job: &dyn Processes,
) -> Vec<Vec<T>> {
    let me = job.me();
    let mut outgoing = vec![Vec::new(); job.count()];
    for it in found {
        let part = part_of(trace, send(it).location, me);
        if part != me {
            outgoing[part].push(*it);
        }
    }
    job.exchange(outgoing)
}

/// Puts messages in the order of their receivers, each of which has all of its own in one list (a
/// counting sort).
fn in_order(trace: &Trace, all: &[Process], lists: Vec<Vec<Message>>) -> Vec<Message> {
    let mut number = vec![0; trace.locations.len()];
    for (process, (_, locations)) in all.iter().enumerate() {
        locations.iter().for_each(|it| number[it.index()] = process);
    }
    let receiver = |message: &Message| number[message.receive.location.index()];
    let mut next = vec![0; all.len() + 1];
    for message in lists.iter().flatten() {
        next[receiver(message) + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    let Some(&filler) = lists.iter().flatten().next() else {
        return Vec::new();
    };
    let mut all = vec![filler; next[next.len() - 1]];
    for message in lists.into_iter().flatten() {
        let place = &mut next[receiver(&message)];
        all[*place] = message;
        *place += 1;
    }
    all
}
