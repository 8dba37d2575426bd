//! Recording that ends with a slow iteration: on all ranks, with what came before it.
#![forbid(unsafe_code)]

mod common;

use common::regions::compiled;
use common::trial::Run;
use common::{found, Case, Trial};
use mpiscope_archive::model::EventKind;
use mpiscope_archive::trace::read_trace;

/// A program of 60 steps of 20 ms, whose step of this number takes 400 ms on the last rank; 0 is none.
fn steps(case: Case, slow: u32) -> Option<(Trial, tempfile::TempDir)> {
    let (trial, folder) = compiled(case, "steps.c", &[])?;
    Some((trial.arguments(&[60, slow]), folder))
}

#[track_caller]
fn traced(trial: Trial, options: &[&str]) -> Run {
    let run = trial.traced_with(options);
    run.done.check(0, &[]);
    assert!(run.done.out.contains("steps: right"), "{}", run.done.out);
    run.check_archives();
    run.check_shared_memory();
    run.mpiscope("check").check(0, &[]);
    run
}

/// How often each rank entered a region.
fn entered(run: &Run, name: &str) -> Vec<usize> {
    let trace = read_trace(&run.measured()).unwrap();
    let regions = trace.definitions.regions.iter();
    let region = regions
        .clone()
        .position(|region| region.name == name)
        .unwrap() as u32;
    let count = |location: &mpiscope_archive::model::Location| {
        let events = location.events.kinds().iter().zip(location.events.args());
        let enters = events.filter(|(kind, of)| **kind == EventKind::Enter && **of == region);
        enters.count()
    };
    trace.locations.iter().map(count).collect()
}

/// Expects that recording ended with step 25 or, on a rank that heard of it, a moment later; or
/// earlier, as a busy machine may make another step slow.
#[track_caller]
fn ended_in_time(run: &Run, name: &str) {
    let slow = run.path.join("slow.json");
    let text = std::fs::read_to_string(&slow)
        .unwrap_or_else(|error| panic!("{error}: {}", run.done.errors));
    let slow: serde_json::Value = serde_json::from_str(&text).unwrap();
    let iteration = slow["iteration"].as_u64().unwrap();
    assert!((11..=25).contains(&iteration), "{slow}");
    assert!(slow["times"].as_f64().unwrap() >= 5.0, "{slow}");
    for steps in entered(run, name) {
        // Whoever is told later has gone on for a while, and none to the end.
        assert!(
            (iteration as usize..59).contains(&steps),
            "{steps} after {slow}"
        );
    }
    run.done.check(
        0,
        &["recording has ended", "times the median of those before"],
    );
    let facts = run.facts();
    assert_eq!(facts.get("switched")[0]["why"], "slow");
    tells(run, &["(--until-slow)"]);
}

/// Expects words in what `info` says.
#[track_caller]
fn tells(run: &Run, words: &[&str]) {
    let done = run.mpiscope("info");
    for word in words {
        assert!(done.out.contains(word), "{}", done.out);
    }
}

#[test]
fn recording_ends_with_the_slow_step_on_all_ranks() {
    for &mpi in found() {
        for (option, name) in [("step=5", "step"), ("MPI_Allreduce=5", "MPI_Allreduce")] {
            let Some((trial, _folder)) = steps(Case { mpi, ranks: 2 }, 25) else {
                continue;
            };
            ended_in_time(&traced(trial, &["--until-slow", option]), name);
        }
    }
}

#[test]
fn what_came_before_it_is_kept() {
    for &mpi in found() {
        let Some((trial, _folder)) = steps(Case { mpi, ranks: 2 }, 25) else {
            continue;
        };
        let run = traced(trial, &["--until-slow", "step=5", "--keep", "600ms"]);
        let kept = entered(&run, "step");
        assert!(kept.iter().all(|&steps| steps < 40), "{kept:?}");
        run.done.check(0, &["recording has ended"]);
        tells(&run, &["as --keep asks for", "(--until-slow)"]);
    }
}

#[test]
fn a_run_without_such_a_step_is_recorded_to_its_end() {
    for &mpi in found() {
        let Some((trial, _folder)) = steps(Case { mpi, ranks: 2 }, 0) else {
            continue;
        };
        let run = traced(trial, &["--until-slow", "step=1000"]);
        assert_eq!(entered(&run, "step"), [60, 60]);
        run.done.check(
            0,
            &["--until-slow step=1000: no iteration took so long on rank 0"],
        );
        let Some((trial, _folder)) = steps(Case { mpi, ranks: 1 }, 0) else {
            continue;
        };
        let run = traced(trial, &["--until-slow", "stepp=3"]);
        run.done
            .check(0, &["--until-slow stepp=3: no region has had that name"]);
        let (trial, _folder) = steps(Case { mpi, ranks: 1 }, 0).unwrap();
        trial
            .run_trace(&["--until-slow", "step"])
            .check(2, &["such as step=3"]);
    }
}
