//! How the error of a corrected trace depends on kappa; the table beside
//! `DEFAULT_KAPPA` is this program's.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example kappa
//! ```

mod common;

use common::Simulation;
use mpiscope_sync::{check, correct, errors, Config, Control, PresyncMode, TruthErrors};

fn main() {
    for wander in [1e-7, 5e-7] {
        for (name, window, iterations) in [
            ("partial", (600.0, 620.0), 1000),
            ("long", (0.0, 1200.0), 1000),
        ] {
            println!("wander {wander:.0e}, {name}:");
            compare(wander, window, iterations);
        }
    }
}

fn compare(wander: f64, window: (f64, f64), iterations: usize) {
    let simulation = Simulation {
        side: 8,
        per_clock: 4,
        iterations,
        window,
        wander,
        seed: 1,
    };
    let (trace, clocks) = simulation.run();
    let truth = common::truth(&trace, &clocks);
    let show = |name: &str, errors: &TruthErrors, reversed: u64| {
        let (messages, global) = (errors.message_duration, errors.global_time);
        println!(
            "{name:>12}  messages mean {:9.0} p99 {:9} ns   global mean {:9.0} p99 {:9} ns   {reversed} reversed",
            messages.mean, messages.p99, global.mean, global.p99
        );
    };
    for (number, kappa) in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8].into_iter().enumerate() {
        let config = Config {
            control: Control::Fixed { kappa },
            presync: PresyncMode::Linear,
            ..Config::default()
        };
        let correction = correct(&trace, &config).expect("the simulated clocks are sane");
        let reversed = |times| check(&trace, times, &correction.latencies).reversed.count;
        if number == 0 {
            println!("  {:?}", correction.report.latencies);
            let times = &correction.interpolated;
            show(
                "interpolated",
                &errors(&trace, times, &truth),
                reversed(times),
            );
        }
        let times = &correction.corrected;
        show(
            &format!("{kappa:.0e}"),
            &errors(&trace, times, &truth),
            reversed(times),
        );
    }
}
