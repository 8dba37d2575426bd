//! How long the checker and the statistics of a correction take.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example check_rate [RANKS [ITERATIONS [TIMES]]]
//! ```
//!
//! Halo of as many hosts, on one thread: the least processor time of several
//! TIMES, beside that of the correction.

use mpiscope_model::Timestamp;
use mpiscope_simulate::{preset, simulate, Parameters};
use mpiscope_sync::statistics::Places;
use mpiscope_sync::{check, correct_matched, statistics, Config};
use rustix::time::{clock_gettime, ClockId};

fn main() {
    let number = |n, default| match std::env::args().nth(n) {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (ranks, iterations, times) = (number(1, 64), number(2, 800), number(3, 5));
    let preset = preset::find("halo").map_or_else(Parameters::default, |it| it.parameters());
    let simulated = simulate(&Parameters {
        ranks,
        hosts: ranks,
        iterations,
        ..preset
    });
    let trace = simulated.expect("a trace").trace;
    let matching = trace.matching();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a thread").install(|| {
        let (corrected, correction) = least(1, || {
            correct_matched(&trace, &matching, &Config::default()).expect("a correction")
        });
        let measured: Vec<&[Timestamp]> = (trace.locations.iter())
            .map(|location| location.events.times())
            .collect();
        let places = Places::by_clock(&trace);
        let table = &correction.latencies;
        let checked = least(times, || check(&trace, &correction.corrected, table));
        let counted = least(times, || {
            let (it, m) = statistics::stages(&trace, &matching, &measured, &correction, &places);
            (it.map(|it| it.all()), m.all())
        });
        println!("{ranks} ranks, {} events", trace.event_count());
        println!("correction {corrected:9.3} ms");
        println!(
            "checker    {:9.3} ms  {:?}",
            checked.0, checked.1.clock_condition
        );
        println!("statistics {:9.3} ms  {:?}", counted.0, counted.1);
    });
}

/// Returns the least processor time in ms, and what was found.
fn least<T>(times: u32, run: impl Fn() -> T) -> (f64, T) {
    let once = || {
        let begin = processor_time();
        let found = run();
        ((processor_time() - begin) as f64 / 1e6, found)
    };
    let first = once();
    (1..times)
        .map(|_| once())
        .fold(first, |least, next| match next.0 < least.0 {
            true => next,
            false => least,
        })
}

fn processor_time() -> i64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}
