//! Races by the place in the program that receives, and who sends to it.

use std::collections::{BTreeMap, HashMap};

use mpiscope_model::{CallSiteId, EventKind, EventRef, RegionId, Trace};

use super::{Part, Race, Races};
use crate::inbox::{Class, NONE};
use crate::meaning::{Judge, Meaning};

/// Events between the entry of a call and what it posts or sends; without any
/// entry the search would go back to the begin each time.
const FAR: usize = 256;

/// A place in the program, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallPlace {
    /// Where the call stands.
    pub site: Option<CallSiteId>,
    /// What was called: the innermost region entered.
    pub region: Option<RegionId>,
}

impl CallPlace {
    /// Returns where an event was called; of one that another process has, what that has told.
    pub fn of(trace: &Trace, event: EventRef) -> CallPlace {
        let Some(location) = trace.locations.get(event.location.index()) else {
            return CallPlace::default();
        };
        if location.elsewhere > 0 {
            let told = trace.places.get(&event).copied();
            let (region, site) = told.unwrap_or_default();
            return CallPlace { region, site };
        }
        let events = &location.events;
        let mut place = CallPlace::default();
        let mut left = 0;
        let last = (event.index as usize).min(events.len().saturating_sub(1));
        for index in (last.saturating_sub(FAR)..=last).rev() {
            match events.kinds()[index] {
                EventKind::Leave if index < event.index as usize => left += 1,
                EventKind::Enter if left > 0 => left -= 1,
                EventKind::Enter => {
                    place.region.get_or_insert(RegionId(events.args()[index]));
                    place.site = events.call_site(index);
                    if place.site.is_some() || !events.has_call_sites() {
                        break;
                    }
                }
                _ => {}
            }
        }
        place
    }
}

/// Returns for each call site the first one of its line and function: what the
/// compiler copied is one place.
pub(crate) fn first_of_lines(trace: &Trace) -> Vec<CallSiteId> {
    let mut lines = HashMap::new();
    let sites = trace.definitions.call_sites.iter().enumerate();
    let first = sites.map(|(number, site)| {
        let number = CallSiteId(number as u32);
        match &site.line {
            Some(line) => {
                let key = (&site.module, &site.function, &site.file, line);
                *lines.entry(key).or_insert(number)
            }
            None => number,
        }
    });
    first.collect()
}

/// Places of events, where what the compiler copied (inlined functions, loops
/// unrolled) is one: the first call site of its line and function.
struct Places<'a> {
    trace: &'a Trace,
    first: Vec<CallSiteId>,
}

impl<'a> Places<'a> {
    fn new(trace: &'a Trace) -> Self {
        let first = first_of_lines(trace);
        Self { trace, first }
    }

    fn of(&self, event: EventRef) -> CallPlace {
        let place = CallPlace::of(self.trace, event);
        let first = |site: CallSiteId| self.first.get(site.0 as usize).copied().unwrap_or(site);
        CallPlace {
            site: place.site.map(first),
            ..place
        }
    }
}

/// All races of one place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The receives' place: where they were posted.
    pub place: CallPlace,
    /// They are probes.
    pub probe: bool,
    /// How many receives or probes raced.
    pub races: u64,
    /// How many alternatives they had together, the blocks of a sender as one.
    pub alternatives: u64,
    /// How many of them had an alternative that is a match hazard.
    pub hazards: u64,
    /// World ranks that received, ascending.
    pub ranks: Vec<u32>,
    /// Where the alternatives were sent, most frequent first.
    pub senders: Vec<Senders>,
    /// A few of the races, those with hazards first.
    pub examples: Vec<Race>,
}

/// Alternatives that were sent from one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Senders {
    /// The place.
    pub place: CallPlace,
    /// How many alternatives.
    pub alternatives: u64,
}

/// How many races of a group are shown.
const EXAMPLES: usize = 3;

type Key = (CallPlace, bool);

#[derive(Default)]
struct Sum {
    races: u64,
    alternatives: u64,
    hazards: u64,
    ranks: Vec<u32>,
    senders: BTreeMap<CallPlace, i64>,
    examples: Vec<Race>,
}

impl Races {
    /// Sums races up by the place of their receives, hazards first.
    pub fn groups(&self, trace: &Trace) -> Vec<Group> {
        let places = Places::new(trace);
        let mut sums: BTreeMap<Key, Sum> = BTreeMap::new();
        for part in &self.parts {
            for (class, judge) in part.classes.iter().zip(&part.judges) {
                add(&places, part, class, judge, &mut sums);
            }
        }
        let mut groups: Vec<Group> = sums.into_iter().map(group).collect();
        groups.sort_by_key(|group| (group.hazards == 0, std::cmp::Reverse(group.races)));
        groups
    }
}

fn group(((place, probe), mut sum): (Key, Sum)) -> Group {
    sum.ranks.sort_unstable();
    sum.ranks.dedup();
    let senders = sum.senders.into_iter().filter(|(_, count)| *count > 0);
    let mut senders: Vec<Senders> = senders
        .map(|(place, count)| Senders {
            place,
            alternatives: count as u64,
        })
        .collect();
    senders.sort_by_key(|sender| std::cmp::Reverse(sender.alternatives));
    sum.examples
        .sort_by_key(|race| (!has_hazard(race), race.receive));
    sum.examples.truncate(EXAMPLES);
    Group {
        place,
        probe,
        races: sum.races,
        alternatives: sum.alternatives,
        hazards: sum.hazards,
        ranks: sum.ranks,
        senders,
        examples: sum.examples,
    }
}

fn has_hazard(race: &Race) -> bool {
    let mut alternatives = race.alternatives.iter();
    alternatives.any(|alternative| alternative.meaning.is_hazard())
}

/// Adds the races of a class of receives.
fn add(
    places: &Places<'_>,
    part: &Part,
    class: &Class,
    judge: &Judge,
    sums: &mut BTreeMap<Key, Sum>,
) {
    let entry = |at: usize| &part.inbox.entries[class.list[at] as usize];
    let key = |at: usize| {
        let entry = entry(at);
        let probe = !entry.takes || entry.matched_probe;
        (places.of(entry.post), probe)
    };
    let keys: Vec<Key> = (0..class.list.len()).map(key).collect();
    let hazards = hazards(part, class, judge);
    let rank = places.trace.locations[class.location.index()].rank.0;
    let mut shown = Vec::new();
    for (at, key) in keys
        .iter()
        .enumerate()
        .filter(|(at, _)| class.alternatives[*at] > 0)
    {
        let sum = sums.entry(*key).or_default();
        let hazard = hazards[at] > 0;
        sum.races += 1;
        sum.alternatives += u64::from(class.alternatives[at]);
        sum.hazards += u64::from(hazard);
        if sum.ranks.last() != Some(&rank) {
            sum.ranks.push(rank);
        }
        let enough = if hazard {
            sum.hazards
        } else {
            sum.races - sum.hazards
        };
        if enough <= EXAMPLES as u64 {
            shown.push(at);
        }
    }
    senders(places, part, class, &keys, sums);
    let mut shown = shown.into_iter().peekable();
    class.each(&part.inbox, |at, spans| {
        if shown.next_if(|&next| next == at).is_some() {
            let race = part.race(class, judge, at, spans);
            sums.entry(keys[at]).or_default().examples.push(race);
        }
        shown.peek().is_some()
    });
}

/// Counts for each entry of a class how many alternatives are hazards.
fn hazards(part: &Part, class: &Class, judge: &Judge) -> Vec<u32> {
    let mut hazards = vec![0; class.list.len()];
    if let Some(starving) = judge.at_once() {
        let mut change = vec![0i32; class.list.len() + 1];
        for span in &class.spans {
            if starving[span.row as usize] != NONE {
                change[span.begin as usize] += 1;
                change[span.end as usize] -= 1;
            }
        }
        let mut now = 0;
        for (at, hazards) in hazards.iter_mut().enumerate() {
            now += change[at];
            let takes = part.inbox.entries[class.list[at] as usize].takes;
            *hazards = if takes { now as u32 } else { 0 };
        }
        return hazards;
    }
    class.each(&part.inbox, |at, spans| {
        let meaning = |span: &&super::Span| judge.meaning(&part.inbox, class, at, **span);
        let wrong = |span: &&super::Span| meaning(span) != Meaning::OrderRace;
        hazards[at] = spans.iter().filter(wrong).count() as u32;
        true
    });
    hazards
}

/// Counts where alternatives were sent: for each span, how many entries of
/// each place it has, by sums over the list.
fn senders(
    places: &Places<'_>,
    part: &Part,
    class: &Class,
    keys: &[Key],
    sums: &mut BTreeMap<Key, Sum>,
) {
    let mut numbers: BTreeMap<CallPlace, usize> = BTreeMap::new();
    let mut place = |row: u32| {
        let message = class.messages[row as usize] as usize;
        let place = places.of(part.inbox.incoming[message].send);
        let new = numbers.len();
        *numbers.entry(place).or_insert(new)
    };
    let spans: Vec<usize> = class.spans.iter().map(|span| place(span.row)).collect();
    let seen: Vec<usize> = class.seen.iter().map(|(_, row)| place(*row)).collect();
    let mut distinct = keys.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    for key in distinct {
        let mut before = Vec::with_capacity(keys.len() + 1);
        before.push(0i64);
        for other in keys {
            before.push(before[before.len() - 1] + i64::from(*other == key));
        }
        let mut counts = vec![0; numbers.len()];
        for (span, place) in class.spans.iter().zip(&spans) {
            counts[*place] += before[span.end as usize] - before[span.begin as usize];
        }
        for ((at, _), place) in class.seen.iter().zip(&seen) {
            counts[*place] -= i64::from(keys[*at as usize] == key);
        }
        if let Some(sum) = sums.get_mut(&key) {
            for (place, number) in &numbers {
                *sum.senders.entry(*place).or_default() += counts[*number];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_model::CallSite;

    #[test]
    fn copies_of_a_line_are_one_place() {
        let site = |offset, function: &str, line| CallSite {
            offset,
            function: Some(function.into()),
            file: Some("heat.c".into()),
            line,
            ..CallSite::default()
        };
        let mut trace = Trace::default();
        trace.definitions.call_sites = vec![
            site(1, "main", Some(4)),
            site(2, "main", None),
            site(3, "main", Some(4)),
            site(4, "other", Some(4)),
            site(5, "main", None),
        ];
        let first = Places::new(&trace).first.into_iter().map(|site| site.0);
        assert_eq!(first.collect::<Vec<_>>(), [0, 1, 0, 3, 4]);
    }
}
