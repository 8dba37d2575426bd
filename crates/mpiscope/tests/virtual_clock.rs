//! With `--virtual-clock enforce` a program chooses as it does without observation.
#![forbid(unsafe_code)]

mod common;

use std::time::Duration;

use common::{matrix, mpiscope, process, Trial};
use mpiscope_run::run_info::RunInfo;
use mpiscope_run::shared_memory;
use mpiscope_run::statistics::{read_rank, Choices};
use serde_json::Value;

/// Milliseconds between two messages; the first sender's probes take several times as long.
const GAP: &str = "150";
const DELAY: &str = "3000000";

fn command(trial: &Trial, how: &str) -> std::process::Command {
    let mut line = trial.command(mpiscope());
    line.args([
        "monitor",
        "--force",
        "-o",
        "run",
        "--virtual-clock",
        how,
        "--",
    ])
    .args(trial.line(&[]));
    line
}

#[track_caller]
fn each(source: &str, look: impl Fn(Trial)) {
    on_each(&[3], source, look);
}

#[track_caller]
fn each_of_two(source: &str, look: impl Fn(Trial)) {
    on_each(&[2], source, look);
}

#[track_caller]
fn on_each(ranks: &[u32], source: &str, look: impl Fn(Trial)) {
    for case in matrix::all(ranks) {
        if let Some(trial) = Trial::new(case, source) {
            look(trial);
        }
    }
}

/// What a program says that it saw, in order.
fn seen(out: &str) -> Vec<String> {
    let mut lines: Vec<String> = out.lines().map(str::to_owned).collect();
    lines.retain(|line| line.starts_with("saw"));
    lines
}

/// Returns how the ranks made their choices.
#[track_caller]
fn choices(trial: &Trial) -> Vec<Choices> {
    let rank = |rank| read_rank(&trial.path("run"), rank).unwrap().choices;
    (0..trial.ranks).map(|r| rank(r).unwrap()).collect()
}

/// Expects that nothing of the run is left in shared memory.
#[track_caller]
fn nothing_left(trial: &Trial) {
    let run = RunInfo::read(&trial.path("run")).unwrap();
    let folder = shared_memory::folder(&run.run_id);
    assert!(!folder.exists(), "{}", folder.display());
}

/// On one host, and with each rank on one of its own.
fn one_host_and_three(look: impl Fn(&str)) {
    ["0", "3"].into_iter().for_each(look);
}

/// Expects of a program whose first sender is held up that it sees what it saw `alone`.
#[track_caller]
fn chooses_as(alone: &[String], trial: Trial) -> Trial {
    let slow = trial
        .with("MPISCOPE_PROBE_DELAY", DELAY)
        .with("MPISCOPE_PROBE_DELAY_RANK", "1");
    let done = process::run(&mut command(&slow, "enforce"));
    done.check(0, &["made as without observation"]);
    assert_eq!(seen(&done.out), alone, "{done:#?}");
    slow
}

#[test]
fn choices_between_hosts_are_those_of_the_run_without_observation() {
    each("tests/mpi/monitor/earliest.c", |trial| {
        let trial = trial.arguments(&["1", GAP]).with("MPISCOPE_HOSTS", "3");
        let alone = seen(&trial.untraced().out);
        chooses_as(&alone, trial);
    });
}

#[test]
fn choices_are_those_of_the_run_without_observation() {
    each("tests/mpi/monitor/earliest.c", |trial| {
        let trial = trial.arguments(&["1", GAP]);
        let alone = seen(&trial.untraced().out);
        assert_eq!(alone.len(), 7);
        let slow = chooses_as(&alone, trial);
        let choices = choices(&slow);
        assert!(choices.iter().all(|c| c.left == 0), "{choices:#?}");
        assert!(choices[0].made >= 13, "{choices:#?}");
        nothing_left(&slow);
        // The delay is one that matters.
        let done = process::run(&mut command(&slow, "observe"));
        assert_ne!(seen(&done.check(0, &[]).out), alone, "{done:#?}");
        nothing_left(&slow);
    });
}

#[test]
fn waiting_is_told_apart_between_hosts_as_on_one() {
    each("tests/mpi/monitor/late.c", |trial| {
        // Collective operations always are, messages if that is asked for.
        for (stamps, told) in [("", "in 18 of 42 calls"), ("far", "in 21 of 42 calls")] {
            let mut line = command(&trial, "observe");
            line.env("MPISCOPE_HOSTS", "2")
                .env("MPISCOPE_STAMPS", stamps);
            process::run(&mut line).check(0, &[]);
            let done = process::run(trial.command(mpiscope()).args(["stats", "run"]));
            assert!(done.out.contains("on 2 hosts"), "{done:#?}");
            assert!(done.out.contains(told), "{done:#?}");
        }
    });
}

/// Of receives of messages with one tag both sides know the number: one in sixteen is told of.
#[test]
fn between_hosts_a_sample_is_told_apart_by_default() {
    each_of_two("bench/calls.c", |trial| {
        let trial = trial.arguments(&["pingpong", "100"]);
        let apart = |hosts: &str| {
            let mut line = trial.command(mpiscope());
            line.args(["monitor", "--force", "-o", "run", "--"]);
            line.args(trial.line(&[])).env("MPISCOPE_HOSTS", hosts);
            process::run(&mut line).check(0, &[]);
            let done = process::run(trial.command(mpiscope()).args(["stats", "--json", "run"]));
            let facts: Value = serde_json::from_str(&done.out).unwrap();
            let statements = facts["statements"].as_array().unwrap().iter();
            let receives = statements.filter(|row| row["name"] == "MPI_Recv");
            receives.fold((0, 0), |(told, all), row| {
                let figure = |name: &str| row[name].as_u64().unwrap();
                (told + figure("separated_calls"), all + figure("calls"))
            })
        };
        let (told, all) = apart("0");
        assert_eq!(told, all);
        let (told, all) = apart("2");
        assert!(told * 12 < all && told * 20 > all, "{told} of {all}");
    });
}

#[test]
fn what_no_rule_decides_is_named() {
    each("tests/mpi/monitor/uncovered.c", |trial| {
        let done = process::run(&mut command(&trial, "enforce"));
        let words = "one-sided accesses of several ranks: MPI_Fetch_and_op at uncovered.c:12";
        done.check(0, &["as MPI decides, observed or not", words]);
    });
}

/// Returns the statements at which a program was told to have waited so many milliseconds.
#[track_caller]
fn waited(trial: &Trial, at_least: u64) -> Vec<String> {
    process::run(&mut command(trial, "observe")).check(0, &[]);
    let done = process::run(trial.command(mpiscope()).args(["stats", "--json", "run"]));
    let facts: Value = serde_json::from_str(&done.out).unwrap();
    let statements = facts["statements"].as_array().unwrap().iter();
    let long = statements.filter(|row| row["waiting_ns"].as_u64() >= Some(at_least * 1_000_000));
    let mut long: Vec<String> = long
        .map(|row| format!("{}:{}", row["name"].as_str().unwrap(), row["line"]))
        .collect();
    long.sort();
    long
}

#[test]
fn waiting_for_what_is_nonblocking_is_told_apart_where_it_completes() {
    let lines = ["20", "34", "37", "41"].map(|line| format!("MPI_Wait:{line}"));
    let all = [&lines[..], &["MPI_Waitall:23".to_owned()]].concat();
    each_of_two("tests/mpi/monitor/late_nonblocking.c", |trial| {
        assert_eq!(waited(&trial, 50), all);
        // Between hosts members tell each other nothing of such operations.
        let trial = trial
            .with("MPISCOPE_HOSTS", "2")
            .with("MPISCOPE_STAMPS", "far");
        assert_eq!(waited(&trial, 50), ["MPI_Waitall:23"]);
    });
}

/// Expects that most of the time of calls was waiting; on a busy machine much of it may be until the
/// rank gets a processor again.
#[track_caller]
fn has_waited(row: &Value) {
    let figure = |name: &str| row[name].as_f64().unwrap();
    let ratio = figure("waiting_ns") / figure("time_ns");
    assert!((0.25..1.1).contains(&ratio), "{ratio}: {row:#}");
}

/// A message is known by its number on its channel: what makes both sides count differently moves no
/// wait to another message.
#[test]
fn waiting_is_that_for_the_message_itself_whatever_came_before() {
    const SOURCE: &str = "tests/mpi/monitor/late_after.c";
    let text = std::fs::read_to_string(common::workspace().join(SOURCE)).unwrap();
    let marked = |mark: &str| text.lines().position(|line| line.contains(mark)).unwrap() + 1;
    let late = marked("// LATE");
    let others = [marked("// SECOND"), marked("// THIRD")];
    let is_late = |row: &&Value| row["name"] == "MPI_Recv" && row["line"] == late as u64;
    each_of_two(SOURCE, |mut trial| {
        for what in ["0", "1", "2", "3", "4", "5", "6", "7", "8"] {
            trial = trial.arguments(&[what]);
            let done = process::run(&mut command(&trial, "observe"));
            done.check(0, &[]);
            let done = process::run(trial.command(mpiscope()).args(["stats", "--json", "run"]));
            let facts: Value = serde_json::from_str(&done.out).unwrap();
            let receives = || facts["statements"].as_array().unwrap().iter();
            let row = receives().find(is_late).unwrap();
            assert_eq!(row["separated_calls"], 3, "{what}: {row:#}");
            has_waited(row);
            // Of what was found by polls nobody waited for in the receive.
            let other = |row: &&Value| row["name"] == "MPI_Recv" && !is_late(row);
            for row in receives().filter(other) {
                let waited = row["waiting_ns"].as_u64().unwrap_or(0);
                let longest = row["longest_ns"].as_u64().unwrap();
                assert!(waited <= longest + 1_000_000, "{what}: {row:#}");
            }
            assert!(what != "0" || receives().filter(other).count() == 1);
            let in_turn = |row: &&Value| others.iter().any(|&line| row["line"] == line as u64);
            receives().filter(in_turn).for_each(has_waited);
            assert!(what != "8" || receives().filter(in_turn).count() == 2);
        }
    });
}

#[test]
fn threads_that_call_mpi_at_once_are_told_apart_each() {
    each_of_two("tests/mpi/monitor/late_threads.c", |trial| {
        if trial.untraced().out.contains("no MPI_THREAD_MULTIPLE") {
            return common::inapplicable("this MPI has no MPI_THREAD_MULTIPLE");
        }
        let rounds = waited(&trial, 50);
        assert_eq!(rounds, ["MPI_Barrier:22", "MPI_Recv:20"]);
        nothing_left(&trial);
    });
}

#[test]
fn who_waits_for_the_rank_that_chooses_does_not_hold_it_up() {
    each("tests/mpi/monitor/three.c", |trial| {
        one_host_and_three(|hosts| {
            let mut line = command(&trial, "enforce");
            let done = process::run(line.env("MPISCOPE_HOSTS", hosts));
            done.check(0, &["made as without observation"]);
            assert_eq!(done.out, "took 1\ntook 2\n");
            assert!(choices(&trial).iter().all(|choices| choices.left == 0));
        });
    });
}

#[test]
fn without_that_rule_it_hangs() {
    each("tests/mpi/monitor/three.c", |trial| {
        let trial = trial.with("MPISCOPE_DEADLOCK_RULE", "off");
        let for_ever = trial.with("MPISCOPE_PATIENCE", "0");
        let mut running = process::start(&mut command(&for_ever, "enforce"));
        assert!(!running.ends_within(Duration::from_secs(5)));
        drop(running);
        // Patience ends that, and it is told.
        let trial = for_ever.with("MPISCOPE_PATIENCE", "1");
        one_host_and_three(|hosts| {
            let mut line = command(&trial, "enforce");
            let done = process::run(line.env("MPISCOPE_HOSTS", hosts));
            done.check(0, &["left to MPI", "nothing moved any more"]);
        });
    });
}
