//! Where locations are: in which process, on which clock, host and rack.
//!
//! The archive's system tree tells hosts, and racks if it has levels between
//! machine and hosts. Each place lies within one of the next kind: hosts that
//! read one clock count as one, and where no host is known, each clock is one.

use mpiscope_model::{Definitions, LocationIndex, Rank, Trace};
use rustc_hash::FxHashMap;

use crate::latency::Class;

/// The places of all locations, kind by kind, in numbers from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Process of each location; threads that read other clocks are another.
    pub process: Vec<u32>,
    /// Clock of each location, as in [`Trace::clock_of_locations`].
    pub clock: Vec<u32>,
    /// Host of each location, as far as latencies go.
    pub host: Vec<u32>,
    /// Rack of each location; a host in none is one by itself.
    pub rack: Vec<u32>,
    /// Host of each location as the archive names it: a place in `names`.
    pub named_host: Vec<Option<u32>>,
    /// Names of hosts.
    pub names: Vec<String>,
}

impl Topology {
    /// Finds the places of a trace.
    pub fn new(trace: &Trace) -> Topology {
        let clock = trace.clock_of_locations();
        let nodes = nodes(trace);
        let mut names: Vec<String> = Vec::new();
        let mut number_of: FxHashMap<&str, u32> = FxHashMap::default();
        let tree = &trace.definitions.system_tree;
        let mut named = |node: &Option<usize>| {
            let name = &tree[(*node)?].name;
            Some(*number_of.entry(name).or_insert_with(|| {
                names.push(name.clone());
                names.len() as u32 - 1
            }))
        };
        let named_host: Vec<Option<u32>> = nodes.iter().map(&mut named).collect();
        let host = numbered(hosts(&clock, &named_host));
        let racks = nodes.iter().map(|node| rack(&trace.definitions, (*node)?));
        let mut rack_of_host: FxHashMap<u32, usize> = FxHashMap::default();
        for (&host, rack) in host.iter().zip(racks) {
            if let Some(rack) = rack {
                rack_of_host.entry(host).or_insert(rack);
            }
        }
        let rack_of = |host: &u32| match rack_of_host.get(host) {
            Some(rack) => (true, *rack),
            None => (false, *host as usize),
        };
        Topology {
            process: numbered(trace.locations.iter().map(|it| it.rank).zip(&clock)),
            rack: numbered(host.iter().map(rack_of)),
            host,
            clock,
            named_host,
            names,
        }
    }

    /// Returns the process of each location; nothing if each has one.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let last = self
            .process
            .iter()
            .max()
            .map_or(0, |last| *last as usize + 1);
        match last == self.process.len() {
            true => Vec::new(),
            false => self.process.clone(),
        }
    }

    /// Returns host and rack of each clock.
    pub(crate) fn of_clocks(&self) -> Vec<(u32, u32)> {
        let clocks = self.clock.iter().max().map_or(0, |last| *last as usize + 1);
        let mut places = vec![(u32::MAX, u32::MAX); clocks];
        for (location, &clock) in self.clock.iter().enumerate() {
            places[clock as usize] = (self.host[location], self.rack[location]);
        }
        places
    }

    /// Returns the classes of messages between locations that are possible.
    pub fn classes(&self) -> Vec<Class> {
        let places = [&self.process, &self.clock, &self.host, &self.rack];
        let counts = places.map(|numbers| numbers.iter().max().map_or(0, |last| last + 1));
        let [process, clock, host, rack] = counts;
        let locations = self.process.len() as u32;
        // At each level there are fewer places than at the one below.
        let finer = [locations, process, clock, host, rack];
        let coarser = [process, clock, host, rack, rack.min(1)];
        let pairs = finer.into_iter().zip(coarser);
        let shared = pairs.map(|(finer, coarser)| coarser < finer);
        let classes = Class::ALL.into_iter().zip(shared);
        classes
            .filter(|(_, shared)| *shared)
            .map(|(class, _)| class)
            .collect()
    }

    /// Returns the name of the host of a location, if the archive tells.
    pub fn host_name(&self, location: LocationIndex) -> Option<&str> {
        let named = self.named_host.get(location.index()).copied().flatten()?;
        Some(&self.names[named as usize])
    }

    /// Returns the number of the host of that name.
    pub fn host_called(&self, name: &str) -> Option<u32> {
        let found = self.names.iter().position(|known| known == name);
        found.map(|host| host as u32)
    }
}

/// Numbers what is equal alike, in the order of first appearance.
pub(crate) fn numbered<T: Eq + std::hash::Hash>(keys: impl IntoIterator<Item = T>) -> Vec<u32> {
    let mut numbers: FxHashMap<T, u32> = FxHashMap::default();
    let number = |key| {
        let next = numbers.len() as u32;
        *numbers.entry(key).or_insert(next)
    };
    keys.into_iter().map(number).collect()
}

/// Returns the host of each location in the system tree: the node above its
/// process that says so, or the one that the process is on.
fn nodes(trace: &Trace) -> Vec<Option<usize>> {
    let definitions = &trace.definitions;
    let of_process = definitions.processes.iter();
    let of_rank: FxHashMap<Rank, Option<usize>> = of_process
        .map(|process| {
            (
                process.rank,
                process.node.and_then(|it| node(definitions, it)),
            )
        })
        .collect();
    let locations = trace.locations.iter();
    locations
        .map(|location| of_rank.get(&location.rank).copied().flatten())
        .collect()
}

fn node(definitions: &Definitions, of_process: u32) -> Option<usize> {
    let tree = &definitions.system_tree;
    let above = |&at: &usize| {
        tree[at]
            .parent
            .map(|at| at as usize)
            .filter(|at| *at < tree.len())
    };
    let first = (of_process as usize) < tree.len();
    let first = first.then_some(of_process as usize)?;
    // Damaged trees may lead back to where they began.
    let mut path = std::iter::successors(Some(first), above).take(tree.len());
    let host = path.find(|&at| tree[at].class.eq_ignore_ascii_case("node"));
    let is_machine = tree[first].parent.is_none() && tree[first].class == "machine";
    host.or((!is_machine).then_some(first))
}

/// Returns the rack of a host: what is above it, unless that is the machine.
fn rack(definitions: &Definitions, host: usize) -> Option<usize> {
    let tree = &definitions.system_tree;
    let above = tree[host].parent? as usize;
    tree.get(above)?.parent.map(|_| above)
}

/// Labels each location so that those of one host have the same, and those
/// that read one clock.
fn hosts(clock: &[u32], named: &[Option<u32>]) -> Vec<u32> {
    let clocks = clock.iter().max().map_or(0, |last| *last as usize + 1);
    let mut joined: Vec<u32> = (0..clocks as u32).collect();
    let mut first_on: FxHashMap<u32, u32> = FxHashMap::default();
    for (&clock, host) in clock.iter().zip(named) {
        if let Some(host) = host {
            let first = *first_on.entry(*host).or_insert(clock);
            let (a, b) = (root(&mut joined, first), root(&mut joined, clock));
            joined[a.max(b) as usize] = a.min(b);
        }
    }
    clock.iter().map(|&it| root(&mut joined, it)).collect()
}

fn root(joined: &mut [u32], mut at: u32) -> u32 {
    while joined[at as usize] != at {
        joined[at as usize] = joined[joined[at as usize] as usize];
        at = joined[at as usize];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(picture: &str) -> [Vec<u32>; 4] {
        let found = Topology::new(&Trace::parse(picture).unwrap());
        [found.process, found.clock, found.host, found.rack]
    }

    #[test]
    fn places_lie_within_each_other() {
        let found = places(
            "host a: 0\nhost b in r: 1\nhost c in r: 2
             clock 0 0.1:\nclock 0.2:\nclock 1:\nclock 2:
             0: 1\n0.1: 1\n0.2: 1\n1: 1\n2: 1",
        );
        let expected = [
            [0, 0, 1, 2, 3],
            [0, 0, 1, 2, 3],
            [0, 0, 0, 1, 2],
            [0, 0, 0, 1, 1],
        ];
        assert_eq!(found, expected.map(Vec::from));
    }

    #[test]
    fn without_hosts_each_clock_is_one() {
        let [_, _, host, rack] = places("clock 0 1:\n0: 1\n1: 1\n2: 1");
        assert_eq!((host, rack), (vec![0, 0, 1], vec![0, 0, 1]));
    }

    #[test]
    fn hosts_that_read_one_clock_are_one() {
        let [_, _, host, _] = places(
            "host a: 0 1\nhost b: 2\nhost c: 3\nclock 0:\nclock 1 2:\n0: 1\n1: 1\n2: 1\n3: 1",
        );
        assert_eq!(host, [0, 0, 0, 1]);
    }

    #[test]
    fn the_machine_is_no_host() {
        let mut trace = Trace::parse("host a: 0\n0: 1\n1: 1").unwrap();
        let machine = trace.definitions.system_tree.iter();
        let machine = machine
            .clone()
            .position(|it| it.class == "machine")
            .unwrap();
        trace.definitions.processes[1].node = Some(machine as u32);
        let found = Topology::new(&trace);
        assert_eq!(found.named_host, [Some(0), None]);
        assert_eq!(found.host_name(LocationIndex(0)), Some("a"));
    }
}
