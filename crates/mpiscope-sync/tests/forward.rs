//! Forward amortization in pictures: what is expected are the locations that
//! changed, and whatever the report or the checker have to say.
//!
//! Unless a test says otherwise, messages take one tick at least, between
//! clocks and on one clock.

use expect_test::{expect, Expect};
use mpiscope_model::fixture::location_line;
use mpiscope_model::{Bound, BoundKind, Duration, EventRef, LocationIndex, Trace};
use mpiscope_sync::{check, correct_matched, Config, Control, LatencyOverride, PresyncMode};

fn check_sync(picture: &str, expected: Expect) {
    check_sync_with(ticks(1, 1), picture, expected);
}

/// A configuration with given minimum latencies, without ramps.
fn ticks(same_clock: i64, different_clocks: i64) -> Config {
    Config {
        control: Control::Fixed { kappa: 1e-6 },
        interval: 0.0,
        latency: LatencyOverride::by_clock(Duration(same_clock), Duration(different_clocks)),
        ..Config::default()
    }
}

fn check_sync_with(config: Config, picture: &str, expected: Expect) {
    check_bounds(config, picture, &[], expected);
}

/// With bounds besides the messages: location and event of sender and receiver.
fn check_bounds(config: Config, picture: &str, bounds: &[[(u32, usize); 2]], expected: Expect) {
    let trace = Trace::parse(picture).unwrap();
    let mut matching = trace.matching();
    let end = |(location, event)| EventRef::new(LocationIndex(location), event);
    matching.bounds = (bounds.iter())
        .map(|&[send, receive]| Bound {
            send: end(send),
            receive: end(receive),
            kind: BoundKind::Thread,
        })
        .collect();
    let correction = correct_matched(&trace, &matching, &config).unwrap();
    let mut lines = Vec::new();
    for (number, times) in correction.corrected.iter().enumerate() {
        if *times != trace.locations[number].events.times() {
            lines.push(location_line(&trace, LocationIndex(number as u32), times));
        }
    }
    let report = &correction.report;
    let names = |events: &[EventRef]| -> String {
        let name = |e: &EventRef| format!(" {} of {}", e.index, e.location.0);
        events.iter().map(name).collect()
    };
    if !report.dropped_edges.is_empty() {
        lines.push(format!("freed: event{}", names(&report.dropped_edges)));
    }
    let counts = [
        ("unmatched sends", report.unmatched_sends),
        ("unmatched receives", report.unmatched_receives),
        ("steps back", report.backward_steps),
        ("unused collectives", report.unused_collectives),
        ("incomplete collectives", report.incomplete_collectives),
    ];
    let some = counts.iter().filter(|(_, count)| *count > 0);
    lines.extend(some.map(|(what, count)| format!("{count} {what}")));
    let violations = check(&trace, &correction.corrected, &correction.latencies);
    if violations.clock_condition.count + violations.backward_steps > 0 {
        let (reversed, early) = (violations.reversed.count, violations.clock_condition.count);
        lines.push(format!("left: {reversed} reversed, {early} early"));
    }
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn receive_before_send_moves_forward() {
    check_sync(
        "0: 20 send>1
         1: 18 recv<0",
        expect!["1: 21 recv<0"],
    );
}

#[test]
fn a_trace_in_order_stays_as_it_is() {
    check_sync(
        "0: 20 send>1 30 recv<1
         1: 21 recv<0 25 send>0",
        expect![""],
    );
}

#[test]
fn equal_stamps_are_too_early() {
    check_sync(
        "0: 20 send>1
         1: 20 recv<0 20 20",
        expect!["1: 21 recv<0 21 21"],
    );
}

#[test]
fn a_move_is_passed_on_by_messages() {
    check_sync(
        "0: 20 send>1
         1: 10 recv<0 12 send>2
         2: 8 recv<1 9",
        expect![[r#"
            1: 21 recv<0 23 send>2
            2: 24 recv<1 25"#]],
    );
}

#[test]
fn a_displacement_decays_at_kappa() {
    check_sync_with(
        Config {
            control: Control::Fixed { kappa: 0.25 },
            ..ticks(1, 1)
        },
        "0: 20 send>1
         1: 10 recv<0 14 18 send>0 50 58",
        expect![[r#"
            1: 21 recv<0 24 27 send>0 51 58
            1 unmatched sends"#]],
    );
}

#[test]
fn messages_between_clocks_take_longer_than_on_one() {
    check_sync_with(
        ticks(2, 5),
        "clock 0 1: 0 +0 ±0
         clock 2: 0 +0 ±0
         0: 20 send>1 20 send>2
         1: 20 recv<0
         2: 20 recv<0",
        expect![[r#"
            1: 22 recv<0
            2: 25 recv<0"#]],
    );
}

#[test]
fn offsets_are_applied_before_messages_are_looked_at() {
    check_sync(
        "clock 1: 0 -100 ±1, 1000 -100 ±1
         0: 20 send>1
         1: 119 recv<0",
        expect!["1: 21 recv<0"],
    );
}

#[test]
fn both_halves_of_a_sendrecv_are_messages() {
    check_sync(
        "0: 10 send>1 12 recv<1
         1: 30 send>0 31 recv<0",
        expect!["0: 10 send>1 31 recv<1"],
    );
}

#[test]
fn nonblocking_receives_may_complete_out_of_order() {
    check_sync(
        "0: 20 send>1 40 send>1
         1: 1 irecv#1 2 irecv#2 10 wait<0#2 11 wait<0#1",
        expect!["1: 1 irecv#1 2 irecv#2 41 wait<0#2 42 wait<0#1"],
    );
}

#[test]
fn a_wildcard_receive_follows_the_send_it_took() {
    check_sync(
        "0: 50 send>2
         1: 20 send>2
         2: 10 recv<1(any) 60 recv<0(any)",
        expect!["2: 21 recv<1(any) 71 recv<0(any)"],
    );
}

#[test]
fn a_message_without_partner_binds_nothing() {
    check_sync(
        "0: 20 send>1 30 send>1(tag=9)
         1: 10 recv<0 11 recv<0",
        expect![[r#"
            1: 21 recv<0 22 recv<0
            1 unmatched sends
            1 unmatched receives"#]],
    );
}

#[test]
fn a_message_to_oneself_binds_nothing() {
    check_sync("0: 20 send>0 20 recv<0", expect![""]);
}

#[test]
fn a_clock_that_steps_back_is_held() {
    check_sync(
        "0: 20 15 send>1 16
         1: 10 recv<0",
        expect![[r#"
            0: 20 20 send>1 20
            1: 21 recv<0
            2 steps back"#]],
    );
}

#[test]
fn a_cycle_is_opened_at_its_latest_receive() {
    check_sync(
        "0: 10 recv<1 20 send>1
         1: 15 recv<0 30 send>0",
        expect![[r#"
            0: 31 recv<1 41 send>1
            freed: event 0 of 1
            left: 1 reversed, 1 early"#]],
    );
}

#[test]
fn everything_behind_a_cycle_is_still_corrected() {
    check_sync(
        "0: 5 send>3 10 recv<1 20 send>1 25 send>2
         1: 15 recv<0 30 send>0
         2: 7 recv<0
         3: 1 recv<0",
        expect![[r#"
            0: 5 send>3 31 recv<1 41 send>1 46 send>2
            2: 47 recv<0
            3: 6 recv<0
            freed: event 0 of 1
            left: 1 reversed, 1 early"#]],
    );
}

#[test]
fn an_empty_trace_and_empty_locations_are_fine() {
    check_sync("", expect![""]);
    check_sync("0:\n1: 5", expect![""]);
}

#[test]
fn extreme_times_do_not_overflow() {
    check_sync(
        "0: -9223372036854775808 9223372036854775807 send>1
         1: -9223372036854775808 recv<0",
        expect![[r#"
            0: -2305843009213693952 4611686018427387904 send>1
            1: 4611686018427387905 recv<0"#]],
    );
}

#[test]
fn without_presync_recorded_times_are_used() {
    check_sync_with(
        Config {
            presync: PresyncMode::None,
            ..ticks(1, 1)
        },
        "clock 1: 0 +100 ±1
         0: 20 send>1
         1: 10 recv<0",
        expect!["1: 21 recv<0"],
    );
}

#[test]
fn a_thread_begins_after_it_was_forked_and_is_joined_after_its_end() {
    check_bounds(
        ticks(3, 3),
        "0: 20 90
         0.1: 10 30
         0.2: 21 95",
        &[
            [(0, 0), (1, 0)],
            [(0, 0), (2, 0)],
            [(1, 1), (0, 1)],
            [(2, 1), (0, 1)],
        ],
        expect![[r#"
            0: 20 100
            0.1: 23 43
            0.2: 23 97"#]],
    );
}

#[test]
fn a_receive_that_is_waited_for_passes_on_what_it_waited_itself() {
    check_bounds(
        ticks(2, 2),
        "0: 20 send>1
         1: 10 recv<0
         2: 5",
        &[[(1, 0), (2, 0)]],
        expect![[r#"
            1: 22 recv<0
            2: 24"#]],
    );
}

#[test]
fn an_event_that_waits_for_several_waits_for_the_last() {
    check_bounds(
        ticks(1, 1),
        "0: 30 send>3
         1: 20
         2: 40
         3: 10 recv<0",
        &[[(1, 0), (3, 0)], [(2, 0), (3, 0)]],
        expect!["3: 41 recv<0"],
    );
}

#[test]
fn a_cycle_of_bounds_is_opened() {
    check_bounds(
        ticks(1, 1),
        "0: 10 20
         1: 15 30",
        &[[(0, 1), (1, 0)], [(1, 1), (0, 0)]],
        expect![[r#"
            0: 31 41
            freed: event 0 of 1"#]],
    );
}
