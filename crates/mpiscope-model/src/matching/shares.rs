//! How the processes of a trace are divided among threads.

use std::ops::Range;

use crate::definitions::{LocationIndex, Rank};
use crate::trace::Trace;

/// Splits the processes into at most `count` shares of about as many events.
pub(super) fn shares(
    trace: &Trace,
    processes: &[(Rank, Vec<LocationIndex>)],
    count: usize,
) -> Vec<Range<usize>> {
    let events = |location: &LocationIndex| trace.locations[location.index()].events.len();
    let total = trace.event_count();
    let mut shares = Vec::with_capacity(count);
    let (mut begin, mut sum) = (0, 0);
    for (process, (_, locations)) in processes.iter().enumerate() {
        sum += locations.iter().map(events).sum::<usize>();
        if sum * count >= total * (shares.len() + 1) || process + 1 == processes.len() {
            shares.push(begin..process + 1);
            begin = process + 1;
        }
    }
    shares
}
