//! What was sent to one process, and how its receives find their messages
//! there: see `plain`.

use rustc_hash::FxHashMap;

use super::channels::NONE;
use super::found::Found;
use crate::definitions::{CommId, LocationIndex};
use crate::messages::{Bound, BoundKind, Message};
use crate::plain;
use crate::trace::EventRef;

plain! { Sent { sender, event, comm, tag } }

/// How many messages a receive looks at before a table is made.
const LOOKS: usize = 8;

/// A send.
#[derive(Clone, Copy, Default)]
pub(super) struct Sent {
    /// The process it comes from; [`NONE`] once it is taken out of turn.
    pub sender: u32,
    pub event: u32,
    pub comm: CommId,
    pub tag: u32,
}

/// A receive or probe.
#[derive(Clone, Copy)]
pub(super) struct UnmatchedReceive {
    /// The process that sent what it got.
    pub from: u32,
    pub event: u32,
    pub comm: CommId,
    pub tag: u32,
    pub state: State,
}

/// What has become of what was posted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It has not completed.
    Pending,
    /// Nor has this; but it is known what it took.
    Waiting,
    Received,
    Probed,
}

impl UnmatchedReceive {
    /// A place in posting order whose receive has not completed: it was posted
    /// by this event.
    pub fn pending(event: u32) -> UnmatchedReceive {
        UnmatchedReceive {
            from: NONE,
            event,
            comm: CommId::NONE,
            tag: 0,
            state: State::Pending,
        }
    }

    #[inline(always)]
    fn fits(&self, sent: &Sent) -> bool {
        (sent.sender, sent.comm, sent.tag) == (self.from, self.comm, self.tag)
    }
}

/// The sends to one process, each sender's together in their order.
pub(super) struct Inbox<'a> {
    /// Of each process.
    locations: &'a [LocationIndex],
    sent: Vec<Sent>,
    /// For each sender, the first that may not be taken; [`NONE`] of others.
    next: Vec<u32>,
    /// What is left by channel, once somebody looked in vain.
    table: Option<Table>,
}

/// Sends by channel: the first and last of each, and who follows whom.
struct Table {
    ends: FxHashMap<(u32, u32, u32), (u32, u32)>,
    after: Vec<u32>,
}

impl<'a> Inbox<'a> {
    pub fn new(locations: &'a [LocationIndex]) -> Inbox<'a> {
        Inbox {
            locations,
            sent: Vec::new(),
            next: vec![NONE; locations.len()],
            table: None,
        }
    }

    /// Fills an empty inbox; each sender is in one of the lists alone.
    pub fn fill<'s>(&mut self, lists: impl Iterator<Item = &'s [Sent]>) {
        lists.for_each(|list| self.sent.extend_from_slice(list));
        let mut sender = NONE;
        for (place, sent) in (0..).zip(&self.sent) {
            if sent.sender != sender {
                sender = sent.sender;
                self.next[sender as usize] = place;
            }
        }
    }

    /// Finds the messages of all receives of a process, and empties the inbox.
    pub fn meet(&mut self, here: LocationIndex, posted: &[UnmatchedReceive], found: &mut Found) {
        let before = found.messages.len();
        let mut taken = Vec::new();
        for posted in posted {
            let event = posted.event;
            let receive = EventRef {
                location: here,
                index: event,
            };
            let place = self.find(posted);
            let send = place.map(|place| self.event(place, posted.from));
            match (posted.state, place, send) {
                (State::Received, Some(place), Some(send)) => {
                    self.take(place, posted);
                    found.messages.push(Message { send, receive });
                }
                (State::Received, ..) => found.unmatched_receives.push(receive),
                (State::Waiting, Some(place), Some(send)) => {
                    self.take(place, posted);
                    taken.push(send);
                }
                (State::Probed, _, Some(send)) if send.location != here => {
                    let kind = BoundKind::Probe;
                    found.bounds.push(Bound {
                        send,
                        receive,
                        kind,
                    });
                }
                _ => {}
            }
        }
        if found.messages.len() - before < self.sent.len() {
            self.leave(found);
            found.unmatched_sends.append(&mut taken);
        }
        for sent in self.sent.drain(..) {
            if let Some(next) = self.next.get_mut(sent.sender as usize) {
                *next = NONE;
            }
        }
        self.table = None;
    }

    fn event(&self, place: usize, sender: u32) -> EventRef {
        EventRef {
            location: self.locations[sender as usize],
            index: self.sent[place].event,
        }
    }

    /// Lists what nobody received.
    #[cold]
    fn leave(&self, found: &mut Found) {
        for (place, sent) in self.sent.iter().enumerate() {
            let next = self.next.get(sent.sender as usize);
            if next.is_some_and(|&next| place >= next as usize) {
                let send = self.event(place, sent.sender);
                found.unmatched_sends.push(send);
            }
        }
    }

    /// Returns the place of the first message on a receive's channel.
    #[inline(always)]
    fn find(&mut self, posted: &UnmatchedReceive) -> Option<usize> {
        let place = *self.next.get(posted.from as usize)? as usize;
        match self.sent.get(place) {
            Some(sent) if posted.fits(sent) => Some(place),
            _ => self.search(place, posted),
        }
    }

    /// Looks at messages behind the first.
    #[inline(never)]
    fn search(&mut self, mut place: usize, posted: &UnmatchedReceive) -> Option<usize> {
        let is_taken = |sent: &Sent| sent.sender == NONE;
        if self.table.is_none() {
            while self.sent.get(place).is_some_and(is_taken) {
                place += 1;
            }
            if place < self.sent.len() {
                self.next[posted.from as usize] = place as u32;
            }
            for looked in place..place + LOOKS {
                let sent = self.sent.get(looked)?;
                if posted.fits(sent) {
                    return Some(looked);
                }
                if sent.sender != posted.from && !is_taken(sent) {
                    return None;
                }
            }
        }
        let table = self
            .table
            .get_or_insert_with(|| Table::new(&self.sent, &self.next));
        let channel = (posted.from, posted.comm.0, posted.tag);
        let (first, _) = table.ends.get(&channel)?;
        Some(*first as usize).filter(|&first| first != NONE as usize)
    }

    #[inline(always)]
    fn take(&mut self, place: usize, posted: &UnmatchedReceive) {
        let next = &mut self.next[posted.from as usize];
        if *next as usize == place {
            *next += 1;
        } else {
            self.sent[place].sender = NONE;
        }
        if let Some(table) = &mut self.table {
            table.take(place, posted);
        }
    }
}

impl Table {
    /// Lists what is not taken yet.
    #[cold]
    fn new(sent: &[Sent], next: &[u32]) -> Table {
        let mut table = Table {
            ends: FxHashMap::default(),
            after: vec![NONE; sent.len()],
        };
        for (place, sent) in (0..).zip(sent) {
            let next = next.get(sent.sender as usize);
            if next.is_none_or(|&next| place < next) {
                continue;
            }
            let channel = (sent.sender, sent.comm.0, sent.tag);
            let (_, last) = table.ends.entry(channel).or_insert((place, place));
            if *last != place {
                table.after[*last as usize] = place;
                *last = place;
            }
        }
        table
    }

    /// Goes on to the next of a channel.
    fn take(&mut self, place: usize, posted: &UnmatchedReceive) {
        let channel = (posted.from, posted.comm.0, posted.tag);
        if let Some((first, _)) = self.ends.get_mut(&channel) {
            *first = self.after[place];
        }
    }
}
