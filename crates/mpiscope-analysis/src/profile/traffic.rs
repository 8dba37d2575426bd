//! Who sent how much to whom: the communication matrix.

use mpiscope_model::{Event, EventKind, EventRef, Events, Matching, PointToPoint, Trace};
use rustc_hash::FxHashMap;

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

/// Returns what was sent and received, by sender and receiver.
pub(super) fn sent(trace: &Trace, matching: &Matching) -> Vec<Sent> {
    let rank = |event: EventRef| trace.locations[event.location.index()].rank.0;
    let mut pairs: FxHashMap<(u32, u32), (u64, u64)> = FxHashMap::default();
    for message in &matching.messages {
        let pair = (rank(message.send), rank(message.receive));
        let (messages, bytes) = pairs.entry(pair).or_default();
        *messages += 1;
        *bytes = bytes.saturating_add(bytes_of(trace, message.send));
    }
    let sent = pairs
        .into_iter()
        .map(|((from, to), (messages, bytes))| Sent {
            from,
            to,
            messages,
            bytes,
        });
    let mut sent: Vec<Sent> = sent.collect();
    sent.sort_unstable();
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

/// Returns the bytes that the events of a call sent and received.
pub(super) fn of_call(trace: &Trace, enter: EventRef, leave: u32) -> (u64, u64) {
    let events = &trace.locations[enter.location.index()].events;
    let (mut sent, mut received) = (0u64, 0u64);
    for index in enter.index as usize..=leave as usize {
        let (more_sent, more_received) = match events.kinds()[index] {
            EventKind::MpiSend | EventKind::MpiIsend => (row(events, index).bytes, 0),
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
