//! Messages of one communicator were taken for those of another.

use crate::common::{found, oracle, Case, Trial};

/// Communicators of one parent and the same members, made in another order by each rank.
fn traced(check: impl Fn(crate::common::trial::Run)) {
    for mpi in found() {
        let case = Case { mpi, ranks: 4 };
        if let Some(trial) = Trial::new(case, "tests/mpi/same_members.c") {
            check(trial.traced());
        }
    }
}

#[test]
fn communicators_that_differ_in_nothing_but_the_call_keep_their_messages_apart() {
    traced(|run| {
        run.done.check(0, &["none of"]);
        let last = run.done.out.trim().rsplit_once(": ");
        let received = last.and_then(|(_, count)| count.parse().ok());
        let info = run.check_info();
        assert_eq!(Some(info.figure("messages.point_to_point")), received);
        assert_eq!(info.figure("messages.unmatched_sends"), 0);
        assert_eq!(info.figure("messages.unmatched_receives"), 0);
        let races = run.json("races --json");
        assert_eq!(races.get("errors").as_array().map(Vec::len), Some(0));
        // Of three messages from anybody to one rank, at least the first two receives could have
        // got another; there are 18 communicators where threads are allowed, and 2 elsewhere.
        let communicators = if received == Some(9) { 2 } else { 18 };
        assert!(races.figure("racing") >= 2 * communicators, "{:#}", races.0);
        // PyPI's `otf2` reads no archive with intercommunicators.
        let unknown = oracle::print(&run.measured());
        assert!(unknown.is_none_or(|unknown| unknown == 0));
    });
}
