//! Laws of forward amortization, on random traces without cycles.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{program, Known};
use mpiscope_model::{
    ClockDomain, Duration, EventRef, Events, LocationIndex, Message, Rank, Timestamp, Trace,
};
use mpiscope_sync::{check, correct, Config, Correction, LatencyOverride};
use proptest::prelude::*;

type Times = Vec<Vec<Timestamp>>;

fn config() -> impl Strategy<Value = Config> {
    let kappa = prop_oneof![Just(0.0), Just(1e-7), Just(0.01), 0.0..0.4999];
    (kappa, 0..3i64, 0..6i64).prop_map(|(kappa, same_clock, different_clocks)| Config {
        kappa,
        latency: LatencyOverride {
            same_clock: Some(Duration(same_clock)),
            different_clocks: Some(Duration(different_clocks)),
        },
        ..Config::default()
    })
}

/// The least times that satisfy all bounds, by trying until nothing changes.
///
/// `sync` says between which events a displacement decays in one step; it is
/// rounded down once per step, so the same steps give the same ticks.
fn least_fixed_point(known: &Known, config: &Config, sync: &BTreeSet<EventRef>) -> Times {
    let trace = &known.trace;
    let share = (config.kappa * 4294967296.0).round() as i128;
    let decay = |distance: i64| ((i128::from(distance) * share) >> 32) as i64;
    let clock = trace.clock_of_locations();
    let latency = |from: EventRef, to: EventRef| match clock[from.location.index()]
        == clock[to.location.index()]
    {
        true => config.latency.same_clock.unwrap().0,
        false => config.latency.different_clocks.unwrap().0,
    };
    let mut incoming: BTreeMap<EventRef, Vec<(EventRef, i64)>> = BTreeMap::new();
    for &(send, receive) in &known.edges {
        incoming
            .entry(receive)
            .or_default()
            .push((send, latency(send, receive)));
    }
    let mut times = trace.times();
    loop {
        let before = times.clone();
        for (number, location) in trace.locations.iter().enumerate() {
            let recorded = location.events.times();
            // The last sync event: its recorded time and displacement.
            let mut last = (0, 0);
            for index in 0..recorded.len() {
                let event = EventRef::new(LocationIndex(number as u32), index);
                let raw = recorded[index].0;
                let mut time = raw + (last.1 - decay(raw - last.0)).max(0) * i64::from(last.1 > 0);
                for (send, latency) in incoming.get(&event).into_iter().flatten() {
                    let sent = before[send.location.index()][send.index as usize].0;
                    time = time.max(sent + latency);
                }
                times[number][index] = Timestamp(time);
                if sync.contains(&event) {
                    last = (raw, time - raw);
                }
            }
        }
        if times == before {
            return times;
        }
    }
}

/// The same trace with other times and its locations in another order.
fn rebuilt(trace: &Trace, times: &Times, order: &[usize]) -> Trace {
    let mut other = trace.clone();
    other.locations.clear();
    for &number in order {
        let mut location = trace.locations[number].clone();
        location.events = Events::default();
        let events = &trace.locations[number].events;
        for (index, time) in times[number].iter().enumerate() {
            location.events.push(*time, events.event(index));
        }
        other.locations.push(location);
    }
    for domain in &mut other.clocks {
        for location in &mut domain.locations {
            let place = order.iter().position(|&old| old == location.index());
            *location = LocationIndex(place.unwrap() as u32);
        }
    }
    other
}

fn corrected(trace: &Trace, config: &Config) -> Correction {
    let correction = correct(trace, config).unwrap();
    assert_eq!(correction.report.dropped_edges, []);
    correction
}

fn in_place(trace: &Trace) -> Vec<usize> {
    (0..trace.locations.len()).collect()
}

proptest! {
    #[test]
    fn matching_finds_the_messages_that_were_made(program in program()) {
        let known = program.execute();
        let between = |m: &&Message| m.send.location != m.receive.location;
        let matching = known.trace.matching();
        let found: BTreeSet<_> = (matching.messages.iter().filter(between))
            .map(|message| (message.send, message.receive))
            .collect();
        let made: BTreeSet<_> = known.edges[..known.point_to_point].iter().copied().collect();
        prop_assert_eq!(found, made);
    }

    #[test]
    fn the_checker_counts_what_was_made(program in program(), config in config()) {
        let known = program.execute();
        let latencies = corrected(&known.trace, &config).latencies;
        let violations = check(&known.trace, &known.trace.times(), &latencies);
        let (mut reversed, mut early) = (0, 0);
        for &(send, receive) in &known.edges {
            let (sent, received) = (known.trace.time(send), known.trace.time(receive));
            reversed += u64::from(received < sent);
            early += u64::from(received < sent + latencies.between(send.location, receive.location));
        }
        prop_assert_eq!(violations.logical, known.edges.len() as u64);
        prop_assert_eq!(violations.reversed.count, reversed);
        prop_assert_eq!(violations.clock_condition.count, early);
    }

    #[test]
    fn forward_is_the_least_fixed_point(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known.trace, &config).corrected;
        prop_assert_eq!(times, least_fixed_point(&known, &config, &known.sync));
    }

    /// Decay event by event is rounded down at each event, and so a little
    /// later than in one step; less than a tick for each event on the way.
    #[test]
    fn leaving_out_internal_events_costs_less_than_a_tick_each(
        program in program(), config in config(),
    ) {
        let known = program.execute();
        let times = corrected(&known.trace, &config).corrected;
        let every: BTreeSet<EventRef> = (0..known.trace.locations.len())
            .flat_map(|l| (0..known.trace.locations[l].events.len())
                .map(move |i| EventRef::new(LocationIndex(l as u32), i)))
            .collect();
        let exact = least_fixed_point(&known, &config, &every);
        let events = known.trace.event_count() as i64;
        for (time, exact) in times.iter().flatten().zip(exact.iter().flatten()) {
            prop_assert!((0..=events).contains(&(*exact - *time).0));
        }
    }

    #[test]
    fn nothing_is_violated_afterwards(program in program(), config in config()) {
        let known = program.execute();
        let correction = corrected(&known.trace, &config);
        let violations = check(&known.trace, &correction.corrected, &correction.latencies);
        prop_assert_eq!(violations.clock_condition.count, 0);
        prop_assert_eq!(violations.reversed.count, 0);
        prop_assert_eq!(violations.backward_steps, 0);
    }

    #[test]
    fn nothing_is_violated_with_latencies_found_in_the_trace(program in program()) {
        let known = program.execute();
        let correction = corrected(&known.trace, &Config::default());
        let violations = check(&known.trace, &correction.corrected, &correction.latencies);
        prop_assert_eq!(violations.clock_condition.count, 0);
        prop_assert_eq!(violations.backward_steps, 0);
    }

    #[test]
    fn events_only_move_forward_and_keep_their_order(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known.trace, &config).corrected;
        for (location, times) in known.trace.locations.iter().zip(&times) {
            let recorded = location.events.times();
            prop_assert!(times.iter().zip(recorded).all(|(time, raw)| time >= raw));
            for (pair, raw) in times.windows(2).zip(recorded.windows(2)) {
                prop_assert!(pair[0] <= pair[1]);
                if raw[1] - raw[0] >= Duration(2) {
                    prop_assert!(pair[0] < pair[1], "strict for two ticks or more");
                }
            }
        }
    }

    #[test]
    fn a_corrected_trace_needs_no_correction(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known.trace, &config).corrected;
        let again = rebuilt(&known.trace, &times, &in_place(&known.trace));
        let correction = corrected(&again, &config);
        prop_assert_eq!(correction.corrected, times);
        prop_assert_eq!(correction.report.violations_seen, 0);
    }

    #[test]
    fn the_order_of_locations_does_not_matter(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known.trace, &config).corrected;
        let backwards: Vec<usize> = in_place(&known.trace).into_iter().rev().collect();
        let other = rebuilt(&known.trace, &known.trace.times(), &backwards);
        let mut mirrored = corrected(&other, &config).corrected;
        mirrored.reverse();
        prop_assert_eq!(mirrored, times);
    }

    #[test]
    fn locations_out_of_reach_of_violations_stay_as_they_are(
        program in program(), config in config(),
    ) {
        let known = program.execute();
        let correction = corrected(&known.trace, &config);
        let time = |event| known.trace.time(event);
        let mut reached = BTreeSet::new();
        for &(send, receive) in &known.edges {
            let latency = correction.latencies.between(send.location, receive.location);
            if time(receive) < time(send) + latency {
                reached.insert(receive.location);
            }
        }
        for _ in &known.trace.locations {
            for (send, receive) in &known.edges {
                if reached.contains(&send.location) {
                    reached.insert(receive.location);
                }
            }
        }
        for (number, location) in known.trace.locations.iter().enumerate() {
            if !reached.contains(&LocationIndex(number as u32)) {
                prop_assert_eq!(&correction.corrected[number][..], location.events.times());
            }
        }
    }

    #[test]
    fn a_common_shift_of_all_clocks_is_kept(
        program in program(), config in config(), shift in -1_000_000_000_000_000i64..1_000_000_000_000_000,
    ) {
        let known = program.execute();
        let shifted = |times: Times| -> Times {
            let later = |column: Vec<Timestamp>| column.into_iter().map(|t| t + Duration(shift));
            times.into_iter().map(|column| later(column).collect()).collect()
        };
        let other = rebuilt(&known.trace, &shifted(known.trace.times()), &in_place(&known.trace));
        let times = corrected(&known.trace, &config).corrected;
        prop_assert_eq!(corrected(&other, &config).corrected, shifted(times));
    }

    /// What one good clock recorded is not touched: the latencies found in it
    /// are no longer than any message, implied ones included.
    #[test]
    fn a_trace_of_one_good_clock_stays_as_it_is(program in program()) {
        let mut trace = program.execute().trace;
        trace.clocks = vec![ClockDomain {
            locations: (0..trace.locations.len() as u32).map(LocationIndex).collect(),
            measurements: Vec::new(),
        }];
        let tick = Config {
            latency: LatencyOverride {
                same_clock: Some(Duration(1)),
                different_clocks: None,
            },
            ..Config::default()
        };
        let good = corrected(&trace, &tick).corrected;
        let trace = rebuilt(&trace, &good, &in_place(&trace));
        let correction = corrected(&trace, &Config::default());
        prop_assert_eq!(correction.report.violations_seen, 0);
        prop_assert_eq!(correction.corrected, good);
    }

    /// Any list of events is taken, however little sense it makes.
    #[test]
    fn damaged_traces_are_corrected_as_far_as_they_go(
        program in program(), config in config(), removed in prop::collection::vec(0..60usize, 1..8),
        rank in 0..5u32,
    ) {
        let known = program.execute();
        let mut trace = known.trace.clone();
        let mut number = 0;
        for location in &mut trace.locations {
            let events = std::mem::take(&mut location.events);
            for (time, event) in events.iter() {
                number += 1;
                // Removed, or doubled with a time far back.
                match removed.iter().position(|&r| r == number) {
                    None => location.events.push(time, event),
                    Some(0) => {}
                    Some(which) => (0..which % 3).for_each(|_| {
                        location.events.push(time - Duration(1000), event);
                    }),
                }
            }
        }
        trace.locations[0].rank = Rank(rank);
        let correction = correct(&trace, &config).unwrap();
        let violations = check(&trace, &correction.corrected, &correction.latencies);
        prop_assert_eq!(violations.backward_steps, 0);
        if correction.report.dropped_edges.is_empty() {
            prop_assert_eq!(violations.clock_condition.count, 0);
        }
    }
}
