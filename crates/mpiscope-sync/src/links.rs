//! From logical messages to the events that send and receive them.
//!
//! Messages, bounds and members of collective operations name their events;
//! the sweep needs it the other way round, each location's roles in the order
//! of its events. So they are sorted: by location while they are copied, then
//! by event, digit by digit.

use std::ops::Range;

use mpiscope_model::{EventRef, LocationIndex, Matching};

use crate::logical::Meeting;
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

/// A role that an event has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    scratch: Vec<Part>,
}

impl Parts {
    /// Gathers the roles of `locations` (a counting sort).
    pub fn new(
        locations: Range<usize>,
        matching: &Matching,
        meetings: &[Option<Meeting>],
    ) -> Parts {
        let mine = |location: LocationIndex| {
            let number = location.index().wrapping_sub(locations.start);
            (number < locations.len()).then_some(number)
        };
        let mut begins = vec![0; locations.len() + 2];
        each(matching, meetings, |event, _| {
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
        each(matching, meetings, |event, part| {
            if let Some(number) = mine(event.location) {
                // What was the begin of the next moves to its own.
                let place = &mut begins[number + 1];
                all[*place] = part;
                *place += 1;
            }
        });
        Parts {
            all,
            begins,
            scratch: Vec::new(),
        }
    }

    /// Returns the roles of the `number`-th location, by event.
    pub fn of(&mut self, number: usize) -> &[Part] {
        let parts = &mut self.all[self.begins[number]..self.begins[number + 1]];
        sort(parts, &mut self.scratch);
        parts
    }
}

/// Visits all roles of all events.
fn each(
    matching: &Matching,
    meetings: &[Option<Meeting>],
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
    for (instance, meeting) in matching.collectives.iter().zip(meetings) {
        let Some(meeting) = meeting else { continue };
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
            if meeting.sends(member) {
                side(member.enter, Role::Enter);
            }
            if meeting.receives(member) {
                side(member.exit, Role::Exit);
            }
        }
    }
}

/// Sorts the parts of a location: by event digit by digit, as there are many,
/// and what is left within an event by comparing.
fn sort(parts: &mut [Part], scratch: &mut Vec<Part>) {
    const FEW: usize = 64;
    const DIGIT: u32 = 11;
    if parts.len() < FEW {
        return parts.sort_unstable();
    }
    let most = parts.iter().map(|part| part.event).max().unwrap_or(0);
    let bits = u32::BITS - most.leading_zeros();
    let passes = bits.div_ceil(DIGIT).max(1);
    let digit = bits.div_ceil(passes);
    scratch.clear();
    scratch.extend_from_slice(parts);
    let (mut from, mut to) = (&mut scratch[..], &mut *parts);
    for pass in 0..passes {
        by_digit(from, to, pass * digit, (1 << digit) - 1);
        std::mem::swap(&mut from, &mut to);
    }
    if passes % 2 == 0 {
        to.copy_from_slice(from);
    }
    for same in parts.chunk_by_mut(|a, b| a.event == b.event) {
        if same.len() > 1 {
            same.sort_unstable();
        }
    }
}

/// One pass: copies by some bits of the event, else keeping the order.
fn by_digit(from: &[Part], to: &mut [Part], shift: u32, mask: u32) {
    let digit = |part: &Part| (part.event >> shift & mask) as usize;
    let mut next = vec![0; mask as usize + 2];
    for part in from {
        next[digit(part) + 1] += 1;
    }
    for value in 1..next.len() {
        next[value] += next[value - 1];
    }
    for part in from {
        let place = &mut next[digit(part)];
        to[*place] = *part;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_sorted_by_event_and_role(
            rows in prop::collection::vec((any::<u32>(), any::<bool>(), 0..9u32), 0..300),
            shift in 0..32u32,
        ) {
            let part = |(event, sends, link): (u32, bool, u32)| Part {
                event: event >> shift,
                role: if sends { Role::Send } else { Role::Receive },
                link,
                peer: 0,
            };
            let mut parts: Vec<Part> = rows.into_iter().map(part).collect();
            let mut expected = parts.clone();
            expected.sort();
            sort(&mut parts, &mut Vec::new());
            prop_assert_eq!(parts, expected);
        }
    }
}
