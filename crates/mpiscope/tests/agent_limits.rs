//! The agent where it is tight: little memory, few or small files, another
//! clock, forks, no `trace`, a rank that cannot be observed.
#![forbid(unsafe_code)]

mod common;

use common::compare::compare;
use common::trial::{counted, Run};
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

/// Threads come and go, and each is a location; the program's files are its own.
#[test]
fn many_threads_leave_the_program_its_files() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/many_threads.c") else {
            continue;
        };
        let untraced = trial.untraced();
        untraced.check(0, &[]);
        let run = trial.traced();
        run.done.check(0, &[]);
        assert_eq!(run.done.out, untraced.out);
        run.check_shared_memory();
        let Some(facts) = run.check_archives() else {
            continue;
        };
        let (found, all) = (facts.messages, counted(&run.done.out)["messages"]);
        if found == all {
            assert_eq!(facts.locations.len(), 2 * (1 + 600));
        } else {
            // Threads that could not be recorded are told of.
            assert!(found < all && said(&run, "thread"), "{:#?}", run.done);
        }
    }
}

/// Returns whether the agent has told, through `trace`, about something.
fn said(run: &Run, word: &str) -> bool {
    let errors = run.done.errors.lines();
    let mut notices = errors.filter(|line| line.contains("note: "));
    notices.any(|line| line.contains(word))
}

/// Past the limit the kernel sends SIGXFSZ, which would end the program.
#[test]
fn files_that_may_not_grow_leave_the_program_alone() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
            continue;
        };
        // Blocks of 512 bytes: 32 MiB, less than is reserved for a thread.
        let limited = |line: &[String]| {
            let mut command = trial.command("sh");
            command.args(["-c", "ulimit -f 65536; exec \"$@\"", "sh"]);
            command.args(line);
            process::run(&mut command)
        };
        let untraced = limited(&trial.line(&[]));
        assert_eq!(untraced.code, 7, "{untraced:#?}");
        let mut line = vec![mpiscope().display().to_string()];
        line.extend(["trace", "-o", "run", "--"].map(str::to_owned));
        line.extend(trial.line(&[]));
        let done = limited(&line);
        done.check(7, &[]);
        assert_eq!(done.out, untraced.out);
        let run = trial.ended(done);
        if run.measured().exists() {
            run.check_archives();
        } else {
            assert!(said(&run, "recorded"), "{:#?}", run.done);
        }
    }
}

/// One of two ranks answers no; the other must not wait for it.
#[test]
fn a_rank_that_cannot_be_observed_stops_nobody() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
            continue;
        };
        let untraced = trial.untraced();
        let mut line = trial.mpi.launch(1);
        let program = trial.program.display().to_string();
        let refuse = ["env", "MPISCOPE_REFUSE=no room for the agent"];
        line.extend(refuse.map(str::to_owned));
        line.extend([&program, ":", "-n", "1", &program].map(ToString::to_string));
        let mut command = trial.command(mpiscope());
        command.args(["trace", "-o", "run", "--"]).args(line);
        let done = process::run(&mut command);
        done.check(7, &["no room for the agent", "nothing is recorded"]);
        assert_eq!(done.out, untraced.out);
        assert!(!trial.path("run").join("traces.otf2").exists());
    }
}
