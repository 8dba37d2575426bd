//! How fast races are found.
//!
//! ```text
//! cargo run --release -p mpiscope-analysis --example race_rate [RANKS [MILLION_EVENTS [TIMES]]]
//! ```
//!
//! Simulated programs with receives from anybody, in time of one processor; the
//! least of several TIMES is shown, for matching and for races with their meaning, summed
//! up by place. Of `messages` alone, enters and leaves are left out.

use mpiscope_analysis::errors::errors;
use mpiscope_analysis::races::Races;
use mpiscope_model::{
    CommId, Communicator, Event, Events, Location, PointToPoint, Rank, RegionId, Timestamp, Trace,
};
use mpiscope_simulate::parameters::Program;
use mpiscope_simulate::{simulate, Parameters};
use rustix::time::{clock_gettime, ClockId};

fn main() {
    let number = |n, default| match std::env::args().nth(n) {
        Some(text) => text.parse().expect("a number"),
        None => default,
    };
    let (ranks, millions, times) = (number(1, 1024) as u32, number(2, 4), number(3, 5));
    // Matching uses the threads of the process; here, one.
    std::env::set_var("RAYON_NUM_THREADS", "1");
    let events = millions * 1_000_000;
    for (name, program) in [
        ("master and workers", Program::Workers),
        ("halo exchange", Program::Halo),
        ("random pairs", Program::Pairs),
    ] {
        measure(
            name,
            &wild(&simulated(program, ranks, events), false),
            times,
        );
    }
    let halo = simulated(Program::Halo, ranks, events);
    measure("halo exchange, messages", &wild(&halo, true), times);
    measure(
        "receive benchmark",
        &receive_benchmark(ranks, events),
        times,
    );
}

fn simulated(program: Program, ranks: u32, events: usize) -> Trace {
    let mut parameters = Parameters {
        ranks,
        hosts: ranks.div_ceil(16),
        program,
        iterations: 4,
        ..Parameters::default()
    };
    let few = simulate(&parameters).expect("parameters within their limits");
    let iterations = 4 * events / few.trace.event_count().max(1);
    parameters.iterations = iterations.max(1) as u32;
    let many = simulate(&parameters).expect("parameters within their limits");
    many.trace
}

/// Lets all receives and probes name nobody.
fn wild(trace: &Trace, messages_only: bool) -> Trace {
    let mut wild = trace.clone();
    for location in &mut wild.locations {
        let mut events = Events::with_capacity(location.events.len());
        for (time, event) in location.events.iter() {
            let any = |message: &PointToPoint| PointToPoint {
                any_source: true,
                ..*message
            };
            match event {
                Event::MpiRecv(message) => events.push_recv(time, any(message)),
                Event::MpiIrecv(message) => events.push_irecv(time, any(message)),
                Event::MpiProbe(message) => events.push_probe(time, any(message)),
                Event::Enter(_) | Event::Leave(_) if messages_only => {}
                event => events.push(time, event),
            }
        }
        location.events = events;
    }
    wild
}

/// Clémençon et al. 1995, Figure 1: everybody sends to one after the other,
/// who receives from anybody.
fn receive_benchmark(ranks: u32, events: usize) -> Trace {
    let mut trace = Trace::default();
    trace.definitions.communicators.push(Communicator {
        members: (0..ranks).map(Rank).collect(),
        ..Communicator::default()
    });
    let rounds = (events / (6 * ranks as usize)).max(1) as u32;
    let mut streams = vec![Events::default(); ranks as usize];
    let mut time = 0;
    for receiver in (0..rounds).map(|round| round % ranks) {
        for sender in (0..ranks).filter(|&sender| sender != receiver) {
            time += 1;
            let mut call = |rank: u32, receives: bool| {
                let peer = if receives { sender } else { receiver };
                let mut message = PointToPoint::new(peer, CommId(0), 0, 4);
                message.any_source = receives;
                let events = &mut streams[rank as usize];
                events.push_enter(Timestamp(time), RegionId(0));
                match receives {
                    true => events.push_recv(Timestamp(time), message),
                    false => events.push_send(Timestamp(time), message),
                }
                events.push_leave(Timestamp(time), RegionId(0));
            };
            call(sender, false);
            call(receiver, true);
        }
    }
    let location = |(rank, events): (u32, Events)| Location {
        rank: Rank(rank),
        events,
        ..Location::default()
    };
    trace.locations = (0..).zip(streams).map(location).collect();
    trace
}

fn measure(name: &str, trace: &Trace, times: usize) {
    let events = trace.event_count() as f64;
    let mut least = [f64::MAX; 3];
    let mut found = (0, 0);
    for _ in 0..times {
        let begin = cpu_seconds();
        let matching = trace.matching();
        least[0] = least[0].min(cpu_seconds() - begin);
        let begin = cpu_seconds();
        let races = Races::find(trace, &matching);
        let groups = races.groups(trace);
        least[1] = least[1].min(cpu_seconds() - begin);
        let begin = cpu_seconds();
        std::hint::black_box(errors(trace, &matching));
        least[2] = least[2].min(cpu_seconds() - begin);
        found = (groups.iter().map(|it| it.races).sum(), races.alternatives());
    }
    let rate = |seconds: f64| events / seconds / 1e6;
    println!(
        "{name:<24} {:5} ranks, {:5.1} M events: matched at {:6.1} M events/s, races {:6.1}, errors {:6.1}, matching and races {:6.1}; {} races, {} alternatives",
        trace.locations.len(),
        events / 1e6,
        rate(least[0]),
        rate(least[1]),
        rate(least[2]),
        rate(least[0] + least[1]),
        found.0,
        found.1,
    );
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
