//! Neither the number of threads changes anything nor that of parts.

#[allow(dead_code, reason = "only the program is asked for here")]
mod common;

use common::program;
use mpiscope_model::{Duration, Events, Trace};
use mpiscope_sync::{correct, Config, Correction, PresyncMode};
use proptest::prelude::*;

/// Corrects on so many threads, divided into so many parts.
fn corrected(trace: &Trace, presync: PresyncMode, threads: usize, parts: Parts) -> Correction {
    let config = Config {
        presync,
        threads: Some(threads),
        parts: parts.0,
        in_bytes: parts.1,
        ..Config::default()
    };
    correct(trace, &config).unwrap()
}

/// How many there are, and whether they talk to each other in bytes.
type Parts = (usize, bool);

fn is_the_same(trace: &Trace, presync: PresyncMode) -> Result<(), TestCaseError> {
    let one = corrected(trace, presync, 1, (1, false));
    // More threads than these would mostly wake each other.
    let all = trace.locations.len().min(9);
    let by_memory = [1, 2, 3, 7, all].map(|parts| (2, (parts, false)));
    let by_bytes = [2, 3, 7, all].map(|parts| (1, (parts, true)));
    let alone = [(8, (1, false))];
    for (threads, parts) in by_memory.into_iter().chain(by_bytes).chain(alone) {
        let many = corrected(trace, presync, threads, parts);
        prop_assert_eq!(&one.corrected, &many.corrected);
        prop_assert_eq!(&one.interpolated, &many.interpolated);
        prop_assert_eq!(&one.jumps, &many.jumps);
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
    fn all_numbers_of_threads_and_parts_agree(program in program()) {
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
    assert!(
        corrected(&trace, presync, 2, (1, false))
            .report
            .violations_seen
            > 200
    );
}
