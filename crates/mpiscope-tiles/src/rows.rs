//! The rows of the display: hosts, their processes, the threads of these.
//!
//! A process with one thread is one row, which has that thread's events; of one with several, or
//! with accelerators, each is a row below it. Hosts are there if the trace knows any.
//!
//! All hosts come before all processes, and these before threads: a display of folded hosts asks
//! for a few tiles with many hosts each, not for many tiles of processes with a host among them.

use std::collections::BTreeMap;

use mpiscope_model::{LocationIndex, LocationKind, Trace};

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// All processes of a host.
    Host,
    /// A process.
    Process,
    /// A thread of a process that has several.
    Thread,
    /// A stream of an accelerator.
    Accelerator,
    /// Values of metrics.
    Metric,
}

impl RowKind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            RowKind::Host => "host",
            RowKind::Process => "process",
            RowKind::Thread => "thread",
            RowKind::Accelerator => "accelerator",
            RowKind::Metric => "metric",
        }
    }

    fn of(kind: LocationKind) -> RowKind {
        match kind {
            LocationKind::Thread => RowKind::Thread,
            LocationKind::Accelerator => RowKind::Accelerator,
            LocationKind::Metric => RowKind::Metric,
        }
    }
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it shows.
    pub kind: RowKind,
    /// Name as shown.
    pub name: String,
    /// The row that it is a part of, before it.
    pub parent: Option<u32>,
    /// World rank, of all but hosts.
    pub rank: Option<u32>,
    /// The thread's number, if its events are this row's.
    pub thread: Option<u32>,
    /// The location whose events these are; nothing of rows that stand for several.
    pub location: Option<LocationIndex>,
}

/// All rows of a trace: hosts, processes, threads.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// By number.
    pub list: Vec<Row>,
    /// The row of each location.
    pub of_location: Vec<u32>,
    /// For each row the locations that it stands for, ascending.
    pub locations: Vec<Vec<LocationIndex>>,
    /// For each row its host, or the row itself if no host is known.
    pub host: Vec<u32>,
    /// How many of them are processes.
    pub processes: usize,
}

impl Rows {
    /// Makes the rows of a trace.
    pub fn of(trace: &Trace) -> Rows {
        let mut rows = Rows {
            of_location: vec![0; trace.locations.len()],
            ..Rows::default()
        };
        let mut hosts: BTreeMap<Option<u32>, BTreeMap<u32, Vec<LocationIndex>>> = BTreeMap::new();
        let nodes = nodes(trace);
        for (location, index) in trace.locations.iter().zip(0..) {
            let rank = location.rank.0;
            let of_host = hosts.entry(nodes.get(&rank).copied()).or_default();
            of_host.entry(rank).or_default().push(LocationIndex(index));
        }
        // Hosts in the order of their first ranks; processes of unknown hosts last.
        let mut hosts: Vec<_> = hosts.into_iter().collect();
        hosts.sort_by_key(|(host, processes)| (host.is_none(), processes.keys().next().copied()));
        let add_host = |(host, processes): &(Option<u32>, _)| {
            host.map(|node| rows.add_host(trace, node, processes))
        };
        let parents: Vec<Option<u32>> = hosts.iter().map(add_host).collect();
        let mut several = Vec::new();
        for ((_, processes), parent) in hosts.into_iter().zip(parents) {
            for (rank, locations) in processes {
                let process = rows.add_process(trace, parent, rank, &locations);
                several.extend(process.map(|row| (row, locations)));
            }
        }
        for (process, locations) in several {
            rows.add_threads(trace, process, &locations);
        }
        rows
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns all rows in the order of a display in which nothing is folded: below each row those
    /// that are a part of it.
    pub fn unfolded(&self) -> Vec<u32> {
        let key = |row: u32| {
            let parent = |row: &u32| self.list[*row as usize].parent;
            let mut path: Vec<u32> = std::iter::successors(Some(row), parent).collect();
            path.reverse();
            path
        };
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        rows.sort_by_cached_key(|row| key(*row));
        rows
    }

    fn add_host(
        &mut self,
        trace: &Trace,
        node: u32,
        processes: &BTreeMap<u32, Vec<LocationIndex>>,
    ) -> u32 {
        let name = &trace.definitions.system_tree[node as usize].name;
        let row = Row {
            kind: RowKind::Host,
            name: name.clone(),
            parent: None,
            rank: None,
            thread: None,
            location: None,
        };
        self.push(row, processes.values().flatten().copied().collect())
    }

    /// Adds a process; returns its row if each of its locations is one below it.
    fn add_process(
        &mut self,
        trace: &Trace,
        parent: Option<u32>,
        rank: u32,
        locations: &[LocationIndex],
    ) -> Option<u32> {
        let process = Row {
            kind: RowKind::Process,
            name: format!("rank {rank}"),
            parent,
            rank: Some(rank),
            thread: None,
            location: None,
        };
        if let &[only] = locations {
            let location = &trace.locations[only.index()];
            if location.is_thread() {
                let thread = Some(location.thread);
                self.push_location(Row { thread, ..process }, only);
                return None;
            }
        }
        Some(self.push(process, locations.to_vec()))
    }

    fn add_threads(&mut self, trace: &Trace, process: u32, locations: &[LocationIndex]) {
        for &index in locations {
            let location = &trace.locations[index.index()];
            let rank = location.rank.0;
            let row = Row {
                kind: RowKind::of(location.kind),
                name: within_process(&location.name, rank, location.thread),
                parent: Some(process),
                rank: Some(rank),
                thread: Some(location.thread),
                location: None,
            };
            self.push_location(row, index);
        }
    }

    fn push_location(&mut self, row: Row, location: LocationIndex) {
        let row = Row {
            location: Some(location),
            ..row
        };
        self.of_location[location.index()] = self.push(row, vec![location]);
    }

    fn push(&mut self, row: Row, mut locations: Vec<LocationIndex>) -> u32 {
        let number = self.list.len() as u32;
        locations.sort_unstable();
        let host = row
            .parent
            .map_or(number, |parent| self.host[parent as usize]);
        self.host.push(host);
        self.processes += usize::from(row.kind == RowKind::Process);
        self.list.push(row);
        self.locations.push(locations);
        number
    }
}

/// Returns the host of each rank, as a node of the system tree.
fn nodes(trace: &Trace) -> BTreeMap<u32, u32> {
    let tree = &trace.definitions.system_tree;
    let known = |node: &u32| (*node as usize) < tree.len();
    let processes = trace.definitions.processes.iter();
    let of = processes.filter_map(|it| Some((it.rank.0, it.node.filter(known)?)));
    of.map(|(rank, node)| (rank, host_of(trace, node)))
        .collect()
}

/// Returns the host that a node of the system tree is a part of, or the node itself.
fn host_of(trace: &Trace, node: u32) -> u32 {
    let tree = &trace.definitions.system_tree;
    let parent = |node: &u32| tree.get(*node as usize)?.parent;
    // A damaged tree may go in circles.
    let mut above = std::iter::successors(Some(node), parent).take(tree.len());
    let is_host = |node: &u32| {
        tree.get(*node as usize)
            .is_some_and(|it| it.class == "node")
    };
    above.find(is_host).unwrap_or(node)
}

/// Returns the name of a location below that of its process, which it need not say again.
fn within_process(name: &str, rank: u32, thread: u32) -> String {
    let of_rank = |word: &str| name.strip_prefix(&format!("{word} {rank}"));
    let rest = of_rank("Rank").or_else(|| of_rank("rank"));
    let own = match rest {
        Some("") => "",
        Some(rest) => rest.strip_prefix(", ").unwrap_or(name),
        None => name,
    };
    match own {
        "" => format!("thread {thread}"),
        own => own.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_not_named_after_its_process_twice() {
        let names = ["", "Rank 1", "Rank 1, thread 4", "Rank 12", "OMP thread 4"];
        let names = names.map(|name| within_process(name, 1, 4));
        let thread = "thread 4";
        assert_eq!(names, [thread, thread, thread, "Rank 12", "OMP thread 4"]);
    }

    #[test]
    fn a_process_with_one_thread_is_one_row() {
        let trace = Trace::parse("0: 1\n1: 1\n1.1: 2").unwrap();
        let rows = Rows::of(&trace);
        let kinds: Vec<_> = rows.list.iter().map(|row| (row.kind, row.parent)).collect();
        let process = (RowKind::Process, None);
        let thread = (RowKind::Thread, Some(1));
        assert_eq!(kinds, [process, process, thread, thread]);
        assert_eq!(rows.of_location, [0, 2, 3]);
        assert_eq!(rows.locations[1].len(), 2);
    }

    #[test]
    fn threads_come_behind_all_processes_and_unfold_below_their_own() {
        let trace = Trace::parse("0: 1\n0.1: 2\n1: 1\n1.1: 2").unwrap();
        let rows = Rows::of(&trace);
        let parents: Vec<_> = rows.list.iter().map(|row| row.parent).collect();
        assert_eq!(parents, [None, None, Some(0), Some(0), Some(1), Some(1)]);
        assert_eq!(rows.of_location, [2, 3, 4, 5]);
        assert_eq!(rows.unfolded(), [0, 2, 3, 1, 4, 5]);
    }
}
