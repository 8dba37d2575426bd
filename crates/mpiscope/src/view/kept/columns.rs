//! Findings in columns: numbers of one kind side by side take less room than whole findings, once they
//! are compressed.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use mpiscope_analysis::finding::{Finding, Findings, Kind, Place, Unit};
use mpiscope_archive::model::{EventRef, LocationIndex};
use serde::{Deserialize, Serialize};

/// All findings of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Columns {
    kinds: Vec<OfKind>,
    /// Names of the parts that places of findings play.
    roles: Vec<String>,
    // One each of every finding.
    kind: Vec<u32>,
    weight: Vec<u64>,
    begin: Vec<u64>,
    /// How long after its begin it ends.
    length: Vec<u64>,
    text: Vec<String>,
    /// How many places it has.
    places: Vec<u32>,
    // One each of every place of all findings, in their order.
    role: Vec<u8>,
    location: Vec<u32>,
    event: Vec<u32>,
    of_place: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct OfKind {
    name: String,
    label: String,
    unit: u8,
    count: u64,
    weight: u64,
}

const UNITS: [Unit; 4] = [Unit::Certain, Unit::Nanoseconds, Unit::Count, Unit::Apart];

impl OfKind {
    fn of(kind: &Kind) -> OfKind {
        let unit = UNITS.iter().position(|it| *it == kind.unit);
        OfKind {
            name: kind.name.to_string(),
            label: kind.label.clone(),
            unit: unit.unwrap_or(0) as u8,
            count: kind.count,
            weight: kind.weight,
        }
    }

    fn again(self) -> Option<Kind> {
        Some(Kind {
            name: self.name.into(),
            label: self.label,
            unit: *UNITS.get(usize::from(self.unit))?,
            count: self.count,
            weight: self.weight,
        })
    }
}

impl Columns {
    /// Takes findings of these kinds, and when each is.
    pub fn of(of_kinds: &[Kind], list: &[Finding], when: &[Range<u64>]) -> Columns {
        let kinds: HashMap<&str, u32> = of_kinds.iter().map(|it| &*it.name).zip(0..).collect();
        let places = list.iter().flat_map(|it| &it.places);
        let roles: BTreeSet<&str> = places.map(|it| it.role).collect();
        let numbers: HashMap<&str, u8> = roles.iter().copied().zip(0..).collect();
        let mut columns = Columns {
            kinds: of_kinds.iter().map(OfKind::of).collect(),
            roles: roles.iter().map(|it| (*it).to_owned()).collect(),
            ..Columns::default()
        };
        for (one, when) in list.iter().zip(when) {
            let kind = kinds.get(&*one.kind).copied();
            columns.kind.push(kind.unwrap_or(u32::MAX));
            columns.weight.push(one.weight);
            columns.begin.push(when.start);
            columns.length.push(when.end.wrapping_sub(when.start));
            columns.text.push(one.text.clone());
            columns.places.push(one.places.len() as u32);
            for place in &one.places {
                columns.role.push(numbers[place.role]);
                columns.location.push(place.event.location.0);
                columns.event.push(place.event.index);
                columns.of_place.push(place.text.clone());
            }
        }
        columns
    }

    /// Returns the findings, and when each is; nothing if that makes no sense.
    pub fn findings(self) -> Option<(Findings, Vec<Range<u64>>)> {
        let kinds = self.kinds.into_iter().map(OfKind::again);
        let kinds = kinds.collect::<Option<Vec<Kind>>>()?;
        // A dozen words, for as long as the run is shown.
        let roles = self.roles.into_iter().map(|it| &*it.leak());
        let roles: Vec<&'static str> = roles.collect();
        let count = self.kind.len();
        let columns = [&self.weight, &self.begin, &self.length].map(Vec::len);
        let same = columns == [count; 3] && [self.text.len(), self.places.len()] == [count; 2];
        same.then_some(())?;
        let events = self.location.into_iter().zip(self.event);
        let mut places = (self.role.into_iter().zip(events).zip(self.of_place)).map(
            |((role, (location, index)), text)| {
                let location = LocationIndex(location);
                Some(Place {
                    role: roles.get(usize::from(role))?,
                    event: EventRef { location, index },
                    text,
                })
            },
        );
        let mut list = Vec::with_capacity(count);
        let own = self.kind.into_iter().zip(self.weight);
        for ((number, weight), (text, of)) in own.zip(self.text.into_iter().zip(self.places)) {
            let kind = kinds.get(number as usize)?;
            let places: Vec<Place> = places.by_ref().take(of as usize).collect::<Option<_>>()?;
            (places.len() == of as usize).then_some(())?;
            list.push(Finding {
                kind: Cow::Owned(kind.name.to_string()),
                places,
                unit: kind.unit,
                weight,
                text,
            });
        }
        let spans = self.begin.into_iter().zip(self.length);
        let when = spans.map(|(begin, length)| begin..begin.wrapping_add(length));
        Some((Findings { kinds, list }, when.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, unit: Unit) -> Kind {
        Kind {
            name: name.to_owned().into(),
            label: name.to_uppercase(),
            unit,
            count: 7,
            weight: 9,
        }
    }

    fn finding(kind: &Kind, weight: u64, places: &[(&'static str, u32, u32)]) -> Finding {
        let place = |(role, location, index): &(&'static str, u32, u32)| Place {
            role,
            event: EventRef {
                location: LocationIndex(*location),
                index: *index,
            },
            text: format!("{role} of {location}"),
        };
        Finding {
            kind: Cow::Owned(kind.name.to_string()),
            places: places.iter().map(place).collect(),
            unit: kind.unit,
            weight,
            text: format!("it is {weight}"),
        }
    }

    fn some() -> (Findings, Vec<Range<u64>>) {
        let kinds = vec![kind("late", Unit::Nanoseconds), kind("lost", Unit::Certain)];
        let list = vec![
            finding(&kinds[1], 0, &[]),
            finding(&kinds[0], 5, &[("waits", 1, 2), ("delays", 0, 4)]),
            finding(&kinds[0], 3, &[("waits", 3, 8)]),
        ];
        (Findings { kinds, list }, vec![0..0, 10..15, 7..u64::MAX])
    }

    #[test]
    fn findings_come_back_as_they_were() {
        let (found, when) = some();
        let columns = Columns::of(&found.kinds, &found.list, &when);
        let text = serde_json::to_string(&columns).unwrap();
        let again: Columns = serde_json::from_str(&text).unwrap();
        assert_eq!(again.findings(), Some((found, when)));
    }

    #[test]
    fn columns_that_do_not_fit_together_are_nothing() {
        let shorter: [fn(&mut Columns); 6] = [
            |it| it.weight.truncate(2),
            |it| it.text.truncate(2),
            |it| it.length.truncate(2),
            |it| it.event.truncate(2),
            |it| it.roles.truncate(1),
            |it| it.kinds.truncate(1),
        ];
        for shorten in shorter {
            let (found, when) = some();
            let mut columns = Columns::of(&found.kinds, &found.list, &when);
            shorten(&mut columns);
            assert_eq!(columns.findings(), None);
        }
    }
}
