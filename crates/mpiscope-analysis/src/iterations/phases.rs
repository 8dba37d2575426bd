//! Phases: iterations that follow one another, of which efficiencies are told.

use std::ops::Range;

use mpiscope_model::{Duration, Timestamp};

use super::{Lengths, Parts};

/// A rank's own iterations may last this much longer or shorter than those of all, as a share.
const APART: f64 = 0.01;

/// Which iterations a phase has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// All of them.
    All,
    /// Those slow ones at the begin.
    WarmUp,
    /// All others.
    AfterWarmUp,
    /// The one of the least parallel efficiency.
    Least,
}

impl PhaseKind {
    /// Returns its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            PhaseKind::All => "all",
            PhaseKind::WarmUp => "warm_up",
            PhaseKind::AfterWarmUp => "after_warm_up",
            PhaseKind::Least => "least",
        }
    }
}

impl Lengths {
    /// Returns the phases, by the numbers of their iterations.
    pub fn phases(&self) -> Vec<(PhaseKind, Range<usize>)> {
        let (count, warm_up) = (self.count(), self.warm_up);
        let mut phases = vec![(PhaseKind::All, 0..count)];
        if warm_up > 0 && warm_up < count {
            phases.push((PhaseKind::WarmUp, 0..warm_up));
            phases.push((PhaseKind::AfterWarmUp, warm_up..count));
        }
        let least = self.least_efficient();
        phases.extend(least.map(|number| (PhaseKind::Least, number..number + 1)));
        phases
    }

    /// Returns from when the last rank begins some iterations to when the last rank ends them.
    pub fn window(&self, some: &Range<usize>) -> (Timestamp, Timestamp) {
        (self.moments[some.start], self.moments[some.end])
    }

    /// Returns the number of the iteration of the least parallel efficiency. Where a rank's own one
    /// lasts longer or shorter by more than a hundredth it did things of other iterations in that time
    /// (it ran ahead), or recording was off: such iterations are not compared.
    fn least_efficient(&self) -> Option<usize> {
        let each = (0..self.count()).filter_map(|it| Some((it, self.work(it)?)));
        let least = each.min_by(|a, b| a.1.total_cmp(&b.1));
        least.map(|(number, _)| number)
    }

    /// Returns which part of the time of all ranks was work in an iteration.
    fn work(&self, number: usize) -> Option<f64> {
        let length = self.length(number);
        let work: Option<Vec<i64>> = (self.parts.iter())
            .map(|parts| work(parts.get(number)?, length))
            .collect();
        let sum = work?.into_iter().fold(0, i64::saturating_add);
        (sum > 0 && length > Duration::ZERO).then(|| sum as f64 / length.0 as f64)
    }
}

/// Returns how long a rank worked; nothing if what it did is not what it did in `length`.
fn work(of: &Parts, length: Duration) -> Option<i64> {
    let time = of.computation + of.communication + of.waiting;
    let apart = (time - length.0).abs() as f64;
    (apart <= APART * length.0 as f64).then_some(of.computation)
}
