//! What is known of a run and was found in it, in JSON.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use mpiscope_analysis::finding::{Finding, Findings, Kind, Place, Unit};
use mpiscope_archive::model::{EventRef, LocationIndex};
use mpiscope_serve::{About, Shown};
use serde::{Deserialize, Serialize};

use crate::input::Input;

/// The parts that places of findings play: others are not known to this build.
const ROLES: [&str; 8] = [
    "waits",
    "causes",
    "step",
    "step_end",
    "receive",
    "send",
    "message",
    "candidate",
];

#[derive(Debug, Serialize, Deserialize)]
pub struct Facts {
    facts: Vec<(String, String)>,
    notes: Vec<String>,
    ended: Vec<(u32, String)>,
    /// Names of clocks, and what their times are.
    pub clocks: Vec<(String, Way)>,
    kinds: Vec<OfKind>,
    found: Vec<Found>,
}

/// Where the times of a clock are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// They are the archive's own.
    Own,
    /// In the corrected archive.
    Corrected,
    /// In that of true times.
    Truth,
    /// Written as how far they are from the archive's own.
    Coded,
}

#[derive(Debug, Serialize, Deserialize)]
struct OfKind {
    name: String,
    label: String,
    unit: u8,
    count: u64,
    weight: u64,
}

/// A finding: its kind by number, its weight, when it is, in a sentence, and its places: role,
/// location, event and text.
#[derive(Debug, Serialize, Deserialize)]
struct Found(u32, u64, Range<u64>, String, Vec<(u8, u32, u32, String)>);

const UNITS: [Unit; 3] = [Unit::Nanoseconds, Unit::Count, Unit::Apart];

fn number_of(unit: Unit) -> u8 {
    UNITS.iter().position(|it| *it == unit).unwrap_or(0) as u8
}

impl Facts {
    /// Takes what is shown, with the clocks' names.
    pub fn of(shown: &Shown, clocks: Vec<(String, Way)>) -> Facts {
        let found = &shown.found;
        let kind = |it: &Kind| OfKind {
            name: it.name.to_string(),
            label: it.label.clone(),
            unit: number_of(it.unit),
            count: it.count,
            weight: it.weight,
        };
        let kinds: HashMap<&str, u32> = found.kinds.iter().map(|it| &*it.name).zip(0..).collect();
        let place = |it: &Place| {
            let role = ROLES.iter().position(|role| *role == it.role);
            let role = role.unwrap_or(ROLES.len()) as u8;
            let EventRef { location, index } = it.event;
            (role, location.0, index, it.text.clone())
        };
        let one = |(it, when): (&Finding, &Range<u64>)| {
            let kind = kinds.get(&*it.kind).copied().unwrap_or(u32::MAX);
            let places = it.places.iter().map(place).collect();
            Found(kind, it.weight, when.clone(), it.text.clone(), places)
        };
        Facts {
            facts: shown.about.facts.clone(),
            notes: shown.about.notes.clone(),
            ended: shown.about.ended.clone(),
            clocks,
            kinds: found.kinds.iter().map(kind).collect(),
            found: found.list.iter().zip(found.when()).map(one).collect(),
        }
    }

    /// Returns how many parts hold where events and times lie.
    pub fn places(&self) -> usize {
        self.clocks.len()
    }

    /// Returns what is known of the run.
    pub fn about(&self, input: &Input, name: &str, sources: HashMap<String, Vec<String>>) -> About {
        let mut facts = self.facts.clone();
        for (word, value) in &mut facts {
            if word == "Archive" {
                *value = crate::packed::given(&input.anchor).display().to_string();
            }
        }
        About {
            name: name.to_owned(),
            facts,
            notes: self.notes.clone(),
            is_timeless: false,
            ended: self.ended.clone(),
            sources,
        }
    }

    /// Returns what was found, and when each is; nothing if another build's words are in it.
    pub fn findings(self) -> Option<(Findings, Vec<Range<u64>>)> {
        let unit = |number: u8| UNITS.get(usize::from(number)).copied();
        let kinds = self.kinds.into_iter().map(|it| {
            Some(Kind {
                name: it.name.into(),
                label: it.label,
                unit: unit(it.unit)?,
                count: it.count,
                weight: it.weight,
            })
        });
        let kinds = kinds.collect::<Option<Vec<Kind>>>()?;
        let mut when = Vec::with_capacity(self.found.len());
        let mut list = Vec::with_capacity(self.found.len());
        for Found(kind, weight, at, text, places) in self.found {
            let kind = kinds.get(kind as usize)?;
            let place = |(role, location, index, text): (u8, u32, u32, String)| {
                let location = LocationIndex(location);
                Some(Place {
                    role: ROLES.get(usize::from(role))?,
                    event: EventRef { location, index },
                    text,
                })
            };
            when.push(at);
            list.push(Finding {
                kind: Cow::Owned(kind.name.to_string()),
                places: places.into_iter().map(place).collect::<Option<_>>()?,
                unit: kind.unit,
                weight,
                text,
            });
        }
        Some((Findings { kinds, list }, when))
    }
}
