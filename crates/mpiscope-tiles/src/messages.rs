//! Tiles of messages: each by itself, or where there are too many what goes from row to row.
//!
//! No list of messages is kept. Of each block of events it is known from when to when the messages
//! last that one of them sends or receives: what touches a window is looked for in the blocks for
//! which that is so.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use mpiscope_model::{EventRef, LocationIndex, Message, PointToPoint};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::encode::NONE;
use crate::encode::{Encoder, Kind};
use crate::partners::End;
use crate::recorded::{self, Recorded};
use crate::run::Clocked;
use crate::sums::STRIDE;
use crate::tile::{Tile, BINS};
use crate::traffic::OfLocation;

/// Messages that are told one by one, at most.
pub const MOST: usize = 4096;
/// Entries of a tile that tells how many went from where to where, at most.
pub const MOST_PAIRS: usize = 1024;
/// Messages that are added up when a tile is asked for, at most.
const FEW: u64 = 1 << 14;
/// Messages that a thread looks at before it takes others.
const TOGETHER: usize = 256;
/// Blocks of each location that are looked at before those behind them of any other: what goes from
/// one to another is near then, however long the run.
const BLOCKS: u32 = 1 << 5;
/// Parts of the run in which it is counted how many messages begin.
const COUNTED: u64 = 1 << 14;

/// What went from one row to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// How many messages.
    pub count: u64,
    /// How many of them were received before they were sent.
    pub reversed: u64,
    /// Payload.
    pub bytes: u64,
    /// Sum of the moments at which they were sent.
    pub sent: u128,
    /// Sum of the moments at which they were received.
    pub received: u128,
}

impl Sum {
    pub(crate) fn add(&mut self, other: &Sum) {
        self.count += other.count;
        self.reversed += other.reversed;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.sent += other.sent;
        self.received += other.received;
    }
}

/// Sums by sending and receiving row.
type Pairs = FxHashMap<(u32, u32), Sum>;

/// What is kept of a tile with many messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    /// By row, ascending.
    pub pairs: Vec<((u32, u32), Sum)>,
    /// Rarer pairs are left out.
    pub is_cut: bool,
}

/// From when to when something is, both included; begins after its end if it never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hull {
    pub begin: u64,
    pub end: u64,
}

impl Hull {
    pub const NEVER: Hull = Hull {
        begin: u64::MAX,
        end: 0,
    };

    pub fn add(&mut self, begin: u64, end: u64) {
        self.begin = self.begin.min(begin);
        self.end = self.end.max(end);
    }

    pub fn touches(&self, window: &Range<u64>) -> bool {
        self.begin < window.end && self.end >= window.start && self.begin <= self.end
    }

    /// Returns whether all of it lies in a window.
    pub fn is_in(&self, window: &Range<u64>) -> bool {
        self.begin >= window.start && self.end < window.end
    }
}

/// Messages by time.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    /// By location, for each block of events: when the messages are that it sends or receives, and
    /// when it sends and receives them.
    pub hulls: Vec<Vec<(Hull, Hull)>>,
    /// Tiles with many messages, by shift and begin.
    pub kept: FxHashMap<(u32, u64), Kept>,
    /// How many were received before they were sent.
    pub reversed: u64,
    /// What went from where to where, by location that they begin at.
    pub traffic: Vec<OfLocation>,
}

/// A message, with its times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// Its ends.
    pub message: Message,
    /// When it was sent.
    pub sent: u64,
    /// When it was received.
    pub received: u64,
}

impl Timed {
    /// Returns when it was sent and received, whichever came first.
    pub fn interval(&self) -> (u64, u64) {
        (self.sent.min(self.received), self.sent.max(self.received))
    }

    fn is_reversed(&self) -> bool {
        let Message { send, receive } = self.message;
        send.location != receive.location && self.received < self.sent
    }
}

/// A message tile as it is told.
pub enum Told {
    /// Messages by begin.
    Each(Vec<Timed>),
    /// What went from row to row, of the messages that begin in the tile.
    Pairs {
        /// By row, ascending.
        pairs: Vec<((u32, u32), Sum)>,
        /// Rarer pairs are left out.
        is_cut: bool,
    },
}

/// How many messages begin in each of equal parts of the run.
pub(crate) struct Counts {
    width: u64,
    parts: Vec<AtomicU64>,
}

impl Counts {
    fn new(length: u64) -> Counts {
        Counts {
            width: length / COUNTED + 1,
            parts: (0..=COUNTED).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn add(&self, begin: u64) {
        self.parts[(begin / self.width) as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns about how many begin in a window: at least as many as do.
    fn within(&self, window: &Range<u64>) -> u64 {
        let last = self.parts.len() - 1;
        let part = |moment: u64| ((moment / self.width) as usize).min(last);
        let parts = &self.parts[part(window.start)..=part(window.end)];
        parts.iter().map(|it| it.load(Ordering::Relaxed)).sum()
    }
}

impl Messages {
    /// Looks at all messages of a run; tells, too, how many begin when.
    pub fn new(clock: &Clocked) -> (Messages, Counts) {
        let counts = Counts::new(clock.length());
        let locations = 0..clock.run.trace.locations.len() as u32;
        let mut all: Vec<Looked> = locations
            .map(|location| Looked::nothing(clock, LocationIndex(location)))
            .collect();
        let blocks = all.iter().map(|it| it.blocks).max().unwrap_or(0);
        for first in (0..blocks).step_by(BLOCKS as usize) {
            let look = |of: &mut Looked| of.at(clock, first..first.saturating_add(BLOCKS), &counts);
            all.par_iter_mut().for_each(look);
        }
        let mut found = Messages::default();
        for mut of in all {
            of.traffic.finish();
            found.hulls.push(of.hulls);
            found.reversed += of.reversed;
            found.traffic.push(of.traffic);
        }
        (found, counts)
    }

    pub fn bytes(&self) -> usize {
        let hulls: usize = self.hulls.iter().map(Vec::len).sum();
        let pairs: usize = self.kept.values().map(|kept| kept.pairs.len()).sum();
        let traffic: usize = self.traffic.iter().map(OfLocation::bytes).sum();
        hulls * size_of::<(Hull, Hull)>() + pairs * size_of::<((u32, u32), Sum)>() + traffic
    }
}

/// What is known of the messages that a location sends or receives, as far as they were looked at.
struct Looked {
    location: LocationIndex,
    blocks: u32,
    hulls: Vec<(Hull, Hull)>,
    reversed: u64,
    traffic: OfLocation,
}

impl Looked {
    fn nothing(clock: &Clocked, location: LocationIndex) -> Looked {
        let blocks = clock.run.partners.blocks(location);
        Looked {
            location,
            blocks,
            hulls: Vec::with_capacity(blocks as usize),
            reversed: 0,
            traffic: OfLocation::default(),
        }
    }

    /// Looks at the next blocks.
    fn at(&mut self, clock: &Clocked, blocks: Range<u32>, counts: &Counts) {
        for block in blocks.start..blocks.end.min(self.blocks) {
            let (mut whole, mut own) = (Hull::NEVER, Hull::NEVER);
            clock.ends_in(self.location, block, |end, timed| {
                let (begin, last) = timed.interval();
                whole.add(begin, last);
                let time = if end.sends {
                    timed.sent
                } else {
                    timed.received
                };
                own.add(time, time);
                self.reversed += u64::from(end.sends && timed.is_reversed());
                if timed.begins_at(&end) {
                    counts.add(begin);
                    self.traffic.add(clock, timed.message);
                }
            });
            self.traffic.end_block(block);
            self.hulls.push((whole, own));
        }
    }
}

impl Timed {
    /// Returns whether the message begins at one of its ends: where it was sent, or where it was
    /// received if that was before.
    pub(crate) fn begins_at(&self, end: &End) -> bool {
        end.sends == (self.sent <= self.received)
    }
}

/// Of each block of a location, when the last of the messages is that it and those before it have,
/// and when the first is that it and those behind it have: both ascend.
struct Reach {
    last: Vec<u64>,
    first: Vec<u64>,
}

impl Reach {
    fn of(hulls: &[(Hull, Hull)]) -> Reach {
        let ends = hulls.iter().map(|it| it.1.end);
        let begins = hulls.iter().rev().map(|it| it.1.begin);
        let mut first: Vec<u64> = extremes(begins, u64::min).collect();
        first.reverse();
        Reach {
            last: extremes(ends, u64::max).collect(),
            first,
        }
    }

    /// Returns the blocks of which some may have messages in a window: those around it.
    fn around(&self, window: &Range<u64>) -> Range<u32> {
        let begin = self.last.partition_point(|it| *it < window.start);
        let end = self.first.partition_point(|it| *it < window.end);
        begin as u32..end as u32
    }
}

/// Returns of each number the extreme of it and those before it.
fn extremes(
    numbers: impl Iterator<Item = u64>,
    of: fn(u64, u64) -> u64,
) -> impl Iterator<Item = u64> {
    numbers.scan(None, move |extreme: &mut Option<u64>, number| {
        *extreme = Some(extreme.map_or(number, |it| of(it, number)));
        *extreme
    })
}

/// Adds messages up.
struct Adder<'a> {
    clock: &'a Clocked<'a>,
    counts: &'a Counts,
    /// By location.
    reach: Vec<Reach>,
}

impl Adder<'_> {
    /// Adds up a tile, and keeps what has many messages.
    fn add_up(&self, tile: Tile, kept: &mut FxHashMap<(u32, u64), Kept>) -> Pairs {
        let window = tile.window();
        if self.counts.within(&window) <= FEW || tile.shift == 0 {
            return self.clock.pairs(&window, |location| {
                self.reach[location.index()].around(&window)
            });
        }
        let mut sum = Pairs::default();
        let shift = tile.shift - 2;
        for part in 0..4 {
            let begin = tile.edge(part * (BINS / 4));
            if begin > self.clock.length() {
                break;
            }
            for (pair, of_pair) in self.add_up(Tile { shift, begin }, kept) {
                sum.entry(pair).or_default().add(&of_pair);
            }
        }
        kept.insert((tile.shift, tile.begin), Kept::of(self.clock, &sum));
        sum
    }
}

impl Kept {
    /// Keeps sums by row, or if these are too many by host, or the most frequent of those.
    fn of(clock: &Clocked, pairs: &Pairs) -> Kept {
        let mut list: Vec<_> = match pairs.len() > MOST_PAIRS {
            false => pairs.iter().map(|(pair, sum)| (*pair, *sum)).collect(),
            true => {
                let host = |row: u32| clock.run.rows.host[row as usize];
                let mut hosts = Pairs::default();
                for ((from, to), sum) in pairs {
                    hosts.entry((host(*from), host(*to))).or_default().add(sum);
                }
                hosts.into_iter().collect()
            }
        };
        let is_cut = list.len() > MOST_PAIRS;
        if is_cut {
            list.sort_unstable_by_key(|(pair, sum)| (std::cmp::Reverse(sum.count), *pair));
            list.truncate(MOST_PAIRS);
        }
        list.sort_unstable_by_key(|(pair, _)| *pair);
        Kept {
            pairs: list,
            is_cut,
        }
    }
}

impl Clocked<'_> {
    /// Returns how many messages were received before they were sent.
    pub fn reversed(&self) -> u64 {
        self.view.messages.reversed
    }

    /// Adds up the tiles that have many messages.
    pub(crate) fn kept(&self, counts: &Counts) -> FxHashMap<(u32, u64), Kept> {
        let shift = 2 * (self.levels() - 1);
        let mut kept = FxHashMap::default();
        let hulls = self.view.messages.hulls.par_iter();
        let adder = Adder {
            clock: self,
            counts,
            reach: hulls.map(|hulls| Reach::of(hulls)).collect(),
        };
        adder.add_up(Tile { shift, begin: 0 }, &mut kept);
        kept
    }

    /// Tells the ends of messages that lie in a block, with the messages' times.
    pub(crate) fn ends_in(
        &self,
        location: LocationIndex,
        block: u32,
        mut tell: impl FnMut(End, Timed),
    ) {
        for end in self.run.partners.block(location, block) {
            let timed = self.timed(end.message(location));
            tell(end, timed);
        }
    }

    /// Returns a message with its times.
    pub fn timed(&self, message: Message) -> Timed {
        Timed {
            message,
            sent: self.recorded(message.send),
            received: self.recorded(message.receive),
        }
    }

    /// Tells the messages that begin in a window at a location, looking at some of its blocks.
    pub(crate) fn begun(
        &self,
        location: LocationIndex,
        blocks: Range<u32>,
        window: &Range<u64>,
        mut tell: impl FnMut(&mut Recorded, Message),
    ) {
        let mut recorded = Recorded::new(self);
        let hulls = &self.view.messages.hulls[location.index()];
        for block in blocks.start..blocks.end.min(hulls.len() as u32) {
            if !hulls[block as usize].1.touches(window) {
                continue;
            }
            let earliest = hulls[block as usize].1.begin;
            for end in self.run.partners.block(location, block) {
                // What surely began at its other end is no reason to read any event.
                if self.hull_of(end.other).end < earliest {
                    continue;
                }
                let own = EventRef {
                    location,
                    index: end.event,
                };
                // Where a message begins it is in the window.
                let time = recorded.time(own);
                if window.contains(&time) && self.begins_at(&mut recorded, &end, location, time) {
                    tell(&mut recorded, end.message(location));
                }
            }
        }
    }

    /// Returns whether a message begins at one of its ends, which is at this time. The other end
    /// may be far away, in a block that somebody has to read; mostly it is known to come before or
    /// after.
    fn begins_at(
        &self,
        recorded: &mut Recorded,
        end: &End,
        location: LocationIndex,
        time: u64,
    ) -> bool {
        let other = self.hull_of(end.other);
        match time {
            _ if other.end < time => false,
            _ if other.begin > time => true,
            _ => recorded.timed(end.message(location)).begins_at(end),
        }
    }

    /// Adds up the messages that begin in a window, by sending and receiving row, looking at some
    /// blocks of each location.
    fn pairs(
        &self,
        window: &Range<u64>,
        blocks: impl Fn(LocationIndex) -> Range<u32> + Sync,
    ) -> Pairs {
        let of_location = |mut sums: Pairs, location: u32| {
            let location = LocationIndex(location);
            self.begun(location, blocks(location), window, |recorded, message| {
                let timed = recorded.timed(message);
                let row = |location: LocationIndex| self.run.rows.of_location[location.index()];
                let Message { send, receive } = message;
                let pair = (row(send.location), row(receive.location));
                sums.entry(pair).or_default().add(&Sum {
                    count: 1,
                    reversed: u64::from(timed.is_reversed()),
                    bytes: recorded.told(send).bytes,
                    sent: timed.sent.into(),
                    received: timed.received.into(),
                });
            });
            sums
        };
        let locations = (0..self.run.trace.locations.len() as u32).into_par_iter();
        let sums = locations.fold(Pairs::default, of_location);
        sums.reduce(Pairs::default, |mut a, b| {
            for (pair, sum) in b {
                a.entry(pair).or_default().add(&sum);
            }
            a
        })
    }

    /// Returns what the send of a message says.
    pub(crate) fn told(&self, send: EventRef) -> PointToPoint {
        self.run.with_event(send, recorded::told)
    }

    /// Returns the messages that touch a tile.
    pub fn messages(&self, tile: Tile) -> Told {
        let window = tile.window();
        if let Some(mut found) = self.touching(&window) {
            found.sort_unstable_by_key(|it| (it.interval().0, it.message));
            return Told::Each(found);
        }
        let kept = match self.view.messages.kept.get(&(tile.shift, tile.begin)) {
            Some(kept) => kept.clone(),
            None => Kept::of(self, &self.pairs(&window, |_| 0..u32::MAX)),
        };
        Told::Pairs {
            pairs: kept.pairs,
            is_cut: kept.is_cut,
        }
    }

    /// Returns the messages that touch a window; nothing if they are more than are told one by one.
    ///
    /// That they are can be seen, as a rule, without a look at any event: of the block of each end
    /// it is known from when to when its messages are sent and received.
    fn touching(&self, window: &Range<u64>) -> Option<Vec<Timed>> {
        let certain = AtomicUsize::new(0);
        let of_location = |(location, hulls): (usize, &Vec<(Hull, Hull)>)| {
            let location = LocationIndex(location as u32);
            let mut found = Vec::new();
            for (hull, block) in hulls.iter().zip(0..) {
                if certain.load(Ordering::Relaxed) > MOST {
                    break;
                }
                if !hull.0.touches(window) {
                    continue;
                }
                let ends = self.run.partners.block(location, block);
                for end in ends.filter(|end| end.sends) {
                    let ends = (hull.1, self.hull_of(end.other));
                    let surely = ends.0.end.min(ends.1.end) < window.end
                        && ends.0.begin.max(ends.1.begin) >= window.start;
                    let perhaps = ends.0.begin.min(ends.1.begin) < window.end
                        && ends.0.end.max(ends.1.end) >= window.start;
                    certain.fetch_add(usize::from(surely), Ordering::Relaxed);
                    if perhaps {
                        found.push(end.message(location));
                    }
                }
            }
            found
        };
        let hulls = self.view.messages.hulls.par_iter().enumerate();
        let perhaps: Vec<Message> = hulls.flat_map_iter(of_location).collect();
        if certain.into_inner() > MOST {
            return None;
        }
        let count = AtomicUsize::new(0);
        let touching = |some: &[Message]| {
            let mut times = Recorded::new(self);
            let mut found = Vec::new();
            for message in some {
                if count.load(Ordering::Relaxed) > MOST {
                    break;
                }
                let timed = times.timed(*message);
                let (begin, last) = timed.interval();
                if begin < window.end && last >= window.start {
                    count.fetch_add(1, Ordering::Relaxed);
                    found.push(timed);
                }
            }
            found
        };
        let found: Vec<Timed> = perhaps
            .par_chunks(TOGETHER)
            .flat_map_iter(touching)
            .collect();
        (found.len() <= MOST).then_some(found)
    }

    /// Returns from when to when the messages of an event's block are sent and received there.
    fn hull_of(&self, event: EventRef) -> Hull {
        let hulls = &self.view.messages.hulls[event.location.index()];
        let hull = hulls.get((event.index / STRIDE) as usize);
        hull.map_or(Hull::NEVER, |hull| hull.1)
    }

    /// Returns the messages of a tile, encoded.
    pub fn messages_tile(&self, tile: Tile) -> Vec<u8> {
        match self.messages(tile) {
            Told::Each(messages) => self.each(&messages),
            Told::Pairs { pairs, is_cut } => in_pairs(&pairs, is_cut),
        }
    }

    fn each(&self, messages: &[Timed]) -> Vec<u8> {
        let ends = || messages.iter().map(|it| it.message);
        let of_some = |some: &[Timed]| {
            let mut recorded = Recorded::new(self);
            let told = some.iter().map(|it| recorded.told(it.message.send));
            told.collect::<Vec<_>>()
        };
        let told = messages.par_chunks(TOGETHER).flat_map_iter(of_some);
        let told: Vec<PointToPoint> = told.collect();
        let row = |location: LocationIndex| self.run.rows.of_location[location.index()];
        let mut encoder = Encoder::new(Kind::Messages, messages.len(), 0);
        encoder.f64s(messages.iter().map(|it| it.sent as f64));
        encoder.f64s(messages.iter().map(|it| it.received as f64));
        encoder.f64s(told.iter().map(|it| it.bytes as f64));
        encoder.u32s(ends().map(|it| row(it.send.location)));
        encoder.u32s(ends().map(|it| row(it.receive.location)));
        encoder.u32s(messages.iter().map(|_| 1));
        encoder.u32s(messages.iter().map(|it| u32::from(it.is_reversed())));
        encoder.u32s(told.iter().map(|it| it.tag));
        encoder.u32s(told.iter().map(|it| it.comm.0));
        encoder.u32s(ends().map(|it| it.send.index));
        encoder.u32s(ends().map(|it| it.receive.index));
        encoder.finish()
    }
}

/// Encodes what went from row to row.
fn in_pairs(pairs: &[((u32, u32), Sum)], is_cut: bool) -> Vec<u8> {
    let flags = if is_cut { 3 } else { 1 };
    let mut encoder = Encoder::new(Kind::Messages, pairs.len(), flags);
    let mean = |sum: u128, count: u64| sum as f64 / count.max(1) as f64;
    let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    encoder.f64s(pairs.iter().map(|(_, it)| mean(it.sent, it.count)));
    encoder.f64s(pairs.iter().map(|(_, it)| mean(it.received, it.count)));
    encoder.f64s(pairs.iter().map(|(_, it)| it.bytes as f64));
    encoder.u32s(pairs.iter().map(|((from, _), _)| *from));
    encoder.u32s(pairs.iter().map(|((_, to), _)| *to));
    encoder.u32s(pairs.iter().map(|(_, it)| number(it.count)));
    encoder.u32s(pairs.iter().map(|(_, it)| number(it.reversed)));
    for _ in 0..4 {
        encoder.u32s(pairs.iter().map(|_| NONE));
    }
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_blocks_with_messages_in_a_window_are_around_it() {
        let hull = |begin: u64, end: u64| (Hull::NEVER, Hull { begin, end });
        let never = (Hull::NEVER, Hull::NEVER);
        let clocks_went_back = [
            hull(7, 9),
            never,
            hull(3, 4),
            hull(5, 20),
            hull(6, 6),
            never,
        ];
        for hulls in [&clocks_went_back[..], &[never], &[]] {
            let reach = Reach::of(hulls);
            for begin in 0..22 {
                for end in begin..22 {
                    let window = begin..end;
                    let around = reach.around(&window);
                    let touched = (0..).zip(hulls).filter(|(_, it)| it.1.touches(&window));
                    for (block, _) in touched {
                        assert!(
                            around.contains(&block),
                            "{block} of {hulls:?} in {window:?}"
                        );
                    }
                }
            }
        }
        // Blocks far from a window are not looked at.
        assert_eq!(Reach::of(&clocks_went_back[2..5]).around(&(0..5)), 0..1);
        assert_eq!(Reach::of(&clocks_went_back[2..5]).around(&(21..30)), 3..3);
    }
}
