//! Programs that die: what they had committed becomes an archive all the same.
#![forbid(unsafe_code)]

mod common;

use std::time::Duration;

use common::matrix::{seed, Random};
use common::process::{self, kill};
use common::ranks::{gone, start};
use common::trial::{check_archive, Run};
use common::{matrix, say, Case, Trial};
use rustix::process::Signal;

/// Waits a random while; returns it in milliseconds.
fn dawdle(random: &mut Random) -> u64 {
    let milliseconds = 20 + random.below(400) as u64;
    std::thread::sleep(Duration::from_millis(milliseconds));
    milliseconds
}

/// Looks at what was recovered of ranks that had exchanged a message a
/// millisecond. A send is committed before its message leaves: so every
/// receive has its send, however the ranks died, or something was lost.
#[track_caller]
fn check_recovered(run: &Run, milliseconds: u64) {
    let ranks = u64::from(run.trial.ranks);
    let info = run.json("info --json");
    assert_eq!(info.figure("locations"), ranks);
    assert_eq!(info.figure("events_lost"), 0);
    assert_eq!(info.figure("messages.unmatched_receives"), 0);
    assert_eq!(info.figure("violations.corrected.reversed"), 0);
    for anchor in [run.measured(), run.corrected()] {
        let Some(facts) = check_archive(&anchor) else {
            continue;
        };
        assert_eq!(facts.events, info.figure("events"));
        assert!((facts.messages - facts.received) <= 2 * ranks, "{facts:#?}");
        // Far fewer than were sent even on a busy machine; far more than none.
        assert!(
            facts.messages > milliseconds / 20,
            "{} in {milliseconds} ms",
            facts.messages
        );
    }
    run.check_shared_memory();
}

/// Kills one rank, or all, at a random moment.
#[track_caller]
fn check_kill(case: Case, round: u64) {
    let mut random = Random::new(seed().wrapping_mul(1000).wrapping_add(round));
    let Some(trial) = Trial::new(case, "tests/mpi/die.c") else {
        return;
    };
    let (running, ids) = start(&trial);
    let milliseconds = dawdle(&mut random);
    let victims = match random.below(2) {
        0 => ids.clone(),
        _ => vec![ids[random.below(ids.len())]],
    };
    victims.iter().copied().for_each(kill);
    let (name, all) = (case.mpi.name, ids.len());
    say(&format!(
        "{name}: killed {} of {all} ranks after {milliseconds} ms",
        victims.len()
    ));
    let done = running.wait();
    done.check_calm();
    assert_ne!(done.code, 0, "{done:#?}");
    check_recovered(&trial.ended(done), milliseconds);
}

#[test]
fn ranks_killed_at_a_random_moment_leave_an_archive() {
    let mpis = common::found();
    for round in 0..5 {
        let Some(mpi) = mpis.get(round % mpis.len().max(1)) else {
            return;
        };
        let ranks = if mpi.patience < 100 { 2 } else { 3 };
        check_kill(Case { mpi, ranks }, round as u64);
    }
}

#[test]
fn a_run_whose_trace_was_killed_too_is_recovered_later() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/die.c") else {
            continue;
        };
        let (running, ids) = start(&trial);
        let milliseconds = dawdle(&mut Random::new(seed()));
        running.signal(Signal::KILL);
        let run = trial.ended(running.wait());
        run.mpiscope("recover").check(2, &["still runs"]);
        ids.into_iter().for_each(|id| {
            kill(id);
            gone(id);
        });
        run.mpiscope("recover").check(0, &[]);
        check_recovered(&run, milliseconds);
        run.mpiscope("recover").check(0, &["nothing to recover"]);
    }
}

/// What was counted while recording was off is in the buffers: the messages
/// of killed ranks are paired as those of others (`read_archive.py` looks). But
/// nobody knows what a receive had taken that was active at the end, so here
/// none is that others overtake.
#[test]
fn numbers_of_messages_survive_a_kill() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/pcontrol.c") else {
            continue;
        };
        let salt = seed() as u32 % 1000;
        let trial = trial.arguments(&[1_000_000, salt, 1]);
        let (running, ids) = start(&trial);
        std::thread::sleep(Duration::from_secs(1));
        dawdle(&mut Random::new(seed()));
        ids.into_iter().for_each(kill);
        let done = running.wait();
        assert_ne!(done.check_calm().code, 0, "{done:#?}");
        let run = trial.ended(done);
        let info = run.json("info --json");
        assert_eq!(info.figure("events_lost"), 0);
        assert_eq!(info.figure("violations.corrected.reversed"), 0);
        if let Some(facts) = check_archive(&run.measured()) {
            assert!(facts.messages > 0, "salt {salt}: {facts:#?}");
            let found = info.figure("messages.point_to_point");
            assert_eq!(found, facts.pairs, "salt {salt}");
        }
        run.check_shared_memory();
    }
}

/// Both threads had exchanged a message each before the process ids were told.
#[test]
fn both_threads_of_killed_processes_are_recovered() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/killed_threads.c") else {
            continue;
        };
        let (running, ids) = start(&trial);
        dawdle(&mut Random::new(seed()));
        ids.into_iter().for_each(kill);
        let done = running.wait();
        done.check_calm();
        assert_ne!(done.code, 0, "{done:#?}");
        let run = trial.ended(done);
        let info = run.json("info --json");
        assert_eq!(info.figure("events_lost"), 0);
        assert_eq!(info.figure("messages.unmatched_receives"), 0);
        for anchor in [run.measured(), run.corrected()] {
            let Some(facts) = check_archive(&anchor) else {
                continue;
            };
            let of = |rank| {
                facts
                    .locations
                    .iter()
                    .filter(move |(_, group)| *group == rank)
            };
            for rank in 0..u64::from(case.ranks) {
                assert_eq!(of(rank).count(), 2, "{:?}", facts.locations);
                let called = |location| facts.entered[location].get("MPI_Sendrecv");
                assert!(of(rank).all(|(location, _)| called(location) > Some(&0)));
            }
        }
        run.check_shared_memory();
    }
}

#[test]
fn an_abort_keeps_its_code_and_its_trace() {
    for case in matrix::all(&[2, 3]) {
        let Some(trial) = Trial::new(case, "tests/mpi/abort.c") else {
            continue;
        };
        let untraced = trial.untraced();
        assert_eq!(untraced.code, 3, "{untraced:#?}");
        let run = trial.traced();
        run.done.check(3, &["without MPI_Finalize"]);
        let info = run.json("info --json");
        assert_eq!(info.figure("messages.unmatched_receives"), 0);
        let facts = check_archive(&run.corrected());
        // The rank that aborts has exchanged ten; the others ten at most.
        let most = 10 * u64::from(case.ranks);
        assert!(facts.is_none_or(|facts| (10..=most).contains(&facts.messages)));
        run.check_shared_memory();
    }
}

/// The archive appears while we wait for the rank: nothing is left to recover then.
#[test]
fn a_rank_that_outlives_its_launcher_may_finish_its_trace() {
    for case in matrix::all(&[1]) {
        let Some(trial) = Trial::new(case, "tests/mpi/die.c") else {
            continue;
        };
        let launcher = r#""$0" 1000 >out & until grep -q pid out; do sleep 0.05; done"#;
        let mut command = trial.command(common::mpiscope());
        command.args(["trace", "-o", "run", "--", "sh", "-c", launcher]);
        let done = process::run(command.arg(&trial.program));
        let run = trial.ended(done);
        run.done.check(0, &[]);
        assert_eq!(run.json("info --json").text("state"), "finished");
        run.check_archives();
        run.check_shared_memory();
    }
}

#[test]
fn the_applications_exit_code_is_returned() {
    for case in matrix::all(&[2]) {
        let Some(trial) = Trial::new(case, "tests/mpi/exits.c") else {
            continue;
        };
        assert_eq!(trial.untraced().code, 7);
        let run = trial.traced();
        run.done.check(7, &[]);
        run.check_archives();
        run.check_shared_memory();
    }
}
