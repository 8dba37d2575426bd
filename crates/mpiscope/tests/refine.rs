//! `mpiscope refine`: what is proposed for the next trace, and that the next trace is as predicted.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use common::regions::compiled;
use common::trial::{Json, Run};
use common::{documented, found, mpiscope, process, Case, Done, Trial};
use serde_json::Value;

const HEADING: &str = "`mpiscope refine --json";

/// Traces a program of `tests/mpi/regions` on two ranks under each MPI, compiled in some ways.
fn each(source: &str, ways: &[&[&str]], options: &[&str], check: impl Fn(Run)) {
    for (number, &mpi) in found().iter().enumerate() {
        for way in ways.iter().skip(number % ways.len()).step_by(found().len()) {
            let case = Case { mpi, ranks: 2 };
            let Some((trial, _folder)) = compiled(case, source, way) else {
                continue;
            };
            check(briefly(trial, options));
        }
    }
}

/// Runs that were not interrupted in the function that is visited often are looked for among so many.
const TRIES: usize = 8;

/// Traces a program until no other one on a busy machine makes a visit of its function take longer
/// than what may be left out, or so long that the other rank waits for it.
fn briefly(trial: Trial, options: &[&str]) -> Run {
    for _ in 1..TRIES {
        let done = trial.run_trace(options);
        let mut refine = trial.command(mpiscope());
        let told = process::run(refine.args(["refine", "--json", "run"]));
        told.check(0, &[]);
        let json = Json(serde_json::from_str(&told.out).unwrap());
        let undisturbed = |fate: &String| fate != "cause";
        if fates(&json).get("tiny").is_some_and(undisturbed) {
            return trial.ended(done);
        }
        common::say("repeated: visits took long, as the machine is busy");
        std::fs::remove_dir_all(trial.path("run")).unwrap();
    }
    trial.traced_with(options)
}

/// Types a line into a shell, in the folder of a trial.
#[track_caller]
fn typed(trial: &Trial, line: &str) -> Done {
    let folder = mpiscope().parent().unwrap().to_owned();
    let path = std::env::var("PATH").unwrap();
    let mut shell = trial.command("sh");
    shell
        .args(["-c", line])
        .env("PATH", format!("{}:{path}", folder.display()));
    process::run_surely(&mut shell)
}

/// What becomes of the regions that are visited often and briefly.
fn fates(json: &Json) -> BTreeMap<String, String> {
    let regions = json.get("regions").as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pair = |it: &Value| (text(&it["name"]), text(&it["fate"]));
    regions.iter().map(pair).collect()
}

/// How often functions of MPI were called.
fn calls(run: &Run) -> BTreeMap<String, u64> {
    let json = run.json("profile --json --only mpi");
    let rows = json.get("tables")[0]["rows"].as_array().unwrap();
    let row = |row: &Value| {
        let name = row["name"].as_str().unwrap().to_owned();
        (name, row["visits"].as_u64().unwrap())
    };
    rows.iter().map(row).collect()
}

/// Expects in a proposal just the keys that the book names.
#[track_caller]
fn check_keys(json: &Json) {
    documented::has_documented_keys(&json.0, HEADING, "key | value");
    for (key, table) in [
        ("now", "key of `now` and `next` | value"),
        ("next", "key of `now` and `next` | value"),
        ("now.largest", "key of `largest` | value"),
        ("next.largest", "key of `largest` | value"),
        ("buffer", "key of `buffer` | value"),
        ("window", "key of `window` | value"),
    ] {
        let object = json.get(key);
        if !object.is_null() {
            documented::has_documented_keys(object, HEADING, table);
        }
    }
    for region in json.get("regions").as_array().unwrap() {
        documented::has_documented_keys(region, HEADING, "key of `regions` | value");
    }
}

const WAYS: [&[&str]; 2] = [&["-finstrument-functions"], &["cc"]];

#[test]
fn the_next_trace_has_the_predicted_events_and_all_calls() {
    // Functions that are not damped, so that each visit is counted.
    each("refine.c", &WAYS, &["--functions", "all"], |run| {
        run.done.check(0, &[]);
        let json = run.json("refine --json --apply");
        check_keys(&json);
        let fates = fates(&json);
        assert_eq!(fates["tiny"], "left_out", "{fates:?}");
        let others = fates.iter().filter(|(name, _)| *name != "tiny");
        assert!(
            others.clone().all(|(_, fate)| fate == "encloses"),
            "{fates:?}"
        );
        // What it calls lies in it, and is often and brief where the machine is not slow.
        assert!(others.clone().all(|(name, _)| name == "asks"), "{fates:?}");
        let events = json.figure("now.events");
        assert_eq!(json.figure("next.events"), events - 2 * 2 * 7_500);
        assert_eq!(json.figure("now.events"), run.facts().figure("events"));
        let line = json.text("line").to_owned();
        assert!(line.contains("--functions all"), "{line}");

        let before = calls(&run);
        let done = typed(&run.trial, &line);
        done.check(0, &["tiny (15000 times)"]);
        let path = run.trial.path("program.mpiscope");
        let next = Run { path, ..run };
        let expected = json.figure("next.events");
        assert_eq!(next.facts().figure("events"), expected);
        assert_eq!(calls(&next), before);
        assert_eq!(before["MPI_Comm_rank"], 2 * 30 * 251);

        // A second look keeps what the first has left out.
        let again = next.json("refine --json");
        assert_eq!(again.get("filter"), &Value::Null);
        let kept = format!("--filter {}", next.path.join("filter").display());
        assert!(again.text("line").contains(&kept), "{:#}", again.0);
    });
}

#[test]
fn a_filter_is_written_where_it_belongs_and_nothing_is_replaced_unasked() {
    each("refine.c", &WAYS[..1], &[], |run| {
        let done = run.mpiscope("refine");
        done.check(0, &[]);
        assert!(
            done.out.contains("proposed: leave out tiny"),
            "{}",
            done.out
        );
        let place = run.trial.path("run.filter");
        assert!(!place.exists(), "nothing was asked for");
        let done = run.mpiscope("refine --apply");
        done.check(0, &[]);
        assert!(done.out.contains("run.filter: written"), "{}", done.out);
        let text = std::fs::read_to_string(&place).unwrap();
        assert_eq!(run.json("refine --json").text("filter"), text);
        // The file with the line traces as the line does.
        assert!(done.out.contains("run.trace.sh: written"), "{}", done.out);
        let traced = typed(&run.trial, "sh run.trace.sh");
        traced.check(0, &["tiny (15000 times)"]);
        run.mpiscope("refine --apply")
            .check(2, &["run.filter exists"]);
        run.mpiscope("refine --apply --force").check(0, &[]);
        std::fs::write(&place, "mine").unwrap();
        run.mpiscope("refine --apply --force")
            .check(2, &["is no earlier filter"]);
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "mine");
        let done = run.mpiscope("refine --apply -o other.filter");
        done.check(0, &[]);
        assert!(done.out.contains("--filter other.filter"), "{}", done.out);
    });
}

/// Types the line that a report says writes the filter; returns the report.
#[track_caller]
fn applied(trial: &Trial, folder: &str, input: &str) -> String {
    let enter = format!("cd {folder} && ");
    let report = typed(trial, &format!("{enter}mpiscope refine {input}"));
    report.check(0, &[]);
    let (_, line) = report.out.split_once("next: ").unwrap();
    let (line, _) = line.split_once(" writes ").unwrap();
    typed(trial, &format!("{enter}{line}")).check(0, &[]);
    report.out
}

#[test]
fn the_line_that_is_printed_works_as_typed() {
    each("refine.c", &WAYS[..1], &[], |run| {
        let trial = &run.trial;
        let pack = "mpiscope pack -o 'my run.mpiscope.tar.zst' run";
        typed(trial, pack).check(0, &[]);
        applied(trial, ".", "'my run.mpiscope.tar.zst'");
        let text = std::fs::read_to_string(trial.path("my run.filter")).unwrap();
        let head = "# Proposed from the trace my run.mpiscope.tar.zst\n";
        assert!(text.starts_with(head), "{text}");

        // Inside of the run, and where an earlier one lies.
        applied(trial, "run", ".");
        let place = trial.path("run.filter");
        assert!(place.exists());
        assert!(applied(trial, ".", "run").contains("--force run"));
        std::fs::write(&place, "mine").unwrap();
        let said = applied(trial, ".", "run");
        assert!(said.contains("--filter run.next.filter"), "{said}");
        assert_eq!(std::fs::read_to_string(&place).unwrap(), "mine");
        assert!(trial.path("run.next.filter").exists());
    });
}

#[test]
fn a_function_of_cpp_that_is_named_in_part_stays() {
    let options = ["--functions", "all"];
    each("inner.cpp", &WAYS[..1], &options, |run| {
        let json = run.json("refine --json --apply");
        check_keys(&json);
        assert_eq!(fates(&json)["tiny"], "nameless");
        assert_eq!(json.get("filter"), &Value::Null);
        assert_eq!(json.figure("next.events"), json.figure("now.events"));
        let notes = json.get("notes").to_string();
        assert!(notes.contains("none was written"), "{notes}");
    });
}

#[test]
fn of_a_part_of_the_calls_it_is_said_that_the_filter_may_be_wrong() {
    let options = ["--only-mpi", "coll"];
    each("refine.c", &WAYS[..1], &options, |run| {
        let json = run.json("refine --json");
        check_keys(&json);
        assert_eq!(json.get("in_part"), &serde_json::json!(["--only-mpi"]));
        let said = run.mpiscope("refine").out;
        assert!(said.contains("stay, of what was recorded"), "{said}");
        assert!(
            said.contains("trace without --only-mpi before you rely"),
            "{said}"
        );
    });
}

#[test]
fn a_run_that_died_is_told_of_until_its_end() {
    let way: &[&str] = &["-finstrument-functions", "-DKILLED"];
    each("frequent.c", &[way], &[], |run| {
        let json = run.json("refine --json");
        assert_eq!(fates(&json)["tiny"], "left_out");
        let notes = json.get("notes").to_string();
        assert!(notes.contains("before the end"), "{notes}");
        assert!(json.text("line").starts_with("mpiscope trace --filter "));
    });
}

/// Simulates a program; returns what is proposed for it.
fn simulated(folder: &Path, options: &str) -> Json {
    let run = folder.join("halo");
    let mut simulate = Command::new(mpiscope());
    simulate.args(["simulate", "halo", "-n", "4", "--iterations", "60", "-o"]);
    if !run.exists() {
        process::run(simulate.arg(&run)).check(0, &[]);
    }
    let mut refine = Command::new(mpiscope());
    let options = options.split_whitespace();
    let done = process::run(refine.args(["refine", "--json"]).args(options).arg(&run));
    done.check(0, &[]);
    Json(serde_json::from_str(&done.out).unwrap())
}

#[test]
fn steady_iterations_are_a_window_and_a_longer_run_needs_more() {
    let folder = tempfile::tempdir().unwrap();
    let one = simulated(folder.path(), "");
    check_keys(&one);
    assert_eq!(one.get("filter"), &Value::Null);
    let window = one.get("window");
    assert_eq!(
        window["last"].as_u64().unwrap() - window["first"].as_u64().unwrap(),
        9
    );
    assert!(window["first"].as_u64().unwrap() > 1, "{window}");
    let option = window["option"].as_str().unwrap();
    assert!(
        !one.text("line").contains(option),
        "it is named beside the line"
    );
    let asked = simulated(folder.path(), "--iterations 10");
    assert_eq!(
        asked.get("options"),
        &serde_json::json!(["--window", option])
    );
    let notes = asked.get("notes").to_string();
    assert!(notes.contains("of the whole run"), "{notes}");
    let longer = simulated(folder.path(), "--times 10000");
    let events = one.figure("now.events");
    assert_eq!(longer.figure("next.events"), 10_000 * events);
    let proposed = longer.figure("buffer.proposed");
    assert!(proposed >= longer.figure("buffer.needed"));
    let options = serde_json::json!(["--buffer", format!("{}M", proposed >> 20)]);
    assert_eq!(longer.get("options"), &options);
    assert!(longer.text("line_note").contains("simulated"));
    // Both are written, and the command is given.
    simulated(folder.path(), "--iterations 10 --times 10000 --apply");
    let script = std::fs::read_to_string(folder.path().join("halo.trace.sh")).unwrap();
    let line = format!("exec mpiscope trace --window {option}");
    assert!(script.contains(&line), "{script}");
    assert!(script.contains(" --buffer "), "{script}");
    assert!(script.ends_with(" -- \"$@\"\n"), "{script}");
    assert!(!folder.path().join("halo.filter").exists());
    let few = simulated(folder.path(), "--iterations 60");
    assert!(
        few.text("no_window").contains("not twice as many"),
        "{:#}",
        few.0
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let refine = |words: &[&str], code, says: &[&str]| {
        let mut line = Command::new(mpiscope());
        process::run(line.arg("refine").args(words)).check(code, says);
    };
    refine(&["nowhere"], 2, &["nowhere"]);
    refine(&["--times", "0", "x"], 2, &["a number from"]);
    refine(&["--iterations", "0", "x"], 2, &["--iterations"]);
    refine(&["-o", "x.filter", "x"], 2, &["--apply"]);
    refine(&["--apply", "-o", "-", "x"], 2, &["-o names a file"]);
}
