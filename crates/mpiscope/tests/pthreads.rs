//! Threads that programs create one by one: who created whom, when each began and ended, and who
//! waited for whom, as a reader sees it that is not ours.
#![forbid(unsafe_code)]

mod common;

use common::oracle::Facts;
use common::trial::Run;
use common::{found, inapplicable, Case, Trial};

const CREATED: &str = "tests/mpi/pthreads/created.c";

/// Traces a program of two ranks under each MPI; returns what its archive tells, where a foreign reader is there.
fn each(source: &str, look: impl Fn(&Run, &Facts)) {
    for mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let Some(trial) = Trial::new(case, source) else {
            continue;
        };
        let bare = trial.untraced();
        bare.check(0, &[]);
        let run = trial.traced();
        run.done.check(0, &[]);
        let sorted = |out: &str| {
            let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&run.done.out), ["rank 0: ok", "rank 1: ok"]);
        assert_eq!(sorted(&run.done.out), sorted(&bare.out));
        let errors = &run.done.errors;
        assert!(!errors.contains("could not be kept"), "{errors}");
        run.check_shared_memory();
        let checked = run.mpiscope("check");
        checked.check(0, &[]);
        assert_eq!(checked.out.matches("nothing is against").count(), 2);
        if let Some(facts) = run.check_archives() {
            look(&run, &facts);
        }
    }
}

fn kind(facts: &Facts, kind: &str) -> u64 {
    facts.kinds.get(kind).copied().unwrap_or(0)
}

#[test]
fn threads_are_created_begin_end_and_are_waited_for() {
    each(CREATED, |run, facts| {
        // In each rank and round three senders, one that is detached; and the one of the second round.
        let (joined, detached) = (2 * (2 * 3 + 1), 2 * 2);
        for told in ["ThreadCreate", "ThreadBegin", "ThreadEnd"] {
            assert_eq!(kind(facts, told), joined + detached, "{told}");
        }
        assert_eq!(kind(facts, "ThreadWait"), joined);
        // Those that never call MPI are created and waited for all the same.
        let entered = |region: &str| -> u64 {
            let all = facts.entered.values();
            all.filter_map(|regions| regions.get(region)).sum()
        };
        assert_eq!(entered("pthread_create"), joined + detached + 2 * 2);
        assert_eq!(entered("pthread_join"), joined + 2 * 2);
        let info = run.json("info --json");
        assert_eq!(info.figure("violations.measured.reversed"), 0);
        let source = std::fs::read_to_string(common::workspace().join(CREATED)).unwrap();
        let line = source.lines().position(|line| line.contains("/* join */"));
        let site = format!("pthread_join {}", line.unwrap() + 1);
        assert_eq!(facts.sites.get(&site), Some(&(2 * 2 * 3)), "{site}");
    });
}

#[test]
fn threads_of_cpp_are_threads() {
    each("tests/mpi/pthreads/standard.cpp", |_, facts| {
        for told in ["ThreadCreate", "ThreadBegin", "ThreadEnd", "ThreadWait"] {
            assert_eq!(kind(facts, told), 2 * 4, "{told}");
        }
    });
}

/// A program may give its threads as little as the system allows; what we need of it must fit, too.
#[test]
fn threads_with_the_smallest_stacks_run_as_without_us() {
    for mpi in found() {
        let trial = || Trial::new(Case { mpi, ranks: 1 }, "tests/mpi/pthreads/small_stacks.c");
        let Some(bare) = trial() else {
            continue;
        };
        let bare = bare.untraced();
        if bare.code != 0 {
            inapplicable(&format!("{} itself needs more: {bare:?}", mpi.name));
            continue;
        }
        for command in ["trace", "monitor", "record"] {
            let trial = trial().unwrap();
            let mut words = vec![command, "-o", "run", "--"];
            let line = trial.line(&[]);
            words.extend(line.iter().map(String::as_str));
            let done = common::process::run(trial.command(common::mpiscope()).args(words));
            done.check(0, &[]);
            assert_eq!(done.out, bare.out, "{command}");
        }
    }
}
