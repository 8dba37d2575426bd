//! MPI_Init and MPI_Finalize, as barriers of all processes.
//!
//! The standard asks for neither (MPI 4.1 §11.2), but MPI_Finalize is
//! collective over all connected processes, and libraries meet there. Whether
//! anything follows is for those to say who use the matching.

use super::calls::Chosen;
use super::parties::{member, Parties};
use super::processes::{events_of, Processes};
use crate::definitions::{CollectiveOp, CommId, LocationIndex, Rank, RegionId};
use crate::events::{EventKind, Events};
use crate::messages::Matching;
use crate::plain;
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let found = calls(trace, processes.iter());
    meet(&found, processes.len(), matching);
}

/// One process's call.
#[derive(Clone, Copy)]
pub(in crate::matching) struct End {
    /// World rank of the process.
    pub rank: Rank,
    op: CollectiveOp,
    enter: EventRef,
    exit: EventRef,
}

plain! { End { rank, op, enter, exit } }

/// Finds the calls of some processes, in their order.
pub(in crate::matching) fn calls<'a>(
    trace: &Trace,
    processes: impl Iterator<Item = &'a (Rank, Vec<LocationIndex>)>,
) -> Vec<End> {
    let init = Chosen::named(trace, &["MPI_Init", "MPI_Init_thread"]);
    let finalize = Chosen::named(trace, &["MPI_Finalize"]);
    let mut all = Vec::new();
    for (rank, locations) in processes {
        let mut add = |op, call: Option<(EventRef, EventRef)>| {
            all.extend(call.map(|(enter, exit)| End {
                rank: *rank,
                op,
                enter,
                exit,
            }));
        };
        if init.any() {
            let first = |events: &Events| (0..events.len()).find(|&i| enters(events, i, &init));
            add(CollectiveOp::Init, call(trace, locations, first));
        }
        if finalize.any() {
            let last = |events: &Events| {
                let mut backward = (0..events.len()).rev();
                backward.find(|&i| enters(events, i, &finalize))
            };
            add(CollectiveOp::Finalize, call(trace, locations, last));
        }
    }
    all
}

/// Brings together the calls of so many processes, which are in their order.
pub(in crate::matching) fn meet(calls: &[End], processes: usize, matching: &mut Matching) {
    let mut parties = Parties::new();
    for call in calls {
        let member = member(call.enter, call.exit, call.rank.0);
        let is_last = call.op == CollectiveOp::Finalize;
        parties.add(is_last, call.op, CommId::NONE, None, member);
    }
    parties.finish(matching, |_| processes);
}

fn enters(events: &Events, index: usize, regions: &Chosen) -> bool {
    events.kinds()[index] == EventKind::Enter && regions.has(RegionId(events.args()[index]))
}

/// Returns enter and exit of the call that `find` finds in the first location
/// that has one.
fn call(
    trace: &Trace,
    locations: &[LocationIndex],
    find: impl Fn(&Events) -> Option<usize>,
) -> Option<(EventRef, EventRef)> {
    locations.iter().find_map(|&location| {
        let events = events_of(trace, location);
        let enter = find(events)?;
        // None if the process ended within.
        let leave = events
            .call_end(enter)
            .filter(|&it| !events.is_cut_short(it))?;
        Some((
            EventRef::new(location, enter),
            EventRef::new(location, leave),
        ))
    })
}
