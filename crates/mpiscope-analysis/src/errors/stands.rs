//! Where everybody was when a run ended that did not come to its end.

use mpiscope_model::{EventRef, LocationIndex, Rank};

use super::calls::End;
use super::stuck::{Look, Wait};
use crate::last_calls::last_of_mpi;

/// Where a location was at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The location.
    pub location: LocationIndex,
    /// How.
    pub standing: Standing,
    /// The enter of the MPI call that it was in, or of the last one before.
    pub call: Option<EventRef>,
    /// What that call waits for, if it is in one and that can be told.
    pub waits_for: Vec<WaitsFor>,
    /// All of that has to be done; else one thing of it is enough.
    pub all: bool,
    /// It may wait for requests, too, of which nothing can be told.
    pub untold: bool,
}

/// How a location was at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// In a call that never returned.
    Within,
    /// Between two calls, as far as is known.
    Outside,
    /// In MPI_Finalize, or after it.
    Finalized,
}

/// Something that a call waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitsFor {
    /// World ranks that have to do it.
    pub ranks: Vec<Rank>,
    /// One of them can do it alone; else all of them have to.
    pub any: bool,
    /// It is a message that they have to send.
    pub receives: bool,
}

/// Returns where all locations were that called MPI; nothing if every process
/// came to MPI_Finalize.
pub(super) fn stands(look: &Look, waits: &[Option<Wait>]) -> Vec<Stand> {
    let (trace, ends) = (look.trace, &look.calls.ends);
    if look.calls.is_all_over(look.processes) {
        return Vec::new();
    }
    let of = |(location, end): (u32, &End)| {
        let location = LocationIndex(location);
        let (standing, call) = match end {
            End::Elsewhere => return None,
            End::Within(enter) => (Standing::Within, Some(*enter)),
            End::Somewhere => (Standing::Outside, last_of_mpi(trace, location)),
            End::Finalized => (Standing::Finalized, last_of_mpi(trace, location)),
        };
        let needs = waits[location.index()].iter().flat_map(|wait| &wait.needs);
        let rank = |process: &u32| {
            let locations = &look.processes.locations[*process as usize];
            trace.locations[locations[0].index()].rank
        };
        let waits_for = needs.map(|need| WaitsFor {
            ranks: need.processes.iter().map(rank).collect(),
            any: need.any && need.processes.len() > 1,
            receives: need.receives,
        });
        let wait = waits[location.index()].as_ref();
        Some(Stand {
            location,
            standing,
            call,
            waits_for: waits_for.collect(),
            all: wait.is_some_and(|wait| wait.all),
            untold: wait.is_some_and(|wait| wait.untold),
        })
    };
    (0..).zip(ends).filter_map(of).collect()
}
