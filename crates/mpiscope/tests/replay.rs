//! Programs that race, recorded once and replayed again and again: each time they
//! see what they saw when they were recorded, by a hash that they print themselves.
#![forbid(unsafe_code)]

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::matrix::{all, Random};
use common::{found, matrix, mpiscope, process, workspace, Case, Done, Trial};

/// Whether every case is to be run.
fn everything() -> bool {
    std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1")
}

/// Runs `mpiscope COMMAND -- PROGRAM` in the trial's folder.
#[track_caller]
fn mpiscope_with(trial: &Trial, command: &str) -> Done {
    let words = command.split_whitespace();
    let mut line = trial.command(mpiscope());
    line.args(words).arg("--").args(trial.line(&[]));
    let done = match command.starts_with("replay") {
        true => process::run_surely(&mut line),
        false => process::run(&mut line),
    };
    done.check_calm();
    done
}

/// Returns what a program says that it saw.
#[track_caller]
fn seen(done: &Done) -> &str {
    let line = done.out.lines().find_map(|line| line.strip_prefix("seen "));
    line.unwrap_or_else(|| panic!("the program saw nothing: {done:#?}"))
}

/// Records once, and replays as often as is to be shown.
#[track_caller]
fn check(source: &str, arguments: fn(Case) -> Vec<String>) {
    let (ranks, times): (&[u32], _) = match everything() {
        true => (&[2, 4, 8], 50),
        false => (&[2, 4], 3),
    };
    for case in all(ranks) {
        let Some(trial) = Trial::new(case, source) else {
            continue;
        };
        let trial = trial.arguments(&arguments(case)).with("SEEN", "1");
        let recorded = mpiscope_with(&trial, "record -o run");
        recorded.check(0, &[]);
        for time in 1..=times {
            let replayed = mpiscope_with(&trial, "replay run");
            replayed.check(0, &["replayed as recorded"]);
            assert_eq!(
                seen(&replayed),
                seen(&recorded),
                "replay {time} of {source} under {case:?}"
            );
        }
    }
}

/// Ranks that wait spin where there are more of them than cores: few exchanges then.
fn spins(case: Case) -> bool {
    case.mpi.patience < 100 && case.ranks > 2
}

/// Every message of it races with all that others send.
fn rounds(case: Case) -> String {
    let rounds = match spins(case) {
        true => 100 / (case.ranks * (case.ranks - 1)),
        false => 60,
    };
    rounds.max(1).to_string()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

#[test]
fn receives_from_anybody_are_replayed() {
    check("bench/programs/receive.c", |case| {
        words(&["recv", &rounds(case)])
    });
}

#[test]
fn probes_for_anybody_succeed_as_often_as_they_did() {
    check("bench/programs/receive.c", |case| {
        words(&["iprobe", &rounds(case)])
    });
}

#[test]
fn a_salesman_travels_the_same_way_again() {
    check("examples/salesman.c", |case| match spins(case) {
        true => words(&["7", "1", "10"]),
        false => words(&["11", "1", "100"]),
    });
}

#[test]
fn sums_in_order_of_arrival_are_the_same_to_the_last_bit() {
    check("examples/bicgstab.c", |case| {
        match (spins(case), case.ranks) {
            (true, _) => words(&["260", "70", "1"]),
            (false, 8..) => words(&["500", "70", "1"]),
            (false, _) => words(&["1000", "70", "2"]),
        }
    });
}

/// A trace holds the same record, and a replay can be traced.
#[test]
fn a_traced_run_is_replayed_and_a_replay_is_traced() {
    for mpi in found() {
        let case = Case { mpi, ranks: 3 };
        let Some(trial) = Trial::new(case, "bench/programs/receive.c") else {
            continue;
        };
        let trial = trial.arguments(&["iprobe", "10"]).with("SEEN", "1");
        let traced = mpiscope_with(&trial, "trace -o run");
        traced.check(0, &[]);
        let again = mpiscope_with(&trial, "replay run --trace -o again");
        again.check(0, &["replayed as recorded"]);
        assert_eq!(seen(&again), seen(&traced));
        assert!(trial.path("again/traces.otf2").is_file());
        let twice = mpiscope_with(&trial, "replay again");
        twice.check(0, &["replayed as recorded"]);
        assert_eq!(seen(&twice), seen(&traced));
    }
}

/// Returns the programs of `tests/mpi/races` that end well, with their ranks.
fn small_programs() -> Vec<(String, u32)> {
    let folder = workspace().join("tests/mpi/races");
    let of = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let text = std::fs::read_to_string(&path).ok()?;
        let ranks = text.lines().find_map(|line| {
            let line = line.trim_start_matches([' ', '*', '!']);
            line.strip_prefix("ranks:")?
                .trim_end_matches("*/")
                .trim()
                .parse()
                .ok()
        });
        let ends_well = !text.contains("ends:") && !name.ends_with(".h");
        ends_well.then_some((format!("tests/mpi/races/{name}"), ranks?))
    };
    let entries = std::fs::read_dir(folder).unwrap();
    let mut programs: Vec<_> = entries
        .filter_map(|entry| of(entry.unwrap().path()))
        .collect();
    programs.sort();
    programs
}

/// Each form of receive, probe and wait that there is, verified as it goes.
#[test]
fn small_programs_with_races_are_replayed_call_by_call() {
    let mut random = Random::new(matrix::seed());
    let programs = small_programs();
    assert!(programs.len() > 40, "{programs:?}");
    for (source, ranks) in programs {
        for mpi in found() {
            // A quarter of them, under one MPI, unless all are asked for.
            if !everything() && random.below(4 * found().len()) > 0 {
                continue;
            }
            let Some(trial) = Trial::new(Case { mpi, ranks }, &source) else {
                continue;
            };
            mpiscope_with(&trial, "record -o run").check(0, &[]);
            mpiscope_with(&trial, "replay run").check(0, &["replayed as recorded"]);
        }
    }
}

/// Runs a program under the rule as often as is to be shown: it prints the same each time.
#[track_caller]
fn check_deterministic(trial: &Trial) {
    let times = if everything() { 10 } else { 3 };
    let outputs: Vec<String> = (0..times)
        .map(|_| {
            let done = mpiscope_with(trial, "replay --deterministic");
            done.check(0, &["made by the rule"]);
            assert!(!done.errors.contains("left to MPI"), "{done:#?}");
            let saw = done
                .out
                .lines()
                .filter(|line| line.contains("saw") || line.contains("seen"));
            saw.collect::<Vec<_>>().join("\n")
        })
        .collect();
    assert!(!outputs[0].is_empty());
    assert!(outputs.iter().all(|out| *out == outputs[0]), "{outputs:#?}");
}

/// Receives, probes, waits and tests, blocking or not, of ranks that dawdle at random.
#[test]
fn without_a_record_sums_in_order_of_arrival_are_the_same_in_every_run() {
    for case in all(&[3]) {
        let Some(trial) = Trial::new(case, "tests/mpi/order/sums.c") else {
            continue;
        };
        check_deterministic(&trial);
        // What the rule chose can be recorded, and is a record like any other.
        let kept = mpiscope_with(&trial, "replay --deterministic -o kept");
        kept.check(0, &["kept in"]);
        let again = mpiscope_with(&trial, "replay kept");
        again.check(0, &["replayed as recorded"]);
        assert_eq!(again.out, kept.out);
    }
}

#[test]
fn without_a_record_a_salesman_travels_the_same_way_in_every_run() {
    for case in all(&[3]) {
        let Some(trial) = Trial::new(case, "examples/salesman.c") else {
            continue;
        };
        let trial = trial.arguments(&words(&["7", "1", "10"])).with("SEEN", "1");
        check_deterministic(&trial);
    }
}

/// Who calls MPI from several threads at once is told that there is no rule for them.
#[test]
fn threads_are_not_ordered_without_a_record() {
    for case in all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/order/threads.c") else {
            continue;
        };
        let done = mpiscope_with(&trial, "replay --deterministic");
        done.check(2, &["MPI_THREAD_MULTIPLE"]);
        assert!(!done.out.contains("saw"), "{done:#?}");
    }
}

/// Returns a trial of the receive benchmark with its record in `run`.
#[track_caller]
fn recorded(ranks: u32, rounds: &str) -> Option<Trial> {
    let mpi = found().first()?;
    let trial = Trial::new(Case { mpi, ranks }, "bench/programs/receive.c")?;
    let trial = trial.arguments(&["recv", rounds]).with("SEEN", "1");
    mpiscope_with(&trial, "record -o run").check(0, &[]);
    Some(trial)
}

/// Replays a program that is not as recorded, and is to be told so soon.
#[track_caller]
fn refused(trial: &Trial, code: i32, words: &[&str]) -> Done {
    let begin = Instant::now();
    let done = mpiscope_with(trial, "replay run --other-program --patience 5");
    assert!(begin.elapsed() < Duration::from_secs(60), "{done:#?}");
    done.check(code, words);
    done
}

#[test]
fn another_program_is_told_that_it_is_not_the_recorded_one() {
    let Some(mut trial) = recorded(2, "20") else {
        return;
    };
    let Some(other) = trial.mpi.compile("examples/salesman.c") else {
        return;
    };
    trial.program = other;
    let done = mpiscope_with(&trial, "replay run --patience 5");
    assert!(done.code == 1 || done.code == 2, "{done:#?}");
    assert!(done.errors.contains("receive"), "{done:#?}");
}

#[test]
fn another_number_of_ranks_is_refused() {
    let Some(mut trial) = recorded(2, "20") else {
        return;
    };
    trial.ranks = 3;
    refused(&trial, 2, &["2", "3"]);
}

#[test]
fn a_rank_that_is_not_there_cannot_be_debugged() {
    let Some(trial) = recorded(2, "20") else {
        return;
    };
    let done = mpiscope_with(&trial, "replay run --gdb 7");
    done.check(2, &["--gdb 7", "no such rank"]);
}

/// Nobody comes to MPI_Finalize, and yet all was as recorded; the code is the program's.
#[test]
fn a_program_that_aborts_is_replayed_until_then() {
    for mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/abort.c") else {
            continue;
        };
        mpiscope_with(&trial, "record -o run").check(3, &[]);
        let words = ["ended without MPI_Finalize", "as recorded until"];
        mpiscope_with(&trial, "replay run").check(3, &words);
    }
}

/// Another input: the first call that differs is named, and nobody waits for ever.
#[test]
fn a_program_with_another_input_diverges_and_ends() {
    let Some(trial) = recorded(3, "20") else {
        return;
    };
    let longer = trial.arguments(&["recv", "25"]);
    let done = mpiscope_with(&longer, "replay run --other-program --patience 5");
    // What goes beyond the record runs free, and that is said.
    assert_eq!(done.code, 1, "{done:#?}");
    assert!(
        done.errors.contains("free") || done.errors.contains("not as recorded"),
        "{done:#?}"
    );
    let shorter = longer.arguments(&["recv", "15"]);
    refused(&shorter, 1, &["not as recorded"]);
    let probing = shorter.arguments(&["iprobe", "20"]);
    refused(&probing, 1, &["not as recorded", "MPI_Iprobe"]);
}

/// Returns the files of a record, of rank 0 first.
fn files(run: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(run.join("order")).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_record_that_is_cut_short_is_told_or_followed_as_far_as_it_goes() {
    let Some(trial) = recorded(2, "2000") else {
        return;
    };
    let files = files(&trial.path("run"));
    let whole = std::fs::read(&files[0]).unwrap();
    for length in [0, 1, 10, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&files[0], &whole[..length]).unwrap();
        let done = mpiscope_with(&trial, "replay run --patience 5");
        assert!(
            [2, 3].contains(&done.code),
            "{length} bytes left: {done:#?}"
        );
        let name = files[0].file_name().unwrap().to_str().unwrap();
        assert!(done.errors.contains(name), "{length} bytes left: {done:#?}");
    }
}

#[test]
fn records_of_two_runs_are_not_mixed_up() {
    let Some(trial) = recorded(2, "20") else {
        return;
    };
    mpiscope_with(&trial, "record -o other").check(0, &[]);
    let [to, from] = ["run", "other"].map(|run| files(&trial.path(run))[1].clone());
    std::fs::copy(&from, &to).unwrap();
    let name = to.file_name().unwrap().to_str().unwrap();
    refused(&trial, 3, &[name]);
}

/// It hung when it was recorded, and hangs again: that is said, with who waits where.
#[test]
fn a_program_that_hangs_in_replay_is_ended_and_explained() {
    for mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/races/deadlock.c") else {
            continue;
        };
        let mut line = trial.command(mpiscope());
        line.args(["record", "-o", "run", "--"])
            .args(trial.line(&[]));
        let mut running = process::start(&mut line);
        running.ends_within(Duration::from_secs(2));
        running.signal(rustix::process::Signal::TERM);
        running.wait().check_calm();
        let done = mpiscope_with(&trial, "replay run --patience 2");
        assert_ne!(done.code, 0, "{done:#?}");
        for words in ["rank 0 waits", "rank 1 waits", "MPI_Recv"] {
            assert!(done.errors.contains(words), "{words}: {done:#?}");
        }
    }
}
