//! What the authors of the controlled logical clock tabulate of a correction
//! (Becker, Rabenseifner, Wolf 2008, §5): how many logical messages are
//! reversed or too early and by how much, how far events were moved, and what
//! became of the intervals between them.
//!
//! A logical message is a matched send and receive, a wait that the matching
//! calls a bound, or a pair of members of a collective operation one of which
//! waits for the other, as in [`check()`](crate::check()). Its counts are
//! found here again, by other means: pairs of a collective operation are
//! counted, not visited, so that n members cost n log n steps, not n².
//!
//! ```
//! use mpiscope_model::Trace;
//! use mpiscope_sync::statistics::{messages, Places};
//! use mpiscope_sync::{correct_matched, Config};
//!
//! let trace = Trace::parse("0: 20 send>1\n1: 18 recv<0").unwrap();
//! let (matching, times) = (trace.matching(), trace.times());
//! let table = correct_matched(&trace, &matching, &Config::default()).unwrap().latencies;
//! let found = messages(&trace, &matching, &times, &table, &Places::by_clock(&trace));
//! assert_eq!(found.all().reversed.count, 1);
//! assert_eq!(found.all().reversed.worst.0, 2);
//! ```
//!
//! What the logical clock did to receives, by class and pair, is found where it
//! found messages too early ([`moves`]). Several columns of times are looked at
//! in one pass ([`stages`]): where two do not differ, nothing is counted twice.
//!
//! All sums are integers: neither the order in which they are taken matters,
//! nor how many parts of the trace take them, each of which looks at the times
//! of its own locations and is told the others ([`part`]).

mod collectives;
mod counted;
mod enters;
mod intervals;
mod known;
mod moves;
mod pairs;
mod part;
mod senders;
mod together;
mod view;

use std::collections::BTreeMap;

use mpiscope_model::{Duration, LocationIndex, Matching, Processes, Timestamp, Trace};
use rayon::prelude::*;

pub use intervals::{displacement, distortion, Changes, Displacement, Distortion};
pub use moves::{moves, Moved, Moves};
pub use together::Together;

use crate::exchange::{Crew, Exchange};
use crate::latency::Class;
use crate::table::LatencyTable;
use crate::topology::Topology;
use crate::Correction;
use counted::Counted;
use known::Known;
use part::part;
use view::View;

/// How many were wrong, and by how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// How many.
    pub count: u64,
    /// All errors together, in ns.
    pub sum: u128,
    /// The worst.
    pub worst: Duration,
}

impl Errors {
    fn add(&mut self, error: i64) {
        self.count += 1;
        self.sum += error.unsigned_abs() as u128;
        self.worst.0 = self.worst.0.max(error);
    }

    fn merge(&mut self, other: &Errors) {
        self.count += other.count;
        self.sum += other.sum;
        self.worst = self.worst.max(other.worst);
    }

    /// Returns the mean error in ns; 0 if there is none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

/// What became of a set of logical messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many there are.
    pub messages: u64,
    /// Those received before they were sent, and how long before.
    pub reversed: Errors,
    /// Those received sooner than the minimum latency after they were sent,
    /// and how much sooner; the reversed ones are among them.
    pub too_early: Errors,
}

impl Figures {
    /// Counts one message.
    fn add(&mut self, sent: i64, received: i64, latency: Duration) {
        self.messages += 1;
        if received < sent {
            self.reversed.add(sent.saturating_sub(received));
        }
        let earliest = sent.saturating_add(latency.0);
        if received < earliest {
            self.too_early.add(earliest.saturating_sub(received));
        }
    }

    fn merge(&mut self, other: &Figures) {
        self.messages += other.messages;
        self.reversed.merge(&other.reversed);
        self.too_early.merge(&other.too_early);
    }
}

/// Where locations are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Numbers of process, clock, host and rack, by location.
    levels: [Vec<u32>; 4],
    group: Vec<u32>,
}

impl Places {
    /// Groups locations by `group_of`, one number per location; pairs of
    /// groups are counted apart.
    pub fn new(trace: &Trace, group_of: Vec<u32>) -> Places {
        let places = Topology::new(trace);
        Places {
            levels: [places.process, places.clock, places.host, places.rack],
            group: group_of,
        }
    }

    /// Groups locations by the clock they read.
    pub fn by_clock(trace: &Trace) -> Places {
        Places::new(trace, trace.clock_of_locations())
    }

    fn class(&self, from: LocationIndex, to: LocationIndex) -> Class {
        let same = |numbers: &Vec<u32>| numbers.get(from.index()) == numbers.get(to.index());
        let level = self.levels.iter().position(same);
        Class::ALL[level.unwrap_or(self.levels.len())]
    }

    /// The classes that a pair of locations may be of: at the others' levels
    /// there are no fewer places than at the one below.
    fn classes(&self) -> Vec<Class> {
        let distinct = |numbers: &Vec<u32>| {
            let mut numbers = numbers.clone();
            numbers.sort_unstable();
            numbers.dedup();
            numbers.len()
        };
        let mut finer = self.levels[0].len();
        let coarser = self.levels.iter().map(distinct).chain([1]);
        let possible = |coarser: usize| std::mem::replace(&mut finer, coarser) > coarser;
        let classes = Class::ALL.into_iter().zip(coarser.map(possible));
        classes.filter(|it| it.1).map(|it| it.0).collect()
    }

    fn group(&self, location: LocationIndex) -> u32 {
        self.group
            .get(location.index())
            .copied()
            .unwrap_or(u32::MAX)
    }
}

/// What became of the logical messages of a trace in one column of times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages {
    /// Matched sends and receives alone.
    pub point_to_point: Figures,
    /// By how near sender and receiver are: see [`Class::ALL`]. Of collective
    /// operations all pairs count.
    pub classes: [Figures; Class::ALL.len()],
    /// By the groups of sender and receiver. Of collective operations each
    /// receiver's message from the one sender counts that, with its latency,
    /// came last: the one that was waited for.
    pub pairs: BTreeMap<(u32, u32), Figures>,
}

impl Messages {
    /// Returns the figures of all classes together.
    pub fn all(&self) -> Figures {
        let mut all = Figures::default();
        self.classes.iter().for_each(|class| all.merge(class));
        all
    }

    /// Returns the figures of all pairs of groups together: one message for
    /// each receiver that waits for somebody.
    pub fn receives(&self) -> Figures {
        let mut all = Figures::default();
        self.pairs.values().for_each(|pair| all.merge(pair));
        all
    }
}

/// Looks at the logical messages of a trace whose events happened at `times`.
///
/// # Panics
/// If a location has fewer times than events.
pub fn messages(
    trace: &Trace,
    matching: &Matching,
    times: &[impl AsRef<[Timestamp]>],
    latencies: &LatencyTable,
    places: &Places,
) -> Messages {
    let times: Vec<&[Timestamp]> = times.iter().map(AsRef::as_ref).collect();
    let crew = known::crew(matching, None);
    let known = Known::new(trace, matching, latencies, places, crew);
    let [found] = count(crew, &known, [&times], None).messages(&known);
    found
}

/// Looks at the logical messages of a correction in all its columns at once:
/// in measured, interpolated and corrected times; and at what the logical
/// clock did to receives, as [`moves`] does.
///
/// # Panics
/// If a location has fewer times than events.
pub fn stages(
    trace: &Trace,
    matching: &Matching,
    measured: &[impl AsRef<[Timestamp]>],
    correction: &Correction,
    places: &Places,
) -> ([Messages; 3], Moves) {
    stages_together(trace, matching, measured, correction, places, None)
}

/// Does so as one of several processes, each of which looks at the times of the
/// locations that [`Correction::part_of`] gives it; the first gets to know what all have found, and
/// the others nothing: their figures are zero.
///
/// # Panics
/// If a location of this process has fewer times than events.
pub fn stages_together(
    trace: &Trace,
    matching: &Matching,
    measured: &[impl AsRef<[Timestamp]>],
    correction: &Correction,
    places: &Places,
    processes: Option<&dyn Processes>,
) -> ([Messages; 3], Moves) {
    let measured: Vec<&[Timestamp]> = measured.iter().map(AsRef::as_ref).collect();
    let interpolated: Vec<&[Timestamp]> =
        correction.interpolated.iter().map(AsRef::as_ref).collect();
    let corrected: Vec<&[Timestamp]> = correction.corrected.iter().map(AsRef::as_ref).collect();
    let columns = [&measured[..], &interpolated, &corrected];
    let crew = known::crew(matching, processes);
    let known = Known::new(trace, matching, &correction.latencies, places, crew);
    let counted = count(crew, &known, columns, Some(correction));
    (counted.messages(&known), counted.moves(&known))
}

/// Counts in all parts of a trace.
fn count<const N: usize>(
    crew: Crew,
    known: &Known,
    columns: [&[&[Timestamp]]; N],
    correction: Option<&Correction>,
) -> Counted<N> {
    let found = crew.run(vec![(); crew.here().len()], |exchange, ()| {
        part(
            exchange,
            &View::new(known, exchange.me(), columns, correction),
        )
    });
    let all = found.into_iter().next().flatten();
    all.unwrap_or_else(|| Counted::new(known))
}

/// Returns how many events lie before their predecessor in a location.
pub fn backward_steps(times: &[impl AsRef<[Timestamp]> + Sync]) -> u64 {
    let backward = |column: &_| {
        let pairs = AsRef::<[Timestamp]>::as_ref(column).windows(2);
        pairs.filter(|pair| pair[1] < pair[0]).count() as u64
    };
    times.par_iter().map(backward).sum()
}
