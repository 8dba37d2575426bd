//! Statistics against a search through all pairs, and against the checker.

#[allow(dead_code)]
mod common;

use std::collections::BTreeMap;

use common::{host_name, program, HOSTS};
use mpiscope_model::{
    Bound, BoundKind, Duration, EventRef, LocationIndex, Matching, Rank, Timestamp, Trace,
};
use mpiscope_sync::statistics::{backward_steps, messages, Errors, Figures, Messages, Places};
use mpiscope_sync::{check, Class, Latencies, LatencyOverride, LatencyTable};
use proptest::prelude::*;

fn table(trace: &Trace, same_clock: i64, different_clocks: i64) -> LatencyTable {
    given(
        trace,
        &LatencyOverride::by_clock(Duration(same_clock), Duration(different_clocks)),
    )
}

fn given(trace: &Trace, latency: &LatencyOverride) -> LatencyTable {
    LatencyTable::new(trace, &Latencies::given(latency))
}

/// Latencies of classes and of some pairs of hosts.
fn latency() -> impl Strategy<Value = LatencyOverride> {
    let pair = (0..HOSTS, 0..HOSTS, 0..40i64);
    let pair = pair.prop_map(|(a, b, ticks)| ([host_name(a), host_name(b)], Duration(ticks)));
    let class = prop::option::of((0..40i64).prop_map(Duration));
    let latency = (
        prop::array::uniform5(class),
        prop::collection::vec(pair, 0..3),
    );
    latency.prop_map(|(classes, pairs)| LatencyOverride { classes, pairs })
}

fn found(trace: &Trace, table: &LatencyTable) -> Messages {
    found_matched(trace, &trace.matching(), table)
}

fn found_matched(trace: &Trace, matching: &Matching, table: &LatencyTable) -> Messages {
    let (times, places) = (trace.times(), Places::by_clock(trace));
    messages(trace, matching, &times, table, &places)
}

/// How one message fared: class, sent, received, latency.
type Fate = (usize, i64, i64, i64);

fn fate(trace: &Trace, table: &LatencyTable, (send, receive): (EventRef, EventRef)) -> Fate {
    let class = table.class(send.location, receive.location) as usize;
    let latency = table.between(send.location, receive.location);
    (class, trace.time(send).0, trace.time(receive).0, latency.0)
}

fn figures<'a>(fates: impl Iterator<Item = &'a Fate>) -> Figures {
    let mut figures = Figures::default();
    let put = |errors: &mut Errors, by: i64| {
        if by > 0 {
            errors.count += 1;
            errors.sum += by as u128;
            errors.worst = errors.worst.max(Duration(by));
        }
    };
    for &(_, sent, received, latency) in fates {
        figures.messages += 1;
        put(&mut figures.reversed, sent - received);
        put(&mut figures.too_early, sent + latency - received);
    }
    figures
}

/// What each receiver waited for: its last message, the nearest of several, of
/// these the one sent last.
fn awaited(edges: &[(EventRef, EventRef)], fates: &[Fate]) -> Vec<Fate> {
    let mut last: BTreeMap<EventRef, Fate> = BTreeMap::new();
    for ((_, receive), fate) in edges.iter().zip(fates) {
        let key = |it: &Fate| (it.1 + it.3, std::cmp::Reverse(it.0), it.1);
        let known = last.entry(*receive).or_insert(*fate);
        if key(fate) > key(known) {
            *known = *fate;
        }
    }
    last.into_values().collect()
}

proptest! {
    #[test]
    fn counts_are_those_of_a_search_through_all_pairs(
        program in program(),
        threads: bool,
        latency in latency(),
    ) {
        let mut known = program.execute();
        let table = given(&known.trace, &latency);
        let found = found_matched(&known.trace, &known.matching(), &table);
        let fates: Vec<Fate> = known
            .edges
            .iter()
            .map(|&edge| fate(&known.trace, &table, edge))
            .collect();
        for class in 0..Class::ALL.len() {
            let of_class = figures(fates.iter().filter(|it| it.0 == class));
            prop_assert_eq!(found.classes[class], of_class, "class {}", class);
        }
        let implied = known.point_to_point..known.matched;
        let mut each = fates.clone();
        let awaited = awaited(&known.edges[implied.clone()], &fates[implied.clone()]);
        each.splice(implied, awaited);
        prop_assert_eq!(found.receives(), figures(each.iter()));
        prop_assert_eq!(found.all(), figures(fates.iter()));
        if threads {
            // Threads of one process, on one clock or on two.
            known.trace.locations[1].rank = Rank(0);
            let table = given(&known.trace, &latency);
            let found = self::found(&known.trace, &table);
            let parts = found.classes.iter().map(|class| class.messages);
            prop_assert_eq!(parts.sum::<u64>(), found.all().messages);
        }
    }

    #[test]
    fn the_checker_finds_as_much(program in program(), latency in latency()) {
        let trace = program.execute().trace;
        let table = given(&trace, &latency);
        let (found, theirs) = (found(&trace, &table), check(&trace, &trace.times(), &table));
        let single = found.point_to_point.reversed;
        prop_assert_eq!(single.count, theirs.reversed_point_to_point.count);
        let ours = found.all();
        prop_assert_eq!(ours.messages, theirs.logical);
        prop_assert_eq!(ours.reversed.count, theirs.reversed.count);
        prop_assert_eq!(ours.reversed.worst, theirs.reversed.worst);
        prop_assert_eq!(ours.too_early.count, theirs.clock_condition.count);
        prop_assert_eq!(ours.too_early.worst, theirs.clock_condition.worst);
        prop_assert!((ours.reversed.mean() - theirs.reversed.mean).abs() < 1e-6);
    }
}

#[test]
fn pairs_of_clocks_are_counted_apart() {
    let trace = Trace::parse(
        "clock 0 1:
         0: 10 send>2 20 send>2 70 barrier{ 80 }
         1: 30 send>0 90 barrier{ 91 }
         2: 5 recv<0 26 recv<0 60 barrier{ 85 }",
    );
    let trace = trace.unwrap();
    let found = found(&trace, &table(&trace, 2, 5));
    let pairs: Vec<_> = found
        .pairs
        .iter()
        .map(|(pair, it)| (*pair, it.messages, it.reversed.count, it.too_early.count))
        .collect();
    // In the barrier 0 and 2 wait for 1, which waits for 0.
    assert_eq!(pairs, [((0, 0), 2, 1, 1), ((0, 1), 3, 2, 2)]);
    assert_eq!(found.pairs[&(0, 1)].reversed.worst, Duration(5));
    assert_eq!(found.all().messages, 8);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let lines: Vec<String> = (0..40)
        .map(|rank| {
            let step = |turn| {
                format!(
                    "{} barrier{{ {} }}",
                    turn * 100 + rank * 7 % 50,
                    turn * 100 + 40
                )
            };
            let steps: Vec<String> = (0..50).map(step).collect();
            format!("{rank}: {}", steps.join(" "))
        })
        .collect();
    let trace = Trace::parse(&lines.join("\n")).unwrap();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| found(&trace, &table(&trace, 1, 3)))
    };
    let one = with(1);
    assert!(one.all().reversed.count > 1000);
    assert_eq!(one, with(2));
    assert_eq!(one, with(8));
}

#[test]
fn steps_back_are_counted() {
    let columns = [[5, 4, 6, 3].map(Timestamp).to_vec(), vec![]];
    assert_eq!(backward_steps(&columns), 2);
}

#[test]
fn threads_of_a_process_are_a_class_of_their_own() {
    let trace = Trace::parse(
        "clock 0 0.1 1:
         0: 10 send>1 20 barrier{ 30 }
         0.1: 5 recv<1
         1: 7 recv<0 9 send>0 40 barrier{ 41 }",
    );
    let trace = trace.unwrap();
    let bound = Bound {
        send: EventRef::new(LocationIndex(0), 0),
        receive: EventRef::new(LocationIndex(1), 0),
        kind: BoundKind::Thread,
    };
    let matching = Matching {
        bounds: vec![bound],
        ..trace.matching()
    };
    let found = found_matched(&trace, &matching, &table(&trace, 20, 50));
    let counts = found.classes.map(|class| class.messages);
    assert_eq!(counts, [1, 4, 0, 0, 0]);
    // A tick is enough there.
    assert_eq!(found.classes[0].too_early.worst, Duration(6));
}
