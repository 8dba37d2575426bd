//! How long the checker and the statistics of a correction take.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example check_rate [RANKS [ITERATIONS [TIMES [THREADS]]]]
//! ```
//!
//! Halo of as many hosts, on one thread or several: the least time of the
//! processors and by the clock of several TIMES, beside those of the correction.

mod timed;

use mpiscope_model::Timestamp;
use mpiscope_simulate::{preset, simulate, Parameters};
use mpiscope_sync::statistics::Places;
use mpiscope_sync::{check, correct_matched, statistics, Config};
use timed::least;

fn main() {
    let number = |n, default| match std::env::args().nth(n) {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (ranks, iterations) = (number(1, 64), number(2, 800));
    let (times, threads) = (number(3, 5) as usize, number(4, 1) as usize);
    let preset = preset::find("halo").map_or_else(Parameters::default, |it| it.parameters());
    let simulated = simulate(&Parameters {
        ranks,
        hosts: ranks,
        iterations,
        ..preset
    });
    let trace = simulated.expect("a trace").trace;
    let matching = trace.matching();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
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
        println!("correction {corrected}");
        println!("checker    {}  {:?}", checked.0, checked.1.clock_condition);
        println!("statistics {}  {:?}", counted.0, counted.1);
    });
}
