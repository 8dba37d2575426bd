//! A replay said "as recorded" and was not.

use std::process::Command;

use serde_json::Value;

use crate::common::matrix::Random;
use crate::common::{matrix, mpiscope, process, Case, Done, Trial};

fn command(trial: &Trial, words: &[&str]) -> Command {
    let mut line = trial.command(mpiscope());
    line.args(words).arg("--").args(trial.line(&[]));
    line
}

#[track_caller]
fn run(trial: &Trial, words: &[&str]) -> Done {
    process::run(&mut command(trial, words))
}

/// Runs what may be repeated, and is when the launcher itself fails.
#[track_caller]
fn surely(trial: &Trial, words: &[&str]) -> Done {
    process::run_to_a_fatal_error(&mut command(trial, words))
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
    let recorded = surely(&trial, &[way, "-o", "run", "--force"]);
    let died = errors == "fatal";
    assert_eq!(recorded.code != 0, died, "{recorded:#?}");
    let first = rounds(&trial);
    let replayed = surely(&trial, &["replay", "run", "--patience", "20", "--json"]);
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

/// The same calls in the same order, but what the messages hold is something else.
#[track_caller]
fn check_other_data(case: Case, form: &str, by: &str, random: &mut Random) {
    let round = random.below(40);
    let Some(trial) = Trial::new(case, "tests/mpi/order/other_data.c") else {
        return;
    };
    let trial = trial.arguments(&[form, by, &round.to_string()]);
    // Of a nonblocking receive, and of contents, nothing else is on record.
    let hashes = by == "content" || form == "irecv";
    let options: &[&str] = match hashes {
        true => &["record", "-o", "run", "--payload-hashes"],
        false => &["record", "-o", "run"],
    };
    run(&trial, options).check(0, &[]);
    run(&trial, &["replay", "run"]).check(0, &["replayed as recorded"]);
    std::fs::write(trial.path("other"), "").unwrap();
    let done = run(&trial, &["replay", "run", "--json"]);
    let what = format!("{form} {by} in round {round} {case:?}: {done:#?}");
    assert_eq!(done.code, 1, "{what}");
    assert!(done.errors.contains("but with other data"), "{what}");
    let told = told(&done);
    assert_eq!(told["same"], false, "{what}");
    let data = &told["ranks"][0]["other_data"];
    let kind = if hashes { "payload" } else { "status" };
    assert_eq!(data["what"], kind, "{what}");
    let site = data["sites"][0].as_str().unwrap();
    assert!(site.contains("other_data.c:"), "{what}");
    let [from, call] = ["from", "call"].map(|name| data[name].as_u64().unwrap());
    // Two calls before the first receive, which is two calls where it is waited for. Rank 0 knows
    // which one brought other content; another type is known from its sender's round on.
    let each = if form == "irecv" { 2 } else { 1 };
    let receive = done
        .out
        .lines()
        .find_map(|line| line.strip_prefix("other in receive "));
    match receive.map(|number| number.parse::<u64>().unwrap()) {
        Some(number) => assert_eq!(call, 2 + each * number, "{what}"),
        None => assert!(call > 2 + each * round as u64, "{what}"),
    }
    assert_eq!(receive.is_some(), by == "content", "{what}");
    // Few come between two marks.
    assert!(call - from <= call / 64, "{what}");
    assert_eq!(told["ranks"][0]["same_until"], from - 1, "{what}");
    for other in 1..case.ranks as usize {
        assert_eq!(told["ranks"][other]["other_data"], Value::Null, "{what}");
    }
}

#[test]
fn a_replay_that_gets_other_data_says_from_which_call_on() {
    let mut random = Random::new(matrix::seed());
    for case in matrix::all(&[3]) {
        for (form, by) in [
            ("recv", "content"),
            ("sendrecv", "content"),
            ("irecv", "content"),
            ("recv", "type"),
            ("sendrecv", "type"),
            ("irecv", "type"),
        ] {
            check_other_data(case, form, by, &mut random);
        }
    }
}

fn saw(done: &Done) -> Vec<&str> {
    let lines = done.out.lines().filter(|line| line.contains(" saw "));
    let lines: Vec<&str> = lines.collect();
    assert!(!lines.is_empty(), "{done:#?}");
    lines
}

/// Threads that come to their lock in another order are no reason to wait for ever.
#[test]
fn threads_that_take_turns_by_their_own_lock_are_replayed() {
    for case in matrix::all(&[3, 4]) {
        for form in ["recv", "irecv", "probe"] {
            let Some(trial) = Trial::new(case, "tests/mpi/order/mutex.c") else {
                continue;
            };
            let trial = trial.arguments(&[form]);
            let recorded = run(&trial, &["record", "-o", "run"]);
            recorded.check(0, &[]);
            let done = run(&trial, &["replay", "run", "--patience", "10", "--json"]);
            let what = format!("{form} {case:?}: {done:#?}");
            let told = told(&done);
            assert_eq!(told["exit_code"], 0, "{what}");
            let others = &told["ranks"][0]["other_threads"];
            let same = others.is_null();
            // Which of the requests of several threads completes first is no choice of a receive.
            if same || form != "irecv" {
                assert_eq!(saw(&done), saw(&recorded), "{what}");
            }
            assert_eq!(told["same"], same, "{what}");
            assert_eq!(done.code, i32::from(!same), "{what}");
            let words = match same {
                true => "replayed as recorded",
                false => "in the recorded order, but by other threads",
            };
            assert!(done.errors.contains(words), "{what}");
            assert!(!done.errors.contains("ran free"), "{what}");
            if !same {
                let site = others["site"].as_str().unwrap();
                assert!(site.contains("mutex.c:"), "{what}");
            }
        }
    }
}

/// Who takes which unit of work is not MPI's: the replay comes to its end and says which thread.
#[test]
fn threads_that_share_a_budget_come_to_an_end() {
    for case in matrix::all(&[3]) {
        let Some(trial) = Trial::new(case, "tests/mpi/order/budget.c") else {
            continue;
        };
        run(&trial, &["record", "-o", "run"]).check(0, &[]);
        let done = run(&trial, &["replay", "run", "--patience", "20", "--json"]);
        let what = format!("{case:?}: {done:#?}");
        let told = told(&done);
        if told["same"] == true {
            continue;
        }
        assert_eq!(done.code, 1, "{what}");
        assert_eq!(told["exit_code"], 0, "{what}");
        assert!(done.errors.contains("the end of thread "), "{what}");
        assert!(
            done.errors.contains("how many calls a thread makes"),
            "{what}"
        );
    }
}
