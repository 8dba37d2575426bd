//! Messages and probes, channel by channel.

use std::collections::{BTreeMap, HashMap, HashSet};

use mpiscope_model::{CommId, Event, PointToPoint, Rank, Trace};

use super::seen::{event, peer, sequence, At, Counting, Pauses};

/// A channel: communicator, sender, receiver, tag.
type Channel = (CommId, Rank, Rank, u32);

/// What was received or seen by a probe, with the send.
pub(super) struct Message {
    pub sent: At,
    pub received: At,
    pub probe: bool,
}

/// Pairs sends with receives of the same number on their channel.
pub(super) fn messages(trace: &Trace, processes: &BTreeMap<Rank, Vec<At>>) -> Vec<Message> {
    let mut sends: HashMap<(Channel, u64), At> = HashMap::new();
    for (&me, events) in processes {
        for (channel, number, at) in sent(trace, me, events) {
            sends.entry((channel, number)).or_insert(at);
        }
    }
    let mut found = Vec::new();
    let mut taken: HashSet<(Channel, u64)> = HashSet::new();
    for (&me, events) in processes {
        for (channel, number, received, probe) in received(trace, me, events) {
            let key = (channel, number);
            if !probe && !taken.insert(key) {
                continue;
            }
            found.extend(sends.get(&key).map(|&sent| Message {
                sent,
                received,
                probe,
            }));
        }
    }
    found
}

fn sent(trace: &Trace, me: Rank, events: &[At]) -> Vec<(Channel, u64, At)> {
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
    let mut posted = HashMap::new();
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
    let mut posted: HashMap<_, usize> = HashMap::new();
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
