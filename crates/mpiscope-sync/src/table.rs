//! The minimum latency of every pair of locations, to be looked up fast.
//!
//! A pair has a [`Hop`]: its class, or a pair of hosts that was given a
//! latency of its own. Hops number a small table of latencies.

use mpiscope_model::{Duration, LocationIndex, Trace};

use crate::exchange::plain;
use crate::latency::{Class, Latencies};
use crate::latest::Standing;
use crate::topology::Topology;

/// How far a message goes: a class, or after these a pair of hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hop(u8);

plain! { Hop { 0 } }

impl Hop {
    /// The first hop that is a pair of hosts.
    const PAIRS: u8 = Class::ALL.len() as u8;
    /// The farthest class; for records that no message arrives at, too.
    pub const FAR: Hop = Hop::of(Class::Far);

    pub const fn of(class: Class) -> Hop {
        Hop(class as u8)
    }

    pub fn pair(number: usize) -> Hop {
        Hop(Hop::PAIRS + number as u8)
    }

    /// Returns the class, or which pair of hosts it is.
    pub fn what(self) -> Result<Class, usize> {
        let class = Class::ALL.get(self.0 as usize).copied();
        class.ok_or((self.0.wrapping_sub(Hop::PAIRS)) as usize)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// As many pairs of hosts may have latencies of their own.
pub(crate) const MOST_PAIRS: usize = (u8::MAX - Hop::PAIRS) as usize;

/// The minimum latency of every pair of locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencyTable {
    clock_of: Vec<u32>,
    /// Empty if no process has two locations.
    process_of: Vec<u32>,
    /// Host and rack of each clock.
    clocks: Vec<(u32, u32)>,
    /// Some clocks share a host; some hosts share a rack.
    shared: (bool, bool),
    /// What all different clocks are to each other, if they are the same.
    beyond: Option<Class>,
    /// Latencies by hop.
    values: Vec<Duration>,
    pairs: Option<Pairs>,
}

/// The places of a location that latencies depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seat {
    pub process: u32,
    pub clock: u32,
    pub host: u32,
    pub rack: u32,
    /// The named host, if it has latencies of its own with others.
    pub named: u32,
}

impl Seat {
    /// A host that is in no pair.
    pub const NO_HOST: u32 = u32::MAX;
}

/// Hosts that have latencies of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Pairs {
    /// The named host of each location; `u32::MAX` if it has none, or one that
    /// is in no pair.
    host_of: Vec<u32>,
    /// Lower and higher host, with the place in the list of pairs; sorted.
    hops: Vec<((u32, u32), u8)>,
    /// What has a clock and a named host in common: its number for each
    /// location, and its first location.
    site_of: Vec<u32>,
    first: Vec<LocationIndex>,
}

impl LatencyTable {
    /// Combines latencies with the places of a trace.
    pub fn new(trace: &Trace, latencies: &Latencies) -> LatencyTable {
        LatencyTable::at(&Topology::new(trace), latencies)
    }

    /// Combines latencies with places.
    pub fn at(topology: &Topology, latencies: &Latencies) -> LatencyTable {
        let clocks = topology.of_clocks();
        let (hosts, racks) = (distinct(&topology.host), distinct(&topology.rack));
        let shared = (hosts < distinct(&topology.clock), racks < hosts);
        let beyond = match (shared, hosts, racks) {
            ((false, false), ..) => Some(Class::Far),
            ((false, true), _, 1) => Some(Class::SameRack),
            ((true, _), 1, _) => Some(Class::SameHost),
            _ => None,
        };
        let mut table = LatencyTable {
            clock_of: topology.clock.clone(),
            process_of: topology.processes(),
            clocks,
            shared,
            beyond,
            values: Vec::new(),
            pairs: pairs(topology, latencies),
        };
        table.give(latencies);
        table
    }

    /// Takes other latencies of the same classes and pairs.
    pub(crate) fn give(&mut self, latencies: &Latencies) {
        let of_classes = Class::ALL.iter().map(|class| latencies.of(*class).value);
        let of_pairs = latencies.pairs.iter().map(|pair| pair.latency.value);
        self.values = of_classes.chain(of_pairs).collect();
    }

    /// Returns the minimum latency between two locations.
    pub fn between(&self, from: LocationIndex, to: LocationIndex) -> Duration {
        self.over(self.hop(from, to))
    }

    /// Returns the minimum latency of a class.
    pub fn of(&self, class: Class) -> Duration {
        self.over(Hop::of(class))
    }

    /// Returns the longest of all.
    pub fn longest(&self) -> Duration {
        self.values.iter().copied().max().unwrap_or(Duration::ZERO)
    }

    /// Returns the shortest of all.
    pub(crate) fn shortest(&self) -> Duration {
        self.values.iter().copied().min().unwrap_or(Duration::ZERO)
    }

    /// Returns the class of messages between two locations.
    pub fn class(&self, from: LocationIndex, to: LocationIndex) -> Class {
        let process = |location: LocationIndex| self.process_of.get(location.index());
        match process(from).is_some() && process(from) == process(to) {
            true => Class::SameProcess,
            false => self.class_of_clocks(self.clock(from), self.clock(to)),
        }
    }

    /// Returns whether any pair of hosts has a latency of its own.
    pub(crate) fn has_pairs(&self) -> bool {
        self.pairs.is_some()
    }

    /// Returns whether a pair of hosts with a latency of its own may be meant.
    pub(crate) fn is_special(&self, location: LocationIndex) -> bool {
        let host = |pairs: &Pairs| pairs.host_of.get(location.index()).copied();
        let host = self.pairs.as_ref().and_then(host);
        host.is_some_and(|host| host != u32::MAX)
    }

    /// Returns how far it is from one location to another.
    pub(crate) fn hop(&self, from: LocationIndex, to: LocationIndex) -> Hop {
        let class = self.class(from, to);
        match &self.pairs {
            Some(pairs) if class != Class::SameProcess => pairs.hop(from, to),
            _ => None,
        }
        .unwrap_or(Hop::of(class))
    }

    /// Returns the minimum latency over a distance.
    #[inline]
    pub(crate) fn over(&self, hop: Hop) -> Duration {
        self.values
            .get(hop.index())
            .copied()
            .unwrap_or(Duration::TICK)
    }

    /// Returns all hops, the classes first.
    pub(crate) fn all_hops(&self) -> impl Iterator<Item = Hop> {
        (0..self.values.len() as u8).map(Hop)
    }

    /// Returns how many hops there are.
    pub(crate) fn hops(&self) -> usize {
        self.values.len()
    }

    /// Returns the clock of a location.
    pub(crate) fn clock(&self, location: LocationIndex) -> u32 {
        let clock = self.clock_of.get(location.index());
        clock.copied().unwrap_or(u32::MAX)
    }

    /// Returns the least time of a message between two different clocks, but
    /// for pairs of hosts.
    pub(crate) fn between_clocks(&self, a: u32, b: u32) -> Duration {
        self.of(self.class_of_clocks(a, b))
    }

    #[inline]
    fn class_of_clocks(&self, a: u32, b: u32) -> Class {
        match self.beyond {
            _ if a == b => Class::SameClock,
            Some(class) => class,
            None => class_of_clocks(&self.clocks, a, b),
        }
    }

    /// Returns where a location stands among the others.
    pub(crate) fn place(&self, location: LocationIndex) -> Standing {
        let clock = self.clock(location);
        let (host, rack) = self.clocks.get(clock as usize).copied().unwrap_or_default();
        let site = |pairs: &Pairs| pairs.site_of.get(location.index()).copied();
        Standing {
            location: location.0,
            process: self.process_of.get(location.index()).copied(),
            clock,
            host: self.shared.0.then_some(host),
            rack: self.shared.1.then_some(rack),
            site: self.pairs.as_ref().and_then(site),
        }
    }

    /// Returns the numbers of all places that latencies depend on, by location.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.clock_of.len()).map(|location| {
            let clock = self.clock_of[location];
            let (host, rack) = self.clocks.get(clock as usize).copied().unwrap_or_default();
            let process = self.process_of.get(location).copied();
            let named = self.pairs.as_ref().map(|pairs| pairs.host_of[location]);
            Seat {
                process: process.unwrap_or(location as u32),
                clock,
                host,
                rack,
                named: named.unwrap_or(Seat::NO_HOST),
            }
        })
    }

    /// Returns the hosts that have latencies of their own with a host, which
    /// may be one of them, and how far they are.
    pub(crate) fn partners(&self, host: u32) -> impl Iterator<Item = (u32, Hop)> + '_ {
        let pairs = self.pairs.iter().flat_map(|pairs| &pairs.hops);
        pairs.filter_map(move |&((a, b), number)| {
            let other = match (a == host, b == host) {
                (true, _) => b,
                (_, true) => a,
                _ => return None,
            };
            Some((other, Hop::pair(number as usize)))
        })
    }

    /// Returns how far a site is from a location of another process.
    pub(crate) fn hop_to_site(&self, from: LocationIndex, site: u32) -> Hop {
        let first = |pairs: &Pairs| pairs.first.get(site as usize).copied();
        let Some((pairs, to)) = self.pairs.as_ref().and_then(|it| Some((it, first(it)?))) else {
            return Hop::FAR;
        };
        let class = self.class_of_clocks(self.clock(from), self.clock(to));
        pairs.hop(from, to).unwrap_or(Hop::of(class))
    }
}

/// Returns what two clocks are to each other; each has a host and a rack.
pub(crate) fn class_of_clocks(clocks: &[(u32, u32)], a: u32, b: u32) -> Class {
    let place = |clock: u32| clocks.get(clock as usize);
    match (place(a), place(b)) {
        _ if a == b => Class::SameClock,
        (Some(a), Some(b)) if a.0 == b.0 => Class::SameHost,
        (Some(a), Some(b)) if a.1 == b.1 => Class::SameRack,
        _ => Class::Far,
    }
}

fn distinct(numbers: &[u32]) -> usize {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len()
}

/// Finds the hosts of pairs; of several latencies for one pair the last holds.
fn pairs(topology: &Topology, latencies: &Latencies) -> Option<Pairs> {
    let known = |name: &String| topology.host_called(name);
    let mut hops: Vec<((u32, u32), u8)> = Vec::new();
    for (number, pair) in latencies.pairs.iter().enumerate().take(MOST_PAIRS) {
        let [a, b] = pair.hosts.each_ref().map(known);
        if let (Some(a), Some(b)) = (a, b) {
            let both = (a.min(b), a.max(b));
            hops.retain(|(known, _)| *known != both);
            hops.push((both, number as u8));
        }
    }
    if hops.is_empty() {
        return None;
    }
    hops.sort_unstable();
    let special = |host: &u32| hops.iter().any(|((a, b), _)| a == host || b == host);
    let host_of = topology.named_host.iter();
    let host_of = host_of.map(|host| host.filter(special).unwrap_or(u32::MAX));
    let host_of: Vec<u32> = host_of.collect();
    let sites = topology.clock.iter().zip(&host_of);
    let site_of = crate::topology::numbered(sites);
    let mut first = Vec::new();
    for (location, &site) in (0..).zip(&site_of) {
        if site as usize == first.len() {
            first.push(LocationIndex(location));
        }
    }
    Some(Pairs {
        host_of,
        hops,
        site_of,
        first,
    })
}

impl Pairs {
    fn hop(&self, from: LocationIndex, to: LocationIndex) -> Option<Hop> {
        let host = |location: LocationIndex| {
            let host = self.host_of.get(location.index()).copied();
            host.filter(|host| *host != u32::MAX)
        };
        let (from, to) = (host(from)?, host(to)?);
        let both = (from.min(to), from.max(to));
        let at = self.hops.binary_search_by_key(&both, |(hosts, _)| *hosts);
        Some(Hop::pair(self.hops[at.ok()?].1 as usize))
    }
}
