//! The collective operations that a process calls on communicators, each with
//! its number there.

use mpiscope_model::{Collective, CommId, Event, EventKind, Note, RequestId, Trace};
use rustc_hash::FxHashMap;

use super::counting::{Counting, Numbers, Pauses};
use super::members::Member;
use super::operations::{Calls, Over, Row};
use super::seen::{communicator, event, notes, place, sequence, Process};
use super::view::{At, View};

/// A call of a process, in the order of its calls.
struct Called {
    enter: Option<At>,
    exit: At,
    row: usize,
    stretch: usize,
}

/// What a place in the order of calls holds.
enum CallState {
    /// A nonblocking operation that may complete yet.
    Initiated(At, Option<u64>),
    Done(Called),
}

/// The calls of a process whose numbers on their communicator are known.
pub(super) fn calls(view: &View, process: &Process) -> Calls {
    let trace = view.trace;
    let mut walk = Walk::default();
    process.each(view, |at, kind| match kind {
        EventKind::MeasurementOnOff => walk.pauses.see(trace, at),
        EventKind::MpiCollectiveBegin
        | EventKind::MpiCollectiveEnd
        | EventKind::NonBlockingCollectiveRequest
        | EventKind::NonBlockingCollectiveComplete => walk.see(trace, at),
        _ => {}
    });
    walk.calls(trace, process)
}

/// A walk through the collective calls of a process.
#[derive(Default)]
struct Walk {
    rows: Numbers<(CommId, Option<u64>)>,
    counting: Counting,
    pauses: Pauses,
    places: Vec<CallState>,
    begun: FxHashMap<u32, Vec<At>>,
    initiated: FxHashMap<RequestId, usize>,
}

impl Walk {
    fn see(&mut self, trace: &Trace, at: At) {
        let (comm, enter, place) = match event(trace, at) {
            Event::MpiCollectiveBegin => {
                self.begun.entry(at.location).or_default().push(at);
                return;
            }
            Event::NonBlockingCollectiveRequest(request) => {
                self.initiated.insert(request, self.places.len());
                let persistent = persistent(trace, at);
                self.places.push(CallState::Initiated(at, persistent));
                return;
            }
            // Its caller began no other in between: it takes its place now.
            Event::MpiCollectiveEnd(ended) => {
                let begun = self.begun.entry(at.location).or_default().pop();
                (ended.comm, begun, None)
            }
            Event::NonBlockingCollectiveComplete(request, done) => {
                (done.comm, None, self.initiated.remove(&request))
            }
            _ => return,
        };
        let (enter, persistent) = match place.map(|place| &self.places[place]) {
            Some(CallState::Initiated(enter, persistent)) => (Some(*enter), *persistent),
            _ => (enter, None),
        };
        let row = self.rows.of((comm, persistent));
        let told = sequence(trace, at);
        let done = CallState::Done(Called {
            enter,
            exit: at,
            row,
            stretch: self.counting.count(row, self.pauses.count, told),
        });
        match place {
            Some(place) => self.places[place] = done,
            None => self.places.push(done),
        }
    }

    fn calls(mut self, trace: &Trace, process: &Process) -> Calls {
        let place = |comm| place(communicator(trace, comm)?, process.rank);
        let places = self.rows.keys.iter().map(|row| place(row.0));
        let places: Vec<Option<(usize, bool)>> = places.collect();
        let mut calls = Calls::default();
        for (comm, persistent) in &self.rows.keys {
            calls.row(Row {
                over: Over::Communicator,
                number: comm.0,
                persistent: *persistent,
            });
        }
        for state in self.places {
            match state {
                CallState::Done(called) => {
                    let number = self.counting.number(called.stretch);
                    if let Some((number, place)) = number.zip(places[called.row]) {
                        calls.add(called.row, number, called.member(trace, place));
                    }
                }
                // On which communicator it was nobody knows, nor what is the
                // number of any operation after it.
                CallState::Initiated(..) => self.counting.forget(),
            }
        }
        calls
    }
}

impl Called {
    fn member(&self, trace: &Trace, (rank, remote): (usize, bool)) -> Member {
        let exit = self.exit;
        Member {
            remote,
            dense: notes(trace, exit).any(|note| note == Note::Dense),
            ..Member::new(particulars(trace, exit), self.enter, exit, rank as u32)
        }
    }
}

/// What the end of an operation tells of it.
fn particulars(trace: &Trace, at: At) -> &Collective {
    match event(trace, at) {
        Event::MpiCollectiveEnd(ended) => ended,
        Event::NonBlockingCollectiveComplete(_, done) => done,
        other => unreachable!("{other:?} ends no collective operation"),
    }
}

/// Which of the operations initialized on its communicator is started, if one is.
fn persistent(trace: &Trace, at: At) -> Option<u64> {
    notes(trace, at).find_map(|note| match note {
        Note::Persistent(number) => Some(number),
        _ => None,
    })
}
