//! What each rank of a job is doing: while the job lives, hangs, and after it has died or ended.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use common::process::{self, Running};
use common::{found, mpiscope, Case, Done, Mpi, Trial};
use rustix::process::Signal;
use serde_json::{json, Value};

const FOLDER: &str = "tests/mpi/state";

/// Much more than any program here needs to come to where it hangs.
const LIMIT: Duration = Duration::from_secs(100);

fn trial(mpi: &'static Mpi, ranks: u32, program: &str) -> Option<Trial> {
    Trial::new(Case { mpi, ranks }, &format!("{FOLDER}/{program}"))
}

/// Looks at a job beside it.
#[track_caller]
fn state(trial: &Trial, options: &[&str]) -> Done {
    let mut command = trial.command(mpiscope());
    let output = command.arg("state").args(options).arg("run").output();
    let output = output.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        errors: text(output.stderr),
    }
}

#[track_caller]
fn facts(trial: &Trial) -> Value {
    let done = state(trial, &["--json"]);
    done.check(0, &[]);
    serde_json::from_str(&done.out).unwrap()
}

/// Looks until it is seen what is wanted.
#[track_caller]
fn until(trial: &Trial, wanted: impl Fn(&Value) -> bool) -> Value {
    let begin = Instant::now();
    loop {
        // Before its ranks have come to MPI_Init there may be no run.
        if trial.path("run/run.json").exists() {
            let facts = facts(trial);
            if wanted(&facts) {
                return facts;
            }
            assert!(begin.elapsed() < LIMIT, "{facts:#}");
        }
        assert!(begin.elapsed() < LIMIT, "there is no run");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn start(trial: &Trial) -> Running {
    process::start(&mut trial.trace(&["--no-sync"]))
}

fn rank(facts: &Value, rank: u64) -> &Value {
    let mut rows = facts["ranks"].as_array().unwrap().iter();
    rows.find(|row| row["rank"] == rank).unwrap()
}

/// Rank 1 computes, and the others have come to where they wait for it.
fn all_wait_for_1(facts: &Value) -> bool {
    let waits = |row: &Value| {
        row["call"]["call"] == "MPI_Allreduce"
            && row["waits_for"] == json!([{ "ranks": [1], "any": false }])
    };
    facts["ranks"]
        .as_array()
        .is_some_and(|rows| rows.len() == 3)
        && rank(facts, 1)["doing"] == "outside"
        && rank(facts, 1)["call"]["call"] == "MPI_Send"
        && waits(rank(facts, 0))
        && waits(rank(facts, 2))
}

#[test]
fn ranks_that_receive_from_each_other_cannot_go_on() {
    for mpi in found() {
        let Some(trial) = trial(mpi, 2, "receive_cycle.c") else {
            continue;
        };
        let running = start(&trial);
        let facts = until(&trial, |facts| facts["stuck"] == json!([0, 1]));
        assert_eq!(facts["job"], "lives");
        assert_eq!(facts["circles"], json!([[0, 1]]));
        let first = rank(&facts, 0);
        assert_eq!(first["doing"], "in_call");
        assert_eq!(
            (&first["call"]["line"], &first["lives"]),
            (&json!(9), &json!(true))
        );
        assert_eq!(
            first["names"],
            json!({ "role": "source", "peer": 1, "tag": 7, "communicator": "MPI_COMM_WORLD" })
        );
        assert!(first["since_ns"].as_i64().unwrap() > 0);
        let text = state(&trial, &["--fail-on", "deadlock"]);
        text.check(1, &[]);
        for words in [
            "Ranks 0 and 1 wait for each other: rank 0 in MPI_Recv at receive_cycle.c:9 for rank 1;",
            "This job cannot go on by itself.",
            "from 1, tag 7",
        ] {
            assert!(text.out.contains(words), "{}", text.out);
        }
        running.signal(Signal::TERM);
        running.wait();
        // Its archive tells the same.
        let facts = self::facts(&trial);
        assert_eq!(
            (&facts["job"], &facts["stuck"]),
            (&json!("died"), &json!([0, 1]))
        );
        let text = state(&trial, &[]).out;
        assert!(text.contains("The job has ended, and not all"), "{text}");
        assert!(
            text.contains("Ranks 0 and 1 waited for each other"),
            "{text}"
        );
    }
}

#[test]
fn receives_from_anybody_with_nobody_left_to_send_cannot_go_on() {
    for mpi in found() {
        let Some(trial) = trial(mpi, 3, "anybody.c") else {
            continue;
        };
        let _running = start(&trial);
        let facts = until(&trial, |facts| facts["stuck"] == json!([0, 1, 2]));
        assert_eq!(facts["circles"], json!([[0, 1, 2]]));
        let waits = &rank(&facts, 1)["waits_for"];
        assert_eq!(*waits, json!([{ "ranks": [0, 2], "any": true }]));
        assert_eq!(rank(&facts, 1)["names"]["peer"], Value::Null);
    }
}

#[test]
fn who_computes_is_named_and_nobody_is_called_stuck() {
    for mpi in found() {
        let Some(trial) = trial(mpi, 3, "computes.c") else {
            continue;
        };
        let running = start(&trial);
        let facts = until(&trial, all_wait_for_1);
        assert_eq!(facts["presumably_stuck"], json!([]));
        let text = state(&trial, &["--fail-on", "deadlock"]);
        text.check(0, &[]);
        let out = &text.out;
        assert!(
            out.starts_with("Rank 1 is outside of MPI (last call MPI_Send at computes.c:13)"),
            "{out}"
        );
        assert!(
            out.contains("the 2 others wait for it in MPI_Allreduce at computes.c:17"),
            "{out}"
        );
        fs::write(trial.path("stop"), "").unwrap();
        running.wait().check(0, &[]);
        // It has ended, and that is said.
        let facts = self::facts(&trial);
        assert_eq!(
            (&facts["job"], &facts["exit_code"]),
            (&json!("finished"), &json!(0))
        );
        assert!(facts["finished"].as_u64().unwrap() > 0);
        let text = state(&trial, &["--watch", "1"]).out;
        assert!(text.contains("all ranks came to MPI_Finalize"), "{text}");
    }
}

#[test]
fn a_job_that_goes_on_is_never_called_stuck() {
    const PROGRAM: &str = "tests/mpi/monitor/until_told.c";
    for mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, PROGRAM) else {
            continue;
        };
        let running = start(&trial);
        let is_seen = |facts: &Value| facts["ranks"].as_array().is_some_and(|it| it.len() == 2);
        let mut steps = 0;
        while steps < 20 {
            let facts = until(&trial, is_seen);
            assert_eq!(facts["presumably_stuck"], json!([]), "{facts:#}");
            assert_eq!(facts["job"], "lives");
            steps += 1;
        }
        fs::write(trial.path("stop"), "").unwrap();
        running.wait().check(0, &[]);
    }
}

#[test]
fn of_a_job_whose_rank_was_killed_it_is_said_where_all_were() {
    for mpi in found() {
        let Some(trial) = trial(mpi, 3, "computes.c") else {
            continue;
        };
        let running = start(&trial);
        let facts = until(&trial, all_wait_for_1);
        process::kill(rank(&facts, 1)["pid"].as_u64().unwrap() as u32);
        assert_ne!(running.wait().code, 0);
        let facts = self::facts(&trial);
        assert_eq!(facts["job"], "died");
        assert_eq!(rank(&facts, 1)["doing"], "outside");
        let text = state(&trial, &[]).out;
        assert!(text.contains("after MPI_Send at computes.c:13"), "{text}");
    }
}

#[test]
fn buffers_of_a_dead_job_are_read_and_stay_as_they_are() {
    for mpi in found() {
        let Some(trial) = trial(mpi, 3, "computes.c") else {
            continue;
        };
        let running = start(&trial);
        let facts = until(&trial, all_wait_for_1);
        // Nobody is left who would make an archive of the buffers.
        running.signal(Signal::KILL);
        assert_eq!(running.wait().code, 137);
        for at in 0..3 {
            process::kill(rank(&facts, at)["pid"].as_u64().unwrap() as u32);
        }
        // Any other command may be moving them into the run just now.
        let facts = until(&trial, |facts| facts["job"] == "died");
        assert_eq!(rank(&facts, 0)["lives"], false);
        assert_eq!(rank(&facts, 0)["call"]["line"], 17);
        assert!(!trial.path("run/traces.otf2").exists() && !trial.path("run/traces").exists());
        // Gives the memory back.
        let mut recover = trial.command(mpiscope());
        assert!(recover
            .args(["recover", "run"])
            .output()
            .unwrap()
            .status
            .success());
    }
}

#[test]
fn what_is_no_traced_run_is_refused_with_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let looked = |path: &str| {
        let mut command = Command::new(mpiscope());
        process::run(command.current_dir(&folder).args(["state", path]))
    };
    looked("nothing").check(2, &["nothing: no such run"]);
    fs::write(folder.path().join("text"), "no run").unwrap();
    looked("text").check(
        2,
        &["text is no run of mpiscope, which would be a directory"],
    );
    fs::create_dir(folder.path().join("thesis")).unwrap();
    looked("thesis").check(2, &["thesis is no run of mpiscope: it has no run.json"]);
    let Some(mpi) = found().first() else {
        return;
    };
    let Some(trial) = trial(mpi, 2, "computes.c") else {
        return;
    };
    fs::write(trial.path("stop"), "").unwrap();
    let mut record = trial.command(mpiscope());
    record
        .args(["record", "-o", "run", "--"])
        .args(trial.line(&[]));
    let again = || drop(fs::remove_dir_all(trial.path("run")));
    process::run_surely_after(&mut record, again).check(0, &[]);
    state(&trial, &[]).check(2, &["keeps the order of messages alone", "mpiscope trace"]);
}
