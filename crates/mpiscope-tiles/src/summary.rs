//! What happened in a window of time: where it went, by region, call site and call path, and who
//! sent what to whom. What it costs does not depend on how long the window is.

use std::collections::BTreeSet;
use std::ops::Range;

use mpiscope_model::LocationIndex;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::bins::Done;
use crate::encode::NONE;
use crate::paths::{Called, PathSum, Sums};
use crate::run::Clocked;

pub use crate::traffic::{Amount, Traffic};

/// Nodes of the tree of calls that are told, at most.
const MOST_NODES: usize = 4096;
/// Rows that are told one by one, at most.
const MOST_ROWS: usize = 4096;

/// Locations that a thread sums up before it takes others.
const TOGETHER: usize = 16;

/// What some locations did.
#[derive(Default)]
struct Part {
    balance: Vec<(u32, Done)>,
    sums: Sums,
    traffic: Traffic,
}

/// What calls of a region did: all of them, or those of one call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfCalls {
    /// The region's number.
    pub region: u32,
    /// The call site's number, the first of those that are written alike; [`NONE`] of all, or where
    /// nobody told.
    pub site: u32,
    /// How often it was entered.
    pub calls: u64,
    /// Time in it.
    pub inclusive: u64,
    /// Time in it and in nothing that it called.
    pub exclusive: u64,
    /// Time in it that was waiting.
    pub waiting: u64,
}

/// A call path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its region, or [`NONE`] of what is no call, or none that has a region.
    pub region: u32,
    /// Where it was called: the number of the first call site that is written alike, or [`NONE`].
    pub site: u32,
    /// How often it was begun.
    pub calls: u64,
    /// Time in it and in what it called.
    pub time: u64,
    /// What it called, most time first.
    pub children: Vec<Node>,
}

/// What happened in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The rows that it is about, those that have events of their own.
    pub rows: usize,
    /// What all did together.
    pub done: Done,
    /// What each of them did, in order.
    pub balance: Vec<(u32, Done)>,
    /// By region, most exclusive time first.
    pub regions: Vec<OfCalls>,
    /// By region and call site, most exclusive time first.
    pub sites: Vec<OfCalls>,
    /// All call paths.
    pub tree: Node,
    /// Messages that begin in the window and have one of the rows at either end.
    pub traffic: Traffic,
    /// What was left out, in sentences.
    pub cut: Vec<String>,
}

impl Clocked<'_> {
    /// Sums up what some rows did in a window; all of them, if none are named.
    pub fn summary(&self, window: Range<u64>, rows: &[u32]) -> Summary {
        let window = window.start..window.end.max(window.start);
        let locations = self.locations(rows);
        let asked = match rows.is_empty() {
            true => None,
            false => Some(locations.iter().copied().collect()),
        };
        // All of a location at once, as its events at the edges of the window are looked at for
        // each purpose.
        let of_some = |some: &[LocationIndex]| {
            let mut part = Part::default();
            for location in some {
                self.add_location(*location, asked.as_ref(), &window, &mut part);
            }
            part
        };
        let parts = locations.par_chunks(TOGETHER).map(of_some);
        let parts: Vec<Part> = parts.collect();
        let mut summary = Summary {
            rows: locations.len(),
            ..Summary::default()
        };
        let mut sums = Sums::default();
        for part in parts {
            for (row, done) in part.balance {
                summary.done.add(&done);
                summary.balance.push((row, done));
            }
            for (path, sum) in part.sums {
                sums.entry(path).or_default().add(&sum);
            }
            summary.traffic.add(&part.traffic);
        }
        if summary.balance.len() > MOST_ROWS {
            summary.balance.truncate(MOST_ROWS);
            summary
                .cut
                .push(format!("only the first {MOST_ROWS} rows are listed"));
        }
        self.add_paths(&sums, &mut summary);
        summary
    }

    /// Adds what a location did, and its messages; of several rows that are asked for those of
    /// each other but once.
    fn add_location(
        &self,
        location: LocationIndex,
        asked: Option<&BTreeSet<LocationIndex>>,
        window: &Range<u64>,
        part: &mut Part,
    ) {
        let row = self.run.rows.of_location[location.index()];
        let done = self.done(row, window.start, window.end);
        part.balance.push((row, done));
        let chunks = &self.view.chunks[location.index()];
        let line = self.line(location);
        chunks.within(&line, window.clone(), &self.view.paths, &mut part.sums);
        match asked {
            None => self.add_traffic(location, window, &mut part.traffic),
            Some(asked) => self.add_traffic_of(location, asked, window, &mut part.traffic),
        }
    }

    /// Returns the locations that some rows stand for, each once.
    fn locations(&self, rows: &[u32]) -> Vec<LocationIndex> {
        if rows.is_empty() {
            return (0..self.run.trace.locations.len() as u32)
                .map(LocationIndex)
                .collect();
        }
        let known = rows
            .iter()
            .filter_map(|row| self.run.rows.locations.get(*row as usize));
        let all: BTreeSet<LocationIndex> = known.flatten().copied().collect();
        all.into_iter().collect()
    }

    fn add_paths(&self, sums: &Sums, summary: &mut Summary) {
        let paths = Paths::new(&self.view.paths.nodes, sums);
        summary.regions = paths.by(|it| Called { site: NONE, ..it });
        summary.sites = paths.by(|it| it);
        let mut left = MOST_NODES;
        summary.tree = paths.node(0, &mut left);
        if left == 0 {
            summary
                .cut
                .push(format!("the {MOST_NODES} call paths of most time are told"));
        }
    }

    /// Adds the messages that a location sends or receives and that begin in a window; what it
    /// receives from another that is asked for, too, that one adds.
    fn add_traffic_of(
        &self,
        location: LocationIndex,
        asked: &BTreeSet<LocationIndex>,
        window: &Range<u64>,
        to: &mut Traffic,
    ) {
        let hulls = self.view.messages.hulls[location.index()].iter();
        for (hull, block) in hulls.zip(0..) {
            if !hull.0.touches(window) {
                continue;
            }
            self.ends_in(location, block, |end, timed| {
                let is_ours = end.sends || !asked.contains(&end.other.location);
                if is_ours && window.contains(&timed.interval().0) {
                    to.add_message(self, timed.message, self.told(timed.message.send).bytes);
                }
            });
        }
    }
}

impl OfCalls {
    fn none(Called { region, site }: Called) -> OfCalls {
        OfCalls {
            region,
            site,
            calls: 0,
            inclusive: 0,
            exclusive: 0,
            waiting: 0,
        }
    }
}

/// Call paths with their sums.
struct Paths<'a> {
    nodes: &'a [(u32, Called)],
    sums: &'a Sums,
    children: FxHashMap<u32, Vec<u32>>,
    /// Time with all that was called.
    inclusive: Vec<u64>,
    waiting: Vec<u64>,
}

impl<'a> Paths<'a> {
    fn new(nodes: &'a [(u32, Called)], sums: &'a Sums) -> Paths<'a> {
        let of = |path: usize| sums.get(&(path as u32)).copied().unwrap_or_default();
        let mut inclusive: Vec<u64> = (0..nodes.len()).map(|it| of(it).time).collect();
        let mut waiting: Vec<u64> = (0..nodes.len()).map(|it| of(it).waiting).collect();
        let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        // Parents come before their children.
        for path in (1..nodes.len()).rev() {
            let parent = nodes[path].0 as usize;
            inclusive[parent] = inclusive[parent].saturating_add(inclusive[path]);
            waiting[parent] = waiting[parent].saturating_add(waiting[path]);
            if inclusive[path] > 0 || of(path).calls > 0 {
                children.entry(parent as u32).or_default().push(path as u32);
            }
        }
        Paths {
            nodes,
            sums,
            children,
            inclusive,
            waiting,
        }
    }

    fn sum(&self, path: u32) -> PathSum {
        self.sums.get(&path).copied().unwrap_or_default()
    }

    /// Sums up calls that are one to somebody: `which` is what they all count as.
    fn by(&self, which: impl Fn(Called) -> Called) -> Vec<OfCalls> {
        let which = |path: u32| which(self.nodes[path as usize].1);
        let mut all: FxHashMap<Called, OfCalls> = FxHashMap::default();
        for path in 1..self.nodes.len() as u32 {
            let called = which(path);
            let sum = self.sum(path);
            let of_calls = all.entry(called).or_insert_with(|| OfCalls::none(called));
            of_calls.calls += sum.calls;
            of_calls.exclusive = of_calls.exclusive.saturating_add(sum.time);
            // What calls itself is in itself but once.
            if !self.around(path).any(|it| which(it) == called) {
                let time = self.inclusive[path as usize];
                of_calls.inclusive = of_calls.inclusive.saturating_add(time);
                of_calls.waiting += self.waiting[path as usize];
            }
        }
        let mut all: Vec<_> = all.into_values().collect();
        all.retain(|it| it.region != NONE && (it.calls > 0 || it.inclusive > 0));
        all.sort_unstable_by_key(|it| (std::cmp::Reverse(it.exclusive), it.region, it.site));
        all
    }

    /// Returns the calls around a path, innermost first.
    fn around(&self, path: u32) -> impl Iterator<Item = u32> + '_ {
        let around = |path: &u32| Some(self.nodes[*path as usize].0).filter(|it| *it != NONE);
        std::iter::successors(around(&path), around).filter(|path| *path != 0)
    }

    /// Returns a path with what it called, as long as there is room.
    fn node(&self, path: u32, left: &mut usize) -> Node {
        let mut called = self.children.get(&path).cloned().unwrap_or_default();
        called.sort_unstable_by_key(|it| (std::cmp::Reverse(self.inclusive[*it as usize]), *it));
        called.truncate(*left);
        *left -= called.len();
        let Called { region, site } = self.nodes[path as usize].1;
        Node {
            region,
            site,
            calls: self.sum(path).calls,
            time: self.inclusive[path as usize],
            children: called.into_iter().map(|it| self.node(it, left)).collect(),
        }
    }
}
