//! What one process sent, by channel.

use std::collections::HashSet;

use rustc_hash::FxHashMap;

use super::channels::{Channels, Key, Moment, NONE, UNKNOWN};
use super::groups::Groups;
use super::scan::{visit, Occurrence, Visitor};
use crate::definitions::LocationIndex;
use crate::events::{EventKind, Events, PointToPoint};
use crate::trace::{EventRef, Trace};

/// All sends of a process.
#[derive(Default)]
pub(super) struct Outgoing {
    /// In order, those of one stretch together.
    sent: Vec<EventRef>,
    /// The stretches, as their receivers see them.
    pub outlets: Vec<Outlet>,
    /// The receiving process of each stretch, [`NONE`] if there is none.
    pub receivers: Vec<u32>,
}

/// A stretch of sends, as its receiver sees it.
#[derive(Clone, Copy)]
pub(super) struct Outlet {
    /// What the receiver calls the channel.
    pub key: Key,
    pub count: u32,
    /// The number of the first on its channel, or [`UNKNOWN`].
    pub first: u64,
    /// It is all of its channel, counted from the first message on.
    pub whole: bool,
    /// Several threads took part, and only their clock tells the order.
    pub shared: bool,
    /// Where it begins in `sent`.
    begin: u32,
    /// The first send, which most often is the only one of many.
    send: EventRef,
}

impl Outlet {
    /// Returns whether its numbers on the channel cannot be known.
    pub fn is_unknown(&self) -> bool {
        self.first == UNKNOWN
    }
}

impl Outgoing {
    /// Returns the sends of a stretch of this process.
    pub fn sends<'a>(&'a self, outlet: &'a Outlet) -> &'a [EventRef] {
        let begin = outlet.begin as usize;
        match outlet.count {
            1 => std::slice::from_ref(&outlet.send),
            count => &self.sent[begin..begin + count as usize],
        }
    }
}

/// Reads the sends of one process after the other.
#[derive(Default)]
pub(super) struct Reader {
    cancelled: HashSet<EventRef>,
    channels: Channels,
    /// Each send with its stretch.
    sends: Vec<(u32, EventRef)>,
}

impl Reader {
    /// Begins with another process.
    pub fn reset(&mut self, threads: usize, cancelled: HashSet<EventRef>) {
        self.cancelled = cancelled;
        self.channels.reset(threads);
        self.sends.clear();
    }

    /// Reads a send.
    #[inline(always)]
    pub fn send(&mut self, message: &PointToPoint, event: EventRef, moment: Moment) {
        if self.cancelled.is_empty() || !self.cancelled.contains(&event) {
            let stretch = self.channels.count(Key::of(message), moment);
            self.sends.push((stretch, event));
        }
    }

    /// Puts the sends of each stretch together (a counting sort).
    pub fn finish(&mut self, groups: &Groups, process: usize) -> Outgoing {
        let Some(&(_, filler)) = self.sends.first() else {
            return Outgoing::default();
        };
        let stretches = &self.channels.stretches;
        let mut outgoing = Outgoing {
            sent: vec![filler; self.sends.len()],
            outlets: Vec::with_capacity(stretches.len()),
            receivers: Vec::with_capacity(stretches.len()),
        };
        let mut begin = 0;
        for (id, stretch) in stretches.iter().enumerate() {
            let other = groups.other_side(process, stretch.key);
            let receiver = other.map_or(NONE, |(receiver, _)| receiver);
            outgoing.receivers.push(receiver);
            outgoing.outlets.push(Outlet {
                key: other.map_or(stretch.key, |(_, key)| key),
                count: stretch.count,
                first: stretch.first,
                whole: stretch.first == 0 && stretch.earlier == NONE,
                shared: self.channels.is_shared(id as u32),
                begin,
                send: filler,
            });
            begin += stretch.count;
        }
        for stretch in stretches.iter().filter(|stretch| stretch.earlier != NONE) {
            outgoing.outlets[stretch.earlier as usize].whole = false;
        }
        for &(stretch, event) in &self.sends {
            // `begin` counts up meanwhile.
            let outlet = &mut outgoing.outlets[stretch as usize];
            outgoing.sent[outlet.begin as usize] = event;
            outlet.begin += 1;
        }
        for outlet in &mut outgoing.outlets {
            outlet.begin -= outlet.count;
            outlet.send = outgoing.sent[outlet.begin as usize];
        }
        outgoing
    }
}

/// Returns the nonblocking sends of a process that were cancelled.
pub(super) fn cancelled(trace: &Trace, locations: &[LocationIndex]) -> HashSet<EventRef> {
    let mut requests = Requests::default();
    let wanted = |kind| {
        use EventKind::*;
        matches!(
            kind,
            MpiIsend | MpiIsendComplete | MpiIrecvRequest | MpiRequestCancelled
        )
    };
    visit(trace, locations, wanted, &mut requests);
    requests.cancelled
}

/// Sends by the request that stands for them.
#[derive(Default)]
struct Requests {
    active: FxHashMap<u64, EventRef>,
    cancelled: HashSet<EventRef>,
}

impl Visitor for Requests {
    fn visit(&mut self, location: LocationIndex, events: &Events, at: Occurrence) {
        let request = match at.kind {
            EventKind::MpiIsend => events.messages()[at.rows.messages].request,
            _ => Some(events.requests()[at.rows.requests]),
        };
        let Some(request) = request else {
            return;
        };
        match at.kind {
            EventKind::MpiIsend => {
                let event = EventRef::new(location, at.index);
                self.active.insert(request.0, event);
            }
            EventKind::MpiRequestCancelled => {
                self.cancelled.extend(self.active.remove(&request.0));
            }
            _ => {
                self.active.remove(&request.0);
            }
        }
    }
}
