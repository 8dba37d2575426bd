//! Against a look at each pair.

use mpiscope_model::{Duration, Trace};
use proptest::prelude::*;

use super::*;
use crate::latency::{Latencies, Latency, LatencySource, PairLatency};

/// Three processes of two threads each on each host of a rack, two racks, some
/// hosts without name or with a clock in common.
fn trace(shared: bool) -> Trace {
    let shared = if shared {
        "clock 0 0.1 2 3 4:\nclock 8 9:\n"
    } else {
        ""
    };
    let lines: String = (0..10)
        .map(|rank| format!("{rank}: 1\n{rank}.1: 1\n"))
        .collect();
    let hosts =
        "host a in r: 0 1\nhost b in r: 2 3\nhost c in s: 4 5\nhost d in s: 6 7\nhost e: 8\n";
    Trace::parse(&format!("{hosts}{shared}{lines}")).unwrap()
}

fn table(trace: &Trace, classes: [i64; 5], pairs: &[(usize, usize, i64)]) -> LatencyTable {
    let told = |ticks: i64| Latency::new(Duration(ticks), LatencySource::Configured);
    let mut latencies = Latencies::default();
    for (class, ticks) in Class::ALL.into_iter().zip(classes) {
        latencies.set(class, told(ticks));
    }
    let name = |host: usize| ["a", "b", "c", "d", "e"][host].to_owned();
    latencies.pairs = (pairs.iter())
        .map(|&(a, b, ticks)| PairLatency {
            hosts: [name(a), name(b)],
            latency: told(ticks),
        })
        .collect();
    LatencyTable::new(trace, &latencies)
}

/// All there is to be said of a receiver, by class: how many are late, by how
/// much, at worst, and the last to arrive.
type Said = (
    Vec<(u64, i128, i64)>,
    Option<(i64, Reverse<usize>, i64, Reverse<u32>)>,
);

fn said(parts: impl Iterator<Item = (Class, Alike)>, exit: i64) -> Said {
    let mut classes = vec![(0, 0, 0); Class::ALL.len()];
    let mut awaited = None;
    for (class, alike) in parts {
        let of = &mut classes[class as usize];
        of.0 += alike.late.0;
        of.1 += alike.late.1;
        if let Some((time, number)) = alike.last {
            of.2 = (time + alike.latency - exit).max(of.2);
            let key = (
                time + alike.latency,
                Reverse(class as usize),
                time,
                Reverse(number),
            );
            awaited = awaited.max(Some(key));
        }
    }
    (classes, awaited)
}

proptest! {
    #[test]
    fn a_crowd_is_what_its_members_are_one_by_one(
        times in prop::collection::vec(prop::option::of(0i64..12), 20),
        shared: bool,
        classes in prop::array::uniform5(0i64..8),
        pairs in prop::collection::vec((0usize..5, 0usize..5, 0i64..12), 0..5),
        added in 0usize..20,
        exit in 0i64..16,
        itself: bool,
    ) {
        let trace = trace(shared);
        let table = table(&trace, classes, &pairs);
        let ground = Ground::new(&table);
        let senders: Vec<Sender> = (0..)
            .zip(&times)
            .filter_map(|(number, time)| Some(Sender {
                location: LocationIndex(number),
                time: (*time)?,
                number,
            }))
            .collect();
        let mut crowd = Crowd::new(&ground, &table);
        crowd.fill(&senders, true);
        let added = &senders[..added.min(senders.len())];
        added.iter().for_each(|it| crowd.add(*it));
        for to in (0..20).map(LocationIndex) {
            let own = added.iter().copied().find(|it| it.location == to);
            // Another thread may leave for the one that entered.
            let other = LocationIndex(to.0 ^ 1);
            let own = if itself { own } else { added.iter().copied().find(|it| it.location == other) };
            let mut found = Vec::new();
            crowd.heard(to, exit, own, |class, alike| found.push((class, alike)));
            let heard = added.iter().filter(|it| Some(it.number) != own.map(|own| own.number));
            let one_by_one = heard.map(|it| {
                let near = ground.seat(it.location).process == ground.seat(to).process;
                let class = if near { Class::SameProcess } else { table.class(it.location, to) };
                let latency = match near {
                    true => table.of(Class::SameProcess),
                    false => table.between(it.location, to),
                };
                let by = it.time + latency.0 - exit;
                let late = if by > 0 { (1, i128::from(by)) } else { (0, 0) };
                let last = Some((it.time, it.number));
                (class, Alike { latency: latency.0, last, late })
            });
            prop_assert_eq!(said(found.into_iter(), exit), said(one_by_one, exit));
        }
    }
}
