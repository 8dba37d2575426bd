//! Messages and probes, channel by channel.

use std::collections::HashSet;

use mpiscope_model::{CommId, Event, EventKind, PointToPoint, Rank, Trace};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::seen::{event, peer, sequence, At, Counting, Numbers, Pauses, Process};

/// A channel: communicator, sender, receiver, tag.
type Channel = (CommId, Rank, Rank, u32);

/// What was received or seen by a probe, with the send.
pub(super) struct Message {
    pub sent: At,
    pub received: At,
    pub probe: bool,
}

/// What a process sent and received.
struct Traffic {
    rank: Rank,
    /// The channels that it sent on, with the sends of each.
    outgoing: Numbers<Channel>,
    sends: Vec<Line>,
    /// The channels that it received on, and what it asked for, in that order.
    incoming: Vec<Channel>,
    asked: Vec<Asked>,
}

/// The sends on one channel with their numbers there.
#[derive(Default)]
struct Line {
    sends: Vec<(u64, At)>,
    /// Some are not in the place of their number.
    mixed: bool,
}

/// A receive or probe with its channel and number there.
struct Asked {
    channel: usize,
    number: u64,
    at: At,
    probe: bool,
}

/// Pairs sends with receives of the same number on their channel, receiver by
/// receiver, and returns what is made of each one's messages.
pub(super) fn messages<T: Send>(
    trace: &Trace,
    processes: &[Process],
    look: impl Fn(&mut dyn Iterator<Item = Message>) -> T + Sync,
) -> Vec<T> {
    let traffic: Vec<Traffic> = (processes.par_iter())
        .map(|process| Traffic::new(trace, process))
        .collect();
    (traffic.par_iter())
        .map(|receiver| look(&mut met(receiver, &traffic)))
        .collect()
}

/// Pairs what was sent to a process with what it received.
fn met<'a>(receiver: &'a Traffic, all: &'a [Traffic]) -> impl Iterator<Item = Message> + 'a {
    let inbox = |channel: &Channel| {
        let sender = all.binary_search_by_key(&channel.1, |it| it.rank).ok()?;
        let line = all[sender].outgoing.get(channel)?;
        Some(Inbox::new(&all[sender].sends[line]))
    };
    let mut inboxes: Vec<Option<Inbox>> = receiver.incoming.iter().map(inbox).collect();
    receiver.asked.iter().filter_map(move |asked| {
        let sent = inboxes[asked.channel]
            .as_mut()?
            .take(asked.number, asked.probe)?;
        Some(Message {
            sent,
            received: asked.at,
            probe: asked.probe,
        })
    })
}

/// A channel's sends, and which of them are taken.
struct Inbox<'a> {
    line: &'a Line,
    /// Their places by number, if that is not the place.
    by_number: Vec<usize>,
    taken: Vec<bool>,
}

impl<'a> Inbox<'a> {
    fn new(line: &'a Line) -> Inbox<'a> {
        let number = |place: &usize| line.sends[*place].0;
        let mut by_number: Vec<usize> = Vec::new();
        if line.mixed {
            by_number.extend(0..line.sends.len());
            // Of several the first.
            by_number.sort_by_key(number);
            by_number.dedup_by_key(|place| number(place));
        }
        Inbox {
            line,
            by_number,
            taken: vec![false; line.sends.len()],
        }
    }

    /// Returns the send of a number, unless it is taken; a probe leaves it there.
    fn take(&mut self, number: u64, probe: bool) -> Option<At> {
        let sends = &self.line.sends;
        let place = match self.line.mixed {
            true => {
                let at = self
                    .by_number
                    .binary_search_by_key(&number, |it| sends[*it].0);
                self.by_number[at.ok()?]
            }
            false => usize::try_from(number).ok()?,
        };
        let (_, sent) = *sends.get(place)?;
        if !probe && std::mem::replace(&mut self.taken[place], true) {
            return None;
        }
        Some(sent)
    }
}

/// Sends that were taken back.
fn cancelled(trace: &Trace, process: &Process) -> HashSet<At> {
    let mut cancelled = HashSet::new();
    if !process.has(trace, EventKind::MpiRequestCancelled) {
        return cancelled;
    }
    let mut posted = FxHashMap::default();
    process.each(trace, |at, _| match event(trace, at) {
        Event::MpiIsend(message) => {
            message.request.map(|request| posted.insert(request, at));
        }
        Event::MpiIsendComplete(request) | Event::MpiIrecvRequest(request) => {
            posted.remove(&request);
        }
        Event::MpiRequestCancelled(request) => cancelled.extend(posted.remove(&request)),
        _ => {}
    });
    cancelled
}

/// A place in the order in which a process asked for messages.
#[derive(Clone, Copy)]
struct Place {
    channel: usize,
    stretch: usize,
    at: At,
    probe: bool,
}

impl Traffic {
    fn new(trace: &Trace, process: &Process) -> Traffic {
        let cancelled = cancelled(trace, process);
        let taken_back = |at: &At| !cancelled.is_empty() && cancelled.contains(at);
        let mut out = Out::default();
        let mut into = Into::default();
        let mut pauses = Pauses::default();
        let me = process.rank;
        process.each(trace, |at, kind| match kind {
            EventKind::MeasurementOnOff => pauses.see(trace, at),
            EventKind::MpiSend | EventKind::MpiIsend if !taken_back(&at) => {
                out.send(trace, me, at, pauses.count);
            }
            EventKind::MpiIrecvRequest
            | EventKind::MpiRequestCancelled
            | EventKind::MpiProbe
            | EventKind::MpiRecv
            | EventKind::MpiIrecv => into.see(trace, me, at, pauses.count),
            _ => {}
        });
        Traffic {
            rank: me,
            sends: out.lines(),
            outgoing: out.channels,
            asked: into.asked(),
            incoming: into.channels.keys,
        }
    }
}

/// What a process sent.
#[derive(Default)]
struct Out {
    channels: Numbers<Channel>,
    counting: Counting,
    sent: Vec<(usize, usize, At)>,
}

impl Out {
    fn send(&mut self, trace: &Trace, me: Rank, at: At, pauses: usize) {
        let message = message(trace, at);
        if let Some(to) = peer(trace, me, message) {
            let channel = self.channels.of((message.comm, me, to, message.tag));
            let id = self.counting.count(channel, pauses, sequence(trace, at));
            self.sent.push((channel, id, at));
        }
    }

    fn lines(&mut self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        lines.resize_with(self.channels.keys.len(), Line::default);
        for (channel, id, at) in self.sent.drain(..) {
            if let Some(number) = self.counting.number(id) {
                let line = &mut lines[channel];
                line.mixed |= number != line.sends.len() as u64;
                line.sends.push((number, at));
            }
        }
        lines
    }
}

fn message(trace: &Trace, (location, index): At) -> &PointToPoint {
    let events = &trace.locations[location].events;
    &events.messages()[events.args()[index] as usize]
}

/// What a process received or found, in the order in which it asked for it.
#[derive(Default)]
struct Into {
    channels: Numbers<Channel>,
    counting: Counting,
    posted: FxHashMap<mpiscope_model::RequestId, usize>,
    places: Vec<Option<Place>>,
}

impl Into {
    fn see(&mut self, trace: &Trace, me: Rank, at: At, pauses: usize) {
        match event(trace, at) {
            Event::MpiIrecvRequest(request) => {
                self.posted.insert(request, self.places.len());
                self.places.push(None);
            }
            Event::MpiRequestCancelled(request) => {
                self.posted.remove(&request);
            }
            Event::MpiProbe(message) => {
                if let Some(channel) = self.channel(trace, me, message) {
                    let told = sequence(trace, at);
                    let stretch = self.counting.stretch(channel, pauses, told);
                    let probe = true;
                    self.places.push(Some(Place {
                        channel,
                        stretch,
                        at,
                        probe,
                    }));
                }
                // A matched probe takes its message away from other receives.
                if let Some(request) = message.request {
                    self.posted.insert(request, self.places.len());
                    self.places.push(None);
                }
            }
            Event::MpiRecv(message) | Event::MpiIrecv(message) => {
                let request = message.request.as_ref();
                let place = request.and_then(|request| self.posted.remove(request));
                let channel = self.channel(trace, me, message);
                let receive = channel.map(|channel| Place {
                    channel,
                    stretch: (self.counting).count(channel, pauses, sequence(trace, at)),
                    at,
                    probe: false,
                });
                match place {
                    Some(place) => self.places[place] = receive,
                    None => self.places.push(receive),
                }
            }
            _ => {}
        }
    }

    fn channel(&mut self, trace: &Trace, me: Rank, message: &PointToPoint) -> Option<usize> {
        let from = peer(trace, me, message)?;
        Some(self.channels.of((message.comm, from, me, message.tag)))
    }

    fn asked(&mut self) -> Vec<Asked> {
        let counting = &mut self.counting;
        let number = |place: Place| {
            let number = match place.probe {
                true => counting.peek(place.stretch)?,
                false => counting.number(place.stretch)?,
            };
            Some(Asked {
                channel: place.channel,
                number,
                at: place.at,
                probe: place.probe,
            })
        };
        self.places.drain(..).flatten().filter_map(number).collect()
    }
}
