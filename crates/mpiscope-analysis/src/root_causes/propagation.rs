//! How much each wait state propagated: waits are looked at backwards in time, each after all that
//! it may have caused, and each passes on what it cost.
//!
//! What a wait state passes on to all waits in an interval is a density: so much per nanosecond of
//! them. A location's waits are looked at from the last to the first, with the sum of all densities
//! that hold there; thus the work does not grow with the length of intervals.

use super::intervals::{Interval, Intervals};
use crate::wait_states::WaitState;

/// What was propagated.
pub(super) struct Propagated {
    /// By each wait state of all locations, in their order.
    pub amounts: Vec<i64>,
    /// By wait states that waited themselves, of their own time.
    pub indirect: i64,
    /// By nobody: by the clocks, waits would have caused themselves.
    pub lost: i64,
}

/// Binary digits of densities behind the point: sums over hours of waiting are exact to less than a
/// nanosecond, and the last wait of an interval makes them exact.
const FRACTION: u32 = 48;

/// What changes at a wait, going back in time.
#[derive(Clone, Copy, Default)]
struct Change {
    /// To whom it is passed on from here.
    begins: u128,
    ends: u128,
    /// How much that is in all.
    amount: u64,
    /// How many must be looked at before: those that may pass on something, and the next one here.
    before: u32,
    done: bool,
}

/// How far a location is.
#[derive(Clone, Copy, Default)]
struct State {
    density: u128,
    /// What all waits until here ought to have.
    due: u128,
    /// What was to be passed on until here, and what was.
    begun: u128,
    given: u128,
}

struct Walk<'a> {
    waits: &'a [Vec<WaitState>],
    intervals: &'a Intervals,
    /// The number of each location's first wait.
    firsts: Vec<usize>,
    changes: Vec<Change>,
    states: Vec<State>,
    found: Propagated,
}

/// Follows all waiting back in time.
pub(super) fn propagate(waits: &[Vec<WaitState>], intervals: &Intervals) -> Propagated {
    let mut firsts = vec![0];
    for waits in waits {
        firsts.push(firsts[firsts.len() - 1] + waits.len());
    }
    let count = firsts[waits.len()];
    let mut walk = Walk {
        waits,
        intervals,
        firsts,
        changes: vec![Change::default(); count],
        states: vec![State::default(); waits.len()],
        found: Propagated {
            amounts: vec![0; count],
            indirect: 0,
            lost: 0,
        },
    };
    walk.count();
    walk.all();
    walk.found
}

/// Returns the last wait of an interval.
fn last(interval: &Interval) -> Option<usize> {
    let [first, end] = interval.waits;
    (first < end).then(|| end as usize - 1)
}

impl Walk<'_> {
    fn count(&mut self) {
        for (waits, intervals) in self.waits.iter().zip(&self.intervals.by_location) {
            for (state, interval) in waits.iter().zip(intervals) {
                if let Some(last) = last(interval) {
                    let other = state.cause.location.index();
                    self.changes[self.firsts[other] + last].before += 1;
                }
            }
        }
        for (location, waits) in self.waits.iter().enumerate() {
            let first = self.firsts[location];
            let but_last = waits.len().saturating_sub(1);
            let changes = &mut self.changes[first..first + but_last];
            changes.iter_mut().for_each(|it| it.before += 1);
        }
    }

    fn all(&mut self) {
        let mut ready: Vec<(usize, usize)> = Vec::new();
        let lasts = self.waits.iter().enumerate();
        let lasts = lasts.filter_map(|(at, waits)| Some((at, waits.len().checked_sub(1)?)));
        ready.extend(lasts.filter(|(at, last)| self.changes[self.firsts[*at] + last].before == 0));
        let mut done = 0;
        while let Some((location, at)) = ready.pop() {
            self.look(location, at, &mut ready);
            done += 1;
        }
        if done < self.changes.len() {
            self.circles();
        }
    }

    /// Looks at those that wait for each other in circles, as wrong clocks say: in the order of
    /// time.
    fn circles(&mut self) {
        let mut left: Vec<(usize, usize)> = Vec::new();
        for (location, waits) in self.waits.iter().enumerate() {
            let first = self.firsts[location];
            let numbers = (0..waits.len()).rev();
            let these = numbers.filter(|at| !self.changes[first + at].done);
            left.extend(these.map(|at| (location, at)));
        }
        // Stable, so that each location's last comes first.
        left.sort_by_key(|(location, at)| std::cmp::Reverse(self.waits[*location][*at].end));
        for (location, at) in left {
            self.look(location, at, &mut Vec::new());
        }
    }

    fn look(&mut self, location: usize, at: usize, ready: &mut Vec<(usize, usize)>) {
        let number = self.firsts[location] + at;
        let (state, interval) = (
            &self.waits[location][at],
            self.intervals.by_location[location][at],
        );
        let change = &mut self.changes[number];
        change.done = true;
        let amount = self.states[location].pass(change, state.duration().0);
        self.found.amounts[number] = amount;
        let own = interval.propagated(state.duration().0);
        self.found.indirect = self.found.indirect.saturating_add(own);
        let other = state.cause.location.index();
        if let Some(last) = last(&interval) {
            let passed_on = own.saturating_add(interval.propagated(amount));
            self.pass_on(passed_on, other, &interval);
            self.is_looked_at(other, last, ready);
        }
        if let Some(before) = at.checked_sub(1) {
            self.is_looked_at(location, before, ready);
        }
    }

    fn is_looked_at(&mut self, location: usize, at: usize, ready: &mut Vec<(usize, usize)>) {
        let change = &mut self.changes[self.firsts[location] + at];
        change.before = change.before.saturating_sub(1);
        if change.before == 0 && !change.done {
            ready.push((location, at));
        }
    }

    fn pass_on(&mut self, amount: i64, location: usize, interval: &Interval) {
        let [first, end] = interval.waits.map(|at| self.firsts[location] + at as usize);
        if amount <= 0 || interval.waiting <= 0 {
            return;
        }
        if self.changes[end - 1].done {
            self.found.lost = self.found.lost.saturating_add(amount);
            return;
        }
        let density = ((amount as u128) << FRACTION) / interval.waiting as u128;
        self.changes[end - 1].begins += density;
        let all = &mut self.changes[end - 1].amount;
        *all = all.saturating_add(amount as u64);
        self.changes[first].ends += density;
    }
}

impl State {
    /// Returns what a wait gets of all that is passed on there: the running sum is rounded down.
    fn pass(&mut self, change: &Change, time: i64) -> i64 {
        self.density += change.begins;
        self.begun += u128::from(change.amount);
        self.due += self.density * time.max(0) as u128;
        self.density -= change.ends;
        if self.density == 0 {
            self.due = self.begun << FRACTION;
        }
        let amount = (self.due >> FRACTION).saturating_sub(self.given);
        self.given += amount;
        i64::try_from(amount).unwrap_or(i64::MAX)
    }
}
