//! How far clocks still drift apart after interpolation.
//!
//! Two messages of opposite directions tell how far two clocks are apart, up
//! to what they took beyond the minimum latency (Duda et al. 1987). The best
//! such pair in each of a few windows of time, and the change from window to
//! window that this cannot explain, is a drift that is certainly there.

use mpiscope_model::{EventRef, LocationIndex, Matching, Message, Timestamp};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::exchange::{each_received, Crew, Division, Exchange};
use crate::prefetch::prefetch;
use crate::table::LatencyTable;

/// Windows of time.
const WINDOWS: usize = 16;

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// Pairs of clocks that are found without a look into the table, with their rows: a location mostly
/// receives from the same few.
type Recent = [((u32, u32), usize); RECENT];
const RECENT: usize = 64;
const NONE: Recent = [((u32::MAX, u32::MAX), 0); RECENT];

/// Least durations in both directions, per window.
type Least = [[i64; WINDOWS]; 2];

/// The shortest messages between any two clocks in each window of time; in one of several processes,
/// between those that it looks after.
pub(crate) struct Durations {
    pairs: Pairs,
    /// Length of a window.
    window: i64,
}

impl Durations {
    /// Looks at all messages; returns none if there are no events.
    pub fn new(
        times: &[Vec<Timestamp>],
        matching: &Matching,
        latencies: &LatencyTable,
    ) -> Option<Durations> {
        let ends = |pick: fn(&Vec<Timestamp>) -> Option<&Timestamp>| times.iter().filter_map(pick);
        let begin = ends(|column| column.first()).min()?.0;
        let end = ends(|column| column.last()).max()?.0;
        let window = (end.saturating_sub(begin) / WINDOWS as i64).saturating_add(1);
        let threads = rayon::current_num_threads();
        let share = matching.messages.len().div_ceil(threads).max(1);
        let found: Vec<Pairs> = (matching.messages.par_chunks(share))
            .map(|messages| {
                let mut pairs = Pairs::default();
                pairs.add(messages, times, latencies, begin, window);
                pairs
            })
            .collect();
        let pairs = found.into_iter().reduce(Pairs::merge).unwrap_or_default();
        Some(Durations { pairs, window })
    }

    /// Does so as one of several processes, which has the times of its own locations.
    pub fn together(
        times: &[Vec<Timestamp>],
        matching: &Matching,
        latencies: &LatencyTable,
        (crew, division): (Crew, &Division),
    ) -> Option<Durations> {
        let exchange = crew.outside();
        let firsts = times.iter().filter_map(|column| column.first());
        let lasts = times.iter().filter_map(|column| column.last());
        let begin = exchange.least(firsts.min().map_or(i64::MAX, |time| time.0));
        let end = exchange.greatest(lasts.max().map_or(i64::MIN, |time| time.0));
        if begin > end {
            return None;
        }
        let window = (end.saturating_sub(begin) / WINDOWS as i64).saturating_add(1);
        let clock = |event: EventRef| latencies.clock(event.location);
        let at = |event: EventRef| times[event.location.index()][event.index as usize].0;
        let messages = &matching.messages;
        let ends = |number: usize| (messages[number].send, messages[number].receive);
        let columns = |location: LocationIndex| &times[location.index()][..];
        let (mut mine, mut recent) = (Pairs::default(), NONE);
        each_received(
            &exchange,
            division,
            (messages.len(), matching.of_all.is_some()),
            ends,
            columns,
            |number, sent| {
                let (send, receive) = ends(number);
                let (a, b) = (clock(send), clock(receive));
                if a != b {
                    let window = (sent.saturating_sub(begin) / window) as usize;
                    let least = &mut mine.of(a, b, &mut recent)[window];
                    *least = (*least).min(at(receive).saturating_sub(sent));
                }
            },
        );
        let mut outgoing = vec![Vec::new(); exchange.parts()];
        for (&(a, b), &row) in &mine.rows {
            let home = (a as usize * 31 + b as usize) % exchange.parts();
            outgoing[home].push(((a, b), mine.least[row]));
        }
        let mut pairs = Pairs::default();
        for (both, least) in exchange.all_to_all(outgoing).into_iter().flatten() {
            pairs.take(both, &least);
        }
        Some(Durations { pairs, window })
    }

    /// Returns the largest certain drift between any two of these clocks, in
    /// seconds per second; none if no two have messages in both directions
    /// twice.
    pub fn residual_drift(&self, latencies: &LatencyTable) -> Option<f64> {
        let drifts = self.pairs.rows.iter().filter_map(|(&(a, b), &row)| {
            let latency = latencies.between_clocks(a, b);
            let known = apart(&self.pairs.least[row], latency.0);
            drift(&known, self.window)
        });
        drifts.reduce(f64::max)
    }
}

/// Pairs of clocks.
#[derive(Default)]
struct Pairs {
    rows: FxHashMap<(u32, u32), usize>,
    least: Vec<Least>,
}

impl Pairs {
    fn row(&mut self, both: (u32, u32)) -> usize {
        let row = *self.rows.entry(both).or_insert(self.least.len());
        if row == self.least.len() {
            self.least.push([[i64::MAX; WINDOWS]; 2]);
        }
        row
    }

    /// The least durations of messages from one clock to another, by window.
    #[inline]
    fn of(&mut self, from: u32, to: u32, recent: &mut Recent) -> &mut [i64; WINDOWS] {
        let both = (from.min(to), from.max(to));
        let place = &mut recent[(from ^ to) as usize % RECENT];
        if place.0 != both {
            *place = (both, self.row(both));
        }
        &mut self.least[place.1][usize::from(from > to)]
    }

    fn add(
        &mut self,
        messages: &[Message],
        times: &[Vec<Timestamp>],
        latencies: &LatencyTable,
        begin: i64,
        window: i64,
    ) {
        let at = |event: EventRef| times[event.location.index()][event.index as usize].0;
        let clock = |event: EventRef| latencies.clock(event.location);
        let mut recent = NONE;
        for (number, message) in messages.iter().enumerate() {
            if let Some(soon) = messages.get(number + AHEAD) {
                let column = &times[soon.send.location.index()];
                prefetch(column, soon.send.index as usize);
            }
            let (a, b) = (clock(message.send), clock(message.receive));
            if a == b {
                continue;
            }
            let (sent, received) = (at(message.send), at(message.receive));
            let number = (sent.saturating_sub(begin) / window) as usize;
            let least = &mut self.of(a, b, &mut recent)[number];
            *least = (*least).min(received.saturating_sub(sent));
        }
    }

    fn merge(mut self, other: Pairs) -> Pairs {
        for (both, row) in other.rows {
            self.take(both, &other.least[row]);
        }
        self
    }

    fn take(&mut self, both: (u32, u32), other: &Least) {
        let mine = self.row(both);
        let both_ways = self.least[mine].iter_mut().zip(other);
        for (mine, other) in both_ways.flat_map(|(mine, other)| mine.iter_mut().zip(other)) {
            *mine = (*mine).min(*other);
        }
    }
}

/// How far two clocks are apart in a window: number, distance, uncertainty.
type Apart = (usize, f64, f64);

fn apart([to, fro]: &Least, latency: i64) -> Vec<Apart> {
    let both = |&number: &usize| to[number] != i64::MAX && fro[number] != i64::MAX;
    let known = (0..WINDOWS).filter(both).map(|number| {
        let (to, fro) = (to[number] as f64, fro[number] as f64);
        let beyond = (to + fro) / 2.0 - latency as f64;
        (number, (to - fro) / 2.0, beyond.max(0.0))
    });
    known.collect()
}

/// Returns the largest drift between two windows that is certain.
fn drift(known: &[Apart], window: i64) -> Option<f64> {
    let mut largest: Option<f64> = None;
    for (number, &(from, before, doubt_before)) in known.iter().enumerate() {
        for &(to, after, doubt_after) in &known[number + 1..] {
            let change = (after - before).abs() - doubt_before - doubt_after;
            let distance = window as f64 * (to - from) as f64;
            let drift = (change / distance).max(0.0);
            largest = Some(largest.map_or(drift, |largest| largest.max(drift)));
        }
    }
    largest
}
