//! Several processes come to what one comes to, and none of them looks at others' times.

#[allow(dead_code, reason = "only the program is asked for here")]
mod common;

use common::{program, Action, Program};
use mpiscope_model::{
    Assumptions, CollectiveInstance, Duration, EventRef, Home, Matching, Processes, Timestamp,
    Trace,
};
use mpiscope_simulate::parameters::{Parameters, Step};
use mpiscope_simulate::processes::{by_processes, share};
use mpiscope_simulate::simulate;
use mpiscope_sync::statistics::{stages_together, Places, Together};
use mpiscope_sync::{
    check_together, correct_together, parts, test_claims, test_claims_among, Config, Control,
    Correction, LatencyOverride, PresyncMode,
};
use proptest::prelude::*;

/// All that is found of a trace, in words; and whole columns.
type Found = (String, Vec<Vec<Timestamp>>, Vec<Vec<Timestamp>>);

fn found(trace: &Trace, config: &Config, processes: Option<&dyn Processes>) -> Found {
    found_with(trace, &trace.matching(), config, processes)
}

/// Does so where each process has its own events alone; nothing if that does not do.
fn found_by_parts(trace: &Trace, config: &Config, processes: &dyn Processes) -> Option<Found> {
    let part = share(trace, parts(trace, processes.count()), processes.me());
    let matching = part.matching_among(processes)?;
    let whole = trace.matching();
    let mut told = part.whole_matching(&matching, processes);
    // Who has all events looks there.
    told.dense.clear();
    assert_eq!(told, whole);
    match processes.count() {
        1 => assert_eq!(matching, whole),
        _ => {
            let homes = homes(&matching, &whole, processes);
            assert_eq!(
                matching,
                own((&part, trace), &whole, &homes, processes.me())
            );
        }
    }
    let refuted = test_claims_among(&mut part.clone(), &matching, Some(processes));
    assert_eq!(refuted, test_claims(&mut trace.clone(), &whole));
    Some(found_with(&part, &matching, config, Some(processes)))
}

/// The home of each operation, which says so, and which all who know the operation agree about.
fn homes(matching: &Matching, whole: &Matching, processes: &dyn Processes) -> Vec<Home> {
    let rows = matching.homes.iter().map(|it| (it.order, it.process));
    let all = processes.share_all(rows.collect());
    let mut homes: Vec<(u64, u32)> = all.concat();
    homes.sort_unstable();
    homes.dedup();
    assert_eq!(homes.len(), whole.collectives.len());
    assert!(homes.windows(2).all(|two| two[0].0 < two[1].0));
    assert!(homes.iter().all(|it| all[it.1 as usize].contains(it)));
    let home = |(order, process)| Home { process, order };
    homes.into_iter().map(home).collect()
}

/// What of a matching concerns the events of one process, with all members of operations whose home
/// it is.
fn own((part, trace): (&Trace, &Trace), whole: &Matching, homes: &[Home], me: usize) -> Matching {
    let mut own = whole.clone();
    let is_here = |event: EventRef| part.is_here(event.location.index(), me);
    let (messages, bounds) = (&mut own.messages, &mut own.bounds);
    messages.retain(|it| is_here(it.send) || is_here(it.receive));
    bounds.retain(|it| is_here(it.send) || is_here(it.receive));
    own.unmatched_sends.retain(|it| is_here(*it));
    own.unmatched_receives.retain(|it| is_here(*it));
    own.unmatched_collectives.retain(|it| is_here(*it));
    (own.collectives, own.members, own.homes) = Default::default();
    for (instance, home) in whole.collectives.iter().zip(homes) {
        let is_home = home.process as usize == me;
        let begin = own.members.len();
        let members = whole.members_of(instance).iter();
        own.members
            .extend(members.filter(|it| is_home || is_here(it.enter)));
        let members = begin..own.members.len();
        let exits = own.members[members.clone()].iter().map(|it| it.exit);
        let told = exits.filter(|exit| !is_here(*exit) && whole.is_dense(trace, *exit));
        own.dense.extend(told);
        if is_home || !members.is_empty() {
            own.homes.push(*home);
            own.collectives.push(CollectiveInstance {
                members,
                ..instance.clone()
            });
        }
    }
    own.dense.sort_unstable();
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
    // The first alone knows what all have counted.
    let counted = format!("{counted:?}");
    let counted = match processes {
        Some(processes) => processes.tell(counted.into_bytes()),
        None => counted.into_bytes(),
    };
    let counted = String::from_utf8(counted).unwrap();
    let told = told(&correction, &measured, processes);
    let text = format!(
        "{:?}\n{checked:?}\n{counted}\n{told}\n{:?} {:?}",
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

/// The first process finds out when a clock was set, which messages of all tell, and the times that
/// it skipped; no other process fits anything.
#[test]
fn the_first_finds_for_all_when_a_clock_was_set() {
    let mut parameters = Parameters {
        ranks: 16,
        hosts: 8,
        iterations: 500,
        start_s: 600.0,
        seconds: 20.0,
        ..Parameters::default()
    };
    parameters.offsets.times_s = vec![0.0, 1200.0];
    parameters.clocks.steps = vec![Step {
        host: 3,
        at_s: 611.0,
        by_s: 2e-3,
    }];
    let trace = simulate(&parameters).unwrap().trace;
    let alone = found(&trace, &Config::default(), None);
    assert!(alone.0.contains("ClockSet"), "{}", &alone.0[..1000]);
    let by_parts = |all: &dyn Processes| found_by_parts(&trace, &Config::default(), all);
    for of_process in by_processes(3, by_parts) {
        assert!(of_process.unwrap() == alone);
    }
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

/// Operations of every kind: on communicators of some and of one, along edges, of which some sent
/// something to everybody, creations, nonblocking ones one of which never ends, one whose members
/// disagree, and the end.
#[test]
fn they_agree_on_operations_of_every_kind() {
    let trace = Trace::parse(
        "comm row: 0 1 3
         comm ring: 0 1 2 3 edges 0>1 1>2 2>3 3>0
         comm me: self
         host a: 0 1
         host b: 2 3
         clock 0 1:
         clock 2 3:
         0: 10 alltoallv(sent=8){ 30 } !dense 40 neighbor_allgather(comm=ring){ 60 } \
            61 enter(MPI_Comm_dup) 70 leave(MPI_Comm_dup) !created(row) \
            80 barrier(comm=me){ 90 } 100 bcast(root=0){ 120 } 130 scan(comm=row){ 150 } \
            160 icollective#7 190 iallreduce#7 200 neighbor_alltoallv(comm=ring){ 210 } !dense \
            220 reduce(root=1){ 221 } 300 enter(MPI_Finalize) 330 leave(MPI_Finalize)
         1: 22 alltoallv(sent=8){ 24 } 35 neighbor_allgather(comm=ring){ 65 } \
            66 enter(MPI_Comm_dup) 67 leave(MPI_Comm_dup) !created(row) \
            80 barrier(comm=me){ 90 } 115 bcast(root=0){ 118 } 119 scan(comm=row){ 121 } \
            160 icollective#7 170 iallreduce#7 230 neighbor_alltoallv(comm=ring){ 240 } \
            250 reduce(root=1){ 255 } 280 enter(MPI_Finalize) 290 leave(MPI_Finalize)
         2: 12 alltoallv(sent=8){ 28 } 29 neighbor_allgather(comm=ring){ 31 } \
            90 bcast(root=0){ 95 } 160 icollective#7 200 iallreduce#7 \
            210 neighbor_alltoallv(comm=ring){ 212 } !dense 213 reduce(root=1){ 214 } \
            310 enter(MPI_Finalize) 350 leave(MPI_Finalize)
         3: 14 alltoallv(sent=8){ 15 } !dense 16 neighbor_allgather(comm=ring){ 17 } \
            18 enter(MPI_Comm_dup) 19 leave(MPI_Comm_dup) !created(row) \
            102 bcast(root=0){ 103 } 140 scan(comm=row){ 141 } 160 icollective#7 \
            165 iallreduce#7 180 neighbor_alltoallv(comm=ring){ 190 } 191 reduce(root=2){ 192 } \
            200 icollective#9 305 enter(MPI_Finalize) 308 leave(MPI_Finalize)",
    )
    .unwrap();
    let matching = trace.matching();
    assert_eq!(matching.collectives.len(), 11);
    assert!(matching.bounds.len() > 4);
    for config in [
        Config::default(),
        Config {
            presync: PresyncMode::None,
            latency: LatencyOverride::all(Duration(7)),
            ..Config::default()
        },
    ] {
        let by_parts = |all: &dyn Processes| found_by_parts(&trace, &config, all);
        assert!(by_processes(3, by_parts).iter().all(Option::is_some));
        is_the_same(&trace, &config).unwrap();
    }
}

/// Whose turn it would be to be home may have been left out of the archive.
#[test]
fn they_agree_on_operations_of_ranks_that_the_trace_lacks() {
    let ops = |shift: u64| {
        let op = |at: u64| {
            format!(
                "{} allreduce(comm=row){{ {} }}",
                20 * at + shift,
                20 * at + 15
            )
        };
        (1..9).map(op).collect::<Vec<_>>().join(" ")
    };
    let ranks = (0..4).map(|rank| format!("{rank}: {}", ops(3 * rank)));
    let lines: Vec<String> = ranks.collect();
    let trace = Trace::parse(&format!("comm row: 9 0 1 7 2 3\n{}", lines.join("\n"))).unwrap();
    assert_eq!(trace.matching().collectives.len(), 8);
    is_the_same(&trace, &Config::default()).unwrap();
}
