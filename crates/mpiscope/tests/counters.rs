//! Counters of the system, read as calls and regions begin and end: they count what was done where it was
//! done, what cannot be counted is named, and the program does not notice.
#![forbid(unsafe_code)]

mod common;

use common::regions::compiled;
use common::trial::{Json, Run};
use common::{inapplicable, matrix, Case, Trial};
use serde_json::Value;

const PAGES: u64 = 700;

fn touches(case: Case) -> Option<(Trial, tempfile::TempDir)> {
    let (trial, folder) = compiled(case, "touches.c", &[])?;
    Some((
        trial.arguments(&[PAGES.to_string().as_str(), "thread"]),
        folder,
    ))
}

/// Traces with counters, and expects the program to print what it prints without.
#[track_caller]
fn counted(trial: Trial, counters: &str) -> Run {
    let bare = trial.untraced();
    let run = trial.traced_with(&["--counters", counters]);
    run.done.check(bare.code, &[]);
    assert_eq!(run.done.out, bare.out);
    assert!(bare.out.contains("touches: right"), "{}", bare.out);
    run.check_archives();
    run.check_shared_memory();
    run.mpiscope("check").check(0, &[]);
    run
}

/// What a region counted, by counter without its mode.
fn of_region(profile: &Json, region: &str, counter: &str) -> u64 {
    let tables = profile.get("counters");
    let is_counter = |it: &Value| it["name"].as_str().unwrap().trim_end_matches(":u") == counter;
    let counters = tables["counters"].as_array().unwrap();
    let column = counters.iter().position(is_counter).unwrap();
    let rows = tables["regions"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|it| it["name"].as_str().unwrap() == region);
    row.unwrap_or_else(|| panic!("no {region} in {tables:#}"))["counted"][column]
        .as_u64()
        .unwrap()
}

/// Expects words in what a command prints.
#[track_caller]
fn prints(run: &Run, command: &str, words: &[&str]) {
    let done = run.mpiscope(command);
    for word in words {
        assert!(done.out.contains(word), "{}", done.out);
    }
}

/// Whether the run has this counter; says so if not.
fn has(run: &Run, counter: &str) -> bool {
    let facts = run.facts();
    let names = facts.get("counters.names").as_array().unwrap().clone();
    let has = names
        .iter()
        .any(|it| it.as_str().unwrap().trim_end_matches(":u") == counter);
    if !has {
        inapplicable(&format!(
            "{counter} cannot be counted here: {:#}",
            facts.get("counters")
        ));
    }
    has
}

#[test]
fn what_a_region_does_is_counted_there() {
    for case in matrix::all(&[1, 2]) {
        let Some((trial, _folder)) = touches(case) else {
            continue;
        };
        let run = counted(trial, "page-faults,task-clock");
        if !has(&run, "page-faults") || !has(&run, "task-clock") {
            return;
        }
        let ranks = u64::from(run.trial.ranks);
        let profile = run.json("profile --by counter --json");
        // The agent's own pages are touched now and then.
        let faults = of_region(&profile, "touch", "page-faults");
        let all = 3 * PAGES * ranks;
        assert!((all..all + all / 10).contains(&faults), "{faults} of {all}");
        let of_thread = of_region(&profile, "touch of a thread", "page-faults");
        let all = PAGES * ranks;
        assert!(
            (all..all + all / 10).contains(&of_thread),
            "{of_thread} of {all}"
        );
        let computing = of_region(&profile, "compute", "page-faults");
        assert!(computing < PAGES / 10, "{computing}");
        assert!(of_region(&profile, "compute", "task-clock") > 3_000_000 * ranks);
        let words = ["counted in region", "counted on rank", "task-clock", "[ns]"];
        prints(&run, "profile --by counter", &words);
        // One rank's are that rank's.
        let one = run.json("profile --by counter --rank 0 --json");
        let faults = of_region(&one, "touch", "page-faults");
        assert!((3 * PAGES..4 * PAGES).contains(&faults), "{faults}");
    }
}

#[test]
fn what_cannot_be_counted_is_named_and_the_rest_is_counted() {
    for case in matrix::cases(&["touches.c"], "touches.c", &[2]) {
        let Some((trial, _folder)) = touches(case) else {
            continue;
        };
        // No processor has this code in this place.
        let run = counted(trial, "rffffffffffff,page-faults");
        let facts = run.facts();
        let refused = facts.get("counters.refused");
        assert_eq!(refused[0]["name"], "rffffffffffff");
        assert_eq!(refused[0]["ranks"], serde_json::json!([0, 1]));
        run.done.check(
            0,
            &["not complete: the counter rffffffffffff is not there on rank 0, 1:"],
        );
        prints(&run, "info", &["not complete: the counter rffffffffffff"]);
        if has(&run, "page-faults") {
            let profile = run.json("profile --by counter --json");
            assert!(of_region(&profile, "touch", "page-faults") >= 6 * PAGES);
        }
    }
}

#[test]
fn a_name_that_is_none_is_refused_before_anything_runs() {
    for case in matrix::cases(&["touches.c"], "touches.c", &[1]) {
        let Some((trial, _folder)) = touches(case) else {
            continue;
        };
        let done = trial.run_trace(&["--counters", "cycles,cyclones"]);
        done.check(2, &["no counter is called `cyclones`", "cache-misses"]);
        let run = trial.traced_with(&[]);
        run.done.check(0, &[]);
        prints(&run, "profile --by counter", &["the trace has none"]);
    }
}
