//! Where the time goes, region by region, and from which lines.

use std::collections::BTreeMap;

use mpiscope_archive::model::{CallSiteId, Event, Location, LocationKind, Timestamp, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A part of the program, over all locations of one kind.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// How often it was entered.
    pub calls: u64,
    /// Time between enter and leave, summed up.
    pub time_ns: i64,
    /// The places from which it was called, as far as they are known, most time first.
    pub sites: Vec<Site>,
}

/// A place from which a region was called.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// For example `heat.c:42`.
    pub place: String,
    /// The function around it, if it is known.
    pub function: Option<String>,
    /// How often the region was entered from there.
    pub calls: u64,
    /// Time between enter and leave, summed up.
    pub time_ns: i64,
}

/// Calls and time.
#[derive(Clone, Copy, Default)]
struct Sum {
    calls: u64,
    time_ns: i64,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.calls += other.calls;
        self.time_ns = self.time_ns.saturating_add(other.time_ns);
    }
}

/// A region, and the place it was entered from.
type Key = (u32, Option<CallSiteId>);

/// Sums up calls and times of the locations of one kind; a leave closes the
/// region entered last.
pub fn regions(trace: &Trace, kind: LocationKind) -> Vec<Region> {
    let mut by_region: BTreeMap<u32, Vec<(CallSiteId, Sum)>> = BTreeMap::new();
    let mut all: BTreeMap<u32, Sum> = BTreeMap::new();
    for ((region, site), sum) in sums(trace, kind) {
        all.entry(region).or_default().add(sum);
        by_region.entry(region).or_default();
        if let (Some(site), Some(sites)) = (site, by_region.get_mut(&region)) {
            sites.push((site, sum));
        }
    }
    let names = &trace.definitions.regions;
    let mut regions: Vec<Region> = by_region
        .into_iter()
        .map(|(region, sites)| Region {
            name: names
                .get(region as usize)
                .map_or_else(|| format!("region {region}"), |region| region.name.clone()),
            calls: all[&region].calls,
            time_ns: all[&region].time_ns,
            sites: places(trace, sites),
        })
        .collect();
    regions.sort_by(|a, b| b.time_ns.cmp(&a.time_ns).then(a.name.cmp(&b.name)));
    regions
}

fn sums(trace: &Trace, kind: LocationKind) -> BTreeMap<Key, Sum> {
    let of_kind: Vec<&Location> = (trace.locations.iter())
        .filter(|location| location.kind == kind)
        .collect();
    let of_each = of_kind.par_iter().map(|location| of_location(location));
    let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
    for (key, sum) in of_each.collect::<Vec<_>>().into_iter().flatten() {
        sums.entry(key).or_default().add(sum);
    }
    sums
}

fn of_location(location: &Location) -> FxHashMap<Key, Sum> {
    let events = &location.events;
    let mut sums: FxHashMap<Key, Sum> = FxHashMap::default();
    let mut open: Vec<(Key, Timestamp)> = Vec::new();
    for (index, (time, event)) in events.iter().enumerate() {
        match event {
            Event::Enter(region) => {
                let key = (region.0, events.call_site(index));
                sums.entry(key).or_default().calls += events.polls(index).unwrap_or(1);
                open.push((key, time));
            }
            Event::Leave(region) if open.last().is_some_and(|top| top.0 .0 == region.0) => {
                if let Some((key, entered)) = open.pop() {
                    let sum = &mut sums.entry(key).or_default().time_ns;
                    *sum = sum.saturating_add((time - entered).0);
                }
            }
            _ => {}
        }
    }
    sums
}

/// Puts together what stands on one line, as inlined functions and loops unrolled do.
fn places(trace: &Trace, sites: Vec<(CallSiteId, Sum)>) -> Vec<Site> {
    let mut places: BTreeMap<(String, Option<String>), Sum> = BTreeMap::new();
    for (site, sum) in sites {
        if let Some(site) = trace.definitions.call_sites.get(site.index()) {
            let key = (site.to_string(), site.function.clone());
            places.entry(key).or_default().add(sum);
        }
    }
    let mut places: Vec<Site> = places
        .into_iter()
        .map(|((place, function), Sum { calls, time_ns })| Site {
            place,
            function,
            calls,
            time_ns,
        })
        .collect();
    places.sort_by(|a, b| b.time_ns.cmp(&a.time_ns).then(a.place.cmp(&b.place)));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_regions_count_their_own_time_and_open_ones_none() {
        let trace =
            Trace::parse("0: 1 enter(a) 2 enter(b) 4 leave(b) 9 leave(a) 10 enter(b)").unwrap();
        let region = |name: &str, calls, time_ns| Region {
            name: name.into(),
            calls,
            time_ns,
            sites: Vec::new(),
        };
        let threads = regions(&trace, LocationKind::Thread);
        assert_eq!(threads, [region("a", 1, 8), region("b", 2, 2)]);
    }

    #[test]
    fn the_time_of_accelerators_is_apart() {
        let picture = "accelerator 0.1:\n0: 1 enter(a) 3 leave(a)\n0.1: 1 enter(k) 9 leave(k)";
        let trace = Trace::parse(picture).unwrap();
        let of = |kind| {
            let regions = regions(&trace, kind).into_iter();
            regions.map(|it| (it.name, it.time_ns)).collect::<Vec<_>>()
        };
        assert_eq!(of(LocationKind::Thread), [("a".to_owned(), 2)]);
        assert_eq!(of(LocationKind::Accelerator), [("k".to_owned(), 8)]);
    }

    #[test]
    fn calls_from_one_line_are_one_place() {
        let trace = Trace::parse(
            "0: 1 enter(a) !at(a.c:7) 2 leave(a) 3 enter(a) !at(a.c:9) 9 leave(a)
             1: 1 enter(a) !at(a.c:7) 3 leave(a)",
        )
        .unwrap();
        let sites = &regions(&trace, LocationKind::Thread)[0].sites;
        let found: Vec<_> = (sites.iter())
            .map(|site| (site.place.as_str(), site.calls, site.time_ns))
            .collect();
        assert_eq!(found, [("a.c:9", 1, 6), ("a.c:7", 2, 3)]);
    }
}
