//! What MPI forbids, drawn as pictures.

use expect_test::{expect, Expect};
use mpiscope_analysis::errors::{errors, Error};
use mpiscope_model::{EventRef, Trace};

fn name(trace: &Trace, event: EventRef) -> String {
    let rank = trace.locations[event.location.index()].rank.0;
    format!("{rank}:{}", trace.time(event).0)
}

fn line(trace: &Trace, error: &Error) -> String {
    let others: Vec<String> = error.others.iter().map(|&it| name(trace, it)).collect();
    let text = format!("{} {}", name(trace, error.event), error.kind.name());
    match others.is_empty() {
        true => text + "\n",
        false => format!("{text}, {}\n", others.join(" ")),
    }
}

fn check(picture: &str, expected: Expect) {
    let trace = Trace::parse(picture).unwrap();
    let errors = errors(&trace, &trace.matching());
    let text: String = errors.iter().map(|error| line(&trace, error)).collect();
    expected.assert_eq(&text);
}

#[test]
fn a_message_left_over_is_an_error_once_its_receiver_has_ended() {
    check(
        "0: 1 send>1 3 send>1(tag=2) 5 enter(MPI_Finalize)
         1: 2 recv<0 9 enter(MPI_Finalize)",
        expect![[r#"
            0:3 unmatched send
        "#]],
    );
    check(
        "0: 1 send>1 5 enter(MPI_Finalize)\n1: 2 enter(work)",
        expect![[""]],
    );
}

#[test]
fn a_receive_in_which_its_process_ended_did_not_fail() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1,cap=4) 1 leave(MPI_Recv) !cut
         1: 1 send>0(bytes=8) 9 enter(MPI_Finalize)",
        expect![[""]],
    );
}

#[test]
fn where_recording_was_off_nothing_is_missed() {
    check(
        "0: 1 send>1 2 irecv#1 5 enter(MPI_Finalize)
         1: 2 off 3 on 9 enter(MPI_Finalize)",
        expect![[""]],
    );
}

#[test]
fn requests_are_lost_unless_they_may_have_been_freed() {
    check(
        "0: 1 isend>1#1 2 isend>1#2 3 wait#2 4 irecv#3 5 cancel#3 6 irecv#4 9 enter(MPI_Finalize)
         1: 2 recv<0 3 recv<0 9 enter(MPI_Finalize)",
        expect![[r#"
            0:1 lost request
            0:6 lost request
        "#]],
    );
    check(
        "0: 1 isend>1#1 2 enter(MPI_Request_free) 3 leave(MPI_Request_free) 9 enter(MPI_Finalize)
         1: 2 recv<0 9 enter(MPI_Finalize)",
        expect![[""]],
    );
}

#[test]
fn a_message_must_fit_and_be_of_the_type_asked_for() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1,cap=4,sig=1) 3 recv<1(bytes=8) 4 leave(MPI_Recv) 5 irecv#1 !posted(1,cap=8,sig=1) 6 wait<1#1(bytes=8)
         1: 1 send>0(bytes=8) !sig(1) 2 send>0(bytes=8) !sig(2)",
        expect![[r#"
            0:3 truncation, 1:1
            0:6 type, 1:2
        "#]],
    );
}

#[test]
fn a_receive_that_failed_is_a_truncation_and_its_message_not_lost() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1,cap=4) 4 leave(MPI_Recv) 9 enter(MPI_Finalize)
         1: 1 send>0(bytes=8) 9 enter(MPI_Finalize)",
        expect![[r#"
            0:1 truncation, 1:1
        "#]],
    );
}

#[test]
fn members_of_a_collective_operation_agree() {
    check(
        "0: 1 bcast(root=0){ 2 } 3 allreduce{ 4 } 5 allreduce{ 6 }\n1: 1 allreduce{ 2 } 3 bcast(root=0){ 4 } 5 allreduce{ 6 }",
        expect![[r#"
            1:1 collective order, 0:1
        "#]],
    );
    check(
        "0: 1 bcast(root=0){ 2 }\n1: 1 bcast(root=1){ 2 }\n2: 1 bcast(root=1){ 2 }",
        expect![[r#"
            0:1 collective root, 1:1
        "#]],
    );
    check(
        "0: 1 bcast(root=0,sent=16,received=8){ 2 }\n1: 1 bcast(root=0,sent=0,received=16){ 2 }",
        expect![[r#"
            1:1 collective count, 0:1
        "#]],
    );
    check(
        "0: 1 allreduce{ 2 } !sig(1)\n1: 1 allreduce{ 2 } !sig(2)\n2: 1 allreduce{ 2 }",
        expect![[r#"
            1:1 collective type, 0:1
        "#]],
    );
    // What the root leaves in place is not counted; who sends nothing to a root
    // receives nothing.
    check(
        "0: 1 gather(root=0,sent=0,received=4){ 2 }\n1: 1 gather(root=0,sent=4,received=0){ 2 }",
        expect![[""]],
    );
}

#[test]
fn types_of_data_that_need_not_go_to_everybody_are_compared_if_they_do() {
    check(
        "0: 1 alltoallv{ 2 } !sig(1) !dense\n1: 1 alltoallv{ 2 } !sig(2)\n2: 1 alltoallv{ 2 } !sig(1)",
        expect![[r#"
            1:1 collective type, 0:1
        "#]],
    );
    check(
        "0: 1 alltoallv{ 2 } !sig(1)\n1: 1 alltoallv{ 2 } !sig(2)\n2: 1 alltoallv{ 2 } !sig(1)",
        expect![[""]],
    );
    check(
        "0: 1 neighbor_alltoall{ 2 } !sig(1) !dense\n1: 1 neighbor_alltoall{ 2 } !sig(2)",
        expect![[""]],
    );
}

#[test]
fn members_of_a_scan_send_different_amounts() {
    check(
        "0: 1 scan(sent=12,received=4){ 2 }\n1: 1 scan(sent=8,received=8){ 2 }\n2: 1 scan(sent=4,received=12){ 2 }",
        expect![[""]],
    );
}

#[test]
fn an_operation_that_never_ended_is_compared_too() {
    check(
        "0: 1 bcast(root=0,sent=32,received=16){ 2 }
         1: 1 enter(MPI_Bcast) 2 ?{ !posted(0,anytag,cap=8)",
        expect![[r#"
            1:1 collective count, 0:1
        "#]],
    );
    check(
        "0: 1 bcast(root=0){ 2 } 3 enter(MPI_Allreduce) 4 ?{ !posted(0,anytag)
         1: 1 enter(MPI_Allreduce) 2 ?{ !posted(0,anytag)",
        expect![[r#"
            1:1 collective order, 0:1
        "#]],
    );
}

#[test]
fn who_waits_in_a_circle_is_deadlocked_and_who_waits_behind_is_not() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1)
         1: 2 enter(MPI_Recv) !posted(0)
         2: 3 enter(MPI_Recv) !posted(0)",
        expect![[r#"
            0:1 deadlock, 1:2
            1:2 deadlock, 0:1
        "#]],
    );
    check(
        "0: 1 enter(MPI_Ssend) 2 send>1
         1: 1 enter(MPI_Ssend) 2 send>2
         2: 1 enter(MPI_Ssend) 2 send>0",
        expect![[r#"
            0:1 deadlock, 1:1
            1:1 deadlock, 2:1
            2:1 deadlock, 0:1
        "#]],
    );
}

#[test]
fn a_barrier_somebody_forgot_is_a_deadlock() {
    check(
        "0: 1 enter(MPI_Barrier) 2 ?{ !posted(0)
         1: 2 enter(MPI_Recv) !posted(0)",
        expect![[r#"
            0:1 deadlock, 1:2
            1:2 deadlock, 0:1
        "#]],
    );
}

#[test]
fn who_may_still_be_answered_is_not_deadlocked() {
    // Rank 2 computes and may send to 1.
    check(
        "0: 1 enter(MPI_Recv) !posted(1)
         1: 2 enter(MPI_Recv) !posted(any)
         2: 3 enter(work)",
        expect![[""]],
    );
    // The message is on its way.
    check(
        "0: 1 enter(MPI_Recv) !posted(1)
         1: 2 send>0 3 enter(MPI_Recv) !posted(0)",
        expect![[""]],
    );
}

#[test]
fn a_receive_from_who_has_ended_is_unmatched() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1,tag=2)
         1: 2 enter(MPI_Finalize)",
        expect![[r#"
            0:1 unmatched receive
        "#]],
    );
    check(
        "0: 1 irecv#1 !posted(any) 2 enter(MPI_Wait)
         1: 2 enter(MPI_Finalize)",
        expect![[r#"
            0:2 unmatched receive
        "#]],
    );
}

/// As archives of killed processes have it.
#[test]
fn a_call_closed_when_it_was_entered_never_returned() {
    check(
        "0: 1 enter(MPI_Recv) !posted(1,tag=0) 1 leave(MPI_Recv)
         1: 2 enter(MPI_Recv) !posted(0,tag=0) 2 leave(MPI_Recv)",
        expect![[r#"
            0:1 deadlock, 1:2
            1:2 deadlock, 0:1
        "#]],
    );
    check(
        "0: 1 enter(MPI_Recv) !posted(1,tag=0) 2 leave(MPI_Recv)
         1: 2 enter(MPI_Recv) !posted(0,tag=0) 2 leave(MPI_Recv)",
        expect![[""]],
    );
}

#[test]
fn a_nonblocking_operation_does_not_meet_a_blocking_one() {
    check(
        "0: 1 enter(MPI_Ibarrier) 2 icollective#1 !posted(0) 3 leave(MPI_Ibarrier) 4 enter(MPI_Wait)
         1: 1 enter(MPI_Barrier) 2 ?{ !posted(0)",
        expect![[r#"
            1:1 collective order, 0:2
        "#]],
    );
    check(
        "0: 1 enter(MPI_Ibarrier) 2 icollective#1 3 leave(MPI_Ibarrier) 4 ibarrier#1\n1: 1 barrier{ 2 }",
        expect![[r#"
            1:1 collective order, 0:2
        "#]],
    );
}

#[test]
fn a_nonblocking_operation_that_somebody_never_began_is_waited_for() {
    check(
        "0: 1 enter(MPI_Ibarrier) 2 icollective#1 !posted(0) 3 leave(MPI_Ibarrier) 4 enter(MPI_Wait)
         1: 2 enter(MPI_Recv) !posted(0)",
        expect![[r#"
            0:4 deadlock, 1:2
            1:2 deadlock, 0:4
        "#]],
    );
    // It has begun it before, and may do so again.
    check(
        "0: 1 enter(MPI_Ibarrier) 2 icollective#1 !posted(0) 3 leave(MPI_Ibarrier) 4 enter(MPI_Wait)
         1: 2 enter(work)",
        expect![[""]],
    );
}

/// The communicator that is made, the window that is fenced: the call says it.
#[test]
fn a_call_without_an_event_of_its_own_is_counted_if_it_tells_its_communicator() {
    check(
        "0: 1 enter(MPI_Comm_split) !posted(any,anytag)
         1: 2 enter(MPI_Recv) !posted(0)",
        expect![[r#"
            0:1 deadlock, 1:2
            1:2 deadlock, 0:1
        "#]],
    );
    check(
        "0: 1 enter(MPI_Win_fence) !posted(any,tag=1) 2 leave(MPI_Win_fence) 3 enter(MPI_Win_fence) !posted(any,tag=1)
         1: 1 enter(MPI_Win_fence) !posted(any,tag=1) 2 leave(MPI_Win_fence) 3 enter(MPI_Win_fence) !posted(any,tag=2)",
        expect![[r#"
            0:3 deadlock, 1:3
            1:3 deadlock, 0:3
        "#]],
    );
    check(
        "0: 1 enter(MPI_Win_fence) !posted(any,tag=1)\n1: 1 enter(MPI_Win_free) !posted(any,tag=1)",
        expect![[r#"
            1:1 collective order, 0:1
        "#]],
    );
}

#[test]
fn of_several_requests_that_all_are_waited_for_one_is_enough() {
    check(
        "0: 1 irecv#1 !posted(1) 2 irecv#2 !posted(1,tag=1) 3 enter(MPI_Waitall)
         1: 1 send>0 9 enter(MPI_Finalize)",
        expect![[r#"
            0:3 unmatched receive
        "#]],
    );
    check(
        "0: 1 irecv#1 !posted(1) 2 irecv#2 !posted(1,tag=1) 3 enter(MPI_Waitany)
         1: 1 send>0 9 enter(MPI_Finalize)",
        expect![[""]],
    );
}

#[test]
fn a_receive_that_was_freed_has_taken_the_first_message_of_its_channel() {
    check(
        "0: 1 send>1 2 send>1 9 enter(MPI_Finalize)
         1: 2 irecv#1 !posted(any) 3 enter(MPI_Request_free) 4 leave(MPI_Request_free) 9 enter(MPI_Finalize)",
        expect![[r#"
            0:2 unmatched send
        "#]],
    );
    check(
        "0: 1 send>1(tag=3) 9 enter(MPI_Finalize)
         1: 2 irecv#1 !posted(any) 3 enter(MPI_Request_free) 4 leave(MPI_Request_free) 9 enter(MPI_Finalize)",
        expect![[r#"
            0:1 unmatched send
        "#]],
    );
}

#[test]
fn a_send_that_was_cancelled_and_freed_may_have_gone_nowhere() {
    let cancelled = "2 enter(MPI_Cancel) 3 leave(MPI_Cancel) 4 enter(MPI_Request_free) 5 leave(MPI_Request_free)";
    check(
        &format!("0: 1 isend>1#1 {cancelled} 9 enter(MPI_Finalize)\n1: 9 enter(MPI_Finalize)"),
        expect![[""]],
    );
    check(
        &format!(
            "0: 1 isend>1#1 2 wait#1 {cancelled} 9 enter(MPI_Finalize)\n1: 9 enter(MPI_Finalize)"
        ),
        expect![[r#"
            0:1 unmatched send
        "#]],
    );
}
