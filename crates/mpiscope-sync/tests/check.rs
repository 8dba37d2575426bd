//! The checker on its own: what it counts, and how far off it says things are.

use mpiscope_model::{Duration, Trace};
use mpiscope_sync::{check, Latencies, LatencyOverride, LatencyTable, Violations};

/// Checks the recorded times, with two ticks on one clock and five between.
fn violations(picture: &str) -> Violations {
    let trace = Trace::parse(picture).unwrap();
    let given = LatencyOverride::by_clock(Duration(2), Duration(5));
    let latencies = LatencyTable::new(&trace, &Latencies::given(&given));
    check(&trace, &trace.times(), &latencies)
}

#[test]
fn reversed_messages_are_counted_with_worst_and_mean() {
    let found = violations("0: 10 send>1 20 send>1 30 send>1\n1: 4 recv<0 18 recv<0 40 recv<0");
    assert_eq!((found.point_to_point, found.logical), (3, 3));
    assert_eq!(found.reversed.count, 2);
    assert_eq!(found.reversed.worst, Duration(6));
    assert_eq!(found.reversed.mean, 4.0);
    assert_eq!(found.reversed_point_to_point, found.reversed);
    assert_eq!(found.clock_condition.worst, Duration(11));
}

#[test]
fn the_latency_depends_on_the_pair() {
    let near = "clock 0 1:\n0: 10 send>1\n1: 12 recv<0";
    assert_eq!(violations(near).clock_condition.count, 0);
    let far = "0: 10 send>1\n1: 12 recv<0";
    assert_eq!(violations(far).clock_condition.count, 1);
    assert_eq!(violations(far).reversed.count, 0);
}

#[test]
fn every_pair_of_a_collective_is_a_logical_message() {
    let found = violations("0: 0 barrier{ 20 }\n1: 30 barrier{ 40 }\n2: 0 barrier{ 33 }");
    assert_eq!((found.point_to_point, found.logical), (0, 6));
    assert_eq!(found.reversed.count, 1);
    assert_eq!(found.reversed_point_to_point.count, 0);
    assert_eq!(found.clock_condition.count, 2);
}

#[test]
fn steps_back_in_a_location_are_counted() {
    assert_eq!(violations("0: 5 4 6 3\n1: 1 1").backward_steps, 2);
}

#[test]
fn threads_of_a_process_are_one_receiver() {
    let found = violations("0: 1 send>1 2 send>1\n1: 9 irecv#1 10 recv<0\n1.1: 12 wait<0#1");
    assert_eq!(found.point_to_point, 2);
    assert_eq!(found.clock_condition.count, 0);
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(violations(""), Violations::default());
}
