//! A trace as tables in Arrow's columns, which data frames take without copying.
//!
//! The columns that every trace has are called as Pipit calls them (`Timestamp (ns)`,
//! `Event Type`, `Name`, `Process`, `Thread`, `time.inc`, `time.exc`), the others as in the tables
//! of `mpiscope export`. Times are nanoseconds since the first event, ranks are world ranks. What
//! refers to an event names its row in the table of events.
//!
//! ```
//! use mpiscope_model::Trace;
//! use mpiscope_tables::Tables;
//!
//! let trace = Trace::parse("
//!     0: 0 enter(MPI_Recv) 52 recv<1 53 leave(MPI_Recv)
//!     1: 0 50 enter(MPI_Send) 50 send>0 54 leave(MPI_Send)
//! ")?;
//! let tables = Tables::new(&trace);
//! assert_eq!(tables.events().num_rows(), 7);
//! assert_eq!(tables.messages(&trace.matching()).num_rows(), 1);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```
#![forbid(unsafe_code)]

mod calls;
mod columns;
mod definitions;
mod events;
mod messages;
mod texts;
mod wait_states;

use arrow_array::RecordBatch;
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::described::{comm_name, origin, region_name};
use mpiscope_analysis::nesting::Enclosing;
use mpiscope_model::{
    CallSiteId, CommId, Event, EventRef, Location, Matching, RegionId, Timestamp, Trace,
};
use rayon::prelude::*;

use texts::Texts;

/// What tables of a trace are made from.
#[derive(Debug)]
pub struct Tables<'a> {
    trace: &'a Trace,
    origin: Timestamp,
    /// By location, the row of its first event.
    first_rows: Vec<usize>,
    regions: Texts,
    communicators: Texts,
    call_sites: Texts,
}

/// Which enter each event belongs to, by location.
struct Around<'a> {
    trace: &'a Trace,
    enclosing: Vec<Enclosing>,
}

impl<'a> Tables<'a> {
    /// Looks at a trace.
    pub fn new(trace: &'a Trace) -> Tables<'a> {
        let definitions = &trace.definitions;
        let mut row = 0;
        let first_row = |location: &Location| {
            let first = row;
            row += location.events.len();
            first
        };
        let regions = (0..definitions.regions.len() as u32).map(RegionId);
        let communicators = (0..definitions.communicators.len() as u32).map(CommId);
        let sites: Vec<String> = definitions
            .call_sites
            .iter()
            .map(ToString::to_string)
            .collect();
        Tables {
            trace,
            origin: origin(trace),
            first_rows: trace.locations.iter().map(first_row).collect(),
            regions: Texts::of(regions.map(|it| region_name(trace, it))),
            communicators: Texts::of(communicators.map(|it| comm_name(trace, it))),
            call_sites: Texts::of(sites.iter().map(|site| Some(site.as_str()))),
        }
    }

    /// One row an event, location by location, in the order in which they were recorded.
    pub fn events(&self) -> RecordBatch {
        events::table(self)
    }

    /// One row a matched message.
    pub fn messages(&self, matching: &Matching) -> RecordBatch {
        messages::table(self, matching)
    }

    /// One row a call, that is for each region entered, location by location.
    pub fn calls(&self) -> RecordBatch {
        calls::table(self)
    }

    /// One row a wait state, of times that can be wrong by so much.
    pub fn wait_states(&self, matching: &Matching, errors: &ClockErrors) -> RecordBatch {
        wait_states::table(self, matching, errors)
    }

    /// One row a location, with the rows of its events.
    pub fn locations(&self) -> RecordBatch {
        definitions::locations(self)
    }

    /// One row a communicator.
    pub fn communicators(&self) -> RecordBatch {
        definitions::communicators(self)
    }

    /// One row a place in the program that MPI was called from.
    pub fn call_sites(&self) -> RecordBatch {
        definitions::call_sites(self)
    }

    /// Returns the nanoseconds since the first event.
    fn ns(&self, time: Timestamp) -> i64 {
        (time - self.origin).0
    }

    fn time(&self, event: EventRef) -> i64 {
        self.ns(self.trace.time(event))
    }

    fn location(&self, event: EventRef) -> &'a Location {
        &self.trace.locations[event.location.index()]
    }

    /// Returns the row of an event.
    fn row(&self, event: EventRef) -> i64 {
        (self.first_rows[event.location.index()] + event.index as usize) as i64
    }

    fn region(&self, region: Option<RegionId>) -> Option<i32> {
        self.regions.code(region?.index())
    }

    fn communicator(&self, comm: CommId) -> Option<i32> {
        self.communicators.code(comm.index())
    }

    fn call_site(&self, site: Option<CallSiteId>) -> Option<i32> {
        self.call_sites.code(site?.index())
    }
}

impl<'a> Around<'a> {
    fn new(trace: &'a Trace) -> Around<'a> {
        let locations = trace.locations.par_iter();
        Around {
            trace,
            enclosing: locations.map(|it| Enclosing::of(&it.events)).collect(),
        }
    }

    /// Returns the region that an event belongs to, and from where that was called.
    fn call(&self, event: EventRef) -> (Option<RegionId>, Option<CallSiteId>) {
        let events = &self.trace.locations[event.location.index()].events;
        let enter = self.enclosing[event.location.index()].enter(event.index as usize);
        match enter.map(|enter| (events.event(enter), events.call_site(enter))) {
            Some((Event::Enter(region), site)) => (Some(region), site),
            _ => (None, None),
        }
    }
}

/// Returns the world rank of a location.
fn rank(location: &Location) -> i64 {
    i64::from(location.rank.0)
}
