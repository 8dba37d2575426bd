//! What of early waits is due to a late MPI_Win_complete: the origin's last operation on a window had
//! been called, and it did something else before it completed its epoch (Hermanns et al. 2013,
//! Scalasca's "late complete").

use mpiscope_model::{EventKind, LocationIndex, Timestamp, Trace};

use super::{Calls, Kind, Times, WaitState};
use crate::timeline::Timeline;

/// How the functions begin after which an epoch could have been completed.
const OPERATIONS: [&str; 9] = [
    "MPI_Put",
    "MPI_Get",
    "MPI_Accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Rput",
    "MPI_Rget",
    "MPI_Raccumulate",
    "MPI_Win_start",
];

/// Adds up what early waits had not been, had each origin completed its epoch as soon as it had called
/// its last operation.
pub(crate) fn find(trace: &Trace, lines: &[Timeline], waits: &[Vec<WaitState>]) -> Times {
    let calls = Calls { trace, lines };
    let early = waits
        .iter()
        .flatten()
        .filter(|it| it.kind == Kind::EarlyWait);
    let mut all = Times::default();
    for wait in early {
        all.add(wait.end - calls.last_operation_ended(wait).max(wait.begin));
    }
    all
}

impl Calls<'_> {
    /// Returns when the origin that was waited for had called its last operation, or begun its epoch.
    fn last_operation_ended(&self, wait: &WaitState) -> Timestamp {
        let location = wait.cause.location;
        let line = &self.lines[location.index()];
        let Some(complete) = line.around(wait.cause.index) else {
            return wait.end;
        };
        let kinds = self.trace.locations[location.index()].events.kinds();
        let mut leaves = (0..complete.enter)
            .rev()
            .filter(|it| kinds[*it as usize] == EventKind::Leave);
        let found = leaves.find(|it| self.is_operation(location, *it));
        found.map_or(wait.end, |index| line.times[index as usize])
    }

    fn is_operation(&self, location: LocationIndex, leave: u32) -> bool {
        let name = self.name_of(location, leave);
        OPERATIONS.iter().any(|begin| name.starts_with(begin))
    }
}
