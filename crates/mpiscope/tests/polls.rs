//! Polls that find nothing: told together, none forgotten, and each by itself where that is asked
//! for. The programs count their own calls.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use common::process::kill;
use common::ranks::{gone, start};
use common::trial::{check_archive, Run};
use common::{matrix, Case, Trial};
use mpiscope_archive::model::{Event, Trace};
use mpiscope_archive::trace::read_trace;

const PROGRAMS: [&str; 3] = ["polls.c", "polls.f90", "polls_mpif.f90"];

/// Calls of each function by each rank.
type Calls = BTreeMap<(u32, String), u64>;

fn trial(case: Case, source: &str) -> Option<Trial> {
    Trial::new(case, &format!("tests/mpi/polls/{source}"))
}

/// What the program says it has called: `rank 0 called MPI_Test 17`.
fn said(out: &str) -> Calls {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["rank", rank, "called", function, calls] => Some((
                (rank.parse().unwrap(), function.to_owned()),
                calls.parse().unwrap(),
            )),
            _ => None,
        }
    };
    let said: Calls = out.lines().filter_map(line).collect();
    said.into_iter().filter(|(_, calls)| *calls > 0).collect()
}

/// Events that an archive has of polls.
#[derive(Default)]
struct Found {
    calls: Calls,
    /// Enters.
    enters: u64,
    /// Calls that stand for several, and how many they stand for.
    told: u64,
    stood_for: u64,
}

fn found(trace: &Trace, functions: &Calls) -> Found {
    let mut found = Found::default();
    for location in &trace.locations {
        for (index, (_, event)) in location.events.iter().enumerate() {
            let Event::Enter(region) = event else {
                continue;
            };
            let name = trace.definitions.regions[region.index()].name.clone();
            let key = (location.rank.0, name);
            let polls = location.events.polls(index);
            if functions.contains_key(&key) {
                *found.calls.entry(key).or_default() += polls.unwrap_or(1);
                found.enters += 1;
            }
            found.told += u64::from(polls.is_some());
            found.stood_for += polls.unwrap_or(0);
        }
    }
    found
}

fn trace_of(anchor: &Path) -> Trace {
    read_trace(anchor).unwrap()
}

/// Traces a program, and compares what it says with what both archives say.
#[track_caller]
fn check(case: Case, source: &str, options: &[&str], more: impl Fn(&Run, &Found)) {
    let Some(trial) = trial(case, source) else {
        return;
    };
    let run = trial.traced_with(options);
    run.done.check(0, &[]);
    let said = said(&run.done.out);
    assert!(!said.is_empty(), "{}", run.done.out);
    for anchor in [run.measured(), run.corrected()] {
        let found = found(&trace_of(&anchor), &said);
        assert_eq!(found.calls, said, "{}", anchor.display());
        more(&run, &found);
    }
    run.check_archives();
    run.mpiscope("check").check(0, &[]);
    run.check_shared_memory();
}

#[test]
fn polls_that_find_nothing_are_told_together_and_none_is_forgotten() {
    for source in PROGRAMS {
        for case in matrix::cases(&PROGRAMS, source, &[1, 2]) {
            check(case, source, &[], |run, found| {
                let calls: u64 = found.calls.values().sum();
                assert!(found.told > 0 && found.stood_for > calls / 2);
                // Each begins anew after a hundredth of a second, however slow the machine is.
                let info = run.json("info --json");
                let seconds = info.measure("duration_ns") / 1e9;
                let pieces = f64::from(run.trial.ranks) * (100.0 + 1000.0 * seconds);
                assert!(
                    (found.enters as f64) < pieces,
                    "{} enters of {calls} calls in {seconds} s",
                    found.enters
                );
                let polls = info.get("polls").as_array().unwrap();
                let counted = polls.iter().map(|one| one["polls"].as_u64().unwrap());
                assert_eq!(counted.sum::<u64>(), found.stood_for);
                assert!(polls.iter().all(|one| one["at"].is_string()), "{polls:?}");
            });
        }
    }
}

#[test]
fn with_all_of_them_each_poll_is_an_event_of_its_own() {
    for case in matrix::cases(&PROGRAMS, "polls.c", &[1, 2]) {
        check(case, "polls.c", &["--polls", "all"], |run, found| {
            assert_eq!((found.told, found.stood_for), (0, 0));
            assert_eq!(found.enters, found.calls.values().sum::<u64>());
            let info = run.json("info --json");
            assert!(info.get("polls").as_array().unwrap().is_empty());
        });
    }
}

#[test]
fn who_is_killed_while_polling_leaves_how_often_it_did_and_where() {
    for case in matrix::cases(&PROGRAMS, "polls.c", &[1, 2]) {
        let Some(trial) = trial(case, "polls.c") else {
            return;
        };
        let trial = trial.arguments(&["for-ever"]);
        let (running, ids) = start(&trial);
        std::thread::sleep(Duration::from_millis(700));
        let mut look = trial.command(common::mpiscope());
        let state = common::process::start_beside(look.args(["state", "run"]), &running).wait();
        ids.iter().copied().for_each(kill);
        ids.iter().copied().for_each(gone);
        let polling = state.out.contains("polling in MPI_Test at polls.c:");
        assert!(state.code == 0 && polling, "{state:#?}");
        let run = trial.ended(running.wait());
        let trace = trace_of(&run.measured());
        for location in &trace.locations {
            let rank = location.rank.0;
            let bytes = std::fs::read(run.trial.path(&format!("polls.{rank}"))).unwrap();
            let called = u64::from_le_bytes(bytes.try_into().unwrap());
            let key = ((rank, "MPI_Test".to_owned()), 0);
            let found = found(&trace, &Calls::from([key.clone()]));
            let told = found.calls[&key.0];
            assert!(
                told <= called && told + 1 >= called,
                "{told} of {called} calls"
            );
        }
        check_archive(&run.measured());
        let checked = run.mpiscope("check").out;
        let rules = checked.lines().filter(|line| line.contains("): "));
        let rules: Vec<_> = rules
            .map(|line| line.split('(').next().unwrap().trim())
            .collect();
        assert!(
            rules.iter().all(|rule| *rule == "finalize-missing"),
            "{checked}"
        );
        let end = run.json("info --json");
        let end = end.get("end").clone();
        for rank in end["ranks"].as_array().unwrap() {
            assert!(rank["polls"].as_u64().unwrap() > 1, "{rank}");
            assert!(rank["for_ns"].as_u64().unwrap() > 300_000_000, "{rank}");
        }
        let text = run.mpiscope("info").out;
        assert!(text.contains("polling in MPI_Test at"), "{text}");
        run.check_shared_memory();
    }
}
