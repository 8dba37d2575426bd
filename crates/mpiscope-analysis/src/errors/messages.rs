//! Messages that do not fit, that nobody receives, and requests that nobody
//! asks for again.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::{
    EventKind, EventRef, Events, LocationIndex, Matching, Posted, RequestId, Trace,
};

use super::calls::Calls;
use super::{region_name, Error, ErrorKind};
use crate::races::Processes;

/// Finds messages longer than their buffers, or of another type.
pub(super) fn of_another_kind(trace: &Trace, matching: &Matching, found: &mut Vec<Error>) {
    let mut locations = trace.locations.iter();
    if locations.all(|location| location.events.all_posted().len() == 0) {
        return;
    }
    let posts = posts(trace);
    for message in &matching.messages {
        let Some(posted) = posts.get(&message.receive) else {
            continue;
        };
        let sent = &trace.locations[message.send.location.index()].events;
        let index = message.send.index as usize;
        let bytes = sent.messages()[sent.args()[index] as usize].bytes;
        let kind = match (posted.capacity, posted.signature.zip(sent.signature(index))) {
            (Some(capacity), _) if bytes > capacity => ErrorKind::Truncation { bytes, capacity },
            (_, Some((expected, sent))) if expected != sent => ErrorKind::Type,
            _ => continue,
        };
        found.push(Error {
            event: message.receive,
            kind,
            others: vec![message.send],
        });
    }
}

/// Returns what each receive that completed had asked for.
fn posts(trace: &Trace) -> BTreeMap<EventRef, Posted> {
    let mut posts = BTreeMap::new();
    for (number, location) in trace.locations.iter().enumerate() {
        let events = &location.events;
        let mut requests: BTreeMap<u64, Posted> = BTreeMap::new();
        let mut entered = None;
        let mut posted = events.all_posted().peekable();
        for (index, kind) in events.kinds().iter().enumerate() {
            let own = posted.next_if(|(event, _)| *event == index as u32);
            let own = own.map(|(_, posted)| *posted);
            let row = events.args()[index] as usize;
            match kind {
                EventKind::Enter => entered = own,
                EventKind::MpiIrecvRequest => {
                    requests.extend(own.map(|posted| (events.requests()[row].0, posted)));
                }
                EventKind::MpiRecv | EventKind::MpiIrecv => {
                    let request = events.messages()[row].request;
                    let posted = match request {
                        Some(request) => requests.remove(&request.0),
                        None => entered,
                    };
                    let event = EventRef::new(LocationIndex(number as u32), index);
                    posts.extend(posted.map(|posted| (event, posted)));
                }
                _ => {}
            }
        }
    }
    posts
}

/// Finds receives that returned without their message, as it was too long;
/// returns the sends of those messages.
pub(super) fn failed(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    found: &mut Vec<Error>,
) -> BTreeSet<EventRef> {
    let mut sends = BTreeSet::new();
    for location in (0..trace.locations.len() as u32).map(LocationIndex) {
        let events = &trace.locations[location.index()].events;
        for (enter, posted) in events.all_posted() {
            let enter = EventRef {
                location,
                index: enter,
            };
            let Some(capacity) = posted
                .capacity
                .filter(|_| returned_empty(trace, events, enter))
            else {
                continue;
            };
            let too_long = |send: &&EventRef| {
                !sends.contains(*send)
                    && suits(trace, processes, **send, location, posted)
                    && bytes(trace, **send) > capacity
            };
            if let Some(&send) = matching.unmatched_sends.iter().find(too_long) {
                sends.insert(send);
                let bytes = bytes(trace, send);
                found.push(Error {
                    event: enter,
                    kind: ErrorKind::Truncation { bytes, capacity },
                    others: vec![send],
                });
            }
        }
    }
    sends
}

/// Returns whether a receive was entered and left without a message.
fn returned_empty(trace: &Trace, events: &Events, enter: EventRef) -> bool {
    let name = region_name(trace, enter).to_lowercase();
    let rest = &events.kinds()[enter.index as usize..];
    let received = |kind: &&EventKind| matches!(kind, EventKind::Leave | EventKind::MpiRecv);
    let end = rest.iter().find(received);
    name.contains("recv") && end == Some(&EventKind::Leave)
}

fn bytes(trace: &Trace, send: EventRef) -> u64 {
    let events = &trace.locations[send.location.index()].events;
    events.messages()[events.args()[send.index as usize] as usize].bytes
}

/// Returns whether a send is what a receive at a location asks for.
pub(super) fn suits(
    trace: &Trace,
    processes: &Processes,
    send: EventRef,
    receiver: LocationIndex,
    posted: &Posted,
) -> bool {
    let events = &trace.locations[send.location.index()].events;
    let message = &events.messages()[events.args()[send.index as usize] as usize];
    let to = processes.peer(trace, send.location, message.comm, message.peer);
    let from = processes.of[send.location.index()];
    let source = |source| processes.peer(trace, receiver, posted.comm, source);
    to == Some(processes.of[receiver.index()])
        && message.comm == posted.comm
        && posted.tag.is_none_or(|tag| tag == message.tag)
        && posted.source.is_none_or(|rank| source(rank) == Some(from))
}

/// Finds messages that were never received though their receiver has ended.
pub(super) fn unmatched(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    calls: &Calls,
    failed: &BTreeSet<EventRef>,
    found: &mut Vec<Error>,
) {
    for &send in matching
        .unmatched_sends
        .iter()
        .filter(|send| !failed.contains(send))
    {
        let events = &trace.locations[send.location.index()].events;
        let message = &events.messages()[events.args()[send.index as usize] as usize];
        let to = processes.peer(trace, send.location, message.comm, message.peer);
        let cut = |to| {
            let mut locations = processes.locations[to as usize].iter();
            locations.any(|location| trace.locations[location.index()].truncated.is_some())
        };
        if to.is_some_and(|to| calls.is_over(to) && !cut(to)) {
            found.push(Error {
                event: send,
                kind: ErrorKind::UnmatchedSend,
                others: Vec::new(),
            });
        }
    }
}

/// Nonblocking operations of a process that were begun and not completed.
pub(super) fn pending(trace: &Trace, locations: &[LocationIndex]) -> Vec<(EventRef, RequestId)> {
    use EventKind::*;
    let mut open: BTreeMap<u64, Vec<EventRef>> = BTreeMap::new();
    let mut ended: BTreeMap<u64, usize> = BTreeMap::new();
    for &location in locations {
        let events = &trace.locations[location.index()].events;
        for (index, kind) in events.kinds().iter().enumerate() {
            let row = events.args()[index] as usize;
            let event = EventRef::new(location, index);
            match kind {
                MpiIrecvRequest | NonBlockingCollectiveRequest => {
                    open.entry(events.requests()[row].0)
                        .or_default()
                        .push(event);
                }
                MpiIsend => {
                    if let Some(request) = events.messages()[row].request {
                        open.entry(request.0).or_default().push(event);
                    }
                }
                MpiIsendComplete | MpiRequestCancelled => {
                    *ended.entry(events.requests()[row].0).or_default() += 1;
                }
                MpiIrecv => {
                    if let Some(request) = events.messages()[row].request {
                        *ended.entry(request.0).or_default() += 1;
                    }
                }
                NonBlockingCollectiveComplete => {
                    *ended.entry(events.completions()[row].0 .0).or_default() += 1;
                }
                _ => {}
            }
        }
    }
    let mut pending = Vec::new();
    for (request, events) in open {
        // A number may serve several operations, one after the other.
        let done = ended.get(&request).copied().unwrap_or(0);
        let left = events.into_iter().skip(done);
        pending.extend(left.map(|event| (event, RequestId(request))));
    }
    pending
}

/// Finds requests that were lost by processes that have ended.
pub(super) fn lost(trace: &Trace, processes: &Processes, calls: &Calls, found: &mut Vec<Error>) {
    let freeing = calls_of(trace, "request_free");
    for (process, locations) in processes.locations.iter().enumerate() {
        let cut = |location: &LocationIndex| trace.locations[location.index()].truncated.is_some();
        if !calls.is_over(process as u32) || locations.iter().any(cut) {
            continue;
        }
        // That a request was freed, a trace does not tell.
        let frees = locations.iter().any(|location| freeing[location.index()]);
        for (event, _) in pending(trace, locations) {
            if !frees {
                found.push(Error {
                    event,
                    kind: ErrorKind::LostRequest,
                    others: Vec::new(),
                });
            }
        }
    }
}

/// Returns which locations call an MPI function.
fn calls_of(trace: &Trace, name: &str) -> Vec<bool> {
    let regions = trace.definitions.regions.iter();
    let wanted: Vec<bool> = regions
        .map(|region| super::calls::is(&region.name, name))
        .collect();
    let calls = |location: &mpiscope_model::Location| {
        let events = &location.events;
        let mut enters = events.kinds().iter().zip(events.args());
        enters.any(|(kind, region)| {
            *kind == EventKind::Enter && wanted.get(*region as usize) == Some(&true)
        })
    };
    match wanted.contains(&true) {
        true => trace.locations.iter().map(calls).collect(),
        false => vec![false; trace.locations.len()],
    }
}
