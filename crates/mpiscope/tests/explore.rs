//! Races forced to go the other way: what the program then does is told, and
//! what was found can be replayed.
#![forbid(unsafe_code)]

mod common;

use common::documented::has_documented_keys;
use common::process::{self, Done};
use common::view::View;
use common::{matrix, mpiscope, Trial};
use expect_test::expect;
use serde_json::Value;

const PROGRAMS: [&str; 9] = [
    "arrival.c",
    "explore/cancels.c",
    "explore/circle.c",
    "explore/endless.c",
    "explore/threads.c",
    "explore/writes.c",
    "first_told.c",
    "races/wildcard_then_named.c",
    "races/master_worker.c",
];

/// Runs `mpiscope WORDS -- mpirun … program`.
#[track_caller]
fn run(trial: &Trial, words: &str) -> Done {
    let mut command = trial.command(mpiscope());
    command
        .args(words.split(' '))
        .arg("--")
        .args(trial.line(&[]));
    process::run(&mut command)
}

#[track_caller]
fn json(trial: &Trial, words: &str) -> Value {
    let done = run(trial, words);
    done.check(0, &[]);
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {done:#?}"))
}

/// Traces a program into `run`.
#[track_caller]
fn traced(program: &str) -> Vec<Trial> {
    let cases = matrix::cases(&PROGRAMS, program, &[3]);
    let trials = cases.into_iter().filter_map(|case| {
        let trial = Trial::new(case, &format!("tests/mpi/{program}"))?;
        run(&trial, "trace --no-sync -o run").check(0, &[]);
        Some(trial)
    });
    trials.collect()
}

#[test]
fn a_sum_in_order_of_arrival_changes_with_the_order() {
    for trial in traced("arrival.c") {
        let report = json(&trial, "explore run --json --patience 30");
        let finding = &report["findings"][0];
        let heading = "`mpiscope explore --json";
        has_documented_keys(&report, heading, "key | value");
        has_documented_keys(finding, heading, "key of a finding | value");
        assert_eq!(finding["verdict"], "changes_the_result", "{report:#}");
        assert_ne!(finding["got"], finding["given"], "{report:#}");
        assert_eq!(finding["receive"], "MPI_Recv at arrival.c:15", "{report:#}");
        let how = finding["how"].to_string();
        let sums = ["1.778", "2.444"];
        assert!(sums.iter().all(|sum| how.contains(sum)), "{report:#}");
        // The time that it took differs always, and is no result.
        assert!(!how.contains("took"), "{report:#}");
        assert!(
            report["notes"].to_string().contains("took # s"),
            "{report:#}"
        );
        // What was found is replayed: the other sum.
        let sum = if finding["given"] == 2 {
            "1.778"
        } else {
            "2.444"
        };
        let replayed = run(&trial, "replay run/explore/1.mpiscope");
        replayed.check(0, &["replayed as recorded"]);
        assert!(replayed.out.contains(sum), "{replayed:#?}");
        differs(&trial);
        is_shown(&trial);
        run(&trial, "explore run --fail-on deadlock").check(0, &[]);
        run(&trial, "explore run --fail-on change").check(1, &[]);
    }
}

/// What was proven of a race stands on the time line, with its receive and both messages.
#[track_caller]
fn is_shown(trial: &Trial) {
    let view = View::start(&trial.path("."), "view run");
    let found = view.json("/api/run/0/findings?kind=explored_changes_the_result");
    let finding = &found["findings"][0];
    let roles: Vec<&str> = finding["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["receive", "message", "candidate"], "{found:#}");
    assert_eq!(finding["label"], "Another order changes the result");
    let text = finding["text"].as_str().unwrap();
    let begin = "Rank 0 in MPI_Recv at arrival.c:15, given the message of rank ";
    assert!(text.starts_with(begin), "{text}");
    // It is the receive that the trace has there.
    let receive = &finding["places"][0];
    let (row, event) = (&receive["row"], &receive["event"]);
    let details = view.json(&format!("/api/run/0/measured/event/{row}/{event}"));
    assert!(details.to_string().contains("MPI_Recv"), "{details:#}");
    // And it is what the run tells first.
    let meta = view.json("/api/meta");
    let said = &meta["runs"][0]["verdict"][0];
    assert_eq!(said["finding"], finding["id"], "{meta:#}");
    assert!(said["text"]
        .as_str()
        .unwrap()
        .contains("changes the result"));
    view.end();
}

/// The recorded run and the forced one, compared.
#[track_caller]
fn differs(trial: &Trial) {
    let diff = |words: &str| process::run(trial.command(mpiscope()).args(words.split(' ')));
    let other = "diff --order run run/explore/1.mpiscope --fail-on difference";
    let done = diff(other);
    done.check(1, &[]);
    let report = diff("diff --order run run/explore/1.mpiscope --json");
    let report: Value = serde_json::from_str(&report.out).unwrap();
    let heading = "`mpiscope diff --order --json";
    has_documented_keys(&report, heading, "key | value");
    has_documented_keys(
        &report["differences"][0],
        heading,
        "key of a difference | value",
    );
    let line = "rank 0, receive 1, MPI_Recv at arrival.c:15: rank ";
    assert!(done.out.contains(line), "{done:#?}");
    let same = diff("diff --order run run --fail-on difference");
    same.check(0, &[]);
    assert!(
        same.out.contains("in the same order: 2 choices"),
        "{same:#?}"
    );
    diff("diff --order run nothing").check(2, &["nothing"]);
}

#[test]
fn a_receive_that_starves_is_a_deadlock_with_its_line() {
    for trial in traced("races/wildcard_then_named.c") {
        let done = run(&trial, "explore run --patience 3 --fail-on deadlock");
        done.check(1, &["1 deadlocks"]);
        let command = trial.line(&[]).join(" ");
        let expected = expect![[r#"
            run
            1 racing receive or probe, 1 alternative: 1 forced
            note: exit code, standard output, chosen files and the data that ranks receive are compared

                verdict    receive                                       got     was given  sent by                               alike
             1  deadlocks  rank 0, MPI_Recv at wildcard_then_named.c:11  rank 1  rank 2     MPI_Send at wildcard_then_named.c:17  1

            1 deadlocks:
              rank 0 waits for rank 2, which sends no more
              rank 0 waits in MPI_Recv(count=1, source=2, tag=0) at wildcard_then_named.c:13
              rank 1 has come to MPI_Finalize
              rank 2 has come to MPI_Finalize
              mpiscope replay run/explore/1.mpiscope -- COMMAND
        "#]];
        expected.assert_eq(&done.out.replace(&command, "COMMAND"));
        let replayed = run(&trial, "replay run/explore/1.mpiscope --patience 1");
        assert_ne!(replayed.code, 0, "{replayed:#?}");
        let stuck = "rank 0 waits in its call 4, MPI_Recv(count=1, source=2, tag=0)";
        assert!(replayed.errors.contains(stuck), "{replayed:#?}");
    }
}

#[test]
fn a_master_who_takes_whoever_is_ready_changes_no_result_and_goes_on_where_it_was_left() {
    for trial in traced("races/master_worker.c") {
        let first = json(&trial, "explore run --json --budget 4 --patience 30");
        let numbers = |report: &Value| report["findings"].as_array().map_or(0, Vec::len);
        assert_eq!(
            (numbers(&first), first["runs"].as_u64()),
            (2, Some(4)),
            "{first:#}"
        );
        let second = json(&trial, "explore run --json --budget 1 --patience 30");
        assert_eq!(
            (numbers(&second), second["runs"].as_u64()),
            (3, Some(1)),
            "{second:#}"
        );
        let findings = second["findings"].as_array().unwrap();
        for finding in findings {
            // The workers share the tasks otherwise; nothing that is printed shows it.
            assert_eq!(finding["verdict"], "changes_data", "{second:#}");
            assert!(finding["record"].is_null(), "{second:#}");
        }
        let mut keys: Vec<&Value> = findings.iter().map(|finding| &finding["key"]).collect();
        keys.dedup();
        assert_eq!(keys.len(), 3, "never the same twice: {second:#}");
        // Nothing is left of what changes no result.
        let left = std::fs::read_dir(trial.path("run/explore"))
            .unwrap()
            .count();
        assert_eq!(left, 1);
        let trial = trial.arguments(&["other"]);
        run(&trial, "explore run").check(2, &["another command", "--anew"]);
    }
}

/// Rank 0 gets the same messages in another order; what it then tells is another.
#[test]
fn data_that_nobody_prints_is_compared() {
    for trial in traced("first_told.c") {
        let report = json(&trial, "explore run --json --budget 3 --patience 30");
        let finding = &report["findings"][0];
        assert_eq!(finding["verdict"], "changes_data", "{report:#}");
        let told = |rank| {
            format!("rank {rank} receives other data, first in MPI_Bcast at first_told.c:17")
        };
        let expected = serde_json::json!([told(1), told(2)]);
        assert_eq!(finding["how"], expected, "{report:#}");
    }
}

/// Each thread of a rank has races of its own.
#[test]
fn threads_that_receive_at_once_are_forced_one_at_a_time() {
    for trial in traced("explore/threads.c") {
        let report = json(&trial, "explore run --json --patience 30");
        let findings = report["findings"].as_array().unwrap();
        let changes = |it: &&Value| it["verdict"] == "changes_the_result";
        let changing: Vec<&Value> = findings.iter().filter(changes).collect();
        assert_eq!((findings.len(), changing.len()), (2, 1), "{report:#}");
        let how = "prints `sums 1.667 12.000`, not `sums 2.333 12.000`";
        assert_eq!(changing[0]["how"][0], how, "{report:#}");
        let record = changing[0]["record"].as_str().unwrap();
        let replayed = run(&trial, &format!("replay run/{record}"));
        replayed.check(0, &["replayed as recorded"]);
        assert!(replayed.out.contains("sums 1.667"), "{replayed:#?}");
    }
}

/// A cancel that comes after the race is the program's, whatever it did when recorded.
#[test]
fn what_is_cancelled_after_a_race_is_not_held_to_the_record() {
    for trial in traced("explore/cancels.c") {
        let report = json(&trial, "explore run --json --patience 5");
        let finding = &report["findings"][0];
        assert_eq!(finding["verdict"], "harmless_so_far", "{report:#}");
    }
}

#[test]
fn ranks_that_wait_for_each_other_are_told_as_a_circle() {
    for trial in traced("explore/circle.c") {
        let report = json(&trial, "explore run --json --patience 4");
        let finding = &report["findings"][0];
        assert_eq!(finding["verdict"], "deadlocks", "{report:#}");
        let circle = "a circle: rank 0 waits for rank 1 waits for rank 0";
        assert_eq!(finding["how"][0], circle, "{report:#}");
    }
}

#[test]
fn a_program_that_asks_for_ever_is_ended_with_all_its_processes() {
    for trial in traced("explore/endless.c") {
        let report = json(&trial, "explore run --json --patience 3");
        let finding = &report["findings"][0];
        assert_eq!(finding["verdict"], "does_not_end", "{report:#}");
        let program = trial.program.display().to_string();
        assert!(!is_running(&program), "{program} still runs");
    }
}

/// Whether there is a process of this program.
fn is_running(program: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let of = |link: std::path::PathBuf| link.display().to_string() == program;
    entries
        .filter_map(|entry| std::fs::read_link(entry.path().join("exe")).ok())
        .any(of)
}

#[test]
fn files_are_compared_but_for_those_that_always_differ() {
    for trial in traced("explore/writes.c") {
        let words = "explore run --json --patience 30 --output-file *.txt";
        let report = json(&trial, words);
        let finding = &report["findings"][0];
        assert_eq!(finding["verdict"], "changes_the_result", "{report:#}");
        assert_eq!(
            finding["how"][0], "writes otherwise: result.txt",
            "{report:#}"
        );
        let unstable = "not compared, as they differ without any forcing: log.txt";
        assert!(report["notes"].to_string().contains(unstable), "{report:#}");
    }
}

/// Ctrl-C keeps what was found; the same line goes on from there.
#[test]
fn an_exploration_that_was_interrupted_goes_on() {
    for trial in traced("races/master_worker.c") {
        let words = "explore run --json --budget 6 --patience 30";
        let mut command = trial.command(mpiscope());
        command
            .args(words.split(' '))
            .arg("--")
            .args(trial.line(&[]));
        let exploring = process::start(&mut command);
        let state = trial.path("run/explore/state.json");
        let found = || -> Option<Value> {
            let state = std::fs::read_to_string(&state).ok()?;
            let state: Value = serde_json::from_str(&state).ok()?;
            let first = state["findings"].get(0)?.clone();
            Some(first)
        };
        let first = loop {
            match found() {
                Some(first) => break first,
                None => std::thread::sleep(std::time::Duration::from_millis(10)),
            }
        };
        exploring.signal(rustix::process::Signal::INT);
        exploring.wait().check(2, &["interrupted", "goes on"]);
        let report = json(&trial, words);
        let findings = report["findings"].as_array().unwrap();
        assert_eq!(findings[0]["key"], first["key"], "{report:#}");
        assert!(findings.len() > 1, "{report:#}");
        // The baseline is known, so that every run of the budget forces something.
        assert_eq!(report["runs"], 6, "{report:#}");
    }
}

/// A trace alone tells what was taken, and that it does not tell places in arrays.
#[test]
fn a_run_without_an_order_record_is_explored_by_its_trace() {
    for trial in traced("arrival.c") {
        run(&trial, "trace --no-sync --no-order -o bare").check(0, &[]);
        let done = run(&trial, "explore bare --patience 30 --fail-on change");
        done.check(1, &["its trace tells what was taken"]);
    }
}

#[test]
fn a_run_without_a_trace_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["explore", "run", "--", "true"];
    let done = process::run(
        std::process::Command::new(mpiscope())
            .args(words)
            .current_dir(&folder),
    );
    done.check(2, &["run"]);
}
