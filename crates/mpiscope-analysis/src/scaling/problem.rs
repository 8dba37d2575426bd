//! How a program grows with the size of its problem, on equally many ranks.
//!
//! What size is, somebody says: it is any number above 0 that tells runs apart. Times of rows are core
//! time, as in [`scale`](super::scale()), of the run of median time of each size: repetitions make no
//! interval narrower.
//!
//! The time of a program is a sum, and a sum of powers is no power. So each row is compared with all
//! else that the program does: whether and how fast it outgrows that, and from which size on it takes
//! more than half.
//!
//! ```
//! use mpiscope_analysis::scaling::{by_size, Run};
//! use mpiscope_model::Trace;
//!
//! let run = |size: u64| {
//!     let (read, pairs) = (1000 * size, 100 * size * size);
//!     let end = read + pairs;
//!     let text = format!("0: 0 enter(read) {read} leave(read) {read} enter(pairs) {end} leave(pairs)");
//!     let trace = Trace::parse(&text).unwrap();
//!     Run::of(&trace, &trace.matching())
//! };
//! let found = by_size(&[run(1), run(2), run(4)], &[1.0, 2.0, 4.0]).unwrap();
//! let pairs = &found.rows[0];
//! assert!((pairs.growth.unwrap().exponent - 2.0).abs() < 1e-9);
//! assert!(pairs.outgrows());
//! // 100 · N² is more than 1000 · N from here on.
//! assert!((pairs.half_from.unwrap() - 10.0).abs() < 1e-6);
//! ```

use std::collections::BTreeSet;

use super::growth::{self, Growth};
use super::rows::{class_of, value, Class, Part};
use super::{median_of, Refusal, Run};
use crate::compare::Key;
use crate::efficiency::Efficiency;

/// What is beyond the growth of the whole by a smaller part of all core time does not matter.
const MATTERS: f64 = 0.01;

/// A size is told up to so many times the largest that was run, if times go on as they do.
const FAR: f64 = 100.0;

/// Runs of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct OfSize {
    /// Which.
    pub size: f64,
    /// The runs, by their places in what was given, the shortest first.
    pub runs: Vec<usize>,
    /// The one that stands for all: that of the median time, the shorter of two.
    pub run: usize,
    /// Its time from MPI_Init to MPI_Finalize.
    pub time_ns: i64,
    /// That of the shortest and of the longest run.
    pub between_ns: (i64, i64),
    /// Parallel efficiency and its factors; nothing if they have no meaning.
    pub efficiency: Option<Efficiency>,
    /// Time of all ranks together.
    pub core_ns: i64,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeRow {
    /// What it is.
    pub part: Part,
    /// Its core time at each size, of the run that stands for all.
    pub core_ns: Vec<i64>,
    /// The least and the most core time of a run at each size.
    pub between_ns: Vec<(i64, i64)>,
    /// Calls or stretches at each size.
    pub visits: Vec<u64>,
    /// What it takes at the largest size beyond what it would if it had grown as the whole did since
    /// the smallest; of all rows together that is nothing.
    pub excess_ns: i64,
    /// Runs of one size differ by as much; nothing if there are none.
    pub within_spread: Option<bool>,
    /// With which power of the size its core time grows; nothing with fewer than three sizes that have
    /// some of it.
    pub growth: Option<Growth>,
    /// With which power of the size its core time, by that of all else, grows.
    pub against_rest: Option<Growth>,
    /// From which size on it takes more than half of all core time: one that was run, or, of a row that
    /// outgrows all else, where it would be if times go on as they do.
    pub half_from: Option<f64>,
}

impl SizeRow {
    /// Returns of what kind its time is.
    pub fn class(&self) -> Class {
        class_of(&self.part)
    }

    /// Returns what puts it before others: what it takes beyond the growth of the whole, if that
    /// matters, then what it takes at the largest size.
    fn weight(&self, all: i64) -> (i64, i64) {
        let matters = self.excess_ns as f64 >= MATTERS * all as f64;
        // What rows lack of the whole is no statement, and may be less than nothing.
        let is_statement = self.part != Part::Ends;
        let excess = if matters && is_statement {
            self.excess_ns
        } else {
            0
        };
        (excess, self.core_ns.last().copied().unwrap_or(0))
    }

    /// Returns whether it grows faster than all else, beyond the 95 % interval.
    pub fn outgrows(&self) -> bool {
        self.against_rest.is_some_and(is_above_zero)
    }
}

fn is_above_zero(growth: Growth) -> bool {
    growth.exponent - growth.half_width > 0.0
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct BySize {
    /// On how many ranks all runs are.
    pub ranks: u64,
    /// By size, ascending; two at least.
    pub sizes: Vec<OfSize>,
    /// Core time is ranks times time; else it is the sum of all rows.
    pub is_whole: bool,
    /// With which power of the size the core time of all grows.
    pub growth: Option<Growth>,
    /// All rows, those first that take most beyond the growth of the whole, as far as that matters, then
    /// those that take most at the largest size.
    pub rows: Vec<SizeRow>,
}

/// Says how runs grow with their sizes, which are named in the order of the runs.
///
/// # Errors
/// When there is nothing to compare.
///
/// # Panics
/// If there are not as many sizes as runs.
pub fn by_size(runs: &[Run], sizes: &[f64]) -> Result<BySize, Refusal> {
    assert_eq!(runs.len(), sizes.len());
    let is_empty = |run: &Run| run.measures.time_ns <= 0 || run.measures.ranks == 0;
    if let Some(at) = runs.iter().position(is_empty) {
        return Err(Refusal::Empty(at));
    }
    let is_size = |size: &f64| size.is_finite() && *size > 0.0;
    if let Some(at) = sizes.iter().position(|size| !is_size(size)) {
        return Err(Refusal::NoSize(at));
    }
    let ranks = runs.first().map_or(0, |run| run.measures.ranks);
    if runs.iter().any(|run| run.measures.ranks != ranks) {
        return Err(Refusal::SeveralRanks);
    }
    let is_whole = runs.iter().all(|run| run.ranks.is_ok());
    let grouped = grouped(runs, sizes);
    if grouped.len() < 2 {
        return Err(Refusal::OneProblem(sizes.first().copied()));
    }
    let of_size = |(size, of): &(f64, Vec<usize>)| measure(runs, *size, of, is_whole);
    let sizes: Vec<OfSize> = grouped.iter().map(of_size).collect();
    let points = sizes.iter().map(|it| (it.size, it.core_ns as f64));
    Ok(BySize {
        ranks,
        is_whole,
        growth: growth::of(points),
        rows: rows(runs, &sizes, is_whole),
        sizes,
    })
}

/// Returns the places of runs by size, ascending, the shortest run first.
fn grouped(runs: &[Run], sizes: &[f64]) -> Vec<(f64, Vec<usize>)> {
    let mut all: Vec<usize> = (0..runs.len()).collect();
    all.sort_by(|a, b| {
        let time = |at: &usize| (runs[*at].measures.time_ns, *at);
        sizes[*a].total_cmp(&sizes[*b]).then(time(a).cmp(&time(b)))
    });
    let groups = all.chunk_by(|a, b| sizes[*a] == sizes[*b]);
    groups.map(|of| (sizes[of[0]], of.to_vec())).collect()
}

fn measure(runs: &[Run], size: f64, of: &[usize], is_whole: bool) -> OfSize {
    let run = median_of(of);
    let time = |at: usize| runs[at].measures.time_ns;
    OfSize {
        size,
        runs: of.to_vec(),
        run,
        time_ns: time(run),
        between_ns: (time(of[0]), time(of[of.len() - 1])),
        efficiency: runs[run].efficiency(),
        core_ns: runs[run].core_ns(is_whole),
    }
}

fn rows(runs: &[Run], sizes: &[OfSize], is_whole: bool) -> Vec<SizeRow> {
    let keys = runs.iter().flat_map(|run| run.measures.rows.keys());
    let keys: BTreeSet<&Key> = keys.filter(|key| !key.is_total()).collect();
    let parts = keys.into_iter().map(|key| Part::Of(key.clone()));
    let parts = parts.chain(is_whole.then_some(Part::Ends));
    let mut rows: Vec<SizeRow> = parts.map(|part| row(runs, sizes, part)).collect();
    let all = sizes.last().map_or(0, |it| it.core_ns);
    rows.sort_by(|a, b| (b.weight(all), &a.part).cmp(&(a.weight(all), &b.part)));
    rows
}

fn row(runs: &[Run], sizes: &[OfSize], part: Part) -> SizeRow {
    let value = |run: usize| value(&runs[run], &part);
    let core_ns: Vec<i64> = sizes.iter().map(|it| value(it.run)).collect();
    let between = |it: &OfSize| {
        let all = it.runs.iter().map(|run| value(*run));
        let least = all.clone().min().unwrap_or(0);
        (least, all.max().unwrap_or(0))
    };
    let between_ns: Vec<(i64, i64)> = sizes.iter().map(between).collect();
    let visits = sizes.iter().map(|it| part.visits(&runs[it.run])).collect();
    let times = sizes.iter().zip(&core_ns);
    let own = times.clone().map(|(it, ns)| (it.size, *ns as f64));
    let rest = times.map(|(it, ns)| {
        let rest = it.core_ns.saturating_sub(*ns);
        (it.size, *ns as f64 / rest.max(0) as f64)
    });
    // What takes all the time outgrows nothing.
    let rest = growth::fit(rest.filter(|it| it.1.is_finite()));
    let last = sizes.len() - 1;
    let factor = sizes[last].core_ns as f64 / sizes[0].core_ns.max(1) as f64;
    let proportional = factor * core_ns[0] as f64;
    SizeRow {
        excess_ns: core_ns[last].saturating_sub(proportional.round() as i64),
        within_spread: within_spread(sizes, &between_ns, factor),
        growth: growth::of(own),
        against_rest: rest.map(|it| it.growth),
        half_from: half_from(sizes, &core_ns, rest),
        visits,
        part,
        core_ns,
        between_ns,
    }
}

fn within_spread(sizes: &[OfSize], between_ns: &[(i64, i64)], factor: f64) -> Option<bool> {
    let ends = [0, sizes.len() - 1];
    let is_repeated = ends.iter().any(|at| sizes[*at].runs.len() > 1);
    let [first, last] = ends.map(|at| between_ns[at]);
    let overlaps =
        factor * first.0 as f64 <= last.1 as f64 && last.0 as f64 <= factor * first.1 as f64;
    is_repeated.then_some(overlaps)
}

/// Returns from which size on a row takes more than half.
fn half_from(sizes: &[OfSize], core_ns: &[i64], rest: Option<growth::Fit>) -> Option<f64> {
    let pairs = sizes.iter().zip(core_ns).rev();
    let is_half = |(of, ns): &(&OfSize, &i64)| of.core_ns.saturating_sub(**ns) < **ns;
    if let Some((run, _)) = pairs.take_while(is_half).last() {
        return Some(run.size);
    }
    let rest = rest.filter(|it| is_above_zero(it.growth))?;
    let largest = sizes.last()?.size;
    let size = rest.where_one();
    // A fit that misses the largest size may say that it is there already.
    (largest < size && size <= FAR * largest).then_some(size)
}
