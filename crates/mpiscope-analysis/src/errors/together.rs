//! Whether processes that share a trace, each with its own events, can say that nothing is wrong in
//! it. Where they cannot there may be nothing, too: who has all events has to look.

use mpiscope_model::{Matching, Processes as Job, Trace};

use super::calls::Calls;
use super::{collectives, messages, was_paused};
use crate::processes::Processes;
use crate::sharers::Sharers;

/// Returns whether all find nothing; they come to this together.
pub fn nothing_is_wrong(trace: &Trace, matching: &Matching, job: &dyn Job) -> bool {
    let Some(sharers) = Sharers::of(trace, Some(job)) else {
        return false;
    };
    let here = is_fine_here(trace, matching);
    let messages = messages::all_fit(trace, matching, sharers);
    let operations = collectives::all_agree(trace, matching, sharers);
    let all = sharers.share(vec![here && messages && operations]);
    !all.contains(&false)
}

/// Returns whether everything of these locations' own is in order: all came to MPI_Finalize, every
/// message has its other side, and no request was lost.
fn is_fine_here(trace: &Trace, matching: &Matching) -> bool {
    let processes = Processes::new(trace);
    let calls = Calls::new(trace, &processes);
    let is_whole = trace.locations.iter().all(|it| it.truncated.is_none());
    let is_over = !calls.is_any_open() && calls.is_all_over(&processes);
    let counts = matching.counts();
    let has_all = counts.unmatched_sends == 0
        && counts.unmatched_receives == 0
        && matching.unmatched_collectives.is_empty()
        && matching.collectives.iter().all(|it| it.consistent);
    let mut lost = Vec::new();
    let freeing = messages::calls_of(trace, "request_free");
    messages::lost(trace, &processes, &calls, &freeing, &mut lost);
    is_whole && is_over && has_all && lost.is_empty() && !was_paused(trace)
}
