//! A whole trace, and references into it.

use std::collections::BTreeMap;

use crate::clock::ClockDomain;
use crate::definitions::{CallSite, CallSiteId, Definitions, LocationIndex, Rank, RegionId};
use crate::events::{EventKind, Events};
use crate::time::Timestamp;

/// What a run left behind, in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What the events refer to.
    pub definitions: Definitions,
    /// Streams of events; [`LocationIndex`] counts in here.
    pub locations: Vec<Location>,
    /// Which locations read one clock. A location in no domain has a clock of
    /// its own, which was never compared.
    pub clocks: Vec<ClockDomain>,
    /// Ticks per second of the clock the times were read from. Time stamps
    /// in memory are nanoseconds whatever this says.
    pub resolution: u64,
    /// Which process of a job has the events of each location, where several
    /// share a trace; empty if all are here.
    pub parts: Vec<u32>,
    /// Of events that another process has, as far as it was asked: what was called, and where.
    pub places: BTreeMap<EventRef, (Option<RegionId>, Option<CallSiteId>)>,
}

impl Default for Trace {
    fn default() -> Trace {
        Trace {
            definitions: Definitions::default(),
            locations: Vec::new(),
            clocks: Vec::new(),
            resolution: 1_000_000_000,
            parts: Vec::new(),
            places: BTreeMap::new(),
        }
    }
}

/// What a stream of events is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocationKind {
    /// A thread of a process: only such call MPI.
    #[default]
    Thread,
    /// A stream of an accelerator.
    Accelerator,
    /// Values of metrics that belong to no thread.
    Metric,
}

/// One stream of events: a thread of a process, or what else was observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Its number in the archive.
    pub id: u64,
    /// What it is.
    pub kind: LocationKind,
    /// Name as shown: `Master thread`.
    pub name: String,
    /// World rank of its process; of an accelerator that of the process that
    /// uses it, or if no process is known to, a number that no process has.
    pub rank: Rank,
    /// Its number among the locations of the process.
    pub thread: u32,
    /// What happened.
    pub events: Events,
    /// How many events it has that another process of a job holds; they are
    /// not among `events`.
    pub elsewhere: usize,
    /// Why events are missing at the end, if they are.
    pub truncated: Option<String>,
}

impl Location {
    /// Returns whether it is a thread of a process.
    pub fn is_thread(&self) -> bool {
        self.kind == LocationKind::Thread
    }

    /// Returns how many events it has, here or elsewhere.
    pub fn count(&self) -> usize {
        self.events.len() + self.elsewhere
    }
}

/// One event of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventRef {
    /// Where it happened.
    pub location: LocationIndex,
    /// Its number in that location.
    pub index: u32,
}

impl EventRef {
    /// Refers to event `index` of `location`.
    pub fn new(location: LocationIndex, index: usize) -> EventRef {
        EventRef {
            location,
            index: index as u32,
        }
    }
}

impl Trace {
    /// Returns the world ranks of the processes that left events, ascending.
    pub fn ranks(&self) -> Vec<Rank> {
        let threads = self.locations.iter().filter(|it| it.is_thread());
        let mut ranks: Vec<Rank> = threads.map(|thread| thread.rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks
    }

    /// Returns the number of events in all locations, here or elsewhere.
    pub fn event_count(&self) -> usize {
        self.locations.iter().map(Location::count).sum()
    }

    /// Returns whether the events of a location are here, where processes
    /// share a trace and this is the one of that number.
    pub fn is_here(&self, location: usize, me: usize) -> bool {
        self.parts
            .get(location)
            .is_none_or(|part| *part as usize == me)
    }

    /// Returns the recorded time of an event.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn time(&self, event: EventRef) -> Timestamp {
        self.locations[event.location.index()].events.times()[event.index as usize]
    }

    /// Returns where in the program an event was called: what the event itself
    /// says, or else the innermost call around it that says so. Of a sample, where it found the
    /// thread.
    pub fn call_site(&self, event: EventRef) -> Option<&CallSite> {
        let events = &self.locations.get(event.location.index())?.events;
        if let Some(sample) = events.sample(event.index as usize) {
            return self.definitions.call_sites.get(sample.site.index());
        }
        if !events.has_call_sites() {
            return None;
        }
        let index = (event.index as usize).min(events.len());
        let around = enclosing_enters(events.kinds(), index);
        let mut sites = (std::iter::once(index).chain(around)).map(|at| events.call_site(at));
        let site = sites.find_map(|site| site)?;
        self.definitions.call_sites.get(site.index())
    }

    /// Returns the recorded times, one column per location.
    pub fn times(&self) -> Vec<Vec<Timestamp>> {
        let column = |location: &Location| location.events.times().to_vec();
        self.locations.iter().map(column).collect()
    }

    /// Gives the events other times, one column per location.
    ///
    /// # Panics
    /// If a column has not as many times as its location has events.
    pub fn set_times(&mut self, times: Vec<Vec<Timestamp>>) {
        for (location, times) in self.locations.iter_mut().zip(times) {
            location.events.set_times(times);
        }
    }

    /// Returns for each location the number of its clock. Locations that
    /// [`clocks`](Self::clocks) does not name get numbers of their own, above
    /// those of the domains; of several domains that name one, the first holds.
    pub fn clock_of_locations(&self) -> Vec<u32> {
        let mut clock_of = vec![u32::MAX; self.locations.len()];
        for (number, domain) in self.clocks.iter().enumerate() {
            for location in &domain.locations {
                match clock_of.get_mut(location.index()) {
                    Some(clock) if *clock == u32::MAX => *clock = number as u32,
                    _ => {}
                }
            }
        }
        let unnamed = clock_of.iter_mut().filter(|clock| **clock == u32::MAX);
        for (clock, number) in unnamed.zip(self.clocks.len() as u32..) {
            *clock = number;
        }
        clock_of
    }
}

/// Returns the enters of the regions around event `index`, innermost first.
fn enclosing_enters(kinds: &[EventKind], index: usize) -> impl Iterator<Item = usize> + '_ {
    let mut left = 0;
    (0..index).rev().filter(move |&before| match kinds[before] {
        EventKind::Leave => {
            left += 1;
            false
        }
        EventKind::Enter if left > 0 => {
            left -= 1;
            false
        }
        kind => kind == EventKind::Enter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_threads() {
        let picture = "accelerator 1.1 3:\nmetric 2:\n0: 1\n0.1: 1\n1: 1\n1.1: 1\n2: 1\n3: 1";
        let trace = Trace::parse(picture).unwrap();
        assert_eq!(trace.ranks(), [Rank(0), Rank(1)]);
    }

    #[test]
    fn an_event_was_called_where_the_innermost_call_that_says_so_was() {
        let trace = Trace::parse(
            "0: 1 enter(main) !at(main.c:1) 2 enter(solve) 3 enter(MPI_Recv) !at(solve.c:7) \
             4 recv<0 5 leave(MPI_Recv) 6 enter(MPI_Send) 7 send>0 8 leave(MPI_Send) 9 leave(solve)
             1: 1 send>0",
        )
        .unwrap();
        let line = |index| {
            let site = trace.call_site(EventRef::new(LocationIndex(0), index))?;
            site.line
        };
        let lines: Vec<_> = (0..9).map(line).collect();
        let (main, solve) = (Some(1), Some(7));
        assert_eq!(
            lines,
            [main, main, solve, solve, solve, main, main, main, main]
        );
        assert_eq!(trace.call_site(EventRef::new(LocationIndex(1), 0)), None);
        assert_eq!(trace.call_site(EventRef::new(LocationIndex(2), 0)), None);
    }
}
