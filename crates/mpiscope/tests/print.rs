//! `mpiscope print`: every event of a run is a line, in the order and of the ranks that were
//! asked for.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};

use common::trial::{Json, Run};
use common::{found, mpiscope, process, Case, Done, Trial};
use serde_json::Value;

/// A simulated run, corrected, in a folder of its own.
struct Simulated(tempfile::TempDir);

impl Simulated {
    fn new() -> Simulated {
        let run = Simulated(tempfile::tempdir().unwrap());
        run.mpiscope("simulate halo -n 6 --hosts 3 --iterations 20 -o run")
            .check(0, &[]);
        run.mpiscope("sync run").check(0, &[]);
        run
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(mpiscope());
        command.args(line.split(' ')).current_dir(&self.0);
        command
    }

    #[track_caller]
    fn mpiscope(&self, line: &str) -> Done {
        process::run(&mut self.command(line))
    }

    /// Returns the objects of `print --json`: what is said of all, and each event.
    #[track_caller]
    fn json(&self, line: &str) -> (Value, Vec<Value>) {
        let done = self.mpiscope(line);
        done.check(0, &[]);
        let mut lines = done
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        (lines.next().unwrap(), lines.collect())
    }

    #[track_caller]
    fn info(&self) -> Json {
        let done = self.mpiscope("info --json run");
        Json(serde_json::from_str(&done.check(0, &[]).out).unwrap())
    }
}

fn number(line: &Value, key: &str) -> i64 {
    line[key]
        .as_i64()
        .unwrap_or_else(|| panic!("no {key}: {line}"))
}

#[test]
fn merged_lines_are_all_events_in_the_order_of_corrected_time() {
    let run = Simulated::new();
    let (head, events) = run.json("print --merged --json run");
    let info = run.info();
    assert_eq!(head["clock"], "corrected");
    assert_eq!(head["events"], *info.get("events"));
    assert_eq!(events.len() as u64, info.figure("events"));
    let order = |line: &Value| (number(line, "time_ns"), number(line, "location"));
    assert!(events.is_sorted_by_key(order));
    assert_eq!(number(&events[0], "time_ns"), 0);
    // What was sent has been received, and never before.
    let is = |kinds: &[&str], line: &&Value| kinds.iter().any(|kind| line["event"] == *kind);
    let sent = events.iter().filter(|it| is(&["send", "isend"], it));
    let received = events.iter().filter(|it| is(&["recv", "irecv"], it));
    let bytes = |line: &Value| number(line, "bytes");
    let total: i64 = sent.clone().map(bytes).sum();
    assert_eq!(total, received.map(bytes).sum::<i64>());
    assert_eq!(total as u64, info.figure("messages.bytes"));
    assert!(sent.clone().all(|line| line["region"].is_string()));
}

#[test]
fn a_budget_of_memory_changes_no_line() {
    let run = Simulated::new();
    let lines = |line: &str| run.mpiscope(line).check(0, &[]).out.clone();
    let whole = lines("print --merged run");
    assert_eq!(lines("print --merged --memory 1M run"), whole);
    // The file beside the input had no name, and is gone.
    let left = fs::read_dir(run.0.path()).unwrap().count();
    assert_eq!(left, 1);
}

#[test]
fn measured_times_are_those_of_the_clocks() {
    let run = Simulated::new();
    let (head, events) = run.json("print --json --measured run");
    assert_eq!(head["clock"], "measured");
    // One location after the other, each with all its events.
    let mut numbers: BTreeMap<i64, i64> = BTreeMap::new();
    for event in &events {
        let expected = numbers.entry(number(event, "location")).or_default();
        assert_eq!(number(event, "number"), *expected);
        *expected += 1;
    }
    assert_eq!(numbers.len(), 6);
    assert!(events.is_sorted_by_key(|event| number(event, "rank")));
    let text = |line: &str| run.mpiscope(line).out;
    assert!(text("print --measured run").contains("in measured time"));
    assert!(text("print run").contains("in corrected time"));
    assert_eq!(
        text("print run/traces.otf2"),
        text("print --measured run/traces.otf2")
    );
    run.mpiscope("print --measured run/corrected/traces.otf2")
        .check(2, &["are corrected"]);
}

#[test]
fn ranks_and_times_can_be_chosen() {
    let run = Simulated::new();
    let (_, all) = run.json("print --json run");
    let last = all.iter().map(|event| number(event, "time_ns")).max();
    let (from, to) = (last.unwrap() / 4, last.unwrap() / 2);
    let line = format!("print --json --rank 1,3-4 --from {from}ns --to {to}ns run");
    let (_, some) = run.json(&line);
    let wanted = |line: &&Value| {
        [1, 3, 4].contains(&number(line, "rank")) && (from..=to).contains(&number(line, "time_ns"))
    };
    let expected: Vec<&Value> = all.iter().filter(wanted).collect();
    assert!(!expected.is_empty() && expected.len() < all.len());
    assert_eq!(some.iter().collect::<Vec<_>>(), expected);
    for (wrong, words) in [
        ("--rank 9", "there are ranks 0-5"),
        ("--rank x", "ranks such as"),
        ("--from 2 --to 1", "--from lies after --to"),
    ] {
        run.mpiscope(&format!("print {wrong} run"))
            .check(2, &[words]);
    }
}

#[test]
fn that_no_event_is_printed_is_said() {
    let run = Simulated::new();
    for line in [
        "print --from 1000 run",
        "print --merged --json --from 1000 run",
    ] {
        let words = "no event lies in what was asked for: the last event is ";
        run.mpiscope(line).check(0, &[words]);
    }
    let done = run.mpiscope("print --rank 1 run");
    assert!(!done.check(0, &[]).errors.contains("no event"));
}

#[test]
fn every_key_is_in_the_book() {
    let run = Simulated::new();
    let (head, events) = run.json("print --json run");
    let book = fs::read_to_string(common::workspace().join("book/src/json.md")).unwrap();
    let mut parts = book.split("\n## ");
    let part = parts.find(|part| part.starts_with("`mpiscope print"));
    let part = part.unwrap();
    let objects = events.iter().chain([&head]);
    let keys = objects.flat_map(|it| it.as_object().unwrap().keys());
    for key in keys {
        assert!(part.contains(&format!("`{key}`")), "{key}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    let run = Simulated::new();
    let mut command = run.command("print --merged run");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 64];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
}

#[test]
fn of_a_damaged_archive_what_could_be_read_is_printed() {
    let run = Simulated::new();
    let (_, whole) = run.json("print --json run");
    let events = run.0.path().join("run/corrected/traces/1.evt");
    let length = fs::metadata(&events).unwrap().len();
    let file = OpenOptions::new().write(true).open(&events).unwrap();
    file.set_len(length / 2).unwrap();
    let done = run.mpiscope("print --json run");
    done.check(3, &["only the first", "events could be read"]);
    let printed = done.out.lines().count() - 1;
    assert!(
        (1..whole.len()).contains(&printed),
        "{printed} of {}",
        whole.len()
    );
    fs::write(run.0.path().join("run/traces.def"), "cut").unwrap();
    fs::remove_dir_all(run.0.path().join("run/corrected")).unwrap();
    let done = run.mpiscope("print --json run");
    done.check(3, &["traces.def"]);
    let value: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(value["damage"].as_array().unwrap().len(), 1);
}

#[test]
fn what_has_no_events_is_told_what_would_have_them() {
    let run = Simulated::new();
    run.mpiscope("print nowhere").check(2, &["nowhere"]);
    let Some(&mpi) = found().first() else { return };
    let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/analyze/late.c") else {
        return;
    };
    for (command, holds) in [
        ("record", "order of messages alone"),
        ("monitor", "statistics alone"),
    ] {
        let mut line = trial.command(mpiscope());
        line.args([command, "--force", "-o", "run", "--"])
            .args(trial.line(&[]));
        process::run(&mut line).check(0, &[]);
        let done = process::run(trial.command(mpiscope()).args(["print", "run"]));
        done.check(2, &[holds, "mpiscope trace"]);
    }
}

#[test]
fn a_real_run_is_printed_with_its_lines() {
    for &mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/analyze/late.c") else {
            continue;
        };
        let run: Run = trial.traced();
        run.done.check(0, &[]);
        let done = run.mpiscope("print --merged");
        done.check(0, &[]);
        let events = run.json("info --json").figure("events");
        assert_eq!(done.out.lines().count() as u64 - 1, events);
        let sends = |line: &&str| line.contains("  send  ");
        let send = done.out.lines().find(sends).unwrap();
        for part in ["rank ", "MPI_", "tag ", " B, MPI_COMM_WORLD at ", "late.c:"] {
            assert!(send.contains(part), "no `{part}` in {send}");
        }
    }
}
