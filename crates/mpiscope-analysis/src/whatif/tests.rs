//! Small runs, each in a picture, and what they would take.

use expect_test::{expect, Expect};
use mpiscope_model::{Duration, Timestamp, Trace};

use super::{Changes, Replay};
use crate::efficiency::IdealNetwork as _;
use crate::profile::Activity;

/// Expects what a replay takes with nothing changed and with changes, and how long each rank waits.
#[track_caller]
fn check(picture: &str, change: impl Fn(&Trace, &Replay, &mut Changes), expected: &Expect) {
    let trace = Trace::parse(picture).unwrap();
    let replay = Replay::of(&trace, &trace.matching());
    let unchanged = replay.run(&Changes::default());
    assert_eq!(
        unchanged,
        replay.measured(),
        "what is unchanged is as it was"
    );
    let mut changes = Changes::default();
    change(&trace, &replay, &mut changes);
    let changed = replay.run(&changes);
    let ranks = unchanged.ranks.iter().zip(&changed.ranks);
    let rank = |(a, b): (&super::OfRank, &super::OfRank)| {
        format!(
            "rank {}: {} -> {}, waiting {} -> {}",
            a.rank, a.end.0, b.end.0, a.waiting.0, b.waiting.0
        )
    };
    expected.assert_eq(&ranks.map(rank).collect::<Vec<_>>().join("\n"));
}

/// Returns whether an activity is a region or a call of this name.
fn is(trace: &Trace, activity: &Activity, name: &str) -> bool {
    let region = match activity {
        Activity::Region(region) => Some(*region),
        Activity::Mpi(statement) => statement.place.region,
        _ => None,
    };
    region.is_some_and(|it| trace.definitions.regions[it.index()].name == name)
}

const LATE: &str = "
    0: 0 10 enter(MPI_Recv) 52 recv<1(bytes=100) 53 leave(MPI_Recv) 60
    1: 0 enter(solve) 50 leave(solve) 50 enter(MPI_Send) 50 send>0(bytes=100) 54 leave(MPI_Send) 56";

#[test]
fn a_receive_waits_for_a_faster_sender_less_long() {
    check(
        LATE,
        |trace, replay, changes| changes.scale(replay, 0.5, |_, it| is(trace, it, "solve")),
        &expect![[r#"
            rank 0: 60 -> 35, waiting 40 -> 15
            rank 1: 56 -> 31, waiting 0 -> 0"#]],
    );
}

#[test]
fn a_sender_that_is_much_faster_is_not_waited_for() {
    check(
        LATE,
        |trace, replay, changes| changes.scale(replay, 0.1, |_, it| is(trace, it, "solve")),
        &expect![[r#"
            rank 0: 60 -> 20, waiting 40 -> 0
            rank 1: 56 -> 11, waiting 0 -> 0"#]],
    );
}

#[test]
fn one_rank_alone_is_changed() {
    check(
        LATE,
        |_, replay, changes| {
            changes.scale(replay, 6.0, |rank, it| {
                rank == 0 && replay.is_computation(it)
            })
        },
        &expect![[r#"
            rank 0: 60 -> 105, waiting 40 -> 0
            rank 1: 56 -> 56, waiting 0 -> 0"#]],
    );
}

#[test]
fn calls_that_wait_for_nobody_go_on() {
    check(
        LATE,
        |trace, replay, changes| changes.no_wait(replay, |it| is(trace, it, "MPI_Recv")),
        &expect![[r#"
            rank 0: 60 -> 20, waiting 40 -> 0
            rank 1: 56 -> 56, waiting 0 -> 0"#]],
    );
}

#[test]
fn messages_take_as_long_as_the_network() {
    check(
        LATE,
        |_, _, changes| {
            changes.latency = Some(Duration(20));
            changes.bandwidth = Some(1e10);
        },
        &expect![[r#"
            rank 0: 60 -> 87, waiting 40 -> 40
            rank 1: 56 -> 56, waiting 0 -> 0"#]],
    );
}

/// Four ranks meet at a barrier, in which they stay `took` after the last has come; a message takes 10.
#[track_caller]
fn check_barrier(took: i64, expected: &Expect) {
    let end = 50 + took;
    let waits = |rank: u32| format!("{rank}: 0 40 barrier{{ {end} }} {end}\n");
    let picture = format!(
        "0: 0 10 enter(MPI_Recv) 30 recv<3(bytes=8) 30 leave(MPI_Recv) 40 barrier{{ {end} }} {end}
         {}{}3: 0 20 enter(MPI_Send) 20 send>0(bytes=8) 21 leave(MPI_Send) 50 barrier{{ {end} }} {end}",
        waits(1),
        waits(2),
    );
    let slower = |_: &Trace, _: &Replay, changes: &mut Changes| {
        changes.latency = Some(Duration(20));
    };
    check(&picture, slower, expected);
}

#[test]
fn an_operation_has_as_many_stages_as_the_run_shows() {
    // One message's time: rank 0, which goes on at 40, comes to it at 50.
    check_barrier(
        10,
        &expect![[r#"
            rank 0: 60 -> 70, waiting 20 -> 10
            rank 1: 60 -> 70, waiting 10 -> 10
            rank 2: 60 -> 70, waiting 10 -> 10
            rank 3: 60 -> 70, waiting 0 -> 0"#]],
    );
    // Twice that.
    check_barrier(
        20,
        &expect![[r#"
            rank 0: 70 -> 90, waiting 20 -> 10
            rank 1: 70 -> 90, waiting 10 -> 10
            rank 2: 70 -> 90, waiting 10 -> 10
            rank 3: 70 -> 90, waiting 0 -> 0"#]],
    );
    // A binary tree of four has two stages: what is more stays as it was.
    check_barrier(
        35,
        &expect![[r#"
            rank 0: 85 -> 105, waiting 20 -> 10
            rank 1: 85 -> 105, waiting 10 -> 10
            rank 2: 85 -> 105, waiting 10 -> 10
            rank 3: 85 -> 105, waiting 0 -> 0"#]],
    );
}

#[test]
fn what_all_meet_after_is_balanced() {
    check(
        "0: 0 10 barrier{ 50 } 60 barrier{ 100 }
         1: 0 50 barrier{ 50 } 100 barrier{ 100 } 105",
        |_, replay, changes| changes.balance(replay, |it| replay.is_computation(it)),
        &expect![[r#"
            rank 0: 100 -> 60, waiting 80 -> 0
            rank 1: 105 -> 65, waiting 0 -> 0"#]],
    );
}

#[test]
fn roots_wait_for_all_and_all_for_roots() {
    check(
        "0: 0 10 bcast(root=0,received=0){ 12 } 20 reduce(root=0,sent=0){ 62 } 70
         1: 0 5 bcast(root=0,sent=0){ 13 } 60 reduce(root=0,received=0){ 61 } 70
         2: 0 5 bcast(root=0,sent=0){ 14 } 30 reduce(root=0,received=0){ 31 } 70",
        |_, replay, changes| {
            changes.scale(replay, 0.5, |rank, it| {
                rank == 1 && replay.is_computation(it)
            })
        },
        &expect![[r#"
            rank 0: 70 -> 47, waiting 40 -> 17
            rank 1: 70 -> 43, waiting 5 -> 7
            rank 2: 70 -> 70, waiting 5 -> 5"#]],
    );
}

#[test]
fn a_send_waits_for_its_receiver_if_it_did_in_the_run() {
    let run = "0: 0 10 enter(MPI_Send) 10 send>1(bytes=9000) 42 leave(MPI_Send) 44 enter(MPI_Send) 44 send>1(bytes=10) 45 leave(MPI_Send) 50
         1: 0 40 enter(MPI_Recv) 41 recv<0(bytes=9000) 42 leave(MPI_Recv) 60 enter(MPI_Recv) 60 recv<0(bytes=10) 61 leave(MPI_Recv) 70";
    check(
        run,
        |_, replay, changes| {
            changes.scale(replay, 2.0, |rank, it| {
                rank == 1 && replay.is_computation(it)
            })
        },
        &expect![[r#"
            rank 0: 50 -> 90, waiting 30 -> 70
            rank 1: 70 -> 137, waiting 0 -> 0"#]],
    );
}

#[test]
fn wrong_clocks_and_circles_change_nothing() {
    check(
        "0: 10 enter(MPI_Recv) 20 recv<1 30 leave(MPI_Recv) 50 enter(MPI_Send) 50 send>1 51 leave(MPI_Send) 60
         1: 10 enter(MPI_Recv) 20 recv<0 30 leave(MPI_Recv) 50 enter(MPI_Send) 50 send>0 51 leave(MPI_Send) 60",
        |_, _, _| {},
        &expect![[r#"
            rank 0: 60 -> 60, waiting 0 -> 0
            rank 1: 60 -> 60, waiting 20 -> 20"#]],
    );
}

#[test]
fn threads_without_calls_follow_their_process() {
    check(
        "0: 0 5 fork(2) 5 team_begin(t) 6 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t) 53 join \
            55 enter(MPI_Send) 55 send>1 56 leave(MPI_Send)
         0.1: 5 team_begin(t) 50 enter(omp_barrier) 51 leave(omp_barrier) 52 team_end(t)
         1: 0 8 enter(MPI_Recv) 56 recv<0 57 leave(MPI_Recv)",
        |_, _, _| {},
        &expect![[r#"
            rank 0: 56 -> 56, waiting 0 -> 0
            rank 1: 57 -> 57, waiting 47 -> 47"#]],
    );
}

#[test]
fn a_rank_without_events_and_other_locations_are_no_trouble() {
    check(
        "accelerator 0.1:\n0: 3\n0.1: 1 20\n1:",
        |_, _, _| {},
        &expect!["rank 0: 3 -> 3, waiting 0 -> 0"],
    );
    check("", |_, _, _| {}, &expect![""]);
}

#[test]
fn a_line_that_samples_tell_is_scaled_by_its_part() {
    check(
        "0: 0 10 sample(a.c:1) 20 sample(a.c:1*2) 30 sample(a.c:2) 40 enter(MPI_Send) 40 send>1 41 leave(MPI_Send)
         1: 0 10 enter(MPI_Recv) 41 recv<0 42 leave(MPI_Recv)",
        |trace, replay, changes| {
            let is_first = |line| line == Some(1);
            let sites = &trace.definitions.call_sites;
            assert!(changes.scale_sampled(replay, 0.0, |_, it| is_first(sites[it.index()].line)));
        },
        &expect![[r#"
            rank 0: 41 -> 11, waiting 0 -> 0
            rank 1: 42 -> 12, waiting 30 -> 0"#]],
    );
}

#[test]
fn threads_that_call_mpi_begin_where_they_are_forked() {
    check(
        "0: 0 enter(solve) 20 leave(solve) 20 fork(2) 21 team_begin(t) 70 team_end(t) 72 join
         0.1: 22 team_begin(t) 30 enter(MPI_Send) 30 send>1 31 leave(MPI_Send) 60 team_end(t)
         1: 0 8 enter(MPI_Recv) 31 recv<0 32 leave(MPI_Recv) 33",
        |trace, replay, changes| changes.scale(replay, 0.5, |_, it| is(trace, it, "solve")),
        &expect![[r#"
            rank 0: 72 -> 62, waiting 0 -> 0
            rank 1: 33 -> 23, waiting 22 -> 12"#]],
    );
}

/// The run of the book's page, whose figures are in its text.
#[test]
fn the_book_says_what_its_run_would_take() {
    const RUN: &str = "
        0: 0 enter(solve) 60000 leave(solve) 60000 enter(MPI_Send) 60000 send>1(bytes=1000) 62000 leave(MPI_Send) \
           70000 enter(MPI_Barrier) 70000 barrier{ 95000 } 95000 leave(MPI_Barrier) 100000
        1: 0 enter(solve) 30000 leave(solve) 30000 enter(MPI_Recv) 64000 recv<0(bytes=1000) 65000 leave(MPI_Recv) \
           93000 enter(MPI_Barrier) 93000 barrier{ 95000 } 95000 leave(MPI_Barrier) 100000";
    check(
        RUN,
        |trace, replay, changes| changes.scale(replay, 0.5, |_, it| is(trace, it, "solve")),
        &expect![[r#"
            rank 0: 100000 -> 70000, waiting 23000 -> 23000
            rank 1: 100000 -> 70000, waiting 30000 -> 15000"#]],
    );
    check(
        RUN,
        |_, replay, changes| changes.balance(replay, |it| replay.is_computation(it)),
        &expect![[r#"
            rank 0: 100000 -> 98002, waiting 23000 -> 26002
            rank 1: 100000 -> 98002, waiting 30000 -> 23002"#]],
    );
    check(
        RUN,
        |_, _, changes| {
            changes.latency = Some(Duration(1000));
            changes.bandwidth = Some(1e9);
        },
        &expect![[r#"
            rank 0: 100000 -> 96000, waiting 23000 -> 20000
            rank 1: 100000 -> 96000, waiting 30000 -> 30000"#]],
    );
    check(
        RUN,
        |trace, replay, changes| changes.no_wait(replay, |it| is(trace, it, "MPI_Recv")),
        &expect![[r#"
            rank 0: 100000 -> 77000, waiting 23000 -> 0
            rank 1: 100000 -> 77000, waiting 30000 -> 7000"#]],
    );
}

#[test]
fn who_waits_less_is_woken_up_sooner() {
    check(
        "0: 0 10 enter(MPI_Recv) 60 recv<1 70 leave(MPI_Recv) 130 enter(MPI_Recv) 131 recv<1 132 leave(MPI_Recv)
         1: 0 50 enter(MPI_Send) 50 send>0 51 leave(MPI_Send) 100 enter(MPI_Send) 100 send>0 101 leave(MPI_Send)",
        |_, replay, changes| changes.scale(replay, 0.5, |rank, it| rank == 1 && replay.is_computation(it)),
        &expect![[r#"
            rank 0: 132 -> 96, waiting 40 -> 15
            rank 1: 101 -> 52, waiting 0 -> 0"#]],
    );
}

/// What rank 1 computes takes twice as long, and its receive is posted later.
#[track_caller]
fn check_slower_receiver(picture: &str, expected: &Expect) {
    let slower = |_: &Trace, replay: &Replay, changes: &mut Changes| {
        changes.scale(replay, 2.0, |rank, it| {
            rank == 1 && replay.is_computation(it)
        })
    };
    check(picture, slower, expected);
}

#[test]
fn buffered_sends_do_not_tell_that_others_do_not_wait() {
    const RECEIVER: &str = "
        1: 0 40 enter(MPI_Recv) 40 recv<0(bytes=4000000) 42 leave(MPI_Recv) \
           42 enter(MPI_Recv) 42 recv<0(bytes=2000000) 47 leave(MPI_Recv) 60";
    const SENDS: &str = "12 enter(MPI_Send) 12 send>1(bytes=2000000) 46 leave(MPI_Send) 50";
    let waits = expect![[r#"
        rank 0: 50 -> 90, waiting 30 -> 70
        rank 1: 60 -> 113, waiting 0 -> 0"#]];
    for name in ["MPI_Bsend", "MPI_Bsend_c", "MPI_Ibsend"] {
        let buffered = format!("10 enter({name}) 10 send>1(bytes=4000000) 11 leave({name})");
        check_slower_receiver(&format!("0: 0 {buffered} {SENDS}{RECEIVER}"), &waits);
    }
    let started = "5 enter(MPI_Bsend_init) 6 leave(MPI_Bsend_init) 10 enter(MPI_Start) \
        10 send>1(bytes=4000000) 11 leave(MPI_Start)";
    check_slower_receiver(&format!("0: 0 {started} {SENDS}{RECEIVER}"), &waits);
    // Another send of that size tells it.
    let plain = "10 enter(MPI_Send) 10 send>1(bytes=4000000) 11 leave(MPI_Send)";
    check_slower_receiver(
        &format!("0: 0 {plain} {SENDS}{RECEIVER}"),
        &expect![[r#"
            rank 0: 50 -> 50, waiting 0 -> 0
            rank 1: 60 -> 113, waiting 0 -> 0"#]],
    );
}

#[test]
fn a_send_that_ends_as_soon_as_it_is_received_waited_for_that() {
    const SMALL: &str = "
        0: 0 1000 enter(MPI_Send) 1000 send>1(bytes=800) 11000 leave(MPI_Send) 20000 enter(MPI_Send) 20000 send>1(bytes=800) 20100 leave(MPI_Send) 21000
        1: 0 10900 enter(MPI_Recv) 10900 recv<0(bytes=800) 11100 leave(MPI_Recv) 22000 enter(MPI_Recv) 22000 recv<0(bytes=800) 22200 leave(MPI_Recv)";
    // Another one as large did not, so that the size tells nothing.
    check_slower_receiver(
        SMALL,
        &expect![[r#"
            rank 0: 21000 -> 31900, waiting 9900 -> 20800
            rank 1: 22200 -> 44000, waiting 0 -> 0"#]],
    );
    let chance = SMALL.replace(" 11000 leave(MPI_Send)", " 15000 leave(MPI_Send)");
    check_slower_receiver(
        &chance,
        &expect![[r#"
            rank 0: 21000 -> 21000, waiting 0 -> 0
            rank 1: 22200 -> 44000, waiting 0 -> 0"#]],
    );
}

#[test]
fn beginning_and_ending_mpi_is_no_transfer() {
    check(
        "0: 0 10 enter(MPI_Finalize) 110 leave(MPI_Finalize)
         1: 0 10 enter(MPI_Finalize) 110 leave(MPI_Finalize)",
        |_, _, changes| {
            changes.latency = Some(Duration(0));
            changes.bandwidth = Some(f64::INFINITY);
        },
        &expect![[r#"
            rank 0: 110 -> 110, waiting 0 -> 0
            rank 1: 110 -> 110, waiting 0 -> 0"#]],
    );
}

#[test]
fn what_is_scaled_everywhere_is_so_on_each_rank() {
    let trace = Trace::parse(LATE).unwrap();
    let replay = Replay::of(&trace, &trace.matching());
    let [mut by_rank, mut everywhere] = [Changes::default(), Changes::default()];
    by_rank.scale(&replay, 0.25, |_, it| is(&trace, it, "solve"));
    for _ in 0..2 {
        everywhere.scale_everywhere(&replay, 0.5, |it| is(&trace, it, "solve"));
    }
    assert_eq!(replay.run(&by_rank), replay.run(&everywhere));
}

#[test]
fn ranks_meet_also_among_locations_that_are_not_replayed() {
    check(
        "accelerator 0.1:
         0: 0 10 enter(MPI_Barrier) 10 barrier{ 50 } 50 leave(MPI_Barrier)
         0.1: 1 20
         1: 0 50 enter(MPI_Barrier) 50 barrier{ 50 } 50 leave(MPI_Barrier)",
        |_, replay, changes| {
            assert_eq!(replay.meetings(), 1);
            changes.balance(replay, |it| replay.is_computation(it));
        },
        &expect![[r#"
            rank 0: 50 -> 30, waiting 40 -> 0
            rank 1: 50 -> 30, waiting 0 -> 0"#]],
    );
}

#[test]
fn times_that_no_clock_shows_do_not_overflow() {
    let trace = Trace::parse(
        "0: -9223372036854775808 enter(MPI_Recv) 9223372036854775806 recv<1 \
            9223372036854775807 leave(MPI_Recv) 9223372036854775807
         1: -9223372036854775807 enter(MPI_Send) 9223372036854775806 send>0 \
            9223372036854775807 leave(MPI_Send)",
    )
    .unwrap();
    let replay = Replay::of(&trace, &trace.matching());
    let mut changes = Changes::default();
    changes.scale_everywhere(&replay, 1e6, |_| true);
    changes.balance(&replay, |_| true);
    changes.latency = Some(Duration(i64::MAX));
    changes.bandwidth = Some(1.0);
    assert!(replay.run(&changes).length() >= Duration::ZERO);
    assert!(replay.sums().iter().all(|it| it[1] >= Duration::ZERO));
}

/// Expects how long a part of a run takes on an ideal network.
#[track_caller]
fn check_ideal(picture: &str, (from, to): (i64, i64), expected: i64) {
    let trace = Trace::parse(picture).unwrap();
    let replay = Replay::of(&trace, &trace.matching());
    let found = replay.ideal(Timestamp(from), Timestamp(to));
    assert_eq!(found, Ok(Duration(expected)), "{from} to {to}");
}

#[test]
fn on_an_ideal_network_a_receive_ends_when_the_send_began() {
    check_ideal(LATE, (0, 60), 57);
    let posted_late = "
        0: 0 50 enter(MPI_Recv) 60 recv<1 63 leave(MPI_Recv) 70
        1: 0 10 enter(MPI_Send) 10 send>0 45 leave(MPI_Send) 46";
    check_ideal(posted_late, (0, 70), 57);
}

#[test]
fn on_an_ideal_network_an_operation_ends_when_the_last_that_it_needs_came() {
    let barrier = "
        0: 0 40 barrier{ 95 } 100
        1: 0 70 barrier{ 90 } 98";
    check_ideal(barrier, (0, 100), 78);
    let broadcast = "
        0: 0 40 bcast(root=0,received=0){ 60 } 100
        1: 0 10 bcast(root=0,sent=0){ 80 } 98
        2: 0 70 bcast(root=0,sent=0){ 98 } 100";
    check_ideal(broadcast, (0, 100), 80);
}

/// Both ends of the part are in calls and in what is computed.
#[test]
fn a_part_begins_and_ends_where_ranks_were_in_the_run() {
    let two = "
        0: 0 10 barrier{ 50 } 70 barrier{ 100 } 130
        1: 0 40 barrier{ 50 } 90 barrier{ 100 } 110";
    check_ideal(two, (0, 130), 40 + 40 + 30);
    // Nobody waits any more at 45, and rank 1 comes last at 90.
    check_ideal(two, (45, 130), 40 + 30);
    check_ideal(two, (20, 80), 20 + 30);
    check_ideal(two, (55, 60), 5);
    check_ideal(two, (42, 48), 0);
    check_ideal(two, (200, 300), 0);
}

#[test]
fn what_the_trace_does_not_tell_leaves_the_ideal_open() {
    let ideal = |picture: &str| {
        let trace = Trace::parse(picture).unwrap();
        let replay = Replay::of(&trace, &trace.matching());
        replay
            .ideal(Timestamp(0), Timestamp(100))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        ideal("0: 0 10 enter(MPI_Recv) 52 recv<1 53 leave(MPI_Recv) 60\n1: 0 60"),
        "of 1 send, receive or operation the other side is not in the trace"
    );
    assert_eq!(
        ideal("0: 0 10 enter(MPI_Send) 10 send>1 20 leave(MPI_Send) 60\n1: 0 50 recv<0 60"),
        "1 message stands in no call"
    );
}
