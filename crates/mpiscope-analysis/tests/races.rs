//! Races drawn as pictures: who could have got what, and what would follow.

use expect_test::{expect, Expect};
use mpiscope_analysis::meaning::Meaning;
use mpiscope_analysis::races::{Alternative, Races};
use mpiscope_model::{EventRef, Trace};

/// Names an event `rank:time`.
fn name(trace: &Trace, event: EventRef) -> String {
    let rank = trace.locations[event.location.index()].rank.0;
    format!("{rank}:{}", trace.time(event).0)
}

fn alternative(trace: &Trace, alternative: &Alternative) -> String {
    let mut text = name(trace, alternative.send);
    if alternative.block > 0 {
        text += &format!("+{}", alternative.block);
    }
    match alternative.meaning {
        Meaning::OrderRace => {}
        Meaning::Struck(event) => text += &format!(" saves {}", name(trace, event)),
        Meaning::Starves(event) => text += &format!(" starves {}", name(trace, event)),
        Meaning::Truncates { bytes, capacity } => {
            text += &format!(" of {bytes} bytes does not fit {capacity}");
        }
        Meaning::OtherType => text += " of another type",
    }
    text
}

fn check(picture: &str, expected: Expect) {
    let trace = Trace::parse(picture).unwrap();
    let mut text = String::new();
    for race in Races::find(&trace, &trace.matching()).list() {
        let alternatives = race.alternatives.iter();
        let alternatives: Vec<_> = alternatives.map(|it| alternative(&trace, it)).collect();
        let got = race.message.map_or("?".into(), |send| name(&trace, send));
        let what = if race.probe { " (probe)" } else { "" };
        text += &format!(
            "{}{what} got {got}, or {}\n",
            name(&trace, race.receive),
            alternatives.join(", ")
        );
    }
    expected.assert_eq(&text);
}

/// Clémençon et al. 1995, Figure 2: a simple race of three messages. Once the
/// first two are fixed, the third has no choice.
#[test]
fn three_messages_race_for_three_receives() {
    check(
        "0: 1 send>1
         1: 10 recv<0(any) 11 recv<3(any) 12 recv<2(any)
         2: 2 send>1
         3: 3 send>1",
        expect![[r#"
            1:10 got 0:1, or 2:2, 3:3
            1:11 got 3:3, or 2:2
        "#]],
    );
}

/// Figure 4 (a): the first message of 2 races with that of 0; the second was
/// sent after 1 had answered that of 0, and does not.
#[test]
fn what_was_sent_after_the_receive_does_not_race() {
    check(
        "0: 5 send>1
         1: 10 recv<2(any) 11 recv<0(any) 12 send>2 20 recv<2(any)
         2: 1 send>1 15 recv<1 16 send>1",
        expect![[r#"
            1:10 got 2:1, or 0:5
        "#]],
    );
}

/// Figure 4 (b): the first message of 2 races with both of 0, then the third
/// of 0 with two of 2: each of these blocks is one entry.
#[test]
fn a_block_of_messages_races_as_one() {
    check(
        "0: 1 send>1 2 send>1 14 recv<1 15 send>1
         1: 10 recv<0(any) 11 recv<0(any) 12 recv<2(any) 13 send>0 20 recv<2(any) 21 recv<2(any) 22 recv<0(any)
         2: 3 send>1 4 send>1 5 send>1",
        expect![[r#"
            1:10 got 0:1, or 2:3+2
            1:11 got 0:2, or 2:3+2
            1:20 got 2:4, or 0:15
            1:21 got 2:5, or 0:15
        "#]],
    );
}

#[test]
fn a_wildcard_that_takes_what_a_later_receive_names_is_a_hazard() {
    check(
        "0: 1 send>1
         1: 10 recv<0(any) 11 recv<2
         2: 2 send>1",
        expect![[r#"
            1:10 got 0:1, or 2:2 starves 1:11
        "#]],
    );
}

#[test]
fn a_named_receive_that_another_message_can_serve_does_not_starve() {
    check(
        "0: 1 send>1
         1: 10 recv<0(any) 11 recv<2 12 recv<2(any)
         2: 2 send>1 3 send>1",
        expect![[r#"
            1:10 got 0:1, or 2:2+1
        "#]],
    );
    // The second is sent too late: only after the first was answered.
    check(
        "0: 1 send>1
         1: 10 recv<0(any) 11 recv<2 12 send>2 20 recv<2(any)
         2: 2 send>1 13 recv<1 14 send>1",
        expect![[r#"
            1:10 got 0:1, or 2:2 starves 1:11
        "#]],
    );
}

/// The master answers whom it heard; what it does next depends on the message.
#[test]
fn a_master_who_names_the_worker_it_has_heard_has_order_races_alone() {
    check(
        "0: 10 recv<1(any,anytag,tag=1) 11 send>1(tag=2) 20 recv<1(tag=3) 21 recv<2(any,anytag,tag=1) 22 send>2(tag=2) 30 recv<2(tag=3)
         1: 1 send>0(tag=1) 12 recv<0(tag=2) 13 send>0(tag=3)
         2: 2 send>0(tag=1) 23 recv<0(tag=2) 24 send>0(tag=3)",
        expect![[r#"
            0:10 got 1:1, or 2:2
        "#]],
    );
}

/// Header and body under one tag: every order in which the program can run
/// ends well.
#[test]
fn header_and_body_of_one_sender_are_no_hazard() {
    check(
        "0: 10 recv<1(any) 11 recv<1 12 recv<2(any) 13 recv<2
         1: 1 send>0 2 send>0
         2: 3 send>0 4 send>0",
        expect![[r#"
            0:10 got 1:1, or 2:3+1
        "#]],
    );
}

#[test]
fn the_post_decides_not_the_completion() {
    // The answer to 1 goes out after the post and before the completion.
    check(
        "0: 1 irecv#1 2 irecv#2 5 send>2 20 wait<1#1(any) 21 wait<2#2(any)
         1: 3 send>0
         2: 7 recv<0 8 send>0",
        expect![[r#"
            0:20 got 1:3, or 2:8
        "#]],
    );
    // The second has shown by its completion that the first had been matched.
    check(
        "0: 1 irecv#1 2 irecv#2 5 wait<3#2(any) 6 send>2 20 wait<1#1(any) 30 recv<2(any)
         1: 3 send>0
         2: 7 recv<0 8 send>0
         3: 4 send>0",
        expect![[r#"
            0:20 got 1:3, or 3:4
        "#]],
    );
}

#[test]
fn tags_communicators_and_names_narrow_the_choice() {
    check(
        "comm row: 0 1 2 3
         0: 10 recv<1(any,tag=5) 11 recv<2(any,tag=6) 12 recv<3(any,comm=row) 13 recv<2(anytag)
         1: 1 send>0(tag=5)
         2: 2 send>0(tag=6) 3 send>0
         3: 4 send>0(comm=row)",
        expect![[""]],
    );
    check(
        "0: 10 recv<1(any,anytag,tag=5) 11 recv<2(any,tag=6)
         1: 1 send>0(tag=5)
         2: 2 send>0(tag=6)",
        expect![[r#"
            0:10 got 1:1, or 2:2 starves 0:11
        "#]],
    );
}

#[test]
fn probes_race_and_leave_the_message_where_it_is() {
    check(
        "0: 10 probe<1(any) 11 recv<1 12 probe<2(any) 13 recv<2
         1: 1 send>0
         2: 2 send>0",
        expect![[r#"
            0:10 (probe) got 1:1, or 2:2
        "#]],
    );
    // A matched probe takes it (MPI 4.1 §3.8.2).
    check(
        "0: 10 probe<1#7(any) 11 recv<2(any) 12 wait<1#7
         1: 1 send>0
         2: 2 send>0",
        expect![[r#"
            0:10 (probe) got 1:1, or 2:2
        "#]],
    );
}

#[test]
fn a_message_nobody_received_races_too() {
    check(
        "0: 10 recv<1(any)
         1: 1 send>0
         2: 2 send>0",
        expect![[r#"
            0:10 got 1:1, or 2:2
        "#]],
    );
}

#[test]
fn a_barrier_orders_what_was_sent_before_and_after() {
    check(
        "0: 10 recv<1(any) 11 barrier{ 12 } 20 recv<2(any)
         1: 1 send>0 2 barrier{ 13 }
         2: 3 barrier{ 14 } 15 send>0",
        expect![[""]],
    );
    // The receive comes after the barrier: both messages may be there.
    check(
        "0: 11 barrier{ 12 } 15 recv<1(any) 20 recv<2(any)
         1: 1 send>0 2 barrier{ 13 }
         2: 3 barrier{ 14 } 15 send>0",
        expect![[r#"
            0:15 got 1:1, or 2:15
        "#]],
    );
}

#[test]
fn a_message_too_long_or_of_another_type_is_a_hazard() {
    check(
        "0: 9 enter(MPI_Recv) !posted(any,cap=8,sig=1) 10 recv<1(any,bytes=8) 11 leave(MPI_Recv) 12 recv<2(any,bytes=16)
         1: 1 send>0(bytes=8) !sig(1)
         2: 2 send>0(bytes=16) !sig(1)",
        expect![[r#"
            0:10 got 1:1, or 2:2 of 16 bytes does not fit 8
        "#]],
    );
    check(
        "0: 9 irecv#1 !posted(any,sig=1) 10 wait<1#1(any) 12 recv<2(any)
         1: 1 send>0 !sig(1)
         2: 2 send>0 !sig(2)",
        expect![[r#"
            0:10 got 1:1, or 2:2 of another type
        "#]],
    );
}

#[test]
fn threads_of_one_sender_race_unless_one_waits_for_the_other() {
    check(
        "0: 10 recv<1 11 recv<1
         1: 1 send>0
         1.1: 2 send>0",
        expect![[r#"
            0:10 got 1:1, or 1:2
        "#]],
    );
    check(
        "0: 10 recv<1(any) 11 recv<1(any)
         1: 1 send>0 2 !signal(1)
         1.1: 3 !await(1) 4 send>0",
        expect![[""]],
    );
}

#[test]
fn a_cancelled_receive_takes_nothing() {
    check(
        "0: 1 irecv#1 2 cancel#1 10 recv<1(any) 11 recv<2(any)
         1: 3 send>0
         2: 4 send>0",
        expect![[r#"
            0:10 got 1:3, or 2:4
        "#]],
    );
}

/// When a synchronous send returns, a receive has begun to take its message:
/// what is sent on its word cannot overtake it. A standard send says nothing.
#[test]
fn what_follows_a_synchronous_send_does_not_race_with_it() {
    let picture = |send: &str| {
        format!(
            "0: 1 enter(MPI_Recv) !posted(any) 9 recv<1(any) 10 leave(MPI_Recv) 11 recv<2(any)
             1: 2 enter({send}) 3 send>0 4 leave({send}) 5 send>2(tag=1)
             2: 6 recv<1(tag=1) 7 send>0"
        )
    };
    check(&picture("MPI_Ssend"), expect![[""]]);
    check(
        &picture("MPI_Send"),
        expect![[r#"
            0:9 got 1:3, or 2:7
        "#]],
    );
}

#[test]
fn of_a_run_that_hung_the_order_that_saves_it_is_told() {
    let hung = "0: 1 recv<2(any) 2 enter(MPI_Recv) !posted(2)
                2: 1 send>0 9 enter(MPI_Finalize)";
    check(
        &format!("{hung}\n1: 1 send>0 9 enter(MPI_Finalize)"),
        expect![[r#"
            0:1 got 2:1, or 1:1 saves 0:2
        "#]],
    );
    // Rank 1 sends what nobody asks for.
    check(
        "0: 1 recv<2(any) 2 recv<1(any) 3 enter(MPI_Recv) !posted(2)
         1: 1 send>0 2 send>0 9 enter(MPI_Finalize)
         2: 1 send>0 9 enter(MPI_Finalize)",
        expect![[r#"
            0:1 got 2:1, or 1:1+1 saves 0:3
        "#]],
    );
    // Without a message that is left over no order saves it.
    check(
        "0: 1 recv<2(any) 2 recv<1(any) 3 enter(MPI_Recv) !posted(2)
         1: 1 send>0 9 enter(MPI_Finalize)
         2: 1 send>0 9 enter(MPI_Finalize)",
        expect![[r#"
            0:1 got 2:1, or 1:1
        "#]],
    );
}
