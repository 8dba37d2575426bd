//! A replay said "as recorded" and was not.

use serde_json::Value;

use crate::common::matrix::Random;
use crate::common::{matrix, mpiscope, process, Case, Done, Trial};

#[track_caller]
fn run(trial: &Trial, words: &[&str]) -> Done {
    let mut line = trial.command(mpiscope());
    line.args(words).arg("--").args(trial.line(&[]));
    process::run(&mut line)
}

fn truncated(case: Case, form: &str, errors: &str) -> Option<Trial> {
    Some(Trial::new(case, "tests/mpi/order/truncated.c")?.arguments(&[form, errors]))
}

/// Returns what rank 0 took, round by round, also of a run that died.
#[track_caller]
fn rounds(trial: &Trial) -> String {
    std::fs::read_to_string(trial.path("rounds")).unwrap()
}

/// Returns what a replay says of itself in its last line.
#[track_caller]
fn told(done: &Done) -> Value {
    let last = done.out.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}: {done:#?}"))
}

/// Records a program that fails, and replays it.
#[track_caller]
fn check(case: Case, form: &str, errors: &str, way: &str) {
    let Some(trial) = truncated(case, form, errors) else {
        return;
    };
    let recorded = run(&trial, &[way, "-o", "run", "--force"]);
    let died = errors == "fatal";
    assert_eq!(recorded.code != 0, died, "{recorded:#?}");
    let first = rounds(&trial);
    let replayed = run(&trial, &["replay", "run", "--patience", "20", "--json"]);
    let what = format!("{form} {errors} {way} {case:?}: {replayed:#?}");
    assert_eq!(rounds(&trial), first, "{what}");
    assert_eq!(replayed.code, recorded.code, "{what}");
    assert!(replayed.errors.contains("replayed as recorded"), "{what}");
    let told = told(&replayed);
    assert_eq!(told["same"], true, "{what}");
    let rank = &told["ranks"][0];
    assert_eq!(rank["free_from"], Value::Null, "{what}");
    assert_eq!(rank["calls"], rank["recorded_calls"], "{what}");
    assert_eq!(rank["same_until"], rank["calls"], "{what}");
}

/// The failure that strikes once in a hundred runs, in every form that a receive has.
#[test]
fn a_receive_that_fails_is_on_record() {
    let forms = [
        "recv",
        "sendrecv",
        "irecv",
        "test",
        "persistent",
        "waitall",
        "waitany",
        "testany",
        "waitsome",
    ];
    let everything = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let mut random = Random::new(matrix::seed());
    for case in matrix::all(&[3]) {
        for form in forms {
            for errors in ["fatal", "return"] {
                for way in ["record", "trace"] {
                    // A quarter of them, unless all are asked for.
                    if everything || random.below(4) == 0 {
                        check(case, form, errors, way);
                    }
                }
            }
        }
    }
}

/// Callbacks and windows are named when they are recorded, and again when they are replayed.
#[test]
fn what_no_record_governs_is_named_by_record_and_replay() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/order/callbacks.c") else {
            continue;
        };
        let places = [
            "MPI_Recv at callbacks.c:",
            "MPI_Fetch_and_op at callbacks.c:",
            "MPI_Wtime",
        ];
        let recorded = run(&trial, &["record", "-o", "run"]);
        recorded.check(0, &places);
        let replayed = run(&trial, &["replay", "run", "--json"]);
        replayed.check(0, &places);
        let last = replayed.errors.lines().last().unwrap();
        assert!(last.contains("replayed as recorded"), "{replayed:#?}");
        assert!(last.contains("not governed: "), "{replayed:#?}");
        let told = told(&replayed);
        let kinds: Vec<&str> = told["not_governed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["what"].as_str().unwrap())
            .collect();
        for kind in ["callback", "one_sided", "time"] {
            assert!(kinds.contains(&kind), "{told:#}");
        }
    }
}

/// It was killed when it was recorded, and is not when it is replayed: that is not the same.
#[test]
fn a_replay_that_goes_on_where_the_recorded_run_died_says_so() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/order/diverges.c") else {
            continue;
        };
        let trial = trial.arguments(&["kill"]);
        let died = run(&trial, &["record", "-o", "run"]);
        assert_ne!(died.code, 0, "{died:#?}");
        let trial = trial.arguments(&["same"]);
        let done = run(&trial, &["replay", "run", "--other-program", "--json"]);
        done.check(
            1,
            &["ran free from there", "came to MPI_Finalize", "exit code 0"],
        );
        let told = told(&done);
        assert_eq!(told["same"], false, "{told:#}");
        assert!(
            told["ranks"]
                .as_array()
                .unwrap()
                .iter()
                .any(|rank| { rank["free_from"].as_u64() > rank["same_until"].as_u64() }),
            "{told:#}"
        );
    }
}
