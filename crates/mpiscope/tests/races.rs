//! The programs of `tests/mpi/races`: what `mpiscope races` says of each, and of
//! which line, is what the program's comments promise, and no more.
#![forbid(unsafe_code)]

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::matrix::{seed, Random};
use common::trial::{Json, Run};
use common::{found, process, workspace, Case, Mpi, Trial};
use rustix::process::Signal;
use serde_json::Value;

const FOLDER: &str = "tests/mpi/races";

/// How long a program that hangs is given to come to the point, in turn. On a
/// busy machine it may not have got there; what it does then is known already.
const PATIENCE: [u64; 3] = [1500, 8000, 30000];

/// A line and what is said of it: `RACE: order`.
type Verdicts = BTreeSet<(u64, String)>;

/// What a program promises.
struct Promise {
    ranks: u32,
    hangs: bool,
    verdicts: Verdicts,
}

/// Reads a program's comments; `README.md` there says how they are written.
#[track_caller]
fn promise(program: &str, text: &str) -> Promise {
    let value = |name: &str| {
        let mut lines = text.lines().take(20);
        let found =
            lines.find_map(|line| line.trim_start_matches([' ', '*', '!']).strip_prefix(name));
        found.map(|value| value.trim_end_matches("*/").trim())
    };
    let ends = value("ends:").unwrap_or("well");
    assert!(["well", "anyhow", "killed"].contains(&ends), "{program}");
    let ranks = value("ranks:").and_then(|ranks| ranks.parse().ok());
    let mark = if program.ends_with(".c") { "/* " } else { "! " };
    let lines = (1..).zip(text.lines());
    let of = |(number, line): (u64, &str)| {
        let comment = line.rsplit_once(mark).map_or("", |(_, comment)| comment);
        let marks = comment.trim_end_matches("*/").split(';').map(str::trim);
        let known = |mark: &&str| mark.starts_with("RACE: ") || mark.starts_with("ERROR: ");
        let marks = marks.filter(known).map(|mark| (number, mark.to_owned()));
        marks.collect::<Vec<_>>()
    };
    Promise {
        ranks: ranks.unwrap_or_else(|| panic!("{program} does not say its ranks")),
        hangs: ends == "killed" || ends == "anyhow",
        verdicts: lines.flat_map(of).collect(),
    }
}

/// Traces a program; one that hangs is ended after so many milliseconds.
#[track_caller]
fn traced(trial: Trial, milliseconds: Option<u64>) -> Run {
    let mut running = process::start(&mut trial.trace(&[]));
    if let Some(milliseconds) = milliseconds {
        if !running.ends_within(Duration::from_millis(milliseconds)) {
            running.signal(Signal::TERM);
        }
    }
    let run = trial.ended(running.wait());
    run.done.check_calm();
    run
}

/// Returns what `mpiscope races` says of the lines of a program.
#[track_caller]
fn said(json: &Json, program: &str) -> Verdicts {
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let line = |place: &Value| {
        let file = text(place, "file");
        assert!(file.ends_with(program), "{place} is not in {program}");
        place["line"].as_u64().unwrap_or(0)
    };
    let races = json.get("races").as_array().unwrap().iter().map(|race| {
        let verdict = text(race, "verdict");
        let kind = match verdict.as_str() {
            "hazard" => format!(": {}", text(race, "kind")),
            _ => String::new(),
        };
        (line(&race["receive"]), format!("RACE: {verdict}{kind}"))
    });
    let errors = json.get("errors").as_array().unwrap().iter();
    let errors = errors.map(|error| (line(error), format!("ERROR: {}", text(error, "kind"))));
    races.chain(errors).collect()
}

/// Returns what is wrong with the verdicts on a program.
#[track_caller]
fn wrong(mpi: &'static Mpi, program: &str, promise: &Promise) -> Option<String> {
    let source = format!("{FOLDER}/{program}");
    let ranks = promise.ranks;
    let patience = PATIENCE.map(Some);
    let turns = if promise.hangs {
        &patience[..]
    } else {
        &[None]
    };
    let mut wrong = None;
    for &turn in turns {
        let run = traced(Trial::new(Case { mpi, ranks }, &source)?, turn);
        let ended_well = promise.hangs || run.done.code == 0;
        let races = run.mpiscope("races --json");
        if races.check_calm().code != 0 {
            // Ended before MPI_Init, it leaves no archive.
            wrong = Some(format!("{program} under {}: {}", mpi.name, races.errors));
            continue;
        }
        let said = said(&Json(serde_json::from_str(&races.out).unwrap()), program);
        if ended_well && said == promise.verdicts {
            return None;
        }
        wrong = Some(format!(
            "{program} under {}: exit code {}\n  promised {:?}\n  said     {:?}",
            mpi.name, run.done.code, promise.verdicts, said
        ));
    }
    wrong
}

/// Returns all programs, each with what it promises.
fn programs() -> Vec<(String, Promise)> {
    let folder = std::fs::read_dir(workspace().join(FOLDER)).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_program = |name: &String| [".c", ".f", ".f90"].iter().any(|end| name.ends_with(end));
    let mut names: Vec<String> = names.filter(is_program).collect();
    names.sort();
    let read = |name: String| {
        let text = std::fs::read_to_string(workspace().join(FOLDER).join(&name)).unwrap();
        let promise = promise(&name, &text);
        (name, promise)
    };
    names.into_iter().map(read).collect()
}

#[test]
fn every_race_and_error_is_told_with_its_line_and_no_other() {
    let everything = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    let mut random = Random::new(seed());
    let mut told = Vec::new();
    for (program, promise) in programs() {
        for mpi in found() {
            // Else every second program, under one MPI.
            if everything || random.below(2 * found().len()) == 0 {
                told.extend(wrong(mpi, &program, &promise));
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// A comment misspelled would promise nothing, and be kept.
#[test]
fn there_are_programs_of_every_kind() {
    let programs = programs();
    let with = |kind: &str| {
        let has = |promise: &Promise| promise.verdicts.iter().any(|(_, mark)| mark == kind);
        programs.iter().filter(|(_, promise)| has(promise)).count()
    };
    let silent = programs
        .iter()
        .filter(|(_, promise)| promise.verdicts.is_empty());
    assert!(silent.count() >= 20);
    assert!(with("RACE: order") >= 20);
    assert!(with("RACE: hazard: unmatched") >= 4);
    for kind in [
        "RACE: hazard: truncation",
        "RACE: hazard: type",
        "ERROR: deadlock",
    ] {
        assert!(with(kind) > 0, "{kind}");
    }
}
