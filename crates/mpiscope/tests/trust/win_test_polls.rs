//! A poll of one-sided communication was not replayed.

use crate::common::{matrix, mpiscope, process, Done, Trial};

#[track_caller]
fn run(trial: &Trial, words: &[&str]) -> Done {
    let mut line = trial.command(mpiscope());
    line.args(words).arg("--").args(trial.line(&[]));
    process::run_surely(&mut line)
}

#[test]
fn polls_of_a_window_say_no_as_often_as_they_did() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/order/win_test.c") else {
            continue;
        };
        let recorded = run(&trial, &["record", "-o", "run"]);
        recorded.check(0, &["successful poll"]);
        for _ in 0..3 {
            let replayed = run(&trial, &["replay", "run", "--patience", "20"]);
            replayed.check(0, &["replayed as recorded"]);
            assert_eq!(replayed.out, recorded.out);
        }
    }
}
