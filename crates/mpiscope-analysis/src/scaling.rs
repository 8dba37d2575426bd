//! How a program scales: runs on different numbers of ranks, what each loses against the smallest,
//! and in which calls, regions and computation.
//!
//! Times of rows are core time: summed over all ranks. In strong scaling the problem stays the same, so
//! that ideally all ranks of any run together take the core time of the reference run; in weak scaling
//! it grows with the ranks, and so ideally does core time. What exceeds that is lost, and the losses of
//! rows add up to that of the whole: P·T(P) − P₀·T(P₀) in strong scaling.
//!
//! The efficiencies are those of the POP project ([`efficiency`](crate::efficiency)), in the time from
//! MPI_Init to MPI_Finalize: the global one is parallel efficiency times computation scalability, the
//! core time of computation that is ideal by the one that it takes. By these definitions the global
//! efficiency of a run, by that of the reference run, is what the run's speedup is of the ideal one.
//!
//! A serial part does not take more core time on more ranks: it is the others who wait. So causes say
//! for what ranks wait ([`root_causes`](crate::root_causes)).
//!
//! Rows have what is done from MPI_Init to MPI_Finalize of each rank; regions that begin before, as
//! `main` does, count from there.
//!
//! Of several runs on equally many ranks the one whose time is the median stands for all, so that its
//! figures add up and multiply; the others tell how far runs differ anyway.
//!
//! Runs of different sizes of the problem on equally many ranks are another question, which
//! [`by_size`] answers.
//!
//! ```
//! use mpiscope_analysis::compare::Key;
//! use mpiscope_analysis::scaling::{scale, Kind, Part, Run};
//! use mpiscope_model::Trace;
//!
//! let run = |text: &str| {
//!     let trace = Trace::parse(text).unwrap();
//!     Run::of(&trace, &trace.matching())
//! };
//! // Rank 0 works for 40 ns that nobody shares, then all ranks share 80 ns.
//! let one = run("0: 0 enter(serial) 40 leave(serial) 40 enter(shared) 120 leave(shared)");
//! let two = run("
//!     0: 0 enter(serial) 40 leave(serial) 40 barrier{ 40 } 40 enter(shared) 80 leave(shared)
//!     1: 0 barrier{ 40 } 40 enter(shared) 80 leave(shared)
//! ");
//! let found = scale(&[two, one], Kind::Strong, None).unwrap();
//! let largest = &found.sizes[1];
//! assert_eq!((largest.ranks, largest.speedup, largest.lost_ns), (2, 1.5, 40));
//! // The core time of both parts is what it was; rank 1 waits.
//! let worst = &found.rows[0];
//! assert!(matches!(&worst.part, Part::Of(Key::WaitingIn(_))));
//! assert_eq!((worst.core_ns.clone(), worst.excess_ns), (vec![0, 40], 40));
//! let cause = &found.causes.unwrap()[0];
//! assert_eq!((&cause.key, cause.rank), (&Key::Region("serial".into()), 0));
//! ```

mod causes;
mod counted;
mod growth;
mod kind;
mod outside;
mod problem;
mod rows;
mod run;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::efficiency::Efficiency;

pub use crate::efficiency::NoEfficiency;
pub use causes::Cause;
pub use counted::{Factors, Useful};
pub use growth::Growth;
pub use kind::{found_kind, Found};
pub use problem::{by_size, BySize, OfSize, SizeRow};
pub use rows::{Class, Part, Row};
pub use run::{Caused, Run};

/// What ideally stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The problem, and with it core time.
    Strong,
    /// The problem of each rank, and with it time.
    Weak,
}

impl Kind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Strong => "strong",
            Kind::Weak => "weak",
        }
    }

    /// Returns how many times the reference's core time another run ideally takes.
    pub fn ideal(self, reference: u64, ranks: u64) -> f64 {
        match self {
            Kind::Strong => 1.0,
            Kind::Weak => ranks as f64 / reference.max(1) as f64,
        }
    }
}

/// Runs on equally many ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// How many ranks.
    pub ranks: u64,
    /// The runs, by their places in what was given, the shortest first.
    pub runs: Vec<usize>,
    /// The one that stands for all: that of the median time, the shorter of two.
    pub run: usize,
    /// Its time from MPI_Init to MPI_Finalize.
    pub time_ns: i64,
    /// That of the shortest and of the longest run.
    pub between_ns: (i64, i64),
    /// How many times as much is done in a second as in the reference run.
    pub speedup: f64,
    /// Ideally so many times.
    pub ideal_speedup: f64,
    /// The speedup by the ideal one.
    pub scaling_efficiency: f64,
    /// Parallel efficiency and its factors; nothing if they have no meaning.
    pub efficiency: Option<Efficiency>,
    /// The core time of computation that is ideal, by the real one; nothing if this run or the
    /// reference has no efficiencies.
    pub computation_scalability: Option<f64>,
    /// What that is made of; nothing if this run or the reference has no counters.
    pub of_computation: Option<Factors>,
    /// Both multiplied.
    pub global: Option<f64>,
    /// Time of all ranks together.
    pub core_ns: i64,
    /// What of it is more than ideal.
    pub lost_ns: i64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// What ideally stays the same.
    pub kind: Kind,
    /// By ranks, ascending.
    pub sizes: Vec<Size>,
    /// The place of the reference among them.
    pub reference: usize,
    /// Core time is ranks times time; else it is the sum of all rows, as ranks of a run have several
    /// threads, or no events, or were not recorded all the time.
    pub is_whole: bool,
    /// All rows, those first that lose most at the largest size.
    pub rows: Vec<Row>,
    /// What makes others wait, if it was looked for in all runs.
    pub causes: Option<Vec<Cause>>,
}

impl Scaling {
    /// Returns the runs that all are compared with.
    pub fn reference(&self) -> &Size {
        &self.sizes[self.reference]
    }

    /// Returns the runs on most ranks: there are two sizes at least.
    pub fn largest(&self) -> &Size {
        &self.sizes[self.sizes.len() - 1]
    }

    /// Returns what rows of a class lose at the largest size.
    pub fn lost(&self, class: Class) -> i64 {
        let of_class = self.rows.iter().filter(|row| row.class() == class);
        of_class.fold(0, |sum, row| row.excess_ns.saturating_add(sum))
    }
}

/// Why nothing can be told.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// There are no runs on different numbers of ranks.
    OneSize(Option<u64>),
    /// There is no run on so many ranks.
    NoReference(u64, Vec<u64>),
    /// Nothing is larger than the reference.
    ReferenceIsLargest(u64),
    /// A run takes no time, or has no ranks.
    Empty(usize),
    /// There are no runs of different sizes of the problem.
    OneProblem(Option<f64>),
    /// The size of a run is no number above 0.
    NoSize(usize),
    /// Runs of different sizes are on different numbers of ranks.
    SeveralRanks,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::OneSize(None) => f.write_str("there are no runs"),
            Refusal::OneSize(Some(ranks)) => write!(
                f,
                "cannot tell how it scales: all runs are on {ranks} ranks; two different numbers of \
                 ranks are the fewest, three tell how losses grow"
            ),
            Refusal::NoReference(wanted, known) => {
                let known: Vec<String> = known.iter().map(u64::to_string).collect();
                let known = known.join(", ");
                write!(f, "no run is on {wanted} ranks: they are on {known}")
            }
            Refusal::ReferenceIsLargest(ranks) => write!(
                f,
                "no run is on more than the {ranks} ranks of the reference"
            ),
            Refusal::Empty(_) => f.write_str("no time goes by in it"),
            Refusal::OneProblem(None) => f.write_str("there are no runs"),
            Refusal::OneProblem(Some(size)) => write!(
                f,
                "cannot tell how it grows: all runs are of size {size}; two different sizes are the \
                 fewest, three tell how times grow"
            ),
            Refusal::NoSize(_) => f.write_str("its size is no number above 0"),
            Refusal::SeveralRanks => {
                f.write_str("the runs are on different numbers of ranks, and of different sizes")
            }
        }
    }
}

/// Says how runs scale, against those on `reference` ranks, else on fewest.
///
/// # Errors
/// When there is nothing to compare.
pub fn scale(runs: &[Run], kind: Kind, reference: Option<u64>) -> Result<Scaling, Refusal> {
    let is_empty = |run: &Run| run.measures.time_ns <= 0 || run.measures.ranks == 0;
    if let Some(at) = runs.iter().position(is_empty) {
        return Err(Refusal::Empty(at));
    }
    let sizes = by_ranks(runs);
    let known: Vec<u64> = sizes.iter().map(|(ranks, _)| *ranks).collect();
    let reference = match reference {
        None => 0,
        Some(ranks) => match known.iter().position(|it| *it == ranks) {
            Some(at) => at,
            None => return Err(Refusal::NoReference(ranks, known)),
        },
    };
    match known[..] {
        [] => return Err(Refusal::OneSize(None)),
        [ranks] => return Err(Refusal::OneSize(Some(ranks))),
        _ if reference + 1 == known.len() => {
            return Err(Refusal::ReferenceIsLargest(known[reference]))
        }
        _ => {}
    }
    // Core time is ranks times time, where no rank has threads whose time counts, too.
    let is_whole = runs.iter().all(|run| run.ranks.is_ok());
    let first = &runs[median_of(&sizes[reference].1)];
    let size = |(ranks, of_size): &(u64, Vec<usize>)| {
        measure(
            runs,
            *ranks,
            of_size,
            &Against {
                first,
                kind,
                is_whole,
            },
        )
    };
    let sizes: Vec<Size> = sizes.iter().map(size).collect();
    let rows = rows::rows(runs, &sizes, reference, kind, is_whole);
    Ok(Scaling {
        kind,
        reference,
        is_whole,
        rows,
        causes: causes::causes(runs, &sizes, reference, kind),
        sizes,
    })
}

/// Returns the places of runs by ranks, ascending, the shortest run first.
fn by_ranks(runs: &[Run]) -> Vec<(u64, Vec<usize>)> {
    let mut all: Vec<usize> = (0..runs.len()).collect();
    let key = |at: &usize| (runs[*at].measures.ranks, runs[*at].measures.time_ns, *at);
    all.sort_by_key(key);
    let ranks = |at: &usize| runs[*at].measures.ranks;
    let sizes = all.chunk_by(|a, b| ranks(a) == ranks(b));
    sizes.map(|of| (ranks(&of[0]), of.to_vec())).collect()
}

/// Returns the one in the middle, the lower of two.
fn median_of(sorted: &[usize]) -> usize {
    sorted[(sorted.len() - 1) / 2]
}

/// What a run is compared with.
struct Against<'a> {
    first: &'a Run,
    kind: Kind,
    is_whole: bool,
}

fn measure(runs: &[Run], ranks: u64, of_size: &[usize], against: &Against) -> Size {
    let at = median_of(of_size);
    let (run, first) = (&runs[at], against.first);
    let time = |at: usize| runs[at].measures.time_ns;
    let times = ranks as f64 / first.measures.ranks as f64;
    let faster = first.measures.time_ns as f64 / time(at) as f64;
    let scaling_efficiency = match against.kind {
        Kind::Strong => faster / times,
        Kind::Weak => faster,
    };
    let ideal = against.kind.ideal(first.measures.ranks, ranks);
    let efficiency = run.efficiency();
    let both = efficiency.and(first.efficiency());
    // Who has efficiencies has worked.
    let scalability = || ideal * first.computation_ns() as f64 / run.computation_ns() as f64;
    let computation_scalability = both.map(|_| scalability());
    let counted = run.useful.zip(first.useful).zip(computation_scalability);
    let core_ns = run.core_ns(against.is_whole);
    let ideal_ns = ideal * first.core_ns(against.is_whole) as f64;
    let global = efficiency.zip(computation_scalability);
    Size {
        ranks,
        runs: of_size.to_vec(),
        run: at,
        time_ns: time(at),
        between_ns: (time(of_size[0]), time(of_size[of_size.len() - 1])),
        speedup: scaling_efficiency * times,
        ideal_speedup: times,
        scaling_efficiency,
        global: global.map(|(of, by)| of.parallel * by),
        efficiency,
        computation_scalability,
        of_computation: counted.map(|((own, first), by)| own.factors(first, ideal, by)),
        core_ns,
        lost_ns: core_ns.saturating_sub(ideal_ns.round() as i64),
    }
}
