//! The next call of a kind, or the one before.

use mpiscope_model::{EventKind, EventRef, Events, LocationIndex};
use rayon::prelude::*;

use crate::class::Class;
use crate::line::Line;
use crate::paths::CHUNK;
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
            let event = within.next(&line, line.before(from.saturating_add(1)))?;
            Some(within.found(event))
        });
        found.min_by_key(|it| (it.time, it.event))
    }

    /// Returns the last call that begins before a moment.
    pub fn previous(&self, search: &Search, from: u64) -> Option<Found> {
        let matcher = self.matcher(search);
        let found = matcher.locations().filter_map(|within| {
            let line = self.line(within.location);
            let event = within.previous(&line, line.before(from))?;
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
    /// Returns whether some event of the chunk of one may suit; of what is begun there the sums of
    /// its call paths tell.
    fn may_suit(&self, event: u32) -> bool {
        let Matcher {
            clock,
            search,
            regions,
        } = self.all;
        if search.communicator.is_some() || search.tag.is_some() {
            return true;
        }
        let paths = &clock.view.paths;
        let suits = |path: u32| {
            let region = paths.nodes[path as usize].1;
            regions.get(region as usize).copied().unwrap_or(false)
        };
        // Calls of rare paths count as what is around them.
        paths.is_cut() || clock.view.chunks[self.location.index()].begins(event, suits)
    }

    /// Returns the first event from one on that suits.
    fn next(&self, line: &Line, mut from: u32) -> Option<u32> {
        while from < line.len() {
            let behind = (from / CHUNK + 1).saturating_mul(CHUNK).min(line.len());
            if self.may_suit(from) {
                let found = (from..behind).find(|event| self.suits(line, *event));
                if found.is_some() {
                    return found;
                }
            }
            from = behind;
        }
        None
    }

    /// Returns the last event before one that suits.
    fn previous(&self, line: &Line, mut behind: u32) -> Option<u32> {
        while behind > 0 {
            let from = (behind - 1) / CHUNK * CHUNK;
            if self.may_suit(from) {
                let found = (from..behind).rev().find(|event| self.suits(line, *event));
                if found.is_some() {
                    return found;
                }
            }
            behind = from;
        }
        None
    }

    fn suits(&self, line: &Line, event: u32) -> bool {
        let Matcher {
            clock,
            search,
            regions,
        } = self.all;
        let (kind, arg) = line.event(event);
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
                let of = |events: &Events, at: usize| {
                    let row = events.args()[at] as usize;
                    let message = events.messages().get(row)?;
                    Some((message.comm.0, Some(message.tag)))
                };
                line.with_event(event, of)
            }
            MpiCollectiveEnd => {
                let of = |events: &Events, at: usize| {
                    let collective = events.collectives().get(events.args()[at] as usize);
                    collective.map(|it| (it.comm.0, None))
                };
                line.with_event(event, of)
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
