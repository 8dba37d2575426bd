//! Small runs, and what is told of their iterations.

use expect_test::{expect, Expect};

use super::*;
use crate::efficiency::{Efficiency, NoEfficiency};
use crate::profile::{Asked, Profile};
use crate::whatif::Replay;

/// Writes the anchor, how many iterations there are, when they begin, and what is slow.
#[track_caller]
fn check(picture: &str, expected: &Expect) {
    let trace = Trace::parse(picture).unwrap();
    let matching = trace.matching();
    let text = match Iterations::of(&trace, &matching) {
        Err(reason) => reason.to_string(),
        Ok(found) => told(&trace, &matching, &found),
    };
    expected.assert_eq(&text);
}

fn told(trace: &Trace, matching: &Matching, found: &Iterations) -> String {
    let region = found.anchor.region.map_or("an operation", |region| {
        &trace.definitions.regions[region.index()].name
    });
    let site = found.anchor.site.map_or(String::new(), |site| {
        format!(" at {}", trace.definitions.call_sites[site.index()])
    });
    let whose = match found.is_collective {
        true => "of all",
        false => "of each",
    };
    let lengths = found.measure(trace, matching);
    let at: Vec<String> = lengths.moments.iter().map(|it| it.0.to_string()).collect();
    let mut lines = vec![format!(
        "{region}{site} {whose}: {} x {}, {:.2} of the time, {:.2} alike: {}",
        found.count(),
        lengths.median.0,
        found.share,
        found.alike,
        at.join(" ")
    )];
    for slow in &lengths.slow {
        lines.push(format!(
            "slow: {} takes {}: rank {} {} {} more",
            slow.number,
            slow.length.0,
            lengths.ranks[slow.of],
            slow.what.verb(),
            slow.by.0
        ));
    }
    lines.join("\n")
}

#[test]
fn a_barrier_in_a_loop_counts_iterations() {
    check(
        "0: 0 5 barrier{ 10 } 15 barrier{ 20 } 25 barrier{ 30 } 62 barrier{ 70 } 75 barrier{ 80 } 85 barrier{ 90 } 95
         1: 0 5 barrier{ 10 } 15 barrier{ 20 } 25 barrier{ 30 } 35 barrier{ 70 } 75 barrier{ 80 } 85 barrier{ 90 } 95",
        &expect![[r#"
            an operation of all: 5 x 10, 0.84 of the time, 0.80 alike: 10 20 30 70 80 90
            slow: 2 takes 40: rank 0 computes 27 more"#]],
    );
}

#[test]
fn without_operations_of_all_each_rank_counts_its_own_calls() {
    check(
        "0: 0 enter(MPI_Send) 1 send>1 2 leave(MPI_Send) 10 enter(MPI_Send) 11 send>1 12 leave(MPI_Send)
         0: 20 enter(MPI_Send) 21 send>1 22 leave(MPI_Send) 30 enter(MPI_Send) 31 send>1 32 leave(MPI_Send)
         1: 0 enter(MPI_Recv) 2 recv<0 3 leave(MPI_Recv) 8 enter(MPI_Recv) 12 recv<0 13 leave(MPI_Recv)
         1: 18 enter(MPI_Recv) 22 recv<0 23 leave(MPI_Recv) 28 enter(MPI_Recv) 32 recv<0 33 leave(MPI_Recv)",
        &expect!["MPI_Send of each: 3 x 10, 0.91 of the time, 1.00 alike: 3 13 23 33"],
    );
}

#[test]
fn statements_are_told_apart_by_their_lines() {
    check(
        "0: 0 enter(MPI_Barrier) !at(a.c:1) 1 barrier{ 2 } 3 leave(MPI_Barrier)
         0: 4 enter(MPI_Barrier) !at(a.c:2) 5 barrier{ 6 } 7 leave(MPI_Barrier)
         0: 14 enter(MPI_Barrier) !at(a.c:2) 15 barrier{ 16 } 17 leave(MPI_Barrier)
         0: 24 enter(MPI_Barrier) !at(a.c:2) 25 barrier{ 26 } 27 leave(MPI_Barrier)
         0: 34 enter(MPI_Barrier) !at(a.c:2) 35 barrier{ 36 } 37 leave(MPI_Barrier)
         0: 44 enter(MPI_Barrier) !at(a.c:3) 45 barrier{ 46 } 47 leave(MPI_Barrier)",
        &expect!["MPI_Barrier at a.c:2 of all: 3 x 10, 0.64 of the time, 1.00 alike: 7 17 27 37"],
    );
}

#[test]
fn time_in_mpi_init_and_finalize_is_nobodys() {
    check(
        "0: 0 enter(MPI_Init) 1000 leave(MPI_Init) 1010 barrier{ 1011 } 1020 barrier{ 1021 } 1030 barrier{ 1031 } 1040 barrier{ 1041 }
         0: 1042 enter(MPI_Finalize) 5000 leave(MPI_Finalize)",
        &expect!["an operation of all: 3 x 10, 0.71 of the time, 1.00 alike: 1011 1021 1031 1041"],
    );
}

/// mpi4py asks at the program's end, whoever reads its MPI_INITIALIZED as a begin has nothing left.
#[test]
fn to_ask_whether_mpi_was_initialized_begins_nothing() {
    check(
        "0: 0 enter(MPI_Init) 1000 leave(MPI_Init) 1010 barrier{ 1011 } 1020 barrier{ 1021 } 1030 barrier{ 1031 } 1040 barrier{ 1041 }
         0: 1042 enter(MPI_Initialized) 1043 leave(MPI_Initialized) 1060 enter(MPI_Finalize) 5000 leave(MPI_Finalize)",
        &expect!["an operation of all: 3 x 10, 0.50 of the time, 1.00 alike: 1011 1021 1031 1041"],
    );
}

#[test]
fn what_is_no_repetition_is_said() {
    check("0: 0 5 10", &expect!["no process calls MPI"]);
    check(
        "0: 0 barrier{ 1 } 10 bcast{ 11 } 20 allreduce{ 21 } 30 barrier{ 31 } 40",
        &expect!["no statement is called again and again, for a good part of the time, with the same calls in between"],
    );
    check(
        "0: 0 send>1 1 send>1 2 send>1 3 send>1 4 send>1
         1: 0 enter(MPI_Recv) 1 leave(MPI_Recv) 10 enter(MPI_Recv) 11 leave(MPI_Recv) 20 enter(MPI_Recv) 21 leave(MPI_Recv) 30 enter(MPI_Recv) 31 leave(MPI_Recv)
         2: 0 enter(MPI_Recv) 1 leave(MPI_Recv) 10 enter(MPI_Recv) 11 leave(MPI_Recv) 20 enter(MPI_Recv) 21 leave(MPI_Recv) 30 enter(MPI_Recv) 31 leave(MPI_Recv) 40 enter(MPI_Recv) 41 leave(MPI_Recv)",
        &expect!["the ranks repeat themselves, but no two statements of them equally often"],
    );
}

#[test]
fn iterations_that_grow_are_said_to() {
    let mut now = 0;
    let mut picture = "0: 0".to_owned();
    for turn in 0..40 {
        now += 1000 + 10 * turn;
        picture += &format!(" {now} barrier{{ {} }}", now + 1);
        now += 1;
    }
    let trace = Trace::parse(&picture).unwrap();
    let matching = trace.matching();
    let found = Iterations::of(&trace, &matching).unwrap();
    let drift = found.measure(&trace, &matching).drift.unwrap();
    assert_eq!(drift.per_iteration, 10.0);
    assert_eq!(drift.in_all.0, 380);
}

#[test]
fn the_parts_of_an_iteration_are_all_its_time() {
    let picture = "
        0: 0 5 barrier{ 10 } 15 barrier{ 20 } 21 off 24 on 25 barrier{ 30 } 62 barrier{ 70 } 75 barrier{ 80 }
        1: 0 5 barrier{ 10 } 18 barrier{ 20 } 25 barrier{ 30 } 35 barrier{ 70 } 75 barrier{ 80 }";
    let trace = Trace::parse(picture).unwrap();
    let matching = trace.matching();
    let found = Iterations::of(&trace, &matching).unwrap();
    let lengths = found.measure(&trace, &matching);
    let first = Parts {
        computation: 5,
        communication: 2,
        waiting: 3,
        unrecorded: 0,
    };
    assert_eq!(lengths.parts[0][0], first);
    for (rank, parts) in found.ranks.iter().zip(&lengths.parts) {
        let times = trace.locations[rank.location.index()].events.times();
        for (number, it) in parts.iter().enumerate() {
            let ends = &rank.bounds[number..number + 2];
            let length = times[ends[1] as usize] - times[ends[0] as usize];
            let sum = it.computation + it.communication + it.waiting + it.unrecorded;
            assert_eq!(sum, length.0);
        }
    }
}

/// Returns the profile of a run that was replayed.
fn replayed(picture: &str) -> Profile {
    let trace = Trace::parse(picture).unwrap();
    let matching = trace.matching();
    let asked = Asked {
        replay: Some(&Replay::of(&trace, &matching)),
        ..Asked::default()
    };
    Profile::asked(&trace, &matching, &asked)
}

/// Returns the efficiencies of a phase.
fn efficiency(profile: &Profile, kind: PhaseKind) -> Efficiency {
    let phase = profile.phases.iter().find(|it| it.kind == kind).unwrap();
    phase.within.efficiency().unwrap()
}

#[test]
fn a_phase_has_the_efficiencies_of_its_own_time() {
    // In the first iteration both work half of the time, in the last rank 0 does all.
    let picture = "
        0: 0 10 barrier{ 20 } 420 barrier{ 1020 } 2000 barrier{ 2020 } 3000 barrier{ 3020 } 4020
        1: 0 10 barrier{ 20 } 620 barrier{ 1020 } 1525 barrier{ 2020 } 2025 barrier{ 3020 } 4020";
    let profile = replayed(picture);
    let all = efficiency(&profile, PhaseKind::All);
    assert_eq!(
        (all.parallel, all.communication),
        (3470.0 / 6000.0, 2360.0 / 3000.0)
    );
    // Both work for 600, then for 980 at most, twice.
    let split = all.split.unwrap();
    assert_eq!(split.serialization, 2360.0 / 2560.0);
    assert_eq!(split.transfer, 2560.0 / 3000.0);
    let least = efficiency(&profile, PhaseKind::Least);
    assert_eq!((least.parallel, least.communication), (0.4925, 0.98));
    let split = least.split.unwrap();
    assert_eq!((split.serialization, split.transfer), (1.0, 0.98));
}

/// Who goes ahead of the others does in their time what is no part of the phase, but of its time.
#[test]
fn a_phase_that_ranks_pass_at_different_times_is_its_time() {
    let call = |at: u32, name: &str, what: &str| {
        format!(
            " {at} enter({name}) {} {what} {} leave({name})",
            at + 5,
            at + 10
        )
    };
    let calls = |every: u32, name: &str, what: &str| -> String {
        (1..6).map(|turn| call(every * turn, name, what)).collect()
    };
    let sends = calls(100, "MPI_Send", "send>1");
    let receives = calls(300, "MPI_Recv", "recv<0");
    let profile = replayed(&format!("0: 0{sends} 520\n1: 0{receives} 1520"));
    // Of 1200 from 310 on rank 0 works for 190, rank 1 for 1160.
    let all = efficiency(&profile, PhaseKind::All);
    assert_eq!(all.communication, 1160.0 / 1200.0);
    assert_eq!(all.load_balance, 675.0 / 1160.0);
    assert_eq!(all.split.unwrap().serialization, 1.0);
    let has_least = |profile: &Profile| profile.phases.iter().any(|it| it.kind == PhaseKind::Least);
    assert!(!has_least(&profile));
}

#[test]
fn recording_that_is_off_in_another_time_is_no_part_of_a_phase() {
    let barriers: String = (1..6)
        .map(|turn| format!(" {} barrier(seq={turn}){{ {} }}", 90 * turn, 90 * turn + 10))
        .collect();
    let profile = replayed(&format!("0: 0 20 off 30 on{barriers} 600"));
    assert_eq!(profile.within.ranks, Err(NoEfficiency::Unrecorded));
    let all = efficiency(&profile, PhaseKind::All);
    assert_eq!(
        (all.parallel, all.split.unwrap().transfer),
        (320.0 / 360.0, 320.0 / 360.0)
    );
}

/// By definition, of each phase of runs that are drawn.
#[test]
fn efficiencies_of_phases_are_those_of_sums_over_each_nanosecond() {
    let mut seed = 1u64;
    let mut draw = |below: u64| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) % below
    };
    for _ in 0..200 {
        let (ranks, turns) = (2 + draw(3), 4 + draw(5));
        let mut lines: Vec<String> = (0..ranks)
            .map(|rank| format!("{rank}: 0 10 barrier{{ 20 }}"))
            .collect();
        let (mut now, mut work) = (20, Vec::new());
        for _ in 0..turns {
            let own: Vec<u64> = lines.iter().map(|_| 1 + draw(900)).collect();
            let end = now + own.iter().max().unwrap() + 1 + draw(50);
            for (line, own) in lines.iter_mut().zip(&own) {
                *line += &format!(" {} barrier{{ {end} }}", now + own);
            }
            work.push((own, end - now));
            now = end;
        }
        let profile = replayed(&lines.join("\n"));
        for phase in &profile.phases {
            // All calls are alike, so the first is where iterations begin.
            let (mut used, mut time, mut ideal) = (vec![0; ranks as usize], 0, 0);
            for (own, length) in &work[phase.iterations.clone()] {
                used.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
                time += length;
                ideal += own.iter().max().unwrap();
            }
            let found = phase.within.efficiency().unwrap();
            let mean = used.iter().sum::<u64>() as f64 / ranks as f64;
            let most = *used.iter().max().unwrap() as f64;
            let split = found.split.unwrap();
            let pairs = [
                (found.parallel, mean / time as f64),
                (found.load_balance, mean / most),
                (split.serialization, most / ideal as f64),
                (split.transfer, ideal as f64 / time as f64),
                (
                    found.load_balance * split.serialization * split.transfer,
                    found.parallel,
                ),
            ];
            assert!(
                pairs.iter().all(|(a, b)| (a - b).abs() < 1e-12),
                "{pairs:?}"
            );
        }
    }
}
