//! The messages and operations that sweeps go by: of a process that shares the trace its own, or
//! all, once it had to know them.

use std::sync::{Arc, OnceLock};

use mpiscope_model::{Matching, Trace};
use rayon::prelude::*;

use crate::collective_syncs::of_members;
use crate::exchange::Crew;
use crate::links::{links_in, members_in};
use crate::logical::CollectiveSync;
use crate::records::Records;

/// Fewer collective operations than this are not worth another thread.
pub(crate) const OPERATIONS: usize = 256;

/// A matching with what follows from it.
pub(crate) struct Linked<'a> {
    trace: &'a Trace,
    own: Part<'a>,
    /// Room for all of it.
    room: &'a OnceLock<Matching>,
    whole: OnceLock<Part<'a>>,
}

struct Part<'a> {
    matching: &'a Matching,
    collectives: Vec<Option<CollectiveSync<'a>>>,
    of_member: Arc<[u32]>,
}

impl<'a> Part<'a> {
    fn new(trace: &'a Trace, matching: &'a Matching) -> Part<'a> {
        let collectives = (matching.collectives.par_iter())
            .with_min_len(OPERATIONS)
            .map(|instance| CollectiveSync::new(trace, matching, instance))
            .collect();
        Part {
            matching,
            collectives,
            of_member: of_members(matching),
        }
    }
}

impl<'a> Linked<'a> {
    /// Begins with what this process knows.
    pub fn new(trace: &'a Trace, own: &'a Matching, room: &'a OnceLock<Matching>) -> Linked<'a> {
        Linked {
            trace,
            own: Part::new(trace, own),
            room,
            whole: OnceLock::new(),
        }
    }

    fn known(&self) -> &Part<'a> {
        self.whole.get().unwrap_or(&self.own)
    }

    pub fn matching(&self) -> &'a Matching {
        self.known().matching
    }

    /// What each operation implies.
    pub fn collectives(&self) -> &[Option<CollectiveSync<'a>>] {
        &self.known().collectives
    }

    /// What each operation implies of those that this process knew at first.
    pub fn own_collectives(&self) -> &[Option<CollectiveSync<'a>>] {
        &self.own.collectives
    }

    /// The operation of each member.
    pub fn of_member(&self) -> &Arc<[u32]> {
        &self.known().of_member
    }

    /// Has a process that knew its own alone know all, and call it in its records as all do.
    /// All processes come here, if one does.
    pub fn know_all(&self, crew: Crew, records: &mut Records) {
        if let Some(whole) = self.unknown(crew) {
            let own = self.own.matching;
            records.rename(&links_in(whole, own), &members_in(whole, own));
            self.whole.get_or_init(|| Part::new(self.trace, whole));
        }
    }

    /// Returns all, with the numbers there of the members that are known here by others; to look at
    /// it, as all processes do, if one does.
    pub fn look_at_all(&self, crew: Crew) -> (&'a Matching, Option<Vec<u32>>) {
        match self.unknown(crew) {
            Some(whole) => (whole, Some(members_in(whole, self.own.matching))),
            None => (self.matching(), None),
        }
    }

    /// Returns all of what a process knows its own of alone, if that is so.
    fn unknown(&self, crew: Crew) -> Option<&'a Matching> {
        let own = self.own.matching;
        match crew {
            Crew::Processes(processes) if own.of_all.is_some() && self.whole.get().is_none() => {
                let whole = || self.trace.whole_matching(own, processes);
                Some(self.room.get_or_init(whole))
            }
            _ => None,
        }
    }
}
