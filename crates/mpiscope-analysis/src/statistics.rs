//! Queries of a run's statistics: how long the program took, a procedure, a
//! loop, a statement, and with which peer (Li and Zhang).
//!
//! Everything is summed over what was counted, never estimated: a procedure
//! that two places call has a record for each, so a caller that makes it work
//! harder is seen, where a profiler that shares out averages hides it.

pub mod graph;
mod groups;
mod matrix;
pub mod tables;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
pub mod wait_states;
mod waits;

use mpiscope_model::statistics::{Figures, Kind, Record, Statistics};

pub use groups::{groups, By, Group, Of};
pub use matrix::{matrix, Cell, Matrix};
pub use tree::{tree, Body, Node};
pub use waits::{cycle, Wait};

/// How a time differs between ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spread {
    /// Mean over all ranks.
    pub mean: u64,
    /// Least time of a rank.
    pub min: u64,
    /// Its rank.
    pub min_rank: u32,
    /// Most time of a rank.
    pub max: u64,
    /// Its rank.
    pub max_rank: u32,
}

impl Spread {
    /// Returns the spread of each rank's time; of equal ones the first counts.
    pub fn of(times: &[u64], ranks: &[u32]) -> Spread {
        let pairs = || times.iter().copied().zip(ranks.iter().copied());
        let (min, min_rank) = pairs().min().unwrap_or_default();
        let most = pairs().max_by_key(|&(time, rank)| (time, std::cmp::Reverse(rank)));
        let (max, max_rank) = most.unwrap_or_default();
        let sum: u128 = times.iter().map(|&time| u128::from(time)).sum();
        Spread {
            mean: (sum / times.len().max(1) as u128) as u64,
            min,
            min_rank,
            max,
            max_rank,
        }
    }

    /// Returns which part of the slowest rank's time a perfect balance would save, 0 to 1.
    pub fn imbalance(&self) -> f64 {
        match self.max {
            0 => 0.0,
            max => (max - self.mean) as f64 / max as f64,
        }
    }
}

/// Figures, and how their time differs between ranks.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Sum {
    pub figures: Figures,
    /// Time of each rank, in the order of [`Statistics::ranks`].
    pub times: Vec<u64>,
}

impl Sum {
    /// Adds a record's figures to those of its rank, the one at `at`.
    fn add(&mut self, record: &Record, at: Option<usize>) {
        self.figures.add(&record.figures);
        let Some(at) = at else { return };
        if self.times.len() <= at {
            self.times.resize(at + 1, 0);
        }
        self.times[at] = self.times[at].saturating_add(record.figures.time);
    }

    fn add_sum(&mut self, other: &Sum) {
        self.figures.add(&other.figures);
        let length = self.times.len().max(other.times.len());
        self.times.resize(length, 0);
        for (time, more) in self.times.iter_mut().zip(&other.times) {
            *time = time.saturating_add(*more);
        }
    }

    fn spread(&self, ranks: &[u32]) -> Spread {
        let mut times = self.times.clone();
        times.resize(ranks.len(), 0);
        Spread::of(&times, ranks)
    }
}

/// What is to be said of the whole program.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Totals {
    /// Execution time of all threads together.
    pub time: u64,
    /// How long each rank was observed.
    pub duration: Spread,
    /// All communication.
    pub communication: Figures,
    /// And how its time differs between ranks.
    pub spread: Spread,
    /// What observation cost in all.
    pub intrusion: u64,
}

/// Returns the totals of the program.
pub fn totals(statistics: &Statistics) -> Totals {
    let ranks = rank_numbers(statistics);
    let index = Index::new(statistics);
    let mut sum = Sum::default();
    let communicates = |r: &&Record| kind(statistics, r.statement) == Some(Kind::Communication);
    for record in statistics.records.iter().filter(communicates) {
        sum.add(record, index.at(record.rank));
    }
    let durations: Vec<u64> = statistics.ranks.iter().map(|r| r.duration).collect();
    Totals {
        time: add_up(statistics.ranks.iter().map(|rank| rank.thread_time)),
        duration: Spread::of(&durations, &ranks),
        spread: sum.spread(&ranks),
        communication: sum.figures,
        intrusion: add_up(statistics.ranks.iter().map(|rank| rank.intrusion)),
    }
}

/// Returns the statistics of one rank alone.
pub fn of_rank(statistics: &Statistics, rank: u32) -> Statistics {
    let own = |record: &&Record| record.rank == rank;
    Statistics {
        statements: statistics.statements.clone(),
        records: statistics.records.iter().filter(own).cloned().collect(),
        ranks: (statistics.ranks.iter())
            .filter(|process| process.rank == rank)
            .cloned()
            .collect(),
    }
}

fn kind(statistics: &Statistics, statement: usize) -> Option<Kind> {
    statistics.statements.get(statement).map(|s| s.kind)
}

fn rank_numbers(statistics: &Statistics) -> Vec<u32> {
    statistics.ranks.iter().map(|rank| rank.rank).collect()
}

fn add_up(times: impl Iterator<Item = u64>) -> u64 {
    times.fold(0, u64::saturating_add)
}

/// Where a rank is among the ranks.
struct Index(std::collections::HashMap<u32, usize>);

impl Index {
    fn new(statistics: &Statistics) -> Self {
        let numbers = statistics.ranks.iter().map(|rank| rank.rank);
        Self(numbers.zip(0..).collect())
    }

    fn at(&self, rank: u32) -> Option<usize> {
        self.0.get(&rank).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::parse;
    use super::*;

    #[test]
    fn totals_are_the_sums_of_all_ranks() {
        let all = parse(
            "procedure main 1-9
               call MPI_Send 3
             @0 0 1x 100
             @1 0 1x 300
             @0 1>1 2x 40 wait 30
             @1 1>0 2x 80 wait 10",
        );
        let totals = totals(&all);
        assert_eq!(totals.communication.time, 120);
        assert_eq!(totals.communication.delay, 40);
        assert_eq!(totals.communication.transmission(), 80);
        let spread = totals.spread;
        assert_eq!((spread.mean, spread.min, spread.min_rank), (60, 40, 0));
        assert_eq!((spread.max, spread.max_rank), (80, 1));
        assert!((spread.imbalance() - 0.25).abs() < 1e-9);
    }

    #[test]
    fn a_rank_alone_has_its_own_records() {
        let all = parse("call MPI_Send 3\n@0 0>1 1x 10\n@1 0>0 1x 20");
        let one = of_rank(&all, 1);
        assert_eq!((one.ranks.len(), totals(&one).communication.time), (1, 20));
        assert!(of_rank(&all, 7).records.is_empty());
    }
}
