//! What the page asks first: which runs there are, and what their numbers stand for.

use std::collections::BTreeMap;

use mpiscope_tiles::{Class, Clocked, Row};
use serde_json::{json, Value};

use crate::findings;
use crate::iterations;
use crate::site::{Shown, Site};
use crate::verdict::{Role, Sentence};

/// In which order clocks are named.
const ORDER: [&str; 4] = ["measured", "interpolated", "corrected", "true"];

/// Answers `meta`.
pub(crate) fn meta(site: &Site) -> Value {
    json!({
        "version": site.version,
        "edition": site.edition,
        "runs": site.runs.iter().map(run).collect::<Vec<_>>(),
        "live": site.live.as_ref().map(|it| json!({ "name": it.name() })),
    })
}

fn run(shown: &Shown) -> Value {
    let Shown { about, run, .. } = shown;
    let clocks: Vec<Clocked> = run.clocks().collect();
    let span = |clock: &Clocked| {
        let times = &clock.view.times;
        let start = match about.is_timeless {
            true => 0,
            false => times.start.0,
        };
        let span = json!({ "start": start.to_string(), "length": times.length });
        (clock.view.name.clone(), span)
    };
    let reversed = |clock: &Clocked| (clock.view.name.clone(), clock.reversed());
    // Levels of the longest clock: tiles behind another's end are not there.
    let levels = clocks.iter().map(Clocked::levels).max().unwrap_or(1);
    json!({
        "name": about.name,
        "about": about.facts,
        "clocks": names(&clocks),
        "clock": clocks.first().map(|it| &it.view.name),
        "spans": clocks.iter().map(span).collect::<BTreeMap<_, _>>(),
        "rows": rows(shown, clocks.first()),
        "classes": Class::ALL.map(|it| json!({ "name": it.name(), "label": it.label() })),
        "regions": regions(shown),
        "communicators": communicators(shown),
        "levels": (0..levels).map(|it| json!({ "bin": 1u64 << (2 * it) })).collect::<Vec<_>>(),
        "events": run.event_count(),
        "messages": run.message_count(),
        "reversed": clocks.iter().map(reversed).collect::<BTreeMap<_, _>>(),
        "iterations": iterations::in_short(shown),
        "notes": about.notes,
        "analysis": about.analysis,
        "verdict": shown.verdict.iter().map(|it| sentence(shown, it)).collect::<Vec<_>>(),
    })
}

fn sentence(shown: &Shown, said: &Sentence) -> Value {
    let places = match (said.role, said.finding) {
        (Role::Loss, Some(finding)) => findings::places(shown, finding as usize),
        _ => Vec::new(),
    };
    json!({
        "role": said.role.name(),
        "text": said.text,
        "why": said.why,
        "next": said.next,
        "finding": said.finding,
        "places": places,
    })
}

/// Returns the names of clocks, from what was measured to what is true.
fn names<'a>(clocks: &[Clocked<'a>]) -> Vec<&'a str> {
    let order = |name: &&str| ORDER.iter().position(|it| it == name);
    let mut names: Vec<&str> = clocks.iter().map(|it| it.view.name.as_str()).collect();
    names.sort_by_key(order);
    names
}

fn rows(shown: &Shown, clock: Option<&Clocked>) -> Vec<Value> {
    let run = &shown.run;
    let row = |(row, number): (&Row, u32)| {
        let locations = run.rows.locations[number as usize].iter();
        let events = locations.map(|it| run.events(*it));
        let ended = row.rank.and_then(|rank| {
            let ended = shown.about.ended.iter().find(|(it, _)| *it == rank);
            ended.map(|(_, why)| why)
        });
        json!({
            "parent": row.parent,
            "kind": row.kind.name(),
            "name": row.name,
            "rank": row.rank,
            "thread": row.thread,
            "events": events.sum::<u64>(),
            "depth": clock.map_or(0, |it| it.depth(number)),
            "waiting": clock.map_or(0, |it| it.total(number).waiting()),
            "note": ended,
        })
    };
    run.rows.list.iter().zip(0..).map(row).collect()
}

fn regions(shown: &Shown) -> Vec<Value> {
    let regions = shown.run.trace.definitions.regions.iter();
    let region = |region: &mpiscope_model::Region| {
        let known = !region.source_file.is_empty();
        json!({
            "name": region.name,
            "class": Class::of(region).index(),
            "file": known.then_some(&region.source_file),
            "line": (region.begin_line > 0).then_some(region.begin_line),
        })
    };
    regions.map(region).collect()
}

fn communicators(shown: &Shown) -> Vec<Value> {
    let communicators = shown.run.trace.definitions.communicators.iter();
    communicators
        .map(|it| json!({ "name": it.name, "size": it.size() }))
        .collect()
}
