//! What each call, region and computation between calls takes at each size.

use std::collections::BTreeSet;

use super::{growth, Growth, Kind, Run, Size};
use crate::compare::Key;

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A call, region or computation.
    Of(Key),
    /// Ranks that are still in MPI_Init while others have left it, or in MPI_Finalize while others
    /// have not come: what all rows lack of ranks times time.
    Ends,
}

/// Of what kind the time of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Outside of MPI.
    Computation,
    /// In MPI, without waiting.
    Communication,
    /// Waiting for other ranks.
    Waiting,
    /// Threads that wait for each other, what was not recorded.
    Other,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 4] = [
        Class::Computation,
        Class::Communication,
        Class::Waiting,
        Class::Other,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Computation => "computation",
            Class::Communication => "communication",
            Class::Waiting => "waiting",
            Class::Other => "other",
        }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is.
    pub part: Part,
    /// Its core time at each size, of the run that stands for all.
    pub core_ns: Vec<i64>,
    /// The least and the most core time of a run at each size.
    pub between_ns: Vec<(i64, i64)>,
    /// Calls or stretches at each size.
    pub visits: Vec<u64>,
    /// By how much it exceeds the ideal at the largest size.
    pub excess_ns: i64,
    /// How many times the ideal it takes there; nothing if the reference has none of it.
    pub times_ideal: Option<f64>,
    /// Runs of equally many ranks differ by as much; nothing if there are none.
    pub within_spread: Option<bool>,
    /// How the core time of the runs that stand for all grows; nothing with fewer than three sizes
    /// that have some of it.
    pub growth: Option<Growth>,
}

impl Row {
    /// Returns of what kind its time is.
    pub fn class(&self) -> Class {
        class_of(&self.part)
    }
}

pub(super) fn class_of(part: &Part) -> Class {
    match part {
        Part::Of(Key::Region(_) | Key::Between(..)) => Class::Computation,
        Part::Of(Key::Call(_)) => Class::Communication,
        Part::Of(Key::WaitingIn(_)) | Part::Ends => Class::Waiting,
        Part::Of(_) => Class::Other,
    }
}

impl Part {
    /// Returns how many calls or stretches of it there are in a run.
    pub(super) fn visits(&self, run: &Run) -> u64 {
        match self {
            Part::Of(key) => run.measures.rows.get(key).map_or(0, |row| row.visits),
            Part::Ends => 0,
        }
    }
}

/// Returns all rows of runs, those that lose most first.
pub(super) fn rows(
    runs: &[Run],
    sizes: &[Size],
    reference: usize,
    kind: Kind,
    is_whole: bool,
) -> Vec<Row> {
    let keys = runs.iter().flat_map(|run| run.measures.rows.keys());
    let keys: BTreeSet<&Key> = keys.filter(|key| !key.is_total()).collect();
    let parts = keys.into_iter().map(|key| Part::Of(key.clone()));
    let look = Look {
        runs,
        sizes,
        reference,
        kind,
    };
    let mut rows: Vec<Row> = parts.map(|part| look.row(part)).collect();
    if is_whole {
        rows.push(look.row(Part::Ends));
    }
    rows.sort_by(|a, b| (b.excess_ns, &a.part).cmp(&(a.excess_ns, &b.part)));
    rows
}

struct Look<'a> {
    runs: &'a [Run],
    sizes: &'a [Size],
    reference: usize,
    kind: Kind,
}

impl Look<'_> {
    fn row(&self, part: Part) -> Row {
        let value = |run: usize| value(&self.runs[run], &part);
        let between = |size: &Size| {
            let all = size.runs.iter().map(|run| value(*run));
            let least = all.clone().min().unwrap_or(0);
            (least, all.max().unwrap_or(0))
        };
        let core_ns: Vec<i64> = self.sizes.iter().map(|size| value(size.run)).collect();
        let between_ns: Vec<(i64, i64)> = self.sizes.iter().map(between).collect();
        let last = self.sizes.len() - 1;
        let (first, largest) = (&self.sizes[self.reference], &self.sizes[last]);
        let factor = self.kind.ideal(first.ranks, largest.ranks);
        let ideal = factor * core_ns[self.reference] as f64;
        let points = self.sizes.iter().zip(&core_ns);
        let points = points.map(|(size, ns)| (size.ranks as f64, *ns as f64));
        let growth = growth::of(points);
        let (of_first, of_last) = (between_ns[self.reference], between_ns[last]);
        let is_repeated = first.runs.len() > 1 || largest.runs.len() > 1;
        let overlaps = factor * of_first.0 as f64 <= of_last.1 as f64
            && of_last.0 as f64 <= factor * of_first.1 as f64;
        Row {
            excess_ns: core_ns[last].saturating_sub(ideal.round() as i64),
            times_ideal: (ideal > 0.0).then(|| core_ns[last] as f64 / ideal),
            within_spread: is_repeated.then_some(overlaps),
            growth,
            visits: (self.sizes.iter())
                .map(|size| part.visits(&self.runs[size.run]))
                .collect(),
            part,
            core_ns,
            between_ns,
        }
    }
}

pub(super) fn value(run: &Run, part: &Part) -> i64 {
    match part {
        Part::Of(key) => run.of_key(key),
        Part::Ends => run.core_ns(true).saturating_sub(run.measures.total_ns),
    }
}
