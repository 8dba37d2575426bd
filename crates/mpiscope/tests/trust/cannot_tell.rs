//! Where the input cannot tell, that is the answer, with the reason: an archive
//! of another tool does not say which receives used wildcards, and no trace of
//! ours who waits for whom at windows.

use std::path::Path;
use std::process::Command;

use crate::common::trial::Json;
use crate::common::{found, mpiscope, oracle, process, workspace, Case, Trial};

/// Runs `mpiscope WORDS` on an archive.
#[track_caller]
fn asked(words: &str, archive: &Path) -> process::Done {
    process::run(Command::new(mpiscope()).args(words.split(' ')).arg(archive))
}

#[test]
fn an_archive_that_does_not_record_wildcards_does_not_say_that_nothing_races() {
    let Some(python) = oracle::python() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = workspace().join("crates/otf2/tests/oracle/messages.py");
    let archive = folder.path().join("others");
    process::run(Command::new(python).arg(script).arg(&archive)).check(0, &[]);
    let done = asked("races --json", &archive.join("traces.otf2"));
    let json = Json(serde_json::from_str(&done.check(0, &[]).out).unwrap());
    for name in ["racing", "hazards", "alternatives"] {
        assert!(json.get(name).is_null(), "{name}: {:#}", json.0);
    }
    let untold = json.get("cannot_tell").as_array().unwrap();
    let races = untold.iter().find(|it| it["what"] == "races");
    let why = races.expect("races")["why"].as_str().unwrap();
    assert!(why.contains("MPI_ANY_SOURCE"), "{why}");
    let text = asked("races", &archive.join("traces.otf2")).out;
    assert!(!text.contains("no receive or probe could have"), "{text}");
    assert!(text.contains("cannot be told"), "{text}");
    let failing = asked("races --fail-on race", &archive.join("traces.otf2"));
    failing.check(2, &["cannot be told", "MPI_ANY_SOURCE"]);
}

#[test]
fn waiting_at_windows_is_told_and_their_races_are_not() {
    for mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/analyze/fences.c") else {
            continue;
        };
        let run = trial.traced();
        run.done.check(0, &[]);
        let json = run.json("analyze --json");
        let statements = json.get("statements").as_array().unwrap();
        let fences = statements.iter().filter(|it| it["call"] == "MPI_Win_fence");
        let longest = fences.max_by_key(|it| it["waiting_ns"].as_u64());
        let waiting = longest.unwrap()["waiting_ns"].as_u64();
        assert!(waiting > Some(10_000_000), "{:#}", json.0);
        let unknown = json.get("unknown").as_array().unwrap();
        let mut windows = unknown.iter();
        assert!(
            !windows.any(|it| it["what"] == "one-sided communication"),
            "{:#}",
            json.0
        );
        let races = run.mpiscope("races").out;
        assert!(races.contains("windows cannot be told"), "{races}");
    }
}
