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
use mpiscope_model::{CollectiveMember, Duration, LocationIndex, Matching, Timestamp, Trace};

use crate::config::Config;
use crate::latest::{Latest, Place};
use crate::logical::{From, Meeting, Who};

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
        let process = |location: LocationIndex| self.process_of.get(location.index());
        if process(from).is_some() && process(from) == process(to) {
            return self.same_process();
        }
        match self.clock_of.get(from.index()) == self.clock_of.get(to.index()) {
            true => self.same_clock,
            false => self.different_clocks,
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
fn processes(trace: &Trace) -> Vec<u32> {
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

/// Finds the minimum latencies of a trace whose events happened at `times`.
pub fn latencies(
    trace: &Trace,
    times: &[Vec<Timestamp>],
    matching: &Matching,
    config: &Config,
) -> Latencies {
    let chosen = |given: Option<Duration>| {
        given.map(|value| Latency {
            value: value.max(Duration::ZERO),
            source: LatencySource::Configured,
        })
    };
    let same_clock = chosen(config.latency.same_clock);
    let different_clocks = chosen(config.latency.different_clocks);
    if let (Some(same_clock), Some(different_clocks)) = (same_clock, different_clocks) {
        return Latencies {
            same_clock,
            different_clocks,
        };
    }
    let mut shortest = Shortest::new(trace, times);
    let messages = (matching.messages.iter()).map(|message| (message.send, message.receive));
    let bounds = (matching.bounds.iter()).map(|bound| (bound.send, bound.receive));
    for (from, to) in messages.chain(bounds) {
        if from.location != to.location && !shortest.within(from.location, to.location) {
            shortest.message(
                from.location,
                shortest.at(from),
                to.location,
                shortest.at(to),
            );
        }
    }
    for instance in &matching.collectives {
        if let Some(meeting) = Meeting::new(trace, matching, instance) {
            shortest.meeting(&meeting);
        }
    }
    let found = [
        (
            shortest.exchange().map(|sum| sum / 2),
            LatencySource::ShortestExchange,
        ),
        (half_round_trip(trace), LatencySource::OffsetMeasurement),
    ];
    let different = smallest(&found, config);
    let same = smallest(
        &[(shortest.same_clock, LatencySource::ShortestMessage)],
        config,
    );
    let nearer = match (same.source, different.source) {
        (LatencySource::Unknown, _) | (_, LatencySource::Unknown) => same,
        _ if different.value < same.value => different,
        _ => same,
    };
    Latencies {
        same_clock: same_clock.unwrap_or(nearer),
        different_clocks: different_clocks.unwrap_or(different),
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

/// Returns half of the shortest round trip with which a clock was measured:
/// what bounds the error of the offset.
fn half_round_trip(trace: &Trace) -> Option<i64> {
    let measurements = trace.clocks.iter().flat_map(|clock| &clock.measurements);
    measurements
        .map(|m| m.half_width.0)
        .filter(|half| *half > 0)
        .min()
}

/// Messages of opposite directions within this time are taken for one
/// exchange: 20 ppm between two clocks are 200 ns here, and can only make the
/// estimate too short.
const WINDOW: i64 = 10_000_000;

/// The shortest found so far.
struct Shortest<'a> {
    times: &'a [Vec<Timestamp>],
    clock_of: Vec<u32>,
    process_of: Vec<u32>,
    same_clock: Option<i64>,
    /// Least sum of two opposite messages, from collective operations.
    exchange: Option<i64>,
    /// Least duration in either direction, per pair of clocks and window.
    windows: FastMap<(u32, u32, u64), [Option<i64>; 2]>,
    latest: Latest,
}

/// Threads count as processes here: whatever is shorter counts.
fn on_its_own(clock: u32, location: LocationIndex) -> Place {
    Place {
        location: location.0,
        process: None,
        clock,
    }
}

fn lower(least: &mut Option<i64>, value: i64) {
    *least = Some(least.map_or(value, |least| least.min(value)));
}

impl<'a> Shortest<'a> {
    fn new(trace: &Trace, times: &'a [Vec<Timestamp>]) -> Shortest<'a> {
        Shortest {
            times,
            clock_of: trace.clock_of_locations(),
            process_of: processes(trace),
            same_clock: None,
            exchange: None,
            windows: FastMap::default(),
            latest: Latest::default(),
        }
    }

    fn at(&self, event: mpiscope_model::EventRef) -> i64 {
        self.times[event.location.index()][event.index as usize].0
    }

    /// Whether two locations belong to one process.
    fn within(&self, from: LocationIndex, to: LocationIndex) -> bool {
        let process = |location: LocationIndex| self.process_of.get(location.index());
        process(from).is_some() && process(from) == process(to)
    }

    fn message(&mut self, from: LocationIndex, sent: i64, to: LocationIndex, received: i64) {
        let (a, b) = (self.clock_of[from.index()], self.clock_of[to.index()]);
        let duration = received.saturating_sub(sent);
        if a == b {
            lower(&mut self.same_clock, duration);
            return;
        }
        let window = sent.div_euclid(WINDOW) as u64;
        let pair = (self.windows).entry((a.min(b), a.max(b), window));
        lower(&mut pair.or_default()[usize::from(a > b)], duration);
    }

    fn meeting(&mut self, meeting: &Meeting) {
        match (
            meeting.rule.from,
            meeting.rule.senders,
            meeting.rule.receivers,
        ) {
            (From::Others, Who::All, Who::All) => self.all_to_all(meeting),
            (From::Lower, ..) => self.scan(meeting),
            _ => self.rooted(meeting),
        }
    }

    fn rooted(&mut self, meeting: &Meeting) {
        let members = meeting.members;
        let few = |member: &&CollectiveMember| Some(member.rank) == meeting.root;
        let Some(root) = members.iter().find(few) else {
            return;
        };
        for member in members.iter().filter(|member| member.rank != root.rank) {
            let (sender, receiver) = match meeting.rule.senders {
                Who::Root => (root, member),
                Who::All => (member, root),
            };
            if meeting.sends(sender) && meeting.receives(receiver) {
                self.pair(sender, receiver);
            }
        }
    }

    /// Looks at each receiver's latest sender alone.
    fn scan(&mut self, meeting: &Meeting) {
        let mut in_order: Vec<&CollectiveMember> = meeting.members.iter().collect();
        in_order.sort_by_key(|member| member.rank);
        let mut sender: Option<&CollectiveMember> = None;
        for member in in_order {
            if let Some(sender) = sender.filter(|_| meeting.receives(member)) {
                self.pair(sender, member);
            }
            let later = |s: &CollectiveMember| self.at(s.enter) < self.at(member.enter);
            if meeting.sends(member) && sender.is_none_or(later) {
                sender = Some(member);
            }
        }
    }

    fn pair(&mut self, sender: &CollectiveMember, receiver: &CollectiveMember) {
        let (enter, exit) = (self.at(sender.enter), self.at(receiver.exit));
        self.message(sender.enter.location, enter, receiver.exit.location, exit);
    }

    /// On one clock, each exit follows the latest other enter. Between clocks
    /// a and b the exchange is (exit b − enter a) + (exit a − enter b), which
    /// is the sum of the spans from latest enter to first exit on each.
    fn all_to_all(&mut self, meeting: &Meeting) {
        let mut spans: FastMap<u32, (Option<i64>, Option<i64>)> = FastMap::default();
        let mut latest = std::mem::take(&mut self.latest);
        latest.clear();
        for member in meeting
            .members
            .iter()
            .filter(|member| meeting.sends(member))
        {
            let clock = self.clock_of[member.enter.location.index()];
            let enter = self.at(member.enter);
            latest.add(enter, on_its_own(clock, member.enter.location));
            let span = spans.entry(clock).or_default();
            span.0 = span.0.max(Some(enter));
        }
        for member in meeting
            .members
            .iter()
            .filter(|member| meeting.receives(member))
        {
            let location = member.exit.location;
            let clock = self.clock_of[location.index()];
            let exit = self.at(member.exit);
            if let Some(enter) = latest.on_clock(on_its_own(clock, location)) {
                lower(&mut self.same_clock, exit.saturating_sub(enter));
            }
            lower(&mut spans.entry(clock).or_default().1, exit);
        }
        self.latest = latest;
        let mut two = [None, None];
        for (enter, exit) in spans.into_values() {
            let (Some(enter), Some(exit)) = (enter, exit) else {
                continue;
            };
            let span = exit.saturating_sub(enter);
            match two {
                [Some(first), _] if span >= first => lower(&mut two[1], span),
                [first, _] => two = [Some(span), first],
            }
        }
        if let [Some(first), Some(second)] = two {
            lower(&mut self.exchange, first.saturating_add(second));
        }
    }

    /// Returns the least sum of two opposite messages.
    fn exchange(&self) -> Option<i64> {
        let sum = |pair: &[Option<i64>; 2]| Some(pair[0]?.saturating_add(pair[1]?));
        (self.windows.values().filter_map(sum))
            .chain(self.exchange)
            .min()
    }
}
