//! Tiles of messages: each by itself, or where there are too many what goes from row to row.

use std::ops::Range;

use mpiscope_model::{Matching, Message, PointToPoint, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::encode::{Encoder, Kind};
use crate::intervals::Intervals;
use crate::run::{Clocked, Run};
use crate::tile::{Tile, BINS};
use crate::times::Times;
use crate::traffic::{Traffic, CHUNK};
use crate::NONE;

/// Messages that are told one by one, at most.
pub const MOST: usize = 4096;
/// Entries of a tile that tells how many went from where to where, at most.
pub const MOST_PAIRS: usize = 1024;
/// Messages that are added up when a tile is asked for, at most.
const FEW: usize = 1 << 16;

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
struct Kept {
    /// By row, ascending.
    pairs: Vec<((u32, u32), Sum)>,
    /// Rarer pairs are left out.
    is_cut: bool,
}

/// Messages by time.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    pub index: Intervals,
    /// Tiles with many messages, by shift and begin.
    kept: FxHashMap<(u32, u64), Kept>,
    /// How many were received before they were sent.
    pub reversed: u64,
    /// What went from where to where in each chunk of the order.
    pub traffic: Vec<Traffic>,
}

/// A message tile as it is told.
pub enum Told {
    /// Numbers of the messages, by begin.
    Each(Vec<u32>),
    /// What went from row to row, of the messages that begin in the tile.
    Pairs {
        /// By row, ascending.
        pairs: Vec<((u32, u32), Sum)>,
        /// Rarer pairs are left out.
        is_cut: bool,
    },
}

impl Messages {
    pub fn new(run: &Run, times: &Times) -> Messages {
        let trace = &run.trace;
        let ends = |message: &Message| {
            let (sent, received) = (
                times.of(trace, message.send),
                times.of(trace, message.receive),
            );
            sent.min(received)..sent.max(received)
        };
        let messages = &run.matching.messages;
        let intervals: Vec<Range<u64>> = messages.par_iter().map(ends).collect();
        let is_reversed = |it: &&Message| {
            it.send.location != it.receive.location
                && times.of(trace, it.receive) < times.of(trace, it.send)
        };
        let index = Intervals::new(&intervals);
        let reversed = messages.par_iter().filter(is_reversed).count() as u64;
        let mut found = Messages {
            index,
            reversed,
            ..Messages::default()
        };
        let adder = Adder {
            run,
            times,
            begins: &intervals,
            order: &found.index.order,
        };
        let shift = 2 * (crate::tile::levels(times.length) - 1);
        let whole = Tile { shift, begin: 0 };
        let mut kept = FxHashMap::default();
        adder.add_up(whole, 0..found.index.order.len(), &mut kept);
        let chunks = found.index.order.par_chunks(CHUNK);
        let traffic = chunks
            .map(|chunk| Traffic::of(run, chunk, |_, _| true))
            .collect();
        (found.kept, found.traffic) = (kept, traffic);
        found
    }

    pub fn bytes(&self) -> usize {
        let pairs = self.kept.values().map(|kept| kept.pairs.len());
        let traffic = self.traffic.iter().map(Traffic::bytes);
        let pairs = pairs.sum::<usize>() * size_of::<((u32, u32), Sum)>();
        self.index.bytes() + pairs + traffic.sum::<usize>()
    }
}

/// Adds messages up.
struct Adder<'a> {
    run: &'a Run,
    times: &'a Times,
    /// By number of the message.
    begins: &'a [Range<u64>],
    order: &'a [u32],
}

impl Adder<'_> {
    /// Adds up a tile, and keeps what has many messages.
    fn add_up(
        &self,
        tile: Tile,
        within: Range<usize>,
        kept: &mut FxHashMap<(u32, u64), Kept>,
    ) -> Pairs {
        if within.len() <= FEW || tile.shift == 0 {
            return pairs(self.run, self.times, &self.order[within]);
        }
        let mut sum = Pairs::default();
        let shift = tile.shift - 2;
        let mut from = within.start;
        for part in 0..4 {
            let child = Tile {
                shift,
                begin: tile.edge(part * (BINS / 4)),
            };
            let end = tile.edge((part + 1) * (BINS / 4));
            let rest = &self.order[from..within.end];
            let begins = rest.partition_point(|it| self.begins[*it as usize].start < end);
            let begins = if part == 3 { rest.len() } else { begins };
            for (pair, of_pair) in self.add_up(child, from..from + begins, kept) {
                sum.entry(pair).or_default().add(&of_pair);
            }
            from += begins;
        }
        kept.insert((tile.shift, tile.begin), Kept::of(self.run, &sum));
        sum
    }
}

/// Adds messages up by sending and receiving row.
fn pairs(run: &Run, times: &Times, messages: &[u32]) -> Pairs {
    let mut sums = Pairs::default();
    for &number in messages {
        let message = &run.matching.messages[number as usize];
        let row = |location: mpiscope_model::LocationIndex| run.rows.of_location[location.index()];
        let (sent, received) = (
            times.of(&run.trace, message.send),
            times.of(&run.trace, message.receive),
        );
        let pair = (row(message.send.location), row(message.receive.location));
        sums.entry(pair).or_default().add(&Sum {
            count: 1,
            reversed: u64::from(received < sent && pair.0 != pair.1),
            bytes: told(&run.trace, message).bytes,
            sent: sent.into(),
            received: received.into(),
        });
    }
    sums
}

/// Returns what the send of a message says.
pub(crate) fn told<'a>(trace: &'a Trace, message: &Message) -> &'a PointToPoint {
    let events = &trace.locations[message.send.location.index()].events;
    &events.messages()[events.args()[message.send.index as usize] as usize]
}

impl Kept {
    /// Keeps sums by row, or if these are too many by host, or the most frequent of those.
    fn of(run: &Run, pairs: &Pairs) -> Kept {
        let mut list: Vec<_> = match pairs.len() > MOST_PAIRS {
            false => pairs.iter().map(|(pair, sum)| (*pair, *sum)).collect(),
            true => {
                let host = |row: u32| run.rows.host[row as usize];
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

    /// Returns the messages that touch a tile.
    pub fn messages(&self, tile: Tile) -> Told {
        let mut found = Vec::new();
        self.view.messages.index.touch(
            tile.window(),
            |number| self.interval(number),
            |number| {
                found.push(number);
                found.len() <= MOST
            },
        );
        if found.len() <= MOST {
            return Told::Each(found);
        }
        let kept = match self.view.messages.kept.get(&(tile.shift, tile.begin)) {
            Some(kept) => kept.clone(),
            None => {
                let begun = &self.view.messages.index.order[self.begun(tile.window())];
                Kept::of(self.run, &pairs(self.run, &self.view.times, begun))
            }
        };
        Told::Pairs {
            pairs: kept.pairs,
            is_cut: kept.is_cut,
        }
    }

    /// Tells the messages that are under way at a moment.
    pub(crate) fn touching(&self, moment: u64, mut tell: impl FnMut(u32)) {
        self.view.messages.index.touch(
            moment..moment.saturating_add(1),
            |number| self.interval(number),
            |number| {
                tell(number);
                true
            },
        );
    }

    /// Returns where in the order by begin the messages lie that begin in a window.
    pub(crate) fn begun(&self, window: Range<u64>) -> Range<usize> {
        let index = &self.view.messages.index;
        let before = |moment| index.before(moment, |number| self.interval(number).start);
        before(window.start)..before(window.end)
    }

    /// Returns when a message was sent and received, whichever came first.
    fn interval(&self, number: u32) -> Range<u64> {
        let (sent, received) = self.ends(number);
        sent.min(received)..sent.max(received)
    }

    /// Returns when a message was sent and when it was received.
    pub fn ends(&self, number: u32) -> (u64, u64) {
        let message = &self.matching().messages[number as usize];
        let of = |event| self.view.times.of(&self.run.trace, event);
        (of(message.send), of(message.receive))
    }

    fn matching(&self) -> &Matching {
        &self.run.matching
    }

    /// Returns the messages of a tile, encoded.
    pub fn messages_tile(&self, tile: Tile) -> Vec<u8> {
        match self.messages(tile) {
            Told::Each(numbers) => self.each(&numbers),
            Told::Pairs { pairs, is_cut } => in_pairs(&pairs, is_cut),
        }
    }

    fn each(&self, numbers: &[u32]) -> Vec<u8> {
        let trace = &self.run.trace;
        let messages = || {
            numbers
                .iter()
                .map(|it| &self.matching().messages[*it as usize])
        };
        let ends = || numbers.iter().map(|it| self.ends(*it));
        let row =
            |location: mpiscope_model::LocationIndex| self.run.rows.of_location[location.index()];
        let apart = |it: &Message| it.send.location != it.receive.location;
        let mut encoder = Encoder::new(Kind::Messages, numbers.len(), 0);
        encoder.f64s(ends().map(|(sent, _)| sent as f64));
        encoder.f64s(ends().map(|(_, received)| received as f64));
        encoder.f64s(messages().map(|it| told(trace, it).bytes as f64));
        encoder.u32s(messages().map(|it| row(it.send.location)));
        encoder.u32s(messages().map(|it| row(it.receive.location)));
        encoder.u32s(numbers.iter().map(|_| 1));
        let reversed = ends().zip(messages());
        encoder
            .u32s(reversed.map(|((sent, received), it)| u32::from(received < sent && apart(it))));
        encoder.u32s(messages().map(|it| told(trace, it).tag));
        encoder.u32s(messages().map(|it| told(trace, it).comm.0));
        encoder.u32s(messages().map(|it| it.send.index));
        encoder.u32s(messages().map(|it| it.receive.index));
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
