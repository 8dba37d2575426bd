//! The next call of a kind, or the one before.

use mpiscope_analysis::finding::named;
use mpiscope_analysis::races::CallPlace;
use mpiscope_model::{CallSiteId, EventKind, EventRef, Events, LocationIndex, RegionId};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::class::Class;
use crate::encode::NONE;
use crate::line::Line;
use crate::paths::{Called, CHUNK};
use crate::run::{Clocked, Run};
use crate::state::Frame;

/// What is looked for: what holds for all that is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// A part of `MPI_Send at heat.c:42`, in any case: the region's name, and where it is called.
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
        let of_regions = calls.filter(|(suits, _)| **suits).map(|(_, calls)| calls);
        let paths = &self.view.paths.nodes;
        let by_site = |path: u32| matcher.by_site.contains(&paths[path as usize].1);
        let sums = self.view.chunks.iter().flat_map(|it| &it.sums);
        let of_sites = sums.filter(|(path, _)| by_site(*path));
        let of_sites: u64 = match matcher.by_site.is_empty() {
            true => 0,
            false => of_sites.map(|(_, sum)| sum.calls).sum(),
        };
        Some(of_regions.sum::<u64>() + of_sites)
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
        let regions: Vec<bool> = regions.zip(0..).map(suits).collect();
        let by_site = text.map(|text| self.called_at(&text, search.class, &regions));
        Matcher {
            clock: self,
            search,
            regions,
            by_site: by_site.unwrap_or_default(),
        }
    }

    /// Returns what is called where a text says so, as far as not all calls of the region suit.
    fn called_at(&self, text: &str, class: Option<Class>, regions: &[bool]) -> FxHashSet<Called> {
        let Run { trace, .. } = self.run;
        let suits = |called: &Called| {
            let place = CallPlace {
                site: Some(CallSiteId(called.site)),
                region: Some(RegionId(called.region)),
            };
            let of_class = class.is_none_or(|it| self.run.regions.class(called.region) == it);
            called.site != NONE
                && of_class
                && !regions.get(called.region as usize).is_some_and(|it| *it)
                && says(&named(trace, place).to_lowercase(), text)
        };
        let mut all: FxHashSet<Called> = self.view.paths.nodes.iter().map(|it| it.1).collect();
        all.retain(suits);
        all
    }
}

/// Returns whether a text stands in another: a line number that it ends with is the whole number.
fn says(name: &str, text: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let goes_on = |behind: &str| text.ends_with(is_digit) && behind.starts_with(is_digit);
    let mut all = name.match_indices(text);
    all.any(|(at, _)| !goes_on(&name[at + text.len()..]))
}

/// What suits a search, in all locations.
struct Matcher<'a> {
    clock: &'a Clocked<'a>,
    search: &'a Search,
    /// By number, whether all calls of it suit.
    regions: Vec<bool>,
    /// What suits by where it is called alone.
    by_site: FxHashSet<Called>,
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
            _ if asks_region && !self.regions.contains(&true) && self.by_site.is_empty() => {
                Vec::new()
            }
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

    /// Returns whether a call of a region suits; `site` knows where it stands.
    fn takes(&self, region: u32, site: impl FnOnce() -> u32) -> bool {
        let all = self.regions.get(region as usize).is_some_and(|it| *it);
        let by_site = || {
            let site = site();
            self.by_site.contains(&Called { region, site })
        };
        all || !self.by_site.is_empty() && by_site()
    }
}

impl OfLocation<'_> {
    /// Returns whether some event of the chunk of one may suit; of what is begun there the sums of
    /// its call paths tell.
    fn may_suit(&self, event: u32) -> bool {
        let Matcher { clock, search, .. } = self.all;
        if search.communicator.is_some() || search.tag.is_some() {
            return true;
        }
        let paths = &clock.view.paths;
        let suits = |path: u32| {
            let Called { region, site } = paths.nodes[path as usize].1;
            self.all.takes(region, || site)
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
        let Matcher { clock, search, .. } = self.all;
        let (kind, arg) = line.event(event);
        let (comm, tag) = match (search.communicator, search.tag) {
            (None, None) => {
                let suits = || self.all.takes(arg, || line.site(event, arg));
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
            let asks_region = search.text.is_some() || search.class.is_some();
            let suits = || {
                let around = clock.call_around(self.event(event));
                let takes = |frame: Frame| {
                    let site = || line.site(frame.enter, frame.region);
                    self.all.takes(frame.region, site)
                };
                around.is_some_and(takes)
            };
            !asks_region || suits()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_not_the_first_digits_of_another() {
        let name = "mpi_send at heat.c:71";
        for text in [
            "",
            "send at heat",
            "heat.c:71",
            "mpi_send at heat.c:",
            "at heat.c",
        ] {
            assert!(says(name, text), "{text}");
        }
        assert!(!says(name, "heat.c:7") && !says(name, "send at heat.c:7"));
        assert!(says("f at 7a at b7.c:7", "7"));
    }
}
