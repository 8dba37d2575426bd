//! Programs whose results hang on the order of messages: recorded once,
//! replayed often, they see the same.
#![forbid(unsafe_code)]

mod common;

use std::process::Command;

use common::mpi::OPEN_MPI;
use common::process::{self, Done};
use common::view::View;
use common::{matrix, mpiscope, Case, Trial};
use mpiscope_run::{directory, order};
use serde_json::Value;

/// What each rank saw is printed; see `tests/mpi/order/saw.h`.
const PROGRAMS: [&str; 14] = [
    "receives.c",
    "combined.c",
    "persistent.c",
    "probes.c",
    "waits.c",
    "cancel.c",
    "intercomm.c",
    "threads.c",
    "diverges.c",
    "order.f90",
    "replace_threads.c",
    "partitioned.c",
    "get_status.c",
    "isendrecv.c",
];

/// Replays of each record.
fn replays() -> usize {
    let all = std::env::var("MPISCOPE_TEST_ALL").is_ok_and(|all| all == "1");
    if all {
        50
    } else {
        3
    }
}

/// Returns `mpiscope WORDS -- mpirun … program`.
fn command(trial: &Trial, words: &[&str]) -> Command {
    let mut command = trial.command(mpiscope());
    command.args(words).arg("--").args(trial.line(&[]));
    command
}

/// Runs that.
#[track_caller]
fn run(trial: &Trial, words: &[&str]) -> Done {
    process::run(&mut command(trial, words))
}

#[track_caller]
fn trials(program: &str) -> Vec<(Case, Trial)> {
    let cases = matrix::cases(&PROGRAMS, program, &[2, 3, 4]);
    let trial = |case| {
        Some((
            case,
            Trial::new(case, &format!("tests/mpi/order/{program}"))?,
        ))
    };
    cases.into_iter().filter_map(trial).collect()
}

/// Records by `record` or `trace`, and replays.
#[track_caller]
fn check(program: &str) {
    for (case, trial) in trials(program) {
        let way = if case.ranks % 2 == 0 {
            "record"
        } else {
            "trace"
        };
        let recorded = run(&trial, &[way, "-o", "run"]);
        recorded.check(0, &[]);
        assert!(recorded.out.contains("rank 0 saw"), "{recorded:#?}");
        for _ in 0..replays() {
            let replayed = process::run_surely(&mut command(&trial, &["replay", "run"]));
            replayed.check(0, &["replayed as recorded"]);
            assert_eq!(replayed.out, recorded.out);
        }
        nothing_left(&trial);
    }
}

/// Nothing of a run is in shared memory, nor a replay's directory in the run.
#[track_caller]
fn nothing_left(trial: &Trial) {
    let names = |path: &std::path::Path| -> Vec<String> {
        let entries = std::fs::read_dir(path).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    let left = names(&trial.path("run"));
    assert!(
        !left.iter().any(|name| name.starts_with("replay-")),
        "{left:?}"
    );
    let info = std::fs::read_to_string(trial.path("run/run.json")).unwrap();
    let info: Value = serde_json::from_str(&info).unwrap();
    let id = info["run_id"].as_str().unwrap();
    let shared = names("/dev/shm".as_ref());
    assert!(!shared.iter().any(|name| name.ends_with(id)), "{shared:?}");
}

#[test]
fn receives_from_anybody_take_what_they_took() {
    check("receives.c");
}

#[test]
fn receives_combined_with_sends_take_what_they_took() {
    check("combined.c");
}

#[test]
fn persistent_receives_take_what_they_took() {
    check("persistent.c");
}

#[test]
fn probes_find_what_they_found_when_they_found_it() {
    check("probes.c");
}

#[test]
fn waits_and_tests_complete_what_they_completed() {
    check("waits.c");
}

#[test]
fn receives_are_cancelled_if_they_were() {
    check("cancel.c");
}

#[test]
fn receives_across_an_intercommunicator_take_what_they_took() {
    check("intercomm.c");
}

#[test]
fn threads_post_in_the_order_in_which_they_did() {
    check("threads.c");
}

#[test]
fn threads_exchange_in_place_with_whom_they_did() {
    check("replace_threads.c");
}

/// Nothing before MPI 4.0.
#[test]
fn partitioned_messages_complete_among_others_as_they_did() {
    check("partitioned.c");
}

/// Nothing before MPI 4.1.
#[test]
fn requests_are_found_done_without_being_completed_as_they_were() {
    check("get_status.c");
}

/// MPICH 4.0 does not tell what it received: that is said with the place, and a replay goes on.
#[test]
fn a_receive_that_mpi_does_not_tell_of_is_named() {
    for (case, trial) in trials("isendrecv.c") {
        let recorded = run(&trial, &["record", "-o", "run"]);
        recorded.check(0, &[]);
        let replayed = run(&trial, &["replay", "run"]);
        if case.mpi.suffix == "mpich" {
            let place = "MPI_Isendrecv at isendrecv.c:";
            recorded.check(0, &[place]);
            replayed.check_calm();
        } else {
            replayed.check(0, &["replayed as recorded"]);
            assert_eq!(replayed.out, recorded.out);
        }
    }
}

#[test]
fn fortran_is_replayed_as_c_is() {
    check("order.f90");
}

/// The trace is a second witness of what was taken.
#[test]
fn the_record_holds_what_the_trace_tells() {
    for program in [
        "receives.c",
        "combined.c",
        "persistent.c",
        "probes.c",
        "waits.c",
        "order.f90",
    ] {
        for (_, trial) in trials(program) {
            run(&trial, &["trace", "--no-sync", "-o", "run"]).check(0, &[]);
            let path = trial.path("run");
            let record = order::read(&path).unwrap();
            let trace = mpiscope_archive::trace::read_trace(&directory::anchor(&path)).unwrap();
            let derived = mpiscope_archive::choices::from_trace(&trace);
            assert_eq!(derived.ranks.len(), record.ranks.len());
            for (a, b) in record.ranks.iter().zip(&derived.ranks) {
                let [a, b] = [a, b].map(|rank| known(&rank.threads[0].receives));
                assert_eq!(a, b, "{program}");
            }
        }
    }
}

/// Without those at the end that never came.
fn known(receives: &[Option<order::Taken>]) -> &[Option<order::Taken>] {
    let end = receives.iter().rposition(Option::is_some);
    &receives[..end.map_or(0, |end| end + 1)]
}

/// The replay of a replay is the same again, and so is its trace.
#[test]
fn a_replayed_run_leaves_a_record_that_is_replayed() {
    for (_, trial) in trials("receives.c") {
        let recorded = run(&trial, &["record", "-o", "run"]);
        run(&trial, &["replay", "run", "--trace", "-o", "again"])
            .check(0, &["replayed as recorded"]);
        let third = run(&trial, &["replay", "again"]);
        third.check(0, &["replayed as recorded"]);
        assert_eq!(third.out, recorded.out);
    }
}

/// A replay that is recorded again makes every call the long way: what the shortest way
/// wrote, choices and hashes, must come out.
#[test]
fn both_ways_through_the_agent_write_the_same() {
    for program in [
        "receives.c",
        "combined.c",
        "probes.c",
        "waits.c",
        "cancel.c",
    ] {
        for (case, trial) in trials(program) {
            run(&trial, &["record", "-o", "run"]).check(0, &[]);
            run(&trial, &["replay", "run", "--trace", "-o", "again"])
                .check(0, &["replayed as recorded"]);
            let [first, again] =
                ["run", "again"].map(|name| order::read(&trial.path(name)).unwrap());
            for (a, b) in first.ranks.iter().zip(&again.ranks) {
                let [a, b] = [a, b].map(|rank| without_places(&rank.threads[0]));
                assert_eq!(a, b, "{program} {case:?}");
            }
        }
    }
}

/// In replay what a nonblocking receive takes is known, and written, when it is posted.
fn without_places(thread: &order::ThreadOrder) -> order::ThreadOrder {
    let mut thread = thread.clone();
    for checkpoint in &mut thread.checkpoints {
        checkpoint.receives = 0;
    }
    thread
}

fn cases(ranks: u32) -> Vec<Case> {
    matrix::all(&[ranks])
}

/// Returns the words of a replay that is to go on although the arguments are others.
fn although<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["replay", "run", "--other-program"];
    words.extend(options);
    words
}

/// Returns the trial of a program that does other things when told.
#[track_caller]
fn divergent(case: Case, way: &str) -> Option<Trial> {
    Some(Trial::new(case, "tests/mpi/order/diverges.c")?.arguments(&[way]))
}

fn outcome(trial: &Trial) -> Value {
    let text = std::fs::read_to_string(trial.path("run/replay.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Another call is found, told with both sides, and the run goes on or ends.
#[test]
fn a_program_that_does_otherwise_is_found_out() {
    for case in cases(2) {
        for (way, word) in [
            ("more", "MPI_Finalize"),
            ("tag", "a receive that took"),
            ("wait", "a test or probe"),
        ] {
            let Some(trial) = divergent(case, "same") else {
                return;
            };
            run(&trial, &["record", "-o", "run"]).check(0, &[]);
            let trial = trial.arguments(&[way]);
            let words = ["not as recorded", "came:", "recorded:", word];
            run(&trial, &although(&["--patience", "5"])).check(1, &words);
            let outcome = outcome(&trial);
            let diverged = &outcome["ranks"][0]["divergence"];
            assert!(
                diverged["site"].as_str().unwrap().contains("diverges"),
                "{outcome:#}"
            );
            nothing_left(&trial);
        }
    }
}

/// With a trace beside the record it is the first call that differs, with both lines.
/// Where the replay left the recorded order stands on the time line.
#[track_caller]
fn is_shown(trial: &Trial) {
    let view = View::start(&trial.path("."), "view run");
    let found = view.json("/api/run/0/findings?kind=replay_differs");
    let finding = &found["findings"][0];
    let text = finding["text"].as_str().unwrap_or_default();
    assert!(
        text.contains("made another call when the run was replayed"),
        "{found:#}"
    );
    assert!(
        text.contains("MPI_Recv(source=any, tag=1), 4 bytes was recorded"),
        "{text}"
    );
    let place = &finding["places"][0];
    assert_eq!(place["role"], "differs");
    assert!(place["text"]
        .as_str()
        .unwrap()
        .starts_with("MPI_Recv at diverges.c:"));
    view.end();
}

#[test]
fn beside_a_trace_the_first_call_that_differs_is_named_with_both_lines() {
    let ways = [
        ("same", 0, "replayed as recorded", "200 choices"),
        (
            "more",
            1,
            "came:     MPI_Barrier() at diverges.c:",
            "recorded: MPI_Gather at saw.h:",
        ),
        (
            "tag",
            1,
            "in its call 3\n",
            "recorded: MPI_Recv(source=any, tag=1), 4 bytes at diverges.c:",
        ),
        (
            "wait",
            1,
            "came:     MPI_Irecv(count=1, source=any, tag=3)",
            "recorded: MPI_Iprobe",
        ),
        (
            "fewer",
            1,
            "rank 1 is not as recorded in its call 83\n",
            "MPI_Send(dest=0, tag=1), 4 bytes at diverges.c:",
        ),
    ];
    for case in cases(2) {
        let Some(mut trial) = divergent(case, "same") else {
            return;
        };
        run(&trial, &["trace", "-o", "run"]).check(0, &[]);
        for (way, code, came, recorded) in ways {
            trial = trial.arguments(&[way]);
            let done = run(&trial, &although(&["--patience", "5"]));
            done.check(code, &[came, recorded]);
            nothing_left(&trial);
            if way == "tag" {
                is_shown(&trial);
            }
        }
        // Another program of the same name.
        let other = trial.mpi.compile("tests/mpi/order/probes.c").unwrap();
        trial.program = trial.path(trial.program.file_name().unwrap().to_str().unwrap());
        std::fs::copy(&other, &trial.program).unwrap();
        let done = run(&trial, &although(&["--patience", "1"]));
        assert_ne!(done.code, 0, "{done:#?}");
        let words = [
            "is not as recorded in its call 3\n",
            "at probes.c:",
            "at diverges.c:",
        ];
        for word in words {
            assert!(done.errors.contains(word), "no {word} in {done:#?}");
        }
    }
}

/// A receive that waits for a message that nobody will send is no endless wait.
#[test]
fn a_replay_in_which_nothing_happens_any_more_is_ended() {
    for case in cases(2) {
        let Some(trial) = divergent(case, "same") else {
            return;
        };
        run(&trial, &["record", "-o", "run"]).check(0, &[]);
        let trial = trial.arguments(&["silent"]);
        let done = run(&trial, &although(&["--patience", "1"]));
        assert_ne!(done.code, 0, "{done:#?}");
        for words in [
            "rank 0 waits in its call",
            "for rank 1",
            "nothing happened any more",
        ] {
            assert!(done.errors.contains(words), "{done:#?}");
        }
        nothing_left(&trial);
    }
}

/// Some launchers can be told to let the others live.
#[test]
fn a_replay_that_waits_for_a_rank_that_died_is_ended() {
    for case in cases(2) {
        if case.mpi != &OPEN_MPI {
            common::inapplicable("under MPICH the others do not outlive a rank that died");
            continue;
        }
        let Some(trial) = divergent(case, "same") else {
            return;
        };
        run(&trial, &["record", "-o", "run"]).check(0, &[]);
        let trial = trial.arguments(&["killed"]);
        let mut command = trial.command(mpiscope());
        command.args(although(&["--patience", "1"])).arg("--");
        command.args(trial.line(&["--enable-recovery"]));
        let done = process::run(&mut command);
        assert_ne!(done.code, 0, "{done:#?}");
        for words in [
            "rank 0 waits in its call",
            "for rank 1",
            "nothing happened any more",
            "rank 1 ended without MPI_Finalize",
        ] {
            assert!(done.errors.contains(words), "{done:#?}");
        }
        assert_eq!(outcome(&trial)["ranks"][1]["state"], "gone");
        nothing_left(&trial);
    }
}

#[test]
fn a_divergence_may_end_the_run() {
    for case in cases(2) {
        let Some(trial) = divergent(case, "same") else {
            return;
        };
        run(&trial, &["record", "-o", "run"]).check(0, &[]);
        let trial = trial.arguments(&["wait"]);
        let done = run(&trial, &although(&["--on-divergence", "stop"]));
        assert_ne!(done.code, 0, "{done:#?}");
        assert!(!done.out.contains("saw"), "{done:#?}");
        assert_eq!(outcome(&trial)["ranks"][0]["state"], "stopped");
    }
}

/// What was committed before a rank died is replayed; beyond it the run is free.
#[test]
fn the_record_of_a_program_that_died_leads_as_far_as_it_goes() {
    for case in cases(2) {
        for how in ["kill", "abort", "segv", "exit"] {
            let Some(trial) = divergent(case, how) else {
                return;
            };
            let died = run(&trial, &["record", "-o", "run", "--force"]);
            assert_ne!(died.code, 0, "{died:#?}");
            assert!(died.errors.contains("ends where the rank did"), "{died:#?}");
            let trial = trial.arguments(&["same"]);
            let done = run(&trial, &although(&[]));
            done.check(1, &["replayed as recorded as far as", "ran free"]);
        }
    }
}

#[test]
fn records_that_do_not_fit_are_refused() {
    for case in cases(2) {
        let Some(trial) = divergent(case, "same") else {
            return;
        };
        run(&trial, &["replay", "run"]).check(2, &["no such run"]);
        run(&trial, &["trace", "--no-order", "-o", "run"]).check(0, &[]);
        run(&trial, &["replay", "run"]).check(2, &["has no order record"]);
        run(&trial, &["record", "--force", "-o", "run"]).check(0, &[]);
        let three = Case { ranks: 3, ..case };
        let words = ["the record is of 2 ranks", "started with 3"];
        let path = trial.path("run").display().to_string();
        let other = Trial::new(three, "tests/mpi/order/diverges.c").unwrap();
        let done = run(&other.arguments(&["same"]), &["replay", &path]);
        done.check(2, &words);
        let other = Trial::new(case, "tests/mpi/order/probes.c").unwrap();
        run(&other, &["replay", &path]).check(2, &["not of"]);
        let file = trial.path("run/order/1.order");
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
        run(&trial, &["replay", "run"]).check(3, &["1.order"]);
    }
}
