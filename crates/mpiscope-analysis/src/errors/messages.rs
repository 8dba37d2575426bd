//! Messages that do not fit, that nobody receives, and requests that nobody
//! asks for again.

use std::collections::{BTreeMap, BTreeSet};

use mpiscope_model::requests::UnderWay;
use mpiscope_model::{
    EventKind, EventRef, Events, Location, LocationIndex, Matching, Message, PointToPoint,
    PostedCall, Trace,
};
use rayon::prelude::*;

use super::calls::Calls;
use super::pending::pending;
use super::{region_name, Error, ErrorKind};
use crate::processes::Processes;
use crate::sharers::Sharers;

/// No row.
const NONE: u32 = u32::MAX;

/// Finds messages longer than their buffers, or of another type.
pub(super) fn of_another_kind(trace: &Trace, matching: &Matching, found: &mut Vec<Error>) {
    let mut locations = trace.locations.iter();
    if locations.all(|location| location.events.all_posted().len() == 0) {
        return;
    }
    let posts: Vec<Vec<u32>> = trace.locations.par_iter().map(posts).collect();
    let look = |messages: &[Message]| -> Vec<Error> {
        let error = |message: &Message| of_kind(trace, &posts, message);
        messages.iter().filter_map(error).collect()
    };
    let errors = matching.look_at_messages(look);
    found.extend(errors.into_iter().flatten());
}

/// Returns what is wrong with a message that was received, if anything.
fn of_kind(trace: &Trace, posts: &[Vec<u32>], message: &Message) -> Option<Error> {
    let kind = misfit(trace, posts, message.receive, sent(trace, message.send))?;
    Some(Error {
        event: message.receive,
        kind,
        others: vec![message.send],
    })
}

/// How long what was sent is, and of which type, if that is known.
type Sent = (u64, Option<u64>);

fn sent(trace: &Trace, send: EventRef) -> Sent {
    let events = &trace.locations[send.location.index()].events;
    let index = send.index as usize;
    let row = events.args()[index] as usize;
    (events.messages()[row].bytes, events.signature(index))
}

/// Returns what is wrong where this was received, if anything.
fn misfit(
    trace: &Trace,
    posts: &[Vec<u32>],
    receive: EventRef,
    (bytes, sent): Sent,
) -> Option<ErrorKind> {
    let received = &trace.locations[receive.location.index()].events;
    let row = received.args()[receive.index as usize] as usize;
    let post = *posts[receive.location.index()].get(row)?;
    let posted = received.posted_in(post as usize)?;
    match (posted.capacity, posted.signature.zip(sent)) {
        (Some(capacity), _) if bytes > capacity => Some(ErrorKind::Truncation { bytes, capacity }),
        (_, Some((expected, sent))) if expected != sent => Some(ErrorKind::Type),
        _ => None,
    }
}

/// Returns whether all messages that were received here fit, wherever they were sent.
pub(super) fn all_fit(trace: &Trace, matching: &Matching, sharers: Sharers) -> bool {
    let posts: Vec<Vec<u32>> = trace.locations.par_iter().map(posts).collect();
    let told = sharers.of_sends(matching, |it| sent(trace, it.send));
    let fits = |receive, sent| misfit(trace, &posts, receive, sent).is_none();
    let here = |it: &Message| sharers.is_here(it.send) && sharers.is_here(it.receive);
    let fit_here = |messages: &[Message]| {
        let mut here = messages.iter().filter(|it| here(it));
        here.all(|it| fits(it.receive, sent(trace, it.send)))
    };
    let all_here = matching.look_at_messages(fit_here);
    !all_here.contains(&false) && told.iter().all(|(it, sent)| fits(it.receive, *sent))
}

/// Returns by row of the message what each receive of a location that completed had asked for, as
/// a row of [`Events::all_posted`]; nothing of a location that tells of none.
fn posts(location: &Location) -> Vec<u32> {
    let events = &location.events;
    let mut posts = match events.all_posted().len() {
        0 => return Vec::new(),
        _ => vec![NONE; events.messages().len()],
    };
    let mut requests = UnderWay::default();
    let mut entered = None;
    let mut posted = (0u32..).zip(events.all_posted()).peekable();
    for (index, kind) in (0u32..).zip(events.kinds()) {
        let own = posted.next_if(|(_, (event, _))| *event == index);
        let own = own.map(|(number, _)| number);
        let row = || events.args()[index as usize] as usize;
        match kind {
            EventKind::Enter => entered = own,
            EventKind::MpiIrecvRequest => {
                if let Some(own) = own {
                    requests.insert(events.requests()[row()], own);
                }
            }
            EventKind::MpiRecv | EventKind::MpiIrecv => {
                let row = row();
                let post = match events.messages()[row].request {
                    Some(request) => requests.take(request),
                    None => entered,
                };
                posts[row] = post.unwrap_or(NONE);
            }
            _ => {}
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
    let kinds = events.kinds();
    let ends = |&index: &usize| matches!(kinds[index], EventKind::Leave | EventKind::MpiRecv);
    let end = (enter.index as usize..kinds.len()).find(ends);
    let empty = |end| kinds[end] == EventKind::Leave && !events.is_cut_short(end);
    name.contains("recv") && end.is_some_and(empty)
}

fn bytes(trace: &Trace, send: EventRef) -> u64 {
    message(trace, send).bytes
}

/// Returns whether a send is what a receive at a location asks for.
pub(super) fn suits(
    trace: &Trace,
    processes: &Processes,
    send: EventRef,
    receiver: LocationIndex,
    posted: &PostedCall,
) -> bool {
    let message = message(trace, send);
    let to = processes.peer(trace, send.location, message.comm, message.peer);
    let from = processes.of[send.location.index()];
    let source = |source| processes.peer(trace, receiver, posted.comm, source);
    to == Some(processes.of[receiver.index()])
        && message.comm == posted.comm
        && posted.tag.is_none_or(|tag| tag == message.tag)
        && posted.source.is_none_or(|rank| source(rank) == Some(from))
}

/// Finds messages that were certainly never received though their receiver has ended.
pub(super) fn unmatched(
    trace: &Trace,
    matching: &Matching,
    processes: &Processes,
    calls: &Calls,
    failed: &BTreeSet<EventRef>,
    found: &mut Vec<Error>,
) {
    let mut excuses = Excuses::new(trace, processes);
    let unmatched = matching.unmatched_sends.iter();
    for &send in unmatched.filter(|send| !failed.contains(send)) {
        let message = message(trace, send);
        let to = processes.peer(trace, send.location, message.comm, message.peer);
        let cut = |to| {
            let mut locations = processes.locations[to as usize].iter();
            locations.any(|location| trace.locations[location.index()].truncated.is_some())
        };
        let Some(to) = to.filter(|&to| calls.is_over(to) && !cut(to)) else {
            continue;
        };
        if !excuses.may_be_cancelled(send) && !excuses.may_be_received(send, to) {
            found.push(Error {
                event: send,
                kind: ErrorKind::UnmatchedSend,
                others: Vec::new(),
            });
        }
    }
}

/// Why a send that nobody was seen to receive may be right all the same.
struct Excuses<'a> {
    trace: &'a Trace,
    processes: &'a Processes,
    /// By location: it calls MPI_Cancel.
    cancelling: Vec<bool>,
    /// By process, once it was asked for: operations that never completed.
    pending: BTreeMap<u32, Vec<EventRef>>,
    /// Receives under way that may have taken sends of a channel: sender,
    /// communicator, receiver and tag, with those that are left.
    left: BTreeMap<(LocationIndex, u32, u32, u32), usize>,
}

impl Excuses<'_> {
    fn new<'a>(trace: &'a Trace, processes: &'a Processes) -> Excuses<'a> {
        Excuses {
            trace,
            processes,
            cancelling: calls_of(trace, "cancel"),
            pending: BTreeMap::new(),
            left: BTreeMap::new(),
        }
    }

    fn pending(&mut self, process: u32) -> &[EventRef] {
        let locations = &self.processes.locations[process as usize];
        let find = || {
            let all = pending(self.trace, locations).into_iter();
            all.map(|(event, _)| event).collect()
        };
        self.pending.entry(process).or_insert_with(find)
    }

    /// A send that was cancelled and then freed, or never asked for again, may
    /// have gone nowhere (MPI 4.1 §3.8.4).
    fn may_be_cancelled(&mut self, send: EventRef) -> bool {
        let process = self.processes.of[send.location.index()];
        let locations = &self.processes.locations[process as usize];
        let cancels = locations.iter().any(|it| self.cancelling[it.index()]);
        cancels && self.pending(process).contains(&send)
    }

    /// A receive that never completed, as it was freed or lost, has taken its
    /// message all the same, and of a channel the first (MPI 4.1 §3.5, §3.7.3).
    fn may_be_received(&mut self, send: EventRef, to: u32) -> bool {
        let message = message(self.trace, send);
        let (comm, peer, tag) = (message.comm.0, message.peer, message.tag);
        let key = (send.location, comm, peer, tag);
        if !self.left.contains_key(&key) {
            let (trace, processes) = (self.trace, self.processes);
            let takes = |event: &&EventRef| {
                let events = &trace.locations[event.location.index()].events;
                let receives = events.kinds()[event.index as usize] == EventKind::MpiIrecvRequest;
                let posted = events.posted(event.index as usize);
                let suits = |posted| suits(trace, processes, send, event.location, posted);
                receives && posted.is_none_or(suits)
            };
            let left = self.pending(to).iter().filter(takes).count();
            self.left.insert(key, left);
        }
        let left = self.left.entry(key).or_default();
        let may = *left > 0;
        *left = left.saturating_sub(1);
        may
    }
}

fn message(trace: &Trace, send: EventRef) -> &PointToPoint {
    let events = &trace.locations[send.location.index()].events;
    &events.messages()[events.args()[send.index as usize] as usize]
}

/// Finds requests that were lost by processes that have ended.
pub(super) fn lost(
    trace: &Trace,
    processes: &Processes,
    calls: &Calls,
    freeing: &[bool],
    found: &mut Vec<Error>,
) {
    let is_cut = |location: &LocationIndex| trace.locations[location.index()].truncated.is_some();
    // That a request was freed, a trace does not tell.
    let frees = |location: &LocationIndex| freeing[location.index()];
    let of_process = |(process, locations): (usize, &Vec<LocationIndex>)| {
        let mut all = locations.iter();
        let ended = calls.is_over(process as u32);
        match ended && !all.any(|location| is_cut(location) || frees(location)) {
            true => pending(trace, locations),
            false => Vec::new(),
        }
    };
    let processes = processes.locations.par_iter().enumerate();
    let lost: Vec<Vec<_>> = processes.map(of_process).collect();
    found.extend(lost.into_iter().flatten().map(|(event, _)| Error {
        event,
        kind: ErrorKind::LostRequest,
        others: Vec::new(),
    }));
}

/// Returns which locations call an MPI function.
pub(super) fn calls_of(trace: &Trace, name: &str) -> Vec<bool> {
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
