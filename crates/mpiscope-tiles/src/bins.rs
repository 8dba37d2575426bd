//! What was done in equal parts of time: nanoseconds of each class, and of waiting, by bin.

use std::ops::Range;

use crate::class::{Class, CLASSES};

/// The classes, and waiting, which is a part of them.
pub(crate) const PARTS: usize = CLASSES + 1;

/// How long each class was what was done, and how long of it was waiting, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done(pub(crate) [u64; PARTS]);

impl Done {
    /// Returns the time of a class.
    pub fn of(&self, class: Class) -> u64 {
        self.0[class.index()]
    }

    /// Returns the time in wait states.
    pub fn waiting(&self) -> u64 {
        self.0[CLASSES]
    }

    /// Returns the times of all classes, in the order of their numbers.
    pub fn classes(&self) -> &[u64] {
        &self.0[..CLASSES]
    }

    /// Returns the time of all classes together.
    pub fn all(&self) -> u128 {
        self.classes().iter().map(|ns| u128::from(*ns)).sum()
    }

    /// Returns the time in which something was done that is known: all but not recorded, and
    /// before the begin and after the end.
    pub fn lived(&self) -> u128 {
        self.all() - u128::from(self.of(Class::Nothing))
    }

    /// Returns the class in which all time was spent, if it was one.
    pub fn only(&self) -> Option<Class> {
        let mut classes = Class::ALL.into_iter().filter(|class| self.of(*class) > 0);
        classes.next().filter(|_| classes.next().is_none())
    }

    pub(crate) fn add(&mut self, other: &Done) {
        for (sum, part) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(part);
        }
    }

    /// Returns what was done since an earlier moment.
    pub(crate) fn since(&self, earlier: &Done) -> Done {
        Done(std::array::from_fn(|at| self.0[at] - earlier.0[at]))
    }
}

/// Bins of one width that are being filled, by one location or by many.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    shift: u32,
    done: Vec<Done>,
    /// How many whole bins of a part begin here, less those that ended before: what lasts for many
    /// bins costs no more than what lasts for one.
    runs: Vec<[i32; PARTS]>,
}

impl Bins {
    pub fn new(shift: u32, bins: usize) -> Bins {
        Bins {
            shift,
            done: vec![Done::default(); bins],
            runs: vec![[0; PARTS]; bins + 1],
        }
    }

    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Adds what was done in one bin.
    pub fn add(&mut self, bin: usize, done: &Done) {
        self.done[bin].add(done);
    }

    /// Adds bins that are of one class as a whole, and are waiting as a whole or not at all.
    pub fn run(&mut self, bins: Range<usize>, class: Class, waits: bool) {
        for part in [Some(class.index()), waits.then_some(CLASSES)] {
            let Some(part) = part else { continue };
            self.runs[bins.start][part] += 1;
            self.runs[bins.end][part] -= 1;
        }
    }

    /// Adds all that other bins of the same width and number have.
    pub fn merge(mut self, other: &Bins) -> Bins {
        for (done, other) in self.done.iter_mut().zip(&other.done) {
            done.add(other);
        }
        let runs = self.runs.iter_mut().flatten();
        runs.zip(other.runs.iter().flatten())
            .for_each(|(a, b)| *a += b);
        self
    }

    /// Returns what was done in each bin.
    pub fn finish(self) -> Vec<Done> {
        let mut whole = [0i32; PARTS];
        let mut done = self.done;
        for (done, runs) in done.iter_mut().zip(&self.runs) {
            for part in 0..PARTS {
                whole[part] += runs[part];
                let whole = u128::from(whole[part].unsigned_abs()) << self.shift;
                let whole = u64::try_from(whole).unwrap_or(u64::MAX);
                done.0[part] = done.0[part].saturating_add(whole);
            }
        }
        done
    }
}

impl std::ops::AddAssign for Done {
    fn add_assign(&mut self, other: Done) {
        self.add(&other);
    }
}
