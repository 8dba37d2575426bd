//! How fast a trace is matched, corrected and checked.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example correction_rate [LOCATIONS [MILLION_EVENTS [THREADS]]]
//! ```
//!
//! LOCATIONS is rounded down to a square; with 0, 64, 256, 1024 and 4096 are
//! measured. CPU time is that of all threads, in user and kernel mode; each
//! figure is the best of five.

mod program;

use std::time::{Duration, Instant};

use mpiscope_model::Trace;
use mpiscope_sync::{check, correct_matched, presync, Config};
use rustix::time::{clock_gettime, ClockId};

fn main() {
    let number = |n, default| match std::env::args().nth(n) {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (locations, millions, threads) = (number(1, 64usize), number(2, 7usize), number(3, 1));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let sizes = match locations {
        0 => vec![64, 256, 1024, 4096],
        _ => vec![locations],
    };
    pool.expect("threads").install(|| {
        for size in sizes {
            let side = size.isqrt();
            let iterations = millions * 1_000_000 / program::EVENTS / (side * side);
            measure(&program::run(side, iterations.max(1), 1));
        }
    });
}

fn measure(trace: &Trace) {
    let config = Config::default();
    let events = trace.event_count();
    let (matching, match_time) = best(|| trace.matching());
    let sync = 2 * (matching.messages.len() + matching.members.len());
    println!(
        "{} locations, {:.1} M events, {:.1} % sync events",
        trace.locations.len(),
        events as f64 / 1e6,
        100.0 * sync as f64 / events as f64
    );
    let rate = |name: &str, time: Spent| {
        let each = |time: Duration, per: usize| time.as_secs_f64() * 1e9 / per as f64;
        println!(
            "{name:<36} {:8.1} M events/s  CPU {:6.2} ns/event {:6.2} ns/sync event",
            1e3 / each(time.wall, events),
            each(time.cpu, events),
            each(time.cpu, sync),
        );
    };
    rate("match", match_time);
    rate(
        "presync and latencies",
        best(|| presync(trace, &matching, &config)).1,
    );
    let (correction, time) =
        best(|| correct_matched(trace, &matching, &config).expect("the simulated clocks are sane"));
    rate("presync, forward, backward, expand", time);
    let (violations, time) = best(|| check(trace, &correction.corrected, &correction.latencies));
    rate("check", time);
    println!(
        "{} violations seen, {:.1} % of events moved, {} left",
        correction.report.violations_seen,
        100.0 * correction.report.events_moved as f64 / events as f64,
        violations.clock_condition.count,
    );
}

/// Time that something took.
#[derive(Clone, Copy)]
struct Spent {
    wall: Duration,
    cpu: Duration,
}

/// Returns what `work` returns and its shortest times.
fn best<T>(work: impl Fn() -> T) -> (T, Spent) {
    let run = || {
        let (start, cpu) = (Instant::now(), cpu_time());
        let result = work();
        let spent = Spent {
            wall: start.elapsed(),
            cpu: cpu_time() - cpu,
        };
        (result, spent)
    };
    let (mut result, mut best) = run();
    for _ in 0..4 {
        drop(result);
        let spent;
        (result, spent) = run();
        best.wall = best.wall.min(spent.wall);
        best.cpu = best.cpu.min(spent.cpu);
    }
    (result, best)
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
