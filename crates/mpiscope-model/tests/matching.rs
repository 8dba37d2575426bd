//! Who received what: each test draws a trace and names the pairs.

use expect_test::{expect, Expect};
use mpiscope_model::{CommId, EventRef, Message, PointToPoint, RequestId, Timestamp, Trace};

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
fn a_receive_that_never_completed_keeps_its_message_if_it_says_which() {
    check(
        "0: 1 send>1 2 send>1
         1: 10 irecv#1 !posted(0) 11 recv<0",
        expect![[r#"
            2 -> 11
            lost send 1"#]],
    );
    // It has taken some message before; nobody knows which.
    check(
        "0: 1 send>1 2 send>1
         1: 10 irecv#1 !posted(any) 11 recv<0",
        expect![[r#"
            1 -> 11
            lost send 2"#]],
    );
    check(
        "0: 1 send>1 2 send>1
         1: 10 irecv#1 !posted(0) 11 recv<0
         1: 12",
        expect![[r#"
            2 -> 11
            lost send 1"#]],
    );
    check(
        "0: 1 send>1 2 send>1
         1: 10 irecv#1 !posted(0) 11 cancel#1 12 recv<0 13 irecv#2 !posted(0,tag=7)",
        expect![[r#"
            1 -> 12
            lost send 2"#]],
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

#[test]
fn numbers_tell_what_was_missed_while_recording_was_off() {
    check(
        "0: 1 send>1 2 off 5 on 6 send>1(seq=3) 7 send>1
         1: 10 recv<0 11 recv<0 12 recv<0 13 recv<0 14 recv<0",
        expect![[r#"
            1 -> 10
            6 -> 13
            7 -> 14
            lost receive 11
            lost receive 12"#]],
    );
}

#[test]
fn without_a_number_the_order_after_a_pause_is_unknown() {
    check(
        "0: 1 send>1 2 off 5 on 6 send>1 7 send>1(tag=1)
         1: 10 recv<0 11 recv<0 12 recv<0(tag=1)",
        expect![[r#"
            1 -> 10
            lost send 6
            lost send 7
            lost receive 11
            lost receive 12
            2 ambiguous"#]],
    );
}

#[test]
fn a_later_number_tells_those_before_it() {
    check(
        "0: 1 off 2 on 3 send>1 4 send>1 5 send>1(seq=9)
         1: 10 off 11 on 12 irecv#1 13 irecv#2 14 wait<0#2(seq=8) 15 wait<0#1",
        expect![[r#"
            4 -> 15
            5 -> 14
            lost send 3"#]],
    );
}

#[test]
fn a_receive_posted_while_recording_was_off_was_posted_before_the_rest() {
    check(
        "0: 1 send>1 2 send>1
         1: 10 off 11 on 12 irecv#2 13 wait<0#1(seq=0) 14 wait<0#2",
        expect![[r#"
            1 -> 13
            2 -> 14"#]],
    );
}

#[test]
fn collectives_after_a_pause_meet_by_their_numbers() {
    check(
        "0: 1 barrier{ 2 } 3 off 7 on 8 barrier(seq=2){ 9 }
         1: 11 barrier{ 12 } 13 bcast(root=0){ 14 } 15 barrier{ 16 } 17 off 18 on 19 barrier{ 20 }",
        expect![[r#"
            lost collective 20
            barrier 1..2 11..12
            barrier 8..9 15..16
            bcast 13..14, incomplete"#]],
    );
}

#[test]
fn nonblocking_collectives_meet_in_the_order_of_their_initiation() {
    check(
        "0: 1 icollective#1 2 icollective#2 3 bcast(root=0){ 4 } 5 ibarrier#2 6 iallreduce#1
         1: 11 icollective#1 12 icollective#2 13 bcast(root=0){ 14 } 15 iallreduce#1 16 ibarrier#2",
        expect![[r#"
            allreduce 1..6 11..15
            barrier 2..5 12..16
            bcast 3..4 13..14"#]],
    );
}

#[test]
fn persistent_collectives_meet_themselves_only() {
    check(
        "0: 1 icollective#1 !persistent(0) 2 icollective#2 !persistent(1) 3 ibarrier#1 4 ibarrier#2
         1: 11 icollective#2 !persistent(1) 12 icollective#1 !persistent(0) 13 ibarrier#1 14 ibarrier#2",
        expect![[r#"
            barrier 1..3 12..13
            barrier 2..4 11..14"#]],
    );
}

#[test]
fn a_probe_sees_what_no_posted_receive_has_taken() {
    let trace = Trace::parse(
        "0: 1 send>1 2 send>1 3 send>1
         1: 9 irecv#1 10 probe<0 11 probe<0 12 recv<0 13 probe<0 14 wait<0#1 15 probe<0 16 probe<1",
    )
    .unwrap();
    let bounds = trace.matching().bounds;
    let seen = bounds
        .iter()
        .map(|bound| (trace.time(bound.send).0, trace.time(bound.receive).0));
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [(2, 10), (2, 11), (3, 13), (3, 15)]
    );
}

#[test]
fn a_matched_probe_takes_the_message_out_of_its_channel() {
    let message = PointToPoint::new(0, CommId(0), 0, 8);
    let matched = message.with_request(RequestId(7));
    let mut trace = Trace::parse("0: 1 send>1 2 send>1\n 1: 9").unwrap();
    let events = &mut trace.locations[1].events;
    events.push_probe(Timestamp(10), matched);
    events.push_recv(Timestamp(11), message);
    events.push_recv(Timestamp(12), matched);
    let matching = trace.matching();
    let met = |message: &Message| (trace.time(message.send).0, trace.time(message.receive).0);
    let met: Vec<_> = matching.messages.iter().map(met).collect();
    assert_eq!(met, [(1, 12), (2, 11)]);
    assert_eq!(trace.time(matching.bounds[0].send).0, 1);
}

/// After a switch of recording each that is out of order is counted by itself.
#[test]
fn a_matched_probe_found_what_its_receive_took_in_whatever_order_they_are_received() {
    let message = PointToPoint::new(0, CommId(0), 0, 8);
    let matched = |id| message.with_request(RequestId(id));
    let mut trace = Trace::parse("0: 1 send>1 2 send>1 3 send>1 4 send>1\n 1: 9 recv<0").unwrap();
    let events = &mut trace.locations[1].events;
    events.push_on_off(Timestamp(10), false);
    events.push_on_off(Timestamp(11), true);
    events.push_probe(Timestamp(12), matched(7));
    events.push_probe(Timestamp(13), matched(8));
    events.push_recv(Timestamp(14), matched(8));
    events.push_recv(Timestamp(15), matched(7));
    let received = events.len() - 2;
    events.set_sequence(received, 3);
    events.set_sequence(received + 1, 2);
    let matching = trace.matching();
    let times = |send, receive| (trace.time(send).0, trace.time(receive).0);
    let met = matching
        .messages
        .iter()
        .map(|it| times(it.send, it.receive));
    let mut met: Vec<_> = met.collect();
    met.sort_unstable();
    assert_eq!(met, [(1, 9), (3, 15), (4, 14)]);
    let seen = matching.bounds.iter().map(|it| times(it.send, it.receive));
    assert_eq!(seen.collect::<Vec<_>>(), [(3, 12), (4, 13)]);
}

/// Far out of turn, receives find their messages by a table.
#[test]
fn receives_may_ask_for_tags_in_the_opposite_order() {
    const TAGS: usize = 20;
    let sends: String = (0..2 * TAGS)
        .map(|k| format!(" {k} send>1(tag={})", k % TAGS))
        .collect();
    let receives: String = (1..2 * TAGS)
        .map(|k| format!(" {} recv<0(tag={})", 100 + k, TAGS - 1 - k / 2))
        .collect();
    let trace = Trace::parse(&format!("0:{sends}\n1:{receives}")).unwrap();
    let matching = trace.matching();
    let met = |message: &Message| (trace.time(message.send).0, trace.time(message.receive).0);
    let tag_of = |k: usize| TAGS - 1 - k / 2;
    let turn = |k: usize| usize::from(tag_of(k) < TAGS - 1 && k % 2 == 1);
    let expected = (1..2 * TAGS).map(|k| ((tag_of(k) + turn(k) * TAGS) as i64, 100 + k as i64));
    let met: Vec<_> = matching.messages.iter().map(met).collect();
    assert_eq!(met, expected.collect::<Vec<_>>());
    assert_eq!(trace.time(matching.unmatched_sends[0]).0, 39);
}
