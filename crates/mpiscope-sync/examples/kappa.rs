//! How the error of a corrected trace depends on kappa; the table beside
//! `DEFAULT_KAPPA` is this program's.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example kappa
//! ```

mod common;

use mpiscope_sync::{check, correct, errors, Config, Control, PresyncMode, TruthErrors};

fn main() {
    for wander in [1e-7, 5e-7] {
        for (name, begin, seconds) in [("20 s", 600.0, 20.0), ("1200 s", 1.0, 1198.0)] {
            println!("wander {wander:.0e}, {name}:");
            compare(begin, seconds, wander);
        }
    }
}

fn compare(begin: f64, seconds: f64, wander: f64) {
    let simulated = common::halo(begin, seconds, wander);
    let (trace, truth) = (&simulated.trace, simulated.master_time());
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
        let correction = correct(trace, &config).expect("the simulated clocks are sane");
        let look = |name: &str, times| {
            let reversed = check(trace, times, &correction.latencies).reversed.count;
            show(name, &errors(trace, times, &truth), reversed);
        };
        if number == 0 {
            look("interpolated", &correction.interpolated);
        }
        look(&format!("{kappa:.0e}"), &correction.corrected);
    }
    let config = Config {
        presync: PresyncMode::Linear,
        ..Config::default()
    };
    let correction = correct(trace, &config).expect("the simulated clocks are sane");
    let kappa = correction
        .report
        .passes
        .last()
        .map_or(0.0, |pass| pass.kappa);
    let found = errors(trace, &correction.corrected, &truth);
    show(&format!("({kappa:.0e})"), &found, 0);
}
