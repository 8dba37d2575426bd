//! Who sent what another received: for each send and each receive the other end, in some three
//! bytes each, found by block of the location that it lies in.
//!
//! Most programs send to few partners, each time as much as before: an end is the number of its
//! partner among those of the location, and how far it is from where the last one of that partner
//! let expect it.

use mpiscope_model::{EventRef, LocationIndex, Message};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::blocks::BLOCK;
use crate::varint::{put, take, unzigzag, zigzag};

/// The other ends of all messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partners {
    pub locations: Vec<OfLocation>,
    /// How many messages there are.
    pub messages: u64,
}

/// The other ends of a location's messages.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfLocation {
    /// The locations that it has messages from or to.
    pub peers: Vec<u32>,
    /// Where the bytes of each block end.
    pub ends: Vec<u32>,
    pub bytes: Vec<u8>,
}

/// One end of a message, as its location sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// The event there.
    pub event: u32,
    /// It sends.
    pub sends: bool,
    /// The event at the other end.
    pub other: EventRef,
}

impl End {
    /// Returns the message that it is an end of.
    pub fn message(&self, location: LocationIndex) -> Message {
        let own = EventRef {
            location,
            index: self.event,
        };
        match self.sends {
            true => Message {
                send: own,
                receive: self.other,
            },
            false => Message {
                send: self.other,
                receive: own,
            },
        }
    }
}

impl Partners {
    /// Notes the ends of messages between so many locations.
    pub fn new(messages: &[Message], locations: usize) -> Partners {
        let mut counts = vec![0usize; locations];
        for message in messages {
            counts[message.send.location.index()] += 1;
            counts[message.receive.location.index()] += 1;
        }
        let mut ends: Vec<Vec<End>> = counts.into_iter().map(Vec::with_capacity).collect();
        for message in messages {
            let Message { send, receive } = *message;
            for (own, other, sends) in [(send, receive, true), (receive, send, false)] {
                ends[own.location.index()].push(End {
                    event: own.index,
                    sends,
                    other,
                });
            }
        }
        let locations = ends.into_par_iter().map(|mut ends| {
            ends.sort_unstable_by_key(|it| (it.event, it.other));
            OfLocation::new(&ends)
        });
        Partners {
            locations: locations.collect(),
            messages: messages.len() as u64,
        }
    }

    pub fn bytes(&self) -> usize {
        let of = |it: &OfLocation| it.bytes.len() + 4 * (it.ends.len() + it.peers.len());
        self.locations.iter().map(of).sum()
    }

    /// Returns how many blocks of a location may have messages.
    pub fn blocks(&self, location: LocationIndex) -> u32 {
        let of = self.locations.get(location.index());
        of.map_or(0, |it| it.ends.len() as u32)
    }

    /// Returns the ends that lie in a block, ascending.
    pub fn block(&self, location: LocationIndex, block: u32) -> impl Iterator<Item = End> + '_ {
        let of = self.locations.get(location.index());
        of.into_iter().flat_map(move |of| of.block(block))
    }

    /// Returns the other ends of an event.
    pub fn of(&self, event: EventRef) -> impl Iterator<Item = End> + '_ {
        let ends = self.block(event.location, event.index / BLOCK);
        ends.filter(move |it| it.event == event.index)
    }
}

impl OfLocation {
    fn new(ends: &[End]) -> OfLocation {
        let mut found = OfLocation::default();
        let mut numbers: FxHashMap<u32, u64> = FxHashMap::default();
        let mut expected = Expected::default();
        let mut last = 0;
        for end in ends {
            let block = end.event / BLOCK;
            while found.ends.len() < block as usize {
                found.ends.push(found.bytes.len() as u32);
                (last, expected) = (found.ends.len() as u32 * BLOCK, Expected::default());
            }
            let peer = end.other.location.0;
            let number = *numbers.entry(peer).or_insert_with(|| {
                found.peers.push(peer);
                found.peers.len() as u64 - 1
            });
            put(&mut found.bytes, u64::from(end.event - last));
            let slot = number << 1 | u64::from(end.sends);
            put(&mut found.bytes, slot);
            let ahead = i64::from(end.other.index) - i64::from(end.event);
            put(&mut found.bytes, zigzag(ahead - expected.of(slot)));
            expected.set(slot, ahead);
            last = end.event;
        }
        if !ends.is_empty() {
            found.ends.push(found.bytes.len() as u32);
        }
        found.bytes.shrink_to_fit();
        found
    }

    fn block(&self, block: u32) -> impl Iterator<Item = End> + '_ {
        let end = |block: u32| self.ends.get(block as usize).map(|it| *it as usize);
        let begin = match block {
            0 => Some(0),
            _ => end(block - 1),
        };
        let bytes = begin
            .zip(end(block))
            .and_then(|(a, b)| self.bytes.get(a..b));
        let mut bytes = bytes.unwrap_or_default();
        let mut event = block * BLOCK;
        let mut expected = Expected::default();
        std::iter::from_fn(move || {
            event += take(&mut bytes)? as u32;
            let slot = take(&mut bytes)?;
            let ahead = unzigzag(take(&mut bytes)?) + expected.of(slot);
            expected.set(slot, ahead);
            let location = LocationIndex(*self.peers.get((slot >> 1) as usize)?);
            let index = (i64::from(event) + ahead) as u32;
            Some(End {
                event,
                sends: slot & 1 == 1,
                other: EventRef { location, index },
            })
        })
    }
}

/// How far ahead the other end was the last time, by partner and direction.
#[derive(Default)]
struct Expected(Vec<(u64, i64)>);

impl Expected {
    /// What was seen last with this partner, or else with any.
    fn of(&self, slot: u64) -> i64 {
        let same = self.0.iter().find(|it| it.0 == slot);
        same.or(self.0.last()).map_or(0, |it| it.1)
    }

    fn set(&mut self, slot: u64, ahead: i64) {
        match self.0.iter_mut().find(|it| it.0 == slot) {
            Some(it) => it.1 = ahead,
            None => self.0.push((slot, ahead)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_come_back_block_by_block() {
        let event = |location, index| EventRef {
            location: LocationIndex(location),
            index,
        };
        let messages: Vec<Message> = (0..2000u32)
            .map(|at| Message {
                send: event(at % 3, 7 * at + 1),
                receive: event((at + 1) % 3, 5 * (2000 - at) + 2),
            })
            .collect();
        let partners = Partners::new(&messages, 3);
        let mut found = Vec::new();
        for location in (0..3).map(LocationIndex) {
            for block in 0..partners.blocks(location) {
                for end in partners.block(location, block) {
                    assert_eq!(end.event / BLOCK, block);
                    assert!(partners
                        .of(event(location.0, end.event))
                        .any(|it| it == end));
                    found.push(end.message(location));
                }
            }
        }
        found.sort_unstable();
        let mut expected = [&messages[..], &messages[..]].concat();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
