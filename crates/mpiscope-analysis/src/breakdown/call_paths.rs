//! Regions and calls of MPI by the regions around them, and calls by their line, too.

use mpiscope_model::{CallSiteId, Duration, RegionId};
use rustc_hash::FxHashMap;

use super::rows::DEEPEST;
use super::tree::Node;
use super::{Breakdown, What};

/// A region or a call of MPI, reached by one path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallPath {
    /// Regions of the program around it, outermost first. One that calls itself is there once.
    pub around: Vec<RegionId>,
    /// What is reached.
    pub region: RegionId,
    /// Where it is called, if it is a call of MPI and that is known.
    pub site: Option<CallSiteId>,
}

/// What is known of a call path: time in it, and not in others that it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfPath {
    /// How often it was entered.
    pub visits: u64,
    /// Without waiting.
    pub time: Duration,
    /// Waiting for others.
    pub waiting: Duration,
}

impl Breakdown {
    /// Returns the call paths of all locations. What MPI calls is a part of its call; what is deeper
    /// than call paths are told is in none.
    pub fn call_paths(&self) -> FxHashMap<CallPath, OfPath> {
        let mut all = FxHashMap::default();
        for (_, of) in &self.locations {
            add(&mut all, &of.nodes);
        }
        all
    }
}

fn add(all: &mut FxHashMap<CallPath, OfPath>, nodes: &[Node]) {
    // Of each node the one that its time is in: itself, or the call of MPI around it.
    let mut owners: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut sums: Vec<OfPath> = vec![OfPath::default(); nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        let parent = node.parent as usize;
        let is_part = number > 0 && node.is_mpi && nodes[parent].is_mpi;
        let owner = if is_part { owners[parent] } else { number };
        owners.push(owner);
        let sum = &mut sums[owner];
        sum.time += node.time - node.waiting;
        sum.waiting += node.waiting;
        if owner == number {
            sum.visits = node.visits;
        }
    }
    for ((number, node), sum) in nodes.iter().enumerate().zip(sums) {
        if owners[number] != number || sum == OfPath::default() {
            continue;
        }
        if let Some(path) = path(nodes, node) {
            let known = all.entry(path).or_default();
            known.visits = known.visits.saturating_add(sum.visits);
            known.time += sum.time;
            known.waiting += sum.waiting;
        }
    }
}

fn path(nodes: &[Node], node: &Node) -> Option<CallPath> {
    let What::Region(region) = node.what else {
        return None;
    };
    let parent = |it: &&Node| (it.what != What::Outside).then(|| &nodes[it.parent as usize]);
    let mut around = Vec::new();
    let mut inner = region;
    let parents = std::iter::successors(parent(&node), parent);
    for (depth, outer) in parents.enumerate() {
        if depth >= DEEPEST {
            return None;
        }
        match outer.what {
            What::Region(region) if region != inner => around.push(region),
            _ => {}
        }
        if let What::Region(region) = outer.what {
            inner = region;
        }
    }
    around.reverse();
    let site = node.site.filter(|_| node.is_mpi);
    Some(CallPath {
        around,
        region,
        site,
    })
}
