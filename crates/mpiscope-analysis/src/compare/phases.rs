//! How long a run takes before, in and after its iterations, and in the slow ones at their begin.
//!
//! How many of them are slow at the begin chance decides, too: one run has one, the next has two. So
//! as many are taken in all runs, the median, which does not depend on which run is whose.

use std::fmt;

use mpiscope_model::Timestamp;

use super::{Key, Measures};
use crate::iterations::{median, Lengths};

/// So many first iterations are kept one by one: a longer warm-up is cut there.
const FIRST: usize = 32;

/// A part of the time from MPI_Init to MPI_Finalize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Before the iterations.
    Before,
    /// Those at the begin that are slow.
    WarmUp,
    /// All other iterations.
    Steady,
    /// After the iterations.
    After,
}

impl Phase {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Before => "before iterations",
            Phase::WarmUp => "warm-up",
            Phase::Steady => "steady iterations",
            Phase::After => "after iterations",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Before => "before the iterations",
            Phase::WarmUp => "warm-up, the first iterations",
            Phase::Steady => "iterations without warm-up",
            Phase::After => "after the iterations",
        })
    }
}

/// How long the phases of a run are, in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// From MPI_Init to the first iteration.
    pub before_ns: i64,
    /// The first iterations, each; not all of many.
    pub first_ns: Vec<i64>,
    /// All iterations.
    pub all_ns: i64,
    /// How many these are.
    pub count: u64,
    /// So many are slow at the begin.
    pub warm_up: u64,
    /// From the last iteration to MPI_Finalize.
    pub after_ns: i64,
}

impl Phases {
    /// Measures a run that lasts from when it leaves MPI_Init to when it enters MPI_Finalize.
    pub(super) fn of(lengths: &Lengths, begin: Timestamp, end: Timestamp) -> Option<Phases> {
        let (first, last) = (*lengths.moments.first()?, *lengths.moments.last()?);
        let kept = lengths.count().min(FIRST);
        Some(Phases {
            before_ns: (first - begin).0.max(0),
            first_ns: (0..kept).map(|it| lengths.length(it).0).collect(),
            all_ns: (last - first).0,
            count: lengths.count() as u64,
            warm_up: lengths.warm_up as u64,
            after_ns: (end - last).0.max(0),
        })
    }

    /// Adds them to a run's rows, with so many iterations as warm-up.
    fn add_to(&self, run: &mut Measures, warm_up: usize) {
        let first = self.first_ns.iter().take(warm_up);
        let first: i64 = first.fold(0, |sum, it| sum.saturating_add(*it));
        let mut add = |phase, ns, visits| run.add(Key::Phase(phase), ns, visits);
        add(Phase::Before, self.before_ns, 1);
        if warm_up > 0 {
            add(Phase::WarmUp, first, warm_up as u64);
        }
        let others = self.count.saturating_sub(warm_up as u64);
        add(Phase::Steady, self.all_ns.saturating_sub(first), others);
        add(Phase::After, self.after_ns, 1);
    }
}

/// Adds the phases to the rows of all runs, which count iterations alike, if all have them.
pub(super) fn add(a: &mut [Measures], b: &mut [Measures]) {
    let phases = || a.iter().chain(&*b).map(|it| it.phases.as_ref());
    let Some(all) = phases().collect::<Option<Vec<&Phases>>>() else {
        return;
    };
    let warm_up = |it: &&Phases| i64::try_from(it.warm_up).unwrap_or(i64::MAX);
    let warm_up = median(all.iter().map(warm_up).collect());
    let kept = all.iter().map(|it| it.first_ns.len()).min().unwrap_or(0);
    // A warm-up without iterations after it is none.
    let fewest = all.iter().map(|it| it.count).min().unwrap_or(0);
    let most = kept.min(usize::try_from(fewest).map_or(kept, |it| it.saturating_sub(1)));
    let warm_up = usize::try_from(warm_up).unwrap_or(0).min(most);
    for run in a.iter_mut().chain(b) {
        if let Some(phases) = run.phases.take() {
            phases.add_to(run, warm_up);
        }
    }
}
