//! How fast traces are made: `cargo run --release -p mpiscope-simulate
//! --example simulation_rate [PRESET]`.
#![forbid(unsafe_code)]

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or("partial".into());
    let preset = mpiscope_simulate::preset::find(&name).ok_or("there is no such preset")?;
    let began = Instant::now();
    let simulated = mpiscope_simulate::simulate(&preset.parameters())?;
    let seconds = began.elapsed().as_secs_f64();
    let events = simulated.trace.event_count();
    let ns = seconds * 1e9 / events as f64;
    println!("{name}: {events} events in {seconds:.2} s, {ns:.1} ns each");
    Ok(())
}
