//! Receives that could have got another message.

use mpiscope_model::Trace;

use super::{call, sentence, who, Findings, Place, Unit};
use crate::races::{Race, Races};

/// Alternatives of all races with which each race is looked at; of more there are examples.
const MANY: u64 = 200_000;
/// Alternatives of a race that are places of its finding.
const MOST_PLACES: usize = 16;

/// Adds races: those of which some order leaves a receive without message, and the others.
pub fn of_races(trace: &Trace, races: &Races, findings: &mut Findings) {
    let list = match races.alternatives() <= MANY {
        true => races.list(),
        false => {
            let groups = races.groups(trace).into_iter();
            groups.flat_map(|group| group.examples).collect()
        }
    };
    let is_hazard = |race: &Race| race.alternatives.iter().any(|it| it.meaning.is_hazard());
    let (hazards, orders): (Vec<&Race>, Vec<&Race>) = list.iter().partition(|it| is_hazard(it));
    for (name, label, races) in [
        ("match_hazard", "Match hazard", hazards),
        ("order_race", "Order race", orders),
    ] {
        let weighed = races
            .into_iter()
            .map(|race| (race.alternatives.len() as u64, race));
        findings.add(
            name,
            label.to_owned(),
            Unit::Count,
            weighed.collect(),
            |race| describe(trace, race),
        );
    }
}

fn describe(trace: &Trace, race: &Race) -> (Vec<Place>, String) {
    let sends = race.alternatives.iter().take(MOST_PLACES);
    let got = race.message.map(|send| Place::new(trace, "message", send));
    let places = [Place::new(trace, "receive", race.receive)].into_iter();
    let candidates = sends.map(|it| Place::new(trace, "candidate", it.send));
    let places = places.chain(got).chain(candidates).collect();
    let others = race.alternatives.len();
    let text = format!(
        "{} could have got {} in {}",
        sentence(&who(trace, race.receive)),
        match others {
            1 => "another message".to_owned(),
            _ => format!("{others} other messages"),
        },
        call(trace, race.receive),
    );
    (places, text)
}
