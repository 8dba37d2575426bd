//! Synchronous sends: none ends before its receive is posted.

use std::collections::HashSet;

use mpiscope_model::{Event, Note};
use rustc_hash::FxHashMap;

use super::calls::Calls;
use super::seen::{event, notes, Process};
use super::view::{At, View};

/// The ends of the synchronous sends of a part.
pub(super) fn ends(view: &View, processes: &[Process]) -> FxHashMap<At, At> {
    let mut ends = FxHashMap::default();
    for process in processes {
        let synchronous = sends(view, process);
        if synchronous.is_empty() {
            continue;
        }
        let calls = Calls::of(view, process, |_| true);
        let mut sending = FxHashMap::default();
        process.each(view, |at, _| match event(view.trace, at) {
            Event::MpiSend(_) if synchronous.contains(&at) => {
                let leave = calls[process.thread(at)].leave(at.index());
                ends.extend(leave.map(|leave| (at, view.at(at.location, leave))));
            }
            Event::MpiIsend(message) => {
                sending.extend(message.request.map(|request| (request, at)));
            }
            Event::MpiIsendComplete(request) => {
                let send = sending.remove(&request);
                ends.extend(
                    send.filter(|it| synchronous.contains(it))
                        .map(|it| (it, at)),
                );
            }
            _ => {}
        });
    }
    ends
}

/// The sends of a process that are synchronous by their names or by a note.
fn sends(view: &View, process: &Process) -> HashSet<At> {
    let mut regions = view.trace.definitions.regions.iter();
    let named = regions.any(|region| by_name(region.name.trim_end_matches("_c")));
    let mut sends = HashSet::new();
    if named || process.any(view.trace, |events| !events.notes().is_empty()) {
        let calls = Calls::of(view, process, by_name);
        process.each(view, |at, _| {
            let named = || by_name(calls[process.thread(at)].name(at.index()));
            let noted = || notes(view.trace, at).any(|note| note == Note::Synchronous);
            let send = matches!(
                event(view.trace, at),
                Event::MpiSend(_) | Event::MpiIsend(_)
            );
            if send && (named() || noted()) {
                sends.insert(at);
            }
        });
    }
    sends
}

fn by_name(name: &str) -> bool {
    name == "MPI_Ssend" || name == "MPI_Issend"
}

/// Where the receives of a part were posted.
pub(super) fn posts(view: &View, processes: &[Process]) -> FxHashMap<At, At> {
    let mut posts = FxHashMap::default();
    for process in processes {
        let calls = Calls::of(view, process, |_| true);
        let mut receiving = FxHashMap::default();
        let mut paused = false;
        process.each(view, |at, _| match event(view.trace, at) {
            Event::MpiRecv(_) => {
                let enter = calls[process.thread(at)].enter(at.index());
                posts.extend(enter.map(|enter| (at, view.at(at.location, enter))));
            }
            // Switched on, recording posts active receives once more.
            Event::MpiIrecvRequest(request) if paused => {
                receiving.entry(request).or_insert(at);
            }
            Event::MpiIrecvRequest(request) => {
                receiving.insert(request, at);
            }
            Event::MeasurementOnOff(_) => paused = true,
            Event::MpiIrecv(message) => {
                let post = message
                    .request
                    .and_then(|request| receiving.remove(&request));
                posts.extend(post.map(|post| (at, post)));
            }
            _ => {}
        });
    }
    posts
}
