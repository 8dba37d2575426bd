//! The pass through all logical messages, in one or several columns of times
//! at once: what does not depend on times is looked up once.

use mpiscope_model::{EventRef, LocationIndex, Matching, Message, Timestamp, Trace};
use rayon::prelude::*;

use super::collectives::Counter;
use super::counted::{Counted, Senders};
use super::moves::Receiver;
use super::Places;
use crate::correction::Correction;
use crate::crowd::Ground;
use crate::latency::Class;
use crate::logical::CollectiveSync;
use crate::prefetch::prefetch;
use crate::table::LatencyTable;

/// Messages that one thread looks at before it asks for more.
const CHUNK: usize = 1 << 14;

/// How many messages ahead memory is asked for.
const AHEAD: usize = 16;

/// What is looked at.
pub(super) struct View<'a, const N: usize> {
    /// Times of all locations; of two columns that are the same, one is looked at.
    columns: [Vec<&'a [Timestamp]>; N],
    pub latencies: &'a LatencyTable,
    pub places: &'a Places,
    /// If pairs of hosts have latencies of their own.
    pub ground: Option<Ground>,
    /// Whose receives were moved from `interpolated` to the last column.
    pub correction: Option<&'a Correction>,
    /// Names of groups, and the group of each location.
    pub groups: Vec<u32>,
    group_of: Vec<u32>,
    /// The classes that a pair of locations may be of.
    pub classes: Vec<Class>,
}

impl<'a, const N: usize> View<'a, N> {
    pub fn new(
        columns: [&'a [&'a [Timestamp]]; N],
        latencies: &'a LatencyTable,
        places: &'a Places,
        correction: Option<&'a Correction>,
    ) -> View<'a, N> {
        let ground = latencies.has_pairs().then(|| Ground::new(latencies));
        let locations = columns.first().map_or(0, |times| times.len());
        let all = (0..locations as u32).map(LocationIndex);
        let named: Vec<u32> = all.map(|location| places.group(location)).collect();
        let mut groups = named.clone();
        groups.sort_unstable();
        groups.dedup();
        let number = |name: &u32| groups.partition_point(|group| group < name) as u32;
        View {
            columns: shared(columns),
            latencies,
            places,
            ground,
            correction,
            group_of: named.iter().map(number).collect(),
            groups,
            classes: places.classes(),
        }
    }

    /// Visits all logical messages.
    pub fn gather(&self, trace: &Trace, matching: &Matching) -> Counted<N> {
        let locations = self.group_of.len();
        let begin = || (Senders::new(locations), Counted::new(self));
        let messages = matching.messages.par_chunks(CHUNK);
        let messages = messages.fold(begin, |(mut senders, mut found), chunk| {
            self.messages(chunk, true, &mut senders, &mut found);
            (senders, found)
        });
        let bounds = matching.bounds.par_chunks(CHUNK);
        let bounds = bounds.fold(begin, |(mut senders, mut found), chunk| {
            let pair = |bound: &mpiscope_model::Bound| Message {
                send: bound.send,
                receive: bound.receive,
            };
            let chunk: Vec<Message> = chunk.iter().map(pair).collect();
            self.messages(&chunk, false, &mut senders, &mut found);
            (senders, found)
        });
        let begin = || (Counter::new(self), Counted::new(self));
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
        let single = messages.chain(bounds).map(|(_, found)| found);
        let all = single.chain(collective.map(|(_, found)| found));
        all.reduce(|| Counted::new(self), Counted::merge)
    }

    /// Counts messages, receiver by receiver.
    fn messages(
        &self,
        chunk: &[Message],
        matched: bool,
        senders: &mut Senders<N>,
        found: &mut Counted<N>,
    ) {
        let together = |chunk: &[Message]| {
            let runs = chunk.chunk_by(|a, b| a.receive.location == b.receive.location);
            runs.count() <= 1 + chunk.len() / 16
        };
        let sorted: Vec<Message>;
        let chunk = match together(chunk) {
            true => chunk,
            false => {
                let mut messages = chunk.to_vec();
                messages.sort_by_key(|it| it.receive.location);
                sorted = messages;
                &sorted
            }
        };
        for run in chunk.chunk_by(|a, b| a.receive.location == b.receive.location) {
            self.received(run, senders);
            senders.finish(self, run[0].receive.location, matched, found);
        }
    }

    /// Counts messages to one location.
    fn received(&self, run: &[Message], senders: &mut Senders<N>) {
        let to = run[0].receive.location;
        let here = self.columns.each_ref().map(|column| column[to.index()]);
        let receiver = self.receiver(to);
        for (number, it) in run.iter().enumerate() {
            if let Some(soon) = run.get(number + AHEAD) {
                self.look_ahead(soon.send);
            }
            let from = it.send.location;
            if from == to {
                continue;
            }
            let (sent, received) = (it.send.index as usize, it.receive.index);
            let times = std::array::from_fn(|column| {
                let there = self.columns[column][from.index()];
                (there[sent].0, here[column][received as usize].0)
            });
            let sender = senders.of(self, from, to);
            sender.add(times, receiver.map(|receiver| (receiver, received)));
        }
    }

    /// A location as moves are looked at, if they are.
    pub fn receiver(&self, location: LocationIndex) -> Option<Receiver<'a>> {
        let correction = self.correction?;
        Some(Receiver::new(correction, location))
    }

    /// The group of a location.
    pub fn group(&self, location: LocationIndex) -> u32 {
        self.group_of[location.index()]
    }

    /// Asks for the times of an event: those of other locations lie scattered.
    #[inline]
    fn look_ahead(&self, event: EventRef) {
        let location = event.location.index();
        for column in &self.columns {
            prefetch(column[location], event.index as usize);
        }
    }

    pub fn at(&self, column: usize, event: EventRef) -> i64 {
        self.columns[column][event.location.index()][event.index as usize].0
    }
}

/// Has a column that does not differ from the one before at a location lie
/// where that one lies.
fn shared<'a, const N: usize>(columns: [&[&'a [Timestamp]]; N]) -> [Vec<&'a [Timestamp]>; N] {
    let mut shared = columns.map(<[_]>::to_vec);
    for column in 1..N {
        let (before, after) = shared.split_at_mut(column);
        let all = before[column - 1].par_iter().zip(&mut after[0]);
        all.for_each(|(before, after)| {
            if before == after {
                *after = before;
            }
        });
    }
    shared
}
