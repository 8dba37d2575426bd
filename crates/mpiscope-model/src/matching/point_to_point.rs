//! First in, first out per communicator, sender, receiver and tag, in posting
//! order of both sides.

use std::collections::HashSet;

use super::visit;
use crate::definitions::{CommId, LocationIndex, Rank};
use crate::events::{EventKind, Events, PointToPoint, RequestId};
use crate::hash::FastMap;
use crate::matching::{Matching, Message};
use crate::trace::{EventRef, Trace};

/// What tells channels to one receiver apart: source, communicator, tag.
type Channel = (u32, u32, u32);

/// A send, or a receive with its completion, waiting for its partner.
#[derive(Clone, Copy)]
struct Posted {
    channel: Channel,
    event: EventRef,
}

pub(super) fn collect(
    trace: &Trace,
    processes: &[(Rank, Vec<LocationIndex>)],
    matching: &mut Matching,
) {
    let peers = Peers::new(trace);
    let process_of: FastMap<u32, usize> = (processes.iter().enumerate())
        .map(|(number, (rank, _))| (rank.0, number))
        .collect();
    let mut inboxes: Vec<Vec<Posted>> = vec![Vec::new(); processes.len()];
    let mut receives: Vec<Vec<Posted>> = Vec::with_capacity(processes.len());

    for (rank, locations) in processes {
        let mut side = Side::new(&peers, *rank);
        side.read(trace, locations);
        for (to, posted) in side.sends {
            match process_of.get(&to.0) {
                Some(&number) => inboxes[number].push(posted),
                None => matching.unmatched_sends.push(posted.event),
            }
        }
        receives.push(side.receives);
        matching.unmatched_sends.extend(side.lost_sends);
        matching.unmatched_receives.extend(side.lost_receives);
    }
    for (inbox, receives) in inboxes.iter().zip(&receives) {
        match_inbox(inbox, receives, matching);
    }
    matching.unmatched_sends.sort_unstable();
    matching.unmatched_receives.sort_unstable();
}

/// End of a list in [`match_inbox`].
const NONE: u32 = u32::MAX;

/// Sends of one channel, threaded through a list; and whether several threads
/// share an end of it.
struct Queue {
    first: u32,
    last: u32,
    sender: LocationIndex,
    receiver: Option<LocationIndex>,
    messages: usize,
    shared: bool,
}

/// Matches all that was sent to one process with what it received.
fn match_inbox(inbox: &[Posted], receives: &[Posted], matching: &mut Matching) {
    let mut queues: FastMap<Channel, Queue> = FastMap::default();
    let mut next = vec![NONE; inbox.len()];
    for (number, posted) in inbox.iter().enumerate() {
        let number = number as u32;
        let queue = queues.entry(posted.channel).or_insert(Queue {
            first: NONE,
            last: NONE,
            sender: posted.event.location,
            receiver: None,
            messages: 0,
            shared: false,
        });
        match queue.first {
            NONE => queue.first = number,
            _ => next[queue.last as usize] = number,
        }
        queue.last = number;
        queue.shared |= queue.sender != posted.event.location;
    }

    let mut received = vec![false; inbox.len()];
    for receive in receives {
        let queue = queues.get_mut(&receive.channel);
        let Some(queue) = queue.filter(|queue| queue.first != NONE) else {
            matching.unmatched_receives.push(receive.event);
            continue;
        };
        let number = queue.first as usize;
        queue.first = next[number];
        queue.messages += 1;
        let location = receive.event.location;
        queue.shared |= *queue.receiver.get_or_insert(location) != location;
        received[number] = true;
        matching.messages.push(Message {
            send: inbox[number].event,
            receive: receive.event,
        });
    }
    let lost = inbox
        .iter()
        .zip(&received)
        .filter(|(_, received)| !**received);
    matching
        .unmatched_sends
        .extend(lost.map(|(posted, _)| posted.event));
    let shared = queues.values().filter(|queue| queue.shared);
    matching.ambiguous += shared.map(|queue| queue.messages).sum::<usize>();
}

/// Turns the ranks that events name into world ranks.
struct Peers<'a> {
    trace: &'a Trace,
    /// Members of the first group, of intercommunicators.
    first_group: FastMap<u32, HashSet<Rank>>,
}

impl<'a> Peers<'a> {
    fn new(trace: &'a Trace) -> Peers<'a> {
        let inter = (trace.definitions.communicators.iter().enumerate())
            .filter(|(_, comm)| comm.remote.is_some())
            .map(|(id, comm)| (id as u32, comm.members.iter().copied().collect()));
        Peers {
            trace,
            first_group: inter.collect(),
        }
    }

    fn world_rank(&self, me: Rank, comm: CommId, peer: u32) -> Option<Rank> {
        let communicator = self.trace.definitions.communicators.get(comm.index())?;
        if communicator.is_self {
            return (peer == 0).then_some(me);
        }
        let group = match &communicator.remote {
            Some(remote) if self.first_group[&comm.0].contains(&me) => remote,
            _ => &communicator.members,
        };
        group.get(peer as usize).copied()
    }
}

/// What one process sent and received, in posting order.
struct Side<'a> {
    peers: &'a Peers<'a>,
    me: Rank,
    sends: Vec<(Rank, Posted)>,
    receives: Vec<Posted>,
    lost_sends: Vec<EventRef>,
    lost_receives: Vec<EventRef>,
}

fn concerns_messages(kind: EventKind) -> bool {
    use EventKind::*;
    matches!(
        kind,
        MpiSend | MpiIsend | MpiRecv | MpiIrecv | MpiIrecvRequest | MpiRequestCancelled
    )
}

impl<'a> Side<'a> {
    fn new(peers: &'a Peers<'a>, me: Rank) -> Side<'a> {
        Side {
            peers,
            me,
            sends: Vec::new(),
            receives: Vec::new(),
            lost_sends: Vec::new(),
            lost_receives: Vec::new(),
        }
    }

    fn read(&mut self, trace: &Trace, locations: &[LocationIndex]) {
        // Places kept by posts: in `slots`, filled by the completion.
        let mut slots: Vec<Option<Posted>> = Vec::new();
        let mut posts: FastMap<u64, usize> = FastMap::default();
        let cancelled = cancelled_sends(trace, locations);

        visit(
            trace,
            locations,
            concerns_messages,
            |location, index, kind| {
                let events = &trace.locations[location.index()].events;
                let row = events.args()[index] as usize;
                let event = EventRef::new(location, index);
                match kind {
                    EventKind::MpiSend | EventKind::MpiIsend => {
                        if !cancelled.contains(&event) {
                            self.send(&events.messages()[row], event);
                        }
                    }
                    EventKind::MpiIrecvRequest => {
                        posts.insert(events.requests()[row].0, slots.len());
                        slots.push(None);
                    }
                    EventKind::MpiRequestCancelled => {
                        posts.remove(&events.requests()[row].0);
                    }
                    _ => {
                        let message = &events.messages()[row];
                        let post = message.request.and_then(|request| posts.remove(&request.0));
                        let receive = self.receive(message, event);
                        match post {
                            Some(slot) => slots[slot] = receive,
                            None => slots.push(receive),
                        }
                    }
                }
            },
        );
        self.receives = slots.into_iter().flatten().collect();
    }

    fn send(&mut self, message: &PointToPoint, event: EventRef) {
        match self.peers.world_rank(self.me, message.comm, message.peer) {
            Some(to) => {
                let channel = (self.me.0, message.comm.0, message.tag);
                self.sends.push((to, Posted { channel, event }));
            }
            None => self.lost_sends.push(event),
        }
    }

    fn receive(&mut self, message: &PointToPoint, event: EventRef) -> Option<Posted> {
        let from = self.peers.world_rank(self.me, message.comm, message.peer);
        if from.is_none() {
            self.lost_receives.push(event);
        }
        let channel = (from?.0, message.comm.0, message.tag);
        Some(Posted { channel, event })
    }
}

/// Returns the nonblocking sends of a process that were cancelled. Hardly any
/// program cancels, so requests are followed only where one does.
fn cancelled_sends(trace: &Trace, locations: &[LocationIndex]) -> HashSet<EventRef> {
    let events_of =
        |location: LocationIndex| -> &Events { &trace.locations[location.index()].events };
    let mut cancelled = HashSet::new();
    let cancels =
        |&location| (events_of(location).kinds()).contains(&EventKind::MpiRequestCancelled);
    if !locations.iter().any(cancels) {
        return cancelled;
    }
    let mut active: FastMap<u64, EventRef> = FastMap::default();
    let wanted = |kind| {
        use EventKind::*;
        matches!(
            kind,
            MpiIsend | MpiIsendComplete | MpiIrecvRequest | MpiRequestCancelled
        )
    };
    visit(trace, locations, wanted, |location, index, kind| {
        let events = events_of(location);
        let row = events.args()[index] as usize;
        let request = match kind {
            EventKind::MpiIsend => events.messages()[row].request,
            _ => Some(events.requests()[row]),
        };
        let Some(RequestId(request)) = request else {
            return;
        };
        match kind {
            EventKind::MpiIsend => {
                active.insert(request, EventRef::new(location, index));
            }
            EventKind::MpiRequestCancelled => cancelled.extend(active.remove(&request)),
            _ => {
                active.remove(&request);
            }
        }
    });
    cancelled
}
