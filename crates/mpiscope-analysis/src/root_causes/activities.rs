//! What a location did when: activities and waiting, without gaps; and how long it did what within
//! an interval, however long that is.

use mpiscope_model::Timestamp;

use crate::gallop::gallop;
use crate::wait_states::WaitState;

/// No activity: the location waited.
const WAITING: u32 = u32::MAX;
/// An activity that is named when it has ended.
const LATER: u32 = u32::MAX - 1;

/// What a location did when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activities {
    /// When each stretch began; the last one is the end of all.
    begins: Vec<Timestamp>,
    /// What each was, by a number of this location.
    numbers: Vec<u32>,
    /// The numbers of all locations by those of this one; last what was before its begin.
    of_all: Vec<u32>,
    /// How long it had done what before each so many stretches.
    sums: Vec<i64>,
    every: usize,
}

/// Writes down what a location does, in the order of time.
pub(crate) struct Recorder<'a> {
    waits: &'a [WaitState],
    is_wanted: bool,
    begins: Vec<Timestamp>,
    numbers: Vec<u32>,
    end: Timestamp,
    unnamed: usize,
}

impl<'a> Recorder<'a> {
    /// Begins with a location that waits at these times; writes nothing down that is not wanted.
    pub fn new(waits: &'a [WaitState], is_wanted: bool) -> Recorder<'a> {
        Recorder {
            waits,
            is_wanted,
            begins: Vec::new(),
            numbers: Vec::new(),
            end: Timestamp::MIN,
            unnamed: 0,
        }
    }

    /// Adds an activity, or of it what was not waiting.
    #[inline]
    pub fn add(&mut self, begin: Timestamp, end: Timestamp, number: u32) {
        if !self.is_wanted {
            return;
        }
        let mut now = begin;
        while let Some(wait) = self.waits.first().filter(|it| it.begin < end) {
            self.push(now, wait.begin, number);
            now = now.max(wait.begin);
            self.push(now, wait.end.min(end), WAITING);
            now = now.max(wait.end.min(end));
            if wait.end > end {
                break;
            }
            self.waits = &self.waits[1..];
        }
        self.push(now, end, number);
    }

    /// Adds what [`name`](Recorder::name) will name.
    pub fn add_unnamed(&mut self, begin: Timestamp, end: Timestamp) {
        self.add(begin, end, LATER);
    }

    /// Names what was added without a name.
    pub fn name(&mut self, number: u32) {
        let unnamed = self.numbers[self.unnamed..].iter_mut();
        unnamed
            .filter(|it| **it == LATER)
            .for_each(|it| *it = number);
        self.unnamed = self.numbers.len();
    }

    #[inline]
    fn push(&mut self, begin: Timestamp, end: Timestamp, number: u32) {
        if end > begin {
            self.begins.push(begin);
            self.numbers.push(number);
            self.end = end;
        }
    }

    /// Ends it.
    pub fn finish(mut self) -> Activities {
        if !self.begins.is_empty() {
            self.begins.push(self.end);
        }
        Activities {
            begins: self.begins,
            numbers: self.numbers,
            ..Activities::default()
        }
    }
}

/// Stretches that are added up one by one, at least, of an interval.
const FEW: usize = 64;

impl Activities {
    /// Tells which activities of all locations its numbers are; last comes what was before.
    pub fn number(&mut self, of_all: Vec<u32>) {
        self.every = FEW.max(2 * of_all.len());
        self.of_all = of_all;
        if self.numbers.len() > 2 * self.every {
            self.add_up();
        }
    }

    fn add_up(&mut self) {
        let mut sums = vec![0; self.of_all.len()];
        for (at, number) in self.numbers.iter().enumerate() {
            if at % self.every == 0 {
                self.sums.extend_from_slice(&sums);
            }
            if let Some(sum) = sums.get_mut(*number as usize) {
                *sum = i64::saturating_add(*sum, (self.begins[at + 1] - self.begins[at]).0);
            }
        }
    }

    /// Returns the first stretch, from one on, that begins after a moment.
    #[inline]
    pub fn after(&self, from: usize, moment: Timestamp) -> usize {
        gallop(from, self.begins.len(), |at| self.begins[at] <= moment)
    }

    /// Adds up the activities of an interval, which begins before stretch `next` does and not before
    /// the last one did.
    pub fn add_within(&self, next: usize, [since, until]: [Timestamp; 2], sums: &mut Sums) {
        sums.make_room(self.of_all.len());
        let ahead = next + 2 * self.every;
        if self.sums.is_empty() || self.begins.get(ahead).is_none_or(|it| *it >= until) {
            return self.add_each(next, [since, until], sums);
        }
        // From a stretch at which sums are known to another one.
        let first = next.div_ceil(self.every) * self.every;
        let last = self.after(first, until).min(self.numbers.len()) - 1;
        let last = last / self.every * self.every;
        self.add_each(next, [since, self.begins[first]], sums);
        self.add_between(first, last, sums);
        self.add_each(last + 1, [self.begins[last], until], sums);
    }

    /// Adds what was from one stretch to another, at which sums are known.
    fn add_between(&self, first: usize, last: usize, sums: &mut Sums) {
        let width = self.of_all.len();
        let at = |stretch: usize| &self.sums[stretch / self.every * width..][..width];
        for (number, (before, after)) in at(first).iter().zip(at(last)).enumerate() {
            if after > before {
                sums.add(number, after - before);
            }
        }
    }

    fn add_each(&self, next: usize, [since, until]: [Timestamp; 2], sums: &mut Sums) {
        if since >= until {
            return;
        }
        let (waiting, outside) = (self.of_all.len(), self.of_all.len().saturating_sub(1));
        let mut now = since;
        if next == 0 {
            now = self.begins.first().map_or(until, |it| (*it).min(until));
            sums.add(outside, (now - since).0);
        }
        let ends = self.begins.get(next.max(1)..).unwrap_or_default();
        let numbers = &self.numbers[next.max(1) - 1..];
        for (&end, &number) in ends.iter().zip(numbers) {
            if now >= until {
                return;
            }
            let end = end.min(until);
            sums.add((number as usize).min(waiting), (end - now).0);
            now = end;
        }
        if until > now {
            sums.add(outside, (until - now).0);
        }
    }

    /// Tells sums by activities of all locations, and forgets them.
    pub fn take(&self, sums: &mut Sums, mut tell: impl FnMut(u32, i64)) {
        for number in sums.any.drain(..) {
            let time = std::mem::take(&mut sums.times[number]);
            if let Some(activity) = self.of_all.get(number) {
                tell(*activity, time);
            }
        }
    }
}

/// How long a location did what, by its own numbers; last waiting.
#[derive(Default)]
pub(crate) struct Sums {
    times: Vec<i64>,
    /// Those that are not zero.
    any: Vec<usize>,
}

impl Sums {
    fn make_room(&mut self, numbers: usize) {
        if self.times.len() <= numbers {
            self.times.resize(numbers + 1, 0);
        }
    }

    #[inline(always)]
    fn add(&mut self, number: usize, time: i64) {
        let sum = &mut self.times[number];
        if *sum == 0 {
            self.any.push(number);
        }
        *sum = sum.saturating_add(time);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns how long what was done, by the numbers of all.
    fn within(activities: &Activities, since: i64, until: i64) -> Vec<i64> {
        let mut sums = Sums::default();
        let interval = [since, until].map(Timestamp);
        let next = activities.after(0, interval[0]);
        activities.add_within(next, interval, &mut sums);
        let mut all = vec![0; 10];
        activities.take(&mut sums, |activity, time| all[activity as usize] += time);
        all
    }

    proptest! {
        #[test]
        fn long_intervals_add_up_to_what_their_parts_do(
            stretches in prop::collection::vec((0..6u32, 0..9i64), 0..900),
            [from, to] in [0..5000i64, 0..5000i64],
        ) {
            let mut recorder = Recorder::new(&[], true);
            let mut now = 7;
            for &(number, length) in &stretches {
                // What is named later is the number 5.
                match number {
                    5 => recorder.add_unnamed(Timestamp(now), Timestamp(now + length)),
                    _ => recorder.add(Timestamp(now), Timestamp(now + length), number),
                }
                now += length;
            }
            recorder.name(5);
            let mut activities = recorder.finish();
            activities.number(vec![9, 8, 7, 6, 5, 4, 3]);
            let (since, until) = (from.min(to), from.max(to));
            let mut expected = vec![0; 10];
            let mut begin = 7;
            let overlap = |begin: i64, end: i64| (end.min(until) - begin.max(since)).max(0);
            for (number, length) in stretches {
                expected[9 - number as usize] += overlap(begin, begin + length);
                begin += length;
            }
            // Before the first stretch and after the last one.
            expected[3] += overlap(i64::MIN / 2, 7) + overlap(now, i64::MAX / 2);
            prop_assert_eq!(within(&activities, since, until), expected);
        }
    }
}
