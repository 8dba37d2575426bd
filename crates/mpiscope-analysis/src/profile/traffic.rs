//! Who sent how much to whom: the communication matrix.

use mpiscope_model::{
    Event, EventKind, EventRef, Events, LocationIndex, Matching, Message, PointToPoint, Trace,
};
use rustc_hash::FxHashMap;

use crate::sharers::Sharers;

/// Point-to-point messages from one rank to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sent {
    /// World rank of the sender.
    pub from: u32,
    /// World rank of the receiver.
    pub to: u32,
    /// Messages that were received.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Returns what was sent and received, by sender and receiver. Of processes that share the trace
/// each looks at what it sent, and the first returns all.
pub(super) fn sent(trace: &Trace, matching: &Matching, sharers: Option<Sharers>) -> Vec<Sent> {
    let sent = matching.look_at_messages(|some| sent_in(trace, some));
    let sent = added_up(sent.into_iter().flatten().collect());
    match sharers {
        Some(sharers) => added_up(sharers.gather(sent)),
        None => sent,
    }
}

fn added_up(mut sent: Vec<Sent>) -> Vec<Sent> {
    sent.sort_unstable();
    sent.dedup_by(|next, sum| {
        let is_same = (next.from, next.to) == (sum.from, sum.to);
        if is_same {
            sum.messages += next.messages;
            sum.bytes = sum.bytes.saturating_add(next.bytes);
        }
        is_same
    });
    sent
}

/// Adds up some messages, receiver by receiver, as those to one stand together.
fn sent_in(trace: &Trace, messages: &[Message]) -> Vec<Sent> {
    let rank = |location: LocationIndex| trace.locations[location.index()].rank.0;
    let is_here = |it: &Message| trace.locations[it.send.location.index()].elsewhere == 0;
    let mut row: FxHashMap<LocationIndex, (u64, u64)> = FxHashMap::default();
    let mut sent = Vec::new();
    for to in messages.chunk_by(|a, b| a.receive.location == b.receive.location) {
        for message in to.iter().filter(|it| is_here(it)) {
            let (messages, bytes) = row.entry(message.send.location).or_default();
            *messages += 1;
            *bytes = bytes.saturating_add(bytes_of(trace, message.send));
        }
        sent.extend(row.drain().map(|(sender, (messages, bytes))| Sent {
            from: rank(sender),
            to: rank(to[0].receive.location),
            messages,
            bytes,
        }));
    }
    sent
}

fn bytes_of(trace: &Trace, send: EventRef) -> u64 {
    let events = &trace.locations[send.location.index()].events;
    sent_by(events, send.index as usize)
}

/// Returns the bytes of a send.
fn sent_by(events: &Events, index: usize) -> u64 {
    match events.kinds()[index] {
        EventKind::MpiSend | EventKind::MpiIsend => row(events, index).bytes,
        _ => 0,
    }
}

fn row(events: &Events, index: usize) -> &PointToPoint {
    &events.messages()[events.args()[index] as usize]
}

/// Returns the receives, in their order, whose bytes may be anything: no send belongs to them, or
/// one of fewer bytes.
pub(super) fn strays(
    trace: &Trace,
    matching: &Matching,
    sharers: Option<Sharers>,
) -> Vec<EventRef> {
    let mut strays = matching.unmatched_receives.clone();
    match sharers {
        None => strays.extend(longer(trace, matching)),
        Some(sharers) => strays.extend(longer_here(trace, matching, sharers)),
    }
    strays.sort_unstable();
    strays
}

/// Returns the receives of more bytes than were sent, which MPI does not allow: records of other
/// tools that say what is not so. Ours say what is.
pub(crate) fn longer<'a>(
    trace: &'a Trace,
    matching: &'a Matching,
) -> impl Iterator<Item = EventRef> + 'a {
    let of_others = !trace.definitions.told.posted;
    let bytes = |event: EventRef| {
        let events = &trace.locations[event.location.index()].events;
        row(events, event.index as usize).bytes
    };
    let messages = matching.messages.iter().filter(move |_| of_others);
    let longer = messages.filter(move |it| bytes(it.receive) > bytes(it.send));
    longer.map(|it| it.receive)
}

/// Returns those among the events of this process, where several share a trace: each tells the
/// receivers of its sends how long these were.
pub(crate) fn longer_here(trace: &Trace, matching: &Matching, sharers: Sharers) -> Vec<EventRef> {
    if trace.definitions.told.posted {
        return Vec::new();
    }
    let bytes = |event: EventRef| {
        let events = &trace.locations[event.location.index()].events;
        row(events, event.index as usize).bytes
    };
    let messages = || matching.messages.iter().copied();
    let told = sharers.of_sends(matching, |it| bytes(it.send));
    let is_here = |it: &Message| sharers.is_here(it.send) && sharers.is_here(it.receive);
    let here = messages().filter(is_here).map(|it| (it, bytes(it.send)));
    let longer = here
        .chain(told)
        .filter(|(it, sent)| bytes(it.receive) > *sent);
    longer.map(|(it, _)| it.receive).collect()
}

/// Returns the bytes that the events of a call sent and received, but for those of [`strays`].
pub(super) fn of_call(
    trace: &Trace,
    strays: &[EventRef],
    enter: EventRef,
    leave: u32,
) -> (u64, u64) {
    let is_stray = |index: usize| {
        let index = index as u32;
        let event = EventRef { index, ..enter };
        !strays.is_empty() && strays.binary_search(&event).is_ok()
    };
    let events = &trace.locations[enter.location.index()].events;
    let (mut sent, mut received) = (0u64, 0u64);
    for index in enter.index as usize..=leave as usize {
        let (more_sent, more_received) = match events.kinds()[index] {
            EventKind::MpiSend | EventKind::MpiIsend => (row(events, index).bytes, 0),
            EventKind::MpiRecv | EventKind::MpiIrecv if is_stray(index) => continue,
            EventKind::MpiRecv | EventKind::MpiIrecv => (0, row(events, index).bytes),
            EventKind::MpiCollectiveEnd | EventKind::NonBlockingCollectiveComplete => {
                match events.event(index) {
                    Event::MpiCollectiveEnd(all) | Event::NonBlockingCollectiveComplete(_, all) => {
                        (all.sent, all.received)
                    }
                    _ => continue,
                }
            }
            _ => continue,
        };
        sent = sent.saturating_add(more_sent);
        received = received.saturating_add(more_received);
    }
    (sent, received)
}
