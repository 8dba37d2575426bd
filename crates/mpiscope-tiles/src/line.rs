//! All that is known of one location by one clock, wherever its events are.

use std::cell::RefCell;
use std::sync::Arc;

use mpiscope_model::{EventKind, Events, Timestamp};

use crate::bins::Bins;
use crate::blocks::Blocks;
use crate::class::Regions;
use crate::cursor::Cursor;
use crate::state::{Place, State};
use crate::sums::{between, Sums, STRIDE};
use crate::waits::Waits;

/// A location by a clock. Who looks at it by several threads makes one for each.
#[derive(Clone)]
pub(crate) struct Line<'a> {
    pub place: Where<'a>,
    pub regions: &'a Regions,
    pub sums: &'a Sums,
    pub waits: &'a Waits,
    pub start: Timestamp,
}

/// Where events are.
#[derive(Clone)]
pub(crate) enum Where<'a> {
    /// In memory, with times that do not go back.
    Columns {
        events: &'a Events,
        times: &'a [Timestamp],
    },
    /// In blocks.
    Blocks(InBlocks<'a>),
}

/// Events in blocks, one of which is at hand.
#[derive(Clone)]
pub(crate) struct InBlocks<'a> {
    pub blocks: &'a Blocks,
    /// Number and name.
    pub clock: (u32, &'a str),
    pub location: u32,
    pub at_hand: RefCell<Option<AtHand>>,
}

/// A block with its times.
#[derive(Clone)]
pub(crate) struct AtHand {
    number: u32,
    events: Arc<Events>,
    /// Those that do not go back.
    times: Arc<Vec<Timestamp>>,
}

impl InBlocks<'_> {
    /// Shows the block of an event, and the event's place in it.
    fn at<T>(&self, index: u32, sums: &Sums, look: impl FnOnce(&AtHand, usize) -> T) -> T {
        let number = index / STRIDE;
        let mut at_hand = self.at_hand.borrow_mut();
        let there = at_hand.take().filter(|it| it.number == number);
        let there = there.unwrap_or_else(|| self.read(number, sums));
        let found = look(&there, (index % STRIDE) as usize);
        *at_hand = Some(there);
        found
    }

    #[cold]
    fn read(&self, number: u32, sums: &Sums) -> AtHand {
        let events = self.blocks.events(self.location, number);
        let other = self.blocks.times(self.clock, self.location, number);
        let recorded = other.as_deref().map_or(events.times(), |it| &it[..]);
        let first = sums.times.get(number as usize).copied();
        let first = first.unwrap_or(Timestamp::MIN);
        let times = match other {
            Some(times) if times.is_sorted() && times.first().is_none_or(|it| *it >= first) => {
                times
            }
            _ => {
                let mut latest = first;
                let forward = recorded.iter().map(|time| {
                    latest = latest.max(*time);
                    latest
                });
                Arc::new(forward.collect())
            }
        };
        AtHand {
            number,
            events,
            times,
        }
    }
}

impl<'a> Line<'a> {
    /// Returns when an event happened, from the start of the run.
    #[inline]
    pub fn time(&self, index: u32) -> u64 {
        let time = match &self.place {
            Where::Columns { times, .. } => times[index as usize],
            Where::Blocks(_) if index.is_multiple_of(STRIDE) => {
                self.sums.times[(index / STRIDE) as usize]
            }
            Where::Blocks(_) if index + 1 == self.sums.len => self.sums.end,
            Where::Blocks(blocks) => blocks.at(index, self.sums, |block, at| block.times[at]),
        };
        between(self.start, time)
    }

    pub fn len(&self) -> u32 {
        self.sums.len
    }

    /// Returns kind and argument of an event.
    #[inline]
    pub fn event(&self, index: u32) -> (EventKind, u32) {
        let (kind, arg) =
            self.with_event(index, |events, at| (events.kinds()[at], events.args()[at]));
        match kind {
            // Its end may lie in another block.
            EventKind::MpiCollectiveBegin => (kind, self.sums.end_of_begin(index)),
            _ => (kind, arg),
        }
    }

    /// Shows some of the location's events, and which of them is the one asked for.
    #[inline]
    pub fn with_event<T>(&self, index: u32, look: impl FnOnce(&Events, usize) -> T) -> T {
        match &self.place {
            Where::Columns { events, .. } => look(events, index as usize),
            Where::Blocks(blocks) => {
                blocks.at(index, self.sums, |block, at| look(&block.events, at))
            }
        }
    }

    /// Returns how many events happened before a moment.
    pub fn before(&self, moment: u64) -> u32 {
        self.passed(0, |time| time < moment)
    }

    /// Returns the first event after a moment, from an event on that is not.
    pub fn next_after(&self, from: u32, moment: u64) -> u32 {
        self.passed(from, |time| time <= moment)
    }

    /// Returns the first event from one on that has not passed: it is looked for in steps that
    /// become longer, as it is near as a rule.
    fn passed(&self, from: u32, has: impl Fn(u64) -> bool) -> u32 {
        let has = |time: &Timestamp| has(between(self.start, *time));
        let gallop = |times: &[Timestamp]| {
            let mut step = 1;
            while times.get(step - 1).is_some_and(has) {
                step *= 2;
            }
            let within = &times[step / 2..times.len().min(step)];
            (step / 2 + within.partition_point(has)) as u32
        };
        match &self.place {
            Where::Columns { times, .. } => from + gallop(&times[from as usize..]),
            Where::Blocks(_) if from >= self.len() => from,
            Where::Blocks(blocks) => {
                let first = from / STRIDE;
                let places = &self.sums.times[first as usize + 1..];
                let block = first + gallop(places);
                if block > first
                    || !from.is_multiple_of(STRIDE)
                    || has(&self.sums.times[first as usize])
                {
                    let begin = block * STRIDE;
                    let within = |block: &AtHand, _| block.times.partition_point(has) as u32;
                    (begin + blocks.at(begin, self.sums, within)).max(from)
                } else {
                    from
                }
            }
        }
    }

    /// Returns the state before an event.
    pub fn state_before(&self, index: u32) -> State<'a> {
        let mut state = State::new(self.regions, Place::BEGIN);
        let mut at = 0;
        if self.sums.places() > 0 {
            let place = (index / STRIDE).min(self.sums.places() as u32 - 1);
            state.move_to(self.sums.place(place as usize));
            at = place * STRIDE;
        }
        (at..index).for_each(|at| self.step(&mut state, at, |_| {}));
        state
    }

    /// Has a state take an event; tells which frames it ends, innermost first.
    #[inline]
    pub fn step(&self, state: &mut State, index: u32, ended: impl FnMut(crate::state::Frame)) {
        state.step(&self.sums.frames, index, self.event(index), ended);
    }

    /// Fills bins that begin at a moment.
    pub fn fill(&self, bins: &mut Bins, shift: u32, from: u64) {
        let mut cursor = Cursor::new(self);
        cursor.go_to(from);
        cursor.fill(bins, shift, from);
    }
}
