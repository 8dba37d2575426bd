//! The one line that mattered stood among a hundred others.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

use crate::common::{found, mpiscope, process, Case, Trial};

/// Alternatives of the same two calls that end alike are one paragraph.
#[test]
fn explore_tells_alternatives_that_are_alike_together() {
    let Some(mpi) = found().first() else {
        return;
    };
    let Some(trial) = Trial::new(Case { mpi, ranks: 3 }, "tests/mpi/races/master_worker.c") else {
        return;
    };
    let run = |words: &str| {
        let mut command = trial.command(mpiscope());
        let command = command.args(words.split(' ')).arg("--");
        process::run(command.args(trial.line(&[])))
    };
    run("trace --no-sync -o run").check(0, &[]);
    let report = run("explore run --json --patience 30 --budget 6");
    let report: Value = serde_json::from_str(&report.check(0, &[]).out).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let told: Vec<&Value> = findings
        .filter(|it| it["how"] != Value::Array(vec![]))
        .collect();
    let of = |it: &&Value| ["verdict", "receive", "sent"].map(|key| it[key].to_string());
    let alike: BTreeSet<[String; 3]> = told.iter().map(of).collect();
    let paragraphs = |words: &str| {
        let text = run(words).out;
        let begins = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
        let titles = text.lines().filter(|line| line.ends_with(':'));
        titles.filter(begins).count()
    };
    assert!(alike.len() < told.len(), "{report:#}");
    assert_eq!(paragraphs("explore run --budget 0"), alike.len());
    assert_eq!(paragraphs("explore run --budget 0 --verbose"), told.len());
}

#[test]
fn the_doctor_fits_the_terminal() {
    for width in [60, 80, 120] {
        let mut command = Command::new(mpiscope());
        let done = process::run(command.arg("doctor").env("COLUMNS", width.to_string()));
        done.check(0, &[]);
        for line in done.out.lines() {
            // A path stays whole, however long it is: alone beside what was looked for.
            let found: String = line.chars().skip(24).collect();
            let fits = line.chars().count() <= width || found.split_whitespace().count() <= 1;
            assert!(fits, "more than {width} columns: {line}");
        }
        assert!(
            !done.out.contains('\x1b'),
            "colours in a file: {}",
            done.out
        );
    }
}
