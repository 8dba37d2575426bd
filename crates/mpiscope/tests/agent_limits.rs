//! The agent where it is tight: little memory, another clock, forks, no `trace`.
#![forbid(unsafe_code)]

mod common;

use common::compare::compare;
use common::trial::counted;
use common::{matrix, mpiscope, process, Trial};

#[test]
fn a_full_buffer_goes_to_disk_and_says_when() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "examples/heat.c") else {
            continue;
        };
        let run = trial
            .arguments(&[16, 8000])
            .traced_with(&["--buffer", "1M"]);
        run.done.check(0, &[]);
        run.check_info();
        run.check_shared_memory();
        let Some(facts) = run.check_archives() else {
            continue;
        };
        for (name, count) in counted(&run.done.out) {
            assert_eq!(facts.figure(&name), count, "{name}");
        }
        let flushes = facts.kinds.get("BufferFlush").copied().unwrap_or(0);
        assert!(flushes >= u64::from(case.ranks), "{:?}", facts.kinds);
    }
}

#[test]
fn the_kernels_clock_serves_where_the_processors_does_not() {
    let Some(case) = matrix::all(&[3]).pop() else {
        return;
    };
    let Some(trial) = Trial::new(case, "tests/mpi/sendrecv.c") else {
        return;
    };
    let (run, _) = compare(trial.with("MPISCOPE_CLOCK", "monotonic"));
    let facts = run.facts();
    assert_eq!(facts.text("clocks.0.source"), "monotonic");
}

#[test]
fn a_forked_child_records_nothing_and_harms_nothing() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/forks.c") else {
            continue;
        };
        let (_, facts) = compare(trial);
        let locations = facts.map(|facts| facts.locations.len());
        assert!(locations.is_none_or(|locations| locations == 2));
    }
}

#[test]
fn under_bare_exec_the_ranks_make_the_run_themselves() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/wildcards.c") else {
            continue;
        };
        let line = trial.line(&[mpiscope().to_str().unwrap(), "exec", "--"]);
        let done = process::run(trial.command(&line[0]).args(&line[1..]));
        done.check(0, &[]);
        // Named after the program, which is compiled under a name of ours.
        std::fs::rename(
            trial.path("tests-mpi-wildcards-c.mpiscope"),
            trial.path("run"),
        )
        .unwrap();
        let run = trial.ended(done);
        run.mpiscope("sync").check(0, &[]);
        run.check_info();
        run.check_shared_memory();
        if let Some(facts) = run.check_archives() {
            assert_eq!(facts.messages, counted(&run.done.out)["messages"]);
        }
    }
}
