//! What a filter leaves out: functions of MPI, regions and functions of the program, ranks. What is
//! left is matched as if all were there.
#![forbid(unsafe_code)]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use common::messages::{self, Messages};
use common::regions::{compiled, is_own};
use common::trial::Run;
use common::{found, matrix, mpiscope, process, Case, Trial};

/// A filter file of region names.
fn regions(rules: &str) -> String {
    format!("SCOREP_REGION_NAMES_BEGIN\n{rules}\nSCOREP_REGION_NAMES_END\n")
}

/// Traces with a filter file.
#[track_caller]
fn filtered(trial: Trial, filter: &str, options: &[&str]) -> Run {
    fs::write(trial.path("its.filter"), filter).unwrap();
    let options: Vec<&str> = ["--filter", "its.filter"]
        .iter()
        .chain(options)
        .copied()
        .collect();
    let run = trial.traced_with(&options);
    run.done.check(0, &[]);
    run
}

/// The program whose n-th message on its one channel each way has n bytes.
fn mixed(case: Case) -> Option<Trial> {
    Trial::new(case, "tests/mpi/filter/mixed.c")
}

/// Expects that those messages are matched of which both sides are there, each with itself.
#[track_caller]
fn check_matched(run: &Run) -> Messages {
    assert!(run.done.out.contains("mixed: right"), "{}", run.done.out);
    run.check_archives();
    run.check_shared_memory();
    messages::matched(run)
}

/// How often something was left out, as the run says.
fn left_out(run: &Run, name: &str) -> Option<u64> {
    let facts = run.facts();
    let all = facts.0.get("filtered")?.as_array()?.clone();
    let found = all.iter().find(|it| it["function"] == name)?;
    found["entries"].as_u64()
}

#[test]
fn messages_keep_their_numbers_whichever_functions_are_left_out() {
    const FILTERS: [&str; 5] = [
        "EXCLUDE MPI_Send MPI_Irecv",
        "EXCLUDE MPI_Isend MPI_Wait MPI_Mprobe",
        "EXCLUDE MPI_* INCLUDE MPI_Send MPI_Recv",
        "EXCLUDE MPI_Recv MPI_Start MPI_Bcast",
        "EXCLUDE MPI_Sendrecv MPI_Waitall MPI_Test MPI_Mrecv",
    ];
    for (number, rules) in FILTERS.into_iter().enumerate() {
        for case in matrix::all(&[2]).into_iter().skip(number % 2).step_by(2) {
            let Some(trial) = mixed(case) else { continue };
            let run = filtered(trial, &regions(rules), &[]);
            let events = check_matched(&run);
            assert!(!events.is_empty() && events.len() < 144, "{}", events.len());
        }
    }
}

#[test]
fn calls_left_out_are_counted_and_said() {
    for &mpi in found() {
        let Some(trial) = mixed(Case { mpi, ranks: 2 }) else {
            continue;
        };
        let run = filtered(trial, &regions("EXCLUDE MPI_Send MPI_Comm_rank"), &[]);
        assert_eq!(left_out(&run, "MPI_Send"), Some(16));
        assert_eq!(left_out(&run, "MPI_Comm_rank"), Some(2));
        let said = "18 calls of MPI: MPI_Send (16 times), MPI_Comm_rank (2 times)";
        assert!(run.done.errors.contains(said), "{}", run.done.errors);
        assert!(run.mpiscope("info").out.contains(said));
        let races = run.mpiscope("races");
        assert!(
            races.out.contains("calls of MPI are not in the trace"),
            "{}",
            races.out
        );
        let mut explore = run.trial.command(mpiscope());
        explore
            .arg("explore")
            .arg(&run.path)
            .arg("--")
            .args(run.trial.line(&[]));
        process::run(&mut explore).check(2, &["which choice of the run is which, cannot be told"]);
        let facts = run.check_archives();
        let sends = facts.map(|facts| facts.entered[&0].get("MPI_Send").copied());
        assert!(sends.is_none_or(|sends| sends.is_none()));
    }
}

#[test]
fn messages_in_callbacks_are_counted_and_said() {
    for &mpi in found() {
        for ways in ["on", "off"] {
            let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/filter/callbacks.c");
            let Some(trial) = trial else { continue };
            let run = trial.with("MPISCOPE_SHORT_WAYS", ways).traced_with(&[]);
            run.done.check(0, &[]);
            assert!(
                run.done.out.contains("callbacks: right"),
                "{}",
                run.done.out
            );
            run.check_archives();
            let facts = run.facts();
            let within = facts.0["within"].as_array().unwrap();
            let calls: BTreeMap<&str, u64> = (within.iter())
                .map(|it| {
                    (
                        it["function"].as_str().unwrap(),
                        it["entries"].as_u64().unwrap(),
                    )
                })
                .collect();
            let expected = [
                ("MPI_Irecv", 3),
                ("MPI_Isend", 6),
                ("MPI_Recv", 6),
                ("MPI_Send", 6),
                ("MPI_Wait", 6),
            ];
            assert_eq!(calls, BTreeMap::from(expected));
            let said = "27 calls of MPI that the program made within another, in callbacks, have no events: ";
            assert!(run.done.errors.contains(said), "{}", run.done.errors);
            assert!(run.mpiscope("info").out.contains(said));
            let races = run.mpiscope("races");
            let cannot = "calls of MPI are not in the trace";
            assert!(races.out.contains(cannot), "{}", races.out);
            assert!(!races.out.contains("error"), "{}", races.out);
            // Sent and received in main, three times: one each way, and what a callback ends.
            let events = messages::matched(&run);
            assert!(events.len() >= 9, "{events:?}");
        }
    }
}

#[test]
fn that_another_world_is_not_in_the_trace_is_said() {
    // MPICH 4.0's MPI_Comm_spawn fails, bare too.
    let Some(mpi) = found().iter().find(|mpi| mpi.name == "Open MPI") else {
        return;
    };
    let trial = Trial::new(
        Case { mpi, ranks: 2 },
        "tests/mpi/chapters/processes/spawn.c",
    );
    let Some(trial) = trial else { return };
    let run = trial.traced_with(&[]);
    run.done.check(0, &[]);
    let said = "what 2 ranks exchange with processes of another MPI_COMM_WORLD (MPI_Comm_spawn, \
                MPI_Comm_connect) is not recorded";
    assert!(run.done.errors.contains(said), "{:#?}", run.done);
    assert!(run.mpiscope("info").out.contains(said));
    assert_eq!(run.facts().0["beyond"], serde_json::json!([0, 1]));
    let races = run.mpiscope("races");
    let cannot = "with processes of another MPI_COMM_WORLD";
    assert!(races.out.contains(cannot), "{races:#?}");
    let claim = "no receive or probe could have got another message";
    assert!(!races.out.contains(claim), "{races:#?}");
    let analyzed = run.mpiscope("analyze");
    assert!(analyzed.out.contains(cannot), "{analyzed:#?}");
    // The two processes that were spawned are a run of their own, of which the other knows.
    let told = "processes that the program spawned are a run of their own";
    assert!(run.done.errors.contains(told), "{:#?}", run.done);
    assert!(run.mpiscope("info").out.contains("run-spawned.mpiscope"));
    let path = run.trial.path("run-spawned.mpiscope");
    let spawned = Run { path, ..run };
    spawned.check_archives();
    let facts = spawned.facts();
    assert_eq!(facts.0["state"], "finished");
    assert_eq!(facts.figure("world_size"), 2);
    spawned.mpiscope("info").check(0, &[]);
}

/// What is counted from some moment on, as a call was rejected or recording was off, is matched no worse.
#[test]
fn what_ends_in_another_order_than_it_began_is_matched_as_it_began() {
    for &mpi in found() {
        for before in ["plain", "rejected", "paused"] {
            let trial = Trial::new(Case { mpi, ranks: 2 }, "tests/mpi/filter/turned.c");
            let Some(trial) = trial else { continue };
            let run = trial.arguments(&[before]).traced_with(&[]);
            run.done.check(0, &[]);
            assert!(run.done.out.contains("turned: right"), "{:#?}", run.done);
            run.check_archives();
            assert_eq!(messages::matched(&run).len(), 16, "{before}");
            let facts = run.mpiscope("info --json");
            let facts: serde_json::Value = serde_json::from_str(&facts.out).unwrap();
            let lacking = "collective operations that lack a member";
            assert!(
                !run.mpiscope("info").out.contains(lacking),
                "{before}: {facts:#}"
            );
            // Two sends lie 5 ms apart: a probe that is led to the other one turns time around.
            let reversed = &facts["violations"]["measured"]["reversed"];
            assert_eq!(reversed, 0, "{before}: {facts:#}");
        }
    }
}

#[test]
fn groups_of_functions_are_traced_alone() {
    for &mpi in found() {
        let Some(trial) = mixed(Case { mpi, ranks: 2 }) else {
            continue;
        };
        let rules = regions("INCLUDE MPI_Send\nEXCLUDE MPI_Barrier");
        let run = filtered(trial, &rules, &["--only-mpi", "coll,cg"]);
        check_matched(&run);
        let Some(facts) = run.check_archives() else {
            continue;
        };
        let entered: BTreeSet<&str> = facts.entered[&0].keys().map(String::as_str).collect();
        let expected = [
            "MPI_Bcast",
            "MPI_Comm_rank",
            "MPI_Finalize",
            "MPI_Init",
            "MPI_Reduce",
            "MPI_Send",
        ];
        let of_mpi = entered.into_iter().filter(|name| name.starts_with("MPI_"));
        assert_eq!(of_mpi.collect::<Vec<_>>(), expected);
    }
}

/// Of the others what they sent is counted, so that all is where it belongs.
#[test]
fn ranks_that_were_not_chosen_write_nothing() {
    for &mpi in found() {
        let Some(trial) = mixed(Case { mpi, ranks: 2 }) else {
            continue;
        };
        let run = trial.traced_with(&["--ranks", "1,5-6"]);
        run.done.check(0, &["--ranks 5-6: there are 2 ranks"]);
        let ranks: BTreeSet<u64> = messages::of(&run).values().map(|it| it.0).collect();
        assert_eq!(ranks, BTreeSet::from([1]));
        let said = "recording was off on 1 rank from 0.0 s after MPI_Init to the end (--ranks)";
        assert!(run.mpiscope("info").out.contains(said));
    }
}

/// The regions and functions that the first thread of rank 0 entered.
fn entered(run: &Run) -> Option<BTreeMap<String, u64>> {
    let facts = run.check_archives()?;
    let own = facts.entered[&0].iter();
    let own = own.filter(|(name, _)| is_own(name));
    Some(own.map(|(name, times)| (name.clone(), *times)).collect())
}

const PROGRAMS: [&str; 3] = ["functions.c", "named.c", "templates.cpp"];

#[track_caller]
fn with_rules(source: &str, options: &[&str], rules: &str, check: impl Fn(&Run)) {
    for case in matrix::cases(&PROGRAMS, source, &[1, 2]) {
        let Some((trial, _folder)) = compiled(case, source, options) else {
            continue;
        };
        let run = filtered(trial, rules, &[]);
        check(&run);
        run.mpiscope("check").check(0, &[]);
    }
}

#[test]
fn functions_are_left_out_by_their_names() {
    let rules = regions("EXCLUDE * \n INCLUDE exchange lea? \n EXCLUDE leap");
    with_rules("functions.c", &["-finstrument-functions"], &rules, |run| {
        let Some(entered) = entered(run) else { return };
        assert_eq!(entered, BTreeMap::from([("exchange".to_owned(), 3)]));
        let ranks = u64::from(run.trial.ranks);
        assert_eq!(left_out(run, "down"), Some(5 * ranks));
        assert!(run
            .done
            .errors
            .contains("entries of functions and regions: "));
    });
}

#[test]
fn names_of_templates_are_matched_as_people_write_them() {
    let rules = regions("EXCLUDE heat::twice<int>\nEXCLUDE MANGLED *helper*");
    let options = ["-finstrument-functions"];
    with_rules("templates.cpp", &options, &rules, |run| {
        let Some(entered) = entered(run) else { return };
        let names: Vec<&str> = entered.keys().map(String::as_str).collect();
        let expected = [
            "double heat::twice<double>(double)",
            "heat::Grid::step(int) const",
        ];
        assert_eq!(names, expected);
        let ranks = u64::from(run.trial.ranks);
        assert_eq!(left_out(run, "int heat::twice<int>(int)"), Some(20 * ranks));
        assert_eq!(left_out(run, "helper(int)"), Some(10 * ranks));
    });
}

#[test]
fn regions_are_left_out_by_their_names() {
    let rules = regions("EXCLUDE step forgotten across a*mark");
    with_rules("named.c", &[], &rules, |run| {
        let Some(entered) = entered(run) else { return };
        let names: Vec<&str> = entered.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            ["outer", "phase 0", "phase 1", "user: MPI_Looks_like_one"]
        );
        let ranks = u64::from(run.trial.ranks);
        assert_eq!(left_out(run, "step"), Some(4 * ranks));
        assert_eq!(left_out(run, "a mark"), Some(4 * ranks));
    });
}

#[test]
fn procedures_are_left_out_by_their_files_too() {
    let files = "SCOREP_FILE_NAMES_BEGIN EXCLUDE */regions/*.c SCOREP_FILE_NAMES_END\n";
    for (rules, expected) in [
        (files, 0),
        (
            "SCOREP_FILE_NAMES_BEGIN EXCLUDE */x.c SCOREP_FILE_NAMES_END",
            3,
        ),
    ] {
        with_rules("functions.c", &["cc"], rules, |run| {
            assert!(run
                .done
                .errors
                .contains("note: source files are known of procedures"));
            let Some(entered) = entered(run) else { return };
            assert_eq!(entered.get("exchange").copied().unwrap_or(0), expected);
        });
    }
}

/// First statistics, then a trace of what they found worth it.
#[test]
fn what_statistics_propose_is_left_out() {
    for case in matrix::cases(&PROGRAMS, "functions.c", &[1, 2]) {
        let options = ["-finstrument-functions"];
        let Some((trial, _folder)) = compiled(case, "frequent.c", &options) else {
            continue;
        };
        let mut monitor = trial.command(mpiscope());
        monitor
            .args(["monitor", "-o", "counted", "--"])
            .args(trial.line(&[]));
        process::run(&mut monitor).check(0, &[]);
        let mut stats = trial.command(mpiscope());
        let proposed = process::run(stats.args(["stats", "--propose-filter", "counted"]));
        proposed.check(0, &[]);
        assert!(
            proposed.out.contains("  EXCLUDE tiny # "),
            "{}",
            proposed.out
        );
        assert!(!proposed.out.contains("long_enough"), "{}", proposed.out);
        let run = trial.traced_with(&["--from", "counted"]);
        run.done
            .check(0, &["1 procedure is left out, as counted proposes"]);
        let ranks = u64::from(run.trial.ranks);
        assert_eq!(left_out(&run, "tiny"), Some(50_000 * ranks));
        let Some(entered) = entered(&run) else {
            continue;
        };
        assert_eq!(entered, BTreeMap::from([("long_enough".to_owned(), 20)]));
    }
}

#[test]
fn what_is_wrong_in_a_filter_is_said_before_anything_starts() {
    let Some(trial) = mixed(Case {
        mpi: found()[0],
        ranks: 2,
    }) else {
        return;
    };
    let wrong = "SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE a\n  SCOREP_FILE_NAMES_END\n";
    fs::write(trial.path("wrong.filter"), wrong).unwrap();
    let says = |options: &[&str], words: &[&str]| {
        let done = trial.run_trace(options);
        done.check(2, words);
        assert!(!trial.path("run").exists());
    };
    let line = "wrong.filter, line 3: `SCOREP_FILE_NAMES_END`, where a name, EXCLUDE, INCLUDE or the block's END is expected";
    says(&["--filter", "wrong.filter"], &[line]);
    says(&["--filter", "absent"], &["cannot read absent"]);
    says(&["--from", "absent"], &["--from absent"]);
    says(&["--only-mpi", "p2p,all"], &["the groups are cg, coll,"]);
    says(&["--ranks", "3-1"], &["ranks such as 0-3,7 are expected"]);
}
