//! One test per kind of wait: the logical messages that it gives, and where
//! the correction moves events that did not wait. (Collective operations of
//! MPI have a file of their own.)
//!
//! A logical message is written `SENDER@TIME>RECEIVER@TIME`, by locations.

mod pairs;

use expect_test::{expect, Expect};
use mpiscope_model::fixture::location_line;
use mpiscope_model::{Assumptions, Duration, EventRef, LocationIndex, Trace};
use mpiscope_sync::{check_assuming, correct, Config, Control, LatencyOverride};
use pairs::logical_pairs;

/// Corrects the picture with latencies of five ticks between clocks (all
/// locations have their own, unless said), and of one tick on one clock.
fn check_row(picture: &str, expected: Expect) {
    check_assumed(Assumptions::default(), picture, expected);
}

fn check_assumed(assumptions: Assumptions, picture: &str, expected: Expect) {
    let config = Config {
        latency: LatencyOverride::by_clock(Duration(1), Duration(5)),
        assumptions,
        control: Control::Fixed { kappa: 0.0 },
        ..Config::default()
    };
    let trace = Trace::parse(picture).unwrap();
    let mut matching = trace.matching();
    matching.assumptions = assumptions;
    let pairs = logical_pairs(&trace, &matching);

    let correction = correct(&trace, &config).unwrap();
    let look = |times| check_assuming(&assumptions, &trace, times, &correction.latencies);
    let (before, after) = (look(&trace.times()), look(&correction.corrected));
    assert_eq!(
        before.logical,
        pairs.len() as u64,
        "the checker sees as many"
    );
    assert_eq!(after.clock_condition.count, 0, "all is well in the end");
    assert_eq!(after.backward_steps, 0);

    let name = |event: EventRef| {
        let location = &trace.locations[event.location.index()];
        let thread = match location.thread {
            0 => String::new(),
            thread => format!(".{thread}"),
        };
        format!("{}{thread}@{}", location.rank.0, trace.time(event).0)
    };
    let pairs = pairs
        .iter()
        .map(|(send, receive)| format!("{}>{}", name(*send), name(*receive)));
    let mut text = pairs.collect::<Vec<_>>().join(" ") + "\n";
    for (number, times) in correction.corrected.iter().enumerate() {
        let line = location_line(&trace, LocationIndex(number as u32), times);
        text += &(line + "\n");
    }
    expected.assert_eq(&text);
}

#[test]
fn a_synchronous_send_ends_after_its_receive_was_posted() {
    check_row(
        "0: 10 enter(MPI_Ssend) 11 send>1 12 leave(MPI_Ssend)
         1: 30 enter(MPI_Recv) 40 recv<0 41 leave(MPI_Recv)",
        expect![[r#"
            0@11>1@40 1@30>0@12
            0: 10 enter(MPI_Ssend) 22 send>1 35 leave(MPI_Ssend)
            1: 30 enter(MPI_Recv) 40 recv<0 41 leave(MPI_Recv)
        "#]],
    );
}

#[test]
fn a_nonblocking_synchronous_send_completes_after_its_receive_was_posted() {
    check_row(
        "0: 10 enter(MPI_Issend) 11 isend>1#7 12 leave(MPI_Issend) 20 wait#7
         1: 30 irecv#1 40 wait<0#1",
        expect![[r#"
            0@11>1@40 1@30>0@20
            0: 10 enter(MPI_Issend) 12 isend>1#7 15 leave(MPI_Issend) 35 wait#7
            1: 30 irecv#1 40 wait<0#1
        "#]],
    );
}

#[test]
fn a_receive_posted_again_after_a_pause_was_posted_before() {
    check_row(
        "0: 10 enter(MPI_Ssend) 11 send>1 35 leave(MPI_Ssend)
         1: 30 irecv#1 31 off 32 on 39 irecv#1 40 wait<0#1(seq=0)",
        expect![[r#"
            0@11>1@40 1@30>0@35
            0: 10 enter(MPI_Ssend) 11 send>1 35 leave(MPI_Ssend)
            1: 30 irecv#1 31 off 32 on 39 irecv#1 40 wait<0#1(seq=0)
        "#]],
    );
}

#[test]
fn a_started_synchronous_send_is_known_by_its_note() {
    check_row(
        "0: 10 enter(MPI_Start) 11 isend>1#7 !sync 12 leave(MPI_Start) 20 wait#7 21 isend>1#7 22 wait#7
         1: 30 irecv#1 40 wait<0#1 50 irecv#1 60 wait<0#1",
        expect![[r#"
            0@11>1@40 0@21>1@60 1@30>0@20
            0: 10 enter(MPI_Start) 12 isend>1#7 !sync 15 leave(MPI_Start) 35 wait#7 36 isend>1#7 37 wait#7
            1: 30 irecv#1 40 wait<0#1 50 irecv#1 60 wait<0#1
        "#]],
    );
}

#[test]
fn other_sends_end_when_they_like() {
    check_row(
        "0: 10 enter(MPI_Send) 11 send>1 12 leave(MPI_Send) 13 enter(MPI_Ssend) 14 leave(MPI_Ssend)
         1: 30 enter(MPI_Recv) 40 recv<0 41 leave(MPI_Recv)",
        expect![[r#"
            0@11>1@40
            0: 10 enter(MPI_Send) 11 send>1 12 leave(MPI_Send) 13 enter(MPI_Ssend) 14 leave(MPI_Ssend)
            1: 30 enter(MPI_Recv) 40 recv<0 41 leave(MPI_Recv)
        "#]],
    );
}

#[test]
fn both_halves_of_a_sendrecv_are_messages_of_their_own() {
    check_row(
        "0: 10 enter(MPI_Sendrecv) 10 send>1 20 recv<1 20 leave(MPI_Sendrecv)
         1: 30 enter(MPI_Sendrecv) 30 send>0 32 recv<0 32 leave(MPI_Sendrecv)",
        expect![[r#"
            0@10>1@32 1@30>0@20
            0: 10 enter(MPI_Sendrecv) 10 send>1 35 recv<1 35 leave(MPI_Sendrecv)
            1: 30 enter(MPI_Sendrecv) 30 send>0 32 recv<0 32 leave(MPI_Sendrecv)
        "#]],
    );
}

#[test]
fn a_probe_ends_after_the_send_of_the_message_that_it_saw() {
    check_row(
        "0: 20 send>1 30 send>1
         1: 15 probe<0 40 recv<0 41 probe<0 50 recv<0",
        expect![[r#"
            0@20>1@15 0@20>1@40 0@30>1@41 0@30>1@50
            0: 20 send>1 30 send>1
            1: 25 probe<0 50 recv<0 51 probe<0 60 recv<0
        "#]],
    );
}

#[test]
fn nobody_and_cancelled_requests_send_nothing() {
    check_row(
        "0: 20 send>4294967295 21 isend>1#1 22 cancel#1 23 irecv#2 24 cancel#2
         1: 1 10",
        expect![[r#"

            0: 20 send>4294967295 21 isend>1#1 22 cancel#1 23 irecv#2 24 cancel#2
            1: 1 10
        "#]],
    );
}

#[test]
fn dense_members_of_an_alltoallv_are_waited_for() {
    check_row(
        "0: 10 alltoallv{ 20 }
         1: 50 alltoallv{ 55 } !dense
         2: 12 alltoallv(received=0){ 22 }",
        expect![[r#"
            1@50>0@20
            0: 10 alltoallv{ 55 }
            1: 50 alltoallv{ 55 } !dense
            2: 12 alltoallv(received=0){ 22 }
        "#]],
    );
    check_row(
        "0: 10 alltoallw{ 20 }
         1: 50 alltoallw{ 55 } !dense",
        expect![[r#"
            1@50>0@20
            0: 10 alltoallw{ 55 }
            1: 50 alltoallw{ 55 } !dense
        "#]],
    );
}

#[test]
fn neighbours_wait_along_the_edges_of_the_topology() {
    check_row(
        "comm line: 0 1 2 edges 0>1 1>2
         0: 50 neighbor_allgather(comm=line){ 55 }
         1: 10 neighbor_allgather(comm=line){ 20 }
         2: 12 neighbor_allgather(comm=line){ 14 }",
        expect![[r#"
            0@50>1@20 1@10>2@14
            0: 50 neighbor_allgather(comm=line){ 55 }
            1: 10 neighbor_allgather(comm=line){ 55 }
            2: 12 neighbor_allgather(comm=line){ 15 }
        "#]],
    );
    check_row(
        "comm line: 0 1 2 edges 0>1 1>2
         0: 50 neighbor_alltoallv(comm=line){ 55 }
         1: 30 neighbor_alltoallv(comm=line){ 31 } !dense
         2: 12 neighbor_alltoallv(comm=line){ 14 }",
        expect![[r#"
            1@30>2@14
            0: 50 neighbor_alltoallv(comm=line){ 55 }
            1: 30 neighbor_alltoallv(comm=line){ 31 } !dense
            2: 12 neighbor_alltoallv(comm=line){ 35 }
        "#]],
    );
}

#[test]
fn without_their_topology_neighbours_wait_for_nobody() {
    check_row(
        "0: 50 neighbor_alltoall{ 55 }\n1: 10 neighbor_alltoall{ 20 }",
        expect![[r#"

            0: 50 neighbor_alltoall{ 55 }
            1: 10 neighbor_alltoall{ 20 }
        "#]],
    );
}

#[test]
fn a_nonblocking_collective_lasts_from_its_initiation_to_its_completion() {
    check_row(
        "0: 10 icollective#1 11 20 iallreduce#1 21
         1: 40 icollective#1 41 50 iallreduce#1 51",
        expect![[r#"
            0@10>1@50 1@40>0@20
            0: 10 icollective#1 13 45 iallreduce#1 46
            1: 40 icollective#1 41 50 iallreduce#1 51
        "#]],
    );
}

#[test]
fn nonblocking_collectives_are_ordered_by_initiation() {
    check_row(
        "0: 10 icollective#1 11 icollective#2 20 ibarrier#2 30 ibcast#1(root=1)
         1: 40 icollective#1 41 icollective#2 50 ibcast#1(root=1) 51 ibarrier#2",
        expect![[r#"
            0@11>1@51 1@40>0@30 1@41>0@20
            0: 10 icollective#1 13 icollective#2 46 ibarrier#2 56 ibcast#1(root=1)
            1: 40 icollective#1 41 icollective#2 50 ibcast#1(root=1) 51 ibarrier#2
        "#]],
    );
    check_row(
        "0: 10 icollective#1 11 barrier{ 12 } 30 ibarrier#1
         1: 20 icollective#1 31 barrier{ 32 } 40 ibarrier#1",
        expect![[r#"
            0@10>1@40 0@11>1@32 1@20>0@30 1@31>0@12
            0: 10 icollective#1 23 barrier{ 36 } 54 ibarrier#1
            1: 20 icollective#1 31 barrier{ 32 } 40 ibarrier#1
        "#]],
    );
}

#[test]
fn after_one_that_never_completes_nobody_knows_the_order() {
    check_row(
        "0: 10 icollective#1 11 barrier{ 12 } 13 barrier{ 14 }
         1: 20 icollective#1 21 barrier{ 22 } 23 barrier{ 24 } 25 ibarrier#1",
        expect![[r#"

            0: 10 icollective#1 11 barrier{ 12 } 13 barrier{ 14 }
            1: 20 icollective#1 21 barrier{ 22 } 23 barrier{ 24 } 25 ibarrier#1
        "#]],
    );
}

#[test]
fn what_is_told_after_a_pause_holds_whatever_did_not_complete() {
    check_row(
        "0: 10 icollective#1 11 barrier{ 12 } 13 off 14 on 15 barrier(seq=2){ 16 }
         1: 20 icollective#1 21 barrier{ 22 } 23 ibarrier#1 24 barrier{ 25 }",
        expect![[r#"
            0@15>1@25 1@24>0@16
            0: 10 icollective#1 12 barrier{ 14 } 16 off 18 on 20 barrier(seq=2){ 29 }
            1: 20 icollective#1 21 barrier{ 22 } 23 ibarrier#1 24 barrier{ 25 }
        "#]],
    );
}

#[test]
fn started_collectives_meet_those_initialized_with_them() {
    check_row(
        "0: 10 icollective#1 !persistent(0) 11 icollective#2 !persistent(1) 12 ibarrier#1 13 ibarrier#2
         1: 30 icollective#8 !persistent(1) 41 icollective#9 !persistent(0) 52 ibarrier#8 53 ibarrier#9",
        expect![[r#"
            0@10>1@53 0@11>1@52 1@30>0@13 1@41>0@12
            0: 10 icollective#1 !persistent(0) 28 icollective#2 !persistent(1) 46 ibarrier#1 47 ibarrier#2
            1: 30 icollective#8 !persistent(1) 41 icollective#9 !persistent(0) 52 ibarrier#8 53 ibarrier#9
        "#]],
    );
}

#[test]
fn the_root_of_an_intercommunicator_faces_the_other_group() {
    check_row(
        "comm b: 0 1 | 2 3
         0: 50 bcast(comm=b,root=self){ 51 }
         1: 70 bcast(comm=b,root=outside){ 71 }
         2: 10 bcast(comm=b,root=0){ 20 }
         3: 11 bcast(comm=b,root=0){ 21 }",
        expect![[r#"
            0@50>2@20 0@50>3@21
            0: 50 bcast(root=self,comm=b){ 51 }
            1: 70 bcast(root=outside,comm=b){ 71 }
            2: 10 bcast(root=0,comm=b){ 55 }
            3: 11 bcast(root=0,comm=b){ 55 }
        "#]],
    );
    check_row(
        "comm b: 0 1 | 2 3
         0: 50 reduce(comm=b,root=1){ 51 }
         1: 70 reduce(comm=b,root=1){ 71 }
         2: 10 reduce(comm=b,root=outside){ 20 }
         3: 11 reduce(comm=b,root=self){ 21 }",
        expect![[r#"
            0@50>3@21 1@70>3@21
            0: 50 reduce(root=1,comm=b){ 51 }
            1: 70 reduce(root=1,comm=b){ 71 }
            2: 10 reduce(root=outside,comm=b){ 20 }
            3: 11 reduce(root=self,comm=b){ 75 }
        "#]],
    );
}

#[test]
fn groups_that_disagree_about_the_root_wait_for_nobody() {
    check_row(
        "comm b: 0 1 | 2
         0: 50 bcast(comm=b,root=self){ 51 }
         1: 70 bcast(comm=b,root=outside){ 71 }
         2: 10 bcast(comm=b,root=1){ 20 }",
        expect![[r#"

            0: 50 bcast(root=self,comm=b){ 51 }
            1: 70 bcast(root=outside,comm=b){ 71 }
            2: 10 bcast(root=1,comm=b){ 20 }
        "#]],
    );
}

#[test]
fn a_communicator_is_created_by_all_its_members() {
    check_row(
        "comm row: 0 1
         0: 10 enter(MPI_Comm_split) 20 leave(MPI_Comm_split) !created(row)
         1: 50 enter(MPI_Comm_split) 55 leave(MPI_Comm_split) !created(row)
         2: 60 enter(MPI_Comm_split) 65 leave(MPI_Comm_split)",
        expect![[r#"
            0@10>1@55 1@50>0@20
            0: 10 enter(MPI_Comm_split) 55 leave(MPI_Comm_split) !created(row)
            1: 50 enter(MPI_Comm_split) 55 leave(MPI_Comm_split) !created(row)
            2: 60 enter(MPI_Comm_split) 65 leave(MPI_Comm_split)
        "#]],
    );
    check_row(
        "comm row: 0 1
         0: 10 enter(MPI_Comm_dup) 15 comm_create(row) 20 leave(MPI_Comm_dup)
         1: 50 enter(MPI_Comm_dup) 52 comm_create(row) 55 leave(MPI_Comm_dup)",
        expect![[r#"
            0@10>1@55 1@50>0@20
            0: 10 enter(MPI_Comm_dup) 32 comm_create(row) 55 leave(MPI_Comm_dup)
            1: 50 enter(MPI_Comm_dup) 52 comm_create(row) 55 leave(MPI_Comm_dup)
        "#]],
    );
    check_row(
        "0: 10 create_handle{ 20 }\n1: 50 create_handle{ 55 }",
        expect![[r#"
            0@10>1@55 1@50>0@20
            0: 10 create_handle{ 55 }
            1: 50 create_handle{ 55 }
        "#]],
    );
}

#[test]
fn creation_may_be_assumed_to_bind_nobody() {
    let assumptions = Assumptions {
        creation: false,
        ..Assumptions::default()
    };
    check_assumed(
        assumptions,
        "comm row: 0 1
         0: 10 enter(MPI_Comm_split) 20 leave(MPI_Comm_split) !created(row)
         1: 50 enter(MPI_Comm_split) 55 leave(MPI_Comm_split) !created(row)",
        expect![[r#"

            0: 10 enter(MPI_Comm_split) 20 leave(MPI_Comm_split) !created(row)
            1: 50 enter(MPI_Comm_split) 55 leave(MPI_Comm_split) !created(row)
        "#]],
    );
}

#[test]
fn who_frees_a_communicator_or_duplicates_it_later_waits_for_nobody() {
    check_row(
        "comm row: 0 1
         0: 10 enter(MPI_Comm_free) 20 leave(MPI_Comm_free) 21 destroy_handle{ 22 } 23 enter(MPI_Comm_idup) 24 comm_create(row) 25 leave(MPI_Comm_idup)
         1: 50 enter(MPI_Comm_free) 55 leave(MPI_Comm_free) 61 destroy_handle{ 62 } 63 enter(MPI_Comm_idup) 64 comm_create(row) 65 leave(MPI_Comm_idup)",
        expect![[r#"

            0: 10 enter(MPI_Comm_free) 20 leave(MPI_Comm_free) 21 destroy_handle{ 22 } 23 enter(MPI_Comm_idup) 24 comm_create(row) 25 leave(MPI_Comm_idup)
            1: 50 enter(MPI_Comm_free) 55 leave(MPI_Comm_free) 61 destroy_handle{ 62 } 63 enter(MPI_Comm_idup) 64 comm_create(row) 65 leave(MPI_Comm_idup)
        "#]],
    );
}

#[test]
fn finalize_is_a_barrier_unless_one_says_no() {
    let picture =
        "0: 1 enter(MPI_Init) 2 leave(MPI_Init) 10 enter(MPI_Finalize) 20 leave(MPI_Finalize)
         1: 5 enter(MPI_Init) 6 leave(MPI_Init) 50 enter(MPI_Finalize) 55 leave(MPI_Finalize)";
    check_row(
        picture,
        expect![[r#"
            0@10>1@55 1@50>0@20
            0: 1 enter(MPI_Init) 3 leave(MPI_Init) 26 enter(MPI_Finalize) 55 leave(MPI_Finalize)
            1: 5 enter(MPI_Init) 6 leave(MPI_Init) 50 enter(MPI_Finalize) 55 leave(MPI_Finalize)
        "#]],
    );
    let neither = Assumptions {
        finalize: false,
        ..Assumptions::default()
    };
    check_assumed(
        neither,
        picture,
        expect![[r#"

        0: 1 enter(MPI_Init) 2 leave(MPI_Init) 10 enter(MPI_Finalize) 20 leave(MPI_Finalize)
        1: 5 enter(MPI_Init) 6 leave(MPI_Init) 50 enter(MPI_Finalize) 55 leave(MPI_Finalize)
    "#]],
    );
}

#[test]
fn a_call_in_which_its_process_ended_holds_nobody_back() {
    check_row(
        "0: 10 enter(MPI_Finalize) 10 leave(MPI_Finalize) !cut
         1: 50 enter(MPI_Finalize) 50 leave(MPI_Finalize) !cut",
        expect![[r#"

            0: 10 enter(MPI_Finalize) 10 leave(MPI_Finalize) !cut
            1: 50 enter(MPI_Finalize) 50 leave(MPI_Finalize) !cut
        "#]],
    );
    check_row(
        "0: 10 enter(MPI_Ssend) 11 send>1 11 leave(MPI_Ssend) !cut
         1: 50 enter(MPI_Recv) 55 recv<0 56 leave(MPI_Recv)",
        expect![[r#"
            0@11>1@55
            0: 10 enter(MPI_Ssend) 11 send>1 11 leave(MPI_Ssend) !cut
            1: 50 enter(MPI_Recv) 55 recv<0 56 leave(MPI_Recv)
        "#]],
    );
}

#[test]
fn init_is_a_barrier_if_one_says_so() {
    let assumptions = Assumptions {
        init: true,
        ..Assumptions::default()
    };
    check_assumed(
        assumptions,
        "0: 1 enter(MPI_Init_thread) 2 leave(MPI_Init_thread) 3
         1: 5 enter(MPI_Init_thread) 6 leave(MPI_Init_thread)",
        expect![[r#"
            0@1>1@6 1@5>0@2
            0: 1 enter(MPI_Init_thread) 10 leave(MPI_Init_thread) 11
            1: 5 enter(MPI_Init_thread) 6 leave(MPI_Init_thread)
        "#]],
    );
}

#[test]
fn a_fence_is_a_barrier_unless_it_closes_no_epoch() {
    check_row(
        "win w: world
         0: 10 win_begin 20 win_end(w,barrier) 30 win_begin 31 win_end(w,barrier,sync)
         1: 50 win_begin 55 win_end(w,barrier) 60 win_begin 61 win_end(w,barrier,sync)",
        expect![[r#"
            0@30>1@61 1@60>0@31
            0: 10 win_begin 33 win_end(w,barrier) 56 win_begin 65 win_end(w,barrier,sync)
            1: 50 win_begin 55 win_end(w,barrier) 60 win_begin 61 win_end(w,barrier,sync)
        "#]],
    );
}

#[test]
fn windows_are_created_and_freed_together() {
    check_row(
        "win w: world
         0: 10 win_begin 11 win_create(w) 12 win_end(w,create_handle) 13 win_begin 14 win_destroy(w) 15 win_end(w,destroy_handle)
         1: 50 win_begin 51 win_create(w) 52 win_end(w,create_handle) 53 win_begin 54 win_destroy(w) 55 win_end(w,destroy_handle)",
        expect![[r#"
            0@10>1@52 1@50>0@12
            0: 10 win_begin 32 win_create(w) 55 win_end(w,create_handle) 56 win_begin 57 win_destroy(w) 58 win_end(w,destroy_handle)
            1: 50 win_begin 51 win_create(w) 52 win_end(w,create_handle) 53 win_begin 54 win_destroy(w) 55 win_end(w,destroy_handle)
        "#]],
    );
    check_row(
        "win w: world
         0: 10 enter(MPI_Win_allocate) 11 win_create(w) 12 leave(MPI_Win_allocate)
         1: 50 enter(MPI_Win_allocate) 51 win_create(w) 52 leave(MPI_Win_allocate)",
        expect![[r#"
            0@10>1@52 1@50>0@12
            0: 10 enter(MPI_Win_allocate) 32 win_create(w) 55 leave(MPI_Win_allocate)
            1: 50 enter(MPI_Win_allocate) 51 win_create(w) 52 leave(MPI_Win_allocate)
        "#]],
    );
}

#[test]
fn fences_after_a_pause_are_counted_by_what_they_say() {
    check_row(
        "win w: world
         0: 10 off 11 on 20 win_begin 21 win_end(w,barrier,sync)
         1: 50 win_begin 51 win_end(w,barrier,sync)",
        expect![[r#"

            0: 10 off 11 on 20 win_begin 21 win_end(w,barrier,sync)
            1: 50 win_begin 51 win_end(w,barrier,sync)
        "#]],
    );
    check_row(
        "win w: world
         0: 10 off 11 on 20 win_begin 21 win_end(w,barrier,sync) !seq(1)
         1: 40 win_begin 41 win_end(w,barrier,sync) 50 win_begin 51 win_end(w,barrier,sync)",
        expect![[r#"
            0@20>1@51 1@50>0@21
            0: 10 off 13 on 46 win_begin 55 win_end(w,barrier,sync) !seq(1)
            1: 40 win_begin 41 win_end(w,barrier,sync) 50 win_begin 51 win_end(w,barrier,sync)
        "#]],
    );
}

const EPOCH: &str = "win w: world
0: 10 enter(MPI_Win_start) 11 group_sync(w,1&2) 12 leave(MPI_Win_start) 20 enter(MPI_Win_complete) 21 group_sync(w,1&2) 22 leave(MPI_Win_complete)
1: 40 enter(MPI_Win_post) 41 group_sync(w,0) 42 leave(MPI_Win_post) 43 enter(MPI_Win_wait) 44 group_sync(w,0) 45 leave(MPI_Win_wait)
2: 50 enter(MPI_Win_post) 51 group_sync(w,0) 52 leave(MPI_Win_post) 53 enter(MPI_Win_test) 54 group_sync(w,0) 55 leave(MPI_Win_test)";

#[test]
fn epochs_open_after_the_post_and_close_after_the_complete() {
    check_row(
        EPOCH,
        expect![[r#"
            0@20>1@45 0@20>2@55 1@40>0@22 2@50>0@22
            0: 10 enter(MPI_Win_start) 13 group_sync(w,1&2) 16 leave(MPI_Win_start) 40 enter(MPI_Win_complete) 47 group_sync(w,1&2) 55 leave(MPI_Win_complete)
            1: 40 enter(MPI_Win_post) 41 group_sync(w,0) 42 leave(MPI_Win_post) 43 enter(MPI_Win_wait) 44 group_sync(w,0) 45 leave(MPI_Win_wait)
            2: 50 enter(MPI_Win_post) 51 group_sync(w,0) 52 leave(MPI_Win_post) 53 enter(MPI_Win_test) 54 group_sync(w,0) 55 leave(MPI_Win_test)
        "#]],
    );
}

#[test]
fn epochs_on_other_windows_and_of_other_origins_are_others() {
    check_row(
        "win v: world
         win w: world
         0: 10 enter(MPI_Win_start) 11 group_sync(w,1) 12 leave(MPI_Win_start) 20 enter(MPI_Win_complete) 21 group_sync(w,1) 22 leave(MPI_Win_complete)
         1: 40 enter(MPI_Win_post) 41 group_sync(v,0) 42 leave(MPI_Win_post) 43 enter(MPI_Win_post) 44 group_sync(w,2) 45 leave(MPI_Win_post)
         2: 1",
        expect![[r#"

            0: 10 enter(MPI_Win_start) 11 group_sync(w,1) 12 leave(MPI_Win_start) 20 enter(MPI_Win_complete) 21 group_sync(w,1) 22 leave(MPI_Win_complete)
            1: 40 enter(MPI_Win_post) 41 group_sync(v,0) 42 leave(MPI_Win_post) 43 enter(MPI_Win_post) 44 group_sync(w,2) 45 leave(MPI_Win_post)
            2: 1
        "#]],
    );
}

#[test]
fn a_window_is_locked_after_it_was_unlocked() {
    check_row(
        "win w: world
         0: 10 lock_acquire(w,2,0) !seq(0) 20 enter(MPI_Win_unlock) 21 lock_release(w,2,0) 30 leave(MPI_Win_unlock)
         1: 5 lock_acquire(w,2,0) !seq(1) 12 enter(MPI_Win_unlock) 13 lock_release(w,2,0) 14 leave(MPI_Win_unlock)
         2: 6 lock_acquire(w,2,0) 7 lock_release(w,2,0)",
        expect![[r#"
            0@20>1@14
            0: 10 lock_acquire(w,2,0) !seq(0) 20 enter(MPI_Win_unlock) 21 lock_release(w,2,0) 30 leave(MPI_Win_unlock)
            1: 5 lock_acquire(w,2,0) !seq(1) 20 enter(MPI_Win_unlock) 22 lock_release(w,2,0) 25 leave(MPI_Win_unlock)
            2: 6 lock_acquire(w,2,0) 7 lock_release(w,2,0)
        "#]],
    );
}

#[test]
fn who_shares_a_window_waits_for_those_who_did_not() {
    check_row(
        "win w: world
         0: 40 lock_request(w,0,0) !seq(0) 50 lock_release(w,0,0)
         1: 1 lock_acquire(w,0,0,shared) !seq(1) 2 lock_release(w,0,0)
         2: 3 lock_acquire(w,0,0,shared) !seq(2) 4 lock_release(w,0,0)
         3: 5 lock_acquire(w,0,0) !seq(3) 6 lock_release(w,0,0)",
        expect![[r#"
            0@50>1@2 0@50>2@4 1@2>3@6 2@4>3@6
            0: 40 lock_request(w,0,0) !seq(0) 50 lock_release(w,0,0)
            1: 1 lock_acquire(w,0,0,shared) !seq(1) 55 lock_release(w,0,0)
            2: 3 lock_acquire(w,0,0,shared) !seq(2) 55 lock_release(w,0,0)
            3: 5 lock_acquire(w,0,0) !seq(3) 60 lock_release(w,0,0)
        "#]],
    );
}

#[test]
fn notifications_come_in_after_they_went_out() {
    check_row(
        "win w: world\n0: 20 notify_out(w,1) 30 notify_out(w,1)\n1: 10 notify_in(w,0) 40 notify_in(w,0) 50 notify_in(w,0)",
        expect![[r#"
            0@20>1@10 0@30>1@40
            0: 20 notify_out(w,1) 30 notify_out(w,1)
            1: 25 notify_in(w,0) 55 notify_in(w,0) 65 notify_in(w,0)
        "#]],
    );
}

#[test]
fn threads_begin_after_the_fork_and_end_before_the_join() {
    check_row(
        "0: 20 fork(2) 21 team_begin(t) 25 team_end(t) 30 join
         0.1: 10 team_begin(t) 40 team_end(t)",
        expect![[r#"
            0@20>0.1@10 0.1@40>0@30
            0: 20 fork(2) 24 team_begin(t) 40 team_end(t) 60 join
            0.1: 25 team_begin(t) 55 team_end(t)
        "#]],
    );
}

#[test]
fn nested_teams_have_their_own_forks() {
    check_row(
        "0: 20 fork(2) 21 team_begin(t) 22 fork(2) 23 team_begin(u) 24 team_end(u) 25 join 26 team_end(t) 30 join
         0.1: 10 team_begin(t) 41 team_end(t)
         0.2: 12 team_begin(u) 42 team_end(u)",
        expect![[r#"
            0@20>0.1@10 0@22>0.2@12 0.1@41>0@30 0.2@42>0@25
            0: 20 fork(2) 21 team_begin(t) 22 fork(2) 35 team_begin(u) 48 team_end(u) 62 join 63 team_end(t) 67 join
            0.1: 25 team_begin(t) 56 team_end(t)
            0.2: 27 team_begin(u) 57 team_end(u)
        "#]],
    );
}

#[test]
fn a_team_that_threads_enter_unequally_often_is_not_followed() {
    check_row(
        "0: 20 fork(2) 21 team_begin(t) 25 team_end(t) 30 join 40 fork(2) 41 team_begin(t) 45 team_end(t) 50 join
         0.1: 10 team_begin(t) 45 team_end(t)",
        expect![[r#"

            0: 20 fork(2) 21 team_begin(t) 25 team_end(t) 30 join 40 fork(2) 41 team_begin(t) 45 team_end(t) 50 join
            0.1: 10 team_begin(t) 45 team_end(t)
        "#]],
    );
}

#[test]
fn created_threads_begin_after_their_creation_and_end_before_they_are_waited_for() {
    check_row(
        "0: 20 thread_create(c,1) 21 thread_create(c,2) 30 thread_wait(c,2) 31 thread_wait(c,1)
         0.1: 10 thread_begin(c,1) 40 thread_end(c,1)
         0.2: 50 thread_begin(c,2) 60 thread_end(c,2)",
        expect![[r#"
            0@20>0.1@10 0@21>0.2@50 0.1@40>0@31 0.2@60>0@30
            0: 20 thread_create(c,1) 24 thread_create(c,2) 65 thread_wait(c,2) 66 thread_wait(c,1)
            0.1: 25 thread_begin(c,1) 55 thread_end(c,1)
            0.2: 50 thread_begin(c,2) 60 thread_end(c,2)
        "#]],
    );
}

#[test]
fn a_team_meets_at_its_barriers() {
    check_row(
        "0: 10 fork(2) 11 team_begin(t) 20 enter(omp_barrier) 21 leave(omp_barrier) 30 enter(omp_ibarrier) 60 leave(omp_ibarrier) 61 team_end(t) 70 join
         0.1: 15 team_begin(t) 40 enter(omp_barrier) 41 leave(omp_barrier) 50 enter(omp_ibarrier) 51 leave(omp_ibarrier) 52 team_end(t)",
        expect![[r#"
            0@10>0.1@15 0@20>0.1@41 0@30>0.1@51 0.1@40>0@21 0.1@50>0@60 0.1@52>0@70
            0: 10 fork(2) 12 team_begin(t) 36 enter(omp_barrier) 45 leave(omp_barrier) 54 enter(omp_ibarrier) 84 leave(omp_ibarrier) 85 team_end(t) 94 join
            0.1: 15 team_begin(t) 40 enter(omp_barrier) 41 leave(omp_barrier) 57 enter(omp_ibarrier) 59 leave(omp_ibarrier) 60 team_end(t)
        "#]],
    );
}

#[test]
fn barriers_outside_of_a_team_or_passed_unequally_often_bind_nobody() {
    check_row(
        "0: 1 enter(omp_barrier) 2 leave(omp_barrier) 10 fork(2) 11 team_begin(t) 20 enter(omp_barrier) 21 leave(omp_barrier) 61 team_end(t) 70 join
         0.1: 15 team_begin(t) 40 enter(omp_barrier) 41 leave(omp_barrier) 50 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t)",
        expect![[r#"
            0@10>0.1@15 0.1@52>0@70
            0: 1 enter(omp_barrier) 2 leave(omp_barrier) 10 fork(2) 11 team_begin(t) 20 enter(omp_barrier) 21 leave(omp_barrier) 61 team_end(t) 70 join
            0.1: 15 team_begin(t) 40 enter(omp_barrier) 41 leave(omp_barrier) 50 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t)
        "#]],
    );
}

#[test]
fn a_lock_is_acquired_after_it_was_released() {
    check_row(
        "clock 0 0.1:
         0: 10 acquire(3,0) 30 release(3,0) 31 acquire(3,2) 32 release(3,2) 33 acquire(3,0,pthread)
         0.1: 20 acquire(3,1) 21 release(3,1) 22 acquire(4,1) 23 release(3,1,pthread)",
        expect![[r#"
            0@30>0.1@20 0.1@21>0@31
            0: 10 acquire(3,0) 30 release(3,0) 33 acquire(3,2) 34 release(3,2) 35 acquire(3,0,pthread)
            0.1: 31 acquire(3,1) 32 release(3,1) 33 acquire(4,1) 34 release(3,1,pthread)
        "#]],
    );
}

#[test]
fn locks_of_different_processes_are_different_locks() {
    check_row(
        "0: 10 acquire(3,0) 30 release(3,0)\n1: 20 acquire(3,1)",
        expect![[r#"

            0: 10 acquire(3,0) 30 release(3,0)
            1: 20 acquire(3,1)
        "#]],
    );
}

#[test]
fn a_task_begins_after_its_creation_and_is_complete_when_waited_for() {
    check_row(
        "0: 20 task_create(t,0,1) 21 task_create(t,0,2) 25 enter(omp_taskwait) 26 leave(omp_taskwait) 27 task_create(t,0,3)
         0.1: 10 task_switch(t,0,1) 11 task_create(t,1,1) 40 task_complete(t,0,1) 41 task_switch(t,0,2) 42 task_complete(t,0,2) 43 task_switch(t,1,0)
         0.2: 5 task_switch(t,1,1) 60 task_complete(t,1,1)",
        expect![[r#"
            0@20>0.1@10 0@21>0.1@41 0.1@11>0.2@5 0.1@40>0@26 0.1@42>0@26
            0: 20 task_create(t,0,1) 27 task_create(t,0,2) 55 enter(omp_taskwait) 62 leave(omp_taskwait) 63 task_create(t,0,3)
            0.1: 25 task_switch(t,0,1) 26 task_create(t,1,1) 55 task_complete(t,0,1) 56 task_switch(t,0,2) 57 task_complete(t,0,2) 58 task_switch(t,1,0)
            0.2: 31 task_switch(t,1,1) 86 task_complete(t,1,1)
        "#]],
    );
}

/// Condition variables and semaphores, MPI_Pready and MPI_Parrived, a kernel
/// and its launch, a barrier of POSIX threads: OTF2 has no records of them.
#[test]
fn what_awaits_a_signal_comes_after_all_that_sent_it() {
    check_row(
        "0: 20 !signal(1) 30 enter(cudaLaunchKernel) !signal(2) 35 leave(cudaLaunchKernel)
         1: 25 !signal(1) 50 !await(3)
         2: 10 !await(1) 20 enter(kernel) !await(2) 60 leave(kernel) !signal(3)",
        expect![[r#"
            0@20>2@10 0@30>2@20 1@25>2@10 2@60>1@50
            0: 20 !signal(1) 30 enter(cudaLaunchKernel) !signal(2) 35 leave(cudaLaunchKernel)
            1: 25 !signal(1) 85 !await(3)
            2: 30 !await(1) 40 enter(kernel) !await(2) 80 leave(kernel) !signal(3)
        "#]],
    );
}

#[test]
fn puts_gets_and_flushes_wait_for_nobody() {
    check_row(
        "0: 10 other(46) 11 other(51)\n1: 20 other(47)",
        expect![[r#"

            0: 10 other(46) 11 other(51)
            1: 20 other(47)
        "#]],
    );
}

#[test]
fn one_event_may_wait_for_many_and_be_waited_for() {
    check_row(
        "0: 30 enter(MPI_Ssend) 31 send>1 32 leave(MPI_Ssend) !signal(5)
         1: 40 enter(MPI_Recv) 41 recv<0 !await(5) 42 leave(MPI_Recv)",
        expect![[r#"
            0@31>1@41 0@32>1@41 1@40>0@32
            0: 30 enter(MPI_Ssend) 37 send>1 45 leave(MPI_Ssend) !signal(5)
            1: 40 enter(MPI_Recv) 50 recv<0 !await(5) 51 leave(MPI_Recv)
        "#]],
    );
}

#[test]
fn operations_that_the_trace_does_not_tell_enough_of_are_counted() {
    let picture = "\
        0: 1 enter(MPI_Init) 2 leave(MPI_Init) 10 alltoallv{ 20 } 30 neighbor_alltoall{ 31 } 40 barrier{ 41 } 42 destroy_handle{ 43 }
        1: 1 enter(MPI_Init) 2 leave(MPI_Init) 10 alltoallv{ 20 } 30 neighbor_alltoall{ 31 } 40 scan{ 41 } 42 destroy_handle{ 43 }";
    let trace = Trace::parse(picture).unwrap();
    let report = correct(&trace, &Config::default()).unwrap().report;
    assert_eq!((report.collectives, report.unused_collectives), (4, 3));
}
