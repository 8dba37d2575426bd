//! The next call of a kind, or the one before.

use mpiscope_model::{EventKind, EventRef, LocationIndex};
use rayon::prelude::*;

use crate::class::Class;
use crate::run::Clocked;

/// What is looked for: what holds for all that is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// A part of the region's name, in any case.
    pub text: Option<String>,
    /// The region's class.
    pub class: Option<Class>,
    /// The communicator of a message or collective operation.
    pub communicator: Option<u32>,
    /// The tag of a message.
    pub tag: Option<u32>,
    /// The row.
    pub row: Option<u32>,
}

/// Where a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// When.
    pub time: u64,
    /// An event of it.
    pub event: EventRef,
}

impl Clocked<'_> {
    /// Returns the first call that begins after a moment.
    pub fn next(&self, search: &Search, from: u64) -> Option<Found> {
        let matcher = self.matcher(search);
        let found = matcher.locations().filter_map(|within| {
            let line = self.line(within.location);
            let mut events = line.before(from.saturating_add(1))..line.len();
            let event = events.find(|event| within.suits(*event))?;
            Some(within.found(event))
        });
        found.min_by_key(|it| (it.time, it.event))
    }

    /// Returns the last call that begins before a moment.
    pub fn previous(&self, search: &Search, from: u64) -> Option<Found> {
        let matcher = self.matcher(search);
        let found = matcher.locations().filter_map(|within| {
            let line = self.line(within.location);
            let mut events = (0..line.before(from)).rev();
            let event = events.find(|event| within.suits(*event))?;
            Some(within.found(event))
        });
        found.max_by_key(|it| (it.time, std::cmp::Reverse(it.event)))
    }

    /// Returns how many calls there are of what is looked for by name and class alone.
    pub fn total_of(&self, search: &Search) -> Option<u64> {
        let by_region = search.communicator.is_none() && search.tag.is_none();
        if !by_region || search.row.is_some() {
            return None;
        }
        let matcher = self.matcher(search);
        let calls = matcher.regions.iter().zip(&self.run.calls);
        Some(
            calls
                .filter(|(suits, _)| **suits)
                .map(|(_, calls)| calls)
                .sum(),
        )
    }

    fn matcher<'a>(&'a self, search: &'a Search) -> Matcher<'a> {
        let text = search.text.as_ref().map(|text| text.to_lowercase());
        let regions = self.run.trace.definitions.regions.iter();
        let suits = |(region, number): (&mpiscope_model::Region, u32)| {
            let name = text
                .as_ref()
                .is_none_or(|text| region.name.to_lowercase().contains(text));
            name && search
                .class
                .is_none_or(|class| self.run.regions.class(number) == class)
        };
        Matcher {
            clock: self,
            search,
            regions: regions.zip(0..).map(suits).collect(),
        }
    }
}

/// What suits a search, in all locations.
struct Matcher<'a> {
    clock: &'a Clocked<'a>,
    search: &'a Search,
    /// By number.
    regions: Vec<bool>,
}

/// What suits a search, in one location.
struct OfLocation<'a> {
    all: &'a Matcher<'a>,
    location: LocationIndex,
}

impl<'a> Matcher<'a> {
    fn locations(&'a self) -> impl ParallelIterator<Item = OfLocation<'a>> {
        let run = self.clock.run;
        let asks_region = self.search.text.is_some() || self.search.class.is_some();
        let locations: Vec<LocationIndex> = match self.search.row {
            // No event needs to be looked at to know that there is none.
            _ if asks_region && !self.regions.contains(&true) => Vec::new(),
            Some(row) => run
                .rows
                .locations
                .get(row as usize)
                .cloned()
                .unwrap_or_default(),
            None => (0..run.trace.locations.len() as u32)
                .map(LocationIndex)
                .collect(),
        };
        let location = |location| OfLocation {
            all: self,
            location,
        };
        locations.into_par_iter().map(location)
    }
}

impl OfLocation<'_> {
    fn suits(&self, event: u32) -> bool {
        let Matcher {
            clock,
            search,
            regions,
        } = self.all;
        let events = &clock.run.trace.locations[self.location.index()].events;
        let (kind, arg) = (
            events.kinds()[event as usize],
            events.args()[event as usize],
        );
        let (comm, tag) = match (search.communicator, search.tag) {
            (None, None) => {
                let suits = || regions.get(arg as usize).copied().unwrap_or(false);
                return kind == EventKind::Enter && suits();
            }
            asked => asked,
        };
        use EventKind::{MpiCollectiveEnd, MpiIrecv, MpiIsend, MpiProbe, MpiRecv, MpiSend};
        let says = match kind {
            MpiSend | MpiIsend | MpiRecv | MpiIrecv | MpiProbe => {
                let message = &events.messages()[arg as usize];
                Some((message.comm.0, Some(message.tag)))
            }
            MpiCollectiveEnd => {
                let collective = events.collectives().get(arg as usize);
                collective.map(|it| (it.comm.0, None))
            }
            _ => None,
        };
        let suits = |(of_comm, of_tag): (u32, Option<u32>)| {
            comm.is_none_or(|it| it == of_comm) && (tag.is_none() || tag == of_tag)
        };
        says.is_some_and(suits) && {
            let around = clock.region_around(self.event(event));
            let asks_region = search.text.is_some() || search.class.is_some();
            !asks_region || regions.get(around as usize).copied().unwrap_or(false)
        }
    }

    fn event(&self, event: u32) -> EventRef {
        EventRef {
            location: self.location,
            index: event,
        }
    }

    fn found(&self, event: u32) -> Found {
        Found {
            time: self.all.clock.line(self.location).time(event),
            event: self.event(event),
        }
    }
}
