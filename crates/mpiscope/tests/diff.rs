//! `mpiscope diff`: simulated runs, whose differences are known, and a small program really run.
//! No test asks how long anything took.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::path::Path;

use common::documented::has_documented_keys;
use common::folder::{in_folder, json_of};
use common::regions::compiled;
use common::trial::{Json, Run};
use common::xml::check_xml;
use common::{found, mpiscope, process, workspace, Case, Trial};
use serde_json::Value;

/// Simulates so many runs that compute so long, named by a letter and a number.
fn simulated(folder: &Path, letter: char, count: usize, seconds: &str) {
    for number in 1..=count {
        let seed = u32::from(letter) * 100 + number as u32;
        let line = format!(
            "simulate pairs -n 4 --hosts 1 --iterations 30 --imbalance 0.02 --seed {seed} \
             --seconds {seconds} -o {letter}{number}"
        );
        in_folder(folder, &line).check(0, &[]);
    }
}

/// Names them all.
fn all(letter: char, count: usize) -> String {
    let names: Vec<String> = (1..=count).map(|it| format!("{letter}{it}")).collect();
    names.join(" ")
}

#[track_caller]
fn json(folder: &Path, words: &str) -> Json {
    json_of(folder, &format!("diff --json {words}"))
}

fn row<'a>(json: &'a Json, name: &str) -> &'a Value {
    let rows = json.get("rows").as_array().unwrap();
    let of_name = |it: &&Value| it["name"] == name;
    rows.iter()
        .find(of_name)
        .unwrap_or_else(|| panic!("{name}: {:#}", json.0))
}

#[test]
fn sets_that_differ_are_told_apart_and_equal_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, 'a', 5, "2");
    simulated(here, 'b', 5, "2.2");
    simulated(here, 'c', 5, "2");
    let [a, b, c] = ['a', 'b', 'c'].map(|it| all(it, 5));

    let slower = json(here, &format!("--baseline {a} --candidate {b}"));
    for name in ["time", "computation"] {
        assert_eq!(row(&slower, name)["judgement"], "slower", "{:#}", slower.0);
        assert_eq!(row(&slower, name)["p"], 2.0 / 252.0);
    }
    assert_eq!(slower.text("evidence.kind"), "runs");
    assert_eq!(slower.figure("evidence.permutations"), 252);
    let first = slower.get("verdict")[0].as_str().unwrap().to_owned();
    assert!(
        first.starts_with("B is ") && first.contains(" slower than A"),
        "{first}"
    );
    let faster = json(here, &format!("--baseline {b} --candidate {a}"));
    assert_eq!(row(&faster, "time")["judgement"], "faster");
    let equal = json(here, &format!("--baseline {a} --candidate {c}"));
    for row in equal.get("rows").as_array().unwrap() {
        let judged = ["slower", "faster"]
            .iter()
            .any(|it| row["judgement"] == *it);
        assert!(!judged, "{row:#}");
        // Of next to no change nothing is a part.
        assert!(row["share_percent"].is_null(), "{row:#}");
    }
    let parts = slower.get("rows").as_array().unwrap();
    assert!(parts.iter().any(|it| it["share_percent"].is_f64()));
    let text = in_folder(here, &format!("diff --baseline {a} --candidate {b}"));
    text.check(0, &[]);
    assert!(text.out.starts_with(&first), "{}", text.out);

    let sets = format!("diff --baseline {a} --candidate {b} --fail-on");
    in_folder(here, &format!("{sets} time+5%")).check(1, &[]);
    in_folder(here, &format!("{sets} time+50%")).check(0, &[]);
    in_folder(here, &format!("{sets} time-1%")).check(0, &[]);
    in_folder(here, &format!("{sets} snow+5%")).check(2, &["nothing of that name"]);
    in_folder(here, &format!("{sets} difference")).check(2, &["time +5%"]);
}

#[test]
fn a_baseline_file_stands_for_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, 'a', 5, "2");
    simulated(here, 'b', 5, "2.2");
    let (a, b) = (all('a', 5), all('b', 5));
    in_folder(
        here,
        &format!("diff --baseline {a} --write-baseline a.json"),
    )
    .check(0, &["a.json"]);
    let by_runs = json(here, &format!("--baseline {a} --candidate {b}"));
    let by_file = json(here, &format!("--baseline a.json --candidate {b}"));
    assert_eq!(by_runs.get("rows"), by_file.get("rows"));
    in_folder(
        here,
        &format!("diff --baseline {b} --write-baseline b.json"),
    )
    .check(0, &[]);
    let by_files = json(here, "a.json b.json");
    assert_eq!(row(&by_files, "time")["judgement"], "slower");

    let text = fs::read_to_string(here.join("a.json")).unwrap();
    fs::write(here.join("cut.json"), &text[..text.len() / 2]).unwrap();
    in_folder(here, "diff cut.json b1").check(3, &["cut.json"]);
    let later = text.replace("\"version\":2", "\"version\":9");
    fs::write(here.join("later.json"), later).unwrap();
    in_folder(here, "diff later.json b1").check(2, &["version 9"]);
    fs::write(here.join("other.json"), "{}").unwrap();
    in_folder(here, "diff other.json b1").check(2, &["--write-baseline"]);
}

/// `tests/archives/baseline-1.json`: five runs of `simulate pairs -n 4 --seconds 2`.
#[test]
fn a_baseline_file_of_version_1_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, 'b', 5, "2.2");
    let old = workspace().join("crates/mpiscope/tests/archives/baseline-1.json");
    let sets = format!("--baseline {} --candidate {}", old.display(), all('b', 5));
    let json = json(here, &sets);
    assert_eq!(json.get("a.kinds")[0], "traces");
    assert_eq!(row(&json, "time")["judgement"], "slower", "{:#}", json.0);
    assert_eq!(row(&json, "time")["a_runs_ns"][0], 1998535973u64);
    assert_eq!(row(&json, "work0")["a_visits"], 12.0, "{:#}", json.0);
}

#[test]
fn reports_for_code_hosts_are_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, 'a', 5, "2");
    simulated(here, 'b', 5, "2.2");
    let sets = format!(
        "diff --baseline {} --candidate {}",
        all('a', 5),
        all('b', 5)
    );
    let words =
        format!("{sets} --junit a.xml --sarif a.sarif --fail-on time+5% --fail-on time+90%");
    in_folder(here, &words).check(1, &[]);
    let junit = fs::read_to_string(here.join("a.xml")).unwrap();
    check_xml(&junit);
    assert!(junit.starts_with("<?xml"), "{junit}");
    assert!(junit.contains("tests=\"2\" failures=\"1\""), "{junit}");
    in_folder(here, &format!("{sets} --junit b.xml")).check(0, &[]);
    check_xml(&fs::read_to_string(here.join("b.xml")).unwrap());

    let sarif = fs::read_to_string(here.join("a.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let driver = &sarif["runs"][0]["tool"]["driver"];
    assert_eq!(driver["name"], "mpiscope diff");
    // Simulated programs have no lines: what is so is named, and the other condition is not.
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&Value> = results.iter().map(|it| &it["ruleId"]).collect();
    assert_eq!(rules, ["condition"], "{sarif:#}");
    let said = results[0]["message"]["text"].as_str().unwrap();
    assert!(
        said.starts_with("--fail-on 'time+5%': time from MPI_Init to MPI_Finalize: "),
        "{said}"
    );
    let place = &results[0]["locations"][0]["logicalLocations"][0];
    assert_eq!(place["fullyQualifiedName"], "time+5%");
    assert_eq!(
        sarif["runs"][0]["invocations"][0]["executionSuccessful"],
        true
    );
}

/// Checks what the schema asks of results, and what hosts ask of those that they show.
#[track_caller]
fn check_sarif(path: &Path) -> Vec<Value> {
    let sarif: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string(), "{result:#}");
        assert!(
            place["region"]["startLine"].as_u64() > Some(0),
            "{result:#}"
        );
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    results.clone()
}

/// The commands of the book's job with a baseline file, with a small plate on two ranks. Whether it
/// was slower is the machine's, and not that the job can tell.
#[test]
fn the_job_of_the_book_with_a_baseline_file_runs() {
    let book = fs::read_to_string(workspace().join("book/src/diff.md")).unwrap();
    let job = book.split("A job with a baseline file").nth(1).unwrap();
    let (_, once) = job.split_once("```sh\n").unwrap();
    let (_, each) = job.split_once("- run: |\n").unwrap();
    let (once, _) = once.split_once("```").unwrap();
    let (each, _) = each.split_once("      - uses").unwrap();
    let (mpi, ranks) = (found()[0], 2);
    let case = Case { mpi, ranks };
    let (Some(trial), Some(heat)) = (
        Trial::new(case, "examples/heat.c"),
        mpi.compile("examples/heat.c"),
    ) else {
        return;
    };
    let here = trial.path("");
    let rule = format!("heat:\n\tcp {} heat\n", heat.display());
    fs::write(here.join("Makefile"), rule).unwrap();
    let commands = mpiscope().parent().unwrap().display().to_string();
    let run = |script: &str| {
        let script = script.replace("mpirun -n 4", &mpi.launch(ranks).join(" "));
        let script = script.replace("./heat", "./heat 64 60");
        let script = format!("set -e\nPATH={commands}:$PATH\n{script}");
        process::run(trial.command("sh").args(["-c", &script]))
    };
    run(once).check(0, &[]);
    let size = fs::metadata(here.join("speed.json")).unwrap().len();
    assert!(size < 100_000, "{size}");
    let done = run(each);
    assert!(done.check_calm().code < 2, "{done:#?}");
    check_xml(&fs::read_to_string(here.join("speed.xml")).unwrap());
    check_sarif(&here.join("speed.sarif"));
}

#[test]
fn what_too_few_runs_cannot_tell_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, 'a', 3, "2");
    simulated(here, 'b', 3, "2.2");
    let sets = format!("--baseline {} --candidate {}", all('a', 3), all('b', 3));
    let few = json(here, &sets);
    assert_eq!(few.text("evidence.kind"), "too few runs");
    assert_eq!(few.figure("evidence.runs_wanted"), 5);
    assert_eq!(row(&few, "time")["judgement"], "cannot tell");
    let said = few.get("verdict")[0].as_str().unwrap();
    assert!(
        said.starts_with("cannot tell: 3 and 3 runs can be shared out in 20 ways"),
        "{said}"
    );
    in_folder(here, &format!("diff {sets} --fail-on time+5%")).check(2, &["--anyway"]);
    in_folder(here, &format!("diff {sets} --fail-on time+5% --anyway")).check(1, &[]);
    let level = json(here, &format!("{sets} --level 0.1"));
    assert_eq!(level.text("evidence.kind"), "runs");
    let one = json(here, "a1 b1");
    assert_eq!(row(&one, "computation")["judgement"], "cannot tell");
    assert!(["iterations", "none"].contains(&one.text("evidence.kind")));
}

/// A run that died took less time: that is no reason to let a change pass.
#[test]
fn runs_that_did_not_end_are_judged_by_nothing() {
    let Some(mpi) = found().first() else { return };
    let traced = |argument: &str| -> Option<Run> {
        let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/diff/ends.c")?;
        Some(trial.arguments(&[argument]).traced())
    };
    let (Some(whole), Some(early)) = (traced("whole"), traced("early")) else {
        return;
    };
    let lost = "what the rest of the run would have lost: ";
    for command in ["analyze", "whatif"] {
        assert!(early.mpiscope(command).out.contains(lost), "{command}");
        assert!(!whole.mpiscope(command).out.contains(lost), "{command}");
    }
    let place = tempfile::tempdir().unwrap();
    let compared = |words: &str| {
        let [a, b] = [&whole, &early].map(|run| run.path.display().to_string());
        in_folder(place.path(), &format!("diff {words} {a} {b}"))
    };
    let done = compared("--fail-on time+5% --junit done.xml");
    done.check(2, &[]);
    let said = "cannot tell whether B is slower or faster: the run of B did not end";
    assert!(
        done.out.starts_with(said) || done.out.contains(&format!("\n{said}")),
        "{done:#?}"
    );
    assert!(
        done.out.contains("runs that did not end are among them"),
        "{done:#?}"
    );
    let junit = fs::read_to_string(place.path().join("done.xml")).unwrap();
    check_xml(&junit);
    assert!(junit.contains("<error"), "{junit}");
    assert!(!junit.contains("name=\"time\"/>"), "{junit}");
    compared("--fail-on time+900% --anyway").check(0, &[]);
    let baseline = format!(
        "diff --write-baseline base.json --baseline {}",
        early.path.display()
    );
    in_folder(place.path(), &baseline).check(2, &["runs that died are no baseline"]);
    assert!(!place.path().join("base.json").exists());
    let facts: Value = serde_json::from_str(&compared("--json").out).unwrap();
    assert_eq!(
        (&facts["a"]["without_end"], &facts["b"]["without_end"]),
        (&0.into(), &1.into())
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    simulated(here, 'a', 1, "2");
    in_folder(
        here,
        "simulate pairs -n 2 --hosts 1 --iterations 5 -o small",
    )
    .check(0, &[]);
    for (words, said) in [
        ("a1", "two runs are compared"),
        ("a1 small", "different numbers of ranks (2, 4)"),
        ("a1 nowhere", "nowhere"),
        ("--order a1", "--order compares two runs"),
        ("--order a1 a1 --fail-on time+5%", "--fail-on difference"),
        ("--candidate a1", "--baseline"),
        ("a1 a1 --level 2", "probability"),
        ("a1 a1 --least x", "percentage"),
        (
            "--baseline a1 --write-baseline x.json --fail-on time+5%",
            "nothing to compare with",
        ),
    ] {
        in_folder(here, &format!("diff {words}")).check(2, &[said]);
    }
    let order = in_folder(here, "diff --order a1 a1");
    order.check(0, &[]);
    assert!(order.out.contains("same order"), "{}", order.out);
}

/// Runs the program with an argument, traced.
fn relax(mpi: &'static common::Mpi, argument: &str) -> Option<Run> {
    let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/diff/relax.c")?;
    Some(trial.arguments(&[argument]).traced())
}

/// Runs the program whose functions are traced, with an argument.
fn by_paths(mpi: &'static common::Mpi, argument: &str) -> Option<Run> {
    let options = ["-finstrument-functions"];
    let case = Case { mpi, ranks: 2 };
    let (trial, _compiled) = compiled(case, "../diff/paths.c", &options)?;
    Some(trial.arguments(&[argument]).traced())
}

#[test]
fn what_two_functions_call_has_a_row_of_each_path_under_every_mpi() {
    for mpi in found() {
        let (Some(a), Some(b)) = (by_paths(mpi, "equal"), by_paths(mpi, "slower")) else {
            continue;
        };
        let json = b.json(&format!("diff --json {}", a.path.display()));
        let paths = [("first/step", 2.0), ("second/step", 12.0)];
        let mut of_paths = 0.0;
        for (name, visits) in paths {
            let found = row(&json, name);
            assert_eq!(found["a_visits"], visits, "{found:#}");
            let around: Vec<&str> = name.split('/').take(1).collect();
            assert_eq!(found["path"], Value::from(around));
            assert!(
                found["only"].is_null() && found["is_total"] == false,
                "{found:#}"
            );
            assert!(
                found["file"].as_str().unwrap().ends_with("paths.c"),
                "{found:#}"
            );
            of_paths += found["a_ns"].as_f64().unwrap();
            has_documented_keys(found, "`mpiscope diff --json A B`", "key of a row");
        }
        // All of it is reached by these two.
        assert_eq!(row(&json, "step")["a_ns"], of_paths);
        // Two ranks sleep six times 3 and 9 ms at least.
        let second = row(&json, "second/step");
        assert!(second["a_ns"].as_f64().unwrap() >= 36e6, "{second:#}");
        assert!(second["b_ns"].as_f64().unwrap() >= 108e6, "{second:#}");
        let barrier = format!("MPI_Barrier@paths.c:{}", marked_in("paths.c", "BARRIER"));
        // Rank 0 waits for a millisecond each time; how long meeting takes else is the machine's.
        let reached = row(&json, &format!("waiting in second/step/{barrier}"));
        assert!(reached["b_ns"].as_f64().unwrap() >= 3e6, "{reached:#}");
        assert_eq!(row(&json, &barrier)["b_visits"], 14.0);
        let file = a.path.with_file_name("a.json");
        let write = format!("diff --write-baseline {} --baseline", file.display());
        a.mpiscope(&write).check(0, &[]);
        let by_file = b.json(&format!("diff --json {}", file.display()));
        assert_eq!(
            json.get("rows").as_array().map(Vec::len),
            by_file.get("rows").as_array().map(Vec::len)
        );
        assert_eq!(
            row(&json, "second/step")["a_ns"],
            row(&by_file, "second/step")["a_ns"]
        );
        // How much it changed is the machine's: half of that is exceeded, twice that is not.
        let change = row(&by_file, "second/step")["change_percent"].as_f64();
        let change = change.unwrap();
        for (part, code) in [(0.5, 1), (2.0, 0)] {
            let limit = change * part;
            let condition = format!("second/step{limit:+.6}%");
            let words = format!("diff --anyway --fail-on {condition} {}", file.display());
            b.mpiscope(&words).check(code, &[]);
        }
    }
}

/// Returns the line that a comment in the program marks.
fn marked(mark: &str) -> usize {
    marked_in("relax.c", mark)
}

fn marked_in(program: &str, mark: &str) -> usize {
    let file = workspace().join("tests/mpi/diff").join(program);
    let text = fs::read_to_string(file).unwrap();
    let mark = format!("/* {mark} */");
    text.lines().position(|line| line.contains(&mark)).unwrap() + 1
}

#[test]
fn a_programs_statements_are_rows_under_every_mpi() {
    for mpi in found() {
        let (Some(a), Some(b)) = (relax(mpi, "equal"), relax(mpi, "slower")) else {
            continue;
        };
        let before = a.path.display();
        let json = b.json(&format!("diff --json {before}"));
        let meet = format!("MPI_Allreduce@relax.c:{}", marked("MEET"));
        let barrier = format!("MPI_Barrier@relax.c:{}", marked("BARRIER"));
        for name in [&meet, &barrier, &format!("{barrier}..{meet}")] {
            let row = row(&json, name);
            assert!(row["only"].is_null(), "{row:#}");
            assert!(
                row["file"].as_str().unwrap().ends_with("relax.c"),
                "{row:#}"
            );
            assert!(row["line"].as_u64().unwrap() > 0, "{row:#}");
        }
        assert_eq!(row(&json, &meet)["a_visits"], 24.0);
        let rows = json.get("rows").as_array().unwrap();
        let of_init = |it: &&Value| it["name"].as_str().unwrap().contains("MPI_Init");
        let begin = rows
            .iter()
            .filter(of_init)
            .map(|it| it["name"].as_str().unwrap());
        assert!(
            begin.clone().all(|it| it.starts_with("MPI_Init")),
            "{:?}",
            begin.collect::<Vec<_>>()
        );
        let sums = |key: &str| -> f64 {
            let all = rows.iter().filter(|it| it["is_total"] == false);
            all.map(|it| it[key].as_f64().unwrap()).sum()
        };
        assert_eq!(sums("a_ns"), json.measure("a.total_ns"));
        assert_eq!(sums("b_ns"), json.measure("b.total_ns"));
        assert_eq!(json.text("evidence.kind"), "iterations");
        // Phases share out the time; what is slow at the begin is the machine's.
        let phases = [
            "before iterations",
            "warm-up",
            "steady iterations",
            "after iterations",
        ];
        for side in ["a_ns", "b_ns"] {
            let of_phases = rows
                .iter()
                .filter(|it| phases.iter().any(|name| it["name"] == *name));
            let sum: f64 = of_phases.map(|it| it[side].as_f64().unwrap()).sum();
            assert_eq!(sum, row(&json, "time")[side].as_f64().unwrap());
        }
        let steady = row(&json, "steady iterations");
        assert_eq!(steady["is_total"], true);
        // Two steps of a round sleep 5 ms at least, and a warm-up is not all of it.
        let (length, rounds) = (&steady["a_ns"], &steady["a_visits"]);
        let (length, rounds) = (length.as_f64().unwrap(), rounds.as_f64().unwrap());
        assert!(rounds >= 1.0 && length >= 5e6 * rounds, "{steady:#}");
        let file = a.path.with_file_name("a.json");
        a.mpiscope(&format!(
            "diff --write-baseline {} --baseline",
            file.display()
        ))
        .check(0, &[]);
        let by_total = "diff --anyway --fail-on time+1% --sarif a.sarif";
        b.mpiscope(&format!("{by_total} {before}")).check(1, &[]);
        let told = check_sarif(&b.trial.path("a.sarif"));
        let of_rule = |it: &&Value| it["ruleId"] == "condition";
        let told: Vec<&str> = (told.iter().filter(of_rule))
            .map(|it| it["message"]["text"].as_str().unwrap())
            .collect();
        assert!(told[0].contains("Most of that is here: "), "{told:?}");
        let by_file = b.json(&format!("diff --json {}", file.display()));
        assert_eq!(row(&by_file, "steady iterations"), steady);
        assert!(json.get("verdict")[1]
            .as_str()
            .unwrap()
            .contains("not that the build"));
    }
}

/// Runs the program with an argument, monitored.
fn counted(mpi: &'static common::Mpi, argument: &str, options: &[&str]) -> Option<Run> {
    let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/diff/relax.c")?;
    let trial = trial.arguments(&[argument]);
    let mut command = trial.command(mpiscope());
    command.args(["monitor", "-o", "run"]).args(options);
    command.arg("--").args(trial.line(&[]));
    let run = trial.path("run");
    let done = process::run_surely_after(&mut command, || drop(fs::remove_dir_all(&run)));
    done.check(0, &[]);
    Some(trial.ended(done))
}

fn left_out(json: &Json) -> Vec<String> {
    let all = json.get("not_compared").as_array().unwrap();
    all.iter()
        .map(|it| it["what"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn statistics_are_compared_with_statistics_under_every_mpi() {
    for mpi in found() {
        let (Some(a), Some(b)) = (counted(mpi, "equal", &[]), counted(mpi, "slower", &[])) else {
            continue;
        };
        let json = b.json(&format!("diff --json {}", a.path.display()));
        has_documented_keys(&json.0, "`mpiscope diff --json A B`", "key");
        let first = &json.get("rows")[0];
        has_documented_keys(first, "`mpiscope diff --json A B`", "key of a row");
        assert_eq!(json.get("a.kinds")[0], "statistics in virtual time");
        assert_eq!(json.text("evidence.kind"), "none");
        let said = json.get("verdict")[0].as_str().unwrap();
        assert!(said.contains("statistics keep no iterations"), "{said}");
        for (name, mark) in [("MPI_Allreduce", "MEET"), ("MPI_Barrier", "BARRIER")] {
            let row = row(&json, &format!("{name}@relax.c:{}", marked(mark)));
            assert_eq!(
                (&row["a_visits"], &row["b_visits"]),
                (&24.0.into(), &24.0.into())
            );
            assert!(
                row["only"].is_null() && row["line"].as_u64().unwrap() > 0,
                "{row:#}"
            );
        }
        // Computation and the calls are all there is.
        let rows = json.get("rows").as_array().unwrap();
        let sum: f64 = (rows.iter())
            .filter(|it| it["is_total"] == false || it["name"] == "computation")
            .map(|it| it["a_ns"].as_f64().unwrap())
            .sum();
        assert_eq!(sum, json.measure("a.total_ns"));
        // Each rank slept twelve times 5 ms at least.
        assert!(row(&json, "computation")["a_ns"].as_f64().unwrap() >= 2.0 * 60e6);
        assert!(row(&json, "time")["a_ns"].as_f64().unwrap() >= 60e6);
        assert_eq!(left_out(&json).len(), 1, "{:#}", json.0);

        let file = a.path.join("stats/0.statistics");
        let whole = fs::read(&file).unwrap();
        fs::write(&file, &whole[..whole.len() / 2]).unwrap();
        let done = a.mpiscope(&format!("diff {}", b.path.display()));
        assert!([2, 3].contains(&done.code), "{done:#?}");
    }
}

#[test]
fn traces_and_statistics_are_shown_beside_each_other_and_not_judged() {
    for mpi in found() {
        let (Some(traced), Some(observed)) = (relax(mpi, "equal"), counted(mpi, "equal", &[]))
        else {
            continue;
        };
        let plain = counted(mpi, "equal", &["--virtual-clock", "off"]).unwrap();
        let before = traced.path.display();
        for (run, kind) in [
            (&plain, "statistics"),
            (&observed, "statistics in virtual time"),
        ] {
            let json = run.json(&format!("diff --json {before}"));
            assert_eq!(json.get("a.kinds")[0], "traces");
            assert_eq!(json.get("b.kinds")[0], kind);
            assert_eq!(json.text("evidence.kind"), "mixed");
            let rows = json.get("rows").as_array().unwrap();
            for row in rows {
                assert_eq!(row["judgement"], "cannot tell", "{row:#}");
                assert!(row["only"].is_null(), "{row:#}");
                assert!(
                    row["is_total"] == true || row["a_visits"] == row["b_visits"],
                    "{row:#}"
                );
            }
            for (name, mark) in [("MPI_Allreduce", "MEET"), ("MPI_Barrier", "BARRIER")] {
                let row = row(&json, &format!("{name}@relax.c:{}", marked(mark)));
                assert_eq!(row["b_visits"], 24.0, "{row:#}");
            }
            let notes = json.get("notes").to_string();
            assert!(notes.contains("as often in B as in A"), "{notes}");
            let left_out = left_out(&json);
            assert_eq!(left_out[..2], ["times", "waiting"], "{left_out:?}");
        }
        let text = plain.mpiscope(&format!("diff {before}"));
        text.check(0, &[]);
        assert!(text.out.contains("\nnot compared: times: "), "{}", text.out);
        assert!(
            text.out.starts_with("cannot tell whether B is slower"),
            "{}",
            text.out
        );
        let condition = format!("diff --fail-on mpi+5% {before}");
        plain.mpiscope(&condition).check(2, &["are not the same"]);
        let both = plain.json(&format!("diff --json {}", observed.path.display()));
        assert_eq!(both.text("evidence.kind"), "mixed");

        // Of which kind a run was is in the file that stands for it.
        let file = plain.path.with_file_name("plain.json");
        let write = format!("diff --write-baseline {} --baseline", file.display());
        plain.mpiscope(&write).check(0, &[]);
        let by_run = traced.json(&format!("diff --json {}", plain.path.display()));
        let by_file = traced.json(&format!("diff --json {}", file.display()));
        assert_eq!(by_run.get("rows"), by_file.get("rows"));
        assert_eq!(by_file.get("a.kinds")[0], "statistics");
    }
}
