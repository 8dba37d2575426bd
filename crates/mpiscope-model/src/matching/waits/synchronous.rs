//! Synchronous sends end only after their receive was posted (MPI 4.1 §3.4).
//!
//! So there is a message back: from where the receive was posted (the entry
//! into its call, or its request) to where the send ended (the exit from its
//! call, or the completion of its request).

use rustc_hash::FxHashMap;

use super::calls::{around, Chosen};
use super::processes::{events_of, in_order, locations_of, Processes};
use crate::definitions::LocationIndex;
use crate::events::{EventKind, Events, Note, RequestId};
use crate::messages::{BoundKind, Matching};
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let regions = Chosen::named(trace, &["MPI_Ssend", "MPI_Issend"]);
    let noted = |events: &Events| {
        let mut notes = events.notes().iter();
        notes.any(|(_, note)| *note == Note::Synchronous)
    };
    if !regions.any() && !trace.locations.iter().any(|l| noted(&l.events)) {
        return;
    }
    let mut exits: FxHashMap<EventRef, EventRef> = FxHashMap::default();
    for (_, locations) in processes {
        send_exits(trace, locations, &regions, &mut exits);
    }
    let synchronous = matching.messages.iter();
    let pairs: Vec<(EventRef, EventRef)> = synchronous
        .filter_map(|message| Some((message.receive, *exits.get(&message.send)?)))
        .collect();
    let mut wanted: Vec<EventRef> = pairs.iter().map(|(receive, _)| *receive).collect();
    wanted.sort_unstable();
    let posts = receive_posts(trace, processes, &wanted);
    for (receive, exit) in pairs {
        if let Some(post) = posts.get(&receive) {
            matching.bind(BoundKind::Synchronous, *post, exit);
        }
    }
}

/// Finds where the synchronous sends of a process end.
fn send_exits(
    trace: &Trace,
    locations: &[LocationIndex],
    regions: &Chosen,
    exits: &mut FxHashMap<EventRef, EventRef>,
) {
    let mut nonblocking: Vec<EventRef> = Vec::new();
    for &location in locations {
        let events = events_of(trace, location);
        let noted = |index: u32| {
            let mut notes = events.notes_of(index as usize);
            notes.any(|note| note == Note::Synchronous)
        };
        let sends: Vec<u32> = (0..events.len() as u32)
            .filter(|&index| {
                use EventKind::{MpiIsend, MpiSend};
                matches!(events.kinds()[index as usize], MpiSend | MpiIsend)
                    && (regions.any() || noted(index))
            })
            .collect();
        for (&index, call) in sends.iter().zip(around(events, &sends)) {
            if !call.is_some_and(|call| regions.has(call.region)) && !noted(index) {
                continue;
            }
            let send = EventRef { location, index };
            match events.kinds()[index as usize] {
                EventKind::MpiIsend => nonblocking.push(send),
                _ => {
                    let leave = call.and_then(|call| call.leave);
                    exits.extend(leave.map(|index| (send, EventRef { location, index })));
                }
            }
        }
    }
    nonblocking.sort_unstable();
    let completions = pairs_of_requests(trace, locations, EventKind::MpiIsendComplete);
    let synchronous = |(post, _): &(EventRef, EventRef)| nonblocking.binary_search(post).is_ok();
    exits.extend(completions.into_iter().filter(synchronous));
}

/// Finds where the receives of `wanted`, which ascend, were posted.
fn receive_posts(
    trace: &Trace,
    processes: &Processes,
    wanted: &[EventRef],
) -> FxHashMap<EventRef, EventRef> {
    let mut posts = FxHashMap::default();
    for of_location in wanted.chunk_by(|a, b| a.location == b.location) {
        let location = of_location[0].location;
        let events = events_of(trace, location);
        let indices: Vec<u32> = of_location.iter().map(|receive| receive.index).collect();
        for (receive, call) in of_location.iter().zip(around(events, &indices)) {
            let blocking = events.kinds()[receive.index as usize] == EventKind::MpiRecv;
            if let (true, Some(call)) = (blocking, call) {
                let index = call.enter;
                posts.insert(*receive, EventRef { location, index });
            }
        }
    }
    let ranks = wanted
        .iter()
        .map(|receive| trace.locations[receive.location.index()].rank);
    let mut ranks: Vec<_> = ranks.collect();
    ranks.sort_unstable();
    ranks.dedup();
    for rank in ranks {
        let locations = locations_of(processes, rank);
        let pairs = pairs_of_requests(trace, locations, EventKind::MpiIrecv);
        posts.extend(
            pairs
                .into_iter()
                .map(|(post, completion)| (completion, post)),
        );
    }
    posts
}

/// Pairs the posts of a process's nonblocking sends (or receives) with the
/// completions of the kind given.
fn pairs_of_requests(
    trace: &Trace,
    locations: &[LocationIndex],
    completion: EventKind,
) -> Vec<(EventRef, EventRef)> {
    let post = match completion {
        EventKind::MpiIrecv => EventKind::MpiIrecvRequest,
        _ => EventKind::MpiIsend,
    };
    let rows: Vec<Vec<(u32, (EventKind, RequestId))>> = (locations.iter())
        .map(|&location| requests(events_of(trace, location), [post, completion]))
        .collect();
    let mut active: FxHashMap<u64, EventRef> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (event, (kind, request)) in in_order(trace, locations, &rows) {
        // A receive that was active when recording was switched on is posted
        // again there; what counts is when it first was.
        let again = kind == EventKind::MpiIrecvRequest
            && !events_of(trace, event.location).switches().is_empty();
        if kind == post && again {
            active.entry(request.0).or_insert(event);
        } else if kind == post {
            active.insert(request.0, event);
        } else {
            pairs.extend(active.remove(&request.0).map(|post| (post, event)));
        }
    }
    pairs
}

fn requests(events: &Events, wanted: [EventKind; 2]) -> Vec<(u32, (EventKind, RequestId))> {
    let kinds = events.kinds().iter().enumerate();
    let wanted = kinds.filter(|(_, kind)| wanted.contains(kind));
    let request = |(index, &kind): (usize, &EventKind)| {
        let row = events.args()[index] as usize;
        let request = match kind {
            EventKind::MpiIsend | EventKind::MpiIrecv => events.messages()[row].request?,
            _ => events.requests()[row],
        };
        Some((index as u32, (kind, request)))
    };
    wanted.filter_map(request).collect()
}
