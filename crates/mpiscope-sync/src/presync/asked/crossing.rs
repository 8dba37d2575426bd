//! What messages to and from a clock tell of when it was set.

use std::ops::RangeInclusive;

use mpiscope_model::plain::{put_list, take_list};
use mpiscope_model::{Duration, EventRef, LocationIndex, Matching, Message, Timestamp, Trace};

use super::{put_maps, take_maps};
use crate::exchange::{each_received, Division, Exchange, Plain, Way};
use crate::presync::map::ClockMap;

/// Messages of a clock that was set, while it showed times of a range.
pub(in crate::presync) struct Crossing {
    pub clock: u32,
    /// How much later it showed from then on.
    pub by: Duration,
    pub first: Timestamp,
    pub last: Timestamp,
    pub latency: Duration,
    /// How much too early messages may be, in ns.
    pub tolerance: i64,
    /// By how much the map of each peer's clock is off before the step, against this clock; in ns.
    pub errors: Vec<Option<f64>>,
    pub maps: Vec<ClockMap>,
}

impl Crossing {
    pub fn put(&self, bytes: &mut Vec<u8>) {
        let times = (self.by, self.first, self.last);
        (self.clock, times, self.latency, self.tolerance).put(bytes);
        put_list(&self.errors, bytes);
        put_maps(&self.maps, bytes);
    }

    pub fn take(bytes: &mut &[u8]) -> Option<Crossing> {
        let (clock, (by, first, last), latency, tolerance) = Plain::take(bytes)?;
        Some(Crossing {
            clock,
            by,
            first,
            last,
            latency,
            tolerance,
            errors: take_list(bytes)?,
            maps: take_maps(bytes)?,
        })
    }

    /// Returns the latest time that the clock showed surely before it was set, and the earliest
    /// after that; the ends of the range where no message tells.
    pub fn look(
        &self,
        trace: &Trace,
        matching: &Matching,
        sharers: &Way,
    ) -> (Timestamp, Timestamp) {
        let clock_of = trace.clock_of_locations();
        let clock = |event: EventRef| clock_of[event.location.index()];
        let (mut after, mut until) = (self.first, self.last);
        let division = Division::of_shared(sharers.parts(), trace);
        let is_own = |event: EventRef| clock(event) == self.clock;
        let messages = matching.messages.iter();
        let crossing: Vec<&Message> = messages
            .filter(|it| is_own(it.send) != is_own(it.receive))
            .collect();
        let ends = |number: usize| (crossing[number].send, crossing[number].receive);
        let times = |location: LocationIndex| trace.locations[location.index()].events.times();
        each_received(
            sharers,
            &division,
            (crossing.len(), matching.of_all.is_some()),
            ends,
            times,
            |number, sent| {
                let (send, receive) = ends(number);
                let (sent, received) = (Timestamp(sent), trace.time(receive));
                let (from, to) = (clock(send), clock(receive));
                // Being late lets a clock receive late and send early.
                let (shown, peer, sign) = match from == self.clock {
                    true => (sent, to, 1),
                    false => (received, from, -1),
                };
                let is_within = (self.first..=self.last).contains(&shown);
                let (true, Some(error)) = (is_within, self.errors[peer as usize]) else {
                    return;
                };
                let duration =
                    self.maps[to as usize].map(received) - self.maps[from as usize].map(sent);
                let slack = (duration - self.latency).0 + sign * error as i64;
                let slack_after = slack + sign * self.by.0;
                match (slack < -self.tolerance, slack_after < -self.tolerance) {
                    (true, false) => until = until.min(shown),
                    (false, true) => after = after.max(shown),
                    _ => {}
                }
            },
        );
        let until = Timestamp(sharers.least(until.0));
        (Timestamp(sharers.greatest(after.0)), until)
    }
}

/// Returns all times within a range that a clock showed, ascending, to the first.
pub(super) fn shown(
    trace: &Trace,
    sharers: &Way,
    clock: u32,
    range: &RangeInclusive<Timestamp>,
) -> Vec<Timestamp> {
    let locations = trace.locations.iter().zip(trace.clock_of_locations());
    let mine = locations
        .filter(|(_, of)| *of == clock)
        .flat_map(|(location, _)| within(location.events.times(), range));
    let mut shown = sharers.to_first(mine.copied().collect()).concat();
    shown.sort_unstable();
    shown
}

/// Returns the times of a column within a range.
fn within<'a>(times: &'a [Timestamp], range: &RangeInclusive<Timestamp>) -> &'a [Timestamp] {
    let begin = times.partition_point(|time| time < range.start());
    let end = times.partition_point(|time| time <= range.end());
    &times[begin..end.max(begin)]
}
