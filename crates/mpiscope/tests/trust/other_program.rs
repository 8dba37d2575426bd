//! A replay of another program waited without a word.

use std::time::{Duration, Instant};

use crate::common::{matrix, mpiscope, process, Case, Done, Trial};

#[track_caller]
fn run(trial: &Trial, words: &[&str]) -> Done {
    let mut line = trial.command(mpiscope());
    line.args(words).arg("--").args(trial.line(&[]));
    process::run(&mut line)
}

/// Returns a trial with its record in `run`.
#[track_caller]
fn recorded(case: Case) -> Option<Trial> {
    let trial = Trial::new(case, "tests/mpi/order/diverges.c")?.arguments(&["same"]);
    run(&trial, &["record", "-o", "run"]).check(0, &[]);
    Some(trial)
}

/// The patience is an hour, and nobody waits for it.
#[track_caller]
fn refused(trial: &Trial, words: &[&str]) {
    let begun = Instant::now();
    let done = run(trial, &["replay", "run", "--patience", "3600"]);
    done.check(2, words);
    assert!(done.errors.contains("--other-program"), "{done:#?}");
    assert!(!done.out.contains("saw"), "it ran: {done:#?}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{done:#?}");
}

#[test]
fn other_arguments_are_told_before_the_program_starts() {
    for case in matrix::all(&[2]) {
        let Some(trial) = recorded(case) else {
            continue;
        };
        let trial = trial.arguments(&["silent"]);
        refused(&trial, &["diverges-c same`, not of", "diverges-c silent`"]);
        let words = ["replay", "run", "--patience", "1", "--other-program"];
        let told = run(&trial, &words);
        assert_eq!(told.code, 1, "{told:#?}");
        for word in ["note: the record is of", "nothing happened any more"] {
            assert!(told.errors.contains(word), "no {word} in {told:#?}");
        }
    }
}

#[test]
fn another_program_and_another_build_are_told_before_they_start() {
    for case in matrix::all(&[2]) {
        let Some(mut trial) = recorded(case) else {
            continue;
        };
        let same = trial.program.clone();
        trial.program = case.mpi.compile("tests/mpi/order/probes.c").unwrap();
        refused(&trial, &["the record is of the program", "not of"]);
        // Another build of the same name.
        let other = trial.path(same.file_name().unwrap().to_str().unwrap());
        std::fs::copy(&trial.program, &other).unwrap();
        trial.program = other;
        refused(&trial, &["is not the file that was recorded"]);
        trial.program = same;
        run(&trial, &["replay", "run"]).check(0, &["replayed as recorded"]);
    }
}
