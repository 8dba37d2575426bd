//! Efficiencies of a phase: of iterations that follow one another.

use std::ops::Range;

use mpiscope_model::Duration;

use super::{Lengths, Parts};
use crate::efficiency::Efficiency;
use crate::profile::RankSum;

/// A rank's own iterations may last this much longer or shorter than those of all, as a share.
const APART: f64 = 0.01;

impl Lengths {
    /// Returns the efficiencies of some iterations, from when the last rank begins the first of them
    /// to when the last rank ends the last; nothing where a rank's own ones last longer or shorter by
    /// more than a hundredth, as it then did other things in that time: it ran ahead, its threads had
    /// work of their own, or recording was off.
    pub fn efficiency(&self, some: Range<usize>) -> Option<Efficiency> {
        let length = *self.moments.get(some.end)? - *self.moments.get(some.start)?;
        let ranks: Option<Vec<RankSum>> = (self.parts.iter())
            .map(|parts| sum(parts.get(some.clone())?, length))
            .collect();
        Efficiency::of(&ranks?, length)
    }

    /// Returns the number of the iteration of the least parallel efficiency, and its efficiencies.
    pub fn least_efficient(&self) -> Option<(usize, Efficiency)> {
        let each = (0..self.count()).filter_map(|it| Some((it, self.efficiency(it..it + 1)?)));
        each.min_by(|a, b| a.1.parallel.total_cmp(&b.1.parallel))
    }
}

/// Adds up what a rank did; nothing if that is not what it did in `length`.
fn sum(parts: &[Parts], length: Duration) -> Option<RankSum> {
    let of = |part: fn(&Parts) -> i64| parts.iter().map(part).sum::<i64>();
    let waiting = of(|it| it.waiting);
    let mpi = of(|it| it.communication) + waiting;
    let time = of(|it| it.computation) + mpi;
    let apart = (time - length.0).abs() as f64;
    (apart <= APART * length.0 as f64).then(|| RankSum {
        time: Duration(time),
        mpi: Duration(mpi),
        waiting: Duration(waiting),
        ..RankSum::default()
    })
}
