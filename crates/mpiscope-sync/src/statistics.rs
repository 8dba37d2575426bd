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
//! All sums are integers: neither the order in which they are taken matters,
//! nor how many threads take them.

mod enters;
mod intervals;
mod meetings;

use std::collections::BTreeMap;

use mpiscope_model::{Duration, EventRef, LocationIndex, Matching, Timestamp, Trace};
use rayon::prelude::*;

pub use intervals::{displacement, distortion, Changes, Displacement, Distortion};

use crate::latency::LatencyTable;
use crate::logical::Meeting;

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

/// How near sender and receiver are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Threads of one process that read one clock.
    SameProcess,
    /// Processes that read one clock.
    SameClock,
    /// Processes that read different clocks.
    DifferentClocks,
}

impl Class {
    /// All classes, nearest first, in the order of [`Messages::classes`].
    pub const ALL: [Class; 3] = [Class::SameProcess, Class::SameClock, Class::DifferentClocks];
}

/// Where locations are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    clock: Vec<u32>,
    process: Vec<u32>,
    group: Vec<u32>,
}

impl Places {
    /// Groups locations by `group_of`, one number per location; pairs of
    /// groups are counted apart.
    pub fn new(trace: &Trace, group_of: Vec<u32>) -> Places {
        let clock = trace.clock_of_locations();
        // Should threads of a process read different clocks, they are not near.
        let keys = trace.locations.iter().map(|it| it.rank).zip(&clock);
        let mut numbers = BTreeMap::new();
        let process = keys.map(|key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        });
        Places {
            process: process.collect(),
            clock,
            group: group_of,
        }
    }

    /// Groups locations by the clock they read.
    pub fn by_clock(trace: &Trace) -> Places {
        Places::new(trace, trace.clock_of_locations())
    }

    fn class(&self, from: LocationIndex, to: LocationIndex) -> Class {
        let same = |numbers: &[u32]| numbers.get(from.index()) == numbers.get(to.index());
        match (same(&self.process), same(&self.clock)) {
            (true, _) => Class::SameProcess,
            (_, true) => Class::SameClock,
            _ => Class::DifferentClocks,
        }
    }

    fn group(&self, location: LocationIndex) -> u32 {
        self.group
            .get(location.index())
            .copied()
            .unwrap_or(u32::MAX)
    }
}

/// What became of the logical messages of a trace in one column of times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Matched sends and receives alone.
    pub point_to_point: Figures,
    /// By how near sender and receiver are: see [`Class::ALL`]. Of collective
    /// operations all pairs count.
    pub classes: [Figures; 3],
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

    fn merge(&mut self, other: &Messages) {
        self.point_to_point.merge(&other.point_to_point);
        for (own, other) in self.classes.iter_mut().zip(&other.classes) {
            own.merge(other);
        }
        for (pair, other) in &other.pairs {
            self.pairs.entry(*pair).or_default().merge(other);
        }
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
    let view = View {
        times: &times,
        latencies,
        places,
    };
    let point_to_point = matching.messages.par_iter();
    let point_to_point = point_to_point.fold(Messages::default, |mut found, it| {
        if let Some((sent, received, latency)) = view.message(it.send, it.receive, &mut found) {
            found.point_to_point.add(sent, received, latency);
        }
        found
    });
    let bounds = matching.bounds.par_iter();
    let bounds = bounds.fold(Messages::default, |mut found, it| {
        view.message(it.send, it.receive, &mut found);
        found
    });
    let begin = || (meetings::Counter::new(&view), Messages::default());
    let collective = matching.collectives.par_iter();
    let collective = collective.fold(begin, |(mut counter, mut found), instance| {
        if let Some(meeting) = Meeting::new(trace, matching, instance) {
            counter.meeting(&meeting, &mut found);
        }
        (counter, found)
    });
    let single = point_to_point.chain(bounds);
    let all = single.chain(collective.map(|(_, found)| found));
    all.reduce(Messages::default, |mut found, other| {
        found.merge(&other);
        found
    })
}

/// Returns how many events lie before their predecessor in a location.
pub fn backward_steps(times: &[impl AsRef<[Timestamp]>]) -> u64 {
    let backward = |column: &_| {
        let pairs = AsRef::<[Timestamp]>::as_ref(column).windows(2);
        pairs.filter(|pair| pair[1] < pair[0]).count() as u64
    };
    times.iter().map(backward).sum()
}

/// What is looked at.
struct View<'a> {
    times: &'a [&'a [Timestamp]],
    latencies: &'a LatencyTable,
    places: &'a Places,
}

impl View<'_> {
    fn at(&self, event: EventRef) -> i64 {
        self.times[event.location.index()][event.index as usize].0
    }

    fn latency(&self, class: Class) -> Duration {
        match class {
            Class::SameProcess => self.latencies.same_process(),
            Class::SameClock => self.latencies.same_clock,
            Class::DifferentClocks => self.latencies.different_clocks,
        }
    }

    /// Counts a message, and returns it, if it goes to another location.
    fn message(
        &self,
        send: EventRef,
        receive: EventRef,
        found: &mut Messages,
    ) -> Option<(i64, i64, Duration)> {
        let (from, to) = (send.location, receive.location);
        if from == to {
            return None;
        }
        let class = self.places.class(from, to);
        let latency = self.latencies.between(from, to);
        let (sent, received) = (self.at(send), self.at(receive));
        found.classes[class as usize].add(sent, received, latency);
        self.pair(from, to, (sent, received, latency), found);
        Some((sent, received, latency))
    }

    fn pair(
        &self,
        from: LocationIndex,
        to: LocationIndex,
        (sent, received, latency): (i64, i64, Duration),
        found: &mut Messages,
    ) {
        let groups = (self.places.group(from), self.places.group(to));
        let pair = found.pairs.entry(groups).or_default();
        pair.add(sent, received, latency);
    }
}
