//! The programs of `tests/mpi/verdict`, one planted problem each: the first lines of `mpiscope
//! analyze` name what it is, the rank and the lines, under each MPI. No time is compared.
#![forbid(unsafe_code)]

mod common;

use std::fs;
use std::process::Command;

use common::trial::{Json, Run};
use common::view::{answers, done, written, View};
use common::{found, process, workspace, Case, Mpi, Trial};
use mpiscope_archive::model::Trace;
use serde_json::Value;

/// A program, what its problem is called, and who has it.
struct Plant {
    program: &'static str,
    kind: &'static str,
    /// Ranks where waiting ranks yield, and where they spin.
    ranks: [u32; 2],
    /// The rank that the first lines name; nothing if it is several.
    rank: Option<u64>,
    /// Marks of the lines that they name.
    lines: &'static [&'static str],
}

const PLANTS: &[Plant] = &[
    Plant {
        program: "imbalance",
        kind: "uneven_computation",
        ranks: [3, 2],
        rank: Some(1),
        lines: &["BEFORE", "AFTER"],
    },
    Plant {
        program: "serialization",
        kind: "serialization",
        ranks: [3, 2],
        rank: None,
        lines: &["BEFORE", "AFTER"],
    },
    Plant {
        program: "chain",
        kind: "late_sender_chain",
        ranks: [4, 3],
        rank: Some(0),
        lines: &["BEFORE", "AFTER"],
    },
    Plant {
        program: "wrong_order",
        kind: "wrong_order",
        ranks: [3, 3],
        rank: Some(0),
        lines: &["PLANT", "LATER"],
    },
    Plant {
        program: "small",
        kind: "small_messages",
        ranks: [2, 2],
        rank: Some(0),
        lines: &["PLANT"],
    },
    Plant {
        program: "barrier",
        kind: "barrier",
        ranks: [3, 2],
        rank: None,
        lines: &["PLANT"],
    },
    Plant {
        program: "io",
        kind: "file_access",
        ranks: [3, 2],
        rank: Some(0),
        lines: &["PLANT"],
    },
    Plant {
        program: "slow_rank",
        kind: "slow_rank",
        ranks: [3, 2],
        rank: Some(1),
        lines: &["BEFORE", "AFTER"],
    },
    Plant {
        program: "master",
        kind: "contention",
        ranks: [4, 3],
        rank: Some(0),
        lines: &["BEFORE", "AFTER"],
    },
    Plant {
        program: "growth",
        kind: "growing_iterations",
        ranks: [3, 2],
        rank: Some(1),
        lines: &["BEFORE", "AFTER"],
    },
    Plant {
        program: "overlap",
        kind: "late_progress",
        ranks: [3, 2],
        rank: Some(1),
        lines: &["BEFORE", "AFTER"],
    },
];

fn source(program: &str) -> String {
    format!("tests/mpi/verdict/{program}.c")
}

/// Returns how a report names the line that a comment marks: `chain.c:14`.
fn marked(program: &str, mark: &str) -> String {
    let text = fs::read_to_string(workspace().join(source(program))).unwrap();
    let mark = format!("/* {mark} */");
    let at = text.lines().position(|line| line.contains(&mark)).unwrap();
    format!("{program}.c:{}", at + 1)
}

/// Returns what stands before the first empty line.
fn first_lines(run: &Run) -> String {
    let done = run.mpiscope("analyze");
    done.check(0, &[]);
    let first = done.out.split("\n\n").next().unwrap_or_default();
    first.to_owned()
}

/// Returns what is lost most.
#[track_caller]
fn worst(json: &Json) -> Value {
    let losses = &json.get("verdict")["losses"];
    assert!(losses[0].is_object(), "{:#}", json.get("verdict"));
    losses[0].clone()
}

#[track_caller]
fn check(plant: &Plant, run: &Run) {
    let json = run.json("analyze --json");
    let worst = worst(&json);
    let verdict = json.get("verdict");
    assert_eq!(worst["kind"], plant.kind, "{verdict:#}");
    let text = first_lines(run);
    let first = text.lines().nth(2).unwrap_or_default();
    match plant.rank {
        Some(rank) => {
            assert_eq!(worst["ranks"][0], rank, "{verdict:#}");
            assert!(first.contains(&format!("rank {rank}")), "{text}");
        }
        None => {
            let ranks = worst["ranks"].as_array().unwrap().len();
            assert!(ranks > 1, "{verdict:#}");
            assert!(first.contains("ranks "), "{text}");
        }
    }
    for mark in plant.lines {
        let line = marked(plant.program, mark);
        assert!(first.contains(&line), "{line}: {text}");
    }
    // Where calls alone tell, that is said.
    let encloses = plant.lines.contains(&"BEFORE");
    assert_eq!(
        first.contains("the two calls enclose it"),
        encloses,
        "{text}"
    );
    // A busy machine makes other losses, which may be told to be looked at so.
    let first = text.split("\n  2. ").next().unwrap_or_default();
    assert_eq!(first.contains("--sample"), encloses, "{text}");
}

/// Traces a program under an MPI; nothing without its compiler.
fn traced(mpi: &'static Mpi, plant: &Plant) -> Option<Run> {
    let spins = mpi.suffix == "mpich";
    let ranks = plant.ranks[usize::from(spins)];
    let trial = Trial::new(Case { mpi, ranks }, &source(plant.program))?;
    let run = trial.traced();
    run.done.check(0, &[]);
    Some(run)
}

/// Runs among which one is looked for in which nothing else on a busy machine cost more than what is
/// planted.
const TRIES: usize = 3;

#[track_caller]
fn each(program: &str) {
    let plant = PLANTS.iter().find(|it| it.program == program).unwrap();
    for &mpi in found() {
        for left in (0..TRIES).rev() {
            let Some(run) = traced(mpi, plant) else {
                break;
            };
            let kind = worst(&run.json("analyze --json"))["kind"].clone();
            if kind == plant.kind || left == 0 {
                check(plant, &run);
                break;
            }
            common::say(&format!("repeated under {}: {kind} cost more", mpi.name));
        }
    }
}

macro_rules! plants {
    ($($name:ident $program:literal),* $(,)?) => {$(
        #[test]
        fn $name() {
            each($program);
        }
    )*};
}

plants! {
    uneven_computation_is_told_with_its_rank_and_the_calls_around_it "imbalance",
    ranks_that_compute_in_turn_are_told "serialization",
    the_head_of_a_chain_of_late_senders_is_told "chain",
    receives_in_wrong_order_are_told_with_both_lines "wrong_order",
    small_messages_are_told_with_their_sender "small",
    a_barrier_that_may_be_needless_is_told "barrier",
    the_rank_that_alone_writes_a_file_is_told "io",
    a_rank_that_is_slow_in_all_it_does_is_told "slow_rank",
    contention_at_a_master_is_told "master",
    iterations_that_grow_are_told_with_the_rank_that_does "growth",
    who_computes_longer_behind_overlapped_messages_is_told "overlap",
}

/// Expects the line itself, and no word of calls that enclose it.
#[track_caller]
fn check_line(run: &Run, rank: u64, line: &str) {
    let worst = worst(&run.json("analyze --json"));
    assert_eq!(worst["kind"], "uneven_computation", "{worst:#}");
    assert_eq!(worst["ranks"][0], rank, "{worst:#}");
    let text = first_lines(run);
    let first = text.lines().nth(2).unwrap_or_default();
    assert!(first.contains(line), "{line}: {text}");
    assert!(!first.contains("enclose"), "{text}");
    assert!(!text.contains("--sample"), "{text}");
}

#[test]
fn samples_tell_the_line_itself() {
    for &mpi in found() {
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, &source("imbalance")) else {
            continue;
        };
        let run = trial.arguments(&["busy"]).traced_with(&["--sample", "1ms"]);
        run.done.check(0, &[]);
        let text = fs::read_to_string(workspace().join(source("imbalance"))).unwrap();
        let work = text.lines().position(|line| line.contains("/* PLANT */"));
        // The loop's head and its body are one to the compiler.
        let lines = [0, 1].map(|by| format!("imbalance.c:{}", work.unwrap() + by));
        let first = first_lines(&run);
        let line = lines.iter().find(|it| first.contains(*it));
        check_line(&run, 1, line.unwrap_or(&lines[1]));
    }
}

#[test]
fn functions_that_a_compiler_instrumented_tell_theirs() {
    for &mpi in found() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("imbalance");
        let mut compile = Command::new(mpi.command("mpicc"));
        compile
            .args(["-g", "-O0", "-finstrument-functions", "-o"])
            .arg(&program)
            .arg(workspace().join(source("imbalance")));
        process::run(&mut compile).check(0, &[]);
        let run = Trial::of(Case { mpi, ranks: 2 }, program).traced();
        run.done.check(0, &[]);
        check_line(&run, 1, "rest (plant.h:");
    }
}

#[test]
fn a_run_in_which_nothing_is_wrong_is_told_so() {
    let Some(&mpi) = found().first() else { return };
    let Some(trial) = Trial::new(Case { mpi, ranks: 1 }, &source("even")) else {
        return;
    };
    let run = trial.traced();
    run.done.check(0, &[]);
    let text = first_lines(&run);
    assert!(
        text.contains("verdict: nothing was lost that matters: "),
        "{text}"
    );
}

#[test]
fn page_and_report_say_what_the_terminal_says() {
    let Some(&mpi) = found().first() else { return };
    let Some(run) = traced(mpi, &PLANTS[0]) else {
        return;
    };
    let place = run.path.parent().unwrap();
    let said = worst(&run.json("analyze --json"));
    let said = said["text"].as_str().unwrap();
    // A sentence begins with a capital letter.
    let said = &said[1..];
    let meta = View::start(place, "view run").json("/api/meta");
    assert!(
        meta["runs"][0]["verdict"].to_string().contains(said),
        "{meta:#}"
    );
    done(place, "report -o run.html run");
    let answers = answers(&place.join("run.html"));
    let mut texts = answers.values().map(|it| String::from_utf8_lossy(it));
    assert!(texts.any(|text| text.contains(said)), "{said}");
}

#[test]
fn what_cannot_be_told_stands_in_the_verdict_of_page_and_report() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let trace = Trace::parse("0: 0 10 off 50 on 100\n1: 0 100").unwrap();
    written(place, "run", &trace);
    let said = "annot tell: what happened in 20 % of the time, as recording was off";
    let meta = View::start(place, "view run").json("/api/meta");
    let verdict = meta["runs"][0]["verdict"].to_string();
    assert!(verdict.contains(said), "{meta:#}");
    done(place, "report -o run.html run");
    let answers = answers(&place.join("run.html"));
    let mut texts = answers.values().map(|it| String::from_utf8_lossy(it));
    assert!(texts.any(|text| text.contains(said)));
}
