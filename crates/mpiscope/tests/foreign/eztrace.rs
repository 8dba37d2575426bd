//! EZTrace, whose archives are made here: Debian's package traces real programs.
//!
//! It counts each process's time from the process's own begin, says of functions of MPI that they
//! are of the user, and has neither MPI_Init nor MPI_Finalize. Of nonblocking receives it keeps
//! an end where a status was given, and at times what lay in memory in its place; of probes,
//! of matched receives and of sends that end, nothing.

use std::path::PathBuf;

use crate::commands::{check_all, json};
use crate::common::mpi::OPEN_MPI;
use crate::common::trial::Json;
use crate::common::{found, is_command, missing, process, Case, Mpi, Trial};
use crate::view;

/// A program traced by EZTrace; nothing, with a word, where that is not installed.
fn traced(mpi: &'static Mpi, source: &str, ranks: u32) -> Option<(Trial, PathBuf)> {
    if !is_command("eztrace") {
        missing("archives of EZTrace: no eztrace");
        return None;
    }
    let trial = Trial::new(Case { mpi, ranks }, source)?;
    let line = trial.line(&["eztrace", "-t", mpi.suffix]);
    let done = process::run_surely(trial.command(&line[0]).args(&line[1..]));
    done.check(0, &[]);
    let program = trial.program.file_name().unwrap().to_str().unwrap();
    let archive = trial.path(&format!("{program}_trace/eztrace_log.otf2"));
    Some((trial, archive))
}

fn notes(report: &Json) -> String {
    let notes = report.get("notes").as_array().unwrap();
    let notes: Vec<&str> = notes.iter().map(|note| note.as_str().unwrap()).collect();
    notes.join("\n")
}

/// What waiting is said of a function's calls.
fn waiting<'a>(report: &'a Json, call: &str) -> &'a serde_json::Value {
    let statements = report.get("statements").as_array().unwrap();
    let found = statements.iter().find(|it| it["call"] == call);
    &found.unwrap_or_else(|| panic!("no {call} in {:#}", report.0))["waiting_ns"]
}

#[test]
fn blocking_calls_are_read_in_full() {
    for mpi in found() {
        let source = "crates/mpiscope/tests/archives/eztrace/pairs.c";
        let Some((_trial, archive)) = traced(mpi, source, 4) else {
            return;
        };
        check_all("eztrace", &archive);
        let info = json("info --json", &archive);
        assert_eq!(info.figure("ranks"), 4);
        assert_eq!(info.figure("messages.point_to_point"), 160);
        assert_eq!(info.figure("collectives"), 2);
        assert_eq!(notes(&info), "");
        let analyzed = json("analyze --json", &archive);
        assert!(waiting(&analyzed, "MPI_Recv").is_number());
        assert!(waiting(&analyzed, "MPI_Barrier").is_number());
        assert!(!view::check(&archive).join("\n").contains("missing"));
        view::check(&view::corrected(&archive));
    }
}

/// Whether EZTrace finds its own memory where a program ignores statuses depends on that memory;
/// that most receives have no end does not.
#[test]
fn nonblocking_receives_that_are_missing_are_named() {
    let ranks = [2, 3];
    for (mpi, ranks) in found()
        .iter()
        .flat_map(|mpi| ranks.map(|ranks| (*mpi, ranks)))
    {
        let Some((_trial, archive)) = traced(mpi, "tests/mpi/nonblocking.c", ranks) else {
            return;
        };
        check_all("eztrace", &archive);
        let info = json("info --json", &archive);
        assert!(
            notes(&info).contains("receives are missing"),
            "{:#}",
            info.0
        );
        let analyzed = json("analyze --json", &archive);
        assert!(waiting(&analyzed, "MPI_Wait").is_null(), "{:#}", analyzed.0);
        let most = analyzed.get("statements").as_array().unwrap().iter();
        let most = most.filter_map(|it| it["bytes"].as_u64()).max().unwrap();
        assert!(most < 1 << 20, "{:#}", analyzed.0);
        let races = json("races --json", &archive);
        assert!(races.get("racing").is_null());
        assert_eq!(races.get("errors").as_array().unwrap().len(), 0);
        let noted = view::check(&archive).join("\n");
        assert!(noted.contains("receives are missing"), "{noted}");
    }
}

#[test]
fn probes_of_which_nothing_is_told_are_named() {
    let Some((_trial, archive)) = traced(&OPEN_MPI, "tests/mpi/probes.c", 2) else {
        return;
    };
    let analyzed = json("analyze --json", &archive);
    assert!(waiting(&analyzed, "MPI_Probe").is_null());
    assert!(waiting(&analyzed, "MPI_Recv").is_number());
}
