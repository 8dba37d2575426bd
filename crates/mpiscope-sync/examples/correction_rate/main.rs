//! How fast a trace is matched and corrected, stage by stage, and with how
//! much memory.
//!
//! ```text
//! cargo run --release -p mpiscope-sync --example correction_rate [LOCATIONS [MILLION_EVENTS [THREADS [TIMES [PARTS [fit]]]]]]
//! ```
//!
//! LOCATIONS is rounded down to a square; with 0, 64, 256, 1024 and 4096 are
//! measured. Locations are swept by PARTS; with `fit` times are fitted before, which leaves nothing
//! to move, else interpolated, which leaves half of all events. The least of several TIMES is shown: by the clock, and of the
//! processors in user and in kernel mode. Memory is the most that was taken
//! from the allocator at a time, beside the trace and its matching or beside
//! all of these and both columns of times.

mod memory;
mod program;

use std::fs;
use std::time::{Duration, Instant};

use mpiscope_model::{Matching, Trace};
use mpiscope_sync::{check, correct_watched, Config, Correction, PresyncMode, Stage};
use rustix::time::{clock_gettime, ClockId};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

fn main() {
    let number = |n, default| match std::env::args().nth(n) {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (locations, millions) = (number(1, 64usize), number(2, 7usize));
    let (threads, times) = (number(3, 1), number(4, 5));
    let sweeps = Config {
        presync: match std::env::args().nth(6) {
            Some(word) if word == "fit" => PresyncMode::Fit,
            _ => PresyncMode::Linear,
        },
        parts: number(5, 1),
        ..Config::default()
    };
    let sizes = match locations {
        0 => vec![64, 256, 1024, 4096],
        _ => vec![locations],
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        for size in sizes {
            let side = size.isqrt();
            let iterations = millions * 1_000_000 / program::EVENTS / (side * side);
            measure(&program::run(side, iterations.max(1), 1), &sweeps, times);
        }
    });
}

/// What is timed, in the order of a correction.
const ROWS: [(&str, Option<Stage>); 7] = [
    ("match", None),
    ("presync", Some(Stage::Presync)),
    ("records", Some(Stage::Records)),
    ("control", Some(Stage::Control)),
    ("forward", Some(Stage::Forward)),
    ("backward", Some(Stage::Backward)),
    ("expand", Some(Stage::Expand)),
];

fn measure(trace: &Trace, config: &Config, times: usize) {
    let events = trace.event_count();
    let mut least = [Spent::MAX; ROWS.len()];
    let mut most = [0; 2];
    let mut last = None;
    for _ in 0..times {
        drop(last.take());
        let mut watch = Watch::start();
        memory::forget_peak();
        let taken = memory::taken();
        let matching = trace.matching();
        least[0] = least[0].min(watch.lap());
        most[0] = memory::peak() - taken;
        memory::forget_peak();
        let correction = run(trace, &matching, config, &mut watch, &mut least);
        most[1] = memory::peak() - taken;
        last = Some((matching, correction));
    }
    let (matching, correction) = last.expect("at least one run");
    let report = &correction.report;
    let sync = report.sync_events as f64;
    println!(
        "{} locations, {:.1} M events, {:.1} % sync events, {} threads",
        trace.locations.len(),
        events as f64 / 1e6,
        100.0 * sync / events as f64,
        rayon::current_num_threads(),
    );
    let show = |name: &str, spent: Spent| {
        let each = |time: Duration, per: f64| time.as_secs_f64() * 1e9 / per;
        println!(
            "{name:<28} {:8.1} M events/s   CPU {:6.2} ns/event {:6.2} ns/sync event ({:.2} in the kernel)",
            1e3 / each(spent.wall, events as f64),
            each(spent.cpu, events as f64),
            each(spent.cpu, sync),
            each(spent.kernel, sync),
        );
    };
    for ((name, _), spent) in ROWS.iter().zip(least) {
        show(name, spent);
    }
    show("match, forward, backward", least[0] + least[4] + least[5]);
    show(
        "all",
        least.into_iter().fold(Spent::default(), |a, b| a + b),
    );
    let mut watch = Watch::start();
    let violations = check(trace, &correction.corrected, &correction.latencies);
    show("check", watch.lap());
    let columns = 2 * 8 * events;
    println!(
        "bytes per event: {:.2} to match; {:.2} to correct, the matching included, beside the columns",
        most[0] as f64 / events as f64,
        most[1].saturating_sub(columns) as f64 / events as f64,
    );
    println!(
        "{} passes, {} messages, {} violations seen, {:.1} % of events moved, {} left, hash {:016x}\n",
        report.passes.len(),
        matching.messages.len(),
        report.violations_seen,
        100.0 * report.events_moved as f64 / events as f64,
        violations.clock_condition.count,
        hash(&correction),
    );
}

fn run(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
    watch: &mut Watch,
    least: &mut [Spent; ROWS.len()],
) -> Correction {
    let mut end = |stage: Stage| {
        let spent = watch.lap();
        for ((_, row), least) in ROWS.iter().zip(least.iter_mut()) {
            if *row == Some(stage) {
                *least = least.min(spent);
            }
        }
    };
    correct_watched(trace, matching, config, &mut end).expect("the simulated clocks are sane")
}

/// The same number for the same times.
fn hash(correction: &Correction) -> u64 {
    let times = correction.corrected.iter().flatten();
    times.fold(0, |hash: u64, time| {
        (hash.rotate_left(5) ^ time.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// Time that something took: by the clock, and of all processors.
#[derive(Clone, Copy, Default)]
struct Spent {
    wall: Duration,
    cpu: Duration,
    kernel: Duration,
}

impl Spent {
    const MAX: Spent = Spent {
        wall: Duration::MAX,
        cpu: Duration::MAX,
        kernel: Duration::MAX,
    };

    fn min(self, other: Spent) -> Spent {
        Spent {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            kernel: self.kernel.min(other.kernel),
        }
    }
}

impl std::ops::Add for Spent {
    type Output = Spent;
    fn add(self, other: Spent) -> Spent {
        Spent {
            wall: self.wall + other.wall,
            cpu: self.cpu + other.cpu,
            kernel: self.kernel + other.kernel,
        }
    }
}

/// Tells how long each lap took.
struct Watch {
    wall: Instant,
    cpu: Duration,
    kernel: Duration,
}

impl Watch {
    fn start() -> Watch {
        Watch {
            wall: Instant::now(),
            cpu: cpu_time(),
            kernel: kernel_time(),
        }
    }

    fn lap(&mut self) -> Spent {
        let now = Watch::start();
        let spent = Spent {
            wall: now.wall - self.wall,
            cpu: now.cpu - self.cpu,
            kernel: now.kernel.saturating_sub(self.kernel),
        };
        *self = now;
        spent
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// In ticks of 10 ms.
fn kernel_time() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let field = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.split(' ').nth(13));
    let ticks: u64 = field.and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
    Duration::from_millis(10 * ticks)
}
