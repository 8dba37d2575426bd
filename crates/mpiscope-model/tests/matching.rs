//! Who received what: each test draws a trace and names the pairs.

use expect_test::{expect, Expect};
use mpiscope_model::{EventRef, Trace};

fn check(picture: &str, expected: Expect) {
    let trace = Trace::parse(picture).unwrap();
    let matching = trace.matching();
    let time = |event: EventRef| trace.time(event).0;
    let mut lines = Vec::new();
    for message in &matching.messages {
        lines.push(format!(
            "{} -> {}",
            time(message.send),
            time(message.receive)
        ));
    }
    let mut lost = |what: &str, events: &[EventRef]| {
        lines.extend(
            events
                .iter()
                .map(|event| format!("{what} {}", time(*event))),
        );
    };
    lost("lost send", &matching.unmatched_sends);
    lost("lost receive", &matching.unmatched_receives);
    lost("lost collective", &matching.unmatched_collectives);
    if matching.ambiguous > 0 {
        lines.push(format!("{} ambiguous", matching.ambiguous));
    }
    for instance in &matching.collectives {
        let spans = matching.members_of(instance).iter();
        let spans = spans.map(|m| format!(" {}..{}", time(m.enter), time(m.exit)));
        let mut line = instance.op.name().to_string() + &spans.collect::<String>();
        line += if instance.complete {
            ""
        } else {
            ", incomplete"
        };
        line += if instance.consistent {
            ""
        } else {
            ", inconsistent"
        };
        lines.push(line);
    }
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn messages_of_one_channel_do_not_overtake() {
    check(
        "0: 1 send>1 2 send>1(tag=5) 3 send>1
         1: 11 recv<0(tag=5) 12 recv<0 13 recv<0",
        expect![[r#"
            2 -> 11
            1 -> 12
            3 -> 13"#]],
    );
}

#[test]
fn a_nonblocking_receive_takes_its_place_where_it_was_posted() {
    check(
        "0: 1 send>1 2 send>1 3 send>1
         1: 10 irecv#1 11 irecv#2 12 recv<0 13 wait<0#2 14 wait<0#1",
        expect![[r#"
            1 -> 14
            2 -> 13
            3 -> 12"#]],
    );
}

#[test]
fn wildcards_meet_the_sender_they_named() {
    check(
        "0: 1 send>2
         1: 2 send>2
         2: 10 recv<1(any) 11 recv<0(any,anytag)",
        expect![[r#"
            2 -> 10
            1 -> 11"#]],
    );
}

#[test]
fn cancelled_operations_take_no_place() {
    check(
        "0: 1 isend>1#1 2 isend>1#2 3 cancel#1 4 wait#2
         1: 10 irecv#1 11 cancel#1 12 recv<0",
        expect!["2 -> 12"],
    );
}

#[test]
fn request_numbers_are_used_again() {
    check(
        "0: 1 send>1 2 send>1
         1: 10 irecv#1 11 wait<0#1 12 irecv#1 13 wait<0#1",
        expect![[r#"
            1 -> 11
            2 -> 13"#]],
    );
}

#[test]
fn what_has_no_partner_is_listed() {
    check(
        "comm pair: 0 1
         0: 1 send>1 2 send>1(comm=pair) 3 send>7 4 isend>1#1(tag=1)
         1: 10 recv<0 11 recv<0 12 irecv#1 13 recv<9",
        expect![[r#"
            1 -> 10
            lost send 2
            lost send 3
            lost send 4
            lost receive 11
            lost receive 13"#]],
    );
}

#[test]
fn peers_across_an_intercommunicator_are_ranks_of_the_other_group() {
    check(
        "comm bridge: 0 2 | 3 1
         0: 1 send>1(comm=bridge)
         1: 11 recv<0(comm=bridge) 12 send>1(comm=bridge)
         2: 20 recv<1(comm=bridge)
         3: 30",
        expect![[r#"
            1 -> 11
            12 -> 20"#]],
    );
}

#[test]
fn a_message_to_oneself_is_a_message() {
    check(
        "comm me: self
         0: 1 send>0(comm=me) 2 recv<0(comm=me)
         1: 3 send>0(comm=me) 4 recv<0(comm=me)",
        expect![[r#"
            1 -> 2
            3 -> 4"#]],
    );
}

#[test]
fn threads_of_a_process_share_its_channels() {
    check(
        "0:   1 send>1 4 send>1
         0.1: 2 send>1
         1:   10 recv<0 11 recv<0
         1.1: 12 recv<0",
        expect![[r#"
            1 -> 10
            2 -> 11
            4 -> 12
            3 ambiguous"#]],
    );
}

#[test]
fn a_request_may_complete_in_another_thread() {
    check(
        "0:   1 send>1 2 send>1
         1:   10 irecv#1 11 recv<0
         1.1: 12 wait<0#1",
        expect![[r#"
            1 -> 12
            2 -> 11
            2 ambiguous"#]],
    );
}

#[test]
fn collectives_meet_in_order_per_communicator() {
    check(
        "comm row: 0 1
         0: 1 barrier{ 2 } 3 bcast(root=0,comm=row){ 4 } 5 barrier{ 6 }
         1: 11 bcast(root=0,comm=row){ 12 } 13 barrier{ 14 } 15 barrier{ 16 }
         2: 21 barrier{ 22 }",
        expect![[r#"
            barrier 1..2 13..14 21..22
            bcast 3..4 11..12
            barrier 5..6 15..16, incomplete"#]],
    );
}

#[test]
fn a_collective_on_comm_self_is_its_callers_alone() {
    check(
        "comm me: self
         0: 1 barrier(comm=me){ 2 }
         1: 3 barrier(comm=me){ 4 }",
        expect![[r#"
            barrier 1..2
            barrier 3..4"#]],
    );
}

#[test]
fn damaged_collectives_are_told_apart() {
    check(
        "comm row: 0
         0: 1 bcast(root=0){ 2 } 3 bcast(root=0){ 4 } 5 ?{
         1: 11 bcast(root=1){ 12 } 13 }bcast(root=0) 14 barrier(comm=row){ 15 }",
        expect![[r#"
            lost collective 13
            lost collective 15
            bcast 1..2 11..12, inconsistent
            bcast 3..4, incomplete"#]],
    );
}
