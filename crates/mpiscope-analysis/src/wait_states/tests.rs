//! Each wait state as a picture, and the laws of all of them.

use super::*;

/// Expects wait states, each as `late sender: 0 waits 50 for 1`.
#[track_caller]
fn check(picture: &str, expected: &[&str]) {
    let trace = Trace::parse(picture).unwrap();
    let found = wait_states(&trace, &trace.matching());
    let rank = |event: EventRef| trace.locations[event.location.index()].rank.0;
    let shown = found.iter().map(|state| {
        let wrong = if state.contradicts {
            ", clocks wrong"
        } else {
            ""
        };
        format!(
            "{}: {} waits {} for {}{wrong}",
            state.kind.name(),
            rank(state.call),
            state.duration().0,
            rank(state.cause)
        )
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected, "{picture}");
}

#[test]
fn a_receive_waits_until_its_sender_enters_the_send() {
    check(
        "0: 10 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv)
         1: 0 60 enter(MPI_Send) 61 send>0 75 leave(MPI_Send)",
        &["late sender: 0 waits 50 for 1"],
    );
}

#[test]
fn a_message_that_is_there_is_not_waited_for() {
    check(
        "0: 0 60 enter(MPI_Recv) 72 recv<1 73 leave(MPI_Recv)
         1: 10 enter(MPI_Send) 11 send>0 15 leave(MPI_Send)",
        &[],
    );
}

#[test]
fn a_nonblocking_receive_waits_where_it_completes() {
    check(
        "0: 1 enter(MPI_Irecv) 2 irecv#1 3 leave(MPI_Irecv) 10 enter(MPI_Wait) 72 wait<1#1 73 leave(MPI_Wait)
         1: 0 60 enter(MPI_Isend) 61 isend>0#1 62 leave(MPI_Isend) 80 enter(MPI_Wait) 81 wait#1 82 leave(MPI_Wait)",
        &["late sender: 0 waits 50 for 1"],
    );
}

#[test]
fn a_wait_for_several_waits_for_the_last() {
    check(
        "0: 1 irecv#1 2 irecv#2 10 enter(MPI_Waitall) 72 wait<1#1 73 wait<2#2 74 leave(MPI_Waitall)
         1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)
         2: 0 40 enter(MPI_Send) 41 send>0 42 leave(MPI_Send)",
        &["late sender: 0 waits 50 for 1"],
    );
}

#[test]
fn a_probe_waits_for_the_sender_too() {
    check(
        "0: 10 enter(MPI_Probe) 72 probe<1 73 leave(MPI_Probe) 74 enter(MPI_Recv) 75 recv<1 76 leave(MPI_Recv)
         1: 0 60 enter(MPI_Send) 61 send>0 62 leave(MPI_Send)",
        &["late sender: 0 waits 50 for 1"],
    );
}

#[test]
fn a_send_that_outlasts_the_entry_of_its_receive_waited_for_it() {
    check(
        "0: 10 enter(MPI_Send) 11 send>1 70 leave(MPI_Send)
         1: 0 60 enter(MPI_Recv) 71 recv<0 72 leave(MPI_Recv)",
        &["late receiver: 0 waits 50 for 1"],
    );
}

#[test]
fn a_send_that_had_ended_did_not() {
    check(
        "0: 10 enter(MPI_Send) 11 send>1 15 leave(MPI_Send)
         1: 0 60 enter(MPI_Recv) 71 recv<0 72 leave(MPI_Recv)",
        &[],
    );
}

#[test]
fn a_nonblocking_send_waits_where_it_completes_for_the_post() {
    check(
        "0: 1 enter(MPI_Isend) 2 isend>1#1 3 leave(MPI_Isend) 10 enter(MPI_Wait) 71 wait#1 72 leave(MPI_Wait)
         1: 0 60 enter(MPI_Irecv) 61 irecv#1 62 leave(MPI_Irecv) 80 enter(MPI_Wait) 81 wait<0#1 82 leave(MPI_Wait)",
        &["late receiver: 0 waits 50 for 1"],
    );
}

#[test]
fn an_exchange_waits_for_whom_it_receives_from() {
    check(
        "0: 10 enter(MPI_Sendrecv) 11 send>1 72 recv<1 73 leave(MPI_Sendrecv)
         1: 0 60 enter(MPI_Sendrecv) 61 send>0 72 recv<0 73 leave(MPI_Sendrecv)",
        &["late sender: 0 waits 50 for 1"],
    );
}

#[test]
fn a_barrier_waits_for_the_last_to_come() {
    check(
        "0: 10 enter(MPI_Barrier) 11 barrier{ 70 } 71 leave(MPI_Barrier)
         1: 0 60 enter(MPI_Barrier) 61 barrier{ 70 } 71 leave(MPI_Barrier)
         2: 40 barrier{ 70 }",
        &[
            "wait at barrier: 0 waits 50 for 1",
            "wait at barrier: 2 waits 20 for 1",
        ],
    );
}

#[test]
fn an_operation_of_all_with_all_waits_for_the_last_to_come() {
    check(
        "0: 10 allreduce{ 70 }
         1: 0 60 allreduce{ 70 }",
        &["wait at n x n: 0 waits 50 for 1"],
    );
}

#[test]
fn a_broadcast_waits_for_its_root_alone() {
    check(
        "0: 10 bcast(root=1){ 70 }
         1: 0 60 bcast(root=1,received=0){ 70 }
         2: 0 80 bcast(root=1){ 85 }",
        &["late broadcast: 0 waits 50 for 1"],
    );
}

#[test]
fn a_root_that_reduces_waits_for_the_last_sender() {
    check(
        "0: 10 reduce(root=0){ 70 }
         1: 0 60 reduce(root=0,received=0){ 62 }
         2: 0 40 reduce(root=0,received=0){ 42 }",
        &["early reduce: 0 waits 50 for 1"],
    );
}

#[test]
fn a_scan_waits_for_lower_ranks() {
    check(
        "0: 0 30 scan{ 32 }
         1: 10 scan{ 70 }
         2: 0 60 scan{ 70 }",
        &["early scan: 1 waits 20 for 0"],
    );
}

#[test]
fn a_nonblocking_operation_waits_where_it_completes() {
    check(
        "0: 1 enter(MPI_Ibarrier) 2 icollective#1 3 leave(MPI_Ibarrier) 10 enter(MPI_Wait) 70 ibarrier#1 71 leave(MPI_Wait)
         1: 0 60 enter(MPI_Ibarrier) 61 icollective#1 62 leave(MPI_Ibarrier) 63 enter(MPI_Wait) 70 ibarrier#1 71 leave(MPI_Wait)",
        &["wait at barrier: 0 waits 50 for 1"],
    );
}

#[test]
fn across_groups_one_waits_for_the_other_group_alone() {
    check(
        "comm bridge: 0 1 | 2 3
         0: 10 bcast(root=self,comm=bridge,received=0){ 12 }
         1: 10 bcast(root=outside,comm=bridge,sent=0,received=0){ 12 }
         2: 5 bcast(root=0,comm=bridge,sent=0){ 30 }
         3: 0 20 bcast(root=0,comm=bridge,sent=0){ 30 }",
        &["late broadcast: 2 waits 5 for 0"],
    );
}

#[test]
fn the_other_side_of_a_window_is_waited_for() {
    check(
        "win w: world
         0: 0 enter(MPI_Win_start) 1 group_sync(w,1) 2 leave(MPI_Win_start) \
            10 enter(MPI_Win_complete) 60 group_sync(w,1) 61 leave(MPI_Win_complete)
         1: 0 50 enter(MPI_Win_post) 51 group_sync(w,0) 52 leave(MPI_Win_post) \
            60 enter(MPI_Win_wait) 62 group_sync(w,0) 63 leave(MPI_Win_wait)",
        &["late post: 0 waits 40 for 1"],
    );
}

#[test]
fn a_start_that_lasts_until_the_post_waits_for_it() {
    let picture = |start: u32| {
        format!(
            "win w: world
             0: 0 enter(MPI_Win_start) 1 group_sync(w,1) {start} leave(MPI_Win_start) \
                60 enter(MPI_Win_complete) 61 group_sync(w,1) 62 leave(MPI_Win_complete)
             1: 0 50 enter(MPI_Win_post) 51 group_sync(w,0) 52 leave(MPI_Win_post) \
                61 enter(MPI_Win_wait) 62 group_sync(w,0) 63 leave(MPI_Win_wait)"
        )
    };
    check(&picture(53), &["late post: 0 waits 50 for 1"]);
    check(&picture(40), &[]);
}

/// Rank 1 has posted and waits; rank 0 puts, computes, and completes.
#[test]
fn who_waits_for_the_end_of_an_epoch_waits_early_and_of_that_for_a_late_complete() {
    let picture = |put: u32| {
        format!(
            "win w: world
             0: 0 enter(MPI_Win_start) 1 group_sync(w,1) 2 leave(MPI_Win_start) \
                3 enter(MPI_Put) {put} leave(MPI_Put) \
                {put} enter(MPI_Get_address) 60 leave(MPI_Get_address) \
                60 enter(MPI_Win_complete) 61 group_sync(w,1) 62 leave(MPI_Win_complete)
             1: 0 enter(MPI_Win_post) 1 group_sync(w,0) 2 leave(MPI_Win_post) \
                10 enter(MPI_Win_wait) 65 group_sync(w,0) 66 leave(MPI_Win_wait)"
        )
    };
    for (put, late) in [(4, 50), (40, 20), (60, 0)] {
        check(&picture(put), &["early wait: 1 waits 50 for 0"]);
        let trace = Trace::parse(&picture(put)).unwrap();
        let lines = timelines(&trace);
        let waits = find(&trace, &trace.matching(), &lines);
        assert_eq!(late_complete::find(&trace, &lines, &waits).time.0, late);
    }
}

#[test]
fn a_window_is_created_by_all() {
    check(
        "win w: world
         0: 0 enter(MPI_Win_create) 50 win_create(w) 51 leave(MPI_Win_create)
         1: 0 40 enter(MPI_Win_create) 50 win_create(w) 51 leave(MPI_Win_create)",
        &["wait at window creation: 0 waits 40 for 1"],
    );
}

/// Rank 0 holds the lock, rank 1 has asked for it: in the lock, or in the unlock.
#[test]
fn the_holder_of_a_window_is_waited_for() {
    let picture = |lock: &str, second: &str, third: u32| {
        format!(
            "win w: world
             0: 0 enter(MPI_Win_lock) 1 lock_request(w,{lock}) 2 leave(MPI_Win_lock) \
                50 enter(MPI_Win_unlock) 51 lock_acquire(w,{lock}) 52 lock_release(w,2,0) 53 leave(MPI_Win_unlock)
             1: 5 enter(MPI_Win_lock) 6 lock_request(w,{second}) {third} leave(MPI_Win_lock) \
                {third} enter(MPI_Win_unlock) 70 lock_acquire(w,{second}) 71 lock_release(w,2,0) 72 leave(MPI_Win_unlock)
             2: 0"
        )
    };
    let waits = |lasting: u32| format!("wait for window lock: 1 waits {lasting} for 0");
    check(&picture("2,0", "2,0", 60), &[&waits(45)]);
    check(&picture("2,0", "2,0", 10), &[&waits(40)]);
    check(&picture("2,0,shared", "2,0", 60), &[&waits(45)]);
    check(&picture("2,0", "2,0,shared", 60), &[&waits(45)]);
    check(&picture("2,0,shared", "2,0,shared", 60), &[]);
}

#[test]
fn a_lock_of_all_parts_excludes_those_of_each() {
    check(
        "win w: world
         0: 0 enter(MPI_Win_lock) 1 lock_request(w,2,0) 2 leave(MPI_Win_lock) \
            50 enter(MPI_Win_unlock) 51 lock_acquire(w,2,0) 52 lock_release(w,2,0) 53 leave(MPI_Win_unlock)
         1: 5 enter(MPI_Win_lock_all) 6 lock_request(w,4294967295,0,shared) 60 leave(MPI_Win_lock_all) \
            70 enter(MPI_Win_unlock_all) 70 lock_acquire(w,4294967295,0,shared) \
            71 lock_release(w,4294967295,0) 72 leave(MPI_Win_unlock_all)
         2: 20 enter(MPI_Win_lock) 21 lock_request(w,1,0) 71 leave(MPI_Win_lock) \
            80 enter(MPI_Win_unlock) 81 lock_acquire(w,1,0) 82 lock_release(w,1,0) 83 leave(MPI_Win_unlock)",
        &[
            "wait for window lock: 1 waits 45 for 0",
            "wait for window lock: 2 waits 50 for 1",
        ],
    );
}

/// Rank 0 is done with part 1 last, though rank 1 ends its unlock of part 0 later.
#[test]
fn who_locks_all_parts_waits_for_the_last_who_gives_one_back() {
    check(
        "win w: world
         0: 0 enter(MPI_Win_lock) 1 lock_request(w,1,0) 2 lock_acquire(w,1,0) 3 leave(MPI_Win_lock) \
            50 enter(MPI_Win_unlock) 51 lock_release(w,1,0) 52 leave(MPI_Win_unlock)
         1: 0 enter(MPI_Win_lock) 1 lock_request(w,0,0) 2 lock_acquire(w,0,0) 3 leave(MPI_Win_lock) \
            40 enter(MPI_Win_unlock) 41 lock_release(w,0,0) 59 leave(MPI_Win_unlock)
         2: 5 enter(MPI_Win_lock_all) 6 lock_request(w,4294967295,0,shared) \
            53 lock_acquire(w,4294967295,0,shared) 54 leave(MPI_Win_lock_all) \
            70 enter(MPI_Win_unlock_all) 71 lock_release(w,4294967295,0) 72 leave(MPI_Win_unlock_all)",
        &["wait for window lock: 2 waits 45 for 0"],
    );
}

/// Rank 0 has the lock next, after rank 1; rank 2 does not wait for it before it flushes.
#[test]
fn who_did_not_have_the_lock_next_waited_for_the_one_who_had() {
    check(
        "win w: world
         0: 20 enter(MPI_Win_lock) 21 lock_request(w,0,0) 41 lock_acquire(w,0,0) 42 leave(MPI_Win_lock) \
            60 enter(MPI_Win_unlock) 61 lock_release(w,0,0) 62 leave(MPI_Win_unlock)
         1: 0 enter(MPI_Win_lock) 1 lock_request(w,0,0) 2 lock_acquire(w,0,0) 3 leave(MPI_Win_lock) \
            40 enter(MPI_Win_unlock) 41 lock_release(w,0,0) 42 leave(MPI_Win_unlock)
         2: 38 enter(MPI_Win_lock) 39 lock_request(w,0,0) 41 leave(MPI_Win_lock) \
            50 enter(MPI_Win_flush) 61 lock_acquire(w,0,0) 62 leave(MPI_Win_flush) \
            70 enter(MPI_Win_unlock) 71 lock_release(w,0,0) 72 leave(MPI_Win_unlock)",
        &[
            "wait for window lock: 0 waits 20 for 1",
            "wait for window lock: 2 waits 10 for 0",
        ],
    );
}

#[test]
fn where_the_order_of_a_lock_is_told_its_unlock_waits() {
    check(
        "win w: world
         0: 0 enter(MPI_Win_lock) 1 lock_request(w,0,0) 2 leave(MPI_Win_lock) \
            50 enter(MPI_Win_unlock) 51 lock_acquire(w,0,0) !seq(0) 52 lock_release(w,0,0) 53 leave(MPI_Win_unlock)
         1: 5 enter(MPI_Win_lock) 6 lock_request(w,0,0) 7 leave(MPI_Win_lock) \
            10 enter(MPI_Win_unlock) 11 lock_acquire(w,0,0) !seq(1) 12 lock_release(w,0,0) 60 leave(MPI_Win_unlock)",
        &["wait for window lock: 1 waits 40 for 0"],
    );
}

#[test]
fn the_last_to_finalize_is_waited_for() {
    check(
        "0: 10 enter(MPI_Finalize) 70 leave(MPI_Finalize)
         1: 0 60 enter(MPI_Finalize) 70 leave(MPI_Finalize)",
        &["wait at finalization: 0 waits 50 for 1"],
    );
}

#[test]
fn neighbours_wait_for_neighbours_alone() {
    check(
        "comm ring: 0 1 2 edges 1>0 2>1
         0: 10 neighbor_alltoall(comm=ring){ 70 }
         1: 0 60 neighbor_alltoall(comm=ring){ 71 }
         2: 0 40 neighbor_alltoall(comm=ring){ 41 }",
        &["wait at n x n: 0 waits 50 for 1"],
    );
}

#[test]
fn a_call_never_waits_longer_than_it_lasts() {
    check(
        "0: 10 enter(MPI_Recv) 20 recv<1 30 leave(MPI_Recv)
         1: 0 60 enter(MPI_Send) 61 send>0 75 leave(MPI_Send)",
        &["late sender: 0 waits 20 for 1, clocks wrong"],
    );
}

#[test]
fn who_waits_in_a_call_that_never_ended_waits_to_the_end() {
    check("0: 10 enter(MPI_Recv) 80\n1: 0 60", &[]);
}
