//! How fast archives become traces: million events a second by one thread and
//! by two, in turn, and how much memory a trace takes.
//!
//! `cargo run --release -p mpiscope-archive --example read_rate -- [--rounds N] [ARCHIVE...]`
//!
//! Without archives three of 11.5 million events are simulated: of 64 ranks, 1024 and 2.

use std::path::Path;
use std::time::Instant;

use mpiscope_archive::trace::read_trace;
use mpiscope_archive::write::write_trace;
use mpiscope_simulate::{simulate, Parameters};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// As the command has it.
#[global_allocator]
static MEMORY: mpiscope_archive::memory::Memory = mpiscope_archive::memory::Memory;

fn main() -> Result<()> {
    let mut archives: Vec<String> = std::env::args().skip(1).collect();
    let mut rounds = 5;
    if archives.first().is_some_and(|word| word == "--rounds") {
        rounds = archives.get(1).ok_or("--rounds: how many?")?.parse()?;
        archives.drain(..2);
    }
    println!("events     1 thread  2 threads  ratio  processor ns  bytes held");
    for archive in &archives {
        measure(Path::new(archive), rounds)?;
    }
    let simulated = [(64, 64, 3200), (1024, 256, 200), (2, 2, 150_000)];
    for (ranks, hosts, iterations) in simulated.into_iter().filter(|_| archives.is_empty()) {
        let run = tempfile::tempdir_in("/dev/shm")?;
        let parameters = Parameters {
            ranks,
            hosts,
            iterations,
            ..Parameters::default()
        };
        write_trace(&simulate(&parameters)?.trace, run.path(), &[])?;
        measure(run.path(), rounds)?;
    }
    Ok(())
}

/// Reads an archive by one thread and by two, in turn, and prints the medians.
fn measure(archive: &Path, rounds: usize) -> Result<()> {
    let mut rates: [Vec<f64>; 2] = Default::default();
    let (mut events, mut held, mut processor) = (0, 0, Vec::new());
    for _ in 0..rounds {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()?;
            let before = resident()?;
            let (began, cost) = (Instant::now(), processor_seconds()?);
            let trace = pool.install(|| read_trace(archive))?;
            let seconds = began.elapsed().as_secs_f64();
            events = trace.event_count();
            rates[threads - 1].push(events as f64 / seconds / 1e6);
            if threads == 1 {
                processor.push((processor_seconds()? - cost) / events as f64 * 1e9);
                held = resident()?.saturating_sub(before);
            }
        }
    }
    let [one, two] = rates.map(median);
    println!(
        "{events:<10} {one:8.1} {two:10.1} {:6.2} {:13.1} {:11.1}",
        two / one,
        median(processor),
        held as f64 / events as f64,
    );
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns the bytes that this process has in memory.
fn resident() -> Result<usize> {
    let text = std::fs::read_to_string("/proc/self/statm")?;
    let pages = text.split(' ').nth(1).ok_or("statm")?.parse::<usize>()?;
    Ok(pages * 4096)
}

/// Returns the processor time of this process, its own and the kernel's for it.
fn processor_seconds() -> Result<f64> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let behind_name = text.rsplit(") ").next().ok_or("stat")?;
    let ticks: Vec<f64> = (behind_name.split(' ').skip(11).take(2))
        .map(str::parse)
        .collect::<std::result::Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
