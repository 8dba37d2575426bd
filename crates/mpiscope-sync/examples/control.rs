//! Fixed, the papers' and the adaptive control side by side: what is left of
//! the error, and how much intervals are distorted.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example control
//! ```

mod common;

use mpiscope_model::{Duration, Timestamp, Trace};
use mpiscope_sync::{check, correct, errors, Config, Control, LatencyOverride, PresyncMode};

fn main() {
    let papers = LatencyOverride::by_clock(Duration(1000), Duration(1000));
    let found = LatencyOverride::default();
    let too_long = LatencyOverride::by_clock(Duration(400), Duration(2500));
    let fixed = |kappa| Control::Fixed { kappa };
    let paper = |gamma, epsilon| Control::Paper { gamma, epsilon };
    let rows = [
        ("fixed 1e-2, l 1 us", fixed(1e-2), &papers),
        ("fixed 1e-5, l 1 us", fixed(1e-5), &papers),
        ("fixed 1e-6", fixed(1e-6), &found),
        ("paper 0.99, 1e-3, l 1 us", paper(0.99, 1e-3), &papers),
        (
            "paper 1-1e-5, 5e-2, l 1 us",
            paper(1.0 - 1e-5, 5e-2),
            &papers,
        ),
        ("adaptive", Control::Adaptive, &found),
        ("adaptive, l 2.5 us", Control::Adaptive, &too_long),
    ];
    for (name, begin, seconds, wander) in [
        ("20 s of 1200 s", 600.0, 20.0, 1e-7),
        ("1200 s", 1.0, 1198.0, 1e-7),
        ("20 s, wander 5e-7", 600.0, 20.0, 5e-7),
    ] {
        let simulated = common::halo(begin, seconds, wander);
        let (trace, truth) = (&simulated.trace, simulated.master_time());
        println!(
            "{name}: error of messages and of global time, distortion of intervals, all in ns"
        );
        println!(
            "  {:28} {:>10} {:>10} {:>12} {:>9} {:>9} {:>7} passes: kappa (error)",
            "control", "msg mean", "msg p99", "global mean", "dist p99", "dist max", "moved"
        );
        for (row, control, latency) in rows {
            let config = Config {
                presync: PresyncMode::Linear,
                control,
                latency: latency.clone(),
                ..Config::default()
            };
            show(row, trace, &truth, &config);
        }
        // Where hardly anything is left to amortize, the choice hardly counts.
        for (row, control) in [
            ("fixed 1e-5, fit", fixed(1e-5)),
            ("adaptive, fit", Control::Adaptive),
        ] {
            let config = Config {
                control,
                ..Config::default()
            };
            show(row, trace, &truth, &config);
        }
    }
}

fn show(name: &str, trace: &Trace, truth: &[Vec<Timestamp>], config: &Config) {
    let correction = correct(trace, config).expect("the simulated clocks are sane");
    let times = &correction.corrected;
    let left = check(trace, times, &correction.latencies)
        .clock_condition
        .count;
    assert_eq!(left, 0, "messages left too early");
    let found = errors(trace, times, truth);
    let (p99, worst) = distortion(&correction.interpolated, times);
    let report = &correction.report;
    let passes = report.passes.iter();
    let passes: Vec<String> = passes
        .map(|pass| format!("{:.0e} ({:.1e})", pass.kappa, pass.error))
        .collect();
    println!(
        "  {name:28} {:10.0} {:10} {:12.0} {p99:9} {worst:9} {:6.1}% {}",
        found.message_duration.mean,
        found.message_duration.p99,
        found.global_time.mean,
        100.0 * report.events_moved as f64 / report.events as f64,
        passes.join(" ")
    );
}

/// How much the time between neighbouring events changed: what 99 % do not
/// exceed, and the most.
fn distortion(before: &[Vec<Timestamp>], after: &[Vec<Timestamp>]) -> (i64, i64) {
    let mut changes: Vec<i64> = Vec::new();
    for (before, after) in before.iter().zip(after) {
        let pairs = before.windows(2).zip(after.windows(2));
        changes.extend(pairs.map(|(b, a)| ((a[1] - a[0]) - (b[1] - b[0])).0.abs()));
    }
    changes.sort_unstable();
    let p99 = changes.get(changes.len() * 99 / 100);
    (
        p99.copied().unwrap_or(0),
        changes.last().copied().unwrap_or(0),
    )
}
