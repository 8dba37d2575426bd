//! Tables, from the trees of locations.

use mpiscope_model::{Duration, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::tree::{Node, OfLocation};
use super::{By, Key, Row, Sum, What};

type Sums = FxHashMap<Key, Sum>;

/// Adds up all locations: first those of each rank, then all ranks in their order.
pub(super) fn table(
    locations: &[(u32, OfLocation)],
    trace: &Trace,
    by: &By,
    ranks: usize,
) -> Vec<Row> {
    let rank = |number: u32| trace.locations[number as usize].rank.0;
    let of_ranks: Vec<&[(u32, OfLocation)]> =
        locations.chunk_by(|a, b| rank(a.0) == rank(b.0)).collect();
    let sums = |of_rank: &&[(u32, OfLocation)]| {
        let mut sums = Sums::default();
        for (number, of) in *of_rank {
            add(&mut sums, *number, rank(*number), of, by);
        }
        (rank(of_rank[0].0), sums)
    };
    let of_ranks: Vec<(u32, Sums)> = of_ranks.par_iter().map(sums).collect();
    let mut rows: FxHashMap<Key, Row> = FxHashMap::default();
    for (rank, sums) in of_ranks {
        for (key, sum) in sums {
            if sum != Sum::default() {
                merge(&mut rows, key, rank, &sum);
            }
        }
    }
    let mut rows: Vec<Row> = rows.into_values().collect();
    for row in &mut rows {
        if (row.ranks as usize) < ranks {
            row.least = Duration::ZERO;
        }
    }
    rows.sort_unstable_by(|a, b| (b.sum.exclusive, &a.key).cmp(&(a.sum.exclusive, &b.key)));
    rows
}

fn merge(rows: &mut FxHashMap<Key, Row>, key: Key, rank: u32, sum: &Sum) {
    let row = rows.entry(key).or_insert_with_key(|key| Row {
        key: key.clone(),
        sum: Sum::default(),
        ranks: 0,
        least: sum.exclusive,
        most: sum.exclusive,
        most_rank: rank,
    });
    row.sum.merge(sum);
    row.ranks += 1;
    row.least = row.least.min(sum.exclusive);
    if sum.exclusive > row.most {
        (row.most, row.most_rank) = (sum.exclusive, rank);
    }
}

fn add(sums: &mut Sums, number: u32, rank: u32, of: &OfLocation, by: &By) {
    let all = |sums: &mut Sums, key: Key| {
        let sum = sums.entry(key).or_default();
        for node in of.nodes.iter().filter(|node| node.is_selected) {
            sum.visits = sum.visits.saturating_add(node.visits);
            sum.passes(node.time, node.waiting);
        }
    };
    match by {
        By::Location => all(sums, Key::Location(number)),
        By::Rank => all(sums, Key::Rank(rank)),
        By::Host(hosts) => {
            let host = hosts.get(number as usize).copied().unwrap_or(u32::MAX);
            all(sums, Key::Host(host));
        }
        By::Communicator => communicators(sums, of),
        By::Region => {
            let keys = of.nodes.iter().map(|node| Key::Region(node.what));
            nodes(sums, of, &keys.collect::<Vec<_>>());
        }
        By::Line => {
            let keys = of.nodes.iter().map(|node| Key::Line(node.what, node.site));
            nodes(sums, of, &keys.collect::<Vec<_>>());
        }
        By::CallPath => nodes(sums, of, &paths(&of.nodes)),
    }
}

fn communicators(sums: &mut Sums, of: &OfLocation) {
    for (used, sum) in &of.communicators {
        let key = Key::Communicator(*used);
        sums.entry(key).or_default().merge(sum);
    }
}

/// Adds each selected node under its key; inclusive times where no node around has the same.
fn nodes(sums: &mut Sums, of: &OfLocation, keys: &[Key]) {
    let inclusive = inclusive(&of.nodes);
    let within = within_themselves(&of.nodes, keys);
    for (number, node) in of.nodes.iter().enumerate() {
        if !node.is_selected {
            continue;
        }
        let sum = sums.entry(keys[number].clone()).or_default();
        sum.visits = sum.visits.saturating_add(node.visits);
        sum.exclusive += node.time;
        sum.waiting += node.waiting;
        // Nothing but the time outside of regions is outside of them.
        if node.what == What::Outside {
            sum.inclusive += node.time;
        } else if !within[number] {
            sum.inclusive += inclusive[number];
        }
    }
}

/// Returns the selected time of each node and of all below it.
fn inclusive(nodes: &[Node]) -> Vec<Duration> {
    let own = |node: &Node| match node.is_selected {
        true => node.time,
        false => Duration::ZERO,
    };
    let mut times: Vec<Duration> = nodes.iter().map(own).collect();
    for number in (1..nodes.len()).rev() {
        let time = times[number];
        times[nodes[number].parent as usize] += time;
    }
    times
}

/// Returns of each node whether a selected one around it has the same key.
fn within_themselves(nodes: &[Node], keys: &[Key]) -> Vec<bool> {
    // First child and next sibling; 0, the root, is nobody's child.
    let (mut first, mut next) = (vec![0; nodes.len()], vec![0; nodes.len()]);
    for number in (1..nodes.len()).rev() {
        let parent = nodes[number].parent as usize;
        next[number] = first[parent];
        first[parent] = number;
    }
    let mut within = vec![false; nodes.len()];
    let mut open: FxHashMap<&Key, u32> = FxHashMap::default();
    let mut path = vec![(0, false)];
    while let Some((number, is_left)) = path.pop() {
        if is_left {
            open.entry(&keys[number]).and_modify(|count| *count -= 1);
            continue;
        }
        if number != 0 {
            let count = open.entry(&keys[number]).or_default();
            within[number] = *count > 0;
            if nodes[number].is_selected {
                *count += 1;
                path.push((number, true));
            }
        }
        let mut child = first[number];
        while child != 0 {
            path.push((child, false));
            child = next[child];
        }
    }
    within
}

/// Call paths are told so deep; what is deeper counts where that ends, as in recursion without end.
pub(super) const DEEPEST: usize = 128;

/// Returns the call path of each node: what is around it, outermost first, and itself.
fn paths(nodes: &[Node]) -> Vec<Key> {
    let mut depths: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut keys: Vec<Key> = Vec::with_capacity(nodes.len());
    for node in nodes {
        // Who is around comes before.
        let parent = node.parent as usize;
        let depth = depths.get(parent).map_or(0, |depth| depth + 1);
        keys.push(match keys.get(parent) {
            Some(key) if depth > DEEPEST => key.clone(),
            _ => Key::Path(path(nodes, node)),
        });
        depths.push(depth);
    }
    keys
}

/// Returns what is around a node, outermost first, and itself.
fn path(nodes: &[Node], node: &Node) -> Vec<What> {
    let parents = std::iter::successors(Some(node), |node| Some(&nodes[node.parent as usize]));
    let inner = parents.take_while(|node| node.what != What::Outside);
    let mut path: Vec<What> = inner.map(|node| node.what).collect();
    path.reverse();
    if path.is_empty() {
        path.push(What::Outside);
    }
    path
}
