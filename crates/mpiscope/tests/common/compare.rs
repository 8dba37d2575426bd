//! A trace against the program itself: the same output, the same figures.

use std::collections::BTreeSet;

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
    assert_eq!(info.figure("messages.point_to_point"), counted["messages"]);
    (run, info)
}

#[track_caller]
fn holds_what_was_counted(run: &Run, facts: &Facts) {
    for (name, count) in counted(&run.done.out) {
        assert_eq!(facts.figure(&name), count, "{name}");
    }
    let [sent, received] = [
        (facts.messages, facts.bytes),
        (facts.received, facts.received_bytes),
    ];
    assert_eq!(sent, received);
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
