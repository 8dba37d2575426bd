//! Processes that share a trace, on programs that repeat themselves: with right clocks and with wrong
//! ones, by which calls end before the other side has come.

mod common;

use common::together;
use mpiscope_analysis::clock_errors::ClockErrors;
use mpiscope_analysis::profile::Profile;
use mpiscope_model::{Duration, Events, Trace};
use mpiscope_simulate::parameters::{Clocks, Placement, Program};
use mpiscope_simulate::{simulate, Parameters};

fn simulated(program: Program, clocks: Clocks, seed: u64) -> Trace {
    let parameters = Parameters {
        seed,
        ranks: 7,
        hosts: 3,
        placement: Placement::Cyclic,
        program,
        iterations: 60,
        imbalance: 0.3,
        clocks,
        ..Parameters::default()
    };
    simulate(&parameters).unwrap().trace
}

/// Has what happens on one rank take longer and longer.
fn growing(mut trace: Trace) -> Trace {
    let grow = |events: &Events| {
        let mut grown = Events::default();
        let begin = events.times()[0];
        for (time, event) in events.iter() {
            let since = (time - begin).0 as f64;
            grown.push(
                begin + Duration((since + since * since / 4e7) as i64),
                event,
            );
        }
        grown
    };
    for location in &mut trace.locations {
        location.events = grow(&location.events);
    }
    trace
}

#[test]
fn programs_that_repeat_themselves_are_seen_alike() {
    // Those of which processes can match the messages that have their own events alone.
    let programs = [Program::Halo, Program::Pairs, Program::Workers];
    let apart = Clocks {
        offset_s: 30e-6,
        ..Clocks::default()
    };
    let (mut iterations, mut growing_ones, mut contradicting) = (0, 0, 0);
    for (seed, program) in (1..).zip(programs) {
        for clocks in [Clocks::perfect(), apart.clone(), Clocks::default()] {
            let trace = simulated(program, clocks, seed);
            for trace in [growing(trace.clone()), trace] {
                assert!(together::agree(&trace, &ClockErrors::measured(&trace)));
                let profile = Profile::without_causes(&trace, &trace.matching());
                iterations += u32::from(matches!(profile.iterations, Some(Ok(_))));
                growing_ones += u32::from(profile.growth.is_some());
                contradicting += u32::from(profile.contradictions > 0);
            }
        }
    }
    println!("{iterations} have iterations, {growing_ones} grow, {contradicting} contradict");
    assert!(iterations > 3 && growing_ones > 1 && contradicting > 3);
}
