//! How long it takes to look at a run, and how much memory that fills:
//! `cargo run --release -p mpiscope-tiles --example view_rate`.

use std::time::Instant;

use mpiscope_tiles::Run;

fn main() {
    for iterations in [70, 700] {
        let parameters = mpiscope_simulate::Parameters {
            ranks: 256,
            hosts: 16,
            iterations,
            ..Default::default()
        };
        let trace = mpiscope_simulate::simulate(&parameters).unwrap().trace;
        let events = trace.event_count() as f64;
        let began = Instant::now();
        let mut run = Run::new(trace);
        let matched = began.elapsed();
        let began = Instant::now();
        run.add_clock("measured", None);
        let built = began.elapsed().as_secs_f64();
        let clock = run.clock("measured").unwrap();
        let bytes = (clock.view.bytes() + run.bytes()) as f64;
        println!(
            "{events:.0} events: matched in {matched:.1?}, looked at in {built:.2} s, {:.1} M events/s, \
             {:.2} bytes an event: {:?}, ends of messages {}",
            events / built / 1e6,
            bytes / events,
            clock.view.parts(),
            run.bytes(),
        );
        for level in (0..clock.levels()).rev().step_by(2) {
            let tile = clock.tile(level, 0).unwrap();
            let began = Instant::now();
            clock.shares(tile, 1).unwrap();
            println!("  shares of level {level}: {:.1?}", began.elapsed());
        }
    }
}
