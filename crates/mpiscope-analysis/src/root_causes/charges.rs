//! What exceeded, and what is charged to it.

use mpiscope_model::Duration;
use rustc_hash::FxHashMap;

use super::intervals::share;
use super::{Class, Rest};

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
    fn merge(&mut self, other: &Charge) {
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
    /// By rank and activity.
    pub by_activity: FxHashMap<(u32, u32), Charge>,
    pub rest: Rest,
}

impl Charges {
    /// Charges a part of a wait state, nothing or more.
    pub fn add(
        &mut self,
        (rank, activity): (u32, Option<u32>),
        part: i64,
        term: &Term,
        of: (u32, u32),
    ) {
        let Some(activity) = activity else {
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
            let sum = self.by_activity.entry((rank, activity));
            sum.or_default().merge(&charge);
        }
    }

    pub fn merge(&mut self, other: Charges) {
        for (of, charge) in other.by_activity {
            self.by_activity.entry(of).or_default().merge(&charge);
        }
        self.rest.unrecorded += other.rest.unrecorded;
        self.rest.contradicting += other.rest.contradicting;
        self.rest.without_excess += other.rest.without_excess;
    }

    pub fn merged(mut self, other: Charges) -> Charges {
        if self.by_activity.len() < other.by_activity.len() {
            return other.merged(self);
        }
        self.merge(other);
        self
    }
}

/// By how much each activity of a location exceeds that of another.
pub(super) struct Excess {
    classes: Vec<Class>,
    /// By activity; nothing of those that the location has not.
    times: Vec<i64>,
    /// Those that it has.
    any: Vec<u32>,
    /// Of all computation.
    computation: i64,
    /// Of its parts that exceed.
    parts: i64,
    all: i64,
}

impl Excess {
    pub fn new(classes: &[Class]) -> Excess {
        Excess {
            classes: classes.to_vec(),
            times: vec![0; classes.len()],
            any: Vec::new(),
            computation: 0,
            parts: 0,
            all: 0,
        }
    }

    pub fn clear(&mut self) {
        let times = &mut self.times;
        self.any.drain(..).for_each(|it| times[it as usize] = 0);
        self.computation = 0;
    }

    /// Adds what the location did.
    #[inline]
    pub fn add(&mut self, activity: u32, time: i64) {
        let sum = &mut self.times[activity as usize];
        if *sum == 0 {
            self.any.push(activity);
        }
        *sum = sum.saturating_add(time);
        if self.classes[activity as usize] == Class::Computation {
            self.computation = self.computation.saturating_add(time);
        }
    }

    /// Takes off what the other did, after all was added.
    #[inline]
    pub fn take(&mut self, activity: u32, time: i64) {
        let sum = &mut self.times[activity as usize];
        // What is at zero exceeds nothing, and stays there.
        if *sum != 0 {
            *sum = sum.saturating_sub(time);
        }
        if self.classes[activity as usize] == Class::Computation {
            self.computation = self.computation.saturating_sub(time);
        }
    }

    /// Returns how much exceeds together.
    pub fn finish(&mut self) -> i64 {
        self.computation = self.computation.max(0);
        self.all = self.computation;
        self.parts = 0;
        for &activity in &self.any {
            let time = self.times[activity as usize].max(0);
            match self.classes[activity as usize] {
                Class::Computation => self.parts = self.parts.saturating_add(time),
                _ => self.all = self.all.saturating_add(time),
            }
        }
        self.all
    }

    /// Shares an amount by excess: the running sum of shares is rounded down, in the order in which
    /// the activities came; computation comes last, and shares its own in the same way.
    pub fn share(&self, amount: i64, mut tell: impl FnMut(Option<u32>, i64)) {
        let (mut sum, mut given) = (0_i64, 0);
        for (activity, class, time) in self.exceeding() {
            if class != Class::Computation {
                sum = sum.saturating_add(time);
                let until = share(amount, sum, self.all);
                tell((class == Class::Itself).then_some(activity), until - given);
                given = until;
            }
        }
        let amount = amount - given;
        if self.computation == 0 {
            return;
        }
        (sum, given) = (0, 0);
        for (activity, class, time) in self.exceeding() {
            if class == Class::Computation {
                sum = sum.saturating_add(time);
                let until = share(amount, sum, self.parts);
                tell(Some(activity), until - given);
                given = until;
            }
        }
    }

    fn exceeding(&self) -> impl Iterator<Item = (u32, Class, i64)> + '_ {
        let all = self.any.iter();
        let all = all.map(|&it| (it, self.classes[it as usize], self.times[it as usize]));
        all.filter(|it| it.2 > 0)
    }
}
