//! Minimum latencies found in traces.

use expect_test::{expect, Expect};
use mpiscope_model::Trace;
use mpiscope_sync::{correct, Class, Config, Latency};

fn check_latency(picture: &str, expected: Expect) {
    let trace = Trace::parse(picture).unwrap();
    let found = correct(&trace, &Config::default())
        .unwrap()
        .report
        .latencies;
    let show = |latency: Latency| format!("{} ({})", latency.value, latency.source);
    expected.assert_eq(&format!(
        "same {}, different {}",
        show(found.of(Class::SameClock)),
        show(found.of(Class::Far))
    ));
}

#[test]
fn on_one_clock_the_shortest_message_tells() {
    check_latency(
        "clock 0 1:
         0: 0 send>1 1000 send>1
         1: 500 recv<0 1300 recv<0",
        expect!["same 270 ns (shortest message), different 1 ns (unknown)"],
    );
}

#[test]
fn between_clocks_errors_cancel_in_an_exchange() {
    check_latency(
        "0: 0 send>1 2000 recv<1
         1: 99500 recv<0 100500 send>0
         ",
        expect!["same 1 ns (unknown), different 450 ns (shortest exchange)"],
    );
}

#[test]
fn a_slow_round_trip_of_a_measurement_is_not_believed() {
    check_latency(
        "clock 1: 0 +0 ±2900000
         0: 0 send>1
         1: 9000000 recv<0",
        expect!["same 1 ns (unknown), different 900 ns (offset measurement)"],
    );
}

#[test]
fn one_direction_alone_tells_nothing() {
    check_latency(
        "0: 0 send>1\n1: 500 recv<0",
        expect!["same 1 ns (unknown), different 1 ns (unknown)"],
    );
}

#[test]
fn messages_far_apart_in_time_are_no_exchange() {
    check_latency(
        "0: 0 send>1 50001000 recv<1\n1: 500 recv<0 50000000 send>0",
        expect!["same 1 ns (unknown), different 1 ns (unknown)"],
    );
}

#[test]
fn collectives_count_as_the_messages_they_imply() {
    check_latency(
        "clock 0 1:
         0: 0 barrier{ 1000 }
         1: 100 barrier{ 900 }
         2: 50400 barrier{ 51000 }",
        expect!["same 630 ns (shortest exchange), different 630 ns (shortest exchange)"],
    );
    check_latency(
        "clock 0 1 2:
         0: 0 bcast(root=0){ 1000 }
         1: 100 bcast(root=0){ 300 }
         2: 900 bcast(root=0){ 1000 }",
        expect!["same 270 ns (shortest message), different 1 ns (unknown)"],
    );
    check_latency(
        "clock 0 1 2:
         0: 0 scan{ 10 }
         1: 100 scan{ 300 }
         2: 110 scan{ 400 }",
        expect!["same 270 ns (shortest message), different 1 ns (unknown)"],
    );
}

#[test]
fn the_round_trip_of_an_offset_measurement_tells_too() {
    check_latency(
        "clock 1: 0 +0 ±200, 3000 +0 ±300
         0: 0 send>1 2000 recv<1
         1: 500 recv<0 1500 send>0",
        expect!["same 1 ns (unknown), different 180 ns (offset measurement)"],
    );
}

#[test]
fn locations_of_one_clock_are_no_farther_than_others() {
    check_latency(
        "clock 0 1:
         clock 2: 0 +0 ±200, 3000 +0 ±300
         0: 0 send>1
         1: 900 recv<0
         2: 50",
        expect!["same 180 ns (offset measurement), different 180 ns (offset measurement)"],
    );
}

#[test]
fn reversed_messages_leave_one_tick() {
    check_latency(
        "clock 0 1:\n0: 100 send>1\n1: 50 recv<0",
        expect!["same 1 ns (shortest message), different 1 ns (unknown)"],
    );
}
