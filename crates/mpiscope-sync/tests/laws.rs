//! Laws of the correction, on random traces without cycles.

mod common;

use std::collections::BTreeSet;

use common::oracle::{every_event, latency, least_fixed_point, Ramps, Times};
use common::{host_name, program, Known, HOSTS};
use mpiscope_model::{
    Bound, BoundKind, ClockDomain, Duration, EventKind, EventRef, Events, LocationIndex, Message,
    Rank, Timestamp, Trace,
};
use mpiscope_sync::{
    check, correct_matched, Config, Control, Correction, LatencyOverride, LatencyTable,
    PresyncMode, Topology,
};
use proptest::prelude::*;

fn config() -> impl Strategy<Value = Config> {
    let kappa = prop_oneof![Just(0.0), Just(1e-7), Just(0.01), 0.0..0.4999];
    let interval = prop_oneof![Just(0.0), Just(1.0), Just(100.0), 0.5..30.0];
    let pair = (0..HOSTS, 0..HOSTS, 0..8i64);
    let pair = pair.prop_map(|(a, b, ticks)| ([host_name(a), host_name(b)], Duration(ticks)));
    let latency = (
        prop::array::uniform5((0..6i64).prop_map(|ticks| Some(Duration(ticks)))),
        prop::collection::vec(pair, 0..3),
    );
    let latency = latency.prop_map(|(classes, pairs)| LatencyOverride { classes, pairs });
    // Clocks that nobody measured stay as they are: the laws are of the logical clock alone.
    (kappa, interval, latency, 1..7usize, any::<bool>()).prop_map(
        |(kappa, interval, latency, parts, in_bytes)| Config {
            presync: PresyncMode::Linear,
            control: Control::Fixed { kappa },
            interval,
            latency,
            parts,
            in_bytes,
            ..Config::default()
        },
    )
}

/// The same with other times and its locations in another order.
fn rebuilt(known: &Known, times: &Times, order: &[usize]) -> Known {
    let trace = &known.trace;
    let place = |old: LocationIndex| {
        let place = order.iter().position(|&number| number == old.index());
        LocationIndex(place.unwrap() as u32)
    };
    let mut other = known.clone();
    other.trace.locations.clear();
    for &number in order {
        let mut location = trace.locations[number].clone();
        location.events = Events::default();
        let events = &trace.locations[number].events;
        for (index, time) in times[number].iter().enumerate() {
            location.events.push(*time, events.event(index));
        }
        other.trace.locations.push(location);
    }
    for domain in &mut other.trace.clocks {
        for location in &mut domain.locations {
            *location = place(*location);
        }
    }
    for bound in &mut other.bounds {
        bound.send.location = place(bound.send.location);
        bound.receive.location = place(bound.receive.location);
    }
    other
}

fn corrected(known: &Known, config: &Config) -> Correction {
    let config = with_hosts_of(&known.trace, config);
    let correction = correct_matched(&known.trace, &known.matching(), &config).unwrap();
    assert_eq!(correction.report.dropped_edges, []);
    correction
}

/// Without the latencies of hosts that the program does not run on.
fn with_hosts_of(trace: &Trace, config: &Config) -> Config {
    let topology = Topology::new(trace);
    let known = |name: &String| topology.host_called(name).is_some();
    let mut config = config.clone();
    config
        .latency
        .pairs
        .retain(|(hosts, _)| hosts.iter().all(known));
    config
}

/// Without ramps.
fn forward(config: &Config) -> Config {
    Config {
        interval: 0.0,
        ..config.clone()
    }
}

/// How many logical messages, bounds included, violate the clock condition.
fn early(known: &Known, times: &Times, table: &LatencyTable) -> usize {
    let at = |event: EventRef| times[event.location.index()][event.index as usize].0;
    let early = |edge: &&(EventRef, EventRef)| at(edge.1) < at(edge.0) + latency(table, **edge);
    known.edges.iter().filter(early).count()
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
        let latencies = corrected(&known, &config).latencies;
        let violations = check(&known.trace, &known.trace.times(), &latencies);
        let (mut reversed, mut early) = (0, 0);
        for &(send, receive) in &known.edges[..known.matched] {
            let (sent, received) = (known.trace.time(send), known.trace.time(receive));
            reversed += u64::from(received < sent);
            early += u64::from(received < sent + latencies.between(send.location, receive.location));
        }
        prop_assert_eq!(violations.logical, known.matched as u64);
        prop_assert_eq!(violations.reversed.count, reversed);
        prop_assert_eq!(violations.clock_condition.count, early);
    }

    #[test]
    fn forward_is_the_least_fixed_point(program in program(), config in config()) {
        let known = program.execute();
        let Correction { corrected, latencies, .. } = corrected(&known, &forward(&config));
        let least = least_fixed_point(&known, config.control.kappa().unwrap(), 0, &latencies, &known.sync);
        prop_assert_eq!(corrected, least);
    }

    /// Decay event by event is rounded down at each event, and so a little
    /// later than in one step; less than a tick for each event on the way.
    #[test]
    fn leaving_out_internal_events_costs_less_than_a_tick_each(
        program in program(), config in config(),
    ) {
        let known = program.execute();
        let Correction { corrected, latencies, .. } = corrected(&known, &forward(&config));
        let exact = least_fixed_point(&known, config.control.kappa().unwrap(), 0, &latencies, &every_event(&known));
        let events = known.trace.event_count() as i64;
        for (time, exact) in corrected.iter().flatten().zip(exact.iter().flatten()) {
            prop_assert!((0..=events).contains(&(*exact - *time).0));
        }
    }

    /// The recurrence of Rabenseifner 1997 event by event, his delta included.
    #[test]
    fn with_a_delta_forward_is_the_papers_recurrence(
        program in program(), config in config(), delta in 1..4i64,
    ) {
        let known = program.execute();
        let config = Config { delta: Some(Duration(delta)), ..config };
        let Correction { corrected: times, latencies, .. } = corrected(&known, &forward(&config));
        let (kappa, every) = (config.control.kappa().unwrap(), every_event(&known));
        prop_assert_eq!(&times, &least_fixed_point(&known, kappa, delta, &latencies, &every));
        // Ramps keep what it asks for.
        let ramped = corrected(&known, &config).corrected;
        for (ramped, times) in ramped.iter().zip(&times) {
            prop_assert!(ramped.iter().zip(times).all(|(ramped, time)| ramped >= time));
            prop_assert!(ramped.windows(2).all(|pair| pair[1] - pair[0] >= Duration(delta)));
        }
        prop_assert_eq!(early(&known, &ramped, &latencies), 0);
    }

    /// No allowed advance is left unused: within each interval that the papers
    /// spread a jump over, every event is on the greatest convex curve below
    /// the limits; sync events to the tick, and those between, which may decay
    /// from a ramp that falls, to one.
    #[test]
    fn ramps_are_the_highest_that_the_limits_leave(program in program(), config in config()) {
        let config = Config { interval: config.interval.max(0.5), ..config };
        let known = program.execute();
        let before = corrected(&known, &forward(&config)).corrected;
        let Correction { corrected, latencies, .. } = corrected(&known, &config);
        for (number, location) in known.trace.locations.iter().enumerate() {
            let ramps = Ramps::new(&known, number, &config, &before, &latencies);
            for (index, raw) in location.events.times().iter().enumerate() {
                let ramp = ramps.at(index, raw.0).unwrap_or(0);
                let expected = ramp.max((before[number][index] - *raw).0);
                let offset = (corrected[number][index] - *raw).0;
                let sync = known.sync.contains(&EventRef::new(LocationIndex(number as u32), index));
                prop_assert!(
                    offset == expected || !sync && (offset - expected).abs() == 1,
                    "event {} of {}: {} in place of {} after\n{}from\n{}{:?}",
                    index, number, offset, expected, known.trace.print(&before), known.trace.print(&known.trace.times()), known.bounds
                );
            }
        }
    }

    #[test]
    fn nothing_is_violated_afterwards(program in program(), config in config()) {
        let known = program.execute();
        let Correction { corrected, latencies, .. } = corrected(&known, &config);
        let violations = check(&known.trace, &corrected, &latencies);
        prop_assert_eq!(violations.clock_condition.count, 0);
        prop_assert_eq!(violations.reversed.count, 0);
        prop_assert_eq!(violations.backward_steps, 0);
        prop_assert_eq!(early(&known, &corrected, &latencies), 0);
    }

    #[test]
    fn nothing_is_violated_with_latencies_found_in_the_trace(program in program()) {
        let known = program.execute();
        let correction = corrected(&known, &Config::default());
        let violations = check(&known.trace, &correction.corrected, &correction.latencies);
        prop_assert_eq!(violations.clock_condition.count, 0);
        prop_assert_eq!(violations.backward_steps, 0);
    }

    #[test]
    fn events_only_move_forward_and_keep_their_order(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known, &config).corrected;
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

    /// Intervals shrink by no more than what decays, and grow by no more than
    /// a ramp rises where no send is in its way: with the slope asked for, or
    /// straight from the location's first event, which stays where it is.
    /// Rounding makes a tick each.
    #[test]
    fn intervals_are_distorted_by_no_more_than_kappa_and_the_slope(
        program in program(), config in config(),
    ) {
        let known = program.execute();
        let config = Config { interval: config.interval.max(0.5), ..config };
        let kappa = config.control.kappa().unwrap();
        let times = corrected(&known, &config).corrected;
        let senders: BTreeSet<_> = known.edges.iter().map(|edge| edge.0.location).collect();
        for (number, location) in known.trace.locations.iter().enumerate() {
            let free = !senders.contains(&LocationIndex(number as u32));
            let recorded = location.events.times();
            let from_first = |(time, raw): (&Timestamp, &Timestamp)| match (*time - *raw).0 {
                0 => 0.0,
                offset => offset as f64 / (*raw - recorded[0]).0 as f64,
            };
            let steepest = times[number].iter().zip(recorded).map(from_first);
            let slope = steepest.fold(1.0 / config.interval, f64::max);
            for (pair, raw) in times[number].windows(2).zip(recorded.windows(2)) {
                let length = (raw[1] - raw[0]).0 as f64;
                let growth = ((pair[1] - pair[0]).0 - (raw[1] - raw[0]).0) as f64;
                prop_assert!(growth >= -kappa * length - 1.0, "{} of {}", growth, length);
                let most = length * slope + 2.0;
                prop_assert!(!free || slope.is_infinite() || growth <= most, "{} of {}", growth, length);
            }
        }
    }

    #[test]
    fn whatever_the_control_nothing_is_violated_afterwards(
        program in program(), config in config(), epsilon in 0.0..0.1,
    ) {
        let known = program.execute();
        let gamma = 1.0 - config.control.kappa().unwrap();
        for control in [Control::Adaptive, Control::Paper { gamma, epsilon }] {
            let config = Config { control, latency: Default::default(), ..config.clone() };
            let Correction { corrected, latencies, .. } = corrected(&known, &config);
            let violations = check(&known.trace, &corrected, &latencies);
            prop_assert_eq!(violations.clock_condition.count, 0);
            prop_assert_eq!(violations.backward_steps, 0);
            prop_assert_eq!(early(&known, &corrected, &latencies), 0);
        }
    }

    #[test]
    fn a_corrected_trace_needs_no_correction(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known, &config).corrected;
        let again = rebuilt(&known, &times, &in_place(&known.trace));
        let correction = corrected(&again, &config);
        prop_assert_eq!(correction.corrected, times);
        prop_assert_eq!(correction.report.violations_seen, 0);
    }

    #[test]
    fn the_order_of_locations_does_not_matter(program in program(), config in config()) {
        let known = program.execute();
        let times = corrected(&known, &config).corrected;
        let backwards: Vec<usize> = in_place(&known.trace).into_iter().rev().collect();
        let other = rebuilt(&known, &known.trace.times(), &backwards);
        let mut mirrored = corrected(&other, &config).corrected;
        mirrored.reverse();
        prop_assert_eq!(mirrored, times);
    }

    #[test]
    fn locations_out_of_reach_of_violations_stay_as_they_are(
        program in program(), config in config(),
    ) {
        let known = program.execute();
        let correction = corrected(&known, &config);
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
        let other = rebuilt(&known, &shifted(known.trace.times()), &in_place(&known.trace));
        let times = corrected(&known, &config).corrected;
        prop_assert_eq!(corrected(&other, &config).corrected, shifted(times));
    }

    /// What one good clock recorded is not touched: the latencies found in it
    /// are no longer than any message, implied ones included.
    #[test]
    fn a_trace_of_one_good_clock_stays_as_it_is(program in program()) {
        let mut known = program.execute();
        known.trace.clocks = vec![ClockDomain {
            locations: in_place(&known.trace).iter().map(|&l| LocationIndex(l as u32)).collect(),
            measurements: Vec::new(),
        }];
        let tick = Config {
            latency: LatencyOverride {
                classes: [None, Some(Duration(1)), None, None, None],
                ..LatencyOverride::default()
            },
            ..Config::default()
        };
        let good = corrected(&known, &tick).corrected;
        let known = rebuilt(&known, &good, &in_place(&known.trace));
        let correction = corrected(&known, &Config::default());
        prop_assert_eq!(correction.report.violations_seen, 0);
        prop_assert_eq!(correction.corrected, good);
    }

    /// Any list of events is taken, however little sense it makes.
    #[test]
    fn damaged_traces_are_corrected_as_far_as_they_go(
        program in program(), config in config(), removed in prop::collection::vec(0..60usize, 1..8),
        rank in 0..5u32, bounds in prop::collection::vec((0..5u32, 0..9u32, 0..5u32, 0..9u32), 0..4),
        far in prop_oneof![Just(-1000), Just(i64::MIN / 2), Just(i64::MAX / 2), any::<i64>()],
    ) {
        let known = program.execute();
        let mut trace = known.trace.clone();
        let mut number = 0;
        for location in &mut trace.locations {
            let events = std::mem::take(&mut location.events);
            for (time, event) in events.iter() {
                number += 1;
                // Removed, or doubled with a time far off.
                match removed.iter().position(|&r| r == number) {
                    None => location.events.push(time, event),
                    Some(0) => {}
                    Some(which) => (0..which % 3).for_each(|_| {
                        location.events.push(Timestamp(time.0.saturating_add(far)), event);
                    }),
                }
            }
        }
        trace.locations[0].rank = Rank(rank);
        // Waits that may go round in circles.
        let exists = |event: &EventRef| {
            let location = trace.locations.get(event.location.index());
            location.is_some_and(|location| (event.index as usize) < location.events.len())
        };
        let mut matching = trace.matching();
        for (from, send, to, receive) in bounds {
            let send = EventRef::new(LocationIndex(from), send as usize);
            let receive = EventRef::new(LocationIndex(to), receive as usize);
            if exists(&send) && exists(&receive) {
                matching.bounds.push(Bound { send, receive, kind: BoundKind::Lock });
            }
        }
        let config = with_hosts_of(&trace, &config);
        let correction = correct_matched(&trace, &matching, &config).unwrap();
        let violations = check(&trace, &correction.corrected, &correction.latencies);
        prop_assert_eq!(violations.backward_steps, 0);
        // Threads that meet others on one communicator at the same time are
        // erroneous (MPI 4.1 §6.13): which of them came first is anybody's guess.
        let ranks: BTreeSet<Rank> = trace.locations.iter().map(|location| location.rank).collect();
        let threads = ranks.len() < trace.locations.len();
        // So is the order of operations of which one began within another.
        let nested = trace.locations.iter().any(|location| nests(&location.events));
        // Who would have to be moved by more than 292 years stays short of that.
        let most = correction.corrected.iter().flatten().max();
        let least = correction.interpolated.iter().flatten().min();
        let too_far = most.zip(least).is_some_and(|(a, b)| a.0.checked_sub(b.0).is_none());
        if correction.report.dropped_edges.is_empty() && !threads && !nested && !too_far {
            prop_assert_eq!(violations.clock_condition.count, 0);
        }
    }
}

/// Whether a collective operation began before the one before it ended, or
/// one ended that never began: no program does that, only damage.
fn nests(events: &Events) -> bool {
    let mut open = false;
    events.kinds().iter().any(|kind| match kind {
        EventKind::MpiCollectiveBegin => std::mem::replace(&mut open, true),
        EventKind::MpiCollectiveEnd => !std::mem::replace(&mut open, false),
        _ => false,
    })
}
