//! What is counted for the next trace, against the definitions: of each event what is open around it,
//! and the same program with what is left out left out.

use std::collections::BTreeMap;

use mpiscope_analysis::refine::{Fate, Refinement, BRIEF, OFTEN};
use mpiscope_model::Trace;
use proptest::prelude::*;

const NAMES: [&str; 5] = ["f", "g", "h", "MPI_Wait", "MPI_Init"];
/// So many of them are the program's own.
const OWN: usize = 3;

#[derive(Clone, Copy, Debug)]
enum Act {
    Enter(usize),
    Leave(usize),
    Send,
    Nothing,
    /// Visits that are many, and last so long.
    Many(usize, i64),
}

type Acts = Vec<Act>;

fn acts() -> impl Strategy<Value = Acts> {
    let act = prop_oneof![
        8 => (0..NAMES.len()).prop_map(Act::Enter),
        8 => (0..NAMES.len()).prop_map(Act::Leave),
        1 => Just(Act::Send),
        1 => Just(Act::Nothing),
        1 => (0..OWN, prop_oneof![Just(2i64), Just(6_000)]).prop_map(|(name, length)| Act::Many(name, length)),
    ];
    prop::collection::vec(act, 0..12)
}

/// An event: when, whether a region is entered or left, which.
type Events = Vec<(i64, Option<bool>, usize)>;

fn events(acts: &Acts) -> Events {
    let (mut events, mut now) = (Vec::new(), 0);
    let mut push = |after: i64, kind, name| {
        now += after;
        events.push((now, kind, name));
    };
    for act in acts {
        match *act {
            Act::Enter(name) => push(3, Some(true), name),
            Act::Leave(name) => push(3, Some(false), name),
            Act::Send => push(3, None, 0),
            Act::Nothing => push(3, None, 1),
            Act::Many(name, length) => {
                for _ in 0..OFTEN / 2 {
                    push(1, Some(true), name);
                    push(length, Some(false), name);
                }
            }
        }
    }
    events
}

fn picture(ranks: &[Events]) -> String {
    let line = |(rank, events): (usize, &Events)| {
        let shown = events.iter().map(|(time, kind, name)| match kind {
            Some(true) => format!(" {time} enter({})", NAMES[*name]),
            Some(false) => format!(" {time} leave({})", NAMES[*name]),
            None if *name == 0 => format!(" {time} send>0"),
            None => format!(" {time}"),
        });
        format!("{rank}:{}", shown.collect::<String>())
    };
    let lines: Vec<String> = ranks.iter().enumerate().map(line).collect();
    lines.join("\n")
}

/// What is known of a name: visits, events, time, whether others are in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    visits: u64,
    events: u64,
    time: i64,
    encloses: bool,
}

/// Goes through all events with a stack of what is open.
fn known(ranks: &[Events]) -> BTreeMap<usize, Known> {
    let mut all: BTreeMap<usize, Known> = BTreeMap::new();
    for events in ranks {
        let mut open: Vec<(usize, i64)> = Vec::new();
        let end = events.last().map_or(0, |it| it.0);
        for &(time, kind, name) in events {
            let is_other = match kind {
                Some(true) => name >= OWN,
                Some(false) => false,
                None => name == 0,
            };
            if is_other {
                for (around, _) in &open {
                    all.entry(*around).or_default().encloses = true;
                }
            }
            match kind {
                Some(true) => {
                    let sum = all.entry(name).or_default();
                    sum.visits += 1;
                    sum.events += 1;
                    open.push((name, time));
                }
                Some(false) => {
                    all.entry(name).or_default().events += 1;
                    if let Some(at) = open.iter().rposition(|it| it.0 == name) {
                        for (name, begin) in open.drain(at..) {
                            all.entry(name).or_default().time += time - begin;
                        }
                    }
                }
                None => {}
            }
        }
        for (name, begin) in open {
            all.entry(name).or_default().time += end - begin;
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_proposal_is_what_the_definitions_say(ranks in prop::collection::vec(acts(), 1..3)) {
        let ranks: Vec<Events> = ranks.iter().map(events).collect();
        let trace = Trace::parse(&picture(&ranks)).unwrap();
        let found = Refinement::of(&trace, &[]);
        let known = known(&ranks);
        let own = known.iter().filter(|(name, _)| **name < OWN);
        prop_assert_eq!(found.regions.len(), own.clone().count());
        for (name, known) in own {
            let it = found.regions.iter().find(|it| it.name == NAMES[*name]).unwrap();
            let told = (it.visits, it.events, it.time.0);
            prop_assert_eq!(told, (known.visits, known.events, known.time));
            let is_brief = known.time / (known.visits.max(1) as i64) < BRIEF.0;
            let is_frequent = known.visits >= OFTEN && is_brief;
            let fate = match (is_frequent, known.encloses) {
                (false, _) => Fate::Worthwhile,
                (true, true) => Fate::Encloses,
                (true, false) => Fate::LeftOut,
            };
            prop_assert_eq!(it.fate, fate, "{}", it.name);
        }
        // The same program, without what is left out.
        let is_left = |name: usize| {
            let of = found.regions.iter().find(|it| it.name == NAMES[name]);
            of.is_none_or(|it| it.fate != Fate::LeftOut)
        };
        for (events, location) in ranks.iter().zip(&found.locations) {
            let left = events.iter().filter(|(_, kind, name)| kind.is_none() || is_left(*name));
            prop_assert_eq!(location.events - location.left_out, left.count() as u64);
        }
        let all: u64 = trace.locations.iter().map(|it| it.events.len() as u64).sum();
        prop_assert_eq!(found.events(), all);
    }
}
