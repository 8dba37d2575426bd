//! The programs of `tests/mpi/analyze`: what `mpiscope analyze` says of each is
//! what its comments promise, of a trace and of statistics alike.
#![forbid(unsafe_code)]

mod common;

use std::fs::{self, OpenOptions};

use common::folder::{in_folder, json_of};
use common::trial::{Json, Run};
use common::{found, mpiscope, process, workspace, Case, Done, Trial};
use serde_json::Value;

const LATE: &str = "tests/mpi/analyze/late.c";

/// A wait that a comment promises: in which line, which way, who for whom.
#[derive(Debug)]
struct Promise {
    line: u64,
    kind: String,
    waits: u64,
    waited_for: u64,
    is_worst: bool,
}

/// Reads `/* WAIT: late sender, rank 0 for rank 1; WORST */`.
fn promises() -> Vec<Promise> {
    let text = fs::read_to_string(workspace().join(LATE)).unwrap();
    let of = |(line, text): (u64, &str)| {
        let (_, mark) = text.split_once("/* WAIT: ")?;
        let mark = mark.trim_end_matches("*/").trim();
        let (kind, rest) = mark.split_once(", rank ").unwrap();
        let (waits, rest) = rest.split_once(" for rank ").unwrap();
        Some(Promise {
            line,
            kind: kind.to_owned(),
            waits: waits.parse().unwrap(),
            waited_for: rest.trim_end_matches("; WORST").parse().unwrap(),
            is_worst: rest.ends_with("; WORST"),
        })
    };
    (1..).zip(text.lines()).filter_map(of).collect()
}

/// Returns the line that a comment in a program marks.
fn marked(program: &str, mark: &str) -> u64 {
    let text = fs::read_to_string(workspace().join(program)).unwrap();
    let at = text.lines().position(|line| line.contains(mark)).unwrap();
    at as u64 + 1
}

/// Runs a program traced, under each MPI.
fn traced(program: &str, ranks: u32) -> Vec<Run> {
    let trial = |mpi: &&'static common::Mpi| Trial::new(Case { mpi, ranks }, program);
    let trials = found().iter().filter_map(trial);
    let run = |trial: Trial| {
        let done = trial.run_trace(&[]);
        let run = trial.ended(done);
        run.done.check(0, &[]);
        run
    };
    trials.map(run).collect()
}

/// Returns the first wait state of a statement, the one of most time.
#[track_caller]
fn waits_at(json: &Json, line: u64) -> &Value {
    let statements = json.get("statements").as_array().unwrap();
    let statement = statements.iter().find(|it| it["line"] == line);
    let statement = statement.unwrap_or_else(|| panic!("no line {line} in {:#}", json.0));
    &statement["waits"][0]
}

/// Expects the statement of most waiting to be the promised one. Ranks that are
/// not started together meet in the first barrier, those that the machine holds
/// up at the end in MPI_Finalize.
#[track_caller]
fn check_worst(json: &Json) {
    let barrier = marked(LATE, "    MPI_Barrier(MPI_COMM_WORLD);");
    let mut statements = json.get("statements").as_array().unwrap().iter();
    let worst = statements.find(|it| it["call"] != "MPI_Finalize" && it["line"] != barrier);
    let promised = promises().into_iter().find(|it| it.is_worst).unwrap();
    assert_eq!(worst.unwrap()["line"], promised.line, "{:#}", json.0);
}

#[test]
fn a_trace_tells_each_wait_its_line_and_who_is_waited_for() {
    let promises = promises();
    assert_eq!(promises.len(), 8);
    for run in traced(LATE, 2) {
        let json = run.json("analyze --json");
        assert_eq!(json.text("source"), "trace");
        assert_eq!(json.get("corrected"), true);
        for promise in &promises {
            let waits = waits_at(&json, promise.line);
            assert_eq!(waits["kind"], *promise.kind, "{promise:?}: {waits:#}");
            let most = |ranks: &str| waits[ranks][0]["rank"].as_u64();
            assert_eq!(most("ranks"), Some(promise.waits), "{promise:?}: {waits:#}");
            assert_eq!(
                most("waited_for"),
                Some(promise.waited_for),
                "{promise:?}: {waits:#}"
            );
        }
        check_worst(&json);
        let text = run.mpiscope("analyze --top 3");
        text.check(0, &[]);
        for part in ["in corrected time", "late.c:", "critical path: ", "… and "] {
            assert!(text.out.contains(part), "{part}: {}", text.out);
        }
    }
}

#[test]
fn statistics_tell_the_same_waits_and_that_a_path_needs_a_trace() {
    for &mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, LATE) else {
            continue;
        };
        let json = analyzed(&trial, &[]);
        assert_eq!(json.text("source"), "statistics");
        assert_eq!(*json.get("critical_path"), Value::Null);
        assert!(json.get("notes").to_string().contains("mpiscope trace -- "));
        // Scans are not told apart from their transfer.
        for promise in promises().iter().filter(|it| it.kind != "early scan") {
            let waits = waits_at(&json, promise.line);
            assert_eq!(waits["kind"], *promise.kind, "{promise:?}: {waits:#}");
            assert_eq!(
                waits["ranks"][0]["rank"], promise.waits,
                "{promise:?}: {waits:#}"
            );
            if let Some(waited_for) = waits["waited_for"].as_array().unwrap().first() {
                assert_eq!(
                    waited_for["rank"], promise.waited_for,
                    "{promise:?}: {waits:#}"
                );
            }
        }
        check_worst(&json);
        let apart = analyzed(&trial, &["--virtual-clock", "off"]);
        assert_eq!(*apart.get("waiting_ns"), Value::Null);
        assert!(apart
            .get("notes")
            .to_string()
            .contains("run the program under `mpiscope monitor`"));
    }
}

/// Runs a program monitored, and returns what `analyze` says of it.
#[track_caller]
fn analyzed(trial: &Trial, options: &[&str]) -> Json {
    let mut line = trial.command(mpiscope());
    line.args(["monitor", "-o", "run", "--force"]).args(options);
    process::run(line.arg("--").args(trial.line(&[]))).check(0, &[]);
    let done = process::run(trial.command(mpiscope()).args(["analyze", "--json", "run"]));
    done.check(0, &[]);
    Json(serde_json::from_str(&done.out).unwrap())
}

#[test]
fn the_critical_path_goes_from_rank_to_rank_without_their_waiting() {
    let program = "tests/mpi/analyze/chain.c";
    let (receives, sends) = (marked(program, "RECEIVES"), marked(program, "SENDS"));
    for run in traced(program, 3) {
        let json = run.json("analyze --json");
        let waits = waits_at(&json, receives);
        assert_eq!(waits["kind"], "late sender", "{waits:#}");
        // Each worked for 300 ms on it, in turn.
        let worked = 250_000_000;
        for rank in 0..3 {
            let path = json.figure(&format!("by_rank.{rank}.path_ns"));
            assert!(path > worked, "rank {rank}: {:#}", json.0);
        }
        let path = json.get("critical_path");
        assert_eq!(path["length_ns"], *json.get("length_ns"));
        let parts = path["parts"].as_array().unwrap();
        let between = |after: u64, before: u64| {
            let is_it =
                |part: &&Value| part["after"]["line"] == after && part["before"]["line"] == before;
            parts
                .iter()
                .find(is_it)
                .map(|part| part["path_ns"].as_u64().unwrap())
        };
        assert!(between(receives, sends) > Some(worked), "{path:#}");
    }
}

#[test]
fn the_root_cause_is_the_rank_that_computes_longer_with_the_lines_around_it() {
    let program = "tests/mpi/analyze/cause.c";
    let (before, after) = (marked(program, "BEFORE"), marked(program, "AFTER"));
    for run in traced(program, 3) {
        let json = run.json("analyze --json");
        let causes = json.get("root_causes");
        let first = &causes["delays"][0];
        assert_eq!(first["rank"], 0, "{causes:#}");
        assert_eq!(first["activity"], "work", "{causes:#}");
        assert_eq!(first["after"]["line"], before, "{causes:#}");
        assert_eq!(first["before"]["line"], after, "{causes:#}");
        // Rank 1 waits for it, and rank 2 for rank 1.
        let ns = |it: &Value, key: &str| it[key].as_i64().unwrap();
        assert!(ns(first, "short_term_ns") > 0, "{causes:#}");
        assert!(ns(first, "long_term_ns") > 0, "{causes:#}");
        let delays = causes["delays"].as_array().unwrap().iter();
        let costs = |it: &Value| ns(it, "short_term_ns") + ns(it, "long_term_ns");
        let unexplained = causes["unexplained"].as_object().unwrap().values();
        let unexplained: i64 = unexplained.map(|it| it.as_i64().unwrap()).sum();
        let all = delays.map(costs).sum::<i64>() + unexplained;
        assert_eq!(all, ns(causes, "waiting_ns"), "{causes:#}");
        let text = run.mpiscope("analyze --top 1");
        let lines = format!("cause.c:{before} to MPI_Send at cause.c:{after}");
        let table = text.out.split_once("root causes: ").unwrap().1;
        assert!(table.contains(&lines), "{}", text.out);
    }
}

#[test]
fn what_is_left_of_a_damaged_archive_is_analyzed_and_the_damage_told() {
    for run in traced(LATE, 2).into_iter().take(1) {
        let events = run.path.join("corrected/traces/1.evt");
        let length = fs::metadata(&events).unwrap().len();
        let file = OpenOptions::new().write(true).open(&events).unwrap();
        file.set_len(length / 2).unwrap();
        let done: Done = run.mpiscope("analyze");
        done.check(3, &["only the first", "events could be read"]);
        assert!(done.out.contains("critical path: "), "{}", done.out);
    }
}

#[test]
fn a_run_without_times_is_told_what_would_have_them() {
    let Some(&mpi) = found().first() else { return };
    let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, LATE) else {
        return;
    };
    let mut line = trial.command(mpiscope());
    line.args(["record", "-o", "run", "--"])
        .args(trial.line(&[]));
    process::run(&mut line).check(0, &[]);
    let done = process::run(trial.command(mpiscope()).args(["analyze", "run"]));
    done.check(2, &["the order of messages alone", "mpiscope trace"]);
}

#[test]
fn in_corrected_time_waits_are_those_of_the_true_time() {
    let folder = tempfile::tempdir().unwrap();
    let mpiscope = |line: &str| {
        let done = in_folder(folder.path(), line);
        done.check(0, &[]);
        done.out
    };
    // Of how long ranks waited for late senders: the exact sum.
    let waited = |path: &str| {
        let out = mpiscope(&format!("analyze --json {path}"));
        let json = Json(serde_json::from_str(&out).unwrap());
        let kinds = json.get("wait_states").as_array().unwrap().iter();
        let mut late = kinds.filter(|row| row["kind"] == "late sender");
        late.next().unwrap()["waiting_ns"].as_f64().unwrap()
    };
    mpiscope("simulate halo -n 16 --hosts 4 --iterations 60 -o run");
    let measured = waited("run");
    mpiscope("sync run");
    let (corrected, truth) = (waited("run"), waited("run/truth/traces.otf2"));
    // What starting takes is in neither.
    let told = mpiscope("analyze --json run");
    let told = Json(serde_json::from_str(&told).unwrap());
    let phases = told.get("iterations.phases").as_array().unwrap();
    let parallel = |of: &serde_json::Value| of["efficiency"]["parallel"].as_f64().unwrap();
    assert_eq!(phases[0]["kind"], "all");
    let whole = told.get("efficiency.parallel").as_f64().unwrap();
    assert!((parallel(&phases[0]) - whole).abs() < 0.001, "{whole}");
    let wrong_by = |waited: f64| (waited - truth).abs() / truth;
    assert!(wrong_by(corrected) < 0.02, "{corrected}, in truth {truth}");
    assert!(wrong_by(measured) > 0.1, "{measured}, in truth {truth}");
}

#[test]
fn waiting_that_depends_on_who_sent_to_whom_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    in_folder(here, "simulate mix -n 8 --hosts 2 --iterations 40 -o run").check(0, &[]);
    let json = json_of(here, "analyze --json run");
    let statements = json.get("statements").as_array().unwrap().iter();
    let of_some = statements.filter(|it| it["call"] == "MPI_Alltoallv");
    let known: Vec<&Value> = of_some.map(|it| &it["waiting_ns"]).collect();
    assert_eq!(known, [&Value::Null]);
    let unknown = json.get("unknown").as_array().unwrap();
    assert_eq!(unknown[0]["what"], "collective operations among some");
    assert_eq!(unknown[0]["calls"], 8);
    let said = in_folder(here, "analyze run").out;
    assert!(said.contains("does not tell who sent to whom"), "{said}");
}
