//! When two locations were synchronized: one waited for the other until then, or both for a third.

use mpiscope_model::{BoundKind, Timestamp};
use rayon::prelude::*;

use super::start_up::all_in_init;
use super::Known;

/// A moment, and who was there: a location, or a group.
pub(super) type Moment = (Timestamp, u32);

/// When each location was synchronized with which others.
pub(super) struct Synchronized {
    /// Those that waited for it, by time.
    pub caused: Vec<Vec<Moment>>,
    /// Groups of three and more, by time.
    joint: Vec<Vec<Moment>>,
    /// Where and when it was forked, of threads.
    pub begun: Vec<Option<Moment>>,
    /// When all ranks were in MPI_Init.
    all_in_init: Option<Timestamp>,
}

impl Synchronized {
    pub fn of(known: &Known) -> Synchronized {
        let mut caused: Vec<Vec<Moment>> = vec![Vec::new(); known.lines.len()];
        let states = known.waits.iter().flatten();
        for state in states.filter(|state| !state.contradicts) {
            caused[state.cause.location.index()].push((state.end, state.call.location.0));
        }
        let begun = begun(known);
        for (thread, moment) in (0..).zip(&begun) {
            if let Some((time, from)) = moment {
                caused[*from as usize].push((*time, thread));
            }
        }
        caused.par_iter_mut().for_each(|it| it.sort_unstable());
        Synchronized {
            joint: joint(&caused),
            caused,
            begun,
            all_in_init: all_in_init(known),
        }
    }

    /// Returns the latest of a moment and of that at which all were in MPI_Init, if that was before
    /// a wait began: what was waited before, or there, has its reasons before.
    pub fn since(&self, moment: Timestamp, wait_begins: Timestamp) -> Timestamp {
        let met = self.all_in_init.filter(|it| *it <= wait_begins);
        met.map_or(moment, |it| it.max(moment))
    }

    /// Returns the last moment before one, and not before another, at which both were in one group.
    pub fn last_joint(
        &self,
        [a, b]: [usize; 2],
        not_before: Timestamp,
        before: Timestamp,
    ) -> Option<Timestamp> {
        let until = |location: usize| {
            let moments = &self.joint[location];
            &moments[..moments.partition_point(|it| it.0 < before)]
        };
        let (mut a, mut b) = (until(a), until(b));
        loop {
            let (x, y) = (a.last()?, b.last()?);
            if x.0.min(y.0) < not_before {
                return None;
            }
            match x.cmp(y) {
                std::cmp::Ordering::Equal => return Some(x.0),
                std::cmp::Ordering::Less => b = &b[..b.len() - 1],
                std::cmp::Ordering::Greater => a = &a[..a.len() - 1],
            }
        }
    }
}

/// Returns where and when threads were forked.
fn begun(known: &Known) -> Vec<Option<Moment>> {
    let mut begun = vec![None; known.lines.len()];
    let bounds = known.matching.bounds.iter();
    let begins = bounds.filter(|it| it.kind == BoundKind::Thread && it.receive.index == 0);
    for bound in begins.filter(|it| it.send.location != it.receive.location) {
        let from = bound.send.location;
        let time = known.lines[from.index()].times[bound.send.index as usize];
        begun[bound.receive.location.index()] = Some((time, from.0));
    }
    begun
}

/// Returns the groups of each location: all that waited for one until the same moment, and that one.
fn joint(caused: &[Vec<Moment>]) -> Vec<Vec<Moment>> {
    let mut joint: Vec<Vec<Moment>> = vec![Vec::new(); caused.len()];
    let mut number = 0;
    for (location, caused) in caused.iter().enumerate() {
        for group in caused.chunk_by(|a, b| a.0 == b.0) {
            if group.len() > 1 {
                let moment = (group[0].0, number);
                joint[location].push(moment);
                group
                    .iter()
                    .for_each(|(_, other)| joint[*other as usize].push(moment));
                number += 1;
            }
        }
    }
    joint.par_iter_mut().for_each(|it| {
        it.sort_unstable();
        it.dedup();
    });
    joint
}
