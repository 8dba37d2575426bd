//! Which exits each collective operation moves, one test per row of the table.
//!
//! The pictures: rank 1 enters late, at 50; the others leave before that.

use expect_test::{expect, Expect};
use mpiscope_model::{Duration, Trace};
use mpiscope_sync::{check, correct, Config, LatencyOverride};

/// Corrects the picture with latencies of one tick, and writes the time of
/// every location's first exit. `OP` in the picture is each of `operations`.
fn check_exits(operations: &[&str], picture: &str, expected: Expect) {
    let config = Config {
        latency: LatencyOverride::by_clock(Duration(1), Duration(1)),
        ..Config::default()
    };
    for operation in operations {
        let trace = Trace::parse(&picture.replace("OP", operation)).unwrap();
        let correction = correct(&trace, &config).unwrap();
        let violations = check(&trace, &correction.corrected, &correction.latencies);
        assert_eq!(violations.clock_condition.count, 0, "{operation}");
        let exits = correction
            .corrected
            .iter()
            .map(|times| times[1].0.to_string());
        let exits = exits.collect::<Vec<_>>().join(" ");
        expected.assert_eq(&format!("{exits}, of {} messages", violations.logical));
    }
}

const ONE_TO_ALL: &[&str] = &["bcast", "scatter", "scatterv"];
const ALL_TO_ONE: &[&str] = &["reduce", "gather", "gatherv"];
const ALL_TO_ALL: &[&str] = &[
    "allreduce",
    "allgather",
    "allgatherv",
    "alltoall",
    "reduce_scatter",
    "reduce_scatter_block",
];
const SCANS: &[&str] = &["scan", "exscan"];

#[test]
fn all_wait_for_the_root_of_a_broadcast() {
    check_exits(
        ONE_TO_ALL,
        "0: 10 OP(root=1){ 20 }\n1: 50 OP(root=1){ 55 }\n2: 60 OP(root=1){ 62 }",
        expect!["51 55 62, of 2 messages"],
    );
}

#[test]
fn nobody_waits_for_the_others_of_a_broadcast() {
    check_exits(
        ONE_TO_ALL,
        "0: 10 OP(root=0){ 20 }\n1: 50 OP(root=0){ 55 }\n2: 5 OP(root=0){ 6 }",
        expect!["20 55 11, of 2 messages"],
    );
}

#[test]
fn the_root_of_a_reduction_waits_for_all() {
    check_exits(
        ALL_TO_ONE,
        "0: 10 OP(root=0){ 20 }\n1: 50 OP(root=0){ 55 }\n2: 11 OP(root=0){ 12 }",
        expect!["51 55 12, of 2 messages"],
    );
}

#[test]
fn the_root_of_a_reduction_does_not_wait_for_itself() {
    check_exits(
        ALL_TO_ONE,
        "0: 50 OP(root=0){ 50 }\n1: 10 OP(root=0){ 10 }",
        expect!["50 10, of 1 messages"],
    );
}

#[test]
fn everybody_waits_for_everybody_else() {
    check_exits(
        ALL_TO_ALL,
        "0: 10 OP{ 20 }\n1: 50 OP{ 50 }\n2: 12 OP{ 22 }",
        expect!["51 50 51, of 6 messages"],
    );
}

#[test]
fn nobody_waits_for_zero_bytes() {
    check_exits(
        ALL_TO_ALL,
        "0: 10 OP{ 20 }\n1: 50 OP(sent=0){ 55 }\n2: 30 OP(received=0){ 31 }",
        expect!["31 55 31, of 3 messages"],
    );
    check_exits(
        ONE_TO_ALL,
        "0: 10 OP(root=1,received=0){ 20 }\n1: 50 OP(root=1){ 55 }",
        expect!["20 55, of 0 messages"],
    );
    check_exits(
        ALL_TO_ONE,
        "0: 10 OP(root=0){ 20 }\n1: 50 OP(root=0,sent=0){ 55 }",
        expect!["20 55, of 0 messages"],
    );
}

#[test]
fn in_a_barrier_zero_bytes_are_waited_for() {
    check_exits(
        &["barrier"],
        "0: 10 OP{ 20 }\n1: 50 OP{ 55 }\n2: 12 OP{ 22 }",
        expect!["51 55 51, of 6 messages"],
    );
}

#[test]
fn a_scan_waits_for_lower_ranks_only() {
    check_exits(
        SCANS,
        "0: 10 OP{ 11 }\n1: 50 OP{ 50 }\n2: 12 OP{ 22 }\n3: 90 OP{ 90 }",
        expect!["11 50 51 90, of 6 messages"],
    );
}

#[test]
fn ranks_of_a_scan_are_those_of_its_communicator() {
    check_exits(
        SCANS,
        "comm back: 2 1 0\n0: 10 OP(comm=back){ 11 }\n1: 50 OP(comm=back){ 51 }\n2: 12 OP(comm=back){ 22 }",
        expect!["51 51 22, of 3 messages"],
    );
}

#[test]
fn a_low_rank_may_leave_a_scan_before_a_high_one_enters() {
    check_exits(
        SCANS,
        "0: 10 OP{ 20 } 21 send>1\n1: 22 recv<0 23 OP{ 24 }",
        expect!["20 23, of 2 messages"],
    );
}

#[test]
fn groups_of_an_intercommunicator_wait_for_each_other() {
    check_exits(
        &["barrier(comm=b)", "allreduce(comm=b)"],
        "comm b: 0 1 | 2\n0: 10 OP{ 20 }\n1: 50 OP{ 55 }\n2: 12 OP{ 22 }",
        expect!["20 55 51, of 4 messages"],
    );
}

#[test]
fn what_the_archive_cannot_tell_binds_nobody() {
    check_exits(
        &["alltoallv", "alltoallw", "destroy_handle", "bcast"],
        "0: 10 OP{ 20 }\n1: 50 OP{ 55 }",
        expect!["20 55, of 0 messages"],
    );
}

#[test]
fn members_that_disagree_bind_nobody() {
    check_exits(
        &["barrier"],
        "0: 10 OP{ 20 }\n1: 50 allreduce{ 55 }",
        expect!["20 55, of 0 messages"],
    );
}

#[test]
fn members_that_are_there_wait_for_each_other_if_one_is_missing() {
    check_exits(
        &["barrier", "allreduce"],
        "0: 10 OP{ 20 }\n1: 50 OP{ 55 }\n2: 1 2",
        expect!["51 55 2, of 2 messages"],
    );
}

#[test]
fn a_collective_of_one_binds_nobody() {
    check_exits(
        &["barrier(comm=me)", "barrier(comm=row)"],
        "comm me: self\ncomm row: 0\n0: 10 OP{ 10 }",
        expect!["10, of 0 messages"],
    );
}
