//! Calls that the program leaves before they return, as its error handler throws or jumps: they
//! end, as failed; what comes after them is recorded; and the program notices nothing.
#![forbid(unsafe_code)]

mod common;

use common::process::Done;
use common::trial::{Json, Run};
use common::{found, inapplicable, Case, Trial};

const THROWS: &str = "tests/mpi/left/throws.cpp";
const JUMPS: &str = "tests/mpi/left/jumps.c";
const STAYS: &str = "tests/mpi/left/stays.c";

/// Programs that leave calls, and what they are told.
const LEAVING: [(&str, &[&str]); 5] = [
    (THROWS, &[]),
    (THROWS, &["silent"]),
    (JUMPS, &[]),
    (JUMPS, &["silent"]),
    (JUMPS, &["threads"]),
];

fn sorted(done: &Done) -> Vec<&str> {
    let mut lines: Vec<&str> = done.out.lines().collect();
    lines.sort_unstable();
    lines
}

/// Makes a trial of each of the programs, under each MPI, on both ways that calls can go.
fn each(programs: &[(&str, &[&str])], check: impl Fn(&dyn Fn() -> Trial, &str)) {
    for mpi in found() {
        for (source, words) in programs {
            let bare = Trial::new(Case { mpi, ranks: 2 }, source).map(|it| it.arguments(words));
            if bare.is_some_and(|bare| bare.untraced().code != 0) {
                inapplicable(&format!(
                    "{source} {words:?} fails under {} itself",
                    mpi.name
                ));
                continue;
            }
            for ways in ["on", "off"] {
                let trial = || Trial::new(Case { mpi, ranks: 2 }, source);
                if trial().is_none() {
                    continue;
                }
                let trial = || {
                    let trial = trial().unwrap().arguments(words);
                    trial.with("MPISCOPE_SHORT_WAYS", ways)
                };
                check(&trial, source);
            }
        }
    }
}

/// Checks that a program did under us what it does without.
fn is_as_bare(done: &Done, trial: &Trial) {
    done.check(0, &[]);
    assert_eq!(sorted(done), ["rank 0: ok", "rank 1: ok"]);
    let bare = trial.untraced();
    assert_eq!((sorted(&bare), bare.code), (sorted(done), done.code));
}

/// Returns the line of a program that has a mark.
fn line(source: &str, mark: &str) -> u64 {
    let text = std::fs::read_to_string(common::workspace().join(source)).unwrap();
    let mark = format!("/* {mark} */");
    let at = text.lines().position(|line| line.contains(&mark));
    at.unwrap() as u64 + 1
}

fn checks_clean(run: &Run) {
    let checked = run.mpiscope("check");
    checked.check(0, &[]);
    assert_eq!(checked.out.matches("nothing is against").count(), 2);
}

#[test]
fn a_call_that_is_left_ends_and_what_comes_after_it_is_traced() {
    each(&LEAVING, |trial, source| {
        let run = trial().traced();
        is_as_bare(&run.done, &trial());
        checks_clean(&run);
        let races = run.json("races --json");
        let errors = races.get("errors").as_array().unwrap();
        let told: Vec<_> = errors
            .iter()
            .map(|error| (&error["kind"], &error["line"]))
            .collect();
        let [recv, wait] = ["recv", "wait"].map(|mark| line(source, mark));
        let is_truncation = told.iter().all(|(kind, _)| *kind == "truncation");
        assert!(is_truncation, "{source}: {told:?}");
        assert_eq!(
            told.iter().map(|told| told.1.as_u64()).collect::<Vec<_>>(),
            [Some(recv), Some(wait)]
        );
        if let Some(facts) = run.check_archives() {
            assert_eq!(facts.with_attribute("MPISCOPE::FAILED"), 4, "{source}");
            let entered = |region| {
                facts
                    .entered
                    .values()
                    .filter_map(|all| all.get(region))
                    .sum::<u64>()
            };
            assert_eq!(entered("MPI_Barrier"), 4, "{source}");
            assert_eq!(entered("MPI_Recv"), 2, "{source}");
            assert_eq!(entered("MPI_Finalize"), 2, "{source}");
        }
        follows(&trial(), &run.path);
    });
}

/// Replays a run, in which three receives name nobody.
fn follows(trial: &Trial, run: &std::path::Path) {
    let mut replay = trial.command(common::mpiscope());
    replay
        .arg("replay")
        .arg(run)
        .arg("--")
        .args(trial.line(&[]));
    let replayed = common::process::run_surely(&mut replay);
    replayed.check(0, &["replayed as recorded: 3 choices"]);
    assert_eq!(sorted(&replayed), ["rank 0: ok", "rank 1: ok"]);
}

/// Runs a program under a command, into `run`.
fn under(command: &str, trial: &Trial) -> Done {
    let mut line = trial.command(common::mpiscope());
    line.args([command, "-o", "run", "--"])
        .args(trial.line(&[]));
    common::process::run_surely(&mut line)
}

#[test]
fn what_calls_that_are_left_took_is_in_the_order_record() {
    each(&LEAVING, |trial, _| {
        let trial = trial();
        let recorded = under("record", &trial);
        is_as_bare(&recorded, &trial);
        recorded.check(0, &["3 choices of 2 ranks"]);
        follows(&trial, &trial.path("run"));
    });
}

#[test]
fn calls_that_are_left_are_counted_as_all_others() {
    each(&LEAVING, |trial, source| {
        let trial = trial();
        let monitored = under("monitor", &trial);
        is_as_bare(&monitored, &trial);
        let mut stats = trial.command(common::mpiscope());
        let told = common::process::run(stats.args(["stats", "--json", "run"]));
        told.check(0, &[]);
        let stats = Json(serde_json::from_str(&told.out).unwrap());
        let calls = |mark: &str| {
            let at = line(source, mark);
            let statements = stats.get("statements").as_array().unwrap();
            let there = statements
                .iter()
                .filter(|it| it["line"].as_u64() == Some(at));
            there.filter_map(|it| it["calls"].as_u64()).sum::<u64>()
        };
        let counted = ["send", "recv", "wait", "after"].map(calls);
        assert_eq!(counted, [2, 1, 1, 1], "{source}");
    });
}

/// A jump that stays within the call, or goes to another stack and back, ends nothing.
#[test]
fn a_jump_that_leaves_no_call_ends_none() {
    each(&[(STAYS, &[])], |trial, source| {
        let run = trial().traced();
        is_as_bare(&run.done, &trial());
        checks_clean(&run);
        if let Some(facts) = run.check_archives() {
            let entered = |region| {
                facts
                    .entered
                    .values()
                    .filter_map(|all| all.get(region))
                    .sum::<u64>()
            };
            assert_eq!(facts.with_attribute("MPISCOPE::FAILED"), 2 * 3, "{source}");
            assert_eq!(entered("MPI_Send"), 2 * 3, "{source}");
            assert_eq!(
                entered("MPI_Comm_size"),
                0,
                "within calls that have not returned"
            );
        }
    });
}
