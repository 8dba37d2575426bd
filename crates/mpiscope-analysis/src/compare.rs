//! Whether runs got slower or faster, where, and whether that is more than noise.
//!
//! Each run becomes [`Measures`]: rows with one value each, the same in every run of a program,
//! whatever its ranks and threads did in which order. Rows of two sets of runs are paired, also where
//! lines of the source moved ([`pairs`]). Whether a row differs by more than runs of one build do
//! among themselves a permutation test tells ([`permutations`]): if builds made no difference, any other
//! sharing out of the runs to both sides would be as likely as the real one.
//!
//! ```
//! use mpiscope_analysis::compare::{compare, Asked, Judgement, Key, Measures};
//!
//! let run = |ns| {
//!     let mut run = Measures { time_ns: ns, total_ns: ns, ..Measures::default() };
//!     run.add(Key::Region("solve".into()), ns, 1);
//!     run
//! };
//! let a = [1000, 1010, 1005, 995, 1003].map(run);
//! let b = [1100, 1102, 1095, 1105, 1110].map(run);
//! let found = compare(&a, &b, &Asked::default());
//! let solve = found.rows.iter().find(|row| row.key == Key::Region("solve".into())).unwrap();
//! assert_eq!(solve.judgement, Judgement::Slower);
//! assert_eq!(solve.p, Some(2.0 / 252.0));
//! ```

mod counted;
mod iterations;
mod joined;
mod key;
mod measures;
pub mod pairs;
mod paths;
pub mod permutations;
mod phases;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use counted::Source;
pub use key::{Call, Key, Whole};
pub use measures::{Measures, Row};
pub use phases::{Phase, Phases};

/// What counts as a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asked {
    /// How often a set of equal runs may be taken for different, as a probability.
    pub level: f64,
    /// The least change that matters, as a share of the whole.
    pub least: f64,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked {
            level: 0.01,
            least: 0.01,
        }
    }
}

/// On what a judgement rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evidence {
    /// The runs of both sides, and other ways to share them out.
    Runs {
        /// How many ways were looked at.
        permutations: u64,
        /// All that there are, or as many as were drawn.
        exact: bool,
    },
    /// There are too few runs for the level that is wanted.
    TooFew {
        /// How many ways there are to share them out.
        permutations: u64,
        /// The least p that they can give.
        least_p: f64,
        /// So many runs on each side would do.
        wanted: usize,
    },
    /// The iterations of one run on each side.
    Iterations,
    /// Times of the runs are of several kinds, which nothing can be told from.
    Mixed,
}

/// What is said of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It takes longer, beyond noise, and that matters.
    Slower,
    /// It takes less time, beyond noise, and that matters.
    Faster,
    /// Runs of one side differ as much among themselves.
    Noise,
    /// It is too small to matter, whether noise or not.
    Small,
    /// There are too few runs to tell, or one is so far off that averages and logarithms differ in
    /// opposite directions.
    Unknown,
}

impl Judgement {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Slower => "slower",
            Judgement::Faster => "faster",
            Judgement::Noise => "noise",
            Judgement::Small => "small",
            Judgement::Unknown => "cannot tell",
        }
    }
}

/// A row of both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What it is, as B has it, if B has it.
    pub key: Key,
    /// What it is in A, if that is something else: its line moved.
    pub was: Option<Key>,
    /// Values of A's runs, in nanoseconds.
    pub a: Vec<i64>,
    /// Values of B's runs, in nanoseconds.
    pub b: Vec<i64>,
    /// Visits of A's runs, on average.
    pub visits_a: f64,
    /// Visits of B's runs, on average.
    pub visits_b: f64,
    /// Only one side has it.
    pub only: Option<Side>,
    /// How likely so large a difference of any row is where builds make none.
    pub p: Option<f64>,
    /// What follows.
    pub judgement: Judgement,
}

/// One of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The baseline.
    A,
    /// The candidate.
    B,
}

impl Compared {
    /// Returns the average of A's runs, in nanoseconds.
    pub fn mean_a(&self) -> f64 {
        mean(&self.a)
    }

    /// Returns the average of B's runs, in nanoseconds.
    pub fn mean_b(&self) -> f64 {
        mean(&self.b)
    }

    /// Returns by how many nanoseconds B is longer.
    pub fn change(&self) -> f64 {
        self.mean_b() - self.mean_a()
    }

    /// Returns the logarithms of all values, A's first; what is next to nothing of the whole is
    /// made alike by adding a thousandth of that.
    fn logarithms(&self, wholes: &Wholes) -> Vec<f64> {
        const NOTHING: f64 = 0.001;
        let added = match self.key.whole() {
            Whole::Own => 1.0,
            Whole::Time => (NOTHING * mean(&wholes.times)).max(1.0),
            Whole::Total => (NOTHING * mean(&wholes.totals)).max(1.0),
        };
        let all = self.a.iter().chain(&self.b);
        all.map(|ns| ((*ns).max(0) as f64 + added).ln()).collect()
    }
}

/// What rows are parts of, of each run, A's first.
struct Wholes {
    /// From MPI_Init to MPI_Finalize.
    times: Vec<i64>,
    /// The time of all ranks.
    totals: Vec<i64>,
}

impl Wholes {
    fn of<'a>(runs: impl Iterator<Item = &'a Measures>) -> Wholes {
        let (times, totals) = runs.map(|it| (it.time_ns, it.total_ns)).unzip();
        Wholes { times, totals }
    }
}

/// What two sets of runs differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// All rows: totals, then those whose change is largest.
    pub rows: Vec<Compared>,
    /// Call paths that there was no room for.
    pub paths_left_out: usize,
    /// On what it rests; nothing with one run on a side and no iterations.
    pub evidence: Option<Evidence>,
    /// The time of all ranks in A's runs, on average, in nanoseconds.
    pub total_a: f64,
    /// The time of all ranks in B's runs, on average, in nanoseconds.
    pub total_b: f64,
}

/// Compares two sets of runs; a set without runs has no rows. Of runs of several [kinds](Source)
/// the rows are those that all know.
pub fn compare(a: &[Measures], b: &[Measures], asked: &Asked) -> Comparison {
    let is_mixed = is_mixed(a, b);
    let (mut a, mut b) = (known_to_all(a, is_mixed), known_to_all(b, is_mixed));
    let are_alike = iterations::are_alike(&a, &b);
    if are_alike {
        phases::add(&mut a, &mut b);
    }
    joined::join(&mut a, &mut b);
    let (a, b) = (&a[..], &b[..]);
    let total = |runs: &[Measures]| mean(&runs.iter().map(|it| it.total_ns).collect::<Vec<_>>());
    let mut rows = rows(a, b);
    rows.retain(|row| row.key != Key::Iteration || are_alike);
    let paths_left_out = paths::bound(&mut rows);
    let mut found = Comparison {
        rows,
        paths_left_out,
        evidence: None,
        total_a: total(a),
        total_b: total(b),
    };
    match is_mixed {
        true => found.evidence = Some(Evidence::Mixed),
        false => found.judge(a, b, asked),
    }
    // Totals keep the order of keys.
    let order = |row: &Compared| match row.key.is_total() {
        true => (false, 0),
        false => (true, -(row.change().abs() as i64)),
    };
    found
        .rows
        .sort_by(|x, y| order(x).cmp(&order(y)).then_with(|| x.key.cmp(&y.key)));
    found
}

/// Returns whether times of the runs are of several kinds.
fn is_mixed(a: &[Measures], b: &[Measures]) -> bool {
    let mut sources = a.iter().chain(b).map(|it| it.source);
    let first = sources.next();
    sources.any(|it| Some(it) != first)
}

fn known_to_all(runs: &[Measures], is_mixed: bool) -> Vec<Measures> {
    match is_mixed {
        true => runs.iter().map(Measures::as_counted).collect(),
        false => runs.to_vec(),
    }
}

/// Pairs the rows of both sides.
fn rows(a: &[Measures], b: &[Measures]) -> Vec<Compared> {
    let values = |runs: &[Measures], key: Option<&Key>| -> (Vec<i64>, f64) {
        let row = |run: &Measures| key.and_then(|it| run.rows.get(it)).copied();
        let all: Vec<Row> = runs.iter().map(|it| row(it).unwrap_or_default()).collect();
        let visits: f64 = all.iter().map(|it| it.visits as f64).sum();
        let values = all.iter().map(|it| it.ns).collect();
        (values, visits / all.len().max(1) as f64)
    };
    let pair = |(of_a, of_b): (Option<Key>, Option<Key>)| {
        let (values_a, visits_a) = values(a, of_a.as_ref());
        let (values_b, visits_b) = values(b, of_b.as_ref());
        let only = match (&of_a, &of_b) {
            (Some(_), None) => Some(Side::A),
            (None, Some(_)) => Some(Side::B),
            _ => None,
        };
        let was = of_a
            .clone()
            .filter(|it| of_b.as_ref().is_some_and(|b| b != it));
        Some(Compared {
            key: of_b.or(of_a)?,
            was,
            a: values_a,
            b: values_b,
            visits_a,
            visits_b,
            only,
            p: None,
            judgement: Judgement::Unknown,
        })
    };
    let [of_a, of_b] = [a, b].map(|runs| -> Vec<BTreeSet<&Key>> {
        runs.iter().map(|it| it.rows.keys().collect()).collect()
    });
    let pairs = pairs::pair(&of_a, &of_b);
    pairs.into_iter().filter_map(pair).collect()
}

impl Comparison {
    /// Says of each row what follows from its values.
    fn judge(&mut self, a: &[Measures], b: &[Measures], asked: &Asked) {
        if a.is_empty() || b.is_empty() {
            return;
        }
        let few = permutations::too_few(a.len(), b.len(), asked.level);
        if a.len() == 1 && b.len() == 1 {
            self.by_iterations(&a[0], &b[0]);
        } else if few.is_some() {
            self.evidence = few;
        } else {
            let wholes = Wholes::of(a.iter().chain(b));
            self.by_runs(asked.least, &wholes, (a.len(), b.len()));
        }
        self.conclude(asked, &Wholes::of(a.iter()));
    }

    /// Tests the rows that can matter.
    fn by_runs(&mut self, share: f64, wholes: &Wholes, (of_a, of_b): (usize, usize)) {
        // Averages of two sides differ by less than the least and the largest value. So rows that
        // cannot differ by what matters are not in the way of those that do; and which rows these
        // are does not depend on which run is whose. What is judged is a share of A's: of the least.
        let least_of = |all: &[i64]| all.iter().min().copied().unwrap_or(0);
        let matters = |row: &Compared| {
            let all: Vec<i64> = row.a.iter().chain(&row.b).copied().collect();
            let most = all.iter().max().copied().unwrap_or(0);
            let least = least_of(&all);
            let whole = match row.key.whole() {
                Whole::Own => least,
                Whole::Time => least_of(&wholes.times),
                Whole::Total => least_of(&wholes.totals),
            };
            most.saturating_sub(least) as f64 >= share * whole as f64
        };
        for row in &mut self.rows {
            row.judgement = Judgement::Small;
        }
        let all = 0..self.rows.len();
        let tested: Vec<usize> = all.filter(|at| matters(&self.rows[*at])).collect();
        let logarithms = |at: &usize| self.rows[*at].logarithms(wholes);
        let values: Vec<Vec<f64>> = tested.iter().map(logarithms).collect();
        let (ps, evidence) = permutations::test(&values, of_a, of_b);
        for ((at, p), values) in tested.into_iter().zip(ps).zip(values) {
            let row = &mut self.rows[at];
            let (a, b) = values.split_at(of_a);
            let difference =
                b.iter().sum::<f64>() / of_b as f64 - a.iter().sum::<f64>() / of_a as f64;
            // Where one run is far off, averages may differ the other way: that tells nothing.
            let agrees = (difference > 0.0) == (row.change() > 0.0);
            row.p = agrees.then_some(p);
            if !agrees {
                row.judgement = Judgement::Unknown;
            }
        }
        self.evidence = Some(evidence);
    }

    /// Says what follows from p and size.
    fn conclude(&mut self, asked: &Asked, of_a: &Wholes) {
        for row in &mut self.rows {
            let whole = match row.key.whole() {
                Whole::Own => row.mean_a(),
                Whole::Time => mean(&of_a.times),
                Whole::Total => self.total_a,
            };
            let change = row.change();
            let is_small = change.abs() < asked.least * whole;
            row.judgement = match row.p {
                None => row.judgement,
                Some(p) if p > asked.level => Judgement::Noise,
                Some(_) if is_small => Judgement::Small,
                Some(_) if change > 0.0 => Judgement::Slower,
                Some(_) if change < 0.0 => Judgement::Faster,
                Some(_) => Judgement::Noise,
            };
        }
    }

    fn by_iterations(&mut self, a: &Measures, b: &Measures) {
        let Some((p, is_longer)) = iterations::p(&a.iterations, &b.iterations) else {
            return;
        };
        let is_one = |row: &&mut Compared| row.key == Key::Iteration;
        if let Some(row) = self.rows.iter_mut().find(is_one) {
            // Where medians differ the other way than most iterations, that tells nothing.
            row.p = (is_longer == (row.change() > 0.0)).then_some(p);
            self.evidence = Some(Evidence::Iterations);
        }
    }
}

fn mean(values: &[i64]) -> f64 {
    values.iter().map(|it| *it as f64).sum::<f64>() / values.len().max(1) as f64
}
