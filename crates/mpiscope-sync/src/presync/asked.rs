//! What the search for the maps of clocks asks of a trace, which several processes may share.
//!
//! The first of them searches, on the processors of all of its host, and tells what it has found; the
//! others answer what it asks, and sleep meanwhile. Did each search for itself, each would need
//! the time and the memory of all clocks, and those whose processors or libraries compute
//! differently, as standards of arithmetic let them, would find different maps.

mod counted;
mod crossing;

use std::ops::RangeInclusive;

use mpiscope_model::plain::{put_list, take_list};
use mpiscope_model::{plain, Duration, Matching, Processes, Timestamp, Trace};

use super::map::ClockMap;
use super::traffic::{self, Traffic};
use crate::config::PresyncMode;
use crate::exchange::{sharers, Plain};
use crate::latency::{Class, Latencies, Latency};
use crate::uncertainty::Uncertainty;

pub(super) use crossing::Crossing;

/// The messages and events of a trace, wherever they are.
pub(super) struct Everywhere<'a> {
    trace: &'a Trace,
    matching: &'a Matching,
    /// Who answers, if there are several.
    processes: Option<&'a dyn Processes>,
}

/// What is told next.
#[derive(Clone, Copy)]
enum Next {
    Traffic,
    Crossing,
    Shown,
    Counted,
    Found,
}

impl Next {
    const ALL: [Next; 5] = [
        Next::Traffic,
        Next::Crossing,
        Next::Shown,
        Next::Counted,
        Next::Found,
    ];
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub maps: Vec<ClockMap>,
    pub chosen: PresyncMode,
    pub latencies: Latencies,
    pub uncertainty: Uncertainty,
    pub sets: Vec<ClockSet>,
    /// How many clocks were never compared with each other.
    pub uncompared: Option<u64>,
}

/// A clock was set while the program ran.
#[derive(Clone, Copy)]
pub(super) struct ClockSet {
    pub clock: u32,
    /// From when on, by the clock itself.
    pub at: Timestamp,
    /// How much later it showed from then on.
    pub by: Duration,
}

plain! { ClockSet { clock, at, by } }

impl<'a> Everywhere<'a> {
    pub fn new(
        trace: &'a Trace,
        matching: &'a Matching,
        processes: Option<&'a dyn Processes>,
    ) -> Everywhere<'a> {
        Everywhere {
            trace,
            matching,
            processes: processes.filter(|processes| processes.count() > 1),
        }
    }

    /// Has the first process search, and all know what it finds. All come here.
    pub fn first_finds(&self, search: impl FnOnce() -> Found + Send) -> Found {
        let Some(processes) = self.processes else {
            return search();
        };
        if processes.me() > 0 {
            return self.answer(processes);
        }
        let mut search = Some(search);
        let mut found = Found::default();
        processes.on_host(&mut || {
            if let Some(search) = search.take() {
                found = search();
            }
        });
        self.tell(Next::Found, |bytes| found.put(bytes));
        found
    }

    /// Returns what messages tell of clocks that stand about as `maps` say.
    pub fn traffic(&self, maps: &[ClockMap]) -> Traffic {
        self.tell(Next::Traffic, |bytes| put_maps(maps, bytes));
        self.look_at_traffic(maps)
    }

    /// Returns between which times that it showed a clock was set, as far as messages tell.
    pub fn set_between(&self, crossing: &Crossing) -> (Timestamp, Timestamp) {
        self.tell(Next::Crossing, |bytes| crossing.put(bytes));
        self.look_at(crossing)
    }

    /// Returns all times within a range that a clock showed, ascending.
    pub fn shown(&self, clock: u32, range: RangeInclusive<Timestamp>) -> Vec<Timestamp> {
        let question = (clock, *range.start(), *range.end());
        self.tell(Next::Shown, |bytes| question.put(bytes));
        self.look_at_shown(clock, &range)
    }

    /// Returns how many events each clock has between each of its times and the next; each has as
    /// many of these, ascending.
    pub fn counted(&self, times: &[Vec<Timestamp>]) -> Vec<Vec<u64>> {
        self.tell(Next::Counted, |bytes| put_lists(times, bytes));
        self.look_at_counts(times)
    }

    /// Tells the others what comes next.
    fn tell(&self, next: Next, put: impl FnOnce(&mut Vec<u8>)) {
        if let Some(processes) = self.processes {
            let mut bytes = vec![next as u8];
            put(&mut bytes);
            processes.tell(bytes);
        }
    }

    /// Answers the first process until it tells what it has found.
    fn answer(&self, processes: &dyn Processes) -> Found {
        loop {
            let told = processes.tell(Vec::new());
            let found = self.answer_one(&mut &told[..]);
            if let Some(found) = found.expect("all processes run the same program") {
                return found;
            }
        }
    }

    /// Answers one question, or returns what was found (inner); nothing if neither can be read.
    fn answer_one(&self, told: &mut &[u8]) -> Option<Option<Found>> {
        match Next::ALL.get(usize::from(u8::take(told)?))? {
            Next::Traffic => drop(self.look_at_traffic(&take_maps(told)?)),
            Next::Crossing => drop(self.look_at(&Crossing::take(told)?)),
            Next::Shown => {
                let (clock, first, last) = Plain::take(told)?;
                self.look_at_shown(clock, &(first..=last));
            }
            Next::Counted => drop(self.look_at_counts(&take_lists(told)?)),
            Next::Found => return Some(Some(Found::take(told)?)),
        }
        Some(None)
    }

    fn look_at_traffic(&self, maps: &[ClockMap]) -> Traffic {
        traffic::gather(self.trace, self.matching, maps, self.processes)
    }

    fn look_at(&self, crossing: &Crossing) -> (Timestamp, Timestamp) {
        let sharers = sharers(self.trace, self.processes);
        crossing.look(self.trace, self.matching, &sharers)
    }

    fn look_at_shown(&self, clock: u32, range: &RangeInclusive<Timestamp>) -> Vec<Timestamp> {
        let sharers = sharers(self.trace, self.processes);
        crossing::shown(self.trace, &sharers, clock, range)
    }

    fn look_at_counts(&self, times: &[Vec<Timestamp>]) -> Vec<Vec<u64>> {
        counted::events(self.trace, &sharers(self.trace, self.processes), times)
    }
}

impl Found {
    fn put(&self, bytes: &mut Vec<u8>) {
        put_maps(&self.maps, bytes);
        (self.chosen as u8).put(bytes);
        Class::ALL.map(|class| self.latencies.of(class)).put(bytes);
        self.uncertainty.put(bytes);
        put_list(&self.sets, bytes);
        self.uncompared.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Found> {
        let maps = take_maps(bytes)?;
        let chosen = u8::take(bytes)?;
        let mut latencies = Latencies::default();
        for (class, latency) in Class::ALL.into_iter().zip(<[Latency; 5]>::take(bytes)?) {
            latencies.set(class, latency);
        }
        Some(Found {
            maps,
            chosen: *PresyncMode::ALL.get(usize::from(chosen))?,
            latencies,
            uncertainty: Uncertainty::take(bytes)?,
            sets: take_list(bytes)?,
            uncompared: Plain::take(bytes)?,
        })
    }
}

fn put_maps(maps: &[ClockMap], bytes: &mut Vec<u8>) {
    (maps.len() as u64).put(bytes);
    maps.iter().for_each(|map| map.put(bytes));
}

fn take_maps(bytes: &mut &[u8]) -> Option<Vec<ClockMap>> {
    let count = u64::take(bytes)?;
    (0..count).map(|_| ClockMap::take(bytes)).collect()
}

fn put_lists<T: Plain>(lists: &[Vec<T>], bytes: &mut Vec<u8>) {
    (lists.len() as u64).put(bytes);
    lists.iter().for_each(|list| put_list(list, bytes));
}

fn take_lists<T: Plain>(bytes: &mut &[u8]) -> Option<Vec<Vec<T>>> {
    let count = u64::take(bytes)?;
    (0..count).map(|_| take_list(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::latency::LatencySource;
    use crate::presync::{find, measured};
    use crate::testing::simulated;

    /// Which is told as a number that the other end looks up.
    #[test]
    fn lists_are_in_the_order_of_what_they_list() {
        let next = |it: Next| match it {
            Next::Traffic => 0,
            Next::Crossing => 1,
            Next::Shown => 2,
            Next::Counted => 3,
            Next::Found => 4,
        };
        assert!(Next::ALL.map(next).iter().copied().eq(0..Next::ALL.len()));
        let mode = |it: PresyncMode| match it {
            PresyncMode::None => 0,
            PresyncMode::Align => 1,
            PresyncMode::Linear => 2,
            PresyncMode::Hull => 3,
            PresyncMode::MinMax => 4,
            PresyncMode::Fit => 5,
        };
        assert!(PresyncMode::ALL
            .map(mode)
            .iter()
            .copied()
            .eq(0..PresyncMode::ALL.len()));
        let source = |it: LatencySource| match it {
            LatencySource::Configured => 0,
            LatencySource::Memory => 1,
            LatencySource::ShortestMessage => 2,
            LatencySource::ShortestExchange => 3,
            LatencySource::OffsetMeasurement => 4,
            LatencySource::Lowered => 5,
            LatencySource::Unknown => 6,
        };
        let all = LatencySource::ALL;
        assert!(all.map(source).iter().copied().eq(0..all.len()));
    }

    #[test]
    fn what_is_found_is_told_as_it_is() {
        let trace = simulated("partial-rank-clocks");
        let matching = trace.matching();
        let everywhere = Everywhere::new(&trace, &matching, None);
        let config = Config::default();
        let base = measured::maps(&trace, &config, &mut Vec::new()).unwrap();
        let mut found = find(&trace, &everywhere, &config, base);
        found.sets.push(ClockSet {
            clock: 3,
            at: Timestamp(-7),
            by: Duration(1 << 40),
        });
        found.uncompared = Some(2);
        let mut bytes = Vec::new();
        found.put(&mut bytes);
        let mut left = &bytes[..];
        let told = Found::take(&mut left).unwrap();
        assert!(left.is_empty());
        assert!(!found.maps.is_empty() && !found.uncertainty.intervals.is_empty());
        assert_eq!(told.maps, found.maps);
        assert_eq!(told.chosen, found.chosen);
        assert_eq!(told.latencies, found.latencies);
        assert_eq!(told.uncertainty, found.uncertainty);
        let sets = |it: &Found| {
            format!(
                "{:?}",
                it.sets
                    .iter()
                    .map(|it| (it.clock, it.at, it.by))
                    .collect::<Vec<_>>()
            )
        };
        assert_eq!(sets(&told), sets(&found));
        assert_eq!(told.uncompared, found.uncompared);
        assert!(Found::take(&mut &bytes[..bytes.len() - 1]).is_none());
    }
}
