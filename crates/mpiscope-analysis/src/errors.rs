//! What MPI forbids, where the trace shows it.
//!
//! Only what is certain is called an error: in a run that was killed, a message
//! that nobody has received yet is none, nor is a call a deadlock whose partner
//! could still answer. Where recording was switched off for a while, nothing is
//! said of what is missing.

mod begun;
pub(crate) mod calls;
mod collectives;
mod messages;
mod pending;
mod stands;
mod stuck;
mod together;

use mpiscope_model::{EventKind, EventRef, Matching, Trace};

use crate::processes::Processes;
use begun::Sequences;
use calls::Calls;
pub use stands::{Stand, Standing, WaitsFor};
use stuck::Look;
pub use together::nothing_is_wrong;

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

impl ErrorKind {
    /// Returns whether it shows in what is there, not in what is missing: such
    /// an error is certain whatever the trace does not have.
    pub fn is_there(self) -> bool {
        matches!(self, ErrorKind::Truncation { .. } | ErrorKind::Type)
    }
}

/// What a trace shows of errors, and where everybody was at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// All errors, by event.
    pub errors: Vec<Error>,
    /// Where each location was when the run ended; empty if all processes came
    /// to MPI_Finalize.
    pub stands: Vec<Stand>,
    /// Receives that wait for ever, as part of an error: the enter of the call
    /// or, of a nonblocking one, its post.
    pub starving: Vec<EventRef>,
}

/// Finds all errors that a trace shows, by event.
pub fn errors(trace: &Trace, matching: &Matching) -> Vec<Error> {
    look(trace, matching).errors
}

/// Returns the receives and probes that wait for ever.
pub(crate) fn starving(trace: &Trace, matching: &Matching) -> Vec<EventRef> {
    let calls = Calls::new(trace, &Processes::new(trace));
    match calls.is_any_open() {
        true => look(trace, matching).starving,
        false => Vec::new(),
    }
}

/// Returns the calls that never returned, by the events that entered them: those in which
/// [`look`] finds locations standing, which looks for whom they wait, too.
pub fn unreturned(trace: &Trace) -> Vec<EventRef> {
    let processes = Processes::new(trace);
    let calls = Calls::new(trace, &processes);
    match calls.is_all_over(&processes) {
        true => Vec::new(),
        false => calls.open().collect(),
    }
}

/// Returns whether any location ended within a call of MPI.
pub fn ends_in_call(trace: &Trace) -> bool {
    Calls::new(trace, &Processes::new(trace)).is_any_open()
}

/// Finds all errors, and where everybody was at the end.
pub fn look(trace: &Trace, matching: &Matching) -> Findings {
    let processes = Processes::new(trace);
    let calls = Calls::new(trace, &processes);
    let mut found = Vec::new();
    messages::of_another_kind(trace, matching, &mut found);
    let sequences = match calls.is_any_open() {
        true => Sequences::new(trace, &processes, &calls),
        false => Sequences::default(),
    };
    let mut disagreeing = Vec::new();
    let opens =
        collectives::disagreements(trace, matching, &processes, sequences, &mut disagreeing);
    let look = Look {
        trace,
        matching,
        processes: &processes,
        calls: &calls,
        opens: &opens,
        freeing: &messages::calls_of(trace, "request_free"),
    };
    let paused = was_paused(trace);
    let waits = match paused {
        true => vec![None; trace.locations.len()],
        false => stuck::waits(&look),
    };
    let stands = stands::stands(&look, &waits);
    let mut starving = Vec::new();
    if !paused {
        let failed = messages::failed(trace, matching, &processes, &mut found);
        messages::unmatched(trace, matching, &processes, &calls, &failed, &mut found);
        messages::lost(trace, &processes, &calls, look.freeing, &mut found);
        found.append(&mut disagreeing);
        starving = stuck::collect(&look, waits, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    Findings {
        errors: found,
        stands,
        starving,
    }
}

/// Returns whether recording was switched off for a while, or calls were left
/// out: then nothing is said of what is missing.
pub fn was_paused(trace: &Trace) -> bool {
    !trace.definitions.told.calls || was_switched(trace)
}

/// Returns whether recording was switched off for a while.
pub fn was_switched(trace: &Trace) -> bool {
    let mut locations = trace.locations.iter();
    locations.any(|location| !location.events.switches().is_empty())
}

/// Returns the region of an enter.
pub(crate) fn region_name(trace: &Trace, event: EventRef) -> &str {
    let events = &trace.locations[event.location.index()].events;
    let index = event.index as usize;
    if events.kinds().get(index) != Some(&EventKind::Enter) {
        return "";
    }
    let region = trace.definitions.regions.get(events.args()[index] as usize);
    region.map_or("", |region| &region.name)
}

/// Returns the name of an MPI function in lower case and without `MPI_`, as
/// Fortran and C name it alike; of any other region its name in lower case.
pub(crate) fn plain_name(region: &str) -> String {
    let name = region.to_lowercase();
    match name.strip_prefix("mpi_") {
        Some(plain) => plain.to_owned(),
        None => name,
    }
}
