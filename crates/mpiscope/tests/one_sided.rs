//! The programs of `tests/mpi/one_sided`: what they do to windows is in the archive, as two
//! readers see it that are not ours, waiting at windows is told, and clocks are corrected by it.
#![forbid(unsafe_code)]

mod common;

use common::oracle::Facts;
use common::trial::{Json, Run};
use common::{found, workspace, Case, Trial};
use serde_json::Value;

/// Runs a program of the folder under each MPI, bare and traced, and looks at all of it.
#[track_caller]
fn each(program: &str, look: impl Fn(&Run, Option<&Facts>)) {
    for &mpi in found() {
        let source = format!("tests/mpi/one_sided/{program}");
        let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, &source) else {
            continue;
        };
        let bare = trial.untraced();
        bare.check(0, &[]);
        assert_eq!(bare.out, "right\n", "{}", mpi.name);
        let run = trial.traced();
        run.done.check(0, &[]);
        assert_eq!(run.done.out, bare.out, "{}", mpi.name);
        run.check_shared_memory();
        let checked = run.mpiscope("check");
        checked.check(0, &[]);
        assert_eq!(checked.out.matches("nothing is against").count(), 2);
        let facts = run.check_archives();
        look(&run, facts.as_ref());
    }
}

/// Expects so many events of these kinds, and of no other on windows but tests of requests.
#[track_caller]
fn holds(facts: Option<&Facts>, expected: &[(&str, u64)]) {
    let Some(facts) = facts else { return };
    let kinds = facts.kinds.iter();
    let of_windows = kinds.filter(|(kind, _)| kind.starts_with("Rma") && *kind != "RmaOpTest");
    let found: Vec<(&str, u64)> = of_windows
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    assert_eq!(found, expected);
}

/// Returns the line that a comment in a program marks.
fn marked(program: &str, mark: &str) -> u64 {
    let path = workspace().join("tests/mpi/one_sided").join(program);
    let text = std::fs::read_to_string(path).unwrap();
    let at = text.lines().position(|line| line.contains(mark)).unwrap();
    at as u64 + 1
}

/// Expects about 200 ms of waiting in a line, of one rank for the other.
#[track_caller]
fn waits(json: &Json, lines: &[u64], kind: &str, rank: u64) {
    let statements = json.get("statements").as_array().unwrap().iter();
    let here = |it: &&Value| {
        it["line"]
            .as_u64()
            .is_some_and(|line| lines.contains(&line))
    };
    let waits = statements.filter(here).map(|it| &it["waits"][0]);
    let longest = waits.max_by_key(|wait| wait["waiting_ns"].as_u64());
    let wait = longest.unwrap_or_else(|| panic!("no line {lines:?} in {:#}", json.0));
    assert_eq!(wait["kind"], kind, "{lines:?} {:#}", json.0);
    assert_eq!(wait["ranks"][0]["rank"], rank, "{wait:#}");
    assert_eq!(wait["waited_for"][0]["rank"], 1 - rank, "{wait:#}");
    // A busy machine makes it longer, never much shorter.
    let time = wait["waiting_ns"].as_u64().unwrap();
    assert!((150_000_000..2_000_000_000).contains(&time), "{wait:#}");
}

#[test]
fn fences_are_collective_operations_that_ranks_wait_at() {
    each("fence.c", |run, facts| {
        holds(
            facts,
            &[
                ("RmaCollectiveBegin", 16),
                ("RmaCollectiveEnd", 16),
                ("RmaGet", 2),
                ("RmaOpCompleteBlocking", 6),
                ("RmaOpCompleteRemote", 6),
                ("RmaPut", 4),
                ("RmaWinCreate", 4),
                ("RmaWinDestroy", 4),
            ],
        );
        let json = run.json("analyze --json");
        waits(&json, &[marked("fence.c", "LATE")], "wait at fence", 0);
        let unknown = json.get("unknown").as_array().unwrap();
        let of_windows = |it: &&Value| it["what"] == "one-sided communication";
        assert_eq!(unknown.iter().find(of_windows), None);
    });
}

#[test]
fn epochs_of_groups_wait_for_the_other_side() {
    each("pscw.c", |run, facts| {
        holds(
            facts,
            &[
                ("RmaCollectiveBegin", 4),
                ("RmaCollectiveEnd", 4),
                ("RmaGroupSync", 12),
                ("RmaOpCompleteBlocking", 3),
                ("RmaOpCompleteRemote", 3),
                ("RmaPut", 3),
                ("RmaWinCreate", 2),
                ("RmaWinDestroy", 2),
            ],
        );
        let json = run.json("analyze --json");
        let post = ["START", "LATE POST"].map(|mark| marked("pscw.c", mark));
        waits(&json, &post, "late post", 0);
        waits(&json, &[marked("pscw.c", "LATE COMPLETE")], "early wait", 1);
        let late = &json.get("patterns")["late_complete"];
        assert!(late["time_ns"].as_i64().unwrap() > 100_000_000, "{late}");
    });
}

#[test]
fn locks_are_asked_for_acquired_and_released() {
    each("locks.c", |run, facts| {
        holds(
            facts,
            &[
                ("RmaAcquireLock", 10),
                ("RmaCollectiveBegin", 4),
                ("RmaCollectiveEnd", 4),
                ("RmaGet", 1),
                ("RmaOpCompleteBlocking", 6),
                ("RmaOpCompleteRemote", 6),
                ("RmaPut", 5),
                ("RmaReleaseLock", 10),
                ("RmaRequestLock", 10),
                ("RmaSync", 2),
                ("RmaWinCreate", 2),
                ("RmaWinDestroy", 2),
            ],
        );
        let json = run.json("analyze --json");
        let lines = ["ASKED", "GOT"].map(|mark| marked("locks.c", mark));
        waits(&json, &lines, "wait for window lock", 1);
    });
}

#[test]
fn operations_with_requests_complete_where_they_are_waited_for() {
    each("requests.c", |_, facts| {
        holds(
            facts,
            &[
                ("RmaAcquireLock", 6),
                ("RmaAtomic", 4),
                ("RmaCollectiveBegin", 4),
                ("RmaCollectiveEnd", 4),
                ("RmaGet", 2),
                ("RmaOpCompleteNonBlocking", 10),
                ("RmaOpCompleteRemote", 10),
                ("RmaPut", 4),
                ("RmaReleaseLock", 6),
                ("RmaRequestLock", 6),
                ("RmaWinCreate", 2),
                ("RmaWinDestroy", 2),
            ],
        );
        if let Some(facts) = facts {
            assert_eq!(facts.kinds.get("MpiRequestTest"), None);
        }
    });
}

#[test]
fn atomic_operations_and_dynamic_windows_are_told() {
    each("atomics.c", |_, facts| {
        holds(
            facts,
            &[
                ("RmaAcquireLock", 3),
                ("RmaAtomic", 8),
                ("RmaCollectiveBegin", 16),
                ("RmaCollectiveEnd", 16),
                ("RmaOpCompleteBlocking", 9),
                ("RmaOpCompleteRemote", 9),
                ("RmaPut", 1),
                ("RmaReleaseLock", 3),
                ("RmaRequestLock", 3),
                ("RmaWinCreate", 4),
                ("RmaWinDestroy", 4),
            ],
        );
    });
}

#[test]
fn fences_belong_together_after_a_pause() {
    each("paused.c", |run, facts| {
        holds(
            facts,
            &[
                ("RmaCollectiveBegin", 21),
                ("RmaCollectiveEnd", 21),
                ("RmaOpCompleteBlocking", 2),
                ("RmaOpCompleteRemote", 2),
                ("RmaPut", 2),
                ("RmaWinCreate", 4),
                ("RmaWinDestroy", 5),
            ],
        );
        let json = run.json("analyze --json");
        waits(&json, &[marked("paused.c", "LATE */")], "wait at fence", 0);
        waits(&json, &[marked("paused.c", "LATER")], "wait at fence", 1);
    });
}

#[test]
fn fortran_does_the_same() {
    each("windows.f90", |run, facts| {
        holds(
            facts,
            &[
                ("RmaAcquireLock", 2),
                ("RmaCollectiveBegin", 8),
                ("RmaCollectiveEnd", 8),
                ("RmaGroupSync", 4),
                ("RmaOpCompleteBlocking", 5),
                ("RmaOpCompleteRemote", 5),
                ("RmaPut", 5),
                ("RmaReleaseLock", 2),
                ("RmaRequestLock", 2),
                ("RmaWinCreate", 2),
                ("RmaWinDestroy", 2),
            ],
        );
        if let Some(windows) = common::oracle::printed(&run.measured(), "RMA_WIN ") {
            assert_eq!(windows.len(), 1);
            assert!(windows[0].contains("\"from Fortran\""), "{windows:?}");
        }
    });
}

/// Bytes and ranks, as `otf2-print` shows them.
#[test]
fn operations_tell_their_bytes_and_targets() {
    each("atomics.c", |run, _| {
        let Some(printed) = common::oracle::printed(&run.measured(), "RMA_ATOMIC") else {
            return;
        };
        let of = |kind: &str, sent: u64, received: u64| {
            let bytes = format!("Sent: {sent}, Received: {received},");
            let lines = printed.iter();
            let found = lines.filter(|line| line.contains(kind) && line.contains(&bytes));
            found.count()
        };
        assert_eq!(of("Type: ACCUMULATE", 8, 0), 2, "{printed:#?}");
        assert_eq!(of("FETCH_AND_ACCUMULATE", 4, 4), 2, "{printed:#?}");
        assert_eq!(of("FETCH_AND_ACCUMULATE", 0, 8), 2, "{printed:#?}");
        assert_eq!(of("COMPARE_AND_SWAP", 8, 4), 2, "{printed:#?}");
    });
}

/// A collective operation on a window at one rank.
struct Operation {
    begin: u64,
    end: u64,
    synchronizes: bool,
}

/// Returns the operations of each of two ranks in their order, as `otf2-print` shows them.
#[track_caller]
fn operations(run: &Run) -> Option<[Vec<Operation>; 2]> {
    let lines = common::oracle::printed(&run.corrected(), "RMA_COLLECTIVE_")?;
    let mut operations = [Vec::new(), Vec::new()];
    for line in lines {
        let mut words = line.split_whitespace();
        let kind = words.next().unwrap();
        let [rank, time] = [(); 2].map(|()| words.next().unwrap().parse::<u64>().unwrap());
        let of_rank = &mut operations[rank as usize];
        if kind.ends_with("BEGIN") {
            of_rank.push(Operation {
                begin: time,
                end: u64::MAX,
                synchronizes: false,
            });
        } else {
            let last = of_rank.last_mut().unwrap();
            last.end = time;
            last.synchronizes = line.contains("PROCESS");
        }
    }
    Some(operations)
}

/// Nobody leaves a fence before the other has come, whatever the clocks say.
#[test]
fn windows_correct_clocks() {
    for fault in ["1:offset=300ms", "1:offset=-300ms"] {
        for &mpi in found() {
            let source = "tests/mpi/one_sided/fence.c";
            let Some(trial) = Trial::new(Case { mpi, ranks: 2 }, source) else {
                continue;
            };
            let run = trial.with("MPISCOPE_CLOCK_FAULT", fault).traced();
            run.done.check(0, &[]);
            // As if nobody had measured the offset.
            let sync = run.mpiscope("sync --presync none --force");
            sync.check(0, &[]);
            let info = run.json("info --json");
            let violations = |of: &str| info.figure(&format!("violations.{of}"));
            assert!(violations("measured.reversed") > 4, "{:#}", info.0);
            assert_eq!(violations("corrected.reversed"), 0);
            assert_eq!(violations("corrected.clock_condition"), 0);
            let Some([first, second]) = operations(&run) else {
                continue;
            };
            assert_eq!((first.len(), second.len()), (8, 8));
            for (a, b) in first.iter().zip(&second) {
                assert_eq!(a.synchronizes, b.synchronizes);
                let together = a.begin.max(b.begin) < a.end.min(b.end);
                assert!(together || !a.synchronizes, "{fault}");
            }
            let waiting = first.iter().filter(|it| it.synchronizes).count();
            assert_eq!(waiting, 7);
        }
    }
}
