//! A call that is not as recorded: said once, and then the rank goes its own
//! way, or the run ends, as the user wished.

use mpiscope_run::order::outcome::{Divergence, State};
use mpiscope_run::order::{Found, Outcome, Taken, CALLS_PER_CHECKPOINT};

use super::call::OrderedCall;
use super::{hash, outcome, trace_comparison};
use crate::base::code_place::code_place;
use crate::base::site;

/// A wildcard receive whose record does not fit.
#[cold]
pub fn at_receive(call: &mut OrderedCall, taken: Taken, size: u32) {
    let expected = match taken.source >= size {
        true => format!(
            "a receive from rank {}, which this communicator does not have",
            taken.source
        ),
        false => format!("a receive that took {}", message(taken)),
    };
    let site = recorded_site(call);
    diverge(call, expected, 0, site);
}

/// A call that the trace of the recorded run does not have in this place.
#[cold]
pub fn at_call(call: &mut OrderedCall, expected: String, site: String) {
    diverge(call, expected, 0, site);
}

/// Where the call in this place was when it was recorded, if a trace tells.
fn recorded_site(call: &OrderedCall) -> String {
    let comparison = call.thread.comparison.as_ref();
    comparison.map_or_else(String::new, |comparison| comparison.site().to_owned())
}

/// A wait or poll whose record is of another kind.
#[cold]
pub fn at_outcome(call: &mut OrderedCall) {
    let expected = call.thread.cursor.as_ref().map(|cursor| {
        // The one just used, or the one that did not fit.
        let at = cursor.outcomes.saturating_sub(1);
        let order = cursor.order;
        let next = order
            .outcomes
            .get(cursor.outcomes)
            .or(order.outcomes.get(at));
        next.map_or_else(|| "nothing more".to_owned(), described_outcome)
    });
    let site = recorded_site(call);
    diverge(call, expected.unwrap_or_default(), 0, site);
}

/// A checkpoint whose hash differs.
#[cold]
pub fn at_checkpoint(call: &mut OrderedCall) {
    let expected = match call.thread.comparison.is_some() {
        true => "the same calls, but one with other arguments of which a trace does not tell",
        false => "other calls (their hash at this checkpoint differs)",
    };
    diverge(
        call,
        expected.to_owned(),
        CALLS_PER_CHECKPOINT - 1,
        String::new(),
    );
}

/// MPI_Finalize after more or fewer calls than recorded, or others.
pub fn at_end(call: &mut OrderedCall, expected: String) {
    let within = call.thread.hot.hash.calls() % CALLS_PER_CHECKPOINT;
    diverge(call, expected, within.saturating_sub(1), String::new());
}

fn diverge(call: &mut OrderedCall, expected: String, within: u64, expected_site: String) {
    call.thread.cursor = None;
    call.thread.comparison = None;
    let session = call.thread.session;
    if let Some(turns) = &session.turns {
        turns.set_free();
    }
    let divergence = Divergence {
        thread: call.thread.number,
        call: call.thread.hot.hash.calls(),
        within,
        came: described(call),
        site: code_place(site::noted()),
        expected,
        expected_site,
    };
    if !session.report.is_first(divergence) {
        return;
    }
    if session.stop {
        outcome::give_up(session, State::Stopped);
    }
    // What goes another way may soon crash, and say no more.
    let _ = outcome::write_outcome(session, State::Silent, Vec::new());
}

/// Names a call with its integers: `MPI_Recv(count=1, source=2, tag=0)`.
pub fn described(call: &OrderedCall) -> String {
    let name = hash::described(call.function, &call.mpi.abi, |at| call.int(at));
    match trace_comparison::bytes_of(call) {
        Some(bytes) => format!("{name}, {bytes} bytes"),
        None => name,
    }
}

fn message(taken: Taken) -> String {
    match taken.tag {
        Some(tag) => format!("a message from rank {} with tag {tag}", taken.source),
        None => format!("a message from rank {}", taken.source),
    }
}

fn described_outcome(outcome: &Outcome) -> String {
    let index = |index: &Option<u32>| index.map_or("no index".to_owned(), |k| format!("index {k}"));
    let indices = |all: &Option<Vec<u32>>| match all {
        Some(all) => format!("indices {all:?}"),
        None => "no indices".to_owned(),
    };
    match outcome {
        Outcome::Index(k) => format!("a wait for any that returned {}", index(k)),
        Outcome::Indices(all) => format!("a wait for some that returned {}", indices(all)),
        Outcome::Success { misses, found } => {
            let found = match found {
                Found::Nothing => "succeeded".to_owned(),
                Found::Index(k) => format!("returned {}", index(k)),
                Found::Indices(all) => format!("returned {}", indices(all)),
                Found::Message(taken) => format!("found {}", message(*taken)),
            };
            format!("a test or probe that {found} after {misses} that did not")
        }
    }
}
