//! The number of threads changes nothing.

#[allow(dead_code, reason = "only the program is asked for here")]
mod common;

use common::program;
use mpiscope_model::{Duration, Events, Trace};
use mpiscope_sync::{correct, Config, Correction, PresyncMode};
use proptest::prelude::*;

fn corrected(trace: &Trace, presync: PresyncMode, threads: usize) -> Correction {
    let config = Config {
        presync,
        threads: Some(threads),
        sweep_threads: threads,
        ..Config::default()
    };
    correct(trace, &config).unwrap()
}

fn is_the_same(trace: &Trace, presync: PresyncMode) -> Result<(), TestCaseError> {
    let one = corrected(trace, presync, 1);
    for threads in [2, 8] {
        let many = corrected(trace, presync, threads);
        prop_assert_eq!(&one.corrected, &many.corrected);
        prop_assert_eq!(&one.interpolated, &many.interpolated);
        prop_assert_eq!(&one.report, &many.report);
    }
    Ok(())
}

/// Takes one of few events out, and moves another back.
fn damaged(trace: &Trace, every: usize) -> Trace {
    let mut trace = trace.clone();
    let mut number = 0;
    for location in &mut trace.locations {
        for (time, event) in std::mem::take(&mut location.events).iter() {
            number += 1;
            match number % every {
                0 => {}
                1 => location.events.push(time - Duration(1000), event),
                _ => location.events.push(time, event),
            }
        }
    }
    trace
}

proptest! {
    #[test]
    fn one_two_and_eight_threads_agree(program in program()) {
        is_the_same(&program.execute().trace, PresyncMode::Fit)?;
    }

    #[test]
    fn they_agree_on_traces_that_contradict_themselves(program in program(), every in 2..9usize) {
        is_the_same(&damaged(&program.execute().trace, every), PresyncMode::None)?;
    }
}

/// Neighbours exchange messages, all meet now and then, and the clocks of
/// every other one are far off: many locations wait for each other.
#[test]
fn they_agree_on_many_locations() {
    const LOCATIONS: u32 = 61;
    let mut picture = String::new();
    for rank in 0..LOCATIONS {
        let (left, right) = ((rank + LOCATIONS - 1) % LOCATIONS, (rank + 1) % LOCATIONS);
        picture += &format!("{rank}:");
        for step in 0..40 {
            let time = 1000 * step + (rank * 7919 + step * 31) % 400 + rank % 3 * 500;
            picture += &format!(" {time} send>{right} {} send>{left}", time + 5);
            picture += &format!(" {} recv<{left} {} recv<{right}", time + 300, time + 310);
            if step % 5 == 4 {
                picture += &format!(" {} allreduce{{ {} }}", time + 320, time + 330);
            }
            if step % 7 == 3 {
                picture += &format!(" {} scan{{ {} }}", time + 340, time + 350);
            }
        }
        picture += "\n";
    }
    let trace = Trace::parse(&picture).unwrap();
    assert!(trace
        .locations
        .iter()
        .all(|location| location.events != Events::default()));
    let presync = PresyncMode::None;
    is_the_same(&trace, presync).unwrap();
    assert!(corrected(&trace, presync, 2).report.violations_seen > 200);
}
