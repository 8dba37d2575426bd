//! The papers' figures, drawn.
//!
//! Figure 1 of Becker, Linford, Rabenseifner, Wolf 2008: one process has the
//! events E1 S E3, the other E2 R E4. Figures 3.1 and 4.2 of Linford 2007: a
//! jump Δt at r, spread over an interval L before it, without and with sends
//! in it that may not go along: each part of the interval before, between and
//! after them has a slope of its own, flat or steep, and what the interval
//! begins with stays where it is.

use expect_test::{expect, Expect};
use mpiscope_model::fixture::location_line;
use mpiscope_model::{Duration, LocationIndex, Timestamp, Trace};
use mpiscope_sync::{check, correct, Config, Control, Correction, LatencyOverride};

/// Minimum latency 2, no decay, ramps of `interval` lengths of the jump.
fn corrected(interval: f64, picture: &str) -> (Trace, Correction) {
    let config = Config {
        control: Control::Fixed { kappa: 0.0 },
        interval,
        latency: LatencyOverride::by_clock(Duration(2), Duration(2)),
        ..Config::default()
    };
    let trace = Trace::parse(picture).unwrap();
    let correction = correct(&trace, &config).unwrap();
    let violations = check(&trace, &correction.corrected, &correction.latencies);
    assert_eq!(violations.clock_condition.count, 0);
    (trace, correction)
}

/// Compares the last location.
fn check_last(interval: f64, picture: &str, expected: Expect) {
    let (trace, correction) = corrected(interval, picture);
    let last = trace.locations.len() - 1;
    let times = &correction.corrected[last];
    expected.assert_eq(&location_line(&trace, LocationIndex(last as u32), times));
}

const FIGURE_1: &str = "0: 10 30 send>1 40\n1: 12 24 recv<0 36";

#[test]
fn figure_1a_the_receive_violates_the_clock_condition() {
    let (trace, correction) = corrected(0.0, FIGURE_1);
    let violations = check(&trace, &trace.times(), &correction.latencies);
    assert_eq!(violations.point_to_point, 1);
    assert_eq!(violations.reversed.count, 1);
    assert_eq!(violations.reversed.worst, Duration(6));
    assert_eq!(violations.clock_condition.worst, Duration(8));
}

#[test]
fn figure_1b_the_receive_moves_to_one_latency_after_the_send() {
    let picture = FIGURE_1.trim_end_matches(" 36");
    check_last(0.0, picture, expect!["1: 12 32 recv<0"]);
}

#[test]
fn figure_1c_what_follows_the_receive_keeps_its_distance() {
    check_last(0.0, FIGURE_1, expect!["1: 12 32 recv<0 44"]);
}

#[test]
fn figure_1d_what_precedes_the_receive_moves_closer() {
    // The figure shows no more than E2 before R; the interval begins earlier.
    let picture = FIGURE_1.replace("1: 12", "1: 0 12");
    check_last(3.0, &picture, expect!["1: 0 16 32 recv<0 44"]);
}

#[test]
fn figure_3_1_without_sends_the_correction_is_linear() {
    // L = 200, Δt = 20.
    check_last(
        10.0,
        "0: 1218 send>1\n1: 900 1000 1040 1080 1120 1160 1200 recv<0",
        expect!["1: 900 1000 1044 1088 1132 1176 1220 recv<0"],
    );
}

#[test]
fn figure_3_1_sends_with_lower_limits_make_it_piecewise_linear() {
    // The limits of s1 at 1080 and s2 at 1120 are 1 and 6, the line has 8 and
    // 12 there: now the slopes are 5/40 and 14/80.
    check_last(
        10.0,
        "0: 1083 recv<1 1128 recv<1 1218 send>1
         1: 900 1040 1080 send>0 1100 1120 send>0 1160 1200 recv<0",
        expect!["1: 900 1040 1081 send>0 1103 1126 send>0 1173 1220 recv<0"],
    );
}

#[test]
fn figure_3_1_the_lower_of_two_limits_may_void_the_other() {
    // With 1 and 9 the straight line from s1 to r stays below s2's limit.
    check_last(
        10.0,
        "0: 1083 recv<1 1131 recv<1 1218 send>1
         1: 900 1080 send>0 1120 send>0 1160 1200 recv<0",
        expect!["1: 900 1081 send>0 1127 send>0 1173 1220 recv<0"],
    );
}

#[test]
fn figure_3_1_flat_limits_are_used_up() {
    // L = 200, Δt = 100: the ideal line has 25 and 50 where the limits of s1
    // and s2 are 10 and 20. The slopes are 10/50, 10/50 and 80/100.
    check_last(
        2.0,
        "0: 1062 recv<1 1122 recv<1 1298 send>1
         1: 900 1000 1025 1050 send>0 1075 1100 send>0 1150 1200 recv<0",
        expect!["1: 900 1000 1030 1060 send>0 1090 1120 send>0 1210 1300 recv<0"],
    );
}

#[test]
fn figure_3_1_each_part_before_between_and_after_limits_has_its_slope() {
    // 5/50, 15/50 and 80/100.
    check_last(
        2.0,
        "0: 1057 recv<1 1122 recv<1 1298 send>1
         1: 900 1000 1025 1050 send>0 1075 1100 send>0 1150 1200 recv<0",
        expect!["1: 900 1000 1027 1055 send>0 1087 1120 send>0 1210 1300 recv<0"],
    );
}

#[test]
fn figure_3_1_one_flat_limit_is_led_up_to_from_the_begin_of_the_interval() {
    // The ideal line begins at 1000, between two events, and has 10 at s1,
    // which may move by 1: 1/100, then 19/100.
    check_last(
        10.0,
        "0: 1103 recv<1 1218 send>1
         1: 900 990 1050 1100 send>0 1150 1200 recv<0",
        expect!["1: 900 990 1050 1101 send>0 1160 1220 recv<0"],
    );
}

#[test]
fn figure_3_1_an_interval_that_would_begin_before_the_first_event_begins_with_it() {
    // L would be 1000; the first event stays, the slope is 100/200.
    check_last(
        10.0,
        "0: 1298 send>1\n1: 1000 1050 1100 1150 1200 recv<0",
        expect!["1: 1000 1075 1150 1225 1300 recv<0"],
    );
    // With limits of 10 and 20 again: 10/50, 10/50 and 80/100.
    check_last(
        10.0,
        "0: 1062 recv<1 1122 recv<1 1298 send>1
         1: 1000 1025 1050 send>0 1075 1100 send>0 1150 1200 recv<0",
        expect!["1: 1000 1030 1060 send>0 1090 1120 send>0 1210 1300 recv<0"],
    );
}

#[test]
fn a_jump_above_the_ramp_that_passes_it_begins_another() {
    // s1 may move by 21, as far as the line from 1000 to it; r1 jumped by 16
    // and stays above that line, so two ramps meet in it.
    check_last(
        2.0,
        "0: 1064 send>1 1123 recv<1 1298 send>1
         1: 100 1000 1050 recv<0 1075 1100 send>0 1150 1200 recv<0",
        expect!["1: 100 1000 1066 recv<0 1093 1121 send>0 1210 1300 recv<0"],
    );
}

#[test]
fn figure_4_2_the_data_points_follow_the_equations() {
    let (b_0, b_k, jump) = (1000, 1200, 20);
    let line = |b: i64| jump * (b - b_0) / (b_k - b_0) + b;
    let (trace, correction) = corrected(
        10.0,
        "0: 1218 send>1\n1: 1000 1010 1030 1070 1110 1150 1190 1200 recv<0",
    );
    let expected = trace.locations[1].events.times().iter();
    let expected: Vec<Timestamp> = expected.map(|b| Timestamp(line(b.0))).collect();
    assert_eq!(correction.corrected[1], expected);

    // A send e_n at b_n = 1100 that may move by 4 only: what follows it rises
    // with (Δt − 4) / (b_k − b_n).
    let (b_n, limit) = (1100, 4);
    let steep = |b: i64| (jump - limit) * (b - b_n) / (b_k - b_n) + limit + b;
    let (trace, correction) = corrected(
        10.0,
        "0: 1106 recv<1 1218 send>1\n1: 1000 1100 send>0 1125 1150 1175 1200 recv<0",
    );
    let expected = trace.locations[1].events.times()[1..].iter();
    let expected: Vec<Timestamp> = expected.map(|b| Timestamp(steep(b.0))).collect();
    assert_eq!(correction.corrected[1][1..], expected);
}
