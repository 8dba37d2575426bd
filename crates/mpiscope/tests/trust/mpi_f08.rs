//! Programs of `use mpi_f08` left an empty trace, or a part of one, that looked whole; so did
//! calls by way of PMPI.

use std::path::PathBuf;

use crate::common::{found, mpiscope, process, Case, Done, Trial};

/// The program under each MPI that compiles it.
fn trials(source: &str) -> Vec<Trial> {
    let trial = |mpi| Trial::new(Case { mpi, ranks: 3 }, source);
    found().iter().filter_map(|&mpi| trial(mpi)).collect()
}

/// Runs `mpiscope WORDS -- LAUNCHER PROGRAM`.
#[track_caller]
fn run(trial: &Trial, words: &[&str]) -> Done {
    let mut command = trial.command(mpiscope());
    process::run(command.args(words).arg("--").args(trial.line(&[])))
}

/// The lines printed, but for those that depend on who came first.
fn settled(done: &Done) -> Vec<&str> {
    let raced = ["got", "any", "probe"];
    let is_raced = |line: &&str| raced.iter().any(|word| line.trim().starts_with(word));
    let mut lines: Vec<_> = done.out.lines().filter(|line| !is_raced(line)).collect();
    lines.sort();
    lines
}

#[test]
fn mpi_f08_is_traced_whole_under_every_mpi() {
    for trial in trials("tests/mpi/f08.f90") {
        let bare = trial.untraced();
        let run = trial.traced();
        run.done.check(0, &[]).check_calm();
        assert_eq!(settled(&run.done), settled(&bare));
        let info = run.check_info();
        assert_eq!(info.figure("messages.point_to_point"), 9, "{:#?}", info.0);
        let Some(facts) = run.check_archives() else {
            continue;
        };
        let kinds = |name: &str| facts.kinds.get(name).copied().unwrap_or(0);
        assert_eq!(kinds("MpiSend"), 9, "{facts:#?}");
        assert_eq!(kinds("MpiRecv") + kinds("MpiIrecv"), 9, "{facts:#?}");
        for site in facts.sites.keys() {
            assert!(!site.starts_with("MPI_Type_"), "the binding's own: {site}");
        }
        let source = std::fs::read_to_string(source("f08.f90")).unwrap();
        for (line, statement) in (1u64..).zip(source.lines()) {
            let Some((_, rest)) = statement.split_once("call MPI_") else {
                continue;
            };
            let name = rest.split('(').next().unwrap_or_default();
            // Of a statement that goes on, gfortran gives the last line.
            let end = line + u64::from(statement.ends_with('&'));
            let site = format!("MPI_{name} {end}");
            // Where the compiler does not tell, no line is better than a wrong one.
            let known = ["Init", "Finalize"].contains(&name) || facts.sites.contains_key(&site);
            assert!(known, "{site}: {:#?}", facts.sites);
        }
    }
}

fn source(name: &str) -> PathBuf {
    crate::common::workspace().join("tests/mpi").join(name)
}

#[test]
fn mpi_f08_is_recorded_and_replayed() {
    for trial in trials("tests/mpi/f08.f90") {
        let recorded = run(&trial, &["record", "-o", "order"]);
        recorded.check(0, &["8 choices of 3 ranks"]);
        let replayed = run(&trial, &["replay", "order"]);
        replayed.check(0, &["replayed as recorded: 8 choices"]);
        let lines = |done: &Done| -> Vec<String> {
            let raced = |line: &&str| settled(done).iter().all(|settled| settled != line);
            done.out.lines().filter(raced).map(str::to_owned).collect()
        };
        assert_eq!(lines(&replayed), lines(&recorded));
    }
}

#[test]
fn mpi_f08_is_monitored() {
    for trial in trials("tests/mpi/f08.f90") {
        let bare = trial.untraced();
        let done = run(&trial, &["monitor", "-o", "counted"]);
        done.check(0, &["MPI calls of 3 ranks"]);
        assert_eq!(settled(&done), settled(&bare));
        let stats = process::run(trial.command(mpiscope()).args(["stats", "counted"]));
        stats.check(0, &[]);
        assert!(stats.out.contains("MPI_Sendrecv f08.f90:46"), "{stats:#?}");
    }
}

#[test]
fn calls_of_pmpi_are_traced_and_a_tool_keeps_its_own() {
    for trial in trials("tests/mpi/tool.c") {
        let run = trial.traced();
        run.done.check(0, &[]).check_calm();
        assert_eq!(run.done.out, "the tool saw 5 sends\n");
        let info = run.check_info();
        assert_eq!(info.figure("messages.point_to_point"), 5, "{:#?}", info.0);
        if let Some(facts) = run.check_archives() {
            assert_eq!(facts.kinds["MpiSend"], 5, "{facts:#?}");
            // MPI_Init, the barrier, MPI_Finalize.
            let collective = facts.kinds["MpiCollectiveEnd"];
            assert!(collective >= 3, "{facts:#?}");
        }
    }
}
