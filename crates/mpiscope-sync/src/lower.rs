//! Minimum latencies that contradict the trace are lowered.
//!
//! One that is too long is the one dangerous error: each message it concerns
//! moves everything behind it forward. Two things give it away. Displacements
//! that grow without end (see the control), and, once times are known to be
//! good, messages faster than it by more than these times can be wrong.

use mpiscope_model::{Duration, EventRef, LocationIndex, Matching, Timestamp};
use rayon::prelude::*;

use crate::exchange::{each_received, Crew, Division, Exchange};
use crate::latency::{Between, Class, Latencies, Latency, LatencySource};
use crate::links::ends;
use crate::report::Warning;
use crate::table::{Hop, LatencyTable};
use crate::uncertainty::{Uncertainty, UNKNOWN};

impl Latencies {
    /// Returns whether a latency may be wrong. What the caller gave for a class
    /// holds, so that published constants can be tried; a pair of hosts is an
    /// exception from that, and where the trace contradicts it, it ends.
    pub(crate) fn is_doubted(&self, hop: Hop) -> bool {
        match hop.what() {
            Ok(Class::SameProcess) => false,
            Ok(class) => self.of(class).source != LatencySource::Configured,
            Err(pair) => self.pairs.get(pair).is_some(),
        }
    }

    /// Halves a latency; returns what to say about it.
    pub(crate) fn halve(&mut self, hop: Hop) -> Warning {
        self.lower(hop, Duration(self.at(hop).value.0 / 2))
    }

    fn at(&self, hop: Hop) -> Latency {
        match hop.what() {
            Ok(class) => self.of(class),
            Err(pair) => self.pairs[pair].latency,
        }
    }

    /// Lowers a latency; if it is that of a class, those of whoever is nearer,
    /// too, which are no longer.
    fn lower(&mut self, hop: Hop, to: Duration) -> Warning {
        let from = self.at(hop).value;
        let to = to.max(Duration::TICK).min(from);
        let lowered = Latency::new(to, LatencySource::Lowered);
        let of = match hop.what() {
            Ok(class) => {
                self.set(class, lowered);
                for nearer in Class::ALL.into_iter().filter(|nearer| *nearer < class) {
                    if self.is_doubted(Hop::of(nearer)) && self.of(nearer).value > to {
                        self.set(nearer, lowered);
                    }
                }
                Between::Class(class)
            }
            Err(pair) => {
                self.pairs[pair].latency = lowered;
                Between::Hosts(self.pairs[pair].hosts.clone())
            }
        };
        Warning::LatencyLowered { of, from, to }
    }
}

/// Share of the messages of a class that may be faster than its latency.
const FASTER: f64 = 0.01;

/// Fewer messages than this are not worth another thread.
const LINKS: u32 = 4096;

/// Messages by hop.
struct Faster {
    /// How many there are.
    messages: Vec<u64>,
    /// How long those took at most that are too fast.
    faster: Vec<Vec<i64>>,
}

impl Faster {
    fn new(table: &LatencyTable) -> Faster {
        Faster {
            messages: vec![0; table.hops()],
            faster: vec![Vec::new(); table.hops()],
        }
    }

    fn look_at(
        &mut self,
        (send, receive): (EventRef, EventRef),
        (sent, received): (Timestamp, Timestamp),
        table: &LatencyTable,
        uncertainty: &Uncertainty,
    ) {
        if send.location == receive.location {
            return;
        }
        let hop = table.hop(send.location, receive.location);
        self.messages[hop.index()] += 1;
        let (duration, value) = (received - sent, table.over(hop));
        if duration >= value {
            return;
        }
        let doubt = uncertainty.interval(send.location, receive.location, received);
        let possible = duration.0.saturating_add(doubt.0);
        if doubt != UNKNOWN && possible < value.0 {
            self.faster[hop.index()].push(possible);
        }
    }

    fn merge(mut self, other: Faster) -> Faster {
        for (mine, other) in self.messages.iter_mut().zip(other.messages) {
            *mine += other;
        }
        for (mine, mut other) in self.faster.iter_mut().zip(other.faster) {
            mine.append(&mut other);
        }
        self
    }
}

/// Lowers each latency that too many messages undercut by more than the clocks
/// can be wrong, to what so many of them do not, but to no less than half: what
/// is wrong by more is not the latency.
pub(crate) fn lower_violated(
    latencies: &mut Latencies,
    times: &[Vec<Timestamp>],
    matching: &Matching,
    table: &LatencyTable,
    uncertainty: &Uncertainty,
    together: Option<(Crew, &Division)>,
) -> Vec<Warning> {
    let Faster {
        messages,
        mut faster,
    } = match together {
        Some(together) => look_together(times, matching, table, uncertainty, together),
        None => look(times, matching, table, uncertainty),
    };
    let mut warnings = Vec::new();
    for hop in table
        .all_hops()
        .filter(|hop| table.over(*hop) > Duration::TICK)
    {
        let tolerated = (messages[hop.index()] as f64 * FASTER) as usize;
        let faster = &mut faster[hop.index()];
        if faster.len() > tolerated && latencies.is_doubted(hop) {
            let (_, &mut duration, _) = faster.select_nth_unstable(tolerated);
            let half = latencies.at(hop).value.0 / 2;
            warnings.push(latencies.lower(hop, Duration(duration.max(half))));
        }
    }
    warnings
}

/// Looks at all messages, on all threads.
fn look(
    times: &[Vec<Timestamp>],
    matching: &Matching,
    table: &LatencyTable,
    uncertainty: &Uncertainty,
) -> Faster {
    let at = |event: EventRef| times[event.location.index()][event.index as usize];
    let links = (matching.messages.len() + matching.bounds.len()) as u32;
    let share = links
        .div_ceil(rayon::current_num_threads() as u32)
        .max(LINKS);
    let shares: Vec<u32> = (0..links).step_by(share as usize).collect();
    let of_share = |begin: u32| {
        let mut faster = Faster::new(table);
        for link in begin..links.min(begin.saturating_add(share)) {
            let (send, receive) = ends(matching, link);
            let times = (at(send), at(receive));
            faster.look_at((send, receive), times, table, uncertainty);
        }
        faster
    };
    let found = shares.into_par_iter().map(of_share);
    found.reduce(|| Faster::new(table), Faster::merge)
}

/// Looks at all messages, each process at those that it receives.
fn look_together(
    times: &[Vec<Timestamp>],
    matching: &Matching,
    table: &LatencyTable,
    uncertainty: &Uncertainty,
    (crew, division): (Crew, &Division),
) -> Faster {
    let at = |event: EventRef| times[event.location.index()][event.index as usize].0;
    let exchange = crew.outside();
    let links = matching.messages.len() + matching.bounds.len();
    let mut faster = Faster::new(table);
    let ends = |link: usize| ends(matching, link as u32);
    let links = (links, matching.of_all.is_some());
    let columns = |location: LocationIndex| &times[location.index()][..];
    each_received(&exchange, division, links, ends, columns, |link, sent| {
        let (send, receive) = ends(link);
        let times = (Timestamp(sent), Timestamp(at(receive)));
        faster.look_at((send, receive), times, table, uncertainty);
    });
    let sums = |number: usize| exchange.sum(faster.messages[number]);
    let messages = (0..table.hops()).map(sums).collect();
    let of_hop = (0u32..).zip(&faster.faster);
    let rows = of_hop.flat_map(|(hop, all)| all.iter().map(move |it| (hop, *it)));
    let rows = exchange.all_gather(rows.collect());
    let mut faster = Faster::new(table);
    faster.messages = messages;
    for (hop, duration) in rows.into_iter().flatten() {
        faster.faster[hop as usize].push(duration);
    }
    faster
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertainty::Widths;
    use mpiscope_model::Trace;

    /// Clocks that can be wrong by so much.
    fn clocks(half_width: i64) -> Uncertainty {
        Uncertainty {
            clock_of: vec![0, 1],
            window: Duration(1_000_000),
            intervals: vec![Widths {
                of_clock: vec![Duration::ZERO, Duration(half_width)],
                pairs: Vec::new(),
            }],
            ..Uncertainty::default()
        }
    }

    fn lowered(latency: i64, half_width: i64) -> (i64, usize) {
        // A hundred messages that take 1 to 100 ticks.
        let sends: String = (0..100).map(|i| format!(" {} send>1", 1000 * i)).collect();
        let receives: String = (0..100)
            .map(|i| format!(" {} recv<0", 1001 * i + 1))
            .collect();
        let trace = Trace::parse(&format!(
            "clock 0: 0 +0 ±1\nclock 1: 0 +0 ±1\n0:{sends}\n1:{receives}"
        ))
        .unwrap();
        let mut latencies = Latencies::default();
        let found = Latency::new(Duration(latency), LatencySource::ShortestExchange);
        latencies.set(Class::Far, found);
        let table = LatencyTable::new(&trace, &latencies);
        let matching = trace.matching();
        let clocks = clocks(half_width);
        let warnings = lower_violated(
            &mut latencies,
            &trace.times(),
            &matching,
            &table,
            &clocks,
            None,
        );
        (latencies.of(Class::Far).value.0, warnings.len())
    }

    #[test]
    fn a_latency_that_many_messages_undercut_is_lowered() {
        assert_eq!(lowered(3, 0), (2, 1));
    }

    #[test]
    fn a_latency_is_not_lowered_below_half() {
        assert_eq!(lowered(50, 0), (25, 1));
    }

    #[test]
    fn a_latency_that_only_wrong_clocks_undercut_stays() {
        assert_eq!(lowered(50, 48), (50, 0));
        assert_eq!(lowered(50, UNKNOWN.0), (50, 0));
    }

    #[test]
    fn a_latency_that_few_messages_undercut_stays() {
        assert_eq!(lowered(2, 0), (2, 0));
    }
}
