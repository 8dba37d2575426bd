//! In which order rows come: as recorded, location by location, or those of all locations by time.
//!
//! The events of each location are in order already, so that all are merged with one event of each
//! in hand, as `print --merged` does. Other rows are sorted by a time of theirs; what that takes
//! beside the trace is as long as the table, and lies where `--memory` has the trace.

use mpiscope_analysis::merged::merged;
use mpiscope_archive::model::{EventRef, LocationIndex, Timestamp, Trace};

/// The order of the rows of all tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Location by location, or as the matching has them.
    Recorded,
    /// By time, of equal times by location.
    Merged,
}

/// Rows on their way into a table.
pub type Ordered<'a, R> = Box<dyn Iterator<Item = R> + 'a>;

impl Order {
    /// Says which it is, for the metadata of a table.
    pub fn name(self) -> &'static str {
        match self {
            Order::Recorded => "by location",
            Order::Merged => "by time, of equal times by location",
        }
    }

    /// Walks through the events of locations.
    pub fn events<'a>(
        self,
        trace: &'a Trace,
        locations: Vec<LocationIndex>,
    ) -> Ordered<'a, EventRef> {
        if self == Order::Merged {
            return Box::new(merged(trace, &locations));
        }
        let events = |at: LocationIndex| {
            let count = trace.locations[at.index()].events.len();
            (0..count).map(move |index| EventRef::new(at, index))
        };
        Box::new(locations.into_iter().flat_map(events))
    }

    /// Puts rows in order by a time of theirs and the event that has it; of one event they stay as
    /// they come.
    pub fn rows<'a, R: 'a>(
        self,
        trace: &'a Trace,
        rows: impl Iterator<Item = R> + 'a,
        at: impl Fn(&R) -> (Timestamp, EventRef),
    ) -> Ordered<'a, R> {
        if self == Order::Recorded {
            return Box::new(rows);
        }
        let key = |row: &R| {
            let (time, event) = at(row);
            (
                time,
                trace.locations[event.location.index()].id,
                event.index,
            )
        };
        let mut rows: Vec<_> = rows.map(|row| (key(&row), row)).collect();
        rows.sort_by_key(|(key, _)| *key);
        Box::new(rows.into_iter().map(|(_, row)| row))
    }
}

/// Returns all locations of a trace.
pub fn all(trace: &Trace) -> Vec<LocationIndex> {
    (0..trace.locations.len() as u32)
        .map(LocationIndex)
        .collect()
}
