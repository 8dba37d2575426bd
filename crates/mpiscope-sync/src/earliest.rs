//! The message that seemed to be received longest before it was sent.

use std::cmp::Reverse;

use mpiscope_model::{
    Duration, EventRef, LocationIndex, Matching, Message, Processes, Timestamp, Trace,
};
use rayon::prelude::*;

use crate::exchange::{each_received, sharers, Division, Exchange};

/// Messages that one thread looks at before another does: one by one, as rayon hands them out,
/// they take three times as long.
const SOME: usize = 1 << 14;

/// Returns the message between locations that was received longest before it was sent by the
/// recorded times, and how long; of several the one sent first in the order of the trace. Nothing
/// if none was. Processes that share the events look for it together.
pub fn earliest(
    trace: &Trace,
    matching: &Matching,
    processes: Option<&dyn Processes>,
) -> Option<(Duration, Message)> {
    let messages = &matching.messages;
    let found = match trace.parts.is_empty() {
        true => {
            let found = |it: &Message| (trace.time(it.send) - trace.time(it.receive), *it);
            let of_some =
                |some: &[Message]| some.iter().map(found).filter_map(apart).max_by_key(order);
            messages
                .par_chunks(SOME)
                .filter_map(of_some)
                .max_by_key(order)
        }
        false => together(trace, matching, &sharers(trace, processes)),
    };
    found.filter(|(by, _)| by.0 > 0)
}

type Found = (Duration, Message);

fn apart(found: Found) -> Option<Found> {
    let Message { send, receive } = found.1;
    (send.location != receive.location).then_some(found)
}

fn order((by, message): &Found) -> (Duration, Reverse<EventRef>) {
    (*by, Reverse(message.send))
}

fn together<E: Exchange>(trace: &Trace, matching: &Matching, sharers: &E) -> Option<Found> {
    let messages = &matching.messages;
    let division = Division::of_shared(sharers.parts(), trace);
    let ends = |number: usize| (messages[number].send, messages[number].receive);
    let mut mine: Option<Found> = None;
    let times = |location: LocationIndex| trace.locations[location.index()].events.times();
    each_received(
        sharers,
        &division,
        (messages.len(), matching.of_all.is_some()),
        ends,
        times,
        |number, sent| {
            let message = messages[number];
            let found = (Timestamp(sent) - trace.time(message.receive), message);
            mine = mine.into_iter().chain(apart(found)).max_by_key(order);
        },
    );
    let all = sharers.all_gather(mine.into_iter().collect()).concat();
    all.into_iter().max_by_key(order)
}
