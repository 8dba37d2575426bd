//! Recording switched from outside: by a command, by a window of time, by a limit of bytes.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use common::process::{self, Running};
use common::trial::Run;
use common::{found, mpiscope, Case, Done, Mpi, Trial};
use serde_json::Value;

/// Much more than anything here needs.
const LIMIT: Duration = Duration::from_secs(100);

/// The program, which goes on until the file `end` is there or so many seconds are over.
fn trial(mpi: &'static Mpi, until: &str) -> Option<Trial> {
    trial_of(mpi, "steps.c", until)
}

fn trial_of(mpi: &'static Mpi, program: &str, until: &str) -> Option<Trial> {
    let program = format!("tests/mpi/control/{program}");
    let trial = Trial::new(Case { mpi, ranks: 2 }, &program)?;
    let until = match until {
        "" => trial.path("end").to_string_lossy().into_owned(),
        seconds => seconds.to_owned(),
    };
    Some(trial.arguments(&[until]))
}

#[track_caller]
fn control(trial: &Trial, words: &[&str]) -> Done {
    let mut command = trial.command(mpiscope());
    let output = command.arg("control").arg("run").args(words).output();
    let output = output.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Done {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        errors: text(output.stderr),
    }
}

#[track_caller]
fn says(done: &Done, words: &str) {
    done.check(0, &[]);
    assert!(done.out.contains(words), "no `{words}` in {}", done.out);
}

/// Waits until a rank of the run can be asked, and all of them have gone some steps.
fn start(trial: &Trial) -> Running {
    let running = process::start(&mut trial.trace(&[]));
    let begin = Instant::now();
    let both = || control(trial, &["on", "--rank", "0,1"]).code == 0;
    while !trial.path("run/run.json").exists() || !both() {
        assert!(begin.elapsed() < LIMIT, "its ranks cannot be asked");
        std::thread::sleep(Duration::from_millis(50));
    }
    some_steps();
    running
}

/// What a loaded machine does is not counted: each step takes a millisecond or more.
fn some_steps() {
    std::thread::sleep(Duration::from_millis(300));
}

/// Of ranks that are not recorded nobody claims to know what they do.
fn until_unrecorded(trial: &Trial) {
    let begin = Instant::now();
    loop {
        let mut command = trial.command(mpiscope());
        let seen = command.args(["state", "--json", "run"]).output().unwrap();
        let seen: Value = serde_json::from_slice(&seen.stdout).unwrap();
        let mut ranks = seen["ranks"].as_array().unwrap().iter();
        if ranks.all(|row| row["doing"] == "not_recorded") {
            return;
        }
        assert!(begin.elapsed() < LIMIT, "{seen:#}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn end(trial: Trial, running: Running) -> Run {
    fs::write(trial.path("end"), "").unwrap();
    trial.ended(running.wait())
}

/// The messages that a rank's events name: communicator and tag.
type Tags = BTreeSet<(u64, u64)>;

/// The first message of a rank, on MPI_COMM_WORLD, which is the archive's first communicator.
const FIRST: (u64, u64) = (0, 0);

/// The recorded sends and receives of a rank.
#[derive(Default)]
struct Recorded {
    sent: Tags,
    received: Tags,
}

impl Recorded {
    fn of(run: &Run) -> [Recorded; 2] {
        let mut all = <[Recorded; 2]>::default();
        let printed = run.mpiscope("print --json");
        for line in printed.out.lines().skip(1) {
            let event: Value = serde_json::from_str(line).unwrap();
            let number = |of: &str| event[of].as_u64();
            let (Some(rank), Some(comm), Some(tag)) =
                (number("rank"), number("communicator_id"), number("tag"))
            else {
                continue;
            };
            let tag = (comm, tag);
            let own = &mut all[rank as usize];
            match event["event"].as_str().unwrap() {
                "send" | "isend" => own.sent.insert(tag),
                "recv" | "irecv" => own.received.insert(tag),
                _ => false,
            };
        }
        all
    }
}

/// Messages of which both sides were recorded.
fn pairs([first, second]: &[Recorded; 2]) -> u64 {
    let both = |sent: &Tags, received: &Tags| sent.intersection(received).count() as u64;
    both(&first.sent, &second.received) + both(&second.sent, &first.received)
}

/// How many times steps follow on each other that are recorded, by their first messages.
fn stretches(sent: &Tags) -> usize {
    let tags = sent.iter().map(|&(_, tag)| tag);
    let steps: Vec<u64> = tags.filter(|tag| tag % 2 == 0).collect();
    1 + steps.windows(2).filter(|two| two[1] != two[0] + 2).count()
}

/// What was recorded is matched, and only that; the program did its work.
#[track_caller]
fn check(run: &Run) -> [Recorded; 2] {
    run.check_archives();
    matched(run)
}

/// The same where the thread that records again tells of receives that other threads will end, which
/// an oracle that looks at one location after the other takes for wrong.
#[track_caller]
fn matched(run: &Run) -> [Recorded; 2] {
    says(&run.done, "right");
    let recorded = Recorded::of(run);
    let messages = run.json("info --json").figure("messages.point_to_point");
    assert_eq!(messages, pairs(&recorded));
    run.check_shared_memory();
    recorded
}

fn steps(run: &Run) -> u64 {
    let words = run.done.out.split(' ').next().unwrap();
    words.parse().unwrap()
}

#[test]
fn a_running_job_records_when_it_is_told_to() {
    for mpi in found() {
        let Some(trial) = trial(mpi, "") else {
            continue;
        };
        let running = start(&trial);
        says(
            &control(&trial, &["off"]),
            "ranks 0,1: not recorded any more",
        );
        some_steps();
        until_unrecorded(&trial);
        let on = control(&trial, &["on", "--json"]);
        on.check(0, &[]);
        let on: Value = serde_json::from_str(&on.out).unwrap();
        assert_eq!(on["obeyed"], serde_json::json!([0, 1]));
        some_steps();
        let run = end(trial, running);
        let recorded = check(&run);
        for own in &recorded {
            assert_eq!(stretches(&own.sent), 2, "{:?}", own.sent);
            assert!(own.sent.contains(&FIRST));
        }
        assert!((recorded[0].sent.len() as u64) < 2 * steps(&run));
        let told = run.facts();
        let told = told.get("switched").as_array().unwrap().clone();
        assert_eq!(
            (&told[0]["why"], &told[0]["ranks"]),
            (&"control".into(), &2.into())
        );
        assert!(told[0]["until"].as_f64() > told[0]["from"].as_f64());
        let text = run.mpiscope("info");
        says(&text, "recording was off on 2 ranks from");
        says(&text, "(mpiscope control)");
        assert!(
            run.done.errors.contains("(mpiscope control)"),
            "{}",
            run.done.errors
        );
    }
}

/// A call that is going on when recording is switched off is recorded to its end, by whatever
/// thread.
#[test]
fn threads_are_switched_together() {
    for mpi in found() {
        let Some(trial) = trial_of(mpi, "threads.c", "") else {
            continue;
        };
        let running = start(&trial);
        for _ in 0..3 {
            control(&trial, &["off"]).check(0, &[]);
            control(&trial, &["on", "--rank", "0"]).check(0, &[]);
            control(&trial, &["on"]).check(0, &[]);
        }
        matched(&end(trial, running));
    }
}

#[test]
fn ranks_are_told_apart() {
    for mpi in found() {
        let Some(trial) = trial(mpi, "") else {
            continue;
        };
        let running = start(&trial);
        let off = control(&trial, &["off", "--rank", "1"]);
        says(&off, "rank 1: not recorded any more");
        some_steps();
        control(&trial, &["off", "--rank", "2"]).check(2, &["--rank"]);
        let run = end(trial, running);
        let recorded = check(&run);
        assert_eq!(recorded[0].sent.len() as u64, 2 * steps(&run));
        assert!(recorded[1].sent.len() < recorded[0].sent.len());
        let text = run.mpiscope("info");
        says(&text, "recording was off on 1 rank from");
        says(&text, "to the end");
    }
}

#[test]
fn a_window_of_time_is_recorded() {
    for mpi in found() {
        let Some(trial) = trial(mpi, "2.5") else {
            continue;
        };
        let run = trial.traced_with(&["--window", "0.5..1.5"]);
        let recorded = check(&run);
        for own in &recorded {
            assert!(!own.sent.contains(&FIRST));
            assert_eq!(stretches(&own.sent), 1);
            let (_, last) = *own.sent.last().unwrap();
            assert!(last < 2 * steps(&run) - 2, "{last}");
        }
        let told = run.facts();
        let told = told.get("switched").as_array().unwrap().clone();
        let [before, after] = told.as_slice() else {
            panic!("{told:?}");
        };
        assert_eq!(before["from"].as_f64().map(f64::floor), Some(0.0));
        assert!(before["until"].as_f64() >= Some(0.5));
        assert!(after["from"].as_f64() >= Some(1.5));
        assert!(after["until"].is_null());
    }
}

#[test]
fn recording_ends_at_a_limit() {
    for mpi in found() {
        let Some(trial) = trial(mpi, "") else {
            continue;
        };
        let running = process::start(&mut trial.trace(&["--limit", "20k"]));
        let begin = Instant::now();
        while !control(&trial, &["on"])
            .out
            .contains("ranks 0,1: not recorded, as --limit is reached")
        {
            assert!(begin.elapsed() < LIMIT, "the limit is not reached");
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(control(&trial, &["on"]).code, 1);
        some_steps();
        let run = end(trial, running);
        let errors = &run.done.errors;
        assert!(
            errors.contains("--limit 20 KiB: a rank looks after each 512"),
            "{errors}"
        );
        let recorded = check(&run);
        for own in &recorded {
            assert!(own.sent.contains(&FIRST));
            assert_eq!(stretches(&own.sent), 1);
        }
        assert!((recorded[0].sent.len() as u64) < 2 * steps(&run));
        let text = run.mpiscope("info");
        says(&text, "to the end (--limit was reached)");
    }
}

/// Two programs that record into one run would leave the events of one with the times of the other.
#[test]
fn a_run_that_is_being_made_is_not_replaced() {
    let Some(trial) = trial(found()[0], "") else {
        return;
    };
    let running = start(&trial);
    let says = ["run: the program still runs (process ", "not replaced"];
    let refused = |command: &mut Command| {
        let done = process::start_beside(command, &running).wait();
        done.check(2, &says);
    };
    refused(&mut trial.trace(&["--force"]));
    for command in ["record", "monitor", "simulate"] {
        let mut other = trial.command(mpiscope());
        other.args([command, "--force", "-o", "run"]);
        match command {
            "simulate" => other.arg("mix"),
            _ => other.arg("--").args(trial.line(&[])),
        };
        refused(&mut other);
    }
    let run = end(trial, running);
    check(&run);
    // It has ended: now it may be replaced.
    process::run(&mut run.trial.trace(&["--force"])).check(0, &[]);
}

#[test]
fn who_cannot_be_asked_is_said() {
    let mpi = found()[0];
    let Some(trial) = trial(mpi, "0.1") else {
        return;
    };
    let run = trial.traced_with(&["--no-sync"]);
    let mut command = run.trial.command(mpiscope());
    let ended = process::run(command.args(["control", "run", "off"]));
    ended.check(2, &["has ended: there is nothing to switch"]);
}
