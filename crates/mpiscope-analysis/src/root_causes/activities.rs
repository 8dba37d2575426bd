//! What a location did when: activities and waiting, without gaps; and how long it did what within
//! an interval, however long that is.

use mpiscope_model::Timestamp;

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
    begins: Vec<Timestamp>,
    numbers: Vec<u32>,
    end: Timestamp,
    unnamed: usize,
}

impl<'a> Recorder<'a> {
    /// Begins with a location that waits at these times.
    pub fn new(waits: &'a [WaitState]) -> Recorder<'a> {
        Recorder {
            waits,
            begins: Vec::new(),
            numbers: Vec::new(),
            end: Timestamp::MIN,
            unnamed: 0,
        }
    }

    /// Adds an activity, or of it what was not waiting.
    #[inline]
    pub fn add(&mut self, begin: Timestamp, end: Timestamp, number: u32) {
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
        self.every = FEW.max(4 * of_all.len());
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
                *sum += (self.begins[at + 1] - self.begins[at]).0;
            }
        }
    }

    /// Returns the first stretch, from one on, that begins after a moment.
    #[inline]
    pub fn after(&self, from: usize, moment: Timestamp) -> usize {
        gallop(from, self.begins.len(), |at| self.begins[at] <= moment)
    }

    /// Tells the activities of an interval, which begins before stretch `next` does and after the
    /// one before did.
    #[inline]
    pub fn within(
        &self,
        next: usize,
        [since, until]: [Timestamp; 2],
        mut tell: impl FnMut(u32, i64),
    ) {
        let mut now = since;
        let mut next = next;
        loop {
            let ahead = next + 2 * self.every;
            if self.sums.is_empty() || self.begins.get(ahead).is_none_or(|it| *it >= until) {
                return self.few(next, [now, until], &mut tell);
            }
            // From a stretch at which sums are known to another one.
            let first = next.div_ceil(self.every) * self.every;
            self.few(next, [now, self.begins[first]], &mut tell);
            let last = (self.after(first, until) - 1) / self.every * self.every;
            let last = last.min((self.numbers.len() - 1) / self.every * self.every);
            self.between(first, last, &mut tell);
            now = self.begins[last];
            next = last + 1;
            if last <= first {
                return self.few(next, [now, until], &mut tell);
            }
        }
    }

    /// Tells sums from one stretch to another, both multiples.
    fn between(&self, first: usize, last: usize, tell: &mut impl FnMut(u32, i64)) {
        let width = self.of_all.len();
        let at = |stretch: usize| &self.sums[stretch / self.every * width..][..width];
        for ((before, after), number) in at(first).iter().zip(at(last)).zip(&self.of_all) {
            if after > before {
                tell(*number, after - before);
            }
        }
    }

    #[inline]
    fn few(
        &self,
        next: usize,
        [since, until]: [Timestamp; 2],
        tell: &mut impl FnMut(u32, i64),
    ) {
        let mut now = since;
        for at in next..=self.begins.len() {
            if now >= until {
                return;
            }
            let end = self.begins.get(at).map_or(until, |it| (*it).min(until));
            let number = at.checked_sub(1).and_then(|it| self.numbers.get(it));
            let known = number.is_none_or(|it| *it != WAITING);
            if known && end > now {
                let number = number.map_or(self.of_all.len().wrapping_sub(1), |it| *it as usize);
                tell(self.of_all.get(number).copied().unwrap_or(WAITING), (end - now).0);
            }
            now = now.max(end);
        }
    }
}

/// Returns the first number from one on that is not before something, of those less than `len`;
/// found the faster the nearer it is.
#[inline]
pub(super) fn gallop(from: usize, len: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let mut low = from.min(len);
    let mut step = 1;
    let mut high = loop {
        let probe = low + step - 1;
        if probe >= len || !is_before(probe) {
            break probe.min(len);
        }
        low = probe + 1;
        step *= 2;
    };
    while low < high {
        let middle = low + (high - low) / 2;
        match is_before(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}
