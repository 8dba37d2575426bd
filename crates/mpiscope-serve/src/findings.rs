//! What was found, with the moments at which it is, and lists of it.

use std::collections::HashMap;
use std::ops::Range;

use mpiscope_analysis::finding::{Finding, Findings, Kind, Place, Unit};
use mpiscope_model::{EventRef, LocationIndex};
use mpiscope_tiles::Run;
use serde_json::{json, Value};

use crate::answer::{Answer, Told};
use crate::question::Question;
use crate::site::Shown;

/// Findings that are told at once, if nobody says how many.
const USUAL: usize = 100;
/// Findings that are told at once, at most.
const MOST: usize = 10_000;

/// Findings by weight; a finding's number is its place here.
#[derive(Debug)]
pub struct Listed {
    /// The kinds of which there are any.
    pub kinds: Vec<Kind>,
    /// What is wrong for certain, then the weightiest first: lost times, the critical path, counts, what clocks alone make.
    pub list: Vec<Finding>,
    /// When each is, by the best clock.
    when: Vec<Range<u64>>,
    /// The findings that a place belongs to.
    by_event: HashMap<EventRef, Vec<u32>>,
}

impl Listed {
    /// Lists findings; when they are may be known from an earlier time.
    pub(crate) fn new(run: &Run, findings: Findings, known: Option<Vec<Range<u64>>>) -> Listed {
        let Findings { kinds, mut list } = findings;
        // What the path leads through is no fault of its own: it stands behind what is waited for.
        let is_path = |it: &Finding| it.places.first().is_some_and(|it| it.role == "step");
        list.sort_by_key(|it| (it.unit, is_path(it), std::cmp::Reverse(it.weight)));
        let mut by_event: HashMap<EventRef, Vec<u32>> = HashMap::new();
        for (finding, number) in list.iter().zip(0..) {
            for place in &finding.places {
                let of_place = by_event.entry(place.event).or_default();
                if of_place.last() != Some(&number) {
                    of_place.push(number);
                }
            }
        }
        let when = match known {
            Some(when) if when.len() == list.len() => when,
            _ => list.iter().map(|finding| when(run, finding)).collect(),
        };
        Listed {
            kinds,
            list,
            when,
            by_event,
        }
    }

    /// Returns when each finding is.
    pub fn when(&self) -> &[Range<u64>] {
        &self.when
    }

    /// Returns the finding that a waiting call is listed as.
    pub fn of_wait(&self, location: LocationIndex, event: u32) -> Option<u32> {
        let event = EventRef {
            location,
            index: event,
        };
        let mut findings = self.of_event(event).iter().copied();
        findings.find(|number| {
            let first = self.list[*number as usize].places.first();
            first.is_some_and(|place| place.role == "waits" && place.event == event)
        })
    }

    /// Returns the findings that an event is a place of.
    pub fn of_event(&self, event: EventRef) -> &[u32] {
        self.by_event.get(&event).map_or(&[], Vec::as_slice)
    }

    /// Returns the weightiest finding of a kind.
    pub fn first_of(&self, kind: &str) -> Option<u32> {
        let at = self.list.iter().position(|it| it.kind == kind)?;
        Some(at as u32)
    }
}

/// Returns when a finding is: around all its places, or what is weighed in time as long as that.
fn when(run: &Run, finding: &Finding) -> Range<u64> {
    let Some(clock) = run.clocks().next() else {
        return 0..0;
    };
    let time = |event| clock.recorded(event);
    let mut places = finding.places.iter().map(|place| time(place.event));
    let Some(first) = places.next() else {
        return 0..0;
    };
    match finding.unit {
        Unit::Nanoseconds => first..first.saturating_add(finding.weight),
        Unit::Certain | Unit::Count | Unit::Apart => {
            let (from, to) = places.fold((first, first), |(a, b), it| (a.min(it), b.max(it)));
            from..to
        }
    }
}

/// Returns a finding for the page.
pub(crate) fn value(shown: &Shown, number: usize) -> Value {
    let Listed { kinds, list, .. } = &shown.found;
    let finding = &list[number];
    let label = kinds.iter().find(|kind| kind.name == finding.kind);
    json!({
        "id": number,
        "kind": finding.kind,
        "label": label.map(|kind| &kind.label),
        "text": finding.text,
        "weight": finding.weight,
        "unit": finding.unit.name(),
        "places": places(shown, number),
    })
}

/// Returns the places of a finding for the page.
pub(crate) fn places(shown: &Shown, number: usize) -> Vec<Value> {
    let rows = &shown.run.rows.of_location;
    let place = |place: &Place| {
        json!({
            "role": place.role,
            "row": rows[place.event.location.index()],
            "event": place.event.index,
            "text": place.text,
        })
    };
    shown.found.list[number].places.iter().map(place).collect()
}

/// Answers `findings`.
pub(crate) fn answer(shown: &Shown, question: &Question) -> Told {
    let bad = |what| Answer::error(400, what);
    let kind = question.parameter("kind");
    let from = question.moment("from").map_err(bad)?.unwrap_or(0);
    let to = question.moment("to").map_err(bad)?.unwrap_or(u64::MAX);
    let limit = question
        .number("limit")
        .map_err(bad)?
        .unwrap_or(USUAL)
        .min(MOST);
    let offset = question.number("offset").map_err(bad)?.unwrap_or(0);
    let found = &shown.found;
    let suits = |number: &usize| {
        let when = &found.when[*number];
        let of_kind = kind.is_none_or(|kind| found.list[*number].kind == kind);
        of_kind && when.start <= to && when.end >= from
    };
    let suiting: Vec<usize> = (0..found.list.len()).filter(suits).collect();
    let told = suiting.iter().skip(offset).take(limit);
    let kinds = found.kinds.iter().map(|kind| {
        json!({
            "kind": kind.name,
            "label": kind.label,
            "unit": kind.unit.name(),
            "measure": kind.unit.measure(),
            "count": kind.count,
            "weight": kind.weight,
        })
    });
    Ok(Answer::json(&json!({
        "total": suiting.len(),
        "kinds": kinds.collect::<Vec<_>>(),
        "findings": told.map(|number| value(shown, *number)).collect::<Vec<_>>(),
    })))
}
