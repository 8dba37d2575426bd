//! Several processes come to what one comes to, and none of them looks at others' times.

#[allow(dead_code, reason = "only the program is asked for here")]
mod common;

use std::sync::{Barrier, Mutex};

use common::{program, Action, Program};
use mpiscope_model::{
    Assumptions, Duration, EventRef, Events, Matching, Processes, Timestamp, Trace,
};
use mpiscope_sync::statistics::{stages_together, Places, Together};
use mpiscope_sync::{
    check_together, correct_together, parts, test_claims, test_claims_among, Config, Control,
    Correction, LatencyOverride, PresyncMode,
};
use proptest::prelude::*;

/// Where processes that are threads in truth meet.
struct Hub {
    barrier: Barrier,
    /// By sender and receiver.
    mail: Mutex<Vec<Vec<Vec<u8>>>>,
}

struct Peer<'h> {
    hub: &'h Hub,
    count: usize,
    me: usize,
}

impl Processes for Peer<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn me(&self) -> usize {
        self.me
    }

    fn all_to_all(&self, outgoing: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(outgoing.len(), self.count);
        self.hub.mail.lock().unwrap()[self.me] = outgoing;
        self.hub.barrier.wait();
        let received = (self.hub.mail.lock().unwrap().iter_mut())
            .map(|row| std::mem::take(&mut row[self.me]))
            .collect();
        self.hub.barrier.wait();
        received
    }
}

fn by_processes<T: Send>(count: usize, work: impl Fn(&dyn Processes) -> T + Sync) -> Vec<T> {
    let hub = &Hub {
        barrier: Barrier::new(count),
        mail: Mutex::new(vec![Vec::new(); count]),
    };
    let work = &work;
    std::thread::scope(|scope| {
        let run = |me| scope.spawn(move || work(&Peer { hub, count, me }));
        let peers: Vec<_> = (0..count).map(run).collect();
        peers.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

/// All that is found of a trace, in words; and whole columns.
type Found = (String, Vec<Vec<Timestamp>>, Vec<Vec<Timestamp>>);

fn found(trace: &Trace, config: &Config, processes: Option<&dyn Processes>) -> Found {
    found_with(trace, &trace.matching(), config, processes)
}

/// Does so where each process has its own events alone; nothing if that does not do.
fn found_by_parts(trace: &Trace, config: &Config, processes: &dyn Processes) -> Option<Found> {
    let mut part = trace.clone();
    part.parts = parts(trace, processes.count());
    for (number, location) in part.locations.iter_mut().enumerate() {
        if part.parts[number] as usize != processes.me() {
            location.elsewhere = location.events.len();
            location.events = Events::default();
        }
    }
    let matching = part.matching_among(processes)?;
    let whole = trace.matching();
    assert_eq!(part.whole_matching(&matching, processes), whole);
    assert_eq!(matching, own(&part, &whole, processes.me()));
    let refuted = test_claims_among(&mut part.clone(), &matching, Some(processes));
    assert_eq!(refuted, test_claims(&mut trace.clone(), &whole));
    Some(found_with(&part, &matching, config, Some(processes)))
}

/// What of a matching concerns the events of one process.
fn own(trace: &Trace, whole: &Matching, me: usize) -> Matching {
    let mut own = whole.clone();
    let is_here = |event: EventRef| trace.is_here(event.location.index(), me);
    let (messages, bounds) = (&mut own.messages, &mut own.bounds);
    messages.retain(|it| is_here(it.send) || is_here(it.receive));
    bounds.retain(|it| is_here(it.send) || is_here(it.receive));
    own.unmatched_sends.retain(|it| is_here(*it));
    own.unmatched_receives.retain(|it| is_here(*it));
    own.of_all = Some(whole.counts());
    own
}

fn found_with(
    trace: &Trace,
    matching: &Matching,
    config: &Config,
    processes: Option<&dyn Processes>,
) -> Found {
    let correction = correct_together(trace, matching, config, processes, &mut |_| {});
    let mut correction = correction.unwrap();
    let me = processes.map_or(0, Processes::me);
    for (part, column) in correction.part_of.iter().zip(&correction.corrected) {
        assert!(*part as usize == me || column.is_empty());
    }
    let (table, assume) = (&correction.latencies, Assumptions::default());
    let checked = check_together(&assume, trace, &correction.corrected, table, processes);
    let (measured, places) = (trace.times(), Places::by_clock(trace));
    let counted = stages_together(trace, matching, &measured, &correction, &places, processes);
    let told = told(&correction, &measured, processes);
    let text = format!(
        "{:?}\n{checked:?}\n{counted:?}\n{told}\n{:?} {:?}",
        correction.report, correction.maps, correction.uncertainty
    );
    let [mut before, mut after] = [
        std::mem::take(&mut correction.interpolated),
        std::mem::take(&mut correction.corrected),
    ];
    let together = Together::new(&correction, processes);
    together.gather(&mut before);
    together.gather(&mut after);
    (text, before, after)
}

fn told(
    correction: &Correction,
    measured: &[Vec<Timestamp>],
    processes: Option<&dyn Processes>,
) -> String {
    let together = Together::new(correction, processes);
    let (before, after) = (&correction.interpolated, &correction.corrected);
    format!(
        "{:?} {:?} {} {:?}",
        together.displacements(before, after),
        together.distortion(measured, after),
        together.backward_steps(measured),
        together.elapsed(after),
    )
}

fn is_the_same(trace: &Trace, config: &Config) -> Result<(), TestCaseError> {
    let alone = found(trace, config, None);
    for count in [1, 2, 3, 7, trace.locations.len() + 2] {
        for of_process in by_processes(count, |all| found(trace, config, Some(all))) {
            prop_assert_eq!(&alone, &of_process, "{} processes", count);
        }
        for of_process in by_processes(count, |all| found_by_parts(trace, config, all)) {
            let Some(of_process) = of_process else {
                continue;
            };
            prop_assert_eq!(
                &alone,
                &of_process,
                "{} processes, each with its part",
                count
            );
        }
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

/// One in which nobody waits for what no message tells of.
fn plain_program() -> impl Strategy<Value = Program> {
    program().prop_map(|mut program| {
        program
            .actions
            .retain(|(it, _)| !matches!(it, Action::Bound { .. }));
        program
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn each_needs_its_own_events_alone(program in plain_program()) {
        let trace = program.execute().trace;
        let by_parts = |all: &dyn Processes| found_by_parts(&trace, &Config::default(), all);
        prop_assert!(by_processes(3, by_parts).iter().all(Option::is_some));
        is_the_same(&trace, &Config::default())?;
        let damaged = damaged(&trace, 5);
        is_the_same(&damaged, &Config { presync: PresyncMode::Hull, ..Config::default() })?;
    }

    #[test]
    fn all_numbers_of_processes_agree(program in program()) {
        is_the_same(&program.execute().trace, &Config::default())?;
    }

    #[test]
    fn they_agree_on_traces_that_contradict_themselves(program in program(), every in 2..9usize) {
        let config = Config { presync: PresyncMode::None, ..Config::default() };
        is_the_same(&damaged(&program.execute().trace, every), &config)?;
    }

    #[test]
    fn they_agree_whatever_is_asked_for(
        program in program(),
        every in 2..9usize,
        latency in 0..4000i64,
        delta in prop::option::of(1..100i64),
        paper in any::<bool>(),
    ) {
        let config = Config {
            presync: PresyncMode::Hull,
            delta: delta.map(Duration),
            latency: LatencyOverride::all(Duration(latency)),
            control: match paper {
                true => Control::Paper { gamma: 0.9999, epsilon: 1e-6 },
                false => Control::Adaptive,
            },
            ..Config::default()
        };
        is_the_same(&damaged(&program.execute().trace, every), &config)?;
    }
}

/// Two messages that cannot be, a cycle of two processes: each comes to it alone.
#[test]
fn they_agree_on_a_cycle() {
    let trace =
        Trace::parse("0: 10 recv<1 20 send>1\n1: 10 recv<0 20 send>0\n2: 5 send>0").unwrap();
    let alone = found(&trace, &Config::default(), None);
    assert!(alone.0.contains("Cycle"), "{}", alone.0);
    is_the_same(&trace, &Config::default()).unwrap();
}

/// Of each process one thread calls MPI, and another waits for it and is waited for.
#[test]
fn threads_beside_the_one_that_calls_mpi_are_shared_with_it() {
    let trace = Trace::parse(
        "0: 5 fork(2) 6 team_begin(a) 30 team_end(a) 31 join 40 send>1 90 recv<1
         0.1: 3 team_begin(a) 33 team_end(a)
         1: 15 fork(2) 16 team_begin(b) 25 team_end(b) 26 join 37 recv<0 80 send>0 95 send>2
         1.1: 17 team_begin(b) 28 team_end(b)
         2: 70 recv<1 99",
    )
    .unwrap();
    assert_eq!(trace.matching().bounds.len(), 4);
    let by_parts = |all: &dyn Processes| found_by_parts(&trace, &Config::default(), all);
    assert!(by_processes(2, by_parts).iter().all(Option::is_some));
    is_the_same(&trace, &Config::default()).unwrap();
}
