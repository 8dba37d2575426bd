//! Races and what they mean are those that all executions together show.

mod common;

use std::collections::BTreeMap;

use common::executions::Executions;
use common::program::Program;
use mpiscope_analysis::races::Races;
use mpiscope_model::{EventRef, Trace};
use proptest::prelude::*;

/// Receives with alternatives; whether those are order races.
fn found(trace: &Trace) -> BTreeMap<(EventRef, EventRef), bool> {
    let races = Races::find(trace, &trace.matching());
    let mut found = BTreeMap::new();
    for race in races.list().iter().filter(|race| !race.probe) {
        for alternative in &race.alternatives {
            let well = !alternative.meaning.is_hazard();
            found.insert((race.receive, alternative.send), well);
        }
    }
    found
}

fn check(program: &Program) -> Result<(), TestCaseError> {
    let picture = program.picture();
    // What a receive took that never completed is not in the trace.
    if picture.matches("irecv#").count() != picture.matches("wait<").count() {
        return Ok(());
    }
    let trace = program.run();
    let all = Executions::new(&trace, &trace.matching()).races();
    let found = found(&trace);
    prop_assert_eq!(
        found.keys().collect::<Vec<_>>(),
        all.keys().collect::<Vec<_>>(),
        "{}",
        picture
    );
    for (race, well) in &all {
        if let Some(well) = well {
            prop_assert_eq!(well, &found[race], "{:?} {}", race, picture);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn races_and_hazards_are_those_of_all_executions(program in common::program::small(3, 6)) {
        check(&program)?;
    }
}
