//! What exceeded, and what is charged to it.

use mpiscope_model::Duration;
use rustc_hash::FxHashMap;

use super::intervals::share;
use super::{Group, Rest};

/// What is charged.
pub(super) enum Term {
    /// A wait state's own time.
    Short(i64),
    /// What it propagated.
    Long(i64),
}

impl Term {
    pub fn amount(&self) -> i64 {
        match self {
            Term::Short(amount) | Term::Long(amount) => *amount,
        }
    }
}

/// What was charged to an activity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Charge {
    pub short_term: i64,
    pub long_term: i64,
    /// The most that was charged at once, and the wait state's location and number there.
    most: i64,
    pub of: (u32, u32),
}

impl Charge {
    pub fn merge(&mut self, other: &Charge) {
        self.short_term = self.short_term.saturating_add(other.short_term);
        self.long_term = self.long_term.saturating_add(other.long_term);
        // Of equal ones the first.
        if (-other.most, other.of) < (-self.most, self.of) {
            (self.most, self.of) = (other.most, other.of);
        }
    }
}

/// What was charged to all activities.
#[derive(Default)]
pub(super) struct Charges {
    /// By rank and the number of what was reached.
    pub all: FxHashMap<(u32, u32), Charge>,
    pub rest: Rest,
}

impl Charges {
    /// Charges a part of a wait state, nothing or more.
    pub fn add(
        &mut self,
        (rank, number): (u32, Option<u32>),
        part: i64,
        term: &Term,
        of: (u32, u32),
    ) {
        let Some(number) = number else {
            self.rest.unrecorded += Duration(part);
            return;
        };
        if part > 0 {
            let (short_term, long_term) = match term {
                Term::Short(_) => (part, 0),
                Term::Long(_) => (0, part),
            };
            let charge = Charge {
                short_term,
                long_term,
                most: part,
                of,
            };
            let sum = self.all.entry((rank, number));
            sum.or_default().merge(&charge);
        }
    }

    pub fn merge(&mut self, other: Charges) {
        for (of, charge) in other.all {
            self.all.entry(of).or_default().merge(&charge);
        }
        self.rest.unrecorded += other.rest.unrecorded;
        self.rest.contradicting += other.rest.contradicting;
        self.rest.without_excess += other.rest.without_excess;
    }

    pub fn merged(mut self, other: Charges) -> Charges {
        if self.all.len() < other.all.len() {
            return other.merged(self);
        }
        self.merge(other);
        self
    }
}

/// By how much what a location did exceeds what another did, each group by itself.
pub(super) struct Excess {
    groups_of: Vec<Group>,
    /// By number; nothing of what the location did not do.
    times: Vec<i64>,
    groups: Vec<OfGroup>,
    /// Those that the location did anything of, as they came.
    any: Vec<Group>,
    all: i64,
}

/// What a location did of a group.
#[derive(Clone, Default)]
struct OfGroup {
    numbers: Vec<u32>,
    /// Of all of it.
    exceeds: i64,
    /// Of those parts that exceed.
    parts: i64,
}

impl Excess {
    pub fn new(groups: &[Group]) -> Excess {
        let last = groups.iter().map(|it| it.0 as usize + 1).max();
        Excess {
            groups_of: groups.to_vec(),
            times: vec![0; groups.len()],
            groups: vec![OfGroup::default(); last.unwrap_or(0)],
            any: Vec::new(),
            all: 0,
        }
    }

    pub fn clear(&mut self) {
        for group in self.any.drain(..) {
            let group = &mut self.groups[group.0 as usize];
            let numbers = group.numbers.drain(..);
            numbers.for_each(|it| self.times[it as usize] = 0);
            group.exceeds = 0;
        }
    }

    /// Adds what the location did.
    #[inline]
    pub fn add(&mut self, number: u32, time: i64) {
        let of = self.groups_of[number as usize];
        let group = &mut self.groups[of.0 as usize];
        if group.numbers.is_empty() {
            self.any.push(of);
        }
        let sum = &mut self.times[number as usize];
        if *sum == 0 {
            group.numbers.push(number);
        }
        *sum = sum.saturating_add(time);
        group.exceeds = group.exceeds.saturating_add(time);
    }

    /// Takes off what the other did, after all was added.
    #[inline]
    pub fn take(&mut self, number: u32, time: i64) {
        let group = &mut self.groups[self.groups_of[number as usize].0 as usize];
        // What the location did not do exceeds nothing, and what is at zero stays there.
        if group.numbers.is_empty() {
            return;
        }
        group.exceeds = group.exceeds.saturating_sub(time);
        let sum = &mut self.times[number as usize];
        if *sum != 0 {
            *sum = sum.saturating_sub(time);
        }
    }

    /// Returns how much exceeds together.
    pub fn finish(&mut self) -> i64 {
        self.all = 0;
        for group in &self.any {
            let group = &mut self.groups[group.0 as usize];
            let parts = group.numbers.iter().map(|it| self.times[*it as usize]);
            group.parts = parts.fold(0, |sum, it| sum.saturating_add(it.max(0)));
            group.exceeds = group.exceeds.max(0);
            self.all = self.all.saturating_add(group.exceeds);
        }
        self.all
    }

    /// Shares an amount by excess: the running sum of shares is rounded down, in the order in which
    /// groups came, computation last; each shares its own in the same way.
    pub fn share(&self, amount: i64, mut tell: impl FnMut(Option<u32>, i64)) {
        let is_computation = |it: &&Group| **it == Group::COMPUTATION;
        let others = self.any.iter().filter(|it| !is_computation(it));
        let computation = self.any.iter().filter(is_computation);
        let mut shares = Shares::of(amount, self.all);
        for &of in others.chain(computation) {
            let group = &self.groups[of.0 as usize];
            let mut parts = Shares::of(shares.next(group.exceeds), group.parts);
            if group.exceeds == 0 {
                continue;
            }
            for &number in &group.numbers {
                let time = self.times[number as usize];
                if time > 0 {
                    let is_known = of != Group::UNRECORDED;
                    tell(is_known.then_some(number), parts.next(time));
                }
            }
        }
    }
}

/// An amount as it is shared out.
struct Shares {
    amount: i64,
    whole: i64,
    sum: i64,
    given: i64,
}

impl Shares {
    fn of(amount: i64, whole: i64) -> Shares {
        Shares {
            amount,
            whole,
            sum: 0,
            given: 0,
        }
    }

    /// Returns the share of the next part.
    fn next(&mut self, part: i64) -> i64 {
        self.sum = self.sum.saturating_add(part);
        let until = share(self.amount, self.sum, self.whole);
        let next = until - self.given;
        self.given = until;
        next
    }
}
