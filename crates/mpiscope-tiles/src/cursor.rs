//! A moment of a location that goes forward in time, and what was done until then.

use std::ops::Range;

use mpiscope_model::EventKind;

use crate::bins::{Bins, Done};
use crate::class::{Class, CLASSES};
use crate::line::Line;
use crate::state::{Doing, Place, State};
use crate::sums::STRIDE;

/// A moment of a location.
pub(crate) struct Cursor<'a, 'b> {
    line: &'b Line<'a>,
    state: State<'a>,
    /// The next event.
    index: u32,
    now: u64,
    doing: Doing,
    done: Done,
    /// The next call that waited.
    wait: usize,
    /// Until when the last one waited.
    waits_until: u64,
    /// Time by region since it was last asked for; nothing if nobody asks.
    votes: Option<Votes>,
}

/// Time by region, as far as it was looked at event by event.
#[derive(Default)]
pub(crate) struct Votes {
    regions: Vec<(u32, u64)>,
}

impl<'a, 'b> Cursor<'a, 'b> {
    /// Begins at the begin of the run.
    pub fn new(line: &'b Line<'a>) -> Self {
        Cursor {
            state: State::new(line.regions, Place::BEGIN),
            line,
            index: 0,
            now: 0,
            doing: Doing::NOTHING,
            done: Done::default(),
            wait: 0,
            waits_until: 0,
            votes: None,
        }
    }

    /// Returns what was done until now.
    pub fn done(&self) -> Done {
        self.done
    }

    /// Goes forward to a moment.
    pub fn go_to(&mut self, moment: u64) {
        let next = self.line.next_after(self.index, moment);
        if next == self.line.len() && next > self.index && self.votes.is_none() {
            self.end();
        }
        // The last event that is passed, and so the place, is not after the moment.
        let place = next.saturating_sub(1) / STRIDE;
        if place * STRIDE > self.index {
            self.jump(place);
        }
        let line = self.line;
        line.pieces(self.index..next, |piece| {
            piece.each(|_, time, event| {
                self.pass(time);
                self.take(event);
            });
        });
        self.pass(moment);
    }

    /// Goes behind the last event, without a look at those before it.
    fn end(&mut self) {
        let line = self.line;
        let len = line.len();
        self.now = line.time(len - 1);
        self.done = line.sums.total;
        self.done.0[Class::Nothing.index()] += line.time(0);
        self.index = len;
        self.wait = line.waits.before(len);
        (self.doing, self.waits_until) = (Doing::NOTHING, 0);
    }

    /// Goes to a place with sums, which is not before now.
    fn jump(&mut self, place: u32) {
        let line = self.line;
        let before = self.done.all();
        let index = place * STRIDE;
        let time = line.time(index);
        self.done = line.sums.until(place as usize);
        let first = line.time(0);
        let others: u64 = self.done.classes().iter().sum();
        self.done.0[Class::Computation.index()] = time - first - others;
        self.done.0[Class::Nothing.index()] = first;
        self.state.move_to(line.sums.place(place as usize));
        self.index = index;
        self.now = time;
        self.wait = line.waits.before(index);
        let earlier = self.wait.checked_sub(1).and_then(|at| line.waits.get(at));
        self.waits_until = earlier.map_or(0, |wait| line.waits_until(wait, time));
        self.doing = match index {
            0 => Doing::NOTHING,
            _ => self.state.doing(&line.sums.frames),
        };
        let passed = self.done.all() - before;
        let region = self.doing.region;
        if let Some(votes) = &mut self.votes {
            votes.add(region, u64::try_from(passed).unwrap_or(u64::MAX));
        }
    }

    /// Lets time pass in which nothing happens.
    #[inline]
    fn pass(&mut self, until: u64) {
        let passed = until - self.now;
        self.done.0[self.doing.class.index()] += passed;
        if self.waits_until > self.now {
            self.done.0[CLASSES] += self.waits_until.min(until) - self.now;
        }
        if let Some(votes) = &mut self.votes {
            votes.add(self.doing.region, passed);
        }
        self.now = until;
    }

    /// Takes the next event, which happens now.
    #[inline]
    fn take(&mut self, event: (EventKind, u32)) {
        let frames = &self.line.sums.frames;
        self.state.step(frames, self.index, event, |_| {});
        let wait = self.line.waits.get(self.wait);
        if let Some((_, lasted)) = wait.filter(|it| it.0 == self.index) {
            self.waits_until = self.now.saturating_add(lasted);
            self.wait += 1;
        }
        self.index += 1;
        if self.index == self.line.len() {
            // Who has ended does nothing more, and waits for nobody.
            (self.doing, self.waits_until) = (Doing::NOTHING, 0);
        } else {
            self.doing = self.state.doing(frames);
        }
    }

    /// Fills bins, the first of which begins now; tells of bins, in order, the region that takes
    /// most of them, if somebody asks.
    pub fn fill(
        &mut self,
        bins: &mut Bins,
        shift: u32,
        from: u64,
        mut told: impl FnMut(Range<usize>, u32),
    ) {
        let edge = |bin: usize| {
            let edge = u128::from(from) + ((bin as u128) << shift);
            u64::try_from(edge).unwrap_or(u64::MAX)
        };
        let mut bin = 0;
        while bin < bins.len() {
            let whole = self.whole_bins(shift).clamp(1, bins.len() - bin);
            let next = bin + whole;
            if whole > 1 {
                let waits = self.waits_until > self.now;
                bins.run(bin..next, self.doing.class, waits);
                self.go_to(edge(next));
            } else {
                let before = self.done;
                self.go_to(edge(next));
                bins.add(bin, &self.done.since(&before));
            }
            if self.votes.is_some() {
                told(bin..next, self.answer());
            }
            bin = next;
        }
    }

    /// Returns how many bins pass before anything changes.
    fn whole_bins(&self, shift: u32) -> usize {
        let next = match self.index < self.line.len() {
            true => self.line.time(self.index),
            false => u64::MAX,
        };
        let change = match self.waits_until > self.now {
            true => next.min(self.waits_until),
            false => next,
        };
        ((change - self.now) >> shift)
            .try_into()
            .unwrap_or(usize::MAX)
    }

    /// Begins to note which regions take the time.
    pub fn ask(&mut self) {
        self.votes = Some(Votes::default());
    }

    /// Returns the region that took most of the time since this was last asked.
    pub fn answer(&mut self) -> u32 {
        let votes = self.votes.get_or_insert_default();
        let most = votes
            .regions
            .iter()
            .max_by_key(|(region, ns)| (*ns, std::cmp::Reverse(*region)));
        let region = most.map_or(crate::encode::NONE, |(region, _)| *region);
        votes.regions.clear();
        region
    }
}

impl Votes {
    fn add(&mut self, region: u32, ns: u64) {
        if ns == 0 {
            return;
        }
        match self.regions.iter_mut().find(|(known, _)| *known == region) {
            Some((_, sum)) => *sum += ns,
            None => self.regions.push((region, ns)),
        }
    }
}
