//! The least time a message takes, found in the trace.
//!
//! Between locations of one clock it is the shortest message seen: there is
//! no clock error in it. Between clocks, errors cancel in the sum of two
//! messages of opposite directions at about the same time; half of the least
//! such sum is used. Collective operations count as the messages they imply,
//! for a latency that a barrier undercuts would push every barrier's exit.
//! The round trips of the offset measurements tell too; the smallest wins. And
//! whoever is nearer is not reached later.
//!
//! An estimate too long is the one dangerous error, as it moves everything
//! forward without end; hence a safety factor, and one tick if nothing is
//! known.

use mpiscope_model::{Duration, Trace};
use rayon::prelude::*;

use crate::config::{Config, LatencyOverride};
use crate::latency::{Class, Latencies, Latency, LatencySource, PairLatency};
use crate::presync::{ClockMap, Minimum, Traffic, TwoMaps};
use crate::table::class_of_clocks;

/// The least time found for a class, and the clocks between which, if it was
/// between two.
pub(crate) type Least = Option<(i64, Option<(u32, u32)>)>;

/// Messages of opposite directions, by class.
pub(crate) type Exchanges = [Least; Class::ALL.len()];

/// Keeps the lesser; of equal ones that of the clocks of lower number.
pub(crate) fn keep_least(least: &mut Least, found: (i64, Option<(u32, u32)>)) {
    *least = Some(least.map_or(found, |least| least.min(found)));
}

/// Keeps the least of each class.
fn both(mut one: Exchanges, other: Exchanges) -> Exchanges {
    for (least, other) in one.iter_mut().zip(other) {
        if let Some(other) = other {
            keep_least(least, other);
        }
    }
    one
}

/// Finds the minimum latencies of a trace, whose messages are `traffic`, by
/// `maps`; clocks were compared with that of the `master`. Only opposite
/// messages not farther apart than `apart` are taken for one exchange.
pub(crate) fn latencies(
    trace: &Trace,
    traffic: &Traffic,
    maps: &[ClockMap],
    apart: Duration,
    master: Option<usize>,
    config: &Config,
) -> Latencies {
    let clocks = &traffic.clocks;
    let pairs = (traffic.minima).par_chunk_by(|a, b| a.pair() == b.pair());
    let of_pair = |mut least: Exchanges, of_pair: &[Minimum]| {
        if let Some(sum) = shortest_exchange(of_pair, maps, apart) {
            let (low, high) = of_pair[0].pair();
            let class = class_of_clocks(clocks, low, high);
            keep_least(&mut least[class as usize], (sum, Some((low, high))));
        }
        least
    };
    let exchanges = pairs.fold(Exchanges::default, of_pair);
    let exchanges = exchanges.reduce(Exchanges::default, both);
    let exchanges = both(exchanges, traffic.exchanges);
    let round_trips = half_round_trips(trace, clocks, master);
    let mut found = Latencies::default();
    let mut farther = None;
    for class in Class::BETWEEN_CLOCKS.into_iter().rev() {
        let exchange = exchanges[class as usize].map(|(sum, pair)| (sum / 2, pair));
        let round_trip = round_trips[class as usize].map(|(half, pair)| {
            let most = match (class, exchange) {
                (Class::SameHost, None) => FASTEST_MEMORY,
                _ => FASTEST_NETWORK,
            };
            (half.min(most.0), pair)
        });
        let least = smallest(
            [
                (exchange, LatencySource::ShortestExchange),
                (round_trip, LatencySource::OffsetMeasurement),
            ],
            config,
        );
        found.set(class, no_farther(least, &mut farther));
    }
    let shortest = traffic.same_clock.map(|ticks| (ticks, None));
    let shortest = smallest([(shortest, LatencySource::ShortestMessage)], config);
    found.set(Class::SameClock, no_farther(shortest, &mut farther));
    found.give(&config.latency);
    found
}

impl Latencies {
    /// Returns what the caller gave, and a tick for what it did not.
    pub fn given(latency: &LatencyOverride) -> Latencies {
        let mut given = Latencies::default();
        given.give(latency);
        given
    }

    /// Puts what the caller gave in place of what was found.
    fn give(&mut self, latency: &LatencyOverride) {
        let given =
            |value: Duration| Latency::new(value.max(Duration::ZERO), LatencySource::Configured);
        for class in Class::ALL {
            if let Some(value) = latency.classes[class as usize] {
                self.set(class, given(value));
            }
        }
        if latency.classes[Class::SameProcess as usize].is_none() {
            // No farther than another process of the same clock.
            let value = Duration::TICK.min(self.of(Class::SameClock).value);
            self.set(
                Class::SameProcess,
                Latency::new(value, LatencySource::Memory),
            );
        }
        let pairs = latency.pairs.iter().map(|(hosts, value)| PairLatency {
            hosts: hosts.clone(),
            latency: given(*value),
        });
        self.pairs = pairs.collect();
    }
}

/// Whoever is nearer is not reached later; `farther` is the nearest of those
/// farther that are known.
fn no_farther(near: Latency, farther: &mut Option<Latency>) -> Latency {
    if near.source == LatencySource::Unknown {
        return near;
    }
    let nearest = farther.filter(|far| far.value < near.value).unwrap_or(near);
    *farther = Some(nearest);
    nearest
}

/// Returns the smallest of what was found, less the safety margin.
fn smallest<const N: usize>(found: [(Least, LatencySource); N], config: &Config) -> Latency {
    let known = found.into_iter();
    let known = known.filter_map(|(least, source)| Some((least?, source)));
    let least = known.min_by_key(|((ticks, _), _)| *ticks);
    least.map_or(Latency::default(), |((ticks, clocks), source)| Latency {
        value: Duration((ticks as f64 * config.latency_safety) as i64).max(Duration::TICK),
        source,
        clocks,
    })
}

/// Round trips bound a latency from above alone: on a busy machine the
/// shortest of few takes milliseconds. Where nothing else tells, a latency is
/// not believed to exceed what the fastest networks between hosts need. Too
/// short is safe: it leaves errors, too long makes them.
const FASTEST_NETWORK: Duration = Duration(1000);

/// The same through memory: two cores that hand over a few cache lines.
const FASTEST_MEMORY: Duration = Duration(100);

/// Returns half of the shortest round trips with which clocks were measured:
/// what bounds the error of the offset.
fn half_round_trips(trace: &Trace, clocks: &[(u32, u32)], master: Option<usize>) -> Exchanges {
    let mut least = Exchanges::default();
    for (clock, domain) in (0..).zip(&trace.clocks) {
        let widths = domain.measurements.iter().map(|m| m.half_width.0);
        let Some(half) = widths.filter(|half| *half > 0).min() else {
            continue;
        };
        let master = master.map_or(u32::MAX, |master| master as u32);
        let class = match class_of_clocks(clocks, clock, master) {
            // That of the master itself tells how far everybody is at least.
            Class::SameClock => Class::Far,
            class => class,
        };
        keep_least(&mut least[class as usize], (half, Some((master, clock))));
    }
    least
}

/// Opposite messages within this time are one exchange whatever the clocks
/// are: 20 ppm between two of them are 200 ns here, and can only make the
/// estimate too short.
pub(crate) const ANY_CLOCKS: Duration = Duration(10_000_000);

/// Returns the least sum of two opposite messages of one pair of clocks in one cell.
fn shortest_exchange(of_pair: &[Minimum], maps: &[ClockMap], apart: Duration) -> Option<i64> {
    let mut least: Option<i64> = None;
    // Most messages of pairs that exchange few have no opposite one: those need no map.
    let mut two = TwoMaps::of(of_pair, maps);
    for both in of_pair.windows(2) {
        if both[0].cell == both[1].cell {
            let [(one, at), (other, received)] = [two.map(&both[0]), two.map(&both[1])];
            if (received - at).abs() <= apart {
                let sum = other.0.saturating_add(one.0);
                least = Some(least.map_or(sum, |least| least.min(sum)));
            }
        }
    }
    least
}
