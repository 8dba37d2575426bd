//! The checker on its own: what it counts, and how far off it says things are.

use mpiscope_model::{Duration, LocationIndex, Trace};
use mpiscope_sync::statistics::{messages, Places};
use mpiscope_sync::{check, Latencies, LatencyOverride, LatencyTable, Violations};
use proptest::prelude::*;

/// Checks the recorded times, with two ticks on one clock and five between.
fn violations(picture: &str) -> Violations {
    let trace = Trace::parse(picture).unwrap();
    let given = LatencyOverride::by_clock(Duration(2), Duration(5));
    let latencies = LatencyTable::new(&trace, &Latencies::given(&given));
    check(&trace, &trace.times(), &latencies)
}

#[test]
fn reversed_messages_are_counted_with_worst_and_mean() {
    let found = violations("0: 10 send>1 20 send>1 30 send>1\n1: 4 recv<0 18 recv<0 40 recv<0");
    assert_eq!((found.point_to_point, found.logical), (3, 3));
    assert_eq!(found.reversed.count, 2);
    assert_eq!(found.reversed.worst, Duration(6));
    assert_eq!(found.reversed.mean, 4.0);
    assert_eq!(found.reversed_point_to_point, found.reversed);
    assert_eq!(found.clock_condition.worst, Duration(11));
}

#[test]
fn the_latency_depends_on_the_pair() {
    let near = "clock 0 1:\n0: 10 send>1\n1: 12 recv<0";
    assert_eq!(violations(near).clock_condition.count, 0);
    let far = "0: 10 send>1\n1: 12 recv<0";
    assert_eq!(violations(far).clock_condition.count, 1);
    assert_eq!(violations(far).reversed.count, 0);
}

#[test]
fn every_pair_of_a_collective_is_a_logical_message() {
    let found = violations("0: 0 barrier{ 20 }\n1: 30 barrier{ 40 }\n2: 0 barrier{ 33 }");
    assert_eq!((found.point_to_point, found.logical), (0, 6));
    assert_eq!(found.reversed.count, 1);
    assert_eq!(found.reversed_point_to_point.count, 0);
    assert_eq!(found.clock_condition.count, 2);
}

#[test]
fn steps_back_in_a_location_are_counted() {
    assert_eq!(violations("0: 5 4 6 3\n1: 1 1").backward_steps, 2);
}

#[test]
fn threads_of_a_process_are_one_receiver() {
    let found = violations("0: 1 send>1 2 send>1\n1: 9 irecv#1 10 recv<0\n1.1: 12 wait<0#1");
    assert_eq!(found.point_to_point, 2);
    assert_eq!(found.clock_condition.count, 0);
}

#[test]
fn nothing_is_found_in_nothing() {
    assert_eq!(violations(""), Violations::default());
}

/// Whether what one member sends another waits for.
type Waits = fn(u32, u32) -> bool;

/// Operations of many, and whether a member waits for another in each.
const WAITS: &[(&str, Waits)] = &[
    ("barrier", |_, _| true),
    ("scan", |from, to| from < to),
    ("gather(root=3)", |_, to| to == 3),
    ("bcast(root=3)", |from, _| from == 3),
    ("barrier(comm=b)", |from, to| (from < 10) != (to < 10)),
];

/// An operation of many, entered and left at these times.
fn operation(op: &str, clocks: &str, times: &[(i64, i64)]) -> Trace {
    let line = |(rank, (enter, leave)): (usize, &(i64, i64))| {
        format!("{rank}: {enter} {op}{{ {leave} }}\n")
    };
    let lines: String = times.iter().enumerate().map(line).collect();
    Trace::parse(&format!("{clocks}{lines}")).unwrap()
}

/// Reversed, and too early: how many and by how much at worst and in all.
fn pair_by_pair(
    trace: &Trace,
    table: &LatencyTable,
    waits: fn(u32, u32) -> bool,
) -> [(u64, i64, i64); 2] {
    let mut found = [(0, 0, 0); 2];
    let times = trace.times();
    for (from, sender) in (0..).zip(&times) {
        for (to, receiver) in (0..).zip(&times) {
            if from == to || !waits(from, to) {
                continue;
            }
            let latency = table.between(LocationIndex(from), LocationIndex(to));
            let early = [Duration::ZERO, latency].map(|it| sender[0] + it - receiver[1]);
            for (found, by) in found.iter_mut().zip(early) {
                if by > Duration::ZERO {
                    *found = (found.0 + 1, found.1.max(by.0), found.2 + by.0);
                }
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn many_too_early_are_counted_as_each_pair_is(
        times in prop::collection::vec((0i64..50, 0i64..50), 20..60),
        classes in prop::array::uniform5(0i64..30),
        pairs in prop::collection::vec((0usize..6, 0usize..6, 0i64..60), 0..6),
        shared: bool,
        (op, waits) in prop::sample::select(WAITS),
    ) {
        let hosts: String = (0..6)
            .map(|host| {
                let ranks: String = (0..10).map(|at| format!(" {}", host + 6 * at)).collect();
                format!("host h{host} in r{}:{ranks}\n", host % 2)
            })
            .collect();
        let clock = if shared { "clock 0 6 12:\nclock 1 3 7:\n" } else { "" };
        let ranks = |range: std::ops::Range<usize>| range.map(|rank| format!(" {rank}"));
        let (first, second) = (ranks(0..10), ranks(10..times.len()));
        let comm = [first.collect::<String>(), second.collect()].join(" |");
        let trace = operation(op, &format!("comm b:{comm}\n{hosts}{clock}"), &times);
        let latency = LatencyOverride {
            classes: classes.map(|ticks| Some(Duration(ticks))),
            pairs: (pairs.iter())
                .map(|&(a, b, ticks)| ([format!("h{a}"), format!("h{b}")], Duration(ticks)))
                .collect(),
        };
        let table = LatencyTable::new(&trace, &Latencies::given(&latency));
        let found = check(&trace, &trace.times(), &table);
        let [reversed, early] = pair_by_pair(&trace, &table, waits);
        for (ours, theirs) in [(found.reversed, reversed), (found.clock_condition, early)] {
            prop_assert_eq!((ours.count, ours.worst.0), (theirs.0, theirs.1));
            prop_assert_eq!(ours.mean, theirs.2 as f64 / theirs.0.max(1) as f64);
        }
        // The statistics count the same pairs by other means.
        let places = Places::by_clock(&trace);
        let counted = messages(&trace, &trace.matching(), &trace.times(), &table, &places).all();
        prop_assert_eq!(counted.messages, found.logical);
        prop_assert_eq!((counted.reversed.count, counted.reversed.sum as i64), (reversed.0, reversed.2));
        prop_assert_eq!((counted.too_early.count, counted.too_early.sum as i64), (early.0, early.2));
        prop_assert_eq!(counted.too_early.worst.0, early.1);
    }
}
