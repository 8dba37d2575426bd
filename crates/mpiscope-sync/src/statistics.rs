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
//! What the logical clock did to receives, by class and pair, is found in
//! another pass ([`moves`]), which knows where it found messages too early.
//!
//! All sums are integers: neither the order in which they are taken matters,
//! nor how many threads take them.

mod collectives;
mod enters;
mod intervals;
mod moves;

use std::collections::BTreeMap;

use mpiscope_model::{Duration, EventRef, LocationIndex, Matching, Timestamp, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub use intervals::{displacement, distortion, Changes, Displacement, Distortion};
pub use moves::{moves, Moved, Moves};

use crate::crowd::Ground;
use crate::latency::Class;
use crate::logical::CollectiveSync;
use crate::prefetch::prefetch;
use crate::table::LatencyTable;
use crate::topology::Topology;

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

/// What is gathered from logical messages, part by part.
trait Tally: Send {
    /// Takes one message, or all messages of one class in a collective
    /// operation to one receiver, as `Figures`.
    fn add(&mut self, class: Class, figures: &Figures);
    /// Takes a message that a receiver waited for.
    fn awaited(&mut self, view: &View, message: &Awaited);
    /// Takes a matched send and receive.
    fn point_to_point(&mut self, _figures: &Figures) {}
    /// Takes what another gathered.
    fn merge(&mut self, other: Self);
}

/// A message that a receiver waited for.
struct Awaited {
    from: LocationIndex,
    receive: EventRef,
    class: Class,
    sent: i64,
    received: i64,
    latency: Duration,
}

/// Messages while they are counted.
#[derive(Default)]
struct Counted {
    point_to_point: Figures,
    classes: [Figures; Class::ALL.len()],
    /// Each message looks up its pair, so these are hashed.
    pairs: FxHashMap<(u32, u32), Figures>,
}

impl Tally for Counted {
    fn add(&mut self, class: Class, figures: &Figures) {
        self.classes[class as usize].merge(figures);
    }

    fn awaited(&mut self, view: &View, message: &Awaited) {
        let pair = self.pairs.entry(view.groups(message)).or_default();
        pair.add(message.sent, message.received, message.latency);
    }

    fn point_to_point(&mut self, figures: &Figures) {
        self.point_to_point.merge(figures);
    }

    fn merge(&mut self, other: Counted) {
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
    let view = View::new(&times, latencies, places);
    let counted = view.gather(trace, matching, Counted::default);
    Messages {
        point_to_point: counted.point_to_point,
        classes: counted.classes,
        pairs: counted.pairs.into_iter().collect(),
    }
}

/// Returns how many events lie before their predecessor in a location.
pub fn backward_steps(times: &[impl AsRef<[Timestamp]>]) -> u64 {
    let backward = |column: &_| {
        let pairs = AsRef::<[Timestamp]>::as_ref(column).windows(2);
        pairs.filter(|pair| pair[1] < pair[0]).count() as u64
    };
    times.iter().map(backward).sum()
}

/// Messages that one thread looks at before it asks for more.
const CHUNK: usize = 4096;

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// What is looked at.
struct View<'a> {
    times: &'a [&'a [Timestamp]],
    latencies: &'a LatencyTable,
    places: &'a Places,
    /// If pairs of hosts have latencies of their own.
    ground: Option<Ground>,
}

impl<'a> View<'a> {
    fn new(
        times: &'a [&'a [Timestamp]],
        latencies: &'a LatencyTable,
        places: &'a Places,
    ) -> View<'a> {
        let ground = latencies.has_pairs().then(|| Ground::new(latencies));
        View {
            times,
            latencies,
            places,
            ground,
        }
    }

    /// Visits all logical messages; each thread begins with what `new` makes.
    fn gather<T: Tally>(
        &self,
        trace: &Trace,
        matching: &Matching,
        new: impl Fn() -> T + Sync + Send,
    ) -> T {
        let point_to_point = matching.messages.par_chunks(CHUNK);
        let point_to_point = point_to_point.fold(&new, |mut found, chunk| {
            for (number, it) in chunk.iter().enumerate() {
                if let Some(soon) = chunk.get(number + AHEAD) {
                    self.look_ahead(soon.send);
                    self.look_ahead(soon.receive);
                }
                if let Some(figures) = self.message(it.send, it.receive, &mut found) {
                    found.point_to_point(&figures);
                }
            }
            found
        });
        let bounds = matching.bounds.par_iter();
        let bounds = bounds.fold(&new, |mut found, it| {
            self.message(it.send, it.receive, &mut found);
            found
        });
        let begin = || (collectives::Counter::new(self), new());
        let collective = matching.collectives.par_iter();
        let collective = collective.fold(begin, |(mut counter, mut found), instance| {
            for member in matching.members_of(instance) {
                self.look_ahead(member.enter);
                self.look_ahead(member.exit);
            }
            if let Some(collective) = CollectiveSync::new(trace, matching, instance) {
                counter.collective(&collective, &mut found);
            }
            (counter, found)
        });
        let single = point_to_point.chain(bounds);
        let all = single.chain(collective.map(|(_, found)| found));
        all.reduce(&new, |mut found, other| {
            found.merge(other);
            found
        })
    }

    /// Asks for the time of an event: those of other locations lie scattered.
    #[inline]
    fn look_ahead(&self, event: EventRef) {
        prefetch(self.times[event.location.index()], event.index as usize);
    }

    fn at(&self, event: EventRef) -> i64 {
        self.times[event.location.index()][event.index as usize].0
    }

    /// Counts a message, and returns it, if it goes to another location.
    fn message<T: Tally>(
        &self,
        send: EventRef,
        receive: EventRef,
        found: &mut T,
    ) -> Option<Figures> {
        let (from, to) = (send.location, receive.location);
        if from == to {
            return None;
        }
        let message = Awaited {
            from,
            receive,
            class: self.places.class(from, to),
            sent: self.at(send),
            received: self.at(receive),
            latency: self.latencies.between(from, to),
        };
        let mut figures = Figures::default();
        figures.add(message.sent, message.received, message.latency);
        found.add(message.class, &figures);
        found.awaited(self, &message);
        Some(figures)
    }

    /// Returns the groups of sender and receiver.
    fn groups(&self, message: &Awaited) -> (u32, u32) {
        let [from, to] = [message.from, message.receive.location];
        (self.places.group(from), self.places.group(to))
    }
}
