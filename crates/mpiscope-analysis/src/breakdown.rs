//! Time broken down: how often each region, call path, line, location, rank, host and communicator
//! was visited, and how long it took, of all of a run or of what is selected of it.
//!
//! Each location's calls make a tree; a node has the visits and the exclusive time of one region
//! reached by one path. All tables are sums over nodes, so that the exclusive times of a table add
//! up to the selected time, to the nanosecond: what lies in no region, what was not recorded and
//! idle threads have rows of their own. Inclusive time counts a region within itself once.
//!
//! ```
//! use mpiscope_analysis::breakdown::{Breakdown, By, Selection, What};
//! use mpiscope_model::Trace;
//!
//! let trace = Trace::parse("
//!     0: 0 2 enter(solve) 5 enter(MPI_Barrier) 9 leave(MPI_Barrier) 10 leave(solve) 12
//! ")?;
//! let all = Breakdown::of(&trace, &trace.matching(), &Selection::all(&trace));
//! let rows = all.table(&trace, &By::Region);
//! let solve = rows.iter().find(|row| row.sum.inclusive.0 == 8).unwrap();
//! assert_eq!((solve.sum.visits, solve.sum.exclusive.0), (1, 4));
//! assert_eq!(rows.iter().map(|row| row.sum.exclusive.0).sum::<i64>(), 12);
//! # Ok::<(), mpiscope_model::fixture::Error>(())
//! ```

mod call_paths;
mod calls;
mod rows;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeMap;
use std::ops::Range;

use mpiscope_model::{CallSiteId, CommId, Duration, Matching, RegionId, Timestamp, Trace};
use rayon::prelude::*;

use crate::races::first_of_lines;
use crate::timeline::{is_mpi, Regions, Timeline};
use crate::wait_states::{find, timelines, WaitState};
pub use call_paths::{CallPath, OfPath};
use tree::OfLocation;

/// What of a run is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Of each location the time that is looked at, its end excluded; nothing of one that is
    /// left out. Those that are no threads are never looked at.
    pub windows: Vec<Option<Range<Timestamp>>>,
    /// Only what happens in one of these regions, themselves and their calls included.
    pub within: Option<Vec<RegionId>>,
    /// Only these.
    pub only: Option<Only>,
}

/// Which regions are looked at; what a call of MPI calls is a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// Of each region whether it is one.
    pub regions: Vec<bool>,
    /// Work in no region.
    pub outside: bool,
    /// Threads between two teams.
    pub idle: bool,
    /// Collective operations that stand in no region.
    pub operations: bool,
}

impl Selection {
    /// Selects everything.
    pub fn all(trace: &Trace) -> Selection {
        Selection {
            windows: vec![Some(Timestamp::MIN..Timestamp::MAX); trace.locations.len()],
            within: None,
            only: None,
        }
    }
}

/// What a location does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// It is in a region.
    Region(RegionId),
    /// It is in a collective operation that stands in no region.
    Operation,
    /// It works in no region.
    Outside,
    /// It is a thread between two teams.
    Idle,
    /// Recording was off.
    Unrecorded,
}

/// Which communicator a call of MPI used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Used {
    /// This one.
    One(CommId),
    /// More than one.
    Several,
    /// The trace tells none.
    Untold,
    /// It is no call of MPI.
    NoCall,
}

/// What rows are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// Regions.
    Region,
    /// Regions, and those around them.
    CallPath,
    /// Regions by the line that called them, as far as it is told.
    Line,
    /// Threads.
    Location,
    /// World ranks.
    Rank,
    /// Hosts, or whatever each location is on.
    Host(Vec<u32>),
    /// Communicators.
    Communicator,
}

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A region.
    Region(What),
    /// A call path, outermost first.
    Path(Vec<What>),
    /// A region and where it was called.
    Line(What, Option<CallSiteId>),
    /// A location, by its index.
    Location(u32),
    /// A world rank.
    Rank(u32),
    /// A host, by its number.
    Host(u32),
    /// A communicator.
    Communicator(Used),
}

/// What is known of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Visits that began in the selected time.
    pub visits: u64,
    /// Time in it, what it called included.
    pub inclusive: Duration,
    /// Time in it, without what it called.
    pub exclusive: Duration,
    /// Of the exclusive time waiting for others.
    pub waiting: Duration,
}

impl Sum {
    fn merge(&mut self, other: &Sum) {
        self.visits = self.visits.saturating_add(other.visits);
        self.inclusive += other.inclusive;
        self.exclusive += other.exclusive;
        self.waiting += other.waiting;
    }

    /// Adds time in something that calls nothing else.
    fn passes(&mut self, time: Duration, waiting: Duration) {
        self.inclusive += time;
        self.exclusive += time;
        self.waiting += waiting;
    }
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub key: Key,
    /// Of all ranks.
    pub sum: Sum,
    /// Ranks that have it.
    pub ranks: u32,
    /// The least exclusive time of a selected rank.
    pub least: Duration,
    /// The most of one.
    pub most: Duration,
    /// The world rank that has the most; the lowest of equals.
    pub most_rank: u32,
}

/// Messages that were sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// How many.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Time in the calls that sent them; a call that sent several counts with the longest message.
    pub time: Duration,
}

impl Sent {
    /// Adds others.
    pub fn merge(&mut self, other: &Sent) {
        self.messages = self.messages.saturating_add(other.messages);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.time += other.time;
    }
}

/// A run, broken down.
#[derive(Debug)]
pub struct Breakdown {
    /// Of each location that is looked at.
    locations: Vec<(u32, OfLocation)>,
    /// Selected ranks, ascending.
    ranks: Vec<u32>,
    /// Time of the selected locations in their windows.
    pub time: Duration,
    /// What of it is in the tables: all, unless regions or groups of them were selected.
    pub selected: Duration,
    /// Messages by size: under 0 those without bytes, under n those of at least 2^(n−1) and less
    /// than 2^n bytes.
    pub sizes: BTreeMap<u32, Sent>,
    /// Messages by the world ranks of sender and receiver; the time is nothing.
    pub pairs: BTreeMap<(u32, u32), Sent>,
    /// Messages whose receiver the trace does not tell.
    pub to_unknown: Sent,
    /// Leaves of regions that were never entered.
    pub unopened: u64,
    /// Regions that were never left; they end with the location.
    pub unclosed: u64,
}

impl Breakdown {
    /// Looks at all that is selected.
    pub fn of(trace: &Trace, matching: &Matching, selection: &Selection) -> Breakdown {
        let lines = timelines(trace);
        let waits = find(trace, matching, &lines);
        Breakdown::among(trace, selection, &lines, &waits)
    }

    /// Does the same where wait states are known.
    pub(crate) fn among(
        trace: &Trace,
        selection: &Selection,
        lines: &[Timeline],
        waits: &[Vec<WaitState>],
    ) -> Breakdown {
        let look = tree::Look {
            trace,
            selection,
            first: &first_of_lines(trace),
            regions: &Regions::new(trace),
            is_mpi: &trace
                .definitions
                .regions
                .iter()
                .map(is_mpi)
                .collect::<Vec<_>>(),
        };
        let of = |(number, window): (usize, &Option<Range<Timestamp>>)| {
            let (location, line) = (trace.locations.get(number)?, lines.get(number)?);
            let window = window.clone().filter(|_| location.is_thread())?;
            let of = look.at(location, &line.times, &waits[number], window);
            Some((number as u32, of))
        };
        let windows = selection.windows.par_iter().enumerate();
        let mut locations: Vec<(u32, OfLocation)> = windows.filter_map(of).collect();
        locations.sort_by_key(|(number, _)| (trace.locations[*number as usize].rank, *number));
        Breakdown::add_up(trace, locations)
    }

    fn add_up(trace: &Trace, mut locations: Vec<(u32, OfLocation)>) -> Breakdown {
        let rank = |number: u32| trace.locations[number as usize].rank.0;
        let mut ranks: Vec<u32> = locations.iter().map(|(number, _)| rank(*number)).collect();
        ranks.dedup();
        let mut all = Breakdown {
            locations: Vec::new(),
            ranks,
            time: Duration::ZERO,
            selected: Duration::ZERO,
            sizes: BTreeMap::new(),
            pairs: BTreeMap::new(),
            to_unknown: Sent::default(),
            unopened: 0,
            unclosed: 0,
        };
        for (number, of) in &mut locations {
            all.time += of.time;
            all.selected += of.selected();
            all.unopened += of.unopened;
            all.unclosed += of.unclosed;
            for (size, sent) in std::mem::take(&mut of.sizes) {
                all.sizes.entry(size).or_default().merge(&sent);
            }
            for (to, sent) in std::mem::take(&mut of.receivers) {
                match to {
                    Some(to) => all.pairs.entry((rank(*number), to)).or_default(),
                    None => &mut all.to_unknown,
                }
                .merge(&sent);
            }
        }
        all.locations = locations;
        all
    }

    /// Returns the world ranks that are looked at, ascending.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// Returns a table, the rows with most exclusive time first.
    pub fn table(&self, trace: &Trace, by: &By) -> Vec<Row> {
        rows::table(&self.locations, trace, by, self.ranks.len())
    }
}
