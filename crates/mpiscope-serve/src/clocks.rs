//! How clocks went: what was added to each one's times, and how wrong that can be.

use std::collections::BTreeMap;

use mpiscope_model::{EventRef, LocationIndex};
use serde_json::{json, Value};

use crate::answer::Answer;
use crate::site::Shown;

/// Points of a curve, at most.
const MOST: usize = 500;

/// Answers `clocks`.
pub(crate) fn answer(shown: &Shown) -> Answer {
    let run = &shown.run;
    let mut by_clock: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (location, clock) in run.trace.clock_of_locations().into_iter().enumerate() {
        if run.trace.locations[location].is_thread() {
            by_clock.entry(clock).or_default().push(location as u32);
        }
    }
    let clocks = by_clock.iter().map(|(number, locations)| {
        // The location of most events has the finest curve.
        let events = |it: &&u32| run.events(LocationIndex(**it));
        let longest = locations.iter().max_by_key(events).copied().unwrap_or(0);
        let rows = locations
            .iter()
            .map(|it| run.rows.of_location[*it as usize]);
        json!({
            "name": name(shown, *number, locations),
            "rows": rows.collect::<Vec<_>>(),
            "measured_to_corrected": curve(shown, "corrected", longest).unwrap_or_default(),
            "true": curve(shown, "true", longest),
        })
    });
    Answer::json(&json!({ "clocks": clocks.collect::<Vec<_>>() }))
}

fn name(shown: &Shown, number: u32, locations: &[u32]) -> String {
    let rows = &shown.run.rows;
    let hosts = locations.iter().map(|it| {
        let row = rows.of_location[*it as usize];
        rows.host[row as usize]
    });
    let mut hosts: Vec<u32> = hosts.collect();
    hosts.dedup();
    match hosts[..] {
        [host] => rows.list[host as usize].name.clone(),
        _ => format!("clock {number}"),
    }
}

/// Returns what a clock adds to the measured times of a location: when by the best clock, how much,
/// and give or take how much.
fn curve(shown: &Shown, to: &str, location: u32) -> Option<Vec<Value>> {
    let run = &shown.run;
    let (measured, other) = (run.clock("measured")?, run.clock(to)?);
    let best = run.clocks().next()?;
    let location = LocationIndex(location);
    let events = run.events(location) as usize;
    let step = events.div_ceil(MOST).max(1);
    let points = (0..events).step_by(step).map(|index| {
        let event = EventRef::new(location, index);
        json!([
            best.recorded(event),
            (other.recorded_time(event) - measured.recorded_time(event)).0,
            shown.uncertainty(&other, event),
        ])
    });
    Some(points.collect())
}
