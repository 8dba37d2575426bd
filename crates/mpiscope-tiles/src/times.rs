//! The times of one clock.
//!
//! Where a clock stepped back its times stand still until it has caught up: what lasts from one
//! event to the next then takes no time, and sums are exact. Messages keep the times that were
//! recorded, as it is these that say what came too early.

use mpiscope_model::{EventRef, Timestamp, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The times of one clock, those of the trace or others.
#[derive(Debug, Default)]
pub struct Times {
    /// Nothing if they are the trace's own.
    other: Option<Vec<Vec<Timestamp>>>,
    /// Of locations whose times go back.
    held: FxHashMap<u32, Vec<Timestamp>>,
    /// The first moment of the run.
    pub start: Timestamp,
    /// How long it lasts.
    pub length: u64,
}

impl Times {
    /// Takes the trace's own times, or others.
    ///
    /// # Panics
    /// If there is not one time for each event.
    pub fn new(trace: &Trace, other: Option<Vec<Vec<Timestamp>>>) -> Times {
        let mut times = Times {
            other,
            ..Times::default()
        };
        let locations = 0..trace.locations.len() as u32;
        let looked: Vec<_> = (locations.into_par_iter())
            .map(|location| {
                let column = times.recorded(trace, location);
                let events = trace.locations[location as usize].events.len();
                assert_eq!(column.len(), events, "one time for each event");
                Looked::at(column)
            })
            .collect();
        let known = looked.iter().filter_map(|it| it.ends);
        let first = known.clone().map(|(first, _)| first).min();
        let last = known.map(|(_, last)| last).max();
        times.start = first.unwrap_or_default();
        times.length = times.since_start(last.unwrap_or_default());
        let held = looked.into_iter().zip(0..);
        times.held = held.filter_map(|(it, at)| Some((at, it.held?))).collect();
        times
    }

    /// Returns whether they are the trace's own.
    pub fn are_the_traces(&self) -> bool {
        self.other.is_none()
    }

    /// Returns the times of a location as the clock told them.
    pub fn recorded<'a>(&'a self, trace: &'a Trace, location: u32) -> &'a [Timestamp] {
        match &self.other {
            Some(columns) => &columns[location as usize],
            None => trace.locations[location as usize].events.times(),
        }
    }

    /// Returns the times of a location, which never go back.
    pub fn forward<'a>(&'a self, trace: &'a Trace, location: u32) -> &'a [Timestamp] {
        match self.held.get(&location) {
            Some(held) => held,
            None => self.recorded(trace, location),
        }
    }

    /// Returns when an event happened, in nanoseconds from the start.
    pub fn of(&self, trace: &Trace, event: EventRef) -> u64 {
        let column = self.recorded(trace, event.location.0);
        self.since_start(column[event.index as usize])
    }

    /// Returns how long after the start a moment is that is not before it.
    pub fn since_start(&self, time: Timestamp) -> u64 {
        // Exact for any two moments, however far apart.
        time.0.wrapping_sub(self.start.0) as u64
    }

    /// Says when a clock begins and how long it lasts whose times are not in memory.
    pub(crate) fn elsewhere(start: Timestamp, length: u64) -> Times {
        Times {
            start,
            length,
            ..Times::default()
        }
    }

    /// Leaves times in memory no longer.
    pub(crate) fn leave(&mut self) {
        self.other = None;
        self.held.clear();
    }

    /// Returns the bytes that are taken beside the trace's own.
    pub fn bytes(&self) -> usize {
        let of = |columns: &mut dyn Iterator<Item = usize>| 8 * columns.sum::<usize>();
        let other = self.other.iter().flatten().map(Vec::len);
        of(&mut other.chain(self.held.values().map(Vec::len)))
    }
}

/// What is to be known of a column of times.
struct Looked {
    /// Earliest and latest.
    ends: Option<(Timestamp, Timestamp)>,
    held: Option<Vec<Timestamp>>,
}

impl Looked {
    fn at(column: &[Timestamp]) -> Looked {
        if column.is_sorted() {
            return Looked {
                ends: column.first().copied().zip(column.last().copied()),
                held: None,
            };
        }
        let latest = column.iter().scan(Timestamp::MIN, |latest, time| {
            *latest = (*latest).max(*time);
            Some(*latest)
        });
        Looked {
            ends: column
                .iter()
                .min()
                .copied()
                .zip(column.iter().max().copied()),
            held: Some(latest.collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_go_back_stand_still_and_count_all_the_same() {
        let trace = Trace::parse("0: 10 20 5 30\n1: 12").unwrap();
        let times = Times::new(&trace, None);
        let held: Vec<i64> = times.forward(&trace, 0).iter().map(|it| it.0).collect();
        assert_eq!(held, [10, 20, 20, 30]);
        assert_eq!((times.start, times.length), (Timestamp(5), 25));
    }

    #[test]
    fn any_two_moments_may_be_the_ends() {
        let trace = Trace::parse(&format!("0: {} {}", i64::MIN, i64::MAX)).unwrap();
        assert_eq!(Times::new(&trace, None).length, u64::MAX);
        let empty = Times::new(&Trace::default(), None);
        assert_eq!((empty.start, empty.length), (Timestamp(0), 0));
    }
}
