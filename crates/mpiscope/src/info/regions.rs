//! Where the time goes, region by region.

use std::collections::BTreeMap;

use mpiscope_run::model::{Event, Timestamp, Trace};
use serde::Serialize;

/// A part of the program, over all locations.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Region {
    /// Its name.
    pub name: String,
    /// How often it was entered.
    pub calls: u64,
    /// Time between enter and leave, summed up.
    pub time_ns: i64,
}

/// Sums up calls and times; a leave closes the region entered last.
pub fn regions(trace: &Trace) -> Vec<Region> {
    let mut sums: BTreeMap<u32, (u64, i64)> = BTreeMap::new();
    for location in &trace.locations {
        let mut open: Vec<(u32, Timestamp)> = Vec::new();
        for (time, event) in location.events.iter() {
            match event {
                Event::Enter(region) => {
                    sums.entry(region.0).or_default().0 += 1;
                    open.push((region.0, time));
                }
                Event::Leave(region) if open.last().is_some_and(|top| top.0 == region.0) => {
                    let entered = open.pop().map_or(time, |top| top.1);
                    let sum = &mut sums.entry(region.0).or_default().1;
                    *sum = sum.saturating_add((time - entered).0);
                }
                _ => {}
            }
        }
    }
    let names = &trace.definitions.regions;
    let mut regions: Vec<Region> = sums
        .into_iter()
        .map(|(region, (calls, time_ns))| Region {
            name: names
                .get(region as usize)
                .map_or_else(|| format!("region {region}"), |region| region.name.clone()),
            calls,
            time_ns,
        })
        .collect();
    regions.sort_by(|a, b| b.time_ns.cmp(&a.time_ns).then(a.name.cmp(&b.name)));
    regions
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
        };
        assert_eq!(regions(&trace), [region("a", 1, 8), region("b", 2, 2)]);
    }
}
