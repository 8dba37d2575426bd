//! A trace against the program itself: the same output, the same figures.

use std::collections::{BTreeMap, BTreeSet};

use super::oracle::Facts;
use super::trial::{counted, Json, Run, Trial};

/// Runs a program untraced and traced and compares; returns the run and what
/// the Python reader found in it, if there is one.
#[track_caller]
pub fn compare(trial: Trial) -> (Run, Option<Facts>) {
    let (run, info) = behaves_the_same(trial);
    let facts = run.check_archives();
    if let Some(facts) = &facts {
        holds_what_was_counted(&run, facts);
        assert_eq!(
            (facts.messages, facts.bytes),
            (facts.received, facts.received_bytes)
        );
        describes_the_ranks(&run, facts);
        assert_eq!(info.figure("events"), facts.events);
        assert_eq!(info.figure("locations"), facts.locations.len() as u64);
    }
    (run, facts)
}

/// The same without the Python reader.
#[track_caller]
pub fn behaves_the_same(trial: Trial) -> (Run, Json) {
    let untraced = trial.untraced();
    let run = trial.traced();
    run.done.check(untraced.code, &[]);
    assert_eq!(run.done.out, untraced.out);
    run.check_shared_memory();
    let info = run.check_info();
    let counted = counted(&run.done.out);
    let sent = counted["messages"];
    // The examples count what they send; all of it is received.
    let received = counted.get("received").copied().unwrap_or(sent);
    assert_eq!(info.figure("messages.point_to_point"), received);
    assert_eq!(info.figure("messages.unmatched_sends"), sent - received);
    assert_eq!(info.figure("messages.unmatched_receives"), 0);
    (run, info)
}

/// Expects in an archive every figure that the program has printed.
#[track_caller]
pub fn holds_what_was_counted(run: &Run, facts: &Facts) {
    let counted = counted(&run.done.out);
    let found: BTreeMap<String, u64> = counted
        .keys()
        .map(|name| (name.clone(), facts.figure(name)))
        .collect();
    assert_eq!(found, counted);
}

/// A group per rank; its first thread has the rank's number.
#[track_caller]
fn describes_the_ranks(run: &Run, facts: &Facts) {
    let ranks: BTreeSet<u64> = (0..run.trial.ranks.into()).collect();
    let groups: BTreeSet<u64> = facts.locations.iter().map(|(_, group)| *group).collect();
    assert_eq!(groups, ranks);
    for rank in &ranks {
        let entered = &facts.entered[rank];
        let times = |name: &str| entered.get(name).copied().unwrap_or(0);
        assert_eq!(
            times("MPI_Init") + times("MPI_Init_thread"),
            1,
            "rank {rank}"
        );
        assert_eq!(times("MPI_Finalize"), 1, "rank {rank}");
    }
}
