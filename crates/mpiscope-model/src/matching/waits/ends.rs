//! MPI_Init and MPI_Finalize, as barriers of all processes.
//!
//! The standard asks for neither (MPI 4.1 §11.2), but MPI_Finalize is
//! collective over all connected processes, and libraries meet there. Whether
//! anything follows is for those to say who use the matching.

use super::calls::Chosen;
use super::parties::{member, Parties};
use super::processes::{events_of, Processes};
use crate::definitions::{CollectiveOp, CommId, LocationIndex, RegionId};
use crate::events::{EventKind, Events};
use crate::messages::Matching;
use crate::trace::{EventRef, Trace};

pub(super) fn collect(trace: &Trace, processes: &Processes, matching: &mut Matching) {
    let init = Chosen::named(trace, &["MPI_Init", "MPI_Init_thread"]);
    let finalize = Chosen::named(trace, &["MPI_Finalize"]);
    let mut parties = Parties::new();
    for (rank, locations) in processes {
        let mut add = |key: u32, op, call: Option<(EventRef, EventRef)>| {
            if let Some((enter, exit)) = call {
                parties.add(key, op, CommId::NONE, None, member(enter, exit, rank.0));
            }
        };
        if init.any() {
            let first = |events: &Events| (0..events.len()).find(|&i| enters(events, i, &init));
            add(0, CollectiveOp::Init, call(trace, locations, first));
        }
        if finalize.any() {
            let last = |events: &Events| {
                let mut backward = (0..events.len()).rev();
                backward.find(|&i| enters(events, i, &finalize))
            };
            add(1, CollectiveOp::Finalize, call(trace, locations, last));
        }
    }
    parties.finish(matching, |_| processes.len());
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
