//! What all parts have of their locations, put together.

use super::{Division, Exchange, Plain};

/// Returns the lists of all locations, of which each part has those of its own.
pub(crate) fn gathered<E: Exchange, T: Plain>(
    exchange: &E,
    division: &Division,
    lists: &[Vec<T>],
) -> Vec<Vec<T>> {
    let mine = division.locations(exchange.me()).iter();
    let mine = mine.map(|&location| &lists[location as usize]);
    let lengths = mine.clone().map(|list| list.len() as u64);
    let lengths = exchange.all_gather(lengths.collect());
    let rows = exchange.all_gather(mine.flatten().copied().collect());
    let mut all: Vec<Vec<T>> = lists.iter().map(|_| Vec::new()).collect();
    for (part, (lengths, rows)) in lengths.into_iter().zip(rows).enumerate() {
        let mut rows = rows.into_iter();
        for (&location, length) in division.locations(part).iter().zip(lengths) {
            all[location as usize] = rows.by_ref().take(length as usize).collect();
        }
    }
    all
}
