//! Locations of accelerators were counted as ranks.

use std::path::Path;
use std::process::Command;

use crate::common::trial::Json;
use crate::common::{mpiscope, oracle, process};

/// Two ranks of 7.2 s on one host, with five busy streams each and a location of metrics; no
/// message. Nothing, with a word, without PyPI's `otf2`.
fn written(folder: &Path) -> Option<()> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/write_accelerators.py");
    let done = process::run(Command::new(oracle::python()?).arg(script).arg(folder));
    done.check(0, &[]);
    Some(())
}

#[test]
fn ranks_are_those_of_mpi_and_accelerators_have_a_time_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("run");
    let Some(()) = written(&archive) else {
        return;
    };
    let anchor = archive.join("traces.otf2");
    let said = |command: &[&str]| {
        let done = process::run(Command::new(mpiscope()).args(command).arg(&anchor));
        done.check(0, &[]);
        done.out
    };
    let json = |command: &[&str]| Json(serde_json::from_str(&said(command)).unwrap());

    let info = json(&["info", "--json"]);
    let kinds = ["ranks", "threads", "accelerators", "metrics", "locations"];
    assert_eq!(kinds.map(|kind| info.figure(kind)), [2, 2, 10, 2, 14]);
    assert_eq!(info.get("hosts"), &serde_json::json!(["gpu01"]));
    let of_threads = info.get("regions").as_array().unwrap();
    assert_eq!(of_threads.len(), 1, "{of_threads:?}");
    assert_eq!(info.figure("accelerator_regions.0.time_ns"), 70_000_000_000);
    assert!(info.get("uncertainty").is_null());
    let text = said(&["info"]);
    assert!(
        text.contains("2, 2 threads, 10 accelerator streams and 2 metric streams"),
        "{text}"
    );
    assert!(text.contains("no message tests that"), "{text}");

    let analyzed = json(&["analyze", "--json"]);
    assert_eq!(analyzed.figure("ranks"), 2);
    assert_eq!(analyzed.figure("length_ns"), 7_200_000_000);
    assert_eq!(analyzed.figure("time_ns"), 14_400_000_000);
    assert_eq!(analyzed.figure("work.mean_ns"), 7_200_000_000);
    assert_eq!(analyzed.get("by_rank").as_array().unwrap().len(), 2);
    assert!(said(&["analyze"]).contains("10 accelerator streams and 2 metric streams"));

    let out = folder.path().join("corrected");
    let sync = json(&["sync", "--json", "-o", out.to_str().unwrap()]);
    assert_eq!((sync.figure("ranks"), sync.figure("clocks")), (2, 1));
    assert!(sync.get("uncertainty.worst_ns").is_null(), "{:#}", sync.0);
}
