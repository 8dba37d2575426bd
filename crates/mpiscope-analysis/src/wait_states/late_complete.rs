//! What of early waits is due to a late MPI_Win_complete (Scalasca's "late complete"): the origin's
//! last operation on a window had been called, and it did something else before it completed its
//! epoch. Which window an operation is on is not known here: the last on any counts.

use std::collections::HashMap;

use mpiscope_model::{EventKind, EventRef, LocationIndex, Timestamp, Trace};

use super::{Calls, Kind, Times, WaitState};
use crate::timeline::Timeline;

/// Functions after which an epoch could have been completed.
const OPERATIONS: [&str; 11] = [
    "MPI_Put",
    "MPI_Get",
    "MPI_Accumulate",
    "MPI_Get_accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Rput",
    "MPI_Rget",
    "MPI_Raccumulate",
    "MPI_Rget_accumulate",
    "MPI_Win_start",
];

/// Adds up what early waits would not have been, had each origin completed its epoch as soon as it had
/// called its last operation.
pub(crate) fn find(trace: &Trace, lines: &[Timeline], waits: &[Vec<WaitState>]) -> Times {
    let calls = Calls { trace, lines };
    let is_early = |it: &&WaitState| it.kind == Kind::EarlyWait;
    let early: Vec<&WaitState> = waits.iter().flatten().filter(is_early).collect();
    let mut all = Times::default();
    if early.is_empty() {
        return all;
    }
    let regions = trace.definitions.regions.iter();
    let is_operation: Vec<bool> = regions.map(|region| is_operation(&region.name)).collect();
    let mut of_locations: HashMap<LocationIndex, HashMap<u32, Timestamp>> = HashMap::new();
    for wait in early {
        let location = wait.cause.location;
        let ended = of_locations
            .entry(location)
            .or_insert_with(|| calls.operations_before(location, &is_operation));
        if let Some(ended) = calls.entered(wait.cause).and_then(|it| ended.get(&it)) {
            all.add(wait.end - (*ended).max(wait.begin));
        }
    }
    all
}

fn is_operation(name: &str) -> bool {
    let name = name.strip_suffix("_c").unwrap_or(name);
    OPERATIONS.iter().any(|it| it.eq_ignore_ascii_case(name))
}

impl Calls<'_> {
    /// Returns the event that enters the call of another one.
    fn entered(&self, event: EventRef) -> Option<u32> {
        let call = self.lines[event.location.index()].around(event.index)?;
        Some(call.enter)
    }

    /// Returns of each MPI_Win_complete of a location, by the event that enters it, when the last
    /// operation before it was over.
    fn operations_before(
        &self,
        location: LocationIndex,
        is_operation: &[bool],
    ) -> HashMap<u32, Timestamp> {
        let events = &self.trace.locations[location.index()].events;
        let times = &self.lines[location.index()].times;
        let rows = events.kinds().iter().zip(events.args());
        let mut last = None;
        let mut found = HashMap::new();
        for (index, (&kind, &region)) in (0u32..).zip(rows) {
            match kind {
                EventKind::Leave if is_operation.get(region as usize) == Some(&true) => {
                    last = Some(times[index as usize]);
                }
                EventKind::Enter => {
                    let name = self.name_of(location, index);
                    let completes = name.eq_ignore_ascii_case("MPI_Win_complete");
                    found.extend(last.filter(|_| completes).map(|last| (index, last)));
                }
                _ => {}
            }
        }
        found
    }
}
