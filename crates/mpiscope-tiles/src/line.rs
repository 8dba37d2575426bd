//! All that is known of one location by one clock, wherever its events are.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use mpiscope_model::{EventKind, Events, Timestamp};

use crate::bins::{Bins, Done};
use crate::blocks::Blocks;
use crate::class::{Class, Regions};
use crate::cursor::Cursor;
use crate::encode::NONE;
use crate::sites::Sites;
use crate::state::{Place, State};
use crate::sums::{between, Sums, STRIDE};
use crate::tile::{Tile, BINS};
use crate::waits::Waits;

/// A location by a clock. Who looks at it by several threads makes one for each.
#[derive(Clone)]
pub(crate) struct Line<'a> {
    pub place: Where<'a>,
    pub regions: &'a Regions,
    pub sites: &'a Sites,
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
    /// What events begin and end is all that is looked at, mostly of many blocks once each.
    pub in_outline: bool,
    pub at_hand: RefCell<[Option<Arc<AtHand>>; 2]>,
}

/// A block with its times.
pub(crate) struct AtHand {
    number: u32,
    events: Arc<Events>,
    /// Times that do not go back; nothing if they are the events' own.
    times: Option<Arc<Vec<Timestamp>>>,
}

impl AtHand {
    fn times(&self) -> &[Timestamp] {
        match &self.times {
            Some(times) => times,
            None => self.events.times(),
        }
    }
}

impl InBlocks<'_> {
    /// Returns the block of an event. The one before it stays at hand, too: who has come to a
    /// block often looks back once.
    fn at(&self, index: u32, sums: &Sums) -> Arc<AtHand> {
        let number = index / STRIDE;
        let mut at_hand = self.at_hand.borrow_mut();
        let mut known = at_hand.iter().flatten();
        if let Some(there) = known.find(|it| it.number == number) {
            return there.clone();
        }
        let there = Arc::new(self.read(number, sums));
        at_hand.swap(0, 1);
        at_hand[0] = Some(there.clone());
        there
    }

    #[cold]
    fn read(&self, number: u32, sums: &Sums) -> AtHand {
        let (blocks, location) = (self.blocks, self.location);
        let (events, other) = match self.in_outline {
            true => (
                blocks.outline(location, number),
                blocks.passing_times(self.clock, location, number),
            ),
            false => (
                blocks.events(location, number),
                blocks.times(self.clock, location, number),
            ),
        };
        let recorded = other.as_deref().map_or(events.times(), |it| &it[..]);
        let first = sums.times.get(number as usize).copied();
        let first = first.unwrap_or(Timestamp::MIN);
        let times = match recorded.is_sorted() && recorded.first().is_none_or(|it| *it >= first) {
            true => other,
            false => {
                let mut latest = first;
                let forward = recorded.iter().map(|time| {
                    latest = latest.max(*time);
                    latest
                });
                Some(Arc::new(forward.collect()))
            }
        };
        AtHand {
            number,
            events,
            times,
        }
    }
}

/// Events that follow each other, and when each happened.
pub(crate) struct Piece<'a> {
    times: &'a [Timestamp],
    kinds: &'a [EventKind],
    args: &'a [u32],
    first: u32,
    /// The events that these are of, and which of them is the first.
    of: (&'a Events, usize),
    line: &'a Line<'a>,
}

impl Piece<'_> {
    /// Shows each event: its number, when it happened, its kind and argument.
    #[inline]
    pub fn each(&self, mut look: impl FnMut(u32, u64, (EventKind, u32))) {
        let events = self.kinds.iter().zip(self.args).zip(self.times);
        for (((kind, arg), time), index) in events.zip(self.first..) {
            let event = self.line.sums.whole(index, (*kind, *arg));
            look(index, between(self.line.start, *time), event);
        }
    }

    /// Returns where one of the events calls a region; see [`Line::site`].
    #[inline]
    pub fn site(&self, index: u32, region: u32) -> u32 {
        let (events, first) = self.of;
        match self.line.has_site(region) {
            true => {
                let at = first + (index - self.first) as usize;
                self.line.sites.alike(events.call_site(at))
            }
            false => NONE,
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
            Where::Blocks(blocks) => blocks.at(index, self.sums).times()[(index % STRIDE) as usize],
        };
        between(self.start, time)
    }

    pub fn len(&self) -> u32 {
        self.sums.len
    }

    /// Returns until when a call waited that began before now, or a moment before now: that waiting
    /// is over is mostly known without a look at the call.
    pub fn waits_until(&self, (call, lasted): (u32, u64), now: u64) -> u64 {
        let next = self.sums.times.get((call / STRIDE) as usize + 1);
        let latest = next.map(|time| between(self.start, *time).saturating_add(lasted));
        match latest.filter(|latest| *latest <= now) {
            Some(_) => 0,
            None => self.time(call).saturating_add(lasted),
        }
    }

    /// Returns kind and argument of an event.
    #[inline]
    pub fn event(&self, index: u32) -> (EventKind, u32) {
        let alone = |events: &Events, at: usize| (events.kinds()[at], events.args()[at]);
        self.sums.whole(index, self.with_event(index, alone))
    }

    /// Shows some of the location's events, and which of them is the one asked for: not of a line
    /// in outline, which has not all of them.
    #[inline]
    pub fn with_event<T>(&self, index: u32, look: impl FnOnce(&Events, usize) -> T) -> T {
        match &self.place {
            Where::Columns { events, .. } => look(events, index as usize),
            Where::Blocks(blocks) => {
                let block = blocks.at(index, self.sums);
                look(&block.events, (index % STRIDE) as usize)
            }
        }
    }

    /// Returns where an event calls a region, the first of all call sites that are written alike;
    /// [`NONE`] if nobody told.
    pub fn site(&self, enter: u32, region: u32) -> u32 {
        match self.has_site(region) {
            true => self.with_event(enter, |events, at| self.sites.alike(events.call_site(at))),
            false => NONE,
        }
    }

    /// Returns whether calls of a region may tell where they stand: the program's own functions do
    /// not, and they were entered long ago as a rule.
    fn has_site(&self, region: u32) -> bool {
        !self.sites.is_empty() && self.regions.class(region) != Class::Computation
    }

    /// Shows events in pieces, block by block: what looks at many of them does not look each one
    /// up.
    #[inline]
    pub fn pieces(&self, range: Range<u32>, mut look: impl FnMut(Piece<'_>)) {
        let mut show = |events: &Events, times: &[Timestamp], begin: u32, range: Range<u32>| {
            let within = (range.start - begin) as usize..(range.end - begin) as usize;
            look(Piece {
                times: &times[within.clone()],
                kinds: &events.kinds()[within.clone()],
                args: &events.args()[within.clone()],
                first: range.start,
                of: (events, within.start),
                line: self,
            });
        };
        match &self.place {
            _ if range.is_empty() => {}
            Where::Columns { events, times } => show(events, times, 0, range),
            Where::Blocks(blocks) => {
                for number in range.start / STRIDE..=(range.end - 1) / STRIDE {
                    let begin = number * STRIDE;
                    let end = begin.saturating_add(STRIDE).min(range.end);
                    let block = blocks.at(begin, self.sums);
                    let part = range.start.max(begin)..end;
                    show(&block.events, block.times(), begin, part);
                }
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
            // The end of a run is asked for often: not one block need be read.
            Where::Blocks(_) if has(&self.sums.end) => self.len(),
            Where::Blocks(blocks) => {
                let first = from / STRIDE;
                let places = &self.sums.times[first as usize + 1..];
                let block = first + gallop(places);
                if block > first
                    || !from.is_multiple_of(STRIDE)
                    || has(&self.sums.times[first as usize])
                {
                    let begin = block * STRIDE;
                    let block = blocks.at(begin, self.sums);
                    (begin + block.times().partition_point(has) as u32).max(from)
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
        let frames = &self.sums.frames;
        self.pieces(at..index, |piece| {
            piece.each(|at, _, event| state.step(frames, at, event, |_| {}));
        });
        state
    }

    /// Has a state take an event; tells which frames it ends, innermost first.
    #[inline]
    pub fn step(&self, state: &mut State, index: u32, ended: impl FnMut(crate::state::Frame)) {
        state.step(&self.sums.frames, index, self.event(index), ended);
    }

    /// Returns what was done in each bin of a tile, and the region that takes most of it.
    pub fn bins_and_regions(&self, tile: Tile) -> (Vec<Done>, Vec<u32>) {
        let mut bins = Bins::new(tile.shift, BINS);
        let mut regions = vec![NONE; BINS];
        let mut cursor = Cursor::new(self);
        cursor.go_to(tile.begin);
        cursor.ask();
        cursor.fill(&mut bins, tile.shift, tile.begin, |bins, region| {
            regions[bins].fill(region);
        });
        (bins.finish(), regions)
    }

    /// Fills bins that begin at a moment.
    pub fn fill(&self, bins: &mut Bins, shift: u32, from: u64) {
        let mut cursor = Cursor::new(self);
        cursor.go_to(from);
        cursor.fill(bins, shift, from, |_, _| {});
    }
}
