//! Ranks executed again without the others: each prints what it printed among
//! them, and what it cannot do alone is said with its place in the program.
#![forbid(unsafe_code)]

mod common;

use std::time::Duration;

use common::matrix::{self, Random};
use common::{found, mpiscope, process, Case, Done, Trial};

/// Runs `mpiscope COMMAND -- WORDS` in the trial's folder.
#[track_caller]
fn mpiscope_with(trial: &Trial, command: &str, words: &[String]) -> Done {
    let mut line = trial.command(mpiscope());
    line.args(command.split_whitespace()).arg("--").args(words);
    let done = process::run(&mut line);
    done.check_calm();
    done
}

fn record(trial: &Trial, options: &str) -> Done {
    mpiscope_with(trial, &format!("record -o run {options}"), &trial.line(&[]))
}

/// Executes one rank of the run, without a launcher.
fn alone(trial: &Trial, rank: u32) -> Done {
    let launched = trial.mpi.launch(trial.ranks).len();
    let words = &trial.line(&[])[launched..];
    mpiscope_with(trial, &format!("replay run --alone {rank}"), words)
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Records all ranks and executes each alone: together they print what all have printed.
#[track_caller]
fn check(case: Case, source: &str, arguments: &[&str]) {
    let Some(trial) = Trial::new(case, source) else {
        return;
    };
    let trial = trial.arguments(arguments).with("SEEN", "1");
    let together = record(&trial, "--payload all");
    together.check(0, &["payload of rank 0"]);
    let mut said = String::new();
    for rank in 0..case.ranks {
        let done = alone(&trial, rank);
        done.check(0, &["executed as recorded"]);
        said.push_str(&done.out);
    }
    assert_eq!(
        sorted(&said),
        sorted(&together.out),
        "{source} under {case:?}"
    );
}

/// Programs whose ranks say what they saw, in both languages.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("examples/heat.c", &["64", "40"]),
    ("examples/heat.f90", &[]),
    ("examples/cg.c", &["400", "1"]),
    ("examples/salesman.c", &["7", "1", "10"]),
    ("tests/mpi/order/layouts.c", &[]),
    ("tests/mpi/order/order.f90", &[]),
];

#[test]
fn a_lone_rank_prints_what_it_printed_among_the_others() {
    let names = PROGRAMS.map(|(source, _)| source);
    for (source, arguments) in PROGRAMS {
        let ranks = match source {
            // Two in each half.
            "tests/mpi/order/layouts.c" => 4,
            _ => 2,
        };
        for case in matrix::cases(&names, source, &[ranks]) {
            check(case, source, arguments);
        }
    }
}

/// Every form of receive, wait, test and probe, of collective and communicator.
#[test]
fn small_programs_are_executed_rank_by_rank() {
    const FOLDERS: [(&str, &[&str]); 2] = [
        (
            "tests/mpi/order",
            &[
                "cancel.c",
                "combined.c",
                "intercomm.c",
                "persistent.c",
                "probes.c",
                "receives.c",
                "waits.c",
            ],
        ),
        (
            "tests/mpi",
            &[
                "blocking.c",
                "collectives.c",
                "communicators.c",
                "edge.c",
                "icollectives.c",
                "idup.c",
                "intercomm.c",
                "isendrecv.c",
                "nonblocking.c",
                "persistent.c",
                "sendrecv.c",
                "types.c",
                "wildcards.c",
                "mpif.f",
                "usempi.f90",
            ],
        ),
    ];
    let everything = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let mut random = Random::new(matrix::seed());
    for (folder, names) in FOLDERS {
        for name in names {
            for mpi in found() {
                if everything || random.below(4 * found().len()) == 0 {
                    check(Case { mpi, ranks: 2 }, &format!("{folder}/{name}"), &[]);
                }
            }
        }
    }
}

/// A trial of the receive benchmark, recorded.
fn recorded(options: &str) -> Option<Trial> {
    let mpi = found().first()?;
    let trial = Trial::new(Case { mpi, ranks: 2 }, "bench/programs/receive.c")?;
    let trial = trial.arguments(&["recv", "20"]);
    record(&trial, options).check(0, &[]);
    Some(trial)
}

#[test]
fn a_rank_with_another_input_is_told_both_calls_and_their_lines() {
    let Some(trial) = recorded("--payload 0,1") else {
        return;
    };
    let trial = trial.arguments(&["iprobe", "20"]);
    let words = [
        "not as recorded in its call",
        "came:     MPI_Iprobe(",
        "recorded: MPI_Recv(",
    ];
    let done = alone(&trial, 0);
    done.check(1, &words);
    assert_eq!(
        done.errors.matches(" at receive.c:").count(),
        2,
        "{done:#?}"
    );
    // More rounds than recorded: the record has another call there.
    let trial = trial.arguments(&["recv", "25"]);
    alone(&trial, 1).check(1, &["not as recorded"]);
}

#[test]
fn what_was_not_recorded_is_asked_for_by_name() {
    let Some(trial) = recorded("--payload 1") else {
        return;
    };
    alone(&trial, 0).check(2, &["of rank 1 only", "record --payload 0"]);
    let launched = mpiscope_with(&trial, "replay run --alone 1", &trial.line(&[]));
    launched.check(0, &["executed as recorded"]);
    record(&trial, "--force --payload 2").check(2, &["no payload of rank 2"]);
}

#[test]
fn a_damaged_payload_is_named() {
    let Some(trial) = recorded("--payload all") else {
        return;
    };
    let file = trial.path("run/payload/1.payload");
    let whole = std::fs::read(&file).unwrap();
    for length in [0, 10, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&file, &whole[..length]).unwrap();
        let done = alone(&trial, 1);
        assert!(
            [1, 2, 3].contains(&done.code),
            "{length} bytes left: {done:#?}"
        );
        assert!(
            done.errors.contains("error"),
            "{length} bytes left: {done:#?}"
        );
    }
    std::fs::copy(trial.path("run/payload/0.payload"), &file).unwrap();
    alone(&trial, 1).check(3, &["1.payload", "rank 0"]);
}

#[test]
fn what_no_record_of_one_rank_can_hold_is_said_with_its_line() {
    for mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let Some(trial) = Trial::new(case, "tests/mpi/order/window.c") else {
            continue;
        };
        let words = ["MPI_Win_create", "window.c:11"];
        record(&trial, "--payload 1").check(0, &words);
        alone(&trial, 1).check(2, &words);
        let Some(trial) = Trial::new(case, "tests/mpi/order/threads.c") else {
            continue;
        };
        record(&trial, "--payload 1").check(0, &["second thread"]);
        alone(&trial, 1).check(2, &["second thread", "threads.c:"]);
    }
}

/// It hung and was killed: alone, it comes to the call that did not return.
#[test]
fn the_record_of_a_killed_rank_ends_in_the_call_it_did_not_leave() {
    for mpi in found() {
        let case = Case { mpi, ranks: 2 };
        let Some(trial) = Trial::new(case, "tests/mpi/races/deadlock.c") else {
            continue;
        };
        let mut line = trial.command(mpiscope());
        line.args(["record", "-o", "run", "--payload", "0", "--"])
            .args(trial.line(&[]));
        let mut running = process::start(&mut line);
        // From MPI_Init on; then the calls before the one that hangs take no time.
        while !trial.path("run/recording").exists() {
            assert!(!running.ends_within(Duration::from_millis(50)));
        }
        running.ends_within(Duration::from_secs(2));
        running.signal(rustix::process::Signal::TERM);
        running.wait().check_calm();
        alone(&trial, 0).check(1, &["the record ends here", "MPI_Recv", "deadlock.c:"]);
    }
}
