//! Messages and probes, channel by channel.

use std::collections::{BTreeMap, HashSet};

use mpiscope_model::{CommId, Event, PointToPoint, Rank, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::seen::{event, peer, sequence, At, Counting, Pauses};

/// A channel: communicator, sender, receiver, tag.
type Channel = (CommId, Rank, Rank, u32);

/// What was received or seen by a probe, with the send.
pub(super) struct Message {
    pub sent: At,
    pub received: At,
    pub probe: bool,
}

/// A message or probe with its number on its channel.
type Numbered = (Channel, u64, At);

/// Pairs sends with receives of the same number on their channel, receiver by
/// receiver.
pub(super) fn messages(trace: &Trace, processes: &BTreeMap<Rank, Vec<At>>) -> Vec<Message> {
    let sent: Vec<Vec<Numbered>> = (processes.par_iter())
        .map(|(&me, events)| sent(trace, me, events))
        .collect();
    let mut inboxes: FxHashMap<Rank, Vec<Numbered>> = FxHashMap::default();
    for send in sent.into_iter().flatten() {
        let (_, _, receiver, _) = send.0;
        inboxes.entry(receiver).or_default().push(send);
    }
    let found: Vec<Vec<Message>> = (processes.par_iter())
        .filter_map(|(me, events)| Some((me, events, inboxes.get(me)?)))
        .map(|(&me, events, inbox)| met(trace, me, events, inbox))
        .collect();
    found.into_iter().flatten().collect()
}

/// Pairs what was sent to a process with what it received.
fn met(trace: &Trace, me: Rank, events: &[At], inbox: &[Numbered]) -> Vec<Message> {
    // Each send, and whether it is taken.
    let mut sends: FxHashMap<(Channel, u64), (At, bool)> = FxHashMap::default();
    sends.reserve(inbox.len());
    for &(channel, number, at) in inbox {
        sends.entry((channel, number)).or_insert((at, false));
    }
    let mut found = Vec::with_capacity(inbox.len());
    for (channel, number, received, probe) in received(trace, me, events) {
        let Some((sent, taken)) = sends.get_mut(&(channel, number)) else {
            continue;
        };
        if !probe && std::mem::replace(taken, true) {
            continue;
        }
        found.push(Message {
            sent: *sent,
            received,
            probe,
        });
    }
    found
}

fn sent(trace: &Trace, me: Rank, events: &[At]) -> Vec<Numbered> {
    let cancelled = cancelled(trace, events);
    let mut counting = Counting::new();
    let mut pauses = Pauses::default();
    let mut sent = Vec::new();
    for &at in events {
        let event = event(trace, at);
        pauses.see(&event);
        let (Event::MpiSend(message) | Event::MpiIsend(message)) = event else {
            continue;
        };
        if let (Some(to), false) = (peer(trace, me, message), cancelled.contains(&at)) {
            let channel = (message.comm, me, to, message.tag);
            let id = counting.count(channel, pauses.count, sequence(trace, at));
            sent.push((channel, id, at));
        }
    }
    let number = |(channel, id, at)| Some((channel, counting.number(id)?, at));
    sent.into_iter().filter_map(number).collect()
}

/// Sends that were taken back.
fn cancelled(trace: &Trace, events: &[At]) -> HashSet<At> {
    let mut posted = FxHashMap::default();
    let mut cancelled = HashSet::new();
    for &at in events {
        match event(trace, at) {
            Event::MpiIsend(message) => {
                message.request.map(|request| posted.insert(request, at));
            }
            Event::MpiIsendComplete(request) | Event::MpiIrecvRequest(request) => {
                posted.remove(&request);
            }
            Event::MpiRequestCancelled(request) => cancelled.extend(posted.remove(&request)),
            _ => {}
        }
    }
    cancelled
}

/// A place in the order in which a process asked for messages.
#[derive(Clone, Copy)]
struct Asked {
    channel: Channel,
    stretch: usize,
    at: At,
    probe: bool,
}

/// What a process received or found, in the order in which it asked for it.
fn received(trace: &Trace, me: Rank, events: &[At]) -> Vec<(Channel, u64, At, bool)> {
    let mut counting = Counting::new();
    let mut pauses = Pauses::default();
    let mut posted: FxHashMap<_, usize> = FxHashMap::default();
    let mut asked: Vec<Option<Asked>> = Vec::new();
    let channel = |message: &PointToPoint| {
        let from = peer(trace, me, message)?;
        Some((message.comm, from, me, message.tag))
    };
    for &at in events {
        let event = event(trace, at);
        pauses.see(&event);
        match event {
            Event::MpiIrecvRequest(request) => {
                posted.insert(request, asked.len());
                asked.push(None);
            }
            Event::MpiRequestCancelled(request) => {
                posted.remove(&request);
            }
            Event::MpiProbe(message) => {
                if let Some(channel) = channel(message) {
                    let told = sequence(trace, at);
                    let stretch = counting.stretch(channel, pauses.count, told);
                    let probe = true;
                    asked.push(Some(Asked {
                        channel,
                        stretch,
                        at,
                        probe,
                    }));
                }
                // A matched probe takes its message away from other receives.
                if let Some(request) = message.request {
                    posted.insert(request, asked.len());
                    asked.push(None);
                }
            }
            Event::MpiRecv(message) | Event::MpiIrecv(message) => {
                let place = message.request.and_then(|request| posted.remove(&request));
                let receive = channel(message).map(|channel| Asked {
                    channel,
                    stretch: counting.count(channel, pauses.count, sequence(trace, at)),
                    at,
                    probe: false,
                });
                match place {
                    Some(place) => asked[place] = receive,
                    None => asked.push(receive),
                }
            }
            _ => {}
        }
    }
    let number = |asked: Asked| {
        let number = match asked.probe {
            true => counting.peek(asked.stretch)?,
            false => counting.number(asked.stretch)?,
        };
        Some((asked.channel, number, asked.at, asked.probe))
    };
    asked.into_iter().flatten().filter_map(number).collect()
}
