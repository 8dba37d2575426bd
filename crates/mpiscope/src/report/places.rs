//! Where locations are, as statistics tell them apart: by host if there are
//! several, else by clock.

use mpiscope_archive::model::{LocationIndex, Trace};
use mpiscope_sync::{statistics, Topology};

use crate::report::show;

/// The places of a trace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Places {
    /// What a place is: `host` or `clock`.
    pub kind: &'static str,
    /// Their names.
    pub names: Vec<String>,
    /// The place of each location.
    pub of_location: Vec<u32>,
}

impl Places {
    /// Finds the places of a trace.
    pub fn of(trace: &Trace) -> Places {
        let topology = Topology::new(trace);
        let hosts = Places::hosts(trace, &topology);
        match hosts.names.len() {
            0 | 1 => Places::of_clocks(trace, &topology),
            _ => hosts,
        }
    }

    fn hosts(trace: &Trace, topology: &Topology) -> Places {
        let mut names: Vec<String> = Vec::new();
        let of_location = (0..trace.locations.len()).map(|location| {
            let name = topology.host_name(LocationIndex(location as u32));
            let name = name.unwrap_or("unknown host");
            let known = names.iter().position(|known| known == name);
            known.unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            }) as u32
        });
        Places {
            kind: "host",
            of_location: of_location.collect(),
            names,
        }
    }

    /// One place per clock, named after its host and the ranks that read it.
    pub fn clocks(trace: &Trace) -> Places {
        Places::of_clocks(trace, &Topology::new(trace))
    }

    fn of_clocks(trace: &Trace, topology: &Topology) -> Places {
        let of_location = topology.clock.clone();
        let clocks = of_location
            .iter()
            .max()
            .map_or(0, |&last| last as usize + 1);
        let mut ranks: Vec<Vec<u32>> = vec![Vec::new(); clocks];
        let mut hosts = vec![None; clocks];
        let locations = (0..).map(LocationIndex).zip(&trace.locations);
        for ((index, location), &clock) in locations.zip(&of_location) {
            ranks[clock as usize].push(location.rank.0);
            hosts[clock as usize] = hosts[clock as usize].or(topology.host_name(index));
        }
        let names = ranks.iter_mut().zip(&hosts).map(|(ranks, host)| {
            ranks.sort_unstable();
            ranks.dedup();
            let alone = hosts.iter().filter(|other| *other == host).count() == 1;
            match (host, alone) {
                (Some(host), true) => (*host).to_owned(),
                (Some(host), false) => format!("{host} {}", named(ranks)),
                (None, _) => named(ranks),
            }
        });
        Places {
            kind: "clock",
            names: names.collect(),
            of_location,
        }
    }

    /// Returns the name of a place.
    pub fn name(&self, place: u32) -> String {
        let name = self.names.get(place as usize);
        name.cloned()
            .unwrap_or_else(|| format!("{} {place}", self.kind))
    }

    /// Returns them as statistics take them.
    pub fn for_statistics(&self, trace: &Trace) -> statistics::Places {
        statistics::Places::new(trace, self.of_location.clone())
    }
}

fn named(ranks: &[u32]) -> String {
    let plural = if ranks.len() == 1 { "" } else { "s" };
    format!("rank{plural} {}", show::ranges(ranks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mpiscope_archive::model::definitions::{Process, SystemTreeNode};
    use mpiscope_archive::model::Rank;

    fn check(hosts: &[u32], expected: &[&str]) {
        let mut trace = Trace::parse("clock 0 1:\nclock 2:\n0: 1\n1: 1\n2: 1").unwrap();
        for name in ["a", "b"] {
            trace.definitions.system_tree.push(SystemTreeNode {
                name: name.into(),
                ..SystemTreeNode::default()
            });
        }
        trace.definitions.processes = (0..)
            .zip(hosts)
            .map(|(rank, &node)| Process {
                rank: Rank(rank),
                node: Some(node),
                ..Process::default()
            })
            .collect();
        assert_eq!(Places::of(&trace).names, expected);
    }

    #[test]
    fn several_hosts_are_places() {
        check(&[0, 0, 1], &["a", "b"]);
        check(&[1, 0, 1], &["b", "a"]);
    }

    #[test]
    fn on_one_host_its_clocks_are() {
        check(&[0, 0, 0], &["a ranks 0-1", "a rank 2"]);
    }

    #[test]
    fn without_hosts_ranks_tell_clocks_apart() {
        check(&[], &["ranks 0-1", "rank 2"]);
    }
}
