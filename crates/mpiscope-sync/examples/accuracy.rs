//! How near to the truth each way of correction comes, on simulated traces.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example accuracy [PRESET|WAY]...
//! ```
//!
//! Times are in µs: mean / 99th percentile of the error of message durations
//! between hosts before and after the logical clock, and of the time of all
//! events; all by the master's clock.

use std::time::Instant;

use mpiscope_simulate::preset::PRESETS;
use mpiscope_simulate::{simulate, Parameters, Simulated};
use mpiscope_sync::{
    check, correct_matched, coverage, errors, Class, Config, Control, Correction, PresyncMode,
    Spread,
};

/// What is compared. Scalasca's constant for 1 − γ is 1e-5.
const PEERS: Control = Control::Fixed { kappa: 1e-5 };
const WAYS: [(&str, PresyncMode, Control); 5] = [
    ("linear", PresyncMode::Linear, PEERS),
    ("adaptive", PresyncMode::Linear, Control::Adaptive),
    ("hull", PresyncMode::Hull, PEERS),
    ("min-max", PresyncMode::MinMax, PEERS),
    ("fit", PresyncMode::Fit, Control::Adaptive),
];

fn main() {
    let is_way = |name: &String| WAYS.iter().any(|(way, ..)| way == name);
    let (ways, presets): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(is_way);
    for preset in PRESETS {
        let parameters = preset.parameters();
        if named(&presets, preset.name) && parameters.ranks <= 512 {
            println!("{}: {}", preset.name, preset.about);
            compare(&parameters, &ways);
        }
    }
}

/// Nothing named is all named.
fn named(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|named| named == name)
}

fn compare(parameters: &Parameters, ways: &[String]) {
    let simulated = simulate(parameters).expect("presets are sane");
    let trace = &simulated.trace;
    let matching = trace.matching();
    let truth = simulated.master_time();
    for (way, presync, control) in WAYS.into_iter().filter(|(way, ..)| named(ways, way)) {
        let config = Config {
            presync,
            control,
            ..Config::default()
        };
        let began = Instant::now();
        let correction = match correct_matched(trace, &matching, &config) {
            Ok(correction) => correction,
            Err(error) => {
                println!("  {way}: {error}");
                continue;
            }
        };
        let seconds = began.elapsed().as_secs_f64();
        let after = errors(trace, &correction.corrected, &truth);
        let Correction {
            interpolated,
            latencies,
            report,
            ..
        } = &correction;
        let early = |times: &[Vec<_>]| check(trace, times, latencies).clock_condition.count;
        let widths = widths(&simulated, &correction);
        println!(
            "  {way:<8} {} -> {}  events {}  l {:>9}  {:7} violations, {} left  {:5.1} % moved  {widths}  {seconds:.2} s",
            show(errors(trace, interpolated, &truth).between_clocks),
            show(after.between_clocks),
            show(after.global_time),
            latencies.of(Class::Far),
            early(interpolated),
            early(&correction.corrected),
            100.0 * report.events_moved as f64 / report.events.max(1) as f64,
        );
    }
}

fn show(spread: Spread) -> String {
    let micro = |ns: f64| ns / 1e3;
    let (mean, p99) = (micro(spread.mean), micro(spread.p99 as f64));
    format!("{mean:8.3} /{p99:8.3}")
}

/// Compares half-widths with true errors.
fn widths(simulated: &Simulated, correction: &Correction) -> String {
    let truth = simulated.master_time();
    let found = coverage(
        &simulated.trace,
        &correction.uncertainty,
        &correction.interpolated,
        &truth,
    );
    let percent = |part: u64, all: u64| 100.0 * part as f64 / all.max(1) as f64;
    let (interval, bound, errors) = (found.interval, found.bound, found.errors);
    format!(
        "interval {:.3} µs, {:.1} x mean error, holds {:.2} %; bound known {:.0} %, {:.1} x p99 at most, holds {:.2} %",
        interval.mean / 1e3,
        interval.mean / errors.mean,
        percent(interval.within, interval.known),
        percent(bound.known, errors.count),
        bound.widest as f64 / errors.p99 as f64,
        percent(bound.within, bound.known),
    )
}
