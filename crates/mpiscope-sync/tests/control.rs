//! How kappa is chosen, and latencies doubted.

use std::fmt::Write;

use mpiscope_model::{Duration, Timestamp, Trace};
use mpiscope_sync::{
    correct, Between, Class, Config, Control, Error, LatencyOverride, LatencySource, Pass,
    PresyncMode, Warning,
};

/// Two clocks that exchange `rounds` messages each way; the second is ahead
/// by `offset` at the begin, and falls behind by `drift` from then on. A flight
/// takes `flight`, every tenth round `flight` times ten.
fn exchange(rounds: i64, offset: i64, drift: f64, flight: i64) -> Trace {
    let show = |time: i64| time + offset - (drift * time as f64) as i64;
    let (mut first, mut second) = (String::new(), String::new());
    let mut now = 0;
    for round in 0..rounds {
        let flight = flight * if round % 10 == 9 { 10 } else { 1 };
        write!(first, " {now} send>1 {} recv<1", now + 2 * flight + 100).unwrap();
        let (received, answered) = (show(now + flight), show(now + flight + 100));
        write!(second, " {received} recv<0 {answered} send>0").unwrap();
        now += 2 * flight + 200;
    }
    Trace::parse(&format!("0:{first}\n1:{second}")).unwrap()
}

fn latency(ticks: i64) -> LatencyOverride {
    LatencyOverride::by_clock(Duration(ticks), Duration(ticks))
}

fn passes(trace: &Trace, control: Control, latency: LatencyOverride) -> Vec<Pass> {
    let config = Config {
        presync: PresyncMode::Linear,
        control,
        latency,
        ..Config::default()
    };
    correct(trace, &config).unwrap().report.passes
}

#[test]
fn a_fixed_kappa_is_used_once() {
    let trace = exchange(100, 0, 0.01, 1000);
    let passes = passes(&trace, Control::Fixed { kappa: 0.001 }, latency(1000));
    assert_eq!((passes.len(), passes[0].kappa), (1, 0.001));
}

#[test]
fn the_papers_control_makes_passes_until_the_error_is_small() {
    // What falls behind by a hundredth is pulled along with every message.
    let trace = exchange(1000, 0, 0.01, 1000);
    let control = |epsilon| Control::Paper {
        gamma: 0.9999,
        epsilon,
    };
    let kappas = |epsilon| -> Vec<i64> {
        let passes = passes(&trace, control(epsilon), latency(1000));
        passes
            .iter()
            .map(|p| (p.kappa * 1e5).round() as i64)
            .collect()
    };
    assert_eq!(kappas(0.1), [10]);
    assert_eq!(kappas(1e-9), [10, 100, 1000, 10000]);
}

#[test]
fn an_offset_alone_needs_no_second_pass() {
    let trace = exchange(1000, -1_000_000, 0.0, 1000);
    let passes = passes(&trace, Control::Adaptive, latency(1000));
    assert_eq!(
        passes,
        [Pass {
            kappa: 1e-8,
            error: 0.0
        }]
    );
}

#[test]
fn the_drift_that_is_left_is_found_in_opposite_messages() {
    let trace = exchange(1000, 5000, 2e-5, 1000);
    let kappa = passes(&trace, Control::Adaptive, latency(1000))[0].kappa;
    assert!((1.5e-5..2.5e-5).contains(&kappa), "{kappa}");
}

#[test]
fn where_messages_go_one_way_only_kappa_is_the_default() {
    let trace = Trace::parse("0: 20 send>1\n1: 10 recv<0 15").unwrap();
    let passes = passes(&trace, Control::Adaptive, latency(1));
    assert_eq!(passes[0].kappa, mpiscope_sync::DEFAULT_KAPPA);
}

/// Two locations take turns, each message in `flight` but for the last ones;
/// the offset measurement claims `found` for all.
fn too_long(found: i64) -> (Trace, Config) {
    let mut trace = exchange(2000, 0, 0.0, 100);
    let picture = format!("clock 0: 0 +0 ±{found}\nclock 1: 0 +0 ±{found}\n0:\n1:");
    trace.clocks = Trace::parse(&picture).unwrap().clocks;
    let config = Config {
        presync: PresyncMode::Linear,
        ..Config::default()
    };
    (trace, config)
}

#[test]
fn a_latency_that_messages_go_round_faster_than_is_lowered() {
    let (trace, config) = too_long(400);
    let lowered = |config: &Config| {
        let report = correct(&trace, config).unwrap().report;
        let lowered: Vec<Warning> = (report.warnings.iter())
            .filter(|warning| matches!(warning, Warning::LatencyLowered { .. }))
            .cloned()
            .collect();
        (
            report.latencies.of(Class::Far),
            lowered,
            report.passes.len(),
        )
    };
    // What the trace says itself is shorter than what the measurement says.
    assert!(lowered(&config).1.is_empty());
    // A safety factor beyond one makes it too long all the same.
    let careless = Config {
        latency_safety: 3.0,
        ..config.clone()
    };
    let (used, warnings, passes) = lowered(&careless);
    assert_eq!(used.source, LatencySource::Lowered);
    assert_eq!(used.value, Duration(75));
    assert_eq!(
        warnings,
        [(300, 150), (150, 75)].map(|(from, to)| Warning::LatencyLowered {
            of: Between::Class(Class::Far),
            from: Duration(from),
            to: Duration(to),
        })
    );
    assert!(passes > 4);
    // What the caller gave is not doubted.
    let given = Config {
        latency: latency(300),
        ..config
    };
    let (used, warnings, _) = lowered(&given);
    assert_eq!((used.value, warnings.len()), (Duration(300), 0));
}

#[test]
fn good_times_lower_a_latency_that_messages_undercut() {
    let (trace, config) = too_long(400);
    let config = Config {
        latency_safety: 3.0,
        presync: PresyncMode::Fit,
        ..config
    };
    let correction = correct(&trace, &config).unwrap();
    // From 300 by half, and once more as displacements grew: below the true 100.
    assert_eq!(correction.latencies.of(Class::Far), Duration(75));
    assert_eq!(correction.corrected, trace.times());
}

#[test]
fn a_given_delta_keeps_events_apart_even_on_ramps() {
    let config = Config {
        delta: Some(Duration(3)),
        control: Control::Fixed { kappa: 0.0 },
        latency: latency(1),
        interval: 10.0,
        ..Config::default()
    };
    let times = |picture: &str| correct(&Trace::parse(picture).unwrap(), &config).unwrap();
    let ticks = |times: &[i64]| -> Vec<Timestamp> { times.iter().map(|&t| Timestamp(t)).collect() };
    let apart = times("0: 5 6 6 6 20");
    assert_eq!(apart.corrected[0], ticks(&[5, 8, 11, 14, 28]));
    assert_eq!(apart.report.sync_events, 0);
    let ramp = times("0: 40 send>1\n1: -90 10 20 20 20 30 recv<0");
    assert_eq!(ramp.corrected[1], ticks(&[-90, 19, 24, 27, 30, 41]));
}

#[test]
fn impossible_constants_are_refused() {
    let trace = Trace::default();
    let refused = |config: Config| correct(&trace, &config).unwrap_err();
    let kappa = |control| {
        refused(Config {
            control,
            ..Config::default()
        })
    };
    assert_eq!(kappa(Control::Fixed { kappa: 0.5 }), Error::Kappa(0.5));
    let paper = Control::Paper {
        gamma: 0.25,
        epsilon: 1.0,
    };
    assert_eq!(kappa(paper), Error::Kappa(0.75));
    let interval = Config {
        interval: -1.0,
        ..Config::default()
    };
    assert_eq!(refused(interval), Error::Interval(-1.0));
}
