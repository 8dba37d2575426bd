//! The synchronization interval of each wait state, and what exceeded within it.

use mpiscope_model::{Duration, Timestamp};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::activities::Sums;
use super::charges::{Charges, Excess, Term};
use super::synchronized::Synchronized;
use super::Known;
use crate::gallop::gallop;
use crate::wait_states::WaitState;

/// The interval of one wait state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Interval {
    since: Timestamp,
    /// The stretches that begin next then: of the location that waited, and of the other.
    next: [u32; 2],
    /// The waits of the other that ended within.
    pub waits: [u32; 2],
    /// How long these are.
    pub waiting: i64,
    /// How long delays are.
    pub excess: i64,
}

impl Interval {
    /// Returns what of some time those waits propagated.
    #[inline]
    pub fn propagated(&self, time: i64) -> i64 {
        share(time, self.waiting, self.waiting.saturating_add(self.excess))
    }
}

/// Returns a part of an amount, rounded down.
#[inline]
pub(super) fn share(amount: i64, part: i64, whole: i64) -> i64 {
    if part == 0 || whole == 0 {
        return 0;
    }
    match amount.checked_mul(part) {
        Some(product) => product / whole,
        None => (i128::from(amount) * i128::from(part) / i128::from(whole)) as i64,
    }
}

/// The intervals of all wait states.
pub(super) struct Intervals {
    pub by_location: Vec<Vec<Interval>>,
}

/// What was seen last of a location that is waited for.
#[derive(Clone, Copy)]
struct Other {
    synchronized: Timestamp,
    /// Until when groups were looked at.
    looked: Timestamp,
    next: [u32; 2],
    waits: [u32; 2],
}

/// How long a location had waited before each of its waits.
type Waited = Vec<i64>;

impl Intervals {
    /// Finds them, and charges the time of each wait state to delays.
    pub fn find(known: &Known, synchronized: &Synchronized, charges: &mut Charges) -> Intervals {
        let waited: Vec<Waited> = known.waits.par_iter().map(waited).collect();
        let mut by_location: Vec<Vec<Interval>> = vec![Vec::new(); known.waits.len()];
        let look = Look {
            known,
            synchronized,
            waited: &waited,
        };
        let all = by_location.par_iter_mut().enumerate();
        let found = all.fold(
            || Worker::new(known),
            |mut worker, (location, intervals)| {
                *intervals = look.at(location, &mut worker);
                worker
            },
        );
        let found = found.map(|worker| worker.charges);
        charges.merge(found.reduce(Charges::default, Charges::merged));
        Intervals { by_location }
    }

    /// Charges what each wait state propagated to delays.
    pub fn charge_propagated(&self, known: &Known, amounts: &[i64], charges: &mut Charges) {
        let mut rest = amounts;
        let of_locations = self.by_location.iter().map(|it| {
            let (of_location, others) = rest.split_at(it.len());
            rest = others;
            of_location
        });
        let of_locations: Vec<&[i64]> = of_locations.collect();
        let all = of_locations.par_iter().zip(&self.by_location).enumerate();
        let found = all.fold(
            || Worker::new(known),
            |mut worker, (location, (amounts, intervals))| {
                let states = known.waits[location].iter().zip(intervals);
                let with_amounts = states.zip(*amounts).enumerate();
                for (at, ((state, interval), amount)) in with_amounts.filter(|it| *it.1 .1 > 0) {
                    worker.charge(known, state, interval, at, Term::Long(*amount));
                }
                worker
            },
        );
        let found = found.map(|worker| worker.charges);
        charges.merge(found.reduce(Charges::default, Charges::merged));
    }
}

fn waited(states: &Vec<WaitState>) -> Waited {
    let mut sum = 0_i64;
    let mut waited = Vec::with_capacity(states.len() + 1);
    for state in states {
        waited.push(sum);
        sum = sum.saturating_add(state.duration().0);
    }
    waited.push(sum);
    waited
}

/// What one thread needs to look at locations.
struct Worker {
    sums: Sums,
    excess: Excess,
    charges: Charges,
}

impl Worker {
    fn new(known: &Known) -> Worker {
        Worker {
            sums: Sums::default(),
            excess: Excess::new(&known.reached.groups),
            charges: Charges::default(),
        }
    }

    /// Compares what both did in an interval.
    fn compare(&mut self, known: &Known, state: &WaitState, interval: &Interval) -> i64 {
        let within = [interval.since, state.end];
        let [waits, other] = [state.call, state.cause].map(|event| event.location.index());
        let [next, next_of_other] = interval.next.map(|it| it as usize);
        let (excess, sums) = (&mut self.excess, &mut self.sums);
        excess.clear();
        let activities = &known.activities[other];
        activities.add_within(next_of_other, within, sums);
        activities.take(sums, |it, time| excess.add(it, time));
        let activities = &known.activities[waits];
        activities.add_within(next, within, sums);
        activities.take(sums, |it, time| excess.take(it, time));
        excess.finish()
    }

    fn charge(
        &mut self,
        known: &Known,
        state: &WaitState,
        interval: &Interval,
        at: usize,
        term: Term,
    ) {
        if interval.excess > 0 && matches!(term, Term::Long(_)) {
            self.compare(known, state, interval);
        }
        let amount = term.amount();
        let amount = amount - interval.propagated(amount);
        let rank = known.trace.locations[state.cause.location.index()].rank.0;
        let of = (state.call.location.0, at as u32);
        if state.contradicts {
            self.charges.rest.contradicting += Duration(amount);
        } else if interval.excess == 0 && interval.waiting == 0 {
            self.charges.rest.without_excess += Duration(amount);
        } else if interval.excess == 0 {
            debug_assert_eq!(amount, 0);
        } else {
            let charges = &mut self.charges;
            self.excess.share(amount, |number, part| {
                charges.add((rank, number), part, &term, of)
            });
        }
    }
}

/// What is known while intervals are looked for.
struct Look<'a> {
    known: &'a Known<'a>,
    synchronized: &'a Synchronized,
    waited: &'a [Waited],
}

impl Look<'_> {
    fn at(&self, location: usize, worker: &mut Worker) -> Vec<Interval> {
        let known = self.known;
        let begin = Other {
            synchronized: known.begin,
            looked: known.begin,
            next: [0; 2],
            waits: [0; 2],
        };
        let mut others: FxHashMap<u32, Other> = FxHashMap::default();
        if let Some((time, from)) = self.synchronized.begun[location] {
            others.entry(from).or_insert(begin).synchronized = time;
        }
        let mut caused = self.synchronized.caused[location].iter().peekable();
        let states = known.waits[location].iter().enumerate();
        let interval = |(at, state): (usize, &WaitState)| {
            let mut interval = Interval::default();
            if !state.contradicts {
                while let Some((time, waits)) = caused.next_if(|it| it.0 < state.end) {
                    others.entry(*waits).or_insert(begin).synchronized = *time;
                }
                let other = others.entry(state.cause.location.0).or_insert(begin);
                interval = self.interval(location, state, other);
                interval.excess = worker.compare(known, state, &interval);
            }
            let time = Term::Short(state.duration().0);
            worker.charge(known, state, &interval, at, time);
            interval
        };
        states.map(interval).collect()
    }

    fn interval(&self, location: usize, state: &WaitState, other: &mut Other) -> Interval {
        let cause = state.cause.location.index();
        let not_before = other.looked.max(other.synchronized);
        let both = [location, cause];
        let joint = self.synchronized.last_joint(both, not_before, state.end);
        let since = joint.unwrap_or(other.synchronized);
        let since = self.synchronized.since(since, state.begin);
        for (next, location) in other.next.iter_mut().zip(both) {
            *next = self.known.activities[location].after(*next as usize, since) as u32;
        }
        let waits = &self.known.waits[cause];
        let ended = |from: u32, by: Timestamp| {
            gallop(from as usize, waits.len(), |at| waits[at].end <= by) as u32
        };
        let first = ended(other.waits[0], since);
        other.waits = [first, ended(other.waits[1].max(first), state.end)];
        other.looked = state.end;
        other.synchronized = state.end;
        let waited = |at: u32| self.waited[cause][at as usize];
        Interval {
            since,
            next: other.next,
            waits: other.waits,
            waiting: waited(other.waits[1]) - waited(other.waits[0]),
            excess: 0,
        }
    }
}
