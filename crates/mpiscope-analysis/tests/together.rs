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

/// Two ranks come to MPI again at one time, one of them of another process: the same one is named.
#[test]
fn who_came_at_the_same_time_does_not_depend_on_processes() {
    let sends = "0 enter(MPI_Isend) 1 isend>0#2 2 leave(MPI_Isend) \
                 60 enter(MPI_Wait) 62 wait#2 64 leave(MPI_Wait) 100";
    let trace = Trace::parse(&format!(
        "0: 0 enter(MPI_Irecv) 1 irecv#1 2 leave(MPI_Irecv) 3 enter(MPI_Irecv) 4 irecv#2 \
            5 leave(MPI_Irecv) 20 enter(MPI_Waitall) 63 wait<2#1 63 wait<1#2 63 leave(MPI_Waitall) 100
         1: {sends}
         2: {sends}"
    ))
    .unwrap();
    let profile = Profile::without_causes(&trace, &trace.matching());
    assert_eq!(profile.late_progress.len(), 1);
    assert!(together::agree(&trace, &ClockErrors::measured(&trace)));
}

/// Races and errors are looked for by one alone where there may be some.
#[test]
fn where_nothing_is_wrong_processes_say_so_together() {
    let clean = "host a: 0 1
        host b: 2
        0: 1 enter(MPI_Send) !posted(1) 2 send>1 3 leave(MPI_Send) 4 reduce(root=1){ 9 } \
           20 enter(MPI_Finalize) 30 leave(MPI_Finalize)
        1: 1 enter(MPI_Recv) !posted(0,cap=8) 5 recv<0 6 leave(MPI_Recv) 7 reduce(root=1){ 12 } \
           21 enter(MPI_Finalize) 31 leave(MPI_Finalize)
        2: 1 reduce(root=1){ 9 } 22 enter(MPI_Finalize) 32 leave(MPI_Finalize)";
    let parsed = |text: &str| Trace::parse(text).unwrap();
    assert!(together::find_nothing(&parsed(clean)));
    for (what, instead) in [
        ("recv<0 6", "recv<0(any) 6"),
        ("send>1 3", "send>1(bytes=9) 3"),
        ("recv<0 6", "recv<0(tag=5) 6"),
        ("1 reduce(root=1){ 9 } 22", "1 reduce(root=0){ 9 } 22"),
        ("1 reduce(root=1){ 9 } 22", "1 bcast(root=1){ 9 } 22"),
        (
            " 22 enter(MPI_Finalize) 32 leave(MPI_Finalize)",
            " 22 enter(MPI_Wait)",
        ),
        (
            "20 enter",
            "11 enter(MPI_Irecv) 12 irecv#1 13 leave(MPI_Irecv) 20 enter",
        ),
    ] {
        let other = clean.replacen(what, instead, 1);
        assert_ne!(other, clean);
        assert!(!together::find_nothing(&parsed(&other)), "{instead}");
    }
}
