//! The forward sweep of one part of a trace among others.
//!
//! A part does not wait for the times of others. It begins with what they are
//! before anything is moved, of which each part tells once (the home of a collective
//! operation tells its guests what follows from them); that is too early, if at all.
//! Times go by windows: each part sweeps its locations up to the end
//! of the window, then tells what it moved of what others know, takes in what
//! they tell, raises what follows from that ([`repair`](crate::repair)), and so
//! on, until nobody has anything to tell. So a window costs one exchange where
//! nothing is moved, and as many as chains of moves change parts where much is.
//!
//! In a trace without cycles all of it comes to the same times as the sweep of
//! a single part. A cycle within a part leaves it stuck; one of several parts
//! raises itself for ever. In both cases the parts give up, all at once, and
//! the ordered sweep finds the cycle.

use std::ops::Range;

use crate::collective_syncs::CollectiveSyncs;
use crate::exchange::Exchange;
use crate::forward::EMPTY;
use crate::links::Slots;
use crate::receipts::Received;
use crate::records::{Record, Role};
use crate::sweep::{Known, News, Sweep};

/// At the head of what a part tells in a round: how much more there is for
/// anybody, and how many records it visited, and looked at again.
const TELLS: u8 = 0;
const VISITED: u8 = 4;
const REPAIRED: u8 = 5;
/// It did not come to its end.
const STUCK: u8 = 6;

/// Windows that the time of a trace is divided into at first, and at most.
const WINDOWS: i64 = 64;
const MOST_WINDOWS: i64 = 8192;

/// What a part comes to.
pub(crate) struct Swept {
    pub records: Vec<Vec<Record>>,
    pub received: Received,
    pub violations: u64,
    /// Whether the sweep came to its end.
    pub done: bool,
}

/// What all parts together have done.
#[derive(Clone, Copy, Default)]
struct Totals {
    tells: i64,
    visited: i64,
    repaired: i64,
    stuck: i64,
}

/// The parts give up once they looked at so many times as many records again
/// as there are: they go round a cycle, or one sweeps faster alone.
const PATIENCE: u64 = 50;

/// Sweeps a part's locations with these records.
pub(crate) fn sweep<E: Exchange>(
    exchange: &E,
    known: Known,
    collectives: CollectiveSyncs,
    records: Vec<Vec<Record>>,
) -> Swept {
    let mut part = Part {
        exchange,
        sweep: Sweep::new(known, exchange.me(), records, collectives),
    };
    part.begin();
    let done = part.windows();
    let sweep = part.sweep;
    Swept {
        records: sweep.records,
        received: Received {
            sent: sweep.sent,
            left: sweep.collectives.bounds,
        },
        violations: sweep.violations,
        done,
    }
}

/// Times of a part before anything is moved.
struct First {
    /// When it sent what goes to each part, by name.
    sent: Vec<Vec<i64>>,
    /// When its guests entered, by home and name.
    entered: Vec<Vec<i64>>,
    /// When its members entered, by member.
    mine: Vec<i64>,
    /// Which of the matched messages it receives, and which of the bounds, if any.
    received: [Option<Range<u32>>; 2],
}

struct Part<'e, 's, 'a, E> {
    exchange: &'e E,
    sweep: Sweep<'s, 'a>,
}

impl<E: Exchange> Part<'_, '_, '_, E> {
    /// Tells and hears of all times as they are before anything is moved.
    fn begin(&mut self) {
        let First {
            sent,
            entered,
            mut mine,
            received,
        } = self.first();
        let sweep = &mut self.sweep;
        let received = received.map(Option::unwrap_or_default);
        sweep.sent = Slots::new(sweep.known.matching, received);
        for (part, times) in self.exchange.all_to_all(sent).into_iter().enumerate() {
            for (name, time) in (0..).zip(times) {
                if let Some(link) = sweep.names.link(part, name) {
                    sweep.sent.set(link, time);
                }
            }
        }
        let entered = self.exchange.all_to_all(entered);
        let collectives = &mut sweep.collectives;
        for (guests, times) in collectives.entering.here().iter().zip(entered) {
            for (&member, time) in guests.iter().zip(times) {
                collectives.entered[member as usize] = time;
                mine[member as usize] = time;
            }
        }
        let bounds = collectives.first_bounds(mine, &mut sweep.latest);
        collectives.hear_first(self.exchange.all_to_all(bounds));
        collectives.begin(&mut sweep.latest);
    }

    /// Returns what this part has to tell at first.
    fn first(&self) -> First {
        let me = self.exchange.me();
        let Known {
            matching, division, ..
        } = self.sweep.known;
        let (names, collectives) = (&self.sweep.names, &self.sweep.collectives);
        let none = |count: usize| vec![0; count];
        let guests = collectives.entering.there().iter();
        let mut first = First {
            sent: names.counts().iter().map(|it| none(*it as usize)).collect(),
            entered: guests.map(|guests| none(guests.len())).collect(),
            mine: vec![EMPTY; matching.members.len()],
            received: [None, None],
        };
        first.entered.resize(division.parts(), Vec::new());
        for record in self.sweep.records.iter().flatten() {
            match record.role {
                Role::Receive => {
                    let is_bound = record.link as usize >= matching.messages.len();
                    let range = &mut first.received[usize::from(is_bound)];
                    let Range { start, end } = range.take().unwrap_or(record.link..0);
                    *range = Some(record.link.min(start)..end.max(record.link + 1));
                }
                Role::Send => {
                    let part = division.part_of(record.peer);
                    if part != me {
                        first.sent[part][names.of(record.link) as usize] = record.time;
                    }
                }
                Role::Enter => {
                    first.mine[record.link as usize] = record.time;
                    let guest = collectives.entering.name(record.link);
                    if let Some((name, home)) = guest.zip(collectives.home(record.link)) {
                        first.entered[home][name as usize] = record.time;
                    }
                }
                _ => {}
            }
        }
        first
    }

    /// Sweeps window after window; returns whether that came to an end.
    fn windows(&mut self) -> bool {
        let (begin, end, records) = self.extent();
        let length = end.saturating_sub(begin).max(0).saturating_add(1);
        let (shortest, longest) = ((length / MOST_WINDOWS).max(1), length);
        let mut window = (length / WINDOWS).clamp(shortest, longest);
        let most = records.saturating_mul(PATIENCE).saturating_add(1000);
        let mut until = begin;
        let mut before = Totals::default();
        loop {
            until = until.saturating_add(window);
            let last = until > end;
            self.sweep.until = if last { i64::MAX } else { until };
            self.sweep.run_all::<false>();
            let Some(totals) = self.settle(last, most) else {
                return false;
            };
            if last {
                return totals.stuck == 0;
            }
            let visited = totals.visited - before.visited;
            let repaired = totals.repaired - before.repaired;
            if repaired * 16 < visited {
                window = (window * 2).min(longest);
            } else if repaired * 2 > visited {
                window = (window / 2).max(shortest);
            }
            before = totals;
        }
    }

    /// Returns the first and last time of all parts, and how many records there are.
    fn extent(&self) -> (i64, i64, u64) {
        let records = &self.sweep.records;
        let firsts = records.iter().filter_map(|records| records.first());
        let lasts = records.iter().filter_map(|records| records.last());
        let first = firsts.map(|record| record.time).min();
        let last = lasts.map(|record| record.time).max();
        let count = records.iter().map(|records| records.len() as u64).sum();
        (
            self.exchange.least(first.unwrap_or(i64::MAX)),
            self.exchange.greatest(last.unwrap_or(-i64::MAX)),
            self.exchange.sum(count),
        )
    }

    /// Exchanges news until there are none; returns nothing if it takes more
    /// than `most` steps.
    fn settle(&mut self, last: bool, most: u64) -> Option<Totals> {
        loop {
            let (totals, heard) = self.exchange_news(last);
            if totals.tells == 0 {
                return Some(totals);
            }
            if totals.repaired.unsigned_abs() > most {
                return None;
            }
            for (part, news) in heard.into_iter().enumerate() {
                news.into_iter()
                    .for_each(|news| self.sweep.hear(part, news));
            }
            self.sweep.raise_all();
        }
    }

    fn exchange_news(&mut self, last: bool) -> (Totals, Vec<Vec<News>>) {
        let sweep = &mut self.sweep;
        let tells: usize = sweep.told.iter().map(Vec::len).sum();
        let head: [News; 4] = [
            (TELLS, 0, tells as i64),
            (VISITED, 0, sweep.visited as i64),
            (REPAIRED, 0, sweep.repair.work as i64),
            (STUCK, 0, i64::from(last && sweep.is_stuck())),
        ];
        // Heads come last, where they cost no move of the others.
        let outgoing = sweep.told.iter_mut().map(|told| {
            told.extend(head);
            std::mem::take(told)
        });
        let outgoing = outgoing.collect();
        let mut heard = self.exchange.all_to_all(outgoing);
        let mut totals = Totals::default();
        for list in &mut heard {
            for _ in head {
                match list.pop() {
                    Some((TELLS, _, tells)) => totals.tells += tells,
                    Some((VISITED, _, visited)) => totals.visited += visited,
                    Some((REPAIRED, _, repaired)) => totals.repaired += repaired,
                    Some((_, _, stuck)) => totals.stuck += stuck,
                    None => {}
                }
            }
        }
        (totals, heard)
    }
}
