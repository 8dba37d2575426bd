//! Operations whose members leave together.
//!
//! Where some clock is not held by messages, members of a collective operation
//! are taken to leave it together. How nearly they do, the operations
//! themselves tell: libraries differ, and where processes share cores some
//! leave it when the others have long gone.

use mpiscope_model::Timestamp;

use super::system::{System, Together};
use super::{Fitter, Start};
use crate::presync::map::ClockMap;
use crate::presync::traffic::Exits;

/// How far apart clocks leave an operation at least, in ns.
const LEAST: f64 = 700.0;
/// Farther apart, in ns, they do not leave it together.
const MOST: f64 = 1500.0;

impl Fitter<'_> {
    /// Adds the operations of windows that do not hold all of their members.
    pub(super) fn add_exits(&self, maps: &[ClockMap], held: &[u8], system: &mut System) {
        let Some(weight) = self.exit_weight else {
            return;
        };
        let clocks = self.start.base.len();
        for Exits { cell, first } in &self.start.traffic.exits {
            let window = (cell / self.windows.cells_per_window) as usize;
            let loose =
                |(clock, _): &(u32, Timestamp)| held[window * clocks + *clock as usize] == 0;
            if !first.iter().any(loose) {
                continue;
            }
            let mapped = |(clock, exit): &(u32, Timestamp)| maps[*clock as usize].map(*exit);
            let Some(last) = first.iter().map(mapped).max() else {
                continue;
            };
            let at = self.place(self.windows.since_begin(last));
            let reading = |exit: &(u32, Timestamp)| {
                let clock = self.clock(exit.0);
                let known = self.layout.error(&self.errors, clock, at);
                (clock, known + (mapped(exit) - last).0 as f64)
            };
            system.together.push(Together {
                at,
                members: first.iter().map(reading).collect(),
                weight,
            });
        }
    }
}

/// Returns 1 / variance of the exits of one operation, `None` if they lie so
/// far apart that they tell nothing. Drift cancels between an operation and
/// the line from the one before it to the one after.
pub(super) fn weight(start: &Start) -> Option<f64> {
    if !start.together {
        return None;
    }
    let mut operations: Vec<(f64, Vec<(u32, f64)>)> = (start.traffic.exits.iter())
        .map(|exits| readings(exits, start))
        .collect();
    operations.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut misses: Vec<f64> = Vec::new();
    for three in operations.windows(3) {
        let [(before, a), (at, b), (after, c)] = three else {
            continue;
        };
        let share = (at - before) / (after - before).max(1.0);
        let of = |from: &[(u32, f64)], clock| {
            let place = from
                .binary_search_by_key(&clock, |(clock, _)| *clock)
                .ok()?;
            Some(from[place].1)
        };
        let variances = 1.0 + share * share + (1.0 - share) * (1.0 - share);
        let miss = |&(clock, exit): &(u32, f64)| {
            let line = of(a, clock)? * (1.0 - share) + of(c, clock)? * share;
            Some((exit - line) / variances.sqrt())
        };
        let mut common: Vec<f64> = b.iter().filter_map(miss).collect();
        common.sort_by(f64::total_cmp);
        let Some(&median) = common.get(common.len() / 2) else {
            continue;
        };
        misses.extend(common.iter().map(|miss| (miss - median).abs()));
    }
    if misses.is_empty() {
        return Some(1.0 / (LEAST * LEAST));
    }
    let middle = misses.len() / 2;
    // Half of normal deviates exceed 0.67 standard deviations.
    let deviation = *misses.select_nth_unstable_by(middle, f64::total_cmp).1 / 0.6745;
    let deviation = deviation.max(LEAST);
    (deviation <= MOST).then_some(1.0 / (deviation * deviation))
}

/// When an operation was left first, and when by each of its members, in the
/// order of clocks.
fn readings(exits: &Exits, start: &Start) -> (f64, Vec<(u32, f64)>) {
    let since = |(clock, exit): &(u32, Timestamp)| {
        let mapped = start.base[*clock as usize].map(*exit);
        (*clock, start.windows.since_begin(mapped))
    };
    let mut members: Vec<(u32, f64)> = exits.first.iter().map(since).collect();
    members.sort_by_key(|(clock, _)| *clock);
    let first = members.iter().map(|(_, exit)| *exit);
    (first.fold(f64::INFINITY, f64::min), members)
}
