//! From logical messages to the events that send and receive them.
//!
//! Messages, bounds and members of collective operations name their events;
//! the sweep needs it the other way round, each location's roles in the order
//! of its events. Here they are sorted by location; what follows concerns one
//! location at a time, and fits into a cache.

use std::ops::Range;

use mpiscope_model::{EventRef, LocationIndex, Matching};

use crate::forward::EMPTY;
use crate::logical::CollectiveSync;
use crate::prefetch::prefetch;
use crate::records::Role;

/// Returns the sender's and receiver's event of a logical message: those that
/// are matched come first, then the bounds.
pub(crate) fn ends(matching: &Matching, link: u32) -> (EventRef, EventRef) {
    let link = link as usize;
    match matching.messages.get(link) {
        Some(message) => (message.send, message.receive),
        None => {
            let bound = &matching.bounds[link - matching.messages.len()];
            (bound.send, bound.receive)
        }
    }
}

/// Returns the numbers that the logical messages of a process have among those of all.
pub(crate) fn links_in(whole: &Matching, own: &Matching) -> Vec<u32> {
    let messages = places_in(&whole.messages, &own.messages, 0);
    let bounds = places_in(&whole.bounds, &own.bounds, whole.messages.len() as u32);
    messages.chain(bounds).collect()
}

/// Returns the numbers that the members a process knows have among all.
pub(crate) fn members_in(whole: &Matching, own: &Matching) -> Vec<u32> {
    places_in(&whole.members, &own.members, 0).collect()
}

/// Returns where in a list those of another are, which come in the same order.
fn places_in<'l, T: PartialEq>(
    all: &'l [T],
    some: &'l [T],
    first: u32,
) -> impl Iterator<Item = u32> + 'l {
    let mut all = (first..).zip(all);
    let place = move |one: &T| all.find(|(_, it)| *it == one).map(|(place, _)| place);
    some.iter().map_while(place)
}

/// A role that an event has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub event: u32,
    pub role: Role,
    pub link: u32,
    /// The location at the other end of a message.
    pub peer: u32,
}

/// The roles of the events of some locations.
pub(crate) struct Parts {
    all: Vec<Part>,
    /// Where each location's begin; one more entry than locations.
    begins: Vec<usize>,
}

impl Parts {
    /// Gathers the roles of `locations` (a counting sort).
    pub fn new(
        locations: Range<usize>,
        matching: &Matching,
        collectives: &[Option<CollectiveSync>],
    ) -> Parts {
        let mine = |location: LocationIndex| {
            let number = location.index().wrapping_sub(locations.start);
            (number < locations.len()).then_some(number)
        };
        let mut begins = vec![0; locations.len() + 2];
        each(matching, collectives, |event, _| {
            if let Some(number) = mine(event.location) {
                begins[number + 2] += 1;
            }
        });
        for number in 2..begins.len() {
            begins[number] += begins[number - 1];
        }
        let filler = Part {
            event: 0,
            role: Role::Internal,
            link: 0,
            peer: 0,
        };
        let mut all = vec![filler; begins[locations.len() + 1]];
        each(matching, collectives, |event, part| {
            if let Some(number) = mine(event.location) {
                // What was the begin of the next moves to its own.
                let place = &mut begins[number + 1];
                all[*place] = part;
                *place += 1;
            }
        });
        Parts { all, begins }
    }

    /// Returns the roles of the `number`-th location, in no order.
    pub fn of(&self, number: usize) -> &[Part] {
        &self.all[self.begins[number]..self.begins[number + 1]]
    }
}

/// Visits all roles of all events.
fn each(
    matching: &Matching,
    collectives: &[Option<CollectiveSync>],
    mut visitor: impl FnMut(EventRef, Part),
) {
    let messages = matching.messages.iter().map(|m| (m.send, m.receive));
    let bounds = matching.bounds.iter().map(|b| (b.send, b.receive));
    for (link, (send, receive)) in (0..).zip(messages.chain(bounds)) {
        // Program order says all there is about a message to oneself.
        if send.location == receive.location {
            continue;
        }
        let sides = [(send, Role::Send, receive), (receive, Role::Receive, send)];
        for (event, role, other) in sides {
            visitor(
                event,
                Part {
                    event: event.index,
                    role,
                    link,
                    peer: other.location.0,
                },
            );
        }
    }
    for (instance, collective) in matching.collectives.iter().zip(collectives) {
        let Some(collective) = collective else {
            continue;
        };
        for number in instance.members.clone() {
            let member = &matching.members[number];
            let mut side = |event: EventRef, role: Role| {
                let part = Part {
                    event: event.index,
                    role,
                    link: number as u32,
                    peer: event.location.0,
                };
                visitor(event, part);
            };
            if collective.sends(member) {
                side(member.enter, Role::Enter);
            }
            if collective.receives(member) {
                side(member.exit, Role::Exit);
            }
        }
    }
}

/// A time for each logical message that some locations receive. These are
/// mostly neighbours, as messages are sorted by receiver.
#[derive(Default)]
pub(crate) struct Slots {
    times: Vec<i64>,
    /// How many messages are matched; bounds come after them.
    matched: u32,
    /// What to take off the numbers of matched messages and of bounds.
    before: [u32; 2],
}

impl Slots {
    /// For the messages in two ranges, of those that are matched and of bounds.
    pub fn new(matching: &Matching, [messages, bounds]: [Range<u32>; 2]) -> Slots {
        let slots = messages.len() + bounds.len();
        Slots {
            times: vec![EMPTY; slots],
            matched: matching.messages.len() as u32,
            before: [
                messages.start,
                bounds.start.wrapping_sub(messages.len() as u32),
            ],
        }
    }

    /// For all messages.
    pub fn all(matching: &Matching) -> Slots {
        let matched = matching.messages.len() as u32;
        let end = matched + matching.bounds.len() as u32;
        Slots::new(matching, [0..matched, matched..end])
    }

    #[inline(always)]
    fn place(&self, link: u32) -> usize {
        link.wrapping_sub(self.before[usize::from(link >= self.matched)]) as usize
    }

    /// Returns the time of a message; `ALL` says that all have slots, which is a little faster.
    #[inline(always)]
    pub fn get<const ALL: bool>(&self, link: u32) -> i64 {
        match ALL {
            true => self.times[link as usize],
            false => self.at(link),
        }
    }

    /// Notes the time of a message in the same way.
    #[inline(always)]
    pub fn put<const ALL: bool>(&mut self, link: u32, time: i64) {
        match ALL {
            true => self.times[link as usize] = time,
            false => self.set(link, time),
        }
    }

    /// Asks for the time of a message that is needed soon, in the same way.
    #[inline(always)]
    pub fn look_ahead<const ALL: bool>(&self, link: u32) {
        let place = if ALL { link as usize } else { self.place(link) };
        prefetch(&self.times, place);
    }

    /// Returns the time of a message.
    #[inline(always)]
    pub fn at(&self, link: u32) -> i64 {
        self.times[self.place(link)]
    }

    /// Notes the time of a message.
    #[inline(always)]
    pub fn set(&mut self, link: u32, time: i64) {
        let place = self.place(link);
        self.times[place] = time;
    }
}
