//! Backward amortization in pictures: what is expected are the locations that
//! changed. Messages take a tick at least; ramps are ten times as long as
//! their jump unless a test says otherwise.

use expect_test::{expect, Expect};
use mpiscope_model::fixture::location_line;
use mpiscope_model::{Duration, LocationIndex, Trace};
use mpiscope_sync::{check, correct, Config, Control, LatencyOverride};

fn check_ramps(interval: f64, picture: &str, expected: Expect) {
    let config = Config {
        interval,
        control: Control::Fixed { kappa: 0.0 },
        latency: LatencyOverride::by_clock(Duration(1), Duration(1)),
        ..Config::default()
    };
    let trace = Trace::parse(picture).unwrap();
    let correction = correct(&trace, &config).unwrap();
    let violations = check(&trace, &correction.corrected, &correction.latencies);
    assert_eq!(violations.clock_condition.count, 0);
    assert_eq!(violations.backward_steps, 0);
    let mut lines = Vec::new();
    for (number, times) in correction.corrected.iter().enumerate() {
        if *times != trace.locations[number].events.times() {
            lines.push(location_line(&trace, LocationIndex(number as u32), times));
        }
    }
    lines.push(format!("ramps: {}", correction.report.ramps));
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn a_jump_is_spread_over_what_precedes_it() {
    check_ramps(
        10.0,
        "0: 219 send>1
         1: 0 99 100 150 199 200 recv<0 300",
        expect![[r#"
            1: 0 108 110 165 218 220 recv<0 320
            ramps: 1"#]],
    );
}

#[test]
fn without_an_interval_there_is_no_ramp() {
    check_ramps(
        0.0,
        "0: 219 send>1
         1: 0 199 200 recv<0 300",
        expect![[r#"
            1: 0 199 220 recv<0 320
            ramps: 0"#]],
    );
}

#[test]
fn a_send_is_not_moved_beyond_its_receive() {
    check_ramps(
        10.0,
        "0: 152 recv<1 219 send>1
         1: 0 99 100 150 send>0 175 199 200 recv<0",
        expect![[r#"
            1: 0 99 100 151 send>0 185 218 220 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn slopes_rise_towards_the_jump_when_several_sends_are_in_the_way() {
    check_ramps(
        10.0,
        "0: 103 recv<1 160 recv<1 219 send>1
         1: 50 100 send>0 125 150 send>0 175 200 recv<0",
        expect![[r#"
            1: 50 102 send>0 130 159 send>0 189 220 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn a_lower_limit_farther_left_makes_a_nearer_one_void() {
    check_ramps(
        10.0,
        "0: 101 recv<1 169 recv<1 219 send>1
         1: 50 100 send>0 125 150 send>0 175 200 recv<0",
        expect![[r#"
            1: 50 100 send>0 130 160 send>0 190 220 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn receives_on_a_ramp_may_only_gain() {
    check_ramps(
        10.0,
        "0: 149 send>1 219 send>1
         1: 0 100 150 recv<0 200 recv<0",
        expect![[r#"
            1: 0 110 165 recv<0 220 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn of_two_ramps_the_larger_counts() {
    check_ramps(
        10.0,
        "0: 169 send>1 229 send>1
         1: 0 100 150 recv<0 160 200 recv<0",
        expect![[r#"
            1: 0 115 172 recv<0 184 230 recv<0
            ramps: 1"#]],
    );
    check_ramps(
        10.0,
        "0: 169 send>1 221 send>1
         1: 0 100 150 recv<0 160 200 recv<0",
        expect![[r#"
            1: 0 113 170 recv<0 180 222 recv<0
            ramps: 2"#]],
    );
}

#[test]
fn the_members_of_a_collective_limit_a_ramp_by_the_first_that_leaves() {
    check_ramps(
        10.0,
        "0: 100 barrier{ 180 } 219 send>1
         1: 100 150 barrier{ 181 } 200 recv<0
         2: 100 barrier{ 155 }",
        expect![[r#"
            1: 100 154 barrier{ 194 } 220 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn only_higher_ranks_limit_the_ramp_before_a_scan() {
    check_ramps(
        10.0,
        "0: 100 scan{ 155 } 219 send>1
         1: 100 150 scan{ 181 } 200 recv<0
         2: 100 scan{ 160 }",
        expect![[r#"
            1: 100 159 scan{ 196 } 220 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn the_limits_of_a_ramp_are_where_receives_are_moved_to() {
    check_ramps(
        10.0,
        "0: 90 recv<1 219 send>1
         1: 0 100 send>0 200 recv<0",
        expect![[r#"
            0: 101 recv<1 230 send>1
            1: 0 100 send>0 231 recv<0
            ramps: 1"#]],
    );
}

#[test]
fn the_first_event_stays_and_with_it_those_of_its_time() {
    check_ramps(
        10.0,
        "0: 205 recv<1 219 send>1
         1: 200 send>0 200 200 recv<0",
        expect![[r#"
            1: 200 send>0 200 220 recv<0
            ramps: 1"#]],
    );
}
