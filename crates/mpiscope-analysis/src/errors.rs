//! What MPI forbids, where the trace shows it.
//!
//! Only what is certain is called an error: in a run that was killed, a message
//! that nobody has received yet is none, nor is a call a deadlock whose partner
//! could still answer. Where recording was switched off for a while, nothing is
//! said of what is missing.

mod calls;
mod collectives;
mod messages;
mod stuck;

use mpiscope_model::{EventKind, EventRef, Matching, Trace};

use crate::races::Processes;
use calls::Calls;

/// An error of the program, at one event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Error {
    /// The event: a send, the entry of a receive that never returned, a post.
    pub event: EventRef,
    /// What is wrong.
    pub kind: ErrorKind,
    /// What else takes part: the send of a message too long, those whom a
    /// deadlocked call waits for, the member that a collective disagrees with.
    pub others: Vec<EventRef>,
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A message that its receiver never received, though it came to its end.
    UnmatchedSend,
    /// A receive or probe that waits for ranks which have ended.
    UnmatchedReceive,
    /// A message longer than the buffer that received it.
    Truncation {
        /// Its length.
        bytes: u64,
        /// How many the buffer holds.
        capacity: u64,
    },
    /// A message received as another type than it was sent.
    Type,
    /// A nonblocking operation that was neither completed nor freed.
    LostRequest,
    /// Members of a communicator call different operations.
    CollectiveOrder,
    /// They name different roots.
    CollectiveRoot,
    /// They ask for different amounts of data.
    CollectiveCount,
    /// They name different types.
    CollectiveType,
    /// A call that waits, directly or not, for itself.
    Deadlock,
}

impl ErrorKind {
    /// Returns its name: `unmatched send`, `deadlock`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::UnmatchedSend => "unmatched send",
            ErrorKind::UnmatchedReceive => "unmatched receive",
            ErrorKind::Truncation { .. } => "truncation",
            ErrorKind::Type => "type",
            ErrorKind::LostRequest => "lost request",
            ErrorKind::CollectiveOrder => "collective order",
            ErrorKind::CollectiveRoot => "collective root",
            ErrorKind::CollectiveCount => "collective count",
            ErrorKind::CollectiveType => "collective type",
            ErrorKind::Deadlock => "deadlock",
        }
    }
}

/// Finds all errors that a trace shows, by event.
pub fn errors(trace: &Trace, matching: &Matching) -> Vec<Error> {
    let processes = Processes::new(trace);
    let calls = Calls::new(trace, &processes);
    let mut found = Vec::new();
    messages::of_another_kind(trace, matching, &mut found);
    if !was_paused(trace) {
        let failed = messages::failed(trace, matching, &processes, &mut found);
        messages::unmatched(trace, matching, &processes, &calls, &failed, &mut found);
        messages::lost(trace, &processes, &calls, &mut found);
        let open = collectives::disagreements(trace, matching, &processes, &calls, &mut found);
        stuck::collect(trace, matching, &processes, &calls, &open, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn was_paused(trace: &Trace) -> bool {
    let mut locations = trace.locations.iter();
    locations.any(|location| !location.events.switches().is_empty())
}

/// Returns the region of an enter.
fn region_name(trace: &Trace, event: EventRef) -> &str {
    let events = &trace.locations[event.location.index()].events;
    let index = event.index as usize;
    if events.kinds().get(index) != Some(&EventKind::Enter) {
        return "";
    }
    let region = trace.definitions.regions.get(events.args()[index] as usize);
    region.map_or("", |region| &region.name)
}
