//! How near to the truth each way of correction comes.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example accuracy [CASE]
//! ```

mod common;

use common::Simulation;
use mpiscope_sync::{check, correct_matched, errors, Config, Correction, PresyncMode};

/// The corrections that are compared: Scalasca's constant for 1 − γ is 1e-5.
const WAYS: [(&str, PresyncMode, f64); 4] = [
    ("linear + CLC", PresyncMode::Linear, 1e-5),
    ("hull + CLC", PresyncMode::Hull, 1e-5),
    ("min-max + CLC", PresyncMode::MinMax, 1e-5),
    ("fit + CLC", PresyncMode::Fit, 1e-6),
];

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let case = |window, iterations| Simulation {
        side: 16,
        per_clock: 16,
        iterations,
        window,
        wander: 1e-7,
        seed: 5,
    };
    for (name, simulation) in [
        ("partial", case((600.0, 625.0), 500)),
        ("long", case((0.0, 1200.0), 500)),
        ("short", case((0.0, 8.0), 200)),
        (
            "clock per rank",
            Simulation {
                side: 16,
                per_clock: 1,
                ..case((600.0, 625.0), 300)
            },
        ),
    ] {
        if name.contains(&only) {
            compare(name, &simulation);
        }
    }
}

fn compare(name: &str, simulation: &Simulation) {
    let (trace, clocks) = simulation.run();
    let matching = trace.matching();
    let truth = common::truth(&trace, &clocks);
    println!("{name}: {} events", trace.event_count());
    for (way, presync, kappa) in WAYS {
        let config = Config {
            presync,
            kappa,
            ..Config::default()
        };
        let began = std::time::Instant::now();
        let correction = correct_matched(&trace, &matching, &config).expect("sane clocks");
        let seconds = began.elapsed().as_secs_f64();
        let Correction {
            interpolated,
            corrected,
            latencies,
            report,
        } = &correction;
        let before = errors(&trace, interpolated, &truth);
        let after = errors(&trace, corrected, &truth);
        let found = check(&trace, interpolated, latencies);
        let show = |spread: mpiscope_sync::Spread| {
            format!(
                "{:9.3} / {:9.3}",
                spread.mean / 1e3,
                spread.p99 as f64 / 1e3
            )
        };
        println!(
            "{way:>14}  before {}  after {}  global {}  l {}  {:7} violations, {:5.1} % moved, {seconds:.2} s",
            show(before.message_duration),
            show(after.message_duration),
            show(after.global_time),
            latencies.different_clocks,
            found.clock_condition.count,
            100.0 * report.events_moved as f64 / report.events as f64,
        );
    }
}
