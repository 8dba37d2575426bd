//! Errors against a known truth.

use mpiscope_model::{Duration, Timestamp, Trace};
use mpiscope_sync::{correct, errors, Config, TruthErrors};

/// Errors of the recorded times, if the clock of location 1 is `ahead`.
fn recorded(picture: &str, ahead: i64) -> TruthErrors {
    let trace = Trace::parse(picture).unwrap();
    errors(&trace, &trace.times(), &truth(&trace, ahead))
}

fn truth(trace: &Trace, ahead: i64) -> Vec<Vec<Timestamp>> {
    let mut truth = trace.times();
    let of_one = truth.iter_mut().skip(1).take(1).flatten();
    of_one.for_each(|time| *time -= Duration(ahead));
    truth
}

#[test]
fn a_clock_that_is_ahead_shows_in_both_errors() {
    let found = recorded("0: 0 send>1\n1: 150 recv<0 160", 100);
    assert_eq!(found.message_duration.count, 1);
    assert_eq!(found.message_duration.mean, 100.0);
    assert_eq!(found.global_time.count, 3);
    assert_eq!(found.global_time.mean, 200.0 / 3.0);
    assert_eq!((found.global_time.p99, found.global_time.worst), (100, 100));
}

#[test]
fn of_a_collective_the_last_true_sender_counts() {
    let found = recorded(
        "0: 10 barrier{ 20 }\n1: 105 barrier{ 130 }\n2: 7 barrier{ 21 }",
        100,
    );
    assert_eq!(found.message_duration.count, 3);
    // Rank 0 entered last: exits of 1 and 2 follow it, exit of 0 follows 2.
    assert_eq!(found.message_duration.mean, 100.0 / 3.0);
}

#[test]
fn a_perfect_trace_has_no_error() {
    let found = recorded("0: 0 send>1\n1: 10 recv<0", 0);
    assert_eq!(found.message_duration.worst, 0);
    assert_eq!(found.global_time.worst, 0);
}

#[test]
fn an_empty_trace_has_no_error() {
    assert_eq!(recorded("", 0), TruthErrors::default());
}

#[test]
fn correction_repairs_a_constant_offset_that_was_measured() {
    let picture = "clock 0:\nclock 1: 0 -100 ±1\n0: 0 send>1 60 recv<1\n1: 130 recv<0 131 send>0";
    let trace = Trace::parse(picture).unwrap();
    let correction = correct(&trace, &Config::default()).unwrap();
    let truth = truth(&trace, 100);
    let before = errors(&trace, &trace.times(), &truth);
    let after = errors(&trace, &correction.corrected, &truth);
    assert_eq!(before.message_duration.worst, 100);
    assert_eq!(after.message_duration.worst, 0);
    assert_eq!(after.global_time.worst, 0);
}
