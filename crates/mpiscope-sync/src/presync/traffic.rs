//! What the messages of a trace tell about its clocks, in few numbers.
//!
//! A message can only be late. Of all messages from one clock to another
//! within a short cell of time, the fastest says most about how the two clocks
//! stand; the others are forgotten. Collective operations count as the
//! messages they imply, of which the one from the last to enter is tightest.
//! One pass over the trace; all that follows works on these minima, which are
//! kept as the clocks showed them, so that any map can be tried on them.
//!
//! Each part of the trace gathers from the messages it receives and from the
//! collective operations that it is home of ([`gatherer`]); what the other ends
//! have to tell is the times their clocks showed.

mod gatherer;
mod readings;

use mpiscope_model::{Matching, Processes, Timestamp, Trace};
use rayon::prelude::*;

use super::map::ClockMap;
use super::minima::{Grid, Minimum};
use crate::estimate::{keep_least, Exchanges};
use crate::exchange::{sharers, Crew, Exchange, Plain};

use gatherer::{Gathered, Known};

/// The fastest messages of a trace, and what they say without any map.
#[derive(Default)]
pub(crate) struct Traffic {
    /// Fastest message of each direction between two clocks, per cell.
    pub minima: Vec<Minimum>,
    /// Where the cells begin and how wide they are, in the time of the maps
    /// that were used to gather.
    pub grid: Grid,
    /// Some operations that nobody leaves before all have entered.
    pub exits: Vec<Exits>,
    /// Shortest message between processes that read one clock.
    pub same_clock: Option<i64>,
    /// Least sum of two opposite messages within one collective operation.
    pub exchanges: Exchanges,
    /// Host and rack of each clock.
    pub clocks: Vec<(u32, u32)>,
}

/// When the members of a collective operation left it: the first of each
/// clock, as that clock showed it.
pub(crate) struct Exits {
    pub cell: u32,
    pub first: Vec<(u32, Timestamp)>,
}

/// Of more operations in one cell the exits tell nothing new.
const EXITS_PER_CELL: usize = 4;

/// With fewer messages to look at a part costs more than it saves.
const MESSAGES_PER_PART: usize = 20_000;

/// Looks at all messages of a trace whose clocks stand about as `maps` say; several
/// processes do so together, and the first gets what is found.
pub(crate) fn gather(
    trace: &Trace,
    matching: &Matching,
    maps: &[ClockMap],
    processes: Option<&dyn Processes>,
) -> Traffic {
    let messages = matching.messages.len() + matching.bounds.len() + matching.members.len();
    let parts = rayon::current_num_threads().min(messages / MESSAGES_PER_PART);
    let crew = Crew::new(processes, parts);
    let known = Known::new(trace, matching, maps, crew, &sharers(trace, processes));
    let traces = vec![trace; crew.here().len()];
    let found = crew.run(traces, |exchange, trace| part(exchange, &known, trace));
    found.into_iter().next().flatten().unwrap_or_default()
}

/// Gathers as one part, which looks at the times of its own events alone; the
/// first gets all of it.
fn part<E: Exchange>(exchange: &E, known: &Known, trace: &Trace) -> Option<Traffic> {
    let mine = Gathered::new(exchange, known, trace);
    let minima = exchange.to_first(merged_by_parts(exchange, known, mine.minima));
    let exits = exchange.to_first(of_first_operations(exchange, known, mine.exits));
    let mut least: Vec<i64> = mine
        .exchanges
        .iter()
        .map(|it| it.map_or(NONE, |it| it.0))
        .collect();
    least.push(mine.same_clock.unwrap_or(NONE));
    let least = exchange.to_first(least);
    if exchange.me() > 0 {
        return None;
    }
    let least = |place: usize| {
        let of_parts = least.iter().map(|least| least[place]);
        of_parts.min().filter(|least| *least != NONE)
    };
    let mut exchanges = Exchanges::default();
    let classes = exchanges.len();
    for (class, kept) in exchanges.iter_mut().enumerate() {
        if let Some(sum) = least(class) {
            keep_least(kept, (sum, None));
        }
    }
    Some(Traffic {
        minima: merged(minima),
        grid: known.grid,
        exits: first_exits(exits, known.grid.cells),
        same_clock: least(classes),
        exchanges,
        clocks: known.clocks.clone(),
    })
}

/// Stands for no duration in what parts tell each other.
const NONE: i64 = i64::MAX;

impl Plain for Minimum {
    fn put(self, bytes: &mut Vec<u8>) {
        let times = (self.duration, self.sent.0, self.received.0);
        (self.from, self.to, self.cell, times.0, times.1, times.2).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Self> {
        let (from, to, cell, duration, sent, received) = Plain::take(bytes)?;
        Some(Minimum {
            from,
            to,
            cell,
            duration,
            sent: Timestamp(sent),
            received: Timestamp(received),
        })
    }
}

/// Has processes tell the first of each pair of clocks and cell once: those who read the receiver's
/// clock, and so have nearly all of them, merge what others have of it, each some cells.
fn merged_by_parts<E: Exchange>(exchange: &E, known: &Known, minima: Vec<Minimum>) -> Vec<Minimum> {
    if exchange.parts() == 1 || !exchange.shares_nothing() {
        return minima;
    }
    let readers = known.readers();
    let mut outgoing = vec![Vec::new(); exchange.parts()];
    for minimum in minima {
        let readers = &readers[minimum.to as usize];
        let reader = minimum.cell as usize * readers.len() / known.grid.cells;
        outgoing[readers[reader] as usize].push(minimum);
    }
    merged(exchange.all_to_all(outgoing))
}

/// Puts the minima of all parts together: by pair, cell and direction.
fn merged(minima: Vec<Vec<Minimum>>) -> Vec<Minimum> {
    let parts = minima.len();
    let mut all = Vec::with_capacity(minima.iter().map(Vec::len).sum());
    // One after the other, so that few are there twice.
    minima.into_iter().for_each(|of_part| all.extend(of_part));
    if parts > 1 {
        let place = |m: &Minimum| (m.pair(), m.cell, m.from);
        all.par_sort_unstable_by_key(|m| (place(m), m.duration, m.sent, m.received));
        all.dedup_by_key(|m| place(m));
    }
    all
}

/// A clock's first exit from an operation: the place of this among all, its cell,
/// the clock and what it showed.
type ExitRow = (u64, u32, u32, i64);

/// Returns a part's exits from the first few operations in each cell, as processes tell no others.
fn of_first_operations<E: Exchange>(
    exchange: &E,
    known: &Known,
    mut exits: Vec<ExitRow>,
) -> Vec<ExitRow> {
    if exchange.parts() == 1 || !exchange.shares_nothing() {
        return exits;
    }
    exits.sort_by_key(|row| row.0);
    let of_operation = exits.chunk_by(|a, b| a.0 == b.0);
    let operations = of_operation.map(|rows| (rows[0].0, rows[0].1)).collect();
    let mut all = exchange.to_first(operations).concat();
    all.sort_unstable();
    let first = first_in_cells(all.into_iter(), known.grid.cells, |it: &(u64, u32)| it.1);
    let first = exchange.told_by_first(first.map(|it| it.0).collect());
    exits.retain(|row| first.binary_search(&row.0).is_ok());
    exits
}

/// Returns the first few of some in each cell.
fn first_in_cells<T>(
    all: impl Iterator<Item = T>,
    cells: usize,
    cell: impl Fn(&T) -> u32,
) -> impl Iterator<Item = T> {
    let mut in_cell = vec![0; cells];
    all.filter(move |it| {
        let count = &mut in_cell[cell(it) as usize];
        *count += 1;
        *count <= EXITS_PER_CELL
    })
}

/// Returns the exits of the first few operations in each cell.
fn first_exits(rows: Vec<Vec<ExitRow>>, cells: usize) -> Vec<Exits> {
    let mut rows = rows.concat();
    rows.sort_by_key(|row| row.0);
    let of_operation = rows.chunk_by(|a, b| a.0 == b.0);
    let first = first_in_cells(of_operation, cells, |rows| rows[0].1);
    let exits = first.map(|rows| Exits {
        cell: rows[0].1,
        first: rows.iter().map(|row| (row.2, Timestamp(row.3))).collect(),
    });
    exits.collect()
}

pub(super) fn lower(least: &mut Option<i64>, value: i64) {
    *least = Some(least.map_or(value, |least| least.min(value)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{in_bytes, on_threads, Division, Way};
    use crate::testing::simulated;

    /// A trace in which other parts' clocks show nothing: whoever looks there
    /// finds something else than by asking.
    fn own_times_only(trace: &Trace, division: &Division, part: usize) -> Trace {
        let mut trace = trace.clone();
        for (number, location) in (0..).zip(&mut trace.locations) {
            if division.part_of(number) != part {
                let events = location.events.len();
                location.events.set_times(vec![Timestamp(7); events]);
            }
        }
        trace
    }

    fn by_parts(trace: &Trace, parts: usize, bytes: bool) -> String {
        let clocks = trace.clock_of_locations().into_iter().max();
        let maps = vec![ClockMap::default(); clocks.map_or(0, |last| last as usize + 1)];
        let matching = trace.matching();
        let known = Known::new(trace, &matching, &maps, Crew::Threads(parts), &Way::Alone);
        let traces = (0..parts).map(|part| own_times_only(trace, &known.division, part));
        let traces: Vec<Trace> = traces.collect();
        let found = match bytes {
            true => in_bytes(traces, |exchange, trace| part(exchange, &known, &trace)),
            false => on_threads(traces, |exchange, trace| part(exchange, &known, &trace)),
        };
        let found = found.into_iter().next().flatten().unwrap();
        let exits: Vec<_> = found.exits.iter().map(|it| (it.cell, &it.first)).collect();
        let (minima, exchanges) = (&found.minima, found.exchanges);
        assert!(!minima.is_empty());
        format!("{minima:?} {exits:?} {:?} {exchanges:?}", found.same_clock)
    }

    #[test]
    fn all_parts_together_find_the_same_whatever_their_number() {
        for name in ["partial", "partial-all-kinds", "partial-rank-clocks"] {
            let trace = simulated(name);
            let one = by_parts(&trace, 1, false);
            for parts in [2, 3, 7, trace.locations.len()] {
                assert!(
                    by_parts(&trace, parts, false) == one,
                    "{name}, {parts} parts"
                );
                assert!(
                    by_parts(&trace, parts, true) == one,
                    "{name}, {parts} parts"
                );
            }
        }
    }
}
