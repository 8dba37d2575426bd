//! The fastest message between two clocks in each cell of time.
//!
//! Messages come by receiving process. While one clock receives, the minima
//! lie in a dense table of senders × cells, which is emptied when the next
//! clock's turn comes; so no message needs a hash.

use mpiscope_model::{Duration, Matching, Timestamp, Trace};
use rayon::prelude::*;

use super::map::{ClockMap, Near};
use crate::exchange::{Exchange, Way};

/// The fastest message from one clock to another in a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Minimum {
    pub from: u32,
    pub to: u32,
    pub cell: u32,
    /// How long it took by the maps with which it was found.
    pub duration: i64,
    /// When it was sent, by the sender's clock.
    pub sent: Timestamp,
    /// When it was received, by the receiver's clock.
    pub received: Timestamp,
}

impl Minimum {
    /// The two clocks, the lower number first.
    pub fn pair(&self) -> (u32, u32) {
        (self.from.min(self.to), self.from.max(self.to))
    }
}

/// Returns how long the minima of one pair of clocks took by `maps`, and when they were
/// received by them.
pub(crate) fn by<'a>(
    of_pair: &'a [Minimum],
    maps: &'a [ClockMap],
) -> impl Iterator<Item = (&'a Minimum, Duration, Timestamp)> {
    let mut two = TwoMaps::of(of_pair, maps);
    of_pair.iter().map(
        #[inline(always)]
        move |minimum| {
            let (duration, received) = two.map(minimum);
            (minimum, duration, received)
        },
    )
}

/// The maps of a pair of clocks, where minima lie that come in their order: the innermost
/// loop of all fits.
pub(crate) struct TwoMaps<'a> {
    low: u32,
    near: [Near<'a>; 2],
}

impl<'a> TwoMaps<'a> {
    /// Takes the maps of the pair that some minima are of.
    pub fn of(of_pair: &[Minimum], maps: &'a [ClockMap]) -> TwoMaps<'a> {
        let (low, high) = of_pair.first().map_or((0, 0), Minimum::pair);
        TwoMaps {
            low,
            near: [low, high].map(|clock| Near::of(&maps[clock as usize])),
        }
    }

    /// Returns how long a minimum took, and when it was received.
    #[inline(always)]
    pub fn map(&mut self, minimum: &Minimum) -> (Duration, Timestamp) {
        // No branch: which way the next message goes nobody foresees.
        let from_high = usize::from(minimum.from != self.low);
        let sent = self.near[from_high].map(minimum.sent);
        let received = self.near[1 - from_high].map(minimum.received);
        (received - sent, received)
    }
}

/// Cells of equal width over the time of a trace.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grid {
    pub begin: Timestamp,
    pub end: Timestamp,
    pub cells: usize,
    per_tick: f64,
}

/// Cells per window of the fit, so that what lies in one cell is not apart in
/// time enough for clocks to drift.
pub(crate) const CELLS_PER_WINDOW: usize = 4;

/// Windows are at least this long, in ns, unless the trace is very short.
const WINDOW: f64 = 1e7;
/// Messages per clock and cell: with fewer, minima would be no minima.
const MESSAGES_PER_CELL: usize = 8;
const WINDOWS: (f64, f64) = (8.0, 512.0);

impl Grid {
    /// Chooses cells that do not outnumber the messages; who shares the events tells when
    /// his own begin and end.
    pub fn of(
        trace: &Trace,
        matching: &Matching,
        maps: &[ClockMap],
        clock_of: &[u32],
        sharers: &Way,
    ) -> Grid {
        let mut begin = Timestamp::MAX;
        let mut end = Timestamp::MIN;
        for (location, &clock) in trace.locations.iter().zip(clock_of) {
            let times = location.events.times();
            if let (Some(&first), Some(&last)) = (times.first(), times.last()) {
                begin = begin.min(maps[clock as usize].map(first));
                end = end.max(maps[clock as usize].map(last));
            }
        }
        let begin = Timestamp(sharers.least(begin.0));
        let end = Timestamp(sharers.greatest(end.0));
        if end <= begin {
            return Grid {
                begin,
                end: begin,
                cells: 1,
                per_tick: 0.0,
            };
        }
        let length = (end - begin).0 as f64;
        let wanted = (length / WINDOW).clamp(WINDOWS.0, WINDOWS.1) as usize * CELLS_PER_WINDOW;
        let counts = matching.counts();
        let messages = (counts.messages + counts.bounds + counts.members) as usize;
        let cells = wanted
            .min(messages / (MESSAGES_PER_CELL * maps.len().max(1)))
            .max(1);
        Grid {
            begin,
            end,
            cells,
            per_tick: cells as f64 / length,
        }
    }

    /// Returns the cell of a time; what lies outside belongs to the nearest.
    pub fn cell(&self, time: Timestamp) -> u32 {
        let place = (time - self.begin).0 as f64 * self.per_tick;
        (place as u32).min(self.cells as u32 - 1)
    }
}

/// Minima while they are gathered.
pub(crate) struct Table {
    grid: Grid,
    receiver: u32,
    /// Duration, sent, received: by sender and cell.
    slots: Vec<(i64, Timestamp, Timestamp)>,
    used: Vec<u32>,
    done: Vec<Minimum>,
}

const EMPTY: (i64, Timestamp, Timestamp) = (i64::MAX, Timestamp::MAX, Timestamp::MAX);

impl Table {
    pub fn new(clocks: usize, grid: Grid) -> Table {
        Table {
            grid,
            receiver: 0,
            slots: vec![EMPTY; clocks * grid.cells],
            used: Vec::new(),
            done: Vec::new(),
        }
    }

    #[inline]
    pub fn add(&mut self, message: Minimum) {
        if message.to != self.receiver {
            self.flush();
            self.receiver = message.to;
        }
        let place = message.from as usize * self.grid.cells + message.cell as usize;
        let slot = &mut self.slots[place];
        let new = (message.duration, message.sent, message.received);
        if new < *slot {
            if slot.0 == i64::MAX {
                self.used.push(place as u32);
            }
            *slot = new;
        }
    }

    fn flush(&mut self) {
        for place in self.used.drain(..) {
            let place = place as usize;
            let (duration, sent, received) = std::mem::replace(&mut self.slots[place], EMPTY);
            self.done.push(Minimum {
                from: (place / self.grid.cells) as u32,
                to: self.receiver,
                cell: (place % self.grid.cells) as u32,
                duration,
                sent,
                received,
            });
        }
    }

    /// Returns the minima by pair, cell and direction.
    pub fn into_minima(mut self) -> Vec<Minimum> {
        self.flush();
        let mut minima = self.done;
        // Pair, cell and direction in one number, which is compared in two steps, not in four.
        let place = |m: &Minimum| {
            let (low, high) = m.pair();
            let numbers = [low, high, m.cell, m.from];
            numbers
                .iter()
                .fold(0, |all, &number| all << 32 | u128::from(number))
        };
        minima.par_sort_unstable_by_key(|m| (place(m), m.duration, m.sent, m.received));
        minima.dedup_by_key(|m| place(m));
        minima
    }
}
