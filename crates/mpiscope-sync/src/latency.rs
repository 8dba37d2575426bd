//! The least time a message takes, found in the trace.
//!
//! Between locations of one clock it is the shortest message seen: there is
//! no clock error in it. Between clocks, errors cancel in the sum of two
//! messages of opposite directions at about the same time; half of the least
//! such sum is used. Collective operations count as the messages they imply,
//! for a latency that a barrier undercuts would push every barrier's exit.
//! The round trips of the offset measurements tell too; the smallest wins. And
//! whoever reads one clock is at least as near as whoever does not.
//!
//! An estimate too long is the one dangerous error, as it moves everything
//! forward without end; hence a safety factor, and one tick if nothing is
//! known.

use std::fmt;

use mpiscope_model::hash::FastMap;
use mpiscope_model::{Duration, LocationIndex, Trace};

use crate::config::Config;
use crate::latest::Place;
use crate::presync::{ClockMap, Minimum, Traffic};

/// Minimum latencies and where they come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latencies {
    /// Between locations that read one clock.
    pub same_clock: Latency,
    /// Between locations that read different clocks.
    pub different_clocks: Latency,
}

/// One minimum latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// The latency that is used.
    pub value: Duration,
    /// Where it comes from.
    pub source: LatencySource,
}

/// Where a minimum latency comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencySource {
    /// The caller said so.
    Configured,
    /// The shortest message, less the safety margin.
    ShortestMessage,
    /// Half of the shortest pair of opposite messages, less the margin.
    ShortestExchange,
    /// Half of the shortest round trip of an offset measurement, less the margin.
    OffsetMeasurement,
    /// Lowered from what was found, which contradicts the trace.
    Lowered,
    /// Nothing in the trace tells; one tick.
    Unknown,
}

/// Which messages have a minimum latency of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Between locations that read one clock.
    SameClock,
    /// Between locations that read different clocks.
    DifferentClocks,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::SameClock => "locations of one clock",
            Class::DifferentClocks => "different clocks",
        })
    }
}

impl Latencies {
    /// Returns the latency of a class.
    pub fn of(&self, class: Class) -> Latency {
        match class {
            Class::SameClock => self.same_clock,
            Class::DifferentClocks => self.different_clocks,
        }
    }
}

impl Default for Latency {
    fn default() -> Latency {
        Latency {
            value: Duration::TICK,
            source: LatencySource::Unknown,
        }
    }
}

impl fmt::Display for LatencySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LatencySource::Configured => "as configured",
            LatencySource::ShortestMessage => "shortest message",
            LatencySource::ShortestExchange => "shortest exchange",
            LatencySource::OffsetMeasurement => "offset measurement",
            LatencySource::Lowered => "lowered: longer ones contradict the trace",
            LatencySource::Unknown => "unknown",
        })
    }
}

/// How far a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hop {
    /// Between locations of one process.
    SameProcess,
    /// Between processes that read one clock.
    SameClock,
    /// Between different clocks.
    Far,
}

/// The minimum latency of every pair of locations. Between threads of one
/// process it is a tick: what they wait for there is memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencyTable {
    /// The clock of each location.
    pub clock_of: Vec<u32>,
    /// A number for each location that those of one process and clock share;
    /// empty if no process has two locations.
    pub process_of: Vec<u32>,
    /// Between locations that read one clock.
    pub same_clock: Duration,
    /// Between locations that read different clocks.
    pub different_clocks: Duration,
}

impl LatencyTable {
    /// Combines latencies with the clocks of a trace.
    pub fn new(trace: &Trace, latencies: &Latencies) -> LatencyTable {
        LatencyTable {
            clock_of: trace.clock_of_locations(),
            process_of: processes(trace),
            same_clock: latencies.same_clock.value,
            different_clocks: latencies.different_clocks.value,
        }
    }

    /// Returns the minimum latency between two locations.
    pub fn between(&self, from: LocationIndex, to: LocationIndex) -> Duration {
        self.over(self.hop(from, to))
    }

    /// Returns how far it is from one location to another.
    pub(crate) fn hop(&self, from: LocationIndex, to: LocationIndex) -> Hop {
        let process = |location: LocationIndex| self.process_of.get(location.index());
        if process(from).is_some() && process(from) == process(to) {
            return Hop::SameProcess;
        }
        match self.clock_of.get(from.index()) == self.clock_of.get(to.index()) {
            true => Hop::SameClock,
            false => Hop::Far,
        }
    }

    /// Returns the minimum latency over a distance.
    #[inline]
    pub(crate) fn over(&self, hop: Hop) -> Duration {
        match hop {
            Hop::SameProcess => self.same_process(),
            Hop::SameClock => self.same_clock,
            Hop::Far => self.different_clocks,
        }
    }

    /// Returns the class of messages between two locations, if they are of
    /// different processes.
    pub(crate) fn class(&self, from: LocationIndex, to: LocationIndex) -> Option<Class> {
        let (from, to) = (self.place(from), self.place(to));
        let within = from.process.is_some() && from.process == to.process;
        let class = match from.clock == to.clock {
            true => Class::SameClock,
            false => Class::DifferentClocks,
        };
        (!within && from.location != to.location).then_some(class)
    }

    /// Returns the minimum latency between locations of one process.
    pub fn same_process(&self) -> Duration {
        Duration::TICK.min(self.same_clock)
    }

    /// Returns where a location stands among the others.
    pub(crate) fn place(&self, location: LocationIndex) -> Place {
        let number = |of: &[u32]| of.get(location.index()).copied();
        Place {
            location: location.0,
            process: number(&self.process_of),
            clock: number(&self.clock_of).unwrap_or(u32::MAX),
        }
    }
}

/// Numbers the processes of each clock; empty if each has one location.
pub(crate) fn processes(trace: &Trace) -> Vec<u32> {
    let mut numbers: FastMap<(u32, u32), u32> = FastMap::default();
    let clocks = trace.clock_of_locations();
    let processes = trace.locations.iter().zip(&clocks);
    let of: Vec<u32> = processes
        .map(|(location, &clock)| {
            let next = numbers.len() as u32;
            *numbers.entry((clock, location.rank.0)).or_insert(next)
        })
        .collect();
    match numbers.len() == of.len() {
        true => Vec::new(),
        false => of,
    }
}

/// Finds the minimum latencies of a trace, whose messages are `traffic`, by
/// `maps`. Only opposite messages not farther apart than `apart` are taken for
/// one exchange.
pub(crate) fn latencies(
    trace: &Trace,
    traffic: &Traffic,
    maps: &[ClockMap],
    apart: Duration,
    config: &Config,
) -> Latencies {
    let chosen = |given: Option<Duration>| {
        given.map(|value| Latency {
            value: value.max(Duration::ZERO),
            source: LatencySource::Configured,
        })
    };
    let exchange = exchange(&traffic.minima, maps, apart);
    let exchange = [exchange, traffic.exchange].into_iter().flatten().min();
    let different = smallest(
        &[
            (exchange.map(|sum| sum / 2), LatencySource::ShortestExchange),
            (
                half_round_trip(trace).map(|half| half.min(FASTEST_NETWORK.0)),
                LatencySource::OffsetMeasurement,
            ),
        ],
        config,
    );
    let shortest = |ticks| smallest(&[(ticks, LatencySource::ShortestMessage)], config);
    let same = no_farther(shortest(traffic.same_clock), different);
    Latencies {
        same_clock: chosen(config.latency.same_clock).unwrap_or(same),
        different_clocks: chosen(config.latency.different_clocks).unwrap_or(different),
    }
}

/// Whoever reads one clock is at least as near as whoever does not.
fn no_farther(near: Latency, far: Latency) -> Latency {
    match (near.source, far.source) {
        (LatencySource::Unknown, _) | (_, LatencySource::Unknown) => near,
        _ if far.value < near.value => far,
        _ => near,
    }
}

/// Returns the smallest of what was found, less the safety margin.
fn smallest(found: &[(Option<i64>, LatencySource)], config: &Config) -> Latency {
    let known = found
        .iter()
        .filter_map(|&(ticks, source)| Some((ticks?, source)));
    let least = known.min_by_key(|(ticks, _)| *ticks);
    least.map_or(Latency::default(), |(ticks, source)| Latency {
        value: Duration((ticks as f64 * config.latency_safety) as i64).max(Duration::TICK),
        source,
    })
}

/// Round trips bound a latency from above alone: on a busy machine the
/// shortest of few takes milliseconds. Where nothing else tells, a latency is
/// not believed to exceed what the fastest networks between hosts need. Too
/// short is safe: it leaves errors, too long makes them.
const FASTEST_NETWORK: Duration = Duration(1000);

/// Returns half of the shortest round trip with which a clock was measured:
/// what bounds the error of the offset.
fn half_round_trip(trace: &Trace) -> Option<i64> {
    let measurements = trace.clocks.iter().flat_map(|clock| &clock.measurements);
    measurements
        .map(|m| m.half_width.0)
        .filter(|half| *half > 0)
        .min()
}

/// Opposite messages within this time are one exchange whatever the clocks
/// are: 20 ppm between two of them are 200 ns here, and can only make the
/// estimate too short.
pub(crate) const ANY_CLOCKS: Duration = Duration(10_000_000);

/// Returns the least sum of two opposite messages of one pair and cell.
fn exchange(minima: &[Minimum], maps: &[ClockMap], apart: Duration) -> Option<i64> {
    let opposite =
        |pair: &&[Minimum]| (pair[0].pair(), pair[0].cell) == (pair[1].pair(), pair[1].cell);
    let sum = |pair: &[Minimum]| {
        let ((forth, one), (back, other)) = (pair[0].by(maps), pair[1].by(maps));
        ((one - other).abs() <= apart).then(|| forth.0.saturating_add(back.0))
    };
    minima.windows(2).filter(opposite).filter_map(sum).min()
}
