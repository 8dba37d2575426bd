//! What a process sent, received and probed for, each with its number on its
//! channel.

use std::collections::HashSet;

use mpiscope_model::{CommId, Event, EventKind, PointToPoint, Rank, Trace};
use rustc_hash::FxHashMap;

use super::counting::{Counting, Numbers, Pauses};
use super::seen::{event, peer, sequence, Process};
use super::view::{At, View};

/// A channel: communicator, sender, receiver, tag.
pub(super) type Channel = (CommId, Rank, Rank, u32);

/// What happened on a channel, with its numbers there.
pub(super) type Line = Vec<(u64, At)>;

/// What a process sent and received.
pub(super) struct Traffic {
    /// The channels that it sent on, with the sends of each.
    pub outgoing: Vec<Channel>,
    pub sends: Vec<Line>,
    /// The channels that it asked on, with its receives and its probes.
    pub incoming: Vec<Channel>,
    pub asked: Vec<[Line; 2]>,
}

/// Sends that were taken back.
fn cancelled(view: &View, process: &Process) -> HashSet<At> {
    let mut cancelled = HashSet::new();
    if !process.has(view.trace, EventKind::MpiRequestCancelled) {
        return cancelled;
    }
    let mut posted = FxHashMap::default();
    process.each(view, |at, _| match event(view.trace, at) {
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
    pub fn new(view: &View, process: &Process) -> Traffic {
        let trace = view.trace;
        let cancelled = cancelled(view, process);
        let taken_back = |at: &At| !cancelled.is_empty() && cancelled.contains(at);
        let mut out = Out::default();
        let mut into = Into::default();
        let mut pauses = Pauses::default();
        let me = process.rank;
        process.each(view, |at, kind| match kind {
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
            sends: out.lines(),
            outgoing: out.channels.keys,
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
                lines[channel].push((number, at));
            }
        }
        lines
    }
}

fn message(trace: &Trace, at: At) -> &PointToPoint {
    let events = &trace.locations[at.place()].events;
    &events.messages()[events.args()[at.index()] as usize]
}

/// What a process received or found, in the order in which it asked for it.
#[derive(Default)]
struct Into {
    channels: Numbers<Channel>,
    counting: Counting,
    posted: FxHashMap<mpiscope_model::RequestId, usize>,
    /// Places that matched probes hold free.
    probed: HashSet<usize>,
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
                    self.probed.insert(self.places.len());
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
                    Some(place) => {
                        self.places[place] = receive;
                        self.found(place);
                    }
                    None => self.places.push(receive),
                }
            }
            _ => {}
        }
    }

    /// A matched probe found what is received at the place behind its own, wherever that counts.
    fn found(&mut self, place: usize) {
        if !self.probed.contains(&place) {
            return;
        }
        let (before, rest) = self.places.split_at_mut(place);
        if let (Some(Some(probe)), Some(Some(receive))) = (before.last_mut(), rest.first()) {
            if probe.probe && probe.channel == receive.channel {
                probe.stretch = receive.stretch;
            }
        }
    }

    fn channel(&mut self, trace: &Trace, me: Rank, message: &PointToPoint) -> Option<usize> {
        let from = peer(trace, me, message)?;
        Some(self.channels.of((message.comm, from, me, message.tag)))
    }

    fn asked(&mut self) -> Vec<[Line; 2]> {
        let mut asked: Vec<[Line; 2]> = Vec::new();
        asked.resize_with(self.channels.keys.len(), Default::default);
        for place in self.places.drain(..).flatten() {
            let number = match place.probe {
                true => self.counting.peek(place.stretch),
                false => self.counting.number(place.stretch),
            };
            let line = &mut asked[place.channel][usize::from(place.probe)];
            line.extend(number.map(|number| (number, place.at)));
        }
        asked
    }
}
