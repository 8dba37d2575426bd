//! Minimum latencies by how near sender and receiver are, and for pairs of hosts.

#[allow(dead_code)]
mod common;

use common::{host_name, program, Known};
use expect_test::expect;
use mpiscope_model::{Duration, EventRef, LocationIndex, Trace};
use mpiscope_sync::statistics::{moves, Places};
use mpiscope_sync::{
    check, correct, Class, Config, Control, Error, Latencies, LatencyOverride, LatencySource,
    LatencyTable, Topology,
};
use proptest::prelude::*;

/// Two ranks with clocks of their own on a, one on b, which shares a rack with c.
const PLACES: &str = "host a: 0 1\nhost b in r: 2\nhost c in r: 3\n";

fn trace(picture: &str) -> Trace {
    Trace::parse(&format!("{PLACES}{picture}")).unwrap()
}

fn pair(a: &str, b: &str, ticks: i64) -> LatencyOverride {
    LatencyOverride {
        pairs: vec![([a, b].map(str::to_owned), Duration(ticks))],
        ..LatencyOverride::all(Duration(10))
    }
}

#[test]
fn each_class_has_its_own_shortest_exchange() {
    let trace = trace(
        "0: 0 send>1 1000 recv<1 10000 send>2 14000 recv<2
         1: 90500 recv<0 90700 send>0
         2: 50000 recv<0 50000 send>0 60000 send>3 62000 recv<3
         3: 90000 recv<2 90000 send>2",
    );
    let found = correct(&trace, &Config::default())
        .unwrap()
        .report
        .latencies;
    let lines = Class::ALL.map(|class| {
        let latency = found.of(class);
        format!(
            "{class}: {} ({}) {:?}\n",
            latency.value, latency.source, latency.clocks
        )
    });
    expect![[r#"
        threads of a process: 1 ns (memory) None
        processes of one clock: 1 ns (unknown) None
        clocks of one host: 360 ns (shortest exchange) Some((0, 1))
        hosts of one rack: 900 ns (shortest exchange) Some((2, 3))
        different hosts: 1.8 µs (shortest exchange) Some((0, 2))
    "#]]
    .assert_eq(&lines.concat());
}

#[test]
fn collectives_tell_the_exchanges_of_each_class() {
    let trace = trace(
        "0: 0 barrier{ 1000 }\n1: 100 barrier{ 900 }\n2: 50000 barrier{ 52000 }\n3: 7 barrier{ 2507 }",
    );
    let found = correct(&trace, &Config::default())
        .unwrap()
        .report
        .latencies;
    let values = Class::BETWEEN_CLOCKS.map(|class| found.of(class).value.0);
    // (1000 + 800) / 2, (2000 + 2500) / 2, (800 + 2000) / 2, and nine tenths; a
    // rack is no farther than what lies beyond it.
    assert_eq!(values, [810, 1260, 1260]);
}

#[test]
fn an_offset_tells_about_the_class_of_its_clocks() {
    let trace = trace("clock 1: 0 +0 ±80\nclock 2: 0 +0 ±700\n0: 1\n1: 1\n2: 1\n3: 1");
    let found = correct(&trace, &Config::default())
        .unwrap()
        .report
        .latencies;
    let values = Class::BETWEEN_CLOCKS.map(|class| found.of(class).value.0);
    assert_eq!(values, [72, 1, 630]);
}

#[test]
fn a_pair_of_hosts_may_have_a_latency_of_its_own() {
    let trace = trace(
        "0: 0 send>1 0 send>2 100 barrier{ 200 }
         1: 5 recv<0 100 barrier{ 200 }
         2: 5 recv<0 0 send>3 190 barrier{ 200 }
         3: 5 recv<2 100 barrier{ 200 }",
    );
    let config = |latency| Config {
        control: Control::Fixed { kappa: 0.0 },
        interval: 0.0,
        latency,
        ..Config::default()
    };
    let times = |latency| {
        let correction = correct(&trace, &config(latency)).unwrap();
        let left = check(&trace, &correction.corrected, &correction.latencies);
        assert_eq!(left.clock_condition.count, 0);
        trace
            .print(&correction.corrected)
            .lines()
            .skip(3)
            .fold(String::new(), |text, line| text + line + "\n")
    };
    // Both directions, and in collectives; other pairs keep their class.
    expect![[r#"
        0: 0 send>1 0 send>2 100 barrier{ 245 }
        1: 10 recv<0 105 barrier{ 245 }
        2: 30 recv<0 30 send>3 215 barrier{ 225 }
        3: 40 recv<2 135 barrier{ 235 }
    "#]]
    .assert_eq(&times(pair("b", "a", 30)));
    expect![[r#"
        0: 0 send>1 0 send>2 100 barrier{ 205 }
        1: 5 recv<0 100 barrier{ 205 }
        2: 10 recv<0 10 send>3 195 barrier{ 205 }
        3: 20 recv<2 115 barrier{ 215 }
    "#]]
    .assert_eq(&times(pair("a", "a", 3)));
}

#[test]
fn a_host_that_is_not_there_is_an_error() {
    let config = Config {
        latency: pair("a", "d", 1),
        ..Config::default()
    };
    let error = correct(&trace("0: 1\n1: 1\n2: 1\n3: 1"), &config).unwrap_err();
    assert!(matches!(error, Error::Host { .. }));
    expect!["no host is called d; those of the trace are a, b, c"].assert_eq(&error.to_string());
}

/// Two hosts that answer each other after 200 ns in all.
fn ping_pong() -> Trace {
    let (mut zero, mut one) = (String::new(), String::new());
    for round in 0..200 {
        let t = 1000 * round;
        zero += &format!(" {t} send>1 {} recv<1", t + 200);
        one += &format!(" {} recv<0 {} send>0", t + 100, t + 100);
    }
    let clocks = "clock 0: 0 +0 ±1, 200000 +0 ±1\nclock 1: 0 +0 ±1, 200000 +0 ±1";
    Trace::parse(&format!(
        "host a: 0\nhost b: 1\n{clocks}\n0:{zero}\n1:{one}"
    ))
    .unwrap()
}

#[test]
fn a_pair_given_too_long_is_lowered_and_nothing_else() {
    let latency = LatencyOverride {
        pairs: vec![(["a", "b"].map(str::to_owned), Duration(300))],
        ..LatencyOverride::default()
    };
    let config = Config {
        latency,
        ..Config::default()
    };
    let trace = ping_pong();
    let correction = correct(&trace, &config).unwrap();
    let latencies = &correction.report.latencies;
    let lowered = &latencies.pairs[0].latency;
    assert_eq!(lowered.source, LatencySource::Lowered);
    assert!(lowered.value <= Duration(150), "{}", lowered.value);
    assert_ne!(latencies.of(Class::Far).source, LatencySource::Lowered);
    let warnings = correction.report.warnings.iter().map(ToString::to_string);
    let said = warnings.filter(|text| text.contains("between a and b are faster"));
    assert!(said.count() > 0);
}

/// What two locations share, found step by step from the definitions.
fn class(known: &Known, a: usize, b: usize) -> Class {
    let trace = &known.trace;
    let clock = trace.clock_of_locations();
    let node = |at: usize| trace.definitions.processes[at].node;
    // Whoever can be reached over clocks and hosts is on one host.
    let n = trace.locations.len();
    let near = |from: usize, to: usize| {
        clock[from] == clock[to] || (node(from).is_some() && node(from) == node(to))
    };
    let reach = |from: usize| {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let new: Vec<usize> = (0..n)
                .filter(|to| near(at, *to) && !reached.contains(to))
                .collect();
            reached.extend(new);
        }
        reached.sort_unstable();
        reached
    };
    // All hosts but the first are in the rack; the first that is counts.
    let rack = |at: usize| {
        let in_rack = |it: &usize| node(*it).is_some_and(|node| node > 2);
        reach(at).iter().any(in_rack)
    };
    match () {
        _ if clock[a] == clock[b] => Class::SameClock,
        _ if reach(a).contains(&b) => Class::SameHost,
        _ if rack(a) && rack(b) => Class::SameRack,
        _ => Class::Far,
    }
}

proptest! {
    #[test]
    fn every_pair_has_the_latency_of_its_class_or_of_its_hosts(program in program(), with_pair: bool) {
        let known = program.execute();
        let given = LatencyOverride {
            classes: [1, 2, 3, 4, 5].map(|ticks| Some(Duration(ticks))),
            pairs: match with_pair {
                true => vec![([host_name(0), host_name(1)], Duration(9))],
                false => Vec::new(),
            },
        };
        let table = LatencyTable::new(&known.trace, &Latencies::given(&given));
        let hosts = Topology::new(&known.trace);
        let locations = known.trace.locations.len();
        for (a, b) in (0..locations).flat_map(|a| (0..locations).map(move |b| (a, b))) {
            let at = |location: usize| LocationIndex(location as u32);
            let names = [a, b].map(|it| hosts.host_name(at(it)).unwrap_or("").to_owned());
            let special = [["h0", "h1"], ["h1", "h0"]].iter().any(|pair| names == *pair);
            let expected = match with_pair && special {
                true => 9,
                false => class(&known, a, b) as i64 + 1,
            };
            prop_assert!(a == b || table.between(at(a), at(b)).0 == expected, "{} and {}", a, b);
        }
    }

    #[test]
    fn messages_found_too_early_are_those_that_events_jumped_to(
        program in program(), latency in 0..20i64, kappa in 0.0..0.1f64,
    ) {
        let known = program.execute();
        let config = Config {
            control: Control::Fixed { kappa },
            latency: LatencyOverride::all(Duration(latency)),
            ..Config::default()
        };
        let matching = known.matching();
        let correction = mpiscope_sync::correct_matched(&known.trace, &matching, &config).unwrap();
        let found = moves(&known.trace, &matching, &correction, &Places::by_clock(&known.trace));
        let at = |event: EventRef| correction.corrected[event.location.index()][event.index as usize];
        let mut jumped = 0;
        for (location, jumps) in correction.jumps.iter().enumerate() {
            for jump in jumps {
                jumped += 1;
                let event = EventRef::new(LocationIndex(location as u32), jump.event as usize);
                let arrivals = known.edges.iter().filter(|edge| edge.1 == event);
                let last = arrivals.map(|(send, _)| at(*send) + Duration(latency)).max();
                prop_assert_eq!(last, Some(jump.to));
            }
        }
        let all = found.all();
        prop_assert!(all.found >= jumped && correction.report.violations_seen >= jumped);
        prop_assert_eq!(jumped == 0, all.found == 0);
        let of_pairs: u64 = found.pairs.values().map(|pair| pair.found).sum();
        prop_assert_eq!(of_pairs, all.found);
        prop_assert!(all.displacement.worst <= correction.report.max_displacement);
    }
}
