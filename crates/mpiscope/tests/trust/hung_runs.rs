//! A run that hung is not reassured: where each rank stood comes first, then
//! the call that does not fit, by line; and where a race struck, `explore`
//! proves that the other order completes.

use std::collections::BTreeSet;
use std::time::Duration;

use rustix::process::Signal;

use crate::common::matrix::{seed, Random};
use crate::common::trial::{Json, Run};
use crate::common::{found, mpiscope, process, workspace, Case, Mpi, Trial};

const FOLDER: &str = "tests/mpi/hung";

/// How long a program that hangs is given to come to the point, in turn.
const PATIENCE: [u64; 3] = [2500, 10_000, 30_000];

/// Lines of a program and what is wrong there: `deadlock`.
type Errors = BTreeSet<(u64, String)>;

/// Reads what a program's comments promise: its ranks, and errors by line.
#[track_caller]
fn promised(program: &str) -> (u32, Errors) {
    let text = std::fs::read_to_string(workspace().join(FOLDER).join(program)).unwrap();
    let ranks = text
        .lines()
        .find_map(|line| line.strip_prefix(" * ranks: "));
    let mark = |(number, line): (u64, &str)| {
        let (_, mark) = line.split_once("/* ERROR: ")?;
        Some((number, mark.trim_end_matches("*/").trim().to_owned()))
    };
    let errors = (1..).zip(text.lines()).filter_map(mark).collect();
    (ranks.unwrap().parse().unwrap(), errors)
}

/// Traces a program and ends it after so many milliseconds.
#[track_caller]
fn hung(trial: Trial, milliseconds: u64) -> Run {
    let mut running = process::start(&mut trial.trace(&["--no-sync"]));
    if !running.ends_within(Duration::from_millis(milliseconds)) {
        running.signal(Signal::TERM);
    }
    trial.ended(running.wait())
}

/// Returns what is wrong with what is said of a program.
#[track_caller]
fn wrong(mpi: &'static Mpi, program: &str) -> Option<String> {
    let (ranks, promised) = promised(program);
    let mut wrong = None;
    for milliseconds in PATIENCE {
        let trial = Trial::new(Case { mpi, ranks }, &format!("{FOLDER}/{program}"))?;
        let run = hung(trial, milliseconds);
        let done = run.mpiscope("races --json");
        if done.check_calm().code != 0 {
            // Ended before MPI_Init, it leaves no archive.
            wrong = Some(done.errors);
            continue;
        }
        let json = Json(serde_json::from_str(&done.out).unwrap());
        let (stood, errors) = (stood(&json), errors(&json));
        let text = run.mpiscope("races").out;
        let reassures = text.contains("nothing that MPI forbids was seen");
        if errors == promised && stood.len() == ranks as usize && !reassures {
            let table = text.find("stood at the end").expect(&text);
            let rest = text.find("\n  error ").unwrap_or(text.len());
            assert!(table < rest, "{text}");
            return None;
        }
        wrong = Some(format!(
            "{program} under {}: promised {promised:?}, said {errors:?}\n{text}",
            mpi.name
        ));
    }
    wrong
}

/// Ranks of which it is said where they stood.
fn stood(json: &Json) -> BTreeSet<u64> {
    let all = json.get("stood").as_array().unwrap().iter();
    all.map(|it| it["rank"].as_u64().unwrap()).collect()
}

fn errors(json: &Json) -> Errors {
    let all = json.get("errors").as_array().unwrap().iter();
    let line = |it: &serde_json::Value| it["line"].as_u64().unwrap_or(0);
    let kind = |it: &serde_json::Value| it["kind"].as_str().unwrap_or_default().to_owned();
    all.map(|it| (line(it), kind(it))).collect()
}

#[test]
fn where_each_rank_stood_is_told_and_the_call_that_does_not_fit_by_its_line() {
    let folder = std::fs::read_dir(workspace().join(FOLDER)).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut programs: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
    programs.sort();
    assert!(programs.len() >= 15, "{programs:?}");
    let everything = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let mut random = Random::new(seed());
    let mut told = Vec::new();
    for program in &programs {
        // Else each under one MPI.
        let chosen = random.below(found().len().max(1));
        for (number, mpi) in found().iter().enumerate() {
            if everything || number == chosen {
                told.extend(wrong(mpi, program));
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// The receive from anybody took what the next one names; no order race.
#[test]
fn where_a_race_struck_the_other_order_is_forced_and_completes() {
    for mpi in found() {
        let source = format!("{FOLDER}/took_the_wrong_message.c");
        let Some(trial) = Trial::new(Case { mpi, ranks: 3 }, &source) else {
            continue;
        };
        let run = hung(trial, PATIENCE[1]);
        let json = run.json("races --json");
        let race = json.get("races.0");
        assert_eq!(race["verdict"], "hazard", "{race:#}");
        assert_eq!(race["struck"], true, "{race:#}");
        let explored = explore(&run, "explore run --json --patience 6");
        explored.check(0, &[]);
        let report = Json(serde_json::from_str(&explored.out).unwrap());
        assert_eq!(report.get("hangs"), true, "{:#}", report.0);
        let finding = report.get("findings.0");
        assert_eq!(finding["verdict"], "completes", "{:#}", report.0);
        let record = format!("replay run/{}", finding["record"].as_str().unwrap());
        explore(&run, &record).check(0, &["replayed as recorded"]);
        explore(&run, "explore run --patience 6 --fail-on deadlock").check(1, &[]);
    }
}

/// Runs `mpiscope WORDS -- mpirun … program`.
#[track_caller]
fn explore(run: &Run, words: &str) -> process::Done {
    let mut command = run.trial.command(mpiscope());
    let command = command.args(words.split(' ')).arg("--");
    process::run(command.args(run.trial.line(&[])))
}
