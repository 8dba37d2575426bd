//! What the events of one location refer to.
//!
//! Locations are read side by side, so that none may define what all lack.
//! Each keeps a list of what it missed; when all are read these are defined,
//! location by location, and those who missed something are read again. That
//! takes time only where an archive is incomplete, and numbers come out as if
//! locations were read one after the other.

use std::collections::HashSet;

use mpiscope_model::{CallSiteId, CommId, GroupId, MetricValue, RegionId, TeamId, WinId};

use super::notes::Attributes;
use super::tables::Tables;

/// The archive's number of something that events refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reference {
    Region(u32),
    Communicator(u32),
    Window(u32),
    Team(u32),
}

/// The tables as one location sees them.
pub(super) struct Names<'a> {
    tables: &'a Tables,
    seen: HashSet<Reference>,
    undefined: Vec<Reference>,
}

impl<'a> Names<'a> {
    pub fn new(tables: &'a Tables) -> Self {
        Self {
            tables,
            seen: HashSet::new(),
            undefined: Vec::new(),
        }
    }

    /// Returns what was asked for in vain, in order of first appearance.
    pub fn undefined(self) -> Vec<Reference> {
        self.undefined
    }

    /// Returns a region; any, if it is missed.
    #[inline]
    pub fn region(&mut self, id: u32) -> RegionId {
        let found = self.tables.find_region(id);
        found.unwrap_or_else(|| self.miss(Reference::Region(id)))
    }

    /// Returns a communicator; any, if it is missed.
    #[inline]
    pub fn communicator(&mut self, id: u32) -> CommId {
        let found = self.tables.find_communicator(id);
        found.unwrap_or_else(|| self.miss(Reference::Communicator(id)))
    }

    /// Returns how many processes a communicator has on its larger side; nothing where nobody says.
    #[inline]
    pub fn members(&self, comm: CommId) -> Option<u32> {
        let comm = self.tables.definitions.communicators.get(comm.index())?;
        let remote = comm.remote.as_ref().map_or(0, Vec::len);
        let most = comm.members.len().max(remote) as u32;
        (most > 0).then_some(most)
    }

    /// Returns a window; any, if it is missed.
    pub fn window(&mut self, id: u32) -> WinId {
        let found = self.tables.find_window(id);
        found.unwrap_or_else(|| self.miss(Reference::Window(id)))
    }

    /// Returns a team of threads; any, if it is missed.
    pub fn team(&mut self, id: u32) -> TeamId {
        let found = self.tables.find_team(id);
        found.unwrap_or_else(|| self.miss(Reference::Team(id)))
    }

    /// Returns a group that was defined, if there are windows.
    pub fn group(&self, id: u32) -> Option<GroupId> {
        self.tables.group(id)
    }

    /// Returns whether a region is an operation among neighbours.
    pub fn is_neighborhood(&self, region: RegionId) -> bool {
        self.tables.is_neighborhood(region)
    }

    /// Returns a place that calls were made from, if it was defined.
    #[inline]
    pub fn call_site(&self, id: u32) -> Option<CallSiteId> {
        self.tables.find_call_site(id)
    }

    /// Returns the region of a calling context, if it was defined.
    pub fn region_of_context(&self, id: u32) -> Option<RegionId> {
        self.tables.region_of_context(id)
    }

    /// Returns what an event says of metrics, if they were defined.
    pub fn metric_values(
        &self,
        class: u32,
        values: &[otf2::MetricValue],
    ) -> Option<Vec<MetricValue>> {
        self.tables.metric_values(class, values)
    }

    pub fn attributes(&self) -> &'a Attributes {
        &self.tables.attributes
    }

    /// Notes what others asked for in vain.
    pub fn missed(&mut self, references: &[Reference]) {
        let new = (references.iter()).filter(|reference| self.seen.insert(**reference));
        self.undefined.extend(new);
    }

    #[cold]
    fn miss<Id: Default>(&mut self, reference: Reference) -> Id {
        if self.seen.insert(reference) {
            self.undefined.push(reference);
        }
        Id::default()
    }
}
