//! How many events a clock has when.

use mpiscope_model::{Timestamp, Trace};

use crate::exchange::{Exchange, Way};

/// Counts the events of each clock between each of its times and the next; the first gets to know
/// those of all.
pub(super) fn events(trace: &Trace, sharers: &Way, times: &[Vec<Timestamp>]) -> Vec<Vec<u64>> {
    let windows = times.first().map_or(0, |of| of.len().saturating_sub(1));
    let mut events = vec![vec![0; windows]; times.len()];
    for (location, clock) in trace.locations.iter().zip(trace.clock_of_locations()) {
        let shown = location.events.times();
        let before = |end: &Timestamp| shown.partition_point(|time| time < end);
        let before: Vec<usize> = times[clock as usize].iter().map(before).collect();
        for (count, ends) in events[clock as usize].iter_mut().zip(before.windows(2)) {
            *count += ends[1].saturating_sub(ends[0]) as u64;
        }
    }
    let all = sharers.to_first(events.concat());
    let sum = |place: usize| all.iter().filter_map(|of_part| of_part.get(place)).sum();
    let sums: Vec<u64> = (0..times.len() * windows).map(sum).collect();
    let of_clock = sums.chunks(windows.max(1));
    of_clock.map(<[u64]>::to_vec).collect()
}
