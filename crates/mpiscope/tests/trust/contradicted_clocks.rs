//! An archive's word about its clocks was believed against its own messages.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::matrix::Case;
use crate::common::trial::Json;
use crate::common::{found, mpiscope, process, Trial};

/// An archive that EZTrace wrote (`tests/archives/eztrace/README.md`): four processes on one host,
/// each of which counts time from its own begin.
fn eztrace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives/eztrace/eztrace_log.otf2")
}

fn said(command: &[&str], archive: &Path) -> String {
    let done = process::run(Command::new(mpiscope()).args(command).arg(archive));
    done.check(0, &[]);
    done.out
}

fn json(command: &[&str], archive: &Path) -> Json {
    Json(serde_json::from_str(&said(command, archive)).unwrap())
}

#[test]
fn processes_that_count_from_their_own_begin_are_given_clocks_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("corrected");
    let sync = ["sync", "--json", "-o", out.to_str().unwrap()];
    let summary = json(&sync, &eztrace());
    assert_eq!(summary.figure("clocks"), 4);
    assert_eq!(summary.text("clock_claims.by"), "messages");
    let claim = summary.get("clock_claims.contradicted.0");
    assert_eq!(claim["ranks"], serde_json::json!([0, 1, 2, 3]));
    assert_eq!(claim["split"], true);
    // Half of all messages were received before they were sent; lines between the clocks explain
    // every one of them, before the logical clock has moved any.
    let reversed = |times: &str| summary.figure(&format!("violations.{times}.reversed"));
    assert!(reversed("measured") > 60, "{:#}", summary.0);
    assert_eq!(reversed("interpolated"), 0, "{:#}", summary.0);
    assert_eq!(reversed("corrected"), 0);

    let info = said(&["info"], &eztrace());
    assert!(
        info.contains("the archive puts ranks 0-3 on one clock"),
        "{info}"
    );
    assert!(!info.contains("all ranks read one clock"), "{info}");
}

#[test]
fn who_knows_better_says_who_reads_one_clock() {
    for (whose, clocks) in [("host", 1), ("process", 4), ("thread", 4)] {
        let info = json(&["info", "--json", "--clocks", whose], &eztrace());
        let listed = info.get("clocks").as_array().unwrap().len();
        assert_eq!((listed, info.text("clock_claims.by")), (clocks, whose));
    }
}

#[test]
fn one_clock_of_ours_stays_one() {
    for mpi in found().iter().copied() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/sendrecv.c") else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        let info = run.json("info --json");
        assert_eq!(info.text("clock_claims.by"), "archive", "{:#}", info.0);
        assert_eq!(
            info.get("clock_claims.contradicted"),
            &serde_json::json!([])
        );
        assert_eq!(
            info.get("clocks").as_array().unwrap().len(),
            1,
            "{:#}",
            info.0
        );
    }
}
